//! One result of `search`, as engine types and as JSON.

use crate::replies;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use searchscope::toolkit::{Likeness, LineTraits, PathTraits, Role, to_text};
use searchscope::{FileMatches, Line, RelPath, Result, Span};
use serde::Serialize;
use std::borrow::Cow;

/// A result of the tool `search`: with mode `content` a matching line, else a matching file.
///
/// It borrows from the search and is only valid until the next one.
#[derive(Debug)]
#[non_exhaustive]
pub struct SearchResult<'a> {
    /// The file.
    pub path: &'a RelPath,
    /// With mode `count`: the number of matching lines, less those that an earlier page has
    /// counted.
    pub n_matches: Option<u64>,
    /// With mode `content`: the matching line; with multiline the lines that a match covers.
    pub line: Option<&'a Line>,
    /// The lines before it, up to `context_before`.
    pub before: Cow<'a, [Line]>,
    /// The lines after it, up to `context_after`.
    pub after: Cow<'a, [Line]>,
    /// Whether the text was decoded from another encoding.
    is_decoded: bool,
    /// The declared encoding that the file is in.
    encoding: Option<&'static str>,
    /// Whether the JSON includes the bytes of invalid text.
    raw_bytes: bool,
    /// With order `relevance`: the properties of the path.
    relevance: Option<&'a PathTraits>,
    /// The path as text.
    path_text: Cow<'a, str>,
}

/// A matching line; with multiline the lines that a match covers.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SearchMatch")]
pub(crate) struct Match<'a> {
    /// The file, relative to the root, with "/" between names.
    path: &'a str,
    /// The bytes of the path in base64, only if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    /// The number of the (first) line, from 1.
    line: u64,
    /// Start of the first match, in bytes of text from 1.
    column: usize,
    /// Start of the line in the file, in bytes from 0.
    offset: u64,
    /// The text without its line end, or a part of it.
    text: Cow<'a, str>,
    /// True if bytes of text are invalid in the encoding of the file and became U+FFFD; else
    /// absent. A decoded file may also contain a U+FFFD of its own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    /// With raw_bytes, if text is lossy: its bytes in base64. Only for files in UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_base64: Option<String>,
    /// The encoding of the file, if it is one of "encodings" and not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
    /// Only if text is a part: number of bytes of the line before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_start: Option<usize>,
    /// Only if text is a part: length of the line in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_bytes: Option<usize>,
    /// The matches in the line, by start: the first 100.
    spans: Vec<SpanReply>,
    /// Only with order relevance: the criteria that this line and its file meet. Files are ranked
    /// by all of their lines; the lines of a file keep their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Reason>,
    /// With enclosing: the innermost definition that contains the whole first match, without its
    /// package.
    #[serde(skip_serializing_if = "Option::is_none")]
    enclosing: Option<&'a str>,
    /// The lines before it, each cut to line_bytes_max; only with context_before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    /// The lines after it, each cut to line_bytes_max; only with context_after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<String>,
}

/// Criteria of relevance.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "snake_case")]
enum Reason {
    /// A keyword before a match defines it, such as "fn" or "class".
    Definition,
    /// The line has the form of a definition of a match.
    DefinitionForm,
    /// The name of the file contains a pattern.
    Named,
    /// A match is a whole word.
    Word,
    /// The file is not a test, documentation, generated or vendored.
    Production,
    /// The file is a test.
    Tests,
    /// The file is documentation.
    Docs,
    /// The file is generated or vendored.
    Generated,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MatchSpan")]
struct SpanReply {
    /// The first byte, within the line.
    start: usize,
    /// The byte after the last.
    end: usize,
    /// The index of the matching pattern.
    pattern: usize,
    /// With uses: how the name is used. Of a qualified name its last part counts.
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["call", "import", "type", "inheritance", "assignment", "definition", "comment", "string", "other"]))]
    use_kind: Option<&'static str>,
    /// The byte range of the match in the file, as start and end; only with "encoding".
    #[serde(skip_serializing_if = "Option::is_none")]
    file_bytes: Option<[u64; 2]>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct MatchingFile<'a> {
    /// The file, relative to the root, with "/" between names.
    path: &'a str,
    /// The bytes of the path in base64, only if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    /// With mode "count": the number of matching lines, less those counted on earlier pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<u64>,
    /// Only with order relevance: the criteria that the path meets. Matching lines affect the order
    /// too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Reason>,
}

/// The JSON of a result in a reply.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Item<'a> {
    Line(Box<Match<'a>>),
    File(MatchingFile<'a>),
}

impl<'a> SearchResult<'a> {
    /// Returns the result for a matching file.
    pub(crate) fn of_file(path: &'a RelPath, n_matches: Option<u64>) -> SearchResult<'a> {
        let none = || Cow::Borrowed(&[][..]);
        let path_text = path.display();
        SearchResult {
            path,
            n_matches,
            line: None,
            before: none(),
            after: none(),
            is_decoded: false,
            encoding: None,
            raw_bytes: false,
            relevance: None,
            path_text,
        }
    }

    /// Returns the result for the matching line at index `at`, with context.
    pub(crate) fn of_line(
        file: &'a FileMatches,
        path_text: &'a str,
        at: usize,
        context: (usize, usize),
    ) -> SearchResult<'a> {
        let (before, after) = replies::context(&file.lines, at, context);
        SearchResult {
            path: &file.path,
            n_matches: None,
            line: file.lines.get(at),
            before,
            after,
            is_decoded: file.is_decoded,
            encoding: file.encoding,
            raw_bytes: false,
            relevance: None,
            path_text: Cow::Borrowed(path_text),
        }
    }

    /// Sets whether the JSON includes the bytes of invalid text.
    pub(crate) fn with_raw_bytes(self, raw_bytes: bool) -> SearchResult<'a> {
        SearchResult { raw_bytes, ..self }
    }

    /// Adds the reasons for its rank to the JSON, if the order is that of relevance.
    pub(crate) fn with_relevance(self, relevance: Option<&'a PathTraits>) -> SearchResult<'a> {
        SearchResult { relevance, ..self }
    }

    /// Returns the result as JSON, exactly as a reply of the tool contains it.
    ///
    /// # Errors
    ///
    /// `internal` for a defect.
    pub fn to_json(&self) -> Result<String> {
        replies::to_json_text(&self.item())
    }

    /// Returns the serializable form for a reply.
    pub(crate) fn item(&self) -> Item<'_> {
        let (path, path_base64) = (&*self.path_text, path_base64(self.path));
        let Some(line) = self.line else {
            let (matches, reasons) = (self.n_matches, self.reasons(None));
            return Item::File(MatchingFile { path, path_base64, matches, reasons });
        };
        let is_part = line.is_truncated();
        let text = to_text(&line.text);
        let is_text = matches!(text, Cow::Borrowed(_));
        let has_raw = self.raw_bytes && !is_text;
        Item::Line(Box::new(Match {
            path,
            path_base64,
            line: line.number,
            column: line.spans.first().map_or(0, |span| in_text(line, is_text, span.start)) + 1,
            offset: line.offset,
            lossy: !is_text || self.is_decoded && text.contains(char::REPLACEMENT_CHARACTER),
            encoding: self.encoding(),
            text_base64: has_raw.then(|| STANDARD.encode(&line.text)),
            reasons: self.reasons(Some((line, &text))),
            text,
            text_start: is_part.then_some(line.text_start),
            line_bytes: is_part.then_some(line.line_len),
            spans: spans(line, is_text),
            enclosing: line.enclosing.as_deref(),
            before: replies::texts(&self.before),
            after: replies::texts(&self.after),
        }))
    }
}

impl SearchResult<'_> {
    /// Returns the encoding of the file in lower case, if it is one of the declared encodings and not UTF-8.
    pub fn encoding(&self) -> Option<String> {
        self.encoding.map(str::to_ascii_lowercase)
    }

    fn reasons(&self, line: Option<(&Line, &str)>) -> Vec<Reason> {
        let Some(path) = self.relevance else { return Vec::new() };
        let line = line.map(|(line, text)| LineTraits::of(line, text));
        let of_likeness = match line.map(|line| line.likeness) {
            Some(Likeness::Strong) => Some(Reason::Definition),
            Some(Likeness::Weak) => Some(Reason::DefinitionForm),
            Some(Likeness::None) | None => None,
        };
        let of_role = match path.role {
            Role::Production => Reason::Production,
            Role::Tests => Reason::Tests,
            Role::Docs => Reason::Docs,
            Role::Generated => Reason::Generated,
        };
        let is_word = line.is_some_and(|line| line.is_word);
        let reasons = [
            of_likeness,
            Some(of_role),
            path.is_named.then_some(Reason::Named),
            is_word.then_some(Reason::Word),
        ];
        reasons.into_iter().flatten().collect()
    }
}

/// Returns a position in a line as a position in its text, where each invalid sequence is a U+FFFD of three bytes
/// unless the line `is_text`.
fn in_text(line: &Line, is_text: bool, position: usize) -> usize {
    let Some(within) = position.checked_sub(line.text_start).filter(|_| !is_text) else {
        return position;
    };
    let (before, beyond) = match line.text.get(..within) {
        Some(before) => (before, 0),
        None => (&*line.text, within - line.text.len()),
    };
    line.text_start + to_text(before).len() + beyond
}

fn spans(line: &Line, is_text: bool) -> Vec<SpanReply> {
    let file_spans = line.file_spans.as_deref().unwrap_or_default();
    let uses = line.uses.as_deref().unwrap_or_default();
    let spans = line.spans.iter().enumerate();
    let reply = |(n, span): (usize, &Span)| SpanReply {
        start: in_text(line, is_text, span.start),
        end: in_text(line, is_text, span.end),
        pattern: span.pattern,
        use_kind: uses.get(n).map(|kind| kind.code()),
        file_bytes: file_spans.get(n).map(|bytes| [bytes.start, bytes.end]),
    };
    spans.map(reply).collect()
}

/// Returns the bytes of a path in base64 if it is not UTF-8.
pub(crate) fn path_base64(path: &RelPath) -> Option<String> {
    let is_text = std::str::from_utf8(path.as_bytes()).is_ok();
    (!is_text).then(|| STANDARD.encode(path.as_bytes()))
}
