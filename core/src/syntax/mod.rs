//! The syntax of a source text, and the interface to the layer that parses it.
//!
//! Searching queries it and `symbol` implements it. Neither knows the other: both know this module.
#![cfg_attr(
    not(feature = "parsers"),
    expect(dead_code, unused_imports, reason = "without parsers nothing is known of syntax")
)]

mod kind;
mod likeness;
mod names;
mod outline;
mod reader;
mod regions;
mod uses;

pub use kind::{SymbolGroup, SymbolKind};
pub(crate) use likeness::is_name_char;
pub use likeness::{Likeness, likeness};
pub(crate) use names::NameQuery;
pub use outline::{Outline, Symbol};
pub(crate) use outline::{Part, Words};
pub(crate) use reader::{
    FileStamp, Grammars, Language, PARSE_BYTES_MAX, Syntax, SyntaxParts, SyntaxReader, Unparsed,
};
pub use regions::SearchContext;
pub(crate) use regions::{Region, RegionKind, Regions};
pub use uses::UseKind;
pub(crate) use uses::{MatchUse, NameUse, Uses};
