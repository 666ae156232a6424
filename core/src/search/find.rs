//! Finding files by their names and attributes: the walk alone, without opening anything.

use super::cursor::{self, Cursor, Position};
use super::files::{Selection, admitted};
use super::page::{Page, PageLimits, Progress};
use super::run::resolve;
use super::{Flow, Order, Report};
use crate::budget::{Budget, StopReason};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::walk::{
    self, Candidate, FileAttributes, FileBlock, FileOptions, KnownFiles, NamedFiles, Reached,
    RunOptions, Tally, Visited, Visitor,
};
use crate::wildcard::IgnoreLines;
use crate::workspace::fs::{Kind, Meta};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;
use std::time::Instant;

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
    /// use searchscope::{Call, FileOptions, FindRequest, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::create_dir_all(dir.path().join("src")).unwrap();
    /// # std::fs::write(dir.path().join("src/a.rs"), "").unwrap();
    /// # std::fs::write(dir.path().join("b.txt"), "").unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let mut files = FileOptions::default();
    /// files.globs = vec!["*.rs".to_owned()];
    /// let request = FindRequest::new(files, 1_000, 1 << 20);
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
            Flow::Continue
        })?;
        Ok((found, report))
    }

    /// As [`Workspace::run_find`], but hands each file to `take` in its turn, on the calling thread, and
    /// continues only when that has returned, as it says; to a [`Flow`] a file is one match.
    ///
    /// ```
    /// use searchscope::{Call, FindRequest, Flow, StopReason, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a"), "").unwrap();
    /// # std::fs::write(dir.path().join("b"), "").unwrap();
    /// # std::fs::write(dir.path().join("c"), "").unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let request = FindRequest::new(Default::default(), u64::MAX, usize::MAX);
    /// let mut names = Vec::new();
    /// let report = workspace.run_find_each(&request, &Call::new(), &mut |file| {
    ///     names.push(file.path.display().into_owned());
    ///     if names.len() < 2 { Flow::Continue } else { Flow::STOP }
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
        take: &mut dyn FnMut(&FoundFile) -> Flow,
    ) -> Result<Report> {
        self.find_into(request, call, &mut |file| take(file))
    }

    /// As [`Workspace::run_find_each`]; `take` may keep the path of a file.
    fn find_into(
        &self,
        request: &FindRequest,
        call: &Call,
        take: &mut dyn FnMut(&mut FoundFile) -> Flow,
    ) -> Result<Report> {
        let started = Instant::now();
        if request.order == Order::Relevance {
            let message = "'order' is relevance, which only a search of contents has";
            return Err(Error::invalid_param("order", message));
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
        let limits = PageLimits {
            matches_max: u64::MAX,
            files_max: request.files_max,
            output_bytes_max: request.output_bytes_max,
        };
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

/// Hands files on, as far as the limits allow.
struct Consumer<'a, 'p> {
    progress: &'a mut Progress<'p>,
    details: bool,
    take: &'a mut dyn FnMut(&mut FoundFile) -> Flow,
    /// The current file, in the memory of the one before it.
    file: FoundFile,
}

impl Consumer<'_, '_> {
    /// Takes the files of a list. Returns the last one that was taken.
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
    type Scratch = ();
    /// The index of the file in its batch.
    type Found = u32;

    fn visit(
        &self,
        (): &mut (),
        file: &Candidate<'_>,
        _budget: &Budget,
        tally: &mut Tally,
        files: &mut FileBlock,
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
        let found = Some(file.add_to(files, known));
        Visited { found, stamp, ..Visited::nothing() }
    }

    fn weight(_: &u32) -> usize {
        0
    }
}
