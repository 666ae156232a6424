//! Records of logs and traces in a question: the text in them that says what happened.
//!
//! A program writes that text; times, levels, places and the other values around it are of one run, so no line
//! of a project has them.

use super::place;
use serde_json::Value;

/// The names under which loggers write the text of a record, the most telling first.
const TEXT_NAMES: &[&str] =
    &["msg", "message", "error", "err", "exception", "detail", "reason", "event", "log"];
/// A value of fewer words is a value of one run and no text.
const WORDS_OF_TEXT: usize = 2;
/// Text outside of the values of a record, such as a level, has more words if it says what happened.
const WORDS_OUTSIDE: usize = 3;
/// A text in quotation marks of fewer words is a value of a question and no message.
const WORDS_IN_QUOTES: usize = 3;
/// Maximum number of lines of a trace that count.
const LINES_MAX: usize = 4;

/// The text of a question that is a record or has several lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// The text of a record or a trace.
    Message(String),
    /// Several lines that are not a trace, as one.
    OneLine(String),
}

/// Returns the text of a record, a trace or several lines; `None` for another question.
pub(super) fn text_of(q: &str) -> Option<Text> {
    let q = q.trim();
    let is_text = |text: &String| text.split_whitespace().count() >= WORDS_OF_TEXT && text != q;
    match of_object(q).or_else(|| of_pairs(q)).or_else(|| of_question(q)) {
        Some(text) => Some(text).filter(is_text).map(Text::Message),
        None => match of_lines(q)? {
            Text::Message(text) => Some(text).filter(is_text).map(Text::Message),
            Text::OneLine(text) => Some(text).filter(is_text).map(Text::OneLine),
        },
    }
}

/// Returns the text of a record that is an object of JSON.
fn of_object(q: &str) -> Option<String> {
    let Ok(Value::Object(fields)) = serde_json::from_str(q) else { return None };
    let text = |name: &&str| {
        let field = fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let (_, value) = field?;
        value.as_str().filter(|text| text.split_whitespace().count() >= WORDS_OF_TEXT)
    };
    let named = most_telling(TEXT_NAMES.iter().filter_map(text));
    let longest = || fields.values().filter_map(Value::as_str).max_by_key(|text| text.len());
    named.or_else(longest).map(str::to_owned)
}

/// Returns the text of a record of pairs such as `level=error msg="Health check failed"`: what is outside of
/// them, and the values under the names of texts.
fn of_pairs(q: &str) -> Option<String> {
    let mut outside: Vec<&str> = Vec::new();
    let mut quoted: Vec<(&str, String)> = Vec::new();
    let mut n_pairs = 0;
    let mut rest = q;
    loop {
        rest = rest.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        let token = &rest[..end];
        match token.split_once('=').filter(|(name, _)| is_pair_name(name)) {
            Some((name, value)) if value.starts_with('"') => {
                n_pairs += 1;
                let (value, len) = quoted_value(&rest[name.len() + 1..]);
                quoted.push((name, value));
                rest = &rest[name.len() + 1 + len..];
            }
            Some(_) => {
                n_pairs += 1;
                rest = &rest[end..];
            }
            None => {
                outside.push(token);
                rest = &rest[end..];
            }
        }
    }
    quoted.retain(|(_, value)| value.split_whitespace().count() >= WORDS_OF_TEXT);
    let of_name = |name: &&str| {
        let named = quoted.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    };
    let named = most_telling(TEXT_NAMES.iter().filter_map(of_name));
    if quoted.is_empty() || named.is_none() && n_pairs < 2 {
        return None;
    }
    if outside.len() >= WORDS_OUTSIDE {
        let values = quoted.iter().filter(|(name, _)| TEXT_NAMES.contains(name));
        let values = values.map(|(_, value)| value.as_str());
        return Some(outside.into_iter().chain(values).collect::<Vec<_>>().join(" "));
    }
    let values = quoted.iter().map(|(_, value)| value.as_str());
    let longest = || values.max_by_key(|value| value.len());
    named.or_else(longest).map(str::to_owned)
}

/// Returns the text that says most: the first, unless a later one, as that of an error, has many more words.
fn most_telling<'t>(texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let n_words = |text: &str| text.split_whitespace().count();
    texts.reduce(|first, text| if n_words(text) > 2 * n_words(first) { text } else { first })
}

fn is_pair_name(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '@');
    name.starts_with(char::is_alphabetic) && name.chars().all(is_part)
}

/// Reads a value in quotation marks at the beginning of a text, with its escapes; returns it and its length.
fn quoted_value(text: &str) -> (String, usize) {
    let mut value = String::new();
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => {
                value.push(if c == 'n' { ' ' } else { c });
                is_escaped = false;
            }
            '\\' => is_escaped = true,
            '"' => return (value, at + 1),
            _ => value.push(c),
        }
    }
    (value, text.len())
}

/// Words before a message in a question about it.
const BEFORE_MESSAGES: &[&str] = &[
    "error", "fail", "fails", "get", "gets", "getting", "got", "message", "prints", "said", "says",
    "see", "seeing", "throws", "warning",
];

/// Returns the message about which a question of one line asks: `why do I get "…"`.
fn of_question(q: &str) -> Option<String> {
    let (before, rest) = q.split_once('"')?;
    let (message, after) = rest.split_once('"')?;
    let last = before.split_whitespace().next_back()?.to_lowercase();
    let is_announced = BEFORE_MESSAGES.contains(&last.trim_end_matches(':'));
    let is_message = message.split_whitespace().count() >= WORDS_IN_QUOTES;
    let is_one = !after.contains('"') && !q.contains('\n');
    (is_message && is_announced && is_one).then(|| message.trim().to_owned())
}

/// Returns the text of several lines: a trace without its frames, or a sentence or code as one line.
fn of_lines(q: &str) -> Option<Text> {
    if !q.contains('\n') {
        return None;
    }
    let lines: Vec<&str> = q.lines().filter(|line| !line.trim().is_empty()).collect();
    let has_frames = lines.iter().any(|line| is_frame(line));
    let is_text = |line: &&str| {
        let is_heading = line.starts_with("Traceback ") || line.starts_with("goroutine ");
        !(is_frame(line) || is_heading || has_frames && line.starts_with([' ', '\t']))
    };
    let n_lines = lines.len();
    let texts: Vec<&str> = lines.into_iter().filter(is_text).map(str::trim).collect();
    if texts.len() == n_lines {
        return Some(Text::OneLine(texts.join(" ")));
    }
    // A trace names what happened in its first or its last lines.
    let n_left_out = texts.len().saturating_sub(LINES_MAX);
    let (first, last) = texts.split_at(texts.len().min(LINES_MAX / 2));
    let last = &last[n_left_out.min(last.len())..];
    Some(Text::Message([first, last].concat().join(" ")))
}

/// Returns whether a line is a frame of a trace, or names a place.
fn is_frame(line: &str) -> bool {
    let line = line.trim_start();
    let is_begun = ["at ", "File \"", "from ", "--> "].iter().any(|sign| line.starts_with(sign));
    let is_numbered =
        line.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    is_numbered
        || (is_begun || !line.contains(' ')) && !place::places(line).is_empty()
        || is_begun && line.contains(['(', '<'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_a_text() {
        for (q, text) in [
            (r#"level=error msg="Health check failed." service=web"#, "Health check failed."),
            (
                r#"ERR error="middleware \"a@b\" does not exist" entryPoint=web"#,
                r#"middleware "a@b" does not exist"#,
            ),
            (
                r#"WRN Unable to obtain a certificate error="no such host" domain=a.example"#,
                "WRN Unable to obtain a certificate no such host",
            ),
            (r#"{"level":"warn","time":1,"msg":"retry limit reached"}"#, "retry limit reached"),
            (
                r#"msg="Notify failed" err="retry canceled after an unrecoverable error" id=1"#,
                "retry canceled after an unrecoverable error",
            ),
            (r#"{"msg":"Health check failed","err":"no such host"}"#, "Health check failed"),
            (r#"{"severity":"x","text":"pool is empty now"}"#, "pool is empty now"),
            (r#"why do I get "no such host" here?"#, "no such host"),
            (r#"I get "no such host" after a while"#, "no such host"),
            (r#"what is the error "no such host"?"#, "no such host"),
            (
                "Error: Timeout waiting\n    at Timer.run (file:///app/x.js:3:12)\n    at <anonymous>",
                "Error: Timeout waiting",
            ),
            (
                "Traceback (most recent call last):\n  File \"/a/b.py\", line 3, in run\n    go()\n\
                 ValueError: bad header",
                "ValueError: bad header",
            ),
            ("panic: bad index\n\ngoroutine 1 [running]:\nmain.go:3", "panic: bad index"),
        ] {
            assert_eq!(text_of(q), Some(Text::Message(text.to_owned())), "{q}");
        }
    }

    #[test]
    fn several_lines_without_frames_are_one_line() {
        for (q, text) in [
            ("how are sessions\nclosed", "how are sessions closed"),
            (
                "for x in a {\n    if x {\n        f(x)\n    }\n}\nlet b = 1;\n",
                "for x in a { if x { f(x) } } let b = 1;",
            ),
        ] {
            assert_eq!(text_of(q), Some(Text::OneLine(text.to_owned())), "{q}");
        }
    }

    #[test]
    fn other_questions_are_no_records() {
        for q in [
            "LIMIT_WORKERS=4",
            r#"a.b = "c d""#,
            r#"title="two words""#,
            r#"where is "no such host" logged"#,
            r#"why do I get "no host""#,
            r#"how do "no such host" and "no route to host" differ"#,
            r#"say "no such host" once"#,
            "how are sessions closed",
            r#"{"a": 1}"#,
            "{ a b }",
            "one\n",
            "",
        ] {
            assert_eq!(text_of(q), None, "{q}");
        }
    }
}
