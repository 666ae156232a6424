//! The programs of README.md and docs in C, C++ and Go print the matches of a tree.

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

/// Checks that a program prints the matches, and that the one with a wrong root reports the reason and fails.
fn check(program: &mut Command, with_wrong_root: &mut Command) {
    assert_eq!(run(program), EXPECTED);
    let failed = with_wrong_root.output().expect("the program starts");
    let reason = String::from_utf8_lossy(&failed.stderr);
    assert!(
        !failed.status.success() && failed.stdout.is_empty(),
        "{with_wrong_root:?}: {failed:?}"
    );
    assert!(reason.contains("not_found: "), "{with_wrong_root:?}: {reason}");
}

/// The documents with programs, each with the languages of its programs.
const DOCUMENTS: &[(&str, &[&str])] =
    &[("README.md", &["c"]), ("docs/c-and-cpp.md", &["c", "cpp"]), ("docs/go.md", &["go"])];

/// Returns the programs of a language in all documents, each changed to search the tree, and to search a
/// root that does not exist. Each expected one must exist.
fn programs(language: &str, tree: &Tree) -> Vec<[String; 2]> {
    let roots =
        [tree.root().to_owned(), tree.root().join("gone")].map(|root| root.display().to_string());
    let mut programs = Vec::new();
    for (document, languages) in DOCUMENTS {
        let text = std::fs::read_to_string(repository().join(document)).expect("the document");
        let blocks: Vec<&str> = text.split(&format!("\n```{language}\n")).skip(1).collect();
        assert_eq!(blocks.is_empty(), !languages.contains(&language), "{language} in {document}");
        for block in blocks {
            let (program, _) = block.split_once("```").expect("the program ends");
            programs.push(roots.each_ref().map(|root| program.replace("/path/to/project", root)));
        }
    }
    programs
}

#[test]
fn long_run_the_programs_of_c_and_cpp_run() {
    if !installed("pkg-config", "the programs in C and C++ of the documents") {
        return;
    }
    let tree = tree();
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let languages = [("c", "cc", "-std=c11"), ("cpp", "g++", "-std=c++17")];
    for (language, compiler, standard) in languages {
        if compiler == "g++" && !installed("g++", "the programs in C++ of the documents") {
            continue;
        }
        let build = |program: &str, name: &str| {
            let source = folder.path().join(format!("{name}.{language}"));
            std::fs::write(&source, program).expect("a file can be written");
            let built = folder.path().join(name);
            run(Command::new(compiler)
                .args([standard, "-Wall", "-Werror", "-o"])
                .arg(&built)
                .arg(&source)
                .args(Prefix::StaticOnly.pkg_config(&["--cflags", "--libs"])));
            Command::new(built)
        };
        for [program, with_wrong_root] in programs(language, &tree) {
            check(&mut build(&program, "right"), &mut build(&with_wrong_root, "wrong"));
        }
    }
}

#[test]
fn long_run_the_program_of_go_runs() {
    if !has_go("the program in Go of the documents") {
        return;
    }
    let tree = tree();
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let path = "github.com/searchscope/searchscope/go";
    let module = format!(
        "module readme\n\ngo 1.19\n\nrequire {path} v{}\n\nreplace {path} => {}\n",
        env!("CARGO_PKG_VERSION"),
        repository().join("go").display()
    );
    std::fs::write(folder.path().join("go.mod"), module).expect("a file can be written");
    let build = |program: &str, name: &str| {
        std::fs::write(folder.path().join("main.go"), program).expect("a file can be written");
        run(&mut go(folder.path(), &["build", "-o", name, "."]));
        Command::new(folder.path().join(name))
    };
    for [program, with_wrong_root] in programs("go", &tree) {
        check(&mut build(&program, "right"), &mut build(&with_wrong_root, "wrong"));
    }
}

#[test]
fn the_command_of_the_readme_is_the_one_that_is_tested() {
    for document in ["README.md", "docs/c-and-cpp.md"] {
        let text = std::fs::read_to_string(repository().join(document)).expect("the document");
        assert!(
            text.contains("\ncargo run -p searchscope-install -- --prefix ~/.local"),
            "{document}"
        );
    }
}
