//! A request, from its text to its report.

use super::cursor::{self, Position};
use super::file::FileSearch;
use super::files::{Asked, Files};
use super::syntax::AskedSyntax;
use super::{FileMatches, Mode, Report, SearchRequest, Sink, TotalKind, Wanted};
use crate::budget::{Budget, CancelToken, StopReason, Stopped};
use crate::encoding;
use crate::error::{Error, ErrorKind, Result};
use crate::pattern::Pattern;
use crate::walk::{
    self, Admission, FileFilter, FileList, FileSource, KnownFiles, NamedFiles, NoGrammar, Tally,
};
use crate::workspace::{RelPath, Workspace};
use memchr::memmem;
use std::sync::Arc;
use std::time::Instant;

pub(super) fn search(
    workspace: &Workspace,
    request: &SearchRequest,
    syntax: Option<AskedSyntax>,
    cancel: &CancelToken,
    sink: &mut dyn Sink,
) -> Result<Report> {
    let started = Instant::now();
    let budget = Arc::new(Budget::new(request.timeout, cancel));
    if let Some(only) = &request.only {
        return search_only(&budget, workspace, request, syntax, only, sink, started);
    }
    let mut search = compile(request, syntax)?;
    let paths = resolve(workspace, &request.paths)?;
    let identity = cursor::identity_of_search(request, &paths);
    let mut tally = Tally::default();
    let mut files = request.files.clone();
    // A search looks into regular files.
    files.attributes.types.directories = false;
    files.attributes.types.symlinks = false;
    if let Some(cursor) = &request.cursor {
        cursor.check(identity)?;
        cursor.set_times(&mut files);
        search.resumed = cursor.resumed();
    }
    let asked = Asked {
        paths: &paths,
        files: &files,
        named_files: NamedFiles::Taken,
        order: request.order,
        cursor: request.cursor.as_ref(),
        stamps_attributes: true,
    };
    let files = Files::new(&budget, workspace, asked, &mut tally)?;
    search.attributes = files.tree().attributes().clone();
    search.keeps_track = request.resumable;
    search.stamps = request.resumable && files.stamps_by_visit();
    let mut taken = run(&budget, workspace, files.source(), search, request, sink, &mut tally)?;
    let position = taken.position(&budget, &tally);
    let stamps = tally.counts.stamps;
    let mut report = taken.report(&budget, tally, started);
    report.unignored = files.tree().unruled().to_vec();
    report.has_links = files.tree().has_links();
    report.tree_changed = files.changed(&budget)?;
    let goes_on = taken.stop != StopReason::None || budget.deadline_passed();
    if request.resumable && goes_on {
        report.cursor = files.cursor_at(identity, position, stamps);
    }
    refuse_cancelled(&budget)?;
    report.elapsed = started.elapsed();
    Ok(report)
}

/// Searches exactly the files of a list, in its order.
fn search_only(
    budget: &Arc<Budget>,
    workspace: &Workspace,
    request: &SearchRequest,
    syntax: Option<AskedSyntax>,
    only: &[RelPath],
    sink: &mut dyn Sink,
    started: Instant,
) -> Result<Report> {
    if request.cursor.is_some() || request.resumable {
        let message = "a search of a list of files has no cursor: go on with the rest of the list";
        return Err(Error::invalid_param("cursor", message));
    }
    let mut search = compile(request, syntax)?;
    let filter = FileFilter::new(workspace, &request.files)?;
    let mut tally = Tally::default();
    let mut files = Vec::with_capacity(only.len());
    let mut admission = Admission::new(workspace, &filter);
    for path in only {
        match admission.admits(budget, path, &mut tally) {
            Ok(true) => files.push(path),
            Ok(false) => tally.counts.filtered += 1,
            Err(Stopped) => break,
        }
    }
    search.attributes = filter.attributes.clone();
    let files = KnownFiles::new(workspace.fs(), FileList::of_paths(files), request.files.follow);
    let taken = run(budget, workspace, &files, search, request, sink, &mut tally)?;
    refuse_cancelled(budget)?;
    Ok(taken.report(budget, tally, started))
}

fn run<'a>(
    budget: &'a Arc<Budget>,
    workspace: &Workspace,
    source: &dyn FileSource,
    search: FileSearch,
    request: &'a SearchRequest,
    sink: &'a mut dyn Sink,
    tally: &mut Tally,
) -> Result<Taken<'a>> {
    let resumed = search.resumed.clone();
    let mut taken = Taken {
        budget,
        request,
        sink,
        resumed,
        n_matches: 0,
        n_files: 0,
        bytes: 0,
        stop: StopReason::None,
        position: None,
        any_file_cut: false,
    };
    let search = Arc::new(search);
    let threads = workspace.threads();
    tally.append(walk::run(budget, source, &search, threads, &mut |file| taken.take(file))?);
    Ok(taken)
}

pub(super) fn resolve(workspace: &Workspace, paths: &[String]) -> Result<Vec<RelPath>> {
    paths.iter().map(|path| workspace.resolve(path)).collect()
}

pub(super) fn refuse_cancelled(budget: &Budget) -> Result<()> {
    if budget.is_cancelled() {
        return Err(Error::new(ErrorKind::Cancelled, "the call was cancelled"));
    }
    Ok(())
}

fn compile(request: &SearchRequest, syntax: Option<AskedSyntax>) -> Result<FileSearch> {
    let pattern = Pattern::new(&request.pattern)?;
    let encoding = request.encoding.as_deref();
    let encoding =
        encoding.map(|label| encoding::from_label("encoding", label)).transpose()?.flatten();
    let exclude = request.exclude.as_deref().filter(|text| !text.is_empty());
    if exclude.is_some() && request.pattern.multi_line {
        let message = "'exclude' drops lines and cannot be used with 'multi_line'";
        return Err(Error::invalid_param("exclude", message));
    }
    Ok(FileSearch {
        pattern,
        mode: request.mode,
        limits: request.limits,
        context_before: request.context_before,
        context_after: request.context_after,
        encoding,
        exclude: exclude.map(|text| memmem::Finder::new(text).into_owned()),
        syntax,
        attributes: Default::default(),
        resumed: None,
        keeps_track: false,
        stamps: false,
    })
}

/// What has been given so far, held against the limits.
struct Taken<'a> {
    budget: &'a Budget,
    request: &'a SearchRequest,
    sink: &'a mut dyn Sink,
    /// The file in which the search went on, and how many of its matches were given before.
    resumed: Option<(RelPath, u64)>,
    n_matches: u64,
    n_files: u64,
    bytes: usize,
    /// What ended the search as a whole.
    stop: StopReason,
    /// Where the next page begins, once something ended this one.
    position: Option<Position>,
    /// Whether the limit of one file left matches out while the search went on.
    any_file_cut: bool,
}

impl Taken<'_> {
    /// Gives one file's matches on, as far as the limits allow. Returns whether more are wanted.
    fn take(&mut self, mut file: FileMatches) -> bool {
        let limits = &self.request.limits;
        let context_after = self.request.context_after;
        let given_before = match &self.resumed {
            Some((path, given)) if *path == file.path => *given,
            _ => 0,
        };
        // Only a cursor needs the path.
        let path = if self.request.resumable { file.path.clone() } else { RelPath::root() };
        let mut resume = Position { path, given: given_before, done: false, stamped: true, key: 0 };
        let matches_left = limits.matches_max - self.n_matches;
        if self.n_files >= limits.files_max || (matches_left == 0 && file.n_matches > 0) {
            self.stop = StopReason::Limit;
            self.position = Some(resume);
            return false;
        }
        let is_whole = given_before + file.n_matches >= limits.matches_per_file_max;
        match file.cut {
            Some(StopReason::Limit) if is_whole => self.any_file_cut = true,
            Some(StopReason::Limit) => self.stop = StopReason::Limit,
            Some(StopReason::ByteBudget) => self.stop = StopReason::ByteBudget,
            _ => {}
        }
        if file.n_matches > matches_left {
            file.truncate(matches_left, context_after);
            self.stop = StopReason::Limit;
        }
        let bytes_left = limits.output_bytes_max - self.bytes;
        if file.all_output_bytes() > bytes_left {
            file.truncate_bytes(bytes_left, context_after);
            self.stop = StopReason::ByteBudget;
        }
        let mut n_matches = file.n_matches;
        resume.done = self.stop == StopReason::None && file.cut != Some(StopReason::Deadline);
        if n_matches > 0 && file.all_output_bytes() <= bytes_left {
            self.bytes += file.all_output_bytes();
            match self.sink.file(file) {
                Wanted::More => {}
                Wanted::NoMore if self.stop == StopReason::None => self.stop = StopReason::Limit,
                Wanted::NoMore => {}
                Wanted::Only(taken) => {
                    let has_time = self.budget.poll_clock().is_ok();
                    self.stop =
                        if has_time { StopReason::ByteBudget } else { StopReason::Deadline };
                    resume.done &= taken >= n_matches;
                    n_matches = n_matches.min(taken);
                }
            }
            self.n_matches += n_matches;
            self.n_files += u64::from(n_matches > 0);
        } else {
            n_matches = 0;
        }
        resume.given += n_matches;
        // Of a file that a deadline cut, the search goes on in the middle.
        if self.stop != StopReason::None || !resume.done {
            self.position = Some(resume);
        }
        self.stop == StopReason::None
    }

    /// Where the next page begins; `None` when nothing was done that it need not do again.
    fn position(&mut self, budget: &Budget, tally: &Tally) -> Option<Position> {
        if self.position.is_some() || !budget.deadline_passed() {
            return self.position.take();
        }
        tally.last.clone().map(Position::of)
    }

    fn report(&self, budget: &Budget, tally: Tally, started: Instant) -> Report {
        let stopped = match self.stop {
            StopReason::None if budget.deadline_passed() => StopReason::Deadline,
            StopReason::None if self.any_file_cut => StopReason::Limit,
            stop => stop,
        };
        let total = if self.request.mode == Mode::Files { self.n_files } else { self.n_matches };
        Report::new(stopped, total, tally, started)
    }
}

impl Report {
    pub(crate) fn new(stopped: StopReason, total: u64, tally: Tally, started: Instant) -> Report {
        let counts = tally.counts;
        let complete = stopped == StopReason::None
            && counts.given_up == 0
            && counts.skipped.unreadable == 0
            && counts.skipped.too_deep == 0;
        Report {
            complete,
            stopped,
            total,
            total_kind: if complete { TotalKind::Exact } else { TotalKind::AtLeast },
            skipped: counts.skipped,
            searched_files: counts.files,
            filtered_files: counts.filtered,
            elsewhere: counts.elsewhere,
            no_grammar: NoGrammar { files: counts.no_grammar, first: tally.no_grammar },
            unignored: Vec::new(),
            has_links: false,
            cursor: None,
            tree_changed: None,
            warnings: tally.warnings,
            n_warnings: counts.warnings,
            elapsed: started.elapsed(),
        }
    }
}
