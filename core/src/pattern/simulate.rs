//! A simulation of the automaton that can be stopped at any byte and judges every assertion.
//!
//! The last resort of `stepped`: slower, but without exceptions. Threads are kept in the order of
//! their priority, so the match is leftmost-first like everywhere.

use crate::budget::{Budget, Stopped};
use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;
use std::ops::Range;

/// Thread steps between two polls, a few milliseconds at worst.
const STEPS_PER_POLL: usize = 200_000;

/// The live threads at one place: a state each, in order of priority, with where its match began.
struct Threads {
    list: Vec<(StateID, usize)>,
    /// For each state, the place at which it was last added.
    seen: Vec<usize>,
}

impl Threads {
    fn new(states: usize) -> Threads {
        Threads { list: Vec::new(), seen: vec![usize::MAX; states] }
    }
}

/// Finds the first match in `text` that starts at `at` or later.
pub(super) fn find(
    nfa: &NFA,
    text: &[u8],
    at: usize,
    budget: &Budget,
) -> Result<Option<Range<usize>>, Stopped> {
    let mut current = Threads::new(nfa.states().len());
    let mut next = Threads::new(nfa.states().len());
    let mut stack = Vec::new();
    let mut found: Option<Range<usize>> = None;
    let mut steps = 0;
    budget.poll_clock()?;
    for here in at..=text.len() {
        if found.is_none() {
            // A thread that begins here has the least priority of all.
            follow(nfa, text, here, nfa.start_anchored(), here, &mut current, &mut stack);
        } else if current.list.is_empty() {
            break;
        }
        steps += current.list.len() + 1;
        if steps > STEPS_PER_POLL {
            steps = 0;
            budget.poll_clock()?;
        }
        for index in 0..current.list.len() {
            let (state, start) = current.list[index];
            let to = match nfa.state(state) {
                State::Match { .. } => {
                    // Threads behind this one could only give a match of less priority.
                    found = Some(start..here);
                    break;
                }
                State::ByteRange { trans }
                    if here < text.len() && trans.matches_byte(text[here]) =>
                {
                    Some(trans.next)
                }
                State::Sparse(sparse) if here < text.len() => sparse.matches_byte(text[here]),
                State::Dense(dense) if here < text.len() => dense.matches_byte(text[here]),
                _ => None,
            };
            if let Some(to) = to {
                follow(nfa, text, here + 1, to, start, &mut next, &mut stack);
            }
        }
        std::mem::swap(&mut current, &mut next);
        next.list.clear();
    }
    Ok(found)
}

/// Adds `state` and everything that it reaches without a byte, in order of priority.
fn follow(
    nfa: &NFA,
    text: &[u8],
    here: usize,
    state: StateID,
    start: usize,
    threads: &mut Threads,
    stack: &mut Vec<StateID>,
) {
    stack.push(state);
    while let Some(state) = stack.pop() {
        if std::mem::replace(&mut threads.seen[state.as_usize()], here) == here {
            continue;
        }
        match nfa.state(state) {
            State::Union { alternates } => stack.extend(alternates.iter().rev()),
            State::BinaryUnion { alt1, alt2 } => stack.extend([alt2, alt1]),
            State::Capture { next, .. } => stack.push(*next),
            State::Look { look, next } => {
                if nfa.look_matcher().matches(*look, text, here) {
                    stack.push(*next);
                }
            }
            State::Fail => {}
            State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) | State::Match { .. } => {
                threads.list.push((state, start));
            }
        }
    }
}
