//! Cargo manifests.

use super::{assert_found, discover, found, shown};
use crate::tests::tree;
use std::os::unix::fs::symlink;

fn package(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\n")
}

#[test]
fn a_workspace_with_its_members() {
    let root = "[workspace]\nmembers = [\"crates/*\", \"deep/**/leaf\", \"tools/x\"]\n\
                exclude = [\"crates/old\", \"tools\"]\n\
                [workspace.dependencies]\ncore = { path = \"crates/core\" }\nserde = \"1\"\n";
    let app = "[package]\nname = \"app\"\n\
               [dependencies]\ncore = { workspace = true }\nserde = { workspace = true }\n\
               [dependencies.renamed]\npath = \"../util\"\npackage = \"util\"\n\
               [dev-dependencies]\ncore = { path = \"../core\" }\n\
               [build-dependencies]\ngen = { path = \"../../hidden/a/b/c/gen\" }\n\
               [target.'cfg(unix)'.dependencies]\nleaf = { path = \"../../deep/a/b/leaf\" }\n";
    assert_found(
        &found(&[
            ("Cargo.toml", root),
            ("crates/app/Cargo.toml", app),
            ("crates/app/src/main.rs", ""),
            ("crates/app/tests/it.rs", ""),
            ("crates/app/benches/b.rs", ""),
            ("crates/app/examples/e.rs", ""),
            ("crates/app/build.rs", ""),
            ("crates/core/Cargo.toml", &package("core")),
            ("crates/core/src/lib.rs", ""),
            ("crates/core/target/x", ""),
            ("crates/util/Cargo.toml", &package("util")),
            ("crates/empty/x", ""),
            ("crates/.hidden/Cargo.toml", &package("hidden")),
            ("crates/old/Cargo.toml", &package("old")),
            ("tools/x/Cargo.toml", &package("x")),
            ("deep/a/b/leaf/Cargo.toml", &package("leaf")),
            ("deep/a/b/other/Cargo.toml", &package("other")),
            ("hidden/a/b/c/gen/Cargo.toml", &package("gen")),
        ]),
        &[
            "app crates/app: +crates/app/src +crates/app/examples -crates/app/tests \
             -crates/app/benches +crates/app/build.rs > core exported, util exported, \
             gen provided, core test, leaf exported",
            "core crates/core: +crates/core/src ~crates/core/target",
            "gen hidden/a/b/c/gen:",
            "leaf deep/a/b/leaf:",
            // Not a member, but near enough to the root to be found.
            "old crates/old:",
            "util crates/util:",
            "x tools/x:",
        ],
    );
}

#[test]
fn targets_at_other_places() {
    let manifest = "[package]\nname = \"p\"\nbuild = \"make.rs\"\n[lib]\npath = \"lib.rs\"\n\
                    [[bin]]\nname = \"a\"\npath = \"cmd/a/main.rs\"\n\
                    [[bin]]\nname = \"b\"\npath = \"src/b.rs\"\n\
                    [[test]]\nname = \"t\"\npath = \"checks/t.rs\"\n\
                    [[bench]]\nname = \"gone\"\npath = \"gone/g.rs\"\n\
                    [[bin]]\nname = \"out\"\npath = \"../out.rs\"\n";
    let files = [
        ("p/Cargo.toml", manifest),
        ("p/lib.rs", ""),
        ("p/make.rs", ""),
        ("p/build.rs", ""),
        ("p/src/b.rs", ""),
        ("p/cmd/a/main.rs", ""),
        ("p/checks/t.rs", ""),
        ("out.rs", ""),
    ];
    assert_found(
        &found(&files),
        &[
            "p p: +p/src +p/make.rs +p/lib.rs +p/cmd/a -p/checks",
            "! p/Cargo.toml: 'out.rs' is outside of the package",
        ],
    );
}

#[test]
fn the_nearest_workspace_applies_unless_another_is_named() {
    let dependency = |path: &str| format!("dependencies.x.path = \"{path}\"\n");
    let inherits = "dependencies.x.workspace = true\n";
    let package = |name: &str, more: &str| format!("{more}\n[package]\nname = \"{name}\"\n");
    let files = [
        ("Cargo.toml", format!("[workspace]\n{}", dependency("one"))),
        ("one/Cargo.toml", package("one", "")),
        ("in/Cargo.toml", format!("[workspace]\n{}", dependency("two"))),
        ("in/two/Cargo.toml", package("two", "")),
        ("in/a/Cargo.toml", package("a", inherits)),
        ("in/b/Cargo.toml", package("b", inherits) + "workspace = \"../..\"\n"),
    ];
    assert_found(
        &found(&files),
        &["a in/a: > two exported", "b in/b: > one exported", "one one:", "two in/two:"],
    );
}

#[test]
fn cycles_end_and_names_are_unique() {
    let package = |name: &str, on: &str| {
        format!("[package]\nname = \"{name}\"\n[dependencies]\nx = {{ path = \"{on}\" }}\n")
    };
    assert_found(
        &found(&[
            ("a/Cargo.toml", package("same", "../b")),
            ("b/Cargo.toml", package("same", "../c")),
            ("c/Cargo.toml", package("other", "../a")),
            ("d/Cargo.toml", package("self", ".")),
        ]),
        &[
            "other c: > same exported",
            "same a: > same (b) exported",
            "same (b) b: > other exported",
            "self d:",
        ],
    );
}

#[test]
fn problems_are_reported() {
    let deep = format!("x = {}", "[".repeat(200_000));
    let files = [
        ("a/Cargo.toml", "[package".as_bytes()),
        ("b/Cargo.toml", b"[package]\nname = \"\xFF\"".as_slice()),
        ("c/Cargo.toml", deep.as_bytes()),
        ("d/Cargo.toml", b"[package]\nname = \"\""),
        ("e/Cargo.toml", b"\xEF\xBB\xBF[package]\r\nname = \"e\"\r\nversion.workspace = true\r\n"),
        ("f/Cargo.toml", b"workspace.members = [\"../../*\", \"/abs\", \"a*b/{c\"]"),
        ("g/Cargo.toml/x", b""),
        ("h/Cargo.toml", b"package = 1\nlib = []\nbin = 3\ntarget = \"x\"\nworkspace = 2"),
        ("l/x", b""),
        ("real", b"[package]\nname = \"linked\""),
    ];
    let dir = tree(&files);
    symlink("../real", dir.path().join("l/Cargo.toml")).expect("linked");
    symlink("e", dir.path().join("m")).expect("linked");
    let found = shown(&discover(dir.path()));
    let starts = [
        "e e:",
        "! a/Cargo.toml: invalid TOML: ",
        "! b/Cargo.toml: not UTF-8 at byte 18",
        "! c/Cargo.toml: invalid TOML: ",
        "! f/Cargo.toml: a member pattern leads outside the root",
        "! f/Cargo.toml: the pattern '/abs' is not supported",
        "! f/Cargo.toml: the pattern 'a*b/{c' is not supported",
        "! l/Cargo.toml: not read: is a symlink",
        "! d/Cargo.toml: '' is not a valid name",
    ];
    assert!(
        found.len() == starts.len() && found.iter().zip(starts).all(|(a, b)| a.starts_with(b)),
        "{found:#?}"
    );
}

#[test]
fn huge_manifests_are_not_read() {
    let text = format!("{}#{}", package("p"), "x".repeat(256 << 10));
    assert_found(&found(&[("Cargo.toml", text)]), &["! Cargo.toml: not read: larger than 256 KiB"]);
}
