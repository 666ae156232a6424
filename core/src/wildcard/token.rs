//! Tokens, the steps of patterns of every dialect.

use std::fmt;

/// A byte, or a whole non-ASCII line end that IntelliJ's dialect reads as one symbol (256 and above).
pub(crate) type Symbol = u16;

/// One step of a pattern.
///
/// Runs sort first, so a node of a trie has them before its literals. A separator is `/`, or `.` in the class
/// names of IntelliJ's dialect, in which no run but [`Token::Segment`] contains a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Token {
    /// Any run, separators included: gitignore's `**` at the end, IntelliJ's `*`.
    Anything,
    /// Any run without separators: `*` of gitignore and globs, IntelliJ's `**`.
    Segment,
    /// Nothing, or any run and the separator after it: `**/` of gitignore and globs, the second `/` of IntelliJ's `//`.
    Directories,
    /// One byte that is not a separator: `?`.
    AnyByte,
    /// An ASCII letter in either case, stored in lower case.
    Letter(u8),
    /// One byte of a class, given by its index in the pattern's list.
    Class(u16),
    /// The symbol itself.
    Literal(Symbol),
}

impl Token {
    /// The separator of paths.
    pub(crate) const SLASH: Token = Token::Literal(b'/' as Symbol);

    /// Returns whether the token may match more or less than one symbol.
    pub(crate) const fn is_run(self) -> bool {
        matches!(self, Token::Anything | Token::Segment | Token::Directories)
    }
}

/// A set of bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const fn contains(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] & (1 << (byte & 63)) != 0
    }

    pub(crate) const fn insert(&mut self, byte: u8) {
        self.0[(byte >> 6) as usize] |= 1 << (byte & 63);
    }

    pub(crate) const fn remove(&mut self, byte: u8) {
        self.0[(byte >> 6) as usize] &= !(1 << (byte & 63));
    }

    pub(crate) fn insert_range(&mut self, first: u8, last: u8) {
        (first..=last).for_each(|byte| self.insert(byte));
    }

    /// Adds each ASCII letter whose other case is in the set.
    pub(crate) fn fold(&mut self) {
        for lower in b'a'..=b'z' {
            let upper = lower.to_ascii_uppercase();
            if self.contains(lower) || self.contains(upper) {
                self.insert(lower);
                self.insert(upper);
            }
        }
    }

    pub(crate) fn invert(&mut self) {
        self.0 = self.0.map(|bits| !bits);
    }

    /// Returns the bytes of the set in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|&byte| self.contains(byte))
    }

    /// Returns the number of bytes in the set.
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Returns the non-ASCII part of the set, one bit per byte.
    pub(crate) const fn beyond_ascii(&self) -> [u64; 2] {
        [self.0[2], self.0[3]]
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: Vec<u8> = self.iter().collect();
        write!(f, "[{}]", bytes.escape_ascii())
    }
}

/// A pattern that [`Pattern::matches`] compares with a whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(super) tokens: Box<[Token]>,
    pub(super) classes: Box<[ByteSet]>,
    /// The index of the token after the last run: from there on each token matches one byte.
    pub(super) tail: usize,
}

impl Pattern {
    pub(crate) fn new(tokens: Vec<Token>, classes: Vec<ByteSet>) -> Pattern {
        let tail = tokens.iter().rposition(|token| token.is_run()).map_or(0, |at| at + 1);
        Pattern { tokens: tokens.into(), classes: classes.into(), tail }
    }

    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }
}

/// Tokens of a pattern being read.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    classes: Vec<ByteSet>,
    /// Whether ASCII letters match in either case.
    folds: bool,
}

impl Tokens {
    pub(super) fn new(folds: bool) -> Tokens {
        Tokens { folds, ..Tokens::default() }
    }

    pub(super) fn push_literal(&mut self, byte: u8) {
        self.list.push(match self.folds && byte.is_ascii_alphabetic() {
            true => Token::Letter(byte.to_ascii_lowercase()),
            false => Token::Literal(Symbol::from(byte)),
        });
    }

    /// Pushes a run of bytes, unless the run before it already covers both.
    pub(super) fn push_run(&mut self, run: Token) {
        match (self.list.last(), run) {
            (Some(last), run) if *last == run => {}
            (Some(Token::Directories), Token::Anything) => {
                self.list.pop();
                self.list.push(run);
            }
            _ => self.list.push(run),
        }
    }

    /// Pushes a token for one byte of `listed`, or of its complement if `negated`, but for no separator if
    /// `confined`. A single remaining byte becomes a literal. Returns false if no byte remains.
    pub(super) fn push_class(
        &mut self,
        mut listed: ByteSet,
        negated: bool,
        confined: bool,
    ) -> bool {
        if self.folds {
            listed.fold();
        }
        if negated {
            listed.invert();
        }
        if confined {
            listed.remove(b'/');
        }
        match listed.len() {
            0 => return false,
            1 => listed.iter().for_each(|byte| self.push_literal(byte)),
            _ => {
                // A pattern has at most 4 KiB, and a class takes three bytes of it.
                let at = u16::try_from(self.classes.len()).unwrap_or(u16::MAX);
                self.classes.push(listed);
                self.list.push(Token::Class(at));
            }
        }
        true
    }

    pub(super) fn into_pattern(self) -> Pattern {
        Pattern::new(self.list, self.classes)
    }
}
