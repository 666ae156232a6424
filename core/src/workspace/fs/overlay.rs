//! Unsaved texts over a tree: the files, deletions and new directories that a host adds to it.
//!
//! [`Overlay`] is data: for each directory that it changes, the entries that it adds or removes. [`Root`] and
//! [`Dir`](super::Dir) consult it before the disk, so that no layer above needs to know of it. Its paths have
//! no symlinks, as the tree was when the overlay was made. The alternative, a temporary copy of the tree,
//! would write to the user's disk and take time that grows with the tree.

use super::{FsError, Kind, Meta, Root};
use crate::workspace::rel_path::RelPath;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Device number of added files and directories, which no disk has. Comparisons by device and inode therefore
/// never mistake a text for a file on disk.
pub(super) const DEVICE: u64 = u64::MAX;

/// Changes to a tree that are not on disk.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    /// For each directory with changes, the entries that differ from the disk.
    dirs: HashMap<RelPath, BTreeMap<Vec<u8>, Layered>>,
    /// The modification time of the texts, in nanoseconds since 1970.
    written_ns: i128,
}

/// An entry that differs from the disk.
#[derive(Clone, Debug)]
pub(super) enum Layered {
    Text(Arc<Unsaved>),
    /// The entry is absent.
    Deleted,
    /// A directory that is not on disk.
    Dir(Meta),
}

/// A text that is not on disk.
#[derive(Debug)]
pub(super) struct Unsaved {
    pub bytes: Vec<u8>,
    pub meta: Meta,
}

impl Unsaved {
    /// Copies bytes from `start` on into `buffer`; returns their number, 0 at the end.
    pub(super) fn copy_from(&self, start: usize, buffer: &mut [u8]) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        n
    }
}

/// Reason for which an entry cannot be added to an [`Overlay`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// Another text for the same file.
    Twice,
    /// A path below a file, or a file in the place of a directory.
    FileAndDir,
}

impl Overlay {
    /// Creates an overlay without entries; its texts have the current time.
    pub(crate) fn new() -> Overlay {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let written_ns = now.map_or(0, |now| i128::try_from(now.as_nanos()).unwrap_or(i128::MAX));
        Overlay { dirs: HashMap::new(), written_ns }
    }

    /// Adds `text` as the file `path`; `above` is the part of the path that is a directory on disk.
    /// Directories between them are added.
    pub(crate) fn add_text(
        &mut self,
        above: &RelPath,
        path: &RelPath,
        text: Vec<u8>,
        executable: bool,
    ) -> Result<(), Conflict> {
        let mut dir = above.clone();
        let names: Vec<&[u8]> = path.components().skip(above.components().count()).collect();
        let Some((file_name, dirs)) = names.split_last() else {
            return Err(Conflict::FileAndDir);
        };
        for name in dirs {
            let below = dir.join(name);
            let added = Layered::Dir(self.meta(&below, None, false));
            let entries = self.dirs.entry(dir.clone()).or_default();
            match entries.entry(name.to_vec()).or_insert(added) {
                Layered::Dir(_) => dir = below,
                Layered::Text(_) | Layered::Deleted => return Err(Conflict::FileAndDir),
            }
        }
        let meta = self.meta(path, Some(&text), executable);
        let text = Layered::Text(Arc::new(Unsaved { bytes: text, meta }));
        self.add(&dir, file_name, text)
    }

    /// Removes the file `path`.
    pub(crate) fn delete(&mut self, path: &RelPath) -> Result<(), Conflict> {
        self.add(&path.parent().unwrap_or_default(), path.file_name(), Layered::Deleted)
    }

    fn add(&mut self, dir: &RelPath, name: &[u8], entry: Layered) -> Result<(), Conflict> {
        let entries = self.dirs.entry(dir.clone()).or_default();
        match entries.insert(name.to_vec(), entry) {
            None => Ok(()),
            Some(Layered::Dir(_)) => Err(Conflict::FileAndDir),
            Some(_) => Err(Conflict::Twice),
        }
    }

    /// Returns the metadata of the entry at `path`. The same text has the same identity in the next overlay,
    /// so that cursors remain valid.
    fn meta(&self, path: &RelPath, text: Option<&[u8]>, executable: bool) -> Meta {
        let mut hasher = DefaultHasher::new();
        (path.as_bytes(), text).hash(&mut hasher);
        Meta {
            kind: if text.is_some() { Kind::File } else { Kind::Dir },
            size: text.map_or(0, <[u8]>::len) as u64,
            mtime_ns: self.written_ns,
            ctime_ns: self.written_ns,
            id: (DEVICE, hasher.finish()),
            executable,
            owner_executable: executable,
            has_links: false,
        }
    }

    /// Returns the same overlay for a root at `base`, which is a directory on disk: the entries below it. The
    /// texts are shared, so the second root that a workspace has for its documents costs no copy of them.
    pub(crate) fn below(&self, base: &RelPath) -> Overlay {
        let n_names = base.components().count();
        let inside = self.dirs.iter().filter(|(dir, _)| dir.starts_with(base));
        let rebased = inside.map(|(dir, entries)| {
            (RelPath::from_components(dir.components().skip(n_names)), entries.clone())
        });
        Overlay { dirs: rebased.collect(), written_ns: self.written_ns }
    }

    /// Returns the same overlay for a root above, in which this one's root is at `base`.
    pub(crate) fn above(&self, base: &RelPath) -> Overlay {
        let rebased = self.dirs.iter().map(|(dir, entries)| {
            let names = base.components().chain(dir.components());
            (RelPath::from_components(names), entries.clone())
        });
        Overlay { dirs: rebased.collect(), written_ns: self.written_ns }
    }

    /// Returns whether there is an entry for `path`.
    pub(crate) fn has(&self, path: &RelPath) -> bool {
        self.entry(&path.parent().unwrap_or_default(), path.file_name()).is_some()
    }

    /// Returns the entry `name` of the directory `dir` if it differs from the disk.
    pub(super) fn entry(&self, dir: &RelPath, name: &[u8]) -> Option<&Layered> {
        self.dirs.get(dir)?.get(name)
    }

    /// Returns the entries of `dir` that differ from the disk.
    pub(super) fn entries(&self, dir: &RelPath) -> Option<&BTreeMap<Vec<u8>, Layered>> {
        self.dirs.get(dir)
    }

    /// Returns whether the directory `dir`, or an ignore file of a repository in it, differs from the disk.
    /// The index must neither serve nor remember such a directory.
    pub(crate) fn changes(&self, dir: &RelPath) -> bool {
        let git = dir.join(b".git");
        self.dirs.contains_key(dir)
            || self.dirs.contains_key(&git)
            || self.dirs.contains_key(&git.join(b"info"))
    }

    /// Returns whether any name of `path` differs from the disk.
    fn is_on_the_way(&self, path: &RelPath) -> bool {
        let mut dir = RelPath::root();
        path.components().any(|name| {
            let is_layered = self.entry(&dir, name).is_some();
            dir = dir.join(name);
            is_layered
        })
    }
}

/// The place that a path leads to, in a tree with an overlay.
pub(super) enum Place {
    /// A path without symlinks to an entry as on disk.
    Disk(RelPath),
    Text(RelPath, Arc<Unsaved>),
    /// A directory that is not on disk.
    Dir(RelPath, Meta),
}

impl Place {
    /// Returns the path without symlinks.
    pub(super) fn into_path(self) -> RelPath {
        match self {
            Place::Disk(path) | Place::Text(path, _) | Place::Dir(path, _) => path,
        }
    }
}

/// The limit of Linux for symlinks in one path.
const LINKS_MAX: usize = 40;

/// Finds the place of `path` below `disk` with `overlay` over it; symlinks are followed only with `follow`,
/// and only inside the root.
///
/// A link on disk may lead to an added file, and a path through a deleted one leads nowhere, so links are
/// expanded here, name by name. Paths that need none of this cost one look-up on disk.
pub(super) fn place(
    disk: &super::disk::Root,
    overlay: &Overlay,
    path: &RelPath,
    follow: bool,
) -> Result<Place, FsError> {
    if !overlay.is_on_the_way(path)
        && (!follow || disk.stat(path, false).is_ok_and(|meta| meta.kind != Kind::Symlink))
    {
        return Ok(Place::Disk(path.clone()));
    }
    let mut todo: Vec<Vec<u8>> = path.components().rev().map(<[u8]>::to_vec).collect();
    let mut here = Place::Disk(RelPath::root());
    let mut n_links = 0;
    while let Some(name) = todo.pop() {
        let dir = match here {
            Place::Text(..) => return Err(FsError::WrongKind),
            Place::Disk(ref dir) | Place::Dir(ref dir, _) => dir.clone(),
        };
        if name == b".." {
            let above = dir.parent().ok_or(FsError::Outside)?;
            here = match overlay.entry(&above.parent().unwrap_or_default(), above.file_name()) {
                Some(Layered::Dir(meta)) => Place::Dir(above, *meta),
                _ => Place::Disk(above),
            };
            continue;
        }
        let next = dir.join(&name);
        match (overlay.entry(&dir, &name), &here) {
            (Some(Layered::Deleted), _) | (None, Place::Dir(..)) => return Err(FsError::NotFound),
            (Some(Layered::Text(text)), _) => here = Place::Text(next, Arc::clone(text)),
            (Some(Layered::Dir(meta)), _) => here = Place::Dir(next, *meta),
            (None, _) => match disk.stat(&next, false)?.kind {
                // A link with the last name is the entry itself.
                Kind::Symlink if !follow && todo.is_empty() => here = Place::Disk(next),
                Kind::Symlink => {
                    n_links += 1;
                    if !follow || n_links > LINKS_MAX {
                        return Err(FsError::Symlink);
                    }
                    let target = disk.link_target(&next)?;
                    let start = if target.is_absolute { RelPath::root() } else { dir };
                    here = Place::Disk(start);
                    todo.extend(target.names.into_iter().rev());
                }
                Kind::File | Kind::Special if !todo.is_empty() => return Err(FsError::WrongKind),
                Kind::Dir | Kind::File | Kind::Special => here = Place::Disk(next),
            },
        }
    }
    Ok(here)
}

/// The target of a symlink: a path from the directory of the link, or from the root.
#[derive(Debug)]
pub(super) struct LinkTarget {
    pub is_absolute: bool,
    /// Names, including `..`.
    pub names: Vec<Vec<u8>>,
}

impl Root {
    /// Returns the longest beginning of the path `dir` that is a directory on disk, without symlinks, and the
    /// whole path with that beginning.
    ///
    /// # Errors
    ///
    /// `WrongKind` if an entry on the path is not a directory; those of opening.
    pub(crate) fn part_on_disk(&self, dir: &RelPath) -> Result<(RelPath, RelPath), FsError> {
        let names: Vec<&[u8]> = dir.components().collect();
        for n_names in (0..=names.len()).rev() {
            let (part, rest) = names.split_at(n_names);
            let part = RelPath::from_components(part.iter().copied());
            match self.listed_path(&part) {
                Err(FsError::NotFound) if !part.is_root() => {
                    // A link that leads nowhere occupies the name.
                    if self.stat(&part, false).is_ok() {
                        return Err(FsError::WrongKind);
                    }
                }
                Err(error) => return Err(error),
                Ok(part) if self.stat(&part, false)?.kind != Kind::Dir => {
                    return Err(FsError::WrongKind);
                }
                Ok(part) => {
                    let names = part.components().chain(rest.iter().copied());
                    let whole = RelPath::from_components(names);
                    return Ok((part, whole));
                }
            }
        }
        Err(FsError::NotFound)
    }
}
