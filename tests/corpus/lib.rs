//! The contract corpus: trees, calls and expected answers as data, and the faces that run them.
//!
//! A case file (`tests/cases/*.toml`) describes a tree, a call and the expected answer. A [`face::Face`]
//! makes the calls: in-process, through C, through Node. This crate does not know what a tool does; only
//! the cases and the engine do.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests build trees, read case files and start the programs of the other faces"
)]

pub mod case;
pub mod face;
pub mod hits;
pub mod mask;
pub mod notation;
pub mod program;
pub mod samples;
mod skip;
pub mod tree;
pub mod windows;

/// The Rust examples of the documents, which run as documentation tests.
#[cfg(doctest)]
pub mod documents {
    #[doc = include_str!("../../README.md")]
    pub struct Readme;
    #[doc = include_str!("../../docs/rust.md")]
    pub struct Guide;
    #[doc = include_str!("../../docs/threads.md")]
    pub struct Threads;
}

pub use skip::{run_limited, say, skip};

use std::path::{Path, PathBuf};

/// Returns the top directory of the repository.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("because the tests are a folder of the repository").to_path_buf()
}
