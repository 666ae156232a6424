//! Descriptions of modules: any text is accepted, and the resulting model is consistent.

use super::bytes::Bytes;
use super::{open, tree};
use searchscope::fuzzing::modules::{TreeModules, discover_modules, xml_elements};
use searchscope::{Call, RelPath};
use searchscope_tools::CallTools;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const FILES_MAX: usize = 4;
const FILE_BYTES_MAX: usize = 1024;
/// Time for a few files of a kilobyte each; the slowest build of the engine needs a tenth of it.
const TIME_MAX: Duration = Duration::from_secs(5);
/// Far above the number of items that so little text can describe.
const ITEMS_MAX: usize = 20_000;

const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "a/Cargo.toml",
    "package.json",
    "a/package.json",
    "pnpm-workspace.yaml",
    "go.mod",
    "go.work",
    "a/go.mod",
    "vendor/modules.txt",
    "pom.xml",
    "a/pom.xml",
    "settings.gradle",
    "settings.gradle.kts",
    "build.gradle",
    "a/build.gradle.kts",
    "pyproject.toml",
    "setup.cfg",
    "a/pyproject.toml",
    "lerna.json",
    ".venv/pyvenv.cfg",
    "gradle.properties",
    "build.gradle.kts",
    "composer.json",
    "a/composer.json",
    "a.csproj",
    "a/b/b.csproj",
    "a/c.fsproj",
    "all.sln",
    "all.slnx",
    "setup.py",
    "a/setup.py",
    "a/setup.cfg",
    "a.gemspec",
    "a/Gemfile",
    "settings.gradle.kts",
    "a/build.gradle",
];

const IDE_FILES: &[&str] = &[
    ".idea/modules.xml",
    "a.iml",
    "a/b.iml",
    ".idea/libraries/l.xml",
    ".idea/scopes/s.xml",
    ".idea/misc.xml",
    ".idea/a.iml",
];

/// Directories and files that descriptions may refer to.
const OTHERS: &[(&str, &str)] = &[
    ("a/src/x.rs", ""),
    ("a/b/src/main/java/X.java", ""),
    ("src/lib.rs", ""),
    ("lib/l.jar", ""),
    ("node_modules/p/package.json", "{\"name\":\"p\"}"),
    ("a/tests/t.py", ""),
    ("a/Rakefile", ""),
    ("a/spec/t.rb", ""),
    ("src/commonMain/kotlin/x.kt", ""),
];

/// Manifests of build tools: for each a name, and its text up to a byte that never occurs in text.
pub fn manifests(data: &[u8]) {
    discover(&mut Bytes::new(data), MANIFESTS, &[]);
}

/// The same with the files of an IDE. One that names modules is always present.
pub fn idea_xml(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let text = bytes.until(0xFF);
    parses_as_tree(&text[..text.len().min(FILE_BYTES_MAX)]);
    let modules = "<project><component name=\"ProjectModuleManager\"><modules>\
        <module fileurl=\"file://$PROJECT_DIR$/a.iml\" filepath=\"$PROJECT_DIR$/a.iml\"/>\
        <module fileurl=\"file://$PROJECT_DIR$/a/b.iml\" filepath=\"$PROJECT_DIR$/a/b.iml\" group=\"g/h\"/>\
        </modules></component></project>";
    discover(&mut bytes, IDE_FILES, &[(".idea/modules.xml", modules)]);
}

/// Checks that the elements form a tree: each is visited once, starting from the outermost one.
fn parses_as_tree(text: &[u8]) {
    match xml_elements(text, text.len() + 1) {
        Ok(sizes) => {
            let is_given = sizes.iter().all(|n_bytes| *n_bytes <= 4 * text.len());
            assert!(is_given, "there is more text than in the input");
            assert!(sizes.len() <= text.len(), "an element is met again");
        }
        Err(error) => assert!(!error.is_empty()),
    }
}

fn discover(bytes: &mut Bytes<'_>, names: &[&'static str], given: &[(&'static str, &str)]) {
    let to_bytes = |(path, text): &(&'static str, &str)| (*path, text.as_bytes().to_vec());
    let mut files: Vec<(&str, Vec<u8>)> = OTHERS.iter().chain(given).map(to_bytes).collect();
    for _ in 0..FILES_MAX {
        if bytes.is_empty() {
            break;
        }
        let name = bytes.pick(names);
        let text = bytes.until(0xFF);
        files.push((name, text[..text.len().min(FILE_BYTES_MAX)].to_vec()));
    }
    let dir = tree(&files);
    let workspace = open(dir.path(), 1);
    let call = Call::new();
    let started = Instant::now();
    let discover = || discover_modules(&workspace, &call).expect("not stopped");
    let modules = discover();
    assert!(started.elapsed() < TIME_MAX, "{:?} for {files:?}", started.elapsed());
    check(&modules);
    assert_eq!(discover().debug, modules.debug, "the same tree, other modules");
    // Other code reads named scopes.
    for tool in ["scope_list_catalog", "scope_resolve_program"] {
        let args: &[u8] = match tool {
            "scope_list_catalog" => b"{}",
            _ => {
                b"{\"request\":{\"atoms\":[{\"atomId\":\"p\",\"kind\":\"PATTERN\",\"patternText\":\
                  \"file[a]:*/||$s||src:*..*\"}],\"tokens\":[{\"op\":\"PUSH_ATOM\",\"atomId\":\"p\"}]}}"
            }
        };
        if let Err(error) = workspace.call(tool, args, &call) {
            assert_ne!(error.code(), "internal", "{error:?} for {files:?}");
        }
    }
}

/// Checks that names are unique, paths are under the root, and dependencies exist.
fn check(modules: &TreeModules) {
    let n_items = modules.modules.len() + modules.libraries.len() + modules.problems.len();
    assert!(n_items < ITEMS_MAX, "{n_items} of them");
    let mut names = BTreeSet::new();
    for module in &modules.modules {
        assert!(names.insert(&module.name), "two modules {:?}", module.name);
        for (content, inside) in &module.content {
            check_path(content);
            inside.iter().for_each(check_path);
            let is_inside = inside.iter().all(|path| path.starts_with(content));
            assert!(is_inside, "{content:?}: {inside:?}");
        }
        let (n_modules, n_libraries) = (modules.modules.len(), modules.libraries.len());
        let are_there = module.module_dependencies.iter().all(|at| *at < n_modules)
            && module.library_dependencies.iter().all(|at| *at < n_libraries);
        assert!(are_there, "{module:?}");
    }
    for library in &modules.libraries {
        library.iter().for_each(check_path);
    }
    for problem in &modules.problems {
        assert!(!problem.is_empty() && problem.len() < 4_096, "{problem:?}");
    }
}

/// Checks that a path consists of plain names.
fn check_path(path: &RelPath) {
    let is_plain_name = |name: &[u8]| {
        !matches!(name, b"" | b"." | b"..") && !name.iter().any(|byte| matches!(byte, 0 | b'/'))
    };
    assert!(path.components().all(is_plain_name), "{path:?}");
}
