//! Reading the documents of a walk, in its order.

use super::listing::{Listing, Window};
use super::report::DocumentOperation;
use super::{DocumentLimits, DocumentWalk};
use crate::budget::{Budget, Stopped};
use crate::call::Call;
use crate::error::{Error, ErrorKind, Result};
use crate::index::{Candidates, Class, Plan, Subtree, View};
use crate::walk::{self, Candidate, Effort, KnownFiles, RunOptions, Visit, Visited, Visitor};
use crate::workspace::fs::File;
use crate::workspace::{RelPath, Unread, Workspace};
use std::sync::Arc;

/// Number of documents in the first window: they may be enough, and then the walk need not go
/// further.
const FIRST_WINDOW: usize = 64;
/// Size from which a document is a task of its own.
const LARGE_BYTES: u64 = 1024 * 1024;

/// Reads each document of a walk.
pub(super) trait DocumentReader: Send + Sync + 'static {
    /// Memory that a worker reuses from document to document.
    type Scratch: Default + Send;
    /// The default is the output for a document without a match.
    type Output: Send + Default;

    /// Returns what every document with an output contains, if the index can tell.
    fn plan(&self) -> Option<Plan> {
        None
    }

    /// Reads the document at `path`.
    fn read(
        &self,
        path: &RelPath,
        file: File,
        scratch: &mut Self::Scratch,
        budget: &Budget,
    ) -> Result<Self::Output, Unread>;

    /// Returns the approximate memory of `output`.
    fn weight(output: &Self::Output) -> usize;
}

/// Reads the documents below `start` and passes the output of each to `each`, in order, until that
/// returns false.
///
/// The walk lists a small window first, because a search often ends within a few documents, and
/// then everything that is left. Workers read a window in parallel, and their outputs arrive in its
/// order; warnings about directories that could not be listed are merged in between, so that
/// neither the number of workers nor the window changes the report.
pub(super) fn run<L: DocumentReader>(
    workspace: &Workspace,
    start: &RelPath,
    limits: &DocumentLimits,
    call: &Call,
    reader: L,
    each: &mut dyn FnMut(&RelPath, L::Output) -> bool,
) -> Result<DocumentWalk> {
    let budget = Arc::new(Budget::of(call));
    let docs = workspace.docs();
    let memory = memory_of(workspace);
    let plan = memory.as_ref().zip(reader.plan());
    let matching = plan.map(|(memory, plan)| memory.matching(&plan, &budget));
    let document_bytes_max = limits.document_bytes_max;
    let visitor = Arc::new(ReadingVisitor { reader, document_bytes_max, matching });
    let mut walk = DocumentWalk::default();
    let mut listing = Listing::new(docs, memory.as_ref(), &budget);
    listing.enter(start, &mut walk)?;
    let (mut left, mut window) = (limits.documents_max, FIRST_WINDOW);
    let mut is_over = false;
    while left > 0 && !is_over {
        let Ok(Window { files, steps }) = listing.window(window.min(left)) else {
            break;
        };
        if steps.is_empty() {
            break;
        }
        let files = KnownFiles::new(docs.fs(), files, listing.follows()).of_a_listing();
        let files = files.with_memory(memory.clone());
        let mut steps = steps.into_iter();
        let options = RunOptions::on(workspace.threads());
        walk::run(&budget, &files, &visitor, options, &mut |output, _, _| {
            let step = steps.by_ref().find_map(|step| step.document_or_warn(&mut walk));
            let Some((path, is_followed)) = step else {
                return false;
            };
            left -= 1;
            let wants_more = match output {
                Ok(output) => each(&path, output),
                Err(reason) => {
                    walk.warn(&path, DocumentOperation::Read, reason);
                    true
                }
            };
            is_over = !wants_more || left == 0;
            walk.truncated = is_over && is_followed;
            !is_over
        })?;
        if !is_over && budget.poll_clock().is_err() {
            break;
        }
        if !is_over {
            steps.for_each(|step| drop(step.document_or_warn(&mut walk)));
        }
        window = usize::MAX;
    }
    walk.other_formats = listing.into_other_formats();
    if budget.is_cancelled() {
        return Err(ended(&budget));
    }
    if !is_over && budget.deadline_passed() {
        (walk.timed_out, walk.truncated) = (true, true);
    }
    Ok(walk)
}

/// Returns the error of a call that was stopped.
pub(super) fn ended(budget: &Budget) -> Error {
    if budget.is_cancelled() {
        return Error::new(ErrorKind::Cancelled, "the call was cancelled");
    }
    Error::new(ErrorKind::Timeout, "not done within the time limit")
}

/// Returns the index's memory of the documents' tree; `None` if the index does not know that tree.
fn memory_of(workspace: &Workspace) -> Option<Subtree> {
    let docs = workspace.docs();
    let base = docs.base()?;
    let view = View::of_call(workspace)?;
    if Arc::ptr_eq(docs.fs(), workspace.fs()) {
        return Some(Subtree::whole(view));
    }
    Subtree::below(view, workspace.fs(), base, docs.fs())
}

/// Opens and reads each document; the output is a reason if that fails.
struct ReadingVisitor<L> {
    reader: L,
    document_bytes_max: u64,
    /// The documents that may have an output, according to the index.
    matching: Option<Candidates>,
}

impl<L: DocumentReader> ReadingVisitor<L> {
    /// Returns whether the document would be read without an output.
    fn is_absent(&self, candidate: &Candidate<'_>) -> bool {
        let matching = self.matching.as_ref();
        let absent = matching.and_then(|matching| candidate.absent_from(matching));
        absent.is_some_and(|file| {
            file.class == Class::Text && file.stamp.size <= self.document_bytes_max
        })
    }
}

impl<L: DocumentReader> Visitor for ReadingVisitor<L> {
    type Scratch = L::Scratch;
    type Item = Result<L::Output, String>;

    fn visit(&self, visit: Visit<'_, L::Scratch>) -> Visited<Self::Item> {
        let Visit { scratch, file: candidate, budget, .. } = visit;
        if self.is_absent(candidate) {
            let found = Some(Ok(L::Output::default()));
            return Visited { found, ..Visited::nothing() };
        }
        let mut effort = Effort::Small;
        let output = candidate.open().map_err(Unread::from).and_then(|file| {
            if file.meta().size > LARGE_BYTES {
                effort = Effort::Large;
            }
            self.reader.read(&candidate.path(), file, scratch, budget)
        });
        let found = match output {
            Ok(output) => Ok(output),
            Err(unread) => match unread.reason() {
                Some(reason) => Err(reason),
                None => return Visited { stopped: Err(Stopped), ..Visited::nothing() },
            },
        };
        Visited { found: Some(found), effort, stopped: Ok(()), stamp: 0 }
    }

    fn weight(found: &Self::Item) -> usize {
        size_of_val(found) + found.as_ref().map_or(0, L::weight)
    }
}
