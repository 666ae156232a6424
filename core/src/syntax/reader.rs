//! The interface to the layer that parses: its input and output.

use super::{Outline, Regions, Symbol, Uses};
use crate::budget::Budget;
use std::collections::TryReserveError;
use std::fmt;
use std::sync::Arc;

/// The grammars of the languages in this build, with a cache of recent outlines. Cheap to clone; clones share
/// the cache. `Workspace::grammars` returns it.
#[derive(Clone)]
pub(crate) struct Grammars(Arc<dyn SyntaxReader>);

impl fmt::Debug for Grammars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grammars").finish_non_exhaustive()
    }
}

impl Grammars {
    pub(crate) fn new(reader: impl SyntaxReader) -> Grammars {
        Grammars(Arc::new(reader))
    }

    pub(crate) fn reader(&self) -> &dyn SyntaxReader {
        &*self.0
    }
}

/// Reads the syntax of texts.
pub(crate) trait SyntaxReader: Send + Sync + 'static {
    /// Returns the language of a file by its name, or else by the start of its text; `None` if it has no
    /// grammar.
    fn language(&self, name: &[u8], text: &[u8]) -> Option<Language>;

    /// Reads the `parts` parts of a text. `stamp` is the state of the file when it was opened; with it, the
    /// outline and the uses may come from the cache.
    fn read(
        &self,
        language: Language,
        text: &[u8],
        parts: SyntaxParts,
        stamp: Option<&FileStamp>,
        budget: &Budget,
    ) -> Result<Syntax, Unparsed>;

    /// Returns the first line of a definition up to its body; `text` is that of the outline.
    fn signature(&self, outline: &Outline, symbol: &Symbol, text: &[u8], budget: &Budget)
    -> String;
}

/// The usual name of a language, such as "Rust".
pub(crate) type Language = &'static str;

/// The parts of a text to read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SyntaxParts {
    /// Its comments and string literals.
    pub regions: bool,
    /// Its definitions.
    pub outline: bool,
    /// The uses of its names.
    pub uses: bool,
}

/// The parts that were read: the wanted ones, and perhaps more.
#[derive(Debug, Default)]
pub(crate) struct Syntax {
    pub regions: Option<Regions>,
    pub outline: Option<Arc<Outline>>,
    pub uses: Option<Arc<Uses>>,
}

impl Syntax {
    /// Returns whether all wanted parts were read.
    pub(crate) fn has(&self, wanted: SyntaxParts) -> bool {
        (!wanted.regions || self.regions.is_some())
            && (!wanted.outline || self.outline.is_some())
            && (!wanted.uses || self.uses.is_some())
    }
}

/// The reason why a text has no syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unparsed {
    /// Its language has no grammar.
    NoGrammar,
    /// It is larger than the limit.
    TooLarge,
    /// It needs more work or memory than a text of its size may take.
    TooInvolved,
    /// The system is out of memory.
    NoMemory,
    /// The budget is exhausted.
    Stopped,
}

impl From<TryReserveError> for Unparsed {
    fn from(_: TryReserveError) -> Unparsed {
        Unparsed::NoMemory
    }
}

impl Unparsed {
    /// Returns the reason in a few words; `None` if parsing was stopped.
    pub(crate) fn reason(self) -> Option<&'static str> {
        match self {
            Unparsed::NoGrammar => Some("no grammar for its language"),
            Unparsed::TooLarge => Some("larger than 8 MiB"),
            Unparsed::TooInvolved => {
                Some("more nodes, nesting or syntax errors than a parser accepts")
            }
            Unparsed::NoMemory => Some("no memory for a parser"),
            Unparsed::Stopped => None,
        }
    }
}

/// The maximum size of a parsed text: a tree takes many times the memory of its text.
pub(crate) const PARSE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Identifies the state of a file: any change produces another change time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileStamp {
    /// Device and inode.
    pub id: (u64, u64),
    pub size: u64,
    pub mtime_ns: i128,
    /// The last change of the file or its metadata, which programs cannot set.
    pub ctime_ns: i128,
}
