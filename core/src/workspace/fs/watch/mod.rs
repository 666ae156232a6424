//! File events: the one module that knows that the system can report changes.
//!
//! A [`Watch`] reports changes of directories that are added to it by their open handles. It has no
//! thread and delivers nothing on its own: a call drains the queue before it trusts anything
//! remembered. The kernel queues an event inside the system call that changes something, so a drain
//! reports every change whose system call returned before the drain began. The module remembers no
//! paths, compares no names and keeps no state of files; it also decides which file systems deserve
//! trust ([`file_system`]).
//!
//! # Changes without an event
//!
//! Measured on Linux 6.18 with ext4, xfs, btrfs, tmpfs and overlayfs, except where marked as read
//! (from the kernel's source or documentation). No event reaches the directory of a file for:
//!
//! - **Shared mappings**: stores, also followed by `msync`, until both the descriptor and the mapping
//!   are closed. On an overlay the close of the descriptor is reported, and nothing after it, not even
//!   `MADV_REMOVE`.
//! - **Linux AIO** (`io_submit`) until the descriptor is closed. io_uring reports each write, except
//!   on a ring that polls for completions (`IORING_SETUP_IOPOLL`): that is like AIO.
//! - **Running system calls**: the event comes when the call returns. Data of a 200 MiB `pwrite` is
//!   readable for as long as it takes before that.
//! - **Hard links in directories that are not watched**: making one, removing one, and every write,
//!   `chmod` or `truncate` through one. A file whose link count was 1 can so get another name unseen.
//! - **Descriptors that were opened under another name**, which `unlink` removed after `link` made
//!   the present one, or under none (`O_TMPFILE`): the event carries the directory and the name of
//!   the open.
//! - **Files that are mount points**: a write through the mount is reported to the directory of the
//!   other place.
//! - **`open_by_handle_at`** while the kernel does not know the name of the file: file servers (kernel
//!   NFS, NFS-Ganesha, virtiofsd) open files that way.
//! - **Loop devices** that are written to; likewise swap files and block devices (read).
//! - **Layers beneath an overlay** that change, seen from the overlay. Seen from the upper layer,
//!   writes through the overlay are reported; kernels before 6.8 do not (read).
//! - **Special ioctls** (read): `EXT4_IOC_MOVE_EXT`, `F2FS_IOC_MOVE_RANGE`, commits of atomic writes
//!   on F2FS, `zfs rollback` and `zfs receive`, `fscrypt` keys that are added or removed.
//! - **Restored processes** (read): CRIU does not restore the queue.

#[cfg(all(target_os = "linux", not(searchscope_unix)))]
mod linux;
#[cfg(all(target_os = "linux", not(searchscope_unix)))]
mod overlay;
#[cfg(all(target_os = "linux", not(searchscope_unix)))]
mod trust;
#[cfg(all(target_os = "linux", not(searchscope_unix)))]
pub(crate) use {linux::Watch, trust::file_system};

#[cfg(any(not(target_os = "linux"), searchscope_unix))]
mod elsewhere;
#[cfg(any(not(target_os = "linux"), searchscope_unix))]
pub(crate) use elsewhere::{Watch, file_system};

use std::io;

/// Identifies a watched directory of one [`Watch`]. An id is not used again for another directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WatchId(i32);

/// One change.
///
/// Changes arrive in the order in which they happened; the kernel merges equal ones in succession. The
/// caller ignores ids that it has removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change<'a> {
    /// An entry of the directory changed.
    ///
    /// `name` is spelled as the writer spelled it, and can be absent from the listing: the file system
    /// ignores case, or the file was opened under a name that is gone. In that case any entry of the
    /// directory may have changed.
    ///
    /// `rename` is the same number for both halves of a rename, and 0 for other changes.
    Entry { dir: WatchId, name: &'a [u8], is_dir: bool, what: EntryChange, rename: u32 },
    /// Attributes of the directory itself changed: its mode, owner or times.
    Dir { dir: WatchId },
    /// The directory was deleted, moved or unmounted, or its watch was removed; can be reported twice.
    ///
    /// A deleted directory that any process has open is reported when it is closed; the directory
    /// above reports the vanished entry at once. A moved directory stays watched, like everything
    /// beneath it, until [`Watch::remove`].
    Gone { dir: WatchId },
    /// Changes were lost. Anything may have changed, and any watch may have ended: the caller adds
    /// each directory again before it trusts it.
    Lost,
    /// Something was mounted, moved or unmounted, anywhere in the mount namespace.
    Mounts,
}

/// The kind of change to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EntryChange {
    /// Content, size or times changed, or a descriptor for writing was closed.
    Written,
    /// Mode, owner, times, extended attributes or the access control list changed.
    Attributes,
    /// The name is new, or belongs to another file now.
    Appeared,
    /// The name is gone.
    Vanished,
}

/// Freshness that a file system allows, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing is remembered: files may change without an event and without a change of times.
    Cold,
    /// Each call compares size, times and inode number of every file.
    Swept,
    /// Events report the changes.
    Watched,
}

/// File system of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileSystem {
    /// Short name, such as "ext4"; "unknown" for one that is not in the table.
    pub name: &'static str,
    /// Magic number from statfs(2); 0 on systems without one.
    pub magic: u64,
    pub trust: Trust,
}

/// Reason for which a directory is not watched.
#[derive(Debug)]
pub(crate) enum NoWatch {
    /// The system cannot report changes, or this build does not support it.
    Unsupported,
    /// The user has used up `max_user_watches`, `max_user_instances`, or its descriptors.
    Exhausted,
    /// The file system is not one whose events are complete.
    FileSystem(FileSystem),
    /// No proc file system at `/proc`.
    NoProc,
    /// The directory was removed.
    Gone,
    /// The process is a fork of the one that opened the watch, whose queue it must not read.
    Forked,
    /// Any other error of the system.
    Io(io::Error),
}

impl NoWatch {
    /// Returns the reason in plain words, for status reports.
    pub(crate) fn reason(&self) -> String {
        match self {
            NoWatch::Unsupported => "this system does not report file changes".into(),
            NoWatch::Exhausted => {
                "the limit of inotify watches, inotify instances or open files is reached \
                 (fs.inotify.max_user_watches, fs.inotify.max_user_instances)"
                    .into()
            }
            NoWatch::FileSystem(FileSystem { name: "unknown", magic, .. }) => {
                format!("changes of file system 0x{magic:x} cannot be watched reliably")
            }
            NoWatch::FileSystem(FileSystem { name, .. }) => {
                format!("changes of file system {name} cannot be watched reliably")
            }
            NoWatch::NoProc => "/proc is not mounted".into(),
            NoWatch::Gone => "the directory was removed".into(),
            NoWatch::Forked => "the process was forked after the watch was opened".into(),
            NoWatch::Io(error) => format!("the system refused: {}", error.kind()),
        }
    }
}

impl FileSystem {
    /// Returns the reason not to watch this file system, if there is one.
    pub(crate) fn refusal(self) -> Option<NoWatch> {
        (self.trust != Trust::Watched).then_some(NoWatch::FileSystem(self))
    }
}
