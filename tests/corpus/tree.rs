//! Builds the directory trees of the cases.

use crate::notation::expand;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// One entry of a tree: exactly one of `file`, `dir`, `symlink` and `fifo`, with its attributes.
///
/// Paths and texts use the [notation](crate::notation). A path may begin with `../`: the entry is then
/// outside the root, where a case puts files that must stay out of reach.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The path of a regular file.
    pub file: Option<String>,
    /// The contents of the file; empty by default.
    pub text: Option<String>,
    /// The path of a directory, for empty ones: parents are created as needed.
    pub dir: Option<String>,
    /// The path of a symbolic link.
    pub symlink: Option<String>,
    /// The target of the link, exactly as written into it.
    pub to: Option<String>,
    /// The path of a named pipe without a writer.
    pub fifo: Option<String>,
    /// Permission bits such as `0o755`.
    pub mode: Option<u32>,
    /// Seconds after 1970, or before the present if negative.
    pub mtime: Option<i64>,
    /// Nanoseconds to add to `mtime`.
    pub mtime_ns: Option<u32>,
}

/// A tree on disk that disappears with this value.
#[derive(Debug)]
pub struct Tree {
    directory: TempDir,
    root: PathBuf,
}

impl Tree {
    /// Creates an empty tree.
    pub fn empty() -> Tree {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        // The root of a workspace is absolute and without links, so `⟨root⟩` equals the path in messages.
        let top = fs::canonicalize(directory.path()).expect("it was just made");
        let root = top.join("root");
        fs::create_dir(&root).expect("the temporary directory is writable");
        Tree { directory, root }
    }

    /// Creates a tree of text files.
    pub fn of(files: &[(&str, &str)]) -> Tree {
        let tree = Tree::empty();
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    /// Creates a tree from the entries of a case.
    ///
    /// # Errors
    /// The entry that is wrong or cannot exist on this system.
    pub fn build(entries: &[Entry]) -> Result<Tree, String> {
        let tree = Tree::empty();
        for entry in entries {
            tree.add(entry).map_err(|why| format!("{entry:?}: {why}"))?;
        }
        Ok(tree)
    }

    /// Returns the root of the workspace.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the temporary directory around the root.
    pub fn around(&self) -> &Path {
        self.directory.path()
    }

    /// Writes one file, creating its parents.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        make_parent(&path).and_then(|()| fs::write(&path, content)).expect("the tree is writable");
    }

    fn add(&self, entry: &Entry) -> Result<(), String> {
        let at = |path: &str| self.root.join(os_path(&expand(path, &self.root)));
        let io = |error: std::io::Error| error.to_string();
        let path = match entry {
            Entry { file: Some(path), dir: None, symlink: None, fifo: None, to: None, .. } => {
                let content = expand(entry.text.as_deref().unwrap_or_default(), &self.root);
                make_parent(&at(path)).map_err(io)?;
                fs::write(at(path), content).map_err(io)?;
                at(path)
            }
            Entry {
                dir: Some(path),
                file: None,
                symlink: None,
                fifo: None,
                to: None,
                text: None,
                ..
            } => {
                fs::create_dir_all(at(path)).map_err(io)?;
                at(path)
            }
            Entry {
                symlink: Some(path),
                to: Some(to),
                file: None,
                dir: None,
                fifo: None,
                text: None,
                ..
            } => {
                make_parent(&at(path)).map_err(io)?;
                return symlink(&os_path(&expand(to, &self.root)), &at(path)).map_err(io);
            }
            Entry {
                fifo: Some(path),
                file: None,
                dir: None,
                symlink: None,
                to: None,
                text: None,
                ..
            } => {
                make_parent(&at(path)).map_err(io)?;
                make_fifo(&at(path))?;
                at(path)
            }
            _ => return Err("an entry is one of file (text), dir, symlink (to), fifo".into()),
        };
        set_mtime(&path, entry.mtime, entry.mtime_ns.unwrap_or(0)).map_err(io)?;
        set_mode(&path, entry.mode).map_err(io)
    }
}

/// Returns whether permission bits have no effect, because the user is root.
pub fn user_is_refused_nothing() -> bool {
    let closed = Entry { file: Some("closed".into()), mode: Some(0), ..Entry::default() };
    let tree = Tree::build(&[closed]).expect("a file can be made");
    fs::File::open(tree.root().join("closed")).is_ok()
}

fn make_parent(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn set_mtime(path: &Path, mtime: Option<i64>, nanoseconds: u32) -> std::io::Result<()> {
    let Some(mtime) = mtime else { return Ok(()) };
    let distance = Duration::from_secs(mtime.unsigned_abs());
    let time =
        if mtime < 0 { SystemTime::now() - distance } else { SystemTime::UNIX_EPOCH + distance };
    fs::File::open(path)?.set_modified(time + Duration::from_nanos(nanoseconds.into()))
}

#[cfg(unix)]
fn os_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn os_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).as_ref())
}

#[cfg(unix)]
fn symlink(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn symlink(_to: &Path, _at: &Path) -> std::io::Result<()> {
    Err(std::io::Error::new(
        std::io::ErrorKind::Unsupported,
        "symbolic links are made on Unix only",
    ))
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: Option<u32>) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    mode.map_or(Ok(()), |mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)))
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, mode: Option<u32>) -> std::io::Result<()> {
    assert!(mode.is_none(), "permission bits are set on Unix only");
    Ok(())
}

fn make_fifo(path: &Path) -> Result<(), String> {
    match std::process::Command::new("mkfifo").arg("--").arg(path).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("mkfifo: {status}")),
        Err(error) => Err(format!("mkfifo: {error}")),
    }
}
