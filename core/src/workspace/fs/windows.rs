//! Windows: names are opened one by one beneath the root, each by a handle that follows no link.
//!
//! The system opens by path only, so a path is made safe by handles instead: a directory is opened without
//! following reparse points and without the right for others to delete or rename it, and it stays open while
//! a name below it is opened. NTFS refuses to rename a directory with an open entry anywhere beneath it, so
//! the handle of one directory also protects those above it. Links and junctions are read and expanded here.
//!
//! One gap is left: a program that may write attributes can turn an empty directory into a junction while it
//! is held, and a name below it then leads elsewhere.

use super::overlay::LinkTarget;
use super::{FsError, Kind, Meta};
use crate::syntax::FileStamp;
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::real_path::{is_below, plain};
use crate::workspace::rel_path::RelPath;
use crate::workspace::windows_names::is_entry_name;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use winapi_util::file::{Information, information, typ};

#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "this file is the door")]
mod door {
    use super::{fs, io};
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};

    const FILE_READ_ATTRIBUTES: u32 = 0x80;
    const GENERIC_READ: u32 = 0x8000_0000;
    const SHARE_READ_WRITE: u32 = 0x3;
    const SHARE_ALL: u32 = 0x7;
    /// Needed to open a directory.
    const BACKUP_SEMANTICS: u32 = 0x0200_0000;
    /// Opens a link or junction itself.
    const OPEN_REPARSE_POINT: u32 = 0x0020_0000;

    /// Opens an entry itself for its metadata.
    pub(super) fn look(path: &Path) -> io::Result<fs::File> {
        open(path, FILE_READ_ATTRIBUTES, SHARE_ALL, OPEN_REPARSE_POINT)
    }
    /// Opens an entry itself; until the handle is closed others cannot delete or rename it.
    pub(super) fn hold(path: &Path) -> io::Result<fs::File> {
        // Sharing is checked only for handles that may read or write.
        open(path, GENERIC_READ, SHARE_READ_WRITE, OPEN_REPARSE_POINT)
    }
    /// Opens an entry itself for reading.
    pub(super) fn read(path: &Path) -> io::Result<fs::File> {
        open(path, GENERIC_READ, SHARE_ALL, OPEN_REPARSE_POINT)
    }
    /// Opens an entry for reading through its reparse point, which the caller knows not to be a link.
    pub(super) fn read_through(path: &Path) -> io::Result<fs::File> {
        open(path, GENERIC_READ, SHARE_ALL, 0)
    }
    fn open(path: &Path, access: u32, share: u32, flags: u32) -> io::Result<fs::File> {
        let mut options = fs::OpenOptions::new();
        options.access_mode(access).share_mode(share).custom_flags(flags | BACKUP_SEMANTICS);
        options.open(path)
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
    pub(super) fn create_new(path: &Path) -> io::Result<fs::File> {
        fs::File::create_new(path)
    }
    pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
    pub(super) fn remove(path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// The limit of Linux for symlinks in one path.
const LINKS_MAX: usize = 40;
/// The attribute of links, junctions and placeholders.
const REPARSE_POINT: u64 = 0x400;
const DIRECTORY: u64 = 0x10;

/// The handle of the root directory.
#[derive(Debug)]
pub(crate) struct Root {
    /// Keeps the root from being renamed or replaced.
    dir: Dir,
    /// Denied entries, which no link may lead to. A path without links is its caller's to judge.
    deny: Option<Arc<IgnoreLines>>,
}

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir {
    /// Keeps the directory from being renamed or replaced.
    _handle: fs::File,
    /// Its path without links.
    path: PathBuf,
    id: (u64, u64),
    /// The path below the root without links, if it differs and something is denied.
    real: Option<RelPath>,
}

/// An open regular file.
#[derive(Debug)]
pub(crate) struct File {
    file: fs::File,
    meta: Meta,
}

/// A directory in which files may be written.
#[derive(Debug)]
pub(crate) struct OutputHandle(Dir);

/// A file that is being written.
pub(crate) type NewFile = fs::File;

/// Empty: std lists directories with memory of its own.
#[derive(Debug, Default)]
pub(crate) struct ListBuffer;

/// The end of a path: an entry, and the directory that holds it in place.
struct HeldPath {
    /// Holds the entry's directory, unless that is the root or above it.
    _dir: Option<Dir>,
    path: PathBuf,
}

impl Root {
    /// Opens the root itself, through symlinks: the host names it and is trusted.
    pub(crate) fn open(path: &Path) -> Result<Root, FsError> {
        Ok(Root { dir: Dir::at(plain(&door::real(path)?))?, deny: None })
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
        &self.dir.path
    }

    /// Opens a directory; symlinks are followed only with `follow`, and only inside the root.
    pub(crate) fn open_dir(&self, path: &RelPath, follow: bool) -> Result<Dir, FsError> {
        let held = self.walk_components(path, follow)?.ok_or(FsError::NotFound)?;
        let real = self.deny.as_ref().map(|_| self.rel_path(&held.path));
        let mut dir = Dir::at(held.path)?;
        dir.real = real.filter(|real| real != path);
        Ok(dir)
    }

    /// Opens a regular file; symlinks are followed only with `follow`, and only inside the root.
    pub(crate) fn open_file(&self, path: &RelPath, follow: bool) -> Result<File, FsError> {
        File::at(&self.walk_components(path, follow)?.ok_or(FsError::NotFound)?.path)
    }

    /// Opens, without following symlinks, a file that a listing has just reported as regular.
    pub(crate) fn open_listed_file(&self, path: &RelPath) -> Result<File, FsError> {
        self.open_file(path, false)
    }

    /// Returns the metadata of `path`; `None` if symlinks lead to a denied entry. They are followed only with
    /// `follow`, and only inside the root.
    pub(crate) fn look(&self, path: &RelPath, follow: bool) -> Result<Option<Meta>, FsError> {
        self.walk_components(path, follow)?.map(|held| look(&held.path)).transpose()
    }

    /// Returns the path without symlinks to which `path` leads; with `as_listed` in the names that
    /// directories list.
    pub(crate) fn without_links(
        &self,
        path: &RelPath,
        as_listed: bool,
    ) -> Result<RelPath, FsError> {
        let held = self.walk(path, true, as_listed)?.ok_or(FsError::NotFound)?;
        Ok(self.rel_path(&held.path))
    }

    /// Returns the target of the symlink at `path`, which is reached without other links.
    pub(crate) fn link_target(&self, path: &RelPath) -> Result<LinkTarget, FsError> {
        let dir = self.open_dir(&path.parent().unwrap_or_default(), false)?;
        let target = door::link(&dir.path.join(to_native(path.file_name())?))?;
        let names = self.inside(&target)?;
        let names = names.iter().map(|name| name.as_os_str().as_encoded_bytes().to_vec());
        Ok(LinkTarget { is_absolute: target.has_root(), names: names.collect() })
    }

    /// Returns the held path of the entry to which `path` leads; `None` if links lead to a denied entry.
    fn walk_components(&self, path: &RelPath, follow: bool) -> Result<Option<HeldPath>, FsError> {
        self.walk(path, follow, self.deny.is_some())
    }

    /// Like [`Root::walk_components`]; with `as_listed` in the names that directories list.
    fn walk(
        &self,
        path: &RelPath,
        follow: bool,
        as_listed: bool,
    ) -> Result<Option<HeldPath>, FsError> {
        let mut todo: Vec<PathBuf> = Vec::new();
        for name in path.components().rev() {
            todo.push(to_native(name)?);
        }
        let mut held = HeldPath { _dir: None, path: self.dir.path.clone() };
        let mut links = 0;
        while let Some(name) = todo.pop() {
            if name == Path::new("..") {
                held = self.above(&held.path)?;
                continue;
            }
            // The directory that has been reached so far, held while the next name is looked up.
            let dir =
                if held.path == self.dir.path { None } else { Some(Dir::at(held.path.clone())?) };
            held = HeldPath { _dir: dir, path: held.path.join(name) };
            let found = look(&held.path);
            if let (true, Ok(found)) = (as_listed, &found) {
                held.path.set_file_name(listed_name(&held.path, found)?);
            }
            if self.denies(&held.path, found.as_ref().ok()) {
                return Ok(None);
            }
            match found?.kind {
                Kind::Symlink => {
                    links += 1;
                    if !follow || links > LINKS_MAX {
                        return Err(FsError::Symlink);
                    }
                    let target = door::link(&held.path)?;
                    held = if target.has_root() {
                        HeldPath { _dir: None, path: self.dir.path.clone() }
                    } else {
                        self.above(&held.path)?
                    };
                    todo.extend(self.inside(&target)?.into_iter().rev());
                }
                Kind::Dir => {}
                Kind::File | Kind::Special if todo.is_empty() => {}
                Kind::File | Kind::Special => return Err(FsError::WrongKind),
            }
        }
        Ok(Some(held))
    }

    /// Returns the held path of the directory above `path`, which is not above the root.
    fn above(&self, path: &Path) -> Result<HeldPath, FsError> {
        if path == self.dir.path {
            return Err(FsError::Outside);
        }
        let above = path.parent().ok_or(FsError::Outside)?;
        let dir = above.parent().filter(|_| above != self.dir.path);
        let dir = dir.map(|dir| Dir::at(dir.to_owned())).transpose()?;
        Ok(HeldPath { _dir: dir, path: above.to_owned() })
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
        let below = native.strip_prefix(&self.dir.path).unwrap_or(Path::new(""));
        RelPath::from_components(below.iter().map(|name| name.as_encoded_bytes()))
    }

    /// Returns the names of a link's target; those of an absolute one start at the root.
    fn inside(&self, target: &Path) -> Result<Vec<PathBuf>, FsError> {
        let below = if target.has_root() {
            is_below(&self.dir.path, target).ok_or(FsError::Outside)?
        } else {
            target.components().collect()
        };
        let mut names = Vec::new();
        for component in below {
            match component {
                Component::CurDir => {}
                Component::ParentDir => names.push(PathBuf::from("..")),
                Component::Normal(name) => names.push(to_native(name.as_encoded_bytes())?),
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
    let mut in_other_case = None;
    for entry in door::list(dir)? {
        let listed = entry?.file_name();
        if listed == name {
            return Ok(listed);
        }
        if listed.eq_ignore_ascii_case(name) {
            in_other_case = Some(listed);
        }
    }
    // A short name on Windows resembles no listed name; the system knows the long one.
    let real = || door::real(path).ok().filter(|_| found.kind != Kind::Symlink);
    in_other_case.or_else(|| Some(real()?.file_name()?.to_owned())).ok_or(FsError::NotFound)
}

impl Dir {
    fn at(path: PathBuf) -> Result<Dir, FsError> {
        let handle = door::hold(&path)?;
        let meta = meta(&handle)?;
        match meta.kind {
            Kind::Dir => Ok(Dir { _handle: handle, path, id: meta.id, real: None }),
            Kind::Symlink => Err(FsError::Symlink),
            Kind::File | Kind::Special => Err(FsError::WrongKind),
        }
    }

    /// Returns volume and file index of the directory.
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
    /// A name that is not valid Unicode contains U+FFFD.
    pub(crate) fn list(
        &self,
        _buffer: &mut ListBuffer,
        each: &mut dyn FnMut(&[u8], Option<Kind>) -> bool,
    ) -> Result<(), FsError> {
        for entry in door::list(&self.path)? {
            let entry = entry?;
            let kind = entry.file_type().ok().map(kind);
            let name = entry.file_name();
            if !each(name.to_string_lossy().as_bytes(), kind) {
                break;
            }
        }
        Ok(())
    }

    /// Opens the directory `name` in this one; it must not be a symlink.
    pub(crate) fn open_dir(&self, name: &[u8]) -> Result<Dir, FsError> {
        let mut dir = Dir::at(self.path.join(listed(name)?))?;
        dir.real = self.real.as_ref().map(|real| real.join(name));
        Ok(dir)
    }

    /// Opens the regular file `name` in this one; it must not be a symlink.
    pub(crate) fn open_file(&self, name: &[u8]) -> Result<File, FsError> {
        File::at(&self.path.join(listed(name)?))
    }

    /// Returns the target of the symlink `name` in this directory; `None` for any other entry.
    pub(crate) fn read_link(&self, name: &[u8]) -> Result<Option<Vec<u8>>, FsError> {
        let path = self.path.join(listed(name)?);
        if look(&path)?.kind == Kind::Symlink {
            let target = door::link(&path)?.into_os_string().into_encoded_bytes();
            return Ok(Some(target));
        }
        Ok(None)
    }

    /// Returns the metadata of the entry `name` itself, not of a link's target.
    pub(crate) fn stat(&self, name: &[u8]) -> Result<Meta, FsError> {
        look(&self.path.join(listed(name)?))
    }
}

impl File {
    /// Opens the entry `path` itself, in a directory that is held.
    fn at(path: &Path) -> Result<File, FsError> {
        let mut file = door::read(path).map_err(|error| match look(path) {
            // The system refuses to open a directory for reading.
            Ok(found) if found.kind != Kind::File => FsError::WrongKind,
            _ => FsError::from(error),
        })?;
        let mut meta = meta(&file)?;
        match meta.kind {
            Kind::File => {}
            Kind::Symlink => return Err(FsError::Symlink),
            Kind::Dir | Kind::Special => return Err(FsError::WrongKind),
        }
        if information(&file)?.file_attributes() & REPARSE_POINT != 0 {
            // A placeholder, such as a file in the cloud: only its filter has the content.
            let held = door::hold(path)?;
            let now = self::meta(&held)?;
            if now.kind != Kind::File || now.id != meta.id {
                return Err(FsError::Symlink);
            }
            file = door::read_through(path)?;
            meta = self::meta(&file)?;
            if meta.id != now.id {
                return Err(FsError::Outside);
            }
        }
        Ok(File { file, meta })
    }

    /// Returns the metadata from when the file was opened.
    pub(crate) fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Reads once at `offset`.
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
        let real_path = plain(&door::real(path)?);
        Ok((OutputHandle(Dir::at(real_path.clone())?), real_path))
    }

    /// Returns a handle of the directory for listing it.
    pub(crate) fn dir(&self) -> Result<Dir, FsError> {
        Dir::at(self.0.path.clone())
    }

    /// Creates a new file, with the access rights that the directory passes on.
    pub(crate) fn create_new(&self, name: &str) -> io::Result<NewFile> {
        door::create_new(&self.0.path.join(name))
    }

    /// Returns whether a file is known to be open nowhere: here that is unknown.
    pub(crate) fn is_abandoned(&self, _name: &str) -> bool {
        false
    }

    /// Renames a file, replacing any entry with the new name other than a directory.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let to = self.0.path.join(to);
        // Windows would replace an empty directory.
        if look(&to).is_ok_and(|found| found.kind == Kind::Dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        door::rename(&self.0.path.join(from), &to)
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        door::remove(&self.0.path.join(name))
    }
}

impl io::Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

/// Returns the name of an entry for the system. Joining a path instead of a name would leave the directory,
/// so every name is checked here, wherever it comes from.
fn to_native(name: &[u8]) -> Result<PathBuf, FsError> {
    let name = std::str::from_utf8(name).ok().filter(|name| is_entry_name(name));
    name.map(PathBuf::from).ok_or(FsError::NotFound)
}

/// Like [`to_native`], for the name of an entry that a listing has reported: it exists, so a name that is
/// refused counts as unreadable.
fn listed(name: &[u8]) -> Result<PathBuf, FsError> {
    to_native(name).map_err(|_| FsError::Io(io::ErrorKind::InvalidFilename.into()))
}

/// Returns the metadata of the entry `path` itself.
fn look(path: &Path) -> Result<Meta, FsError> {
    Ok(meta(&door::look(path)?)?)
}

fn kind(file_type: fs::FileType) -> Kind {
    if file_type.is_symlink() {
        Kind::Symlink
    } else if file_type.is_dir() {
        Kind::Dir
    } else {
        Kind::File
    }
}

/// Returns the metadata of an opened entry.
fn meta(file: &fs::File) -> io::Result<Meta> {
    let found = information(file)?;
    let attributes = found.file_attributes();
    let kind = if !typ(file)?.is_disk() {
        Kind::Special
    } else if attributes & REPARSE_POINT != 0 {
        // The tag decides whether it is a link or junction: std knows those that stand for another name.
        kind(file.metadata()?.file_type())
    } else if attributes & DIRECTORY != 0 {
        Kind::Dir
    } else {
        Kind::File
    };
    let mtime_ns = mtime_ns(&found);
    Ok(Meta {
        kind,
        size: found.file_size(),
        mtime_ns,
        ctime_ns: mtime_ns,
        id: (found.volume_serial_number(), found.file_index()),
        // Windows has no such bits.
        executable: false,
        owner_executable: false,
        has_links: found.number_of_links() > 1,
    })
}

/// Windows counts in steps of 100 ns from 1601.
fn mtime_ns(found: &Information) -> i128 {
    const STEPS_TO_1970: i128 = 116_444_736_000_000_000;
    found.last_write_time().map_or(0, |steps| (i128::from(steps) - STEPS_TO_1970) * 100)
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

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the trees that they open")]
mod tests {
    use super::*;
    use crate::wildcard::LetterCase;
    use std::io::Read;

    fn path(text: &str) -> RelPath {
        RelPath::from_components(text.split('/').map(str::as_bytes))
    }

    fn tree() -> (tempfile::TempDir, Root) {
        let dir = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(dir.path().join("root/a/b")).expect("made");
        fs::write(dir.path().join("root/a/b/File.txt"), "inside").expect("written");
        fs::write(dir.path().join("outside"), "CANARY").expect("written");
        let root = Root::open(&dir.path().join("root")).expect("a root");
        (dir, root)
    }

    fn content(root: &Root, at: &str) -> Result<String, FsError> {
        let mut text = String::new();
        root.open_file(&path(at), true)?.read_to_string(&mut text).map_err(FsError::Io)?;
        Ok(text)
    }

    #[test]
    fn files_are_opened_in_any_letter_case_and_nothing_else_is() {
        let (_dir, root) = tree();
        for name in ["a/b/File.txt", "A/b/FILE.TXT"] {
            assert_eq!(content(&root, name).expect(name), "inside", "{name}");
        }
        for name in
            [r"..\outside", r"a\b\File.txt", "a/b/File.txt:stream", "a/nul", "a/b./File.txt"]
        {
            let error = content(&root, name).expect_err(name);
            assert!(matches!(error, FsError::NotFound), "{name}: {error:?}");
        }
        assert!(matches!(content(&root, "a/b"), Err(FsError::WrongKind)));
        assert!(matches!(content(&root, "a/b/File.txt/x"), Err(FsError::WrongKind)));
    }

    #[test]
    fn a_denied_name_is_denied_in_any_letter_case() {
        let (_dir, mut root) = tree();
        let (deny, _) = IgnoreLines::from_lines(["file.txt", "/A/"], LetterCase::Distinct);
        root.set_deny(deny.map(Arc::new));
        assert_eq!(content(&root, "a/b/FILE.txt").expect("listed as File.txt"), "inside");
        let (deny, _) = IgnoreLines::from_lines(["File.txt"], LetterCase::Distinct);
        root.set_deny(deny.map(Arc::new));
        assert!(matches!(content(&root, "a/b/FILE.txt"), Err(FsError::NotFound)));
    }

    #[test]
    fn an_open_directory_cannot_be_renamed() {
        let (dir, root) = tree();
        let held = root.open_dir(&path("a/b"), false).expect("opened");
        let (from, to) = (dir.path().join("root/a/b"), dir.path().join("root/a/c"));
        assert!(fs::rename(&from, &to).is_err());
        drop(held);
        fs::rename(&from, &to).expect("renamed");
    }

    #[test]
    fn a_verbatim_root_is_the_same_root() {
        let (dir, root) = tree();
        let verbatim = door::real(&dir.path().join("root")).expect("a path");
        assert!(verbatim.to_string_lossy().starts_with(r"\\?\"), "{verbatim:?}");
        let same = Root::open(&verbatim).expect("a root");
        assert_eq!(same.real_path(), root.real_path());
        assert_eq!(content(&same, "a/b/File.txt").expect("a file"), "inside");
    }

    #[test]
    fn entries_have_an_identity() {
        let (dir, root) = tree();
        fs::write(dir.path().join("root/other"), "").expect("written");
        let id = |at| root.stat(&path(at), false).expect(at).id;
        assert_eq!(id("a/b/File.txt"), id("A/B/file.txt"));
        assert_ne!(id("a/b/File.txt"), id("other"));
        assert_ne!(id("a/b"), (0, 0));
    }
}
