//! The bodies of the fuzz targets: one function each, which panics if the engine is wrong.
//!
//! The programs that call them are in `fuzz/` at the top of the repository, a workspace of its own. This
//! crate is separate, so that tests on stable Rust can run the targets on the committed inputs. Each
//! target first caps the size of its input and has an oracle, written for clarity rather than speed.
//! `searchscope::fuzzing` exports the internals that the targets need beyond the API.
#![expect(clippy::disallowed_methods, reason = "targets make the trees that they search")]

mod bytes;
mod cursor;
mod documents;
mod git_formats;
#[cfg(test)]
mod git_verdicts_tests;
mod gitignore;
mod globs;
mod modules;
mod pattern_tree;
mod scope_pattern;
#[cfg(test)]
mod scope_pattern_tests;
mod scope_program;
mod search;
mod syntax;
#[cfg(test)]
mod tests;
mod text_forms;
mod tool_call;

pub use cursor::cursor;
pub use documents::documents;
pub use git_formats::git_formats;
pub use gitignore::gitignore;
pub use globs::globs;
pub use modules::{idea_xml, manifests};
pub use scope_pattern::scope_pattern;
pub use scope_program::scope_program;
pub use search::search;
pub use syntax::syntax;
pub use text_forms::text_forms;
pub use tool_call::tool_call;

use searchscope::{Workspace, WorkspaceOptions};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A target: it panics if the engine is wrong about the input.
pub type Target = fn(&[u8]);

/// Every target by name, which is also the name of its program and of its folders of inputs.
pub const TARGETS: &[(&str, Target)] = &[
    ("cursor", cursor),
    ("documents", documents),
    ("git_formats", git_formats),
    ("gitignore", gitignore),
    ("globs", globs),
    ("idea_xml", idea_xml),
    ("manifests", manifests),
    ("scope_pattern", scope_pattern),
    ("scope_program", scope_program),
    ("search", search),
    ("syntax", syntax),
    ("text_forms", text_forms),
    ("tool_call", tool_call),
];

/// Creates a tree of files with these contents.
pub(crate) fn tree<P: AsRef<str>, C: AsRef<[u8]>>(files: &[(P, C)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    add(dir.path(), files);
    dir
}

/// Adds files to a tree.
fn add<P: AsRef<str>, C: AsRef<[u8]>>(root: &Path, files: &[(P, C)]) {
    for (path, content) in files {
        let path = root.join(path.as_ref());
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, content).expect("written");
    }
}

/// Creates a small tree of typical entries: sources, ignore files, documents, modules, odd names.
fn fixed_tree() -> TempDir {
    tree(&[
        (".gitignore", "target/\n*.log\n"),
        (".hidden/a.txt", "a hidden line\n"),
        ("Cargo.toml", "[package]\nname = \"app\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("src/main.rs", "// A banana\nfn main() {\n    let a = \"a b\";\n}\n"),
        ("src/deep/lib.rs", "pub fn a() {}\r\npub fn b() {}\r\n"),
        ("tests/a.rs", "#[test]\nfn a() {}\n"),
        ("docs/guide.md", "---\nname: Guide\ndescription: How to start\n---\n# A guide\n\na a a\n"),
        ("docs/ä b.md", "Grüße, 한국어 and 😀\n"),
        ("target/out.txt", "a\n"),
        ("b.log", "a\n"),
        ("bin.dat", "a\0b\n"),
        ("empty", ""),
        ("long.txt", &*format!("{}\nlast a", "a".repeat(600))),
    ])
}

fn open(root: &Path, threads: usize) -> Workspace {
    let options = WorkspaceOptions { threads: Some(threads), ..Default::default() };
    options.open(root).expect("opened")
}

/// Returns an empty directory for the one file of an input, which lives as long as the process.
fn scratch() -> (&'static TempDir, &'static Workspace) {
    static OPENED: OnceLock<(TempDir, Workspace)> = OnceLock::new();
    let (dir, workspace) = OPENED.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a directory");
        let workspace = open(dir.path(), 1);
        (dir, workspace)
    });
    (dir, workspace)
}
