//! The module for Go: its own tests and those of tests/go, linked both ways, and its use by another module.

use crate::calls::{Call, N_MANY, calls, needles, paths, tree};
use crate::prefix::Prefix;
use searchscope_tests::program::{installed, run};
use searchscope_tests::repository;
use searchscope_tests::tree::Tree;
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// The modules of the repository.
const MODULES: [&str; 3] = ["go", "examples/go", "tests/go"];

/// The build tags for the shared and for the static library.
pub(crate) const TAGS: [&str; 2] = ["", "searchscope_static"];

/// Returns a `go` command that needs no network, no home directory, and finds the library.
pub(crate) fn go(directory: &Path, words: &[&str]) -> Command {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go");
    let prefix = Prefix::Full.path();
    let mut command = Command::new("go");
    command
        .args(words)
        .current_dir(directory)
        .env("GOFLAGS", "-mod=mod")
        .env("GOPROXY", "off")
        .env("GOSUMDB", "off")
        .env("GOTOOLCHAIN", "local")
        .env("GOWORK", "off")
        .env("GOCACHE", cache.join("cache"))
        .env("GOPATH", cache.join("path"))
        .env("CGO_LDFLAGS", format!("-Wl,-rpath,{}", prefix.join("lib").display()))
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    command
}

/// Reports whether the toolchain for Go programs is installed.
pub(crate) fn has_go(what: &str) -> bool {
    let is_there = Command::new("go").arg("version").output().is_ok();
    if !is_there {
        searchscope_tests::skip(what, "go is not installed");
    }
    is_there && installed("pkg-config", what)
}

/// Runs the tests of tests/go, which compare the binding with the engine.
fn check_contract(tree: &Tree, calls: &[Call], flags: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let file = folder.path().join("expectations.json");
    let replies = folder.path().join("replies.json");
    let words: Vec<[&str; 2]> = calls.iter().map(|call| [call.tool, &call.args]).collect();
    let expectations = json!({
        "root": tree.root(),
        "calls": words,
        "replies": replies,
        "needles": needles(tree),
        "paths": paths(tree),
        "nMany": N_MANY,
    });
    std::fs::write(&file, expectations.to_string()).expect("a file can be written");
    let words = [&["test", "-count=1", "-v"], flags, &["./..."]].concat();
    let module = repository().join("tests/go");
    let output = run(go(&module, &words).env("SEARCHSCOPE_EXPECTATIONS", &file));
    assert!(output.contains("--- PASS: TestEveryTool"), "the tests ran:\n{output}");
    assert!(!output.contains("--- SKIP"), "{output}");
    let given = std::fs::read_to_string(&replies).expect("the tests write the replies");
    let given: Vec<String> = serde_json::from_str(&given).expect("they are JSON");
    assert_eq!(given.len(), calls.len());
    for (call, reply) in calls.iter().zip(&given) {
        call.check(reply);
    }
}

/// Runs the tests that the module brings along.
fn check_module(flags: &[&str]) {
    let words = [&["test", "-count=1", "-v"], flags, &["./..."]].concat();
    let output = run(&mut go(&repository().join("go"), &words));
    for test in ["TestGoroutinesShareAWorkspace", "ExampleWorkspace_SearchEach"] {
        assert!(output.contains(&format!("--- PASS: {test}")), "{test} ran:\n{output}");
    }
}

#[test]
fn long_run_the_binding_keeps_its_contract() {
    if !has_go("the Go tests") {
        return;
    }
    let tree = tree();
    let calls = calls(&tree);
    for tag in TAGS {
        check_contract(&tree, &calls, &["-tags", tag]);
        check_module(&["-tags", tag]);
    }
}

#[test]
fn long_run_the_binding_has_no_race() {
    if !has_go("the race detector of Go") || !has_race_detector() {
        return;
    }
    let tree = tree();
    check_contract(&tree, &calls(&tree), &["-race"]);
    check_module(&["-race"]);
}

/// Reports whether this Go contains the race detector, by building the smallest program with it.
fn has_race_detector() -> bool {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    };
    write("go.mod", "module smallest\n\ngo 1.19\n");
    write("main.go", "package main\n\nfunc main() {}\n");
    let built = go(folder.path(), &["build", "-race", "."]).output().expect("go starts");
    if !built.status.success() {
        searchscope_tests::skip("the race detector of Go", "this Go does not contain it");
    }
    built.status.success()
}

#[test]
fn long_run_the_go_sources_are_formatted_and_vetted() {
    if !has_go("vetting the Go sources") {
        return;
    }
    for module in MODULES.map(|module| repository().join(module)) {
        for tag in TAGS {
            run(&mut go(&module, &["vet", "-tags", tag, "./..."]));
        }
        let unformatted = run(Command::new("gofmt").args(["-l", "."]).current_dir(&module));
        assert_eq!(unformatted, "", "gofmt would change these");
    }
}

/// Gets the module as its users do, from a git repository whose tag `go/vVERSION` names the version. The
/// repository is a local one in place of the public one.
#[test]
fn long_run_another_module_gets_the_binding() {
    if !has_go("go get") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let published = folder.path().join("published");
    publish(&published);
    let module = folder.path().join("module");
    std::fs::create_dir(&module).expect("a directory can be made");
    let program = "package main\n\nimport \"github.com/searchscope/searchscope/go/searchscope\"\n\n\
                   func main() { print(searchscope.Version()) }\n";
    std::fs::write(module.join("main.go"), program).expect("a file can be written");
    // Read-only files of the cache would stay in a temporary directory.
    std::fs::write(module.join("go.mod"), "module user\n\ngo 1.19\n")
        .expect("a file can be written");
    let instead = format!("url.file://{}.insteadOf", published.display());
    let go = |words: &[&str]| {
        let mut command = go(&module, words);
        command
            .env("GOFLAGS", "-mod=mod -modcacherw")
            .env("GOPATH", folder.path().join("path"))
            .env("GOPROXY", "direct")
            .env("GIT_CONFIG_COUNT", "1")
            .env("GIT_CONFIG_KEY_0", &instead)
            .env("GIT_CONFIG_VALUE_0", "https://github.com/searchscope/searchscope");
        command
    };
    let version = env!("CARGO_PKG_VERSION");
    let wanted = format!("github.com/searchscope/searchscope/go/searchscope@v{version}");
    run(&mut go(&["get", &wanted]));
    for tag in TAGS {
        run(&mut go(&["build", "-tags", tag, "-o", "program", "."]));
        let output = Command::new(module.join("program")).output().expect("the program starts");
        assert_eq!(String::from_utf8_lossy(&output.stderr), version, "tag {tag:?}");
    }
}

/// Makes a git repository with the module `go` at the tag of its version.
fn publish(repository_dir: &Path) {
    std::fs::create_dir(repository_dir).expect("a directory can be made");
    run(Command::new("cp").arg("-R").arg(repository().join("go")).arg(repository_dir));
    let tag = concat!("go/v", env!("CARGO_PKG_VERSION"));
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    for words in
        [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "-m", "Go"], &["tag", tag]]
    {
        let mut git = Command::new("git");
        // The user's configuration may ask for a signature.
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        run(git.args(identity).args(words).current_dir(repository_dir));
    }
}

#[test]
fn the_go_module_has_the_licences() {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let read = |path: &Path| std::fs::read(path).expect("the licence is there");
        assert_eq!(
            read(&repository().join("go").join(name)),
            read(&repository().join(name)),
            "{name}"
        );
    }
}
