//! Derives the change of each round from its number alone, so that both processes agree.

use std::path::PathBuf;

/// Files of each kind, which are written in turn: until a file's turn comes again it is indexed again.
pub(crate) const SLOTS: u64 = 16;

/// A way in which a file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// In its place, without another size.
    Write,
    Append,
    TruncateAndWrite,
    RenameOver,
    Create,
    Unlink,
    Link,
    UnlinkOfALink,
    /// A hole in the place of a page.
    Fallocate,
    /// The page comes back.
    WriteIntoTheHole,
    Direct,
    /// In its place, through a name outside the tree.
    ThroughAnotherName,
}

impl Kind {
    /// Reports whether the change removes the text from the file.
    pub(crate) const fn removes(self) -> bool {
        matches!(self, Kind::Unlink | Kind::UnlinkOfALink | Kind::Fallocate)
    }
}

/// The kinds of the first, third … and of the second, fourth … turn of a file.
const TURNS: [[Kind; 2]; 9] = [
    [Kind::Write, Kind::Write],
    [Kind::Append, Kind::Append],
    [Kind::TruncateAndWrite, Kind::TruncateAndWrite],
    [Kind::RenameOver, Kind::RenameOver],
    [Kind::Create, Kind::Unlink],
    [Kind::Link, Kind::UnlinkOfALink],
    [Kind::WriteIntoTheHole, Kind::Fallocate],
    [Kind::Direct, Kind::Direct],
    [Kind::ThroughAnotherName, Kind::ThroughAnotherName],
];

/// One change and the question that follows it.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) kind: Kind,
    /// The file, from the root of the tree.
    pub(crate) path: PathBuf,
    /// Number of earlier turns of the file.
    pub(crate) turn: u64,
    /// The word that the change brings, or takes away.
    pub(crate) word: String,
}

impl Round {
    /// Returns the round `number`, from 1.
    pub(crate) fn of(number: u64) -> Round {
        let n_families = TURNS.len() as u64;
        let (family, rest) = (number % n_families, number / n_families);
        let (slot, turn) = (rest % SLOTS, rest / SLOTS);
        let of_family = TURNS[usize::try_from(family).expect("few families")];
        let kind = of_family[usize::from(turn % 2 == 1)];
        let of_word = if kind.removes() { number - n_families * SLOTS } else { number };
        Round { kind, path: path(family, slot), turn, word: word(of_word) }
    }

    /// Returns all files that are written to.
    pub(crate) fn paths() -> impl Iterator<Item = (Kind, PathBuf)> {
        let families = (0_u64..).zip(TURNS);
        families.flat_map(|(family, [kind, _])| (0..SLOTS).map(move |n| (kind, path(family, n))))
    }
}

fn path(family: u64, slot: u64) -> PathBuf {
    format!("family{family}/part{}/{slot}.txt", slot % 4).into()
}

/// Words of one length, of which none is a part of another.
pub(crate) fn word(number: u64) -> String {
    format!("word_{number:012}_end")
}
