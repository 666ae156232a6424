//! Documents, checked against the same rules over UTF-16 units, as in the JavaScript that they replace.

use super::bytes::Bytes;
use super::scratch;
use searchscope::{Call, DocumentLimits, DocumentSearch};
use std::fs;

const CONTENT_BYTES_MAX: usize = 2 * 1024;
const QUERY_BYTES_MAX: usize = 24;

const PIECES: &[&str] = &[
    "---",
    "-----",
    "--",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "name: A b",
    "NAME:'x'",
    "description: \"d\"",
    ":",
    "a",
    "A",
    "b",
    "ab",
    "é",
    "É",
    "İ",
    "ß",
    "Σ",
    "σ",
    "ς",
    "😀",
    "한",
    " ",
    "\"",
    "'",
    "\t",
    "**",
    "...",
    "\u{FEFF}",
    "name :",
    "k",
    "K",
    "\u{212A}",
    "word",
    "\u{85}",
    "i\u{307}",
    "ﬁ",
    "Ⅷ",
];

/// Choices, the query up to a byte that never occurs in text, and the document.
pub fn documents(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let case_sensitive = bytes.is_set();
    let context_units = bytes.pick(&[10, 11, 50, 500]);
    let matches_max = bytes.pick(&[10, 100, 1, 500]);
    let is_text = bytes.is_set();
    let query = text(bytes.until(0xFF), is_text, QUERY_BYTES_MAX);
    let content = match bytes.below(8) {
        0 => bytes.take(CONTENT_BYTES_MAX).to_vec(),
        1 => utf16(&text(bytes.rest(), is_text, CONTENT_BYTES_MAX)),
        _ => text(bytes.rest(), is_text, CONTENT_BYTES_MAX).into_bytes(),
    };
    let (dir, workspace) = scratch();
    fs::write(dir.path().join("document.md"), &content).expect("written");
    let limits = DocumentLimits { documents_max: 10, document_bytes_max: 1 << 20 };
    let search = DocumentSearch {
        query,
        case_sensitive,
        path: "/".to_owned(),
        context_units,
        matches_max: 500,
        matches_per_document_max: Some(matches_max),
        limits,
        by_relevance: false,
    };
    let document = decoded(&content);
    let front_matter = FrontMatter::of(&document);
    let call = Call::new();
    let report = workspace.search_documents(&search, &call).expect("searched");
    let expected = matches(&document, &front_matter, &search);
    let found = report.documents.first();
    let matches = found.map_or(&[][..], |document| &document.matches);
    let given: Vec<Match> =
        matches.iter().map(|one| (one.line, one.file_line, one.excerpt.clone())).collect();
    assert_eq!(given, expected, "{search:?} in {document:?}");
    let ranked = DocumentSearch { by_relevance: true, ..search.clone() };
    let ranked = workspace.search_documents(&ranked, &call).expect("ranked");
    assert!(ranked.total_matches <= matches_max, "{search:?} in {document:?}: {ranked:?}");
    if let Some(found) = found {
        let name = front_matter.name.clone().unwrap_or_else(|| "document".to_owned());
        assert_eq!(found.name, name, "{document:?}");
    }
    let list = workspace.list_documents("/", &limits, &call).expect("listed");
    let described: Vec<String> = list.documents.into_iter().map(|one| one.description).collect();
    let expected: Vec<String> = front_matter.description.into_iter().collect();
    assert_eq!(described, expected, "{document:?}");
    let read = workspace.read_document("document.md", &limits, &call).expect("read");
    assert_eq!(read.content, document);
}

/// Returns a text of at least one character, because an empty query is refused.
fn text(input: &[u8], is_text: bool, bytes_max: usize) -> String {
    let mut text = String::new();
    if is_text {
        text.push_str(&String::from_utf8_lossy(&input[..input.len().min(bytes_max)]));
    } else {
        let mut input = Bytes::new(input);
        while !input.is_empty() && text.len() < bytes_max {
            text.push_str(input.pick(PIECES));
        }
    }
    if text.is_empty() { "a".to_owned() } else { text }
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_be_bytes).collect()
}

fn decoded(content: &[u8]) -> String {
    let is_utf_32 = content.starts_with(b"\xFF\xFE\0\0");
    match encoding_rs::Encoding::for_bom(content).filter(|_| !is_utf_32) {
        Some((encoding, _)) => encoding.decode(content).0.into_owned(),
        None => String::from_utf8_lossy(content).into_owned(),
    }
}

/// The front matter of a document.
#[derive(Default)]
struct FrontMatter {
    name: Option<String>,
    description: Option<String>,
    n_lines: usize,
}

impl FrontMatter {
    /// Parses the text between a first line of three or more dashes and the next such line.
    fn of(document: &str) -> FrontMatter {
        let lines: Vec<&str> = document.split('\n').map(without_return).collect();
        let is_fence = |line: &&str| {
            let line = line.trim_end();
            line.len() >= 3 && line.chars().all(|char| char == '-')
        };
        if !is_fence(&lines[0]) {
            return FrontMatter::default();
        }
        let Some(n) = lines[1..].iter().position(is_fence) else {
            return FrontMatter::default();
        };
        let mut found = FrontMatter { n_lines: n + 2, ..FrontMatter::default() };
        for (at, line) in lines[1..=n].iter().enumerate() {
            let Some((key, value)) = line.split_once(':') else { continue };
            if key.chars().next().is_some_and(char::is_whitespace) {
                continue;
            }
            let value = unquoted(value.trim());
            let value = block(value, &lines[at + 2..]).unwrap_or_else(|| value.to_owned());
            let value = Some(value).filter(|value| !value.is_empty());
            match key.trim_end().to_ascii_lowercase().as_str() {
                "name" => found.name = value,
                "description" => found.description = value,
                _ => {}
            }
        }
        found
    }
}

/// Returns the indented lines that `>` and `|` stand for, up to the first other line.
fn block(sign: &str, lines: &[&str]) -> Option<String> {
    let is_literal = sign.starts_with('|');
    let rest = sign.strip_prefix(['>', '|'])?;
    if rest.contains(|char: char| !(char.is_ascii_digit() || "+-".contains(char))) {
        return None;
    }
    let is_inside = |line: &&&str| line.is_empty() || line.starts_with([' ', '\t']);
    let lines: Vec<&str> = lines.iter().take_while(is_inside).map(|line| line.trim()).collect();
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        let is_apart = is_literal || line.is_empty() || at > 0 && lines[at - 1].is_empty();
        text.push_str(if is_apart { "\n" } else { " " });
        text.push_str(line);
    }
    Some(text.trim().to_owned())
}

fn without_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        let is_quoted = value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
        if is_quoted {
            return &value[1..value.len() - 1];
        }
    }
    value
}

/// A match: its line after the front matter, its line in the file, and the excerpt.
type Match = (u64, u64, String);

fn matches(document: &str, front_matter: &FrontMatter, search: &DocumentSearch) -> Vec<Match> {
    let before: Vec<&str> = document.split_inclusive('\n').take(front_matter.n_lines).collect();
    let text = &document[before.concat().len()..];
    let units: Vec<u16> = text.encode_utf16().collect();
    let n_before = before.iter().filter(|line| line.ends_with('\n')).count();
    let mut matches = Vec::new();
    let mut start = 0;
    for (number, whole) in (1..).zip(text.split_inclusive('\n')) {
        let line = whole.strip_suffix('\n').map_or(whole, without_return);
        for (from, to) in places(line, &search.query, search.case_sensitive) {
            let excerpt = excerpt(&units, start + from, start + to, search.context_units);
            matches.push((number, n_before as u64 + number, excerpt));
        }
        start += whole.encode_utf16().count();
    }
    matches.truncate(search.matches_per_document_max.unwrap_or(usize::MAX));
    matches
}

/// Returns the non-overlapping occurrences of the query in the line, as UTF-16 units of the line.
fn places(line: &str, query: &str, case_sensitive: bool) -> Vec<(usize, usize)> {
    let folded = |text: &str| if case_sensitive { text.to_owned() } else { text.to_lowercase() };
    let wanted: Vec<u16> = folded(query).encode_utf16().collect();
    let whole: Vec<u16> = folded(line).encode_utf16().collect();
    // Maps each unit of the folded line to the units of the original that produced it.
    let (mut origin, mut at) = (Vec::new(), 0);
    for char in line.chars() {
        let n = if case_sensitive {
            char.len_utf16()
        } else {
            char.to_lowercase().map(char::len_utf16).sum()
        };
        origin.extend(std::iter::repeat_n((at, at + char.len_utf16()), n));
        at += char.len_utf16();
    }
    assert_eq!(origin.len(), whole.len());
    let (mut places, mut from) = (Vec::new(), 0);
    while from + wanted.len() <= whole.len() {
        if whole[from..].starts_with(&wanted) {
            places.push((origin[from].0, origin[from + wanted.len() - 1].1));
            from += wanted.len();
        } else {
            from += 1;
        }
    }
    places
}

/// Returns the match between stars with its context, as one line; a cut never splits a surrogate pair.
fn excerpt(units: &[u16], from: usize, to: usize, context_units: usize) -> String {
    let is_second = |at: usize| units.get(at).is_some_and(|unit| (0xDC00..0xE000).contains(unit));
    let start = from.saturating_sub(context_units);
    let start = if is_second(start) { start - 1 } else { start };
    let end = (to + context_units).min(units.len());
    let end = if is_second(end) { end + 1 } else { end };
    let on_one_line = |units: &[u16]| {
        let text = String::from_utf16(units).expect("whole characters");
        text.replace("\r\n", " ").replace('\n', " ")
    };
    format!(
        "{}{}**{}**{}{}",
        if start > 0 { "..." } else { "" },
        on_one_line(&units[start..from]),
        String::from_utf16(&units[from..to]).expect("whole characters"),
        on_one_line(&units[to..end]),
        if end < units.len() { "..." } else { "" },
    )
}
