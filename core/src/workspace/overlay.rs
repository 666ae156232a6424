//! Workspaces with unsaved texts.

use super::fs::{Conflict, FsError, Kind, Overlay, Root};
use super::{Inner, RelPath, Workspace};
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;

/// The maximum number of texts and deletions of one overlay.
const ENTRIES_MAX: usize = 10_000;
/// The maximum size of its texts together, in bytes.
const BYTES_MAX: usize = 256 << 20;

const TWICE: &str = "appears twice";

impl Workspace {
    /// Returns a workspace that behaves as if each text were written to the file at its path, and as if each
    /// file with `None` were removed. Editors use it to search unsaved text.
    ///
    /// Nothing is written: the texts replace files where the engine opens them, so every tool sees them,
    /// including as ignore files. New files may be in new directories. A path through a symlink changes the
    /// link's target; `None` removes the link itself. The texts' time of modification is now. They replace
    /// those of an earlier call; options, index and grammars are shared with this workspace, and directories
    /// without unsaved texts are still served from the index. Links are followed as they are when the
    /// workspace is created. Other names of the same file (hard links) keep the text on disk.
    ///
    /// ```
    /// use searchscope::Workspace;
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("old.rs"), "fn main() {}\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let edited = workspace.with_overlay([("new.rs", Some("fn main() {}")), ("old.rs", None)])?;
    /// let results = edited.search("main").run()?;
    /// let paths: Vec<_> = results.into_iter().map(|found| found.path.to_string()).collect();
    /// assert_eq!(paths, ["new.rs"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// They name the parameter `overlay`. `access_denied` for a path that leaves the root or is denied;
    /// `invalid_param` for a directory or another entry that is not a regular file, a path below a file, a
    /// link that leads nowhere, two texts for one file, and more than 10,000 entries or 256 MiB; `io` when
    /// the system refuses a look-up.
    pub fn with_overlay<P, T>(
        &self,
        texts: impl IntoIterator<Item = (P, Option<T>)>,
    ) -> Result<Workspace>
    where
        P: AsRef<str>,
        T: Into<Vec<u8>>,
    {
        let mut overlay = Overlay::new();
        let (mut n_entries, mut n_bytes) = (0_usize, 0_usize);
        for (path, text) in texts {
            let path = path.as_ref();
            let text: Option<Vec<u8>> = text.map(Into::into);
            n_entries += 1;
            n_bytes = n_bytes.saturating_add(text.as_ref().map_or(0, Vec::len));
            if n_entries > ENTRIES_MAX || n_bytes > BYTES_MAX {
                let predicate =
                    format!("may have at most {ENTRIES_MAX} entries and {BYTES_MAX} bytes");
                return Err(Error::invalid_param("overlay", predicate));
            }
            let added = self.add(&mut overlay, path, text);
            added.map_err(|error| error.with_param("overlay").with_path(path))?;
        }
        let base = self.base().clone();
        let overlay = Arc::new(overlay);
        let root = Arc::new(base.fs().with_overlay(Arc::clone(&overlay)));
        let docs = base.docs().with_overlay(&root, &overlay);
        let opened = Arc::clone(&base.0.opened);
        Ok(Workspace(Arc::new(Inner { root, docs, base: Some(base), opened })))
    }

    /// Returns the workspace without unsaved texts.
    ///
    /// Overlays are always made over it and never over one another: a call passes all unsaved texts, and a
    /// chain of overlays would keep the texts of every earlier call in memory.
    pub(crate) fn base(&self) -> &Workspace {
        self.0.base.as_ref().unwrap_or(self)
    }

    fn add(&self, overlay: &mut Overlay, path: &str, text: Option<Vec<u8>>) -> Result<()> {
        let base = self.base();
        let resolved = base.resolve(path)?;
        base.refuse_denied(&resolved)?;
        let disk: &Root = base.fs();
        let Some(dir) = resolved.parent() else {
            return Err(refused(path, "is the root"));
        };
        let (above, dir) = disk.part_on_disk(&dir).map_err(|error| unreached(path, &error))?;
        let place = dir.join(resolved.file_name());
        let found = match disk.stat(&place, false) {
            Ok(meta) => Some(meta.kind),
            Err(FsError::NotFound) => None,
            Err(error) => return Err(unreached(path, &error)),
        };
        let (above, place) = match (found, &text) {
            (None, None) if overlay.has(&place) => return Err(refused(path, TWICE)),
            (None, None) => return Ok(()),
            (Some(Kind::Dir), _) => return Err(refused(path, "is a directory")),
            (Some(Kind::Special), _) => return Err(refused(path, "is not a regular file")),
            // Removal affects the link itself, a text its target.
            (Some(Kind::Symlink), Some(_)) => self.linked_file(path, &place)?,
            (Some(Kind::File), Some(_)) => {
                let listed = disk.listed_path(&place).map_err(|error| unreached(path, &error))?;
                (above, listed)
            }
            _ => (above, place),
        };
        // Checked again for the place, because a link that is not denied may lead to a file that is.
        base.refuse_denied(&place)?;
        let added = match text {
            Some(text) => overlay.add_text(&above, &place, text, disk.is_executable(&place)),
            None => overlay.delete(&place),
        };
        added.map_err(|conflict| {
            let reason = match conflict {
                Conflict::Twice => TWICE,
                Conflict::FileAndDir => {
                    "is a file, and another path needs a directory in its place"
                }
            };
            refused(path, reason)
        })
    }

    /// Returns the directory of the regular file to which the link `place` leads, and the file.
    fn linked_file(&self, path: &str, place: &RelPath) -> Result<(RelPath, RelPath)> {
        let disk = self.base().fs();
        let target = match disk.listed_path(place) {
            Ok(target) => target,
            Err(FsError::NotFound) => return Err(refused(path, "is a link that leads nowhere")),
            Err(error) => return Err(unreached(path, &error)),
        };
        let kind = disk.stat(&target, false).map_err(|error| unreached(path, &error))?.kind;
        if kind != Kind::File {
            return Err(refused(path, "is a link to an entry that is not a regular file"));
        }
        Ok((target.parent().unwrap_or_default(), target))
    }
}

fn refused(path: &str, reason: &str) -> Error {
    let shown = path.escape_debug();
    Error::at_param(ErrorKind::InvalidParam, "overlay", format!("'{shown}' {reason}"))
}

fn unreached(path: &str, error: &FsError) -> Error {
    let shown = path.escape_debug();
    match error {
        FsError::Outside | FsError::Pseudo => Error::outside_root(&shown.to_string()),
        FsError::WrongKind => refused(path, "is below an entry that is not a directory"),
        FsError::Io(_) => {
            let reason = format!("'{shown}': {}", error.reason());
            Error::at_param(ErrorKind::Io, "overlay", reason)
        }
        error => refused(path, &error.reason()),
    }
}
