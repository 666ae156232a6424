//! Where files come from: the interface between a source of files and the ordered run over them.

use super::file_list::{FileBlock, FileList};
use super::listing::RawEntries;
use super::tally::Tally;
use super::tree::{Chunk, DirTask};
use crate::budget::{Budget, Stopped};
use crate::error::Result;
use crate::index::{Candidates, FileMemory, Listing, Recalled, Remembered, View};
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::RelPath;
use crate::workspace::fs::{Dir, File, FsError, Kind, ListBuffer, Meta, Root};
use fnv::FnvHasher;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;

/// Files of a list that are one job: enough to make handing jobs out cheap, few enough that a limit
/// stops early.
const KNOWN_FILES_PER_TASK: usize = 16;

/// Gives the files to look at, in their final order, as tasks that can be worked on in parallel.
///
/// A walk over a tree is one; an explicit or sorted list is one.
pub(crate) trait FileSource {
    /// The first tasks, in order; working on them may give more. What was passed over on the way is
    /// added to `tally`.
    fn tasks(&self, budget: &Budget, tally: &mut Tally) -> Result<Vec<Task>>;
}

/// A piece of the work that a [`FileSource`] gives.
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
    /// What is remembered of it.
    memory: Option<Remembered<'a>>,
}

enum At<'a> {
    /// An entry of a directory.
    Entry { dir: DirOf<'a>, dir_path: &'a RelPath, name: &'a [u8] },
    /// A path from the root; when `follow`, through symlinks inside it.
    Path { fs: &'a Root, path: &'a RelPath, follow: bool },
    /// The path from the root of what a listing said is a regular file.
    Listed { fs: &'a Root, path: &'a RelPath },
}

/// The directory of an entry.
enum DirOf<'a> {
    Open(&'a Dir),
    /// It is not open: memory says that the entry is a regular file.
    Remembered(&'a Root),
}

/// Takes what working on a task gives.
pub(crate) trait Output {
    /// Offers a file. Says how the visitor took it.
    fn file(&mut self, file: &Candidate<'_>) -> Result<Effort, Stopped>;
    /// Adds a task whose files come after those offered before and before those offered later.
    fn task(&mut self, task: Task);
    /// Whether each find is to be consumed as soon as its turn has come.
    fn streams(&self) -> bool;
    /// Where what is passed over at this place in the order is counted.
    fn tally(&mut self) -> &mut Tally;
    /// Says that with what was offered and added so far `dir` is done.
    fn dir_done(&mut self, dir: &RelPath);
}

/// How far a run has come in the order of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// Behind this file.
    File(RelPath),
    /// Before this path, which follows on everything below a directory.
    Before(RelPath),
}

/// How much work a file was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    Small,
    /// So much that the rest of the task is worth being given to somebody else.
    Large,
}

impl Task {
    /// Works on the task: offers its files to `out` and adds the tasks that follow from it.
    pub(crate) fn run(
        self,
        budget: &Budget,
        memory: &mut RawEntries,
        out: &mut dyn Output,
    ) -> Result<(), Stopped> {
        match self {
            Task::Dir(task) => task.run(budget, memory, out),
            Task::Chunk(chunk) => chunk.run(budget, out),
            Task::Known(files) => files.run(budget, out),
        }
    }
}

impl<'a> Candidate<'a> {
    pub(crate) fn entry(dir: &'a Dir, dir_path: &'a RelPath, name: &'a [u8]) -> Candidate<'a> {
        Candidate { at: At::Entry { dir: DirOf::Open(dir), dir_path, name }, memory: None }
    }

    /// Returns the file `name` in a directory that is not open, where a listing said that it is a
    /// regular one.
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

    /// What the file is now, without opening it.
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

    /// The path of the file; built here, so only files that need one pay for it.
    pub(crate) fn path(&self) -> RelPath {
        match &self.at {
            At::Entry { dir_path, name, .. } => dir_path.join(name),
            At::Path { path, .. } | At::Listed { path, .. } => (*path).clone(),
        }
    }

    /// The name of the file.
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

    /// Writes the path of the file into `path`, which keeps its memory.
    pub(crate) fn write_path(&self, path: &mut RelPath) {
        match &self.at {
            At::Entry { dir_path, name, .. } => path.set(dir_path, name),
            At::Path { path: at, .. } | At::Listed { path: at, .. } => path.set_to(at),
        }
    }

    /// Whether the file is the one at `path`.
    pub(crate) fn is_at(&self, path: &RelPath) -> bool {
        match &self.at {
            At::Entry { dir_path, name, .. } => path.is_joined(dir_path, name),
            At::Path { path: at, .. } | At::Listed { path: at, .. } => *at == path,
        }
    }

    /// Whether this is a directory without entries but those that `deny` takes out of reach: of them a
    /// caller learns not even that they are there.
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
        let mut is_empty = true;
        dir.list(&mut ListBuffer::default(), &mut |name, kind| {
            let denies = |deny: &IgnoreLines| {
                let kind = kind.or_else(|| dir.stat(name).ok().map(|meta| meta.kind));
                let is_dir = kind == Some(Kind::Dir);
                deny.verdict(path.join(name).as_bytes(), is_dir) == Verdict::Ignore
            };
            is_empty = deny.is_some_and(denies);
            is_empty
        })?;
        Ok(is_empty)
    }

    /// A number that differs when the file's path, size or time does; of `meta` where it is given,
    /// else of the path alone.
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

/// The stamp of a file whose path has gone into `hasher`.
fn stamp(mut hasher: FnvHasher, meta: Option<&Meta>) -> u64 {
    if let Some(meta) = meta {
        hasher.write(&meta.size.to_le_bytes());
        hasher.write(&meta.version().to_le_bytes());
    }
    hasher.finish()
}

/// As [`Candidate::stamp`], of a file that is known.
pub(crate) fn stamp_of(path: &[u8], meta: Option<&Meta>) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(path);
    stamp(hasher, meta)
}

/// An explicit list of files, in the order in which they shall come.
#[derive(Clone, Debug)]
pub(crate) struct KnownFiles {
    fs: Arc<Root>,
    files: Arc<FileList>,
    /// Whether symlinks may lead to the files; otherwise what has become one is not opened.
    follow: bool,
    /// Whether the files come out of listings that said they are regular files.
    of_a_listing: bool,
    /// What need not be read again.
    view: Option<Arc<View>>,
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
            view: None,
            range,
        }
    }

    /// Files of which a listing has just said that they are regular files.
    pub(crate) fn of_a_listing(self) -> KnownFiles {
        KnownFiles { of_a_listing: true, ..self }
    }

    /// The same files, which a walk with this memory has just offered.
    pub(crate) fn with_view(self, view: Option<Arc<View>>) -> KnownFiles {
        KnownFiles { view: view.filter(|_| !self.follow), ..self }
    }

    /// The same files, from the one at `first` on.
    pub(crate) fn from(&self, first: usize) -> KnownFiles {
        KnownFiles { range: first.min(self.files.len())..self.files.len(), ..self.clone() }
    }

    /// The files that are to be looked at, with what is known of them.
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
            let is_file = self.of_a_listing.then_some(true);
            let is_file = is_file.or_else(|| known.map(|meta| meta.kind == Kind::File));
            let at = if self.follow {
                At::Path { fs: &self.fs, path, follow: true }
            } else if is_file == Some(true) && !parent.is_of(path) && !self.is_beside_next(index) {
                At::Listed { fs: &self.fs, path }
            } else {
                match parent.of(&self.fs, path, is_file) {
                    Some((dir, dir_path)) => {
                        At::Entry { dir: DirOf::Open(dir), dir_path, name: path.file_name() }
                    }
                    None => At::Path { fs: &self.fs, path, follow: false },
                }
            };
            let listing = self.view.as_ref().and_then(|view| remembered.of(view, path));
            let memory = self.view.as_ref().zip(listing);
            let memory = memory.map(|(view, (listing, index))| Remembered { view, listing, index });
            let file = Candidate { at, memory };
            if out.file(&file)? == Effort::Large && index + 1 < self.range.end {
                out.task(Task::Known(KnownFiles { range: index + 1..self.range.end, ..self }));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the file after the one at `index` is in the same directory.
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
    /// Whether the directory of `path` is open.
    fn is_of(&self, path: &RelPath) -> bool {
        self.dir.is_some() && path.is_joined(&self.path, path.file_name())
    }

    /// The directory of `path`, where that is a regular file; otherwise opening it from the root
    /// says what is wrong.
    fn of(&mut self, fs: &Root, path: &RelPath, is_file: Option<bool>) -> Option<(&Dir, &RelPath)> {
        if !self.is_of(path) {
            self.path = path.parent()?;
            self.dir = fs.open_dir(&self.path, false).ok();
        }
        let dir = self.dir.as_ref()?;
        // Even opening a FIFO releases who waits to write to it.
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
    /// Returns the memory of the directory of `path`, where it is right, and the place of `path` in it.
    fn of(&mut self, view: &View, path: &RelPath) -> Option<(&Arc<Listing>, usize)> {
        if !(self.is_known && path.is_joined(&self.path, path.file_name())) {
            self.path = path.parent()?;
            self.is_known = true;
            self.listing = match view.dir(&self.path, view.reports_above(&self.path)) {
                Recalled::Fresh(listing) => Some(listing),
                Recalled::ToVerify(_) | Recalled::Unknown => None,
            };
        }
        let listing = self.listing.as_ref()?;
        Some((listing, listing.place(path.file_name())?))
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
