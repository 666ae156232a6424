//! A tree as a source of files: one job a directory, on its handle.

use super::file_filter::{FileFilter, FileOptions};
use super::ignore_rules::{Present, Rules};
use super::listing::{Entries, EntryKind};
use super::source::{Candidate, Effort, FileSource, KnownFiles, Output, Task};
use super::tally::Tally;
use crate::budget::{Budget, Stopped};
use crate::error::{Error, Result};
use crate::ignore_lines::{IgnoreLines, Verdict};
use crate::workspace::fs::{Dir, Kind, ListBuffer, Root};
use crate::workspace::{RelPath, Workspace};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A listing with more entries is split, so that one large directory keeps every thread busy.
const ENTRIES_PER_CHUNK: usize = 64;
/// While this many directories are held open, further ones are opened from the root again.
const HANDLES_MAX: usize = 64;
/// Deeper than any real tree; a deeper one would be searched for ever.
const DEPTH_MAX: usize = 4_096;

/// The files below some directories of a workspace that a filter lets through.
pub(crate) struct Tree {
    walk: Arc<Walk>,
    starts: Vec<Start>,
}

/// What every job of one walk shares.
struct Walk {
    fs: Arc<Root>,
    deny: Option<Arc<IgnoreLines>>,
    filter: FileFilter,
    require_git: bool,
    /// Starts below other starts, in order: they are entered or looked at whatever the filter says.
    named: Vec<RelPath>,
    open_handles: AtomicUsize,
}

/// A directory to list.
pub(crate) struct DirTask {
    walk: Arc<Walk>,
    /// The open parent, if there was room to keep it.
    parent: Option<Arc<Handle>>,
    path: RelPath,
    rules: Rules,
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
    depth: usize,
    linked: bool,
    passage: bool,
    ancestors: Option<Arc<Ancestor>>,
    entries: Entries,
}

/// The identities of the directories above, where links are followed and loops could be.
struct Ancestor {
    id: (u64, u64),
    above: Option<Arc<Ancestor>>,
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

/// What becomes of a file that a request names itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedFiles {
    /// It is looked at, whatever its name.
    Taken,
    /// Its name must match; hidden or ignored it may be.
    Judged,
}

/// A place where a walk begins.
#[derive(Clone, Debug)]
enum Start {
    Dir(RelPath),
    /// A file that was named: it is looked at whatever the filter says.
    File(RelPath),
}

impl Tree {
    /// The files below `paths` that `options` lets through, and the files that `paths` names.
    ///
    /// A path that lies below another one adds what the other leaves out.
    ///
    /// # Errors
    ///
    /// `not_found` and `access_denied` for a path, `invalid_param` for one that is neither a
    /// directory nor a regular file, and for globs that do not compile.
    pub(crate) fn new(
        workspace: &Workspace,
        paths: &[RelPath],
        options: &FileOptions,
        named_files: NamedFiles,
    ) -> Result<Tree> {
        let filter = FileFilter::new(options)?;
        let mut starts = Vec::new();
        for path in paths {
            workspace.refuse_denied(path)?;
            match workspace.stat(path)?.kind {
                Kind::Dir => starts.push(Start::Dir(path.clone())),
                Kind::File if named_files == NamedFiles::Judged && !filter.matches(path) => {}
                Kind::File => starts.push(Start::File(path.clone())),
                Kind::Symlink | Kind::Special => {
                    let shown = path.display();
                    let message = format!("'{shown}' is neither a directory nor a regular file");
                    return Err(Error::invalid_param("path", message).with_path(shown));
                }
            }
        }
        // In the order of the paths that will come out of them.
        starts.sort_by_cached_key(|start| match start {
            Start::Dir(path) => [path.as_bytes(), b"/"].concat(),
            Start::File(path) => path.as_bytes().to_vec(),
        });
        starts.dedup_by(|later, earlier| later.path() == earlier.path());
        let (mut outer, mut inner): (Vec<Start>, Vec<RelPath>) = (Vec::new(), Vec::new());
        for start in starts {
            let is_inner = outer.last().is_some_and(
                |last| matches!(last, Start::Dir(dir) if start.path().starts_with(dir)),
            );
            if is_inner { inner.push(start.path().clone()) } else { outer.push(start) }
        }
        let walk = Arc::new(Walk {
            fs: Arc::clone(workspace.fs()),
            deny: workspace.deny().cloned(),
            filter,
            require_git: workspace.options().require_git,
            named: inner,
            open_handles: AtomicUsize::new(0),
        });
        Ok(Tree { walk, starts: outer })
    }
}

impl Start {
    fn path(&self) -> &RelPath {
        match self {
            Start::Dir(path) | Start::File(path) => path,
        }
    }
}

impl FileSource for Tree {
    fn tasks(&self, budget: &Budget, tally: &mut Tally) -> Result<Vec<Task>> {
        let tasks = self.starts.iter().map(|start| match start {
            Start::File(path) => {
                Task::Known(KnownFiles::new(&self.walk.fs, vec![(path.clone(), None)]))
            }
            Start::Dir(path) => Task::Dir(DirTask {
                walk: Arc::clone(&self.walk),
                parent: None,
                rules: self.walk.rules_above(budget, path, tally),
                path: path.clone(),
                depth: 0,
                linked: true,
                passage: false,
                ancestors: None,
            }),
        });
        Ok(tasks.collect())
    }
}

impl Walk {
    /// The rules of the directories above `start`, from the root downwards.
    fn rules_above(&self, budget: &Budget, start: &RelPath, tally: &mut Tally) -> Rules {
        let mut rules = Rules::default();
        if self.filter.no_ignore {
            return rules;
        }
        let mut path = RelPath::root();
        for name in start.components() {
            // What cannot be opened brings no rules; opening the start itself will say why.
            if let Ok(dir) = self.fs.open_dir(&path, true) {
                rules = rules.enter(budget, &dir, &path, Present::UNKNOWN, tally);
            }
            path = path.join(name);
        }
        rules
    }

    fn denies(&self, path: &RelPath, is_dir: bool) -> bool {
        let denied = |deny: &Arc<IgnoreLines>| deny.verdict(path.as_bytes(), is_dir);
        self.deny.as_ref().map(denied) == Some(Verdict::Ignore)
    }
}

impl DirTask {
    /// Lists the directory; offers its files and adds its directories, or adds its parts.
    pub(crate) fn run(
        self,
        budget: &Budget,
        buffer: &mut ListBuffer,
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
            let mut above = self.ancestors.as_deref();
            while let Some(ancestor) = above {
                if ancestor.id == dir.id() && ancestor.id != (0, 0) {
                    out.tally().counts.skipped.symlink += 1;
                    return Ok(());
                }
                above = ancestor.above.as_deref();
            }
            ancestors = Some(Arc::new(Ancestor { id: dir.id(), above: self.ancestors.clone() }));
        }
        let raw = RawEntries::list(&dir, &self.path, budget, buffer, out.tally())?;
        let rules = if self.walk.filter.no_ignore {
            Rules::default()
        } else {
            self.rules.enter(budget, &dir, &self.path, raw.present, out.tally())
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
            depth: self.depth + 1,
            linked: self.linked,
            passage: self.passage,
            ancestors,
            entries: Entries::default(),
        };
        listed.choose(&raw, budget, out.tally())?;
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

/// The entries of a directory as the system lists them.
#[derive(Default)]
struct RawEntries {
    names: Vec<u8>,
    entries: Vec<(usize, Option<Kind>)>,
    present: Present,
}

impl RawEntries {
    fn list(
        dir: &Dir,
        path: &RelPath,
        budget: &Budget,
        buffer: &mut ListBuffer,
        tally: &mut Tally,
    ) -> Result<RawEntries, Stopped> {
        let mut raw = RawEntries::default();
        let mut stopped = Ok(());
        let listed = dir.list(buffer, &mut |name, kind| {
            raw.names.extend_from_slice(name);
            raw.entries.push((raw.names.len(), kind));
            raw.present.note(name);
            stopped = budget.poll();
            stopped.is_ok()
        });
        stopped?;
        if let Err(error) = listed {
            // What was listed before the fault is still looked at.
            tally.counts.skipped.unreadable += 1;
            tally.warn(path, format!("not listed to the end: {}", error.reason()));
        }
        Ok(raw)
    }

    fn iter(&self) -> impl Iterator<Item = (&[u8], Option<Kind>)> {
        let mut start = 0;
        self.entries.iter().map(move |&(end, kind)| {
            let name = &self.names[start..end];
            start = end;
            (name, kind)
        })
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
        for (name, kind) in raw.iter() {
            budget.poll()?;
            path.set(&self.path, name);
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
                self.choose_one(&path, name, kind, tally)
            } else {
                self.choose_with_named(&path, name, kind, tally)
            };
            if let Some(kind) = chosen {
                self.entries.push(name, kind);
            }
        }
        Ok(())
    }

    /// As [`Listed::choose_one`], where some entries below were named and do not ask the filter.
    fn choose_with_named(
        &self,
        path: &RelPath,
        name: &[u8],
        kind: Kind,
        tally: &mut Tally,
    ) -> Option<EntryKind> {
        let named = &self.walk.named;
        if named.binary_search(path).is_ok() && !self.walk.denies(path, kind == Kind::Dir) {
            return match self.walk.fs.stat(path, true).ok()?.kind {
                Kind::File if kind == Kind::File => Some(EntryKind::File),
                Kind::File => Some(EntryKind::LinkedFile),
                Kind::Dir => Some(EntryKind::NamedDir),
                Kind::Symlink | Kind::Special => None,
            };
        }
        let leads_on = || kind == Kind::Dir && named.iter().any(|named| named.starts_with(path));
        if self.passage {
            return leads_on().then_some(EntryKind::Passage);
        }
        let chosen = self.choose_one(path, name, kind, tally);
        chosen.or_else(|| leads_on().then_some(EntryKind::Passage))
    }

    fn choose_one(
        &self,
        path: &RelPath,
        name: &[u8],
        kind: Kind,
        tally: &mut Tally,
    ) -> Option<EntryKind> {
        let (walk, filter) = (&self.walk, &self.walk.filter);
        let is_dir = kind == Kind::Dir;
        if walk.denies(path, is_dir) {
            return None;
        }
        let skipped = &mut tally.counts.skipped;
        let mut verdict = Verdict::None;
        if !self.rules.is_empty() {
            verdict = self.rules.verdict(path.as_bytes(), is_dir, walk.require_git);
        }
        if verdict == Verdict::Ignore {
            skipped.ignored += 1;
            return None;
        }
        // A name that an ignore file takes back in is not hidden either, as in ripgrep.
        // The insides of git stay hidden all the same: a line like `!*/` does not mean them.
        let is_hidden =
            name == b".git" || (verdict == Verdict::None && name.first() == Some(&b'.'));
        if !filter.hidden && is_hidden {
            skipped.hidden += 1;
            return None;
        }
        let kind = match kind {
            Kind::File => EntryKind::File,
            Kind::Dir => EntryKind::Dir,
            Kind::Symlink if filter.follow => match walk.fs.stat(path, true) {
                Ok(meta) if meta.kind == Kind::File => EntryKind::LinkedFile,
                Ok(meta) if meta.kind == Kind::Dir => EntryKind::LinkedDir,
                _ => {
                    skipped.symlink += 1;
                    return None;
                }
            },
            Kind::Symlink => {
                skipped.symlink += 1;
                return None;
            }
            Kind::Special => {
                skipped.special += 1;
                return None;
            }
        };
        let is_dir = matches!(kind, EntryKind::Dir | EntryKind::LinkedDir);
        if !is_dir {
            return (filter.passes_all() || filter.matches(path)).then_some(kind);
        }
        if filter.depth_max.is_some_and(|depth_max| self.depth >= depth_max) {
            return None;
        }
        if self.depth >= DEPTH_MAX {
            skipped.too_deep += 1;
            tally.warn(path, format!("not entered: more than {DEPTH_MAX} directories deep"));
            return None;
        }
        (!filter.prunes(path)).then_some(kind)
    }

    fn dir_task(&self, name: &[u8], kind: EntryKind) -> Task {
        let is_real = matches!(kind, EntryKind::Dir | EntryKind::Passage);
        let keep_open = is_real && self.walk.open_handles.load(Relaxed) <= HANDLES_MAX;
        Task::Dir(DirTask {
            walk: Arc::clone(&self.walk),
            parent: keep_open.then(|| Arc::clone(&self.handle)),
            path: self.path.join(name),
            rules: self.rules.clone(),
            // A named directory is a start of its own.
            depth: if kind == EntryKind::NamedDir { 0 } else { self.depth },
            // Links that led here are passed again when the directory is opened from the root.
            linked: self.linked || !is_real,
            passage: kind == EntryKind::Passage,
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
        for index in self.range.clone() {
            budget.poll()?;
            let (name, kind) = listed.entries.get(index);
            let effort = match kind {
                EntryKind::Dir
                | EntryKind::LinkedDir
                | EntryKind::NamedDir
                | EntryKind::Passage => {
                    out.task(listed.dir_task(name, kind));
                    Effort::Small
                }
                EntryKind::File => {
                    out.file(&Candidate::entry(&listed.handle.dir, &listed.path, name))?
                }
                EntryKind::LinkedFile => {
                    let path = listed.path.join(name);
                    out.file(&Candidate::path_from_root(&listed.walk.fs, &path))?
                }
            };
            if effort == Effort::Large && index + 1 < self.range.end {
                out.task(Task::Chunk(self.rest(index + 1)));
                return Ok(());
            }
        }
        Ok(())
    }
}
