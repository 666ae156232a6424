//! IntelliJ's wildcards: pattern bodies of scopes, and names with stars.
//!
//! Which of many bodies match a path is decided for all of them at once, byte by byte.
//! A union of a thousand patterns must not cost a thousand tests per file. The bodies are joined into
//! one trie, in which equal beginnings are one, and a deterministic automaton over it is built while
//! paths are read. A walk keeps the state of each directory and goes on from there; a state tells which
//! bodies match what was read, and which still can match something that begins so.
//!
//! This knows bodies only: the caller decides what they are compared with, and what the matches mean together.

mod bodies;
mod cache;
mod names;
#[cfg(test)]
mod tests;
mod tokens;
mod trie;

pub(crate) use bodies::{Bodies, TooComplex};
pub(crate) use cache::{Cache, SetId, StateId};
pub(crate) use names::Stars;
pub(crate) use tokens::Separator;
