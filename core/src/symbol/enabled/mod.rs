//! The parsers.

mod cache;
mod declarator;
mod language;
mod parse;
mod preprocessor;
mod read;
mod reader;
mod source;
#[cfg(test)]
mod tests;

use crate::error::Result;
use crate::syntax::Grammars;
use reader::TreeSitter;
use std::sync::OnceLock;

pub(super) fn grammars(slot: &OnceLock<Grammars>) -> Result<Grammars> {
    Ok(slot.get_or_init(|| Grammars::new(TreeSitter::default())).clone())
}
