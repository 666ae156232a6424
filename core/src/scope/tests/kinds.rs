//! Each kind of modules, on trees with one to four of them: their files, and which of these are tests.

use super::*;
use std::collections::BTreeSet;

/// A kind of modules, and the files of the module with a number: manifests, production, tests.
struct Kind {
    name: &'static str,
    /// Files of the whole tree, with a list of modules.
    of_tree: fn(&[String]) -> Vec<(String, String)>,
    /// The manifest of a module in its directory.
    manifest: fn(&str) -> (String, String),
    production: &'static str,
    tests: &'static str,
}

fn none(_: &[String]) -> Vec<(String, String)> {
    Vec::new()
}

fn file(path: &str, text: impl Into<String>) -> (String, String) {
    (path.to_owned(), text.into())
}

/// Returns a text with `one` for each module, in which `@` is its name.
fn each(names: &[String], one: &str) -> String {
    names.iter().map(|name| one.replace('@', name)).collect()
}

const KINDS: &[Kind] = &[
    Kind {
        name: ".idea",
        of_tree: |names| {
            let one = "<module fileurl=\"file://$PROJECT_DIR$/@/@.iml\"/>";
            let list = each(names, one);
            let text = format!(
                "<project><component name=\"ProjectModuleManager\"><modules>{list}</modules>\
                 </component></project>"
            );
            vec![file(".idea/modules.xml", text)]
        },
        manifest: |name| {
            let folder = |path, is_test| {
                format!(
                    "<sourceFolder url=\"file://$MODULE_DIR$/{path}\" isTestSource=\"{is_test}\"/>"
                )
            };
            let text = format!(
                "<module><component name=\"NewModuleRootManager\"><content \
                 url=\"file://$MODULE_DIR$\">{}{}</content></component></module>",
                folder("code", false),
                folder("checks", true)
            );
            file(&format!("{name}.iml"), text)
        },
        production: "code/p/A.java",
        tests: "checks/p/ATest.java",
    },
    Kind {
        name: "Cargo",
        of_tree: |names| {
            let members = each(names, "\"@\",");
            vec![file("Cargo.toml", format!("[workspace]\nmembers = [{members}]\n"))]
        },
        manifest: |name| file("Cargo.toml", format!("[package]\nname = \"{name}\"\n")),
        production: "src/lib.rs",
        tests: "tests/a.rs",
    },
    Kind {
        name: "npm",
        of_tree: |_| vec![file("package.json", r#"{"name": "all", "workspaces": ["m*"]}"#)],
        manifest: |name| file("package.json", format!("{{\"name\": \"{name}\"}}")),
        production: "src/a.ts",
        tests: "src/a.test.ts",
    },
    Kind {
        name: "Go",
        of_tree: |names| vec![file("go.work", each(names, "use ./@\n"))],
        manifest: |name| file("go.mod", format!("module {name}\n")),
        production: "p/a.go",
        tests: "p/a_test.go",
    },
    Kind {
        name: "Maven",
        of_tree: |names| {
            let modules = each(names, "<module>@</module>");
            let text = format!(
                "<project><groupId>g</groupId><artifactId>all</artifactId><modules>{modules}\
                 </modules></project>"
            );
            vec![file("pom.xml", text)]
        },
        manifest: |name| {
            let text =
                format!("<project><groupId>g</groupId><artifactId>{name}</artifactId></project>");
            file("pom.xml", text)
        },
        production: "src/main/java/p/A.java",
        tests: "src/test/java/p/ATest.java",
    },
    Kind {
        name: "Gradle",
        of_tree: |names| vec![file("settings.gradle", each(names, "include ':@'\n"))],
        manifest: |_| file("build.gradle", ""),
        production: "src/main/kotlin/p/A.kt",
        tests: "src/test/kotlin/p/ATest.kt",
    },
    Kind {
        name: "Python",
        of_tree: none,
        manifest: |name| file("pyproject.toml", format!("[project]\nname = \"{name}\"\n")),
        production: "src/p/a.py",
        tests: "tests/test_a.py",
    },
    Kind {
        name: "setup.py",
        of_tree: none,
        manifest: |name| file("setup.py", format!("setup(name=\"{name}\")\n")),
        production: "src/p/a.py",
        tests: "tests/test_a.py",
    },
    Kind {
        name: "PHP",
        of_tree: none,
        manifest: |name| {
            let text = format!(
                "{{\"name\": \"{name}\", \"autoload\": {{\"psr-4\": {{\"P\\\\\": \"src\"}}}}}}"
            );
            file("composer.json", text)
        },
        production: "src/A.php",
        tests: "tests/ATest.php",
    },
    Kind {
        name: "Ruby",
        of_tree: none,
        manifest: |name| file(&format!("{name}.gemspec"), ""),
        production: "lib/a.rb",
        tests: "spec/a_spec.rb",
    },
];

/// Returns the files of the scope as a set.
fn set(dir: &TempDir, program: &ScopeProgram) -> BTreeSet<String> {
    let found = found(dir, program).expect("resolved");
    found.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_kind_of_modules() {
    for (kind, n) in KINDS.iter().flat_map(|kind| (1..5).map(move |n| (kind, n))) {
        let names: Vec<String> = (0..n).map(|n| format!("m{n}")).collect();
        let mut files = (kind.of_tree)(&names);
        for name in &names {
            let (manifest, text) = (kind.manifest)(name);
            files.push((format!("{name}/{manifest}"), text));
            files.push((format!("{name}/{}", kind.production), String::new()));
            files.push((format!("{name}/{}", kind.tests), String::new()));
            files.push((format!("{name}/NOTES"), String::new()));
        }
        let dir = tree(&files);
        let files_of = |text: &str| set(&dir, &program(vec![pattern("p", text)], "p"));
        let files_in = |name: &str| set(&dir, &program(vec![standard("s", name)], "s"));
        let all = |path: &str| -> BTreeSet<String> {
            names.iter().map(|name| format!("{name}/{path}")).collect()
        };
        let case = |what: &str| format!("{} with {n} modules: {what}", kind.name);
        for name in &names {
            let own: BTreeSet<String> = files
                .iter()
                .map(|(path, _)| path.clone())
                .filter(|path| path.starts_with(&format!("{name}/")))
                .collect();
            assert_eq!(files_of(&format!("file[{name}]:*/")), own, "{}", case(name));
            let production = format!("{name}/{}", kind.production);
            let text = format!("file[{name}]:{}", kind.production);
            assert_eq!(files_of(&text), BTreeSet::from([production.clone()]), "{}", case(&text));
            let text = format!("src[{name}]:*..*||src[{name}]:*");
            let sources = files_of(&text);
            assert!(sources.contains(&production), "{}: {sources:?}", case(&text));
            let tests = format!("{name}/{}", kind.tests);
            let text = format!("test[{name}]:*..*||test[{name}]:*");
            assert_eq!(files_of(&text), BTreeSet::from([tests]), "{}", case(&text));
        }
        assert_eq!(files_in("Project Test Files"), all(kind.tests), "{}", case("tests"));
        let production = files_in("Project Production Files");
        assert!(production.is_superset(&all(kind.production)), "{}", case("production"));
        assert!(production.is_disjoint(&all(kind.tests)), "{}", case("production"));
    }
}

/// A project of .NET is one of tests or not, as a whole.
#[test]
fn projects_of_dotnet() {
    let package = "<ItemGroup><PackageReference Include=\"xunit\"/></ItemGroup>";
    let dir = tree(&[
        (
            "all.sln",
            "Project(\"{F}\") = \"m0\", \"a\\b\\c\\d\\m0\\m0.csproj\", \"{1}\"\n".to_owned(),
        ),
        ("a/b/c/d/m0/m0.csproj", "<Project/>".to_owned()),
        ("a/b/c/d/m0/A.cs", String::new()),
        ("m1/m1.csproj", format!("<Project>{package}</Project>")),
        ("m1/ATests.cs", String::new()),
    ]);
    assert_eq!(of_pattern(&dir, "file[m0]:*.cs"), "a/b/c/d/m0/A.cs");
    assert_eq!(of_pattern(&dir, "$Tests&&file:*.cs"), "m1/ATests.cs");
    assert_eq!(of_pattern(&dir, "$Production&&file:*.cs"), "a/b/c/d/m0/A.cs");
}
