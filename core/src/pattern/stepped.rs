//! An engine that can be interrupted inside one long text.
//!
//! A call of the ordinary engine cannot be interrupted and may take minutes on a megabyte. This
//! engine feeds the lazy DFA byte by byte and polls the budget in between. Where the DFA quits (a
//! Unicode word boundary beside a non-ASCII character), it simulates the NFA instead. The matches
//! are those of the ordinary engine: leftmost, first alternative.
//!
//! A search runs forward to the end of the match, then backward over the same bytes to its start.
//! Both runs read the byte before the match and the byte after it, because look-around at either
//! end depends on them; a run over the bare range would see a text boundary there. Splitting the
//! text into windows for the ordinary engine was rejected: a match may span any number of them.

use super::simulate;
use crate::budget::{Budget, Stopped};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{Compiler, Config, NFA, WhichCaptures};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;
use std::ops::Range;
use std::sync::OnceLock;

/// Work between two polls: bytes times NFA states. A step that builds a DFA state visits all NFA
/// states, at about a nanosecond each, so polls are a few milliseconds apart in the worst case.
const WORK_PER_POLL: usize = 2_000_000;
const BYTES_PER_POLL_MAX: usize = 1_024;
/// Reverse and forward automata share this much memory each, per thread.
const CACHE_BYTES: usize = 4 * 1024 * 1024;

/// Automata of a pattern. Each DFA is built on first use: the reverse DFA of a large pattern takes
/// some 30 ms, and only a match needs it.
#[derive(Debug)]
pub(super) struct Stepped {
    nfa: NFA,
    hir: Hir,
    forward: OnceLock<Option<Box<DFA>>>,
    reverse: OnceLock<Option<Box<DFA>>>,
}

/// The caches with which one thread runs a [`Stepped`].
#[derive(Debug, Default)]
pub(super) struct StepCaches {
    forward: Option<Cache>,
    reverse: Option<Cache>,
}

/// Reason why the DFA did not answer.
enum GaveUp {
    Stopped,
    /// The DFA met a byte that it cannot judge.
    Quit,
}

impl From<Stopped> for GaveUp {
    fn from(Stopped: Stopped) -> GaveUp {
        GaveUp::Stopped
    }
}

impl Stepped {
    /// Compiles the automaton, or returns the reason why it cannot be compiled.
    pub(super) fn new(hir: &Hir, size_bytes_max: usize) -> Result<Stepped, String> {
        let nfa = compile(hir, size_bytes_max, false)?;
        let (forward, reverse) = (OnceLock::new(), OnceLock::new());
        Ok(Stepped { nfa, hir: hir.clone(), forward, reverse })
    }

    /// Returns the number of NFA states, which bounds the cost of one byte.
    pub(super) fn states(&self) -> usize {
        self.nfa.states().len()
    }

    /// Finds the first match in `text` that starts at `at` or later. With `earliest`, returns the match
    /// that ends first.
    pub(super) fn find(
        &self,
        memory: &mut StepCaches,
        text: &[u8],
        at: usize,
        earliest: bool,
        budget: &Budget,
    ) -> Result<Option<Range<usize>>, Stopped> {
        match self.find_by_dfa(memory, text, at, earliest, budget) {
            Ok(found) => return Ok(found),
            Err(GaveUp::Stopped) => return Err(Stopped),
            Err(GaveUp::Quit) => {}
        }
        simulate::find(&self.nfa, text, at, earliest, budget)
    }

    #[cfg(test)]
    pub(super) fn simulated(
        &self,
        text: &[u8],
        at: usize,
        earliest: bool,
        budget: &Budget,
    ) -> Result<Option<Range<usize>>, Stopped> {
        simulate::find(&self.nfa, text, at, earliest, budget)
    }

    fn find_by_dfa(
        &self,
        memory: &mut StepCaches,
        text: &[u8],
        at: usize,
        earliest: bool,
        budget: &Budget,
    ) -> Result<Option<Range<usize>>, GaveUp> {
        let bytes_per_poll = (WORK_PER_POLL / self.states().max(1)).clamp(16, BYTES_PER_POLL_MAX);
        let mut poll = Poll { budget, left: bytes_per_poll, every: bytes_per_poll };
        let dfa = self.forward.get_or_init(|| dfa(self.nfa.clone(), MatchKind::LeftmostFirst));
        let dfa = dfa.as_deref().ok_or(GaveUp::Quit)?;
        let cache = memory.forward.get_or_insert_with(|| dfa.create_cache());
        let Some(end) = forward(dfa, cache, text, at, earliest, &mut poll)? else {
            return Ok(None);
        };
        let dfa = self.reverse.get_or_init(|| {
            let nfa = compile(&self.hir, usize::MAX, true).ok()?;
            self::dfa(nfa, MatchKind::All)
        });
        let dfa = dfa.as_deref().ok_or(GaveUp::Quit)?;
        let cache = memory.reverse.get_or_insert_with(|| dfa.create_cache());
        let start = backward(dfa, cache, text, at..end, &mut poll)?;
        Ok(Some(start..end))
    }
}

/// Builds a lazy DFA, or returns `None` if the pattern needs a feature that DFAs lack.
fn dfa(nfa: NFA, kind: MatchKind) -> Option<Box<DFA>> {
    let config = DFA::config()
        .match_kind(kind)
        .cache_capacity(CACHE_BYTES)
        .skip_cache_capacity_check(true)
        .unicode_word_boundary(true);
    DFA::builder().configure(config).build_from_nfa(nfa).ok().map(Box::new)
}

struct Poll<'a> {
    budget: &'a Budget,
    left: usize,
    every: usize,
}

impl Poll<'_> {
    fn step(&mut self) -> Result<(), Stopped> {
        self.left -= 1;
        if self.left == 0 {
            self.left = self.every;
            self.budget.poll_clock()?;
        }
        Ok(())
    }
}

/// Returns the end of the leftmost match, or with `earliest` the first position where a match ends.
fn forward(
    dfa: &DFA,
    cache: &mut Cache,
    text: &[u8],
    at: usize,
    earliest: bool,
    poll: &mut Poll<'_>,
) -> Result<Option<usize>, GaveUp> {
    let input = Input::new(text).range(at..);
    let mut state = dfa.start_state_forward(cache, &input).map_err(|_| GaveUp::Quit)?;
    let mut end = None;
    for (index, &byte) in text.iter().enumerate().skip(at) {
        poll.step()?;
        state = dfa.next_state(cache, state, byte).map_err(|_| GaveUp::Quit)?;
        if state.is_tagged() {
            if state.is_match() {
                // The DFA reports a match one byte late.
                end = Some(index);
                if earliest {
                    return Ok(end);
                }
            } else if state.is_dead() {
                return Ok(end);
            } else if state.is_quit() {
                return Err(GaveUp::Quit);
            }
        }
    }
    state = dfa.next_eoi_state(cache, state).map_err(|_| GaveUp::Quit)?;
    Ok(if state.is_match() { Some(text.len()) } else { end })
}

/// Returns the start of the match that ends at the end of `range`.
fn backward(
    dfa: &DFA,
    cache: &mut Cache,
    text: &[u8],
    range: Range<usize>,
    poll: &mut Poll<'_>,
) -> Result<usize, GaveUp> {
    let input = Input::new(text).range(range.clone()).anchored(Anchored::Yes);
    let mut state = dfa.start_state_reverse(cache, &input).map_err(|_| GaveUp::Quit)?;
    let mut start = None;
    for index in range.clone().rev() {
        poll.step()?;
        state = dfa.next_state(cache, state, text[index]).map_err(|_| GaveUp::Quit)?;
        if state.is_tagged() {
            if state.is_match() {
                start = Some(index + 1);
            } else if state.is_dead() {
                return start.ok_or(GaveUp::Quit);
            } else if state.is_quit() {
                return Err(GaveUp::Quit);
            }
        }
    }
    // The byte before the range decides look-behind, as it did in the forward run.
    state = match range.start.checked_sub(1) {
        Some(before) => dfa.next_state(cache, state, text[before]),
        None => dfa.next_eoi_state(cache, state),
    }
    .map_err(|_| GaveUp::Quit)?;
    if state.is_match() {
        start = Some(range.start);
    }
    start.ok_or(GaveUp::Quit)
}

fn compile(hir: &Hir, size_bytes_max: usize, reverse: bool) -> Result<NFA, String> {
    let config = Config::new()
        .utf8(false)
        .reverse(reverse)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(size_bytes_max));
    Compiler::new().configure(config).build_from_hir(hir).map_err(|error| {
        match error.size_limit() {
            Some(limit) => format!("the compiled pattern is larger than {limit} bytes"),
            None => error.to_string(),
        }
    })
}
