//! The matches of one file in several parts, so that memory does not grow with their number.
//!
//! A worker that searches a file hands over a first part of its matches and leaves the rest to the calling
//! thread, which continues part by part when it is the file's turn. Files that do not fit in memory are left
//! to the calling thread whole: their first matches arrive before their end is read.

use super::context::{Context, Split};
use crate::search::{FileMatches, Line};
use std::time::{Duration, Instant};

/// A part ends when its lines take more than this.
const PART_BYTES: usize = 256 * 1024;
/// After the first part, a part also ends when this much time has passed since the last one.
const PART_TIME: Duration = Duration::from_millis(5);

/// Takes the parts of a file; returns whether more are wanted.
pub(super) type TakePart<'a> = dyn Fn(FileMatches) -> bool + 'a;

/// Delivery of the matches of a file.
#[derive(Clone, Copy)]
pub(super) enum Parts<'a> {
    /// All at once.
    Whole,
    /// Only a first part; the rest remains.
    First,
    /// Part by part.
    Rest(&'a TakePart<'a>),
}

/// The matches of a file to deliver, and their form.
#[derive(Clone, Copy)]
pub(super) struct Handover<'a> {
    /// The number of matches delivered before.
    pub(super) skip: u64,
    pub(super) parts: Parts<'a>,
}

/// The parts that a collector has delivered.
pub(super) struct PartsSent<'a> {
    parts: Parts<'a>,
    last: Option<Instant>,
    /// The number of matches in them.
    pub(super) n_matches: u64,
    /// Whether no more parts are wanted.
    pub(super) is_over: bool,
}

impl<'a> PartsSent<'a> {
    pub(super) fn new(parts: Parts<'a>) -> PartsSent<'a> {
        PartsSent { parts, last: None, n_matches: 0, is_over: false }
    }

    /// Delivers a part of `found` if one is due. Returns whether `found` was changed.
    pub(super) fn give(&mut self, found: &mut FileMatches, context: Context) -> bool {
        let is_full = found.output_bytes > PART_BYTES;
        let is_due = match self.parts {
            Parts::Whole => false,
            Parts::First => is_full,
            // The first one as soon as there is a match.
            Parts::Rest(_) => is_full || self.last.is_none_or(|last| last.elapsed() >= PART_TIME),
        };
        let Some(Split { part, kept }) = is_due.then(|| found.split(context)).flatten() else {
            return false;
        };
        self.n_matches += part.n_matches;
        if let Parts::Rest(take) = self.parts {
            self.is_over = !take(part);
            self.last = Some(Instant::now());
            found.n_matches = kept.iter().filter(|line| line.is_match).count() as u64;
            found.output_bytes = kept.iter().map(Line::output_bytes).sum();
            found.lines = kept;
        } else {
            *found = FileMatches { has_rest: true, ..part };
            self.is_over = true;
        }
        true
    }
}
