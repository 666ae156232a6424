//! The only door to the file system: everything is opened here, beneath the handle of the root.
//!
//! Decisions are made on opened handles, never by looking a name up twice. Nothing beneath the root
//! is changed, nothing is mapped, and nothing but regular files is read. Only `output` writes: whole
//! files, in the one directory that the host may open for it. The two backends have the same
//! interface: `beneath` for Linux, which the tests cover, and `portable` over std for other systems.
//! `root` and `entries` are the handles that the engine has; they put the unsaved texts of an `overlay`
//! over the backend's.

#[cfg(all(target_os = "linux", not(searchscope_portable)))]
mod beneath;
#[cfg(all(target_os = "linux", not(searchscope_portable)))]
use beneath as disk;
#[cfg(all(test, target_os = "linux", not(searchscope_portable)))]
pub(crate) use beneath::faults;

#[cfg(any(not(target_os = "linux"), searchscope_portable))]
mod portable;
#[cfg(any(not(target_os = "linux"), searchscope_portable))]
use portable as disk;

mod entries;
mod mounts;
mod output;
mod overlay;
mod root;
#[cfg_attr(
    any(not(target_os = "linux"), searchscope_portable),
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

/// What a directory entry is, without following a symlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    File,
    Dir,
    Symlink,
    /// FIFOs, sockets and devices: never opened.
    Special,
}

/// What is known of a file or directory from its handle or entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta {
    pub kind: Kind,
    pub size: u64,
    /// Modification time in nanoseconds since 1970, may be negative.
    pub mtime_ns: i128,
    /// When anything of the file was last changed, likewise; the modification time on systems that do
    /// not tell.
    pub ctime_ns: i128,
    /// Device and inode: the same pair is the same file.
    pub id: (u64, u64),
    /// Whether any of the bits that allow executing is set, for whomever.
    pub executable: bool,
    /// Whether its owner may execute it, which is what git records.
    #[cfg_attr(not(feature = "git"), expect(dead_code, reason = "only git asks for it"))]
    pub owner_executable: bool,
    /// Whether it has several names; false on systems that do not report it.
    pub has_links: bool,
}

impl Meta {
    /// Returns a number that differs after the file changed: its modification time. Unsaved texts have
    /// the number of their content, because each overlay is made anew.
    pub(crate) fn version(&self) -> i128 {
        if self.id.0 == overlay::DEVICE { i128::from(self.id.1) } else { self.mtime_ns }
    }

    /// What tells whether the file is still what it was.
    pub(crate) fn file_stamp(&self) -> FileStamp {
        let Meta { id, size, mtime_ns, ctime_ns, .. } = *self;
        FileStamp { id, size, mtime_ns, ctime_ns }
    }
}

/// Why something was not opened.
#[derive(Debug)]
pub(crate) enum FsError {
    /// No such entry, or it vanished since it was listed.
    NotFound,
    /// The path leaves the root.
    Outside,
    /// A symlink where none is followed, or too many of them.
    Symlink,
    /// Not what was asked for: a directory, FIFO or device instead of a regular file, or no directory.
    WrongKind,
    /// The file system of a kernel interface (proc, sysfs and the like), which is not entered.
    #[cfg_attr(
        any(not(target_os = "linux"), searchscope_portable),
        expect(dead_code, reason = "only Linux tells file systems apart here")
    )]
    Pseudo,
    /// A longer name than the file system has. Nothing that a caller names so exists; of what was
    /// listed it says that the system failed.
    NameTooLong,
    /// Anything else the system said.
    Io(io::Error),
}

impl FsError {
    /// A short reason for warnings; says nothing of where a link leads.
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

/// Reads once into `buffer`, again when a signal interrupts.
pub(crate) fn read_retrying(reader: &mut dyn io::Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests;
