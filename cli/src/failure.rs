//! Failures of the command, in a form for people.

use crate::print::escaped;
use crate::table::{FIND, Verb};
use searchscope::{Error, ErrorKind};
use std::fmt;

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

    /// Converts an error of the engine: names the flag or operand instead of the parameter, and underlines
    /// the error in a pattern.
    pub(crate) fn of(error: Error, verb: &Verb, given: impl Fn(&str) -> Option<String>) -> Failure {
        let param = error.param().map(str::to_owned);
        let name = param.as_deref().and_then(|param| verb.name_of(param));
        let error = match &name {
            Some(name) => error.with_param_named(name.as_str()),
            None => error,
        };
        let mut message = match &name {
            Some(name) if !error.message().contains(name.as_str()) => {
                format!("{name}: {}", error.message())
            }
            _ => error.message().to_owned(),
        };
        let text = param.as_deref().and_then(given);
        if let Some((text, span)) = text.zip(error.span()) {
            message.push_str(&marked(&text, span));
        }
        if let Some(hint) = hint(error.kind(), name.as_deref(), verb) {
            message.push_str("\n  hint: ");
            message.push_str(hint);
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

fn hint(kind: ErrorKind, name: Option<&str>, verb: &Verb) -> Option<&'static str> {
    match (kind, name) {
        (ErrorKind::PatternSyntax, Some("PATTERN")) if verb.name == FIND.name => {
            Some("-g takes the pattern as a glob")
        }
        (ErrorKind::PatternSyntax, Some("PATTERN")) => {
            Some("-F takes the pattern as text; quote it for the shell")
        }
        (ErrorKind::AccessDenied, _) => Some("only what is below the root can be read: --root DIR"),
        (ErrorKind::Internal, _) => Some("this is a defect of searchscope; please report it"),
        _ => None,
    }
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
