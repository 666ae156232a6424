//! The backend for other systems: a walk over components through std, each checked before it is passed.
//!
//! Between the check and the use another process may exchange an entry; only the Linux backend excludes that
//! race. Interface and results are otherwise the same.

use super::overlay::LinkTarget;
use super::{FsError, Kind, Meta};
use crate::syntax::FileStamp;
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::rel_path::RelPath;
#[cfg(not(unix))]
use crate::workspace::windows_names::is_entry_name;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

#[expect(clippy::disallowed_methods, reason = "this file is the door")]
mod door {
    use super::{fs, io};
    use std::path::{Path, PathBuf};

    pub(super) fn look(path: &Path) -> io::Result<fs::Metadata> {
        fs::symlink_metadata(path)
    }
    pub(super) fn open(path: &Path) -> io::Result<fs::File> {
        fs::File::open(path)
    }
    pub(super) fn list(path: &Path) -> io::Result<fs::ReadDir> {
        fs::read_dir(path)
    }
    pub(super) fn link(path: &Path) -> io::Result<PathBuf> {
        fs::read_link(path)
    }
    pub(super) fn real(path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }
    pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
    pub(super) fn remove(path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    #[cfg(unix)]
    #[expect(clippy::disallowed_types, reason = "this file is the door")]
    pub(super) fn create_new(path: &Path) -> io::Result<fs::File> {
        use std::os::unix::fs::OpenOptionsExt;
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
    }
    #[cfg(not(unix))]
    pub(super) fn create_new(path: &Path) -> io::Result<fs::File> {
        fs::File::create_new(path)
    }
}

/// The limit of Linux for symlinks in one path.
const LINKS_MAX: usize = 40;

/// The root directory, by its real path.
#[derive(Debug)]
pub(crate) struct Root {
    real_path: PathBuf,
    /// Denied entries, which no link may lead to. A path without links is its caller's to judge.
    deny: Option<Arc<IgnoreLines>>,
}

/// A directory, by its path without symlinks.
#[derive(Debug)]
pub(crate) struct Dir {
    path: PathBuf,
    id: (u64, u64),
    /// The path without symlinks, if it differs and something is denied.
    real: Option<RelPath>,
}

/// An open regular file.
#[derive(Debug)]
pub(crate) struct File {
    file: fs::File,
    meta: Meta,
}

/// A directory in which files may be written, by its path without symlinks.
#[derive(Debug)]
pub(crate) struct OutputHandle(PathBuf);

/// A file that is being written.
pub(crate) type NewFile = fs::File;

/// Empty: std lists directories with memory of its own.
#[derive(Debug, Default)]
pub(crate) struct ListBuffer;

impl Root {
    /// Opens the root itself, through symlinks: the host names it and is trusted.
    pub(crate) fn open(path: &Path) -> Result<Root, FsError> {
        let real_path = door::real(path)?;
        let root = Root { real_path, deny: None };
        root.open_dir(&RelPath::root(), false)?;
        Ok(root)
    }

    /// Makes links that lead to or through entries that `deny` ignores lead nowhere.
    pub(crate) fn set_deny(&mut self, deny: Option<Arc<IgnoreLines>>) {
        self.deny = deny;
    }

    /// Returns the lines of the `deny` option.
    pub(crate) fn deny(&self) -> Option<&IgnoreLines> {
        self.deny.as_deref()
    }

    /// Returns the root's path without symlinks.
    pub(crate) fn real_path(&self) -> &Path {
        &self.real_path
    }

    /// Opens a directory; symlinks are followed only with `follow`, and only inside the root.
    pub(crate) fn open_dir(&self, path: &RelPath, follow: bool) -> Result<Dir, FsError> {
        let native = self.walk_components(path, follow)?.ok_or(FsError::NotFound)?;
        let real = self.deny.as_ref().map(|_| self.rel_path(&native));
        let mut dir = Dir::at(native)?;
        dir.real = real.filter(|real| real != path);
        Ok(dir)
    }

    /// Opens a regular file; symlinks are followed only with `follow`, and only inside the root.
    pub(crate) fn open_file(&self, path: &RelPath, follow: bool) -> Result<File, FsError> {
        File::at(&self.walk_components(path, follow)?.ok_or(FsError::NotFound)?)
    }

    /// Opens, without following symlinks, a file that a listing has just reported as regular.
    pub(crate) fn open_listed_file(&self, path: &RelPath) -> Result<File, FsError> {
        self.open_file(path, false)
    }

    /// Returns the metadata of `path`; with `follow` through symlinks inside the root.
    pub(crate) fn stat(&self, path: &RelPath, follow: bool) -> Result<Meta, FsError> {
        match self.walk_components(path, follow) {
            Ok(path) => Ok(meta(&door::look(&path.ok_or(FsError::NotFound)?)?)),
            Err(FsError::Symlink) if !follow => {
                let dir = self.open_dir(&path.parent().unwrap_or_default(), follow)?;
                dir.stat(path.file_name())
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the metadata of `path`, through symlinks inside the root; `None` if they lead to a denied
    /// entry.
    pub(crate) fn stat_followed(&self, path: &RelPath) -> Result<Option<Meta>, FsError> {
        let native = self.walk_components(path, true)?;
        native.map(|native| Ok(meta(&door::look(&native)?))).transpose()
    }

    /// Returns the path without symlinks to which `path` leads; with `as_listed` in the names that
    /// directories list.
    pub(crate) fn without_links(
        &self,
        path: &RelPath,
        as_listed: bool,
    ) -> Result<RelPath, FsError> {
        let native = self.walk(path, true, as_listed)?.ok_or(FsError::NotFound)?;
        Ok(self.rel_path(&native))
    }

    /// Returns the target of the symlink at `path`, which is reached without other links.
    pub(crate) fn link_target(&self, path: &RelPath) -> Result<LinkTarget, FsError> {
        let dir = self.open_dir(&path.parent().unwrap_or_default(), false)?;
        let target = door::link(&dir.path.join(to_native(path.file_name())?))?;
        let names = self.inside(&target)?;
        let names = names.iter().map(|name| name.as_os_str().as_encoded_bytes().to_vec());
        Ok(LinkTarget { is_absolute: target.has_root(), names: names.collect() })
    }

    /// Returns the real path to which `path` leads; `None` if links lead to a denied entry.
    fn walk_components(&self, path: &RelPath, follow: bool) -> Result<Option<PathBuf>, FsError> {
        self.walk(path, follow, self.deny.is_some())
    }

    /// Like [`Root::walk_components`]; with `as_listed` in the names that directories list.
    fn walk(
        &self,
        path: &RelPath,
        follow: bool,
        as_listed: bool,
    ) -> Result<Option<PathBuf>, FsError> {
        let mut todo: Vec<PathBuf> = Vec::new();
        for name in path.components().rev() {
            todo.push(to_native(name)?);
        }
        let mut here = self.real_path.clone();
        let mut links = 0;
        while let Some(name) = todo.pop() {
            if name == Path::new("..") {
                if here == self.real_path || !here.pop() {
                    return Err(FsError::Outside);
                }
                continue;
            }
            here.push(name);
            let found = door::look(&here).map(|found| meta(&found));
            if let (true, Ok(found)) = (as_listed, &found) {
                here.set_file_name(listed_name(&here, found)?);
            }
            if self.denies(&here, found.as_ref().ok()) {
                return Ok(None);
            }
            match found?.kind {
                Kind::Symlink => {
                    links += 1;
                    if !follow || links > LINKS_MAX {
                        return Err(FsError::Symlink);
                    }
                    let target = door::link(&here)?;
                    here.pop();
                    if target.has_root() {
                        here.clone_from(&self.real_path);
                    }
                    todo.extend(self.inside(&target)?.into_iter().rev());
                }
                Kind::Dir => {}
                Kind::File | Kind::Special if todo.is_empty() => {}
                Kind::File | Kind::Special => return Err(FsError::WrongKind),
            }
        }
        Ok(Some(here))
    }

    /// Returns whether the entry `native`, whose directories were judged before, is denied.
    fn denies(&self, native: &Path, found: Option<&Meta>) -> bool {
        let Some(deny) = &self.deny else {
            return false;
        };
        let path = self.rel_path(native);
        let denies = |is_dir| deny.verdict(path.as_bytes(), is_dir) == Verdict::Ignore;
        match found {
            Some(found) => denies(found.kind == Kind::Dir),
            // A caller must not learn whether an entry exists that is denied as either kind.
            None => denies(false) || denies(true),
        }
    }

    fn rel_path(&self, native: &Path) -> RelPath {
        let below = native.strip_prefix(&self.real_path).unwrap_or(Path::new(""));
        RelPath::from_components(below.iter().map(|name| name.as_encoded_bytes()))
    }

    fn inside(&self, target: &Path) -> Result<Vec<PathBuf>, FsError> {
        let target = if target.has_root() {
            target.strip_prefix(&self.real_path).map_err(|_| FsError::Outside)?
        } else {
            target
        };
        let mut names = Vec::new();
        for component in target.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(_) | Component::ParentDir => {
                    names.push(PathBuf::from(component.as_os_str()));
                }
                Component::RootDir | Component::Prefix(_) => return Err(FsError::Outside),
            }
        }
        Ok(names)
    }
}

/// Returns the name that the directory lists for the entry `found` at `path`.
///
/// On file systems that ignore letter case, or that have short forms of long names, a caller may use another
/// name than the one that `deny` is matched against.
///
/// # Errors
///
/// `NotFound` if no listed name leads to the entry, which then cannot be judged.
fn listed_name(path: &Path, found: &Meta) -> Result<OsString, FsError> {
    let (Some(name), Some(dir)) = (path.file_name(), path.parent()) else {
        return Err(FsError::NotFound);
    };
    if !may_be_listed_otherwise(dir, name) {
        return Ok(name.to_owned());
    }
    let (mut in_other_case, mut same_entry) = (None, None);
    for entry in door::list(dir)? {
        let listed = entry?.file_name();
        if listed == name {
            return Ok(listed);
        }
        if listed.eq_ignore_ascii_case(name) {
            in_other_case = Some(listed);
        } else if cfg!(unix) && same_entry.is_none() {
            let is_same = |other: fs::Metadata| meta(&other).id == found.id;
            same_entry = door::look(&dir.join(&listed)).is_ok_and(is_same).then_some(listed);
        }
    }
    // A short name on Windows resembles no listed name; the system knows the long one.
    let real = || door::real(path).ok().filter(|_| found.kind != Kind::Symlink);
    let known = in_other_case.or(same_entry);
    known.or_else(|| Some(real()?.file_name()?.to_owned())).ok_or(FsError::NotFound)
}

/// Returns whether the file system may list the entry that `name` leads to under another name.
fn may_be_listed_otherwise(dir: &Path, name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let is_odd =
        !name.is_ascii() || bytes.contains(&b'~') || matches!(bytes.last(), Some(b'.' | b' '));
    let swapped: String = name.to_string_lossy().chars().map(swap_case).collect();
    is_odd || OsStr::new(&swapped) != name && door::look(&dir.join(swapped)).is_ok()
}

fn swap_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}

impl Dir {
    fn at(path: PathBuf) -> Result<Dir, FsError> {
        let meta = meta(&door::look(&path)?);
        match meta.kind {
            Kind::Dir => Ok(Dir { path, id: meta.id, real: None }),
            Kind::Symlink => Err(FsError::Symlink),
            Kind::File | Kind::Special => Err(FsError::WrongKind),
        }
    }

    /// Returns device and inode of the directory; a hash of its path on systems without them.
    pub(crate) fn id(&self) -> (u64, u64) {
        self.id
    }

    /// Returns the current stamp of the directory; `None` if it is not available.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        None
    }

    /// Returns the path without symlinks, if it differs and the root's `deny` needs it.
    pub(crate) fn real_path(&self) -> Option<&RelPath> {
        self.real.as_ref()
    }

    /// Passes each entry's name and kind to `each`, in the system's order, until it returns false.
    ///
    /// A name that is not valid Unicode contains U+FFFD on systems other than Unix.
    pub(crate) fn list(
        &self,
        _buffer: &mut ListBuffer,
        each: &mut dyn FnMut(&[u8], Option<Kind>) -> bool,
    ) -> Result<(), FsError> {
        for entry in door::list(&self.path)? {
            let entry = entry?;
            let kind = entry.file_type().ok().map(kind);
            let name = entry.file_name();
            let go_on = match (cfg!(unix), name.to_str()) {
                (false, None) => each(name.to_string_lossy().as_bytes(), kind),
                _ => each(name.as_encoded_bytes(), kind),
            };
            if !go_on {
                break;
            }
        }
        Ok(())
    }

    /// Opens the directory `name` in this one; it must not be a symlink.
    pub(crate) fn open_dir(&self, name: &[u8]) -> Result<Dir, FsError> {
        let mut dir = Dir::at(self.path.join(to_native(name)?))?;
        dir.real = self.real.as_ref().map(|real| real.join(name));
        Ok(dir)
    }

    /// Opens the regular file `name` in this one; it must not be a symlink.
    pub(crate) fn open_file(&self, name: &[u8]) -> Result<File, FsError> {
        File::at(&self.path.join(to_native(name)?))
    }

    /// Returns the target of the symlink `name` in this directory; `None` for any other entry.
    pub(crate) fn read_link(&self, name: &[u8]) -> Result<Option<Vec<u8>>, FsError> {
        let path = self.path.join(to_native(name)?);
        if door::look(&path)?.file_type().is_symlink() {
            let target = door::link(&path)?.into_os_string().into_encoded_bytes();
            return Ok(Some(target));
        }
        Ok(None)
    }

    /// Returns the metadata of the entry `name` itself, not of a link's target.
    pub(crate) fn stat(&self, name: &[u8]) -> Result<Meta, FsError> {
        Ok(meta(&door::look(&self.path.join(to_native(name)?))?))
    }
}

impl File {
    fn at(path: &Path) -> Result<File, FsError> {
        match meta(&door::look(path)?).kind {
            Kind::File => {}
            Kind::Symlink => return Err(FsError::Symlink),
            Kind::Dir | Kind::Special => return Err(FsError::WrongKind),
        }
        let file = door::open(path)?;
        let meta = meta(&file.metadata()?);
        if meta.kind != Kind::File {
            return Err(FsError::WrongKind);
        }
        Ok(File { file, meta })
    }

    /// Returns the metadata from when the file was opened.
    pub(crate) fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Reads once at `offset`.
    #[cfg(unix)]
    pub(crate) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
    }

    /// Reads once at `offset`.
    #[cfg(windows)]
    pub(crate) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)
    }

    /// Returns whether something is mounted over the file; unknown here, hence always true.
    pub(crate) fn is_mount(&self) -> bool {
        true
    }

    /// Returns the current stamp of the file; `None` if it is not available.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        None
    }
}

impl OutputHandle {
    /// Opens the directory, through symlinks; also returns its path without them.
    pub(crate) fn open(path: &Path) -> Result<(OutputHandle, PathBuf), FsError> {
        let real_path = door::real(path)?;
        Dir::at(real_path.clone())?;
        Ok((OutputHandle(real_path.clone()), real_path))
    }

    /// Calls `each` with the name and the modification time, in nanoseconds since 1970, of each regular
    /// file whose name `is_meant`.
    pub(crate) fn each_file(
        &self,
        is_meant: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(&str, i128),
    ) -> io::Result<()> {
        let dir = Dir { path: self.0.clone(), id: (0, 0), real: None };
        let listed = dir.list(&mut ListBuffer, &mut |name, _| {
            if let Ok(name) = std::str::from_utf8(name)
                && is_meant(name)
                && let Ok(meta) = dir.stat(name.as_bytes())
                && meta.kind == Kind::File
            {
                each(name, meta.mtime_ns);
            }
            true
        });
        listed.map_err(|error| io::Error::other(error.reason()))
    }

    /// Creates a new file, accessible to its owner only.
    pub(crate) fn create_new(&self, name: &str) -> io::Result<NewFile> {
        door::create_new(&self.0.join(name))
    }

    /// Renames a file, replacing any entry with the new name other than a directory.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let to = self.0.join(to);
        // Not every system refuses to replace an empty directory.
        if door::look(&to).is_ok_and(|found| found.is_dir()) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        door::rename(&self.0.join(from), &to)
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        door::remove(&self.0.join(name))
    }
}

impl io::Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

#[cfg(unix)]
fn to_native(name: &[u8]) -> Result<PathBuf, FsError> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(name)))
}

/// Returns the name of an entry for the system. Joining a path instead of a name would leave the directory,
/// so every name is checked here, wherever it comes from.
#[cfg(not(unix))]
fn to_native(name: &[u8]) -> Result<PathBuf, FsError> {
    let name = std::str::from_utf8(name).ok().filter(|name| is_entry_name(name));
    name.map(PathBuf::from).ok_or(FsError::NotFound)
}

fn kind(file_type: fs::FileType) -> Kind {
    if file_type.is_symlink() {
        Kind::Symlink
    } else if file_type.is_dir() {
        Kind::Dir
    } else if file_type.is_file() {
        Kind::File
    } else {
        Kind::Special
    }
}

fn meta(found: &fs::Metadata) -> Meta {
    let mtime_ns = found.modified().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
        Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
    });
    Meta {
        kind: kind(found.file_type()),
        size: found.len(),
        mtime_ns,
        ctime_ns: ctime_ns(found, mtime_ns),
        id: id(found),
        executable: executable(found, 0o111),
        owner_executable: executable(found, 0o100),
        has_links: false,
    }
}

#[cfg(unix)]
fn ctime_ns(found: &fs::Metadata, _mtime_ns: i128) -> i128 {
    use std::os::unix::fs::MetadataExt;
    i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec())
}

#[cfg(not(unix))]
fn ctime_ns(_found: &fs::Metadata, mtime_ns: i128) -> i128 {
    mtime_ns
}

#[cfg(unix)]
fn executable(found: &fs::Metadata, bits: u32) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & bits != 0
}

/// Systems without such bits report no file as executable.
#[cfg(not(unix))]
fn executable(_found: &fs::Metadata, _bits: u32) -> bool {
    false
}

#[cfg(unix)]
fn id(found: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn id(_found: &fs::Metadata) -> (u64, u64) {
    // Without an identity a followed loop still ends: at the limit of links and of depth.
    (0, 0)
}

impl From<io::Error> for FsError {
    fn from(error: io::Error) -> FsError {
        match error.kind() {
            // No existing entry can have a name longer than the limit.
            io::ErrorKind::NotFound => FsError::NotFound,
            io::ErrorKind::InvalidFilename => FsError::NameTooLong,
            io::ErrorKind::NotADirectory => FsError::WrongKind,
            _ => FsError::Io(error),
        }
    }
}
