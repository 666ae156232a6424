//! Checks the header with compilers and linkers, and the examples in it.

use super::build::{Build, Libraries, Link, SYSTEM_LIBRARIES, compile, soname};
use super::{fixtures, header, read, repository};
use searchscope::ErrorKind;
use searchscope_tests::program::{installed, run};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn the_header_compiles_alone_in_every_language_it_promises() {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let source = folder.path().join("alone.c");
    let twice = "#include \"searchscope.h\"\n".repeat(2);
    std::fs::write(&source, twice + "int main(void) { return 0; }\n")
        .expect("a file can be written");
    header();
    let strict = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"];
    let languages =
        [("cc", "-std=c89", "c"), ("cc", "-std=c11", "c"), ("g++", "-std=c++11", "c++")];
    for (compiler, standard, language) in languages {
        if compiler == "g++" && !installed("g++", "the header in C++") {
            continue;
        }
        run(Command::new(compiler)
            .args(["-x", language, standard])
            .args(strict)
            .arg(repository().join("include"))
            .arg(&source));
    }
}

#[test]
fn cpp_programs_link() {
    if !installed("g++", "programs in C++ that link the library") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let source = folder.path().join("link.cpp");
    let text = "#include \"searchscope.h\"\n\
                int main() { return searchscope_abi_version() == SEARCHSCOPE_ABI_VERSION ? 0 : 1; }\n";
    std::fs::write(&source, text).expect("a file can be written");
    let program = folder.path().join("link");
    run(Command::new("g++")
        .args(["-std=c++11", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(repository().join("include"))
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .arg(Libraries::get(Build::Plain).join("libsearchscope.a"))
        .args(SYSTEM_LIBRARIES));
    run(&mut Command::new(program));
}

#[test]
fn the_shared_library_exports_the_committed_list_and_nothing_else() {
    let library = Libraries::get(Build::Plain).join("libsearchscope.so");
    let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(&library));
    let exported: BTreeSet<&str> =
        symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
    let header = header();
    let declared: BTreeSet<&str> = header
        .lines()
        .filter(|line| !line.starts_with([' ', '/', '#']) && !line.starts_with("typedef "))
        .filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next())
        .collect();
    let committed = read("include/symbols.txt");
    let committed: Vec<&str> = committed.lines().collect();
    assert!(committed.is_sorted() && committed.len() > 15, "the list is sorted and not empty");
    let committed: BTreeSet<&str> = committed.into_iter().collect();
    assert_eq!(exported, committed, "the library's symbols are not those of include/symbols.txt");
    assert_eq!(declared, committed, "the header's functions are not those of include/symbols.txt");
    let dynamic = run(Command::new("readelf").arg("-d").arg(&library));
    assert!(dynamic.contains(&format!("[{}]", soname())), "the soname is set:\n{dynamic}");
    assert!(dynamic.contains("NODELETE"), "the library stays mapped:\n{dynamic}");
}

/// Extracts an example from the header's first comment: the indented lines of its chapter.
fn example(chapter: &str) -> String {
    let (_, text) =
        header().split_once(&format!("\n * {chapter}\n")).expect("the chapter is there");
    let indented = |line: &&str| line.starts_with(" *     ");
    let mut lines = text.lines().skip_while(|line| !indented(line)).peekable();
    let mut example = String::new();
    while let Some(line) = lines.next_if(|line| indented(line) || *line == " *") {
        example += line.strip_prefix(" *     ").unwrap_or("");
        example.push('\n');
    }
    assert!(example.contains("int main("), "the chapter has a program: {example}");
    example
}

fn compile_example(chapter: &str, link: Link, into: &Path) -> PathBuf {
    let source = into.join("example.c");
    std::fs::write(&source, example(chapter)).expect("a file can be written");
    compile(&source, Build::Plain, link, &["-pedantic"], into)
}

/// Returns the command of a program with the arguments of an example.
fn example_command(program: &Path, args: &[&OsStr]) -> Command {
    let mut command = Command::new(program);
    command.args(args).env_remove("LD_LIBRARY_PATH");
    command
}

/// Checks that an example reports the reason for a wrong root, and returns its status.
fn check_missing_root(program: &Path, folder: &Path) {
    let missing = folder.join("missing");
    let missing = example_command(program, &[missing.as_ref()]).output();
    let missing = missing.expect("the program ran before");
    assert_eq!(missing.status.code(), Some(ErrorKind::NotFound.number()));
    assert!(missing.stderr.starts_with(b"not_found: "), "{missing:?}");
}

#[test]
fn the_example_of_the_header_runs() {
    let tree = fixtures::small();
    for link in [Link::Static, Link::Dynamic] {
        let program = compile_example("EXAMPLE", link, tree.beside());
        let reply = run(Command::new(&program).arg(tree.root()));
        let reply: serde_json::Value = serde_json::from_str(&reply).expect("a reply is JSON");
        assert_eq!(reply["total_matches"], 2, "{reply}");
        check_missing_root(&program, tree.beside());
    }
}

#[test]
fn the_streaming_example_of_the_header_runs_stops_and_is_cancelled() {
    let (small, large) = (fixtures::small(), fixtures::large(2000));
    for link in [Link::Static, Link::Dynamic] {
        let program = compile_example("EXAMPLE OF A STREAM", link, small.beside());
        let all = run(Command::new(&program).arg(small.root()).arg("60"));
        assert_eq!(all, "a.txt:1:one needle\nb/c.txt:2:needle, again\n");
        check_missing_root(&program, small.beside());
        let first = run(Command::new(&program).arg(large.root()).arg("60"));
        assert_eq!(first.lines().count(), 1000);

        // A full pipe without a reader blocks the program inside a callback until the time is over.
        let child = example_command(&program, &[large.root().as_ref(), OsStr::new("1")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program ran before");
        std::thread::sleep(Duration::from_secs(3));
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(ErrorKind::Cancelled.number()), "{output:?}");
        assert!(output.stderr.starts_with(b"cancelled: "), "{output:?}");
        let n_lines = output.stdout.split(|&byte| byte == b'\n').count();
        assert!((100..1000).contains(&n_lines), "{n_lines} lines");
    }
}
