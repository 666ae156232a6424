//! The programs of examples/, built as their comments describe, with the installed library. The Rust
//! example has an equivalent test of its own.

use crate::calls::{N_MANY, tree};
use crate::go::{TAGS, go, has_go};
use crate::prefix::Prefix;
use searchscope_tests::program::{installed, run};
use searchscope_tests::repository;
use searchscope_tests::tree::Tree;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const FOUND: &str = "a.txt:1:one needle\nb/c.txt:2:the needle, again\n";

/// Copies an example to a directory where it may be built.
fn copy(name: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let from = repository().join("examples").join(name);
    for entry in std::fs::read_dir(from).expect("the example is there") {
        let entry = entry.expect("the example can be listed");
        if entry.path().is_file() {
            std::fs::copy(entry.path(), folder.path().join(entry.file_name()))
                .expect("a source can be copied");
        }
    }
    folder
}

/// Checks that an example prints matches and reports the outcome in its exit status.
fn check(program: &Path) {
    let tree = tree();
    let call = |pattern: &str, root: &Path| {
        let mut command = Command::new(program);
        command.arg(pattern).arg(root).env_remove("LD_LIBRARY_PATH");
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, out, err) = call("needle", tree.root());
    assert_eq!((status, &*out), (Some(0), FOUND), "{program:?}: {err}");
    assert!(err.contains("complete"), "the report is printed: {err}");
    assert_eq!(call(r#"no "such" \w"#, tree.root()).0, Some(1), "{program:?}");
    let (status, out, err) = call("(", tree.root());
    assert_eq!((status, &*out), (Some(2), ""), "{program:?}");
    assert!(err.contains("pattern_syntax: "), "{err}");
    let (status, _, err) = call("x", &tree.root().join("missing"));
    assert!(status == Some(2) && err.contains("not_found: "), "{program:?}: {err}");
}

/// Checks that Ctrl-C, while the program waits for its reader, ends the search and not the process.
fn check_interrupt(program: &Path) {
    let tree = Tree::of(&[("many.log", &"one of many\n".repeat(40 * N_MANY))]);
    let mut child = Command::new(program)
        .arg("many")
        .arg(tree.root())
        .env_remove("LD_LIBRARY_PATH")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program ran before");
    let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("matches come");
    assert_eq!(line, "many.log:1:one of many\n");
    run(Command::new("kill").args(["-INT", &child.id().to_string()]));
    // The pipe is full, so the search blocks and the signal arrives in the meantime.
    std::thread::sleep(Duration::from_millis(500));
    let n_lines = 1 + out.lines().map_while(Result::ok).count();
    let mut err = String::new();
    let mut pipe = child.stderr.take().expect("it is piped");
    pipe.read_to_string(&mut err).expect("it is text");
    let status = child.wait().expect("it was started");
    assert_eq!(status.code(), Some(2), "{program:?}: {status} {err}");
    assert!(err.contains("cancelled: "), "{err}");
    assert!(n_lines < 40 * N_MANY, "{n_lines} lines");
}

fn check_all(programs: &[PathBuf]) {
    for program in programs {
        check(program);
    }
    check_interrupt(&programs[0]);
}

/// Builds with CMake; returns the programs with the shared and the static library.
fn cmake(example: &TempDir) -> Vec<PathBuf> {
    let build = example.path().join("build");
    run(Command::new("cmake")
        .arg("-S")
        .arg(example.path())
        .arg("-B")
        .arg(&build)
        .arg(format!("-DCMAKE_PREFIX_PATH={}", Prefix::Full.path().display())));
    run(Command::new("cmake").arg("--build").arg(&build));
    vec![build.join("search"), build.join("search-static")]
}

/// Reports whether a program was linked with the shared library.
fn is_shared(program: &Path) -> bool {
    run(Command::new("readelf").arg("-d").arg(program)).contains("libsearchscope.so.")
}

#[test]
fn long_run_c_with_make() {
    if !installed("make", "examples/c") || !installed("pkg-config", "examples/c") {
        return;
    }
    let example = copy("c");
    run(Command::new("make")
        .args(["all", "static", "CFLAGS=-Werror -pedantic"])
        .current_dir(example.path())
        .env("PKG_CONFIG_PATH", Prefix::Full.path().join("lib/pkgconfig")));
    let programs = ["search", "search-static"].map(|name| example.path().join(name));
    assert!(is_shared(&programs[0]) && !is_shared(&programs[1]));
    check_all(&programs);
}

#[test]
fn long_run_c_with_cmake() {
    if installed("cmake", "examples/c with CMake") {
        let example = copy("c");
        let programs = cmake(&example);
        assert!(is_shared(&programs[0]) && !is_shared(&programs[1]));
        check_all(&programs);
    }
}

#[test]
fn long_run_cmake_accepts_a_compatible_version() {
    if !installed("cmake", "the versions of the CMake package") {
        return;
    }
    let (major, rest) = env!("CARGO_PKG_VERSION").split_once('.').expect("it has three parts");
    let (minor, _) = rest.split_once('.').expect("it has three parts");
    let next = minor.parse::<u32>().expect("a number") + 1;
    let exact = concat!(env!("CARGO_PKG_VERSION"), " EXACT");
    let versions = [
        (format!("{major}.{minor}"), true),
        (exact.to_owned(), true),
        (format!("{major}.{minor}.9999"), false),
        (format!("{major}.{next}"), false),
        ("99".to_owned(), false),
    ];
    for (version, fits) in versions {
        let folder = tempfile::tempdir().expect("a temporary directory can be made");
        let text = format!(
            "cmake_minimum_required(VERSION 3.13)\nproject(x LANGUAGES C)\n\
             find_package(searchscope {version})\n\
             message(STATUS \"found=${{searchscope_FOUND}} ${{searchscope_VERSION}}\")\n"
        );
        std::fs::write(folder.path().join("CMakeLists.txt"), text).expect("a file can be written");
        let output = run(Command::new("cmake")
            .args(["-B", "build"])
            .arg(format!("-DCMAKE_PREFIX_PATH={}", Prefix::StaticOnly.path().display()))
            .current_dir(folder.path()));
        let found = format!("found=1 {}", env!("CARGO_PKG_VERSION"));
        assert_eq!(output.contains(&found), fits, "{version}:\n{output}");
    }
}

#[test]
fn long_run_cpp_with_cmake() {
    if installed("cmake", "examples/cpp with CMake") {
        let example = copy("cpp");
        let programs = cmake(&example);
        assert!(is_shared(&programs[0]) && !is_shared(&programs[1]));
        check_all(&programs);
    }
}

#[test]
fn long_run_cpp_with_a_compiler() {
    if !installed("g++", "examples/cpp") || !installed("pkg-config", "examples/cpp") {
        return;
    }
    let example = copy("cpp");
    let program = example.path().join("search");
    run(Command::new("g++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread"])
        .arg(example.path().join("search.cpp"))
        .arg("-o")
        .arg(&program)
        .args(Prefix::StaticOnly.pkg_config(&["--cflags", "--libs"])));
    check(&program);
}

#[test]
fn long_run_go_with_cgo() {
    if !has_go("examples/go") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let module = repository().join("examples/go");
    let programs = TAGS.map(|tag| {
        let program = folder.path().join(format!("search-{tag}"));
        run(go(&module, &["build", "-tags", tag, "-o"]).arg(&program).arg("."));
        program
    });
    assert!(is_shared(&programs[0]) && !is_shared(&programs[1]));
    check_all(&programs);
}
