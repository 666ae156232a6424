//! Builds the library and the C programs beside this file, and runs them.

use super::{header, repository};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// What a static library of Rust code needs of the system.
const SYSTEM_LIBRARIES: &[&str] = &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];
const STRICT: &[&str] = &["-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-pthread"];
const SANITIZERS: &[&str] =
    &["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];
/// 9 is an exit code that no program here gives; threads that wait for each other get their turn.
const VALGRIND: &[&str] = &[
    "--error-exitcode=9",
    "--leak-check=full",
    "--errors-for-leak-kinds=definite,indirect",
    "-q",
    "--fair-sched=try",
];

/// The library as programs get it, and as its own tests do: with `test-hooks`.
#[derive(Clone, Copy)]
enum Build {
    Plain,
    Hooks,
}

#[derive(Clone, Copy, Debug)]
enum Link {
    Static,
    Dynamic,
}

/// The folders with libsearchscope.a and .so, built once.
struct Libraries {
    plain: TempDir,
    hooks: TempDir,
}

impl Libraries {
    fn get(build: Build) -> &'static Path {
        static LIBRARIES: OnceLock<Libraries> = OnceLock::new();
        // One target directory holds one of the two, so each is copied; the plain one stays there.
        let libraries = LIBRARIES.get_or_init(|| {
            let hooks = build_library(&["--features", "test-hooks"]);
            Libraries { hooks, plain: build_library(&[]) }
        });
        match build {
            Build::Plain => libraries.plain.path(),
            Build::Hooks => libraries.hooks.path(),
        }
    }
}

fn build_library(features: &[&str]) -> TempDir {
    let output = run(Command::new(env!("CARGO"))
        .args(["build", "-p", "searchscope-ffi", "--message-format=json-render-diagnostics"])
        .args(features)
        .current_dir(repository()));
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    for message in output.lines() {
        let message: serde_json::Value = serde_json::from_str(message).expect("cargo gives JSON");
        let kinds = message["target"]["crate_types"].as_array();
        if !kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "cdylib")) {
            continue;
        }
        for file in message["filenames"].as_array().into_iter().flatten() {
            let file = Path::new(file.as_str().expect("a file name is text"));
            let name = file.file_name().expect("an artifact is a file");
            std::fs::copy(file, folder.path().join(name)).expect("an artifact can be copied");
        }
    }
    for name in ["libsearchscope.a", "libsearchscope.so"] {
        assert!(folder.path().join(name).is_file(), "cargo did not report {name}");
    }
    folder
}

/// Runs to a successful end and gives the standard output; shows everything otherwise.
fn run(command: &mut Command) -> String {
    // Cargo sets this for its tests, and it comes before the rpath of a program.
    let output = command
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out
}

fn installed(program: &str, what: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        searchscope_tests::skip(what, &format!("{program} is not installed"));
    }
    found
}

/// Compiles and links one program.
fn compile(source: &Path, build: Build, link: Link, flags: &[&str], into: &Path) -> PathBuf {
    let library = Libraries::get(build);
    let stem = source.file_stem().and_then(OsStr::to_str).expect("a source has a name");
    let program = into.join(format!("{stem}-{link:?}-{}", flags.len()));
    let mut command = Command::new("cc");
    command.args(STRICT).args(flags).arg("-I").arg(repository().join("include"));
    command.arg(format!("-DEXPECTED_VERSION=\"{}\"", env!("CARGO_PKG_VERSION")));
    command.arg(source).arg("-o").arg(&program);
    match link {
        Link::Static => command.arg(library.join("libsearchscope.a")).args(SYSTEM_LIBRARIES),
        Link::Dynamic => {
            let rpath = format!("-Wl,-rpath,{}", library.display());
            command.arg("-L").arg(library).args(["-lsearchscope", &rpath])
        }
    };
    run(&mut command);
    program
}

/// The tree that the programs search, and beside it room for what is made.
fn tree() -> TempDir {
    let tree = tempfile::tempdir().expect("a temporary directory can be made");
    let root = tree.path().join("root");
    let files = [
        ("a.txt", "one needle\nnothing here\n"),
        ("b/c.txt", "nothing\r\nneedle, again\r\n"),
        ("plain.txt", "hay\n"),
    ];
    std::fs::create_dir_all(root.join("b")).expect("a directory can be made");
    for (path, text) in files {
        std::fs::write(root.join(path), text).expect("a file can be written");
    }
    tree
}

/// Runs one program of this folder in every way.
fn exercise(name: &str, build: Build) {
    let tree = tree();
    let root = tree.path().join("root");
    let source = repository().join("tests/c").join(name);
    for link in [Link::Static, Link::Dynamic] {
        let program = compile(&source, build, link, &[], tree.path());
        run(Command::new(&program).arg(&root));
        if installed("valgrind", name) {
            run(Command::new("valgrind").args(VALGRIND).arg(&program).arg(&root));
        }
    }
    let program = compile(&source, build, Link::Static, SANITIZERS, tree.path());
    run(Command::new(&program).arg(&root));
}

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
        run(Command::new(compiler)
            .args(["-x", language, standard])
            .args(strict)
            .arg(repository().join("include"))
            .arg(&source));
    }
}

#[test]
fn cpp_programs_link() {
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
fn the_shared_library_exports_the_header_and_nothing_else() {
    let library = Libraries::get(Build::Plain).join("libsearchscope.so");
    let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(&library));
    let exported: BTreeSet<&str> =
        symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
    let header = header();
    let declared: BTreeSet<&str> = header
        .lines()
        .filter(|line| !line.starts_with([' ', '/', '#']))
        .filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next())
        .collect();
    assert!(declared.len() > 15, "the declarations were found");
    assert_eq!(exported, declared);
    let dynamic = run(Command::new("readelf").arg("-d").arg(&library));
    assert!(dynamic.contains("[libsearchscope.so]"), "the soname is set:\n{dynamic}");
    assert!(dynamic.contains("NODELETE"), "the library stays mapped:\n{dynamic}");
}

/// Takes the example out of the header's first comment.
fn example() -> String {
    let header = header();
    let (_, example) = header.split_once(" * EXAMPLE\n").expect("the header has an example");
    let (example, _) = example.split_once(" * CONVENTIONS\n").expect("a chapter follows it");
    let lines = example.lines().map(|line| line.strip_prefix(" *").expect("it is in a comment"));
    lines.map(|line| format!("{}\n", line.strip_prefix("     ").unwrap_or(line))).collect()
}

#[test]
fn the_example_of_the_header_runs() {
    let tree = tree();
    let source = tree.path().join("example.c");
    std::fs::write(&source, example()).expect("a file can be written");
    for link in [Link::Static, Link::Dynamic] {
        let program = compile(&source, Build::Plain, link, &["-pedantic"], tree.path());
        let reply = run(Command::new(&program).arg(tree.path().join("root")));
        let reply: serde_json::Value = serde_json::from_str(&reply).expect("a reply is JSON");
        assert_eq!(reply["total_matches"], 2, "{reply}");
        let missing = Command::new(&program)
            .arg(tree.path().join("missing"))
            .env_remove("LD_LIBRARY_PATH")
            .output();
        let missing = missing.expect("the program ran before");
        assert_eq!(missing.status.code(), Some(searchscope::ErrorKind::NotFound.number()));
        assert!(missing.stderr.starts_with(b"not_found: "), "{missing:?}");
    }
}

#[test]
fn every_function_keeps_its_word() {
    exercise("face.c", Build::Plain);
}

#[test]
fn every_handle_that_was_freed_is_gone() {
    let tree = tree();
    let source = repository().join("tests/c/face.c");
    let program = compile(&source, Build::Hooks, Link::Static, &["-DTEST_HOOKS"], tree.path());
    run(Command::new(&program).arg(tree.path().join("root")));
}

#[test]
fn bad_handles_are_found_out() {
    exercise("misuse.c", Build::Plain);
}

#[test]
fn a_panic_becomes_a_status() {
    exercise("panic.c", Build::Hooks);
}

#[test]
fn the_adapter_of_the_corpus_speaks_its_protocol() {
    let tree = tree();
    let source = repository().join("tests/c/call.c");
    let program = compile(&source, Build::Plain, Link::Static, &[], tree.path());
    let calls = tree.path().join("calls");
    let args = "{\"query\":\"needle\",\n\"path\":\"b\"}";
    let text = format!("search_in_files\n{}\n{args}\nno_such_tool\n0\n\n", args.len());
    std::fs::write(&calls, text).expect("a file can be written");
    let calls = std::fs::File::open(calls).expect("the file was just written");
    let answers = run(Command::new(program).arg(tree.path().join("root")).arg("{}").stdin(calls));
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), 4, "{answers}");
    assert_eq!(lines[0], format!("0 {}", lines[1].len()));
    assert!(lines[1].contains("\"line_content\":\"needle, again\""), "{answers}");
    assert_eq!(lines[2], format!("1 {}", lines[3].len()));
    assert!(lines[3].starts_with("{\"code\":\"invalid_param\""), "{answers}");
}
