//! The system calls, each in one place, so that a test can make any of them fail.
//!
//! `linux` and `unix` have the same interface: the calls that only Linux has, and their substitutes in POSIX
//! for other systems. With `--cfg searchscope_unix` Linux uses the latter, which tests them.

#[cfg(not(feature = "testing"))]
mod steady;
#[cfg(not(feature = "testing"))]
use steady::Watch;

#[cfg(feature = "testing")]
pub(crate) mod faults;
#[cfg(feature = "testing")]
use faults::Watch;

#[cfg(all(target_os = "linux", not(searchscope_unix)))]
mod linux;
#[cfg(all(target_os = "linux", not(searchscope_unix)))]
pub(super) use linux::{LIST_BYTES, WAY};
#[cfg(not(all(target_os = "linux", not(searchscope_unix))))]
mod unix;
#[cfg(not(all(target_os = "linux", not(searchscope_unix))))]
pub(super) use unix::{LIST_BYTES, WAY};

mod pseudo;

#[cfg(all(target_os = "linux", not(searchscope_unix)))]
use rustix::fd::BorrowedFd;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags, Stat};
use rustix::io::{Errno, Result};
use std::path::Path;

/// A kind of system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "testing", expect(clippy::exhaustive_enums, reason = "tests name them"))]
#[cfg_attr(not(feature = "testing"), expect(unreachable_pub, reason = "tests name them"))]
pub enum Op {
    /// Opens a file or directory.
    Open,
    /// Opens one by `openat2`.
    #[cfg_attr(
        not(all(target_os = "linux", not(searchscope_unix))),
        expect(dead_code, reason = "only Linux has the call")
    )]
    OpenBeneath,
    /// Reads metadata.
    Stat,
    /// Reads the kind of a file system.
    FileSystem,
    /// Lists a part of a directory.
    List,
    /// Reads a part of a file.
    Read,
    /// Reads the target of a symlink.
    ReadLink,
    /// Creates a file for results.
    Create,
    /// Writes to it.
    Write,
    /// Writes it to the disk.
    Sync,
    /// Renames it.
    Rename,
    /// Removes it.
    Remove,
}

/// An open file or directory. Handles opened through it are watched like it.
#[derive(Debug)]
pub(super) struct Handle {
    fd: OwnedFd,
    watch: Watch,
}

/// An entry that was looked up without being opened for reading.
#[derive(Debug)]
pub(super) struct Looked {
    pub stat: Stat,
    /// A handle of the entry; a directory always has one.
    pub handle: Option<Handle>,
}

impl Handle {
    /// Opens a path that the host names.
    pub(super) fn open_path(path: &Path, flags: OFlags) -> Result<Handle> {
        let watch = Watch::of_this_thread();
        let fd = watch.retrying(Op::Open, || rustix::fs::open(path, flags, Mode::empty()))?;
        Ok(Handle { fd, watch: watch.opened() })
    }

    /// Opens the entry `name` of this directory, `.` for itself or `..` for the one above.
    pub(super) fn open(&self, name: &[u8], flags: OFlags) -> Result<Handle> {
        let open = || rustix::fs::openat(self.fd.as_fd(), name, flags, Mode::empty());
        Ok(self.child(self.watch.retrying(Op::Open, open)?))
    }

    /// Creates the new file `name` in this directory, accessible to its owner only.
    pub(super) fn create(&self, name: &str) -> Result<Handle> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let create = || rustix::fs::openat(&self.fd, name, flags, Mode::RUSR | Mode::WUSR);
        Ok(self.child(self.watch.retrying(Op::Create, create)?))
    }

    /// Returns the metadata of the handle.
    pub(super) fn stat(&self) -> Result<Stat> {
        self.watch.retrying(Op::Stat, || rustix::fs::fstat(&self.fd))
    }

    /// Returns the metadata of the entry `name` itself, not of a link's target.
    pub(super) fn stat_entry(&self, name: &[u8]) -> Result<Stat> {
        let stat = || rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW);
        self.watch.retrying(Op::Stat, stat)
    }

    /// Returns whether the file system exposes kernel interfaces: endless, blocking or harmful to read.
    pub(super) fn is_pseudo(&self) -> Result<bool> {
        self.watch.retrying(Op::FileSystem, || pseudo::is_pseudo(self.fd.as_fd()))
    }

    #[cfg(all(target_os = "linux", not(searchscope_unix)))]
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Returns the target of the link `name` in this directory.
    pub(super) fn read_link(&self, name: &[u8]) -> Result<Vec<u8>> {
        let read = || rustix::fs::readlinkat(self.fd.as_fd(), name, Vec::new());
        Ok(self.watch.retrying(Op::ReadLink, read)?.into_bytes())
    }

    /// Returns whether listings may report the kinds of entries, which not every file system does.
    pub(super) fn tells_kinds(&self) -> bool {
        self.watch.tells_kinds()
    }

    /// Reads once; a signal may interrupt it.
    pub(super) fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        self.watch.before(Op::Read)?;
        let len = self.watch.allowed(buffer.len());
        rustix::io::read(&self.fd, &mut buffer[..len])
    }

    /// Reads once at `offset`; a signal may interrupt it.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.watch.before(Op::Read)?;
        let len = self.watch.allowed(buffer.len());
        rustix::io::pread(&self.fd, &mut buffer[..len], offset)
    }

    /// Writes once; a signal may interrupt it.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<usize> {
        self.watch.before(Op::Write)?;
        let len = self.watch.allowed(bytes.len());
        rustix::io::write(&self.fd, &bytes[..len])
    }

    /// Waits until the written data is on disk.
    /// Locks the file against others that lock it, without waiting.
    pub(super) fn try_lock(&self) -> Result<()> {
        rustix::fs::flock(&self.fd, rustix::fs::FlockOperation::NonBlockingLockExclusive)
    }

    pub(super) fn sync(&self) -> Result<()> {
        self.watch.retrying(Op::Sync, || rustix::fs::fsync(&self.fd))
    }

    /// Renames a file in this directory, replacing any entry with the new name other than a directory.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.watch.retrying(Op::Rename, || rustix::fs::renameat(&self.fd, from, &self.fd, to))
    }

    /// Removes a file in this directory.
    pub(super) fn remove(&self, name: &str) -> Result<()> {
        let remove = || rustix::fs::unlinkat(&self.fd, name, AtFlags::empty());
        self.watch.retrying(Op::Remove, remove)
    }

    fn child(&self, fd: OwnedFd) -> Handle {
        Handle { fd, watch: self.watch.opened() }
    }
}

impl Looked {
    /// Looks at an opened entry.
    pub(super) fn of(handle: Handle) -> Result<Looked> {
        Ok(Looked { stat: handle.stat()?, handle: Some(handle) })
    }
}

impl Watch {
    fn retrying<T>(&self, op: Op, mut call: impl FnMut() -> Result<T>) -> Result<T> {
        loop {
            match self.before(op).and_then(|()| call()) {
                Err(Errno::INTR) => {}
                result => return result,
            }
        }
    }
}
