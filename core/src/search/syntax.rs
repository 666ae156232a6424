//! What a search asks of the syntax of a file: where matches count, what encloses them, and which of
//! its definitions a query fits.

use super::FoundSymbol;
use super::symbols::Wish;
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::syntax::{FileStamp, Grammars, SearchContext, Syntax, Unparsed, Wanted};
use crate::workspace::RelPath;
use std::cell::OnceCell;
use std::sync::Arc;

/// What is asked of the syntax of files.
#[derive(Clone, Debug)]
pub(super) struct AskedSyntax {
    grammars: Grammars,
    context: SearchContext,
    enclosing: bool,
    /// Which definitions to give.
    wish: Option<Arc<Wish>>,
}

impl AskedSyntax {
    /// What a request asks for; none if that needs no parser.
    ///
    /// # Errors
    ///
    /// `internal` without `grammars`, which the caller reads before.
    pub(super) fn new(
        grammars: Option<&Grammars>,
        context: SearchContext,
        enclosing: bool,
        wish: Option<Arc<Wish>>,
    ) -> Result<Option<AskedSyntax>> {
        if context == SearchContext::Any && !enclosing && wish.is_none() {
            return Ok(None);
        }
        let Some(grammars) = grammars.cloned() else {
            return Err(Error::new(ErrorKind::Internal, "the workspace has no grammars"));
        };
        Ok(Some(AskedSyntax { grammars, context, enclosing, wish }))
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            regions: self.context != SearchContext::Any,
            outline: self.enclosing || self.wish.is_some(),
        }
    }
}

/// The syntax of one file, read when it is first needed: most files have no match.
pub(super) struct FileSyntax<'a> {
    asked: &'a AskedSyntax,
    file_name: &'a [u8],
    /// All of its text; none where that is not held.
    text: Option<&'a [u8]>,
    /// What the file was when it was opened.
    stamp: FileStamp,
    budget: &'a Budget,
    read: OnceCell<Result<Syntax, Unparsed>>,
}

impl<'a> FileSyntax<'a> {
    pub(super) fn new(
        asked: &'a AskedSyntax,
        file_name: &'a [u8],
        text: Option<&'a [u8]>,
        stamp: FileStamp,
        budget: &'a Budget,
    ) -> FileSyntax<'a> {
        FileSyntax { asked, file_name, text, stamp, budget, read: OnceCell::new() }
    }

    /// Whether matches count in some places only.
    pub(super) fn judges(&self) -> bool {
        self.asked.context != SearchContext::Any
    }

    /// Whether definitions are wished for.
    pub(super) fn wishes(&self) -> bool {
        self.asked.wish.is_some()
    }

    /// Whether what is found depends on the syntax.
    pub(super) fn decides(&self) -> bool {
        self.judges() || self.wishes()
    }

    /// Whether definitions around matches are wanted.
    pub(super) fn encloses(&self) -> bool {
        self.asked.enclosing
    }

    /// What was read; none where the syntax is not known.
    fn syntax(&self) -> Result<Option<&Syntax>, Stopped> {
        match self.read.get_or_init(|| self.parse()) {
            Ok(syntax) => Ok(Some(syntax)),
            Err(Unparsed::Stopped) => Err(Stopped),
            Err(_) => Ok(None),
        }
    }

    fn parse(&self) -> Result<Syntax, Unparsed> {
        let reader = self.asked.grammars.reader();
        let text = self.text.unwrap_or_default();
        let language = reader.language(self.file_name, text).ok_or(Unparsed::NoGrammar)?;
        let text = self.text.ok_or(Unparsed::TooLarge)?;
        reader.read(language, text, self.asked.wanted(), Some(&self.stamp), self.budget)
    }

    /// Whether a match at these bytes of the text counts.
    pub(super) fn admits(&self, start: u64, end: u64) -> Result<bool, Stopped> {
        let regions = self.syntax()?.and_then(|syntax| syntax.regions.as_ref());
        let at = |byte| usize::try_from(byte).unwrap_or(usize::MAX);
        let region = regions.and_then(|regions| regions.kind_at(at(start), at(end)));
        Ok(self.asked.context.admits(region))
    }

    /// The innermost definition around these bytes of the text, in a few words.
    pub(super) fn enclosing(&self, start: u64, end: u64) -> Result<Option<Box<str>>, Stopped> {
        let outline = self.syntax()?.and_then(|syntax| syntax.outline.as_ref());
        let label = outline.and_then(|outline| {
            outline.enclosing(start, end).map(|symbol| outline.label(symbol).into())
        });
        Ok(label)
    }

    /// The definitions that are wished for.
    pub(super) fn symbols(&self, path: &RelPath) -> Result<Vec<FoundSymbol>, Stopped> {
        let outline = self.syntax()?.and_then(|syntax| syntax.outline.as_ref());
        let (Some(outline), Some(wish)) = (outline, &self.asked.wish) else {
            return Ok(Vec::new());
        };
        wish.of(outline, path, self.budget)
    }

    /// The text, where it is parsed only if it is likely to hold a definition that is wished for.
    pub(super) fn text_to_judge(&self) -> Option<&[u8]> {
        let is_judged = self.asked.wish.as_ref().is_some_and(|wish| wish.only_likely);
        let text = self.text.filter(|_| is_judged)?;
        self.asked.grammars.reader().language(self.file_name, text).map(|_| text)
    }

    /// Why the syntax was asked for and is not known.
    pub(super) fn unparsed(&self) -> Option<Unparsed> {
        match self.read.get() {
            Some(Err(why)) => Some(*why),
            _ => None,
        }
    }
}
