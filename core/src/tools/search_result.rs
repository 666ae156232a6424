//! One result of `search`, as engine types and as JSON.

use super::reply;
use crate::error::Result;
use crate::lines::to_text;
use crate::pattern::Span;
use crate::search::{FileMatches, Line, LineTraits, PathTraits, Role};
use crate::syntax::Likeness;
use crate::workspace::RelPath;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

/// A result of the tool `search`: with mode `content` a matching line, else a file that matches.
///
/// It borrows from the search and is gone when the next one comes.
#[derive(Debug)]
#[non_exhaustive]
pub struct SearchResult<'a> {
    /// The file.
    pub path: &'a RelPath,
    /// With mode `count`: how many lines of the file match, less those that an earlier page has
    /// counted.
    pub n_matches: Option<u64>,
    /// With mode `content`: the matching line; with multiline the lines that a match covers.
    pub line: Option<&'a Line>,
    /// The lines before it, as many as `context_before` asks for.
    pub before: Cow<'a, [Line]>,
    /// The lines after it, as many as `context_after` asks for.
    pub after: Cow<'a, [Line]>,
    /// Whether the text came out of a decoder.
    is_decoded: bool,
    /// The declared encoding that the file is in.
    encoding: Option<&'static str>,
    /// Whether the JSON has the bytes of text that is not valid.
    raw_bytes: bool,
    /// In the order of relevance: the properties of the path.
    relevance: Option<&'a PathTraits>,
    /// The path as text.
    path_text: Cow<'a, str>,
}

/// A matching line; with multiline the lines that a match covers.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SearchMatch")]
pub(super) struct Match<'a> {
    /// The file, relative to the root, with "/" between names.
    path: &'a str,
    /// The bytes of the path in base64, only where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    /// The number of the (first) line, from 1.
    line: u64,
    /// Where the first match starts in the line, in bytes from 1.
    column: usize,
    /// Where the line starts in the file, in bytes from 0.
    offset: u64,
    /// The text without its line end, or a part of it.
    text: Cow<'a, str>,
    /// True where bytes of text are not valid in the encoding of the file and became U+FFFD; else
    /// absent. A decoded file may also hold a U+FFFD of its own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    /// With raw_bytes, where text is lossy: its bytes in base64. Not for a file in another encoding
    /// than UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_base64: Option<String>,
    /// The encoding of the file, where it is one of "encodings" and not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
    /// Only where text is a part: how many bytes of the line stand before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_start: Option<usize>,
    /// Only where text is a part: how many bytes the line has.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_bytes: Option<usize>,
    /// The matches in the line, by start: the first 100.
    spans: Vec<SpanReply>,
    /// Only in the order of relevance: what it goes by, of this line and its file. A file comes where
    /// the best of its lines would, and its lines come in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Reason>,
    /// Where it is asked for: the innermost definition that holds all of the first match, without its
    /// package.
    #[serde(skip_serializing_if = "Option::is_none")]
    enclosing: Option<&'a str>,
    /// The lines before it, each cut to line_bytes_max; only where context_before asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    /// The lines after it, each cut to line_bytes_max; only where context_after asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<String>,
}

/// Why a result comes where it does in the order of relevance.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "snake_case")]
enum Reason {
    /// A keyword before a match defines it, as "fn" or "class" does.
    Definition,
    /// The line has the form of a definition of a match.
    DefinitionForm,
    /// The name of the file contains a pattern.
    Named,
    /// A match is a whole word.
    Word,
    /// The file is neither of a test, nor documentation, nor generated or vendored.
    Production,
    /// The file is of a test.
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
    /// The index of the pattern that matches here.
    pattern: usize,
    /// The bytes of the match in the file, first and after the last; only with "encoding".
    #[serde(skip_serializing_if = "Option::is_none")]
    file_bytes: Option<[u64; 2]>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct MatchingFile<'a> {
    /// The file, relative to the root, with "/" between names.
    path: &'a str,
    /// The bytes of the path in base64, only where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    /// With mode "count": how many lines match, less those that an earlier page has counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<u64>,
    /// Only in the order of relevance: what it goes by, of the path. The lines count too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Reason>,
}

/// What stands in a reply for a result.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Item<'a> {
    Line(Match<'a>),
    File(MatchingFile<'a>),
}

impl<'a> SearchResult<'a> {
    /// A file that matches.
    pub(super) fn of_file(path: &'a RelPath, n_matches: Option<u64>) -> SearchResult<'a> {
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

    /// The matching line at `at`, with so many lines before and after it.
    pub(super) fn of_line(
        file: &'a FileMatches,
        path_text: &'a str,
        at: usize,
        context: (usize, usize),
    ) -> SearchResult<'a> {
        let (before, after) = reply::context(&file.lines, at, context);
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

    /// The same result, whose JSON has the bytes of text that is not valid if `raw_bytes`.
    pub(super) fn with_raw_bytes(self, raw_bytes: bool) -> SearchResult<'a> {
        SearchResult { raw_bytes, ..self }
    }

    /// The same result, whose JSON has the reasons for its place in the order of relevance, if that is
    /// the order.
    pub(super) fn with_relevance(self, relevance: Option<&'a PathTraits>) -> SearchResult<'a> {
        SearchResult { relevance, ..self }
    }

    /// The result as JSON, as it stands in a reply of the tool.
    ///
    /// # Errors
    ///
    /// `internal` for a defect.
    pub fn to_json(&self) -> Result<String> {
        reply::to_json_text(&self.item())
    }

    /// As it stands in a reply.
    pub(super) fn item(&self) -> Item<'_> {
        let (path, path_base64) = (&*self.path_text, path_base64(self.path));
        let Some(line) = self.line else {
            let (matches, reasons) = (self.n_matches, self.reasons(None));
            return Item::File(MatchingFile { path, path_base64, matches, reasons });
        };
        let is_part = line.is_truncated();
        let text = to_text(&line.text);
        let is_text = matches!(text, Cow::Borrowed(_));
        let has_raw = self.raw_bytes && !is_text;
        Item::Line(Match {
            path,
            path_base64,
            line: line.number,
            column: line.spans.first().map_or(0, |span| span.start) + 1,
            offset: line.offset,
            lossy: !is_text || self.is_decoded && text.contains(char::REPLACEMENT_CHARACTER),
            encoding: self.encoding.map(str::to_ascii_lowercase),
            text_base64: has_raw.then(|| STANDARD.encode(&line.text)),
            reasons: self.reasons(Some((line, &text))),
            text,
            text_start: is_part.then_some(line.text_start),
            line_bytes: is_part.then_some(line.line_len),
            spans: spans(line),
            enclosing: line.enclosing.as_deref(),
            before: reply::texts(&self.before),
            after: reply::texts(&self.after),
        })
    }
}

impl SearchResult<'_> {
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
            path.is_named().then_some(Reason::Named),
            is_word.then_some(Reason::Word),
        ];
        reasons.into_iter().flatten().collect()
    }
}

fn spans(line: &Line) -> Vec<SpanReply> {
    let file_spans = line.file_spans.as_deref().unwrap_or_default();
    let spans = line.spans.iter().enumerate();
    let reply = |(n, span): (usize, &Span)| SpanReply {
        start: span.start,
        end: span.end,
        pattern: span.pattern,
        file_bytes: file_spans.get(n).map(|bytes| [bytes.start, bytes.end]),
    };
    spans.map(reply).collect()
}

/// The bytes of a path that is not UTF-8.
pub(super) fn path_base64(path: &RelPath) -> Option<String> {
    let is_text = std::str::from_utf8(path.as_bytes()).is_ok();
    (!is_text).then(|| STANDARD.encode(path.as_bytes()))
}
