//! Definitions by the form of their lines, for texts that a parser misreads.
//!
//! A grammar that meets an unknown construct may lose all definitions up to the end of the file, and may do
//! so without an error. This reader needs no grammar: it looks at the words that begin a definition, follows
//! braces or indentation, and knows comments and literals from the lexer. It finds less than a parser does,
//! so the definitions of the tree win, and this reader adds those whose names the tree does not have.
//!
//! It reads each byte a bounded number of times, keeps its place in a stack of bounded depth, and polls the
//! budget at each token. The alternative, repairing the tree, would depend on each grammar's kinds of errors.

mod blocks;
mod braces;
mod heads;
mod indents;
mod merge;
mod scope;

pub(super) use heads::closed;
pub(super) use merge::{Reading, errors, merge};

use super::forms::{Forms, Shape};
use crate::budget::Budget;
use crate::room;
use crate::syntax::{SymbolKind, Unparsed};
use std::ops::Range;

/// The maximum number of definitions that are recovered in a file.
const FOUND_MAX: usize = 100_000;

/// A definition by its form.
pub(super) struct Found {
    pub(super) kind: SymbolKind,
    /// The whole definition, in bytes.
    pub(super) range: Range<usize>,
    pub(super) name: Range<usize>,
    /// The qualifier before the name.
    pub(super) scope: Option<Range<usize>>,
    /// The end of its head: the start of its body, or its own end.
    pub(super) head_end: usize,
    pub(super) basis: Basis,
    /// The definition that contains it.
    pub(super) parent: Option<usize>,
    pub(super) has_body: bool,
    /// Whether it proved to be a reference, such as the type of a variable.
    pub(super) is_dropped: bool,
}

/// The evidence for a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    /// A word such as `class` or `fun`.
    Word,
    /// Its shape alone: a name with parameters and a body, a member, or a value of an enumeration.
    Shape,
}

/// The definitions of a text by their form.
#[derive(Default)]
pub(super) struct Recovered {
    pub(super) found: Vec<Found>,
    /// Blocks that belong to no known definition, with their heads.
    pub(super) blocks: Vec<Range<usize>>,
    /// Whether every brace has its counterpart.
    pub(super) is_balanced: bool,
}

impl Recovered {
    /// Adds a definition; returns its index, or `None` if there are too many.
    fn push(&mut self, found: Found) -> Result<Option<usize>, Unparsed> {
        if self.found.len() >= FOUND_MAX {
            return Ok(None);
        }
        room::push(&mut self.found, found)?;
        Ok(Some(self.found.len() - 1))
    }
}

/// Reads the definitions of a text without its comments and literals.
pub(super) fn recover(
    code: &[u8],
    forms: &'static Forms,
    budget: &Budget,
) -> Result<Recovered, Unparsed> {
    match forms.shape {
        Shape::Indents => indents::read(code, forms, budget),
        Shape::Braces | Shape::Lines => braces::read(code, forms, budget),
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

pub(super) fn begins_word(byte: u8) -> bool {
    is_word(byte) && !byte.is_ascii_digit()
}

/// Returns the end of the word at `at`.
pub(super) fn word_end(code: &[u8], at: usize) -> usize {
    code[at..].iter().position(|byte| !is_word(*byte)).map_or(code.len(), |len| at + len)
}

/// Returns the offset of the next byte that is not blank.
pub(super) fn after_blanks(code: &[u8], at: usize) -> usize {
    let rest = code.get(at..).unwrap_or_default();
    rest.iter().position(|byte| !byte.is_ascii_whitespace()).map_or(code.len(), |len| at + len)
}

/// Returns whether a word is written like a macro: in capitals, or with two leading underscores.
pub(super) fn is_macro_like(word: &[u8]) -> bool {
    let is_capital =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let has_letter = word.iter().filter(|byte| byte.is_ascii_uppercase()).count() > 1;
    has_letter && word.iter().all(is_capital) || word.starts_with(b"__")
}
