//! One file: read into a reused buffer, classified, and searched in the way that fits its size.

use super::collect::{Collector, Halt};
use super::context::Context;
use super::form::{HeldText, TextForm};
use super::likely::has_definition_line;
use super::long_lines;
use super::parts::{Giving, Parts, TakePart};
use super::reader::{BINARY_PREFIX_BYTES, NonAscii, Polled, ShortLines, UntilNul};
use super::syntax::{AskedSyntax, FileSyntax};
use super::{FileMatches, Limits, Mode};
use crate::budget::{Budget, Stopped};
use crate::encoding::{self, UnicodeForm};
use crate::index::{Candidates, Class, FileMemory, View};
use crate::pattern::{BudgetedMatcher, Pattern, StepMemory};
use crate::room;
use crate::syntax::{FileStamp, PARSE_BYTES_MAX, Unparsed};
use crate::walk::{Candidate, Effort, FileAttributes, FileBlock, Tally, Visited, Visitor};
use crate::workspace::RelPath;
use crate::workspace::fs::{File, Meta};
use encoding_rs::Encoding;
use encoding_rs_io::DecodeReaderBytesBuilder;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, SinkError};
use memchr::memmem;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::TryReserveError;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;
use std::sync::Arc;

/// Most source files fit; the buffer grows for others. Allocating a larger one would take as long as
/// searching some dozens of files.
const BUFFER_BYTES_MIN: usize = 32 * 1024;
/// Larger files are streamed, and only `HEAD_BYTES` of them are read into the buffer.
const BUFFER_BYTES_MAX: usize = 4 * 1024 * 1024;
const HEAD_BYTES: usize = 256 * 1024;
/// A file of this size is a task of its own.
const LARGE_BYTES: u64 = 1024 * 1024;
/// docs/contracts/general.md#limits: a larger file is not searched across lines.
const MULTI_LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bound on the growth of a file while it is read; one that grows faster than we read would never end.
const GROWTH_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The searcher's own buffer: a line and the context lines before it. A failed allocation in it aborts the
/// process, so longer lines are searched in our own buffer. Its vector doubles when it grows: with this limit
/// it grows once, to exactly this size.
const HEAP_BYTES_MAX: usize = 192 * 1024;

/// Searches each file for a pattern.
pub(super) struct FileSearch {
    pub(super) pattern: Arc<Pattern>,
    pub(super) mode: Mode,
    pub(super) limits: Limits,
    pub(super) context: Context,
    pub(super) encoding: Option<&'static Encoding>,
    /// The form in which texts are searched.
    pub(super) form: TextForm,
    pub(super) exclude: Option<memmem::Finder<'static>>,
    /// The syntax that the request needs, if any.
    pub(super) syntax: Option<AskedSyntax>,
    pub(super) attributes: FileAttributes,
    /// The file in which the search continues, and the number of its matches already reported.
    pub(super) resumed: Option<(RelPath, u64)>,
    /// Whether the matching lines of a file may come in parts.
    pub(super) in_parts: bool,
    /// Whether each file is stamped.
    pub(super) stamps: bool,
    /// The files that may have a match according to the index.
    pub(super) matching: Option<Candidates>,
}

/// Memory that a thread reuses from file to file, allocated on first use.
#[derive(Default)]
pub(super) struct Scratch {
    buffer: Vec<u8>,
    /// A piece of a file that does not fit in the buffer.
    piece: Vec<u8>,
    searcher: Option<Searcher>,
    steps: StepMemory,
}

/// Options of one visit.
struct Looked<'a> {
    giving: Giving<'a>,
    stamps: bool,
}

/// The text of a file in the form in which it is searched.
enum Text<'t> {
    /// All of it: in the buffer, or in memory of its own.
    Held(HeldText<'t>),
    /// A reader of the text, if it does not fit in memory.
    Read(Box<dyn Read + 't>, LineLength),
}

/// The length of lines in a text that is searched while it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineLength {
    /// The searcher can hold them; if not, the search is restarted.
    Short,
    Any,
}

impl Visitor for FileSearch {
    type Scratch = Scratch;
    type Found = FileMatches;

    fn visit(
        &self,
        scratch: &mut Scratch,
        candidate: &Candidate<'_>,
        budget: &Budget,
        tally: &mut Tally,
        _files: &mut FileBlock,
    ) -> Visited<FileMatches> {
        let resumed = self.resumed.as_ref().filter(|(path, _)| candidate.is_at(path));
        let skip = resumed.map_or(0, |(_, given)| *given);
        let in_parts = self.in_parts && self.mode == Mode::Content;
        let parts = if in_parts { Parts::First } else { Parts::Whole };
        // An earlier page has stamped the file in which the search continues.
        let stamps = self.stamps && resumed.is_none();
        self.look_at(
            scratch,
            candidate,
            budget,
            tally,
            Looked { giving: Giving { skip, parts }, stamps },
        )
    }

    fn weight(found: &FileMatches) -> usize {
        found.output_bytes
    }
}

impl FileSearch {
    /// Searches a file after its first `given` matches. Hands the others to `take`, part by part, and returns
    /// the last part.
    pub(super) fn search_rest(
        &self,
        scratch: &mut Scratch,
        candidate: &Candidate<'_>,
        budget: &Budget,
        tally: &mut Tally,
        given: u64,
        take: &TakePart<'_>,
    ) -> Visited<FileMatches> {
        let giving = Giving { skip: given, parts: Parts::Rest(take) };
        let how = Looked { giving, stamps: false };
        self.look_at(scratch, candidate, budget, tally, how)
    }

    fn look_at(
        &self,
        scratch: &mut Scratch,
        candidate: &Candidate<'_>,
        budget: &Budget,
        tally: &mut Tally,
        Looked { giving, stamps }: Looked<'_>,
    ) -> Visited<FileMatches> {
        let absent = self.matching.as_ref().and_then(|matching| candidate.absent_from(matching));
        if let Some(absent) = absent {
            return self.count_absent(&absent, candidate, stamps, tally);
        }
        let file = match candidate.open() {
            Ok(file) => file,
            Err(error) => {
                tally.count_unopened(&candidate.path(), &error);
                let meta = if stamps { candidate.stat().ok() } else { None };
                let stamp = meta.map_or(0, |meta| candidate.stamp(Some(&meta)));
                return Visited { stamp, ..Visited::nothing() };
            }
        };
        let stamp = if stamps { candidate.stamp(Some(file.meta())) } else { 0 };
        if !self.admits(file.meta(), tally) {
            return Visited { stamp, ..Visited::nothing() };
        }
        let (size, file_stamp) = (file.meta().size, file.meta().file_stamp());
        let Scratch { buffer, piece, searcher, steps } = scratch;
        let mut file = Polled::new(budget, bounded(file, size));
        let (buffer, filled) = match buffer_for(size, buffer) {
            Ok(buffer) => {
                let filled = fill(&mut file, buffer, size);
                (buffer, filled)
            }
            Err(error) => (&mut [][..], Err(error.into())),
        };
        let matcher = BudgetedMatcher {
            pattern: &self.pattern,
            budget,
            memory: steps,
            exclude: self.exclude.as_ref(),
        };
        let mut search = OneFile {
            search: self,
            matcher: &matcher,
            candidate,
            piece,
            searcher,
            tally,
            file_stamp,
            binary_prefix: Some(BINARY_PREFIX_BYTES),
            bom: 0,
            is_decoded: false,
            encoding: None,
            is_unformed: Rc::default(),
            giving,
        };
        let text = filled.and_then(|n| search.text(&buffer[..n], n < buffer.len(), file));
        let visited = match text {
            Ok(Some(text)) => search.search(text),
            Ok(None) => Visited::nothing(),
            Err(error) => search.unread(error),
        };
        Visited { stamp, ..visited }
    }

    /// Sets the files that may have a match, from the index of a walk.
    pub(super) fn match_in(&mut self, view: Option<&Arc<View>>, budget: &Budget) {
        // The index has texts as they are searched without a declared encoding or another form.
        let view = view.filter(|_| self.encoding.is_none() && self.form.is_plain());
        self.matching = view.map(|view| {
            let (plan, mode) = (self.pattern.plan(), self.pattern.plan_mode());
            view.index().matching(plan, mode, budget)
        });
    }

    /// Returns whether a file with these attributes is searched; counts it if not.
    fn admits(&self, meta: &Meta, tally: &mut Tally) -> bool {
        let is_wanted = self.attributes.passes_all() || self.attributes.admit(meta);
        let is_too_large = is_wanted && meta.size > self.limits.file_bytes_max;
        tally.counts.filtered += u64::from(!is_wanted);
        tally.counts.skipped.too_large += u64::from(is_too_large);
        is_wanted && !is_too_large
    }

    /// Counts a file without a match as if it had been searched.
    fn count_absent(
        &self,
        file: &FileMemory,
        candidate: &Candidate<'_>,
        stamps: bool,
        tally: &mut Tally,
    ) -> Visited<FileMatches> {
        let meta = file.meta();
        let stamp = if stamps { candidate.stamp(Some(&meta)) } else { 0 };
        let is_binary = file.class == Class::Binary;
        if self.admits(&meta, tally) {
            tally.counts.skipped.binary += u64::from(is_binary);
            tally.counts.files += u64::from(!is_binary);
        }
        Visited { stamp, ..Visited::nothing() }
    }

    /// Returns a reader that decodes `encoded` to UTF-8. It is buffered, because at the end of its input the
    /// decoder fails on a buffer with less room than a character needs.
    fn decoder(&self, encoded: impl Read) -> impl Read {
        let mut builder = DecodeReaderBytesBuilder::new();
        builder.encoding(self.encoding).strip_bom(true).bom_override(true);
        BufReader::with_capacity(BINARY_PREFIX_BYTES, builder.build(encoded))
    }

    fn searcher(&self) -> Searcher {
        SearcherBuilder::new()
            .multi_line(self.pattern.is_multi_line())
            .before_context(self.context.before)
            .after_context(self.context.after)
            .binary_detection(BinaryDetection::none())
            .bom_sniffing(false)
            .heap_limit(Some(HEAP_BYTES_MAX))
            .build()
    }
}

/// Limits how far a file that had `size` bytes is read: bytes appended meanwhile are included up to a bound.
fn bounded(file: File, size: u64) -> io::Take<File> {
    file.take(size.saturating_add(GROWTH_BYTES_MAX))
}

/// The search of one file.
struct OneFile<'a, 'c> {
    search: &'a FileSearch,
    matcher: &'a BudgetedMatcher<'a>,
    candidate: &'a Candidate<'c>,
    piece: &'a mut Vec<u8>,
    searcher: &'a mut Option<Searcher>,
    tally: &'a mut Tally,
    /// The state of the file when it was opened.
    file_stamp: FileStamp,
    /// A NUL in this many first bytes makes the file binary; `None` where a NUL is text.
    binary_prefix: Option<usize>,
    /// The length of the byte order mark before a text that is not decoded.
    bom: usize,
    is_decoded: bool,
    /// The declared encoding of several that the text is in.
    encoding: Option<&'static Encoding>,
    /// Whether a text too large for its form to be changed has bytes that the form may change.
    is_unformed: Rc<Cell<bool>>,
    giving: Giving<'a>,
}

impl<'a> OneFile<'a, '_> {
    /// Returns the text of a file that begins with `head` and continues with `rest` unless `head` is the
    /// `whole`. Returns `None`, and counts the file, if none of it is searched.
    fn text<'t>(
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
            None => self.search.encoding.is_some(),
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
        if !is_classified_later && self.is_binary(text) {
            return Ok(None);
        }
        let reader = Cursor::new(text).chain(rest);
        if whole {
            self.formed(Cow::Borrowed(text))
        } else if is_held {
            self.held(reader)
        } else {
            Ok(Some(Text::Read(self.watched(reader), LineLength::Short)))
        }
    }

    /// Returns the text that a decoder produces; only the decoded text shows whether it is binary.
    fn decoded<'t>(&mut self, mut reader: impl Read + 't) -> io::Result<Option<Text<'t>>> {
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
        let mut text = Vec::new();
        let limit = MULTI_LINE_BYTES_MAX as u64 + 1;
        let n = Polled::new(self.matcher.budget, reader).take(limit).read_to_end(&mut text)?;
        if n as u64 == limit {
            let why = "larger than 16 MiB, which cannot be searched at once";
            self.tally.give_up(&self.candidate.path(), why);
            return Ok(None);
        }
        self.formed(Cow::Owned(text))
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

    /// Whether the text is in one of several declared encodings: it has neither a byte order mark nor
    /// one encoding that is declared for all.
    fn is_declared(&self) -> bool {
        self.bom == 0 && !self.is_decoded && !self.search.form.encodings.is_empty()
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
    fn watched<'t>(&self, reader: impl Read + 't) -> Box<dyn Read + 't> {
        if !self.changes_form() {
            return Box::new(reader);
        }
        self.is_unformed.set(self.is_unformed.get() || !self.keeps_ascii());
        Box::new(NonAscii::new(reader, Rc::clone(&self.is_unformed)))
    }

    /// Returns whether the text is binary, and counts the file if so.
    fn is_binary(&mut self, text: &[u8]) -> bool {
        let prefix = &text[..text.len().min(self.binary_prefix.unwrap_or(0))];
        let is_binary = memchr::memchr(0, prefix).is_some();
        self.tally.counts.skipped.binary += u64::from(is_binary);
        is_binary
    }

    /// Searches the text; starts again in another way if a line turns out to be too long.
    fn search(mut self, text: Text<'_>) -> Visited<FileMatches> {
        // With a lifetime of its own: the reopened text may replace it.
        let mut text: Text<'_> = text;
        let is_large = self.file_stamp.size >= LARGE_BYTES;
        let effort = match &text {
            Text::Held(held) if held.is_own() => Effort::Large,
            Text::Read(..) if is_large => Effort::Large,
            _ => Effort::Small,
        };
        if let Text::Read(reader, _) = &mut text {
            match self.lacks_literals(reader) {
                Ok(None) => {}
                Ok(Some(true)) => return Visited { effort, ..Visited::nothing() },
                Ok(Some(false)) => match self.reopen() {
                    Ok(reader) => text = Text::Read(reader, LineLength::Short),
                    Err(visited) => return *visited,
                },
                Err(error) => return self.unread(error),
            }
            if let Parts::First = self.giving.parts {
                let left = FileMatches { has_rest: true, ..FileMatches::empty() };
                let found = Some(FileMatches { path: self.candidate.path(), ..left });
                return Visited { found, effort: Effort::Large, ..Visited::nothing() };
            }
        }
        if let Some(visited) = self.pass(text, effort) {
            return visited;
        }
        match self.reopen() {
            Ok(reader) => {
                let visited = self.pass(Text::Read(reader, LineLength::Any), Effort::Large);
                visited.unwrap_or_else(Visited::nothing)
            }
            Err(visited) => *visited,
        }
    }

    /// Looks for the required literals in a text that does not fit in the buffer. Returns whether it lacks
    /// them, and then counts the file; `None`, without having read anything, if the pattern has no such
    /// literals or the text is decoded.
    fn lacks_literals(&mut self, reader: &mut dyn Read) -> io::Result<Option<bool>> {
        let Some(longest) = self.search.pattern.longest_required().filter(|_| !self.is_decoded)
        else {
            return Ok(None);
        };
        let mut polled = Polled::new(self.matcher.budget, reader);
        let piece = &mut *self.piece;
        room::resize(piece, HEAD_BYTES)?;
        // The number of bytes kept from the piece before, and the position of the piece in the text.
        let (mut kept, mut position) = (0, 0);
        loop {
            let n = kept + polled.read(&mut piece[kept..])?;
            let end = memchr::memchr(0, &piece[kept..n]).map_or(n, |nul| kept + nul);
            if self.search.pattern.may_match(&piece[..end], self.matcher.budget) {
                return Ok(Some(false));
            }
            if end < n || n == kept {
                self.tally.counts.files += 1;
                self.warn_of_nul((end < n).then_some((position + end) as u64));
                self.warn_of_form();
                return Ok(Some(true));
            }
            // A literal may cross the boundary between two pieces.
            let overlap = n.min(longest - 1);
            piece.copy_within(n - overlap..n, 0);
            position += n - overlap;
            kept = overlap;
        }
    }

    /// Opens the text again.
    fn reopen<'t>(&mut self) -> Result<Box<dyn Read + 't>, Box<Visited<FileMatches>>>
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

    /// Searches the text once. `None` where a line is longer than the searcher can hold.
    fn pass(&mut self, text: Text<'_>, effort: Effort) -> Option<Visited<FileMatches>> {
        let nul_at = Cell::new(None);
        let (held, reader) = match text {
            Text::Held(text) => (Some(text), None),
            Text::Read(reader, lines) => (None, Some((reader, lines))),
        };
        let origin = held.as_ref().and_then(HeldText::origin);
        let held = held.as_ref().map(|held| self.until_nul(&held.text, &nul_at));
        if held.is_some_and(|text| !self.search.pattern.may_match(text, self.matcher.budget)) {
            self.tally.counts.files += 1;
            self.warn_of_nul(nul_at.get());
            return Some(Visited { effort, ..Visited::nothing() });
        }
        let syntax = self.syntax(held);
        let mut collector = self.collector(syntax.as_ref(), &nul_at).with_origin(origin);
        let searcher = self.searcher.get_or_insert_with(|| self.search.searcher());
        let is_any_length = matches!(reader, None | Some((_, LineLength::Any)));
        let halted = if let Some((reader, lines)) = reader {
            let reader = Polled::new(self.matcher.budget, reader);
            let reader = UntilNul::new(reader, self.binary_prefix.is_some(), &nul_at);
            if lines == LineLength::Short {
                let mut reader = ShortLines::new(reader);
                searcher.search_reader(self.matcher, &mut reader, &mut collector)
            } else {
                self.search_long_lines(reader, &mut collector)
            }
        } else {
            searcher.search_slice(self.matcher, held.unwrap_or_default(), &mut collector)
        };
        if matches!(halted, Err(Halt::LongLine)) && !is_any_length {
            self.giving.skip += collector.n_given();
            return None;
        }
        let visited = self.finish(collector, halted, effort);
        Some(self.with_symbols(visited, syntax.as_ref()))
    }

    /// Returns the lines of a text before a NUL, and notes its position.
    fn until_nul<'t>(&self, text: &'t [u8], nul_at: &Cell<Option<u64>>) -> &'t [u8] {
        let prefix = self.binary_prefix.unwrap_or(usize::MAX);
        let Some(nul) = text.get(prefix..).and_then(|rest| memchr::memchr(0, rest)) else {
            return text;
        };
        let nul = prefix + nul;
        nul_at.set(Some(nul as u64));
        &text[..memchr::memrchr(b'\n', &text[..nul]).map_or(0, |line_end| line_end + 1)]
    }

    fn search_long_lines(
        &mut self,
        reader: impl Read,
        collector: &mut Collector<'_>,
    ) -> Result<(), Halt> {
        if long_lines::search(self.matcher, reader, self.search.context, collector)? {
            let why = "a line longer than 8 MiB was searched in overlapping parts";
            self.tally.warn(&self.candidate.path(), why);
        }
        Ok(())
    }

    /// Returns whether the whole file must be in memory: matches may cross lines, or it is small enough to be
    /// parsed or brought into another form and has to be.
    fn is_held_whole(&self) -> bool {
        let size = self.file_stamp.size;
        let is_parsed = self.search.syntax.is_some() && size <= PARSE_BYTES_MAX as u64;
        let is_formed = self.changes_form() && size <= MULTI_LINE_BYTES_MAX as u64;
        self.search.pattern.is_multi_line() || is_parsed || is_formed
    }

    /// Reports that a NUL ended the search of a file that is not binary.
    fn warn_of_nul(&mut self, nul_at: Option<u64>) {
        if let Some(nul) = nul_at {
            let why = format!("search stopped at a NUL at byte {nul}");
            self.tally.counts.given_up += 1;
            self.tally.warn(&self.candidate.path(), why);
        }
    }

    /// Warns of a text that was searched in its own form because it is too large for another.
    fn warn_of_form(&mut self) {
        if self.is_unformed.take() {
            let why = "larger than 16 MiB: searched without declared encodings and Unicode forms";
            self.tally.give_up(&self.candidate.path(), why);
        }
    }

    /// Reports a file of which nothing was searched.
    fn unread(&mut self, error: io::Error) -> Visited<FileMatches> {
        let nul_at = Cell::new(None);
        let collector = self.collector(None, &nul_at);
        self.finish(collector, Err(SinkError::error_io(error)), Effort::Small)
    }

    /// Returns the syntax of the file as the request needs it; `text` is the whole text, if held.
    fn syntax<'t>(&self, text: Option<&'t [u8]>) -> Option<FileSyntax<'t>>
    where
        'a: 't,
    {
        let asked = self.search.syntax.as_ref()?;
        let (file_name, stamp) = (self.candidate.name(), self.file_stamp);
        Some(FileSyntax::new(asked, file_name, text, stamp, self.matcher.budget))
    }

    /// Adds the requested definitions to the result, and reports a file whose syntax is unknown.
    fn with_symbols(
        &mut self,
        mut visited: Visited<FileMatches>,
        syntax: Option<&FileSyntax<'_>>,
    ) -> Visited<FileMatches> {
        // The search of the rest reports it.
        let has_rest = visited.found.as_ref().is_some_and(|found| found.has_rest);
        let Some(syntax) = syntax.filter(|_| !has_rest) else {
            return visited;
        };
        if syntax.wishes()
            && let Some(found) = visited.found.take()
        {
            match self.symbols(found, syntax) {
                Ok(found) => visited.found = found,
                Err(Stopped) => visited.stopped = Err(Stopped),
            }
        }
        if let Some(why) = syntax.unparsed() {
            self.tell_unparsed(why, syntax);
        }
        visited
    }

    fn symbols(
        &self,
        mut found: FileMatches,
        syntax: &FileSyntax<'_>,
    ) -> Result<Option<FileMatches>, Stopped> {
        if let Some(text) = syntax.text_to_judge() {
            found.is_unlikely = !has_definition_line(self.matcher, text)?;
            if found.is_unlikely {
                return Ok(Some(found));
            }
        }
        let symbols = syntax.symbols(&found.path)?;
        Ok(found.with_symbols(symbols))
    }

    fn tell_unparsed(&mut self, why: Unparsed, syntax: &FileSyntax<'_>) {
        let Some(reason) = why.reason() else {
            return;
        };
        let path = self.candidate.path();
        if why == Unparsed::NoGrammar {
            self.tally.count_no_grammar(&path);
            return;
        }
        // Without the syntax it is unknown which matches count; otherwise only enclosing symbols are missing.
        self.tally.counts.given_up += u64::from(syntax.decides());
        self.tally.warn(&path, format!("not parsed: {reason}"));
    }

    fn collector<'n>(
        &self,
        syntax: Option<&'n FileSyntax<'n>>,
        nul_at: &'n Cell<Option<u64>>,
    ) -> Collector<'n>
    where
        'a: 'n,
    {
        let search = self.search;
        let limits = &search.limits;
        Collector::new(
            self.matcher,
            syntax,
            search.mode,
            limits,
            search.context,
            self.giving,
            nul_at,
        )
        .of_decoded(self.is_decoded, self.encoding)
    }

    fn finish(
        &mut self,
        collector: Collector<'_>,
        halted: Result<(), Halt>,
        effort: Effort,
    ) -> Visited<FileMatches> {
        if collector.has_rest() && halted.is_ok() {
            let found = collector.finish(false, || self.candidate.path());
            // The search of the rest of this file reports what follows.
            return Visited { found, effort: Effort::Large, ..Visited::nothing() };
        }
        let mut stopped = Ok(());
        match halted {
            Ok(()) => self.tally.counts.files += 1,
            Err(Halt::Stopped) => stopped = Err(Stopped),
            Err(Halt::Io(error)) => {
                self.tally.counts.skipped.unreadable += 1;
                let why = format!("read error: {}", error.kind());
                self.tally.warn(&self.candidate.path(), why);
            }
            Err(Halt::LongLine) => {
                let why = "search stopped early: a line is too long";
                self.tally.give_up(&self.candidate.path(), why);
            }
        }
        self.warn_of_nul(collector.nul_at());
        self.warn_of_form();
        self.tally.counts.elsewhere += collector.n_elsewhere();
        let found = collector.finish(stopped.is_err(), || self.candidate.path());
        Visited { found, effort, stopped, stamp: 0 }
    }
}

/// Returns the part of the thread's buffer that a file of this size is first read into. It depends on nothing
/// else, so that the same file is always searched in the same way.
fn buffer_for(size: u64, buffer: &mut Vec<u8>) -> Result<&mut [u8], TryReserveError> {
    // One byte more than the file had, to detect its end.
    let wanted = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
    let len = if wanted > BUFFER_BYTES_MAX { HEAD_BYTES } else { wanted.max(BUFFER_BYTES_MIN) };
    if buffer.len() < len {
        // A new allocation, so that the old content is not copied.
        *buffer = Vec::new();
        room::resize(buffer, len.next_power_of_two())?;
    }
    Ok(&mut buffer[..len])
}

/// Reads until `buffer` is full or contains the file, which had `size` bytes when it was opened.
fn fill(file: &mut impl Read, buffer: &mut [u8], size: u64) -> io::Result<usize> {
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
