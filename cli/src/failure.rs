//! Failures of the command, in a form for people.

use crate::print::escaped;
use crate::table::{Flag, Verb};
use clap::ArgMatches;
use clap::parser::ValueSource;
use searchscope::toolkit::ErrorExt;
use searchscope::{Error, ErrorKind};
use serde_json::Value;
use std::fmt;

/// Length of a text that messages repeat.
const REPEATED_MAX: usize = 200;

/// Characters of regexes that names of encodings do not have.
const REGEX_SIGNS: &[char] = &['|', '*', '+', '?', '(', '[', '^', '$', '\\', '.', ' '];

/// A message for the person at the command line.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    /// Whether the reader of the output has closed it, which needs no message.
    pub(crate) is_broken_pipe: bool,
}

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), is_broken_pipe: false }
    }

    /// Returns a failure that reports a bug.
    pub(crate) fn defect(message: &str) -> Failure {
        Failure::new(format!("{message}; this is a defect of searchscope, please report it"))
    }

    /// Converts an error of a tool that was called with these arguments: lists its fields by name.
    pub(crate) fn of_tool(error: &Error, args: &[u8]) -> Failure {
        let mut lines = vec![format!("{}: {}", error.code(), error.message())];
        if let Some(param) = error.param() {
            lines.push(format!("  parameter: {param}"));
        }
        if let Some(path) = error.path() {
            lines.push(format!("  path: {path}"));
        }
        if !error.near().is_empty() {
            lines.push(format!("  did you mean: {}", error.near().join(", ")));
        }
        let mut message = lines.join("\n");
        if let Some(span) = error.span() {
            let args: Value = serde_json::from_slice(args).unwrap_or_default();
            let text = error.param().and_then(|param| text_at(&args, param)).unwrap_or_default();
            message.push_str(&match marked(text, span.clone()) {
                marked if marked.is_empty() => format!("\n  bytes: {} to {}", span.start, span.end),
                marked => marked,
            });
        }
        if let Some(hint) = tool_hint(error.kind()) {
            message.push_str("\n  hint: ");
            message.push_str(hint);
        }
        Failure::new(message)
    }

    /// Converts an error of the engine about the arguments `args` of a verb: names the flag or operand instead
    /// of the parameter, and underlines the error in a pattern.
    pub(crate) fn of(error: Error, verb: &Verb, matches: &ArgMatches, args: &Value) -> Failure {
        let param = error.param().map(str::to_owned);
        let is_given =
            |flag: &Flag| matches.value_source(flag.long) == Some(ValueSource::CommandLine);
        let name = param.as_deref().and_then(|param| verb.name_of(param, is_given));
        let error = match &name {
            Some(name) => error.with_param_named(name.as_str()),
            None => error,
        };
        // A hint with the flag replaces advice that names a parameter of the tool.
        let reason = error.message_without_remedy();
        let mut message = match &name {
            Some(name) if !error.names_param() => format!("{name}: {reason}"),
            _ => reason,
        };
        let text = param.as_deref().and_then(|param| text_at(args, param));
        let text = text.filter(|text| text.len() <= REPEATED_MAX);
        if let Some((text, span)) = text.zip(error.span()) {
            message.push_str(&marked(text, span));
        }
        if let Some(hint) = hint(&error, name.as_deref(), text) {
            message.push_str("\n  hint: ");
            message.push_str(&hint);
        }
        Failure::new(message)
    }
}

/// Returns two lines that show the text with the error underlined, if the text is one line.
fn marked(text: &str, span: std::ops::Range<usize>) -> String {
    let is_shown = !text.contains(char::is_control) && text.is_char_boundary(span.start);
    let Some(part) = text.get(span.start..span.end.min(text.len())).filter(|_| is_shown) else {
        return String::new();
    };
    let before = text[..span.start].chars().count();
    let marks = "^".repeat(part.chars().count().max(1));
    format!("\n  {text}\n  {}{marks}", " ".repeat(before))
}

/// Returns the text of the arguments that a parameter names, such as `query` or `patterns[1]`.
pub(crate) fn text_at<'a>(args: &'a Value, param: &str) -> Option<&'a str> {
    let (name, at) = match param.split_once('[') {
        Some((name, at)) => (name, at.trim_end_matches(']').parse().unwrap_or(0)),
        None => (param, 0_usize),
    };
    let value = args.get(name)?;
    value.as_str().or_else(|| value.get(at)?.as_str())
}

/// Returns advice on an error of a tool.
fn tool_hint(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::InvalidParam => "\"searchscope tools --json\" shows what each tool takes.",
        ErrorKind::PatternSyntax => "to search for literal text, turn regular expressions off.",
        ErrorKind::NotFound => {
            "paths are relative to --root, which is the current directory unless given."
        }
        ErrorKind::AccessDenied => "only entries below --root that are not denied can be read.",
        ErrorKind::Timeout => "give it more time, or narrow the search to fewer files.",
        ErrorKind::ResultTooLarge => "narrow the search: a path, a file pattern, a lower limit.",
        ErrorKind::Io => "the file system reported an error; check permissions and the disk.",
        ErrorKind::Unsupported => "this build or this system does not support it.",
        ErrorKind::Internal => "this is a defect of searchscope; please report it.",
        _ => return None,
    })
}

/// Returns advice on an error of a verb; `text` is that of the parameter at fault.
fn hint(error: &Error, name: Option<&str>, text: Option<&str>) -> Option<String> {
    let has_line_feed = |text: &str| text.contains('\n') || text.contains("\\n");
    let hint = match (error.remedy(), error.kind(), name?) {
        (Some("glob"), ..) => return Some(glob_hint(text?)),
        (Some("full_path_match"), ..) => {
            return Some(format!("-p {} compares it with the whole path", quoted(text?)));
        }
        (Some("git_dir_outside_root"), ..) => {
            "--git-dir-outside-root opens one outside of --root; use it for trees that you trust"
        }
        (_, ErrorKind::PatternSyntax, "PATTERN")
            if error.span().is_none() && text.is_some_and(has_line_feed) =>
        {
            "-U lets a match span several lines"
        }
        (_, ErrorKind::PatternSyntax, "PATTERN") => {
            return Some(format!("-F {} takes the pattern as text", quoted(text?)));
        }
        (_, ErrorKind::NotFound, "PATH") => return path_hint(text?),
        (_, _, "--encoding") if text.is_some_and(|text| text.contains(REGEX_SIGNS)) => {
            "-E is the encoding of files, as in ripgrep; PATTERN is a regex without a flag"
        }
        (_, ErrorKind::AccessDenied, _) => {
            "only entries below --root DIR that --deny and --deny-secrets do not match can be read"
        }
        (_, ErrorKind::Internal, _) => "this is a defect of searchscope; please report it",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns a hint for a path that does not exist.
fn path_hint(path: &str) -> Option<String> {
    if path == "-" || path.ends_with("/-") {
        return Some("standard input is not searched".to_owned());
    }
    let is_glob = path.contains(['*', '?', '{']);
    is_glob.then(|| format!("-g {} chooses files by a glob", quoted(path)))
}

/// Returns how `find` takes a pattern that is a glob.
pub(crate) fn glob_hint(pattern: &str) -> String {
    format!("PATTERN is a regex; -g {} takes it as a glob", quoted(pattern))
}

/// Returns a text as an argument for the shell.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        let is_broken_pipe = error.kind() == std::io::ErrorKind::BrokenPipe;
        Failure { message: format!("cannot write: {error}"), is_broken_pipe }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escaped(&self.message, '\n'))
    }
}
