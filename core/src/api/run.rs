//! Methods that run a whole request.

use crate::error::Result;
use crate::search::{self, FileMatches, Report, SearchRequest, Stop};
use crate::search::{SymbolReport, SymbolRequest};
use crate::{Call, Workspace};
use std::ops::ControlFlow;

impl Workspace {
    /// Searches and collects all matches.
    ///
    /// ```
    /// use searchscope::{Call, Limits, PatternOptions, SearchRequest, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.rs"), "fn main() {}\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let limits = Limits { matches_max: Some(100), ..Limits::default() };
    /// let request = SearchRequest::new(PatternOptions::literal("fn main"), limits);
    /// let (files, report) = workspace.run_search(&request, &Call::new())?;
    /// assert_eq!(files[0].path.display(), "a.rs");
    /// assert_eq!(files[0].lines[0].number, 1);
    /// assert!(report.complete);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Workspace::run_search_each`].
    pub fn run_search(
        &self,
        request: &SearchRequest,
        call: &Call,
    ) -> Result<(Vec<FileMatches>, Report)> {
        let mut files = Vec::new();
        let report = self.run_search_each(request, call, &mut |file| {
            files.push(file);
            ControlFlow::Continue(())
        })?;
        Ok((files, report))
    }

    /// Searches and passes each file's matches to `each`, in the order of the request, as early as
    /// that order allows.
    ///
    /// A limit, a deadline or `each` that breaks is not an error: the report says what
    /// stopped the search, and the matches so far are a prefix of all matches.
    ///
    /// ```
    /// use searchscope::{Call, Limits, PatternOptions, SearchRequest, Workspace};
    /// use std::ops::ControlFlow;
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.txt"), "one hit\n").unwrap();
    /// # std::fs::write(dir.path().join("b.txt"), "two hits\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let limits = Limits { matches_max: None, output_bytes_max: None, ..Limits::default() };
    /// let mut request = SearchRequest::new(PatternOptions::literal("hit"), limits);
    /// request.in_parts = true;
    /// let mut lines = 0;
    /// let report = workspace.run_search_each(&request, &Call::new(), &mut |file| {
    ///     lines += file.lines.len();
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((lines, report.total), (2, 2));
    ///
    /// request.pattern = PatternOptions::regex("hit(");
    /// let error = workspace.run_search(&request, &Call::new()).unwrap_err();
    /// assert_eq!(error.code(), "pattern_syntax");
    /// assert_eq!(error.span(), Some(3..4));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `pattern_syntax` and `invalid_param` for a request that cannot be run, `not_found` and
    /// `access_denied` for its paths, `unsupported` for syntax in a build without the feature
    /// `symbols`, `cancelled`, and `internal` for a defect.
    pub fn run_search_each(
        &self,
        request: &SearchRequest,
        call: &Call,
        each: &mut dyn FnMut(FileMatches) -> ControlFlow<Stop>,
    ) -> Result<Report> {
        if request.needs_syntax() {
            self.grammars()?;
        }
        search::search_each(self, request, call, each)
    }

    /// Searches for definitions by name. Only files that contain a matching name are parsed:
    /// first those with a line that looks like a definition, then the others unless there are many.
    ///
    /// ```
    /// use searchscope::{Call, SymbolRequest, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # if !cfg!(feature = "symbols") { return Ok(()); }
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.rs"), "impl Job { fn run_all() {} }\n").unwrap();
    /// # let workspace = Workspace::open(dir.path())?;
    /// let request = SymbolRequest::new("ra", 10);
    /// let found = workspace.run_symbols(&request, &Call::new())?;
    /// assert_eq!(found.symbols[0].qualified_name, "Job::run_all");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Workspace::run_search_each`]; `invalid_param` for a blank query, `unsupported` in a build
    /// without the feature `symbols`.
    pub fn run_symbols(&self, request: &SymbolRequest, call: &Call) -> Result<SymbolReport> {
        self.grammars()?;
        search::search_symbols(self, request, call)
    }
}
