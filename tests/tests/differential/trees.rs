//! Real trees, which have no fixed location.

use cargo_metadata::MetadataCommand;
use searchscope_tests::repository;
use searchscope_tests::tree::Tree;
use std::fs;
use std::path::{Path, PathBuf};

/// Number of crates to copy: enough for thousands of files, few enough to take a second.
const CRATES_COPIED: usize = 60;

/// Returns the directory in which cargo unpacked the dependencies of this workspace.
pub(crate) fn unpacked_crates() -> Option<PathBuf> {
    let metadata = MetadataCommand::new().manifest_path(repository().join("Cargo.toml")).exec();
    let metadata = metadata.expect("cargo describes the workspace");
    let from_registry = metadata
        .packages
        .into_iter()
        .find(|package| package.source.is_some() && package.manifest_path.is_file())?;
    Some(from_registry.manifest_path.parent()?.parent()?.to_path_buf().into())
}

/// Returns the Linux sources, if the environment names them.
pub(crate) fn linux() -> Option<PathBuf> {
    std::env::var_os("SEARCHSCOPE_LINUX_TREE").map(PathBuf::from)
}

/// Copies some crates and adds ignore files of every kind above and inside them.
pub(crate) fn copy_with_ignore_files(root: &Path) -> Tree {
    let tree = Tree::empty();
    let mut crates: Vec<PathBuf> = list(root).filter(|path| path.is_dir()).collect();
    crates.sort();
    for (n, path) in crates.iter().take(CRATES_COPIED).enumerate() {
        let target = tree.root().join(path.file_name().expect("it was listed"));
        copy(path, &target);
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match n % 4 {
            0 => tree
                .write(&format!("{name}/.gitignore"), "*.md\n!README.md\n/src/lib.rs\nbenches/\n"),
            1 => tree.write(&format!("{name}/.ignore"), "!*.toml\nsrc/*\n!src/m*\n"),
            2 => tree
                .write(&format!("{name}/src/.gitignore"), "# own\n[a-f]*.rs\n\\!x\n**/tests.rs\n"),
            _ => tree.write(&format!("{name}/tests/.ignore"), "*\n!*/\n!b*.rs\n"),
        }
    }
    tree.write(".gitignore", "*.toml\n!Cargo.toml\n/a*/tests\n**/examples/**\nLICENSE-*\n");
    tree.write(".ignore", "CHANGELOG*\n!LICENSE-MIT\nsrc/**/error*.rs\n");
    tree.write(".git/info/exclude", "*.yml\n*.txt\n");
    tree
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the copy is writable");
    for path in list(from) {
        let target = to.join(path.file_name().expect("it was listed"));
        let kind = fs::symlink_metadata(&path).expect("it was listed").file_type();
        if kind.is_dir() {
            copy(&path, &target);
        } else if kind.is_file() {
            fs::copy(&path, &target).expect("the copy is writable");
        }
    }
}

fn list(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(directory).expect("the tree is readable");
    entries.map(|entry| entry.expect("the tree is readable").path())
}

/// Returns the position of the first NUL of a file, if it has one and is not UTF-16.
pub(crate) fn first_nul(path: &Path) -> Option<usize> {
    let bytes = fs::read(path).ok()?;
    let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    bytes.iter().position(|&byte| byte == 0).filter(|_| !is_utf16)
}
