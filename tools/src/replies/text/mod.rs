//! Replies as plain text, for agents and people: the same content as the JSON in a fraction of the size.
//!
//! The text is derived from the JSON of a reply, by the shape of its results and not by its tool:
//! first the files with their rows, then remarks for the longer fields of the summary, then the
//! last line with every number and flag. It omits times, so that equal calls return equal texts,
//! and everything that the caller knows or can derive: the arguments, columns and spans, URLs of
//! files.

mod blocks;
mod frame;
mod json;
#[cfg(test)]
mod tests;
mod unsearched;

pub(crate) use frame::{Mark, Row, common_indent, heading, quoted};
pub(crate) use unsearched::unsearched;

use json::{is_word, pairs, raw_remark, remark};
use serde_json::{Map, Value};

/// Fields that a text omits.
const LEFT_OUT: [&str; 9] = [
    "elapsed_us",
    "time_ms",
    "fd_elapsed_ms",
    "rg_elapsed_ms",
    "canceled",
    "context",
    "matchedFileUrls",
    "directoryUrl",
    "text",
];
/// Objects whose fields are summarized like the reply's own.
const PARTS: [&str; 6] = ["data", "stats", "meta", "summary", "skipped", "all"];
/// Parts whose fields keep the name of the part as a prefix.
const NAMED_PARTS: [(&str, &str); 2] = [("skipped", "skipped."), ("all", "all.")];
/// Strings that go into the last line.
const IN_LAST_LINE: [&str; 5] = ["stopped", "total_kind", "status", "aborted_reason", "cursor"];

/// Writes the JSON of a reply to a call for the text `wanted`, which may be empty, as text.
pub(crate) fn of_json(reply: &[u8], wanted: &str) -> String {
    let mut out = String::with_capacity(reply.len() / 2);
    match serde_json::from_slice(reply) {
        Ok(Value::Object(fields)) => of_object(fields, wanted, &mut out),
        Ok(Value::Number(total)) => last_line(&Map::from_iter([named("total", total)]), &mut out),
        Ok(other) => {
            remark("reply", &other, &mut out);
            last_line(&Map::new(), &mut out);
        }
        // JSON nested deeper than the parser reads, which only echoed arguments can cause.
        Err(_) => {
            raw_remark(&String::from_utf8_lossy(reply), &mut out);
            last_line(&Map::new(), &mut out);
        }
    }
    out
}

/// Returns the field `text` of a reply that is text already.
pub(crate) fn of_text(reply: &[u8]) -> String {
    let reply: Option<Value> = serde_json::from_slice(reply).ok();
    let text = reply.as_ref().and_then(|reply| reply["text"].as_str());
    text.unwrap_or_default().to_owned()
}

fn named(key: &str, value: impl Into<Value>) -> (String, Value) {
    (key.to_owned(), value.into())
}

fn of_object(mut reply: Map<String, Value>, wanted: &str, out: &mut String) {
    let mut summary = Summary::default();
    if let Some(complete) = is_complete(&reply) {
        summary.last.insert("complete".to_owned(), complete.into());
    }
    for block in blocks::take(&mut reply, wanted) {
        block.write(out);
    }
    // First, so that the text of an error begins with it.
    if let Some(error) = reply.shift_remove("error") {
        remark("error", &error, out);
    }
    for (key, value) in reply {
        match value {
            Value::Object(mut part) if PARTS.contains(&key.as_str()) => {
                for block in blocks::take(&mut part, wanted) {
                    block.write(out);
                }
                let named = NAMED_PARTS.iter().find(|(part, _)| *part == key);
                let prefix = named.map_or("", |(_, prefix)| prefix);
                summary.take(prefix, part);
            }
            value => summary.take("", Map::from_iter([(key, value)])),
        }
    }
    for (key, value) in &summary.remarks {
        remark(key, value, out);
    }
    let next = next_step(&summary.last);
    if let Some(next) = next {
        summary.last.insert("next".to_owned(), next.into());
    }
    last_line(&summary.last, out);
}

/// The fields of a reply without its results.
#[derive(Default)]
struct Summary {
    last: Map<String, Value>,
    remarks: Vec<(String, Value)>,
}

impl Summary {
    fn take(&mut self, prefix: &str, fields: Map<String, Value>) {
        for (key, value) in fields {
            if LEFT_OUT.contains(&key.as_str()) {
                continue;
            }
            match (key.as_str(), value) {
                ("skipped", Value::Object(skipped)) => {
                    let reasons = skipped.into_iter().filter(|(_, n)| *n != 0);
                    for (reason, n) in reasons {
                        self.last.insert(format!("skipped.{reason}"), n);
                    }
                }
                (_, value) if prefix == "skipped." && value == 0 => {}
                ("stopped", value) if value == "none" => {}
                ("success", Value::Bool(true)) => {}
                (name, Value::String(text)) if IN_LAST_LINE.contains(&name) && is_word(&text) => {
                    self.last.insert(format!("{prefix}{key}"), text.into());
                }
                (_, value @ (Value::Bool(_) | Value::Number(_))) => {
                    self.last.insert(format!("{prefix}{key}"), value);
                }
                (_, Value::Array(items)) if items.is_empty() => {}
                (_, value) => self.remarks.push((key, value)),
            }
        }
    }
}

/// Returns whether a reply is complete; `None` if its shape cannot say so.
fn is_complete(reply: &Map<String, Value>) -> Option<bool> {
    if let Some(complete) = reply.get("complete") {
        return complete.as_bool();
    }
    const FLAGS: [&str; 5] = [
        "timed_out",
        "timedOut",
        "truncated",
        "probablyHasMoreMatchingEntries",
        "probablyHasMoreMatchingFiles",
    ];
    let parts = PARTS.iter().filter_map(|part| reply.get(*part)?.as_object());
    let (mut is_known, mut lacks) = (false, false);
    for part in parts.chain([reply]) {
        for flag in FLAGS.iter().filter_map(|flag| part.get(*flag)?.as_bool()) {
            (is_known, lacks) = (true, lacks || flag);
        }
        let warnings = part.get("warnings").and_then(Value::as_array);
        lacks |= warnings.is_some_and(|warnings| !warnings.is_empty());
    }
    lacks |= reply.get("status").is_some_and(|status| status != "success");
    is_known.then_some(!lacks)
}

fn next_step(last: &Map<String, Value>) -> Option<&'static str> {
    if last.contains_key("cursor") {
        return Some("call again with the same arguments and this cursor");
    }
    let is_incomplete = last.get("complete").is_some_and(|complete| complete == false);
    is_incomplete.then_some("see the remarks, or narrow the request")
}

fn last_line(fields: &Map<String, Value>, out: &mut String) {
    out.push('[');
    out.push_str(&pairs(fields));
    out.push_str("]\n");
}
