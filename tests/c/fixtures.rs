//! The trees that the C programs search.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A tree, with room for build results beside it.
pub(super) struct Tree {
    directory: TempDir,
}

impl Tree {
    fn of(files: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>) -> Tree {
        let tree = Tree { directory: tempfile::tempdir().expect("a temporary directory is made") };
        for (path, text) in files {
            let path = tree.root().join(OsStr::from_bytes(&path));
            std::fs::create_dir_all(path.parent().expect("it is in the root"))
                .expect("a directory can be made");
            std::fs::write(path, text).expect("a file can be written");
        }
        tree
    }

    /// Returns the root that the programs search.
    pub(super) fn root(&self) -> PathBuf {
        self.directory.path().join("root")
    }

    /// Returns the directory in which programs are built.
    pub(super) fn beside(&self) -> &Path {
        self.directory.path()
    }
}

/// Builds three files; two have one line with "needle".
pub(super) fn small() -> Tree {
    let files = [
        ("a.txt", "one needle\nnothing here\n"),
        ("b/c.txt", "nothing\r\nneedle, again\r\n"),
        ("plain.txt", "hay\n"),
    ];
    Tree::of(files.map(|(path, text)| (path.into(), text.into())))
}

/// Builds 40 files of 50 lines with "needle" each, and one file for each property that a result can
/// have; beside the root, `loop` is a link to itself.
pub(super) fn rich() -> Tree {
    let long = format!("{}needle{}\n", "x".repeat(3000), "y".repeat(3000));
    let files: [(&[u8], &[u8]); 6] = [
        (
            b"code/lib.rs",
            b"struct Thing;\n\nimpl Thing {\n    fn open() {\n        needle();\n    }\n}\nfn main() { let x = needle(); }\n",
        ),
        (
            b"bytes.txt",
            b"first\nneedle \xff caf\xc3\xa9 \"quoted\" \\ tab\tend\n\nneedle needle\r\nneedle\x01needle\n",
        ),
        (b"caf\xe9.txt", b"needle in latin\n"),
        (b"empty.txt", b"\n\nneedle\n"),
        (b"long.txt", long.as_bytes()),
        (b"docs/guide.md", b"---\ndescription: A guide\n---\nAll of it is documented.\n"),
    ];
    let many = (0..40).map(|file| {
        let lines = (0..50).map(|line| format!("needle {line} of file {file}\nand hay {line}\n"));
        (format!("many/{file:02}.txt").into(), lines.collect::<String>().into())
    });
    let tree =
        Tree::of(files.map(|(path, text)| (path.to_vec(), text.to_vec())).into_iter().chain(many));
    std::os::unix::fs::symlink("long.txt", tree.root().join("a-link"))
        .expect("a symlink can be made");
    std::os::unix::fs::symlink("loop", tree.beside().join("loop")).expect("a symlink can be made");
    tree
}

/// Builds files with `n_matches` lines of "needle", 100 to a file.
pub(super) fn large(n_matches: usize) -> Tree {
    let text =
        "a needle in a line that is about as long as lines of programs are, not more\n".repeat(100);
    let files = (0..n_matches / 100)
        .map(|file| (format!("{:02}/{file:05}.txt", file % 50).into(), text.clone().into()));
    Tree::of(files)
}
