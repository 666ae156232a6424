//! Adds the definitions that a tree lacks, and reports what remains unread.

use super::{Basis, Found, Recovered, recover};
use crate::budget::Budget;
use crate::room;
use crate::symbol::enabled::forms::Forms;
use crate::syntax::{Part, SymbolGroup, Unparsed};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use tree_sitter::Tree;

/// The maximum number of unread ranges that are kept; the last one then extends to the end of all.
const UNREAD_MAX: usize = 64;
/// The maximum length of a name.
const NAME_BYTES_MAX: usize = 1_024;

/// The text and tree from which definitions are recovered.
pub(in crate::symbol::enabled) struct Reading<'a> {
    pub(in crate::symbol::enabled) text: &'a [u8],
    /// The text without comments and literals.
    pub(in crate::symbol::enabled) code: &'a [u8],
    pub(in crate::symbol::enabled) tree: &'a Tree,
    pub(in crate::symbol::enabled) forms: &'static Forms,
    /// The separator of qualified names.
    pub(in crate::symbol::enabled) separator: &'static str,
}

/// Adds to `parts` the definitions that the tree lacks; `named` has the start of each name that the tree
/// explains. Returns the ranges that neither the tree nor the form of their lines explains.
pub(in crate::symbol::enabled) fn merge(
    reading: &Reading<'_>,
    parts: &mut Vec<Part>,
    named: &BTreeSet<usize>,
    budget: &Budget,
) -> Result<Vec<Range<usize>>, Unparsed> {
    let has_error = reading.tree.root_node().has_error();
    if !has_error && !reading.forms.is_always_read {
        return Ok(Vec::new());
    }
    let errors = errors(reading.tree, budget)?;
    let recovered = recover(reading.code, reading.forms, budget)?;
    let known: HashMap<usize, usize> =
        parts.iter().enumerate().map(|(at, part)| (part.name_start, at)).collect();
    let groups: BTreeSet<(SymbolGroup, usize)> =
        parts.iter().map(|part| (part.kind.group(), part.name_start)).collect();
    let mut is_added = Vec::new();
    is_added.try_reserve_exact(recovered.found.len())?;
    let mut added: Vec<&Found> = Vec::new();
    for found in &recovered.found {
        budget.poll().map_err(|_| Unparsed::Stopped)?;
        if let Some(part) = known.get(&found.name.start).map(|at| &mut parts[*at]) {
            let is_doubtful = recovered.is_balanced && found.has_body && !found.is_dropped;
            if is_doubtful
                && intersects(&errors, &(part.range.start..part.range.end.max(found.range.end)))
            {
                part.range.end = found.range.end.max(part.name_start + part.name.len());
            }
            is_added.push(false);
            continue;
        }
        let in_error = is_within(&errors, found.name.start);
        let is_of_added = found.parent.is_some_and(|parent| is_added[parent]);
        let is_told = match found.basis {
            Basis::Word => true,
            Basis::Shape => in_error || is_of_added,
        };
        let head = found.range.start..found.head_end;
        let group = found.kind.group();
        let is_explained = named.contains(&found.name.start)
            || groups
                .range((group, head.start)..(group, head.end.max(head.start)))
                .next()
                .is_some();
        let is_new = is_told && !found.is_dropped && !is_explained;
        is_added.push(is_new);
        if is_new {
            room::push(&mut added, found)?;
        }
    }
    let names: BTreeSet<usize> =
        named.iter().copied().chain(added.iter().map(|found| found.name.start)).collect();
    add(reading, parts, added)?;
    Ok(unread(&recovered, &errors, &names))
}

/// Adds definitions with the places of their names.
fn add(
    reading: &Reading<'_>,
    parts: &mut Vec<Part>,
    mut added: Vec<&Found>,
) -> Result<(), Unparsed> {
    added.sort_unstable_by_key(|found| found.name.start);
    parts.try_reserve(added.len())?;
    let text = reading.text;
    let (mut line, mut line_start, mut at) = (1, 0, 0);
    for found in added {
        for end in memchr::memchr_iter(b'\n', &text[at..found.name.start]) {
            line += 1;
            line_start = at + end + 1;
        }
        at = found.name.start;
        let name = String::from_utf8_lossy(&text[found.name.clone()]);
        if name.is_empty() || name.len() > NAME_BYTES_MAX {
            continue;
        }
        let scope = found.scope.clone().map(|scope| {
            let scope = String::from_utf8_lossy(&text[scope]);
            let scope: String = scope.chars().filter(|char| !char.is_whitespace()).collect();
            scope.trim_end_matches(reading.separator).into()
        });
        parts.push(Part {
            kind: found.kind,
            range: found.range.start.min(at)..found.range.end.max(found.name.end).min(text.len()),
            name: name.into(),
            name_start: at,
            line,
            column: at - line_start + 1,
            scope,
            is_recovered: true,
        });
    }
    Ok(())
}

/// Returns the ranges of the outermost errors of a tree, by start.
pub(in crate::symbol::enabled) fn errors(
    tree: &Tree,
    budget: &Budget,
) -> Result<Vec<Range<usize>>, Unparsed> {
    let mut errors = Vec::new();
    let mut cursor = tree.walk();
    loop {
        budget.poll().map_err(|_| Unparsed::Stopped)?;
        let node = cursor.node();
        if node.is_error() {
            room::push(&mut errors, node.byte_range())?;
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(errors);
            }
        }
    }
}

fn intersects(ranges: &[Range<usize>], other: &Range<usize>) -> bool {
    let after = ranges.partition_point(|range| range.start < other.end);
    after.checked_sub(1).is_some_and(|before| other.start < ranges[before].end)
}

fn is_within(ranges: &[Range<usize>], at: usize) -> bool {
    let after = ranges.partition_point(|range| range.start <= at);
    after.checked_sub(1).is_some_and(|before| at < ranges[before].end)
}

/// Returns the blocks in errors that contain no name in their heads.
fn unread(
    recovered: &Recovered,
    errors: &[Range<usize>],
    names: &BTreeSet<usize>,
) -> Vec<Range<usize>> {
    let mut unread: Vec<Range<usize>> = Vec::new();
    let blocks = recovered.blocks.iter().filter(|block| intersects(errors, block));
    for block in blocks.filter(|block| names.range((*block).clone()).next().is_none()) {
        let is_full = unread.len() >= UNREAD_MAX;
        match unread.last_mut().filter(|_| is_full) {
            Some(last) => last.end = last.end.max(block.end),
            None => unread.push(block.clone()),
        }
    }
    unread
}
