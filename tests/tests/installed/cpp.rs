//! The C++ wrapper: the program of tests/cpp, linked both ways, run plain, with the sanitizers, and in the long
//! run under valgrind.

use crate::calls::{Call, calls, needles, paths, tree};
use crate::prefix::Prefix;
use searchscope_tests::program::{MEMCHECK, SANITIZERS, VALGRIND, installed, run};
use searchscope_tests::repository;
use searchscope_tests::tree::Tree;
use std::path::{Path, PathBuf};
use std::process::Command;

const STRICT: &[&str] =
    &["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-pthread"];

/// Compiles as a user would: with the flags of pkg-config.
fn compile(prefix: Prefix, flags: &[&str], into: &Path) -> PathBuf {
    let program = into.join(format!("face-{prefix:?}-{}", flags.len()));
    run(Command::new("g++")
        .args(STRICT)
        .args(flags)
        .arg(repository().join("tests/cpp/face.cpp"))
        .arg("-o")
        .arg(&program)
        .args(prefix.pkg_config(&["--cflags", "--libs"]))
        .arg(format!("-Wl,-rpath,{}", prefix.path().join("lib").display())));
    program
}

/// Runs the program with every call, and compares its output with the engine.
fn check(mut command: Command, tree: &Tree, calls: &[Call]) {
    command.arg(tree.root());
    for call in calls {
        command.args([call.tool, &call.args]);
    }
    let output = run(&mut command);
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines.len() > calls.len(), "{output}");
    let (replies, streams) = lines.split_at(calls.len());
    for (call, reply) in calls.iter().zip(replies) {
        call.check(reply);
    }
    let expected: Vec<String> = needles(tree).into_iter().chain(paths(tree)).collect();
    assert_eq!(streams, expected);
}

fn under_valgrind(program: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(VALGRIND).args(MEMCHECK).arg(program);
    command
}

#[test]
fn long_run_the_wrapper_keeps_its_contract() {
    if !has_tools() {
        return;
    }
    check_programs(|program| Command::new(program));
    let tree = tree();
    let programs = tempfile::tempdir().expect("a temporary directory can be made");
    let program = compile(Prefix::StaticOnly, SANITIZERS, programs.path());
    check(Command::new(program), &tree, &calls(&tree));
}

#[test]
fn long_run_the_wrapper_keeps_its_contract_under_valgrind() {
    if has_tools() && installed("valgrind", "the C++ wrapper under valgrind") {
        check_programs(under_valgrind);
    }
}

fn has_tools() -> bool {
    installed("g++", "the C++ wrapper") && installed("pkg-config", "the C++ wrapper")
}

/// Checks the program linked in each way, run by the command that `run` returns.
fn check_programs(run: impl Fn(&Path) -> Command) {
    let tree = tree();
    let calls = calls(&tree);
    let programs = tempfile::tempdir().expect("a temporary directory can be made");
    for prefix in Prefix::ALL {
        let program = compile(prefix, &[], programs.path());
        check(run(&program), &tree, &calls);
    }
}

#[test]
fn long_run_the_wrapper_is_small_and_compiles_alone() {
    let header = repository().join("include/searchscope.hpp");
    let text = std::fs::read_to_string(&header).expect("the wrapper is there");
    let n_code = text.lines().map(str::trim).filter(|line| {
        !line.is_empty()
            && !line.starts_with("/*")
            && !line.starts_with('*')
            && !line.starts_with("//")
    });
    assert!(n_code.count() < 180, "a wrapper that can be read in a sitting");
    if !installed("g++", "the C++ wrapper") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let source = folder.path().join("alone.cpp");
    let twice = "#include \"searchscope.hpp\"\n".repeat(2);
    std::fs::write(&source, twice + "int main() {}\n").expect("a file can be written");
    for standard in ["-std=c++17", "-std=c++20"] {
        run(Command::new("g++")
            .args(STRICT)
            .args([standard, "-Wshadow", "-fsyntax-only", "-I"])
            .arg(repository().join("include"))
            .arg(&source));
    }
}
