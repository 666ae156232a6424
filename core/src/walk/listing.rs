//! The entries of one directory, in the order of the paths below it.

use crate::budget::{Budget, Stopped};
use crate::workspace::RawEntries;
use std::cmp::Ordering;

/// A walk's treatment of an entry; excluded entries are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryKind {
    pub(super) role: EntryRole,
    /// Whether symlinks are followed to get there.
    pub(super) linked: bool,
}

/// A walk's action on an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryRole {
    /// Offers it to the visitor: a file, or a directory or symlink where the request wants them.
    Offer,
    /// Enters it.
    Enter,
    /// Enters it without judging it, because the request names it.
    Start,
    /// Enters it although it is excluded, on the way to a path that the request names.
    Pass,
}

impl EntryKind {
    pub(super) fn new(role: EntryRole, linked: bool) -> EntryKind {
        EntryKind { role, linked }
    }

    /// Returns whether it is offered rather than entered.
    pub(super) fn is_offered(self) -> bool {
        self.role == EntryRole::Offer
    }
}

/// The entries of one directory: all names in one allocation.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    names: Vec<u8>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: usize,
    len: usize,
    kind: EntryKind,
    /// Its index among the entries of the directory.
    place: usize,
}

impl Entries {
    /// Returns an empty list with room for all of `raw`.
    pub(crate) fn with_capacity_of(raw: &RawEntries) -> Entries {
        let names = Vec::with_capacity(raw.names_len());
        Entries { names, entries: Vec::with_capacity(raw.len()) }
    }

    /// Adds the entry with index `place` in the directory.
    pub(crate) fn push(&mut self, name: &[u8], kind: EntryKind, place: usize) {
        self.entries.push(Entry { start: self.names.len(), len: name.len(), kind, place });
        self.names.extend_from_slice(name);
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, index: usize) -> (&[u8], EntryKind) {
        let entry = &self.entries[index];
        (name(&self.names, entry), entry.kind)
    }

    /// Returns the index in the directory of the entry at `index`.
    pub(crate) fn place(&self, index: usize) -> usize {
        self.entries[index].place
    }

    /// Sorts the entries in the order of the paths below them: bytewise, with a `/` after the name of a
    /// directory.
    pub(crate) fn sort(&mut self, budget: &Budget) -> Result<(), Stopped> {
        let names = &self.names;
        crate::sort::sort(&mut self.entries, budget, &|a, b| order(names, a, b))
    }
}

fn name<'a>(names: &'a [u8], entry: &Entry) -> &'a [u8] {
    &names[entry.start..entry.start + entry.len]
}

fn order(names: &[u8], a: &Entry, b: &Entry) -> Ordering {
    let (a_name, b_name) = (name(names, a), name(names, b));
    let common = a_name.len().min(b_name.len());
    let next = |name: &[u8], kind: EntryKind| {
        name.get(common).copied().or((!kind.is_offered()).then_some(b'/'))
    };
    let prefixes = a_name[..common].cmp(&b_name[..common]);
    prefixes.then_with(|| next(a_name, a.kind).cmp(&next(b_name, b.kind)))
}

/// The walk's decision about an entry, which may be offered and also entered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chosen {
    pub(super) offered: Option<EntryKind>,
    pub(super) entered: Option<EntryKind>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use proptest::prelude::*;

    const FILE: EntryKind = EntryKind { role: EntryRole::Offer, linked: false };
    const DIR: EntryKind = EntryKind { role: EntryRole::Enter, linked: false };

    fn sorted(entries: &[(&str, EntryKind)]) -> Vec<String> {
        let mut listing = Entries::default();
        for (name, kind) in entries {
            listing.push(name.as_bytes(), *kind, 0);
        }
        listing.sort(&Budget::of(&Call::new())).expect("no deadline");
        (0..listing.len())
            .map(|index| String::from_utf8_lossy(listing.get(index).0).into_owned())
            .collect()
    }

    #[test]
    fn directories_sort_like_their_contents() {
        let entries = [("a", DIR), ("a.b", FILE), ("a-b", FILE), ("a0", FILE), ("a", FILE)];
        assert_eq!(sorted(&entries), ["a", "a-b", "a.b", "a", "a0"]);
    }

    proptest! {
        #[test]
        fn order_equals_that_of_whole_paths(names in proptest::collection::btree_set("[-./a0]{1,3}", 0..40)) {
            let files: Vec<String> = names.into_iter().map(|name| name.replace('/', "_")).collect();
            let entries: Vec<(&str, EntryKind)> = files.iter().enumerate().map(|(index, name)| {
                (name.as_str(), if index % 2 == 0 { FILE } else { DIR })
            }).collect();
            let mut expected: Vec<String> = entries.iter().map(|(name, kind)| match *kind {
                DIR => format!("{name}/"),
                _ => (*name).to_owned(),
            }).collect();
            expected.sort();
            let expected: Vec<&str> = expected.iter().map(|path| path.trim_end_matches('/')).collect();
            prop_assert_eq!(sorted(&entries), expected);
        }
    }
}
