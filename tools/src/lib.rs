//! The tools of searchscope: JSON contracts over the engine, for agents and for other languages.
//!
//! ```
//! use searchscope::{Call, Workspace};
//! use searchscope_tools::CallTools;
//! # fn main() -> searchscope::Result<()> {
//! # let dir = tempfile::tempdir().unwrap();
//! # std::fs::write(dir.path().join("a.rs"), "fn main() {}\n").unwrap();
//! # let root = dir.path();
//! let workspace = Workspace::open(root, &Default::default())?;
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

mod args;
mod call;
mod changed_arg;
mod count_all;
mod defaults;
mod documents;
mod errors;
mod file_mask;
mod files_args;
mod find;
mod find_and_grep;
mod find_files_by_name;
mod forms;
mod freed;
mod grep;
mod index_status;
mod js_values;
mod json;
mod json_type;
mod limits;
mod list_documents;
mod listed;
mod long_lines;
mod look;
mod occurrences;
mod open;
mod outcome;
mod read;
mod read_document;
mod reply;
mod room;
mod schema;
mod scope_arg;
mod scope_describe_program;
mod scope_diagnostics;
mod scope_list_catalog;
mod scope_names;
mod scope_resolve_program;
mod scope_search_files;
#[cfg(feature = "parsers")]
mod scope_search_symbols;
mod scope_search_text;
mod scope_validate_pattern;
mod scope_wire;
mod search;
mod search_documents;
mod search_in_files;
mod search_result;
mod stream;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod text_of;
mod uses_arg;
mod values;
mod why_nothing;
mod wire;

pub use call::{CallTools, ReplyForm, ToolReply, call_tool};
pub use open::{open_workspace, with_overlay};
pub use outcome::Outcome;
pub use reply::error_json;
pub use scope_names::short_scope_names;
pub use search_result::SearchResult;
pub use stream::{find_each, found_file_json, search_each, search_each_with_spans};
pub use table::{TOOLS, Tool, tools_json};
pub use text_of::text_of_reply;

use call::ToolCall;
use table::Contract;

#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
struct PageForRust;
