//! The order of results: the tasks that wait, those that run, and the finished batches after them.

use std::collections::VecDeque;

/// A result of working on a task.
pub(super) enum Produced<T, B> {
    Task(T),
    Batch(Box<B>),
}

/// Identifies a task that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket(u64);

/// The places of the order, first to last.
///
/// A finished task is replaced, in its place, by its results. Invariant: two finished places are never
/// adjacent, and the first place is never finished. At most two places per running task therefore precede the
/// first waiting task, and finding it takes constant time for a given number of threads. Most changes are
/// near the front, where a `VecDeque` shifts only the few places before them.
pub(super) struct Queue<T, B> {
    places: VecDeque<Place<T, B>>,
    n_waiting: usize,
    n_taken: u64,
}

enum Place<T, B> {
    Waiting(T),
    Running(Ticket),
    /// Batches that are finished, in order.
    Done(Vec<Box<B>>),
    /// The work was stopped here: nothing after it may be handed over.
    ///
    /// A cut is never removed. Results after it would leave a gap, and the reply would no longer be a prefix.
    Cut,
}

impl<T, B> Queue<T, B> {
    pub(super) fn new() -> Queue<T, B> {
        Queue { places: VecDeque::new(), n_waiting: 0, n_taken: 0 }
    }

    /// Returns the number of waiting tasks.
    pub(super) fn n_waiting(&self) -> usize {
        self.n_waiting
    }

    /// Returns whether nothing is left: no task, and no finished batch after one.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds a task after all others.
    pub(super) fn push(&mut self, task: T) {
        self.n_waiting += 1;
        self.places.push_back(Place::Waiting(task));
    }

    /// Takes the earliest waiting task; with `only_front`, only if it is before all others.
    pub(super) fn take(&mut self, only_front: bool) -> Option<(Ticket, T)> {
        let n_places = if only_front { 1 } else { self.places.len() };
        let mut places = self.places.iter_mut().take(n_places);
        let place = places.find(|place| matches!(place, Place::Waiting(_)))?;
        let ticket = Ticket(self.n_taken);
        let Place::Waiting(task) = std::mem::replace(place, Place::Running(ticket)) else {
            return None;
        };
        self.n_waiting -= 1;
        self.n_taken += 1;
        Some((ticket, task))
    }

    /// Puts the results of a task in its place; `stopped` if they are incomplete. Hands the batches that no
    /// unfinished task precedes any more to `ready`, in order.
    pub(super) fn put(
        &mut self,
        ticket: Ticket,
        produced: impl Iterator<Item = Produced<T, B>>,
        stopped: bool,
        ready: &mut dyn FnMut(Box<B>),
    ) {
        let is_it =
            |place: &Place<T, B>| matches!(place, Place::Running(taken) if *taken == ticket);
        let Some(mut at) = self.places.iter().position(is_it) else {
            return;
        };
        self.places.remove(at);
        for produced in produced {
            match produced {
                Produced::Task(task) => {
                    self.n_waiting += 1;
                    self.places.insert(at, Place::Waiting(task));
                    at += 1;
                }
                Produced::Batch(batch) if at == 0 => ready(batch),
                Produced::Batch(batch) => match &mut self.places[at - 1] {
                    Place::Done(done) => done.push(batch),
                    _ => {
                        self.places.insert(at, Place::Done(vec![batch]));
                        at += 1;
                    }
                },
            }
        }
        if stopped {
            self.places.insert(at, Place::Cut);
        } else {
            self.join(at);
        }
        while let Some(Place::Done(_)) = self.places.front() {
            if let Some(Place::Done(done)) = self.places.pop_front() {
                done.into_iter().for_each(&mut *ready);
            }
        }
    }

    /// Merges the places before and at `at` if both are finished.
    fn join(&mut self, at: usize) {
        let is_done = |at: usize| matches!(self.places.get(at), Some(Place::Done(_)));
        if at == 0 || !is_done(at - 1) || !is_done(at) {
            return;
        }
        let behind = self.places.remove(at);
        if let (Some(Place::Done(behind)), Place::Done(done)) = (behind, &mut self.places[at - 1]) {
            done.extend(behind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A task of a tree of tasks, with its results in order.
    #[derive(Clone, Debug)]
    enum Node {
        Result(u32),
        Task(Vec<Node>),
    }

    fn trees() -> impl Strategy<Value = Vec<Node>> {
        let leaf = (0..100_u32).prop_map(Node::Result);
        let node = leaf.prop_recursive(4, 60, 6, |node| {
            proptest::collection::vec(node, 0..6).prop_map(Node::Task)
        });
        proptest::collection::vec(proptest::collection::vec(node, 0..6).prop_map(Node::Task), 0..5)
    }

    /// Returns the results of a single thread.
    fn in_order(nodes: &[Node]) -> Vec<u32> {
        let one = |node: &Node| match node {
            Node::Result(result) => vec![*result],
            Node::Task(below) => in_order(below),
        };
        nodes.iter().flat_map(one).collect()
    }

    fn produced(node: Node) -> Produced<Node, u32> {
        match node {
            Node::Result(result) => Produced::Batch(Box::new(result)),
            task => Produced::Task(task),
        }
    }

    /// Takes and finishes tasks in the order of `choices`. Task number `stop` does only its first half, and
    /// tasks that wait by then are never taken.
    fn run(tree: &[Node], choices: &[usize], stop: Option<usize>) -> (Vec<u32>, bool) {
        let (mut queue, mut ready) = (Queue::new(), Vec::new());
        tree.iter().cloned().for_each(|task| queue.push(task));
        let (mut taken, mut n_done, mut stopped) = (Vec::new(), 0, false);
        for step in 0.. {
            let choice = choices[step % choices.len()];
            if taken.is_empty() || (choice.is_multiple_of(2) && taken.len() < 4) {
                let next = if stopped { None } else { queue.take(choice.is_multiple_of(6)) };
                match next.or_else(|| if stopped { None } else { queue.take(false) }) {
                    Some(task) => taken.push(task),
                    None if taken.is_empty() => break,
                    None => {}
                }
            }
            if taken.is_empty()
                || (choice.is_multiple_of(3) && taken.len() < 4 && queue.n_waiting() > 0)
            {
                continue;
            }
            let (ticket, task) = taken.swap_remove(choice % taken.len());
            let Node::Task(mut below) = task else { unreachable!("only tasks are pushed") };
            let is_stopped = stop == Some(n_done);
            if is_stopped {
                below.truncate(below.len() / 2);
                stopped = true;
            }
            n_done += 1;
            let mut give = |result: Box<u32>| ready.push(*result);
            queue.put(ticket, below.into_iter().map(produced), is_stopped, &mut give);
        }
        (ready, queue.is_empty())
    }

    proptest! {
        #[test]
        fn results_come_in_the_order_of_one_thread(
            tree in trees(),
            choices in proptest::collection::vec(0..100_usize, 1..20),
        ) {
            let choices: Vec<usize> = choices.into_iter().chain([1, 0, 4]).collect();
            let expected = in_order(&tree);
            prop_assert_eq!(run(&tree, &choices, None), (expected, true));
        }

        #[test]
        fn a_stop_leaves_a_prefix(
            tree in trees(),
            choices in proptest::collection::vec(0..100_usize, 1..20),
            stop in 0..6_usize,
        ) {
            let choices: Vec<usize> = choices.into_iter().chain([1, 0, 4]).collect();
            let (ready, _) = run(&tree, &choices, Some(stop));
            prop_assert!(in_order(&tree).starts_with(&ready));
        }
    }
}
