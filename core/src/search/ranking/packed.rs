//! Packed counters: a common word is in tens of thousands of files, and a call keeps the counters of all of them
//! until it knows the rarity of every term.
//!
//! A file takes some 30 bytes, because a number takes no more bytes than it needs and a term that the file does
//! not have takes none. Fractions keep every bit, so that ranks do not depend on the packing; their bits are
//! reversed, because those of small whole numbers end in zeros. Narrower counters with saturation were rejected:
//! they would change the ranks of long files and save less.

use super::counts::NameCounts;
use super::path::Part;
use super::{FileCounts, Terms};

/// Number of files after which a position is noted.
const GROUP: usize = 16;

/// Flags in the first number of a file; its part follows them.
const HAS_PATH: u64 = 1;
const HAS_TEXT: u64 = 2;
const MAY_HAVE_PHRASE: u64 = 4;
const IS_PARTIAL: u64 = 8;
const PART_SHIFT: u32 = 4;

/// Flags of a name.
const IS_DEFINED: u64 = 1;
const IS_TYPE: u64 = 2;

/// The counters of one file.
pub(crate) struct PackedCounts(Box<[u8]>);

/// The counters of many files, in the order in which they were added.
#[derive(Default)]
pub(in crate::search) struct CountList {
    bytes: Vec<u8>,
    /// The position of every `GROUP`th file.
    groups: Vec<usize>,
    len: usize,
}

impl CountList {
    pub(in crate::search) fn push(&mut self, counts: &PackedCounts) {
        if self.len.is_multiple_of(GROUP) {
            self.groups.push(self.bytes.len());
        }
        self.bytes.extend_from_slice(&counts.0);
        self.len += 1;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Unpacks the counters of each file, in order.
    pub(super) fn for_each(&self, terms: &Terms, visit: &mut dyn FnMut(&FileCounts)) {
        let mut counts = FileCounts::default();
        let mut unpacker = Unpacker { terms, bytes: &self.bytes };
        for _ in 0..self.len {
            unpacker.unpack(&mut counts);
            visit(&counts);
        }
    }

    /// Unpacks the counters of the file at `index`.
    pub(super) fn get(&self, terms: &Terms, index: usize) -> FileCounts {
        let mut counts = FileCounts::default();
        let mut unpacker = Unpacker { terms, bytes: &self.bytes[self.groups[index / GROUP]..] };
        for _ in 0..=index % GROUP {
            unpacker.unpack(&mut counts);
        }
        counts
    }
}

impl PackedCounts {
    pub(super) fn of(counts: &FileCounts) -> PackedCounts {
        let mut packer = Packer(Vec::with_capacity(64));
        packer.pack(counts);
        PackedCounts(packer.0.into())
    }

    /// Returns its size in memory.
    pub(super) fn weight(&self) -> usize {
        size_of::<PackedCounts>() + self.0.len()
    }
}

struct Packer(Vec<u8>);

impl Packer {
    fn pack(&mut self, counts: &FileCounts) {
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        let has_path = !counts.path.is_empty();
        let has_text = !counts.in_text.is_empty();
        self.put(
            flag(has_path, HAS_PATH)
                | flag(has_text, HAS_TEXT)
                | flag(counts.may_have_phrase, MAY_HAVE_PHRASE)
                | flag(counts.is_partial, IS_PARTIAL)
                | (counts.part as u64) << PART_SHIFT,
        );
        self.put(counts.size);
        if has_path {
            let path = &counts.path;
            self.put_lists(&[&path.in_name, &path.in_dirs]);
            self.put_fraction(path.explained);
            self.put_fraction(path.spelled);
            self.put(path.names.into());
        }
        if !has_text {
            return;
        }
        let set = self.put_lists(&[&counts.in_text, &counts.in_definitions, &counts.in_window]);
        for_each_in(set, |term| self.put(counts.n_blocks[term].into()));
        for name in &counts.names {
            self.put(flag(name.is_defined, IS_DEFINED) | flag(name.is_type, IS_TYPE));
            self.put_fraction(name.similar);
            self.put_fraction(name.similar_defined);
        }
        let (first, last) = counts.window;
        self.put(first);
        self.put(last.wrapping_sub(first));
        self.put(counts.in_line.into());
        self.put(counts.in_full.into());
        self.put(counts.only_joined.into());
        self.put(counts.in_rest.into());
    }

    /// Adds the terms that any list has, as a set, and their numbers. Returns the set.
    fn put_lists(&mut self, lists: &[&[f32]]) -> u32 {
        let mut set = 0;
        for list in lists {
            let has = |set: u32, (term, n): (usize, &f32)| set | u32::from(*n != 0.0) << term;
            set = list.iter().enumerate().fold(set, has);
        }
        self.put(set.into());
        for list in lists {
            for_each_in(set, |term| self.put_fraction(list[term]));
        }
        set
    }

    fn put_fraction(&mut self, n: f32) {
        self.put(n.to_bits().reverse_bits().into());
    }

    /// Adds a number, seven bits a byte, the lowest first.
    fn put(&mut self, mut n: u64) {
        while n > 0x7f {
            self.0.push((n & 0x7f) as u8 | 0x80);
            n >>= 7;
        }
        self.0.push((n & 0x7f) as u8);
    }
}

struct Unpacker<'a> {
    terms: &'a Terms,
    /// Those of the next file and the ones after it.
    bytes: &'a [u8],
}

impl Unpacker<'_> {
    /// Unpacks the next file, reusing the memory of `counts`.
    fn unpack(&mut self, counts: &mut FileCounts) {
        let flags = self.read();
        counts.part = Part::ALL[(flags >> PART_SHIFT & 7) as usize];
        counts.may_have_phrase = flags & MAY_HAVE_PHRASE != 0;
        counts.is_partial = flags & IS_PARTIAL != 0;
        counts.size = self.read();
        let path = &mut counts.path;
        self.read_lists(flags & HAS_PATH != 0, [&mut path.in_name, &mut path.in_dirs]);
        if flags & HAS_PATH != 0 {
            (path.explained, path.spelled) = (self.read_fraction(), self.read_fraction());
            path.names = self.read_u32();
        } else {
            (path.explained, path.spelled, path.names) = (0.0, 0.0, 0);
        }
        let has_text = flags & HAS_TEXT != 0;
        let FileCounts { in_text, in_definitions, in_window, n_blocks, names, .. } = counts;
        let set = self.read_lists(has_text, [in_text, in_definitions, in_window]);
        n_blocks.clear();
        names.clear();
        if !has_text {
            (counts.window, counts.in_line) = ((0, 0), 0);
            (counts.in_full, counts.only_joined, counts.in_rest) = (0, 0, 0);
            return;
        }
        n_blocks.resize(self.terms.len(), 0);
        for_each_in(set, |term| n_blocks[term] = self.read_u32());
        for _ in &self.terms.names {
            let flags = self.read();
            names.push(NameCounts {
                is_defined: flags & IS_DEFINED != 0,
                is_type: flags & IS_TYPE != 0,
                similar: self.read_fraction(),
                similar_defined: self.read_fraction(),
            });
        }
        let first = self.read();
        counts.window = (first, first.wrapping_add(self.read()));
        counts.in_line = self.read_u32();
        counts.in_full = self.read_u32();
        counts.only_joined = self.read_u32();
        counts.in_rest = self.read_u32();
    }

    /// Reads what `put_lists` added, if it added anything. Returns the set of terms.
    fn read_lists<const N: usize>(&mut self, is_there: bool, lists: [&mut Vec<f32>; N]) -> u32 {
        let (n_terms, set) = if is_there { (self.terms.len(), self.read_u32()) } else { (0, 0) };
        for list in lists {
            list.clear();
            list.resize(n_terms, 0.0);
            for_each_in(set, |term| list[term] = self.read_fraction());
        }
        set
    }

    fn read_fraction(&mut self) -> f32 {
        f32::from_bits(self.read_u32().reverse_bits())
    }

    fn read_u32(&mut self) -> u32 {
        u32::try_from(self.read()).unwrap_or_default()
    }

    fn read(&mut self) -> u64 {
        let (mut n, mut shift) = (0, 0);
        while let [byte, rest @ ..] = self.bytes {
            self.bytes = rest;
            n |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if *byte < 0x80 {
                break;
            }
        }
        n
    }
}

fn for_each_in(mut set: u32, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Beginnings;
    use super::super::counter::{Sought, TextCounter};
    use super::*;
    use crate::search::{FileMatches, Line};

    fn counted(terms: &Terms, path: &str, lines: &[&str]) -> FileCounts {
        let mut found = FileMatches::empty();
        found.lines = lines.iter().zip(1..).map(|(text, n)| Line::whole(n * 7, text)).collect();
        let beginnings = Beginnings::of(terms).expect("they are words");
        let mut counter = TextCounter::default();
        counter.start(terms);
        counter.count_lines(Sought { terms, beginnings: Some(&beginnings) }, &found);
        FileCounts::of(terms, path, &mut counter).expect("it has a term")
    }

    #[test]
    fn packing_keeps_every_bit() {
        let names = ["RetryPolicy".to_owned(), "mutex_lock".to_owned()];
        let terms = Terms::of_question("RetryPolicy of mutex_lock in requests", &names, false);
        let lines = ["class RetryPolicy:", "req = policies + 1", "  mutex_lock(retries)", "retry"];
        let mut files = vec![
            counted(&terms, "src/retry/policy.py", &lines),
            counted(&terms, "tests/a.rs", &lines[1..2]),
            counted(&terms, "docs/retry.md", &[]),
            counted(&terms, "a.c", &lines.repeat(400)),
        ];
        files[1].size = u64::MAX;
        files[1].window = (u64::MAX - 3, u64::MAX);
        files[1].in_full = u32::MAX;
        files[1].only_joined = u32::MAX - 5;
        files[1].in_text[0] = 16_777_215.5;
        files[1].in_window[1] = f32::MIN_POSITIVE;
        files[2].may_have_phrase = true;
        files[2].is_partial = true;
        for (file, part) in files.iter_mut().zip(&Part::ALL[2..]) {
            file.part = *part;
        }
        let files: Vec<FileCounts> = files.into_iter().cycle().take(3 * GROUP + 5).collect();
        let mut list = CountList::default();
        files.iter().for_each(|counts| list.push(&PackedCounts::of(counts)));
        let mut unpacked = Vec::new();
        list.for_each(&terms, &mut |counts| unpacked.push(counts.clone()));
        assert_eq!(unpacked, files);
        for (at, counts) in files.iter().enumerate() {
            assert_eq!(list.get(&terms, at), *counts, "{at}");
        }
    }

    #[test]
    fn a_file_with_a_few_terms_takes_few_bytes() {
        let terms = Terms::of_question("how are requests retried after a timeout", &[], false);
        let counts = counted(&terms, "src/net.rs", &["fn retry(request: Request) {", "retries"]);
        let packed = PackedCounts::of(&counts).0.len();
        assert!(packed <= 48, "{packed}");
        let path_only = counted(&terms, "src/timeout.rs", &[]);
        assert!(PackedCounts::of(&path_only).0.len() <= 16);
    }
}
