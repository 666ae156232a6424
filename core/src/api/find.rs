//! Finding files.

use super::changed::report_problems;
use super::{CallOptions, choosing_files};
use crate::error::Result;
use crate::search::{Cursor, FindRequest, FoundFile, Limits, Order, Report, Stop};
use crate::{FileOptions, Workspace};
use std::ops::ControlFlow;

/// A builder for a find; [`Find::run`] and [`Find::for_each`] start it.
///
/// ```
/// use searchscope::{Order, Workspace};
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # std::fs::write(dir.path().join("a.rs"), "").unwrap();
/// # std::fs::write(dir.path().join("b.txt"), "").unwrap();
/// let workspace = Workspace::open(dir.path())?;
/// let newest = workspace.find().extension("rs").order(Order::Mtime).limit(10).run()?;
/// for file in &newest {
///     println!("{}", file.path);
/// }
/// # assert_eq!(newest.files.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a find starts with `run` or `for_each`"]
pub struct Find<'w> {
    workspace: &'w Workspace,
    request: FindRequest,
    has_paths: bool,
    has_limit: bool,
    call: CallOptions,
}

/// The files that were found, and the report. Iterates over the files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FindResults {
    /// The files, in the order of the find.
    pub files: Vec<FoundFile>,
    /// The report: why the find stopped, and the number of skipped entries.
    pub report: Report,
}

impl Workspace {
    /// Returns a builder for a find of files by names and attributes. It returns at most 10,000 of
    /// them unless [`Find::limit`] sets another number.
    pub fn find(&self) -> Find<'_> {
        let Limits { matches_max, output_bytes_max, .. } = Limits::default();
        let request = FindRequest::new(FileOptions::default(), matches_max, output_bytes_max);
        Find {
            workspace: self,
            request,
            has_paths: false,
            has_limit: false,
            call: CallOptions::default(),
        }
    }
}

impl Find<'_> {
    choosing_files!();

    /// Keeps files whose name matches a regex, as `fd` does.
    pub fn name(mut self, pattern: impl Into<String>) -> Self {
        self.request.files.names.pattern = Some(pattern.into());
        self
    }

    /// Adds an extension, without its dot: a file must have one of them.
    pub fn extension(mut self, extension: impl Into<String>) -> Self {
        self.request.files.names.extensions.push(extension.into());
        self
    }

    /// Reads size, time and type of each file.
    pub fn details(mut self, on: bool) -> Self {
        self.request.details = on;
        self
    }

    /// Orders the files.
    pub fn order(mut self, order: Order) -> Self {
        self.request.order = order;
        self
    }

    /// Stops after `files` files.
    pub fn limit(mut self, files: u64) -> Self {
        self.request.files_max = Some(files);
        self.has_limit = true;
        self
    }

    /// Adds a cursor to the report if the find stops early.
    pub fn resumable(mut self, on: bool) -> Self {
        self.request.resumable = on;
        self
    }

    /// Continues after the find that returned the cursor, and is resumable again.
    pub fn after(mut self, cursor: Cursor) -> Self {
        self.request.cursor = Some(cursor);
        self.resumable(true)
    }

    /// Returns the request, for [`Workspace::run_find`] and for fields without a builder method.
    /// After `changed` or `changed_since` it has the set of this moment.
    ///
    /// # Errors
    ///
    /// As [`Workspace::changed_files`], after those two methods only.
    pub fn into_request(mut self) -> Result<FindRequest> {
        self.call.narrow(self.workspace, &mut self.request.files, &self.call.start())?;
        Ok(self.request)
    }

    /// Finds and collects the files.
    ///
    /// # Errors
    ///
    /// As [`Workspace::run_find`], and [`Workspace::changed_files`] after `changed`.
    pub fn run(&self) -> Result<FindResults> {
        let (mut request, call) = (self.request.clone(), self.call.start());
        let changed = self.call.narrow(self.workspace, &mut request.files, &call)?;
        let (files, mut report) = self.workspace.run_find(&request, &call)?;
        report_problems(changed.as_ref(), &mut report);
        Ok(FindResults { files, report })
    }

    /// Finds and calls `each` for every file, in order and on this thread, until it breaks.
    /// Default limits do not apply.
    ///
    /// # Errors
    ///
    /// As [`Find::run`].
    pub fn for_each(&self, mut each: impl FnMut(&FoundFile) -> ControlFlow<()>) -> Result<Report> {
        let mut request = self.request.clone();
        request.output_bytes_max = None;
        if !self.has_limit {
            request.files_max = None;
        }
        let call = self.call.start();
        let changed = self.call.narrow(self.workspace, &mut request.files, &call)?;
        let mut report = self
            .workspace
            .run_find_each(&request, &call, &mut |file| each(file).map_break(|()| Stop::HERE))?;
        report_problems(changed.as_ref(), &mut report);
        Ok(report)
    }
}

impl<'a> IntoIterator for &'a FindResults {
    type Item = &'a FoundFile;
    type IntoIter = std::slice::Iter<'a, FoundFile>;

    fn into_iter(self) -> Self::IntoIter {
        self.files.iter()
    }
}

impl IntoIterator for FindResults {
    type Item = FoundFile;
    type IntoIter = std::vec::IntoIter<FoundFile>;

    fn into_iter(self) -> Self::IntoIter {
        self.files.into_iter()
    }
}
