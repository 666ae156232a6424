//! The text of one file: read into a reused buffer or while it is searched, decoded, classified as text or
//! binary, and brought into the form in which it is searched.

use super::form::HeldText;
use super::reader::{BINARY_PREFIX_BYTES, NonAscii, Polled};
use super::run::{FileSearch, OneFile};
use crate::encoding::{self, UnicodeForm};
use crate::room;
use crate::search::FileMatches;
use crate::syntax::PARSE_BYTES_MAX;
use crate::walk::Visited;
use crate::workspace::fs::File;
use encoding_rs_io::DecodeReaderBytesBuilder;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::TryReserveError;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Most source files fit; the buffer grows for others. Allocating a larger one would take as long as
/// searching some dozens of files.
const BUFFER_BYTES_MIN: usize = 32 * 1024;
/// Larger files are streamed, and only `HEAD_BYTES` of them are read into the buffer.
const BUFFER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// A smaller buffer is kept until the call ends.
const BUFFER_BYTES_KEPT: usize = 512 * 1024;
/// If the buffers of all calls are larger together, each of them is freed after the large file that needed it.
/// Otherwise it is kept, because a new one costs as much as reading the file.
const BUFFERS_BYTES_MAX: usize = 16 * 1024 * 1024;
static BUFFERS_BYTES: AtomicUsize = AtomicUsize::new(0);
pub(super) const HEAD_BYTES: usize = 256 * 1024;
/// docs/contracts/general.md#limits: a larger file is not searched across lines.
const MULTI_LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bound on the growth of a file while it is read; one that grows faster than we read would never end.
const GROWTH_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The text of a file in the form in which it is searched.
pub(super) enum Text<'t> {
    /// All of it: in the buffer, or in memory of its own.
    Held(HeldText<'t>),
    /// A reader of the text, if it does not fit in memory.
    Read(Box<dyn Read + 't>, LineLength),
}

/// The length of lines in a text that is searched while it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineLength {
    /// The searcher can hold them; if not, the search is restarted.
    Short,
    Any,
}

impl FileSearch {
    /// Returns a reader that decodes `encoded` to UTF-8. It is buffered, because at the end of its input the
    /// decoder fails on a buffer with less room than a character needs.
    fn decoder(&self, encoded: impl Read) -> impl Read {
        let mut builder = DecodeReaderBytesBuilder::new();
        builder.encoding(self.encoding).strip_bom(true).bom_override(true);
        BufReader::with_capacity(BINARY_PREFIX_BYTES, builder.build(encoded))
    }
}

impl<'a> OneFile<'a, '_> {
    /// Returns the text of a file that begins with `head` and continues with `rest` unless `head` is the
    /// `whole`. Returns `None`, and counts the file, if none of it is searched.
    pub(super) fn text<'t>(
        &mut self,
        head: &'t [u8],
        whole: bool,
        rest: impl Read + 't,
    ) -> io::Result<Option<Text<'t>>>
    where
        'a: 't,
    {
        let marked = encoding::from_bom(head);
        self.is_decoded = match marked {
            Some((encoding, _)) => encoding != encoding_rs::UTF_8,
            None => self.search.encoding.is_some() && !self.is_unsaved,
        };
        if self.is_decoded {
            if marked.is_some() {
                self.binary_prefix = None;
            }
            return self.decoded(self.search.decoder(Cursor::new(head).chain(rest)));
        }
        self.bom = marked.map_or(0, |(_, len)| len);
        let text = &head[self.bom..];
        self.binary_prefix = Some(BINARY_PREFIX_BYTES - self.bom);
        let is_held = whole || self.is_held_whole();
        // In UTF-16 a NUL is half of a character: a text that is decoded is classified after that.
        let is_classified_later = is_held && !self.keeps_ascii();
        if !is_classified_later && (self.is_too_large_to_decode(text)? || self.is_binary(text)) {
            return Ok(None);
        }
        let reader = Cursor::new(text).chain(rest);
        if whole {
            self.formed(Cow::Borrowed(text))
        } else if is_held && self.file_stamp.size > MULTI_LINE_BYTES_MAX as u64 {
            self.give_up_large();
            Ok(None)
        } else if is_held {
            self.held(reader)
        } else {
            Ok(Some(Text::Read(self.watched(reader), LineLength::Short)))
        }
    }

    /// Returns the text that a decoder produces; only the decoded text shows whether it is binary.
    fn decoded<'t>(&mut self, mut reader: impl Read + 't) -> io::Result<Option<Text<'t>>>
    where
        'a: 't,
    {
        if self.is_held_whole() {
            return self.held(reader);
        }
        let mut head = Vec::new();
        let polled = Polled::new(self.matcher.budget, reader.by_ref());
        polled.take(BINARY_PREFIX_BYTES as u64).read_to_end(&mut head)?;
        let is_binary = self.is_binary(&head);
        let reader = self.watched(Cursor::new(head).chain(reader));
        let text = || Text::Read(reader, LineLength::Short);
        Ok((!is_binary).then(text))
    }

    /// Reads all of a text into memory of its own.
    fn held<'t>(&mut self, reader: impl Read) -> io::Result<Option<Text<'t>>> {
        // At once, because a growing buffer is copied, and doubled. One byte more shows the end.
        let size = usize::try_from(self.file_stamp.size).unwrap_or(usize::MAX);
        let mut text = Vec::new();
        text.try_reserve_exact(size.min(MULTI_LINE_BYTES_MAX) + 1).map_err(io::Error::from)?;
        let limit = MULTI_LINE_BYTES_MAX as u64 + 1;
        let n = Polled::new(self.matcher.budget, reader).take(limit).read_to_end(&mut text)?;
        if n as u64 == limit {
            self.give_up_large();
            return Ok(None);
        }
        self.formed(Cow::Owned(text))
    }

    /// Reports a file that does not fit in memory although its matches may cross lines.
    fn give_up_large(&mut self) {
        let why = "larger than 16 MiB, which cannot be searched at once";
        self.tally.give_up(&self.candidate.path(), why);
    }

    /// Brings a text into the form in which it is searched. Returns `None` for a binary one, which is
    /// counted.
    fn formed<'t>(&mut self, text: Cow<'t, [u8]>) -> io::Result<Option<Text<'t>>> {
        let (form, budget) = (&self.search.form, self.matcher.budget);
        let mut held = HeldText::new(text);
        if self.is_declared() {
            held.decode(&form.encodings, budget)?;
            self.encoding = held.encoding();
        }
        // Bytes that were not decoded are classified already.
        let is_changed = self.is_decoded || self.encoding.is_some() || !self.keeps_ascii();
        if is_changed && self.is_binary(&held.text) {
            return Ok(None);
        }
        held.normalize(form.unicode, budget)?;
        Ok(Some(Text::Held(held)))
    }

    /// Whether the text is in one of several declared encodings: it is on disk, and has neither a byte order
    /// mark nor one encoding that is declared for all.
    fn is_declared(&self) -> bool {
        let has_own = self.is_unsaved || self.bom > 0 || self.is_decoded;
        !has_own && !self.search.form.encodings.is_empty()
    }

    /// Whether ASCII is the same in every encoding that the text may have.
    fn keeps_ascii(&self) -> bool {
        !self.is_declared() || self.search.form.encodings.keep_ascii()
    }

    /// Whether the form in which the text is searched may be another than that of the file.
    fn changes_form(&self) -> bool {
        self.is_declared() || self.search.form.unicode != UnicodeForm::Bytes
    }

    /// Returns a reader of a text that is searched while it is read, and so in its own form. It notes
    /// whether that may be another one than is asked for.
    fn watched<'t>(&self, reader: impl Read + 't) -> Box<dyn Read + 't>
    where
        'a: 't,
    {
        if !self.changes_form() {
            return Box::new(reader);
        }
        self.is_unformed.set(self.is_unformed.get() || !self.keeps_ascii());
        Box::new(NonAscii::new(reader, self.is_unformed))
    }

    /// Returns whether the text is binary, and counts the file if so.
    fn is_binary(&mut self, text: &[u8]) -> bool {
        let prefix = &text[..text.len().min(self.binary_prefix.unwrap_or(0))];
        let is_binary = memchr::memchr(0, prefix).is_some();
        self.tally.counts.skipped.binary += u64::from(is_binary);
        is_binary
    }

    /// Returns whether the NULs in a text too large to be decoded are halves of characters of a declared
    /// encoding, such as UTF-16, and reports the file if so: its bytes are not searched, because the search
    /// of them would end at the first NUL.
    fn is_too_large_to_decode(&mut self, text: &[u8]) -> io::Result<bool> {
        let prefix = &text[..text.len().min(BINARY_PREFIX_BYTES)];
        if self.keeps_ascii() || memchr::memchr(0, prefix).is_none() {
            return Ok(false);
        }
        let decoded = self.search.form.encodings.decode(prefix, false, self.matcher.budget)?;
        let is_text = decoded.is_some_and(|decoded| memchr::memchr(0, &decoded.text).is_none());
        if is_text {
            let why = "larger than 16 MiB: not searched, because it cannot be decoded at once";
            self.tally.give_up(&self.candidate.path(), why);
        }
        Ok(is_text)
    }

    /// Opens the text again.
    pub(super) fn reopen<'t>(&mut self) -> Result<Box<dyn Read + 't>, Box<Visited<FileMatches>>>
    where
        'a: 't,
    {
        let file = self.candidate.open().map_err(|error| {
            self.tally.count_unopened(&self.candidate.path(), &error);
            Visited::nothing()
        })?;
        let mut file = bounded(file, self.file_stamp.size);
        match file.read_exact(&mut [0; 3][..self.bom]) {
            Ok(()) if self.is_decoded => Ok(self.watched(self.search.decoder(file))),
            Ok(()) => Ok(self.watched(file)),
            Err(error) => Err(Box::new(self.unread(error))),
        }
    }

    /// Returns the lines of a text before a NUL, and notes its position.
    pub(super) fn until_nul<'t>(
        &self,
        held: &'t HeldText<'_>,
        nul_at: &Cell<Option<u64>>,
    ) -> &'t [u8] {
        let text = &*held.text;
        // The prefix was looked at before the text was normalized, which may have shortened it.
        let start = match self.binary_prefix {
            None => return text,
            Some(_) if held.is_normalized() => 0,
            Some(prefix) => prefix,
        };
        let Some(nul) = text.get(start..).and_then(|rest| memchr::memchr(0, rest)) else {
            return text;
        };
        let nul = start + nul;
        nul_at.set(Some(nul as u64));
        &text[..memchr::memrchr(b'\n', &text[..nul]).map_or(0, |line_end| line_end + 1)]
    }

    /// Returns whether the whole file must be in memory: matches may cross lines, or it is small enough to be
    /// parsed or brought into another form and has to be.
    fn is_held_whole(&self) -> bool {
        let size = self.file_stamp.size;
        let is_parsed = self.search.syntax.is_some() && size <= PARSE_BYTES_MAX as u64;
        let is_formed = self.changes_form() && size <= MULTI_LINE_BYTES_MAX as u64;
        self.search.pattern.is_multi_line() || is_parsed || is_formed
    }

    /// Warns of a text that was searched in its own form because it is too large for another.
    pub(super) fn warn_of_form(&mut self) {
        if self.is_unformed.take() {
            let why = "larger than 16 MiB: searched without declared encodings and Unicode forms";
            self.tally.search_in_part(&self.candidate.path(), why);
        }
    }
}

/// Limits how far a file that had `size` bytes is read: bytes appended meanwhile are included up to a bound.
pub(super) fn bounded(file: File, size: u64) -> io::Take<File> {
    file.take(size.saturating_add(GROWTH_BYTES_MAX))
}

/// The buffer of a thread.
#[derive(Default)]
pub(super) struct FileBuffer(Vec<u8>);

impl FileBuffer {
    /// Returns the part that a file of this size is first read into. It depends on nothing else, so that the
    /// same file is always searched in the same way.
    pub(super) fn for_file(&mut self, size: u64) -> Result<&mut [u8], TryReserveError> {
        // One byte more than the file had, to detect its end.
        let wanted = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
        let len = if wanted > BUFFER_BYTES_MAX { HEAD_BYTES } else { wanted.max(BUFFER_BYTES_MIN) };
        let is_unneeded = self.0.len() > BUFFER_BYTES_KEPT && len <= BUFFER_BYTES_KEPT;
        if self.0.len() < len || is_unneeded && BUFFERS_BYTES.load(Relaxed) > BUFFERS_BYTES_MAX {
            // A new allocation, so that the old content is not copied.
            self.free();
            room::resize(&mut self.0, len.next_power_of_two())?;
            BUFFERS_BYTES.fetch_add(self.0.len(), Relaxed);
        }
        Ok(&mut self.0[..len])
    }

    fn free(&mut self) {
        BUFFERS_BYTES.fetch_sub(self.0.len(), Relaxed);
        self.0 = Vec::new();
    }
}

impl Drop for FileBuffer {
    fn drop(&mut self) {
        self.free();
    }
}

/// Reads until `buffer` is full or contains the file, which had `size` bytes when it was opened.
pub(super) fn fill(file: &mut impl Read, buffer: &mut [u8], size: u64) -> io::Result<usize> {
    let mut n = 0;
    while n < buffer.len() {
        match file.read(&mut buffer[n..])? {
            0 => break,
            more => n += more,
        }
        // A file that just fits is complete without another read for its end.
        if n as u64 == size {
            break;
        }
    }
    Ok(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_buffers_are_freed_where_many_threads_have_one() {
        let mut buffers: Vec<FileBuffer> =
            std::iter::repeat_with(FileBuffer::default).take(6).collect();
        for buffer in &mut buffers {
            assert_eq!(buffer.for_file(3 << 20).expect("memory").len(), (3 << 20) + 1);
            assert_eq!(buffer.for_file(2 << 20).expect("memory").len(), (2 << 20) + 1);
            assert_eq!(buffer.0.len(), 4 << 20);
        }
        for buffer in &mut buffers[..2] {
            assert_eq!(buffer.for_file(70_000).expect("memory").len(), 70_001);
            assert_eq!(buffer.0.len(), 128 << 10);
        }
    }
}
