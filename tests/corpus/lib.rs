//! The contract corpus: trees, calls and expected answers as data, and the faces they run through.
//!
//! A case file (`tests/cases/*.toml`) says what is in a tree, what is called and what must come
//! back. A [`face::Face`] makes the calls: in-process, through C, through Node. Nothing here knows
//! what a tool does; the cases know, and the engine.

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

/// The Rust examples of the documents, which run as documentation tests.
#[cfg(doctest)]
pub mod documents {
    #[doc = include_str!("../../README.md")]
    pub struct Readme;
    #[doc = include_str!("../../docs/rust.md")]
    pub struct Guide;
}

pub use skip::{run_limited, say, skip};

use std::path::{Path, PathBuf};

/// The top directory of the repository.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("because the tests are a folder of the repository").to_path_buf()
}
