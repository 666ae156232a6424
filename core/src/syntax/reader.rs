//! The interface to the layer that parses: what it is given, and what it returns.

use super::{Outline, Regions};
use crate::budget::Budget;
use std::collections::TryReserveError;
use std::fmt;
use std::sync::Arc;

/// The grammars of the languages that this build knows, with what was parsed last. Cheap to clone;
/// clones share it. `Workspace::grammars` gives it.
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
    /// The language of a file by its name, or where that says nothing by how its text begins; none
    /// where there is no grammar for it.
    fn language(&self, name: &[u8], text: &[u8]) -> Option<Language>;

    /// Reads what is `wanted` of a text. `stamp` is what the file was when it was opened; where it
    /// is given an outline may be one that was read before.
    fn read(
        &self,
        language: Language,
        text: &[u8],
        wanted: Wanted,
        stamp: Option<&FileStamp>,
        budget: &Budget,
    ) -> Result<Syntax, Unparsed>;
}

/// A language, by the name that people give it, such as "Rust".
pub(crate) type Language = &'static str;

/// What of a text is to be read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// Its comments and string literals.
    pub regions: bool,
    /// Its definitions.
    pub outline: bool,
}

/// What was read of a text: what was wanted, and perhaps more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Syntax {
    pub regions: Option<Regions>,
    pub outline: Option<Arc<Outline>>,
}

/// Why the syntax of a text is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unparsed {
    /// No grammar is there for its language.
    NoGrammar,
    /// It is larger than a parser is given.
    TooLarge,
    /// It asks for more work or memory than a text of its size may.
    TooInvolved,
    /// The system has no memory for it.
    NoMemory,
    /// The budget said stop.
    Stopped,
}

impl From<TryReserveError> for Unparsed {
    fn from(_: TryReserveError) -> Unparsed {
        Unparsed::NoMemory
    }
}

impl Unparsed {
    /// Why, in a few words; none when it was stopped.
    pub(crate) fn reason(self) -> Option<&'static str> {
        match self {
            Unparsed::NoGrammar => Some("no grammar for its language"),
            Unparsed::TooLarge => Some("larger than 8 MiB"),
            Unparsed::TooInvolved => {
                Some("more parts, nesting or mistakes than a parser has room for")
            }
            Unparsed::NoMemory => Some("no memory for a parser"),
            Unparsed::Stopped => None,
        }
    }
}

/// A text of more bytes is not parsed: a tree takes many times the memory of its text.
pub(crate) const PARSE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// What tells whether a file is still what it was: any change gives another change time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileStamp {
    /// Device and inode.
    pub id: (u64, u64),
    pub size: u64,
    pub mtime_ns: i128,
    /// When the file or what is known of it was last changed, which nobody can set.
    pub ctime_ns: i128,
}
