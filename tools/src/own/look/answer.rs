//! The searches of one call, one after the other until one finds something.

use super::absent::Absent;
use super::hits::{Hit, HitFile, Hits, gather, limits};
use super::query::{Query, quoted_short};
use super::wanted::Wanted;
use super::{Args, Only, definition, order, place, subject};
use crate::arguments::values;
use crate::replies::text::{heading, quoted};
use crate::tool::ToolCall;
use jiff::Timestamp;
use searchscope::toolkit::{ErrorExt, Role};
use searchscope::{
    Call, Case, Error, ErrorKind, FileAttributes, FileOptions, PatternOptions, RelPath, Report,
    Result, SearchRequest, StopReason, Workspace,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// The answer to a question, before it is cut to a page.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// Sentences that the caller should read before the rows.
    pub(super) remarks: Vec<String>,
    pub(super) rows: Rows,
    /// The number of rows, shown or not.
    pub(super) total: u64,
    /// The number of rows that the total does not count: lines inside a definition.
    pub(super) n_inside: u64,
    /// Whether the first row is a file whose name is the query.
    pub(super) has_file_first: bool,
    /// The number of files with rows.
    pub(super) n_files: u64,
    /// Sentences that follow the rows.
    pub(super) notes: Vec<String>,
    /// Totals by directory, largest first; shown if some rows are not.
    pub(super) dirs: Vec<(String, u64)>,
    pub(super) is_count: bool,
    /// The number of lines with the exact text, if a count in any case has more.
    pub(super) n_case_sensitive: Option<u64>,
    /// The number of lines per file that pages can reach, if a file has more.
    pub(super) per_file_max: Option<usize>,
    /// The report of the search that found the rows.
    pub(super) report: Option<Report>,
    /// The number of rows on a page, if it is not that of the reply's size.
    pub(super) rows_per_page: Option<usize>,
    /// Whether the definitions of a file come before its other rows.
    pub(super) definitions_first: bool,
    /// Whether the rows are lines of the best files, rather than all lines of a search.
    pub(super) is_ranking: bool,
    /// Whether any of the searches ran out of time.
    pub(super) is_late: bool,
    /// Whether any of the searches was incomplete.
    pub(super) is_partial: bool,
    /// The largest number of files that one of the searches covered.
    pub(super) n_searched: u64,
}

/// The rows of an answer, in the order in which they are shown.
#[derive(Debug, Default)]
pub(super) enum Rows {
    #[default]
    None,
    Lines {
        files: Vec<HitFile>,
        lines: Vec<Hit>,
        order: Vec<usize>,
    },
    /// Paths, with the number of matching lines if lines were searched.
    Paths(Vec<(String, Option<u64>)>),
}

impl Answer {
    /// Returns the number of rows on all pages, those included that the total does not count.
    pub(super) fn n_rows(&self) -> u64 {
        self.total + self.n_inside + u64::from(self.has_file_first)
    }

    /// Records the limitations of a search.
    pub(super) fn note(&mut self, report: &Report) {
        self.is_late |= report.stopped == Some(StopReason::Deadline);
        self.is_partial |= !report.complete;
        self.n_searched = self.n_searched.max(report.searched_files);
    }
}

/// State shared by all searches of a call.
pub(super) struct Lookup<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) query: Query,
    pub(super) only: Option<Only>,
    pub(super) path: String,
    pub(super) files: FileOptions,
    /// The filters of the call, as remarks name them: `only: "tests"`, `in: "src"`.
    pub(super) filters: Vec<String>,
    pub(super) call: &'a Call,
    pub(super) answer: Answer,
    /// Whether the text was only found in another case or naming.
    pub(super) is_renamed: bool,
    /// Whether definitions are shown apart from the uses in the same file.
    pub(super) sets_apart: bool,
    /// Whether the query is the text of a record or a trace that the caller wrote.
    pub(super) is_message: bool,
    /// The names of the question that are nowhere.
    pub(super) absent: Absent,
    /// The part of the tree to which the files are restricted, as the question names it.
    pub(super) part: Option<String>,
    /// The kind of rows that the question asks for first.
    pub(super) wanted: Option<Wanted>,
    /// The files that the next search reads, and the report of the pass that chose them.
    pub(super) among: Option<(Vec<RelPath>, Report)>,
    pub(super) started: Instant,
    /// The excluded files that were searched too, in words.
    pub(super) searched_outside: Option<&'static str>,
}

/// Hidden directories in which tools keep what they need: histories, packages, caches.
const HIDDEN_OF_TOOLS: &[&str] = &[
    ".cache",
    ".eggs",
    ".git",
    ".gradle",
    ".hg",
    ".mypy_cache",
    ".next",
    ".nox",
    ".nuxt",
    ".npm",
    ".pnpm-store",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".terraform",
    ".tox",
    ".venv",
    ".yarn",
];

/// The value of `since` for differences from git's `HEAD`.
const CHANGED: &str = "changed";

/// Answers a call.
///
/// # Errors
///
/// `invalid_param`, `access_denied` and `not_found` for invalid arguments; `unsupported` for
/// comments and strings without grammars; `cancelled`.
pub(super) fn answer(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Answer> {
    let mut answer = Answer::default();
    let mut files = file_options(workspace, &args)?;
    let like = args.like.as_deref().filter(|like| !like.is_empty());
    let query = match (like, args.q.as_deref()) {
        (Some(like), None | Some("")) => Query::literal(like),
        (Some(_), Some(_)) => {
            return Err(Error::invalid_param("like", "must not be given with 'q'"));
        }
        (None, q) => Query::read(q.unwrap_or_default()),
    };
    if query.text.trim().is_empty() {
        return Err(Error::invalid_param("q", "must not be blank, unless 'like' is given"));
    }
    if args.since.as_deref() == Some(CHANGED) {
        let changed = workspace.changed_files(None, call);
        let changed = changed.map_err(|error| error.with_param("since"))?;
        answer.is_partial |= !changed.is_complete();
        answer.remarks.extend(changed.problems().iter().cloned());
        files.path_filter = Some(Arc::new(changed));
    }
    let path = existing_path(workspace, args.path.clone(), &mut answer)?;
    let filters = filters(&args, &path);
    let mut look = Lookup {
        workspace,
        query,
        only: args.only,
        path,
        files,
        filters,
        call,
        answer,
        is_renamed: false,
        sets_apart: false,
        is_message: false,
        absent: Absent::default(),
        part: None,
        wanted: None,
        among: None,
        started: Instant::now(),
        searched_outside: None,
    };
    match like {
        Some(like) => look.answer_like(like)?,
        None => look.run()?,
    }
    Ok(look.answer)
}

fn file_options(workspace: &Workspace, args: &Args) -> Result<FileOptions> {
    let since = match args.since.as_deref() {
        Some(CHANGED) | None => None,
        Some(since) => {
            let or = ", or \"changed\" for files that differ from git's HEAD";
            Some(values::instant_or("since", since, Timestamp::now(), or)?)
        }
    };
    let attributes = FileAttributes { modified_after_ns: since, ..FileAttributes::default() };
    let globs = args.files.iter().map(|glob| match place::is_file(workspace, glob) {
        // The path of a file means that file, whatever its characters mean in a glob.
        true => globset::escape(glob),
        false => glob.clone(),
    });
    Ok(FileOptions {
        globs: globs.collect(),
        attributes,
        // What was left out is searched where nothing else was found.
        names_left_out: true,
        ..FileOptions::default()
    })
}

/// Returns the filters of a call, in the words of its arguments.
fn filters(args: &Args, path: &str) -> Vec<String> {
    let mut filters = Vec::new();
    if let Some(only) = args.only.filter(|only| only.is_filter()) {
        filters.push(format!("only: \"{}\"", only.name()));
    }
    if !args.files.is_empty() {
        let globs: Vec<String> = args.files.iter().map(|glob| quoted_short(glob)).collect();
        filters.push(format!("files: [{}]", globs.join(", ")));
    }
    filters.extend(args.since.as_ref().map(|since| format!("since: {}", quoted_short(since))));
    if path != "." {
        filters.push(format!("in: {}", quoted_short(path)));
    }
    filters
}

/// Returns the path to search below; if it does not exist, the nearest existing one.
fn existing_path(
    workspace: &Workspace,
    path: Option<String>,
    answer: &mut Answer,
) -> Result<String> {
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        return Ok(".".to_owned());
    };
    let named = |error: Error| error.with_param("in");
    let resolved = workspace.resolve(&path).map_err(named)?;
    let Err(error) = workspace.details(&resolved) else {
        return Ok(path);
    };
    if path.contains(['*', '?']) {
        let message = format!("{}; for a glob use 'files'", error.message());
        return Err(named(error.with_message(message)));
    }
    let Some(near) = error.near().first().cloned() else {
        return Err(named(error));
    };
    answer.remarks.push(format!(
        "{} does not exist; looked in {}",
        quoted_short(&path),
        quoted_short(&near)
    ));
    Ok(near)
}

impl Lookup<'_> {
    fn run(&mut self) -> Result<()> {
        if self.only == Some(Only::Names) {
            return self.only_names();
        }
        if !self.query.is_regex && self.query.words.len() > 1 && !self.query.text.contains('\n') {
            return self.answer_words();
        }
        let mut hits = match self.search(self.query.pattern()) {
            Err(error) if error.kind() == ErrorKind::PatternSyntax && self.query.is_regex => {
                return self.answer_broken_regex();
            }
            hits => hits?,
        };
        self.answer.note(&hits.report);
        if is_all_ignored(&hits.report) && !self.files.no_ignore {
            self.search_ignored();
            return self.run();
        }
        if self.query.is_qualified() {
            hits = self.with_qualified(hits)?;
        }
        if hits.n_lines > 0 {
            self.note_names(&hits)?;
            self.show(hits)?;
            return self.add_called_file();
        }
        let report = hits.report;
        self.otherwise(&report)?;
        if matches!(self.answer.rows, Rows::None) && self.answer.total == 0 {
            self.answer.report = Some(report);
        }
        Ok(())
    }

    /// Answers with a regex after its repair, or with its text, because it does not compile.
    fn answer_broken_regex(&mut self) -> Result<()> {
        if let Some(repaired) = self.query.repaired() {
            let written = std::mem::replace(&mut self.query, repaired);
            let remark =
                format!("/{}/ does not compile; searched as /{}/", written.text, self.query.text);
            let found = self.found(self.query.pattern(), Some(&remark))?;
            if found {
                return Ok(());
            }
            self.query = written;
        }
        self.take_as_text();
        self.run()
    }

    /// Puts the file whose name or path is the query first, also where other files mention it.
    pub(super) fn add_called_file(&mut self) -> Result<()> {
        let is_plain = self.only.is_none() && !self.query.is_regex && self.query.words.len() == 1;
        let Some(path) = is_plain.then(|| self.called_file()).transpose()?.flatten() else {
            return Ok(());
        };
        let Rows::Lines { files, lines, order } = &mut self.answer.rows else { return Ok(()) };
        let at = files.iter().position(|file| file.path == path).unwrap_or_else(|| {
            let role = Role::of(&path);
            files.push(HitFile { path: path.clone(), role, n_lines: 0, n_by_pattern: Vec::new() });
            files.len() - 1
        });
        order.insert(0, lines.len());
        self.answer.has_file_first = true;
        lines.push(Hit::heading(at));
        self.answer.remarks.insert(0, format!("{} is a file; it comes first", heading(&path)));
        Ok(())
    }

    /// Treats a regex that does not compile as literal text.
    pub(super) fn take_as_text(&mut self) {
        let remark =
            format!("{} is not a regex and was searched as literal text", self.query.shown());
        self.answer.remarks.push(remark);
        self.query = Query::literal(&self.query.text);
    }

    /// Includes ignored files, because there are no others.
    pub(super) fn search_ignored(&mut self) {
        let remark = "an ignore file leaves out every file, so ignored files were searched too";
        self.answer.remarks.push(remark.to_owned());
        self.files.no_ignore = true;
    }

    /// Includes hidden files, where projects have their settings, except those that tools keep there.
    pub(super) fn search_hidden(&mut self) {
        if self.files.hidden {
            return;
        }
        self.files.hidden = true;
        self.files.globs.extend(HIDDEN_OF_TOOLS.iter().map(|name| format!("!{name}")));
    }

    /// Shows the lines of a search by relevance, in the form that `only` requests.
    pub(super) fn show(&mut self, mut hits: Hits) -> Result<()> {
        let has_rows = !matches!(self.only, Some(Only::Count | Only::Files));
        let may_mark = self.query.name().is_some() && has_rows;
        let name = self.query.name().unwrap_or(&self.query.text).to_owned();
        let is_cut = may_mark && self.mark_definitions(&name, &mut hits)?;
        let answer = &mut self.answer;
        if self.only == Some(Only::Definitions) {
            let n_uses = hits.n_lines;
            hits.lines.retain(|hit| hit.is_definition);
            if hits.lines.is_empty() {
                let uses = match n_uses {
                    1 => "1 line contains it".to_owned(),
                    n => format!("{n} lines contain it"),
                };
                let where_looked = if is_cut { " in what was read" } else { "" };
                let name = quoted_short(&name);
                answer.remarks.push(format!("no definition of {name}{where_looked}; {uses}"));
            }
            hits.n_lines = hits.lines.len() as u64;
            let mut files: Vec<usize> = hits.lines.iter().map(|hit| hit.file).collect();
            files.dedup();
            answer.n_files = files.len() as u64;
        } else {
            answer.n_files = hits.files.len() as u64;
        }
        answer.total = hits.n_lines;
        answer.per_file_max = hits.per_file_max;
        answer.dirs = by_directory(&hits.files);
        answer.is_count = self.only == Some(Only::Count);
        answer.rows = match self.only {
            Some(Only::Count) => Rows::None,
            Some(Only::Files) => {
                answer.total = hits.files.len() as u64;
                hits.files
                    .sort_by(|one, other| (one.role, &one.path).cmp(&(other.role, &other.path)));
                Rows::Paths(
                    hits.files.into_iter().map(|file| (file.path, Some(file.n_lines))).collect(),
                )
            }
            _ => {
                if self.wanted == Some(Wanted::Uses) {
                    subject::set_apart(&mut hits, &name);
                } else if self.sets_apart {
                    subject::set_uses_apart(&mut hits);
                }
                answer.definitions_first =
                    self.wanted.is_none_or(|wanted| wanted == Wanted::Definitions);
                let order = match self.wanted {
                    Some(wanted) => subject::by_wanted(wanted, &hits.files, &hits.lines, &name),
                    None => order::by_relevance(&hits.files, &hits.lines, &name),
                };
                Rows::Lines { files: hits.files, lines: hits.lines, order }
            }
        };
        answer.report = Some(hits.report);
        if self.only == Some(Only::Count) {
            self.count_case_sensitive()?;
        }
        Ok(())
    }

    /// Counts the lines with the exact text, if smart case has counted any case.
    fn count_case_sensitive(&mut self) -> Result<()> {
        let text = &self.query.text;
        let is_any_case = text.to_lowercase() == *text && text.to_uppercase() != *text;
        let is_first = self.answer.remarks.is_empty();
        if self.query.is_regex || !is_any_case || !is_first {
            return Ok(());
        }
        let pattern = PatternOptions { case: Case::Sensitive, ..self.query.pattern() };
        let hits = self.search(pattern)?;
        let is_whole = hits.report.stopped.is_none();
        if is_whole && hits.n_lines != self.answer.total {
            self.answer.n_case_sensitive = Some(hits.n_lines);
        }
        Ok(())
    }

    /// Marks definitions among the lines and returns whether there may be others.
    pub(super) fn mark_definitions(&mut self, name: &str, hits: &mut Hits) -> Result<bool> {
        let (files, lines) = (&hits.files, &mut hits.lines);
        let is_sought = self.only == Some(Only::Definitions);
        let defined = definition::mark(
            self.workspace,
            (name, self.is_renamed, is_sought),
            files,
            lines,
            &self.half_of_the_time(),
        )?;
        if defined.is_cut() {
            let definition::Defined { n_parsed, n_candidates, .. } = defined;
            self.answer.notes.push(format!(
                "searched {n_parsed} of {n_candidates} candidate files for definitions; narrow in \
                 or files to reach the rest"
            ));
        }
        // Another call may get further and rank its rows differently, so the reply offers no next page.
        self.answer.is_late |= defined.is_late;
        if !defined.similar.is_empty() && defined.n_definitions == 0 {
            let similar = defined.similar.iter();
            let similar: Vec<String> = similar
                .map(|(name, path, line)| format!("{} {}:{line}", quoted(name), heading(path)))
                .collect();
            self.answer.notes.push(format!("similar definitions: {}", similar.join(", ")));
        }
        let is_unread = defined.n_definitions == 0 && defined.unread.is_some();
        if let Some(unread) = defined.unread.as_ref().filter(|_| is_unread) {
            self.answer.notes.push(unread.clone());
            self.answer.is_partial = true;
        }
        Ok(defined.is_cut() || is_unread)
    }

    pub(super) fn search(&self, pattern: PatternOptions) -> Result<Hits> {
        let mut request = self.request(pattern)?;
        let role = self.only.and_then(Only::role);
        let mut of_pass = None;
        if let Some((only, report)) = &self.among {
            request.only = Some(only.clone());
            of_pass = Some(report.clone());
        }
        let mut hits =
            gather(self.workspace, &mut request, role, self.call).map_err(own_parameter)?;
        // The pass that chose the files has searched all of them.
        if let Some(report) = of_pass.filter(|_| hits.report.complete) {
            hits.report = report;
        }
        Ok(hits)
    }

    pub(super) fn request(&self, pattern: PatternOptions) -> Result<SearchRequest> {
        let mut request = SearchRequest::new(pattern, limits());
        request.paths = vec![self.path.clone()];
        request.files = self.files.clone();
        request.files.glob_bases = vec![self.workspace.resolve(&self.path)?];
        request.search_context = self.only.map(Only::context).unwrap_or_default();
        request.uses = self.only.and_then(Only::use_kind).map(|kind| vec![kind]);
        if request.needs_syntax() {
            self.workspace.check_grammars().map_err(|error| error.with_param("only"))?;
        }
        Ok(request)
    }

    /// Returns a call for one step, which leaves half of the time to the others.
    pub(super) fn half_of_the_time(&self) -> Call {
        self.call.time_left().map_or_else(|| self.call.clone(), |left| self.call.within(left / 2))
    }
}

/// Returns whether nothing was searched because ignore files leave out everything.
pub(super) fn is_all_ignored(report: &Report) -> bool {
    report.searched_files == 0 && report.filtered_files == 0 && report.skipped.ignored > 0
}

/// Renames the parameter of an engine error to that of this tool.
fn own_parameter(error: Error) -> Error {
    let (list, item) = match error.param() {
        Some(param) => param.split_at(param.find('[').unwrap_or(param.len())),
        None => return error,
    };
    let own = match list {
        "globs" => format!("files{item}"),
        "paths" => "in".to_owned(),
        "pattern" | "patterns" => "q".to_owned(),
        _ => return error,
    };
    error.with_param_named(own)
}

/// Adds ignored and hidden files, except those of git.
pub(crate) fn everywhere(files: FileOptions) -> FileOptions {
    let mut globs = files.globs.clone();
    globs.push("!.git".to_owned());
    FileOptions { globs, hidden: true, no_ignore: true, ..files }
}

/// Returns the number of lines by directory, largest first, at the first level with several
/// directories.
fn by_directory(files: &[HitFile]) -> Vec<(String, u64)> {
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let shared = shared_directory(&paths);
    let mut dirs: BTreeMap<&str, u64> = BTreeMap::new();
    for file in files {
        let below = &file.path[shared..];
        let end = below.find('/').map_or(shared, |at| shared + at + 1);
        *dirs.entry(&file.path[..end]).or_default() += file.n_lines;
    }
    let mut dirs: Vec<(String, u64)> =
        dirs.into_iter().map(|(dir, n)| (dir.to_owned(), n)).collect();
    dirs.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    dirs
}

/// Returns the length of the directory that all paths share, with its slash.
fn shared_directory(paths: &[&str]) -> usize {
    let Some((first, rest)) = paths.split_first() else { return 0 };
    let mut shared = first.rfind('/').map_or(0, |at| at + 1);
    for path in rest {
        while !path.starts_with(&first[..shared]) {
            shared = first[..shared - 1].rfind('/').map_or(0, |at| at + 1);
        }
    }
    shared
}
