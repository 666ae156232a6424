//! Uses of names by kind, and the kinds of matches.

use super::{Outline, RegionKind, Regions, SymbolKind};
use crate::room;
use std::collections::TryReserveError;
use std::ops::Range;

/// The kind of a use of a name; `docs/syntax.md` defines each.
///
/// A match has the kind of the name that it is a part of, or that it contains. Of a qualified name it has the
/// kind of the last part that begins in the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UseKind {
    /// A function, method, constructor, macro or component is called.
    Call,
    /// A name or module is imported.
    Import,
    /// A type is named, for example that of a parameter.
    Type,
    /// A type is extended, implemented, embedded or mixed in.
    Inheritance,
    /// A variable or field receives a value.
    Assignment,
    /// The name is defined here; local variables and parameters included.
    Definition,
    /// A match in a comment.
    Comment,
    /// A match in a string literal.
    String,
    /// Any other use, and all matches in files without a grammar.
    Other,
}

impl UseKind {
    /// All kinds.
    pub const ALL: &'static [UseKind] = &[
        UseKind::Call,
        UseKind::Import,
        UseKind::Type,
        UseKind::Inheritance,
        UseKind::Assignment,
        UseKind::Definition,
        UseKind::Comment,
        UseKind::String,
        UseKind::Other,
    ];

    /// Returns the stable text used in replies.
    pub const fn code(self) -> &'static str {
        match self {
            UseKind::Call => "call",
            UseKind::Import => "import",
            UseKind::Type => "type",
            UseKind::Inheritance => "inheritance",
            UseKind::Assignment => "assignment",
            UseKind::Definition => "definition",
            UseKind::Comment => "comment",
            UseKind::String => "string",
            UseKind::Other => "other",
        }
    }
}

/// A name in a text whose use is known, or known to be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameUse {
    pub start: u32,
    pub end: u32,
    /// `None` if a syntax error hides it.
    pub kind: Option<UseKind>,
}

impl NameUse {
    pub(crate) fn new(range: Range<usize>, kind: Option<UseKind>) -> NameUse {
        // A parsed text is far smaller than 4 GiB.
        let at = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        NameUse { start: at(range.start), end: at(range.end), kind }
    }
}

/// The use of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatchUse {
    pub kind: UseKind,
    /// Whether a syntax error hides the kind.
    pub is_lost: bool,
}

impl MatchUse {
    pub(crate) const OTHER: MatchUse = MatchUse { kind: UseKind::Other, is_lost: false };
}

/// The uses of the names in one text. Names without an entry have the kind `Other`.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// By start; each start has one entry.
    names: Vec<NameUse>,
    regions: Regions,
}

impl Uses {
    /// Combines the names that a tree has with the definitions of its outline.
    pub(crate) fn new(
        mut names: Vec<NameUse>,
        outline: &Outline,
        regions: Regions,
    ) -> Result<Uses, TryReserveError> {
        // An `impl` block names a type and defines none.
        let defined = outline.symbols().iter().filter(|symbol| symbol.kind() != SymbolKind::Impl);
        for symbol in defined {
            let start = symbol.name_start();
            let range = start..start + symbol.name().len();
            room::push(&mut names, NameUse::new(range, Some(UseKind::Definition)))?;
        }
        // A field of Go without a name has that of the type that it embeds, and an alias is imported.
        let rank = |name: &NameUse| match name.kind {
            Some(UseKind::Inheritance | UseKind::Import) => 0,
            Some(UseKind::Definition) => 1,
            _ => 2,
        };
        let mut names = room::sort_by_key(names, |name| (name.start, rank(name)))?;
        names.dedup_by_key(|name| name.start);
        names.shrink_to_fit();
        Ok(Uses { names, regions })
    }

    /// Returns the use of the match from `start` to `end`.
    pub(crate) fn at(&self, text: &[u8], start: usize, end: usize) -> MatchUse {
        let (at, known) = self.name_in(text, start, end.min(text.len()));
        let kind = known.map_or(Some(UseKind::Other), |known| known.kind);
        // The path of an import is a literal too.
        if kind != Some(UseKind::Import) {
            match self.regions.kind_at(at, (at + 1).min(end.max(at))) {
                Some(RegionKind::Comment) => return MatchUse::of(UseKind::Comment),
                Some(RegionKind::String) => return MatchUse::of(UseKind::String),
                Some(RegionKind::Code) | None => {}
            }
        }
        kind.map_or(MatchUse { is_lost: true, ..MatchUse::OTHER }, MatchUse::of)
    }

    /// Returns the start of the name that decides about a match, and its entry: the last part of the first
    /// qualified name with an entry. Keywords such as `fn` in `fn run` have none, so they are skipped.
    ///
    /// An entry says where its name ends. A name without one is read up to the end of the match only, because
    /// many matches may be in one long name.
    fn name_in(&self, text: &[u8], start: usize, end: usize) -> (usize, Option<NameUse>) {
        let mut first = None;
        let mut from = start;
        while let Some(at) = (from..end).find(|&at| is_name_byte(text[at])) {
            if let Some(entry) = self.entry_around(at) {
                return self.last_part(text, end, (at, *entry));
            }
            first = first.or(Some(at));
            from = (at..end).find(|&at| !is_name_byte(text[at])).unwrap_or(end);
        }
        (first.unwrap_or(start), None)
    }

    /// Returns the last part of the qualified name that begins with the entry `first`.
    fn last_part(
        &self,
        text: &[u8],
        end: usize,
        first: (usize, NameUse),
    ) -> (usize, Option<NameUse>) {
        let (mut at, mut known) = (first.0, Some(first.1));
        let mut name_end = first.1.end as usize;
        loop {
            let rest = text.get(name_end..).unwrap_or_default();
            let separator = SEPARATORS.iter().find(|one| rest.starts_with(one));
            let next = separator.map(|separator| name_end + separator.len());
            let Some(next) = next.filter(|&next| next < end && is_name_byte(text[next])) else {
                return (at, known);
            };
            at = next;
            known = self.entry_around(next).copied();
            name_end = match known {
                Some(entry) => entry.end as usize,
                None => (next..end).find(|&at| !is_name_byte(text[at])).unwrap_or(end),
            };
        }
    }

    /// Returns the entry whose name contains a byte.
    fn entry_around(&self, at: usize) -> Option<&NameUse> {
        let after = self.names.partition_point(|name| name.start as usize <= at);
        let near = self.names[..after].iter().rev().take(2);
        let mut around = near.filter(|name| at < name.end as usize);
        let innermost = around.next()?;
        // A definition may have a sign before its name, as `$x` of PHP.
        around.find(|name| name.kind == Some(UseKind::Definition)).or(Some(innermost))
    }

    /// Returns the regions of the text.
    pub(crate) fn regions(&self) -> &Regions {
        &self.regions
    }

    /// Returns the memory that the uses take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Uses>() + self.names.capacity() * size_of::<NameUse>() + self.regions.bytes()
    }
}

impl MatchUse {
    fn of(kind: UseKind) -> MatchUse {
        MatchUse { kind, is_lost: false }
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The signs between the parts of a qualified name.
const SEPARATORS: &[&[u8]] = &[b"?.", b"!.", b"&.", b"::", b"->", b".", b"\\"];

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the uses of a text in which each word but `plain` ones is a call.
    fn calls(text: &str, plain: &[&str]) -> Uses {
        let mut names = Vec::new();
        let mut at = 0;
        for word in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            if !name.is_empty() && !plain.contains(&name) {
                names.push(NameUse::new(at..at + name.len(), Some(UseKind::Call)));
            }
            at += word.len();
        }
        Uses { names, regions: Regions::default() }
    }

    #[test]
    fn the_last_part_of_the_first_known_name_counts() {
        for (text, part, expected) in [
            ("a.b(c)", "a.b(c)", Some("b")),
            ("a.b(c)", "a", Some("a")),
            ("a.b(c)", "a.", Some("a")),
            ("a.b(c)", ".b(", Some("b")),
            ("(parse_all())", "rse_a", Some("parse_all")),
            ("Job::run::<T>(1)", "Job::run::<T>(1)", Some("run")),
            ("a?.b->c\\d.", "a?.b->c\\d.", Some("d")),
            ("größe", "öß", Some("größe")),
            ("a => b", "=>", None),
            ("a => b", "=> b", Some("b")),
            ("pub fn run()", "pub fn run", Some("run")),
            ("return fn", "return fn", None),
            ("a.fn", "a.fn", None),
        ] {
            let uses = calls(text, &["pub", "fn", "return"]);
            let start = text.find(part).expect(part);
            let (_, found) = uses.name_in(text.as_bytes(), start, start + part.len());
            let found = found.map(|name| &text[name.start as usize..name.end as usize]);
            assert_eq!(found, expected, "{text} {part}");
        }
    }

    #[test]
    fn many_matches_in_one_name_take_linear_time() {
        let text = "a".repeat(1 << 20);
        let uses = Uses::default();
        for at in 0..text.len() {
            assert_eq!(uses.at(text.as_bytes(), at, at + 1), MatchUse::OTHER);
        }
    }
}
