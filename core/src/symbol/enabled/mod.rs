//! The parsers.
#![cfg_attr(
    not(feature = "symbols"),
    expect(dead_code, reason = "some helpers serve only languages that this build lacks")
)]

mod cache;
mod declarator;
mod dialects;
mod forms;
mod language;
mod lexis;
mod macros;
mod parse;
mod preprocessor;
mod read;
mod reader;
mod recover;
mod regions;
mod signature;
mod source;
#[cfg(test)]
mod tests;
mod uses;

use crate::error::Result;
use crate::syntax::Grammars;
use reader::TreeSitter;
use std::sync::OnceLock;

pub(super) fn grammars(slot: &OnceLock<Grammars>) -> Result<Grammars> {
    Ok(slot.get_or_init(|| Grammars::new(TreeSitter::default())).clone())
}
