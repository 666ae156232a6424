//! The interface between a source of files and the ordered run over them.

use super::file_list::{FileBlock, FileList};
use super::tally::Tally;
use super::tree::{Chunk, DirTask};
use crate::budget::{Budget, Stopped};
use crate::error::Result;
use crate::index::{Candidates, FileMemory, Listing, Remembered, Subtree};
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::fs::{Dir, File, FsError, Kind, ListBuffer, Meta, Root};
use crate::workspace::{RawEntries, RelPath};
use fnv::FnvHasher;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;

/// Files of a list per task: enough to make scheduling cheap, few enough for a limit to stop early.
const KNOWN_FILES_PER_TASK: usize = 16;

/// Produces the files to look at, in their final order, as tasks that can run in parallel.
///
/// A walk over a tree is a source, and so is an explicit or sorted list.
pub(crate) trait FileSource {
    /// Returns the first tasks, in order; running them may add more. Adds skipped entries to `tally`.
    fn tasks(&self, budget: &Budget, tally: &mut Tally) -> Result<Vec<Task>>;
}

/// A piece of the work that a [`FileSource`] produces.
pub(crate) enum Task {
    /// A directory to list.
    Dir(DirTask),
    /// A part of a listed directory.
    Chunk(Chunk),
    /// A part of a list of files.
    Known(KnownFiles),
}

/// A file that the run offers to its visitor.
pub(crate) struct Candidate<'a> {
    at: At<'a>,
    /// The index's memory of it.
    memory: Option<Remembered<'a>>,
}

enum At<'a> {
    /// An entry of a directory.
    Entry { dir: DirOf<'a>, dir_path: &'a RelPath, name: &'a [u8] },
    /// A path from the root; with `follow`, through symlinks inside it.
    Path { fs: &'a Root, path: &'a RelPath, follow: bool },
    /// The path from the root of a file that a listing reported as regular.
    Listed { fs: &'a Root, path: &'a RelPath },
}

/// The directory of an entry.
enum DirOf<'a> {
    Open(&'a Dir),
    /// It is not open: memory says that the entry is a regular file.
    Remembered(&'a Root),
}

/// Takes the results of running a task.
pub(crate) trait Output {
    /// Offers a file. Returns the visitor's effort.
    fn file(&mut self, file: &Candidate<'_>) -> Result<Effort, Stopped>;
    /// Adds a task whose files come after those offered before and before those offered later.
    fn task(&mut self, task: Task);
    /// Returns whether each result is consumed as soon as its turn has come.
    fn streams(&self) -> bool;
    /// Returns the tally at this place in the order.
    fn tally(&mut self) -> &mut Tally;
    /// Reports that `dir` is done with the files and tasks added so far.
    fn dir_done(&mut self, dir: &RelPath);
}

/// The amount of work that a file took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    Small,
    /// Enough to be worth handing the rest of the task to another thread.
    Large,
}

impl Task {
    /// Works on the task: offers its files to `out` and adds the tasks that follow from it.
    pub(crate) fn run(
        self,
        budget: &Budget,
        raw: &mut RawEntries,
        out: &mut dyn Output,
    ) -> Result<(), Stopped> {
        match self {
            Task::Dir(task) => task.run(budget, raw, out),
            Task::Chunk(chunk) => chunk.run(budget, out),
            Task::Known(files) => files.run(budget, out),
        }
    }
}

impl<'a> Candidate<'a> {
    pub(crate) fn entry(dir: &'a Dir, dir_path: &'a RelPath, name: &'a [u8]) -> Candidate<'a> {
        Candidate { at: At::Entry { dir: DirOf::Open(dir), dir_path, name }, memory: None }
    }

    /// Returns the file `name` in a directory that is not open, where a listing reported a regular file.
    pub(crate) fn unopened(fs: &'a Root, dir_path: &'a RelPath, name: &'a [u8]) -> Candidate<'a> {
        Candidate { at: At::Entry { dir: DirOf::Remembered(fs), dir_path, name }, memory: None }
    }

    pub(crate) fn with_memory(self, memory: Option<Remembered<'a>>) -> Candidate<'a> {
        Candidate { memory, ..self }
    }

    /// Returns the memory of the file if a search that matches only `candidates` need not open it.
    pub(crate) fn absent_from(&self, candidates: &Candidates) -> Option<FileMemory> {
        let Remembered { view, listing, index } = self.memory?;
        view.absent(listing, index, candidates, || self.stat_now())
    }

    pub(crate) fn path_from_root(fs: &'a Root, path: &'a RelPath, follow: bool) -> Candidate<'a> {
        Candidate { at: At::Path { fs, path, follow }, memory: None }
    }

    /// Opens the file for reading.
    pub(crate) fn open(&self) -> Result<File, FsError> {
        match &self.at {
            At::Entry { dir: DirOf::Open(dir), name, .. } => dir.open_file(name),
            At::Entry { dir: DirOf::Remembered(fs), dir_path, name } => {
                fs.open_listed_file(&dir_path.join(name))
            }
            At::Path { fs, path, follow } => fs.open_file(path, *follow),
            At::Listed { fs, path } => fs.open_listed_file(path),
        }
    }

    /// Returns the current metadata of the file, without opening it.
    pub(crate) fn stat(&self) -> Result<Meta, FsError> {
        let known = self.memory.and_then(|memory| memory.view.meta(memory.listing, memory.index));
        known.map_or_else(|| self.stat_now(), Ok)
    }

    fn stat_now(&self) -> Result<Meta, FsError> {
        match &self.at {
            At::Entry { dir: DirOf::Open(dir), name, .. } => dir.stat(name),
            At::Entry { dir: DirOf::Remembered(fs), dir_path, name } => {
                fs.stat(&dir_path.join(name), false)
            }
            At::Path { fs, path, follow } => fs.stat(path, *follow),
            At::Listed { fs, path } => fs.stat(path, false),
        }
    }

    /// Returns the path of the file; built here, so only files that need one pay for it.
    pub(crate) fn path(&self) -> RelPath {
        match &self.at {
            At::Entry { dir_path, name, .. } => dir_path.join(name),
            At::Path { path, .. } | At::Listed { path, .. } => (*path).clone(),
        }
    }

    /// Returns the name of the file.
    pub(crate) fn name(&self) -> &[u8] {
        match &self.at {
            At::Entry { name, .. } => name,
            At::Path { path, .. } | At::Listed { path, .. } => path.file_name(),
        }
    }

    /// Adds the file to `block`.
    pub(crate) fn add_to(&self, block: &mut FileBlock, meta: Option<Meta>) -> u32 {
        match &self.at {
            At::Entry { dir_path, name, .. } => block.push(dir_path, name, meta),
            At::Path { path, .. } | At::Listed { path, .. } => block.push(path, b"", meta),
        }
    }

    /// Writes the path of the file into `path`, reusing its memory.
    pub(crate) fn write_path(&self, path: &mut RelPath) {
        match &self.at {
            At::Entry { dir_path, name, .. } => path.set(dir_path, name),
            At::Path { path: at, .. } | At::Listed { path: at, .. } => path.set_to(at),
        }
    }

    /// Returns whether the file is the one at `path`.
    pub(crate) fn is_at(&self, path: &RelPath) -> bool {
        match &self.at {
            At::Entry { dir_path, name, .. } => path.is_joined(dir_path, name),
            At::Path { path: at, .. } | At::Listed { path: at, .. } => *at == path,
        }
    }

    /// Returns whether this is a directory without entries other than denied ones, whose existence a caller
    /// must not learn.
    pub(crate) fn is_empty_dir(&self, deny: Option<&IgnoreLines>) -> Result<bool, FsError> {
        let dir = match &self.at {
            At::Entry { dir: DirOf::Open(dir), name, .. } => dir.open_dir(name)?,
            At::Entry { dir: DirOf::Remembered(fs), dir_path, name } => {
                fs.open_dir(&dir_path.join(name), false)?
            }
            At::Path { fs, path, follow } => fs.open_dir(path, *follow)?,
            At::Listed { fs, path } => fs.open_dir(path, false)?,
        };
        let path = self.path();
        // Through a link an entry is denied at its own path too.
        let real = dir.real_path().filter(|real| **real != path);
        let mut is_empty = true;
        dir.list(&mut ListBuffer::default(), &mut |name, kind| {
            let denies = |deny: &IgnoreLines| {
                let kind = kind.or_else(|| dir.stat(name).ok().map(|meta| meta.kind));
                let is_dir = kind == Some(Kind::Dir);
                let is_denied = |dir: &RelPath| {
                    deny.verdict(dir.join(name).as_bytes(), is_dir) == Verdict::Ignore
                };
                is_denied(&path) || real.is_some_and(is_denied)
            };
            is_empty = deny.is_some_and(denies);
            is_empty
        })?;
        Ok(is_empty)
    }

    /// Returns a number that changes with the file's path, and with its size and time if `meta` is given.
    pub(crate) fn stamp(&self, meta: Option<&Meta>) -> u64 {
        let mut hasher = FnvHasher::default();
        match &self.at {
            At::Entry { dir_path, name, .. } => {
                hasher.write(dir_path.as_bytes());
                if !dir_path.is_root() {
                    hasher.write(b"/");
                }
                hasher.write(name);
            }
            At::Path { path, .. } | At::Listed { path, .. } => hasher.write(path.as_bytes()),
        }
        stamp(hasher, meta)
    }
}

/// Returns the stamp of a file whose path has gone into `hasher`.
///
/// The hash must be the same in every process, because cursors outlive one. It need not resist an attack: two
/// files with one stamp only hide a change from the caller.
fn stamp(mut hasher: FnvHasher, meta: Option<&Meta>) -> u64 {
    if let Some(meta) = meta {
        hasher.write(&meta.size.to_le_bytes());
        hasher.write(&meta.version().to_le_bytes());
    }
    hasher.finish()
}

/// Like [`Candidate::stamp`], for a file that is known.
pub(crate) fn stamp_of(path: &[u8], meta: Option<&Meta>) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(path);
    stamp(hasher, meta)
}

/// An explicit list of files, in their final order.
#[derive(Clone, Debug)]
pub(crate) struct KnownFiles {
    fs: Arc<Root>,
    files: Arc<FileList>,
    /// Whether symlinks may lead to the files; otherwise a file that has become one is not opened.
    follow: bool,
    /// Whether a listing reported the files as regular.
    of_a_listing: bool,
    /// The index's memory of the tree, which saves reading it again.
    memory: Option<Subtree>,
    range: Range<usize>,
}

impl KnownFiles {
    pub(crate) fn new(fs: &Arc<Root>, files: FileList, follow: bool) -> KnownFiles {
        let range = 0..files.len();
        KnownFiles {
            fs: Arc::clone(fs),
            files: Arc::new(files),
            follow,
            of_a_listing: false,
            memory: None,
            range,
        }
    }

    /// Marks the files as ones that a listing has just reported as regular.
    pub(crate) fn of_a_listing(self) -> KnownFiles {
        KnownFiles { of_a_listing: true, ..self }
    }

    /// Adds the memory of the tree that has just offered these files. Paths through links are left out: the
    /// index knows directories by paths without links.
    pub(crate) fn with_memory(self, memory: Option<Subtree>) -> KnownFiles {
        KnownFiles { memory: memory.filter(|_| !self.follow), ..self }
    }

    /// Returns the same list from the file at `first` on.
    pub(crate) fn from(&self, first: usize) -> KnownFiles {
        KnownFiles { range: first.min(self.files.len())..self.files.len(), ..self.clone() }
    }

    /// Returns the files to look at, with their metadata if known.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], Option<&Meta>)> {
        self.range.clone().map(|index| self.files.get(index))
    }

    fn run(self, budget: &Budget, out: &mut dyn Output) -> Result<(), Stopped> {
        let mut parent = Parent::default();
        let mut remembered = RememberedParent::default();
        let mut path_memory = RelPath::root();
        for index in self.range.clone() {
            budget.poll()?;
            let (path, known) = self.files.get(index);
            path_memory.set_bytes(path);
            let path = &path_memory;
            let memory = self.memory.as_ref().and_then(|memory| remembered.of(memory, path));
            let is_file = (self.of_a_listing || memory.is_some()).then_some(true);
            let is_file = is_file.or_else(|| known.map(|meta| meta.kind == Kind::File));
            // Opening a directory pays off only if another file in it follows; a lone file is opened by its
            // path, as is a remembered one, which may not have to be opened at all.
            let is_alone = || !parent.is_of(path) && !self.is_beside_next(index);
            let at = if self.follow {
                At::Path { fs: &self.fs, path, follow: true }
            } else if is_file == Some(true) && (memory.is_some() || is_alone()) {
                At::Listed { fs: &self.fs, path }
            } else {
                match parent.of(&self.fs, path, is_file) {
                    Some((dir, dir_path)) => {
                        At::Entry { dir: DirOf::Open(dir), dir_path, name: path.file_name() }
                    }
                    None => At::Path { fs: &self.fs, path, follow: false },
                }
            };
            let file = Candidate { at, memory };
            if out.file(&file)? == Effort::Large && index + 1 < self.range.end {
                out.task(Task::Known(KnownFiles { range: index + 1..self.range.end, ..self }));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns whether the file after the one at `index` is in the same directory.
    fn is_beside_next(&self, index: usize) -> bool {
        let dir = |index: usize| {
            let (path, _) = self.files.get(index);
            &path[..memchr::memrchr(b'/', path).unwrap_or(0)]
        };
        index + 1 < self.range.end && dir(index) == dir(index + 1)
    }
}

/// The directory of the last file, kept open: the next one is often in it too.
#[derive(Default)]
struct Parent {
    path: RelPath,
    dir: Option<Dir>,
}

impl Parent {
    /// Returns whether the directory of `path` is open.
    fn is_of(&self, path: &RelPath) -> bool {
        self.dir.is_some() && path.is_joined(&self.path, path.file_name())
    }

    /// Returns the directory of `path` if that is a regular file; otherwise opening it from the root yields
    /// the error.
    fn of(&mut self, fs: &Root, path: &RelPath, is_file: Option<bool>) -> Option<(&Dir, &RelPath)> {
        if !self.is_of(path) {
            self.path = path.parent()?;
            self.dir = fs.open_dir(&self.path, false).ok();
        }
        let dir = self.dir.as_ref()?;
        // Opening a FIFO would already release a process that waits to write to it.
        let is_file = is_file.unwrap_or_else(
            || matches!(dir.stat(path.file_name()), Ok(meta) if meta.kind == Kind::File),
        );
        is_file.then_some((dir, &self.path))
    }
}

/// The memory of the directory of the last file.
#[derive(Default)]
struct RememberedParent {
    path: RelPath,
    listing: Option<Arc<Listing>>,
    is_known: bool,
}

impl RememberedParent {
    /// Returns the memory of `path`, if that of its directory is valid.
    fn of<'a>(&'a mut self, memory: &'a Subtree, path: &RelPath) -> Option<Remembered<'a>> {
        if !(self.is_known && path.is_joined(&self.path, path.file_name())) {
            self.path = path.parent()?;
            self.is_known = true;
            self.listing = memory.listing(&self.path);
        }
        let listing = self.listing.as_ref()?;
        let index = listing.place(path.file_name())?;
        Some(Remembered { view: memory.view(), listing, index })
    }
}

impl FileSource for KnownFiles {
    fn tasks(&self, _budget: &Budget, _tally: &mut Tally) -> Result<Vec<Task>> {
        let starts = self.range.clone().step_by(KNOWN_FILES_PER_TASK);
        Ok(starts
            .map(|start| {
                let range = start..(start + KNOWN_FILES_PER_TASK).min(self.range.end);
                Task::Known(KnownFiles { range, ..self.clone() })
            })
            .collect())
    }
}
