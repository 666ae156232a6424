//! Definitions by the form of their lines, for texts that a parser misreads.
//!
//! A grammar that meets an unknown construct may lose all definitions up to the end of the file, and may do
//! so without an error. This reader needs no grammar: it looks at the words that begin a definition, follows
//! braces or indentation, and knows comments and literals from the lexer. It finds less than a parser does,
//! so the definitions of the tree win, and this reader adds those whose names the tree does not have.
//!
//! It reads each byte a bounded number of times, keeps its place in a stack of bounded depth, and polls the
//! budget at each token. The alternative, repairing the tree, would depend on each grammar's kinds of errors.

mod blocks;
mod braces;
mod found;
mod heads;
mod indents;
mod merge;
mod scope;
mod words;

pub(super) use heads::closed;
pub(super) use merge::{Reading, errors, merge};
pub(super) use words::{after_blanks, begins_word, is_macro_like, is_word, word_end};

use found::{Basis, Found, Recovered, recover};
