//! The root: its paths, and the only way to open something inside it.
//!
//! This area knows paths and handles. It does not walk, search or know JSON, and no layer above it opens
//! files except through [`fs`].

mod docs_root;
mod git_file;
mod options;
mod output_name;
mod overlay;
mod raw_entries;
mod read;
#[cfg(windows)]
mod real_path;
mod rel_path;
mod resolve;
mod secrets;
mod windows_names;
pub(crate) mod windows_paths;

pub(crate) mod fs;

pub(crate) use docs_root::DocsRoot;
pub(crate) use git_file::read_git_file;
pub use options::{IndexMode, WorkspaceOptions};
pub(crate) use raw_entries::RawEntries;
#[cfg(feature = "modules")]
pub(crate) use read::Entry;
pub(crate) use read::read_start;
pub(crate) use read::{Unread, read};
pub use rel_path::RelPath;
pub(crate) use rel_path::is_plain_name;
pub use resolve::with_slashes;
pub use secrets::{SECRETS, SECRETS_VERSION};

use crate::call::Call;
use crate::encoding::Encodings;
use crate::error::{Error, ErrorKind, Result};
use crate::syntax::Grammars;
use crate::wildcard::IgnoreLines;
use fs::{FsError, Meta};
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};

/// One root directory and everything beneath it. Cheap to clone; clones share the handle.
///
/// All searching happens through a workspace. It reads only regular files beneath the root, writes only
/// results into [`WorkspaceOptions::output_dir`], starts no process, and reads no environment variable, home
/// directory or current directory.
///
/// ```
/// # fn main() -> searchscope::Result<()> {
/// let dir = std::env::temp_dir();
/// let workspace = searchscope::Workspace::open(&dir)?;
/// let missing = searchscope::Workspace::open(dir.join("no such directory"));
/// assert_eq!(missing.unwrap_err().code(), "not_found");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Workspace(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    root: Arc<fs::Root>,
    docs: DocsRoot,
    /// The workspace without the unsaved texts, if this one has some.
    base: Option<Workspace>,
    opened: Arc<Opened>,
}

/// State that a workspace shares with those that have unsaved texts over it.
#[derive(Debug)]
struct Opened {
    /// The root as the host named it, if that is absolute.
    given: Option<PathBuf>,
    options: WorkspaceOptions,
    deny: Option<Arc<IgnoreLines>>,
    /// The part of `deny` whose entries are counted.
    secrets: Option<Arc<IgnoreLines>>,
    /// The compiled `encodings` option.
    encodings: Encodings,
    output_dir: Option<fs::OutputDir>,
    mounts: fs::MountWatch,
    /// Set by the layer that has grammars.
    grammars: OnceLock<Grammars>,
    /// Set by the layer that has an index.
    index: OnceLock<Arc<dyn Any + Send + Sync>>,
}

/// A workspace that may be closed.
#[derive(Clone, Debug)]
pub(crate) struct WeakWorkspace(Weak<Inner>);

impl WeakWorkspace {
    /// Returns the workspace while it is open.
    pub(crate) fn upgrade(&self) -> Option<Workspace> {
        self.0.upgrade().map(Workspace)
    }
}

/// The maximum number of threads when the host sets none: more rarely help.
const THREADS_DEFAULT_MAX: usize = 8;

impl Workspace {
    /// Opens the directory `root`, through symlinks if it is one, with the default
    /// [options](WorkspaceOptions). The workspace keeps the handle: a root that is renamed later stays the root.
    ///
    /// ```
    /// use searchscope::{ErrorKind, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// assert!(workspace.root().is_absolute());
    /// let error = Workspace::open(dir.path().join("gone")).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`WorkspaceOptions::open`].
    pub fn open(root: impl AsRef<Path>) -> Result<Workspace> {
        WorkspaceOptions::default().open(root)
    }

    /// Returns the root's real path, without symlinks, as it was when the workspace was opened.
    pub fn root(&self) -> &Path {
        self.0.root.real_path()
    }

    /// Turns a caller's path, relative to the root or absolute inside it, into a [`RelPath`].
    ///
    /// Checks only the text: the path need not exist.
    ///
    /// ```
    /// use searchscope::{ErrorKind, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// assert_eq!(workspace.resolve("src/./main.rs")?.display(), "src/main.rs");
    /// let error = workspace.resolve("../elsewhere").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::AccessDenied);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `access_denied` when the path leaves the root or contains a NUL.
    pub fn resolve(&self, path: &str) -> Result<RelPath> {
        self.resolve_bytes(path.as_bytes())
    }

    /// Like [`Workspace::resolve`], for a path that must be relative.
    pub fn resolve_relative(path: &str) -> Option<RelPath> {
        resolve::resolve(&[], path).ok()
    }

    /// Like [`Workspace::resolve`], for a path in a file of the tree.
    ///
    /// A path on a network share of Windows is outside the root even if the root is on that share: a file of
    /// the tree names no server.
    #[cfg(feature = "modules")]
    pub(crate) fn resolve_in_tree(&self, path: &str) -> Option<RelPath> {
        if resolve::names_server(path) { None } else { self.resolve(path).ok() }
    }

    /// Like [`Workspace::resolve`], for a path that need not be UTF-8.
    pub(crate) fn resolve_bytes(&self, path: &[u8]) -> Result<RelPath> {
        let mut roots = vec![self.root()];
        roots.extend(self.0.opened.given.as_deref());
        resolve::resolve_bytes(&roots, path).map_err(|resolve::Outside| {
            let path = String::from_utf8_lossy(path);
            Error::outside_root(&path.escape_debug().to_string()).with_path(path)
        })
    }

    /// Returns the metadata of the caller's `path`, through symlinks as long as they stay inside the root and
    /// do not lead to a denied entry.
    pub(crate) fn stat(&self, path: &RelPath) -> Result<Meta> {
        let found = self.0.root.stat_followed(path).map_err(|error| unreached(path, &error))?;
        found.ok_or_else(|| denied(path))
    }

    /// Returns the path without symlinks to which `path` leads.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::stat`].
    pub(crate) fn without_links(&self, path: &RelPath) -> Result<RelPath> {
        self.0.root.without_links(path).map_err(|error| unreached(path, &error))
    }

    /// Returns the compiled `deny` option.
    pub(crate) fn deny(&self) -> Option<&Arc<IgnoreLines>> {
        self.0.opened.deny.as_ref()
    }

    /// Returns the compiled lines of the option `deny_secrets`.
    pub(crate) fn secrets(&self) -> Option<&Arc<IgnoreLines>> {
        self.0.opened.secrets.as_ref()
    }

    /// Returns the compiled `encodings` option.
    pub(crate) fn encodings(&self) -> &Encodings {
        &self.0.opened.encodings
    }

    /// Refuses a path that the `deny` option covers, directly or through a directory above it.
    pub(crate) fn refuse_denied(&self, path: &RelPath) -> Result<()> {
        if self.0.root.denies_path(path) { Err(denied(path)) } else { Ok(()) }
    }

    /// Returns the name of the file that [`Workspace::write_output`] would write for `name`, or the errors
    /// that can be detected beforehand.
    pub fn output_name(&self, param: &str, name: &str) -> Result<String> {
        let dir = self.output_dir(param)?;
        let name = output_name::file_name(param, name)?;
        // Inside the root a result must not replace a denied file.
        if let Some(path) = dir.real_path().join(&name).to_str()
            && let Ok(path) = self.resolve(path)
        {
            self.refuse_denied(&path).map_err(|error| error.with_param(param))?;
        }
        Ok(name)
    }

    fn output_dir(&self, param: &str) -> Result<&fs::OutputDir> {
        self.0.opened.output_dir.as_ref().ok_or_else(|| {
            let predicate = "needs a workspace with an output directory; this one was opened without \
                             the option 'output_dir'";
            Error::invalid_param(param, predicate)
        })
    }

    /// Writes a result into the output directory, as the file `name` with `.json` appended, and returns its
    /// absolute path.
    ///
    /// An existing file of that name is replaced atomically. `param` is the parameter with the name, for
    /// errors.
    ///
    /// # Errors
    ///
    /// `invalid_param` without an output directory and when `name` is not a plain file name; `io` when the
    /// file could not be written, and `cancelled`. On an error nothing has changed.
    pub fn write_output(
        &self,
        param: &str,
        name: &str,
        bytes: &[u8],
        call: &Call,
    ) -> Result<PathBuf> {
        let dir = self.output_dir(param)?;
        let name = self.output_name(param, name)?;
        dir.write(&name, bytes, &|| !call.is_cancelled()).map_err(|error| {
            if call.is_cancelled() {
                return Error::new(ErrorKind::Cancelled, "the call was cancelled");
            }
            let message = format!("'{name}' was not written: {}", error.kind());
            Error::new(ErrorKind::Io, message).with_param(param).with_path(name.as_str())
        })?;
        Ok(dir.real_path().join(name))
    }

    pub(crate) fn fs(&self) -> &Arc<fs::Root> {
        &self.0.root
    }

    /// Returns the slot in which the layer that knows grammars keeps them for this workspace.
    pub(crate) fn grammars_slot(&self) -> &OnceLock<Grammars> {
        &self.0.opened.grammars
    }

    /// Returns the slot in which the layer that has an index keeps it for this workspace.
    pub(crate) fn index_slot(&self) -> &OnceLock<Arc<dyn Any + Send + Sync>> {
        &self.0.opened.index
    }

    /// Returns a reference that does not keep the workspace open.
    pub(crate) fn downgrade(&self) -> WeakWorkspace {
        WeakWorkspace(Arc::downgrade(&self.0))
    }

    pub(crate) fn docs(&self) -> &DocsRoot {
        &self.0.docs
    }

    /// Returns the minimum number of hyphens in the lines around the front matter of a document.
    pub(crate) fn front_matter_hyphens_min(&self) -> usize {
        self.0.opened.options.front_matter_hyphens_min.unwrap_or(3)
    }

    /// Returns the options with which the workspace was opened.
    pub fn options(&self) -> &WorkspaceOptions {
        &self.0.opened.options
    }

    /// Returns the watch over file systems that may not respond.
    pub(crate) fn mounts(&self) -> &fs::MountWatch {
        &self.0.opened.mounts
    }

    /// Returns the maximum number of threads of one call, the calling one included.
    pub(crate) fn threads(&self) -> usize {
        self.0.opened.options.threads.unwrap_or_else(|| {
            std::thread::available_parallelism()
                .map_or(1, |cores| cores.get().min(THREADS_DEFAULT_MAX))
        })
    }
}

/// Returns the error for a caller's path that leads nowhere.
fn unreached(path: &RelPath, error: &FsError) -> Error {
    let shown = path.display().into_owned();
    let (kind, message) = match error {
        // For a path that is followed, `Symlink` means that the links form a loop.
        FsError::NotFound | FsError::NameTooLong | FsError::WrongKind | FsError::Symlink => {
            (ErrorKind::NotFound, format!("path '{shown}' does not exist"))
        }
        FsError::Outside | FsError::Pseudo => {
            return Error::outside_root(&shown).with_path(shown);
        }
        error => (ErrorKind::Io, format!("path '{shown}': {}", error.reason())),
    };
    Error::new(kind, message).with_path(shown)
}

fn denied(path: &RelPath) -> Error {
    let shown = path.display();
    let message = format!("path '{shown}' is denied by the workspace");
    Error::new(ErrorKind::AccessDenied, message).with_path(shown)
}

#[cfg(all(test, unix))]
mod output_tests;
