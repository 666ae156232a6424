//! A text as a parser reads it: in small pieces, so that it can be stopped, and with an end that shows
//! whether the parser understands where it is.
//!
//! Where a parser of tree-sitter is lost when it comes to the end of a text, it makes something of
//! everything that is still open, in every way it knows. In some grammars these are so many that a
//! few kilobytes take gigabytes, and nothing can stop it there. So those read a few empty statements
//! before they see the end: most find their way by then, and one that does not is stopped.

use crate::budget::Budget;
use crate::syntax::Unparsed;
use std::cell::Cell;
use std::iter;

/// No piece is larger: between two a scanner may do much work.
const PIECE_BYTES: usize = 16;
/// How often all of a text may be read: more is a scanner that looks for the end again and again.
const READINGS_MAX: usize = 64;
/// Pieces that may be read whatever the length.
const PIECES_MIN: usize = 4_096;
/// So many empty statements are more steps than a parser takes between two reports.
const STATEMENTS: usize = 400;
/// Braces that are open at the end, where somebody is still writing.
const OPEN_MAX: usize = 64;
/// What a parser reads that is to be stopped: comments take it no time, and end most of what it may
/// be in.
const COMMENTS: &[u8] = b"\n//\n//\n//\n//\n//";
const COMMENT_PIECES: usize = 64;
/// What it reads if they did not: what ends the rest.
const CLOSERS: &[u8] = b"\n*/\n\"\"\"\n'\n`\n;";
/// How many pieces of both there are before the end comes all the same.
const ESCAPES_MAX: usize = 1_024;
/// Of so many signs in one statement a parser cannot tell whether they compare or enclose types.
const ANGLES_MAX: usize = 1_000;

pub(super) struct Source<'a> {
    text: &'a [u8],
    /// What stands behind the text for a parser that may be lost there.
    tail: Vec<u8>,
    budget: &'a Budget,
    pieces: Cell<usize>,
    pieces_max: usize,
    /// Whether the parser has reported from behind the text that it is not lost.
    is_sound: Cell<bool>,
    /// Why it is to be stopped.
    stop: Cell<Option<Unparsed>>,
}

impl<'a> Source<'a> {
    /// `is_guarded` for a grammar that must not meet the end when it is lost.
    pub(super) fn new(text: &'a [u8], is_guarded: bool, budget: &'a Budget) -> Source<'a> {
        let tail = if is_guarded { tail(text) } else { Vec::new() };
        let is_hopeless = is_guarded && most_angles(text) > ANGLES_MAX;
        Source {
            text,
            tail,
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
        if self.stop.get().is_none() && at >= end && !self.tail.is_empty() && !self.is_sound.get() {
            // It came here within a single token, or so.
            self.stop(Unparsed::TooInvolved);
        }
        if self.stop.get().is_some() {
            return if self.tail.is_empty() { b"" } else { self.escape() };
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
            0..COMMENT_PIECES => COMMENTS,
            COMMENT_PIECES..ESCAPES_MAX => CLOSERS,
            _ => b"",
        }
    }

    /// Takes a report of the parser. Says whether it is to go on.
    pub(super) fn reported(&self, at: usize, is_lost: bool) -> bool {
        // A few statements may have been skipped before it has found its way.
        if !self.tail.is_empty() && at > self.text.len() + self.tail.len() / 8 {
            if is_lost {
                self.stop(Unparsed::TooInvolved);
            } else {
                self.is_sound.set(true);
            }
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
fn tail(text: &[u8]) -> Vec<u8> {
    let mut tail = b"\n".to_vec();
    tail.extend(iter::repeat_n(b'}', open_braces(text).min(OPEN_MAX)));
    for _ in 0..STATEMENTS {
        tail.extend_from_slice(b"\n;");
    }
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
    use crate::CancelToken;

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
        let budget = Budget::new(None, &CancelToken::new());
        let text = "a<".repeat(ANGLES_MAX + 1);
        assert!(Source::new(text.as_bytes(), true, &budget).stopped().is_some());
        assert!(Source::new(text.as_bytes(), false, &budget).stopped().is_none());
    }

    #[test]
    fn the_pieces_are_the_text_and_its_tail() {
        let budget = Budget::new(None, &CancelToken::new());
        let text = "class A {".repeat(50);
        for (is_guarded, tail) in [(false, 0), (true, 1 + 50 + 2 * STATEMENTS)] {
            let source = Source::new(text.as_bytes(), is_guarded, &budget);
            let mut read = Vec::new();
            loop {
                source.reported(read.len(), false);
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
    fn a_parser_that_is_lost_never_meets_the_end_in_time() {
        let budget = Budget::new(None, &CancelToken::new());
        let source = Source::new(b"a<a<", true, &budget);
        assert!(source.reported(4, true), "it may still find its way");
        assert!(!source.reported(700, true));
        assert_eq!(source.stopped(), Some(Unparsed::TooInvolved));
        assert!(!source.piece(10_000).is_empty());
        let pieces = (0..).take_while(|at| !source.piece(*at).is_empty()).count();
        assert!((500..=ESCAPES_MAX).contains(&pieces), "{pieces}");
    }

    #[test]
    fn one_that_swallows_the_tail_and_one_that_reads_again_and_again_are_stopped() {
        let budget = Budget::new(None, &CancelToken::new());
        let swallowed = Source::new(b"/* {", true, &budget);
        let end = 4 + swallowed.tail.len();
        assert!(!swallowed.piece(end).is_empty() && swallowed.stopped().is_some());
        let again = Source::new(b"text", false, &budget);
        let pieces = (0..).take_while(|_| !again.piece(0).is_empty()).count();
        assert_eq!((pieces, again.stopped()), (PIECES_MIN, Some(Unparsed::TooInvolved)));
    }
}
