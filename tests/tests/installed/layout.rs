//! Checks the files that the installer writes, and its error messages.

use crate::prefix::{Prefix, installer};
use searchscope_tests::program::{installed, run};
use searchscope_tests::repository;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Returns every file below a directory, with its mode, or the target of a link.
fn listing(directory: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).expect("the directory is there") {
            let path = entry.expect("the directory can be listed").path();
            let metadata = path.symlink_metadata().expect("the entry is there");
            let name = path.strip_prefix(directory).expect("it is below").display().to_string();
            if metadata.is_dir() {
                waiting.push(path);
            } else if metadata.is_symlink() {
                let to = std::fs::read_link(&path).expect("it is a link");
                files.insert(name, format!("-> {}", to.display()));
            } else {
                files.insert(name, format!("{:o}", metadata.permissions().mode() & 0o777));
            }
        }
    }
    files
}

fn abi() -> (String, String) {
    let header = std::fs::read_to_string(repository().join("include/searchscope.h"));
    let header = header.expect("the header is there");
    let number = |name: &str| {
        let define = format!("#define SEARCHSCOPE_ABI_{name} ");
        let number = header.lines().find_map(|line| line.strip_prefix(&define));
        number.expect("the header has the number").to_owned()
    };
    (number("MAJOR"), number("MINOR"))
}

/// Returns the layout below a prefix, with the names that `cargo cinstall` uses.
fn expected(libdir: &str, has_shared: bool) -> BTreeMap<String, String> {
    let (major, minor) = abi();
    let file = format!("libsearchscope.so.{major}.{minor}.0");
    let plain = "644".to_owned();
    let mut files = BTreeMap::from([
        ("include/searchscope.h".to_owned(), plain.clone()),
        ("include/searchscope.hpp".to_owned(), plain.clone()),
        ("share/licenses/searchscope/LICENSE-APACHE".to_owned(), plain.clone()),
        ("share/licenses/searchscope/LICENSE-MIT".to_owned(), plain.clone()),
        ("share/licenses/searchscope/THIRD_PARTY_NOTICES".to_owned(), plain.clone()),
        (format!("{libdir}/libsearchscope.a"), plain.clone()),
        (format!("{libdir}/pkgconfig/searchscope.pc"), plain.clone()),
        (format!("{libdir}/pkgconfig/searchscope-static.pc"), plain.clone()),
        (format!("{libdir}/cmake/searchscope/searchscope-config.cmake"), plain.clone()),
        (format!("{libdir}/cmake/searchscope/searchscope-config-version.cmake"), plain),
    ]);
    if has_shared {
        files.insert(format!("{libdir}/libsearchscope.so"), format!("-> {file}"));
        files.insert(format!("{libdir}/libsearchscope.so.{major}"), format!("-> {file}"));
        files.insert(format!("{libdir}/{file}"), "755".into());
    }
    files
}

#[test]
fn long_run_the_layout_is_what_build_systems_expect() {
    assert_eq!(listing(Prefix::Full.path()), expected("lib", true));
    assert_eq!(listing(Prefix::StaticOnly.path()), expected("lib", false));
    for name in ["searchscope.h", "searchscope.hpp"] {
        let read = |path: &Path| std::fs::read(path).expect("the header is there");
        let committed = read(&repository().join("include").join(name));
        assert_eq!(read(&Prefix::Full.path().join("include").join(name)), committed);
    }
}

#[test]
fn long_run_an_installation_is_replaced_and_staged_whole() {
    let stage = tempfile::tempdir().expect("a temporary directory can be made");
    let words = ["--prefix=/opt/x", "--libdir", "lib/multi", "--library-type=staticlib"];
    let prefix = stage.path().join("opt/x");
    let header = prefix.join("include/searchscope.h");
    std::fs::create_dir_all(prefix.join("include")).expect("a directory can be made");
    std::fs::write(&header, "old").expect("a file can be written");
    let old = std::fs::File::open(&header).expect("the file was just written");
    let written = run(installer(&words).env("DESTDIR", stage.path()));
    let listed: Vec<&str> = written.lines().collect();
    let files = listing(&prefix);
    assert_eq!(files, expected("lib/multi", false));
    assert_eq!(listed.len(), files.len(), "each file is named: {written}");
    assert!(listed.iter().all(|path| Path::new(path).starts_with(&prefix)), "{written}");
    // A process with the old file open keeps it whole.
    let old = std::io::read_to_string(old).expect("the old file can still be read");
    assert_eq!(old, "old");
    let pc = std::fs::read_to_string(prefix.join("lib/multi/pkgconfig/searchscope.pc"));
    assert!(!pc.expect("the file is listed").contains("/opt"), "the prefix can be moved");
}

#[test]
fn long_run_pkg_config_follows_an_installation_that_was_moved() {
    if !installed("pkg-config", "the pkg-config file") {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary directory can be made");
    let moved = place.path().join("moved");
    let pc = moved.join("lib/pkgconfig");
    std::fs::create_dir_all(&pc).expect("a directory can be made");
    std::fs::copy(
        Prefix::Full.path().join("lib/pkgconfig/searchscope.pc"),
        pc.join("searchscope.pc"),
    )
    .expect("the file can be copied");
    let ask = |words: &[&str]| {
        let mut command = std::process::Command::new("pkg-config");
        run(command.args(words).arg("searchscope").env("PKG_CONFIG_PATH", &pc)).trim().to_owned()
    };
    let inside = |directory: &str| pc.join("../..").join(directory).display().to_string();
    assert_eq!(ask(&["--cflags"]), format!("-I{}", inside("include")));
    assert_eq!(ask(&["--libs"]), format!("-L{} -lsearchscope", inside("lib")));
    assert!(
        ask(&["--static", "--libs"]).contains(" -lpthread "),
        "the dependencies of the archive"
    );
    assert_eq!(ask(&["--modversion"]), env!("CARGO_PKG_VERSION"));
    let alone = Prefix::StaticOnly.pkg_config(&["--libs"]);
    assert!(alone.contains(&"-lpthread".to_owned()), "nothing else is to be said: {alone:?}");
}

#[test]
fn long_run_a_failed_installation_is_reported_in_one_line() {
    let place = tempfile::tempdir().expect("a temporary directory can be made");
    let file = place.path().join("file");
    std::fs::write(&file, "no directory").expect("a file can be written");
    let prefix = format!("--prefix={}", file.display());
    for (words, expected) in [
        (["--prefix"].as_slice(), "--prefix requires a value"),
        (&["--colour"], "unknown option \"--colour\"; see --help"),
        (&[&prefix, "--library-type=staticlib"], "/file/lib/libsearchscope.a: "),
        (&["--profile=none"], "could not be built; cargo says why above"),
    ] {
        let output = installer(words).output().expect("cargo runs this test");
        let err = String::from_utf8_lossy(&output.stderr);
        let last = err.lines().last().unwrap_or_default();
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(last.starts_with("searchscope-install: ") && last.contains(expected), "{err}");
        assert!(output.stdout.is_empty(), "nothing was written");
    }
    assert_eq!(listing(place.path()).len(), 1, "no file is left");
}
