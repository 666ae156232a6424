//! The syntax reader over tree-sitter: selects the parser, provides a deep stack, and caches outlines and uses.

use super::cache::{self, Cache};
use super::language::{self, Grammar};
use super::parse::Parsers;
use super::read;
use super::regions::regions;
use super::signature::signature;
use super::uses;
use crate::budget::Budget;
use crate::error::Result;
use crate::syntax::{
    FileStamp, Language, Outline, PARSE_BYTES_MAX, Symbol, Syntax, SyntaxParts, SyntaxReader,
    Unparsed, Uses,
};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// Reads texts with tree-sitter.
#[derive(Default)]
pub(super) struct TreeSitter {
    parsers: Parsers,
    outlines: Cache<Outline>,
    uses: Cache<Uses>,
}

impl SyntaxReader for TreeSitter {
    fn language(&self, name: &[u8], text: &[u8]) -> Option<Language> {
        language::of(name, text).map(|grammar| grammar.name)
    }

    fn read(
        &self,
        language: Language,
        text: &[u8],
        wanted: SyntaxParts,
        stamp: Option<&FileStamp>,
        budget: &Budget,
    ) -> Result<Syntax, Unparsed> {
        let grammar = language::named(language).ok_or(Unparsed::NoGrammar)?;
        if text.len() > PARSE_BYTES_MAX {
            return Err(Unparsed::TooLarge);
        }
        let key = stamp.filter(|_| wanted.outline || wanted.uses);
        let key = key.map(|stamp| (language, *stamp, cache::hash(text)));
        let known =
            key.as_ref().map_or_else(|| Ok(Syntax::default()), |key| self.known(key, wanted))?;
        if known.has(wanted) {
            return Ok(known);
        }
        let read = || self.read_new(grammar, text, wanted, known.outline, budget);
        let syntax = on_deep_stack(text.len(), read)?;
        if let Some(key) = key {
            syntax.outline.iter().for_each(|outline| self.outlines.put(key, outline));
            syntax.uses.iter().for_each(|uses| self.uses.put(key, uses));
        }
        Ok(syntax)
    }

    fn signature(
        &self,
        outline: &Outline,
        symbol: &Symbol,
        text: &[u8],
        budget: &Budget,
    ) -> String {
        signature(outline, symbol, text, budget)
    }
}

impl TreeSitter {
    /// Returns the cached parts of a text.
    fn known(&self, key: &cache::Key, wanted: SyntaxParts) -> Result<Syntax, Unparsed> {
        let uses = if wanted.uses { self.uses.get(key) } else { None };
        // The uses have the regions.
        let regions = uses.as_ref().filter(|_| wanted.regions).map(|uses| uses.regions().copy());
        let regions = regions.transpose()?;
        let needs_outline = wanted.outline || uses.is_none();
        let outline = if needs_outline { self.outlines.get(key) } else { None };
        Ok(Syntax { regions, outline, uses })
    }

    /// Parses a text and reads its tree.
    fn read_new(
        &self,
        grammar: &'static Grammar,
        text: &[u8],
        wanted: SyntaxParts,
        outline: Option<Arc<Outline>>,
        budget: &Budget,
    ) -> Result<Syntax, Unparsed> {
        self.parsers.parse(grammar, text, budget, |parsed| {
            let mut syntax = Syntax { outline, ..Syntax::default() };
            if wanted.regions || wanted.uses {
                syntax.regions = Some(regions(parsed, text, budget)?);
            }
            if syntax.outline.is_none() && (wanted.outline || wanted.uses) {
                syntax.outline = Some(Arc::new(read::outline(parsed, text, budget)?));
            }
            if let Some(outline) = syntax.outline.as_ref().filter(|_| wanted.uses) {
                let names = uses::names(parsed, text, budget)?;
                let regions = syntax.regions.take().unwrap_or_default();
                if wanted.regions {
                    syntax.regions = Some(regions.copy()?);
                }
                let uses = Uses::new(names, outline, regions)?;
                syntax.uses = Some(Arc::new(uses));
            }
            Ok(syntax)
        })
    }
}

/// The stack of a parser, per byte of text and at least. Tree-sitter discards alternatives recursively, once
/// per position, and hosts call from threads of any stack size.
const STACK_PER_BYTE: usize = 96;
const STACK_MIN: usize = 1 << 20;

/// Runs `read` on its own stack, of which only the used part occupies memory.
fn on_deep_stack(
    text_len: usize,
    read: impl FnOnce() -> Result<Syntax, Unparsed>,
) -> Result<Syntax, Unparsed> {
    let has_begun = Cell::new(false);
    let run = || {
        stacker::grow(STACK_MIN + STACK_PER_BYTE * text_len, || {
            has_begun.set(true);
            read()
        })
    };
    // A failed allocation of the stack panics.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(read) => read,
        Err(panic) if has_begun.get() => resume_unwind(panic),
        Err(_) => Err(Unparsed::NoMemory),
    }
}
