//! A quick no: what a name must begin with, end with or hold for any glob of an ignore file to match.
//!
//! Most names match no line, and finding that out with the compiled globs would cost more than
//! everything else that a walk does with an entry. The look here is a necessary condition only: a
//! yes says nothing.

use std::ops::Range;

/// The conditions of all globs of one ignore file, sorted by what decides them fastest.
#[derive(Clone, Debug, Default)]
pub(super) struct Quick {
    /// Some glob may match any name.
    always: bool,
    /// Literal ends of names.
    ends: Edges,
    /// Literal beginnings of names, for globs without a literal end.
    beginnings: Edges,
    /// Literals within names, for globs with neither.
    inner: Vec<Vec<u8>>,
}

/// Up to eight bytes at one edge of names, by the outermost byte.
#[derive(Clone, Debug, Default)]
struct Edges {
    /// Which outermost bytes there are at all, a bit each.
    present: [u64; 4],
    by_byte: Vec<(u8, Vec<Edge>)>,
}

/// The bytes of a literal, as an integer, and where in the integer they are.
#[derive(Clone, Copy, Debug)]
struct Edge {
    bytes: u64,
    mask: u64,
}

impl Edges {
    fn add(&mut self, byte: u8, edge: Edge) {
        self.present[usize::from(byte >> 6)] |= 1 << (byte & 63);
        match self.by_byte.binary_search_by_key(&byte, |(byte, _)| *byte) {
            Ok(at) => self.by_byte[at].1.push(edge),
            Err(at) => self.by_byte.insert(at, (byte, vec![edge])),
        }
    }

    /// Whether some literal is at the edge of a name, which ends in `byte` there; `bytes` are asked
    /// for only where one may be.
    fn may_match(&self, byte: u8, bytes: impl FnOnce() -> u64) -> bool {
        if self.present[usize::from(byte >> 6)] & (1 << (byte & 63)) == 0 {
            return false;
        }
        let bytes = bytes();
        let found = self.by_byte.binary_search_by_key(&byte, |(byte, _)| *byte);
        found.is_ok_and(|at| self.by_byte[at].1.iter().any(|edge| bytes & edge.mask == edge.bytes))
    }
}

/// The first eight bytes of a name, zeros behind a shorter one: names hold no zero.
fn head(name: &[u8]) -> u64 {
    match name.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => name.iter().rev().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte)),
    }
}

/// The last eight bytes of a name, zeros before a shorter one.
fn tail(name: &[u8]) -> u64 {
    match name.last_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => head(name) << (64 - 8 * name.len().max(1)),
    }
}

/// How many bits of a mask stand for `literal`, at most all.
fn bits(literal: &[u8]) -> usize {
    8 * literal.len().clamp(1, 8)
}

impl Quick {
    /// Adds the condition of one rewritten glob.
    pub(super) fn add(&mut self, glob: &str) {
        let glob = glob.strip_suffix('/').unwrap_or(glob).as_bytes();
        let name = last_segment(glob);
        // The last segment of a path is held against the last one of the glob, unless that spans
        // several; a sign in front of a glob without `/` is not part of the name.
        if name == b"**" || glob.len() == name.len() {
            self.always = true;
            return;
        }
        let literals = literals(name);
        let end = literals.last().filter(|run| run.end == name.len());
        let beginning = literals.first().filter(|run| run.start == 0);
        let inner = literals.iter().max_by_key(|run| run.len());
        let bytes = |run: &Range<usize>| &name[run.clone()];
        match (end.map(bytes), beginning.map(bytes), inner.map(bytes)) {
            (Some(end), _, _) => {
                let mask = u64::MAX << (64 - bits(end));
                self.ends.add(end[end.len() - 1], Edge { bytes: tail(end) & mask, mask });
            }
            (None, Some(beginning), _) => {
                let mask = u64::MAX >> (64 - bits(beginning));
                self.beginnings.add(beginning[0], Edge { bytes: head(beginning) & mask, mask });
            }
            (None, None, Some(inner)) => self.inner.push(inner.to_vec()),
            (None, None, None) => self.always = true,
        }
    }

    /// Adds a glob of which nothing is known.
    pub(super) fn add_any(&mut self) {
        self.always = true;
    }

    /// False when no glob can match a path whose last name is `name`.
    pub(super) fn may_match(&self, name: &[u8]) -> bool {
        let (Some(&first), Some(&last)) = (name.first(), name.last()) else {
            return true;
        };
        self.always
            || self.ends.may_match(last, || tail(name))
            || self.beginnings.may_match(first, || head(name))
            || self.inner.iter().any(|inner| contains(name, inner))
    }
}

/// Names are short: preparing a search would cost more than looking.
fn contains(name: &[u8], literal: &[u8]) -> bool {
    let Some((&first, rest)) = literal.split_first() else {
        return true;
    };
    let mut bytes = name.iter().enumerate();
    bytes.any(|(at, &byte)| byte == first && name[at + 1..].starts_with(rest))
}

const fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b']' | b'{' | b'}' | b'\\' | b'!')
}

/// The runs of bytes that stand for themselves, in order. What a class lists is none; after a
/// backslash a new run begins, with the byte behind it.
fn literals(name: &[u8]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < name.len() {
        if !is_special(name[at]) {
            at += 1;
            continue;
        }
        if start < at {
            runs.push(start..at);
        }
        match name[at] {
            // The escaped byte is part of the next run, even if it would be special alone.
            b'\\' => {
                start = at + 1;
                at += 2;
            }
            b'[' => {
                at = class_end(name, at);
                start = at;
            }
            _ => {
                at += 1;
                start = at;
            }
        }
    }
    if start < name.len() {
        runs.push(start..name.len());
    }
    runs
}

/// What stands behind the last `/` that is not listed in a class.
fn last_segment(glob: &[u8]) -> &[u8] {
    let (mut start, mut at) = (0, 0);
    while at < glob.len() {
        at = match glob[at] {
            b'[' => class_end(glob, at),
            b'\\' => at + 2,
            _ => at + 1,
        };
        if at <= glob.len() && glob[at - 1] == b'/' {
            start = at;
        }
    }
    &glob[start..]
}

/// Where the class that begins at `start` is over: behind the first `]` that is not its first
/// member. The rewrite lists members as they are, without escapes.
fn class_end(glob: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    if matches!(glob.get(at), Some(b'!' | b'^')) {
        at += 1;
    }
    at += 1;
    while glob.get(at).is_some_and(|&byte| byte != b']') {
        at += 1;
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick(globs: &[&str]) -> Quick {
        let mut quick = Quick::default();
        for glob in globs {
            quick.add(glob);
        }
        quick
    }

    #[test]
    fn conditions() {
        for (glob, yes, no) in [
            ("**/*.o", "a.o", "a.c"),
            ("**/.*", ".git", "a.git"),
            ("**/*.c.[012]*.*", "x.c.0.x", "x.c"),
            ("/vmlinux", "vmlinux", "linux"),
            ("/a/vmlinux*", "vmlinux.o", "linux"),
            ("**/*.tab.[ch]", "x.tab.c", "x.c"),
            ("!**/dir/", "dir", "file"),
            ("/a\\*b", "a*b", "ab"),
            ("**/a\\{b", "a{b", "a"),
            ("**/a[^/x]", "ab", "b"),
            ("**/a[^]/x]b", "acb", "ac"),
            ("**/*longer-than-eight", "x-longer-than-eight", "longer-than-nine"),
            ("**/longer-than-eight*", "longer-than-eight-x", "longer"),
            ("**/*than-eight", "than-eight", "n-eight"),
            ("**/*.a", ".a", "a"),
            ("**/[xy]*mid*[xy]", "x-mid-y", "x-mod-y"),
        ] {
            let quick = quick(&[glob]);
            assert!(quick.may_match(yes.as_bytes()), "{glob} may match {yes}");
            assert!(!quick.may_match(no.as_bytes()), "{glob} cannot match {no}");
        }
        for glob in ["**/*", "**/?", "/a/**", "**/[ab]*", "**"] {
            assert!(quick(&[glob]).may_match(b"anything"), "{glob}");
        }
        assert!(!quick(&[]).may_match(b"a"));
    }
}
