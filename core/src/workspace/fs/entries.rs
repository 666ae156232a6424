//! Opened directories and files: those of the disk, and those of an overlay.

use super::overlay::{Layered, Overlay, Unsaved};
use super::{FsError, Kind, ListBuffer, Meta, disk};
use crate::encoding::Encodings;
use crate::syntax::FileStamp;
use crate::workspace::rel_path::RelPath;
use std::io;
use std::sync::Arc;

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir {
    source: DirSource,
    layer: Option<Layer>,
    /// The path without symlinks, if the directory was opened by another one and entries are denied.
    real: Option<RelPath>,
}

#[derive(Debug)]
enum DirSource {
    Disk(disk::Dir),
    /// It is not on disk.
    Added(Meta),
}

/// The place of a directory in a tree with an overlay.
#[derive(Debug)]
pub(super) struct Layer {
    pub overlay: Arc<Overlay>,
    /// The path of the directory, without symlinks.
    pub path: RelPath,
}

impl Dir {
    pub(super) fn of_disk(dir: disk::Dir) -> Dir {
        Dir { source: DirSource::Disk(dir), layer: None, real: None }
    }

    pub(super) fn layered(dir: disk::Dir, layer: Layer) -> Dir {
        Dir { source: DirSource::Disk(dir), layer: Some(layer), real: None }
    }

    /// Creates a directory that is not on disk.
    pub(super) fn added(layer: Layer, meta: Meta) -> Dir {
        Dir { source: DirSource::Added(meta), layer: Some(layer), real: None }
    }

    /// Records that the caller's path of the directory was `path`.
    pub(super) fn opened_as(self, path: &RelPath) -> Dir {
        let real = self.layer.as_ref().map(|layer| layer.path.clone());
        Dir { real: real.filter(|real| real != path), ..self }
    }

    /// Returns the directory on disk, unless an overlay added it.
    pub(crate) fn on_disk(&self) -> Option<&disk::Dir> {
        match &self.source {
            DirSource::Disk(dir) => Some(dir),
            DirSource::Added(_) => None,
        }
    }

    /// Returns device and inode of the directory; on Windows volume and file index.
    pub(crate) fn id(&self) -> (u64, u64) {
        match &self.source {
            DirSource::Disk(dir) => dir.id(),
            DirSource::Added(meta) => meta.id,
        }
    }

    /// Returns whether both are one directory of one mount, and so have the same entries; false if unknown.
    pub(crate) fn is_same(&self, other: &Dir) -> bool {
        self.id() == other.id() && self.mount().is_some() && self.mount() == other.mount()
    }

    #[cfg(all(target_os = "linux", not(searchscope_unix)))]
    fn mount(&self) -> Option<u64> {
        self.on_disk()?.mount()
    }

    #[cfg(not(all(target_os = "linux", not(searchscope_unix))))]
    fn mount(&self) -> Option<u64> {
        None
    }

    /// Returns the current stamp of the directory; `None` if the system does not report one.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        self.on_disk()?.stamp()
    }

    /// Returns the path without symlinks, if it differs and the root's `deny` needs it.
    pub(crate) fn real_path(&self) -> Option<&RelPath> {
        self.real.as_ref().or_else(|| self.on_disk()?.real_path())
    }

    /// Returns the entry `name` if it differs from the disk.
    fn layered_entry(&self, name: &[u8]) -> Option<&Layered> {
        let layer = self.layer.as_ref()?;
        layer.overlay.entry(&layer.path, name)
    }

    /// Returns the directory on disk, which has every entry that is not layered.
    fn disk_dir(&self) -> Result<&disk::Dir, FsError> {
        self.on_disk().ok_or(FsError::NotFound)
    }

    /// Calls `each` with each entry's name and kind, in no particular order, until it returns false.
    ///
    /// The kind is `None` if the file system does not report it; [`Dir::stat`] then does.
    pub(crate) fn list(
        &self,
        buffer: &mut ListBuffer,
        each: &mut dyn FnMut(&[u8], Option<Kind>) -> bool,
    ) -> Result<(), FsError> {
        let layer = self.layer.as_ref();
        let Some(entries) = layer.and_then(|layer| layer.overlay.entries(&layer.path)) else {
            return self.on_disk().map_or(Ok(()), |dir| dir.list(buffer, each));
        };
        let mut is_wanted = true;
        if let Some(dir) = self.on_disk() {
            dir.list(buffer, &mut |name, kind| {
                is_wanted = entries.contains_key(name) || each(name, kind);
                is_wanted
            })?;
        }
        for (name, entry) in entries {
            let kind = match entry {
                Layered::Text(_) => Kind::File,
                Layered::Dir(_) => Kind::Dir,
                Layered::Deleted => continue,
            };
            if !is_wanted {
                break;
            }
            is_wanted = each(name, Some(kind));
        }
        Ok(())
    }

    /// Opens the directory `name` in this one; it must not be a symlink.
    pub(crate) fn open_dir(&self, name: &[u8]) -> Result<Dir, FsError> {
        let Some(layer) = &self.layer else {
            return Ok(Dir::of_disk(self.disk_dir()?.open_dir(name)?));
        };
        let below = Layer { overlay: Arc::clone(&layer.overlay), path: layer.path.join(name) };
        let dir = match layer.overlay.entry(&layer.path, name) {
            None => Dir::layered(self.disk_dir()?.open_dir(name)?, below),
            Some(Layered::Dir(meta)) => Dir::added(below, *meta),
            Some(Layered::Text(_)) => return Err(FsError::WrongKind),
            Some(Layered::Deleted) => return Err(FsError::NotFound),
        };
        Ok(Dir { real: self.real.as_ref().map(|real| real.join(name)), ..dir })
    }

    /// Opens the regular file `name` in this one; it must not be a symlink.
    pub(crate) fn open_file(&self, name: &[u8]) -> Result<File, FsError> {
        match self.layered_entry(name) {
            None => Ok(File::of_disk(self.disk_dir()?.open_file(name)?)),
            Some(Layered::Text(text)) => Ok(File::unsaved(Arc::clone(text))),
            Some(Layered::Dir(_)) => Err(FsError::WrongKind),
            Some(Layered::Deleted) => Err(FsError::NotFound),
        }
    }

    /// Returns the target of the symlink `name` in this directory; `None` for any other entry.
    #[cfg_attr(not(feature = "git"), expect(dead_code, reason = "only git uses it"))]
    pub(crate) fn read_link(&self, name: &[u8]) -> Result<Option<Vec<u8>>, FsError> {
        match self.layered_entry(name) {
            None => self.disk_dir()?.read_link(name),
            Some(Layered::Text(_) | Layered::Dir(_)) => Ok(None),
            Some(Layered::Deleted) => Err(FsError::NotFound),
        }
    }

    /// Returns the metadata of the entry `name` itself, not of a link's target.
    pub(crate) fn stat(&self, name: &[u8]) -> Result<Meta, FsError> {
        match self.layered_entry(name) {
            None => self.disk_dir()?.stat(name),
            Some(Layered::Text(text)) => Ok(text.meta),
            Some(Layered::Dir(meta)) => Ok(*meta),
            Some(Layered::Deleted) => Err(FsError::NotFound),
        }
    }
}

/// An open regular file.
#[derive(Debug)]
pub(crate) struct File(FileSource);

#[derive(Debug)]
enum FileSource {
    Disk(disk::File),
    /// A text of an overlay, of which the first `read` bytes were read.
    Unsaved {
        text: Arc<Unsaved>,
        read: usize,
    },
}

impl File {
    pub(super) fn of_disk(file: disk::File) -> File {
        File(FileSource::Disk(file))
    }

    pub(super) fn unsaved(text: Arc<Unsaved>) -> File {
        File(FileSource::Unsaved { text, read: 0 })
    }

    /// Returns the metadata from when the file was opened.
    pub(crate) fn meta(&self) -> &Meta {
        match &self.0 {
            FileSource::Disk(file) => file.meta(),
            FileSource::Unsaved { text, .. } => &text.meta,
        }
    }

    /// Returns whether the content is a text of an overlay. Such a text is UTF-8, whatever encodings are
    /// declared for files on disk: the host passes the text itself and not the bytes that it would save.
    pub(crate) fn is_unsaved(&self) -> bool {
        matches!(self.0, FileSource::Unsaved { .. })
    }

    /// Returns those of the `declared` encodings that the content may be in: none for a text of an overlay.
    pub(crate) fn encodings(&self, declared: &Encodings) -> Encodings {
        if self.is_unsaved() { Encodings::default() } else { declared.clone() }
    }

    /// Reads once at `offset`, without moving the position; a signal may interrupt it.
    #[cfg_attr(not(feature = "git"), expect(dead_code, reason = "only git uses it"))]
    pub(crate) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match &self.0 {
            FileSource::Disk(file) => file.read_at(offset, buffer),
            FileSource::Unsaved { text, .. } => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                Ok(text.copy_from(start, buffer))
            }
        }
    }

    /// Returns whether something is mounted over the file; true where the system does not report it.
    pub(crate) fn is_mount(&self) -> bool {
        match &self.0 {
            FileSource::Disk(file) => file.is_mount(),
            FileSource::Unsaved { .. } => false,
        }
    }

    /// Returns the current stamp of the file; `None` if the system does not report one.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        match &self.0 {
            FileSource::Disk(file) => file.stamp(),
            FileSource::Unsaved { text, .. } => Some(text.meta.file_stamp()),
        }
    }
}

impl io::Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            FileSource::Disk(file) => file.read(buffer),
            FileSource::Unsaved { text, read } => {
                let n = text.copy_from(*read, buffer);
                *read += n;
                Ok(n)
            }
        }
    }
}

#[cfg(all(test, target_os = "linux", not(searchscope_unix)))]
impl Dir {
    /// Opens a directory of a test.
    pub(crate) fn open(path: &std::path::Path) -> Dir {
        Dir::of_disk(disk::Dir::open(path))
    }
}
