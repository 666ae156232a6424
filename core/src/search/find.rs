//! Finding files by name and attributes: the walk alone, without opening a file.

use super::paging::cursor::{self, Cursor, Position};
use super::paging::files::{Bounds, Selection};
use super::paging::page::{Page, PageLimits, Progress};
use super::run::resolve;
use super::{Order, Report, Stop};
use crate::budget::{Budget, StopReason};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::walk::{
    self, FileAttributes, FileBlock, FileOptions, KnownFiles, NamedFiles, Reached, RunOptions,
    Tally, Visit, Visited, Visitor,
};
use crate::workspace::fs::{Kind, Meta};
use crate::workspace::{RelPath, Workspace};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// A request to find files, and its limits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FindRequest {
    /// Directories to search and files to judge, relative to the root or absolute inside it. A file named
    /// here may be hidden or ignored, but its name must match. A file reachable through several of them is
    /// reported once, as in [`SearchRequest::paths`](super::SearchRequest::paths). Default: the root.
    pub paths: Vec<String>,
    /// Selects the files.
    pub files: FileOptions,
    /// The order of the files.
    pub order: Order,
    /// Whether to return the attributes of each file. Default: no.
    pub details: bool,
    /// Maximum number of files. `None` is no limit.
    pub files_max: Option<u64>,
    /// Maximum number of bytes of paths. `None` is no limit.
    pub output_bytes_max: Option<usize>,
    /// The position to continue at. Default: the beginning.
    pub cursor: Option<Cursor>,
    /// Whether the report of a stopped find has a cursor. Default: no.
    pub resumable: bool,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundFile {
    /// The file.
    pub path: RelPath,
    /// Its attributes, if the request wants details.
    pub details: Option<FileDetails>,
}

/// Attributes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileDetails {
    /// The kind of entry.
    pub file_type: FileType,
    /// The size in bytes.
    pub size: u64,
    /// The modification time in nanoseconds since 1970.
    pub modified_ns: i128,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileType {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symlink that was not followed.
    Symlink,
    /// A FIFO, a socket or a device, which is never opened.
    Special,
}

impl FileType {
    /// Returns the stable letter used by `fd --type` and in replies.
    pub const fn code(self) -> &'static str {
        match self {
            FileType::File => "f",
            FileType::Directory => "d",
            FileType::Symlink => "l",
            FileType::Special => "o",
        }
    }
}

impl FindRequest {
    /// Creates a request for the files that `files` selects under the whole root, with its limits; `None` is no
    /// limit.
    pub fn new(
        files: FileOptions,
        files_max: Option<u64>,
        output_bytes_max: Option<usize>,
    ) -> FindRequest {
        FindRequest {
            paths: vec![".".to_owned()],
            files,
            order: Order::default(),
            details: false,
            files_max,
            output_bytes_max,
            cursor: None,
            resumable: false,
        }
    }
}

impl Workspace {
    /// Finds files by name and attributes, without opening them, in the order of the request.
    ///
    /// Reaching a limit or a deadline is not an error: the report says what stopped the search, and the files
    /// found are a prefix of all.
    ///
    /// ```
    /// use searchscope::{Call, FileOptions, FindRequest, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::create_dir_all(dir.path().join("src")).unwrap();
    /// # std::fs::write(dir.path().join("src/a.rs"), "").unwrap();
    /// # std::fs::write(dir.path().join("b.txt"), "").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let mut files = FileOptions::default();
    /// files.globs = vec!["*.rs".to_owned()];
    /// let request = FindRequest::new(files, Some(1_000), Some(1 << 20));
    /// let (found, report) = workspace.run_find(&request, &Call::new())?;
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
    pub fn run_find(&self, request: &FindRequest, call: &Call) -> Result<(Vec<FoundFile>, Report)> {
        let mut found = Vec::new();
        let report = self.find_into(request, call, &mut |file| {
            let path = std::mem::take(&mut file.path);
            found.push(FoundFile { path, ..*file });
            ControlFlow::Continue(())
        })?;
        Ok((found, report))
    }

    /// Like [`Workspace::run_find`], but hands each file to `take` in order, on the calling thread, until
    /// it breaks. A [`Stop`] counts the file as one match.
    ///
    /// ```
    /// use searchscope::{Call, FindRequest, Stop, StopReason, Workspace};
    /// use std::ops::ControlFlow;
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a"), "").unwrap();
    /// # std::fs::write(dir.path().join("b"), "").unwrap();
    /// # std::fs::write(dir.path().join("c"), "").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let request = FindRequest::new(Default::default(), None, None);
    /// let mut names = Vec::new();
    /// let report = workspace.run_find_each(&request, &Call::new(), &mut |file| {
    ///     names.push(file.path.display().into_owned());
    ///     if names.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(Stop::HERE) }
    /// })?;
    /// assert_eq!(names, ["a", "b"]);
    /// assert_eq!(report.stopped, Some(StopReason::Limit));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Workspace::run_find`].
    pub fn run_find_each(
        &self,
        request: &FindRequest,
        call: &Call,
        take: &mut dyn FnMut(&FoundFile) -> ControlFlow<Stop>,
    ) -> Result<Report> {
        self.find_into(request, call, &mut |file| take(file))
    }

    /// Like [`Workspace::run_find_each`], but `take` may keep the path of a file.
    fn find_into(
        &self,
        request: &FindRequest,
        call: &Call,
        take: &mut dyn FnMut(&mut FoundFile) -> ControlFlow<Stop>,
    ) -> Result<Report> {
        let started = Instant::now();
        if request.order == Order::Relevance {
            let predicate = "must not be 'relevance' in a find";
            return Err(Error::invalid_param("order", predicate));
        }
        let budget = Arc::new(Budget::of(call));
        let paths = resolve(self, &request.paths)?;
        let selection = Selection {
            identity: cursor::identity_of_find(request, &paths),
            paths,
            files: request.files.clone(),
            named_files: NamedFiles::Judged,
            order: request.order,
            cursor: request.cursor.as_ref(),
            resumable: request.resumable,
            stamps_attributes: false,
            ranker: None,
        };
        let limits = PageLimits::new(None, request.files_max, request.output_bytes_max);
        let progress = Progress::new(&budget, started, limits);
        let mut page = Page::resume(self, selection, progress)?;
        let Page { files, progress, .. } = &mut page;
        let file = FoundFile { path: RelPath::root(), details: None };
        let mut consumer = Consumer { progress, details: request.details, take, file };
        let mut tally = Tally::default();
        match files.ordered() {
            Some(known) => tally.last = consumer.take_all(known),
            None => {
                let names = Arc::new(Names::new(self, request, files.tree().attributes()));
                let mut take = |index, files: &mut FileBlock, _: &mut Tally| {
                    let (path, meta) = files.get(index);
                    consumer.take(path, meta)
                };
                let tracks = request.resumable;
                let options = RunOptions { tracks, ..RunOptions::on(self.threads()) };
                tally = walk::run(&budget, files.source(), &names, options, &mut take)?;
            }
        }
        page.finish(tally)
    }
}

/// Hands files to the caller within the limits.
struct Consumer<'a, 'p> {
    progress: &'a mut Progress<'p>,
    details: bool,
    take: &'a mut dyn FnMut(&mut FoundFile) -> ControlFlow<Stop>,
    /// The current file; its memory is reused for the next one.
    file: FoundFile,
}

impl Consumer<'_, '_> {
    /// Takes the files of a list. Returns the last one taken.
    fn take_all(&mut self, known: &KnownFiles) -> Option<Reached> {
        let mut last = None;
        for (path, meta) in known.iter() {
            if self.progress.budget.poll().is_err() || !self.take(path, meta) {
                break;
            }
            last = Some(path);
        }
        last.map(|path| Reached::File(RelPath::of_bytes(path)))
    }

    /// Takes a file. Returns whether the find continues.
    fn take(&mut self, path: &[u8], meta: Option<&Meta>) -> bool {
        let progress = &mut *self.progress;
        let mut n_taken = 0;
        if progress.files_left() == 0 {
            progress.stop(StopReason::Limit);
        } else if path.len() > progress.bytes_left() {
            progress.stop(StopReason::ByteBudget);
        } else {
            self.file.path.set_bytes(path);
            self.file.details = meta.filter(|_| self.details).map(FileDetails::of);
            n_taken = progress.take((self.take)(&mut self.file), 1, path.len(), true);
        }
        if progress.is_over() {
            let (path, done) = (RelPath::of_bytes(path), n_taken > 0);
            progress.resume_at(Position { path, done, stamped: true, ..Position::default() });
        }
        !progress.is_over()
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

/// Collects each file's path, and its attributes where they matter.
struct Names {
    bounds: Bounds,
    details: bool,
    stamps: bool,
    /// The file at which the find continues, which the page before has stamped.
    resumed: Option<RelPath>,
}

impl Names {
    fn new(workspace: &Workspace, request: &FindRequest, attributes: &FileAttributes) -> Names {
        Names {
            bounds: Bounds::new(workspace, attributes),
            details: request.details,
            stamps: request.resumable,
            resumed: request.cursor.as_ref().and_then(|cursor| Some(cursor.resumed()?.0)),
        }
    }
}

impl Visitor for Names {
    type Scratch = ();
    /// The index of the file in its batch.
    type Item = u32;

    fn visit(&self, visit: Visit<'_, ()>) -> Visited<u32> {
        let Visit { file, tally, files, .. } = visit;
        let is_resumed = self.resumed.as_ref().is_some_and(|path| file.is_at(path));
        let stamp = if self.stamps && !is_resumed { file.stamp(None) } else { 0 };
        let mut known = None;
        if self.details || !self.bounds.attributes.passes_all() {
            let Some(meta) = self.bounds.admitted(file, tally) else {
                return Visited { stamp, ..Visited::nothing() };
            };
            known = self.details.then_some(meta);
        }
        let found = Some(file.add_to(files, known));
        Visited { found, stamp, ..Visited::nothing() }
    }

    fn weight(_: &u32) -> usize {
        0
    }
}
