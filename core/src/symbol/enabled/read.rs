//! From a tree to what it says: definitions, comments and string literals.

use super::language::{Grammar, Marks};
use crate::budget::Budget;
use crate::syntax::{Outline, Part, Region, Regions, SymbolKind, Unparsed};
use std::ops::ControlFlow;
use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryMatch, StreamingIterator, Tree};

/// A file with more definitions, comments or string literals is not what somebody wrote.
const FOUND_MAX: usize = 500_000;
/// Patterns that are half matched at one time; more are a sign of a tree that is all nesting.
const HALF_MATCHED_MAX: u32 = 16_384;
/// A longer name is none.
const NAME_BYTES_MAX: usize = 1_024;

/// The comments and string literals of a text.
pub(super) fn regions(
    grammar: &Grammar,
    tree: &Tree,
    text: &[u8],
    budget: &Budget,
) -> Result<Regions, Unparsed> {
    let query = grammar.regions();
    let mut found = Vec::new();
    each_match(&query.query, tree, text, budget, |one| {
        for capture in one.captures() {
            let range = capture.node.byte_range();
            if let Some(kind) = query.marks[capture.index as usize] {
                found.push(Region { start: range.start, end: range.end, kind });
            }
        }
        found.len() <= FOUND_MAX
    })?;
    Ok(Regions::new(found))
}

/// The definitions of a text.
pub(super) fn outline(
    grammar: &Grammar,
    tree: &Tree,
    text: &[u8],
    budget: &Budget,
) -> Result<Outline, Unparsed> {
    let query = grammar.tags();
    let (mut found, mut package) = (Vec::new(), None);
    each_match(&query.query, tree, text, budget, |one| {
        match read_match(grammar, &query.marks, one, text) {
            Read::Part(part) => found.push((part, one.pattern_index)),
            Read::Package(name) => package = package.take().or(Some(name)),
            Read::Nothing => {}
        }
        found.len() <= FOUND_MAX
    })?;
    // What an earlier pattern says of a name counts.
    found.sort_by_key(|(part, pattern)| (part.name_start, *pattern));
    let parts = found.into_iter().map(|(part, _)| part).collect();
    Ok(Outline::new(grammar.name, grammar.words, package, parts))
}

/// Calls `take` for every match of a query until it has enough.
fn each_match(
    query: &tree_sitter::Query,
    tree: &Tree,
    text: &[u8],
    budget: &Budget,
    mut take: impl FnMut(&QueryMatch<'_, '_>) -> bool,
) -> Result<(), Unparsed> {
    let mut is_stopped = false;
    let mut poll = |_: &tree_sitter::QueryCursorState| {
        is_stopped = budget.poll_clock().is_err();
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(HALF_MATCHED_MAX);
    let options = QueryCursorOptions::new().progress_callback(&mut poll);
    let mut matches = cursor.matches_with_options(query, tree.root_node(), text, options);
    let mut has_room = true;
    while let Some(one) = matches.next() {
        has_room = take(one) && budget.poll().is_ok();
        if !has_room {
            break;
        }
    }
    drop(matches);
    if is_stopped || budget.poll_clock().is_err() {
        return Err(Unparsed::Stopped);
    }
    if !has_room || cursor.did_exceed_match_limit() {
        return Err(Unparsed::TooInvolved);
    }
    Ok(())
}

enum Read {
    Part(Part),
    /// What stands before all names of the file.
    Package(Box<str>),
    Nothing,
}

/// What the captures of a match say.
fn read_match(grammar: &Grammar, marks: &[Marks], one: &QueryMatch<'_, '_>, text: &[u8]) -> Read {
    let mut definition: Option<(Node<'_>, SymbolKind)> = None;
    let (mut name, mut scope): (Option<Node<'_>>, Option<Node<'_>>) = (None, None);
    for capture in one.captures() {
        let node = capture.node;
        match marks[capture.index as usize] {
            Marks::Definition(kind) => definition = Some((node, kind)),
            Marks::Name => name = Some(node),
            Marks::Scope => scope = Some(node),
            Marks::Package => {
                return name_of(node, text).map_or(Read::Nothing, |(name, _)| {
                    Read::Package(qualified(&name, grammar.words.separator))
                });
            }
            Marks::Nothing => {}
        }
    }
    let (Some((node, kind)), Some(name)) = (definition, name) else {
        return Read::Nothing;
    };
    let Some((text_of_name, lead)) = name_of(name, text) else {
        return Read::Nothing;
    };
    let place = name.start_position();
    Read::Part(Part {
        kind,
        range: node.byte_range(),
        name: text_of_name,
        name_start: name.start_byte() + lead,
        line: place.row + 1,
        column: place.column + lead + 1,
        scope: scope
            .and_then(|scope| name_of(scope, text))
            .map(|(scope, _)| qualified(&scope, grammar.words.separator)),
    })
}

/// The text of a name, without quotes or the colon of a symbol, and how many bytes of the node stand
/// before it; none where it is empty or no name.
fn name_of(node: Node<'_>, text: &[u8]) -> Option<(Box<str>, usize)> {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let bytes = text.get(node.byte_range())?;
    if bytes.len() > NAME_BYTES_MAX {
        return None;
    }
    let all = String::from_utf8_lossy(bytes);
    let name = all.trim_start();
    let name = name.strip_prefix(':').filter(|rest| !rest.starts_with(':')).unwrap_or(name);
    let name = name.trim_start_matches(QUOTES);
    let lead = all.len() - name.len();
    let name = name.trim_end().trim_end_matches(QUOTES);
    (!name.is_empty()).then(|| (name.into(), lead))
}

/// A qualified name with the separator of its language, and without spaces in it.
fn qualified(name: &str, separator: &str) -> Box<str> {
    let name: String = name.chars().filter(|char| !char.is_whitespace()).collect();
    name.replace('\\', separator).into()
}
