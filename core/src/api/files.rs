//! Single files and directories that a caller names.

use crate::Call;
use crate::budget::Budget;
use crate::encoding::{decode_text, from_bom};
use crate::error::{Error, ErrorKind, Result};
use crate::search::{FileDetails, FileType};
use crate::walk::stat_named;
use crate::workspace::fs::Kind;
use crate::workspace::{RelPath, Unread, Workspace, read};
use std::borrow::Cow;

/// A NUL in this many first bytes makes a file binary, as in a search.
const BINARY_LOOK_BYTES: usize = 64 * 1024;

/// The contents of a file that was read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileText {
    /// Text, decoded as a search decodes it.
    Text {
        /// The text.
        text: String,
        /// Whether bytes that are not text were replaced by U+FFFD.
        is_lossy: bool,
    },
    /// A file with a NUL in its first 64 KiB.
    Binary {
        /// Its size in bytes.
        bytes: u64,
    },
    /// A file that is larger than the caller wants.
    TooLarge,
}

impl Workspace {
    /// Returns whether the workspace reaches a file system that may block a call for ever, as network file systems
    /// do. A later mount is noticed within a second. Only on Linux.
    pub fn may_not_answer(&self) -> bool {
        self.mounts().may_not_answer()
    }

    /// Runs `work` on a separate thread, with a call that ends with `call`, and returns its result or an error soon
    /// after the deadline. Abandoned work sees its call cancelled. For a workspace that
    /// [may not answer](Workspace::may_not_answer), so that the caller is free at the deadline.
    ///
    /// # Errors
    ///
    /// Those of `work`; `timeout` and `cancelled` if no result came; `timeout` at once if calls are stuck already.
    pub fn run_apart<T: Send + 'static>(
        &self,
        call: &Call,
        work: impl FnOnce(&Call) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.mounts().run_apart(call, work)
    }

    /// Returns the attributes of the file or directory at `path`, through symlinks inside the root.
    ///
    /// # Errors
    ///
    /// `not_found`, with the nearest paths in [`Error::near`]; `access_denied`; `io`.
    pub fn details(&self, path: &RelPath) -> Result<FileDetails> {
        let meta = stat_named(self, path)?;
        let file_type = match meta.kind {
            Kind::File => FileType::File,
            Kind::Dir => FileType::Directory,
            Kind::Symlink => FileType::Symlink,
            Kind::Special => FileType::Special,
        };
        Ok(FileDetails { file_type, size: meta.size, modified_ns: meta.mtime_ns })
    }

    /// Reads the file at `path`, if it has at most `bytes_max` bytes.
    ///
    /// # Errors
    ///
    /// `not_found`, `access_denied`, `io`, `timeout` and `cancelled`.
    pub fn read_text(&self, path: &RelPath, bytes_max: u64, call: &Call) -> Result<FileText> {
        stat_named(self, path)?;
        let budget = Budget::of(call);
        let failed = |why: Unread| match why.reason() {
            Some(reason) => Error::new(ErrorKind::Io, format!("'{}': {reason}", path.display()))
                .with_path(path.display()),
            None => stopped(&budget),
        };
        let file = self.fs().open_file(path, true).map_err(|error| failed(error.into()))?;
        let encodings = file.encodings(self.encodings());
        let mut buffer = Vec::new();
        let bytes = match read(file, bytes_max, &mut buffer, &budget) {
            Ok(bytes) => bytes,
            Err(Unread::TooLarge(_)) => return Ok(FileText::TooLarge),
            Err(why) => return Err(failed(why)),
        };
        let is_marked = from_bom(bytes).is_some();
        let look = &bytes[..bytes.len().min(BINARY_LOOK_BYTES)];
        if !is_marked && encodings.keep_ascii() && memchr::memchr(0, look).is_some() {
            return Ok(FileText::Binary { bytes: bytes.len() as u64 });
        }
        let text = decode_text(bytes, true, &encodings, &budget).map_err(|_| stopped(&budget))?;
        let is_replaced =
            matches!(&text, Cow::Owned(text) if text.contains(char::REPLACEMENT_CHARACTER));
        let is_lossy = !is_marked && is_replaced && std::str::from_utf8(bytes).is_err();
        Ok(FileText::Text { text: text.into_owned(), is_lossy })
    }
}

fn stopped(budget: &Budget) -> Error {
    if budget.is_cancelled() {
        Error::new(ErrorKind::Cancelled, "the call was cancelled")
    } else {
        Error::new(ErrorKind::Timeout, "the time ran out before the file was read")
    }
}
