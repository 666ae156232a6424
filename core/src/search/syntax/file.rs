//! The syntax of a file as a search needs it: where matches count, their enclosing symbols, and the
//! definitions that match a query.

use super::symbols::SymbolFilter;
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::search::{FoundSymbol, SearchRequest};
use crate::syntax::{
    FileStamp, Grammars, MatchUse, SearchContext, Symbol, Syntax, SyntaxParts, Unparsed, UseKind,
};
use crate::workspace::RelPath;
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// The parts of a file's syntax that a request needs.
#[derive(Clone, Debug, Default)]
pub(in crate::search) struct Wanted {
    pub(in crate::search) context: SearchContext,
    /// The kinds of the matches that count; empty for all.
    pub(in crate::search) uses: Vec<UseKind>,
    /// Whether each match is labelled with its use.
    pub(in crate::search) labels: bool,
    pub(in crate::search) enclosing: bool,
    /// The definitions to return.
    pub(in crate::search) symbols: Option<Arc<SymbolFilter>>,
}

impl Wanted {
    /// Returns the parts that decide which matches of a request count.
    pub(in crate::search) fn of(request: &SearchRequest) -> Wanted {
        let context = request.search_context;
        let uses = request.uses.clone().unwrap_or_default();
        Wanted { context, uses, ..Wanted::default() }
    }

    fn is_nothing(&self) -> bool {
        !self.judges() && !self.labels && !self.enclosing && self.symbols.is_none()
    }

    /// Returns whether some matches do not count.
    fn judges(&self) -> bool {
        self.context != SearchContext::Any || !self.uses.is_empty()
    }
}

/// The parts of a file's syntax that a request needs, and the grammars to read them.
#[derive(Clone, Debug)]
pub(in crate::search) struct SyntaxOptions {
    grammars: Grammars,
    wanted: Wanted,
}

impl SyntaxOptions {
    /// Returns the parts that a request needs; `None` if it needs no parser.
    ///
    /// # Errors
    ///
    /// `internal` without `grammars`, which the caller must load before.
    pub(in crate::search) fn new(
        grammars: Option<&Grammars>,
        wanted: Wanted,
    ) -> Result<Option<SyntaxOptions>> {
        if wanted.is_nothing() {
            return Ok(None);
        }
        let Some(grammars) = grammars.cloned() else {
            return Err(Error::new(ErrorKind::Internal, "the workspace has no grammars"));
        };
        Ok(Some(SyntaxOptions { grammars, wanted }))
    }

    fn parts(&self) -> SyntaxParts {
        let Wanted { context, uses, labels, enclosing, symbols } = &self.wanted;
        SyntaxParts {
            regions: *context != SearchContext::Any,
            outline: *enclosing || symbols.is_some(),
            uses: *labels || !uses.is_empty(),
        }
    }
}

/// The number of lines with lost uses that a warning names.
const LOST_SHOWN: usize = 3;

/// Converts an offset in a text in memory.
fn offset(byte: u64) -> usize {
    usize::try_from(byte).unwrap_or(usize::MAX)
}

/// The syntax of one file, parsed when it is first needed: most files have no match.
pub(in crate::search) struct FileSyntax<'a> {
    options: &'a SyntaxOptions,
    file_name: &'a [u8],
    /// The whole text; `None` if it is not in memory.
    text: Option<&'a [u8]>,
    /// The state of the file when it was opened.
    stamp: FileStamp,
    budget: &'a Budget,
    read: OnceCell<Result<Syntax, Unparsed>>,
    /// The starts of the first matches whose use a syntax error hides, in different lines.
    lost: RefCell<Vec<usize>>,
}

impl<'a> FileSyntax<'a> {
    pub(in crate::search) fn new(
        options: &'a SyntaxOptions,
        file_name: &'a [u8],
        text: Option<&'a [u8]>,
        stamp: FileStamp,
        budget: &'a Budget,
    ) -> FileSyntax<'a> {
        let (read, lost) = (OnceCell::new(), RefCell::default());
        FileSyntax { options, file_name, text, stamp, budget, read, lost }
    }

    /// Returns whether matches count only in some places.
    pub(in crate::search) fn judges(&self) -> bool {
        self.options.wanted.judges()
    }

    /// Returns whether definitions are requested.
    pub(in crate::search) fn wishes(&self) -> bool {
        self.options.wanted.symbols.is_some()
    }

    /// Returns whether the result depends on the syntax.
    pub(in crate::search) fn decides(&self) -> bool {
        self.judges() || self.wishes()
    }

    /// Returns whether enclosing definitions are requested.
    pub(in crate::search) fn encloses(&self) -> bool {
        self.options.wanted.enclosing
    }

    /// Returns whether each match is labelled with its use.
    pub(in crate::search) fn labels(&self) -> bool {
        self.options.wanted.labels
    }

    /// Returns the parsed syntax; `None` if it is unknown.
    fn syntax(&self) -> Result<Option<&Syntax>, Stopped> {
        match self.read.get_or_init(|| self.parse()) {
            Ok(syntax) => Ok(Some(syntax)),
            Err(Unparsed::Stopped) => Err(Stopped),
            Err(_) => Ok(None),
        }
    }

    fn parse(&self) -> Result<Syntax, Unparsed> {
        let reader = self.options.grammars.reader();
        let text = self.text.unwrap_or_default();
        let language = reader.language(self.file_name, text).ok_or(Unparsed::NoGrammar)?;
        let text = self.text.ok_or(Unparsed::TooLarge)?;
        reader.read(language, text, self.options.parts(), Some(&self.stamp), self.budget)
    }

    /// Returns whether a match at these bytes of the text counts.
    pub(in crate::search) fn admits(&self, start: u64, end: u64) -> Result<bool, Stopped> {
        let Wanted { context, uses, .. } = &self.options.wanted;
        if *context != SearchContext::Any {
            let regions = self.syntax()?.and_then(|syntax| syntax.regions.as_ref());
            let region = regions.and_then(|regions| regions.kind_at(offset(start), offset(end)));
            if !context.admits(region) {
                return Ok(false);
            }
        }
        Ok(uses.is_empty() || uses.contains(&self.use_of(start, end)?))
    }

    /// Returns the kind of use of a match at these bytes of the text.
    pub(in crate::search) fn use_of(&self, start: u64, end: u64) -> Result<UseKind, Stopped> {
        let uses = self.syntax()?.and_then(|syntax| syntax.uses.as_ref());
        let (start, text) = (offset(start), self.text.unwrap_or_default());
        let found = uses.map_or(MatchUse::OTHER, |uses| uses.at(text, start, offset(end)));
        if found.is_lost {
            let mut lost = self.lost.borrow_mut();
            let is_new = lost.last().is_none_or(|last| {
                *last < start && memchr::memchr(b'\n', &text[*last..start]).is_some()
            });
            if is_new && lost.len() <= LOST_SHOWN {
                lost.push(start);
            }
        }
        Ok(found.kind)
    }

    /// Returns a label of the innermost definition that encloses these bytes of the text.
    pub(in crate::search) fn enclosing(
        &self,
        start: u64,
        end: u64,
    ) -> Result<Option<Box<str>>, Stopped> {
        let outline = self.syntax()?.and_then(|syntax| syntax.outline.as_ref());
        let label = outline.and_then(|outline| {
            outline.enclosing(start, end).map(|symbol| outline.label(symbol).into())
        });
        Ok(label)
    }

    /// Returns the requested definitions.
    pub(in crate::search) fn symbols(&self, path: &RelPath) -> Result<Vec<FoundSymbol>, Stopped> {
        let outline = self.syntax()?.and_then(|syntax| syntax.outline.as_ref());
        let (Some(outline), Some(symbols)) = (outline, &self.options.wanted.symbols) else {
            return Ok(Vec::new());
        };
        let (text, reader) = (self.text.unwrap_or_default(), self.options.grammars.reader());
        let signature = |symbol: &Symbol| reader.signature(outline, symbol, text, self.budget);
        symbols.of(outline, path, &signature, self.budget)
    }

    /// Returns the text if it is parsed only when it is likely to contain a requested definition.
    pub(in crate::search) fn text_to_judge(&self) -> Option<&[u8]> {
        let is_judged =
            self.options.wanted.symbols.as_ref().is_some_and(|symbols| symbols.only_likely);
        let text = self.text.filter(|_| is_judged)?;
        self.options.grammars.reader().language(self.file_name, text).map(|_| text)
    }

    /// Returns the lines in which a syntax error hides the uses of matches, as a sentence.
    pub(in crate::search) fn lost_uses(&self) -> Option<String> {
        let (lost, text) = (self.lost.borrow(), self.text?);
        let line = |at: &usize| memchr::memchr_iter(b'\n', &text[..*at]).count() + 1;
        let lines = lost.iter().take(LOST_SHOWN).map(|at| line(at).to_string());
        let lines = lines.collect::<Vec<_>>().join(", ");
        let noun = match lost.len() {
            0 => return None,
            1 => "line",
            _ => "lines",
        };
        let more = if lost.len() > LOST_SHOWN { " and others" } else { "" };
        Some(format!("syntax errors hide the uses of matches in {noun} {lines}{more}"))
    }

    /// Returns the lines in which a syntax error may hide requested definitions, as a sentence.
    pub(in crate::search) fn unread(&self) -> Option<String> {
        let Some(Ok(syntax)) = self.read.get().filter(|_| self.wishes()) else { return None };
        syntax.outline.as_ref()?.unread_remark()
    }

    /// Returns the reason why the syntax was needed and is unknown.
    pub(in crate::search) fn unparsed(&self) -> Option<Unparsed> {
        match self.read.get() {
            Some(Err(why)) => Some(*why),
            _ => None,
        }
    }
}
