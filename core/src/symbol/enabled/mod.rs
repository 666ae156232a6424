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
use parse::Parsers;
use std::sync::OnceLock;

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
        let since = cache::now_ns();
        let tree = self.parsers.parse(grammar, text, budget)?;
        let regions =
            if wanted.regions { Some(read::regions(grammar, &tree, text, budget)?) } else { None };
        let outline = if wanted.outline {
            let outline = std::sync::Arc::new(read::outline(grammar, &tree, text, budget)?);
            if let Some(stamp) = stamp {
                self.outlines.put(language, stamp, &outline, since);
            }
            Some(outline)
        } else {
            None
        };
        Ok(Syntax { regions, outline })
    }
}
