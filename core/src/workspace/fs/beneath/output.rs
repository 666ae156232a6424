//! Writing: names below the handle of the output directory, and never a path.

use super::{DIR, retry};
use crate::workspace::fs::FsError;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The handle of a directory in which files may be written.
#[derive(Debug)]
pub(crate) struct OutputHandle(OwnedFd);

impl OutputHandle {
    /// Opens the directory, through symlinks; also gives its path without them.
    pub(crate) fn open(path: &Path) -> Result<(OutputHandle, PathBuf), FsError> {
        let fd = retry(|| rustix::fs::open(path, DIR | OFlags::RDONLY, Mode::empty()))?;
        #[expect(clippy::disallowed_methods, reason = "the directory's own name, for replies")]
        let real_path = std::fs::canonicalize(path).map_err(FsError::Io)?;
        Ok((OutputHandle(fd), real_path))
    }

    /// Makes a file that did not exist, for its owner alone.
    pub(crate) fn create_new(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(File::from(retry(|| rustix::fs::openat(&self.0, name, flags, mode))?))
    }

    /// Renames a file, over whatever has the new name unless that is a directory.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(retry(|| rustix::fs::renameat(&self.0, from, &self.0, to))?)
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(retry(|| rustix::fs::unlinkat(&self.0, name, AtFlags::empty()))?)
    }
}
