//! The rules that give a node its role, and their form for a grammar.

use super::by_text;
use crate::syntax::UseKind;
use tree_sitter::{Language, Node};

/// A rule: the kind of the parent or `*`; the child, as the name of its field and a colon, as its kind, or as
/// `*`; and the role of the child. The first rule that decides wins.
pub(in crate::symbol) type Rule = (&'static str, &'static str, Then);

/// The role that a rule gives to a child.
#[derive(Clone, Copy)]
pub(in crate::symbol) enum Then {
    /// This one.
    Is(UseKind),
    /// That of the parent, if it has one.
    Same,
    /// That of the parent if it has one, for the last part of a qualified name.
    Last,
    /// The second one if the parent has the first.
    When(UseKind, UseKind),
    /// This one for the child at an index among the named children.
    At(usize, UseKind),
    /// The role that a function reads from the text, if any.
    By(fn(&Seen<'_>) -> Option<UseKind>),
}

/// The rules of a language.
pub(in crate::symbol) struct Table {
    /// The kinds of leaves that are names, with the use of those without a role.
    pub(in crate::symbol) names: &'static [(&'static str, UseKind)],
    /// The kinds of nodes that name a file or module in an import.
    pub(in crate::symbol) paths: &'static [&'static str],
    pub(in crate::symbol) rules: &'static [&'static [Rule]],
}

impl Table {
    /// Returns the kinds and fields that a grammar lacks.
    #[cfg(test)]
    pub(in crate::symbol) fn unknown(&self, language: &Language) -> Vec<String> {
        let has_kind = |name: &str| name == "*" || language.id_for_node_kind(name, true) != 0;
        let has = |name: &str| match name.strip_suffix(':') {
            Some(field) => language.field_id_for_name(field).is_some(),
            None => has_kind(name),
        };
        let names = self.names.iter().map(|(name, _)| *name).chain(self.paths.iter().copied());
        let rules =
            self.rules.iter().copied().flatten().flat_map(|&(parent, child, _)| [parent, child]);
        names.chain(rules).filter(|name| !has(name)).map(str::to_owned).collect()
    }
}

/// A node as a rule sees it.
pub(in crate::symbol) struct Seen<'a> {
    pub(super) node: Node<'a>,
    pub(super) field: Option<u16>,
    /// The number of named nodes before it in its parent.
    pub(super) index: usize,
    /// The role of its parent.
    pub(super) outer: Option<UseKind>,
    pub(super) text: &'a [u8],
}

#[derive(Clone, Copy)]
enum Child {
    Any,
    Field(u16),
    Kind(u16),
}

/// A kind of leaf that has a use.
#[derive(Clone, Copy)]
pub(super) enum Leaf {
    Name(UseKind),
    Path,
}

/// The rules of a language by the numbers that its grammar gives to kinds and fields.
pub(in crate::symbol) struct Roles {
    /// By the kind of the parent.
    rules: Vec<Vec<(Child, Then)>>,
    of_any: Vec<(Child, Then)>,
    leaves: Vec<Option<Leaf>>,
}

impl Roles {
    pub(in crate::symbol) fn new(language: &Language, table: &Table) -> Roles {
        let n_kinds = language.node_kind_count();
        let mut roles = Roles {
            rules: vec![Vec::new(); n_kinds],
            of_any: Vec::new(),
            leaves: vec![None; n_kinds],
        };
        let kind = |name: &str| language.id_for_node_kind(name, true);
        for &(parent, child, then) in table.rules.iter().copied().flatten() {
            let child = match child.strip_suffix(':') {
                _ if child == "*" => Child::Any,
                // A field that the grammar lacks fits no child; a test rules it out.
                Some(field) => Child::Field(language.field_id_for_name(field).map_or(0, u16::from)),
                None => Child::Kind(kind(child)),
            };
            if parent == "*" {
                roles.of_any.push((child, then));
            } else if let Some(rules) = roles.rules.get_mut(usize::from(kind(parent))) {
                rules.push((child, then));
            }
        }
        let names = table.names.iter().map(|&(name, use_kind)| (name, Leaf::Name(use_kind)));
        for (name, leaf) in names.chain(table.paths.iter().map(|&name| (name, Leaf::Path))) {
            if let Some(place) = roles.leaves.get_mut(usize::from(kind(name))) {
                *place = Some(leaf);
            }
        }
        roles
    }

    /// Returns whether nodes of a kind have a use.
    pub(super) fn leaf(&self, kind: u16) -> Option<Leaf> {
        self.leaves.get(usize::from(kind)).copied().flatten()
    }

    /// Returns the role of a node in a parent of this kind.
    pub(super) fn of(&self, parent: u16, seen: &Seen<'_>) -> Option<UseKind> {
        let own = self.rules.get(usize::from(parent)).into_iter().flatten();
        let found = own.chain(&self.of_any).find_map(|(child, then)| {
            let fits = match child {
                Child::Any => true,
                Child::Field(field) => seen.field == Some(*field),
                Child::Kind(kind) => seen.node.kind_id() == *kind,
            };
            if fits { then.role(seen) } else { None }
        });
        found.or(seen.outer.filter(|outer| *outer == UseKind::Import))
    }
}

impl Then {
    fn role(self, seen: &Seen<'_>) -> Option<UseKind> {
        match self {
            Then::Is(kind) => Some(kind),
            Then::Same => seen.outer,
            Then::Last => seen.outer.filter(|_| !by_text::is_qualifier(seen)),
            Then::When(outer, kind) => (seen.outer == Some(outer)).then_some(kind),
            Then::At(index, kind) => (seen.index == index).then_some(kind),
            Then::By(read) => read(seen),
        }
    }
}
