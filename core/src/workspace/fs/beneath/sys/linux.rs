//! The calls that only Linux has.

use super::{Handle, Looked, Op, Watch};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::{
    AtFlags, Mode, OFlags, RawDir, RawDirEntry, ResolveFlags, StatxAttributes, StatxFlags,
};
use rustix::io::Result;
use std::mem::MaybeUninit;

/// The size of the chunks in which the kernel lists directories.
pub(in crate::workspace::fs::beneath) const LIST_BYTES: usize = 64 * 1024;

/// A handle of an entry that is neither read nor written. `openat2` refuses flags that mean nothing for it.
const PATH: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);
/// Opens a directory only to pass it.
pub(in crate::workspace::fs::beneath) const WAY: OFlags = PATH.union(OFlags::DIRECTORY);

/// A listing of a directory in progress.
pub(in crate::workspace::fs::beneath) struct Listing<'a> {
    entries: RawDir<'a, BorrowedFd<'a>>,
    watch: &'a Watch,
}

impl Handle {
    /// Opens `path` below this directory by `openat2`, once; the caller interprets the error. Symlinks are
    /// followed only with `follow`.
    pub(in crate::workspace::fs::beneath) fn open_beneath(
        &self,
        path: &[u8],
        flags: OFlags,
        follow: bool,
    ) -> Result<Handle> {
        let mut resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        if !follow {
            resolve |= ResolveFlags::NO_SYMLINKS;
        }
        self.watch.before(Op::OpenBeneath)?;
        Ok(self.child(rustix::fs::openat2(&self.fd, path, flags, Mode::empty(), resolve)?))
    }

    /// Like [`Handle::open_beneath`], but only looks the entry up.
    pub(in crate::workspace::fs::beneath) fn look_beneath(
        &self,
        path: &[u8],
        follow: bool,
    ) -> Result<Looked> {
        Looked::of(self.open_beneath(path, PATH, follow)?)
    }

    /// Looks up the entry `name` itself, not a link's target.
    pub(in crate::workspace::fs::beneath) fn look(&self, name: &[u8]) -> Result<Looked> {
        Looked::of(self.open(name, PATH | OFlags::NOFOLLOW)?)
    }

    /// Returns the magic number of the file system.
    pub(in crate::workspace::fs::beneath) fn file_system(&self) -> Result<u64> {
        let stat = self.watch.retrying(Op::FileSystem, || rustix::fs::fstatfs(&self.fd))?;
        Ok(stat.f_type as u64)
    }

    /// Returns whether this is the root of a mount.
    pub(in crate::workspace::fs::beneath) fn is_mount(&self) -> Result<bool> {
        let (flags, mask) = (AtFlags::EMPTY_PATH, StatxFlags::empty());
        let stat = || rustix::fs::statx(&self.fd, c"", flags, mask);
        let attributes = self.watch.retrying(Op::Stat, stat)?.stx_attributes;
        Ok(attributes.contains(StatxAttributes::MOUNT_ROOT))
    }

    /// Returns the number of the mount that the directory was opened through; `None` before Linux 5.8.
    pub(in crate::workspace::fs::beneath) fn mount(&self) -> Result<Option<u64>> {
        let stat = || rustix::fs::statx(&self.fd, c"", AtFlags::EMPTY_PATH, StatxFlags::MNT_ID);
        let stat = self.watch.retrying(Op::Stat, stat)?;
        let is_known = StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::MNT_ID);
        Ok(is_known.then_some(stat.stx_mnt_id))
    }

    /// Lists this directory from its current position, which for a new handle is its beginning.
    pub(in crate::workspace::fs::beneath) fn list<'a>(
        &'a self,
        buffer: &'a mut [MaybeUninit<u8>],
    ) -> Listing<'a> {
        Listing { entries: RawDir::new(self.fd.as_fd(), buffer), watch: &self.watch }
    }
}

impl Listing<'_> {
    /// Returns the next entry; a signal may interrupt it.
    pub(in crate::workspace::fs::beneath) fn next(&mut self) -> Option<Result<RawDirEntry<'_>>> {
        if self.entries.is_buffer_empty()
            && let Err(errno) = self.watch.before(Op::List)
        {
            return Some(Err(errno));
        }
        self.entries.next()
    }
}
