//! Reads comments and string literals from a tree.
//!
//! Most languages give each kind of node one meaning, so a walk over the tree finds them. A query takes twice as
//! long, and its compilation about 20 ms for C++; it remains for languages in which the parent counts.

use super::forms;
use super::language::Compiled;
use super::lexis::lex;
use super::parse::{Parsed, time_max};
use super::read::{FOUND_MAX, each_match};
use super::recover::errors;
use crate::budget::Budget;
use crate::room;
use crate::syntax::{Region, RegionKind, Regions, Unparsed};
use std::collections::TryReserveError;
use std::ops::Range;
use std::time::Instant;
use tree_sitter::{Language, Node};

/// The number of nodes between two looks at the clock.
const NODES_PER_LOOK: u32 = 4_096;

/// The nodes of a language that are comments and string literals.
pub(super) enum RegionNodes {
    /// The meaning of each kind of node, by its number.
    Kinds(Vec<RegionMark>),
    Query(Compiled<RegionMark>),
}

/// The meaning of a capture in a regions query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegionMark {
    /// `@comment`, `@string`, `@code`.
    Is(RegionKind),
    /// `@lexed`: a text that the grammar does not divide, and the lexer does.
    Lexed,
    /// Any other capture.
    Nothing,
}

/// Returns the meaning of a capture.
pub(super) fn mark(capture: &str) -> RegionMark {
    match capture {
        "comment" => RegionMark::Is(RegionKind::Comment),
        "string" => RegionMark::Is(RegionKind::String),
        "code" => RegionMark::Is(RegionKind::Code),
        "lexed" => RegionMark::Lexed,
        _ => RegionMark::Nothing,
    }
}

/// Returns the meaning of each kind of node if all patterns of a regions query have the form `(kind) @capture`.
pub(super) fn kinds(language: &Language, query: &[&str]) -> Option<Vec<RegionMark>> {
    let mut kinds = vec![RegionMark::Nothing; language.node_kind_count()];
    let lines = query.iter().flat_map(|part| part.lines());
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with(';')) {
        let (kind, capture) = line.strip_prefix('(')?.split_once(") @")?;
        let number = language.id_for_node_kind(kind, true);
        // The query of an unknown kind does not compile either.
        if number == 0 || language.node_kind_is_supertype(number) {
            return None;
        }
        *kinds.get_mut(usize::from(number))? = mark(capture);
    }
    Some(kinds)
}

/// Regions of the tree, and areas that the lexer divides.
#[derive(Default)]
struct Found {
    regions: Vec<Region>,
    areas: Vec<Range<usize>>,
}

impl Found {
    fn add(
        &mut self,
        mark: RegionMark,
        node: Node<'_>,
        text: &[u8],
    ) -> Result<(), TryReserveError> {
        let range = node.byte_range();
        match mark {
            RegionMark::Is(kind) => {
                let end = range.end.min(text.len());
                room::push(&mut self.regions, Region { start: range.start, end, kind })
            }
            RegionMark::Lexed => room::push(&mut self.areas, range),
            RegionMark::Nothing => Ok(()),
        }
    }

    fn is_full(&self) -> bool {
        self.regions.len() > FOUND_MAX || self.areas.len() > FOUND_MAX
    }
}

/// Returns the comments and string literals of a text.
pub(super) fn regions(parsed: &Parsed, text: &[u8], budget: &Budget) -> Result<Regions, Unparsed> {
    let found = match parsed.grammar.regions() {
        RegionNodes::Kinds(kinds) => by_kind(kinds, parsed, text, budget)?,
        RegionNodes::Query(query) => by_query(query, parsed, text, budget)?,
    };
    let Found { mut regions, areas } = found;
    relex(parsed, text, areas, &mut regions, budget)?;
    Ok(Regions::new(regions)?)
}

fn by_kind(
    kinds: &[RegionMark],
    parsed: &Parsed,
    text: &[u8],
    budget: &Budget,
) -> Result<Found, Unparsed> {
    let (started, time_max) = (Instant::now(), time_max(text.len()));
    let mut found = Found::default();
    let mut cursor = parsed.tree.walk();
    let mut n_nodes = 0_u32;
    loop {
        n_nodes = n_nodes.wrapping_add(1);
        if n_nodes.is_multiple_of(NODES_PER_LOOK) {
            budget.poll_clock().map_err(|_| Unparsed::Stopped)?;
            if started.elapsed() > time_max {
                return Err(Unparsed::TooInvolved);
            }
        }
        let node = cursor.node();
        let mark = kinds.get(usize::from(node.kind_id())).copied().unwrap_or(RegionMark::Nothing);
        found.add(mark, node, text)?;
        if found.is_full() {
            return Err(Unparsed::TooInvolved);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(found);
            }
        }
    }
}

fn by_query(
    query: &Compiled<RegionMark>,
    parsed: &Parsed,
    text: &[u8],
    budget: &Budget,
) -> Result<Found, Unparsed> {
    let mut found = Found::default();
    let mut has_memory = true;
    let matched = each_match(&query.query, &parsed.tree, text, budget, |one| {
        for capture in one.captures() {
            let mark = query.marks[capture.index as usize];
            has_memory &= found.add(mark, capture.node, text).is_ok();
        }
        has_memory && !found.is_full()
    });
    if !has_memory {
        return Err(Unparsed::NoMemory);
    }
    matched?;
    Ok(found)
}

/// Takes the regions of `areas`, of blanked text and of errors from the lexer instead of the tree.
fn relex(
    parsed: &Parsed,
    text: &[u8],
    mut areas: Vec<Range<usize>>,
    found: &mut Vec<Region>,
    budget: &Budget,
) -> Result<(), Unparsed> {
    let Some(forms) = forms::of(parsed.grammar.name) else { return Ok(()) };
    let has_error = parsed.tree.root_node().has_error();
    if forms.lexis.is_whole && has_error {
        areas.append(&mut errors(&parsed.tree, budget)?);
    }
    areas.try_reserve(parsed.blanked.len())?;
    areas.extend(parsed.blanked.iter().cloned());
    if areas.is_empty() {
        return Ok(());
    }
    areas.sort_unstable_by_key(|area| (area.start, area.end));
    let mut ends: Vec<usize> = Vec::new();
    ends.try_reserve_exact(areas.len())?;
    // The furthest end so far, because areas may nest.
    for area in &areas {
        ends.push(ends.last().copied().unwrap_or(0).max(area.end));
    }
    let is_inside = |region: &Region| {
        let after = areas.partition_point(|area| area.start <= region.start);
        after > 0 && region.start < ends[after - 1]
    };
    let own;
    let lexed = match &parsed.lexed {
        Some(lexed) => lexed,
        None => {
            own = lex(text, &forms.lexis, budget)?;
            &own
        }
    };
    found.retain(|region| !is_inside(region));
    for region in lexed.regions.iter().filter(|region| is_inside(region)) {
        room::push(found, *region)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::language;
    use super::super::parse::Parsers;
    use super::*;
    use crate::call::Call;

    /// Comments, literals and errors in the syntax of several languages.
    const TEXTS: [&str; 5] = [
        "val a = \"b ${c(\"d\")}\" // e\n/* f */ val g = 'h'\n",
        "#!/bin/sh\n// a\n/* b */ x = \"c ${d} $e #{f} \\n\" + 'g' + `h ${i(\"j\")}` # k\n",
        "#include <a.h>\n#define B \"c\" // d\nint f(void) { return g(\"h\", 'i', R\"(j)\"); }\n",
        "<?php $a = \"b {$c->d} e\"; echo <<<F\ng $h\nF;\nx = f\"i {j!r} k\" + r#\"l\"#\n",
        "class A { string b = $\"c {d(\"e\")}\"; /* f\n */ char g = 'h'; @@ ( \"i\" /* j",
    ];

    #[test]
    fn a_walk_and_a_query_find_the_same_nodes() {
        let mut queried = Vec::new();
        for grammar in language::all() {
            let RegionNodes::Kinds(kinds) = grammar.regions() else {
                queried.push(grammar.name);
                continue;
            };
            assert!(kinds.contains(&RegionMark::Is(RegionKind::String)), "{}", grammar.name);
            let query = grammar.regions_query();
            let mut n_compared = 0;
            for text in TEXTS {
                let budget = Budget::of(&Call::new());
                let text = text.as_bytes();
                let both = Parsers::default().parse(grammar, text, &budget, |parsed| {
                    let walked = by_kind(kinds, parsed, text, &budget)?;
                    Ok((walked, by_query(&query, parsed, text, &budget)?))
                });
                // Some grammars give up on some texts.
                let Ok((walked, found)) = both else { continue };
                assert_eq!(walked.regions, found.regions, "{}", grammar.name);
                assert_eq!(walked.areas, found.areas, "{}", grammar.name);
                n_compared += usize::from(!found.regions.is_empty());
            }
            assert!(n_compared > 1, "{}", grammar.name);
        }
        assert!(queried.iter().all(|name| ["Bash", "PHP"].contains(name)), "{queried:?}");
    }
}
