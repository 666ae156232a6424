//! The text of a reply that is there as JSON, without a second run of the call.
//!
//! A call as text has lower limits than one as JSON where neither was given: a page for agents is
//! smaller. A reply within the lower limits too is the reply that the call as text would have made,
//! because limits are the only difference. One beyond them has no such text: its page would end earlier,
//! with a cursor that only a run can make. The signatures that a text of definitions shows are not in its JSON
//! unless the call requested them.

use crate::arguments::limits::{REPLY_BYTES_MAX, args_bytes_max};
use crate::own::find::Find;
use crate::own::search::{OUTPUT_BYTES_DEFAULT, Search};
use crate::replies::{self, text};
use crate::table::Tool;
use crate::tool::Contract;
use searchscope::toolkit::ErrorExt;
use searchscope::{Error, Result, Workspace};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Returns the text that [`CallTools::call_text`](crate::CallTools::call_text) returns for the same arguments, made of the JSON
/// `reply` that [`CallTools::call`](crate::CallTools::call) has returned for them, or a stream as one piece.
///
/// `None` where the reply is larger than a call as text allows, or lacks what its text shows; call that instead.
///
/// ```
/// use searchscope::{Call, Workspace};
/// use searchscope_tools::{self as tools, CallTools};
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # std::fs::write(dir.path().join("a.rs"), "fn main() {}\n").unwrap();
/// let workspace = Workspace::open(dir.path())?;
/// let args = br#"{"patterns": ["^fn"]}"#;
/// let reply = workspace.call("search", args, &Call::new())?;
/// let text = tools::text_of_reply(&workspace, "search", args, &reply)?;
/// assert_eq!(text, Some(workspace.call_text("search", args, &Call::new())?));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// `invalid_param` for an unknown tool, for arguments that are not what its schema asks for, and for a
/// reply that is not JSON; `result_too_large` as [`CallTools::call_text`](crate::CallTools::call_text).
pub fn text_of_reply(
    workspace: &Workspace,
    name: &str,
    args: &[u8],
    reply: &[u8],
) -> Result<Option<String>> {
    let tool = Tool::named(name)?;
    let args = tool.read_args(args, args_bytes_max(workspace))?.unwrap_or_default();
    if !is_within(workspace, tool, &args, reply)? {
        return Ok(None);
    }
    tool.text_of(workspace, wanted(&args), reply).map(Some)
}

/// Returns the text for which the arguments of a call ask, around which its text cuts long lines; empty without one.
pub(crate) fn wanted(args: &Value) -> &str {
    let text = ["query", "pattern"].iter().find_map(|name| args.get(name)?.as_str());
    text.unwrap_or_default()
}

impl Tool {
    /// Returns the text of a JSON reply to a call for `wanted`.
    ///
    /// # Errors
    ///
    /// `result_too_large` for a text that is larger than both its JSON and the maximum of a reply.
    pub(crate) fn text_of(
        &self,
        workspace: &Workspace,
        wanted: &str,
        reply: &[u8],
    ) -> Result<String> {
        let text = match self.replies_text {
            true => text::of_text(reply),
            false => text::of_json(reply, wanted),
        };
        let bytes_max = replies::bytes_max(workspace, REPLY_BYTES_MAX).max(reply.len());
        if text.len() > bytes_max { Err(replies::larger_than(bytes_max)) } else { Ok(text) }
    }
}

/// Whether the reply is within the limits that a call as text has unless these arguments give others.
fn is_within(workspace: &Workspace, tool: &Tool, args: &Value, reply: &[u8]) -> Result<bool> {
    let defaults = (tool.text_defaults)(args);
    if ![Search::NAME, Find::NAME].contains(&tool.name) {
        return Ok(defaults.keys().all(|name| args.get(name).is_some()));
    }
    let results: Results<'_> = read(reply)?;
    let list: Vec<Item<'_>> = read(results.list.get().as_bytes())?;
    let limit = |name: &str| defaults.get(name).filter(|_| args.get(name).is_none());
    let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
    let bytes_max = limit("output_bytes_max").or_else(|| args.get("output_bytes_max"));
    let bytes_max = bytes_max.and_then(number).unwrap_or(OUTPUT_BYTES_DEFAULT);
    let is_cut = ["limit", "byte_budget"].contains(&results.stopped);
    Ok(results.list.get().len() <= replies::results_max(workspace, bytes_max)
        && limit("matches_max").and_then(number).is_none_or(|max| list.len() <= max)
        && limit("line_bytes_max").and_then(number).is_none_or(|max| list.iter().all(|item| item.has_lines_of(max)))
        // With this default a reply that a limit has cut has the totals of all pages.
        && (limit("count_all").is_none() || !is_cut))
}

/// The parts of a reply of `search` or `find` that limits end.
#[derive(Deserialize)]
struct Results<'a> {
    #[serde(borrow, alias = "matches", alias = "files")]
    list: &'a RawValue,
    stopped: &'a str,
}

/// The lines of one result.
#[derive(Deserialize)]
struct Item<'a> {
    #[serde(borrow, default)]
    text: Cow<'a, str>,
    #[serde(default)]
    before: Vec<String>,
    #[serde(default)]
    after: Vec<String>,
}

impl Item<'_> {
    /// Whether each line has at most `max` bytes.
    fn has_lines_of(&self, max: usize) -> bool {
        self.text.len() <= max
            && self.before.iter().chain(&self.after).all(|line| line.len() <= max)
    }
}

fn read<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T> {
    serde_json::from_slice(json).map_err(|error| {
        Error::invalid_param("reply", format!("is not the JSON of a reply: {error}"))
    })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the files that they look at")]
mod tests {
    use super::*;
    use crate::call::CallTools;
    use searchscope::{Call, WorkspaceOptions};
    use serde_json::json;

    /// 150 files with a match each, some of them in long lines.
    fn workspace(options: &WorkspaceOptions) -> (tempfile::TempDir, Workspace) {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..150 {
            std::fs::write(dir.path().join(format!("{n:03}.txt")), "a hit\nnone\n").unwrap();
        }
        let long = format!("{} hit\n", "x".repeat(400));
        std::fs::write(dir.path().join("long.rs"), format!("hit\n{long}")).unwrap();
        std::fs::write(dir.path().join("around.rs"), format!("one\n{}\ntwo\n", "x".repeat(400)))
            .unwrap();
        let workspace = options.open(dir.path()).unwrap();
        (dir, workspace)
    }

    /// Compares the text of a reply with that of a call; returns whether there is one.
    fn compared(workspace: &Workspace, tool: &str, args: &Value) -> bool {
        let args = args.to_string();
        let call = Call::new();
        let reply = workspace.call(tool, args.as_bytes(), &call).unwrap();
        let text = text_of_reply(workspace, tool, args.as_bytes(), &reply).unwrap();
        let expected = workspace.call_text(tool, args.as_bytes(), &call).unwrap();
        text.inspect(|text| assert_eq!(*text, expected, "{tool} {args}")).is_some()
    }

    #[test]
    fn a_reply_within_the_limits_of_a_text_has_the_text_of_a_call() {
        let (_dir, workspace) = workspace(&WorkspaceOptions::default());
        for (tool, args) in [
            ("search", json!({"patterns": ["hit"], "globs": ["0*.txt"]})),
            ("search", json!({"query": "hit", "globs": ["00*.txt"], "context_after": 1})),
            ("search", json!({"patterns": ["nothing"]})),
            ("search", json!({"patterns": ["hit"], "mode": "count"})),
            (
                "search",
                json!({"patterns": ["hit"], "matches_max": 120, "count_all": true, "line_bytes_max": 500}),
            ),
            ("search", json!({"patterns": ["hit"], "matches_max": 2, "count_all": false})),
            ("search", json!({"patterns": ["hit"], "paths": ["long.rs"], "line_bytes_max": 500})),
            ("find", json!({})),
            ("find", json!({"files_max": 3})),
            ("search_in_files", json!({"query": "hit"})),
            ("Grep", json!({"pattern": "("})),
            ("look", json!({"q": "hit"})),
            ("read", json!({"what": ["long.rs"]})),
        ] {
            assert!(compared(&workspace, tool, &args), "{tool} {args}");
        }
    }

    #[test]
    fn a_reply_beyond_a_limit_of_a_text_has_none() {
        let (_dir, workspace) = workspace(&WorkspaceOptions::default());
        for args in [
            // More lines or files than a page for agents has.
            json!({"patterns": ["hit"], "globs": ["*.txt"]}),
            json!({"patterns": ["hit"], "globs": ["*.txt"], "mode": "files"}),
            // A line that is cut there, or one around a match.
            json!({"patterns": ["hit"], "paths": ["long.rs"]}),
            json!({"patterns": ["two"], "paths": ["around.rs"], "context_before": 1}),
            // A limit of the caller's, where a text has the totals of all pages.
            json!({"patterns": ["hit"], "matches_max": 2}),
        ] {
            assert!(!compared(&workspace, "search", &args), "{args}");
        }
        let options =
            WorkspaceOptions { reply_bytes_max: Some(65_536), ..WorkspaceOptions::default() };
        let (_dir, small) = self::workspace(&options);
        let files = vec![json!({"path": "x".repeat(1000)}); 60];
        let reply = json!({"files": files, "complete": true, "stopped": "none"}).to_string();
        assert_eq!(text_of_reply(&small, "find", b"{}", reply.as_bytes()).unwrap(), None);
        assert!(text_of_reply(&workspace, "find", b"{}", reply.as_bytes()).unwrap().is_some());
    }

    #[test]
    fn unknown_tools_and_malformed_replies_are_refused() {
        let (_dir, workspace) = workspace(&WorkspaceOptions::default());
        for (tool, reply, param) in
            [("none", "{}", "tool"), ("find", "{}", "reply"), ("find", "", "reply")]
        {
            let error = text_of_reply(&workspace, tool, b"{}", reply.as_bytes()).unwrap_err();
            assert_eq!(error.param(), Some(param), "{tool} {reply}");
        }
    }
}
