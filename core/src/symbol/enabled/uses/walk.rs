//! The walk over a tree.

use super::roles::{Leaf, Roles, Seen};
use crate::budget::Budget;
use crate::room;
use crate::symbol::parsers::parse::{Parsed, time_max};
use crate::syntax::{NameUse, Unparsed, UseKind};
use std::time::Instant;
use tree_sitter::{Node, TreeCursor};

/// The maximum number of names with a known use in a file written by people.
const NAMES_MAX: usize = 1_000_000;
/// The number of nodes between two looks at the clock.
const NODES_PER_LOOK: u32 = 4_096;

/// An open node of the walk.
struct Level {
    kind: u16,
    role: Option<UseKind>,
    is_error: bool,
    /// The number of its named children so far.
    n_named: usize,
}

struct Walk<'a> {
    roles: &'a Roles,
    text: &'a [u8],
    found: Vec<NameUse>,
    open: Vec<Level>,
}

/// Returns the names of a text whose use is known, or lost in a syntax error, in the order of the text. The walk
/// visits each node once and keeps its own stack.
pub(in crate::symbol) fn names(
    parsed: &Parsed,
    text: &[u8],
    budget: &Budget,
) -> Result<Vec<NameUse>, Unparsed> {
    let (started, time_max) = (Instant::now(), time_max(text.len()));
    let roles = parsed.grammar.uses();
    let mut walk = Walk { roles, text, found: Vec::new(), open: Vec::new() };
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
        let level = walk.enter(&cursor)?;
        if walk.found.len() > NAMES_MAX {
            return Err(Unparsed::TooInvolved);
        }
        if let Some(level) = level
            && cursor.goto_first_child()
        {
            room::push(&mut walk.open, level)?;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(walk.found);
            }
            walk.open.pop();
        }
    }
}

impl Walk<'_> {
    /// Visits the next node. Returns its level if it may have children.
    fn enter(&mut self, cursor: &TreeCursor<'_>) -> Result<Option<Level>, Unparsed> {
        let node = cursor.node();
        if !node.is_named() {
            return Ok(None);
        }
        let (kind, is_error) = (node.kind_id(), node.is_error());
        let Some(parent) = self.open.last_mut() else {
            return Ok(Some(Level { kind, role: None, is_error, n_named: 0 }));
        };
        let field = cursor.field_id().map(u16::from);
        let index = parent.n_named;
        parent.n_named += usize::from(!node.is_extra());
        let seen = Seen { node, field, index, outer: parent.role, text: self.text };
        let role = self.roles.of(parent.kind, &seen);
        match self.roles.leaf(kind) {
            Some(Leaf::Name(usual)) if node.child_count() == 0 => {
                let is_lost = parent.is_error && role.is_none();
                self.push(node, if is_lost { None } else { Some(role.unwrap_or(usual)) })?;
                Ok(None)
            }
            Some(Leaf::Path) if role == Some(UseKind::Import) => {
                self.push(node, role)?;
                Ok(None)
            }
            _ => Ok(Some(Level { kind, role, is_error, n_named: 0 })),
        }
    }

    /// Adds a name with a known use, or with one that is lost.
    fn push(&mut self, node: Node<'_>, kind: Option<UseKind>) -> Result<(), Unparsed> {
        // The tree may extend beyond the text, and a missing name has no bytes.
        let range = node.byte_range();
        let is_known = kind != Some(UseKind::Other);
        if is_known && range.start < range.end && range.end <= self.text.len() {
            room::push(&mut self.found, NameUse::new(range, kind))?;
        }
        Ok(())
    }
}
