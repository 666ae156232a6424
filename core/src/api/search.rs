//! Searching text.

use super::changed::report_problems;
use super::{CallOptions, choosing_files};
use crate::error::Result;
use crate::search::{Cursor, FileMatches, Limits, Line, Mode, Order, Report, SearchRequest, Stop};
use crate::{Case, PatternOptions, RelPath, SearchContext, StopReason, Syntax, UseKind, Workspace};
use std::ops::ControlFlow;

/// A builder for a search; [`Search::run`] and [`Search::for_each`] start it.
///
/// ```
/// use searchscope::Workspace;
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # std::fs::create_dir(dir.path().join("src")).unwrap();
/// # std::fs::write(dir.path().join("src/a.rs"), "// class  User\n").unwrap();
/// # std::fs::write(dir.path().join("b.rs"), "// class User\n").unwrap();
/// let workspace = Workspace::open(dir.path())?;
/// let found = workspace.search(r"class\s+User").path("src").glob("*.rs").limit(100).run()?;
/// for hit in &found {
///     println!("{}:{}: {}", hit.path, hit.line.number, hit.text());
/// }
/// # assert_eq!(found.iter().count(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a search starts with `run` or `for_each`"]
pub struct Search<'w> {
    workspace: &'w Workspace,
    request: SearchRequest,
    has_paths: bool,
    has_limit: bool,
    has_limits: bool,
    call: CallOptions,
}

/// The matches of a search, and its report. Iterates over the matching lines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchResults {
    /// The files with matches, in the order of the search.
    pub files: Vec<FileMatches>,
    /// The report: why the search stopped, and the number of skipped entries.
    pub report: Report,
}

/// A matching line of a file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Match<'a> {
    /// The file.
    pub path: &'a RelPath,
    /// The line, with the spans that match.
    pub line: &'a Line,
}

impl Match<'_> {
    /// Returns the text of the line; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.line.text)
    }
}

impl Workspace {
    /// Returns a builder for a search for a regex, or for plain text with [`Search::literal`]. It is
    /// bounded by [`Limits::default`].
    pub fn search(&self, pattern: impl Into<String>) -> Search<'_> {
        let request = SearchRequest::new(PatternOptions::regex(pattern), Limits::default());
        Search {
            workspace: self,
            request,
            has_paths: false,
            has_limit: false,
            has_limits: false,
            call: CallOptions::default(),
        }
    }
}

impl Search<'_> {
    choosing_files!();

    /// Adds a pattern: a line matches if any of them does.
    pub fn or(mut self, pattern: impl Into<String>) -> Self {
        self.request.pattern.patterns.push(pattern.into());
        self
    }

    /// Reads the patterns as plain text, not as regexes.
    pub fn literal(mut self, on: bool) -> Self {
        self.request.pattern.syntax = if on { Syntax::Literal } else { Syntax::Regex };
        self
    }

    /// Ignores the case of letters.
    pub fn ignore_case(mut self, on: bool) -> Self {
        self.request.pattern.case = if on { Case::Insensitive } else { Case::Sensitive };
        self
    }

    /// Matches whole words only.
    pub fn word(mut self, on: bool) -> Self {
        self.request.pattern.word = on;
        self
    }

    /// Lets a match cover several lines.
    pub fn multi_line(mut self, on: bool) -> Self {
        self.request.pattern.multi_line = on;
        self
    }

    /// Restricts matches to comments, to string literals, or to the rest. Needs the feature
    /// `symbols`.
    pub fn within(mut self, context: SearchContext) -> Self {
        self.request.search_context = context;
        self
    }

    /// Names the definition around each match, in [`Line::enclosing`]. Needs the feature `symbols`.
    pub fn enclosing(mut self, on: bool) -> Self {
        self.request.enclosing = on;
        self
    }

    /// Labels each match with the kind of its use, in [`Line::uses`], and keeps only those of `kinds`; an empty
    /// list keeps all. Needs the feature `symbols`.
    ///
    /// ```
    /// use searchscope::{UseKind, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # if !cfg!(feature = "symbols") { return Ok(()); }
    /// # let dir = tempfile::tempdir().expect("a directory");
    /// # let text = "fn run() {}\nfn main() { run(); }\n";
    /// # std::fs::write(dir.path().join("a.rs"), text).expect("written");
    /// # let workspace = Workspace::open(dir.path())?;
    /// let callers = workspace.search("run").word(true).uses(&[UseKind::Call]).enclosing(true).run()?;
    /// let callers: Vec<_> = callers.iter().map(|hit| hit.line.enclosing.as_deref()).collect();
    /// assert_eq!(callers, [Some("fn main")]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn uses(mut self, kinds: &[UseKind]) -> Self {
        self.request.uses = Some(kinds.to_vec());
        self
    }

    /// Returns `before` and `after` lines around each match.
    pub fn context(mut self, before: usize, after: usize) -> Self {
        (self.request.context_before, self.request.context_after) = (before, after);
        self
    }

    /// Returns lines, files or counts. The latter two have no matching lines to iterate over.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.request.mode = mode;
        self
    }

    /// Orders the files.
    pub fn order(mut self, order: Order) -> Self {
        self.request.order = order;
        self
    }

    /// Stops after `matches` matching lines.
    pub fn limit(mut self, matches: u64) -> Self {
        self.request.limits.matches_max = Some(matches);
        self.has_limit = true;
        self
    }

    /// Sets every limit.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.request.limits = limits;
        self.has_limits = true;
        self
    }

    /// Adds a cursor to the report if the search stops early.
    pub fn resumable(mut self, on: bool) -> Self {
        self.request.resumable = on;
        self
    }

    /// Continues after the search that returned the cursor, and is resumable again.
    pub fn after(mut self, cursor: Cursor) -> Self {
        self.request.cursor = Some(cursor);
        self.resumable(true)
    }

    /// Returns the request, for [`Workspace::run_search`] and for fields without a builder method.
    /// After `changed` or `changed_since` it has the set of this moment.
    ///
    /// # Errors
    ///
    /// As [`Workspace::changed_files`], after those two methods only.
    pub fn into_request(mut self) -> Result<SearchRequest> {
        self.call.narrow(self.workspace, &mut self.request.files, &self.call.start())?;
        Ok(self.request)
    }

    /// Searches and collects the matches.
    ///
    /// # Errors
    ///
    /// As [`Workspace::run_search_each`], and [`Workspace::changed_files`] after `changed`.
    pub fn run(&self) -> Result<SearchResults> {
        let (mut request, call) = (self.request.clone(), self.call.start());
        let changed = self.call.narrow(self.workspace, &mut request.files, &call)?;
        let (files, mut report) = self.workspace.run_search(&request, &call)?;
        report_problems(changed.as_ref(), &mut report);
        Ok(SearchResults { files, report })
    }

    /// Searches and calls `each` for every matching line, in order and on this thread, until it
    /// breaks. Memory does not grow with the matches, and default limits do not apply.
    ///
    /// ```
    /// # use searchscope::Workspace;
    /// use std::ops::ControlFlow;
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.txt"), "one\ntwo\nthree\n").unwrap();
    /// # let workspace = Workspace::open(dir.path())?;
    /// let mut numbers = Vec::new();
    /// let report = workspace.search("o").for_each(|hit| {
    ///     numbers.push(hit.line.number);
    ///     if numbers.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// })?;
    /// assert_eq!((numbers, report.total), (vec![1, 2], 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Search::run`].
    pub fn for_each(&self, mut each: impl FnMut(Match<'_>) -> ControlFlow<()>) -> Result<Report> {
        let mut request = self.request.clone();
        request.in_parts = true;
        if !self.has_limits {
            request.limits.output_bytes_max = None;
        }
        if !self.has_limit && !self.has_limits {
            request.limits.matches_max = None;
        }
        let call = self.call.start();
        let changed = self.call.narrow(self.workspace, &mut request.files, &call)?;
        let mut report = self
            .workspace
            .run_search_each(&request, &call, &mut |file| each_line(&file, &mut each))?;
        report_problems(changed.as_ref(), &mut report);
        Ok(report)
    }
}

/// Passes the matching lines of a file to `each`.
fn each_line(
    file: &FileMatches,
    each: &mut impl FnMut(Match<'_>) -> ControlFlow<()>,
) -> ControlFlow<Stop> {
    for (n_before, found) in (0..).zip(matches_of(file)) {
        if each(found).is_break() {
            return ControlFlow::Break(Stop { taken: n_before + 1, reason: StopReason::Limit });
        }
    }
    ControlFlow::Continue(())
}

fn matches_of(file: &FileMatches) -> impl Iterator<Item = Match<'_>> {
    let matching = file.lines.iter().filter(|line| line.is_match);
    matching.map(|line| Match { path: &file.path, line })
}

impl SearchResults {
    /// Iterates over the matching lines of all files, in the order of the search.
    pub fn iter(&self) -> impl Iterator<Item = Match<'_>> {
        self.files.iter().flat_map(matches_of)
    }
}

impl<'a> IntoIterator for &'a SearchResults {
    type Item = Match<'a>;
    type IntoIter = Box<dyn Iterator<Item = Match<'a>> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}
