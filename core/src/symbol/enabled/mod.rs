//! The parsers.

mod cache;
mod declarator;
mod language;
mod parse;
mod preprocessor;
mod read;
mod source;
#[cfg(test)]
mod tests;

use crate::budget::Budget;
use crate::error::Result;
use crate::syntax::{
    FileStamp, Grammars, Language, PARSE_BYTES_MAX, Syntax, SyntaxReader, Unparsed, Wanted,
};
use cache::Outlines;
use language::Grammar;
use parse::Parsers;
use std::sync::{Arc, OnceLock};

pub(super) fn grammars(slot: &OnceLock<Grammars>) -> Result<Grammars> {
    Ok(slot.get_or_init(|| Grammars::new(TreeSitter::default())).clone())
}

/// Reads texts with tree-sitter.
#[derive(Default)]
struct TreeSitter {
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
        wanted: Wanted,
        stamp: Option<&FileStamp>,
        budget: &Budget,
    ) -> Result<Syntax, Unparsed> {
        let grammar = language::named(language).ok_or(Unparsed::NoGrammar)?;
        if text.len() > PARSE_BYTES_MAX {
            return Err(Unparsed::TooLarge);
        }
        let known = stamp.filter(|_| wanted.outline);
        let known = known.and_then(|stamp| self.outlines.get(language, stamp));
        if known.is_some() && !wanted.regions {
            return Ok(Syntax { regions: None, outline: known });
        }
        on_deep_stack(text.len(), || self.read_new(grammar, text, wanted, stamp, budget))
    }
}

impl TreeSitter {
    /// Parses a text and reads its tree.
    fn read_new(
        &self,
        grammar: &Grammar,
        text: &[u8],
        wanted: Wanted,
        stamp: Option<&FileStamp>,
        budget: &Budget,
    ) -> Result<Syntax, Unparsed> {
        let since = cache::now_ns();
        let tree = self.parsers.parse(grammar, text, budget)?;
        let mut syntax = Syntax::default();
        if wanted.regions {
            syntax.regions = Some(read::regions(grammar, &tree, text, budget)?);
        }
        if wanted.outline {
            let outline = Arc::new(read::outline(grammar, &tree, text, budget)?);
            if let Some(stamp) = stamp {
                self.outlines.put(grammar.name, stamp, &outline, since);
            }
            syntax.outline = Some(outline);
        }
        Ok(syntax)
    }
}

/// What a parser needs of a stack for each byte of its text, and for any: it forgets what it has been
/// unsure of by recursion, once for every place, and hosts call from threads of any size.
const STACK_PER_BYTE: usize = 96;
const STACK_MIN: usize = 1 << 20;

/// Runs `read` on a stack of its own, of which only what is used is ever in memory.
fn on_deep_stack(
    text_len: usize,
    read: impl FnOnce() -> Result<Syntax, Unparsed>,
) -> Result<Syntax, Unparsed> {
    stacker::grow(STACK_MIN + STACK_PER_BYTE * text_len, read)
}
