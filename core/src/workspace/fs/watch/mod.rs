//! File events: the one place that knows that the system can report changes.
//!
//! A [`Watch`] reports changes of directories that were added to it by their open handles. It keeps no
//! thread and delivers nothing by itself: a call drains the queue before it trusts anything
//! remembered. The system queues an event inside the call that changes something, so a drain reports
//! every change whose call returned before the drain began. `watch` remembers no paths, judges no
//! names, and decides nothing but which file systems deserve trust ([`trust_of`]).
//!
//! # Changes without an event
//!
//! Measured on Linux 6.18 with ext4, xfs, btrfs, tmpfs and overlayfs; the rest is read from the kernel:
//!
//! - Stores through a shared mapping. Closing the descriptor reports nothing either, where it was
//!   closed before the store.
//! - Linux AIO (`io_submit`), until the descriptor is closed. io_uring reports its writes, except on
//!   a ring that polls for completions (`IORING_SETUP_IOPOLL`), which reports them at the close.
//! - A write through a name in a directory that is not watched. Making such a name, a hard link,
//!   reports nothing to the directory of the first name: the file had one link when it was last seen.
//! - A write through a descriptor whose name is gone, because a hard link replaced it or because the
//!   file was opened with `O_TMPFILE`: the event names the directory and the name that it was opened
//!   under.
//! - A write through a descriptor that `open_by_handle_at` opened, as file servers do (kernel NFS,
//!   NFS-Ganesha, virtiofsd): the kernel may not know which directory it belongs to.
//! - A write through an overlay whose upper layer is the watched directory, and writes of kernel
//!   drivers: loop devices, swap, a block device that is written to directly.
//! - Data that a running call has already stored: `sendfile` of a slow source or a huge `write`
//!   reports once, when it returns.
//! - Ioctls of a file system that exchange or publish data (`EXT4_IOC_MOVE_EXT`,
//!   `F2FS_IOC_MOVE_RANGE`, commits of atomic writes on F2FS, `zfs rollback`), and `fscrypt` keys
//!   that come and go.

#[cfg(all(target_os = "linux", not(searchscope_portable)))]
mod linux;
#[cfg(all(target_os = "linux", not(searchscope_portable)))]
mod overlay;
#[cfg(all(target_os = "linux", not(searchscope_portable)))]
mod trust;
#[cfg(all(target_os = "linux", not(searchscope_portable)))]
pub(crate) use {linux::Watch, trust::file_system};

#[cfg(any(not(target_os = "linux"), searchscope_portable))]
mod elsewhere;
#[cfg(any(not(target_os = "linux"), searchscope_portable))]
pub(crate) use elsewhere::{Watch, file_system};

use crate::workspace::fs::Dir;
use std::io;

/// Name of a watched directory, valid for the [`Watch`] that returned it. Numbers are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WatchId(i32);

/// One change.
///
/// Changes arrive in the order in which they happened, equal ones in succession only once. An id may
/// be one that was removed since: its changes are to be ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change<'a> {
    /// An entry of the directory changed.
    ///
    /// `name` is how the writer spelled it. It can be a name that no listing has, because a file
    /// system ignores case or because the writer opened the file under a name that is gone. Then any
    /// entry of the directory may have changed.
    Entry {
        dir: WatchId,
        name: &'a [u8],
        is_dir: bool,
        what: EntryChange,
    },
    /// Attributes of the directory itself changed: its mode, owner or times.
    Dir { dir: WatchId },
    /// The directory was removed, moved or unmounted, or its watch was removed. May be reported twice.
    ///
    /// A removed directory that is still open anywhere is reported only when it is closed; the entry
    /// vanishes from the directory above at once. A moved directory stays watched, with everything
    /// beneath it, until [`Watch::remove`].
    Gone { dir: WatchId },
    /// Changes were lost. Anything may have changed, and any directory may no longer be watched:
    /// each one has to be added again before it is trusted.
    Lost,
    /// Something was mounted, moved or unmounted, anywhere in the mount namespace.
    Mounts,
}

/// How an entry changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EntryChange {
    /// Content, size or times, or a descriptor for writing was closed.
    Written,
    /// Mode, owner, times, extended attributes or the number of links.
    Attributes,
    /// The name is new, or stands for something else now.
    Appeared,
    /// The name is gone.
    Vanished,
}

/// Extent to which what is remembered of a file system can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing can be remembered: it may change without an event and without a change of times.
    Cold,
    /// Sizes, times and inode numbers of all files have to be compared by each call.
    Swept,
    /// Events report changes.
    Watched,
}

/// A file system, as far as trust goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileSystem {
    /// Short name, such as "ext4"; "unknown" for one that is not in the table.
    pub name: &'static str,
    /// Magic number from statfs(2); 0 where the system has none.
    pub magic: u64,
    pub trust: Trust,
}

/// Reason for which a directory is not watched.
#[derive(Debug)]
pub(crate) enum NoWatch {
    /// The system cannot report changes, or this build does not know how.
    Unsupported,
    /// The user has used up `max_user_watches`, `max_user_instances`, or its descriptors.
    Exhausted,
    /// The file system is not one whose events are complete.
    FileSystem(FileSystem),
    /// No proc file system at `/proc`.
    NoProc,
    /// The directory was removed.
    Gone,
    /// The process is a fork of the one that opened the watch and must not read its queue.
    Forked,
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
            NoWatch::FileSystem(FileSystem {
                name: "unknown",
                magic,
                ..
            }) => {
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

/// Returns the trust that the file system of `dir` deserves; equal for all directories of one device.
pub(crate) fn trust_of(dir: &Dir) -> Trust {
    file_system(dir).trust
}
