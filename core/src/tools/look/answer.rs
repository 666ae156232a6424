//! The searches of one call, one after the other until something is found.

use super::hits::{Hit, HitFile, Hits, gather, limits};
use super::names::{self, Fit};
use super::query::Query;
use super::{Args, Only, definition, order, spelling, words};
use crate::error::{Error, ErrorKind, Result};
use crate::pattern::{Case, PatternOptions};
use crate::search::{FoundSymbol, Report, SearchRequest, SymbolRequest};
use crate::tools::text::{heading, quoted};
use crate::tools::{ToolCall, values};
use crate::walk::{FileAttributes, FileOptions, stat_named};
use crate::workspace::RelPath;
use crate::{Call, StopReason, Workspace};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Definitions of a qualified name that are shown at most.
const QUALIFIED_MAX: usize = 30;

/// The answer to a question, before it is cut to a page.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// What the caller should know before it reads the rows.
    pub(super) remarks: Vec<String>,
    pub(super) rows: Rows,
    /// The number of rows, shown or not.
    pub(super) total: u64,
    /// The number of files with rows.
    pub(super) n_files: u64,
    /// What the caller may want to know after the rows.
    pub(super) notes: Vec<String>,
    /// Totals by directory, the largest first: told where not every row is shown.
    pub(super) dirs: Vec<(String, u64)>,
    pub(super) is_count: bool,
    /// Of a count in any case, where they are fewer: the lines with the text as it is written.
    pub(super) n_as_written: Option<u64>,
    /// The report of the search that the rows are from.
    pub(super) report: Option<Report>,
    /// Whether the time ran out in any of the searches.
    pub(super) is_late: bool,
    /// Whether any of the searches could not look at everything.
    pub(super) is_partial: bool,
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
    /// Paths, with the number of matching lines where there is one.
    Paths(Vec<(String, Option<u64>)>),
}

impl Answer {
    /// Remembers what a search could not do.
    fn note(&mut self, report: &Report) {
        self.is_late |= report.stopped == Some(StopReason::Deadline);
        self.is_partial |= !report.complete;
    }
}

/// What is the same in all searches of a call.
struct Look<'a> {
    workspace: &'a Workspace,
    query: Query,
    only: Option<Only>,
    path: String,
    files: FileOptions,
    call: &'a Call,
    answer: Answer,
    /// Whether the text was found in another case or naming only.
    is_renamed: bool,
}

/// Answers a call.
///
/// # Errors
///
/// `invalid_param`, `access_denied` and `not_found` for arguments that have no meaning here;
/// `unsupported` for comments and strings without grammars; `cancelled`.
pub(super) fn answer(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Answer> {
    let mut answer = Answer::default();
    let files = file_options(&args)?;
    let query = Query::read(&args.q);
    if query.text.trim().is_empty() {
        return Err(Error::invalid_param("q", "'q' must not be blank"));
    }
    let path = existing_path(workspace, args.path, &mut answer)?;
    let only = args.only;
    let is_renamed = false;
    let mut look = Look { workspace, query, only, path, files, call, answer, is_renamed };
    look.run()?;
    Ok(look.answer)
}

fn file_options(args: &Args) -> Result<FileOptions> {
    let since = match args.since.as_deref() {
        Some("changed") => {
            let message = "'since' cannot be \"changed\" here: changes since a commit are not \
                           known; give a duration such as \"2h\" or a date";
            return Err(Error::new(ErrorKind::Unsupported, message).with_param("since"));
        }
        Some(since) => Some(values::instant_ns("since", since, Timestamp::now())?),
        None => None,
    };
    let attributes = FileAttributes { modified_after_ns: since, ..FileAttributes::default() };
    Ok(FileOptions { globs: args.files.clone(), attributes, ..FileOptions::default() })
}

/// Returns the path to look below; for one that does not exist the nearest that does.
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
    let Err(error) = stat_named(workspace, &resolved) else {
        return Ok(path);
    };
    let Some(near) = error.near().first().cloned() else {
        return Err(named(error));
    };
    answer.remarks.push(format!("{} does not exist; looked in {}", quoted(&path), quoted(&near)));
    Ok(near)
}

impl Look<'_> {
    fn run(&mut self) -> Result<()> {
        if self.only == Some(Only::Names) {
            return self.only_names();
        }
        let mut hits = match self.search(self.query.pattern()) {
            Err(error) if error.kind() == ErrorKind::PatternSyntax && self.query.is_regex => {
                let remark =
                    format!("{} is not a regex, so it was taken as text", quoted(&self.query.text));
                self.answer.remarks.push(remark);
                self.query = Query::literal(&self.query.text);
                self.search(self.query.pattern())?
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
            return self.show(hits);
        }
        let report = hits.report;
        self.otherwise()?;
        if matches!(self.answer.rows, Rows::None) && self.answer.total == 0 {
            self.answer.report = Some(report);
        }
        Ok(())
    }

    /// Adds the definitions of a qualified name: where it is defined, its qualifier is not written
    /// beside it.
    fn with_qualified(&mut self, hits: Hits) -> Result<Hits> {
        if self.workspace.grammars().is_err() {
            return Ok(hits);
        }
        let mut request = SymbolRequest::new(&self.query.text, QUALIFIED_MAX);
        let text = self.request(self.query.pattern())?;
        (request.paths, request.files) = (text.paths, text.files);
        let found = self.workspace.run_symbols(&request, &self.half_of_the_time())?;
        let symbols: Vec<FoundSymbol> = found.symbols;
        let Some(best) = symbols.first() else { return Ok(hits) };
        let mut only: Vec<RelPath> = symbols.iter().map(|symbol| symbol.path.clone()).collect();
        only.sort();
        only.dedup();
        let mut request = self.request(PatternOptions::literal(&best.name))?;
        request.only = Some(only);
        let role = self.only.and_then(Only::role);
        let mut defined = gather(self.workspace, &mut request, role, self.call)?;
        let is_at = |hit: &Hit, files: &[HitFile], symbol: &FoundSymbol| {
            symbol.line == hit.line && symbol.path.display() == files[hit.file].path
        };
        let files = &defined.files;
        defined.lines.retain(|hit| symbols.iter().any(|symbol| is_at(hit, files, symbol)));
        for hit in &mut defined.lines {
            hit.is_definition = true;
        }
        Ok(hits.merged(defined))
    }

    /// Searches ignored files too, where there are no others.
    fn search_ignored(&mut self) {
        let remark = "an ignore file leaves out every file, so ignored files were searched too";
        self.answer.remarks.push(remark.to_owned());
        self.files.no_ignore = true;
    }

    /// Looks for other spellings and places, until something is found.
    fn otherwise(&mut self) -> Result<()> {
        if self.answer.is_partial {
            let remark = "not everything could be searched, so what follows may mislead";
            self.answer.remarks.push(remark.to_owned());
        }
        let shown = quoted(&self.query.text);
        self.is_renamed = true;
        let in_case = |query: &Query| query.any_naming().or_else(|| query.any_case());
        if let Some(pattern) = in_case(&self.query)
            && self.found(pattern, &format!("no line contains {shown}; in other case or naming"))?
        {
            return Ok(());
        }
        self.is_renamed = false;
        if self.named(Fit::Contains, &format!("no line contains {shown}, but names do"))? {
            return Ok(());
        }
        if let Some(pattern) = self.query.across_lines()
            && self
                .found(pattern, &format!("no single line contains {shown}; across line breaks"))?
        {
            return Ok(());
        }
        if self.found_elsewhere(&shown)? || self.found_words()? || self.found_near(&shown)? {
            return Ok(());
        }
        if self.named(Fit::Slip, &format!("no line contains {shown}; names like it"))? {
            return Ok(());
        }
        let tried =
            "other case and naming, line breaks, ignored and hidden files, similar spelling";
        self.answer.remarks.push(format!("nothing found for {shown}; tried also: {tried}"));
        Ok(())
    }

    /// Searches for `pattern` and shows its lines under `remark`, if there are any.
    fn found(&mut self, pattern: PatternOptions, remark: &str) -> Result<bool> {
        let hits = match self.search(pattern) {
            // A text that makes too large an expression has no other spellings worth the time.
            Err(error) if error.kind() == ErrorKind::PatternSyntax => return Ok(false),
            hits => hits?,
        };
        self.answer.note(&hits.report);
        if hits.n_lines == 0 {
            return Ok(false);
        }
        self.answer.remarks.push(format!("{remark}:"));
        self.show(hits)?;
        Ok(true)
    }

    /// Looks at ignored and hidden files too.
    fn found_elsewhere(&mut self, shown: &str) -> Result<bool> {
        let files = self.files.clone();
        self.files = everywhere(files.clone());
        let remark = format!("only ignored or hidden files contain {shown}");
        let found = self.found(self.query.pattern(), &remark);
        self.files = files;
        found
    }

    /// Looks for the words of a phrase by themselves; a word that occurs nowhere is replaced by the
    /// nearest one.
    fn found_words(&mut self) -> Result<bool> {
        let Some(pattern) = self.query.each_word() else { return Ok(false) };
        let mut words = pattern.patterns.clone();
        let mut hits = self.search(pattern.clone())?;
        let missing: Vec<usize> = (0..words.len())
            .filter(|&word| hits.files.iter().all(|file| file.n_by_pattern[word] == 0))
            .collect();
        let mut is_replaced = false;
        for &word in missing.iter().take(3) {
            let request = self.request(self.query.pattern())?;
            let (near, report) = spelling::near(self.workspace, &words[word], &request, self.call)?;
            self.answer.is_late |=
                report.is_some_and(|report| report.stopped == Some(StopReason::Deadline));
            let Some(near) = near.first() else { continue };
            let (wrong, right) = (quoted(&words[word]), quoted(&near.name));
            self.answer.remarks.push(format!("{wrong} occurs nowhere; looked for {right}"));
            words[word] = near.name.clone();
            is_replaced = true;
        }
        if is_replaced {
            hits = self.search(PatternOptions { patterns: words.clone(), ..pattern })?;
        }
        self.answer.note(&hits.report);
        let ranked = words::rank(&hits, &words);
        // One word of several is no trail to follow.
        if ranked.rows.is_empty() || ranked.n_words_best * 2 <= words.len() {
            return Ok(false);
        }
        let n = ranked.n_files_best;
        let files = if n == 1 { "1 file has" } else { &format!("{n} files have") };
        let which = match ranked.n_words_best == words.len() {
            true => format!("all {} words", words.len()),
            false => format!("{} of the {} words, none has all", ranked.n_words_best, words.len()),
        };
        self.answer
            .remarks
            .push(format!("no line contains the phrase; {files} {which}, nearest together first:"));
        self.answer.total = ranked.rows.len() as u64;
        self.answer.n_files = n as u64;
        let order = order::spread(&ranked.rows, |row| hits.lines[row].file);
        self.answer.report = Some(hits.report);
        self.answer.rows = Rows::Lines { files: hits.files, lines: hits.lines, order };
        Ok(true)
    }

    /// Looks for a name that is a letter or two away.
    fn found_near(&mut self, shown: &str) -> Result<bool> {
        if !self.query.is_name() {
            return Ok(false);
        }
        let request = self.request(self.query.pattern())?;
        let (near, report) = spelling::near(self.workspace, &self.query.text, &request, self.call)?;
        self.answer.is_late |=
            report.is_some_and(|report| report.stopped == Some(StopReason::Deadline));
        let Some(best) = near.first() else { return Ok(false) };
        let letters = if best.edits == 1 { "1 letter" } else { "2 letters" };
        let others: Vec<String> =
            near.iter().skip(1).take(4).map(|near| quoted(&near.name)).collect();
        let others =
            if others.is_empty() { String::new() } else { format!(" (or {})", others.join(", ")) };
        let remark =
            format!("nothing contains {shown}; {letters} off: {}{others}", quoted(&best.name));
        self.query = Query::literal(&best.name);
        let pattern = PatternOptions { case: Case::Sensitive, ..self.query.pattern() };
        self.found(pattern, &remark)
    }

    /// Shows the lines of a search by relevance, as `only` wants them.
    fn show(&mut self, mut hits: Hits) -> Result<()> {
        let name = self.query.text.clone();
        if self.query.is_name() && self.only != Some(Only::Count) {
            self.mark_definitions(&name, &mut hits)?;
        }
        let answer = &mut self.answer;
        if self.only == Some(Only::Definitions) {
            let n_uses = hits.n_lines;
            hits.lines.retain(|hit| hit.is_definition);
            if hits.lines.is_empty() {
                answer
                    .remarks
                    .push(format!("no definition of {}; {n_uses} lines contain it", quoted(&name)));
            }
            hits.n_lines = hits.lines.len() as u64;
            let mut files: Vec<usize> = hits.lines.iter().map(|hit| hit.file).collect();
            files.dedup();
            answer.n_files = files.len() as u64;
        } else {
            answer.n_files = hits.files.len() as u64;
        }
        answer.total = hits.n_lines;
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
                let order = order::by_relevance(&hits.files, &hits.lines, &name);
                Rows::Lines { files: hits.files, lines: hits.lines, order }
            }
        };
        answer.report = Some(hits.report);
        if self.only == Some(Only::Count) {
            self.count_as_written()?;
        }
        Ok(())
    }

    /// Counts the lines with the text as it is written, where smart case has counted it in any case.
    fn count_as_written(&mut self) -> Result<()> {
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
            self.answer.n_as_written = Some(hits.n_lines);
        }
        Ok(())
    }

    fn mark_definitions(&mut self, name: &str, hits: &mut Hits) -> Result<()> {
        let (files, lines) = (&hits.files, &mut hits.lines);
        let defined = definition::mark(
            self.workspace,
            (name, self.is_renamed),
            files,
            lines,
            &self.half_of_the_time(),
        )?;
        if defined.is_cut {
            self.answer
                .notes
                .push("there was no time to parse every file that may define it".to_owned());
        }
        if !defined.similar.is_empty() {
            let similar = defined.similar.iter();
            let similar: Vec<String> = similar
                .map(|(name, path, line)| format!("{} {}:{line}", quoted(name), heading(path)))
                .collect();
            self.answer.notes.push(format!("similar definitions: {}", similar.join(", ")));
        }
        Ok(())
    }

    /// Names the files that are called like the text, beside the lines that contain it.
    fn note_names(&mut self, hits: &Hits) -> Result<()> {
        const SHOWN: usize = 5;
        if self.query.is_regex
            || self.query.words.len() != 1
            || self.only.is_some()
            || hits.files.len() < 2
        {
            return Ok(());
        }
        let names = self.names(Fit::Contains)?;
        if names.paths.is_empty() {
            return Ok(());
        }
        let more = names.paths.len().saturating_sub(SHOWN);
        let shown: Vec<String> = names.paths.iter().take(SHOWN).map(|path| heading(path)).collect();
        let more =
            if more > 0 { format!(" and {more} more (only: \"names\")") } else { String::new() };
        self.answer.notes.push(format!("files named like it: {}{more}", shown.join(", ")));
        Ok(())
    }

    fn only_names(&mut self) -> Result<()> {
        let shown = quoted(&self.query.text);
        let mut names = self.names(Fit::Slip)?;
        if names.fit.is_none() && is_all_ignored(&names.report) {
            self.search_ignored();
            names = self.names(Fit::Slip)?;
        }
        let remark = match names.fit {
            Some(Fit::Exact | Fit::Contains) => None,
            Some(Fit::Naming) => {
                Some(format!("no name contains {shown}; in other naming or order:"))
            }
            Some(Fit::Slip) => Some(format!("no name contains {shown}; a letter or two off:")),
            None => None,
        };
        self.answer.remarks.extend(remark);
        if names.fit.is_some() {
            self.show_names(names);
            return Ok(());
        }
        let report = names.report;
        let files = self.files.clone();
        self.files = everywhere(files.clone());
        let elsewhere = self.names(Fit::Naming)?;
        self.files = files;
        if elsewhere.fit.is_some() {
            self.answer
                .remarks
                .push(format!("only ignored or hidden files are named like {shown}:"));
            self.show_names(elsewhere);
            return Ok(());
        }
        self.answer.remarks.push(format!("no file is named like {shown}"));
        self.answer.report = Some(report);
        Ok(())
    }

    /// Shows the names that fit at least as well as `worst` under `remark`, if there are any.
    fn named(&mut self, worst: Fit, remark: &str) -> Result<bool> {
        if self.query.is_regex || self.only.is_some() {
            return Ok(false);
        }
        let names = self.names(worst)?;
        if names.fit.is_none() {
            return Ok(false);
        }
        self.answer.remarks.push(format!("{remark}:"));
        self.show_names(names);
        Ok(true)
    }

    fn show_names(&mut self, names: names::Names) {
        self.answer.total = names.paths.len() as u64;
        self.answer.n_files = self.answer.total;
        self.answer.rows = Rows::Paths(names.paths.into_iter().map(|path| (path, None)).collect());
        self.answer.report = Some(names.report);
    }

    fn names(&mut self, worst: Fit) -> Result<names::Names> {
        let place = (self.path.as_str(), self.files.clone());
        let names = names::find(self.workspace, &self.query, worst, place, self.call)?;
        self.answer.note(&names.report);
        Ok(names)
    }

    fn search(&self, pattern: PatternOptions) -> Result<Hits> {
        let mut request = self.request(pattern)?;
        let role = self.only.and_then(Only::role);
        gather(self.workspace, &mut request, role, self.call).map_err(own_parameter)
    }

    fn request(&self, pattern: PatternOptions) -> Result<SearchRequest> {
        let mut request = SearchRequest::new(pattern, limits());
        request.paths = vec![self.path.clone()];
        request.files = self.files.clone();
        request.files.glob_bases = vec![self.workspace.resolve(&self.path)?];
        request.search_context = self.only.map(Only::context).unwrap_or_default();
        if request.search_context != Default::default() {
            self.workspace.grammars().map_err(|error| error.with_param("only"))?;
        }
        Ok(request)
    }

    /// Returns a call for a step that must leave as much time to the others.
    fn half_of_the_time(&self) -> Call {
        self.call.time_left().map_or_else(|| self.call.clone(), |left| self.call.within(left / 2))
    }
}

/// Whether nothing was left to search because ignore files leave out everything.
fn is_all_ignored(report: &Report) -> bool {
    report.searched_files == 0 && report.filtered_files == 0 && report.skipped.ignored > 0
}

/// Names the parameter of this tool that an error of the engine is about.
fn own_parameter(error: Error) -> Error {
    let Some(param) = error.param().map(str::to_owned) else { return error };
    let own = match param.split('[').next() {
        Some("globs") => param.replacen("globs", "files", 1),
        Some("paths") => "in".to_owned(),
        Some("pattern" | "patterns") => "q".to_owned(),
        _ => return error,
    };
    let message = error.message().replacen(&param, &own, 1);
    error.with_message(message).with_param(own)
}

/// The same files, and ignored and hidden ones too, without what git keeps for itself.
fn everywhere(files: FileOptions) -> FileOptions {
    let mut globs = files.globs.clone();
    globs.push("!.git".to_owned());
    FileOptions { globs, hidden: true, no_ignore: true, ..files }
}

/// The number of lines by directory, at the first level where there are several, the largest first.
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

/// The length of the directory, with its slash, that all paths are in.
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
