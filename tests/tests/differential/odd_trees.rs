//! Random trees with odd names, sizes, times, links and ignore files.

use crate::dice::Dice;
use searchscope_tests::tree::{Entry, Tree};
use std::path::Path;

const FILES: &[&str] = &[
    "a",
    "b.c",
    "ab",
    "A.b",
    "c/a",
    "c/b.c",
    "c/A.b",
    "c/c/a",
    "c/c/b.B",
    "c/c/c/a.b",
    "ba/a",
    "ba/c/b",
    "a.c/a",
    "[a]",
    "{a,b}",
    "b c",
    "#a",
    "!a",
    "-rf",
    "*",
    "?",
    "ü.C",
    "a.tar.gz",
    ".h",
    ".b",
    "n\nl",
    ".hid/a",
    ".hid/.b",
    "c/.h.b",
    "-c/a",
    "[ab]/a",
    "a\\b",
    "c/!a/b",
    " a ",
    "é/É",
];
const DIRECTORIES: &[&str] = &["empty", "c/empty.b", ".none", "b"];
/// A link to the root and a broken one: if links are followed, fd returns only the second and we only
/// the first.
pub(crate) const LEADING_NOWHERE: &[&str] = &["up", "c/gone"];
const LINKS: &[(&str, &str)] = &[
    ("l", "a"),
    ("c/l.b", "../ba"),
    ("up", "."),
    ("c/gone", "nowhere"),
    ("ba/l", "../c/c"),
    ("l2", "c/b.c"),
];
/// Rules on which git, ripgrep and fd agree.
const RULES: &[&str] = &[
    "a", "*.b", "c/", "!a", "/c", "c/*", "**/b", "ba", "!*.b", "/ba/a", "!c/a", "A*", "[b-c]",
    "c/**/a",
];
/// Bytes that are not UTF-8 are not next to words: ripgrep's results for words are inconsistent there.
const LINES: &[&str] = &[
    "hit\n",
    "Hit there\n",
    "a HIT\n",
    "a.c\n",
    "abc\n",
    "été ÉTÉ\n",
    "foo hit_bar\n",
    "\n",
    "  \n",
    "-v --\n",
    "crlf hit\r\n",
    "\r\n",
    "x hit-y hit\n",
    "⟨hex:e9⟩ t ⟨hex:ff⟩ hit\n",
    "Straße\tß\n",
    "hit",
    "\u{feff}hit\n",
    "⟨hex:82 a0⟩ abc\n",
    "ab",
];
const HEADS: &[&str] = &["⟨hex:ef bb bf⟩", "⟨hex:ff fe⟩"];
/// Seconds, chosen to differ from the times in `stage_options`.
const AGES: &[i64] = &[-1_800, -18_000, -259_200, -1_555_200, 1_000_000_000, 1_420_100_000];

/// Builds a tree.
pub(crate) fn build(dice: &mut Dice) -> Tree {
    let entries = entries(dice);
    Tree::build(&entries).unwrap_or_else(|why| panic!("{why}"))
}

/// Reports whether a file begins with the byte order mark of UTF-8.
pub(crate) fn has_utf8_mark(root: &Path) -> bool {
    let starts = |path: &&str| {
        std::fs::read(root.join(path)).is_ok_and(|text| text.starts_with(b"\xef\xbb\xbf"))
    };
    FILES.iter().any(starts)
}

fn entries(dice: &mut Dice) -> Vec<Entry> {
    let (mut entries, has_utf8_marks) = (Vec::new(), dice.once_in(3));
    for path in FILES.iter().copied().filter(|_| !dice.once_in(3)).collect::<Vec<_>>() {
        let mode = dice.once_in(5).then_some(0o755);
        entries.push(Entry {
            file: Some(path.to_owned()),
            text: Some(text(dice, has_utf8_marks)),
            mode,
            mtime: Some(dice.one(AGES)),
            ..Entry::default()
        });
    }
    for path in dice.some(DIRECTORIES, 3) {
        entries.push(Entry { dir: Some(path.to_owned()), ..Entry::default() });
    }
    for (path, to) in dice.some(LINKS, 5) {
        let (symlink, to) = (Some(path.to_owned()), Some(to.to_owned()));
        entries.push(Entry { symlink, to, ..Entry::default() });
    }
    for _ in 0..dice.below(3) {
        let directory = dice.one(&["", "c/", "ba/"]);
        let name = dice.one(&[".gitignore", ".ignore"]);
        entries.push(Entry {
            file: Some(format!("{directory}{name}")),
            text: Some(dice.some(RULES, 3).join("\n") + "\n"),
            mtime: Some(1_000_000_000),
            ..Entry::default()
        });
    }
    entries
}

fn text(dice: &mut Dice, has_utf8_marks: bool) -> String {
    if dice.once_in(10) {
        return "hit\n⟨filler *200⟩\nend hit\n".to_owned();
    }
    let head = if dice.once_in(8) { dice.one(&HEADS[usize::from(!has_utf8_marks)..]) } else { "" };
    let lines: Vec<&str> = (0..dice.below(9)).map(|_| dice.one(LINES)).collect();
    let text = format!("{head}{}", lines.concat());
    if text.starts_with('\u{feff}') && !has_utf8_marks { format!("x\n{text}") } else { text }
}
