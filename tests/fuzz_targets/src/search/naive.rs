//! A naive search by line: each line of the decoded text, with a matcher without shortcuts.

use super::input::is_insensitive;
use encoding_rs::{Encoding, UTF_8};
use regex_automata::nfa::thompson::{
    self,
    pikevm::{Cache, PikeVM},
};
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use searchscope::{PatternOptions, SearchRequest, Syntax};
use std::collections::HashMap;

/// docs/contracts/general.md#binary-files.
const BINARY_PREFIX_BYTES: usize = 64 * 1024;
/// A third of the engine's limit, so that a pattern below it is never too large for the engine.
const AUTOMATON_BYTES_MAX: usize = 1 << 20;

/// The parsed patterns of a request.
pub(super) struct Read {
    pub(super) meaning: Meaning,
    /// Whether a pattern may contain a line feed, in any notation.
    pub(super) has_line_feed: bool,
}

/// The condition for a line to match.
pub(super) enum Meaning {
    /// The patterns are invalid.
    None,
    /// The pattern is too large for this oracle.
    TooLarge,
    /// The pattern matches a line differently from a whole text.
    OfText,
    Lines(Naive),
}

/// A matcher of single lines.
pub(super) struct Naive {
    regex: PikeVM,
}

/// The matches in each distinct line; `None` if it does not match.
pub(super) type Known<'a> = HashMap<&'a [u8], Option<Vec<(usize, usize)>>>;

/// A line as the naive search sees it.
pub(super) struct NaiveLine<'a> {
    pub(super) offset: usize,
    /// With a carriage return at its end.
    pub(super) seen: &'a [u8],
    /// Without it.
    pub(super) shown: &'a [u8],
    /// `None` if the line does not match.
    pub(super) spans: Option<&'a [(usize, usize)]>,
}

impl Read {
    pub(super) fn new(options: &PatternOptions) -> Read {
        let texts: Vec<String> = options
            .patterns
            .iter()
            .map(|text| match options.syntax {
                Syntax::Literal => regex_syntax::escape(text),
                _ => text.clone(),
            })
            .collect();
        let is_insensitive = is_insensitive(options);
        let parts: Option<Vec<Hir>> = texts
            .iter()
            .map(|text| {
                regex_syntax::ParserBuilder::new()
                    .utf8(false)
                    .multi_line(true)
                    .case_insensitive(is_insensitive)
                    .build()
                    .parse(text)
                    .ok()
            })
            .collect();
        let Some(parts) = parts else {
            return Read { meaning: Meaning::None, has_line_feed: true };
        };
        let ways = ["\n", r"\n", r"\x", r"\u", r"\U"];
        let is_written = |text: &String| ways.iter().any(|way| text.contains(way));
        let has_line_feed = texts.iter().any(is_written) || parts.iter().any(holds_line_feed);
        Read { meaning: Meaning::of(Hir::alternation(parts), options.word), has_line_feed }
    }

    /// Returns whether the engine must refuse the patterns.
    pub(super) fn must_be_refused(&self, options: &PatternOptions) -> bool {
        let is_bad = |text: &String| {
            text.is_empty() || options.syntax == Syntax::Literal && text.contains('\n')
        };
        matches!(self.meaning, Meaning::None) || options.patterns.iter().any(is_bad)
    }
}

impl Meaning {
    fn of(mut hir: Hir, word: bool) -> Meaning {
        let looks = hir.properties().look_set();
        if looks.contains_anchor_haystack() || looks.contains_anchor_crlf() {
            return Meaning::OfText;
        }
        if word {
            let (start, end) = (Look::WordStartHalfUnicode, Look::WordEndHalfUnicode);
            hir = Hir::concat(vec![Hir::look(start), hir, Hir::look(end)]);
        }
        let config = thompson::Config::new().utf8(false).nfa_size_limit(Some(AUTOMATON_BYTES_MAX));
        match thompson::Compiler::new().configure(config).build_from_hir(&hir) {
            Ok(nfa) => {
                let regex = PikeVM::new_from_nfa(nfa).expect("it has the parts of a search");
                Meaning::Lines(Naive { regex })
            }
            Err(error) => {
                assert!(error.size_limit().is_some(), "{error}");
                Meaning::TooLarge
            }
        }
    }
}

/// Returns whether some part of a pattern matches only a line feed.
fn holds_line_feed(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.contains(&b'\n'),
        HirKind::Class(Class::Unicode(class)) => class.literal().is_some_and(|text| text == b"\n"),
        HirKind::Class(Class::Bytes(class)) => class.literal().is_some_and(|text| text == b"\n"),
        HirKind::Repetition(repetition) => holds_line_feed(&repetition.sub),
        HirKind::Capture(capture) => holds_line_feed(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(holds_line_feed),
    }
}

impl Naive {
    /// Searches every line of some texts.
    pub(super) fn known<'a>(
        &self,
        request: &SearchRequest,
        texts: impl Iterator<Item = &'a [u8]>,
    ) -> Known<'a> {
        let mut known = Known::new();
        let mut cache = self.regex.create_cache();
        for line in texts.flat_map(|text| text.split(|&byte| byte == b'\n')) {
            known.entry(line).or_insert_with(|| {
                let shown = line.strip_suffix(b"\r").unwrap_or(line);
                let is_out =
                    request.exclude.as_ref().is_some_and(|text| holds(shown, text.as_bytes()));
                let spans = self.spans(&mut cache, line);
                (!is_out && !spans.is_empty()).then_some(spans)
            });
        }
        known
    }

    fn spans(&self, cache: &mut Cache, line: &[u8]) -> Vec<(usize, usize)> {
        let found = self.regex.find_iter(cache, line);
        found.map(|found| (found.start(), found.end())).collect()
    }
}

pub(super) fn naive_lines<'a>(text: &'a [u8], known: &'a Known<'a>) -> Vec<NaiveLine<'a>> {
    let mut lines = Vec::new();
    let mut offset = 0;
    for whole in text.split_inclusive(|&byte| byte == b'\n') {
        let seen = whole.strip_suffix(b"\n").unwrap_or(whole);
        // Without a line feed a trailing carriage return is text.
        let is_ended = seen.len() < whole.len();
        let shown = seen.strip_suffix(b"\r").filter(|_| is_ended).unwrap_or(seen);
        lines.push(NaiveLine { offset, seen, shown, spans: known[seen].as_deref() });
        offset += whole.len();
    }
    lines
}

/// Returns the text to search, and the position of a NUL that ends it; `None` if the NUL makes the file
/// binary.
pub(super) fn text_of(content: &[u8], label: Option<&str>) -> Option<(Vec<u8>, Option<usize>)> {
    let label = label.filter(|label| *label != "auto").unwrap_or("utf-8");
    let named = Encoding::for_label(label.as_bytes()).expect("a label that there is");
    // That of UTF-32LE begins with that of UTF-16LE.
    let marked = Encoding::for_bom(content).filter(|_| !content.starts_with(b"\xFF\xFE\0\0"));
    let mut binary_bytes = BINARY_PREFIX_BYTES;
    let text = match marked {
        Some((encoding, mark)) if encoding == UTF_8 => {
            binary_bytes -= mark;
            content[mark..].to_vec()
        }
        Some((encoding, _)) => return Some((encoding.decode(content).0.as_bytes().to_vec(), None)),
        None if named == UTF_8 => content.to_vec(),
        None => named.decode(content).0.as_bytes().to_vec(),
    };
    let Some(nul) = text.iter().position(|byte| *byte == 0) else { return Some((text, None)) };
    if nul < binary_bytes {
        return None;
    }
    let end = text[..nul].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    Some((text[..end].to_vec(), Some(nul)))
}

fn holds(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
