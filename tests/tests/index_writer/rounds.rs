//! Derives the change of each round from its number alone, so that both processes agree.

use std::path::PathBuf;

/// Number of files of each kind, written in turn, so that each file is indexed again before its next turn.
pub(crate) const SLOTS: u64 = 16;

/// Number of rounds in which each file has both of its turns.
pub(crate) const CYCLE: u64 = 2 * SLOTS * TURNS.len() as u64;

/// A way in which a file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Overwrites in place, with the same size.
    Write,
    Append,
    TruncateAndWrite,
    RenameOver,
    Create,
    Unlink,
    Link,
    UnlinkOfALink,
    /// Punches a hole in place of a page.
    Fallocate,
    /// Writes the page again.
    WriteIntoTheHole,
    Direct,
    /// Overwrites in place, through a name outside the tree.
    ThroughAnotherName,
}

impl Kind {
    /// Reports whether the change removes the text from the file.
    pub(crate) const fn removes(self) -> bool {
        matches!(self, Kind::Unlink | Kind::UnlinkOfALink | Kind::Fallocate)
    }
}

/// The kinds of the odd and of the even turns of a file. Alternating ones are there twice, so that each kind
/// has as many rounds as the others.
const TURNS: [[Kind; 2]; 12] = [
    [Kind::Write, Kind::Write],
    [Kind::Append, Kind::Append],
    [Kind::TruncateAndWrite, Kind::TruncateAndWrite],
    [Kind::RenameOver, Kind::RenameOver],
    [Kind::Create, Kind::Unlink],
    [Kind::Create, Kind::Unlink],
    [Kind::Link, Kind::UnlinkOfALink],
    [Kind::Link, Kind::UnlinkOfALink],
    [Kind::WriteIntoTheHole, Kind::Fallocate],
    [Kind::WriteIntoTheHole, Kind::Fallocate],
    [Kind::Direct, Kind::Direct],
    [Kind::ThroughAnotherName, Kind::ThroughAnotherName],
];

/// One change, and the word for which the search after it looks.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) kind: Kind,
    /// The file, relative to the root of the tree.
    pub(crate) path: PathBuf,
    /// Number of earlier turns of the file.
    pub(crate) turn: u64,
    /// The word that the change adds or removes.
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

    /// Returns the files with the word after the change, relative to the root.
    pub(crate) fn files(&self) -> Vec<String> {
        let has_word = !self.kind.removes();
        has_word.then(|| self.path.display().to_string()).into_iter().collect()
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

/// Returns a word of fixed length; none contains another.
pub(crate) fn word(number: u64) -> String {
    format!("word_{number:012}_end")
}
