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
///
/// Flags flow from commits to their parents, as in git: a commit with the flags of both sides is a result,
/// and everything below it is stale. Dates guide the order. With wrong dates a result can become stale after
/// it was found, so stale results are dropped at the end. The search ends when only stale commits are queued.
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
    let (nodes, queue) = (HashMap::new(), BinaryHeap::new());
    let mut search = Search { objects, shallow, budget, nodes, queue, fresh: 0 };
    search.mark(first, OF_FIRST)?;
    search.mark(second, OF_SECOND)?;
    let mut results = Vec::new();
    while search.fresh > 0 {
        let Some((date, id)) = search.queue.pop() else { break };
        search.budget.poll()?;
        let Some(node) = search.nodes.get_mut(&id) else { continue };
        node.queued -= 1;
        let mut flags = node.flags & (BOTH | STALE);
        if flags & STALE == 0 {
            search.fresh -= 1;
        }
        if flags == BOTH {
            if node.flags & RESULT == 0 {
                node.flags |= RESULT;
                results.push((date, id));
            }
            flags |= STALE;
        }
        for parent in node.parents.clone() {
            search.mark(parent, flags)?;
        }
    }
    results.retain(|(_, id)| search.nodes.get(id).is_some_and(|node| node.flags & STALE == 0));
    results.sort_by_key(|(date, _)| std::cmp::Reverse(*date));
    Ok(results.into_iter().map(|(_, id)| id).collect())
}

impl Search<'_> {
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
