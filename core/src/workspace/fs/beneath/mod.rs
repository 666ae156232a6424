//! Unix: `openat` for one name below a directory's handle; on Linux also `openat2` beneath the root's handle.

mod output;
mod real_name;
mod root;
mod sys;

pub(crate) use output::{NewFile, OutputHandle};
pub(crate) use root::Root;
#[cfg(feature = "testing")]
pub(crate) use sys::faults;

use super::{FsError, Kind, Meta};
use crate::syntax::FileStamp;
use crate::workspace::rel_path::{RelPath, is_plain_name};
use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;
use std::io;
use sys::{Handle, LIST_BYTES};

const COMMON: OFlags = OFlags::CLOEXEC.union(OFlags::NOCTTY).union(OFlags::NONBLOCK);
const DIR: OFlags = COMMON.union(OFlags::DIRECTORY);

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir {
    handle: Handle,
    device: u64,
    inode: u64,
    /// The path without symlinks, if it differs and something is denied.
    real: Option<RelPath>,
}

/// An open regular file.
#[derive(Debug)]
pub(crate) struct File {
    handle: Handle,
    meta: Meta,
}

/// The buffer with which one thread lists directories.
#[derive(Debug)]
pub(crate) struct ListBuffer(Vec<u8>);

impl Default for ListBuffer {
    fn default() -> Self {
        ListBuffer(Vec::with_capacity(LIST_BYTES))
    }
}

impl Dir {
    fn of(handle: Handle) -> Result<Dir, FsError> {
        let meta = meta(&handle.stat()?);
        if meta.kind != Kind::Dir {
            return Err(FsError::WrongKind);
        }
        Ok(Dir { handle, device: meta.id.0, inode: meta.id.1, real: None })
    }

    /// Returns device and inode of the directory.
    pub(crate) fn id(&self) -> (u64, u64) {
        (self.device, self.inode)
    }

    /// Returns the descriptor, for watching the directory.
    #[cfg(all(target_os = "linux", not(searchscope_unix)))]
    pub(crate) fn fd(&self) -> rustix::fd::BorrowedFd<'_> {
        self.handle.fd()
    }

    /// Returns the magic number of the file system.
    #[cfg(all(target_os = "linux", not(searchscope_unix)))]
    pub(crate) fn file_system(&self) -> Result<u64, FsError> {
        Ok(self.handle.file_system()?)
    }

    /// Returns the number of the mount that the directory was opened through, if known.
    #[cfg(all(target_os = "linux", not(searchscope_unix)))]
    pub(crate) fn mount(&self) -> Option<u64> {
        self.handle.mount().ok()?
    }

    /// Returns the current stamp of the directory; `None` if it is not available.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        Some(meta(&self.handle.stat().ok()?).file_stamp())
    }

    /// Returns the path without symlinks, if it differs and the root's `deny` needs it.
    pub(crate) fn real_path(&self) -> Option<&RelPath> {
        self.real.as_ref()
    }

    /// Passes each entry's name and kind to `each`, in the system's order, until it returns false.
    ///
    /// The kind is `None` if the file system does not report it; [`Dir::stat`] then does.
    pub(crate) fn list(
        &self,
        buffer: &mut ListBuffer,
        each: &mut dyn FnMut(&[u8], Option<Kind>) -> bool,
    ) -> Result<(), FsError> {
        let tells_kinds = self.handle.tells_kinds();
        let mut entries = self.handle.list(buffer.0.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Err(Errno::INTR) => continue,
                entry => entry?,
            };
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => None,
                file_type => tells_kinds.then(|| kind(file_type)),
            };
            if !each(name, kind) {
                break;
            }
        }
        Ok(())
    }

    /// Opens the directory `name` in this one; it must not be a symlink.
    pub(crate) fn open_dir(&self, name: &[u8]) -> Result<Dir, FsError> {
        let mut dir = Dir::of(open_name(&self.handle, name, DIR)?)?;
        dir.real = self.real.as_ref().map(|real| real.join(name));
        refuse_pseudo(&dir.handle, dir.device, self.device)?;
        Ok(dir)
    }

    /// Opens the regular file `name` in this one; it must not be a symlink.
    pub(crate) fn open_file(&self, name: &[u8]) -> Result<File, FsError> {
        File::of(open_name(&self.handle, name, COMMON)?, self.device)
    }

    /// Returns the target of the symlink `name` in this directory; `None` for any other entry.
    pub(crate) fn read_link(&self, name: &[u8]) -> Result<Option<Vec<u8>>, FsError> {
        match self.handle.read_link(name) {
            Ok(target) => Ok(Some(target)),
            Err(Errno::INVAL) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Returns the metadata of the entry `name` itself, not of a link's target.
    pub(crate) fn stat(&self, name: &[u8]) -> Result<Meta, FsError> {
        Ok(meta(&self.handle.stat_entry(name)?))
    }
}

impl File {
    fn of(handle: Handle, device_above: u64) -> Result<File, FsError> {
        let meta = meta(&handle.stat()?);
        if meta.kind != Kind::File {
            return Err(FsError::WrongKind);
        }
        refuse_pseudo(&handle, meta.id.0, device_above)?;
        Ok(File { handle, meta })
    }

    /// Returns the metadata from when the file was opened.
    pub(crate) fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Reads once at `offset`, without moving the position; a signal may interrupt it.
    pub(crate) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.handle.read_at(offset, buffer)?)
    }

    /// Returns whether something is mounted over the file.
    pub(crate) fn is_mount(&self) -> bool {
        self.handle.is_mount().unwrap_or(true)
    }

    /// Returns the current stamp of the file; `None` if it is not available.
    pub(crate) fn stamp(&self) -> Option<FileStamp> {
        Some(meta(&self.handle.stat().ok()?).file_stamp())
    }
}

impl io::Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.handle.read(buffer)?)
    }
}

fn open_name(dir: &Handle, name: &[u8], flags: OFlags) -> Result<Handle, FsError> {
    debug_assert!(is_plain_name(name), "one name, not a path");
    Ok(dir.open(name, flags | OFlags::NOFOLLOW)?)
}

/// Refuses a pseudo file system; checked only where the file system differs from that of the directory above.
fn refuse_pseudo(handle: &Handle, device: u64, device_above: u64) -> Result<(), FsError> {
    if device != device_above && handle.is_pseudo()? { Err(FsError::Pseudo) } else { Ok(()) }
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Symlink,
        _ => Kind::Special,
    }
}

fn meta(stat: &rustix::fs::Stat) -> Meta {
    let ns = |seconds: i64, ns| i128::from(seconds) * 1_000_000_000 + i128::from(ns);
    Meta {
        kind: kind(FileType::from_raw_mode(stat.st_mode)),
        size: u64::try_from(stat.st_size).unwrap_or(0),
        mtime_ns: ns(stat.st_mtime, stat.st_mtime_nsec),
        ctime_ns: ns(stat.st_ctime, stat.st_ctime_nsec),
        id: (number(stat.st_dev), number(stat.st_ino)),
        executable: stat.st_mode & 0o111 != 0,
        owner_executable: stat.st_mode & 0o100 != 0,
        has_links: stat.st_nlink > 1,
    }
}

/// Returns a number of the system as its bits: some systems have negative device numbers.
#[expect(clippy::cast_possible_truncation, reason = "systems have numbers of at most 64 bits")]
fn number(n: impl Into<i128>) -> u64 {
    n.into().cast_unsigned() as u64
}

impl From<Errno> for FsError {
    fn from(errno: Errno) -> FsError {
        match errno {
            Errno::NOENT => FsError::NotFound,
            Errno::NAMETOOLONG => FsError::NameTooLong,
            // FreeBSD reports a link that is not followed as `EMLINK`.
            Errno::LOOP | Errno::MLINK => FsError::Symlink,
            // `O_DIRECTORY` on another kind of entry, or such an entry in the middle of a path. `ENXIO` is a
            // socket, or a FIFO without a writer.
            Errno::NOTDIR | Errno::NXIO => FsError::WrongKind,
            // A socket, on other systems.
            Errno::OPNOTSUPP if cfg!(not(target_os = "linux")) => FsError::WrongKind,
            Errno::XDEV => FsError::Outside,
            errno => FsError::Io(errno.into()),
        }
    }
}

#[cfg(all(test, target_os = "linux", not(searchscope_unix)))]
impl Dir {
    /// Opens a directory of a test.
    pub(crate) fn open(path: &std::path::Path) -> Dir {
        Dir::of(Handle::open_path(path, DIR).expect("opens")).expect("a directory")
    }
}
