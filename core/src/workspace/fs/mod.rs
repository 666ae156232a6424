//! All access to the file system: everything is opened here, beneath the handle of the root.
//!
//! Decisions are made on opened handles, never by looking a name up twice. The engine changes nothing beneath
//! the root, maps nothing into memory, and reads only regular files. Only `output` writes: whole files, in
//! the one directory that the host may open for it. The two backends have the same interface: `beneath` for
//! Unix and `windows`. The engine uses the handles of `root` and `entries`, which lay the unsaved texts of an
//! `overlay` over the backend's files.

#[cfg(unix)]
mod beneath;
#[cfg(unix)]
use beneath as disk;
#[cfg(all(feature = "testing", unix))]
pub(crate) use beneath::faults;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as disk;

mod entries;
mod mounts;
mod output;
mod overlay;
mod root;
#[cfg_attr(
    any(not(target_os = "linux"), searchscope_unix),
    expect(dead_code, reason = "only Linux reports changes here")
)]
pub(crate) mod watch;
pub(crate) use disk::ListBuffer;
use disk::{NewFile, OutputHandle};
pub(crate) use entries::{Dir, File};
pub(crate) use mounts::MountWatch;
pub(crate) use output::OutputDir;
pub(crate) use overlay::{Conflict, Overlay};
pub(crate) use root::Root;

use crate::syntax::FileStamp;
use std::io;

/// The kind of a directory entry, without following a symlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    File,
    Dir,
    Symlink,
    /// FIFOs, sockets and devices: never opened.
    Special,
}

/// Metadata of a file or directory, from its handle or entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta {
    pub kind: Kind,
    pub size: u64,
    /// Modification time in nanoseconds since 1970, may be negative.
    pub mtime_ns: i128,
    /// The time of the last change to content or metadata, likewise; the modification time on systems that do
    /// not report it.
    pub ctime_ns: i128,
    /// Device and inode: the same pair is the same file.
    pub id: (u64, u64),
    /// Whether any of the execute bits is set.
    pub executable: bool,
    /// Whether its owner may execute it, which is what git records.
    #[cfg_attr(not(feature = "git"), expect(dead_code, reason = "only git uses it"))]
    pub owner_executable: bool,
    /// Whether it has several names; false on systems that do not report it.
    pub has_links: bool,
}

impl Meta {
    /// Returns a number that changes with the file: its modification time. For unsaved texts it is a number
    /// of the content, because each overlay has new times.
    pub(crate) fn version(&self) -> i128 {
        if self.id.0 == overlay::DEVICE { i128::from(self.id.1) } else { self.mtime_ns }
    }

    /// Returns the values that show whether the file has changed.
    pub(crate) fn file_stamp(&self) -> FileStamp {
        let Meta { id, size, mtime_ns, ctime_ns, .. } = *self;
        FileStamp { id, size, mtime_ns, ctime_ns }
    }
}

/// The reason why an entry was not opened.
#[derive(Debug)]
pub(crate) enum FsError {
    /// No such entry, or it vanished since it was listed.
    NotFound,
    /// The path leaves the root.
    Outside,
    /// A symlink that may not be followed, or too many of them.
    Symlink,
    /// Another kind than expected: a directory, FIFO or device instead of a regular file, or not a directory.
    WrongKind,
    /// The file system of a kernel interface (proc, sysfs and the like), which is not entered.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows has no such file systems"))]
    Pseudo,
    /// A name longer than the file system allows. No entry that a caller names so can exist; for a listed
    /// entry it means that the system failed.
    NameTooLong,
    /// Any other error of the system.
    Io(io::Error),
}

impl FsError {
    /// Returns a short reason for warnings, without the target of a link.
    pub(crate) fn reason(&self) -> String {
        match self {
            FsError::NotFound => "not found".into(),
            FsError::Outside => "leads outside the root".into(),
            FsError::Symlink => "is a symlink".into(),
            FsError::WrongKind => "is not of the expected kind".into(),
            FsError::Pseudo => "is a kernel file system".into(),
            FsError::NameTooLong => "has too long a name".into(),
            FsError::Io(error) => error.kind().to_string(),
        }
    }
}

/// Reads once into `buffer`, retrying when a signal interrupts.
pub(crate) fn read_retrying(reader: &mut dyn io::Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
