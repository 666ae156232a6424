//! The search of one file, in the way that fits its size.

use super::collect::{Collector, Halt};
use super::context::Context;
use super::form::{HeldText, Origin, TextForm};
use super::limits::FileLimits;
use super::long_lines;
use super::parts::{Handover, Parts, TakePart};
use super::reader::{BINARY_PREFIX_BYTES, Polled, ShortLines, UntilNul};
use super::text::{FileBuffer, HEAD_BYTES, LineLength, Text, bounded, fill};
use crate::budget::{Budget, Stopped};
use crate::index::{Candidates, Class, FileMemory, View};
use crate::pattern::{BudgetedMatcher, Pattern, StepMemory};
use crate::room;
use crate::search::syntax::file::{FileSyntax, SyntaxOptions};
use crate::search::syntax::likely::has_definition_line;
use crate::search::{FileMatches, Mode};
use crate::syntax::{FileStamp, Unparsed};
use crate::walk::{Candidate, Effort, FileAttributes, Tally, Visit, Visited, Visitor};
use crate::workspace::RelPath;
use crate::workspace::fs::Meta;
use encoding_rs::Encoding;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, SinkError};
use memchr::memmem;
use std::cell::Cell;
use std::io::{self, Read};
use std::sync::Arc;

/// A file of this size is a task of its own.
const LARGE_BYTES: u64 = 1024 * 1024;
/// The searcher's own buffer: a line and the context lines before it. A failed allocation in it aborts the
/// process, so longer lines are searched in our own buffer. Its vector doubles when it grows: with this limit
/// it grows once, to exactly this size.
const HEAP_BYTES_MAX: usize = 192 * 1024;

/// Searches each file for a pattern.
pub(in crate::search) struct FileSearch {
    pub(in crate::search) pattern: Arc<Pattern>,
    pub(in crate::search) mode: Mode,
    pub(in crate::search) limits: FileLimits,
    pub(in crate::search) context: Context,
    pub(in crate::search) encoding: Option<&'static Encoding>,
    /// The form in which texts are searched.
    pub(in crate::search) form: TextForm,
    pub(in crate::search) exclude: Option<memmem::Finder<'static>>,
    /// The syntax that the request needs, if any.
    pub(in crate::search) syntax: Option<SyntaxOptions>,
    pub(in crate::search) attributes: FileAttributes,
    /// The file in which the search continues, and the number of its matches already reported.
    pub(in crate::search) resumed: Option<(RelPath, u64)>,
    /// Whether the matching lines of a file may come in parts.
    pub(in crate::search) in_parts: bool,
    /// Whether each file is stamped.
    pub(in crate::search) stamps: bool,
    /// The files that may have a match according to the index.
    pub(in crate::search) matching: Option<Candidates>,
}

/// Memory that a thread reuses from file to file, allocated on first use.
#[derive(Default)]
pub(in crate::search) struct Scratch {
    buffer: FileBuffer,
    /// A piece of a file that does not fit in the buffer.
    piece: Vec<u8>,
    searcher: Option<Searcher>,
    steps: StepMemory,
}

/// Takes a whole text, and the size of its file.
pub(in crate::search) type TakeText<'a> = dyn Fn(&[u8], u64) -> Result<(), Stopped> + 'a;

/// Options of one visit.
struct Looked<'a> {
    handover: Handover<'a>,
    stamps: bool,
    take_text: Option<&'a TakeText<'a>>,
}

impl Visitor for FileSearch {
    type Scratch = Scratch;
    type Item = FileMatches;

    fn visit(&self, visit: Visit<'_, Scratch>) -> Visited<FileMatches> {
        let Visit { scratch, file: candidate, budget, tally, .. } = visit;
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
            Looked { handover: Handover { skip, parts }, stamps, take_text: None },
        )
    }

    fn weight(found: &FileMatches) -> usize {
        found.output_bytes
    }
}

impl FileSearch {
    /// Searches a file after its first `given` matches. Hands the others to `take`, part by part, and returns
    /// the last part.
    pub(in crate::search) fn search_rest(
        &self,
        scratch: &mut Scratch,
        candidate: &Candidate<'_>,
        budget: &Budget,
        tally: &mut Tally,
        given: u64,
        take: &TakePart<'_>,
    ) -> Visited<FileMatches> {
        let handover = Handover { skip: given, parts: Parts::Rest(take) };
        let how = Looked { handover, stamps: false, take_text: None };
        self.look_at(scratch, candidate, budget, tally, how)
    }

    /// Hands the text of a file to `take_text` instead of searching it, if it fits in memory and the pattern
    /// alone decides; searches it otherwise.
    pub(in crate::search) fn visit_text(
        &self,
        Visit { scratch, file: candidate, budget, tally, .. }: Visit<'_, Scratch>,
        take_text: &TakeText<'_>,
    ) -> Visited<FileMatches> {
        let handover = Handover { skip: 0, parts: Parts::Whole };
        let decides = self.syntax.is_none() && self.exclude.is_none();
        let how = Looked {
            handover,
            stamps: self.stamps,
            take_text: Some(take_text).filter(|_| decides),
        };
        self.look_at(scratch, candidate, budget, tally, how)
    }

    fn look_at(
        &self,
        scratch: &mut Scratch,
        candidate: &Candidate<'_>,
        budget: &Budget,
        tally: &mut Tally,
        Looked { handover, stamps, take_text }: Looked<'_>,
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
        let is_unsaved = file.is_unsaved();
        let Scratch { buffer, piece, searcher, steps } = scratch;
        let mut file = Polled::new(budget, bounded(file, size));
        let (buffer, filled) = match buffer.for_file(size) {
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
        let is_unformed = Cell::new(false);
        let mut search = OneFile {
            search: self,
            matcher: &matcher,
            candidate,
            piece,
            searcher,
            tally,
            file_stamp,
            is_unsaved,
            binary_prefix: Some(BINARY_PREFIX_BYTES),
            bom: 0,
            is_decoded: false,
            encoding: None,
            is_unformed: &is_unformed,
            handover,
            take_text,
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
    pub(in crate::search) fn match_in(&mut self, view: Option<&Arc<View>>, budget: &Budget) {
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
        tally.counts.over_max += u64::from(is_too_large);
        let is_admitted = is_wanted && !is_too_large;
        tally.counts.bytes += if is_admitted { meta.size } else { 0 };
        is_admitted
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

/// The search of one file.
pub(in crate::search) struct OneFile<'a, 'c> {
    pub(in crate::search) search: &'a FileSearch,
    pub(in crate::search) matcher: &'a BudgetedMatcher<'a>,
    pub(in crate::search) candidate: &'a Candidate<'c>,
    pub(in crate::search) piece: &'a mut Vec<u8>,
    pub(in crate::search) searcher: &'a mut Option<Searcher>,
    pub(in crate::search) tally: &'a mut Tally,
    /// The state of the file when it was opened.
    pub(in crate::search) file_stamp: FileStamp,
    /// Whether its text is that of an overlay, to which no declared encoding applies.
    pub(in crate::search) is_unsaved: bool,
    /// A NUL in this many first bytes makes the file binary; `None` where a NUL is text.
    pub(in crate::search) binary_prefix: Option<usize>,
    /// The length of the byte order mark before a text that is not decoded.
    pub(in crate::search) bom: usize,
    pub(in crate::search) is_decoded: bool,
    /// The declared encoding of several that the text is in.
    pub(in crate::search) encoding: Option<&'static Encoding>,
    /// Whether a text too large for its form to be changed has bytes that the form may change.
    pub(in crate::search) is_unformed: &'a Cell<bool>,
    pub(super) handover: Handover<'a>,
    /// Takes the text in place of the search.
    take_text: Option<&'a TakeText<'a>>,
}

impl<'a> OneFile<'a, '_> {
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
            if let Parts::First = self.handover.parts {
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
                self.warn_of_nul((end < n).then_some((position + end) as u64), None);
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

    /// Searches the text once. `None` where a line is longer than the searcher can hold.
    fn pass(&mut self, text: Text<'_>, effort: Effort) -> Option<Visited<FileMatches>> {
        let nul_at = Cell::new(None);
        let (held, reader) = match text {
            Text::Held(text) => (Some(text), None),
            Text::Read(reader, lines) => (None, Some((reader, lines))),
        };
        let mut origin = held.as_ref().and_then(HeldText::origin);
        let held = held.as_ref().map(|held| self.until_nul(held, &nul_at));
        if let (Some(text), None, Some(take_text)) = (held, &origin, self.take_text) {
            let taken = take_text(text, self.file_stamp.size);
            let collector = self.collector(None, &nul_at);
            let taken = taken.map_err(|Stopped| Halt::Stopped);
            return Some(self.finish(collector, taken, effort));
        }
        if held.is_some_and(|text| !self.search.pattern.may_match(text, self.matcher.budget)) {
            self.tally.counts.files += 1;
            self.warn_of_nul(nul_at.get(), origin.as_mut());
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
            self.handover.skip += collector.n_given();
            return None;
        }
        let visited = self.finish(collector, halted, effort);
        Some(self.with_symbols(visited, syntax.as_ref()))
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

    /// Reports that a NUL ended the search of a file that is not binary. `origin` leads back from the text
    /// that was searched, if it is not the file's.
    fn warn_of_nul(&mut self, nul_at: Option<u64>, origin: Option<&mut Origin<'_>>) {
        let Some(nul) = nul_at else {
            return;
        };
        let in_file = match origin {
            Some(origin) => origin.byte_at(nul, self.matcher.budget),
            None => Ok(nul),
        };
        // A decoder of a stream does not report the positions of characters.
        let at = match in_file {
            Ok(at) if !self.is_decoded => format!("byte {}", at + self.bom as u64),
            Ok(at) => format!("byte {at} of the decoded text"),
            Err(_) => format!("byte {nul} of the searched text"),
        };
        let why = format!("search stopped at a NUL at {at}");
        self.tally.counts.given_up += 1;
        self.tally.warn(&self.candidate.path(), why);
    }

    /// Reports a file of which nothing was searched.
    pub(in crate::search) fn unread(&mut self, error: io::Error) -> Visited<FileMatches> {
        let nul_at = Cell::new(None);
        let collector = self.collector(None, &nul_at);
        self.finish(collector, Err(SinkError::error_io(error)), Effort::Small)
    }

    /// Returns the syntax of the file as the request needs it; `text` is the whole text, if held.
    fn syntax<'t>(&self, text: Option<&'t [u8]>) -> Option<FileSyntax<'t>>
    where
        'a: 't,
    {
        let options = self.search.syntax.as_ref()?;
        let (file_name, stamp) = (self.candidate.name(), self.file_stamp);
        Some(FileSyntax::new(options, file_name, text, stamp, self.matcher.budget))
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
        for unread in [syntax.unread(), syntax.lost_uses()].into_iter().flatten() {
            self.tally.counts.given_up += 1;
            self.tally.warn(&self.candidate.path(), unread);
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
            self.handover,
            nul_at,
        )
        .of_decoded(self.is_decoded, self.encoding)
    }

    fn finish(
        &mut self,
        mut collector: Collector<'_>,
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
        self.warn_of_nul(collector.nul_at(), collector.origin());
        self.warn_of_form();
        self.tally.counts.elsewhere += collector.n_elsewhere();
        let found = collector.finish(stopped.is_err(), || self.candidate.path());
        Visited { found, effort, stopped, stamp: 0 }
    }
}
