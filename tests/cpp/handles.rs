//! Tests the C++ wrapper with the library that counts its handles. The test `installed` covers its other
//! behaviour.

use super::build::{Build, Libraries, SYSTEM_LIBRARIES};
use super::repository;
use searchscope_tests::program::{installed, run};
use searchscope_tests::tree::Tree;
use std::process::Command;

#[test]
fn the_cpp_wrapper_leaves_no_handle() {
    if !installed("g++", "the C++ wrapper") {
        return;
    }
    let tree = Tree::of(&[
        ("a.txt", "one needle\n"),
        ("b.txt", "another needle\n"),
        ("many.log", &"one of many\n".repeat(5000)),
    ]);
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let program = folder.path().join("face");
    run(Command::new("g++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread", "-DTEST_HOOKS", "-I"])
        .arg(repository().join("include"))
        .arg(repository().join("tests/cpp/face.cpp"))
        .arg("-o")
        .arg(&program)
        .arg(Libraries::get(Build::Hooks).join("libsearchscope.a"))
        .args(SYSTEM_LIBRARIES));
    run(Command::new(program).arg(tree.root()));
}
