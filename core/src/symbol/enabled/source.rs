//! A text as a parser reads it: in small pieces, so that it can be stopped, and with an end that shows
//! whether the parser understands where it is.
//!
//! Where a parser of tree-sitter is lost when it comes to the end of a text, it makes something of
//! everything that is still open, in every way it knows. In some grammars these are so many that a
//! few kilobytes take gigabytes, and nothing can stop it there. So those read some empty statements
//! before they see the end, by which they find their way; one that does not notice them, in a comment
//! that never ends perhaps, is stopped.

use crate::budget::Budget;
use crate::syntax::Unparsed;
use std::cell::Cell;
use std::iter;

/// No piece is larger: between two a scanner may do much work.
const PIECE_BYTES: usize = 16;
/// How often all of a text may be read: more is a scanner that looks for the end again and again.
const READINGS_MAX: usize = 1_000;
/// Pieces that may be read whatever the length.
const PIECES_MIN: usize = 256 * 1024;
/// So many empty statements are more steps than a parser takes between two reports.
const STATEMENTS: usize = 400;
/// Braces that are open at the end, where somebody is still writing.
const OPEN_MAX: usize = 64;
/// How many comments a parser reads that is to be stopped: they take it no time, and end most of what
/// it may be in.
const COMMENTS: usize = 200;
/// What it reads if they did not: what ends the rest.
const CLOSERS: &[u8] = b"\n*/\n\"\"\"\n'\n`\n;";
/// How many pieces of both there are before the end comes all the same.
const ESCAPES_MAX: usize = 1_024;
/// Of so many signs in one statement a parser cannot tell whether they compare or enclose types.
const ANGLES_MAX: usize = 1_000;

/// How the end of a text is written in a language.
pub(super) struct End {
    /// Whether empty statements stand before it, and what closes the braces that are open.
    pub(super) is_guarded: bool,
    /// The beginning of a comment to the end of the line, on a line of its own.
    pub(super) comment: &'static str,
    /// Whether a statement with too many `<` is not parsed.
    pub(super) limits_angles: bool,
}

pub(super) struct Source<'a> {
    text: &'a [u8],
    /// What stands behind the text.
    tail: Vec<u8>,
    comment: &'static str,
    budget: &'a Budget,
    pieces: Cell<usize>,
    pieces_max: usize,
    /// Whether the parser has reported from behind the text.
    is_sound: Cell<bool>,
    /// Why it is to be stopped.
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

    /// The piece at a byte of the text.
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
            // It came here within a single token, or so.
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

    /// What is read after the parser was told to stop.
    fn escape(&self) -> &[u8] {
        match self.pieces.get().saturating_sub(self.pieces_max) {
            0..COMMENTS => self.comment.as_bytes(),
            COMMENTS..ESCAPES_MAX => CLOSERS,
            _ => b"",
        }
    }

    /// Takes a report of the parser. Says whether it is to go on.
    pub(super) fn reported(&self, at: usize) -> bool {
        if at > self.text.len() {
            self.is_sound.set(true);
        }
        self.stop.get().is_none()
    }

    /// Has the parser stopped as soon as possible.
    pub(super) fn stop(&self, why: Unparsed) {
        if self.stop.get().is_none() {
            self.stop.set(Some(why));
            // What follows is counted anew.
            self.pieces.set(self.pieces_max);
        }
    }

    /// Why the parser was stopped, if it was.
    pub(super) fn stopped(&self) -> Option<Unparsed> {
        self.stop.get()
    }
}

/// The end of what is open in a text, and empty statements.
fn tail(text: &[u8], end: &End) -> Vec<u8> {
    if !end.is_guarded {
        return Vec::new();
    }
    let mut tail = b"\n".to_vec();
    tail.extend(iter::repeat_n(b'}', open_braces(text).min(OPEN_MAX)));
    tail.extend(iter::repeat_n(b"\n;", STATEMENTS).flatten());
    tail
}

/// The largest number of `<` that one statement of a text has, its comments and literals included.
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

/// How many braces are open at the end of a text whose comments and literals are those of Java, nearly.
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

/// The byte behind a literal, or where its line ends.
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
    fn braces_in_comments_and_literals_are_none() {
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
    fn a_parser_that_is_stopped_reads_comments_and_meets_the_end_at_last() {
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
    fn one_that_swallows_the_tail_and_one_that_reads_again_and_again_are_stopped() {
        let budget = Budget::of(&Call::new());
        let swallowed = Source::new(b"/* {", &END, &budget);
        let end = 4 + swallowed.tail.len();
        assert!(!swallowed.piece(end).is_empty() && swallowed.stopped().is_some());
        let again = Source::new(b"text", &END, &budget);
        let pieces = (0..).take_while(|_| again.piece(0) == b"text").count();
        assert_eq!((pieces, again.stopped()), (PIECES_MIN, Some(Unparsed::TooInvolved)));
    }
}
