//! Linux: one inotify instance, and the mount table of the namespace.
//!
//! # Why a drain is complete
//!
//! The kernel appends an event, under the lock of the queue, before the system call that caused it
//! returns. `FIONREAD` takes the same lock and returns the bytes of everything queued. An event of a
//! call that returned before the drain began is therefore within that number of bytes from the front,
//! or was merged into an equal event that is. The overflow mark is queued like an event. Reading that
//! number of bytes is enough, and bounds the drain while a writer keeps writing; reading until the
//! queue is empty would not.

use super::{Change, EntryChange, NoWatch, WatchId};
use crate::workspace::fs::Dir;
use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, ioctl_fionread};

/// Everything that changes content, size, attributes or names of entries, or the directory itself. The
/// kernel adds `IN_UNMOUNT` and `IN_IGNORED`. `IN_EXCL_UNLINK` is left out: it would hide writes
/// through a descriptor whose name was unlinked while the file has another one.
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

/// Changes of an entry; one event can carry several, such as size and mode.
const ENTRY: [(ReadFlags, EntryChange); 4] = [
    (ReadFlags::DELETE.union(ReadFlags::MOVED_FROM), EntryChange::Vanished),
    (ReadFlags::CREATE.union(ReadFlags::MOVED_TO), EntryChange::Appeared),
    (ReadFlags::MODIFY.union(ReadFlags::CLOSE_WRITE), EntryChange::Written),
    (ReadFlags::ATTRIB, EntryChange::Attributes),
];

/// Room for some 1,000 events of usual names per system call; one event needs up to 272 bytes.
const BUFFER_BYTES: usize = 64 * 1024;
/// Bytes of an event without a name.
const EVENT_BYTES: u64 = 16;
/// Events that one drain reports, four times the default length of the queue. With more than that,
/// which takes a longer queue, a sweep costs less than following them.
const EVENTS_MAX: u64 = 65_536;

/// The magic number of proc.
const PROC: u64 = 0x9fa0;

/// Watches directories for changes.
#[derive(Debug)]
pub(crate) struct Watch {
    inotify: OwnedFd,
    /// The mount table, which is polled and never read.
    mounts: OwnedFd,
    /// Process that opened it. A fork shares the queue: events that it read would be lost to the parent.
    owner: u32,
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    /// Always empty, with room for one read.
    buffer: Vec<u8>,
    /// Set while changes are taken from the queue and not all reported.
    is_torn: bool,
}

impl Watch {
    /// Opens a watch without directories. Mounts are those of the calling thread's namespace.
    ///
    /// # Errors
    ///
    /// `Exhausted` if the user's inotify instances or the process's descriptors are used up, `NoProc`
    /// without `/proc`, `Unsupported` by a kernel without inotify, `Io` otherwise.
    pub(crate) fn open() -> Result<Watch, NoWatch> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
        let open = || rustix::fs::open("/proc/thread-self/mountinfo", flags, Mode::empty());
        let mounts = retrying(open).map_err(|errno| match errno {
            Errno::NOENT | Errno::NOTDIR => NoWatch::NoProc,
            errno => refused(errno),
        })?;
        // Directories are added by their links in /proc, which must be the real one.
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
        let queue = Mutex::new(Queue { buffer, is_torn: false });
        Ok(Watch { inotify, mounts, owner: std::process::id(), queue })
    }

    /// Watches the open directory, wherever its path leads by now. Every change after the return is reported:
    /// the caller lists the directory afterwards. A watched directory keeps its id, even if a bind mount
    /// shows it at a second place.
    ///
    /// # Errors
    ///
    /// `Exhausted` if the user's watches are used up, `NoProc` without `/proc`, `Gone` for a deleted
    /// directory, `Forked` in a child process, `Io` otherwise, such as for a directory that is no
    /// longer readable.
    pub(crate) fn add(&self, dir: &Dir) -> Result<WatchId, NoWatch> {
        self.refuse_fork()?;
        let dir = dir.on_disk().ok_or(NoWatch::Gone)?;
        // This link leads to the open directory and not to a path that other processes can change.
        // `/proc/self` fails once the main thread has exited, and has other descriptors for a thread
        // that no longer shares them.
        let link = format!("/proc/thread-self/fd/{}", dir.fd().as_raw_fd());
        let added = retrying(|| inotify::add_watch(&self.inotify, &link, MASK));
        let id = added.map(WatchId).map_err(|errno| match errno {
            Errno::NOENT => NoWatch::NoProc,
            errno => refused(errno),
        })?;
        // Checked after the watch exists: the directory above reports a later removal.
        let stat = retrying(|| rustix::fs::fstat(dir.fd())).map_err(refused)?;
        if stat.st_nlink == 0 {
            self.remove(id);
            return Err(NoWatch::Gone);
        }
        Ok(id)
    }

    /// Ends the watch of a directory. Changes that are queued already are still reported, followed by
    /// [`Change::Gone`]. Does nothing if the watch has ended, and nothing in a fork.
    pub(crate) fn remove(&self, id: WatchId) {
        if self.refuse_fork().is_ok() {
            // Fails if the kernel has dropped the watch, which is reported as `Gone`.
            let _ = inotify::remove_watch(&self.inotify, id.0);
        }
    }

    /// Reports every change that happened before the drain began to `each`, and possibly later ones.
    ///
    /// Drains of several threads run one after the other, including their calls of `each`: a thread
    /// whose drain returns may rely on everything that earlier drains have passed to `each`. The
    /// caller applies changes within `each`, or holds a lock from before the drain until it has
    /// applied them. `each` must not drain.
    ///
    /// # Errors
    ///
    /// `Forked` in a child process, `Io` if the queue cannot be read. After an error of the system or
    /// a panic of `each` the next drain starts with [`Change::Lost`] and [`Change::Mounts`].
    pub(crate) fn drain(&self, each: &mut dyn FnMut(Change<'_>)) -> Result<(), NoWatch> {
        // Before the lock, which a fork may have left locked.
        self.refuse_fork()?;
        let mut queue = self.queue.lock();
        let Queue { buffer, is_torn } = &mut *queue;
        if std::mem::replace(is_torn, true) {
            each(Change::Lost);
            each(Change::Mounts);
        }
        let (has_events, has_mounts) = self.poll()?;
        if has_mounts {
            each(Change::Mounts);
        }
        if has_events {
            let n_bytes = retrying(|| ioctl_fionread(&self.inotify)).map_err(refused)?;
            let mut reader = Reader::new(&self.inotify, buffer.spare_capacity_mut());
            report(&mut reader, n_bytes, each)?;
        }
        *is_torn = false;
        Ok(())
    }

    /// Returns whether events are queued, and whether the mount table changed since the last call or,
    /// for the first one, since it was opened.
    fn poll(&self) -> Result<(bool, bool), NoWatch> {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        // The table is always readable; the kernel signals a change as an urgent condition.
        let mut polled = [(&self.inotify, PollFlags::IN), (&self.mounts, PollFlags::PRI)]
            .map(|(fd, flags)| PollFd::new(fd, flags));
        retrying(|| poll(&mut polled, Some(&now))).map_err(refused)?;
        let [events, mounts] = polled.map(|of| !of.revents().is_empty());
        Ok((events, mounts))
    }

    fn refuse_fork(&self) -> Result<(), NoWatch> {
        if std::process::id() == self.owner { Ok(()) } else { Err(NoWatch::Forked) }
    }

    /// Makes the next drain start as after lost changes.
    #[cfg(test)]
    pub(crate) fn pretend_lost(&self) {
        self.queue.lock().is_torn = true;
    }
}

/// Reports at least the events in the first `n_bytes` of the queue.
fn report(
    reader: &mut Reader<'_, impl AsFd>,
    n_bytes: u64,
    each: &mut dyn FnMut(Change<'_>),
) -> Result<(), NoWatch> {
    let (mut n_seen_bytes, mut n_events) = (0, 0);
    // Events in the buffer have left the queue: they are always reported.
    while n_seen_bytes < n_bytes || !reader.is_buffer_empty() {
        let event = match reader.next() {
            Ok(event) => event,
            Err(Errno::INTR) => continue,
            Err(Errno::AGAIN) => break,
            Err(errno) => return Err(refused(errno)),
        };
        let name = event.file_name().map(|name| name.to_bytes());
        // The kernel pads names. Without the padding the count can only be too low, which is safe.
        n_seen_bytes += EVENT_BYTES + name.map_or(0, |name| name.len() as u64);
        n_events += 1;
        if n_events == EVENTS_MAX {
            each(Change::Lost);
        }
        let (dir, rename, flags) = (WatchId(event.wd()), event.cookie(), event.events());
        let event = Event { dir, name, rename, flags };
        event.report(n_events < EVENTS_MAX, each);
    }
    Ok(())
}

/// One event.
struct Event<'a> {
    dir: WatchId,
    name: Option<&'a [u8]>,
    rename: u32,
    flags: ReadFlags,
}

impl Event<'_> {
    /// Reports its changes, or only the end of a watch unless `all`.
    fn report(&self, all: bool, each: &mut dyn FnMut(Change<'_>)) {
        let Event { dir, name, rename, flags } = *self;
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
                each(Change::Entry { dir, name, is_dir, what, rename });
            }
        }
    }
}

/// Repeats a system call that a signal interrupts.
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
