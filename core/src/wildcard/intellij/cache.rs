//! The deterministic automaton over the trie, built state by state as paths need it.
//!
//! A state is the set of places in the trie that the input read so far may lead to. Each thread keeps its
//! states up to a memory limit; then it forgets all of them and starts a new generation. Building the whole
//! automaton in advance was rejected: the number of its states can be exponential in the number of wildcards,
//! and paths visit few of them.

use super::Bodies;
use super::tokens::is_line_end;
use super::trie::{NodeId, Rank, Trie};
use crate::wildcard::token::{Symbol, Token};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum memory of one thread, in bytes.
const BYTES_MAX: usize = 8 * 1024 * 1024;

/// Approximate memory of a state or a set in addition to its content.
const OVERHEAD_BYTES: usize = 128;

/// A state that is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// A place in the trie: twice a node, plus one while the run of its `(.*/)?` is being read.
type Place = u32;

/// Ranges of ranks, ascending and disjoint, with neighbours joined.
type RankRanges = Vec<(Rank, Rank)>;

/// A state, valid in one generation of one cache: the start of its row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StateId(u32);

/// A set of bodies, valid in one generation of one cache. Equal sets have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SetId(u32);

/// The state in which no body can match any more.
const DEAD: StateId = StateId(0);

/// The part of the automaton of one [`Bodies`] that a thread has built.
#[derive(Debug)]
pub(crate) struct Cache {
    generation: u64,
    /// One row per state, with the next state for each class of symbols.
    table: Vec<u32>,
    /// The length of a row is two to the power of this.
    row_bits: u32,
    states: Vec<State>,
    by_places: HashMap<Arc<[Place]>, StateId>,
    /// The bodies of each set.
    sets: Vec<Box<[u32]>>,
    by_ranges: HashMap<RankRanges, SetId>,
    start: Option<StateId>,
    bytes: usize,
    bytes_max: usize,
    /// The places of the state being built.
    places: Vec<Place>,
    /// One bit for each of these places.
    seen: Vec<u64>,
    /// Nodes still to be entered.
    entering: Vec<NodeId>,
}

#[derive(Debug)]
struct State {
    places: Arc<[Place]>,
    accepted: SetId,
    alive: SetId,
}

impl Cache {
    pub(super) fn new(bodies: &Bodies) -> Cache {
        Cache::with_limit(bodies, BYTES_MAX)
    }

    pub(super) fn with_limit(bodies: &Bodies, bytes_max: usize) -> Cache {
        let mut cache = Cache {
            generation: 0,
            table: Vec::new(),
            row_bits: bodies.classes.len().next_power_of_two().trailing_zeros(),
            states: Vec::new(),
            by_places: HashMap::new(),
            sets: Vec::new(),
            by_ranges: HashMap::new(),
            start: None,
            bytes: 0,
            bytes_max,
            places: Vec::new(),
            seen: vec![0; (2 * bodies.trie.len()).div_ceil(64)],
            entering: Vec::new(),
        };
        cache.add_dead_state(&bodies.trie);
        cache
    }

    /// Returns the number of times everything was forgotten, which invalidates all earlier ids.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the bodies that match the input read so far.
    pub(crate) fn accepted(&self, state: StateId) -> SetId {
        self.states[self.index(state)].accepted
    }

    /// Returns the bodies that match the input read so far, or a continuation of it.
    pub(crate) fn alive(&self, state: StateId) -> SetId {
        self.states[self.index(state)].alive
    }

    /// Returns the bodies of a set, in order.
    pub(crate) fn ids(&self, set: SetId) -> &[u32] {
        &self.sets[set.0 as usize]
    }

    /// Returns whether no body matches, whatever input follows.
    pub(crate) fn is_dead(&self, state: StateId) -> bool {
        state == DEAD
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn start(&mut self, bodies: &Bodies) -> StateId {
        if let Some(start) = self.start {
            return start;
        }
        // Without bodies even the start is dead.
        if !bodies.trie.ranks(0).is_empty() {
            self.enter(&bodies.trie, 0);
        }
        let start = self.state(bodies);
        self.start = Some(start);
        start
    }

    /// Reads bytes while the next state is known; returns the state reached and the rest. The rest is empty
    /// once no body can match.
    pub(super) fn read_known<'a>(
        &self,
        classes: &[u8; 256],
        state: StateId,
        bytes: &'a [u8],
    ) -> (StateId, &'a [u8]) {
        let mut row = state.0;
        for (at, &byte) in bytes.iter().enumerate() {
            match self.table[row as usize | usize::from(classes[usize::from(byte)])] {
                UNKNOWN => return (StateId(row), &bytes[at..]),
                next => row = next,
            }
            if StateId(row) == DEAD {
                break;
            }
        }
        (StateId(row), &[])
    }

    /// Returns the state after one symbol of a class.
    pub(super) fn next(&mut self, bodies: &Bodies, state: StateId, class: u8) -> StateId {
        // Rows start at multiples of their length.
        match self.table[state.0 as usize | usize::from(class)] {
            UNKNOWN => self.make_next(bodies, state, class),
            next => StateId(next),
        }
    }

    fn index(&self, state: StateId) -> usize {
        state.0 as usize >> self.row_bits
    }

    #[cold]
    fn make_next(&mut self, bodies: &Bodies, state: StateId, class: u8) -> StateId {
        let symbol = bodies.classes.example(class);
        let separator = bodies.classes.separator();
        let trie = &bodies.trie;
        let places = self.states[self.index(state)].places.clone();
        for &place in &*places {
            let node = place / 2;
            if !place.is_multiple_of(2) {
                if !is_line_end(symbol) {
                    self.add(place);
                }
                if symbol == separator {
                    self.enter(trie, node);
                }
                continue;
            }
            match trie.token(node) {
                Some(Token::Anything) if !is_line_end(symbol) => self.enter(trie, node),
                Some(Token::Segment) if symbol != separator => self.enter(trie, node),
                _ => {}
            }
            if let Some(child) = literal_child(trie, node, symbol) {
                self.enter(trie, child);
            }
        }
        let generation = self.generation;
        let next = self.state(bodies);
        if self.generation == generation {
            self.table[state.0 as usize | usize::from(class)] = next.0;
        }
        next
    }

    /// Adds a node and every node reachable from it without input.
    fn enter(&mut self, trie: &Trie, node: NodeId) {
        self.entering.push(node);
        while let Some(node) = self.entering.pop() {
            if !self.add(2 * node) {
                continue;
            }
            for (child, token) in trie.children(node) {
                match token {
                    Token::Anything | Token::Segment => {}
                    Token::Directories => {
                        self.add(2 * child + 1);
                    }
                    // Children are sorted, wildcards first, and bodies contain no tokens but literals and
                    // runs.
                    _ => break,
                }
                self.entering.push(child);
            }
        }
    }

    /// Adds a place; returns whether it is new.
    fn add(&mut self, place: Place) -> bool {
        let (word, bit) = (place as usize / 64, 1 << (place % 64));
        let is_new = self.seen[word] & bit == 0;
        if is_new {
            self.seen[word] |= bit;
            self.places.push(place);
        }
        is_new
    }

    /// Returns the state of the added places, and builds it if it is unknown.
    fn state(&mut self, bodies: &Bodies) -> StateId {
        let mut places = std::mem::take(&mut self.places);
        for &place in &places {
            self.seen[place as usize / 64] = 0;
        }
        places.sort_unstable();
        let state = match self.by_places.get(&*places) {
            Some(&state) => state,
            None => {
                if self.bytes >= self.bytes_max {
                    self.forget(&bodies.trie);
                }
                self.add_state(&bodies.trie, &places)
            }
        };
        places.clear();
        self.places = places;
        state
    }

    fn forget(&mut self, trie: &Trie) {
        self.generation += 1;
        self.table.clear();
        self.states.clear();
        self.by_places.clear();
        self.sets.clear();
        self.by_ranges.clear();
        self.start = None;
        self.bytes = 0;
        self.add_dead_state(trie);
    }

    fn add_dead_state(&mut self, trie: &Trie) {
        self.add_state(trie, &[]);
        // It leads only to itself.
        self.table.fill(DEAD.0);
    }

    fn add_state(&mut self, trie: &Trie, places: &[Place]) -> StateId {
        let is_own = |place: &Place| place.is_multiple_of(2);
        let own = places.iter().copied().filter(is_own).map(|place| trie.own_ranks(place / 2));
        let accepted = self.set(trie, merged(own));
        let alive = self.set(trie, merged(places.iter().map(|place| trie.ranks(place / 2))));
        let row = 1 << self.row_bits;
        // The limit keeps the table far below the range of a `u32`, and a single row always fits.
        let state = StateId(u32::try_from(self.table.len()).unwrap_or(DEAD.0));
        self.table.resize(self.table.len() + row, UNKNOWN);
        let places: Arc<[Place]> = places.into();
        self.bytes += (row + places.len()) * size_of::<u32>() + OVERHEAD_BYTES;
        self.by_places.insert(Arc::clone(&places), state);
        self.states.push(State { places, accepted, alive });
        state
    }

    /// Returns the set of the bodies with some ranks, and adds it if it is unknown.
    fn set(&mut self, trie: &Trie, ranges: RankRanges) -> SetId {
        if let Some(&set) = self.by_ranges.get(&ranges) {
            return set;
        }
        let bodies = ranges.iter().flat_map(|&(start, end)| trie.bodies(start..end));
        let mut bodies: Box<[u32]> = bodies.copied().collect();
        bodies.sort_unstable();
        // At most two sets are added per state, and the limit bounds the states.
        let set = SetId(u32::try_from(self.sets.len()).unwrap_or(u32::MAX));
        self.bytes += (bodies.len() + 2 * ranges.len()) * size_of::<u32>() + OVERHEAD_BYTES;
        self.sets.push(bodies);
        self.by_ranges.insert(ranges, set);
        set
    }
}

/// Returns the child of a node for a symbol.
fn literal_child(trie: &Trie, node: NodeId, symbol: Symbol) -> Option<NodeId> {
    let wanted = Token::Literal(symbol);
    let (child, token) = trie.children(node).find(|(_, token)| *token >= wanted)?;
    (token == wanted).then_some(child)
}

/// Joins ranges that are sorted by their starts.
fn merged(ranges: impl Iterator<Item = std::ops::Range<Rank>>) -> RankRanges {
    let mut merged: RankRanges = Vec::new();
    for range in ranges.filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some((_, end)) if range.start <= *end => *end = (*end).max(range.end),
            _ => merged.push((range.start, range.end)),
        }
    }
    merged
}
