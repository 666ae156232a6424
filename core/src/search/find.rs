//! Finding files by their names and attributes: the walk alone, without opening anything.

use super::cursor::{self, Cursor, Position};
use super::files::{Asked, Files, admitted};
use super::run::{refuse_cancelled, resolve};
use super::{Order, Report, Wanted};
use crate::budget::{Budget, CancelToken, StopReason};
use crate::error::{Error, Result};
use crate::walk::{
    self, Candidate, FileAttributes, FileBlock, FileOptions, KnownFiles, NamedFiles, Reached,
    Tally, Visited, Visitor,
};
use crate::wildcard::IgnoreLines;
use crate::workspace::fs::{Kind, Meta};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Which files to find, and how many of them to give.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FindRequest {
    /// Directories to look below, and files, relative to the root or absolute inside it. A file
    /// that is named here may be hidden or ignored, but its name must match. A file that several of
    /// them lead to comes once, as in [`SearchRequest::paths`](super::SearchRequest::paths).
    /// Default: the root.
    pub paths: Vec<String>,
    /// Which files.
    pub files: FileOptions,
    /// In which order files come.
    pub order: Order,
    /// Whether to tell the attributes of each file. Default: no.
    pub details: bool,
    /// Files to give at most.
    pub files_max: u64,
    /// Bytes of paths to give at most.
    pub output_bytes_max: usize,
    /// After this the search stops with what it has found. Default: no deadline.
    pub timeout: Option<Duration>,
    /// Where to go on. Default: at the beginning.
    pub cursor: Option<Cursor>,
    /// Whether the report of a find that was stopped gives a cursor. Default: no.
    pub resumable: bool,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundFile {
    /// The file.
    pub path: RelPath,
    /// What it is, where the request asks for details.
    pub details: Option<FileDetails>,
}

/// What a file is beside its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileDetails {
    /// What kind of entry.
    pub file_type: FileType,
    /// The size in bytes.
    pub size: u64,
    /// When it was modified, in nanoseconds since 1970.
    pub modified_ns: i128,
}

/// What kind of entry something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileType {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symlink that was not followed.
    Symlink,
}

impl FileType {
    /// The stable letter, as `fd --type` and replies have it.
    pub const fn code(self) -> &'static str {
        match self {
            FileType::File => "f",
            FileType::Directory => "d",
            FileType::Symlink => "l",
        }
    }
}

impl FindRequest {
    /// A request for the files that `files` lets through, under the whole root.
    pub fn new(files: FileOptions, files_max: u64, output_bytes_max: usize) -> FindRequest {
        FindRequest {
            paths: vec![".".to_owned()],
            files,
            order: Order::default(),
            details: false,
            files_max,
            output_bytes_max,
            timeout: None,
            cursor: None,
            resumable: false,
        }
    }
}

impl Workspace {
    /// Finds files by name and attributes, without opening them, in the order of the request.
    ///
    /// A limit or a deadline is not an error: the report says what stopped the search, and what was
    /// found is a prefix of the whole.
    ///
    /// ```
    /// use searchscope::{CancelToken, FileOptions, FindRequest, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::create_dir_all(dir.path().join("src")).unwrap();
    /// # std::fs::write(dir.path().join("src/a.rs"), "").unwrap();
    /// # std::fs::write(dir.path().join("b.txt"), "").unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let mut files = FileOptions::default();
    /// files.globs = vec!["*.rs".to_owned()];
    /// let request = FindRequest::new(files, 1_000, 1 << 20);
    /// let (found, report) = workspace.find(&request, &CancelToken::new())?;
    /// assert_eq!(found[0].path.display(), "src/a.rs");
    /// assert_eq!((found.len(), report.complete), (1, true));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_param` for globs that do not compile, `not_found` and `access_denied` for the
    /// paths, `cancelled`, and `internal` for a defect.
    pub fn find(
        &self,
        request: &FindRequest,
        cancel: &CancelToken,
    ) -> Result<(Vec<FoundFile>, Report)> {
        let mut found = Vec::new();
        let report = self.find_into(request, cancel, &mut |file| {
            let path = std::mem::take(&mut file.path);
            found.push(FoundFile { path, ..*file });
            Wanted::More
        })?;
        Ok((found, report))
    }

    /// As [`Workspace::find`], but hands each file to `take` in its turn, on the calling thread, and
    /// goes on only when that has returned: what it wants of one file, [`Wanted`] says as of one match.
    ///
    /// ```
    /// use searchscope::{CancelToken, FindRequest, StopReason, Wanted, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a"), "").unwrap();
    /// # std::fs::write(dir.path().join("b"), "").unwrap();
    /// # std::fs::write(dir.path().join("c"), "").unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let request = FindRequest::new(Default::default(), u64::MAX, usize::MAX);
    /// let mut names = Vec::new();
    /// let report = workspace.find_each(&request, &CancelToken::new(), &mut |file| {
    ///     names.push(file.path.display().into_owned());
    ///     if names.len() < 2 { Wanted::More } else { Wanted::NoMore }
    /// })?;
    /// assert_eq!(names, ["a", "b"]);
    /// assert_eq!(report.stopped, StopReason::Limit);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Workspace::find`].
    pub fn find_each(
        &self,
        request: &FindRequest,
        cancel: &CancelToken,
        take: &mut dyn FnMut(&FoundFile) -> Wanted,
    ) -> Result<Report> {
        self.find_into(request, cancel, &mut |file| take(file))
    }

    /// As [`Workspace::find_each`]; `take` may keep the path of a file.
    fn find_into(
        &self,
        request: &FindRequest,
        cancel: &CancelToken,
        take: &mut dyn FnMut(&mut FoundFile) -> Wanted,
    ) -> Result<Report> {
        let started = Instant::now();
        if request.order == Order::Relevance {
            let message = "'order' is relevance, which only a search of contents has";
            return Err(Error::invalid_param("order", message));
        }
        let budget = Arc::new(Budget::new(request.timeout, cancel));
        let paths = resolve(self, &request.paths)?;
        let identity = cursor::identity_of_find(request, &paths);
        let mut wanted = request.files.clone();
        if let Some(cursor) = &request.cursor {
            cursor.check(identity)?;
            cursor.set_times(&mut wanted);
        }
        let asked = Asked {
            paths: &paths,
            files: &wanted,
            named_files: NamedFiles::Judged,
            order: request.order,
            cursor: request.cursor.as_ref(),
            stamps_attributes: false,
            ranker: None,
        };
        let mut tally = Tally::default();
        let files = Files::new(&budget, self, asked, &mut tally)?;
        let mut taken = Taken::new(request, take);
        match files.ordered() {
            Some(known) => tally.last = taken.take_all(&budget, known),
            None => {
                let names = Arc::new(Names::new(self, request, files.tree().attributes()));
                let mut take = |index, block: &mut FileBlock, _: &mut Tally| {
                    let (path, meta) = block.get(index);
                    taken.take(path, meta)
                };
                let run = walk::run(&budget, files.source(), &names, self.threads(), &mut take);
                tally.append(run?);
            }
        }
        if taken.stop == StopReason::None && budget.deadline_passed() {
            taken.stop = StopReason::Deadline;
            taken.position = tally.last.clone().map(Position::of);
        }
        let stamps = tally.counts.stamps;
        let mut report = Report::new(taken.stop, taken.n_files, tally, started);
        report.unignored = files.tree().unruled().to_vec();
        report.has_links = files.tree().has_links();
        report.tree_changed = files.changed(&budget)?;
        if request.resumable && taken.stop != StopReason::None {
            report.cursor = files.cursor_at(identity, taken.position, stamps);
        }
        refuse_cancelled(&budget)?;
        report.elapsed = started.elapsed();
        Ok(report)
    }
}

/// What has been found so far, held against the limits.
struct Taken<'a> {
    request: &'a FindRequest,
    take: &'a mut dyn FnMut(&mut FoundFile) -> Wanted,
    /// The file that is given, in the memory of the one before it.
    file: FoundFile,
    n_files: u64,
    bytes: usize,
    stop: StopReason,
    /// Where the next page begins, once a limit ended this one.
    position: Option<Position>,
}

impl<'a> Taken<'a> {
    fn new(
        request: &'a FindRequest,
        take: &'a mut dyn FnMut(&mut FoundFile) -> Wanted,
    ) -> Taken<'a> {
        Taken {
            request,
            take,
            file: FoundFile { path: RelPath::root(), details: None },
            n_files: 0,
            bytes: 0,
            stop: StopReason::None,
            position: None,
        }
    }

    /// Takes files of a list, and says how far it came.
    fn take_all(&mut self, budget: &Budget, known: &KnownFiles) -> Option<Reached> {
        let mut last = None;
        for (path, meta) in known.iter() {
            if budget.poll().is_err() || !self.take(path, meta) {
                break;
            }
            last = Some(path);
        }
        last.map(|path| Reached::File(RelPath::of_bytes(path)))
    }

    fn take(&mut self, path: &[u8], meta: Option<&Meta>) -> bool {
        self.bytes += path.len();
        let (stop, taken) = if self.n_files >= self.request.files_max {
            (StopReason::Limit, 0)
        } else if self.bytes > self.request.output_bytes_max {
            (StopReason::ByteBudget, 0)
        } else {
            self.file.path.set_bytes(path);
            self.file.details = meta.filter(|_| self.request.details).map(FileDetails::of);
            match (self.take)(&mut self.file) {
                Wanted::More => (StopReason::None, 1),
                Wanted::NoMore => (StopReason::Limit, 1),
                Wanted::Enough(taken) => (StopReason::Limit, taken),
                Wanted::Only(taken) => (StopReason::ByteBudget, taken),
                Wanted::Late(taken) => (StopReason::Deadline, taken),
            }
        };
        let done = taken > 0;
        self.n_files += u64::from(done);
        self.stop = stop;
        if stop != StopReason::None {
            let path = RelPath::of_bytes(path);
            let position = Position { path, done, stamped: true, ..Position::default() };
            self.position = Some(position);
        }
        stop == StopReason::None
    }
}

impl FileDetails {
    fn of(meta: &Meta) -> FileDetails {
        let file_type = match meta.kind {
            Kind::Dir => FileType::Directory,
            Kind::Symlink => FileType::Symlink,
            Kind::File | Kind::Special => FileType::File,
        };
        FileDetails { file_type, size: meta.size, modified_ns: meta.mtime_ns }
    }
}

/// Takes each file's path, and its attributes where they count.
struct Names {
    attributes: FileAttributes,
    deny: Option<Arc<IgnoreLines>>,
    details: bool,
    stamps: bool,
    /// The file at which the find goes on: the page before has stamped it.
    resumed: Option<RelPath>,
}

impl Names {
    fn new(workspace: &Workspace, request: &FindRequest, attributes: &FileAttributes) -> Names {
        Names {
            attributes: attributes.clone(),
            deny: workspace.deny().cloned(),
            details: request.details,
            stamps: request.resumable,
            resumed: request.cursor.as_ref().and_then(|cursor| Some(cursor.resumed()?.0)),
        }
    }
}

impl Visitor for Names {
    type Scratch = FileBlock;
    /// Which file of the block.
    type Found = u32;
    type Common = FileBlock;

    fn scratch(&self) -> FileBlock {
        FileBlock::default()
    }

    fn visit(
        &self,
        block: &mut FileBlock,
        file: &Candidate<'_>,
        _budget: &Budget,
        tally: &mut Tally,
    ) -> Visited<u32> {
        let is_resumed = self.resumed.as_ref().is_some_and(|path| file.is_at(path));
        let stamp = if self.stamps && !is_resumed { file.stamp(None) } else { 0 };
        let mut known = None;
        if self.details || !self.attributes.passes_all() {
            let Some(meta) = admitted(file, &self.attributes, self.deny.as_deref(), tally) else {
                return Visited { stamp, ..Visited::nothing() };
            };
            known = self.details.then_some(meta);
        }
        let found = Some(file.add_to(block, known));
        Visited { found, stamp, ..Visited::nothing() }
    }

    fn common(&self, block: &mut FileBlock) -> FileBlock {
        block.take()
    }

    fn weight(_: &u32) -> usize {
        0
    }

    fn weight_of_common(block: &FileBlock) -> usize {
        block.weight()
    }

    fn keeps_track(&self) -> bool {
        self.stamps
    }
}
