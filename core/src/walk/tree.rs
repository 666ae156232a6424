//! The walk below a start path: one task per directory, on its handle.

use super::ancestors::Ancestor;
use super::file_filter::FileFilter;
use super::listing::{Chosen, Entries, EntryKind, EntryRole};
use super::names::named_starts::NamedStarts;
use super::path_filter::{LookUp, Place};
use super::range::PathRange;
use super::rules::ignore_rules::{EnteredRules, Present, Rules};
use super::rules::kept_verdicts::VerdictSource;
use super::rules::worktree::is_worktree;
use super::source::{Candidate, Effort, Output, Task};
use super::tally::{LEFT_OUT_MAX, Tally};
use crate::budget::{Budget, Stopped};
use crate::index::{Listing, Recalled, Remembered, View};
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::fs::{Dir, FsError, Kind, Meta, Root};
use crate::workspace::{RawEntries, RelPath, Workspace};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Longer listings are split, so that one large directory keeps every thread busy.
const ENTRIES_PER_CHUNK: usize = 64;
/// While this many directories are held open, further ones are opened from the root again.
const HANDLES_MAX: usize = 64;
/// Deeper than any real tree; without a bound a walk of a deeper one would not end.
const DEPTH_MAX: usize = 4_096;

/// State shared by all tasks of one walk.
pub(super) struct Walk {
    pub(super) fs: Arc<Root>,
    pub(super) deny: Option<Arc<IgnoreLines>>,
    /// The part of `deny` whose entries are counted.
    secrets: Option<Arc<IgnoreLines>>,
    pub(super) filter: FileFilter,
    pub(super) require_git: bool,
    pub(super) named: NamedStarts,
    /// Start paths below which no ignore rule counts; known once the walk begins.
    pub(super) unignored: OnceLock<Vec<RelPath>>,
    range: PathRange,
    open_handles: AtomicUsize,
    /// The index's memory of the tree, which saves reading it again.
    view: Option<Arc<View>>,
}

/// A directory of a walk and the state that decides about its entries.
pub(super) struct Directory {
    pub(super) walk: Arc<Walk>,
    pub(super) path: RelPath,
    rules: Rules,
    /// Whether ignore files exclude it; set only where the caller's filter judges that.
    ignored: bool,
    /// The depth of its entries below their start path, from 1.
    depth: usize,
    /// Whether it is opened through symlinks: as a start path, or below a link that is followed.
    linked: bool,
    /// Whether file events cover every directory above it.
    is_reported: bool,
    /// Whether it is excluded itself, and entered only on the way to a named start path.
    pub(super) is_passed: bool,
    ancestors: Option<Arc<Ancestor>>,
}

/// A directory to list.
pub(crate) struct DirTask {
    dir: Directory,
    /// The open parent, if there was room to keep it.
    parent: Option<Arc<Handle>>,
}

/// A part of a listed directory.
pub(crate) struct Chunk {
    listed: Arc<Listed>,
    range: Range<usize>,
}

/// A directory that is listed.
pub(super) struct Listed {
    pub(super) dir: Directory,
    /// Its handle, unless its entries come from memory alone.
    handle: Option<Arc<Handle>>,
    /// The index's memory of it, if up to date.
    memory: Option<Arc<Listing>>,
    entries: Entries,
}

/// An open directory; counts itself in `open_handles`.
struct Handle {
    dir: Dir,
    /// The number of known moves before it was opened.
    moves: u64,
    walk: Arc<Walk>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.walk.open_handles.fetch_sub(1, Relaxed);
    }
}

impl Walk {
    pub(super) fn new(
        workspace: &Workspace,
        filter: FileFilter,
        named: NamedStarts,
        range: PathRange,
        view: Option<Arc<View>>,
    ) -> Walk {
        Walk {
            fs: Arc::clone(workspace.fs()),
            deny: workspace.deny().cloned(),
            secrets: workspace.secrets().cloned(),
            filter,
            require_git: workspace.options().require_git,
            named,
            unignored: OnceLock::new(),
            range,
            open_handles: AtomicUsize::new(0),
            view,
        }
    }

    /// Returns the index's memory of the tree, if the walk may use one.
    pub(super) fn view(&self) -> Option<&Arc<View>> {
        self.view.as_ref()
    }

    /// Returns whether the denied `path` is one of those that are counted.
    fn is_secret(&self, path: &RelPath, is_dir: bool) -> bool {
        let ignores = |lines: &Arc<IgnoreLines>| lines.verdict(path.as_bytes(), is_dir);
        self.secrets.as_ref().map(ignores) == Some(Verdict::Ignore)
    }

    fn denies(&self, path: &RelPath, is_dir: bool) -> bool {
        let denied = |deny: &Arc<IgnoreLines>| deny.verdict(path.as_bytes(), is_dir);
        self.deny.as_ref().map(denied) == Some(Verdict::Ignore)
    }

    /// Returns whether neither `path` nor anything below it is in the walked range.
    pub(super) fn is_out_of_range(&self, path: &RelPath) -> bool {
        !self.range.is_all() && !self.range.holds(path) && !self.range.may_hold_below(path)
    }

    /// Returns the kind of entry that the symlink or named entry `path` leads to; `None` if there is nothing.
    pub(super) fn followed(&self, path: &RelPath) -> Result<Option<Kind>, FsError> {
        Ok(self.fs.stat_followed(path)?.map(|meta| meta.kind))
    }
}

impl DirTask {
    /// Returns the task of a start directory; `linked` if symlinks lead to it, `ignored` if the rules above
    /// exclude it.
    pub(super) fn start(
        walk: &Arc<Walk>,
        path: &RelPath,
        linked: bool,
        rules: Rules,
        ignored: bool,
    ) -> DirTask {
        let dir = Directory {
            ignored: ignored && walk.filter.judges_ignored,
            walk: Arc::clone(walk),
            path: path.clone(),
            rules,
            depth: 1,
            linked,
            is_reported: walk.view.as_ref().is_some_and(|view| view.reports_above(path)),
            is_passed: false,
            ancestors: None,
        };
        DirTask { dir, parent: None }
    }

    /// Lists the directory; offers its files and adds tasks for its directories, or for chunks of a long
    /// listing.
    pub(crate) fn run(
        self,
        budget: &Budget,
        raw: &mut RawEntries,
        out: &mut dyn Output,
    ) -> Result<(), Stopped> {
        let DirTask { mut dir, parent } = self;
        let view = dir.walk.view.clone().filter(|_| !dir.linked);
        let recalled =
            view.as_ref().map_or(Recalled::Unknown, |view| view.dir(&dir.path, dir.is_reported));
        // A handle follows its directory when that is moved, and its path does not. With an index, a parent
        // opened before the last known move is therefore not used; the path is opened from the root instead.
        let moves = view.as_ref().map_or(0, |view| view.moves());
        let parent = parent.filter(|parent| parent.moves == moves);
        let (opened, known) = if let Recalled::Fresh(listing) = recalled {
            (None, Some(listing))
        } else {
            let opened = match &parent {
                Some(parent) => parent.dir.open_dir(dir.path.file_name()),
                None => dir.walk.fs.open_dir(&dir.path, dir.linked),
            };
            match opened {
                Ok(opened) => {
                    let known = dir.verified(&opened, recalled, moves);
                    (Some(opened), known)
                }
                Err(error) => {
                    out.tally().count_unopened(&dir.path, &error);
                    return Ok(());
                }
            }
        };
        let id = known.as_ref().map(|listing| listing.id());
        let id = id.or_else(|| opened.as_ref().map(Dir::id)).unwrap_or_default();
        if dir.walk.filter.follow && !dir.note_ancestor(id, out.tally()) {
            return Ok(());
        }
        let known = dir.list(opened.as_ref(), moves, known, budget, raw, out.tally())?;
        let present = Present::among(raw);
        if dir.is_left_worktree(opened.as_ref(), present, budget, out.tally()) {
            return Ok(());
        }
        let opened = dir.enter_rules(opened, known.as_ref(), present, budget, out.tally());
        // After a stop in an ignore file the rules are incomplete and must not judge anything.
        budget.poll_clock()?;
        let handle = opened.map(|opened| {
            dir.walk.open_handles.fetch_add(1, Relaxed);
            Arc::new(Handle { dir: opened, moves, walk: Arc::clone(&dir.walk) })
        });
        let entries = Entries::with_capacity_of(raw);
        let mut listed = Listed { dir, handle, memory: known, entries };
        listed.choose(raw, budget, out.tally())?;
        listed.entries.sort(budget)?;
        let len = listed.entries.len();
        let listed = Arc::new(listed);
        if len <= ENTRIES_PER_CHUNK {
            return Chunk { listed, range: 0..len }.run(budget, out);
        }
        for start in (0..len).step_by(ENTRIES_PER_CHUNK) {
            let range = start..(start + ENTRIES_PER_CHUNK).min(len);
            out.task(Task::Chunk(Chunk { listed: Arc::clone(&listed), range }));
        }
        Ok(())
    }
}

impl Directory {
    /// Returns the memory of the directory if it is valid, now that the directory is open.
    fn verified(&self, opened: &Dir, recalled: Recalled, moves: u64) -> Option<Arc<Listing>> {
        match recalled {
            Recalled::ToVerify(listing) => {
                let view = self.walk.view.as_ref()?;
                view.verify(&listing, opened, moves).then_some(listing)
            }
            _ => None,
        }
    }

    /// Reads the entries from the memory in `known` or from the directory, and remembers them if the walk has
    /// a memory. Returns their memory.
    fn list(
        &self,
        opened: Option<&Dir>,
        moves: u64,
        known: Option<Arc<Listing>>,
        budget: &Budget,
        raw: &mut RawEntries,
        tally: &mut Tally,
    ) -> Result<Option<Arc<Listing>>, Stopped> {
        if let Some(known) = known {
            raw.set(known.iter(), budget)?;
            return Ok(Some(known));
        }
        let Some(opened) = opened else {
            return Ok(None);
        };
        let view = self.walk.view.as_ref().filter(|_| !self.linked);
        let learning = view.and_then(|view| view.learn(opened, &self.path, moves));
        let read = raw.read(opened, budget);
        if let Err(unread) = &read {
            // The entries before the error are still used.
            let reason = unread.reason().ok_or(Stopped)?;
            tally.counts.skipped.unreadable += 1;
            tally.warn(&self.path, format!("listing stopped early: {reason}"));
        }
        let (Some(view), Some(learning), true) = (view, learning, read.is_ok()) else {
            return Ok(None);
        };
        let learned = view.learned(learning, raw.iter());
        if let Some(learned) = &learned {
            // In the order of the memory.
            raw.set(learned.iter(), budget)?;
        }
        Ok(learned)
    }

    /// Returns whether the directory is a git worktree that the request does not search. A worktree that it
    /// names, or that is on the way to a directory that it names, is entered.
    fn is_left_worktree(
        &mut self,
        opened: Option<&Dir>,
        present: Present,
        budget: &Budget,
        tally: &mut Tally,
    ) -> bool {
        let (walk, is_start) = (&self.walk, self.depth == 1);
        if is_start || walk.filter.worktrees || self.is_passed || !present.may_have_git_file() {
            return false;
        }
        let checked = match opened {
            Some(dir) => is_worktree(&walk.fs, dir, &self.path, self.linked, budget),
            None => walk
                .fs
                .open_dir(&self.path, false)
                .and_then(|dir| is_worktree(&walk.fs, &dir, &self.path, self.linked, budget)),
        };
        match checked {
            Ok(true) => tally.counts.skipped.worktree += 1,
            Ok(false) => return false,
            Err(error) => {
                // A denied file is not named.
                let git_file = self.path.join(b".git");
                let is_named = !walk.denies(&git_file, false);
                let at = if is_named { &git_file } else { &self.path };
                tally.count_unread(at, "searched, although it may be a git worktree", &error);
                return false;
            }
        }
        self.is_passed = walk.named.is_any_below(&self.path);
        !self.is_passed
    }

    /// Adds the rules of the directory's own ignore files. Returns the directory, if it is open.
    fn enter_rules(
        &mut self,
        opened: Option<Dir>,
        known: Option<&Arc<Listing>>,
        present: Present,
        budget: &Budget,
        tally: &mut Tally,
    ) -> Option<Dir> {
        let walk = Arc::clone(&self.walk);
        if walk.filter.no_ignore {
            self.rules = Rules::default();
            return opened;
        }
        if present.is_empty() {
            return opened;
        }
        let memory = walk.view.as_ref().zip(known);
        if let Some((view, listing)) = memory
            && let Some(derived) = listing.derived(view.epoch())
            && let Some(entered) = derived.downcast_ref::<EnteredRules>()
            && let Some(rules) = entered.below(&self.rules)
        {
            self.rules = rules;
            return opened;
        }
        let before = memory.map(|(view, listing)| view.before(listing));
        let opened = match opened {
            Some(opened) => opened,
            None => match walk.fs.open_dir(&self.path, false) {
                Ok(opened) => opened,
                Err(error) => {
                    tally.count_unread(&self.path, "ignore files not used", &error);
                    return None;
                }
            },
        };
        let n_before = tally.counts;
        let above = self.rules.clone();
        let deny = walk.deny.as_deref();
        self.rules = above.enter(budget, &opened, &self.path, present, deny, tally);
        // Warnings must be produced again each time, so rules with warnings are not remembered.
        let is_silent = tally.counts == n_before && budget.poll_clock().is_ok();
        let is_lasting = is_silent && !self.rules.have_links();
        if let (Some((view, listing)), Some(before), true) = (memory, before, is_lasting) {
            self.rules = EnteredRules::known_in(listing, &above, &self.rules);
            let entered = EnteredRules { above, rules: self.rules.clone() };
            view.set_derived(listing, Arc::new(entered), before);
        }
        Some(opened)
    }

    /// Adds the directory to the ancestors, where links are followed. Returns whether to enter it: inside a
    /// loop only on the way to a named start path.
    fn note_ancestor(&mut self, id: (u64, u64), tally: &mut Tally) -> bool {
        if Ancestor::is_among(self.ancestors.as_deref(), id) {
            tally.counts.skipped.symlink += 1;
            // A request may name a path below the loop.
            self.is_passed = self.walk.named.is_any_below(&self.path);
            if !self.is_passed {
                return false;
            }
        }
        self.ancestors = Some(Arc::new(Ancestor { id, above: self.ancestors.take() }));
        true
    }

    /// Returns the verdict of the ignore files on an entry, including that on the directory that contains it.
    pub(super) fn verdict(&self, budget: &Budget, path: &RelPath, is_dir: bool) -> Verdict {
        if self.ignored {
            return Verdict::Ignore;
        }
        if self.rules.is_empty() {
            return Verdict::None;
        }
        self.rules.verdict(budget, path.as_bytes(), is_dir, self.walk.require_git)
    }
}

impl Listed {
    /// Returns the file `name`; `place` is its index in the memory of the directory.
    fn candidate<'a>(&'a self, name: &'a [u8], place: usize) -> Candidate<'a> {
        let walk = &self.dir.walk;
        let memory = walk.view.as_ref().zip(self.memory.as_ref());
        let memory = memory.map(|(view, listing)| Remembered { view, listing, index: place });
        match &self.handle {
            Some(handle) => Candidate::entry(&handle.dir, &self.dir.path, name),
            None => Candidate::unopened(&walk.fs, &self.dir.path, name),
        }
        .with_memory(memory)
    }

    /// Keeps the entries with which the walk continues and counts the others.
    fn choose(
        &mut self,
        raw: &RawEntries,
        budget: &Budget,
        tally: &mut Tally,
    ) -> Result<(), Stopped> {
        let mut path = RelPath::root();
        let walk = Arc::clone(&self.dir.walk);
        let mut verdicts = self.verdict_source();
        // One verdict of many globs takes up to milliseconds; ignore rules check the clock themselves.
        let is_quick = walk.filter.is_quick();
        let n_left_out = tally.left_out.len();
        for (place, (name, kind)) in raw.iter().enumerate() {
            if is_quick {
                budget.poll()?
            } else {
                budget.poll_clock()?
            }
            path.set(&self.dir.path, name);
            if walk.is_out_of_range(&path) {
                continue;
            }
            if cfg!(not(unix)) && name.windows(3).any(|bytes| bytes == "\u{FFFD}".as_bytes()) {
                tally.counts.skipped.undecodable_name += 1;
                continue;
            }
            let kind = match kind {
                Some(kind) => kind,
                None => match self.stat(&path, name, Kind::File) {
                    Ok(meta) => meta.kind,
                    Err(error) => {
                        tally.count_unopened(&path, &error);
                        continue;
                    }
                },
            };
            let chosen = if walk.named.is_empty() {
                let judge = || self.dir.verdict(budget, &path, kind == Kind::Dir);
                let verdict = verdicts.verdict(place, judge);
                self.choose_one(verdict, &path, name, kind, tally)
            } else {
                self.choose_with_named(budget, &path, name, kind, tally)
            };
            if tally.left_out.len() >= 2 * LEFT_OUT_MAX {
                tally.cut_left_out(n_left_out);
            }
            let range = &walk.range;
            if let Some(kind) = chosen.offered.filter(|_| range.holds(&path)) {
                self.entries.push(name, kind, place);
            }
            if let Some(kind) = chosen.entered.filter(|_| range.may_hold_below(&path)) {
                self.entries.push(name, kind, place);
            }
        }
        tally.cut_left_out(n_left_out);
        // After a stop in an ignore file the last verdict is meaningless.
        budget.poll()?;
        if let Some(listing) = &self.memory {
            verdicts.keep(listing, &self.dir.rules, walk.require_git);
        }
        Ok(())
    }

    /// Returns where the verdicts of the ignore rules on the entries come from.
    fn verdict_source(&self) -> VerdictSource {
        let Directory { rules, ignored, walk, .. } = &self.dir;
        match &self.memory {
            Some(listing) if !ignored && !rules.is_empty() => {
                VerdictSource::of(listing, rules, walk.require_git)
            }
            _ => VerdictSource::Rules,
        }
    }

    /// Returns the metadata of the entry `name`, or of the target if it is a symlink.
    pub(super) fn stat(&self, path: &RelPath, name: &[u8], kind: Kind) -> Result<Meta, FsError> {
        match (&self.handle, kind) {
            (_, Kind::Symlink) => self.dir.walk.fs.stat(path, true),
            (Some(handle), _) => handle.dir.stat(name),
            (None, _) => self.dir.walk.fs.stat(path, false),
        }
    }

    /// Returns whether `deny` covers the entry `name` at `path`, or at its path without symlinks if that
    /// differs.
    pub(super) fn denies(&self, path: &RelPath, name: &[u8], kind: Kind) -> bool {
        let (walk, is_dir) = (&self.dir.walk, kind == Kind::Dir);
        let real = || self.handle.as_ref()?.dir.real_path().map(|dir| dir.join(name));
        walk.deny.is_some()
            && (walk.denies(path, is_dir) || real().is_some_and(|path| walk.denies(&path, is_dir)))
    }

    /// Decides about one entry, on which the ignore rules have the verdict `verdict`, and counts it if it is
    /// excluded.
    pub(super) fn choose_one(
        &self,
        verdict: Verdict,
        path: &RelPath,
        name: &[u8],
        kind: Kind,
        tally: &mut Tally,
    ) -> Chosen {
        let is_dir = kind == Kind::Dir;
        if self.denies(path, name, kind) {
            tally.counts.skipped.denied += u64::from(self.dir.walk.is_secret(path, is_dir));
            return Chosen::default();
        }
        let filter = &self.dir.walk.filter;
        let is_ignored = verdict == Verdict::Ignore;
        if is_ignored && !filter.judges_ignored {
            tally.counts.skipped.ignored += 1;
            return self.leave_out(path, kind, tally);
        }
        // A name that an ignore file includes again is not hidden either, as in ripgrep. `.git` stays hidden
        // all the same: a line like `!*/` is not meant for it.
        let is_hidden =
            name == b".git" || (verdict == Verdict::None && name.first() == Some(&b'.'));
        if !filter.hidden && is_hidden {
            tally.counts.skipped.hidden += 1;
            return self.leave_out(path, kind, tally);
        }
        let look_up = LookUp::default();
        let stat = || look_up.note(self.stat(path, name, kind));
        let place = Place { path, is_dir, is_ignored, stat: &stat };
        let chosen = self.choose_by_kind(&place, kind, tally);
        look_up.tell(path, tally);
        chosen
    }

    /// Notes an ignored or hidden entry, if the request wants its name and covers it.
    fn leave_out(&self, path: &RelPath, kind: Kind, tally: &mut Tally) -> Chosen {
        let filter = &self.dir.walk.filter;
        let is_covered = filter.names_left_out
            && match kind {
                Kind::File => filter.matches_names(path),
                Kind::Dir => !filter.prunes_names(path),
                Kind::Symlink | Kind::Special => false,
            };
        if is_covered {
            tally.left_out.push(path.clone());
        }
        Chosen::default()
    }

    /// Decides about an entry that is neither hidden nor excluded by ignore files alone.
    fn choose_by_kind(&self, place: &Place<'_>, kind: Kind, tally: &mut Tally) -> Chosen {
        let walk = &self.dir.walk;
        let (filter, counts, path) = (&walk.filter, &mut tally.counts, place.path());
        let types = filter.attributes.types;
        let (is_wanted, is_dir, linked) = match kind {
            Kind::File => (types.files, false, false),
            Kind::Dir => (types.directories, true, false),
            Kind::Symlink if filter.follow => match walk.followed(path) {
                Ok(Some(Kind::File)) => (types.files, false, true),
                Ok(Some(Kind::Dir)) => (types.directories, true, true),
                // Denied.
                Ok(None) => return Chosen::default(),
                // A link that leads nowhere is itself, as for fd.
                Err(FsError::NotFound) if types.symlinks => (true, false, false),
                Err(error @ FsError::Io(_)) => {
                    tally.count_unopened(path, &error);
                    return Chosen::default();
                }
                _ => {
                    counts.skipped.symlink += 1;
                    return Chosen::default();
                }
            },
            Kind::Symlink if types.symlinks => (true, false, false),
            Kind::Symlink => {
                counts.skipped.symlink += 1;
                return Chosen::default();
            }
            Kind::Special => {
                counts.skipped.special += 1;
                return Chosen::default();
            }
        };
        let place = Place { is_dir, ..*place };
        let is_offered = is_wanted && (filter.passes_all() || filter.matches(&place));
        let offered = is_offered.then_some(EntryKind::new(EntryRole::Offer, linked));
        let left_out =
            if place.is_ignored { &mut counts.skipped.ignored } else { &mut counts.filtered };
        if !is_dir {
            *left_out += u64::from(!is_offered);
            return Chosen { offered, entered: None };
        }
        let is_below_depth = filter.depth_max.is_some_and(|depth_max| self.dir.depth >= depth_max);
        if !is_below_depth && self.dir.depth >= DEPTH_MAX {
            counts.skipped.too_deep += 1;
            tally.warn(path, format!("not entered: more than {DEPTH_MAX} directories deep"));
            return Chosen { offered, entered: None };
        }
        let prunes = !is_below_depth && filter.prunes(&place);
        *left_out += u64::from(prunes && place.is_ignored);
        let is_entered = !is_below_depth && !prunes;
        let entered = is_entered.then_some(EntryKind::new(EntryRole::Enter, linked));
        Chosen { offered, entered }
    }

    fn dir_task(&self, budget: &Budget, name: &[u8], kind: EntryKind) -> Task {
        let Directory { walk, rules, .. } = &self.dir;
        let path = self.dir.path.join(name);
        let is_start = kind.role == EntryRole::Start;
        let mut ignored = self.dir.ignored;
        if walk.filter.judges_ignored {
            let is_dir = is_start || !kind.linked;
            ignored = self.dir.verdict(budget, &path, is_dir) == Verdict::Ignore;
        }
        let mut rules = if ignored { Rules::off() } else { rules.clone() };
        if is_start && walk.unignored.get().is_some_and(|all| all.contains(&path)) {
            (rules, ignored) = (Rules::off(), false);
        }
        let keep_open = !kind.linked && walk.open_handles.load(Relaxed) <= HANDLES_MAX;
        let parent = self.handle.as_ref().filter(|_| keep_open).map(Arc::clone);
        let dir = Directory {
            walk: Arc::clone(walk),
            path,
            rules,
            ignored,
            depth: if is_start { 1 } else { self.dir.depth + 1 },
            // The links on the way here are followed again when the directory is opened from the root.
            linked: self.dir.linked || kind.linked,
            is_reported: self.dir.is_reported
                && self.memory.as_ref().is_some_and(|listing| listing.is_watched()),
            is_passed: kind.role == EntryRole::Pass,
            ancestors: self.dir.ancestors.clone(),
        };
        Task::Dir(DirTask { dir, parent })
    }
}

impl Chunk {
    fn rest(&self, start: usize) -> Chunk {
        Chunk { listed: Arc::clone(&self.listed), range: start..self.range.end }
    }

    /// Offers the files of this chunk and adds tasks for its directories.
    pub(crate) fn run(&self, budget: &Budget, out: &mut dyn Output) -> Result<(), Stopped> {
        let listed = &*self.listed;
        let mut has_tasks = false;
        for index in self.range.clone() {
            budget.poll()?;
            let (name, kind) = listed.entries.get(index);
            if has_tasks && kind.is_offered() && out.streams() {
                // The directories before this file come first, and may be long.
                out.task(Task::Chunk(self.rest(index)));
                return Ok(());
            }
            let dir = &listed.dir;
            let effort = if !kind.is_offered() {
                has_tasks = true;
                out.task(listed.dir_task(budget, name, kind));
                // After a stop in an ignore file the verdict is meaningless.
                budget.poll()?;
                Effort::Small
            } else if kind.linked {
                let path = dir.path.join(name);
                out.file(&Candidate::path_from_root(&dir.walk.fs, &path, true))?
            } else {
                out.file(&listed.candidate(name, listed.entries.place(index)))?
            };
            if effort == Effort::Large && index + 1 < self.range.end {
                out.task(Task::Chunk(self.rest(index + 1)));
                return Ok(());
            }
        }
        if self.range.end == listed.entries.len() {
            out.dir_done(&listed.dir.path);
        }
        Ok(())
    }
}
