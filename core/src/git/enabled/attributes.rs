//! Attributes of paths that determine how git converts a file before hashing it.
//!
//! Patterns have the syntax of ignore lines without `!`, so the matcher of ignore lines serves here too, and
//! `Verdict::Ignore` means that a pattern matches.

use crate::budget::{Budget, Stopped};
use crate::wildcard::{IgnoreLines, LetterCase, Steps, Verdict};

/// The maximum number of lines of an attributes file, more than any real one has.
const LINES_MAX: usize = 20_000;
/// Git ignores lines of this length and longer ones.
const LINE_BYTES_LIMIT: usize = 2_048;

/// The state of an attribute for a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Set,
    Unset,
    Value(String),
}

/// The attributes that affect the hashed content; `None` if unspecified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    pub text: Option<State>,
    /// The older name of `text`, which applies where `text` says nothing.
    pub crlf: Option<State>,
    pub eol: Option<State>,
    pub filter: Option<State>,
    pub ident: Option<State>,
    pub encoding: Option<State>,
}

/// An attribute by its name; without a state the line makes it unspecified.
type Setting = (String, Option<State>);

/// The lines of one `.gitattributes`: patterns with their settings.
#[derive(Debug, Default)]
pub(super) struct AttributeLines(Vec<(IgnoreLines, Vec<Setting>)>);

impl AttributeLines {
    /// Reads the lines; macros other than `binary` are unknown and set nothing.
    pub(super) fn parse(bytes: &[u8], case: LetterCase) -> AttributeLines {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes);
        let mut lines = Vec::new();
        for line in text.lines().take(LINES_MAX) {
            let is_short = line.len() < LINE_BYTES_LIMIT;
            let line = line.trim_start_matches([' ', '\t', '\r']);
            let is_rule = is_short && !line.starts_with(['#', '!']);
            let Some((pattern, rest)) = split_pattern(line).filter(|_| is_rule) else { continue };
            // One invalid name, such as the `#` of a comment, makes git ignore the whole line.
            let words = rest.split_ascii_whitespace().map(settings_of);
            let Some(settings) = words.collect::<Option<Vec<_>>>() else { continue };
            let settings: Vec<Setting> = settings.into_iter().flatten().collect();
            // A pattern that only matches directories matches no file.
            if settings.is_empty() || pattern.ends_with('/') || line.starts_with("[attr]") {
                continue;
            }
            // Only a quoted pattern can begin with `#` here. As an ignore line it would be a comment.
            let pattern = if pattern.starts_with('#') { format!("\\{pattern}") } else { pattern };
            if let (Some(pattern), _) = IgnoreLines::from_lines([pattern.as_str()], case) {
                lines.push((pattern, settings));
            }
        }
        AttributeLines(lines)
    }

    /// Adds the settings of these lines for a path, relative to their directory, that stronger files leave
    /// unspecified.
    pub(super) fn fill(
        &self,
        path: &[u8],
        attributes: &mut Known,
        budget: &Budget,
    ) -> Result<(), Stopped> {
        let mut go_on = || budget.poll_clock().is_ok();
        let mut steps = Steps::polled(&mut go_on);
        for (pattern, settings) in self.0.iter().rev() {
            budget.poll()?;
            if pattern.verdict_while(path, false, &mut steps) != Verdict::Ignore {
                continue;
            }
            for (name, state) in settings.iter().rev() {
                attributes.set(name, state);
            }
        }
        Ok(())
    }
}

/// Attributes that are being collected, from the strongest file to the weakest.
#[derive(Debug, Default)]
pub(super) struct Known {
    attributes: Attributes,
    /// Attributes that a stronger line has decided. `None` alone could not express it: a line with `!text`
    /// decides that `text` is unspecified, and a weaker line must not set it.
    decided: Vec<String>,
}

impl Known {
    fn set(&mut self, name: &str, state: &Option<State>) {
        if self.decided.iter().any(|known| known == name) {
            return;
        }
        let slot = match name {
            "text" => &mut self.attributes.text,
            "crlf" => &mut self.attributes.crlf,
            "eol" => &mut self.attributes.eol,
            "filter" => &mut self.attributes.filter,
            "ident" => &mut self.attributes.ident,
            "working-tree-encoding" => &mut self.attributes.encoding,
            _ => return,
        };
        slot.clone_from(state);
        self.decided.push(name.to_owned());
    }

    pub(super) fn finish(self) -> Attributes {
        self.attributes
    }
}

fn split_pattern(line: &str) -> Option<(String, &str)> {
    if let Some(quoted) = line.strip_prefix('"') {
        let end = quoted.find('"')?;
        return Some((quoted[..end].to_owned(), &quoted[end + 1..]));
    }
    let end = line.find([' ', '\t'])?;
    Some((line[..end].to_owned(), &line[end..]))
}

/// Returns the settings of one word, `-x`, `!x`, `x` or `x=value`, with those that it implies; `None` for an
/// invalid name.
fn settings_of(word: &str) -> Option<Vec<Setting>> {
    let (sign, word) = match word.strip_prefix(['-', '!']) {
        Some(rest) => (word.chars().next(), rest),
        None => (None, word),
    };
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    let state = match (sign, value) {
        (Some('-'), _) => Some(State::Unset),
        (Some(_), _) => None,
        (None, Some(value)) => Some(State::Value(value.to_owned())),
        (None, None) => Some(State::Set),
    };
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if name.is_empty() || name.starts_with('-') || !name.bytes().all(is_name_byte) {
        return None;
    }
    Some(match (name, &state) {
        ("binary", Some(State::Set)) => vec![("text".to_owned(), Some(State::Unset))],
        _ => vec![(name.to_owned(), state)],
    })
}
