//! The root as the engine sees it: the disk, and the unsaved texts over it.

use super::entries::{Dir, File, Layer};
use super::overlay::{Overlay, Place, place};
use super::{FsError, Kind, Meta, disk};
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::rel_path::RelPath;
use std::path::Path;
use std::sync::Arc;

/// The handle of the root directory.
#[derive(Debug)]
pub(crate) struct Root {
    disk: Arc<disk::Root>,
    overlay: Option<Arc<Overlay>>,
}

impl Root {
    /// Opens the root itself, through symlinks: the host names it and is trusted.
    pub(crate) fn open(path: &Path) -> Result<Root, FsError> {
        Ok(Root { disk: Arc::new(disk::Root::open(path)?), overlay: None })
    }

    /// Makes links that lead to or through entries that `deny` ignores lead nowhere.
    pub(crate) fn with_deny(mut self, deny: Option<Arc<IgnoreLines>>) -> Root {
        let disk = Arc::get_mut(&mut self.disk);
        disk.expect("deny is set before the root is shared").set_deny(deny);
        self
    }

    /// Returns the same root with `overlay` over it in place of any other.
    pub(crate) fn with_overlay(&self, overlay: Arc<Overlay>) -> Root {
        Root { disk: Arc::clone(&self.disk), overlay: Some(overlay) }
    }

    /// Returns the unsaved texts over the disk.
    pub(crate) fn overlay(&self) -> Option<&Arc<Overlay>> {
        self.overlay.as_ref()
    }

    /// Returns whether the text of `path` is denied, or that of a directory above it. Nothing is looked up,
    /// so a path that is denied as either a file or a directory counts as denied.
    pub(crate) fn denies_path(&self, path: &RelPath) -> bool {
        let denies = |deny: &IgnoreLines, is_dir| {
            deny.verdict_with_parents(path.as_bytes(), is_dir) == Verdict::Ignore
        };
        self.disk.deny().is_some_and(|deny| denies(deny, false) || denies(deny, true))
    }

    /// Returns the path of the root without symlinks.
    pub(crate) fn real_path(&self) -> &Path {
        self.disk.real_path()
    }

    /// Returns the path below the root of `target`, as a file of the directory `dir` spells it; `None` for
    /// one that is outside the root or is not UTF-8. Nothing is looked up.
    pub(crate) fn inside(&self, dir: &RelPath, target: &[u8]) -> Option<RelPath> {
        crate::workspace::resolve::resolve_from(self.real_path(), dir, target)
    }

    /// Opens a directory; symlinks are followed only with `follow`, and only inside the root.
    pub(crate) fn open_dir(&self, path: &RelPath, follow: bool) -> Result<Dir, FsError> {
        let Some(overlay) = &self.overlay else {
            return Ok(Dir::of_disk(self.disk.open_dir(path, follow)?));
        };
        let layer = |path: RelPath| Layer { overlay: Arc::clone(overlay), path };
        let dir = match place(&self.disk, overlay, path, follow)? {
            Place::Text(..) => return Err(FsError::WrongKind),
            Place::Dir(real, meta) => Dir::added(layer(real), meta),
            Place::Disk(real) => Dir::layered(self.disk.open_dir(&real, false)?, layer(real)),
        };
        Ok(if self.disk.deny().is_some() { dir.opened_as(path) } else { dir })
    }

    /// Opens a regular file; symlinks are followed only with `follow`, and only inside the root.
    pub(crate) fn open_file(&self, path: &RelPath, follow: bool) -> Result<File, FsError> {
        let Some(overlay) = &self.overlay else {
            return Ok(File::of_disk(self.disk.open_file(path, follow)?));
        };
        match place(&self.disk, overlay, path, follow)? {
            Place::Text(_, text) => Ok(File::unsaved(text)),
            Place::Dir(..) => Err(FsError::WrongKind),
            Place::Disk(real) => Ok(File::of_disk(self.disk.open_file(&real, false)?)),
        }
    }

    /// Opens, without following symlinks, an entry that a listing has just reported as a regular file.
    pub(crate) fn open_listed_file(&self, path: &RelPath) -> Result<File, FsError> {
        match &self.overlay {
            Some(_) => self.open_file(path, false),
            None => Ok(File::of_disk(self.disk.open_listed_file(path)?)),
        }
    }

    /// Returns the metadata of `path`; with `follow` through symlinks inside the root.
    pub(crate) fn stat(&self, path: &RelPath, follow: bool) -> Result<Meta, FsError> {
        let Some(overlay) = &self.overlay else {
            return self.disk.stat(path, follow);
        };
        match place(&self.disk, overlay, path, follow)? {
            Place::Text(_, text) => Ok(text.meta),
            Place::Dir(_, meta) => Ok(meta),
            Place::Disk(real) => self.disk.stat(&real, false),
        }
    }

    /// Returns the metadata of `path`, through symlinks inside the root; `None` if they lead to a denied
    /// entry.
    pub(crate) fn stat_followed(&self, path: &RelPath) -> Result<Option<Meta>, FsError> {
        if self.overlay.is_none() {
            return self.disk.look(path, true);
        }
        match self.stat(path, true) {
            // A denied entry is never in an overlay, so the disk decides.
            Err(FsError::NotFound) if matches!(self.disk.look(path, true), Ok(None)) => Ok(None),
            found => found.map(Some),
        }
    }

    /// Returns the path without symlinks to which `path` leads.
    pub(crate) fn without_links(&self, path: &RelPath) -> Result<RelPath, FsError> {
        match &self.overlay {
            Some(overlay) => Ok(place(&self.disk, overlay, path, true)?.into_path()),
            None => self.disk.without_links(path, false),
        }
    }

    /// Returns the path without symlinks to which `path` leads on disk, in the names that directories list.
    /// They differ from the caller's on file systems that ignore letter case.
    pub(crate) fn listed_path(&self, path: &RelPath) -> Result<RelPath, FsError> {
        self.disk.without_links(path, true)
    }

    /// Returns whether `path` is an executable regular file on disk, reached without symlinks.
    pub(crate) fn is_executable(&self, path: &RelPath) -> bool {
        let found = self.disk.stat(path, false);
        found.is_ok_and(|meta| meta.kind == Kind::File && meta.executable)
    }
}

impl disk::Root {
    /// Returns the metadata of `path`; with `follow` through symlinks inside the root, else that of a symlink
    /// itself.
    pub(super) fn stat(&self, path: &RelPath, follow: bool) -> Result<Meta, FsError> {
        match self.look(path, follow) {
            Ok(found) => found.ok_or(FsError::NotFound),
            Err(FsError::Symlink) if !follow => {
                let dir = self.open_dir(&path.parent().unwrap_or_default(), follow)?;
                dir.stat(path.file_name())
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(all(test, unix))]
impl Root {
    /// Makes this root behave as on a kernel without `openat2`.
    pub(crate) fn without_openat2(mut self) -> Root {
        Arc::get_mut(&mut self.disk).expect("not shared").forget_openat2();
        self
    }
}
