//! A request, from its text to its report.

use super::file::FileSearch;
use super::{FileMatches, Mode, Order, Report, SearchRequest, Sink, TotalKind};
use crate::budget::{Budget, CancelToken, StopReason};
use crate::encoding;
use crate::error::{Error, ErrorKind, Result};
use crate::pattern::Pattern;
use crate::walk::{
    self, Candidate, FileSource, KnownFiles, NamedFiles, Tally, Tree, Visited, Visitor,
};
use crate::workspace::fs::Meta;
use crate::workspace::{RelPath, Workspace};
use memchr::memmem;
use std::sync::Arc;
use std::time::Instant;

pub(super) fn search(
    workspace: &Workspace,
    request: &SearchRequest,
    cancel: &CancelToken,
    sink: &mut dyn Sink,
) -> Result<Report> {
    let started = Instant::now();
    let budget = Arc::new(Budget::new(request.timeout, cancel));
    let search = Arc::new(compile(request)?);
    let mut paths = Vec::with_capacity(request.paths.len());
    for path in &request.paths {
        paths.push(workspace.resolve(path)?);
    }
    let tree = Tree::new(workspace, &paths, &request.files, NamedFiles::Taken)?;
    let mut taken = Taken {
        request,
        sink,
        n_matches: 0,
        n_files: 0,
        bytes: 0,
        stop: StopReason::None,
        any_file_cut: false,
    };
    let mut tally = Tally::default();
    let newest;
    let source: &dyn FileSource = match request.order {
        Order::Path => &tree,
        Order::Mtime => {
            newest = newest_first(workspace, &budget, &tree, &mut tally)?;
            &newest
        }
    };
    let threads = workspace.threads();
    tally.append(walk::run(&budget, source, &search, threads, &mut |file| taken.take(file))?);
    if budget.is_cancelled() {
        return Err(Error::new(ErrorKind::Cancelled, "the call was cancelled"));
    }
    Ok(taken.report(&budget, tally, started))
}

fn compile(request: &SearchRequest) -> Result<FileSearch> {
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
    })
}

/// What has been given so far, held against the limits.
struct Taken<'a> {
    request: &'a SearchRequest,
    sink: &'a mut dyn Sink,
    n_matches: u64,
    n_files: u64,
    bytes: usize,
    /// What ended the search as a whole.
    stop: StopReason,
    /// Whether the limit of one file left matches out while the search went on.
    any_file_cut: bool,
}

impl Taken<'_> {
    /// Gives one file's matches on, as far as the limits allow. Returns whether more are wanted.
    fn take(&mut self, mut file: FileMatches) -> bool {
        let limits = &self.request.limits;
        let context_after = self.request.context_after;
        self.any_file_cut |= file.cut == Some(StopReason::Limit);
        let matches_left = limits.matches_max - self.n_matches;
        if self.n_files >= limits.files_max || (matches_left == 0 && file.n_matches > 0) {
            self.stop = StopReason::Limit;
            return false;
        }
        if file.n_matches > matches_left {
            file.truncate(matches_left, context_after);
            self.stop = StopReason::Limit;
        }
        if file.cut == Some(StopReason::ByteBudget) {
            self.stop = StopReason::ByteBudget;
        }
        let bytes_left = limits.output_bytes_max - self.bytes;
        if file.all_output_bytes() > bytes_left {
            file.truncate_bytes(bytes_left, context_after);
            self.stop = StopReason::ByteBudget;
        }
        if file.n_matches > 0 && file.all_output_bytes() <= bytes_left {
            self.n_matches += file.n_matches;
            self.n_files += 1;
            self.bytes += file.all_output_bytes();
            if !self.sink.file(file) && self.stop == StopReason::None {
                self.stop = StopReason::Limit;
            }
        }
        self.stop == StopReason::None
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
    pub(super) fn new(stopped: StopReason, total: u64, tally: Tally, started: Instant) -> Report {
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
            warnings: tally.warnings,
            n_warnings: counts.warnings,
            elapsed: started.elapsed(),
        }
    }
}

/// Lists the tree and orders it by modification time; only then is a file opened. Gives no file when
/// the listing was stopped.
pub(super) fn newest_first(
    workspace: &Workspace,
    budget: &Arc<Budget>,
    tree: &Tree,
    tally: &mut Tally,
) -> Result<KnownFiles> {
    let mut files: Vec<(RelPath, Option<Meta>)> = Vec::new();
    let stats = Arc::new(Stats);
    tally.append(walk::run(budget, tree, &stats, workspace.threads(), &mut |(path, meta)| {
        files.push((path, Some(meta)));
        true
    })?);
    if budget.poll_clock().is_err() {
        // The newest of a part of the tree are not the newest.
        files.clear();
    }
    files.sort_by(|(a_path, a), (b_path, b)| {
        let mtime = |meta: &Option<Meta>| meta.map_or(i128::MIN, |meta| meta.mtime_ns);
        mtime(b).cmp(&mtime(a)).then_with(|| a_path.cmp(b_path))
    });
    Ok(KnownFiles::new(workspace.fs(), files, tree.has_links()))
}

/// Looks at each file's attributes.
struct Stats;

impl Visitor for Stats {
    type Scratch = ();
    type Found = (RelPath, Meta);

    fn scratch(&self) {}

    fn visit(
        &self,
        (): &mut (),
        file: &Candidate<'_>,
        _budget: &Budget,
        tally: &mut Tally,
    ) -> Visited<(RelPath, Meta)> {
        match file.stat() {
            Ok(meta) => Visited { found: Some((file.path(), meta)), ..Visited::nothing() },
            Err(error) => {
                tally.count_unopened(&file.path(), &error);
                Visited::nothing()
            }
        }
    }

    fn weight((path, _): &(RelPath, Meta)) -> usize {
        path.as_bytes().len() + std::mem::size_of::<Meta>()
    }
}
