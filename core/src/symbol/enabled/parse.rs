//! From a text to its tree, within bounds.

use super::language::Grammar;
use crate::budget::Budget;
use crate::syntax::Unparsed;
use parking_lot::Mutex;
use std::ops::ControlFlow;
use std::time::Duration;
use tree_sitter::{ParseOptions, Parser, Tree};

/// Idle parsers that are kept: a few threads at once need one each.
const IDLE_MAX: usize = 8;
/// Of larger texts one is parsed at a time: a tree takes many times the memory of its text.
const LARGE_BYTES: usize = 1 << 20;
/// How often a parser that works may report for each KiB of text, and for any text. It reports after
/// every hundred steps, which on ordinary sources is a few times for a KiB.
const REPORTS_PER_KIB: usize = 256;
const REPORTS_MIN: usize = 16 * 1024;
/// How long to wait for a large text's turn between looks at the budget.
const TURN: Duration = Duration::from_millis(2);

/// The parsers of a workspace.
#[derive(Default)]
pub(super) struct Parsers {
    idle: Mutex<Vec<Parser>>,
    large: Mutex<()>,
}

impl Parsers {
    pub(super) fn parse(
        &self,
        grammar: &Grammar,
        text: &[u8],
        budget: &Budget,
    ) -> Result<Tree, Unparsed> {
        let _turn = if text.len() > LARGE_BYTES { Some(self.turn(budget)?) } else { None };
        let mut parser = self.idle.lock().pop().unwrap_or_default();
        let language = (grammar.language)();
        // It fails only for a grammar of another version, which a test rules out.
        parser.set_language(&language).map_err(|_| Unparsed::NoGrammar)?;
        let tree = parse(&mut parser, text, budget)
            .and_then(|tree| mended(&mut parser, grammar, tree, text, budget));
        parser.reset();
        let mut idle = self.idle.lock();
        if idle.len() < IDLE_MAX {
            idle.push(parser);
        }
        tree
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

/// The tree of the text as its grammar understands it better, if it has errors and there is such.
fn mended(
    parser: &mut Parser,
    grammar: &Grammar,
    tree: Tree,
    text: &[u8],
    budget: &Budget,
) -> Result<Tree, Unparsed> {
    let Some(mend) = grammar.mend.filter(|_| tree.root_node().has_error()) else {
        return Ok(tree);
    };
    parser.reset();
    let again = parse(parser, &mend(text), budget)?;
    let is_better = !again.root_node().has_error() || misread(&again) < misread(&tree);
    Ok(if is_better { again } else { tree })
}

/// The bytes of a text that lie in errors at the top of its tree.
fn misread(tree: &Tree) -> usize {
    let root = tree.root_node();
    if root.is_error() {
        return root.byte_range().len();
    }
    let mut cursor = root.walk();
    let errors = root.children(&mut cursor).filter(|child| child.is_error());
    errors.map(|error| error.byte_range().len()).sum()
}

fn parse(parser: &mut Parser, text: &[u8], budget: &Budget) -> Result<Tree, Unparsed> {
    let reports_max = REPORTS_MIN + text.len() / 1024 * REPORTS_PER_KIB;
    let (mut reports, mut why) = (0, Unparsed::TooInvolved);
    let mut report = |_: &tree_sitter::ParseState| {
        reports += 1;
        if budget.poll_clock().is_err() {
            why = Unparsed::Stopped;
            return ControlFlow::Break(());
        }
        if reports > reports_max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut report);
    let tree =
        parser.parse_with_options(&mut |at, _| &text[at.min(text.len())..], None, Some(options));
    tree.ok_or(why)
}
