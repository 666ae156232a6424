//! The tarball of the C library, built in release as it is published, and unpacked in an empty directory.

use crate::calls::tree;
use searchscope_tests::program::{installed, run};
use searchscope_tests::repository;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes the tarball in `out`. Returns its path and the system libraries that the command prints.
fn make(out: &Path) -> (PathBuf, Vec<String>) {
    let script = repository().join("scripts/c-package.mjs");
    let output = run(Command::new("node").arg(script).arg(out).env_remove("DESTDIR"));
    let (file, libraries) = output.trim().split_once('\n').expect("two lines are printed");
    (file.into(), libraries.split_whitespace().map(str::to_owned).collect())
}

/// Unpacks the tarball, and returns its only directory.
fn unpack(file: &Path, folder: &Path) -> PathBuf {
    run(Command::new("tar").arg("-xzf").arg(file).arg("-C").arg(folder));
    let mut entries = std::fs::read_dir(folder).expect("the directory is there");
    let top = entries.next().expect("it is not empty").expect("it can be listed").path();
    assert!(entries.next().is_none(), "the tarball has one directory");
    top
}

/// Returns the flags of a package, with nothing but the tarball to search.
fn pkg_config(top: &Path, words: &[&str]) -> Vec<String> {
    let output = run(Command::new("pkg-config")
        .args(words)
        .env_remove("PKG_CONFIG_PATH")
        .env("PKG_CONFIG_LIBDIR", top.join("lib/pkgconfig")));
    output.split_whitespace().map(str::to_owned).collect()
}

/// Compiles and links examples/c with these flags.
fn link(top: &Path, program: &str, flags: &[String]) -> std::process::Output {
    let mut command = Command::new("cc");
    command
        .args(["-std=c11", "-Wall", "-Werror", "-pthread", "-o"])
        .arg(top.join(program))
        .arg(repository().join("examples/c/search.c"))
        .args(flags);
    command.output().expect("a C compiler is installed")
}

fn linked(top: &Path, program: &str, flags: &[String]) -> PathBuf {
    let output = link(top, program, flags);
    assert!(output.status.success(), "{flags:?}:\n{}", String::from_utf8_lossy(&output.stderr));
    top.join(program)
}

fn check(program: &Path, library_path: Option<&Path>) {
    let tree = tree();
    let mut command = Command::new(program);
    command.arg("needle").arg(tree.root()).env_remove("LD_LIBRARY_PATH");
    if let Some(path) = library_path {
        command.env("LD_LIBRARY_PATH", path);
    }
    let output = command.output().expect("the program was linked");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(out, "a.txt:1:one needle\nb/c.txt:2:the needle, again\n", "{program:?}: {output:?}");
}

#[test]
fn long_run_the_tarball_links_both_ways() {
    let what = "the tarball of the C library";
    if !installed("node", what) || !installed("pkg-config", what) {
        return;
    }
    let folder = |name: &str| tempfile::Builder::new().prefix(name).tempdir().expect("a directory");
    let (out, again, unpacked) = (folder("out"), folder("again"), folder("unpacked"));
    let (file, libraries) = make(out.path());
    let bytes = |file: &Path| std::fs::read(file).expect("the tarball is there");
    assert!(bytes(&file) == bytes(&make(again.path()).0), "two tarballs of one build are equal");

    let top = unpack(&file, unpacked.path());
    let name = file.file_name().expect("it is a file").to_string_lossy().into_owned();
    assert_eq!(name, format!("{}.tar.gz", top.file_name().expect("a name").to_string_lossy()));
    for path in ["README.md", "share/licenses/searchscope/THIRD_PARTY_NOTICES"] {
        assert!(top.join(path).is_file(), "{path}");
    }

    let shared = pkg_config(&top, &["--cflags", "--libs", "searchscope"]);
    check(&linked(&top, "shared", &shared), Some(&top.join("lib")));
    let statically = pkg_config(&top, &["--cflags", "--libs", "searchscope-static"]);
    check(&linked(&top, "static", &statically), None);
    let listed: BTreeSet<&String> = libraries.iter().collect();
    let private = pkg_config(&top, &["--static", "--libs", "searchscope"]);
    assert!(listed.is_subset(&private.iter().collect()), "{libraries:?} {private:?}");
    check_system_libraries(&top, &libraries);
}

/// Links without the libraries that a compiler adds on its own: with the whole list it works, and without
/// any one of those that glibc has not merged into its own it does not.
fn check_system_libraries(top: &Path, libraries: &[String]) {
    let mut flags = pkg_config(top, &["--cflags", "searchscope"]);
    flags.push("-nodefaultlibs".to_owned());
    flags.push(top.join("lib/libsearchscope.a").display().to_string());
    let with = |libraries: &[String]| [&flags, libraries].concat();
    check(&linked(top, "listed", &with(libraries)), None);
    for needed in ["-lc", "-lgcc_s", "-lm"] {
        let others: Vec<String> =
            libraries.iter().filter(|library| *library != needed).cloned().collect();
        assert_ne!(others.len(), libraries.len(), "{needed} is listed in {libraries:?}");
        let output = link(top, "lacking", &with(&others));
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && err.contains("undefined reference"), "{needed}: {err}");
    }
}
