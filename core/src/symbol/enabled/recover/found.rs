//! Definitions by their form, in any language.

use super::{braces, indents};
use crate::budget::Budget;
use crate::room;
use crate::symbol::enabled::forms::{Forms, Shape};
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
    pub(super) fn push(&mut self, found: Found) -> Result<Option<usize>, Unparsed> {
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
