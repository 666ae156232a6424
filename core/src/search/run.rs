//! A request, from its text to its report.

use super::cursor::{self, Position};
use super::file::FileSearch;
use super::files::{Asked, Files};
use super::relevance::{self, PathTexts, Ranker};
use super::syntax::AskedSyntax;
use super::{FileMatches, Limits, Mode, Order, Report, SearchRequest, Sink, TotalKind, Wanted};
use crate::budget::{Budget, StopReason, Stopped};
use crate::call::Call;
use crate::encoding;
use crate::error::{Error, ErrorKind, Result};
use crate::pattern::Pattern;
use crate::walk::{
    self, Admission, Candidate, FileFilter, FileList, FileSource, KnownFiles, NamedFiles,
    NoGrammar, Tally, Visitor,
};
use crate::workspace::{RelPath, Workspace};
use memchr::memmem;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

pub(super) fn search(
    workspace: &Workspace,
    request: &SearchRequest,
    syntax: Option<AskedSyntax>,
    call: &Call,
    sink: &mut dyn Sink,
) -> Result<Report> {
    let started = Instant::now();
    let budget = Arc::new(Budget::of(call));
    if let Some(only) = &request.only {
        return search_only(&budget, workspace, request, syntax, only, sink, started);
    }
    let Ok(search) = compile(&budget, request, syntax) else {
        return stopped_at_once(&budget, started);
    };
    let mut search = search?;
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
        ranker: (request.order == Order::Relevance)
            .then(|| ranker(workspace, &search, request))
            .transpose()?,
    };
    let files = Files::new(&budget, workspace, asked, &mut tally)?;
    let of_ranking = (request.order == Order::Relevance).then(|| std::mem::take(&mut tally));
    search.attributes = files.tree().attributes().clone();
    search.keeps_track = request.resumable;
    search.stamps = request.resumable && files.stamps_by_visit();
    let source = Source { files: files.source(), has_links: files.tree().has_links() };
    let mut taken = run(&budget, workspace, source, search, request, sink, &mut tally)?;
    let position = taken.position(&budget, &tally);
    if let Some(mut of_ranking) = of_ranking {
        of_ranking.append_again(tally);
        tally = of_ranking;
    }
    let stamps = tally.counts.stamps;
    let mut report = taken.report(&budget, tally, started);
    report.unignored = files.tree().unruled().to_vec();
    report.has_links = files.tree().has_links();
    report.tree_changed = files.changed(&budget)?;
    let goes_on = taken.stop.is_some() || budget.deadline_passed();
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
    let Ok(search) = compile(budget, request, syntax) else {
        return stopped_at_once(budget, started);
    };
    let mut search = search?;
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
    let source = Source { files: &files, has_links: request.files.follow };
    let taken = run(budget, workspace, source, search, request, sink, &mut tally)?;
    refuse_cancelled(budget)?;
    Ok(taken.report(budget, tally, started))
}

/// Where the files of a search come from.
struct Source<'a> {
    files: &'a dyn FileSource,
    /// Whether files may have been reached through symlinks.
    has_links: bool,
}

fn run<'a>(
    budget: &'a Arc<Budget>,
    workspace: &'a Workspace,
    source: Source<'_>,
    search: FileSearch,
    request: &'a SearchRequest,
    sink: &'a mut dyn Sink,
    tally: &mut Tally,
) -> Result<Taken<'a>> {
    let given = search.resumed.clone();
    let search = Arc::new(search);
    let mut taken = Taken {
        budget,
        workspace,
        search: Arc::clone(&search),
        has_links: source.has_links,
        request,
        sink,
        given,
        n_matches: 0,
        n_files: 0,
        bytes: 0,
        stop: None,
        position: None,
        any_file_cut: false,
    };
    let threads = workspace.threads();
    let mut take = |file: FileMatches, (): &mut (), tally: &mut Tally| taken.take(file, tally);
    tally.append(walk::run(budget, source.files, &search, threads, &mut take)?);
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

/// The report of a search whose time was over before it began.
fn stopped_at_once(budget: &Budget, started: Instant) -> Result<Report> {
    refuse_cancelled(budget)?;
    Ok(Report::new(Some(StopReason::Deadline), 0, Tally::default(), started))
}

fn compile(
    budget: &Budget,
    request: &SearchRequest,
    syntax: Option<AskedSyntax>,
) -> std::result::Result<Result<FileSearch>, Stopped> {
    let pattern = Pattern::within(budget, &request.pattern)?;
    Ok(pattern.and_then(|pattern| with_pattern(Arc::new(pattern), request, syntax)))
}

/// Returns what judges the files for the order of relevance.
fn ranker(workspace: &Workspace, search: &FileSearch, request: &SearchRequest) -> Result<Ranker> {
    let limits = Limits {
        matches_max: u64::MAX,
        matches_per_file_max: relevance::LINES_MAX,
        files_max: u64::MAX,
        output_bytes_max: usize::MAX,
        line_bytes_max: relevance::LINE_BYTES_MAX,
        spans_per_line_max: relevance::SPANS_MAX,
        ..request.limits
    };
    let grammars = workspace.grammars_slot().get();
    let search = FileSearch {
        pattern: Arc::clone(&search.pattern),
        mode: Mode::Content,
        limits,
        context_before: 0,
        context_after: 0,
        encoding: search.encoding,
        exclude: search.exclude.clone(),
        syntax: AskedSyntax::new(grammars, request.search_context, false, None)?,
        attributes: Default::default(),
        resumed: None,
        keeps_track: false,
        in_parts: false,
        stamps: false,
    };
    Ok(Ranker { search, texts: PathTexts::new(&request.pattern) })
}

fn with_pattern(
    pattern: Arc<Pattern>,
    request: &SearchRequest,
    syntax: Option<AskedSyntax>,
) -> Result<FileSearch> {
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
        in_parts: request.in_parts,
        stamps: false,
    })
}

/// What has been given so far, held against the limits.
struct Taken<'a> {
    budget: &'a Budget,
    workspace: &'a Workspace,
    search: Arc<FileSearch>,
    has_links: bool,
    request: &'a SearchRequest,
    sink: &'a mut dyn Sink,
    /// The file of which matches were given before, and how many.
    given: Option<(RelPath, u64)>,
    n_matches: u64,
    n_files: u64,
    bytes: usize,
    /// What ended the search as a whole.
    stop: Option<StopReason>,
    /// Where the next page begins, once something ended this one.
    position: Option<Position>,
    /// Whether the limit of one file left matches out while the search went on.
    any_file_cut: bool,
}

impl Taken<'_> {
    /// Gives one file's matches on, as far as the limits allow. Returns whether more are wanted.
    fn take(&mut self, file: FileMatches, tally: &mut Tally) -> bool {
        if !file.has_rest {
            return self.take_part(file, true);
        }
        let (path, n_files) = (file.path.clone(), self.n_files);
        self.take_part(file, true) && self.take_rest(&path, n_files, tally)
    }

    /// Searches the rest of a file; `n_files` were given before it.
    fn take_rest(&mut self, path: &RelPath, n_files: u64, tally: &mut Tally) -> bool {
        let given = self.given_of(path);
        let (search, budget) = (Arc::clone(&self.search), self.budget);
        let candidate = Candidate::path_from_root(self.workspace.fs(), path, self.has_links);
        let taken = RefCell::new((self, true));
        let take = |part: FileMatches| {
            let (taken, goes_on) = &mut *taken.borrow_mut();
            let is_first = taken.n_files == n_files;
            *goes_on = taken.take_part(FileMatches { path: path.clone(), ..part }, is_first);
            *goes_on
        };
        let take_more = |part: FileMatches| take(FileMatches { has_rest: true, ..part });
        let mut scratch = search.scratch();
        let rest = search.search_rest(&mut scratch, &candidate, budget, tally, given, &take_more);
        if let Some(last) = rest.found.filter(|_| taken.borrow().1) {
            take(last);
        }
        let (taken, goes_on) = taken.into_inner();
        if goes_on && rest.stopped.is_err() && taken.position.is_none() {
            let (given, path) = (taken.given_of(path), path.clone());
            taken.position = Some(Position { path, given, stamped: true, ..Position::default() });
        }
        goes_on && rest.stopped.is_ok()
    }

    /// How many matches of a file were given, on this page or an earlier one.
    fn given_of(&self, path: &RelPath) -> u64 {
        let given = self.given.as_ref().filter(|(of, _)| of == path);
        given.map_or(0, |(_, given)| *given)
    }

    /// Gives a part of a file's matches on, the first one or a further one.
    fn take_part(&mut self, mut file: FileMatches, is_first: bool) -> bool {
        let limits = &self.request.limits;
        let context_after = self.request.context_after;
        let given_before = self.given_of(&file.path);
        let has_rest = file.has_rest;
        // Only a cursor and the further parts of a file need the path.
        let needs_path = self.request.resumable || self.request.in_parts;
        let path = if needs_path { file.path.clone() } else { RelPath::root() };
        let mut resume = Position { path, given: given_before, done: false, stamped: true, key: 0 };
        let matches_left = limits.matches_max - self.n_matches;
        let files_left = limits.files_max - self.n_files + u64::from(!is_first);
        // A file that was left whole may have no match at all.
        let is_unknown = has_rest && file.n_matches == 0;
        if (files_left == 0 && !is_unknown) || (matches_left == 0 && file.n_matches > 0) {
            self.stop = Some(StopReason::Limit);
            self.position = Some(resume);
            return false;
        }
        let is_whole = given_before + file.n_matches >= limits.matches_per_file_max;
        match file.cut {
            Some(StopReason::Limit) if is_whole => self.any_file_cut = true,
            Some(StopReason::Limit) => self.stop = Some(StopReason::Limit),
            Some(StopReason::ByteBudget) => self.stop = Some(StopReason::ByteBudget),
            _ => {}
        }
        if file.n_matches > matches_left {
            file.truncate(matches_left, context_after);
            self.stop = Some(StopReason::Limit);
        }
        let bytes_left = limits.output_bytes_max - self.bytes;
        if file.all_output_bytes() > bytes_left {
            file.truncate_bytes(bytes_left, context_after);
            self.stop = Some(StopReason::ByteBudget);
        }
        let mut n_matches = file.n_matches;
        resume.done = self.stop.is_none() && file.cut != Some(StopReason::Deadline);
        if n_matches > 0 && file.all_output_bytes() <= bytes_left {
            self.bytes += file.all_output_bytes();
            match self.sink.file(file) {
                Wanted::More => {}
                Wanted::NoMore if self.stop.is_none() => self.stop = Some(StopReason::Limit),
                Wanted::NoMore => {}
                wanted @ (Wanted::Enough(taken) | Wanted::Only(taken) | Wanted::Late(taken)) => {
                    self.stop = match wanted {
                        Wanted::Enough(_) => Some(StopReason::Limit),
                        Wanted::Late(_) => Some(StopReason::Deadline),
                        _ if self.budget.poll_clock().is_ok() => Some(StopReason::ByteBudget),
                        _ => Some(StopReason::Deadline),
                    };
                    resume.done &= taken >= n_matches;
                    n_matches = n_matches.min(taken);
                }
            }
            self.n_matches += n_matches;
            self.n_files += u64::from(is_first && n_matches > 0);
        } else {
            n_matches = 0;
        }
        resume.given += n_matches;
        if self.request.in_parts {
            self.given = Some((resume.path.clone(), resume.given));
        }
        resume.done &= !has_rest;
        // Of a file that a deadline cut, the search goes on in the middle.
        if self.stop.is_some() || !(resume.done || has_rest) {
            self.position = Some(resume);
        }
        self.stop.is_none()
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
            None if budget.deadline_passed() => Some(StopReason::Deadline),
            None if self.any_file_cut => Some(StopReason::Limit),
            stop => stop,
        };
        let total = if self.request.mode == Mode::Files { self.n_files } else { self.n_matches };
        Report::new(stopped, total, tally, started)
    }
}

impl Report {
    pub(crate) fn new(
        stopped: Option<StopReason>,
        total: u64,
        tally: Tally,
        started: Instant,
    ) -> Report {
        let counts = tally.counts;
        let complete = stopped.is_none()
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
            given_up: counts.given_up,
            elapsed: started.elapsed(),
        }
    }
}
