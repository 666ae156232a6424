//! Bodies compiled together, and matching paths with them.

use super::cache::{Cache, StateId};
use super::tokens::{N_SYMBOLS, Separator, is_line_end, symbols, tokenize};
use super::trie::Trie;
use crate::wildcard::limits::{BODIES_BYTES_MAX, BODIES_WILDCARDS_MAX};
use crate::wildcard::token::Symbol;
use std::fmt;

/// Bodies compiled together: immutable, and shared by all threads.
#[derive(Debug)]
pub(crate) struct Bodies {
    pub(super) trie: Trie,
    pub(super) classes: Classes,
}

/// Error for too many bodies, or too many wildcards in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TooComplex {
    Text(usize),
    Wildcards(usize),
}

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooComplex::Text(n) => {
                write!(f, "the patterns have {n} bytes; at most {BODIES_BYTES_MAX} are allowed")
            }
            TooComplex::Wildcards(n) => {
                write!(
                    f,
                    "the patterns have {n} different wildcards; at most {BODIES_WILDCARDS_MAX} \
                     are allowed"
                )
            }
        }
    }
}

impl Bodies {
    /// Compiles `bodies`; the id of a body is its index among them.
    pub(crate) fn new(separator: Separator, bodies: &[&str]) -> Result<Bodies, TooComplex> {
        let n_bytes: usize = bodies.iter().map(|body| body.len()).sum();
        if n_bytes > BODIES_BYTES_MAX || bodies.len() > BODIES_BYTES_MAX {
            return Err(TooComplex::Text(n_bytes.max(bodies.len())));
        }
        let trie = Trie::new(bodies.iter().map(|body| tokenize(separator, body)).collect());
        if trie.n_wildcards() > BODIES_WILDCARDS_MAX {
            return Err(TooComplex::Wildcards(trie.n_wildcards()));
        }
        let classes = Classes::new(separator, &trie);
        Ok(Bodies { trie, classes })
    }

    /// Returns whether there are no bodies.
    pub(crate) fn is_empty(&self) -> bool {
        self.trie.ranks(0).is_empty()
    }

    /// Returns the memory that a thread needs to match paths.
    pub(crate) fn cache(&self) -> Cache {
        Cache::new(self)
    }

    /// Returns the state before any input.
    pub(crate) fn start(&self, cache: &mut Cache) -> StateId {
        cache.start(self)
    }

    /// Returns the state after `bytes` more. They must not split a character: paths arrive name by name.
    ///
    /// `state` must belong to the cache's current generation; so does the returned one.
    pub(crate) fn step(&self, cache: &mut Cache, state: StateId, bytes: &[u8]) -> StateId {
        let (mut state, mut bytes) = (state, bytes);
        if cache.is_dead(state) {
            return state;
        }
        // Line ends outside ASCII begin with one of these.
        if memchr::memchr2(0xC2, 0xE2, bytes).is_some() {
            for symbol in symbols(bytes) {
                state = cache.next(self, state, self.classes.of(symbol));
            }
            return state;
        }
        loop {
            (state, bytes) = cache.read_known(&self.classes.of_bytes, state, bytes);
            let Some((&byte, rest)) = bytes.split_first() else { return state };
            state = cache.next(self, state, self.classes.of(Symbol::from(byte)));
            bytes = rest;
        }
    }
}

/// Equivalence classes of symbols: no body distinguishes the symbols of one class.
#[derive(Debug)]
pub(super) struct Classes {
    of_bytes: [u8; 256],
    /// The classes of the symbols that are not bytes.
    of_others: [u8; N_SYMBOLS - 256],
    /// One symbol of each class.
    examples: Vec<Symbol>,
    separator: Symbol,
}

impl Classes {
    fn new(separator: Separator, trie: &Trie) -> Classes {
        let separator = separator.symbol();
        let mut is_alone = vec![false; N_SYMBOLS];
        for symbol in trie.literals().chain([separator]) {
            is_alone[usize::from(symbol)] = true;
        }
        let (of_bytes, of_others) = ([0; 256], [0; N_SYMBOLS - 256]);
        let mut classes = Classes { of_bytes, of_others, examples: Vec::new(), separator };
        let (mut line_ends, mut others) = (None, None);
        let mut of = Vec::with_capacity(N_SYMBOLS);
        for (symbol, is_alone) in (0..).zip(is_alone) {
            of.push(match (is_alone, is_line_end(symbol)) {
                (true, _) => classes.add(symbol),
                (false, true) => *line_ends.get_or_insert_with(|| classes.add(symbol)),
                (false, false) => *others.get_or_insert_with(|| classes.add(symbol)),
            });
        }
        let (of_bytes, of_others) = of.split_at(classes.of_bytes.len());
        classes.of_bytes.copy_from_slice(of_bytes);
        classes.of_others.copy_from_slice(of_others);
        classes
    }

    fn add(&mut self, example: Symbol) -> u8 {
        self.examples.push(example);
        // Thirteen bytes never occur in UTF-8, so no body contains them: the number of classes fits in a
        // byte.
        u8::try_from(self.examples.len() - 1).unwrap_or(u8::MAX)
    }

    pub(super) fn len(&self) -> usize {
        self.examples.len()
    }

    fn of(&self, symbol: Symbol) -> u8 {
        match u8::try_from(symbol) {
            Ok(byte) => self.of_bytes[usize::from(byte)],
            Err(_) => self.of_others[usize::from(symbol) - self.of_bytes.len()],
        }
    }

    pub(super) fn example(&self, class: u8) -> Symbol {
        self.examples[usize::from(class)]
    }

    pub(super) fn separator(&self) -> Symbol {
        self.separator
    }
}
