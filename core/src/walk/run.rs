//! The ordered parallel run: tasks in any order, results in the one order.
//!
//! Every task has a key: its place in the order. Threads always take the earliest task that waits;
//! what a task gives is put back at its key, and only the unbroken run from the front is handed to
//! the caller. So the answer is that of one thread, and a limit cuts the same place every time.
//!
//! The calling thread works too, and is the only one that runs the consumer. Helpers are asked for
//! only when the work turns out to be worth it, and are never waited for longer than it takes them
//! to see a stop.

use super::listing::RawEntries;
use super::source::{Candidate, Effort, FileSource, Output, Reached, Task};
use super::tally::{Counts, Tally};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::pool;
use crate::workspace::RelPath;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Waking a thread costs more than searching this many files or working this long.
const ALONE_FILES: u64 = 256;
const ALONE: Duration = Duration::from_millis(1);
/// Threads share the count of files that shows progress, so they do not count each one alone.
const FILES_PER_COUNT: u64 = 8;
/// While more than this waits for an earlier result, threads do not run further ahead.
const BUFFERED_BYTES_MAX: usize = 8 * 1024 * 1024;
/// A task with more results than this hands them over and leaves its rest to a new task.
const STRETCH_BYTES_MAX: usize = 1024 * 1024;
/// How long the caller waits, after a stop, for the results of tasks that others are about to end.
const GRACE: Duration = Duration::from_millis(10);

/// What is done with each file.
pub(crate) trait Visitor: Send + Sync + 'static {
    /// Memory that one thread keeps from file to file.
    type Scratch: Send;
    /// What a file of interest gives.
    type Found: Send;

    fn scratch(&self) -> Self::Scratch;

    /// Looks at one file. Being stopped, it may still give the part that it found.
    fn visit(
        &self,
        scratch: &mut Self::Scratch,
        file: &Candidate<'_>,
        budget: &Budget,
        tally: &mut Tally,
    ) -> Visited<Self::Found>;

    /// Gives what was kept of several files as one find, where finds are kept in `scratch`: asked for
    /// at the end of every stretch.
    fn close(&self, _scratch: &mut Self::Scratch) -> Option<Self::Found> {
        None
    }

    /// About how much memory `found` holds.
    fn weight(found: &Self::Found) -> usize;

    /// Whether the run keeps track of the files that were looked at: their stamps, and which was
    /// the last.
    fn keeps_track(&self) -> bool {
        false
    }
}

/// What became of one file.
pub(crate) struct Visited<F> {
    pub found: Option<F>,
    pub effort: Effort,
    pub stopped: Result<(), Stopped>,
    /// Something that differs when the file does; 0 when nobody asks.
    pub stamp: u64,
}

impl<F> Visited<F> {
    pub(crate) fn nothing() -> Visited<F> {
        Visited { found: None, effort: Effort::Small, stopped: Ok(()), stamp: 0 }
    }
}

/// Runs `visitor` over all files of `source` and hands what it finds to `consume`, in order, until
/// that returns false. Returns what was passed over up to there.
///
/// On a stop the results are a prefix of the whole.
pub(crate) fn run<V: Visitor>(
    budget: &Arc<Budget>,
    source: &dyn FileSource,
    visitor: &Arc<V>,
    threads: usize,
    consume: &mut dyn FnMut(V::Found) -> bool,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut state = State::new();
    for (index, task) in source.tasks(budget, &mut tally)?.into_iter().enumerate() {
        let key = vec![number(index)];
        state.slots.insert(key.clone(), Slot::Open);
        state.waiting.insert(key, task);
    }
    let shared = Arc::new(Shared {
        budget: Arc::clone(budget),
        visitor: Arc::clone(visitor),
        state: Mutex::new(state),
        changed: Condvar::new(),
        ready: AtomicBool::new(false),
        files: AtomicU64::new(0),
    });
    let mut caller = Caller {
        shared: &shared,
        consume,
        tally,
        wants_more: true,
        consumer_panic: None,
        threads,
        started: Instant::now(),
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

/// A place in the order: the number of the task, of the task that came out of it, and so on.
type Key = Vec<u32>;

/// What stands at a key.
enum Slot<F> {
    /// Its task waits or is being worked on.
    Open,
    /// A finished stretch.
    Done(Box<Stretch<F>>),
    /// The work was stopped in here: nothing behind may be handed over.
    Cut,
}

/// What the files of one stretch of the order gave.
struct Stretch<F> {
    found: Vec<F>,
    /// The counts of the stretch up to and including the file of a find, by the number of the find;
    /// they hold for those that follow too, up to the next entry.
    counts: Vec<(usize, Counts)>,
    tally: Tally,
    weight: usize,
}

impl<F> Stretch<F> {
    fn new() -> Self {
        Stretch { found: Vec::new(), counts: Vec::new(), tally: Tally::default(), weight: 0 }
    }

    fn push(&mut self, found: F) {
        let counts = self.tally.counts;
        if self.counts.last().is_none_or(|(_, last)| *last != counts) {
            self.counts.push((self.found.len(), counts));
        }
        self.found.push(found);
    }

    /// The counts up to and including the file of the find number `index`.
    fn counts_at(&self, index: usize) -> Counts {
        let behind = self.counts.partition_point(|(first, _)| *first <= index);
        behind.checked_sub(1).map_or_else(Counts::default, |at| self.counts[at].1)
    }
}

struct State<F> {
    waiting: BTreeMap<Key, Task>,
    slots: BTreeMap<Key, Slot<F>>,
    /// Stretches from the front, in order, not yet consumed.
    ready: VecDeque<Stretch<F>>,
    running: usize,
    /// Helpers that were asked for and have not left.
    helpers: usize,
    buffered_bytes: usize,
    cut: bool,
    panicked: bool,
}

struct Shared<V: Visitor> {
    budget: Arc<Budget>,
    visitor: Arc<V>,
    state: Mutex<State<V::Found>>,
    changed: Condvar,
    /// Whether `State::ready` has something, to look at without the lock.
    ready: AtomicBool,
    files: AtomicU64,
}

impl<F> State<F> {
    fn new() -> Self {
        State {
            waiting: BTreeMap::new(),
            slots: BTreeMap::new(),
            ready: VecDeque::new(),
            running: 0,
            helpers: 0,
            buffered_bytes: 0,
            cut: false,
            panicked: false,
        }
    }

    /// The earliest task that waits, unless too much has piled up behind an unfinished one.
    fn take(&mut self) -> Option<(Key, Task)> {
        let (key, _) = self.waiting.first_key_value()?;
        let is_front = self.slots.first_key_value().is_some_and(|(front, _)| front == key);
        if self.buffered_bytes > BUFFERED_BYTES_MAX && !is_front {
            return None;
        }
        self.running += 1;
        self.waiting.pop_first()
    }

    /// Puts what a task gave in the place of the task, and moves what has become the front.
    fn put(&mut self, key: &Key, made: Vec<Made<F>>, stopped: bool) {
        self.slots.remove(key);
        for (index, made) in made.into_iter().enumerate() {
            let mut key = key.clone();
            key.push(number(index));
            let slot = match made {
                Made::Task(task) => {
                    self.waiting.insert(key.clone(), task);
                    Slot::Open
                }
                Made::Stretch(stretch) => {
                    self.buffered_bytes += stretch.weight;
                    Slot::Done(Box::new(stretch))
                }
            };
            self.slots.insert(key, slot);
        }
        if stopped {
            let mut key = key.clone();
            key.push(u32::MAX);
            self.slots.insert(key, Slot::Cut);
        }
        while !self.cut
            && let Some(front) = self.slots.first_entry()
        {
            match front.get() {
                Slot::Open => break,
                Slot::Cut => self.cut = true,
                Slot::Done(_) => {
                    if let Slot::Done(stretch) = front.remove() {
                        self.ready.push_back(*stretch);
                    }
                }
            }
        }
    }
}

impl<V: Visitor> Shared<V> {
    /// Works on one task. Returns false when it was stopped.
    fn work_on(
        &self,
        (key, task): (Key, Task),
        scratch: &mut V::Scratch,
        memory: &mut RawEntries,
        between_files: Option<&mut dyn FnMut()>,
    ) {
        let in_flight = InFlight(self);
        let mut out = Collected {
            shared: self,
            scratch,
            between_files,
            made: Vec::new(),
            stretch: Stretch::new(),
            uncounted: 0,
            last: RelPath::root(),
            next: None,
        };
        let worked = catch_unwind(AssertUnwindSafe(|| task.run(&self.budget, memory, &mut out)));
        out.close();
        self.budget.count_files(out.uncounted);
        let made = out.made;
        let mut state = self.state.lock();
        match worked {
            Ok(result) => state.put(&key, made, result.is_err()),
            Err(panic) => {
                state.panicked = true;
                state.put(&key, Vec::new(), true);
                // The payload is foreign code; dropping it must not end the process.
                let _ = catch_unwind(AssertUnwindSafe(move || drop(panic)));
                self.budget.stop();
            }
        }
        self.ready.store(!state.ready.is_empty(), Relaxed);
        drop(state);
        drop(in_flight);
        self.changed.notify_all();
    }

    /// What a helper does: works on tasks until none comes for a while. It does not stay for the
    /// rest of a call that has one long task: its thread may be needed by another call.
    fn help(&self) {
        let _leaving = Leaving(self);
        let mut scratch = self.visitor.scratch();
        let mut memory = RawEntries::default();
        let mut state = self.state.lock();
        loop {
            if self.budget.poll_clock().is_err() {
                return;
            }
            if let Some(task) = state.take() {
                drop(state);
                self.work_on(task, &mut scratch, &mut memory, None);
                state = self.state.lock();
            } else if state.running == 0 || self.changed.wait_for(&mut state, GRACE).timed_out() {
                return;
            }
        }
    }
}

/// A task that was taken. However its work ends, it is not running any more after that.
struct InFlight<'a, V: Visitor>(&'a Shared<V>);

impl<V: Visitor> Drop for InFlight<'_, V> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.running -= 1;
        if std::thread::panicking() {
            state.panicked = true;
            self.0.budget.stop();
        }
    }
}

/// A helper on its way out.
struct Leaving<'a, V: Visitor>(&'a Shared<V>);

impl<V: Visitor> Drop for Leaving<'_, V> {
    fn drop(&mut self) {
        self.0.state.lock().helpers -= 1;
    }
}

/// The calling thread's side: it works, and consumes.
struct Caller<'a, V: Visitor> {
    shared: &'a Arc<Shared<V>>,
    consume: &'a mut dyn FnMut(V::Found) -> bool,
    tally: Tally,
    wants_more: bool,
    consumer_panic: Option<Box<dyn Any + Send>>,
    threads: usize,
    started: Instant,
    has_recruited: bool,
}

impl<V: Visitor> Caller<'_, V> {
    fn work(&mut self) -> Result<()> {
        let shared = Arc::clone(self.shared);
        let mut scratch = shared.visitor.scratch();
        let mut memory = RawEntries::default();
        let mut state = shared.state.lock();
        loop {
            state = self.consume_ready(state);
            if !self.wants_more || shared.budget.poll_clock().is_err() {
                break;
            }
            self.recruit(&mut state, 1);
            if let Some(task) = state.take() {
                drop(state);
                shared.work_on(task, &mut scratch, &mut memory, Some(&mut || self.between_files()));
                state = shared.state.lock();
            } else if state.running == 0 {
                break;
            } else {
                shared.changed.wait_for(&mut state, GRACE);
            }
        }
        self.finish(state)
    }

    /// Asks for as many helpers as there are tasks for, once the work has turned out to be worth it.
    /// So many of the tasks are `ours`.
    fn recruit(&mut self, state: &mut MutexGuard<'_, State<V::Found>>, ours: usize) {
        let tasks_for_others = state.waiting.len().saturating_sub(ours);
        let room = self.threads.saturating_sub(1).saturating_sub(state.helpers);
        let helpers = tasks_for_others.min(room);
        if helpers == 0 || !self.is_worth_help() {
            return;
        }
        state.helpers += helpers;
        self.has_recruited = true;
        let helper = Arc::clone(self.shared);
        let job: Arc<dyn Fn() + Send + Sync> = Arc::new(move || helper.help());
        MutexGuard::unlocked(state, || pool::recruit(helpers, &job));
    }

    fn is_worth_help(&self) -> bool {
        self.has_recruited
            || self.shared.files.load(Relaxed) >= ALONE_FILES
            || self.started.elapsed() >= ALONE
    }

    /// After the work, or a stop: takes what others are about to give, but does not wait for long.
    fn finish(&mut self, mut state: MutexGuard<'_, State<V::Found>>) -> Result<()> {
        let until = Instant::now() + GRACE;
        let waits = self.wants_more && !self.shared.budget.is_cancelled();
        while waits && state.running > 0 && Instant::now() < until {
            self.shared.changed.wait_until(&mut state, until);
        }
        let state = self.consume_ready(state);
        if state.panicked {
            return Err(Error::new(
                ErrorKind::Internal,
                "a search task panicked; this is a defect",
            ));
        }
        Ok(())
    }

    fn between_files(&mut self) {
        if !self.has_recruited && self.threads > 1 && self.is_worth_help() {
            // The task in hand may be long, and others wait.
            let shared = self.shared;
            self.recruit(&mut shared.state.lock(), 0);
        }
        if self.shared.ready.load(Relaxed) {
            let state = self.shared.state.lock();
            drop(self.consume_ready(state));
            if !self.wants_more {
                self.shared.budget.stop();
            }
        }
    }

    /// Consumes without the lock; gives it back taken.
    fn consume_ready<'s>(
        &mut self,
        mut state: MutexGuard<'s, State<V::Found>>,
    ) -> MutexGuard<'s, State<V::Found>> {
        while self.wants_more && !state.ready.is_empty() {
            let ready = std::mem::take(&mut state.ready);
            self.shared.ready.store(false, Relaxed);
            state.buffered_bytes -= ready.iter().map(|stretch| stretch.weight).sum::<usize>();
            MutexGuard::unlocked(&mut state, || {
                self.shared.changed.notify_all();
                for stretch in ready {
                    self.consume_stretch(stretch);
                }
            });
        }
        state
    }

    fn consume_stretch(&mut self, mut stretch: Stretch<V::Found>) {
        for (index, found) in std::mem::take(&mut stretch.found).into_iter().enumerate() {
            if !self.wants_more {
                return;
            }
            let consume = &mut self.consume;
            let wants_more = catch_unwind(AssertUnwindSafe(|| consume(found)));
            let wants_more = wants_more.unwrap_or_else(|panic| {
                self.consumer_panic = Some(panic);
                false
            });
            if !wants_more {
                self.wants_more = false;
                self.tally.append_up_to(&stretch.counts_at(index), stretch.tally);
                return;
            }
        }
        if self.wants_more {
            self.tally.append(stretch.tally);
        }
    }
}

/// What working on a task has given so far, in order.
enum Made<F> {
    Task(Task),
    Stretch(Stretch<F>),
}

struct Collected<'a, 'b, V: Visitor> {
    shared: &'a Shared<V>,
    scratch: &'a mut V::Scratch,
    between_files: Option<&'b mut dyn FnMut()>,
    made: Vec<Made<V::Found>>,
    stretch: Stretch<V::Found>,
    /// How many files were looked at since they were last counted.
    uncounted: u64,
    /// The last file that was looked at to its end; the root where there is none.
    last: RelPath,
    /// What follows on the directory that was done last.
    next: Option<RelPath>,
}

impl<V: Visitor> Collected<'_, '_, V> {
    /// Ends the current stretch; what comes next is behind it.
    fn close(&mut self) {
        let kept = self.shared.visitor.close(self.scratch);
        let stretch = &mut self.stretch;
        if let Some(found) = kept {
            stretch.weight += V::weight(&found);
            stretch.push(found);
        }
        if !self.last.is_root() {
            stretch.tally.last = Some(Reached::File(std::mem::take(&mut self.last)));
        }
        if let Some(next) = self.next.take() {
            stretch.tally.last = Some(Reached::Before(next));
        }
        let is_empty = stretch.found.is_empty() && stretch.tally.last.is_none();
        if !is_empty || stretch.tally.counts != Counts::default() {
            self.made.push(Made::Stretch(std::mem::replace(&mut self.stretch, Stretch::new())));
        }
    }
}

impl<V: Visitor> Output for Collected<'_, '_, V> {
    fn file(&mut self, file: &Candidate<'_>) -> Result<Effort, Stopped> {
        let shared = self.shared;
        shared.files.fetch_add(1, Relaxed);
        self.uncounted += 1;
        if self.uncounted == FILES_PER_COUNT {
            shared.budget.count_files(std::mem::take(&mut self.uncounted));
        }
        let tally = &mut self.stretch.tally;
        let visited = shared.visitor.visit(self.scratch, file, &shared.budget, tally);
        if visited.stopped.is_ok() || visited.found.is_some() {
            tally.counts.stamps = tally.counts.stamps.wrapping_add(visited.stamp);
        }
        if visited.stopped.is_ok() && shared.visitor.keeps_track() {
            file.write_path(&mut self.last);
        }
        if let Some(found) = visited.found {
            self.stretch.weight += V::weight(&found);
            self.stretch.push(found);
        }
        if let Some(between_files) = &mut self.between_files {
            between_files();
        }
        let heavy = self.stretch.weight > STRETCH_BYTES_MAX;
        visited.stopped.map(|()| if heavy { Effort::Large } else { visited.effort })
    }

    fn task(&mut self, task: Task) {
        self.close();
        self.made.push(Made::Task(task));
    }

    fn tally(&mut self) -> &mut Tally {
        &mut self.stretch.tally
    }

    fn dir_done(&mut self, dir: &RelPath) {
        if self.shared.visitor.keeps_track() {
            self.next = dir.behind_all_below();
        }
    }
}

/// Tasks are numbered within the one they came from; there are far fewer than this can count.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a directory has fewer than 2^32 parts")
}
