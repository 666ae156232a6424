//! The best common ancestor of two commits.

use super::failure::Failure;
use super::id::Id;
use super::objects::Objects;
use crate::budget::Budget;
use std::collections::{BinaryHeap, HashMap, HashSet};

const OF_FIRST: u8 = 1;
const OF_SECOND: u8 = 2;
const BOTH: u8 = OF_FIRST | OF_SECOND;
/// Below a common ancestor that was found.
const STALE: u8 = 4;
const RESULT: u8 = 8;

struct Node {
    flags: u8,
    date: i64,
    parents: Vec<Id>,
    /// The number of times it is in the queue.
    queued: usize,
}

/// A walk from two commits back to their common ancestors, newest commits first.
struct Search<'a> {
    objects: &'a Objects,
    shallow: &'a HashSet<Id>,
    budget: &'a Budget,
    nodes: HashMap<Id, Node>,
    queue: BinaryHeap<(i64, Id)>,
    /// The number of queued commits that are not stale; at 0 the search is complete.
    fresh: usize,
}

/// Returns the common ancestors that are not ancestors of another one, newest first. The `shallow` commits
/// count as having no parents.
pub(super) fn merge_bases(
    first: Id,
    second: Id,
    objects: &Objects,
    shallow: &HashSet<Id>,
    budget: &Budget,
) -> Result<Vec<Id>, Failure> {
    if first == second {
        return Ok(vec![first]);
    }
    let painted = || Search::new(objects, shallow, budget);
    let mut results = painted().run(&[first], &[second])?.common();
    // Dates that are equal or wrong let a common ancestor be found before a descendant of it, and the walk
    // can end before that shows. Each result is therefore compared with the others, as git does.
    for tip in results.clone() {
        if results.len() == 1 || !results.contains(&tip) {
            continue;
        }
        let others: Vec<Id> = results.iter().copied().filter(|id| *id != tip).collect();
        let search = painted().run(&[tip], &others)?;
        results.retain(|id| {
            let other_side = if *id == tip { OF_SECOND } else { OF_FIRST };
            search.flags(*id) & other_side == 0
        });
    }
    Ok(results)
}

impl<'a> Search<'a> {
    fn new(objects: &'a Objects, shallow: &'a HashSet<Id>, budget: &'a Budget) -> Search<'a> {
        let (nodes, queue) = (HashMap::new(), BinaryHeap::new());
        Search { objects, shallow, budget, nodes, queue, fresh: 0 }
    }

    /// Walks from both sides until only stale commits are queued.
    ///
    /// Flags flow from commits to their parents, as in git: a commit with the flags of both sides is a
    /// result, and everything below it is stale. Dates guide the order.
    fn run(mut self, first: &[Id], second: &[Id]) -> Result<Self, Failure> {
        for (side, flag) in [(first, OF_FIRST), (second, OF_SECOND)] {
            for id in side {
                self.mark(*id, flag)?;
            }
        }
        while self.fresh > 0 {
            let Some((_, id)) = self.queue.pop() else { break };
            self.budget.poll()?;
            let Some(node) = self.nodes.get_mut(&id) else { continue };
            node.queued -= 1;
            let mut flags = node.flags & (BOTH | STALE);
            if flags & STALE == 0 {
                self.fresh -= 1;
            }
            if flags == BOTH {
                node.flags |= RESULT;
                flags |= STALE;
            }
            for parent in node.parents.clone() {
                self.mark(parent, flags)?;
            }
        }
        Ok(self)
    }

    /// Returns the results that did not become stale later, newest first, and those of one date by their ids.
    fn common(&self) -> Vec<Id> {
        let is_result = |node: &Node| node.flags & (RESULT | STALE) == RESULT;
        let results = self.nodes.iter().filter(|(_, node)| is_result(node));
        let mut results: Vec<(i64, Id)> = results.map(|(id, node)| (node.date, *id)).collect();
        results.sort_unstable_by(|a, b| b.cmp(a));
        results.into_iter().map(|(_, id)| id).collect()
    }

    fn flags(&self, id: Id) -> u8 {
        self.nodes.get(&id).map_or(0, |node| node.flags)
    }

    /// Adds flags to a commit, and queues it if one of them is new. A commit is queued again when it gains a
    /// flag, because its parents must learn of it.
    fn mark(&mut self, id: Id, flags: u8) -> Result<(), Failure> {
        if !self.nodes.contains_key(&id) {
            let commit = self.objects.commit(id, self.budget)?;
            let parents = if self.shallow.contains(&id) { Vec::new() } else { commit.parents };
            self.nodes.try_reserve(1)?;
            self.nodes.insert(id, Node { flags: 0, date: commit.date, parents, queued: 0 });
        }
        let Some(node) = self.nodes.get_mut(&id) else { return Ok(()) };
        if node.flags & flags == flags {
            return Ok(());
        }
        if node.flags & STALE == 0 && flags & STALE != 0 {
            self.fresh -= node.queued;
        }
        node.flags |= flags;
        node.queued += 1;
        if node.flags & STALE == 0 {
            self.fresh += 1;
        }
        self.queue.try_reserve(1)?;
        self.queue.push((node.date, id));
        Ok(())
    }
}
