//! Runs a request and reports on it.

use super::file::context::Context;
use super::file::form::TextForm;
use super::file::limits::FileLimits;
use super::file::run::{FileSearch, Scratch};
use super::indexer::after_search;
use super::paging::cursor::{self, Cursor, Position};
use super::paging::files::Selection;
use super::paging::page::{Page, PageLimits, Progress};
use super::ranking::{self, Beginnings, Ranker, Terms};
use super::syntax::file::{SyntaxOptions, Wanted};
use super::{FileMatches, Limits, Mode, Order, Report, SearchRequest, Sink};
use crate::budget::{Budget, StopReason, Stopped};
use crate::call::Call;
use crate::encoding::{self, Encodings, UnicodeForm};
use crate::error::{Error, ErrorKind, Result};
use crate::pattern::Pattern;
use crate::walk::{
    self, Admission, Candidate, FileFilter, FileList, FileSource, KnownFiles, NamedFiles,
    RunOptions, Tally,
};
use crate::workspace::{RelPath, Workspace};
use encoding_rs::Encoding;
use memchr::memmem;
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

pub(super) fn search(
    workspace: &Workspace,
    request: &SearchRequest,
    syntax: Option<SyntaxOptions>,
    call: &Call,
    sink: &mut Sink<'_>,
) -> Result<Report> {
    let started = Instant::now();
    let budget = Arc::new(Budget::of(call));
    let Limits { matches_max, files_max, output_bytes_max, .. } = request.limits;
    let limits = PageLimits::new(matches_max, files_max, output_bytes_max);
    let mut progress = Progress::new(&budget, started, limits);
    if let Some(only) = &request.only {
        return search_only(workspace, request, syntax, only, progress, sink);
    }
    let Ok(search) = compile(workspace, &budget, request, syntax) else {
        progress.stop(StopReason::Deadline);
        return progress.finish(Tally::default());
    };
    let mut search = search?;
    let paths = resolve(workspace, &request.paths)?;
    let identity = cursor::identity_of_search(request, &paths);
    let mut files = request.files.clone();
    // Only regular files have contents to search.
    files.attributes.types.directories = false;
    files.attributes.types.symlinks = false;
    let selection = Selection {
        paths,
        files,
        named_files: NamedFiles::Always,
        order: request.order,
        cursor: request.cursor.as_ref(),
        resumable: request.resumable,
        identity,
        stamps_attributes: true,
        ranker: (request.order == Order::Relevance)
            .then(|| ranker(workspace, &search, request, Terms::of_patterns(&request.pattern)))
            .transpose()?,
    };
    let mut page = Page::resume(workspace, selection, progress)?;
    let Page { files, progress, .. } = &mut page;
    search.resumed = request.cursor.as_ref().and_then(Cursor::resumed);
    search.attributes = files.tree().attributes().clone();
    search.stamps = request.resumable && files.stamps_by_visit();
    search.match_in(files.tree().view(), &budget);
    let source = Source { files: files.source(), has_links: files.tree().has_links() };
    let tally = run(workspace, source, search, request, progress, sink)?;
    let report = page.finish(tally);
    after_search(workspace);
    report
}

/// Searches exactly the files of a list, in its order.
fn search_only(
    workspace: &Workspace,
    request: &SearchRequest,
    syntax: Option<SyntaxOptions>,
    only: &[RelPath],
    mut progress: Progress<'_>,
    sink: &mut Sink<'_>,
) -> Result<Report> {
    if request.cursor.is_some() || request.resumable {
        let message =
            "a search of a list of files takes no cursor: continue with the rest of the list";
        return Err(Error::new(ErrorKind::InvalidParam, message).with_param("cursor"));
    }
    let budget = progress.budget;
    let Ok(search) = compile(workspace, budget, request, syntax) else {
        progress.stop(StopReason::Deadline);
        return progress.finish(Tally::default());
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
    tally.append(run(workspace, source, search, request, &mut progress, sink)?);
    progress.finish(tally)
}

/// The source of the files of a search.
struct Source<'a> {
    files: &'a dyn FileSource,
    /// Whether files may have been reached through symlinks.
    has_links: bool,
}

fn run(
    workspace: &Workspace,
    source: Source<'_>,
    search: FileSearch,
    request: &SearchRequest,
    progress: &mut Progress<'_>,
    sink: &mut Sink<'_>,
) -> Result<Tally> {
    let budget = progress.budget;
    let given = search.resumed.clone();
    let search = Arc::new(search);
    let mut consumer = Consumer {
        workspace,
        search: &search,
        has_links: source.has_links,
        request,
        sink,
        given,
        progress,
    };
    let options = RunOptions {
        threads: workspace.threads(),
        streams: request.in_parts,
        tracks: request.resumable,
    };
    walk::run(budget, source.files, &search, options, &mut |file, _, tally| {
        consumer.take(file, tally)
    })
}

pub(super) fn resolve(workspace: &Workspace, paths: &[String]) -> Result<Vec<RelPath>> {
    paths.iter().map(|path| workspace.resolve(path)).collect()
}

pub(super) fn compile(
    workspace: &Workspace,
    budget: &Budget,
    request: &SearchRequest,
    syntax: Option<SyntaxOptions>,
) -> std::result::Result<Result<FileSearch>, Stopped> {
    let form = request.files.unicode_form;
    let mut options = Cow::Borrowed(&request.pattern);
    if form != UnicodeForm::Bytes {
        for pattern in &mut options.to_mut().patterns {
            *pattern = form.of_text(pattern).into_owned();
        }
    }
    let pattern = Pattern::within(budget, &options)?;
    Ok(pattern.and_then(|pattern| with_pattern(workspace, Arc::new(pattern), request, syntax)))
}

/// Returns the ranker for the order of relevance.
pub(super) fn ranker(
    workspace: &Workspace,
    search: &FileSearch,
    request: &SearchRequest,
    terms: Terms,
) -> Result<Ranker> {
    let beginnings = Beginnings::of(&terms);
    let limits = Limits {
        matches_per_file_max: Some(ranking::LINES_MAX),
        file_bytes_max: request.limits.file_bytes_max,
        line_bytes_max: Some(ranking::LINE_BYTES_MAX),
        spans_per_line_max: Some(if beginnings.is_some() { 0 } else { ranking::SPANS_MAX }),
        ..Limits::NONE
    };
    let grammars = workspace.grammars_slot().get();
    let search = FileSearch {
        pattern: Arc::clone(&search.pattern),
        mode: Mode::Content,
        limits: FileLimits::of(&limits),
        context: Context::default(),
        encoding: search.encoding,
        form: search.form.clone(),
        exclude: search.exclude.clone(),
        syntax: SyntaxOptions::new(grammars, Wanted::of(request))?,
        attributes: Default::default(),
        resumed: None,
        in_parts: false,
        stamps: false,
        matching: None,
    };
    Ok(Ranker { search, terms, beginnings, by_path: false, keeps_metadata: false })
}

fn with_pattern(
    workspace: &Workspace,
    pattern: Arc<Pattern>,
    request: &SearchRequest,
    syntax: Option<SyntaxOptions>,
) -> Result<FileSearch> {
    let encoding = request.encoding.as_deref();
    let encoding =
        encoding.map(|label| encoding::from_label("encoding", label)).transpose()?.flatten();
    let form = text_form(workspace, request, encoding)?;
    let exclude = request.exclude.as_deref().filter(|text| !text.is_empty());
    if exclude.is_some() && request.pattern.multi_line {
        let predicate = "drops lines and cannot be used with 'multi_line'";
        return Err(Error::invalid_param("exclude", predicate));
    }
    Ok(FileSearch {
        pattern,
        mode: request.mode,
        limits: FileLimits::of(&request.limits),
        context: Context { before: request.context_before, after: request.context_after },
        encoding,
        exclude: exclude.map(|text| memmem::Finder::new(&*form.unicode.of_text(text)).into_owned()),
        form,
        syntax,
        attributes: Default::default(),
        resumed: None,
        in_parts: request.in_parts,
        stamps: false,
        matching: None,
    })
}

/// Returns the form in which the texts of a search are compared with its pattern.
fn text_form(
    workspace: &Workspace,
    request: &SearchRequest,
    encoding: Option<&'static Encoding>,
) -> Result<TextForm> {
    let encodings = match &request.encodings {
        Some(labels) if encoding.is_some() && !labels.is_empty() => {
            let predicate = "cannot be used with 'encoding', which applies to all files";
            return Err(Error::invalid_param("encodings", predicate));
        }
        Some(labels) => Encodings::from_labels("encodings", labels)?,
        None if encoding.is_some() => Encodings::default(),
        None => workspace.encodings().clone(),
    };
    Ok(TextForm { encodings, unicode: request.files.unicode_form })
}

/// Hands matches to the consumer within the limits.
struct Consumer<'a, 'p> {
    workspace: &'a Workspace,
    search: &'a FileSearch,
    has_links: bool,
    request: &'a SearchRequest,
    sink: &'a mut Sink<'a>,
    /// The file that was reported in part, and the number of its matches reported.
    given: Option<(RelPath, u64)>,
    progress: &'a mut Progress<'p>,
}

impl Consumer<'_, '_> {
    /// Takes the matches of a file. Returns whether the search continues.
    fn take(&mut self, file: FileMatches, tally: &mut Tally) -> bool {
        if !file.has_rest {
            return self.take_part(file, true);
        }
        let (path, n_files) = (file.path.clone(), self.progress.n_files());
        self.take_part(file, true) && self.take_rest(&path, n_files, tally)
    }

    /// Searches the rest of a file; `n_files` files were reported before it.
    fn take_rest(&mut self, path: &RelPath, n_files: u64, tally: &mut Tally) -> bool {
        let given = self.given_of(path);
        let (search, budget) = (self.search, self.progress.budget);
        let candidate = Candidate::path_from_root(self.workspace.fs(), path, self.has_links);
        let consumer = RefCell::new((self, true));
        let take = |part: FileMatches| {
            let (consumer, goes_on) = &mut *consumer.borrow_mut();
            let is_first = consumer.progress.n_files() == n_files;
            *goes_on = consumer.take_part(FileMatches { path: path.clone(), ..part }, is_first);
            *goes_on
        };
        let take_more = |part: FileMatches| take(FileMatches { has_rest: true, ..part });
        let mut scratch = Scratch::default();
        let rest = search.search_rest(&mut scratch, &candidate, budget, tally, given, &take_more);
        if let Some(last) = rest.found.filter(|_| consumer.borrow().1) {
            take(last);
        }
        let (consumer, goes_on) = consumer.into_inner();
        if goes_on && rest.stopped.is_err() && !consumer.progress.has_position() {
            let (given, path) = (consumer.given_of(path), path.clone());
            let position = Position { path, given, stamped: true, ..Position::default() };
            consumer.progress.resume_at(position);
        }
        goes_on && rest.stopped.is_ok()
    }

    /// Returns the number of matches of a file reported on this page or an earlier one.
    fn given_of(&self, path: &RelPath) -> u64 {
        let given = self.given.as_ref().filter(|(of, _)| of == path);
        given.map_or(0, |(_, given)| *given)
    }

    /// Takes a part of a file's matches, the first one or a further one.
    fn take_part(&mut self, mut file: FileMatches, is_first: bool) -> bool {
        let given_before = self.given_of(&file.path);
        let (has_rest, cut) = (file.has_rest, file.cut);
        // Only a cursor and further parts of a file need the path.
        let needs_path = self.request.resumable || self.request.in_parts;
        let path = if needs_path { file.path.clone() } else { RelPath::root() };
        let mut resume = Position { path, given: given_before, done: false, stamped: true, key: 0 };
        if !self.fit(&mut file, given_before, is_first) {
            self.progress.resume_at(resume);
            return false;
        }
        resume.done = !self.progress.is_over() && cut != Some(StopReason::Deadline) && !has_rest;
        let (n_matches, bytes) = (file.n_matches, file.all_output_bytes());
        if n_matches > 0 && bytes <= self.progress.bytes_left() {
            let flow = (self.sink)(file);
            let n_taken = self.progress.take(flow, n_matches, bytes, is_first);
            resume.done &= n_taken == n_matches;
            resume.given += n_taken;
        }
        if self.request.in_parts {
            self.given = Some((resume.path.clone(), resume.given));
        }
        // If a deadline cut the file, the search continues in the middle of it.
        if self.progress.is_over() || !(resume.done || has_rest) {
            self.progress.resume_at(resume);
        }
        !self.progress.is_over()
    }

    /// Cuts a part of a file's matches to the limits, which may end the page. Returns whether any of it may
    /// be reported.
    fn fit(&mut self, file: &mut FileMatches, given_before: u64, is_first: bool) -> bool {
        let progress = &mut *self.progress;
        let context = self.search.context;
        let matches_left = progress.matches_left();
        let files_left = progress.files_left() + u64::from(!is_first);
        // A file left to this thread whole may have no match at all.
        let is_unknown = file.has_rest && file.n_matches == 0;
        if (files_left == 0 && !is_unknown) || (matches_left == 0 && file.n_matches > 0) {
            progress.stop(StopReason::Limit);
            return false;
        }
        let per_file_max = self.search.limits.matches_per_file_max;
        match file.cut {
            Some(StopReason::Limit) if given_before + file.n_matches >= per_file_max => {
                progress.any_file_cut = true;
            }
            Some(reason @ (StopReason::Limit | StopReason::ByteBudget)) => progress.stop(reason),
            _ => {}
        }
        if file.n_matches > matches_left {
            file.truncate(matches_left, context);
            progress.stop(StopReason::Limit);
        }
        let bytes_left = progress.bytes_left();
        if file.all_output_bytes() > bytes_left {
            file.truncate_bytes(bytes_left, context);
            progress.stop(StopReason::ByteBudget);
        }
        true
    }
}
