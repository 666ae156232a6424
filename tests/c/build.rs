//! Builds the library and the C programs of this folder.

use super::{header, repository};
use searchscope_tests::program::run;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// System libraries that a static library of Rust code needs.
pub(super) const SYSTEM_LIBRARIES: &[&str] =
    &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];
pub(super) const STRICT: &[&str] = &["-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-pthread"];

/// The library as programs get it, or as its own tests do: with `test-hooks`.
#[derive(Clone, Copy)]
pub(super) enum Build {
    Plain,
    Hooks,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Link {
    Static,
    Dynamic,
}

/// The folders with libsearchscope.a and .so, built once. The next run replaces them.
pub(super) struct Libraries {
    plain: PathBuf,
    hooks: PathBuf,
}

impl Libraries {
    pub(super) fn get(build: Build) -> &'static Path {
        static LIBRARIES: OnceLock<Libraries> = OnceLock::new();
        // One target directory has room for one of the two, so each is copied; the plain one stays there.
        let libraries = LIBRARIES.get_or_init(|| {
            let hooks = build_library("c-hooks", &["--features", "searchscope-ffi/test-hooks"]);
            Libraries { hooks, plain: build_library("c-plain", &[]) }
        });
        match build {
            Build::Plain => &libraries.plain,
            Build::Hooks => &libraries.hooks,
        }
    }
}

fn build_library(name: &str, features: &[&str]) -> PathBuf {
    // Together with this crate, so that the library contains the engine that these tests are linked with.
    let output = run(Command::new(env!("CARGO"))
        .args(["build", "-p", "searchscope-ffi", "-p", "searchscope-tests", "--lib"])
        .arg("--message-format=json-render-diagnostics")
        .args(features)
        .current_dir(repository()));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).expect("a directory can be made");
    for message in output.lines() {
        let message: serde_json::Value = serde_json::from_str(message).expect("cargo prints JSON");
        let kinds = message["target"]["crate_types"].as_array();
        if !kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "cdylib")) {
            continue;
        }
        for file in message["filenames"].as_array().into_iter().flatten() {
            let file = Path::new(file.as_str().expect("a file name is text"));
            let name = file.file_name().expect("an artifact is a file");
            std::fs::copy(file, folder.join(name)).expect("an artifact can be copied");
        }
    }
    for name in ["libsearchscope.a", "libsearchscope.so"] {
        assert!(folder.join(name).is_file(), "cargo did not report {name}");
    }
    // Without debug information, which the linker and valgrind would read each time; symbols stay. A system without
    // `strip` only takes longer.
    let files = ["libsearchscope.so", "libsearchscope.a"].map(|name| folder.join(name));
    let _ = Command::new("strip").arg("-g").args(files).status();
    // Programs look the library up by this name.
    std::os::unix::fs::symlink("libsearchscope.so", folder.join(soname()))
        .expect("a link can be made");
    folder
}

/// Returns the soname of the shared library: its name with the major version of the ABI.
pub(super) fn soname() -> String {
    let define = "#define SEARCHSCOPE_ABI_MAJOR ";
    let major = header().lines().find_map(|line| line.strip_prefix(define));
    format!("libsearchscope.so.{}", major.expect("the header has the major version"))
}

/// Compiles and links one program.
pub(super) fn compile(
    source: &Path,
    build: Build,
    link: Link,
    flags: &[&str],
    into: &Path,
) -> PathBuf {
    let library = Libraries::get(build);
    let stem = source.file_stem().and_then(OsStr::to_str).expect("a source has a name");
    let program = into.join(format!("{stem}-{link:?}-{}", flags.len()));
    let mut command = Command::new("cc");
    command.args(fast_linker()).args(STRICT).args(flags);
    command.arg("-I").arg(repository().join("include"));
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

/// Returns the arguments of a C compiler for the linker that comes with Rust, if it does: the library has 100 MB, and
/// the usual linker takes five times as long. The packages of the installed library are linked with the usual one.
fn fast_linker() -> &'static [String] {
    static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();
    ARGUMENTS.get_or_init(|| {
        let libraries = run(Command::new("rustc").args(["--print", "target-libdir"]));
        let linkers = Path::new(libraries.trim()).with_file_name("bin").join("gcc-ld");
        match linkers.join("ld.lld").is_file() {
            true => vec![format!("-B{}", linkers.display()), "-fuse-ld=lld".to_owned()],
            false => Vec::new(),
        }
    })
}
