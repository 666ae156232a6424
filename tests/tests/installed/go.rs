//! The binding for Go: the module of tests/go, with the shared and the static library.

use crate::calls::{N_MANY, calls, needles, paths, tree};
use crate::prefix::Prefix;
use searchscope_tests::program::{installed, run};
use searchscope_tests::repository;
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// Returns a `go` command that needs no network, no home directory, and finds the library.
pub(crate) fn go(prefix: Prefix, module: &str, words: &[&str]) -> Command {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go");
    let mut command = Command::new("go");
    command
        .args(words)
        .current_dir(repository().join(module))
        .env("GOFLAGS", "-mod=mod")
        .env("GOPROXY", "off")
        .env("GOTOOLCHAIN", "local")
        .env("GOWORK", "off")
        .env("GOCACHE", cache.join(format!("{prefix:?}")))
        .env("GOPATH", cache.join("path"))
        .env("CGO_LDFLAGS", format!("-Wl,-rpath,{}", prefix.path().join("lib").display()))
        .env("PKG_CONFIG_PATH", prefix.path().join("lib/pkgconfig"));
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

#[test]
fn the_binding_keeps_its_contract() {
    if !has_go("the Go tests") {
        return;
    }
    let tree = tree();
    let calls = calls(&tree);
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let file = folder.path().join("expectations.json");
    let replies = folder.path().join("replies.json");
    let words: Vec<[&str; 2]> = calls.iter().map(|call| [call.tool, &call.args]).collect();
    let expectations = json!({
        "root": tree.root(),
        "calls": words,
        "replies": replies,
        "needles": needles(&tree),
        "paths": paths(&tree),
        "nMany": N_MANY,
    });
    std::fs::write(&file, expectations.to_string()).expect("a file can be written");
    for prefix in Prefix::ALL {
        let output = run(go(prefix, "tests/go", &["test", "-count=1", "-v", "./..."])
            .env("SEARCHSCOPE_EXPECTATIONS", &file));
        assert!(output.contains("--- PASS: TestEveryTool"), "the tests ran:\n{output}");
        assert!(!output.contains("--- SKIP"), "{output}");
        let given = std::fs::read_to_string(&replies).expect("the tests write the replies");
        std::fs::remove_file(&replies).expect("it was just read");
        let given: Vec<String> = serde_json::from_str(&given).expect("they are JSON");
        assert_eq!(given.len(), calls.len());
        for (call, reply) in calls.iter().zip(&given) {
            call.check(reply);
        }
    }
}

#[test]
fn the_go_sources_are_formatted_and_vetted() {
    if !has_go("vetting the Go sources") {
        return;
    }
    for module in ["examples/go", "tests/go"] {
        run(&mut go(Prefix::Full, module, &["vet", "./..."]));
        let unformatted =
            run(Command::new("gofmt").args(["-l", "."]).current_dir(repository().join(module)));
        assert_eq!(unformatted, "", "gofmt would change these");
    }
}
