//! `Grep`: matching lines of the newest files, in the standard envelope. Contract:
//! docs/contracts/grep.md.

use crate::arguments::defaults;
use crate::arguments::limits::{LINE_BYTES_MAX, REPLY_BYTES_MAX, check_regex};
use crate::contracts::long_lines::{LINE_BYTES, LongLines, text_of};
use crate::replies::outcome::Outcome;
use crate::replies::report::{Skipped, Warning, warnings_of_a_lack};
use crate::replies::{self, JsonList};
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::{ErrorExt, NameGlob};
use searchscope::{
    Case, Error, ErrorKind, FileMatches, FileOptions, FileType, Limits, Order, PatternOptions,
    RelPath, Report, Result, SearchRequest, Stop, StopReason, Workspace,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::Duration;

pub(crate) struct Grep;

const MATCHES_MAX: u64 = 100;
const TIMEOUT: Duration = Duration::from_secs(2);
/// Room for everything but the matches.
const ENVELOPE_BYTES: usize = 64 * 1024;
/// A line number with its separators.
const LINE_NUMBER_BYTES: usize = 24;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The regular expression to search for, matched line by line, such as "class\s+User" (Rust
    /// regex syntax: no look-around, no back-references).
    #[schemars(length(min = 1))]
    pattern: String,
    /// The directory to search, relative to the project root or absolute inside it.
    #[serde(default = "defaults::root")]
    path: String,
    /// A glob that narrows the files, such as "*.ts" or "src/**/*.{js,jsx}". Without "/" it is
    /// matched against the file name; with "/" against the end of the path relative to path, so
    /// "src/*.py" also matches "a/src/x.py"; "**/" matches any directories, or none.
    #[serde(default)]
    include: Option<String>,
    /// Whether case counts.
    #[serde(default)]
    case_sensitive: bool,
}

/// The standard envelope.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    status: Status,
    data: Data,
    /// The result as text: a summary, then one line per match as "file:line: text".
    text: String,
    /// Only when status is "error".
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    stats: Stats,
    context: Context,
}

/// Outcome of the call.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// Everything was searched; matches are complete.
    Success,
    /// There are matches, but the limit or the deadline left others out.
    Partial,
    /// Failed; error says why.
    Error,
}

#[derive(Default, Serialize, JsonSchema)]
#[schemars(rename = "GrepData")]
struct Data {
    /// The matching lines: newest files first, then by path and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Match>")]
    matches: Option<JsonList>,
    /// Whether there are more matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    /// "timeout" when the deadline of 2 seconds ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["timeout"]))]
    aborted_reason: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GrepMatch")]
struct Match<'a> {
    /// The file, relative to the project root, with "/" between names.
    file: &'a str,
    /// The line's number in the file, from 1.
    line: u64,
    /// The text of the line without its line end.
    text: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GrepFailure")]
struct Failure {
    /// The kind of error.
    #[schemars(extend("enum" = ["INVALID_PARAM", "NOT_FOUND", "ACCESS_DENIED", "TIMEOUT"]))]
    code: &'static str,
    /// The message.
    message: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GrepStats")]
struct Stats {
    /// The duration in milliseconds.
    time_ms: u64,
    /// The number of files in matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_files: Option<u64>,
    /// The number of matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_lines: Option<u64>,
    /// The number of searched files, matching or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_files: Option<u64>,
    /// Skipped entries, by reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<Skipped>,
    /// Entries missed, wholly or in part, so matches may be missing: the first 20. Absent if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GrepContext")]
struct Context {
    /// Always ".", the project root.
    cwd: &'static str,
    /// The arguments of the call.
    params_input: Value,
    /// The searched directory, relative to the project root.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_resolved: Option<String>,
    /// The regular expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    /// Always "mtime_desc".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["mtime_desc"]))]
    sorted_by: Option<&'static str>,
}

impl Contract for Grep {
    const NAME: &'static str = "Grep";
    const DESCRIPTION: &'static str = "Searches file contents below a directory with a regular \
        expression and returns the first 100 matching lines of the most recently modified files, \
        newest file first. Case-insensitive unless case_sensitive is true. Hidden, git-ignored and \
        binary files are left out. Answers within 2 seconds: status is \"success\", \"partial\" \
        (more matches exist or time ran out: narrow pattern, path or include) or \"error\".";
    type Args = Args;
    type Reply = Reply;
    const STRICT: bool = true;
    const SHOWS_ARGS: bool = true;

    fn timeout(_args: &Args) -> Duration {
        TIMEOUT
    }

    fn outcome(reply: &Reply) -> Outcome {
        let has_matches = reply.data.matches.as_ref().is_some_and(|matches| !matches.is_empty());
        let is_complete =
            matches!(reply.status, Status::Success) && reply.stats.warnings.is_empty();
        Outcome::of_search(has_matches, is_complete)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        if args.pattern.trim().is_empty() {
            return Err(Error::invalid_param("pattern", "must not be blank"));
        }
        let base = directory(workspace, &args.path)?;
        let include = include(&args);
        let mut request = request(&args, include.as_deref(), &base)?;
        let mut search = |line_bytes_max| {
            request.limits.line_bytes_max = Some(line_bytes_max);
            let mut found = Matches::new();
            let report =
                workspace.run_search_each(&request, call, &mut |file| found.take_file(&file));
            let report = report.map_err(contract_error)?;
            Ok::<_, Error>((found, report))
        };
        let [whole, part] = LINE_BYTES;
        let (mut found, mut report) = search(whole)?;
        let is_over = found.is_over || report.stopped == Some(StopReason::ByteBudget);
        if is_over && found.long.can_be_cut(whole) {
            (found, report) = search(part)?;
        }
        if found.is_over && found.matches.is_empty() {
            return Err(replies::too_large());
        }
        let path = base.display().into_owned();
        if report.stopped == Some(StopReason::Deadline) && found.matches.is_empty() {
            let seconds = TIMEOUT.as_secs();
            let message = format!(
                "Search timed out (>{seconds}s) before '{}' was found in '{path}'. Narrow pattern \
                 or path.",
                args.pattern
            );
            return Err(Error::new(ErrorKind::Timeout, message));
        }
        let mut reply = reply(found, report, call, args.pattern, path)?;
        if include.is_some() && reply.stats.searched_files == Some(0) {
            reply.text.push_str("\n[Info: include matched no file.]");
        }
        Ok(reply)
    }

    fn failed(error: Error, call: &ToolCall<'_>) -> Result<Reply> {
        let code = match error.kind() {
            ErrorKind::InvalidParam | ErrorKind::PatternSyntax => "INVALID_PARAM",
            ErrorKind::NotFound => "NOT_FOUND",
            ErrorKind::AccessDenied => "ACCESS_DENIED",
            ErrorKind::Timeout => "TIMEOUT",
            _ => return Err(error),
        };
        let is_blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
        let is_missing =
            |value: Option<&Value>| value.is_none_or(|value| value.is_null() || is_blank(value));
        let no_pattern = call.is_read && is_missing(call.args.get("pattern"));
        let message = match error.param() {
            Some("pattern") if no_pattern => "Missing required parameter 'pattern'.".to_owned(),
            Some("include") if call.is_read && !call.args["include"].is_string() => {
                "include must be a string if provided.".to_owned()
            }
            _ => error.message().to_owned(),
        };
        let mut text = message.clone();
        if !error.near().is_empty() {
            let _ = write!(text, " Did you mean '{}'?", error.near().join("' or '"));
        }
        Ok(Reply {
            status: Status::Error,
            data: Data::default(),
            text,
            error: Some(Failure { code, message }),
            stats: Stats {
                time_ms: milliseconds(call),
                matched_files: None,
                matched_lines: None,
                searched_files: None,
                skipped: None,
                warnings: Vec::new(),
            },
            context: Context {
                cwd: ".",
                params_input: call.args.clone(),
                path_resolved: wrong_path(&error, call),
                pattern: None,
                sorted_by: None,
            },
        })
    }
}

/// Returns the path of the call relative to the root, if the error is about it and it is inside the root.
fn wrong_path(error: &Error, call: &ToolCall<'_>) -> Option<String> {
    let is_of_path = error.kind() == ErrorKind::NotFound
        || error.kind() == ErrorKind::InvalidParam && error.param() == Some("path");
    let path = call.args.get("path").and_then(Value::as_str).filter(|_| is_of_path)?;
    Some(Workspace::resolve_relative(path)?.display().into_owned())
}

/// Returns the directory to search.
fn directory(workspace: &Workspace, path: &str) -> Result<RelPath> {
    let outside = |error: Error| match error.kind() {
        ErrorKind::AccessDenied if error.is_outside_root() => {
            error.with_message("Access denied. Path must be within project root.")
        }
        ErrorKind::NotFound => error.with_message(format!("Search root '{path}' does not exist.")),
        _ => error,
    };
    let base = workspace.resolve(path).map_err(outside)?;
    let kind = workspace.details(&base).map_err(outside)?.file_type;
    if kind != FileType::Directory {
        let message = format!("Search root '{path}' is not a directory.");
        let error = Error::new(ErrorKind::InvalidParam, message).with_param("path");
        return Err(error.with_path(path));
    }
    Ok(base)
}

/// Returns the glob of a call with `/` between names, as the contract's paths have it; callers on Windows write `\`.
fn include(args: &Args) -> Option<String> {
    let include = args.include.as_deref()?.trim().replace('\\', "/");
    (!include.is_empty()).then_some(include)
}

fn request(args: &Args, include: Option<&str>, base: &RelPath) -> Result<SearchRequest> {
    let case = if args.case_sensitive { Case::Sensitive } else { Case::Insensitive };
    let pattern = PatternOptions { case, ..PatternOptions::regex(args.pattern.as_str()) };
    check_regex("pattern", &pattern).map_err(contract_error)?;
    let limits = Limits {
        matches_max: Some(MATCHES_MAX),
        files_max: Some(MATCHES_MAX),
        output_bytes_max: Some(4 * REPLY_BYTES_MAX),
        line_bytes_max: Some(LINE_BYTES_MAX),
        // A cut line shows the part around its first match, so further spans would be wasted.
        spans_per_line_max: Some(1),
        ..Limits::NONE
    };
    let mut request = SearchRequest::new(pattern, limits);
    // Errors must show the glob of the caller, not the anchored one.
    include.map(|include| NameGlob::new("include", include)).transpose()?;
    request.paths = vec![base.display().into_owned()];
    request.files = FileOptions {
        worktrees: true,
        name_glob: include.map(right_anchored),
        glob_bases: vec![base.clone()],
        ..FileOptions::default()
    };
    request.order = Order::Mtime;
    Ok(request)
}

/// Returns a glob that matches paths whose end matches `include`. A leading `/` anchors it at the
/// start instead.
fn right_anchored(include: &str) -> String {
    let include = include.strip_prefix("./").unwrap_or(include);
    match include.strip_prefix('/') {
        Some(from_start) if from_start.contains('/') => from_start.to_owned(),
        None if include.contains('/') => format!("**/{include}"),
        _ => include.to_owned(),
    }
}

/// Returns an error of the engine with the message and parameter of the contract.
fn contract_error(error: Error) -> Error {
    match (error.kind(), error.param()) {
        (ErrorKind::PatternSyntax, _) | (ErrorKind::InvalidParam, Some("patterns")) => {
            let message = format!("Invalid regex pattern: {}", error.message());
            error.with_message(message).with_param("pattern")
        }
        (ErrorKind::InvalidParam, Some("name_glob")) => error.with_param_named("include"),
        _ => error,
    }
}

/// Matches in the form of the reply.
struct Matches {
    matches: JsonList,
    /// One line per match.
    text: String,
    n_files: u64,
    /// Whether the reply had no room for a match.
    is_over: bool,
    long: LongLines,
}

impl Matches {
    fn new() -> Matches {
        // The reply contains each match twice: as data and as text.
        let matches = JsonList::new((REPLY_BYTES_MAX - ENVELOPE_BYTES) / 2);
        Matches {
            matches,
            text: String::new(),
            n_files: 0,
            is_over: false,
            long: LongLines::default(),
        }
    }
}

impl Matches {
    fn take_file(&mut self, file: &FileMatches) -> ControlFlow<Stop> {
        let path = file.path.display();
        self.long.look_at(file);
        for (taken, line) in file.lines.iter().enumerate() {
            let text = text_of(line);
            // A match takes about as much room as text as it does as data.
            let has_room =
                self.text.try_reserve(path.len() + text.len() + LINE_NUMBER_BYTES).is_ok();
            if !has_room
                || !self.matches.push(&Match { file: &path, line: line.number, text: &text })
            {
                self.is_over = true;
                return ControlFlow::Break(Stop::full(taken as u64));
            }
            self.n_files += u64::from(taken == 0);
            let _ = write!(self.text, "\n{path}:{}: {text}", line.number);
        }
        ControlFlow::Continue(())
    }
}

fn reply(
    found: Matches,
    report: Report,
    call: &ToolCall<'_>,
    pattern: String,
    path: String,
) -> Result<Reply> {
    let time_ms = milliseconds(call);
    let (n_lines, n_files) = (found.matches.len() as u64, found.n_files);
    let truncated = matches!(report.stopped, Some(StopReason::Limit | StopReason::ByteBudget));
    let timed_out = report.stopped == Some(StopReason::Deadline);
    let took = format!("(Sorted by mtime desc. Took {time_ms}ms)");
    let mut text = if n_lines == 0 {
        format!("No matches found for '{pattern}' in '{path}'\n{took}")
    } else {
        format!("Found {n_lines} matches in {n_files} files for '{pattern}' in '{path}'\n{took}\n")
    };
    if truncated {
        let _ =
            writeln!(text, "[Truncated: Showing first {n_lines} matches. Narrow pattern or path.]");
    }
    if timed_out {
        let seconds = TIMEOUT.as_secs();
        let _ =
            writeln!(text, "[Partial: Search timed out (>{seconds}s). Results are incomplete.]");
    }
    text.try_reserve(found.text.len()).map_err(|_| replies::no_room())?;
    text.push_str(&found.text);
    let mut warnings = warnings_of_a_lack(&report);
    warnings.extend(found.long.warning());
    Ok(Reply {
        status: if truncated || timed_out { Status::Partial } else { Status::Success },
        data: Data {
            matches: Some(found.matches),
            truncated: Some(truncated),
            aborted_reason: timed_out.then_some("timeout"),
        },
        text,
        error: None,
        stats: Stats {
            time_ms,
            matched_files: Some(n_files),
            matched_lines: Some(n_lines),
            searched_files: Some(report.searched_files),
            skipped: Some(report.skipped.into()),
            warnings,
        },
        context: Context {
            cwd: ".",
            params_input: call.args.clone(),
            path_resolved: Some(path),
            pattern: Some(pattern),
            sorted_by: Some("mtime_desc"),
        },
    })
}

fn milliseconds(call: &ToolCall<'_>) -> u64 {
    u64::try_from(call.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_anchored_at_the_right() {
        for (include, expected) in [
            ("*.ts", "*.ts"),
            ("src/*.py", "**/src/*.py"),
            ("./src/*.py", "**/src/*.py"),
            ("**/x.py", "**/**/x.py"),
            ("/src/*.py", "src/*.py"),
            ("/x.py", "/x.py"),
        ] {
            assert_eq!(right_anchored(include), expected);
        }
    }

    fn call_with<T>(args: &Value, run: impl FnOnce(&ToolCall<'_>) -> T) -> T {
        run(&ToolCall { args, is_read: true, call: searchscope::Call::new() })
    }

    fn report(stopped: Option<StopReason>) -> Report {
        searchscope::testing::report(stopped)
    }

    #[test]
    fn the_stop_reason_decides_the_status() {
        let args = serde_json::json!({"pattern": "x"});
        for (stopped, status, aborted, note) in [
            (None, "success", None, None),
            (
                Some(StopReason::Limit),
                "partial",
                None,
                Some("[Truncated: Showing first 1 matches. Narrow pattern or path.]"),
            ),
            (
                Some(StopReason::Deadline),
                "partial",
                Some("timeout"),
                Some("[Partial: Search timed out (>2s). Results are incomplete.]"),
            ),
        ] {
            let mut found = Matches { text: "\na:3: x".into(), n_files: 1, ..Matches::new() };
            assert!(found.matches.push(&Match { file: "a", line: 3, text: "x" }));
            let reply = call_with(&args, |call| {
                reply(found, report(stopped), call, "x".into(), ".".into()).expect("there is room")
            });
            let reply = serde_json::to_value(&reply).expect("JSON");
            assert_eq!(reply["status"], status);
            assert_eq!(reply["data"].get("aborted_reason").and_then(Value::as_str), aborted);
            assert_eq!(reply["data"]["truncated"], stopped == Some(StopReason::Limit));
            let text = reply["text"].as_str().expect("text");
            let lines: Vec<&str> = text.split('\n').collect();
            assert_eq!(lines[0], "Found 1 matches in 1 files for 'x' in '.'");
            let body: Vec<&str> = note.into_iter().chain(["", "a:3: x"]).collect();
            assert_eq!(lines[2..], body, "{text}");
        }
    }

    #[test]
    fn a_timeout_without_results_is_an_error() {
        let error = Error::new(ErrorKind::Timeout, "Search timed out");
        let args = serde_json::json!({"pattern": "x"});
        let reply = call_with(&args, |call| Grep::failed(error, call)).expect("an envelope");
        let reply = serde_json::to_value(&reply).expect("JSON");
        assert_eq!(
            (&reply["status"], &reply["error"]["code"]),
            (&"error".into(), &"TIMEOUT".into())
        );
        assert_eq!(
            (&reply["data"], &reply["text"]),
            (&serde_json::json!({}), &"Search timed out".into())
        );
    }
}
