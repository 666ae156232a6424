//! Linux: one inotify instance, and the mount table of the namespace.
//!
//! # Why a drain is complete
//!
//! The kernel appends an event under the lock of the queue before the call that caused it returns.
//! `FIONREAD` takes the same lock and returns the size of everything queued. So the events of calls
//! that returned before the drain are within that many bytes from the front, or were merged into an
//! equal event that is; a mark for events that did not fit is queued like an event and counted too.
//! Reading that many bytes is therefore enough, and a writer that never pauses cannot hold up the
//! drain. Reading until the queue is empty instead would have no end.

use super::{Change, EntryChange, NoWatch, WatchId};
use crate::workspace::fs::Dir;
use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, ioctl_fionread};

/// Whatever changes content, size, attributes, names or links of an entry or of the directory. The
/// kernel adds `IN_UNMOUNT` and `IN_IGNORED`. `IN_EXCL_UNLINK` is left out: it would hide writes
/// through a descriptor whose name is gone while the file has another one.
const MASK: WatchFlags = WatchFlags::ONLYDIR
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF);

const GONE: ReadFlags = ReadFlags::DELETE_SELF
    .union(ReadFlags::MOVE_SELF)
    .union(ReadFlags::UNMOUNT)
    .union(ReadFlags::IGNORED);

/// One event can carry several bits: a `truncate` of a set-user-ID file changes content and mode.
const ENTRY: [(ReadFlags, EntryChange); 4] = [
    (
        ReadFlags::DELETE.union(ReadFlags::MOVED_FROM),
        EntryChange::Vanished,
    ),
    (
        ReadFlags::CREATE.union(ReadFlags::MOVED_TO),
        EntryChange::Appeared,
    ),
    (
        ReadFlags::MODIFY.union(ReadFlags::CLOSE_WRITE),
        EntryChange::Written,
    ),
    (ReadFlags::ATTRIB, EntryChange::Attributes),
];

/// Room for some 1,000 events of usual names per system call; one event needs up to 272 bytes.
const BUFFER_BYTES: usize = 64 * 1024;
/// Bytes of an event without a name.
const EVENT_BYTES: u64 = 16;
/// Changes that one drain reports: the default length of the queue four times over. A host that has
/// a longer one is better off with a sweep.
const EVENTS_MAX: u64 = 65_536;

/// The magic number of proc.
const PROC: u64 = 0x9fa0;

/// Watches directories for changes.
#[derive(Debug)]
pub(crate) struct Watch {
    inotify: OwnedFd,
    /// The mount table, which is polled and never read.
    mounts: OwnedFd,
    /// The process that opened it. A fork shares the queue: what it read would be lost to the parent.
    owner: u32,
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    /// Always empty, with room for one read.
    buffer: Vec<u8>,
    /// Whether changes were taken from the queue and not reported to the end.
    is_torn: bool,
}

impl Watch {
    /// Opens a watch of no directory. Mounts are those of the namespace of the calling thread.
    ///
    /// # Errors
    ///
    /// `Exhausted` where the user has no inotify instance or the process no descriptor left, `NoProc`
    /// without `/proc`, `Io` for anything else.
    pub(crate) fn open() -> Result<Watch, NoWatch> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
        let open = || rustix::fs::open("/proc/thread-self/mountinfo", flags, Mode::empty());
        let mounts = retrying(open).map_err(|errno| match errno {
            Errno::NOENT | Errno::NOTDIR => NoWatch::NoProc,
            errno => refused(errno),
        })?;
        // Directories are added by their links in /proc: it has to be the real one.
        let stat = retrying(|| rustix::fs::fstatfs(&mounts)).map_err(refused)?;
        if stat.f_type as u64 != PROC {
            return Err(NoWatch::NoProc);
        }
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC);
        let inotify = inotify.map_err(|errno| match errno {
            Errno::NOSYS => NoWatch::Unsupported,
            errno => refused(errno),
        })?;
        let buffer = Vec::with_capacity(BUFFER_BYTES);
        let queue = Mutex::new(Queue {
            buffer,
            is_torn: false,
        });
        Ok(Watch {
            inotify,
            mounts,
            owner: std::process::id(),
            queue,
        })
    }

    /// Watches the open directory itself, whatever its path leads to by now. Changes count from
    /// before the return, so a listing has to be made afterwards. A directory that is watched
    /// already keeps its id.
    ///
    /// # Errors
    ///
    /// `Exhausted` where the user has no watch left, `NoProc` without `/proc`, `Gone` for a removed
    /// directory, `Forked` in a child, `Io` for anything else, such as a directory that may no
    /// longer be read.
    pub(crate) fn add(&self, dir: &Dir) -> Result<WatchId, NoWatch> {
        self.refuse_fork()?;
        // A link in /proc leads to the open directory, not to a path that others can change. That of
        // the process would be another one for a thread with descriptors of its own.
        let link = format!("/proc/thread-self/fd/{}", dir.fd().as_raw_fd());
        let added = retrying(|| inotify::add_watch(&self.inotify, &link, MASK));
        let id = added.map(WatchId).map_err(|errno| match errno {
            Errno::NOENT => NoWatch::NoProc,
            errno => refused(errno),
        })?;
        // Looked at afterwards: a later removal is reported by the directory above.
        let stat = retrying(|| rustix::fs::fstat(dir.fd())).map_err(refused)?;
        if stat.st_nlink == 0 {
            self.remove(id);
            return Err(NoWatch::Gone);
        }
        Ok(id)
    }

    /// Ends the watch of a directory. Changes that are queued already are still reported, and then
    /// that it is gone. Does nothing for one that is no longer watched, and in a fork.
    pub(crate) fn remove(&self, id: WatchId) {
        if self.refuse_fork().is_ok() {
            // It fails where the kernel has dropped the watch before, which is reported.
            let _ = inotify::remove_watch(&self.inotify, id.0);
        }
    }

    /// Reports to `each` every change that happened before the drain began, and maybe later ones.
    ///
    /// Drains of several threads follow one another: one that begins later returns only after `each`
    /// of the earlier one has seen everything. Whoever applies changes has to do so within `each`,
    /// or under a lock that is taken before. `each` must not drain.
    ///
    /// # Errors
    ///
    /// `Forked` in a child; `Io` where the queue cannot be read. After an error, or a panic of
    /// `each`, the next drain begins with [`Change::Lost`].
    pub(crate) fn drain(&self, each: &mut dyn FnMut(Change<'_>)) -> Result<(), NoWatch> {
        // Before the lock, which a fork may have left taken.
        self.refuse_fork()?;
        let mut queue = self.queue.lock();
        let Queue { buffer, is_torn } = &mut *queue;
        if std::mem::replace(is_torn, true) {
            each(Change::Lost);
            each(Change::Mounts);
        }
        if self.mounts_changed()? {
            each(Change::Mounts);
        }
        let n_bytes = retrying(|| ioctl_fionread(&self.inotify)).map_err(refused)?;
        if n_bytes > 0 {
            let mut reader = Reader::new(&self.inotify, buffer.spare_capacity_mut());
            report(&mut reader, n_bytes, each)?;
        }
        *is_torn = false;
        Ok(())
    }

    /// Whether the mount table changed since this was last asked, which for the first time is since
    /// it was opened.
    fn mounts_changed(&self) -> Result<bool, NoWatch> {
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let mut polled = [PollFd::new(&self.mounts, PollFlags::PRI)];
        let n_ready = retrying(|| poll(&mut polled, Some(&now))).map_err(refused)?;
        Ok(n_ready > 0)
    }

    fn refuse_fork(&self) -> Result<(), NoWatch> {
        if std::process::id() == self.owner {
            Ok(())
        } else {
            Err(NoWatch::Forked)
        }
    }

    /// From now on it is as if changes had been lost.
    #[cfg(test)]
    pub(crate) fn pretend_lost(&self) {
        self.queue.lock().is_torn = true;
    }
}

/// Reports events until those of the first `n_bytes` of the queue are among them.
fn report(
    reader: &mut Reader<'_, impl AsFd>,
    n_bytes: u64,
    each: &mut dyn FnMut(Change<'_>),
) -> Result<(), NoWatch> {
    let (mut n_seen_bytes, mut n_events) = (0, 0);
    // What is in the buffer has left the queue, and is reported in any case.
    while n_seen_bytes < n_bytes || !reader.is_buffer_empty() {
        let event = match reader.next() {
            Ok(event) => event,
            Err(Errno::INTR) => continue,
            Err(Errno::AGAIN) => break,
            Err(errno) => return Err(refused(errno)),
        };
        let name = event.file_name().map(|name| name.to_bytes());
        // The kernel pads names. Counted without that, no more is taken for seen than was.
        n_seen_bytes += EVENT_BYTES + name.map_or(0, |name| name.len() as u64);
        n_events += 1;
        if n_events == EVENTS_MAX {
            each(Change::Lost);
        }
        let changes = Changes {
            dir: WatchId(event.wd()),
            name,
            flags: event.events(),
        };
        changes.report(n_events < EVENTS_MAX, each);
    }
    Ok(())
}

/// The changes of one event.
struct Changes<'a> {
    dir: WatchId,
    name: Option<&'a [u8]>,
    flags: ReadFlags,
}

impl Changes<'_> {
    /// Reports them; only the end of a watch if not `all`.
    fn report(&self, all: bool, each: &mut dyn FnMut(Change<'_>)) {
        let Changes { dir, name, flags } = *self;
        if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            return each(Change::Lost);
        }
        if flags.intersects(GONE) {
            return each(Change::Gone { dir });
        }
        if !all {
            return;
        }
        let Some(name) = name else {
            return each(Change::Dir { dir });
        };
        let is_dir = flags.contains(ReadFlags::ISDIR);
        for (of_change, what) in ENTRY {
            if flags.intersects(of_change) {
                each(Change::Entry {
                    dir,
                    name,
                    is_dir,
                    what,
                });
            }
        }
    }
}

fn retrying<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            result => return result,
        }
    }
}

fn refused(errno: Errno) -> NoWatch {
    match errno {
        Errno::NOSPC | Errno::MFILE | Errno::NFILE => NoWatch::Exhausted,
        errno => NoWatch::Io(errno.into()),
    }
}

#[cfg(test)]
mod tests;
