//! Calls of tools, from a name and bytes to the bytes of the reply.

use crate::arguments::limits::{REPLY_BYTES_MAX, args_bytes_max};
use crate::replies::outcome::{Outcome, ToolReply};
use crate::replies::{self, text};
use crate::table::Tool;
use crate::{freed, index_status};
use searchscope::{Call, Result, Workspace};
use serde_json::{Map, Value};
use std::cell::RefCell;

/// Form of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the caller chooses the form")]
pub enum ReplyForm {
    /// JSON, as [`CallTools::call`] returns it.
    Json,
    /// Plain text, as [`CallTools::call_text`] returns it.
    Text,
}

/// Calls the tool `name` and returns its reply in `form`, with the outcome of the call.
///
/// ```
/// use searchscope_tools::{Outcome, ReplyForm, call_tool};
/// use searchscope::{Call, Workspace};
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// let workspace = Workspace::open(dir.path())?;
/// let args = br#"{"query": "fn main"}"#;
/// let reply = call_tool(&workspace, "search_in_files", args, ReplyForm::Text, &Call::new())?;
/// assert_eq!(reply.outcome, Outcome::Nothing);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of [`CallTools::call`] or [`CallTools::call_text`].
pub fn call_tool(
    workspace: &Workspace,
    name: &str,
    args: &[u8],
    form: ReplyForm,
    call: &Call,
) -> Result<ToolReply> {
    match form {
        ReplyForm::Json => call_with(workspace, Tool::named(name)?, args, &|_| Map::new(), call),
        ReplyForm::Text => {
            let (text, outcome) = text_and_outcome(workspace, name, args, call)?;
            Ok(ToolReply { bytes: text.into_bytes(), outcome })
        }
    }
}

/// The tools as methods of a workspace.
pub trait CallTools {
    /// Calls the tool `name` with one JSON object and returns its JSON reply.
    ///
    /// Equal arguments return equal bytes in every language.
    ///
    /// ```
    /// use searchscope::{Call, Workspace};
    /// use searchscope_tools::CallTools;
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.rs"), "fn main() {}\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let reply = workspace.call("search_in_files", br#"{"query": "fn main"}"#, &Call::new())?;
    /// assert!(reply.starts_with(br#"{"matches":[{"file_path":"a.rs","line_number":1,"#));
    /// let error = workspace.call("search_in_files", b"{}", &Call::new()).unwrap_err();
    /// assert_eq!(error.message(), "missing required parameter 'query'");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the tool's contract; `invalid_param` for an unknown tool and for arguments that
    /// violate its schema; `cancelled`.
    fn call(&self, name: &str, args: &[u8], call: &Call) -> Result<Vec<u8>>;

    /// Calls the tool `name` as [`CallTools::call`] does and returns its reply as plain text, for
    /// agents and people: each path once, its rows beneath it as ` line: text`, then remarks, and
    /// one last line in brackets with totals, completeness and the cursor.
    ///
    /// The first bytes of a line identify its kind: `>`, ` ` or `-` before a number begins a row (a
    /// definition, a match, context), `# ` a remark, `[` the last line, and anything else a path.
    /// No file can imitate another kind: control characters are escaped, and a path that would look
    /// like another kind is quoted. A reply that is an error in the shape of its contract begins
    /// with `# error:`. Indentation common to all rows of a file is omitted, as are times. A page
    /// of `search` has at most 100 rows and some 20 KiB unless the arguments say otherwise, and its
    /// last line has the totals of all pages.
    ///
    /// ```
    /// use searchscope::{Call, Workspace};
    /// use searchscope_tools::CallTools;
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.rs"), "fn main() {}\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let args = br#"{"query": "fn main"}"#;
    /// let text = workspace.call_text("search_in_files", args, &Call::new())?;
    /// let last = "[complete: true; total_matches: 1; files_searched: 1; timed_out: false]";
    /// assert_eq!(text, format!("a.rs\n 1: fn main() {{}}\n{last}\n"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`CallTools::call`]; also `result_too_large` for a text that is larger than both
    /// its JSON and the maximum of a reply.
    fn call_text(&self, name: &str, args: &[u8], call: &Call) -> Result<String>;

    /// Returns [`Workspace::index_status`] as a JSON object: `state` ("off", "cold", "building" or
    /// "ready"), `directories`, `files`, `memory_bytes`, `left_out`, `waiting` and `not_watched`.
    fn index_status_json(&self) -> Vec<u8>;

    /// Builds the index as [`Workspace::warm`] does. Returns its new state in the form of
    /// [`CallTools::index_status_json`].
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::warm`].
    fn warm_json(&self, call: &Call) -> Result<Vec<u8>>;
}

impl CallTools for Workspace {
    fn call(&self, name: &str, args: &[u8], call: &Call) -> Result<Vec<u8>> {
        Ok(call_tool(self, name, args, ReplyForm::Json, call)?.bytes)
    }

    fn call_text(&self, name: &str, args: &[u8], call: &Call) -> Result<String> {
        Ok(text_and_outcome(self, name, args, call)?.0)
    }

    fn index_status_json(&self) -> Vec<u8> {
        index_status::json(&self.index_status())
    }

    fn warm_json(&self, call: &Call) -> Result<Vec<u8>> {
        self.warm(call).map(|status| index_status::json(&status))
    }
}

/// Calls `tool` with `args`, completed by defaults.
fn call_with(
    workspace: &Workspace,
    tool: &Tool,
    args: &[u8],
    defaults: &dyn Fn(&Value) -> Map<String, Value>,
    call: &Call,
) -> Result<ToolReply> {
    let bytes_max = args_bytes_max(workspace);
    freed::returning_memory(args.len().min(bytes_max), || {
        let mut args = tool.read_args(args, bytes_max)?;
        if let Ok(args) = &mut args {
            let defaults = defaults(args);
            if let Value::Object(args) = args {
                for (name, value) in defaults {
                    args.entry(name).or_insert(value);
                }
            }
        }
        (tool.run)(workspace, tool.args_type(), call, args)
    })
}

fn text_and_outcome(
    workspace: &Workspace,
    name: &str,
    args: &[u8],
    call: &Call,
) -> Result<(String, Outcome)> {
    let tool = Tool::named(name)?;
    let wanted = RefCell::new(String::new());
    let defaults = |args: &Value| {
        *wanted.borrow_mut() = wanted_text(args).to_owned();
        (tool.text_defaults)(args)
    };
    let reply = call_with(workspace, tool, args, &defaults, call)?;
    let text = match tool.replies_text {
        true => text::of_text(&reply.bytes),
        false => text::of_json(&reply.bytes, &wanted.into_inner()),
    };
    let bytes_max = replies::bytes_max(workspace, REPLY_BYTES_MAX).max(reply.bytes.len());
    if text.len() > bytes_max {
        return Err(replies::larger_than(bytes_max));
    }
    Ok((text, reply.outcome))
}

/// Returns the text for which the arguments of a call ask, around which its text cuts long lines; empty without one.
fn wanted_text(args: &Value) -> &str {
    let text = ["query", "pattern"].iter().find_map(|name| args.get(name)?.as_str());
    text.unwrap_or_default()
}
