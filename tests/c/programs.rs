//! Runs the C programs of this folder.

use super::build::{Build, Link, compile};
use super::fixtures::{self, Tree};
use super::repository;
use searchscope_tests::program::{MEMCHECK, SANITIZERS, VALGRIND, installed, run};
use searchscope_tests::samples::{Words, samples};
use std::path::PathBuf;
use std::process::Command;

fn source(name: &str) -> PathBuf {
    repository().join("tests/c").join(name)
}

/// A program of this folder that is linked and run in every way.
struct Program {
    name: &'static str,
    build: Build,
    tree: fn() -> Tree,
    /// Whether the sample calls of all tools follow the root as arguments.
    has_calls: bool,
}

impl Program {
    const fn new(name: &'static str, build: Build, tree: fn() -> Tree) -> Program {
        Program { name, build, tree, has_calls: false }
    }

    fn compile(&self, link: Link, flags: &[&str], tree: &Tree) -> PathBuf {
        compile(&source(self.name), self.build, link, flags, tree.beside())
    }

    fn run(&self, mut command: Command, tree: &Tree) {
        let calls = if self.has_calls { sample_calls() } else { Vec::new() };
        run(command.arg(tree.root()).args(calls));
    }

    /// Runs the program linked statically; and dynamically, with the sanitizers of the C compiler.
    fn exercise(&self) {
        let tree = (self.tree)();
        self.run(Command::new(self.compile(Link::Static, &[], &tree)), &tree);
        self.run(Command::new(self.compile(Link::Dynamic, SANITIZERS, &tree)), &tree);
    }

    /// Runs the program, linked dynamically, under valgrind.
    fn check_memory(&self) {
        let tree = (self.tree)();
        let mut valgrind = Command::new("valgrind");
        valgrind.args(VALGRIND).args(MEMCHECK).arg(self.compile(Link::Dynamic, &[], &tree));
        self.run(valgrind, &tree);
    }
}

const PROGRAMS: [Program; 10] = [
    Program::new("face.c", Build::Plain, fixtures::small),
    Program::new("misuse.c", Build::Plain, fixtures::small),
    Program::new("index.c", Build::Plain, fixtures::small),
    Program::new("panic.c", Build::Hooks, fixtures::small),
    Program::new("stream.c", Build::Plain, fixtures::rich),
    Program::new("callbacks.c", Build::Hooks, fixtures::rich),
    Program { has_calls: true, ..Program::new("tools.c", Build::Plain, fixtures::rich) },
    Program { has_calls: true, ..Program::new("small_stack.c", Build::Plain, fixtures::rich) },
    Program::new("errors.c", Build::Hooks, fixtures::rich),
    Program::new("plan.c", Build::Hooks, fixtures::small),
];

/// Exercises the program with this name.
fn exercise(name: &str) {
    let program = PROGRAMS.iter().find(|program| program.name == name);
    program.expect("it is in the table").exercise();
}

#[test]
fn long_run_no_program_leaks_or_errs_under_valgrind() {
    if !installed("valgrind", "the C programs") {
        return;
    }
    for program in &PROGRAMS {
        searchscope_tests::say(program.name);
        program.check_memory();
    }
}

#[test]
fn every_function_keeps_its_contract() {
    exercise("face.c");
}

#[test]
fn the_smallest_host_leaks_nothing_under_valgrind() {
    let tree = fixtures::rich();
    let (source, build) = (source("smallest.c"), Build::Plain);
    let program = compile(&source, build, Link::Dynamic, &[], tree.beside());
    let printed = run(Command::new(&program).arg(tree.root()));
    assert!(printed.contains("\"matches\":[{"), "{printed}");
    if !installed("valgrind", "smallest.c") {
        return;
    }
    let suppressions = repository().join("tests/c/valgrind.supp");
    let mut command = Command::new("valgrind");
    command
        .args(VALGRIND)
        .arg("--leak-check=full")
        .arg("--show-leak-kinds=definite,indirect,possible");
    command.arg("--errors-for-leak-kinds=definite,indirect,possible");
    command.arg(format!("--suppressions={}", suppressions.display()));
    run(command.arg(program).arg(tree.root()));
}

#[test]
fn freed_handles_are_invalid() {
    let tree = fixtures::small();
    let flags = &["-DTEST_HOOKS"];
    let program = compile(&source("face.c"), Build::Hooks, Link::Static, flags, tree.beside());
    run(Command::new(&program).arg(tree.root()));
}

#[test]
fn bad_handles_are_refused() {
    exercise("misuse.c");
}

#[test]
fn the_index_is_built_on_request_and_changes_no_reply() {
    exercise("index.c");
}

#[test]
fn a_panic_becomes_a_status() {
    exercise("panic.c");
}

#[test]
fn streams_have_the_results_of_replies() {
    exercise("stream.c");
}

#[test]
fn callbacks_stop_cancel_and_call() {
    exercise("callbacks.c");
}

/// Returns the sample call of each tool as arguments of a program: its name, then its arguments.
fn sample_calls() -> Vec<String> {
    let words = Words { text: "needle", document: "docs/guide.md", symbol: "Thing" };
    let calls = samples(&words).into_iter();
    calls.flat_map(|(tool, args)| [tool.to_owned(), args.to_string()]).collect()
}

#[test]
fn every_tool_answers() {
    exercise("tools.c");
}

#[test]
fn a_small_stack_is_enough_for_every_tool_and_stream() {
    exercise("small_stack.c");
}

#[test]
fn every_status_occurs_and_every_function_validates_its_arguments() {
    exercise("errors.c");
}

#[test]
fn any_sequence_of_calls_matches_the_model() {
    exercise("plan.c");
}

#[test]
fn long_run_any_sequence_of_calls_matches_the_model() {
    let tree = fixtures::small();
    let program = compile(&source("plan.c"), Build::Hooks, Link::Dynamic, &[], tree.beside());
    for seed in ["1", "2", "3"] {
        run(Command::new(&program).arg(tree.root()).args([seed, "20000"]));
    }
}

#[test]
fn threads_share_a_workspace_without_races() {
    let tree = fixtures::rich();
    let program = compile(&source("hammer.c"), Build::Hooks, Link::Dynamic, &[], tree.beside());
    run(Command::new(&program).arg(tree.root()).arg("2"));
}

#[test]
fn long_run_threads_share_a_workspace_without_races() {
    let tree = fixtures::rich();
    let program = compile(&source("hammer.c"), Build::Hooks, Link::Dynamic, &[], tree.beside());
    if installed("valgrind", "hammer.c under helgrind") {
        let suppressions = format!("--suppressions={}", source("helgrind.supp").display());
        let mut helgrind = Command::new("valgrind");
        helgrind.args(VALGRIND).args(["--tool=helgrind", &suppressions]);
        run(helgrind.arg(&program).arg(tree.root()).arg("3"));
    }
}

#[test]
fn a_forked_child_continues_and_no_signal_handler_changes() {
    let tree = fixtures::rich();
    // Not under valgrind, which reports the threads that a child lacks as its leak.
    for (link, flags) in [(Link::Static, &[][..]), (Link::Dynamic, SANITIZERS)] {
        let program = compile(&source("fork.c"), Build::Plain, link, flags, tree.beside());
        run(Command::new(program).arg(tree.root()));
    }
}

#[test]
fn a_stream_of_100_000_matches_takes_little_memory() {
    let tree = fixtures::large(100_000);
    let program = compile(&source("large.c"), Build::Plain, Link::Dynamic, &[], tree.beside());
    let figures = run(Command::new(&program).arg(tree.root()));
    searchscope_tests::say(&format!("a stream of 100,000 matches: {}", figures.replace('\n', " ")));
    let figure = |name: &str| {
        let line = figures.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.and_then(|number| number.parse::<f64>().ok()).expect("the program prints it")
    };
    assert_eq!(figure("n"), 100_000.0);
    assert!(figure("peak_kb") < 32.0 * 1024.0, "{figures}");
}

#[test]
fn the_adapter_of_the_corpus_speaks_its_protocol() {
    let tree = fixtures::small();
    let program = compile(&source("call.c"), Build::Plain, Link::Static, &[], tree.beside());
    let calls = tree.beside().join("calls");
    let args = "{\"query\":\"needle\",\n\"path\":\"b\"}";
    let text = format!("search_in_files\n{}\n{args}\nno_such_tool\n0\n\n", args.len());
    std::fs::write(&calls, text).expect("a file can be written");
    let calls = std::fs::File::open(calls).expect("the file was just written");
    let answers = run(Command::new(program).arg(tree.root()).arg("{}").stdin(calls));
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), 4, "{answers}");
    assert_eq!(lines[0], format!("0 {}", lines[1].len()));
    assert!(lines[1].contains("\"line_content\":\"needle, again\""), "{answers}");
    assert_eq!(lines[2], format!("1 {}", lines[3].len()));
    assert!(lines[3].starts_with("{\"code\":\"invalid_param\""), "{answers}");
}
