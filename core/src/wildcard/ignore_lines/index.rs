//! Selects the lines that may match a name: by its start, its end, or all of it.
//!
//! Most names match no line of most ignore files, and comparing every line with every name would cost more
//! than all other work of a walk on an entry. Each line is filed under one condition that every name it
//! matches meets, and only lines whose condition a name meets are compared with it. A literal line is filed
//! under the whole name or path, which decides it.

use super::line::Line;
use crate::room;
use crate::wildcard::linear::Steps;
use crate::wildcard::token::{Pattern, Token};
use std::collections::{HashMap, TryReserveError};

/// The position of a line among those that can match something.
type Place = u32;

/// The lines of one ignore file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Index {
    lines: Vec<Rule>,
    literals: Literals,
    /// Lines by the literal end of the names they match.
    ends: Edges,
    /// Lines by the literal start of names, where the end is a wildcard.
    starts: Edges,
    /// Lines by a literal within names, where both ends are wildcards.
    inner: Vec<(Box<[u8]>, Place)>,
    /// Lines that span several names at their end, by the literal start of whole paths.
    path_starts: Edges,
    /// Lines that may match any name.
    others: Vec<Place>,
}

/// One line; the pattern of a literal one is empty, because its whole text is looked up.
#[derive(Debug, PartialEq, Eq)]
struct Rule {
    pattern: Pattern,
    negated: bool,
    anchored: bool,
    dirs_only: bool,
}

/// A path and its kind.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) path: &'a [u8],
    /// The last segment of the path.
    pub(super) name: &'a [u8],
    pub(super) is_dir: bool,
}

/// Literal lines by their whole text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Literals {
    /// A Bloom filter with one bit per name: a hash of its last eight bytes. It rules most names out; a
    /// look-up in the maps would hash the whole name and the whole path.
    filter: Vec<u64>,
    /// The last bytes of the names, one bit each.
    last_bytes: [u64; 4],
    names: HashMap<Box<[u8]>, Last>,
    paths: HashMap<Box<[u8]>, Last>,
}

/// The last line with some text, and the last one for directories alone; each value is one more than its
/// place, or 0.
#[derive(Debug, Default, PartialEq, Eq)]
struct Last {
    any: Place,
    dirs_only: Place,
}

impl Literals {
    fn add(&mut self, text: Box<[u8]>, rule: &Rule, place: Place) -> Result<(), TryReserveError> {
        let name = last_segment(&text);
        let Some(&last) = name.last() else { return Ok(()) };
        set_bit(&mut self.last_bytes, last);
        let of_lines = if rule.anchored { &mut self.paths } else { &mut self.names };
        of_lines.try_reserve(1)?;
        let lines = of_lines.entry(text).or_default();
        *(if rule.dirs_only { &mut lines.dirs_only } else { &mut lines.any }) = place + 1;
        Ok(())
    }

    /// Creates the filter after all lines were added: sixteen bits per line.
    fn finish(&mut self) {
        let n_bits = (16 * (self.names.len() + self.paths.len())).next_power_of_two().max(64);
        let n_words = n_bits / 64;
        if self.filter.try_reserve_exact(n_words).is_err() {
            // Every name passes the filter, and is looked up.
            self.filter = vec![!0];
            return;
        }
        self.filter.resize(n_words, 0);
        for text in self.names.keys().chain(self.paths.keys()) {
            let (word, bit) = self.filter_bit(last_segment(text));
            self.filter[word] |= bit;
        }
    }

    fn filter_bit(&self, name: &[u8]) -> (usize, u64) {
        // The upper half of the product depends on every byte.
        let hash = (tail(name).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        ((hash / 64) & (self.filter.len() - 1), 1 << (hash & 63))
    }

    /// Returns one more than the place of the last line whose text equals the entry, or 0.
    fn last_match(&self, entry: Entry<'_>) -> Place {
        if !entry.name.last().is_some_and(|last| has_bit(&self.last_bytes, *last)) {
            return 0;
        }
        let (word, bit) = self.filter_bit(entry.name);
        if self.filter[word] & bit == 0 {
            return 0;
        }
        let of = |lines: Option<&Last>| match lines {
            Some(lines) if entry.is_dir => lines.any.max(lines.dirs_only),
            Some(lines) => lines.any,
            None => 0,
        };
        of(self.names.get(entry.name)).max(of(self.paths.get(entry.path)))
    }
}

/// Lines by up to eight literal bytes at one edge of names, grouped by the outermost byte.
#[derive(Debug, Default, PartialEq, Eq)]
struct Edges {
    /// The outermost bytes that occur, one bit each.
    present: [u64; 4],
    by_byte: Vec<(u8, Vec<(Edge, Place)>)>,
}

/// The bytes of a literal, as an integer, and the bits of the integer that they determine.
///
/// Eight bytes fit one integer, so a line is compared with a name in one operation before its pattern is
/// matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    bytes: u64,
    mask: u64,
}

impl Edge {
    /// Returns the edge of at most eight literal tokens, aligned to the start of a name or to its end.
    fn new(tokens: &[Token], is_end: bool) -> Edge {
        let (mut bytes, mut mask) = ([0; 8], [0; 8]);
        let start = if is_end { 8 - tokens.len() } else { 0 };
        for (at, token) in (start..).zip(tokens) {
            (bytes[at], mask[at]) = match *token {
                // The two cases of a letter differ in one bit.
                Token::Letter(letter) => (letter & !0x20, !0x20),
                Token::Literal(symbol) => (u8::try_from(symbol).unwrap_or_default(), !0),
                _ => (0, 0),
            };
        }
        Edge { bytes: u64::from_le_bytes(bytes), mask: u64::from_le_bytes(mask) }
    }
}

impl Edges {
    /// Adds a line with literal `tokens` at the end of names, or at their start.
    fn add(&mut self, tokens: &[Token], is_end: bool, place: Place) -> Result<(), TryReserveError> {
        let n = tokens.len().min(8);
        let tokens = if is_end { &tokens[tokens.len() - n..] } else { &tokens[..n] };
        let edge = Edge::new(tokens, is_end);
        match if is_end { tokens.last() } else { tokens.first() } {
            Some(Token::Letter(letter)) => {
                self.add_edge(*letter, edge, place)?;
                self.add_edge(letter.to_ascii_uppercase(), edge, place)
            }
            Some(Token::Literal(symbol)) => {
                self.add_edge(u8::try_from(*symbol).unwrap_or_default(), edge, place)
            }
            _ => Ok(()),
        }
    }

    fn add_edge(&mut self, byte: u8, edge: Edge, place: Place) -> Result<(), TryReserveError> {
        set_bit(&mut self.present, byte);
        match self.by_byte.binary_search_by_key(&byte, |(byte, _)| *byte) {
            Ok(at) => room::push(&mut self.by_byte[at].1, (edge, place))?,
            Err(at) => self.by_byte.insert(at, (byte, vec![(edge, place)])),
        }
        Ok(())
    }

    /// Returns the lines whose literal may be at the edge of a text with this outermost byte, in order.
    fn at(&self, byte: Option<&u8>) -> &[(Edge, Place)] {
        let Some(byte) = byte.filter(|byte| has_bit(&self.present, **byte)) else { return &[] };
        let found = self.by_byte.binary_search_by_key(byte, |(byte, _)| *byte);
        found.map_or(&[], |at| &self.by_byte[at].1)
    }
}

const fn has_bit(bits: &[u64; 4], byte: u8) -> bool {
    bits[(byte >> 6) as usize] & (1 << (byte & 63)) != 0
}

const fn set_bit(bits: &mut [u64; 4], byte: u8) {
    bits[(byte >> 6) as usize] |= 1 << (byte & 63);
}

fn last_segment(path: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', path).map_or(path, |slash| &path[slash + 1..])
}

/// Returns the first eight bytes of a name, padded with zeros: names contain no zero.
fn head(name: &[u8]) -> u64 {
    match name.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => name.iter().rev().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte)),
    }
}

/// Returns the last eight bytes of a name, padded with zeros.
fn tail(name: &[u8]) -> u64 {
    match name.last_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => head(name) << (64 - 8 * name.len().max(1)),
    }
}

impl Index {
    /// Adds a line after the lines added before.
    ///
    /// # Errors
    ///
    /// If memory is short; the line may then match some of its names or none.
    pub(super) fn add(&mut self, line: Line) -> Result<(), TryReserveError> {
        let place = Place::try_from(self.lines.len()).unwrap_or(Place::MAX);
        let Line { pattern, negated, mut anchored, dirs_only, .. } = line;
        let tokens = pattern.tokens();
        let literal = match tokens {
            // In any directory, so only the name matters.
            [Token::Directories, name @ ..] if !name.contains(&Token::SLASH) => {
                literal_bytes(name).inspect(|_| anchored = false)
            }
            tokens => literal_bytes(tokens),
        };
        let pattern = if literal.is_some() { Pattern::default() } else { pattern };
        let rule = Rule { pattern, negated, anchored, dirs_only };
        self.lines.try_reserve(1)?;
        let filed = match literal {
            Some(text) => self.literals.add(text, &rule, place),
            None => self.add_wildcard(&rule, place),
        };
        // Added even if it was filed only in part, because those entries refer to its place.
        self.lines.push(rule);
        filed
    }

    fn add_wildcard(&mut self, rule: &Rule, place: Place) -> Result<(), TryReserveError> {
        let tokens = rule.pattern.tokens();
        let name_at = tokens.iter().rposition(|token| *token == Token::SLASH || crosses(*token));
        let name = &tokens[name_at.map_or(0, |at| at + 1)..];
        let end = &name[name.len() - n_literals(name.iter().rev())..];
        let start = &name[..n_literals(name.iter())];
        let has_start = name_at.is_none_or(|at| begins_name(tokens, at));
        if name_at.is_some_and(|at| tokens[at] == Token::Anything) {
            let start = &tokens[..n_literals(tokens.iter())];
            match start.is_empty() {
                true => room::push(&mut self.others, place),
                false => self.path_starts.add(start, false, place),
            }
        } else if !end.is_empty() {
            self.ends.add(end, true, place)
        } else if has_start && !start.is_empty() {
            self.starts.add(start, false, place)
        } else {
            let runs = name.split(|token| !matches!(token, Token::Literal(_)));
            match runs.max_by_key(|run| run.len()).and_then(literal_bytes) {
                Some(literal) if !literal.is_empty() => {
                    room::push(&mut self.inner, (literal, place))
                }
                _ => room::push(&mut self.others, place),
            }
        }
    }

    /// Prepares look-ups after all lines were added.
    pub(super) fn finish(&mut self) {
        self.literals.finish();
    }

    /// Returns the number of lines.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns whether the last line that matches the entry begins with `!`; `None` if no line matches.
    pub(super) fn is_included(&self, entry: Entry<'_>, steps: &mut Steps<'_>) -> Option<bool> {
        let name = entry.name;
        // One more than the place of the last matching line so far.
        let mut last = self.literals.last_match(entry);
        let ends = self.ends.at(name.last());
        if !ends.is_empty() {
            last = self.last_of_edges(ends, tail(name), entry, last, steps);
        }
        let starts = self.starts.at(name.first());
        if !starts.is_empty() {
            last = self.last_of_edges(starts, head(name), entry, last, steps);
        }
        let path_starts = self.path_starts.at(entry.path.first());
        if !path_starts.is_empty() {
            last = self.last_of_edges(path_starts, head(entry.path), entry, last, steps);
        }
        last = self.last_of_inner(entry, last, steps);
        last = self.last_of(self.others.iter().rev().copied(), entry, last, steps);
        (last > 0).then(|| self.lines[last as usize - 1].negated)
    }

    /// Returns one more than the place of the last line after `last` that matches and whose edge agrees with
    /// `bytes`, or else `last`.
    fn last_of_edges(
        &self,
        lines: &[(Edge, Place)],
        bytes: u64,
        entry: Entry<'_>,
        last: Place,
        steps: &mut Steps<'_>,
    ) -> Place {
        // Thousands may be compared before one meets the condition.
        if !steps.spend(lines.len() / 8) {
            return last;
        }
        let lines = lines.iter().rev().filter(|(edge, _)| bytes & edge.mask == edge.bytes);
        self.last_of(lines.map(|(_, place)| *place), entry, last, steps)
    }

    /// The same for lines with a literal within names.
    fn last_of_inner(&self, entry: Entry<'_>, last: Place, steps: &mut Steps<'_>) -> Place {
        for (literal, place) in self.inner.iter().rev() {
            if *place < last || !steps.spend(1 + entry.name.len() / 8) {
                break;
            }
            if contains(entry.name, literal) && self.lines[*place as usize].matches(entry, steps) {
                return place + 1;
            }
        }
        last
    }

    /// The same for lines given by descending places.
    fn last_of(
        &self,
        places: impl Iterator<Item = Place>,
        entry: Entry<'_>,
        last: Place,
        steps: &mut Steps<'_>,
    ) -> Place {
        // From the last line to the first, because the last match decides: the search ends at the first
        // match, or where no line could replace the one that was found.
        let mut later = places.take_while(|place| *place >= last);
        let found = later.find(|place| self.lines[*place as usize].matches(entry, steps));
        found.map_or(last, |place| place + 1)
    }
}

impl Rule {
    fn matches(&self, entry: Entry<'_>, steps: &mut Steps<'_>) -> bool {
        let text = if self.anchored { entry.path } else { entry.name };
        (!self.dirs_only || entry.is_dir) && self.pattern.matches(text, steps)
    }
}

impl<'a> Entry<'a> {
    pub(super) fn new(path: &'a [u8], is_dir: bool) -> Entry<'a> {
        Entry { path, name: last_segment(path), is_dir }
    }
}

/// Returns whether `name` contains `literal`. Names are short: preparing a search would not pay off.
fn contains(name: &[u8], literal: &[u8]) -> bool {
    let Some((&first, rest)) = literal.split_first() else {
        return true;
    };
    let mut bytes = name.iter().enumerate();
    bytes.any(|(at, &byte)| byte == first && name[at + 1..].starts_with(rest))
}

/// Returns the bytes of tokens that are all literals.
fn literal_bytes(tokens: &[Token]) -> Option<Box<[u8]>> {
    let byte = |token: &Token| match *token {
        Token::Literal(symbol) => u8::try_from(symbol).ok(),
        _ => None,
    };
    tokens.iter().map(byte).collect()
}

/// Returns the number of literal tokens before the first other one.
fn n_literals<'a>(tokens: impl Iterator<Item = &'a Token>) -> usize {
    tokens.take_while(|token| matches!(token, Token::Literal(_) | Token::Letter(_))).count()
}

const fn crosses(token: Token) -> bool {
    matches!(token, Token::Anything | Token::Directories)
}

/// Returns whether the text after the token at `at` is always the start of a name. A run of directories after
/// plain text (`a**/b`) may be empty.
fn begins_name(tokens: &[Token], at: usize) -> bool {
    tokens[at] == Token::SLASH || at == 0 || tokens[at - 1] == Token::SLASH
}

#[cfg(test)]
mod tests {
    use super::super::{LetterCase, line::parse};
    use super::*;

    fn index(line: &str, case: LetterCase) -> Index {
        let mut index = Index::default();
        index.add(parse(line.as_bytes(), case).expect(line).expect(line)).expect("memory");
        index.finish();
        index
    }

    /// Returns the name of the list that contains a line, and the number of its lines whose condition a name
    /// meets.
    fn filed(index: &Index, name: &[u8]) -> (&'static str, usize) {
        let at = |edges: &Edges, byte, bytes| {
            edges.at(byte).iter().filter(|(edge, _)| bytes & edge.mask == edge.bytes).count()
        };
        if !index.literals.names.is_empty() {
            ("name", usize::from(index.literals.names.contains_key(name)))
        } else if !index.literals.paths.is_empty() {
            ("path", usize::from(index.literals.paths.contains_key(name)))
        } else if !index.ends.by_byte.is_empty() {
            ("end", at(&index.ends, name.last(), tail(name)))
        } else if !index.starts.by_byte.is_empty() {
            ("start", at(&index.starts, name.first(), head(name)))
        } else if !index.path_starts.by_byte.is_empty() {
            ("path start", at(&index.path_starts, name.first(), head(name)))
        } else if !index.inner.is_empty() {
            ("inner", index.inner.iter().filter(|(literal, _)| contains(name, literal)).count())
        } else {
            ("other", index.others.len())
        }
    }

    #[test]
    fn conditions() {
        for (line, list, yes, no) in [
            ("*.o", "end", "a.o", "a.c"),
            (".*", "start", ".git", "a.git"),
            ("*.c.[012]*.*", "inner", "x.c.0.x", "x.d"),
            ("vmlinux", "name", "vmlinux", "linux"),
            ("**/vmlinux", "name", "vmlinux", "linux"),
            ("/vmlinux", "path", "vmlinux", "linux"),
            ("/a/vmlinux*", "start", "vmlinux.o", "linux"),
            ("*.tab.[ch]", "inner", "x.tab.c", "x.c"),
            ("!dir/", "name", "dir", "file"),
            ("/a\\*b", "path", "a*b", "ab"),
            ("a\\{?b", "end", "a{.b", "a"),
            ("a[^/x]", "start", "ab", "b"),
            ("a[!]x]b", "end", "acb", "ac"),
            ("*longer-than-eight", "end", "x-longer-than-eight", "longer-than-nine"),
            ("longer-than-eight*", "start", "longer-than-eight-x", "longer"),
            ("*than-eight", "end", "than-eight", "n-nine"),
            ("*.a", "end", ".a", "a"),
            ("[xy]*mid*[xy]", "inner", "x-mid-y", "x-mod-y"),
            ("dir/**", "path start", "dir/a", "a"),
            ("a**/b", "end", "ab", "a"),
            ("a**/b*", "inner", "ab", "a"),
        ] {
            let index = index(line, LetterCase::Distinct);
            assert_eq!(filed(&index, yes.as_bytes()), (list, 1), "{line} may match {yes}");
            assert_eq!(filed(&index, no.as_bytes()), (list, 0), "{line} cannot match {no}");
        }
        for line in ["*", "?", "**/x/**", "[ab]*"] {
            assert_eq!(
                filed(&index(line, LetterCase::Distinct), b"anything"),
                ("other", 1),
                "{line}"
            );
        }
        let folded = index("*.Key", LetterCase::Same);
        for (name, n) in [("a.KEY", 1), ("a.key", 1), ("a.kez", 0), ("a\u{e}key", 0)] {
            assert_eq!(filed(&folded, name.as_bytes()), ("end", n), "{name:?}");
        }
    }
}
