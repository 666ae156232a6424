//! Writing below the handle of the output directory: by names, never by paths.

use super::sys::Handle;
use super::{DIR, Dir};
use crate::workspace::fs::FsError;
use rustix::fs::OFlags;
use std::io;
use std::path::{Path, PathBuf};

/// The handle of a directory in which files may be written.
#[derive(Debug)]
pub(crate) struct OutputHandle(Handle);

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct NewFile(Handle);

impl OutputHandle {
    /// Opens the directory, through symlinks; also returns its path without them.
    pub(crate) fn open(path: &Path) -> Result<(OutputHandle, PathBuf), FsError> {
        let handle = Handle::open_path(path, DIR | OFlags::RDONLY)?;
        #[expect(clippy::disallowed_methods, reason = "the directory's own name, for replies")]
        let real_path = std::fs::canonicalize(path).map_err(FsError::Io)?;
        Ok((OutputHandle(handle), real_path))
    }

    /// Creates a new file, accessible to its owner only. It is locked as long as it is open, if its file system
    /// has locks.
    pub(crate) fn create_new(&self, name: &str) -> io::Result<NewFile> {
        let file = self.0.create(name)?;
        let _ = file.try_lock();
        Ok(NewFile(file))
    }

    /// Returns whether a file that [`OutputHandle::create_new`] created is open nowhere. Processes of other
    /// containers count, which a number of a process would not show.
    pub(crate) fn is_abandoned(&self, name: &str) -> bool {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        self.0.open(name.as_bytes(), flags).is_ok_and(|file| file.try_lock().is_ok())
    }

    /// Renames a file, replacing any entry with the new name other than a directory.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(self.0.rename(from, to)?)
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(self.0.remove(name)?)
    }
}

impl OutputHandle {
    /// Returns a handle of the directory for listing it.
    pub(crate) fn dir(&self) -> Result<Dir, FsError> {
        // A separate handle: one that was listed is at its end.
        Dir::of(self.0.open(b".", DIR | OFlags::RDONLY)?)
    }
}

impl NewFile {
    /// Waits until the written data is on disk.
    pub(crate) fn sync_all(&self) -> io::Result<()> {
        Ok(self.0.sync()?)
    }
}

impl io::Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(self.0.write(bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
