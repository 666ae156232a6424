//! An interruptible simulation of the automaton that evaluates every assertion.
//!
//! The last resort of `stepped`: slower, but without exceptions.
//!
//! This is a Pike VM without captures. All threads advance by one byte together, so the cost of a
//! byte is bounded by the number of states, and the budget can be polled between any two of them.
//! Invariant: the list of threads is in order of priority and contains each state once. A thread
//! that arrives at a state after another one has the lower priority and the same future, so dropping
//! it cannot change the leftmost-first match. Backtracking would be simpler, but its time or its
//! memory grows with the product of text and states, and a line may be arbitrarily long.

use crate::budget::{Budget, Stopped};
use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;
use std::ops::Range;

/// States visited between two polls. An assertion costs some 50 ns, so about a millisecond.
const STEPS_PER_POLL: usize = 20_000;

/// Live threads at one position, in order of priority: each is a state and the start of its match.
struct Threads {
    list: Vec<(StateID, usize)>,
    /// The position at which each state was last added.
    seen: Vec<usize>,
}

impl Threads {
    fn new(states: usize) -> Threads {
        Threads { list: Vec::new(), seen: vec![usize::MAX; states] }
    }
}

/// One run of the automaton over a text.
struct Simulation<'a> {
    nfa: &'a NFA,
    text: &'a [u8],
    budget: &'a Budget,
    steps: usize,
    stack: Vec<StateID>,
}

/// Finds the first match in `text` that starts at `at` or later. With `earliest`, returns the match
/// that ends first.
pub(super) fn find(
    nfa: &NFA,
    text: &[u8],
    at: usize,
    earliest: bool,
    budget: &Budget,
) -> Result<Option<Range<usize>>, Stopped> {
    let mut current = Threads::new(nfa.states().len());
    let mut next = Threads::new(nfa.states().len());
    let mut simulation = Simulation { nfa, text, budget, steps: 0, stack: Vec::new() };
    let mut found: Option<Range<usize>> = None;
    budget.poll_clock()?;
    for here in at..=text.len() {
        if found.is_none() {
            // A thread that begins here has the lowest priority.
            simulation.follow(here, nfa.start_anchored(), here, &mut current)?;
        } else if earliest || current.list.is_empty() {
            break;
        }
        for index in 0..current.list.len() {
            simulation.step()?;
            let (state, start) = current.list[index];
            if let State::Match { .. } = nfa.state(state) {
                // The remaining threads have lower priority.
                found = Some(start..here);
                break;
            }
            if let Some(to) = simulation.after_byte(state, here) {
                simulation.follow(here + 1, to, start, &mut next)?;
            }
        }
        std::mem::swap(&mut current, &mut next);
        next.list.clear();
    }
    Ok(found)
}

impl Simulation<'_> {
    /// Counts a visited state and polls every [`STEPS_PER_POLL`] of them.
    fn step(&mut self) -> Result<(), Stopped> {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_POLL) { self.budget.poll_clock() } else { Ok(()) }
    }

    fn after_byte(&self, state: StateID, here: usize) -> Option<StateID> {
        let byte = *self.text.get(here)?;
        match self.nfa.state(state) {
            State::ByteRange { trans } if trans.matches_byte(byte) => Some(trans.next),
            State::Sparse(sparse) => sparse.matches_byte(byte),
            State::Dense(dense) => dense.matches_byte(byte),
            _ => None,
        }
    }

    /// Adds `state` and all states reachable from it without a byte, in order of priority.
    fn follow(
        &mut self,
        here: usize,
        state: StateID,
        start: usize,
        threads: &mut Threads,
    ) -> Result<(), Stopped> {
        self.stack.push(state);
        while let Some(state) = self.stack.pop() {
            self.step()?;
            if std::mem::replace(&mut threads.seen[state.as_usize()], here) == here {
                continue;
            }
            match self.nfa.state(state) {
                State::Union { alternates } => self.stack.extend(alternates.iter().rev()),
                State::BinaryUnion { alt1, alt2 } => self.stack.extend([alt2, alt1]),
                State::Capture { next, .. } => self.stack.push(*next),
                State::Look { look, next } => {
                    if self.nfa.look_matcher().matches(*look, self.text, here) {
                        self.stack.push(*next);
                    }
                }
                State::Fail => {}
                State::ByteRange { .. }
                | State::Sparse(_)
                | State::Dense(_)
                | State::Match { .. } => threads.list.push((state, start)),
            }
        }
        Ok(())
    }
}
