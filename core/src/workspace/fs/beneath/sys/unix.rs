//! Substitutes in POSIX for the calls that only Linux has.
//!
//! There is no `openat2`: every path is walked name by name. There are no handles without the right to read:
//! an entry is looked up by `fstatat`, and a directory on the way must be readable.

use super::{Handle, Looked, Op, Watch};
use crate::workspace::fs::beneath::DIR;
use rustix::fs::{Dir, DirEntry, FileType, OFlags};
use rustix::io::{Errno, Result};
use std::mem::MaybeUninit;

/// Listings have memory of their own.
pub(in crate::workspace::fs::beneath) const LIST_BYTES: usize = 0;

/// Opens a directory only to pass it.
pub(in crate::workspace::fs::beneath) const WAY: OFlags = DIR;

/// The number of entries that count as one call of the system in tests; the true number is unknown here.
const CHUNK: usize = 64;

/// A listing of a directory in progress.
pub(in crate::workspace::fs::beneath) struct Listing<'a> {
    entries: Result<Dir>,
    n_read: usize,
    watch: &'a Watch,
}

impl Handle {
    /// Refuses: the caller then walks name by name.
    pub(in crate::workspace::fs::beneath) fn open_beneath(
        &self,
        _path: &[u8],
        _flags: OFlags,
        _follow: bool,
    ) -> Result<Handle> {
        Err(Errno::NOSYS)
    }

    /// Refuses: the caller then walks name by name.
    pub(in crate::workspace::fs::beneath) fn look_beneath(
        &self,
        _path: &[u8],
        _follow: bool,
    ) -> Result<Looked> {
        Err(Errno::NOSYS)
    }

    /// Looks up the entry `name` itself, not a link's target.
    pub(in crate::workspace::fs::beneath) fn look(&self, name: &[u8]) -> Result<Looked> {
        let stat = self.stat_entry(name)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
            return Looked::of(self.open(name, DIR | OFlags::NOFOLLOW)?);
        }
        Ok(Looked { stat, handle: None })
    }

    /// Returns whether something is mounted over the file; unknown here, hence always true.
    pub(in crate::workspace::fs::beneath) fn is_mount(&self) -> Result<bool> {
        Ok(true)
    }

    /// Lists this directory from its beginning.
    pub(in crate::workspace::fs::beneath) fn list<'a>(
        &'a self,
        _buffer: &'a mut [MaybeUninit<u8>],
    ) -> Listing<'a> {
        let entries = self.watch.retrying(Op::Open, || Dir::read_from(&self.fd));
        Listing { entries, n_read: 0, watch: &self.watch }
    }
}

impl Listing<'_> {
    /// Returns the next entry; a signal may interrupt it.
    pub(in crate::workspace::fs::beneath) fn next(&mut self) -> Option<Result<DirEntry>> {
        if self.n_read.is_multiple_of(CHUNK)
            && let Err(errno) = self.watch.before(Op::List)
        {
            return Some(Err(errno));
        }
        self.n_read += 1;
        match &mut self.entries {
            // After any error of libc rustix reports the end, so one that an attempt could cure is final.
            Ok(entries) => entries.next().map(|entry| {
                entry.map_err(|errno| if errno == Errno::INTR { Errno::IO } else { errno })
            }),
            Err(errno) => Some(Err(*errno)),
        }
    }
}
