//! Builds the index of a workspace, on request or in the background, and reports its state.

mod background;
mod builder;
mod status;
mod text;

pub(crate) use background::after_search;
#[cfg(feature = "fuzzing")]
pub(crate) use background::build_half;
pub use status::{IndexState, IndexStatus};

#[cfg(all(test, target_os = "linux", not(searchscope_unix)))]
mod tests;
