//! The walk below a start: one job a directory, on its handle.

use super::file_filter::FileFilter;
use super::ignore_rules::Rules;
use super::listing::{Entries, EntryKind, RawEntries};
use super::path_filter::{LookUp, Place};
use super::range::PathRange;
use super::source::{Candidate, Effort, Output, Task};
use super::tally::Tally;
use crate::budget::{Budget, Stopped};
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::fs::{Dir, FsError, Kind, Meta, Root};
use crate::workspace::{RelPath, Workspace};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// A listing with more entries is split, so that one large directory keeps every thread busy.
const ENTRIES_PER_CHUNK: usize = 64;
/// While this many directories are held open, further ones are opened from the root again.
const HANDLES_MAX: usize = 64;
/// Deeper than any real tree; a deeper one would be searched for ever.
const DEPTH_MAX: usize = 4_096;

/// What every job of one walk shares.
pub(super) struct Walk {
    pub(super) fs: Arc<Root>,
    pub(super) deny: Option<Arc<IgnoreLines>>,
    pub(super) filter: FileFilter,
    pub(super) require_git: bool,
    /// Starts below other starts, in the order of their bytes: they are entered or looked at
    /// whatever the filter says.
    pub(super) named: Vec<RelPath>,
    /// Starts below which no ignore rule counts; known once the walk begins.
    pub(super) unruled: OnceLock<Vec<RelPath>>,
    range: PathRange,
    open_handles: AtomicUsize,
}

/// A directory to list.
pub(crate) struct DirTask {
    walk: Arc<Walk>,
    /// The open parent, if there was room to keep it.
    parent: Option<Arc<Handle>>,
    path: RelPath,
    rules: Rules,
    /// Whether ignore files leave it out, where the caller's filter decides about that.
    ignored: bool,
    /// How far below its start directory; entries of a start directory are at 1.
    depth: usize,
    /// Opened through symlinks: as a start, or below a link that is followed.
    linked: bool,
    /// Left out itself, and entered only on the way to what `Walk::named` names.
    passage: bool,
    ancestors: Option<Arc<Ancestor>>,
}

/// A part of a listed directory.
pub(crate) struct Chunk {
    listed: Arc<Listed>,
    range: Range<usize>,
}

struct Listed {
    walk: Arc<Walk>,
    handle: Arc<Handle>,
    path: RelPath,
    rules: Rules,
    ignored: bool,
    depth: usize,
    linked: bool,
    passage: bool,
    ancestors: Option<Arc<Ancestor>>,
    entries: Entries,
}

/// What the walk does with an entry.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen {
    /// It is offered itself.
    offered: Option<EntryKind>,
    /// It is a directory, and entered.
    entered: Option<EntryKind>,
}

/// The identities of the directories above, where links are followed and loops could be.
struct Ancestor {
    id: (u64, u64),
    above: Option<Arc<Ancestor>>,
}

impl Ancestor {
    fn is_among(mut nearest: Option<&Ancestor>, id: (u64, u64)) -> bool {
        while let Some(ancestor) = nearest {
            if ancestor.id == id && id != (0, 0) {
                return true;
            }
            nearest = ancestor.above.as_deref();
        }
        false
    }
}

/// An open directory that counts itself.
struct Handle {
    dir: Dir,
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
        named: Vec<RelPath>,
        range: PathRange,
    ) -> Walk {
        Walk {
            fs: Arc::clone(workspace.fs()),
            deny: workspace.deny().cloned(),
            filter,
            require_git: workspace.options().require_git,
            named,
            unruled: OnceLock::new(),
            range,
            open_handles: AtomicUsize::new(0),
        }
    }

    fn denies(&self, path: &RelPath, is_dir: bool) -> bool {
        let denied = |deny: &Arc<IgnoreLines>| deny.verdict(path.as_bytes(), is_dir);
        self.deny.as_ref().map(denied) == Some(Verdict::Ignore)
    }

    /// Whether something below `dir` was named.
    fn leads_on(&self, dir: &RelPath) -> bool {
        let below = || dir.as_bytes().iter().chain(b"/");
        let first = self.named.partition_point(|named| named.as_bytes().iter().lt(below()));
        self.named.get(first).is_some_and(|named| named.starts_with(dir))
    }

    /// Whether neither `path` nor anything below it is in the stretch that is walked.
    pub(super) fn is_out_of_range(&self, path: &RelPath) -> bool {
        !self.range.is_all() && !self.range.holds(path) && !self.range.may_hold_below(path)
    }

    /// What the symlink or named entry `path` leads to; `None` when nothing is to be found there.
    fn followed(&self, path: &RelPath) -> Result<Option<Kind>, FsError> {
        Ok(self.fs.stat_followed(path)?.map(|meta| meta.kind))
    }
}

impl DirTask {
    /// The task of a directory in which a walk begins; `linked` when symlinks lead to it, `ignored`
    /// when the rules above leave it out.
    pub(super) fn start(
        walk: &Arc<Walk>,
        path: &RelPath,
        linked: bool,
        rules: Rules,
        ignored: bool,
    ) -> DirTask {
        DirTask {
            ignored: ignored && walk.filter.judges_ignored,
            walk: Arc::clone(walk),
            parent: None,
            path: path.clone(),
            rules,
            depth: 0,
            linked,
            passage: false,
            ancestors: None,
        }
    }

    /// Lists the directory; offers its files and adds its directories, or adds its parts.
    pub(crate) fn run(
        mut self,
        budget: &Budget,
        memory: &mut RawEntries,
        out: &mut dyn Output,
    ) -> Result<(), Stopped> {
        let dir = match &self.parent {
            Some(parent) => parent.dir.open_dir(self.path.file_name()),
            None => self.walk.fs.open_dir(&self.path, self.linked),
        };
        let dir = match dir {
            Ok(dir) => dir,
            Err(error) => {
                out.tally().count_unopened(&self.path, &error);
                return Ok(());
            }
        };
        let mut ancestors = None;
        if self.walk.filter.follow {
            if Ancestor::is_among(self.ancestors.as_deref(), dir.id()) {
                out.tally().counts.skipped.symlink += 1;
                // A request may name what lies behind a circle.
                self.passage = self.walk.leads_on(&self.path);
                if !self.passage {
                    return Ok(());
                }
            }
            ancestors = Some(Arc::new(Ancestor { id: dir.id(), above: self.ancestors.clone() }));
        }
        memory.list(&dir, &self.path, budget, out.tally())?;
        let raw = &*memory;
        let rules = if self.walk.filter.no_ignore {
            Rules::default()
        } else {
            let deny = self.walk.deny.as_deref();
            self.rules.enter(budget, &dir, &self.path, raw.present(), deny, out.tally())
        };
        // A stop in an ignore file leaves rules that are not whole: nothing may be judged by them.
        budget.poll_clock()?;
        self.walk.open_handles.fetch_add(1, Relaxed);
        let handle = Arc::new(Handle { dir, walk: Arc::clone(&self.walk) });
        let mut listed = Listed {
            walk: self.walk,
            handle,
            path: self.path,
            rules,
            ignored: self.ignored,
            depth: self.depth + 1,
            linked: self.linked,
            passage: self.passage,
            ancestors,
            entries: Entries::with_capacity_of(raw),
        };
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

impl Listed {
    /// Keeps the entries that the walk goes on with and counts the others.
    fn choose(
        &mut self,
        raw: &RawEntries,
        budget: &Budget,
        tally: &mut Tally,
    ) -> Result<(), Stopped> {
        let mut path = RelPath::root();
        // One verdict of many globs takes up to milliseconds; ignore rules look at the clock themselves.
        let is_quick = self.walk.filter.is_quick();
        for (name, kind) in raw.iter() {
            if is_quick {
                budget.poll()?
            } else {
                budget.poll_clock()?
            }
            path.set(&self.path, name);
            if self.walk.is_out_of_range(&path) {
                continue;
            }
            if cfg!(not(unix)) && name.windows(3).any(|bytes| bytes == "\u{FFFD}".as_bytes()) {
                tally.counts.skipped.undecodable_name += 1;
                continue;
            }
            let kind = match kind {
                Some(kind) => kind,
                None => match self.handle.dir.stat(name) {
                    Ok(meta) => meta.kind,
                    Err(error) => {
                        tally.count_unopened(&path, &error);
                        continue;
                    }
                },
            };
            let chosen = if self.walk.named.is_empty() {
                self.choose_one(budget, &path, name, kind, tally)
            } else {
                self.choose_with_named(budget, &path, name, kind, tally)
            };
            let range = &self.walk.range;
            if let Some(kind) = chosen.offered.filter(|_| range.holds(&path)) {
                self.entries.push(name, kind);
            }
            if let Some(kind) = chosen.entered.filter(|_| range.may_hold_below(&path)) {
                self.entries.push(name, kind);
            }
        }
        // A stop in an ignore file leaves a last verdict that stands for nothing.
        budget.poll()
    }

    /// As [`Listed::choose_one`], where some entries below were named and do not ask the filter.
    fn choose_with_named(
        &self,
        budget: &Budget,
        path: &RelPath,
        name: &[u8],
        kind: Kind,
        tally: &mut Tally,
    ) -> Chosen {
        if self.walk.named.binary_search(path).is_ok() && !self.denies(path, name, kind) {
            return match self.walk.followed(path) {
                Ok(Some(Kind::File)) => {
                    let entry =
                        if kind == Kind::File { EntryKind::File } else { EntryKind::LinkedFile };
                    let belongs = self.belongs(budget, path, name, kind, tally);
                    tally.counts.filtered += u64::from(!belongs);
                    Chosen { offered: belongs.then_some(entry), entered: None }
                }
                Ok(Some(Kind::Dir)) => {
                    // As a start it is entered; as an entry of the directory above it is judged.
                    let is_judged = !self.passage && self.walk.filter.attributes.types.directories;
                    let judged =
                        is_judged.then(|| self.choose_one(budget, path, name, kind, tally));
                    let offered = judged.and_then(|chosen| chosen.offered);
                    Chosen { offered, entered: Some(EntryKind::NamedDir) }
                }
                Ok(_) => Chosen::default(),
                Err(error) => {
                    tally.count_unopened(path, &error);
                    Chosen::default()
                }
            };
        }
        let passage = || match kind {
            Kind::Dir if self.walk.leads_on(path) => Some(EntryKind::Passage),
            Kind::Symlink if self.walk.leads_on(path) => Some(EntryKind::LinkedPassage),
            _ => None,
        };
        let chosen = match self.passage {
            true => Chosen::default(),
            false => self.choose_one(budget, path, name, kind, tally),
        };
        // What is offered for itself may have to be entered all the same.
        let is_file = matches!(chosen.offered, Some(EntryKind::File));
        let entered = chosen.entered.or_else(|| if is_file { None } else { passage() });
        Chosen { entered, ..chosen }
    }

    /// Whether the caller's filter lets a file through that the request names.
    fn belongs(
        &self,
        budget: &Budget,
        path: &RelPath,
        name: &[u8],
        kind: Kind,
        tally: &mut Tally,
    ) -> bool {
        let filter = &self.walk.filter;
        let is_ignored =
            filter.judges_ignored && self.verdict(budget, path, false) == Verdict::Ignore;
        let look_up = LookUp::default();
        let stat = || look_up.note(self.stat(path, name, kind));
        let belongs = filter.belongs(&Place { path, is_dir: false, is_ignored, stat: &stat });
        look_up.tell(path, tally);
        belongs
    }

    /// What the entry `name` is, or what it leads to.
    fn stat(&self, path: &RelPath, name: &[u8], kind: Kind) -> Result<Meta, FsError> {
        match kind {
            Kind::Symlink => self.walk.fs.stat(path, true),
            _ => self.handle.dir.stat(name),
        }
    }

    /// Whether `deny` takes the entry `name` away, which is at `path` and may also have a path
    /// without symlinks.
    fn denies(&self, path: &RelPath, name: &[u8], kind: Kind) -> bool {
        let (walk, is_dir) = (&self.walk, kind == Kind::Dir);
        let real = || self.handle.dir.real_path().map(|dir| dir.join(name));
        walk.deny.is_some()
            && (walk.denies(path, is_dir) || real().is_some_and(|path| walk.denies(&path, is_dir)))
    }

    /// What becomes of an entry; what is left out is counted.
    fn choose_one(
        &self,
        budget: &Budget,
        path: &RelPath,
        name: &[u8],
        kind: Kind,
        tally: &mut Tally,
    ) -> Chosen {
        let is_dir = kind == Kind::Dir;
        if self.denies(path, name, kind) {
            return Chosen::default();
        }
        let verdict = self.verdict(budget, path, is_dir);
        let is_ignored = verdict == Verdict::Ignore;
        if is_ignored && !self.walk.filter.judges_ignored {
            tally.counts.skipped.ignored += 1;
            return Chosen::default();
        }
        // A name that an ignore file takes back in is not hidden either, as in ripgrep.
        // The insides of git stay hidden all the same: a line like `!*/` does not mean them.
        let is_hidden =
            name == b".git" || (verdict == Verdict::None && name.first() == Some(&b'.'));
        if !self.walk.filter.hidden && is_hidden {
            tally.counts.skipped.hidden += 1;
            return Chosen::default();
        }
        let look_up = LookUp::default();
        let stat = || look_up.note(self.stat(path, name, kind));
        let place = Place { path, is_dir, is_ignored, stat: &stat };
        let chosen = self.choose_by_kind(&place, kind, tally);
        look_up.tell(path, tally);
        chosen
    }

    /// What the ignore files say of an entry, and of the directory that it is in.
    fn verdict(&self, budget: &Budget, path: &RelPath, is_dir: bool) -> Verdict {
        if self.ignored {
            return Verdict::Ignore;
        }
        if self.rules.is_empty() {
            return Verdict::None;
        }
        self.rules.verdict(budget, path.as_bytes(), is_dir, self.walk.require_git)
    }

    /// What becomes of an entry that is neither hidden nor left out by ignore files alone.
    fn choose_by_kind(&self, place: &Place<'_>, kind: Kind, tally: &mut Tally) -> Chosen {
        let (filter, counts, path) = (&self.walk.filter, &mut tally.counts, place.path());
        let types = filter.attributes.types;
        let (offered, dir) = match kind {
            Kind::File => (types.files.then_some(EntryKind::File), None),
            Kind::Dir => (types.directories.then_some(EntryKind::Itself), Some(EntryKind::Dir)),
            Kind::Symlink if filter.follow => match self.walk.followed(path) {
                Ok(Some(Kind::File)) => (types.files.then_some(EntryKind::LinkedFile), None),
                Ok(Some(Kind::Dir)) => {
                    let itself = types.directories.then_some(EntryKind::LinkedFile);
                    (itself, Some(EntryKind::LinkedDir))
                }
                // Denied.
                Ok(None) => return Chosen::default(),
                Err(error @ FsError::Io(_)) => {
                    tally.count_unopened(path, &error);
                    return Chosen::default();
                }
                _ => {
                    counts.skipped.symlink += 1;
                    return Chosen::default();
                }
            },
            Kind::Symlink if types.symlinks => (Some(EntryKind::Itself), None),
            Kind::Symlink => {
                counts.skipped.symlink += 1;
                return Chosen::default();
            }
            Kind::Special => {
                counts.skipped.special += 1;
                return Chosen::default();
            }
        };
        let is_dir = dir.is_some();
        let place = Place { is_dir, ..*place };
        let passes = |_: &EntryKind| filter.passes_all() || filter.matches(&place);
        let offered = offered.filter(passes);
        let left_out =
            if place.is_ignored { &mut counts.skipped.ignored } else { &mut counts.filtered };
        if !is_dir {
            *left_out += u64::from(offered.is_none());
            return Chosen { offered, entered: None };
        }
        let is_below_depth = filter.depth_max.is_some_and(|depth_max| self.depth >= depth_max);
        if !is_below_depth && self.depth >= DEPTH_MAX {
            counts.skipped.too_deep += 1;
            tally.warn(path, format!("not entered: more than {DEPTH_MAX} directories deep"));
            return Chosen { offered, entered: None };
        }
        let prunes = !is_below_depth && filter.prunes(&place);
        *left_out += u64::from(prunes && place.is_ignored);
        Chosen { offered, entered: dir.filter(|_| !is_below_depth && !prunes) }
    }

    fn dir_task(&self, budget: &Budget, name: &[u8], kind: EntryKind) -> Task {
        let path = self.path.join(name);
        let is_unruled = || self.walk.unruled.get().is_some_and(|all| all.contains(&path));
        let is_linked = matches!(kind, EntryKind::LinkedDir | EntryKind::LinkedPassage);
        let mut ignored = self.ignored;
        if self.walk.filter.judges_ignored {
            ignored = self.verdict(budget, &path, !is_linked) == Verdict::Ignore;
        }
        let mut rules = if ignored { Rules::off() } else { self.rules.clone() };
        if kind == EntryKind::NamedDir && is_unruled() {
            (rules, ignored) = (Rules::off(), false);
        }
        let is_real = matches!(kind, EntryKind::Dir | EntryKind::Passage);
        let keep_open = is_real && self.walk.open_handles.load(Relaxed) <= HANDLES_MAX;
        Task::Dir(DirTask {
            walk: Arc::clone(&self.walk),
            parent: keep_open.then(|| Arc::clone(&self.handle)),
            path,
            rules,
            ignored,
            // A named directory is a start of its own.
            depth: if kind == EntryKind::NamedDir { 0 } else { self.depth },
            // Links that led here are passed again when the directory is opened from the root.
            linked: self.linked || !is_real,
            passage: matches!(kind, EntryKind::Passage | EntryKind::LinkedPassage),
            ancestors: self.ancestors.clone(),
        })
    }
}

impl Chunk {
    fn rest(&self, start: usize) -> Chunk {
        Chunk { listed: Arc::clone(&self.listed), range: start..self.range.end }
    }

    /// Offers the files of this part and adds its directories.
    pub(crate) fn run(&self, budget: &Budget, out: &mut dyn Output) -> Result<(), Stopped> {
        let listed = &*self.listed;
        let mut has_tasks = false;
        for index in self.range.clone() {
            budget.poll()?;
            let (name, kind) = listed.entries.get(index);
            if has_tasks && kind.is_file() && out.is_streamed() {
                // The directories before this file come first, and it may be a long one.
                out.task(Task::Chunk(self.rest(index)));
                return Ok(());
            }
            has_tasks |= !kind.is_file();
            let effort = match kind {
                EntryKind::Dir
                | EntryKind::LinkedDir
                | EntryKind::NamedDir
                | EntryKind::Passage
                | EntryKind::LinkedPassage => {
                    out.task(listed.dir_task(budget, name, kind));
                    // A stop in an ignore file leaves a verdict that stands for nothing.
                    budget.poll()?;
                    Effort::Small
                }
                EntryKind::File | EntryKind::Itself => {
                    out.file(&Candidate::entry(&listed.handle.dir, &listed.path, name))?
                }
                EntryKind::LinkedFile => {
                    let path = listed.path.join(name);
                    out.file(&Candidate::path_from_root(&listed.walk.fs, &path, true))?
                }
            };
            if effort == Effort::Large && index + 1 < self.range.end {
                out.task(Task::Chunk(self.rest(index + 1)));
                return Ok(());
            }
        }
        if self.range.end == listed.entries.len() {
            out.dir_done(&listed.path);
        }
        Ok(())
    }
}
