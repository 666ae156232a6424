//! The ordered parallel run: tasks execute in any order, results are committed in one order.
//!
//! Every task has a place in the order. Workers always take the earliest waiting task and store its results
//! in its place; only the unbroken run of finished places at the front is committed to the consumer. The
//! reply is therefore the one that a single thread would produce, and a limit cuts at the same place every
//! time. Sorting after the run would be simpler, but a limit could then not end the walk early and no result
//! could stream.
//!
//! The calling thread works too, and is the only one that runs the consumer. It recruits helpers only once
//! the work turns out to be worth it, and never waits for them longer than they need to notice a stop.

use super::file_list::FileBlock;
use super::order::{Produced, Queue, Ticket};
use super::source::{Candidate, Effort, FileSource, Output, Task};
use super::tally::{Counts, Reached, Tally};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::pool;
use crate::workspace::{RawEntries, RelPath};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Waking a thread costs more than searching this many files or working this long.
const ALONE_FILES: u64 = 256;
const ALONE: Duration = Duration::from_millis(1);
/// Threads add to the shared progress counter in steps of this many files, to avoid contention.
const FILES_PER_COUNT: u64 = 8;
/// While more than this waits for an earlier result, or for the consumer, threads do not run further ahead.
const BUFFERED_BYTES_MAX: usize = 8 * 1024 * 1024;
/// The same for a stream, whose consumer may be slow or may want no more.
const STREAMED_BYTES_MAX: usize = 2 * 1024 * 1024;
/// A task with more results than this hands them over and leaves its rest to a new task.
const BATCH_BYTES_MAX: usize = 1024 * 1024;
/// Longest wait of the caller, after a stop, for the results of tasks that are about to end.
const GRACE: Duration = Duration::from_millis(10);

/// Looks at each file of a run.
pub(crate) trait Visitor: Send + Sync + 'static {
    /// Memory that one thread keeps from file to file.
    type Scratch: Default + Send;
    /// The result of a file of interest.
    type Item: Send;

    /// Looks at one file. If stopped, it may still return the part that it found.
    fn visit(&self, visit: Visit<'_, Self::Scratch>) -> Visited<Self::Item>;

    /// Returns roughly the memory of `found` in bytes, without its path in a batch.
    fn weight(found: &Self::Item) -> usize;
}

/// A file that a visitor looks at, and what it needs for that.
pub(crate) struct Visit<'a, S> {
    /// Memory that the thread keeps from file to file.
    pub(crate) scratch: &'a mut S,
    pub(crate) file: &'a Candidate<'a>,
    pub(crate) budget: &'a Budget,
    /// Counts what is skipped, and takes warnings.
    pub(crate) tally: &'a mut Tally,
    /// Takes the paths of results. A batch hands them over as one allocation, because another thread frees it
    /// than the one that allocated it.
    pub(crate) files: &'a mut FileBlock,
}

/// Options of a run: threads, streaming, tracking.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunOptions {
    /// The maximum number of threads.
    pub threads: usize,
    /// Whether each result is consumed as soon as its turn has come, at a higher cost.
    pub streams: bool,
    /// Whether the run keeps the stamps of the files that it visited, and which was the last.
    pub tracks: bool,
}

impl RunOptions {
    /// Returns options for `threads` threads, with defaults otherwise.
    pub(crate) fn on(threads: usize) -> RunOptions {
        RunOptions { threads, ..RunOptions::default() }
    }

    /// Returns the number of bytes that may wait for an earlier result, and likewise for the consumer.
    fn buffered_bytes_max(self) -> usize {
        if self.streams { STREAMED_BYTES_MAX } else { BUFFERED_BYTES_MAX }
    }

    /// Returns which tasks the calling thread takes, and how many of them it does not recruit helpers for.
    fn of_caller(self) -> (Take, usize) {
        if self.streams { (Take::Front, 0) } else { (Take::Any, 1) }
    }

    /// Returns the maximum number of helpers. In a stream the calling thread mostly waits for results, so it
    /// does not count as a worker.
    fn helpers_max(self) -> usize {
        let callers = usize::from(!self.streams);
        if self.threads > 1 { self.threads - callers } else { 0 }
    }
}

/// Takes the results, each with the files of its batch; returns whether more are wanted.
pub(crate) type Consume<'a, F> = dyn FnMut(F, &mut FileBlock, &mut Tally) -> bool + 'a;

/// The outcome of looking at one file.
pub(crate) struct Visited<F> {
    pub found: Option<F>,
    pub effort: Effort,
    pub stopped: Result<(), Stopped>,
    /// A value that changes with the file; 0 when the run does not track files.
    pub stamp: u64,
}

impl<F> Visited<F> {
    pub(crate) fn nothing() -> Visited<F> {
        Visited { found: None, effort: Effort::Small, stopped: Ok(()), stamp: 0 }
    }
}

/// Runs `visitor` over all files of `source` and hands the results to `consume`, in order, until that returns
/// false. Returns the tally up to that point.
///
/// The consumer adds its own skipped entries to the tally that it receives with each result.
///
/// On a stop the results are a prefix of the whole.
pub(crate) fn run<V: Visitor>(
    budget: &Arc<Budget>,
    source: &dyn FileSource,
    visitor: &Arc<V>,
    options: RunOptions,
    consume: &mut Consume<'_, V::Item>,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut state = State::new(options);
    for task in source.tasks(budget, &mut tally)? {
        state.queue.push(task);
    }
    let shared = Arc::new(Shared {
        budget: Arc::clone(budget),
        visitor: Arc::clone(visitor),
        options,
        state: Mutex::new(state),
        changed: Condvar::new(),
        ready: AtomicBool::new(false),
    });
    let mut caller = Caller {
        shared: &shared,
        consume,
        tally,
        of_consumer: Tally::default(),
        wants_more: true,
        consumer_panic: None,
        started: Instant::now(),
        files: 0,
        has_recruited: false,
    };
    let result = caller.work();
    if !caller.wants_more || result.is_err() {
        budget.stop();
        shared.changed.notify_all();
    }
    if let Some(panic) = caller.consumer_panic {
        // The consumer is the host's code, and so is its panic.
        resume_unwind(panic);
    }
    result.map(|()| caller.tally)
}

/// The counts that grow with every file.
#[derive(Clone, Copy)]
struct PerFile {
    stamps: u64,
    files: u64,
}

/// Results and counts of files that follow each other in the order.
///
/// A limit may end the run at any result, and the report then counts what precedes that result, as a single
/// thread would have counted. Each result therefore knows the counts at its file. Only two of them change
/// with every file; the others are stored where they change, which keeps a result small.
struct Batch<F> {
    /// The results, each with the counts up to and including its file.
    found: Vec<(F, PerFile)>,
    /// The files of the results, where the visitor adds them.
    files: FileBlock,
    /// The other counts of the batch up to and including the file of the first result.
    counts: Counts,
    /// Later values of `counts`, where they change, by the index of a result; each holds up to the next
    /// entry.
    changed_counts: Vec<(usize, Counts)>,
    tally: Tally,
    weight: usize,
}

impl<F> Batch<F> {
    fn new() -> Self {
        Batch {
            found: Vec::new(),
            files: FileBlock::default(),
            counts: Counts::default(),
            changed_counts: Vec::new(),
            tally: Tally::default(),
            weight: 0,
        }
    }

    fn push(&mut self, found: F, weight: usize) {
        let Counts { stamps, files, .. } = self.tally.counts;
        let counts = Counts { stamps: 0, files: 0, ..self.tally.counts };
        if self.found.is_empty() {
            self.counts = counts;
        } else if *self.changed_counts.last().map_or(&self.counts, |(_, last)| last) != counts {
            self.changed_counts.push((self.found.len(), counts));
            self.weight += size_of::<(usize, Counts)>();
        }
        self.weight += weight + size_of::<(F, PerFile)>();
        self.found.push((found, PerFile { stamps, files }));
    }

    /// Returns the counts up to and including the file of the result at `index`.
    fn counts_at(&self, index: usize, PerFile { stamps, files }: PerFile) -> Counts {
        let behind = self.changed_counts.partition_point(|(first, _)| *first <= index);
        let counts = behind.checked_sub(1).map_or(self.counts, |at| self.changed_counts[at].1);
        Counts { stamps, files, ..counts }
    }
}

struct State<V: Visitor> {
    queue: Queue<Task, Batch<V::Item>>,
    /// Batches from the front, in order, not yet consumed.
    ready: VecDeque<Box<Batch<V::Item>>>,
    running: usize,
    /// Helpers that were recruited and have not exited.
    helpers: usize,
    /// Maximum of `buffered_bytes`, and of `ready_bytes`.
    buffered_bytes_max: usize,
    /// Size of the batches that wait for an unfinished task.
    buffered_bytes: usize,
    /// Size of the batches that wait for the consumer or are being consumed.
    ready_bytes: usize,
    panicked: bool,
}

struct Shared<V: Visitor> {
    budget: Arc<Budget>,
    visitor: Arc<V>,
    options: RunOptions,
    state: Mutex<State<V>>,
    changed: Condvar,
    /// Whether `State::ready` has something; readable without the lock.
    ready: AtomicBool,
}

/// The tasks that a thread takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Take {
    /// The earliest that waits.
    Any,
    /// Only the one that all others wait for: until it is done, nothing can be consumed.
    Front,
}

impl<V: Visitor> State<V> {
    fn new(options: RunOptions) -> Self {
        State {
            buffered_bytes_max: options.buffered_bytes_max(),
            queue: Queue::new(),
            ready: VecDeque::new(),
            running: 0,
            helpers: 0,
            buffered_bytes: 0,
            ready_bytes: 0,
            panicked: false,
        }
    }

    /// Takes the earliest waiting task. If too much is buffered after an unfinished task, takes only the one
    /// that all others wait for: the buffer shrinks only when that one ends.
    fn take(&mut self, which: Take) -> Option<(Ticket, Task)> {
        // Results at the front are ready at once, and the consumer may be slow.
        if self.ready_bytes > self.buffered_bytes_max {
            return None;
        }
        let only_front = which == Take::Front || self.buffered_bytes > self.buffered_bytes_max;
        let taken = self.queue.take(only_front)?;
        self.running += 1;
        Some(taken)
    }

    /// Puts the results of a task in its place, and moves the batches that are now at the front to `ready`.
    fn put(&mut self, ticket: Ticket, produced: &mut Vec<Results<V::Item>>, stopped: bool) {
        for produced in produced.iter() {
            if let Produced::Batch(batch) = produced {
                self.buffered_bytes += batch.weight;
            }
        }
        self.queue.put(ticket, produced.drain(..), stopped, &mut |batch| {
            self.buffered_bytes -= batch.weight;
            self.ready_bytes += batch.weight;
            self.ready.push_back(batch);
        });
    }
}

type Results<F> = Produced<Task, Batch<F>>;

/// Memory that a thread keeps from task to task.
struct WorkerMemory<V: Visitor> {
    scratch: V::Scratch,
    files: FileBlock,
    listing: RawEntries,
    produced: Vec<Results<V::Item>>,
}

impl<V: Visitor> WorkerMemory<V> {
    fn new() -> WorkerMemory<V> {
        WorkerMemory {
            scratch: V::Scratch::default(),
            files: FileBlock::default(),
            listing: RawEntries::default(),
            produced: Vec::new(),
        }
    }
}

impl<V: Visitor> Shared<V> {
    /// Works on one task.
    fn work_on(
        &self,
        (ticket, task): (Ticket, Task),
        memory: &mut WorkerMemory<V>,
        between_files: Option<&mut dyn FnMut()>,
    ) -> MutexGuard<'_, State<V>> {
        // Guards the steps after the task, which `catch_unwind` does not cover. Without it a panic there
        // would leave the task counted as running for ever.
        let in_flight = InFlight(self);
        memory.produced.clear();
        let mut out = Collected {
            shared: self,
            scratch: &mut memory.scratch,
            files: &mut memory.files,
            between_files,
            produced: &mut memory.produced,
            batch: Batch::new(),
            uncounted: 0,
            last: RelPath::root(),
            next: None,
        };
        let listing = &mut memory.listing;
        let worked = catch_unwind(AssertUnwindSafe(|| task.run(&self.budget, listing, &mut out)));
        out.close();
        self.budget.count_files(out.uncounted);
        let mut state = self.state.lock();
        match worked {
            Ok(result) => state.put(ticket, &mut memory.produced, result.is_err()),
            Err(panic) => {
                state.panicked = true;
                memory.produced.clear();
                state.put(ticket, &mut memory.produced, true);
                // The payload is foreign code; dropping it must not end the process.
                let _ = catch_unwind(AssertUnwindSafe(move || drop(panic)));
                self.budget.stop();
            }
        }
        state.running -= 1;
        std::mem::forget(in_flight);
        self.ready.store(!state.ready.is_empty(), Relaxed);
        self.changed.notify_all();
        state
    }

    /// Runs a helper: works on tasks until none arrives for a while. It does not wait out a call with one
    /// long task, because another call may need its thread.
    fn help(&self) {
        let _leaving = Leaving(self);
        let mut memory = WorkerMemory::new();
        let mut state = self.state.lock();
        loop {
            if self.budget.poll_clock().is_err() {
                return;
            }
            if let Some(task) = state.take(Take::Any) {
                drop(state);
                state = self.work_on(task, &mut memory, None);
            } else if state.running == 0 || self.changed.wait_for(&mut state, GRACE).timed_out() {
                return;
            }
        }
    }
}

/// A task that was taken; if a panic ends its work, dropping this marks it as no longer running.
struct InFlight<'a, V: Visitor>(&'a Shared<V>);

impl<V: Visitor> Drop for InFlight<'_, V> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.running -= 1;
        state.panicked = true;
        self.0.budget.stop();
    }
}

/// A helper that is exiting.
struct Leaving<'a, V: Visitor>(&'a Shared<V>);

impl<V: Visitor> Drop for Leaving<'_, V> {
    fn drop(&mut self) {
        self.0.state.lock().helpers -= 1;
    }
}

/// The calling thread's side: it works and consumes.
struct Caller<'a, V: Visitor> {
    shared: &'a Arc<Shared<V>>,
    consume: &'a mut Consume<'a, V::Item>,
    tally: Tally,
    /// The consumer's own tally since a batch was last done.
    of_consumer: Tally,
    wants_more: bool,
    consumer_panic: Option<Box<dyn Any + Send>>,
    started: Instant,
    /// The number of files that this thread has visited: all of them, until it recruits helpers.
    files: u64,
    has_recruited: bool,
}

impl<V: Visitor> Caller<'_, V> {
    fn work(&mut self) -> Result<()> {
        let shared = Arc::clone(self.shared);
        let mut memory = WorkerMemory::new();
        let (which, ours) = shared.options.of_caller();
        let mut state = shared.state.lock();
        loop {
            // `recruit` releases the lock, and `consume_ready` returns it with nothing ready. In this order
            // no result that arrives in between is left waiting.
            self.recruit(&mut state, ours);
            state = self.consume_ready(state);
            if !self.wants_more || shared.budget.poll_clock().is_err() {
                break;
            }
            if let Some(task) = state.take(which) {
                drop(state);
                state = shared.work_on(task, &mut memory, Some(&mut || self.between_files()));
            } else if state.running == 0 {
                break;
            } else {
                shared.changed.wait_for(&mut state, GRACE);
            }
        }
        self.finish(state)
    }

    /// Recruits one helper for each task beyond `ours`, once the work has turned out to be worth it.
    fn recruit(&mut self, state: &mut MutexGuard<'_, State<V>>, ours: usize) {
        let tasks_for_others = state.queue.n_waiting().saturating_sub(ours);
        let room = self.shared.options.helpers_max().saturating_sub(state.helpers);
        let helpers = tasks_for_others.min(room);
        if helpers == 0 || !self.is_worth_help() {
            return;
        }
        state.helpers += helpers;
        self.has_recruited = true;
        // If stuck helpers keep the job waiting for its turn for ever, it must not keep the state alive.
        let shared = Arc::downgrade(self.shared);
        let job: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
            if let Some(shared) = shared.upgrade() {
                shared.help();
            }
        });
        let is_abandonable = self.shared.budget.is_abandonable();
        MutexGuard::unlocked(state, || pool::recruit(helpers, &job, is_abandonable));
    }

    fn is_worth_help(&self) -> bool {
        self.has_recruited || self.files >= ALONE_FILES || self.started.elapsed() >= ALONE
    }

    /// Takes, after the work or a stop, the results that others are about to deliver, without a long wait.
    fn finish(&mut self, mut state: MutexGuard<'_, State<V>>) -> Result<()> {
        // These results extend the prefix, so they are worth the time that a helper needs to notice the stop.
        // One in a slow system call may never notice it. A cancelled call discards its results and does not
        // wait.
        let until = Instant::now() + GRACE;
        let waits = self.wants_more && !self.shared.budget.is_cancelled();
        while waits && state.running > 0 && Instant::now() < until {
            self.shared.changed.wait_until(&mut state, until);
        }
        let state = self.consume_ready(state);
        if state.panicked {
            let message = "a search task panicked; this is a defect";
            return Err(Error::new(ErrorKind::Internal, message));
        }
        if !state.queue.is_empty() && self.wants_more && self.shared.budget.poll_clock().is_ok() {
            let message = "a search left tasks undone; this is a defect";
            return Err(Error::new(ErrorKind::Internal, message));
        }
        Ok(())
    }

    fn between_files(&mut self) {
        self.files += 1;
        if !self.has_recruited && self.shared.options.threads > 1 && self.is_worth_help() {
            // The task in hand may be long, and others wait.
            let shared = self.shared;
            self.recruit(&mut shared.state.lock(), 0);
        }
        // This thread is the only consumer. If it consumed only between tasks, the results of all others
        // would wait for the end of its own.
        if self.shared.ready.load(Relaxed) {
            let state = self.shared.state.lock();
            drop(self.consume_ready(state));
            if !self.wants_more {
                self.shared.budget.stop();
            }
        }
    }

    /// Consumes without the lock; returns it locked again.
    fn consume_ready<'s>(
        &mut self,
        mut state: MutexGuard<'s, State<V>>,
    ) -> MutexGuard<'s, State<V>> {
        while self.wants_more && !state.ready.is_empty() {
            let ready = std::mem::take(&mut state.ready);
            self.shared.ready.store(false, Relaxed);
            let weight: usize = ready.iter().map(|batch| batch.weight).sum();
            MutexGuard::unlocked(&mut state, || {
                for batch in ready {
                    self.consume_batch(*batch);
                }
            });
            state.ready_bytes -= weight;
            self.shared.changed.notify_all();
        }
        state
    }

    fn consume_batch(&mut self, mut batch: Batch<V::Item>) {
        let found = std::mem::take(&mut batch.found);
        for (index, (found, per_file)) in found.into_iter().enumerate() {
            if !self.wants_more {
                return;
            }
            let (consume, tally) = (&mut self.consume, &mut self.of_consumer);
            let files = &mut batch.files;
            let wants_more = catch_unwind(AssertUnwindSafe(|| consume(found, files, tally)));
            // The panic resumes in `run`, after the helpers were stopped; they would otherwise work on for a
            // call that is gone.
            let wants_more = wants_more.unwrap_or_else(|panic| {
                self.consumer_panic = Some(panic);
                false
            });
            if !wants_more {
                self.wants_more = false;
                self.tally.append_up_to(&batch.counts_at(index, per_file), batch.tally);
                self.tally.append(std::mem::take(&mut self.of_consumer));
                return;
            }
        }
        if self.wants_more {
            self.tally.append(batch.tally);
            self.tally.append(std::mem::take(&mut self.of_consumer));
        }
    }
}

/// Collects the results of one task.
struct Collected<'a, 'b, V: Visitor> {
    shared: &'a Shared<V>,
    scratch: &'a mut V::Scratch,
    files: &'a mut FileBlock,
    between_files: Option<&'b mut dyn FnMut()>,
    produced: &'a mut Vec<Results<V::Item>>,
    batch: Batch<V::Item>,
    /// The number of files visited since they were last counted.
    uncounted: u64,
    /// The last file that was visited to its end; the root before the first one.
    last: RelPath,
    /// The place in the order just after the directory that was done last.
    next: Option<RelPath>,
}

impl<V: Visitor> Collected<'_, '_, V> {
    /// Ends the current batch; later results go after it.
    fn close(&mut self) {
        let batch = &mut self.batch;
        batch.files = self.files.take();
        batch.weight += batch.files.weight();
        if !self.last.is_root() {
            batch.tally.last = Some(Reached::File(std::mem::take(&mut self.last)));
        }
        if let Some(next) = self.next.take() {
            batch.tally.last = Some(Reached::Before(next));
        }
        let is_empty = batch.found.is_empty() && batch.tally.last.is_none();
        if !is_empty || batch.tally.counts != Counts::default() {
            let batch = std::mem::replace(&mut self.batch, Batch::new());
            self.produced.push(Produced::Batch(Box::new(batch)));
        }
    }
}

impl<V: Visitor> Output for Collected<'_, '_, V> {
    fn file(&mut self, file: &Candidate<'_>) -> Result<Effort, Stopped> {
        let shared = self.shared;
        self.uncounted += 1;
        if self.uncounted == FILES_PER_COUNT {
            shared.budget.count_files(std::mem::take(&mut self.uncounted));
        }
        let RunOptions { streams, tracks, .. } = shared.options;
        let tally = &mut self.batch.tally;
        let visited = shared.visitor.visit(Visit {
            scratch: self.scratch,
            file,
            budget: &shared.budget,
            tally,
            files: self.files,
        });
        // A file that was stopped in the middle is stamped if it has results: the next page continues in it
        // and does not stamp it again. Without results, the next page begins it anew.
        if visited.stopped.is_ok() || visited.found.is_some() {
            tally.counts.stamps = tally.counts.stamps.wrapping_add(visited.stamp);
        }
        if visited.stopped.is_ok() && tracks {
            file.write_path(&mut self.last);
        }
        let ends_batch = visited.found.is_some() && streams;
        if let Some(found) = visited.found {
            let weight = V::weight(&found);
            self.batch.push(found, weight);
        }
        if let Some(between_files) = &mut self.between_files {
            between_files();
        }
        let heavy = ends_batch || self.batch.weight > BATCH_BYTES_MAX;
        visited.stopped.map(|()| if heavy { Effort::Large } else { visited.effort })
    }

    fn task(&mut self, task: Task) {
        self.close();
        self.produced.push(Produced::Task(task));
    }

    fn streams(&self) -> bool {
        self.shared.options.streams
    }

    fn tally(&mut self) -> &mut Tally {
        &mut self.batch.tally
    }

    fn dir_done(&mut self, dir: &RelPath) {
        // Filters may leave out all files of a long stretch. If only files counted as progress, a page that
        // ends in it would return no cursor, and a caller with a short deadline would never get past it.
        if self.shared.options.tracks {
            self.next = dir.behind_all_below();
        }
    }
}
