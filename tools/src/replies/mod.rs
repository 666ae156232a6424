//! Replies and errors as JSON.

pub(crate) mod outcome;
pub(crate) mod report;
pub(crate) mod room;
pub(crate) mod text;

use crate::arguments::limits::REPLY_BYTES_MAX;
use searchscope::toolkit::to_text;
use searchscope::{Error, ErrorKind, Line, Result, Stop, Workspace};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::ops::RangeInclusive;

/// Returns the maximum size of a reply, where the tool allows `tool_max`.
pub(crate) fn bytes_max(workspace: &Workspace, tool_max: usize) -> usize {
    workspace.options().reply_bytes_max.map_or(tool_max, |bytes| bytes.min(tool_max))
}

/// Returns the maximum size of the results in a reply, where the caller allows `wanted` bytes: the
/// rest of the reply needs room too.
pub(crate) fn results_max(workspace: &Workspace, wanted: usize) -> usize {
    workspace.options().reply_bytes_max.map_or(wanted, |bytes| wanted.min(bytes / 4 * 3))
}

/// Writes a reply.
///
/// # Errors
///
/// `result_too_large` past the maximum size of a reply.
pub(crate) fn encode(reply: &impl Serialize, bytes_max: usize) -> Result<Vec<u8>> {
    let bytes = to_json(reply)?;
    if bytes.len() > bytes_max { Err(larger_than(bytes_max)) } else { Ok(bytes) }
}

/// Writes a value as JSON.
///
/// # Errors
///
/// `result_too_large` when memory is short.
pub(crate) fn to_json(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut json = Vec::new();
    serde_json::to_writer(room::Writer(&mut json), value)
        .map_err(|error| if error.is_io() { no_room() } else { defect(error) })?;
    Ok(json)
}

/// Returns the error for results that do not fit into memory.
pub(crate) fn no_room() -> Error {
    let message =
        "not enough memory for the result; narrow the query, the path or the file pattern";
    Error::new(ErrorKind::ResultTooLarge, message)
}

/// Writes a value as JSON into a string.
pub(crate) fn to_json_text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(defect)
}

fn defect(error: serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, format!("the reply: {error}"))
}

/// The results of a reply, written into one JSON array as they arrive: so their size is known, and
/// the limit exact. Serializing the reply copies the array, which reads it once more.
#[derive(Debug)]
pub(crate) struct JsonList {
    /// The array, with its closing bracket.
    json: Vec<u8>,
    len: usize,
    bytes_max: usize,
}

impl JsonList {
    /// Creates a list of at most `bytes_max` bytes; each item counts with one byte for its
    /// separator.
    pub(crate) fn new(bytes_max: usize) -> JsonList {
        JsonList { json: b"[]".to_vec(), len: 0, bytes_max }
    }

    /// Adds an item and returns whether there was room; if not, the list is unchanged.
    pub(crate) fn push(&mut self, item: &impl Serialize) -> bool {
        let end = self.json.len() - 1;
        self.json.truncate(end);
        // A failed allocation counts as a full list.
        if self.len > 0 {
            self.json.push(b',');
        }
        let written = serde_json::to_writer(room::Writer(&mut self.json), item).is_ok();
        let fits = written && self.json.len() <= self.bytes_max && self.json.try_reserve(2).is_ok();
        if fits {
            self.len += 1;
        } else {
            self.json.truncate(end);
        }
        self.json.push(b']');
        fits
    }

    /// Adds an item, and stops the search if there was no room for it.
    pub(crate) fn take(&mut self, item: &impl Serialize) -> ControlFlow<Stop> {
        if self.push(item) { ControlFlow::Continue(()) } else { ControlFlow::Break(Stop::full(0)) }
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the list has no items.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Serialize for JsonList {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_slice(&self.json).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Returns the lines of context around the match at index `at`. A nearby match across lines counts
/// as several lines.
pub(crate) fn context(
    lines: &[Line],
    at: usize,
    (before, after): (usize, usize),
) -> (Cow<'_, [Line]>, Cow<'_, [Line]>) {
    let line = &lines[at];
    let first = line.number.saturating_sub(before as u64);
    let last = line.last_number.saturating_add(after as u64);
    let n_before = lines[..at].iter().rev().take_while(|other| other.last_number >= first).count();
    let n_after = lines[at + 1..].iter().take_while(|other| other.number <= last).count();
    let single = |lines| single_lines(lines, first..=last);
    (single(&lines[at - n_before..at]), single(&lines[at + 1..][..n_after]))
}

/// Returns the lines with numbers in `range`; a block of several is split.
fn single_lines(lines: &[Line], range: RangeInclusive<u64>) -> Cow<'_, [Line]> {
    if lines.iter().all(|line| line.number == line.last_number) {
        return Cow::Borrowed(lines);
    }
    Cow::Owned(lines.iter().flat_map(|line| line.context_lines(range.clone())).collect())
}

/// Returns the texts of lines.
pub(crate) fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| to_text(&line.text).into_owned()).collect()
}

/// Returns the error for a reply past its maximum size.
pub(crate) fn too_large() -> Error {
    larger_than(REPLY_BYTES_MAX)
}

/// Returns the error for a reply of more than `bytes` bytes.
pub(crate) fn larger_than(bytes: usize) -> Error {
    let size = match (bytes % (1 << 20), bytes % (1 << 10)) {
        (0, _) => format!("{} MiB", bytes >> 20),
        (_, 0) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    };
    let message =
        format!("the result is larger than {size}; narrow the query, the path or the file pattern");
    Error::new(ErrorKind::ResultTooLarge, message)
}

/// Returns an error as a JSON object:
/// `{code, message, param?, path?, span?: {start, end}, near?: [path]}`.
///
/// `near` lists existing paths that a missing one may have meant, best first; it is absent when
/// empty.
pub fn error_json(error: &Error) -> Vec<u8> {
    let mut object = Map::new();
    object.insert("code".into(), error.code().into());
    object.insert("message".into(), error.message().into());
    if let Some(param) = error.param() {
        object.insert("param".into(), param.into());
    }
    if let Some(path) = error.path() {
        object.insert("path".into(), path.into());
    }
    if let Some(span) = error.span() {
        object.insert("span".into(), serde_json::json!({ "start": span.start, "end": span.end }));
    }
    if !error.near().is_empty() {
        object.insert("near".into(), error.near().into());
    }
    Value::Object(object).to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use searchscope::toolkit::ErrorExt;

    #[test]
    fn a_list_fills_its_room_to_the_byte() {
        // "ab" and 1, each with a byte for its separator; the second may fit alone.
        for (bytes_max, expected) in [
            (1, "[]"),
            (2, "[1]"),
            (4, "[1]"),
            (5, r#"["ab"]"#),
            (6, r#"["ab"]"#),
            (7, r#"["ab",1]"#),
        ] {
            let mut list = JsonList::new(bytes_max);
            let n = usize::from(list.push(&"ab")) + usize::from(list.push(&1));
            assert_eq!(serde_json::to_string(&list).expect("JSON"), expected, "{bytes_max}");
            assert_eq!((list.len(), list.is_empty()), (n, expected == "[]"), "{bytes_max}");
        }
    }

    #[test]
    fn an_error_contains_only_its_known_fields() {
        let error = Error::new(ErrorKind::NotFound, "no 'a/c'").with_path("a/c");
        let json = |error: &Error| String::from_utf8(error_json(error)).expect("text");
        assert_eq!(json(&error), r#"{"code":"not_found","message":"no 'a/c'","path":"a/c"}"#);
        let error = error.with_param("path").with_span(1..3).with_near(vec!["a/b".into()]);
        assert_eq!(
            json(&error),
            r#"{"code":"not_found","message":"no 'a/c'","param":"path","path":"a/c","span":{"start":1,"end":3},"near":["a/b"]}"#
        );
    }
}
