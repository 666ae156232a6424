//! From a text to its tree, within bounds.

use super::language::Grammar;
use super::source::Source;
use crate::budget::Budget;
use crate::syntax::Unparsed;
use parking_lot::Mutex;
use searchscope_memory::{Arena, Usage};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tree_sitter::{ParseOptions, Parser, Tree};

/// The memory of a parser and its tree: for any text, for each byte of it, and at all. Three quarters
/// are used before a parse is given up. Trees of ordinary sources take 10 to 65 bytes for each byte.
const ARENA_BYTES_MIN: usize = 40 << 20;
const ARENA_PER_BYTE: usize = 96;
const ARENA_BYTES_MAX: usize = 256 << 20;
/// Arenas that are kept for the next parse: a few threads at once need one each.
const IDLE_MAX: usize = 8;
/// An arena of which more was used is returned to the system.
const IDLE_BYTES_MAX: usize = 2 << 20;
/// Of larger texts one is parsed at a time: a tree takes many times the memory of its text.
const LARGE_BYTES: usize = 256 << 10;
/// How often a parser may report for each KiB of text, for any text, and at all. It reports after
/// every hundred steps, which on ordinary sources is 3 to 20 times for a KiB.
const REPORTS_PER_KIB: usize = 32;
const REPORTS_MIN: usize = 1_000;
const REPORTS_MAX: usize = 64 * 1024;
/// How long a parser may take for each MiB of text, and for any: twenty times what is usual. Only
/// texts that are all mistakes take longer, some of which cost milliseconds each.
const TIME_PER_MIB: Duration = Duration::from_secs(6);
const TIME_MIN: Duration = Duration::from_secs(2);
/// A longer row of signs in an error is not looked through.
const SIGNS_MAX: usize = 2_000;
/// How long to wait for a large text's turn between looks at the budget.
const TURN: Duration = Duration::from_millis(2);

/// The memory for the parsers of a workspace.
#[derive(Default)]
pub(super) struct Parsers {
    idle: Mutex<Vec<Arena>>,
    large: Mutex<()>,
}

impl Parsers {
    /// Parses a text, and calls `read` with its tree.
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
        // Outside of the arena: queries are compiled when they are first used, and kept.
        let made = tree.and_then(|tree| read(&tree));
        if arena.len() == ARENA_BYTES_MIN && arena.used() <= IDLE_BYTES_MAX && arena.clear() {
            let mut idle = self.idle.lock();
            if idle.len() < IDLE_MAX {
                idle.push(arena);
            }
        }
        made
    }

    /// Memory for a text of `len` bytes; none where the system has none.
    fn arena(&self, len: usize) -> Option<Arena> {
        let bytes = (len.saturating_mul(ARENA_PER_BYTE)).clamp(ARENA_BYTES_MIN, ARENA_BYTES_MAX);
        let idle = if bytes == ARENA_BYTES_MIN { self.idle.lock().pop() } else { None };
        idle.or_else(|| Arena::new(bytes))
    }

    /// Waits until no other large text is parsed.
    fn turn(&self, budget: &Budget) -> Result<parking_lot::MutexGuard<'_, ()>, Unparsed> {
        loop {
            if let Some(turn) = self.large.try_lock_for(TURN) {
                return Ok(turn);
            }
            budget.poll_clock().map_err(|_| Unparsed::Stopped)?;
        }
    }
}

/// The tree of a text.
fn parse_mended(
    grammar: &Grammar,
    text: &[u8],
    budget: &Budget,
    usage: &Usage<'_>,
) -> Result<Tree, Unparsed> {
    let mut parser = Parser::new();
    // It fails only for a grammar of another version, which a test rules out.
    parser.set_language(&(grammar.language)()).map_err(|_| Unparsed::NoGrammar)?;
    let tree = parse(&mut parser, grammar, text, budget, usage)?;
    mended(&mut parser, grammar, tree, text, budget, usage)
}

/// The tree of the text as its grammar understands it better, if it has errors and there is such.
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

/// Returns the bytes of a text that are in errors of its tree.
fn misread(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut n_bytes = 0;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            // A token that is missing has no bytes, and is a mistake all the same.
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

/// How long parsing a text may take, and looking through its tree as long again.
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

/// Whether an error is a long row of mere signs: a query looks from each of them for the next thing
/// with a name.
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

/// The longest row of signs among the children of a node, at the first of which the cursor stands
/// before and after.
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
