//! Parses a text into a tree within limits.

use super::language::Grammar;
use super::source::Source;
use crate::budget::Budget;
use crate::syntax::Unparsed;
use parking_lot::Mutex;
use searchscope_memory::{Arena, Usage};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tree_sitter::{ParseOptions, Parser, Tree};

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
        grammar: &Grammar,
        text: &[u8],
        budget: &Budget,
        read: impl FnOnce(&Tree) -> Result<T, Unparsed>,
    ) -> Result<T, Unparsed> {
        let _turn = if text.len() > LARGE_BYTES { Some(self.turn(budget)?) } else { None };
        let mut arena = self.arena(text.len()).ok_or(Unparsed::NoMemory)?;
        let tree = arena.run(|usage| parse_mended(grammar, text, budget, usage));
        // Outside the arena: queries are compiled on first use and kept.
        let made = tree.and_then(|tree| read(&tree));
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

/// Parses a text, and parses a repaired copy if that gives a better tree.
fn parse_mended(
    grammar: &Grammar,
    text: &[u8],
    budget: &Budget,
    usage: &Usage<'_>,
) -> Result<Tree, Unparsed> {
    let mut parser = Parser::new();
    // Fails only for a grammar of another ABI version, which a test rules out.
    parser.set_language(&(grammar.language)()).map_err(|_| Unparsed::NoGrammar)?;
    let tree = parse(&mut parser, grammar, text, budget, usage)?;
    mended(&mut parser, grammar, tree, text, budget, usage)
}

/// Returns the tree of the repaired text if the first tree has errors and the second has fewer.
fn mended(
    parser: &mut Parser,
    grammar: &Grammar,
    tree: Tree,
    text: &[u8],
    budget: &Budget,
    usage: &Usage<'_>,
) -> Result<Tree, Unparsed> {
    let Some(mend) = grammar.mend.filter(|_| tree.root_node().has_error()) else {
        return Ok(tree);
    };
    parser.reset();
    let again = parse(parser, grammar, &mend(text), budget, usage)?;
    let is_better = !again.root_node().has_error() || misread(&again) < misread(&tree);
    Ok(if is_better { again } else { tree })
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

fn parse(
    parser: &mut Parser,
    grammar: &Grammar,
    text: &[u8],
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
    let tree = parser.parse_with_options(&mut |at, _| source.piece(at), None, Some(options));
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
