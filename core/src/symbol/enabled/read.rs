//! Reads definitions from a tree.

use super::declarator::declared;
use super::forms;
use super::language::{Grammar, Marks};
use super::lexis::lex;
use super::macros::blanked;
use super::parse::{Parsed, time_max};
use super::preprocessor::add_lost_macros;
use super::recover::{Reading, merge};
use crate::budget::Budget;
use crate::room;
use crate::syntax::{Outline, Part, SymbolKind, Unparsed};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::time::Instant;
use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryMatch, StreamingIterator, Tree};

/// The maximum number of definitions, or of comments and string literals, in a file written by people.
pub(super) const FOUND_MAX: usize = 500_000;
/// The maximum number of patterns in progress. Each is checked at every node, and more are a sign of extreme
/// nesting.
const HALF_MATCHED_MAX: u32 = 2_048;
/// The maximum length of a name.
const NAME_BYTES_MAX: usize = 1_024;

/// Returns the definitions of a text.
pub(super) fn outline(parsed: &Parsed, text: &[u8], budget: &Budget) -> Result<Outline, Unparsed> {
    let Parsed { tree, grammar, name, .. } = parsed;
    let query = grammar.tags();
    let (mut found, mut package) = (Vec::new(), None);
    let mut unended = HashSet::new();
    let mut has_memory = true;
    let matched = each_match(&query.query, tree, text, budget, |one| {
        if found.try_reserve(1).is_err() {
            has_memory = false;
            return false;
        }
        match read_match(grammar, &query.marks, one, text) {
            Read::Part(part) => found.push((part.name_start, one.pattern_index, Some(part))),
            Read::Unended(part) => {
                unended.insert(part.name_start);
                found.push((part.name_start, one.pattern_index, Some(part)));
            }
            Read::Hidden(name_start) => found.push((name_start, one.pattern_index, None)),
            Read::Package(name) => package = package.take().or(Some(name)),
            Read::Nothing => {}
        }
        found.len() <= FOUND_MAX
    });
    if !has_memory {
        return Err(Unparsed::NoMemory);
    }
    matched?;
    // The earliest pattern that matches a name wins.
    let mut found = room::sort_by_key(found, |&(name_start, pattern, _)| (name_start, pattern))?;
    found.dedup_by_key(|(name_start, ..)| *name_start);
    let named = found.iter().map(|(name_start, ..)| *name_start).collect();
    let n_found = found.len();
    let parts = found.into_iter().filter_map(|(.., part)| part);
    let mut parts: Vec<Part> = room::collect(parts, n_found)?;
    if grammar.name == "C" {
        parts.retain(|part| !is_macro_loop(part, text));
    }
    if grammar.has_preprocessor {
        add_lost_macros(&mut parts, tree, text);
    }
    let mut next_function = usize::MAX;
    let is_function = |part: &&mut Part| part.kind.is_function();
    for part in parts.iter_mut().rev().filter(is_function) {
        if unended.contains(&part.name_start) {
            part.range.end = part.range.end.min(next_function);
        }
        next_function = part.range.start;
    }
    let unread = recover(parsed, text, &mut parts, &named, budget)?;
    let outline = Outline::new(name, grammar.words, package, parts)?;
    Ok(outline.with_unread(unread))
}

/// Adds the definitions that the tree lacks; returns the lines that remain unread.
fn recover(
    parsed: &Parsed,
    text: &[u8],
    parts: &mut Vec<Part>,
    named: &BTreeSet<usize>,
    budget: &Budget,
) -> Result<Vec<RangeInclusive<u32>>, Unparsed> {
    let Parsed { tree, grammar, .. } = parsed;
    let forms = forms::of(grammar.name)
        .filter(|forms| forms.is_always_read || tree.root_node().has_error());
    let Some(forms) = forms else { return Ok(Vec::new()) };
    let own;
    let lexed = match &parsed.lexed {
        Some(lexed) => lexed,
        None => {
            own = lex(text, &forms.lexis, budget)?;
            &own
        }
    };
    let code = match parsed.blanked.as_slice() {
        [] => Cow::Borrowed(&lexed.code),
        ranges => Cow::Owned(blanked(&lexed.code, ranges)?),
    };
    let separator = grammar.words.separator;
    let reading = Reading { text, code: &code, tree, forms, separator };
    let unread = merge(&reading, parts, named, budget)?;
    Ok(unread.into_iter().map(|range| lines_of(range, text)).collect())
}

/// Returns the lines of a range.
fn lines_of(range: Range<usize>, text: &[u8]) -> RangeInclusive<u32> {
    let line = |at: usize| {
        let n = memchr::memchr_iter(b'\n', &text[..at.min(text.len())]).count() + 1;
        u32::try_from(n).unwrap_or(u32::MAX)
    };
    line(range.start)..=line(range.end.saturating_sub(1))
}

/// Returns whether an apparent C function is a loop macro: `for_each_entry(x) { … }`.
///
/// An `#if` in between can hide from the parser that the loop is inside a function. A function without a
/// return type is a relic that begins at the margin; a loop is indented.
fn is_macro_loop(part: &Part, text: &[u8]) -> bool {
    let line = &text[part.name_start + 1 - part.column..part.name_start];
    part.kind == SymbolKind::Function
        && part.range.start == part.name_start
        && !line.is_empty()
        && line.iter().all(u8::is_ascii_whitespace)
}

/// Calls `take` for each match of a query. If `take` returns false, the text is too involved.
pub(super) fn each_match(
    query: &tree_sitter::Query,
    tree: &Tree,
    text: &[u8],
    budget: &Budget,
    mut take: impl FnMut(&QueryMatch<'_, '_>) -> bool,
) -> Result<(), Unparsed> {
    let (mut is_stopped, mut is_late) = (false, false);
    let (started, time_max) = (Instant::now(), time_max(text.len()));
    let mut poll = |_: &tree_sitter::QueryCursorState| {
        is_stopped = budget.poll_clock().is_err();
        is_late = started.elapsed() > time_max;
        if is_stopped || is_late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(HALF_MATCHED_MAX);
    let options = QueryCursorOptions::new().progress_callback(&mut poll);
    // The tree may extend beyond the text, into the guard after it.
    let text_of = |node: Node<'_>| std::iter::once(text.get(node.byte_range()).unwrap_or_default());
    let mut matches = cursor.matches_with_options(query, tree.root_node(), text_of, options);
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
    if !has_room || is_late || cursor.did_exceed_match_limit() {
        return Err(Unparsed::TooInvolved);
    }
    Ok(())
}

enum Read {
    Part(Part),
    /// A definition whose `@body` has an error that may have hidden its end. It ends where the next function
    /// begins.
    Unended(Part),
    /// The name at this offset is not a definition, even if later patterns match it.
    Hidden(usize),
    /// The prefix of all names of the file.
    Package(Box<str>),
    Nothing,
}

/// Interprets the captures of a match.
fn read_match(grammar: &Grammar, marks: &[Marks], one: &QueryMatch<'_, '_>, text: &[u8]) -> Read {
    let mut definition: Option<(Node<'_>, Option<SymbolKind>)> = None;
    let (mut name, mut declarator, mut scope, mut body) = (None, None, None, None);
    for capture in one.captures() {
        let node = capture.node;
        match marks[capture.index as usize] {
            Marks::Definition(kind) => definition = Some((node, Some(kind))),
            Marks::Hidden => definition = Some((node, None)),
            Marks::Name => name = Some((node.byte_range(), node.start_position())),
            Marks::Declarator => declarator = Some(node),
            Marks::Scope => scope = Some(node.byte_range()),
            Marks::Body => body = Some(node),
            Marks::Package => {
                return name_of(node.byte_range(), text).map_or(Read::Nothing, |(name, _)| {
                    Read::Package(qualified(&name, grammar.words.separator))
                });
            }
            Marks::Nothing => {}
        }
    }
    if let Some(declarator) = declarator {
        use SymbolKind::{Field, Type, Variable};
        let is_data = |kind: &Option<_>| matches!(kind, Some(Field | Type | Variable));
        let declaration = definition.filter(|(_, kind)| is_data(kind)).map(|(node, _)| node);
        let Some(found) = declared(declarator, declaration, text) else { return Read::Nothing };
        name = Some((found.name, found.node.start_position()));
        scope = found.scope;
    }
    let (Some((node, kind)), Some((name, place))) = (definition, name) else {
        return Read::Nothing;
    };
    let Some(kind) = kind else {
        return Read::Hidden(name.start);
    };
    let Some((text_of_name, lead)) = name_of(name.clone(), text) else {
        return Read::Nothing;
    };
    // A function with a qualifier belongs to a type.
    let is_member = kind == SymbolKind::Function && scope.is_some();
    let part = Part {
        kind: if is_member { SymbolKind::Method } else { kind },
        range: node.start_byte()..body.unwrap_or(node).end_byte().min(text.len()),
        name: text_of_name,
        name_start: name.start + lead,
        line: place.row + 1,
        column: place.column + lead + 1,
        scope: scope
            .and_then(|scope| name_of(scope, text))
            .map(|(scope, _)| qualified(&scope, grammar.words.separator)),
        is_recovered: false,
    };
    if body.is_some_and(|body| body.has_error()) { Read::Unended(part) } else { Read::Part(part) }
}

/// Returns the text of a name, without quotes or the colon of a symbol, and the number of bytes before it in
/// the range; `None` if it is empty or invalid.
fn name_of(range: Range<usize>, text: &[u8]) -> Option<(Box<str>, usize)> {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let bytes = text.get(range)?;
    if bytes.len() > NAME_BYTES_MAX {
        return None;
    }
    let all = String::from_utf8_lossy(bytes);
    let name = all.trim_start();
    let name = name.strip_prefix(':').filter(|rest| !rest.starts_with(':')).unwrap_or(name);
    let name = name.trim_start_matches(QUOTES);
    let lead = all.len() - name.len();
    let name = name.trim_end().trim_end_matches(QUOTES);
    if name.contains('\n') {
        // A literal over several lines is a mistake.
        if all.trim_start().starts_with(QUOTES) {
            return None;
        }
        // A type over several lines.
        return Some((name.split_whitespace().collect::<Vec<_>>().join(" ").into(), lead));
    }
    (!name.is_empty()).then(|| (name.into(), lead))
}

/// Returns a qualified name with the language's separator, without spaces and type arguments.
fn qualified(name: &str, separator: &str) -> Box<str> {
    let mut depth = 0_u32;
    let is_kept = |char: &char| {
        let is_outside = depth == 0;
        match char {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_outside && *char != '<' && !char.is_whitespace()
    };
    let name: String = name.chars().filter(is_kept).collect();
    let name = name.trim_end_matches(separator);
    name.replace('\\', separator).into()
}
