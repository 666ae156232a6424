//! One page of a request: from the position of its cursor to the first limit.
//!
//! Only the calling thread counts, and it counts in the order of results, so a page ends at the same match
//! for any number of threads.

use super::cursor::Position;
use super::files::{Files, Selection};
use crate::budget::{Budget, StopReason};
use crate::error::{Error, ErrorKind, Result};
use crate::search::{NoGrammar, Order, Report, Stop, TotalKind};
use crate::walk::Tally;
use crate::workspace::Workspace;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// A page whose files come from the tree.
pub(in crate::search) struct Page<'a> {
    pub(in crate::search) files: Files<'a>,
    pub(in crate::search) progress: Progress<'a>,
    /// Counts and warnings of the listing that came before the first file.
    listing: Tally,
}

/// Maximum numbers of matches, files and bytes of a page. An absent limit is the largest number, which no count
/// reaches.
#[derive(Clone, Copy)]
pub(in crate::search) struct PageLimits {
    matches_max: u64,
    files_max: u64,
    output_bytes_max: usize,
}

impl PageLimits {
    pub(in crate::search) fn new(
        matches_max: Option<u64>,
        files_max: Option<u64>,
        output_bytes_max: Option<usize>,
    ) -> PageLimits {
        PageLimits {
            matches_max: matches_max.unwrap_or(u64::MAX),
            files_max: files_max.unwrap_or(u64::MAX),
            output_bytes_max: output_bytes_max.unwrap_or(usize::MAX),
        }
    }
}

/// The consumed part of a page, compared with the limits.
pub(in crate::search) struct Progress<'a> {
    pub(in crate::search) budget: &'a Arc<Budget>,
    started: Instant,
    limits: PageLimits,
    n_matches: u64,
    n_files: u64,
    bytes: usize,
    stop: Option<StopReason>,
    /// The position of the next page, once this one has ended.
    position: Option<Position>,
    /// Whether the limit of one file left out matches while the search continued.
    pub(in crate::search) any_file_cut: bool,
}

impl<'a> Page<'a> {
    /// Starts at the position of the selection's cursor. Lists the files unless the order is that of paths.
    pub(in crate::search) fn resume(
        workspace: &'a Workspace,
        mut selection: Selection<'a>,
        progress: Progress<'a>,
    ) -> Result<Page<'a>> {
        if let Some(cursor) = selection.cursor {
            cursor.check(selection.identity)?;
            cursor.set_times(&mut selection.files);
        }
        let mut listing = Tally::default();
        let files = Files::new(progress.budget, workspace, selection, &mut listing)?;
        Ok(Page { files, progress, listing })
    }

    /// Reports on the page; `tally` is that of the run over its files.
    pub(in crate::search) fn finish(self, tally: Tally) -> Result<Report> {
        let Page { files, mut progress, mut listing } = self;
        let stamps = tally.counts.stamps;
        let position = progress.end(&tally);
        if files.order() == Order::Relevance {
            // The ranking pass has already counted the same files.
            listing.append_again(tally);
        } else {
            listing.append(tally);
        }
        let mut report = progress.report(listing);
        report.unignored = files.tree().unignored().to_vec();
        report.has_links = files.tree().has_links();
        // After the search, because its results matter more than the check when time is short.
        report.tree_changed = files.changed(progress.budget)?;
        report.cursor = files.cursor_at(position, stamps);
        // Last, because the call may have been cancelled during the check.
        refuse_cancelled(progress.budget)?;
        report.elapsed = progress.started.elapsed();
        Ok(report)
    }
}

impl<'a> Progress<'a> {
    pub(in crate::search) fn new(
        budget: &'a Arc<Budget>,
        started: Instant,
        limits: PageLimits,
    ) -> Progress<'a> {
        Progress {
            budget,
            started,
            limits,
            n_matches: 0,
            n_files: 0,
            bytes: 0,
            stop: None,
            position: None,
            any_file_cut: false,
        }
    }

    pub(in crate::search) fn matches_left(&self) -> u64 {
        self.limits.matches_max - self.n_matches
    }

    pub(in crate::search) fn files_left(&self) -> u64 {
        self.limits.files_max - self.n_files
    }

    pub(in crate::search) fn bytes_left(&self) -> usize {
        self.limits.output_bytes_max - self.bytes
    }

    pub(in crate::search) fn n_files(&self) -> u64 {
        self.n_files
    }

    /// Returns whether the page has ended.
    pub(in crate::search) fn is_over(&self) -> bool {
        self.stop.is_some()
    }

    /// Ends the page.
    pub(in crate::search) fn stop(&mut self, reason: StopReason) {
        self.stop = Some(reason);
    }

    /// Returns whether the position of the next page is known.
    pub(in crate::search) fn has_position(&self) -> bool {
        self.position.is_some()
    }

    /// Sets the position at which the next page begins.
    pub(in crate::search) fn resume_at(&mut self, position: Position) {
        self.position = Some(position);
    }

    /// Counts `n_matches` matches of `bytes` bytes, to which the consumer replied with `flow`, and their file
    /// if it is new. Returns the number of matches that the consumer took.
    pub(in crate::search) fn take(
        &mut self,
        flow: ControlFlow<Stop>,
        n_matches: u64,
        bytes: usize,
        is_new_file: bool,
    ) -> u64 {
        self.bytes += bytes;
        let mut n_taken = n_matches;
        if let ControlFlow::Break(Stop { taken, reason }) = flow {
            n_taken = n_taken.min(taken);
            // If the part was taken whole, the limit that cut it is the reason.
            if n_taken < n_matches || !self.is_over() {
                self.stop = Some(self.reason(reason));
            }
        }
        self.n_matches += n_taken;
        self.n_files += u64::from(is_new_file && n_taken > 0);
        n_taken
    }

    fn reason(&self, reason: StopReason) -> StopReason {
        match reason {
            StopReason::ByteBudget if self.budget.poll_clock().is_err() => StopReason::Deadline,
            reason => reason,
        }
    }

    /// Ends the page if the deadline has passed. Returns the position of the next page; `None` if this page
    /// made no progress or was the last.
    fn end(&mut self, tally: &Tally) -> Option<Position> {
        if !self.is_over() {
            if !self.budget.deadline_passed() {
                return None;
            }
            self.stop = Some(StopReason::Deadline);
        }
        // The consumer knows the match at which it stopped; the tally only knows the last file or directory
        // that was done.
        self.position.take().or_else(|| tally.last.clone().map(Position::of))
    }

    /// Reports on a page without a cursor.
    pub(in crate::search) fn finish(mut self, tally: Tally) -> Result<Report> {
        self.end(&tally);
        refuse_cancelled(self.budget)?;
        Ok(self.report(tally))
    }

    fn report(&self, tally: Tally) -> Report {
        let stopped = match self.stop {
            None if self.any_file_cut => Some(StopReason::Limit),
            stop => stop,
        };
        Report::new(stopped, self.n_matches, tally, self.started)
    }
}

impl Report {
    pub(crate) fn new(
        stopped: Option<StopReason>,
        total: u64,
        tally: Tally,
        started: Instant,
    ) -> Report {
        let counts = tally.counts;
        // Entries that rules or the request leave out do not make a reply incomplete: the caller did not ask
        // for them. Those that failed or were too deep might contain matches.
        let complete = stopped.is_none()
            && counts.given_up == 0
            && counts.skipped.unreadable == 0
            && counts.skipped.too_deep == 0;
        Report {
            complete,
            stopped,
            total,
            total_kind: if complete { TotalKind::Exact } else { TotalKind::AtLeast },
            skipped: counts.skipped,
            searched_files: counts.files,
            filtered_files: counts.filtered,
            elsewhere: counts.elsewhere,
            no_grammar: NoGrammar { files: counts.no_grammar, first: tally.no_grammar },
            unignored: Vec::new(),
            left_out: tally.left_out,
            has_links: false,
            cursor: None,
            tree_changed: None,
            warnings: tally.warnings,
            n_warnings: counts.warnings,
            given_up: counts.given_up,
            over_limits: counts.over_limits,
            over_max: counts.over_max,
            elapsed: started.elapsed(),
        }
    }
}

fn refuse_cancelled(budget: &Budget) -> Result<()> {
    if budget.is_cancelled() {
        return Err(Error::new(ErrorKind::Cancelled, "the call was cancelled"));
    }
    Ok(())
}
