//! The syntax of a file as a search needs it: where matches count, their enclosing symbols, and the
//! definitions that match a query.

use super::FoundSymbol;
use super::symbols::SymbolFilter;
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::syntax::{FileStamp, Grammars, SearchContext, Syntax, SyntaxParts, Unparsed};
use crate::workspace::RelPath;
use std::cell::OnceCell;
use std::sync::Arc;

/// The parts of a file's syntax that a request needs.
#[derive(Clone, Debug)]
pub(super) struct SyntaxOptions {
    grammars: Grammars,
    context: SearchContext,
    enclosing: bool,
    /// The definitions to return.
    symbols: Option<Arc<SymbolFilter>>,
}

impl SyntaxOptions {
    /// Returns the parts that a request needs; `None` if it needs no parser.
    ///
    /// # Errors
    ///
    /// `internal` without `grammars`, which the caller must load before.
    pub(super) fn new(
        grammars: Option<&Grammars>,
        context: SearchContext,
        enclosing: bool,
        symbols: Option<Arc<SymbolFilter>>,
    ) -> Result<Option<SyntaxOptions>> {
        if context == SearchContext::Any && !enclosing && symbols.is_none() {
            return Ok(None);
        }
        let Some(grammars) = grammars.cloned() else {
            return Err(Error::new(ErrorKind::Internal, "the workspace has no grammars"));
        };
        Ok(Some(SyntaxOptions { grammars, context, enclosing, symbols }))
    }

    fn parts(&self) -> SyntaxParts {
        SyntaxParts {
            regions: self.context != SearchContext::Any,
            outline: self.enclosing || self.symbols.is_some(),
        }
    }
}

/// The syntax of one file, parsed when it is first needed: most files have no match.
pub(super) struct FileSyntax<'a> {
    options: &'a SyntaxOptions,
    file_name: &'a [u8],
    /// The whole text; `None` if it is not in memory.
    text: Option<&'a [u8]>,
    /// The state of the file when it was opened.
    stamp: FileStamp,
    budget: &'a Budget,
    read: OnceCell<Result<Syntax, Unparsed>>,
}

impl<'a> FileSyntax<'a> {
    pub(super) fn new(
        options: &'a SyntaxOptions,
        file_name: &'a [u8],
        text: Option<&'a [u8]>,
        stamp: FileStamp,
        budget: &'a Budget,
    ) -> FileSyntax<'a> {
        FileSyntax { options, file_name, text, stamp, budget, read: OnceCell::new() }
    }

    /// Returns whether matches count only in some places.
    pub(super) fn judges(&self) -> bool {
        self.options.context != SearchContext::Any
    }

    /// Returns whether definitions are requested.
    pub(super) fn wishes(&self) -> bool {
        self.options.symbols.is_some()
    }

    /// Returns whether the result depends on the syntax.
    pub(super) fn decides(&self) -> bool {
        self.judges() || self.wishes()
    }

    /// Returns whether enclosing definitions are requested.
    pub(super) fn encloses(&self) -> bool {
        self.options.enclosing
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
    pub(super) fn admits(&self, start: u64, end: u64) -> Result<bool, Stopped> {
        let regions = self.syntax()?.and_then(|syntax| syntax.regions.as_ref());
        let at = |byte| usize::try_from(byte).unwrap_or(usize::MAX);
        let region = regions.and_then(|regions| regions.kind_at(at(start), at(end)));
        Ok(self.options.context.admits(region))
    }

    /// Returns a label of the innermost definition that encloses these bytes of the text.
    pub(super) fn enclosing(&self, start: u64, end: u64) -> Result<Option<Box<str>>, Stopped> {
        let outline = self.syntax()?.and_then(|syntax| syntax.outline.as_ref());
        let label = outline.and_then(|outline| {
            outline.enclosing(start, end).map(|symbol| outline.label(symbol).into())
        });
        Ok(label)
    }

    /// Returns the requested definitions.
    pub(super) fn symbols(&self, path: &RelPath) -> Result<Vec<FoundSymbol>, Stopped> {
        let outline = self.syntax()?.and_then(|syntax| syntax.outline.as_ref());
        let (Some(outline), Some(symbols)) = (outline, &self.options.symbols) else {
            return Ok(Vec::new());
        };
        symbols.of(outline, path, self.budget)
    }

    /// Returns the text if it is parsed only when it is likely to contain a requested definition.
    pub(super) fn text_to_judge(&self) -> Option<&[u8]> {
        let is_judged = self.options.symbols.as_ref().is_some_and(|symbols| symbols.only_likely);
        let text = self.text.filter(|_| is_judged)?;
        self.options.grammars.reader().language(self.file_name, text).map(|_| text)
    }

    /// Returns the lines in which a syntax error may hide requested definitions, as a sentence.
    pub(super) fn unread(&self) -> Option<String> {
        let Some(Ok(syntax)) = self.read.get().filter(|_| self.wishes()) else { return None };
        syntax.outline.as_ref()?.unread_remark()
    }

    /// Returns the reason why the syntax was needed and is unknown.
    pub(super) fn unparsed(&self) -> Option<Unparsed> {
        match self.read.get() {
            Some(Err(why)) => Some(*why),
            _ => None,
        }
    }
}
