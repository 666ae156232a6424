//! The role of a path in its project, judged by its names alone.
//!
//! The rule is deliberately simple: it opens no file, knows no build system, and returns the same result on
//! every machine. Searches rank by it. Scopes use the roots of modules and fall back to it if no module has any.

/// The role of a file in its project, in the order of relevance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "replies name each of them")]
pub enum Role {
    /// Everything else: the code itself.
    Production,
    /// Tests, and what only they use.
    Tests,
    /// Documentation, and code that only shows how to use the project.
    Docs,
    /// Produced by a program, or copied from elsewhere.
    Generated,
}

const GENERATED_DIRS: &[&str] = &[
    "__generated__",
    "__pycache__",
    "bower_components",
    "bundled",
    "dist",
    "generated",
    "node_modules",
    "site-packages",
    "target",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
];
/// Directories with pages that a program made from the code, and the suffixes of such pages.
const PAGE_DIRS: &[&str] = &["apidocs", "javadoc"];
const PAGE_SUFFIXES: &[&str] = &[".html", ".css", ".js"];
const GENERATED_SUFFIXES: &[&str] = &[
    ".min.js",
    ".min.css",
    ".map",
    ".dotsettings",
    ".prebuilt",
    "-baseline.neon",
    ".lock",
    ".pb.go",
    ".pb.cc",
    ".pb.h",
    "_pb2.py",
    "_pb2_grpc.py",
    ".g.dart",
    ".snap",
    "-lock.json",
    "-lock.yaml",
    "go.sum",
];
const TEST_DIRS: &[&str] = &[
    "__mocks__",
    "__tests__",
    "e2e",
    "fixtures",
    "selftests",
    "spec",
    "specs",
    "test",
    "testdata",
    "testing",
    "tests",
];
const DOC_DIRS: &[&str] = &["doc", "docs", "documentation", "man"];
/// Directories with code that only shows how to use the project.
pub(crate) const EXAMPLE_DIRS: &[&str] =
    &["demo", "demos", "example", "examples", "sample", "samples", "tutorial", "tutorials"];
const DOC_SUFFIXES: &[&str] =
    &[".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".1", ".3", ".7"];
const DOC_NAMES: &[&str] =
    &["readme", "changelog", "changes", "history", "news", "license", "copying"];

impl Role {
    /// Returns the role of `path`, which is relative to the root. The first that fits counts: generated,
    /// tests, documentation. A `build` directory counts as generated only at the root, where builds write;
    /// deeper it often contains the code of a build system.
    pub fn of(path: &str) -> Role {
        let path = path.to_lowercase();
        let (dirs, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let in_any = |names: &[&str]| dirs.split('/').any(|dir| names.contains(&dir));
        let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
        let is_built = dirs.split('/').next() == Some("build");
        // What a plugin of Kotlin writes about the interface of a library.
        let is_dump = name.ends_with(".api") && dirs.rsplit('/').next() == Some("api");
        let is_page = in_any(PAGE_DIRS) && ends(PAGE_SUFFIXES)
            || dirs.split('/').any(|dir| dir.ends_with(".docset"));
        if is_built
            || is_page
            || is_dump
            || in_any(GENERATED_DIRS)
            || ends(GENERATED_SUFFIXES)
            || is_generated_name(name)
        {
            Role::Generated
        } else if in_any(TEST_DIRS) || is_test_name(name) {
            Role::Tests
        } else if in_any(DOC_DIRS)
            || in_any(EXAMPLE_DIRS)
            || ends(DOC_SUFFIXES)
            || DOC_NAMES.contains(&name.split('.').next().unwrap_or_default())
        {
            Role::Docs
        } else {
            Role::Production
        }
    }
}

/// Scripts that a build system writes into each project.
const WRAPPERS: &[&str] = &["gradlew", "gradlew.bat", "mvnw", "mvnw.cmd"];

fn is_generated_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.ends_with("_generated")
        || name.contains(".generated.")
        || name.contains(".gen.")
        || WRAPPERS.contains(&name)
}

/// Returns whether a file is a test by the conventions of its language: `test_x.py`, `x_test.go`,
/// `x.spec.ts`, `XTest.java`. The name is in lower case here.
fn is_test_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let inner = name.split('.').skip(1);
    stem == "test"
        || stem == "tests"
        || stem == "conftest"
        || stem.starts_with("test_")
        || ["_test", "_tests", "_spec", "-test", "-spec"].iter().any(|end| stem.ends_with(end))
        || inner.clone().count() > 1 && inner.take(1).any(|part| part == "test" || part == "spec")
        || [".java", ".kt", ".cs", ".php", ".swift"].iter().any(|suffix| name.ends_with(suffix))
            && (stem.ends_with("test") || stem.ends_with("tests"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_follow_the_names() {
        for (path, role) in [
            ("src/lib.rs", Role::Production),
            ("latest/contest.rs", Role::Production),
            ("CMakeLists.txt", Role::Production),
            ("src/test/java/A.java", Role::Tests),
            ("pkg/a_test.go", Role::Tests),
            ("tests/common/mod.rs", Role::Tests),
            ("web/a.spec.ts", Role::Tests),
            ("a/test_b.py", Role::Tests),
            ("a/JobTest.java", Role::Tests),
            ("core/src/tests.rs", Role::Tests),
            ("Documentation/x.txt", Role::Docs),
            ("README", Role::Docs),
            ("examples/jsm/loader.js", Role::Docs),
            ("src/sampler.rs", Role::Production),
            ("guide.md", Role::Docs),
            ("vendor/x/test/a.go", Role::Generated),
            ("web/app.min.js", Role::Generated),
            ("docs/book.asc", Role::Docs),
            ("App.sln.DotSettings", Role::Generated),
            ("docs/A.docset/Contents/a.html", Role::Generated),
            ("site/javadoc/a.html", Role::Generated),
            ("src/plugins/javadoc/Mojo.java", Role::Production),
            ("gradlew", Role::Generated),
            ("Cargo.lock", Role::Generated),
            ("build/app.js", Role::Generated),
            ("tools/build/main.c", Role::Production),
            ("api_pb2.py", Role::Generated),
            ("a/__pycache__/b.cpython-311.pyc", Role::Generated),
        ] {
            assert_eq!(Role::of(path), role, "{path}");
        }
    }
}
