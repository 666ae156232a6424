//! Search for matching lines in ASCII text, which most text is.
//!
//! The ASCII part of a pattern without literals often has a DFA small enough for the L1 or L2 cache.
//! A step still waits for the load of the one before, so the scan splits the text into parts at line
//! ends and steps through all of them in turn: the loads overlap, and the latency is hidden.
//!
//! Every part starts in state 0, because a part starts at a line start and no match spans a line
//! feed. States with the bit `ENDS` are final, so one test of the or of all states covers a block of
//! `STEPS` bytes. A block in which some state is final is not kept: the tail loop repeats it from
//! the states before it, part by part, and thereby reports the first line of the text and not the
//! first part to get there. The lazy DFA of the ordinary engine was rejected here: it follows one
//! chain of dependent loads, 2.6 ns a byte.

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Input, MatchKind};
use regex_syntax::hir::{
    Capture, Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind,
    Look, Repetition,
};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes searched without the automaton before it is built, which takes up to some milliseconds.
const BYTES_BEFORE: usize = 1024 * 1024;
/// Larger patterns are refused early: their DFA would only be built to turn out too large.
const NFA_BYTES_MAX: usize = 128 * 1024;
/// Limit for the build time, since the table is built in the middle of a search: each of its up to 128 states
/// takes time proportional to the NFA states.
const NFA_STATES_MAX: usize = 128;
const DFA_BYTES_MAX: usize = 128 * 1024;
const WORK_BYTES_MAX: usize = 1024 * 1024;
/// Three parts were the fastest of 1 to 8: 1.0 ns a byte, against 2.6 for a single part.
const PARTS: usize = 3;
/// Steps between two tests for a final state.
const STEPS: usize = 8;
/// Bytes tested at once for a non-ASCII byte.
const PIECE_BYTES: usize = 512;

/// Final states have this bit set; all others are less than `ENDS`.
const ENDS: u8 = 0x80;
const NOT_ASCII: u8 = ENDS;
const MATCH: u8 = ENDS | 1;

/// The next state, indexed by the byte and then by the current state.
type Table = Box<[[u8; 256]; 256]>;

/// Finds lines that match in ASCII text.
#[derive(Debug)]
pub(super) struct AsciiLines {
    hir: Hir,
    bytes_before: AtomicUsize,
    automaton: OnceLock<Option<Automaton8>>,
}

#[derive(Debug)]
pub(super) enum Automaton8 {
    /// Nothing in ASCII text matches.
    Nothing,
    /// The first state, at the start of a line, is 0.
    Table(Table),
}

/// The byte at which a scan of a text ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanEnd {
    /// The line with this byte matches.
    Match(usize),
    /// This byte is not ASCII, and no line before its line matches.
    NotAscii(usize),
}

impl ScanEnd {
    pub(super) fn at(self) -> usize {
        let (ScanEnd::Match(at) | ScanEnd::NotAscii(at)) = self;
        at
    }
}

impl AsciiLines {
    /// Takes an expression without required literals and without matches that contain a line feed. Returns
    /// `None` if the ordinary engine is faster.
    pub(super) fn new(hir: &Hir) -> Option<AsciiLines> {
        // An empty match occurs in most lines, so the ordinary engine finds the next one at once.
        if hir.properties().minimum_len() == Some(0) {
            return None;
        }
        let automaton = OnceLock::new();
        let ascii = ascii_part(hir);
        if ascii.is_none() {
            let _ = automaton.set(Some(Automaton8::Nothing));
        } else {
            // The ordinary engine searches for literals first.
            let prefixes = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir);
            if prefixes.is_some_and(|prefixes| prefixes.is_fast()) {
                return None;
            }
        }
        let hir = ascii.unwrap_or_else(Hir::fail);
        Some(AsciiLines { hir, bytes_before: AtomicUsize::new(0), automaton })
    }

    /// Returns the automaton for a search of `bytes` of text; `None` if the pattern has none or it is not
    /// worth building yet.
    pub(super) fn automaton(&self, bytes: usize) -> Option<&Automaton8> {
        if let Some(automaton) = self.automaton.get() {
            return automaton.as_ref();
        }
        let before = self.bytes_before.fetch_add(bytes, Relaxed);
        // The one thread that passes the limit builds it, and the others continue without.
        if before < BYTES_BEFORE && before.saturating_add(bytes) >= BYTES_BEFORE {
            return self.made();
        }
        None
    }

    fn made(&self) -> Option<&Automaton8> {
        self.automaton.get_or_init(|| table(&self.hir).map(Automaton8::Table)).as_ref()
    }

    #[cfg(test)]
    pub(super) fn make(&self) {
        self.made();
    }
}

impl Automaton8 {
    /// Searches whole lines; the last one may lack its line end.
    pub(super) fn find(&self, text: &[u8]) -> Option<ScanEnd> {
        let table = match self {
            Automaton8::Nothing => {
                let len = ascii_len(text);
                return (len < text.len()).then_some(ScanEnd::NotAscii(len));
            }
            Automaton8::Table(table) => table,
        };
        let parts = split(text);
        let mut states = [0; PARTS];
        let blocks = parts.each_ref().map(|part| part.as_chunks::<STEPS>().0);
        let mut n_blocks = 0;
        for ((a, b), c) in blocks[0].iter().zip(blocks[1]).zip(blocks[2]) {
            let mut next = states;
            for step in 0..STEPS {
                next[0] = table[usize::from(a[step])][usize::from(next[0])];
                next[1] = table[usize::from(b[step])][usize::from(next[1])];
                next[2] = table[usize::from(c[step])][usize::from(next[2])];
            }
            if (next[0] | next[1] | next[2]) & ENDS != 0 {
                break;
            }
            states = next;
            n_blocks += 1;
        }
        // Finish each part, including the block in which a state became final.
        let mut start = 0;
        for (part, mut state) in parts.into_iter().zip(states) {
            for (at, &byte) in part.iter().enumerate().skip(n_blocks * STEPS) {
                state = table[usize::from(byte)][usize::from(state)];
                match state {
                    MATCH => return Some(ScanEnd::Match(start + at)),
                    NOT_ASCII => return Some(ScanEnd::NotAscii(start + at)),
                    _ => {}
                }
            }
            start += part.len();
            // The DFA reports a match one byte late.
            let lacks_end = part.last().is_some_and(|&last| last != b'\n');
            if lacks_end && table[usize::from(b'\n')][usize::from(state)] == MATCH {
                return Some(ScanEnd::Match(start - 1));
            }
        }
        None
    }
}

/// Splits `text` at line ends into parts of about the same length.
fn split(text: &[u8]) -> [&[u8]; PARTS] {
    let mut start = 0;
    std::array::from_fn(|n| {
        let wanted = (text.len() * (n + 1) / PARTS).max(start);
        let line_end = memchr::memchr(b'\n', &text[wanted..]);
        let end = line_end.map_or(text.len(), |line_end| wanted + line_end + 1);
        let part = start..end;
        start = end;
        &text[part]
    })
}

/// Returns the offset of the first non-ASCII byte, or the length of `text`.
fn ascii_len(text: &[u8]) -> usize {
    let mut at = 0;
    for piece in text.chunks(PIECE_BYTES) {
        if !piece.is_ascii() {
            return at + piece.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
        }
        at += piece.len();
    }
    at
}

/// Builds the automaton of `hir`, or returns `None` if it has too many states.
fn table(hir: &Hir) -> Option<Table> {
    let config = Config::new()
        .utf8(false)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(NFA_BYTES_MAX));
    let nfa = Compiler::new().configure(config).build_from_hir(hir).ok()?;
    if nfa.states().len() > NFA_STATES_MAX {
        return None;
    }
    let mut config = dense::Config::new()
        .accelerate(false)
        .start_kind(StartKind::Unanchored)
        .dfa_size_limit(Some(DFA_BYTES_MAX))
        .determinize_size_limit(Some(WORK_BYTES_MAX));
    for byte in 0x80..=0xFF {
        config = config.quit(byte, true);
    }
    let dfa = dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()?;
    let start = dfa.start_state_forward(&Input::new(b"\n").range(1..)).ok()?;
    let mut ids = vec![start];
    let mut table: Table = vec![[NOT_ASCII; 256]; 256].into_boxed_slice().try_into().ok()?;
    let mut state = 0;
    while state < ids.len() {
        for byte in 0..0x80 {
            let next = dfa.next_state(ids[state], byte);
            if dfa.is_dead_state(next) || dfa.is_quit_state(next) {
                return None;
            }
            let known = ids.iter().position(|&id| id == next);
            let next = match known {
                _ if dfa.is_match_state(next) => MATCH,
                Some(known) => u8::try_from(known).ok()?,
                None if ids.len() == usize::from(ENDS) => return None,
                None => {
                    ids.push(next);
                    u8::try_from(ids.len() - 1).ok()?
                }
            };
            table[usize::from(byte)][state] = next;
        }
        state += 1;
    }
    for row in table.iter_mut() {
        row[usize::from(MATCH)] = MATCH;
    }
    Some(table)
}

/// Returns an expression that matches ASCII lines as `hir` does; `None` if it matches none. Recurses as deep
/// as the expression nests, which the parser has bounded.
fn ascii_part(hir: &Hir) -> Option<Hir> {
    match hir.kind() {
        HirKind::Empty => Some(Hir::empty()),
        HirKind::Literal(literal) => literal.0.is_ascii().then(|| hir.clone()),
        HirKind::Class(class) => ascii_class(class),
        HirKind::Look(look) => Some(Hir::look(ascii_look(*look))),
        HirKind::Repetition(repetition) => match ascii_part(&repetition.sub) {
            Some(sub) => {
                Some(Hir::repetition(Repetition { sub: Box::new(sub), ..repetition.clone() }))
            }
            None => (repetition.min == 0).then(Hir::empty),
        },
        HirKind::Capture(Capture { sub, .. }) => ascii_part(sub),
        HirKind::Concat(parts) => {
            Some(Hir::concat(parts.iter().map(ascii_part).collect::<Option<_>>()?))
        }
        HirKind::Alternation(branches) => {
            let branches: Vec<Hir> = branches.iter().filter_map(ascii_part).collect();
            (!branches.is_empty()).then(|| Hir::alternation(branches))
        }
    }
}

fn ascii_class(class: &Class) -> Option<Hir> {
    let mut class = class.clone();
    let is_empty = match &mut class {
        Class::Unicode(class) => {
            let ranges = [('\0', '\x09'), ('\x0B', '\x7F')];
            let ranges = ranges.map(|(start, end)| ClassUnicodeRange::new(start, end));
            class.intersect(&ClassUnicode::new(ranges));
            class.ranges().is_empty()
        }
        Class::Bytes(class) => {
            let ranges = [(0, 0x09), (0x0B, 0x7F)];
            let ranges = ranges.map(|(start, end)| ClassBytesRange::new(start, end));
            class.intersect(&ClassBytes::new(ranges));
            class.ranges().is_empty()
        }
    };
    (!is_empty).then(|| Hir::class(class))
}

fn ascii_look(look: Look) -> Look {
    match look {
        Look::WordUnicode => Look::WordAscii,
        Look::WordUnicodeNegate => Look::WordAsciiNegate,
        Look::WordStartUnicode => Look::WordStartAscii,
        Look::WordEndUnicode => Look::WordEndAscii,
        Look::WordStartHalfUnicode => Look::WordStartHalfAscii,
        Look::WordEndHalfUnicode => Look::WordEndHalfAscii,
        look => look,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<ScanEnd> {
        let parser = &mut regex_syntax::ParserBuilder::new().multi_line(true).build();
        let lines = AsciiLines::new(&parser.parse(pattern).expect("valid")).expect("wanted");
        lines.make();
        lines.automaton(0).expect("small enough").find(text.as_bytes())
    }

    #[test]
    fn the_first_line_that_matches_is_found_wherever_it_is() {
        let quiet = "some words and more\n".repeat(40);
        for n in 0..40 {
            let at = n * "some words and more\n".len();
            let mut text = quiet.clone();
            text.insert_str(at, "a 17\n");
            text.push_str("b 18\n");
            assert_eq!(found(r"\w \d+$", &text), Some(ScanEnd::Match(at + 4)), "line {n}");
            text.insert_str(at, "é\n");
            assert_eq!(found(r"\w \d+$", &text), Some(ScanEnd::NotAscii(at)), "line {n}");
        }
        assert_eq!(found(r"\w \d+$", &quiet), None);
    }

    #[test]
    fn the_end_of_a_text_is_the_end_of_a_line() {
        assert_eq!(found(r"\d+$", "a\n17"), Some(ScanEnd::Match(3)));
        assert_eq!(found(r"\d+\b", "17"), Some(ScanEnd::Match(1)));
        assert_eq!(found(r"\d+\s", "17\n"), None, "a line feed never matches");
    }

    #[test]
    fn lines_that_cannot_match_are_not_stepped_through() {
        assert_eq!(found(r"\p{Greek}", "abc\n"), None);
        assert_eq!(found(r"\p{Greek}|\w\d", "abc\na1\n"), Some(ScanEnd::Match(6)));
        assert_eq!(found(r"\p{Greek}", "abc\nα\n"), Some(ScanEnd::NotAscii(4)));
    }

    #[test]
    fn large_patterns_are_left_to_other_engines() {
        let hir = regex_syntax::parse(r"[a-h]\w{300}[cd]").expect("valid");
        let lines = AsciiLines::new(&hir).expect("wanted");
        assert!(lines.automaton(BYTES_BEFORE).is_none());
    }
}
