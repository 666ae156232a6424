//! Parses a text into a tree within limits.

use super::forms;
use super::language::{self, Grammar};
use super::lexis::{Lexed, lex};
use super::macros::{Blanks, blanked};
use super::source::{End, Source, tail};
use crate::budget::Budget;
use crate::syntax::Unparsed;
use parking_lot::Mutex;
use searchscope_memory::{Arena, Usage};
use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};
use tree_sitter::{InputEdit, ParseOptions, Parser, Point, Tree};

/// The memory of a parser and its tree: the minimum, per byte of text, and the maximum. Parsing fails when
/// three quarters are used. Trees of ordinary sources take 10 to 65 bytes per byte.
const ARENA_BYTES_MIN: usize = 40 << 20;
const ARENA_PER_BYTE: usize = 96;
const ARENA_BYTES_MAX: usize = 256 << 20;
/// The number of arenas kept for the next parse, one for each of a few threads.
const IDLE_MAX: usize = 8;
/// An arena with more used memory is returned to the system.
const IDLE_BYTES_MAX: usize = 2 << 20;
/// The size from which texts are parsed one at a time: a tree takes many times the memory of its text.
const LARGE_BYTES: usize = 256 << 10;
/// The number of reports a parser may make per KiB of text, the minimum, and the maximum. It reports every
/// hundred steps, which is 3 to 20 times per KiB on ordinary sources.
const REPORTS_PER_KIB: usize = 32;
const REPORTS_MIN: usize = 1_000;
const REPORTS_MAX: usize = 64 * 1024;
/// The time limit per MiB of text, and its minimum: twenty times the usual time. Only texts full of errors,
/// some of which cost milliseconds each, take longer.
const TIME_PER_MIB: Duration = Duration::from_secs(6);
const TIME_MIN: Duration = Duration::from_secs(2);
/// The maximum row of punctuation in an error that queries may scan.
const SIGNS_MAX: usize = 2_000;
/// The number of differences between two texts up to which the second parse takes over parts of the first tree. Each
/// walks from the root to its place, which in a hostile text is far.
const EDITS_MAX: usize = 500;
/// Differences with at most this many bytes between them are one: little between them would be taken over.
const GAP_MAX: usize = 64;
/// The interval of budget checks while waiting to parse a large text.
const TURN: Duration = Duration::from_millis(2);

/// The memory for the parsers of a workspace.
#[derive(Default)]
pub(super) struct Parsers {
    idle: Mutex<Vec<Arena>>,
    large: Mutex<()>,
}

impl Parsers {
    /// Parses a text and calls `read` with its tree.
    pub(super) fn parse<T>(
        &self,
        grammar: &'static Grammar,
        text: &[u8],
        budget: &Budget,
        read: impl FnOnce(&Parsed) -> Result<T, Unparsed>,
    ) -> Result<T, Unparsed> {
        let _turn = if text.len() > LARGE_BYTES { Some(self.turn(budget)?) } else { None };
        let mut arena = self.arena(text.len()).ok_or(Unparsed::NoMemory)?;
        let hints = hints(grammar, text, budget)?;
        let parsed = arena.run(|usage| parse_best(grammar, text, &hints, budget, usage));
        // Outside the arena: queries are compiled on first use and kept.
        let made = parsed.map(|(tree, grammar, name, is_blanked)| {
            let Hints { lexed, certain, likely } = hints;
            let blanked = if is_blanked { likely } else { certain };
            Parsed { tree, grammar, name, lexed, blanked }
        });
        let made = made.and_then(|parsed| read(&parsed));
        if arena.len() == ARENA_BYTES_MIN && arena.used() <= IDLE_BYTES_MAX && arena.clear() {
            let mut idle = self.idle.lock();
            if idle.len() < IDLE_MAX {
                idle.push(arena);
            }
        }
        made
    }

    /// Returns memory for a text of `len` bytes; `None` if the system has none.
    fn arena(&self, len: usize) -> Option<Arena> {
        let bytes = (len.saturating_mul(ARENA_PER_BYTE)).clamp(ARENA_BYTES_MIN, ARENA_BYTES_MAX);
        let idle = if bytes == ARENA_BYTES_MIN { self.idle.lock().pop() } else { None };
        idle.or_else(|| Arena::new(bytes))
    }

    /// Waits until no other large text is being parsed.
    fn turn(&self, budget: &Budget) -> Result<parking_lot::MutexGuard<'_, ()>, Unparsed> {
        loop {
            if let Some(turn) = self.large.try_lock_for(TURN) {
                return Ok(turn);
            }
            budget.poll_clock().map_err(|_| Unparsed::Stopped)?;
        }
    }
}

/// A tree, and how it was made.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    /// The grammar of the tree, which may be the rival of the one that was requested.
    pub(super) grammar: &'static Grammar,
    /// The name of the language.
    pub(super) name: &'static str,
    /// The text without comments and literals, if the language needs it.
    pub(super) lexed: Option<Lexed>,
    /// The parts of the text that the parser did not see.
    pub(super) blanked: Vec<Range<usize>>,
}

/// What is known of a text before it is parsed.
struct Hints {
    lexed: Option<Lexed>,
    /// The parts to blank in any case.
    certain: Vec<Range<usize>>,
    /// Those, and the parts to blank if that gives a better tree.
    likely: Vec<Range<usize>>,
}

fn hints(grammar: &Grammar, text: &[u8], budget: &Budget) -> Result<Hints, Unparsed> {
    let none = Hints { lexed: None, certain: Vec::new(), likely: Vec::new() };
    let (Some(blank), Some(forms)) = (grammar.blank, forms::of(grammar.name)) else {
        return Ok(none);
    };
    let lexed = lex(text, &forms.lexis, budget)?;
    let Blanks { certain, mut likely } = blank(&lexed.code, budget)?;
    likely.try_reserve(certain.len())?;
    likely.extend(certain.iter().cloned());
    likely.sort_unstable_by_key(|range| range.start);
    Ok(Hints { lexed: Some(lexed), certain, likely })
}

/// A tree, its grammar, the name of its language, and whether all likely parts were blanked.
type Best = (Tree, &'static Grammar, &'static str, bool);

/// Parses a text in all ways that its language has, until one gives no errors; returns the tree with the
/// fewest.
fn parse_best(
    grammar: &'static Grammar,
    text: &[u8],
    hints: &Hints,
    budget: &Budget,
    usage: &Usage<'_>,
) -> Result<Best, Unparsed> {
    let plain = match hints.certain.as_slice() {
        [] => Cow::Borrowed(text),
        certain => Cow::Owned(blanked(text, certain)?),
    };
    let read = |grammar: &Grammar, text: &[u8], old: Option<&Tree>| {
        let mut parser = Parser::new();
        // Fails only for a grammar of another ABI version, which a test rules out.
        parser.set_language(&(grammar.language)()).map_err(|_| Unparsed::NoGrammar)?;
        parse(&mut parser, (grammar, text, old), budget, usage)
    };
    let mut best = read(grammar, &plain, None).map(|tree| (tree, grammar, grammar.name, false));
    let has_likely = hints.likely.len() > hints.certain.len();
    let repaired = match has_likely {
        true => Cow::Owned(blanked(text, &hints.likely)?),
        false => Cow::Borrowed(&*plain),
    };
    let rival = grammar.rival.as_ref();
    let is_own = rival.is_none_or(|rival| rival.name != grammar.name);
    if is_own && may_improve(&best) && (has_likely || grammar.mend.is_some()) {
        let mended = grammar.mend.map_or_else(|| repaired.to_vec(), |mend| mend(&repaired));
        // The same text has the same tree.
        if mended[..] != plain[..] {
            let texts = (&*plain, mended.as_slice());
            let mark = |tree| edited(tree, texts, &grammar.end, budget, usage);
            let old = best.as_ref().ok().and_then(|(tree, ..)| mark(tree));
            let again = read(grammar, &mended, old.as_ref());
            best = better(best, again, grammar, grammar.name, has_likely);
        }
    }
    let code = hints.lexed.as_ref().map(|lexed| lexed.code.as_slice());
    let rival = rival.filter(|rival| may_improve(&best) && code.is_some_and(rival.fits));
    if let Some(rival) = rival
        && let Some(other) = language::named(rival.grammar)
    {
        best = better(best, read(other, &repaired, None), other, rival.name, has_likely);
    }
    best
}

/// Returns the tree of `old`, marked where `new` differs, so that a parse of `new` takes over its other parts; `None`
/// if bytes have moved, if marking takes too long, or if the call or the memory ends. The lines of both are the same.
///
/// The tail that a parser reads after a text depends on the text, and the guard against endless recovery counts the
/// steps in it (`source.rs`). So the tail is marked as a whole, and every parse reads it anew.
fn edited(
    tree: &Tree,
    (old, new): (&[u8], &[u8]),
    end: &End,
    budget: &Budget,
    usage: &Usage<'_>,
) -> Option<Tree> {
    if old.len() != new.len() {
        return None;
    }
    let mut edited = tree.clone();
    let mut point = Point::new(0, 0);
    let (mut counted, mut n_edits) = (0, 0);
    let mut from = 0;
    while let Some(start) = (from..old.len()).find(|&at| old[at] != new[at]) {
        n_edits += 1;
        if n_edits > EDITS_MAX || budget.poll_clock().is_err() || usage.is_full() {
            return None;
        }
        let mut last = start + 1;
        while let Some(n) = (last..old.len().min(last + GAP_MAX)).find(|&at| old[at] != new[at]) {
            last = n + 1;
        }
        let start_position = point_after(point, &old[counted..start]);
        let end_position = point_after(start_position, &old[start..last]);
        edited.edit(&InputEdit {
            start_byte: start,
            old_end_byte: last,
            new_end_byte: last,
            start_position,
            old_end_position: end_position,
            new_end_position: end_position,
        });
        (point, counted, from) = (end_position, last, last);
    }
    let (old_tail, new_tail) = (tail(old, end), tail(new, end));
    let start_position = point_after(point, &old[counted..]);
    edited.edit(&InputEdit {
        start_byte: old.len(),
        old_end_byte: old.len() + old_tail.len(),
        new_end_byte: new.len() + new_tail.len(),
        start_position,
        old_end_position: point_after(start_position, &old_tail),
        new_end_position: point_after(start_position, &new_tail),
    });
    Some(edited)
}

/// Returns the row and column after `text`, which begins at `point`.
fn point_after(point: Point, text: &[u8]) -> Point {
    match memchr::memrchr(b'\n', text) {
        None => Point::new(point.row, point.column + text.len()),
        Some(last) => {
            let n_lines = memchr::memchr_iter(b'\n', text).count();
            Point::new(point.row + n_lines, text.len() - last - 1)
        }
    }
}

/// Returns whether another parse may give a better result.
fn may_improve(best: &Result<Best, Unparsed>) -> bool {
    match best {
        Ok((tree, ..)) => tree.root_node().has_error(),
        Err(why) => *why == Unparsed::TooInvolved,
    }
}

/// Returns the better of two results. A failure after a tree leaves the tree, unless the call was stopped.
fn better(
    best: Result<Best, Unparsed>,
    again: Result<Tree, Unparsed>,
    grammar: &'static Grammar,
    name: &'static str,
    is_blanked: bool,
) -> Result<Best, Unparsed> {
    let again = match again {
        Err(Unparsed::Stopped) => return Err(Unparsed::Stopped),
        Err(_) if best.is_ok() => return best,
        again => again?,
    };
    let is_better = match &best {
        Ok((tree, ..)) => !again.root_node().has_error() || misread(&again) < misread(tree),
        Err(_) => true,
    };
    if is_better { Ok((again, grammar, name, is_blanked)) } else { best }
}

/// Returns the number of bytes that are in errors of the tree.
fn misread(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut n_bytes = 0;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            // A missing token has no bytes but counts as an error.
            n_bytes += node.byte_range().len().max(1);
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return n_bytes;
            }
        }
    }
}

/// Returns the time limit for parsing a text, and for reading its tree.
pub(super) fn time_max(len: usize) -> Duration {
    TIME_PER_MIB.saturating_mul(u32::try_from(len >> 20).unwrap_or(u32::MAX)) + TIME_MIN
}

/// Parses a text; `old` is the tree of a text that differs where it is marked.
fn parse(
    parser: &mut Parser,
    (grammar, text, old): (&Grammar, &[u8], Option<&Tree>),
    budget: &Budget,
    usage: &Usage<'_>,
) -> Result<Tree, Unparsed> {
    let source = Source::new(text, &grammar.end, budget);
    if let Some(why) = source.stopped() {
        return Err(why);
    }
    let reports_max = REPORTS_MIN + text.len() / 1024 * REPORTS_PER_KIB;
    let time_max = time_max(text.len());
    let (mut reports, started) = (0, Instant::now());
    let mut report = |state: &tree_sitter::ParseState| {
        reports += 1;
        if budget.poll_clock().is_err() {
            source.stop(Unparsed::Stopped);
        } else if reports > reports_max.min(REPORTS_MAX)
            || started.elapsed() > time_max
            || usage.is_full()
        {
            source.stop(Unparsed::TooInvolved);
        }
        let goes_on = source.reported(state.current_byte_offset());
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut report);
    let tree = parser.parse_with_options(&mut |at, _| source.piece(at), old, Some(options));
    if let Some(why) = source.stopped() {
        return Err(why);
    }
    let tree = tree.ok_or(Unparsed::TooInvolved)?;
    if usage.is_full() || is_tangled(&tree) { Err(Unparsed::TooInvolved) } else { Ok(tree) }
}

/// Returns whether an error contains a long row of punctuation. From each token a query would scan to the
/// next named node, which is quadratic.
fn is_tangled(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.has_error() && cursor.goto_first_child() {
            if node.is_error() && longest_row(&mut cursor) > SIGNS_MAX {
                return true;
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// Returns the longest row of punctuation among the siblings of the cursor. The cursor starts and ends at the
/// first sibling.
fn longest_row(cursor: &mut tree_sitter::TreeCursor<'_>) -> usize {
    let (mut longest, mut row) = (0, 0);
    loop {
        row = if cursor.node().is_named() { 0 } else { row + 1 };
        longest = longest.max(row);
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    cursor.goto_parent();
    cursor.goto_first_child();
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the kind and place of each node.
    fn nodes(tree: &Tree) -> Vec<(&str, tree_sitter::Range)> {
        let (mut nodes, mut cursor) = (Vec::new(), tree.walk());
        loop {
            nodes.push((cursor.node().kind(), cursor.node().range()));
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return nodes;
                }
            }
        }
    }

    #[test]
    fn a_tree_that_takes_over_parts_is_the_one_of_the_whole_text() {
        let mut parser = Parser::new();
        let cpp = language::named("C++").expect("a grammar");
        parser.set_language(&(cpp.language)()).expect("its version");
        let class = |n: usize| {
            let api = if n.is_multiple_of(3) { "MY_API " } else { "" };
            format!(
                "// größe\nclass {api}A{n} : public B {{\n  int f{n}() {{ return {n}; }}\n}};\n"
            )
        };
        let old: String = (0..60).map(class).collect();
        let new = old.replace("MY_API", "      ");
        let before = parser.parse(&old, None).expect("a tree");
        let budget = Budget::of(&crate::Call::new());
        let mut arena = Arena::new(ARENA_BYTES_MIN).expect("memory");
        let mut marked = |tree: &Tree, old: &str, new: &str| {
            let texts = (old.as_bytes(), new.as_bytes());
            arena.run(|usage| edited(tree, texts, &cpp.end, &budget, usage))
        };
        let tree = marked(&before, &old, &new).expect("marked");
        let again = parser.parse(&new, Some(&tree)).expect("a tree");
        let whole = parser.parse(&new, None).expect("a tree");
        assert!(before.root_node().has_error() && !whole.root_node().has_error());
        assert_eq!(nodes(&again), nodes(&whole));
        assert!(marked(&before, &old, "shorter").is_none());
        let far = format!("b{}", " ".repeat(GAP_MAX)).repeat(EDITS_MAX + 1);
        let tree = parser.parse(&far, None).expect("a tree");
        assert!(marked(&tree, &far, &far.replace('b', "c")).is_none());
    }

    #[test]
    fn a_mended_text_has_the_tree_of_a_text_that_needs_no_mending() {
        let budget = Budget::of(&crate::Call::new());
        let parsed = |language: &str, text: &str| {
            let grammar = language::named(language).expect("a grammar");
            let read = |parsed: &Parsed| Ok(format!("{:?}", nodes(&parsed.tree)));
            Parsers::default().parse(grammar, text.as_bytes(), &budget, read)
        };
        // The blanks of the second text have the places of what is blanked in the first one, a brace among them.
        for (language, written, blanked) in [
            (
                "C++",
                "class MY_API A : B { int f(); };\nint g() { return 1; }\n",
                "class        A : B { int f(); };\nint g() { return 1; }\n",
            ),
            (
                "C#",
                "class A { void f() { a?.b = c; }\nint g() { return 1; } }\n",
                "class A { void f() { a .b = c; }\nint g() { return 1; } }\n",
            ),
            (
                "C#",
                "static class A {\nextension(string s) {\nint f() { a?.b = 1; }\nint g() { return 2;",
                "static class A {\n                     \nint f() { a .b = 1; }\nint g() { return 2;",
            ),
        ] {
            assert!(parsed(language, written) == parsed(language, blanked), "{written}");
        }
    }

    #[test]
    fn a_missing_token_counts_as_an_error() {
        let mut parser = Parser::new();
        let c = super::language::named("C").expect("a grammar");
        parser.set_language(&(c.language)()).expect("its version");
        let mut misread_in = |text: &str| misread(&parser.parse(text, None).expect("a tree"));
        assert_eq!(misread_in("int f(void) { return 1; }"), 0);
        assert_eq!(misread_in("int f(void) { return 1 }"), 1);
    }
}
