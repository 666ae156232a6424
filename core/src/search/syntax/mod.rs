//! The parts of a file's syntax that a search uses: contexts, enclosing symbols, uses; and the search for definitions.

pub(super) mod file;
pub(super) mod likely;
mod symbols;
#[cfg(all(test, feature = "symbols"))]
mod tests;
#[cfg(all(test, feature = "symbols"))]
mod uses_tests;

pub(crate) use symbols::search_symbols;
pub use symbols::{FoundSymbol, SymbolReport, SymbolRequest};
