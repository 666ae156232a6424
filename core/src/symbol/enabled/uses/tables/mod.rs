//! The rules of each language.
//!
//! Every kind and field here must exist in the grammar; a test compares them.
#![cfg_attr(not(feature = "symbols"), expect(unused_imports, reason = "of other languages"))]

mod braces;
mod ecma;
mod jvm;
mod scripts;

use super::by_text;
use super::roles::{Rule, Table, Then};
pub(in crate::symbol) use braces::{C, CPP, GO, RUST};
pub(in crate::symbol) use ecma::{JAVASCRIPT, TSX, TYPESCRIPT};
pub(in crate::symbol) use jvm::{CSHARP, JAVA, KOTLIN};
pub(in crate::symbol) use scripts::{BASH, PHP, PYTHON, RUBY};

/// The rules of a language without any.
pub(in crate::symbol) const NONE: Table = Table { names: &[], paths: &[], rules: &[] };
