//! The tools of searchscope: JSON contracts over the engine, for agents and for other languages.
//!
//! ```
//! use searchscope::{Call, Workspace};
//! use searchscope_tools::CallTools;
//! # fn main() -> searchscope::Result<()> {
//! # let dir = tempfile::tempdir().unwrap();
//! # std::fs::write(dir.path().join("a.rs"), "fn main() {}\n").unwrap();
//! # let root = dir.path();
//! let workspace = Workspace::open(root)?;
//! let text = workspace.call_text("look", br#"{"q": "main"}"#, &Call::new())?;
//! assert!(text.starts_with("a.rs\n>1: fn main() {}\n"));
//! # Ok(())
//! # }
//! ```
//!
//! Only this crate knows JSON, and only it has defaults and limits. A tool reads its arguments, builds a native
//! request, and shapes the reply. Search logic belongs in the engine: a feature that a tool cannot express is
//! missing there.

#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod arguments;
mod call;
mod contracts;
mod documents;
mod freed;
mod index_status;
mod open;
mod own;
mod replies;
mod scopes;
mod stream;
mod table;
#[cfg(test)]
mod tests;
mod tool;

pub use arguments::scope::names::short_scope_names;
pub use call::{CallTools, ReplyForm, call_tool};
pub use open::{open_workspace, with_overlay};
pub use own::search_result::SearchResult;
pub use replies::error_json;
pub use replies::outcome::{Outcome, ToolReply};
pub use stream::{find_each, found_file_json, search_each, search_each_with_spans};
pub use table::{TOOLS, Tool, tools_json};

#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
struct PageForRust;
