//! The syntax reader over tree-sitter: selects the parser, provides a deep stack, and caches outlines.

use super::cache::{self, Outlines};
use super::language::{self, Grammar};
use super::parse::Parsers;
use super::read;
use crate::budget::Budget;
use crate::error::Result;
use crate::syntax::{
    FileStamp, Language, PARSE_BYTES_MAX, Syntax, SyntaxParts, SyntaxReader, Unparsed,
};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// Reads texts with tree-sitter.
#[derive(Default)]
pub(super) struct TreeSitter {
    parsers: Parsers,
    outlines: Outlines,
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
        let key = stamp.filter(|_| wanted.outline);
        let key = key.map(|stamp| (language, *stamp, cache::hash(text)));
        let known = key.as_ref().and_then(|key| self.outlines.get(key));
        if known.is_some() && !wanted.regions {
            return Ok(Syntax { regions: None, outline: known });
        }
        let syntax = on_deep_stack(text.len(), || self.read_new(grammar, text, wanted, budget))?;
        if let (Some(key), Some(outline)) = (key, &syntax.outline) {
            self.outlines.put(key, outline);
        }
        Ok(syntax)
    }
}

impl TreeSitter {
    /// Parses a text and reads its tree.
    fn read_new(
        &self,
        grammar: &'static Grammar,
        text: &[u8],
        wanted: SyntaxParts,
        budget: &Budget,
    ) -> Result<Syntax, Unparsed> {
        self.parsers.parse(grammar, text, budget, |parsed| {
            let mut syntax = Syntax::default();
            if wanted.regions {
                syntax.regions = Some(read::regions(parsed, text, budget)?);
            }
            if wanted.outline {
                syntax.outline = Some(Arc::new(read::outline(parsed, text, budget)?));
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
