//! The programs of the README for C, C++ and Go print what they are for.

use crate::go::{go, has_go};
use crate::prefix::Prefix;
use searchscope_tests::program::{installed, run};
use searchscope_tests::repository;
use searchscope_tests::tree::Tree;
use std::process::Command;

const EXPECTED: &str = "a.c:1\nb/c.go:2\n";

fn tree() -> Tree {
    Tree::of(&[("a.c", "/* TODO */\n"), ("b/c.go", "package b\n// TODO\n")])
}

/// The one program of a language in the README, about the tree.
fn program(language: &str, tree: &Tree) -> String {
    let text = std::fs::read_to_string(repository().join("README.md")).expect("the README");
    let from = text.find("\n## From C, C++ and Go\n").expect("the section is there");
    let (_, program) =
        text[from..].split_once(&format!("```{language}\n")).expect("the program is there");
    let (program, _) = program.split_once("```").expect("the program ends");
    let root = tree.root().display().to_string();
    program.replace("/path/to/project", &root)
}

#[test]
fn the_programs_of_c_and_cpp_run() {
    if !installed("pkg-config", "the README's programs in C and C++") {
        return;
    }
    let tree = tree();
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let languages = [("c", "cc", "-std=c11"), ("cpp", "g++", "-std=c++17")];
    for (language, compiler, standard) in languages {
        let source = folder.path().join(format!("readme.{language}"));
        std::fs::write(&source, program(language, &tree)).expect("a file can be written");
        let built = folder.path().join(language);
        run(Command::new(compiler)
            .args([standard, "-Wall", "-Werror", "-o"])
            .arg(&built)
            .arg(&source)
            .args(Prefix::StaticOnly.pkg_config(&["--cflags", "--libs"])));
        assert_eq!(run(&mut Command::new(built)), EXPECTED);
    }
}

#[test]
fn the_program_of_go_runs() {
    if !has_go("the README's program in Go") {
        return;
    }
    let tree = tree();
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let examples = repository().join("examples/go");
    let path = "github.com/searchscope/searchscope/examples/go";
    let module = format!(
        "module readme\n\ngo 1.19\n\nrequire {path} v0.0.0\n\nreplace {path} => {}\n",
        examples.display()
    );
    std::fs::write(folder.path().join("go.mod"), module).expect("a file can be written");
    std::fs::write(folder.path().join("main.go"), program("go", &tree))
        .expect("a file can be written");
    let mut command = go(Prefix::Full, "examples/go", &["run", "."]);
    assert_eq!(run(command.current_dir(folder.path())), EXPECTED);
}

#[test]
fn the_command_of_the_readme_is_the_one_that_is_tested() {
    let text = std::fs::read_to_string(repository().join("README.md")).expect("the README");
    assert!(text.contains("\ncargo run -p searchscope-install -- --prefix ~/.local\n"));
}
