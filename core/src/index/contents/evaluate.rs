//! Evaluates a plan over one segment.

use super::Mode;
use super::bits::Bits;
use super::plan::{Node, Plan};
use super::postings::Postings;
use super::segment::Segment;
use crate::room;
use std::collections::TryReserveError;

/// Approximate number of postings that can be read in the time a search of one file takes. A longer list is
/// not worth reading for each candidate that it could exclude.
const POSTINGS_PER_CANDIDATE: usize = 8192;

/// The evaluation ended early: the caller wants to stop, or memory is short.
#[derive(Debug)]
pub(super) struct Halted;

impl From<TryReserveError> for Halted {
    fn from(_: TryReserveError) -> Halted {
        Halted
    }
}

/// Returns the files of a segment, by position, that satisfy a plan.
pub(super) fn files(
    segment: &Segment,
    plan: &Plan,
    mode: Mode,
    stop: &dyn Fn() -> bool,
) -> Result<Bits, Halted> {
    let found = plan.trigrams().iter().map(|trigram| segment.find(*trigram));
    let lists = room::collect(found, plan.trigrams().len())?;
    let evaluation = Evaluation { segment, lists, mode, stop };
    let chunks = evaluation.chunks(plan.root())?;
    let mut files = Bits::none(segment.files())?;
    chunks.for_each(|chunk| files.insert(segment.files_of_chunks()[chunk as usize]));
    Ok(files)
}

struct Evaluation<'a> {
    segment: &'a Segment,
    /// Posting list of each trigram of the plan.
    lists: Vec<Option<Postings<'a>>>,
    mode: Mode,
    stop: &'a dyn Fn() -> bool,
}

impl Evaluation<'_> {
    /// Returns the chunks that satisfy a node, or in mode `File` all chunks of the files that do.
    /// Recurses as deep as the plan, whose depth is bounded.
    fn chunks(&self, node: &Node) -> Result<Bits, Halted> {
        if (self.stop)() {
            return Err(Halted);
        }
        let n_chunks = self.segment.n_chunks();
        match node {
            Node::All => Ok(Bits::all(n_chunks)?),
            Node::And(nodes) => self.all_of(nodes),
            Node::Trigram(_) => self.any_of(std::slice::from_ref(node)),
            Node::Or(nodes) => self.any_of(nodes),
        }
    }

    fn any_of(&self, nodes: &[Node]) -> Result<Bits, Halted> {
        let mut chunks = Bits::none(self.segment.n_chunks())?;
        for node in nodes {
            match node {
                Node::Trigram(at) => self.insert(*at, &mut chunks),
                node if self.bound(node) == 0 => {}
                node => chunks.or(&self.chunks(node)?),
            }
        }
        if self.mode == Mode::File {
            for &(first, last) in self.segment.spans() {
                if (first..=last).any(|chunk| chunks.contains(chunk)) {
                    (first..=last).for_each(|chunk| chunks.insert(chunk));
                }
            }
        }
        Ok(chunks)
    }

    fn all_of(&self, nodes: &[Node]) -> Result<Bits, Halted> {
        let bounds = nodes.iter().map(|node| (self.bound(node), node));
        let mut bounds = room::collect(bounds, nodes.len())?;
        bounds.sort_unstable_by_key(|(bound, _)| *bound);
        let mut all: Option<Bits> = None;
        for (bound, node) in bounds {
            let Some(chunks) = &mut all else {
                if bound == 0 {
                    return Ok(Bits::none(self.segment.n_chunks())?);
                }
                all = Some(self.chunks(node)?);
                continue;
            };
            let n_left = chunks.count();
            if bound > n_left.saturating_mul(POSTINGS_PER_CANDIDATE) || n_left == 0 {
                break;
            }
            chunks.and(&self.chunks(node)?);
        }
        all.map_or_else(|| Ok(Bits::all(self.segment.n_chunks())?), Ok)
    }

    fn insert(&self, at: usize, chunks: &mut Bits) {
        let Some(list) = &self.lists[at] else { return };
        match list.words() {
            Some(words) => chunks.or_words(words),
            None => list.for_each(|chunk| chunks.insert(chunk)),
        }
    }

    /// Returns an upper bound of the number of chunks that satisfy a node.
    fn bound(&self, node: &Node) -> usize {
        match node {
            Node::All => self.segment.n_chunks(),
            Node::Trigram(at) => self.lists[*at].map_or(0, |list| list.len()),
            Node::And(nodes) => {
                nodes.iter().map(|node| self.bound(node)).min().unwrap_or(self.segment.n_chunks())
            }
            Node::Or(nodes) => nodes.iter().map(|node| self.bound(node)).sum(),
        }
    }
}
