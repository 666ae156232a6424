//! A text as a parser reads it: in small pieces, so that it can be stopped, and followed by a guard that
//! shows whether the parser is still in step.
//!
//! At the end of a text, a confused tree-sitter parser completes everything that is still open in every way
//! it knows. In some grammars these combinations grow until a few kilobytes of text take gigabytes, and
//! nothing can stop the parser there. Such a parser therefore reads some empty statements before the end, by
//! which it recovers. If it consumes them without a report, for example inside a comment that never ends, it
//! is stopped.

use crate::budget::Budget;
use crate::syntax::Unparsed;
use std::cell::Cell;
use std::iter;

/// The maximum size of a piece: a scanner may do much work between two pieces.
const PIECE_BYTES: usize = 16;
/// The number of times that the whole text may be read. More is a scanner that repeatedly searches for the
/// end.
const READINGS_MAX: usize = 1_000;
/// The number of pieces that may be read regardless of length.
const PIECES_MIN: usize = 256 * 1024;
/// The number of empty statements: more steps than a parser takes between two reports.
const STATEMENTS: usize = 400;
/// The maximum number of open braces that are closed; more are not code in the middle of an edit.
const OPEN_MAX: usize = 64;
/// The number of comments that a stopped parser reads first. They take no time and end most constructs.
const COMMENTS: usize = 200;
/// The text that it reads next, to end the other constructs.
const CLOSERS: &[u8] = b"\n*/\n\"\"\"\n'\n`\n;";
/// The total number of these pieces before the end is reported in any case.
const ESCAPES_MAX: usize = 1_024;
/// The maximum number of `<` in a statement. With more, a parser cannot decide whether they compare or
/// enclose types.
const ANGLES_MAX: usize = 1_000;

/// The end of a text in a language.
pub(super) struct End {
    /// Whether empty statements, and braces to close open ones, precede the end.
    pub(super) is_guarded: bool,
    /// The start of a line comment, on its own line.
    pub(super) comment: &'static str,
    /// Whether a statement with too many `<` is rejected.
    pub(super) limits_angles: bool,
}

pub(super) struct Source<'a> {
    text: &'a [u8],
    /// The text that follows the source text.
    tail: Vec<u8>,
    comment: &'static str,
    budget: &'a Budget,
    pieces: Cell<usize>,
    pieces_max: usize,
    /// Whether the parser has reported from beyond the text.
    is_sound: Cell<bool>,
    /// The reason to stop the parser.
    stop: Cell<Option<Unparsed>>,
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a [u8], end: &End, budget: &'a Budget) -> Source<'a> {
        let tail = tail(text, end);
        let is_hopeless = end.limits_angles && most_angles(text) > ANGLES_MAX;
        Source {
            text,
            tail,
            comment: end.comment,
            budget,
            pieces: Cell::new(0),
            pieces_max: PIECES_MIN + READINGS_MAX * (text.len() / PIECE_BYTES),
            is_sound: Cell::new(false),
            stop: Cell::new(is_hopeless.then_some(Unparsed::TooInvolved)),
        }
    }

    /// Returns the piece at an offset of the text.
    pub(super) fn piece(&self, at: usize) -> &[u8] {
        self.pieces.set(self.pieces.get() + 1);
        if self.stop.get().is_none() {
            if self.pieces.get() > self.pieces_max {
                self.stop(Unparsed::TooInvolved);
            } else if self.budget.poll().is_err() {
                self.stop(Unparsed::Stopped);
            }
        }
        let end = self.text.len() + self.tail.len();
        let is_swallowed = !self.tail.is_empty() && at >= end && !self.is_sound.get();
        if self.stop.get().is_none() && is_swallowed {
            // The parser came here within about a single token.
            self.stop(Unparsed::TooInvolved);
        }
        if self.stop.get().is_some() {
            return self.escape();
        }
        let rest = match at.checked_sub(self.text.len()) {
            None => &self.text[at..],
            Some(behind) => self.tail.get(behind..).unwrap_or_default(),
        };
        &rest[..rest.len().min(PIECE_BYTES)]
    }

    /// Returns the next piece for a stopped parser.
    fn escape(&self) -> &[u8] {
        match self.pieces.get().saturating_sub(self.pieces_max) {
            0..COMMENTS => self.comment.as_bytes(),
            COMMENTS..ESCAPES_MAX => CLOSERS,
            _ => b"",
        }
    }

    /// Handles a report of the parser. Returns whether to continue.
    pub(super) fn reported(&self, at: usize) -> bool {
        if at > self.text.len() {
            self.is_sound.set(true);
        }
        self.stop.get().is_none()
    }

    /// Stops the parser as soon as possible.
    pub(super) fn stop(&self, why: Unparsed) {
        if self.stop.get().is_none() {
            self.stop.set(Some(why));
            // Count the pieces of the escape from here.
            self.pieces.set(self.pieces_max);
        }
    }

    /// Returns the reason if the parser was stopped.
    pub(super) fn stopped(&self) -> Option<Unparsed> {
        self.stop.get()
    }
}

/// Returns closing braces for a text, and empty statements.
pub(super) fn tail(text: &[u8], end: &End) -> Vec<u8> {
    if !end.is_guarded {
        return Vec::new();
    }
    let mut tail = b"\n".to_vec();
    tail.extend(iter::repeat_n(b'}', open_braces(text).min(OPEN_MAX)));
    tail.extend(iter::repeat_n(b"\n;", STATEMENTS).flatten());
    tail
}

/// Returns the maximum number of `<` in a statement of a text, including comments and literals.
fn most_angles(text: &[u8]) -> usize {
    let (mut most, mut angles) = (0, 0);
    for byte in text {
        match byte {
            b'<' => angles += 1,
            b';' | b'{' | b'}' => angles = 0,
            _ => {}
        }
        most = most.max(angles);
    }
    most
}

/// Returns the number of open braces at the end of a text, assuming comments and literals like Java's.
fn open_braces(text: &[u8]) -> usize {
    let (mut open, mut at) = (0_usize, 0);
    while let Some(found) = text.get(at..).and_then(|rest| {
        rest.iter().position(|byte| matches!(byte, b'{' | b'}' | b'/' | b'"' | b'\''))
    }) {
        let start = at + found;
        at = start + 1;
        match text[start] {
            b'{' => open += 1,
            b'}' => open = open.saturating_sub(1),
            b'/' if text.get(at) == Some(&b'/') => {
                at = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end);
            }
            b'/' if text.get(at) == Some(&b'*') => {
                at =
                    memchr::memmem::find(&text[at..], b"*/").map_or(text.len(), |end| at + end + 2);
            }
            b'/' => {}
            quote => at = literal_end(text, at, quote),
        }
    }
    open
}

/// Returns the offset after a literal, or of the end of its line.
fn literal_end(text: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Call;

    const END: End = End { is_guarded: true, comment: "\n//", limits_angles: true };

    #[test]
    fn braces_in_comments_and_literals_do_not_count() {
        let all = [
            ("", 0),
            ("class A {", 1),
            ("class A { void f() { } }", 0),
            ("{ // {\n { /* { */ \"{\\\"{\" '{' '\\'' {", 3),
            ("}}} {", 1),
            ("{ \"open\n{", 2),
            ("{ /* {", 1),
            ("{ '", 1),
            ("a / b {", 1),
        ];
        for (text, open) in all {
            assert_eq!(open_braces(text.as_bytes()), open, "{text}");
        }
    }

    #[test]
    fn angles_count_within_a_statement() {
        assert_eq!(most_angles(b"a<b; c<d<e { f<g<h<i } <"), 3);
        let budget = Budget::of(&Call::new());
        let text = "a<".repeat(ANGLES_MAX + 1);
        assert!(Source::new(text.as_bytes(), &END, &budget).stopped().is_some());
        let unlimited = End { limits_angles: false, ..END };
        assert!(Source::new(text.as_bytes(), &unlimited, &budget).stopped().is_none());
    }

    #[test]
    fn the_pieces_are_the_text_and_its_tail() {
        let budget = Budget::of(&Call::new());
        let text = "class A {".repeat(50);
        for (is_guarded, tail) in [(false, 0), (true, 1 + 50 + 2 * STATEMENTS)] {
            let end = End { is_guarded, ..END };
            let source = Source::new(text.as_bytes(), &end, &budget);
            let mut read = Vec::new();
            loop {
                source.reported(read.len());
                let piece = source.piece(read.len());
                if piece.is_empty() {
                    break;
                }
                read.extend_from_slice(piece);
            }
            assert!(read.starts_with(text.as_bytes()), "{is_guarded}");
            assert_eq!((read.len(), source.stopped()), (text.len() + tail, None));
        }
    }

    #[test]
    fn a_stopped_parser_reads_comments_and_reaches_the_end() {
        let budget = Budget::of(&Call::new());
        let source = Source::new(b"a<a<", &END, &budget);
        source.stop(Unparsed::Stopped);
        assert!(!source.reported(2));
        assert_eq!(source.piece(2), b"\n//");
        let pieces = (0..).take_while(|at| !source.piece(*at).is_empty()).count();
        assert!((500..=ESCAPES_MAX).contains(&pieces), "{pieces}");
        assert_eq!(source.stopped(), Some(Unparsed::Stopped));
    }

    #[test]
    fn parsers_that_swallow_the_tail_or_reread_are_stopped() {
        let budget = Budget::of(&Call::new());
        let swallowed = Source::new(b"/* {", &END, &budget);
        let end = 4 + swallowed.tail.len();
        assert!(!swallowed.piece(end).is_empty() && swallowed.stopped().is_some());
        let again = Source::new(b"text", &END, &budget);
        let pieces = (0..).take_while(|_| again.piece(0) == b"text").count();
        assert_eq!((pieces, again.stopped()), (PIECES_MIN, Some(Unparsed::TooInvolved)));
    }
}
