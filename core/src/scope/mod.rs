//! Scopes: which files a caller means, as an expression over kinds of files, modules, named scopes,
//! patterns, directories and files.

mod ast;
mod hints;
#[cfg(test)]
mod language_tests;
mod lex;
mod name_filter;
mod parse;
mod pattern_match;
mod reference;
#[cfg(test)]
mod round_trip_tests;
mod warnings;

pub(crate) use ast::{Leaf, Op, PackageSet, Prefix};
pub(crate) use name_filter::NameFilter;
pub(crate) use parse::{PatternError, PatternErrorKind, parse};
pub(crate) use pattern_match::{Bodies, Cache, Separator, SetId, StateId, TooComplex};
pub(crate) use reference::REFERENCE;
pub(crate) use warnings::warnings;
