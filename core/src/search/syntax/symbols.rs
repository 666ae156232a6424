//! Definitions by name: a text search selects the files, and only those are parsed.

use super::file::{SyntaxOptions, Wanted};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, Result};
use crate::pattern::{Case, PatternOptions, Syntax};
use crate::search::{FileMatches, Limits, Mode, Report, SearchRequest, run};
use crate::syntax::{NameQuery, Outline, Symbol, SymbolKind};
use crate::walk::{FileOptions, WARNINGS_MAX};
use crate::workspace::RelPath;
use crate::{Call, Workspace};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Files without a line that reads like a definition are parsed if there are at most this many.
const UNLIKELY_MAX: usize = 300;

/// A request to find definitions by name, and its limit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SymbolRequest {
    /// A name or any part of one, ignoring case; the beginnings of its words (`RelPa` for `rel_path`), in
    /// lower case one letter each (`rp`). The names of enclosing definitions may precede it, separated by
    /// `::`, `.`, `#` or `\`: `Workspace::open`.
    pub query: String,
    /// The kinds of definitions. Default: all but [`SymbolKind::Impl`].
    pub kinds: Option<Vec<SymbolKind>>,
    /// Directories and files to search, as in [`SearchRequest::paths`]. Default: the root.
    pub paths: Vec<String>,
    /// Selects the files below the directories.
    pub files: FileOptions,
    /// Maximum number of definitions; the best are reported.
    pub symbols_max: usize,
}

impl SymbolRequest {
    /// Creates a request for definitions under the whole root, with everything else at its default.
    pub fn new(query: impl Into<String>, symbols_max: usize) -> SymbolRequest {
        SymbolRequest {
            query: query.into(),
            kinds: None,
            paths: vec![".".to_owned()],
            files: FileOptions::default(),
            symbols_max,
        }
    }
}

/// A definition that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundSymbol {
    /// Its file.
    pub path: RelPath,
    /// Its name.
    pub name: String,
    /// The name with those of its package and enclosing definitions, as the language writes it; a very long
    /// one is cut to its end.
    pub qualified_name: String,
    /// The kind of definition.
    pub kind: SymbolKind,
    /// The line of the name, from 1.
    pub line: u64,
    /// The start of the name in its line, in bytes from 1.
    pub column: u64,
    /// The language, such as "Rust" or "C++".
    pub language: &'static str,
    /// The word for the kind, such as `fn`, as in [`Outline::label`].
    pub keyword: &'static str,
    /// The line that defines it, up to its body and with all parameters, such as `fn run(&self) -> u8`; at most
    /// 160 characters.
    pub signature: String,
    /// The quality of the match, at most 100: the name itself 100, in other case 95; its beginning 80 and 75;
    /// beginnings of its words 60; a part of it 40 and 35.
    pub score: u32,
}

/// Definitions, and the report on the search for them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SymbolReport {
    /// The definitions: the best matches first, then types before functions before values before others, then
    /// by path and position.
    pub symbols: Vec<FoundSymbol>,
    /// Whether more were found than are reported, or may be in files that were not parsed.
    pub has_more: bool,
    /// The number of files with the name that were not parsed, because none of their lines reads like a
    /// definition. They are parsed too if there are at most 300.
    pub n_unlikely: u64,
    /// The report on the search of the files; `total` counts files with matching definitions.
    pub report: Report,
}

/// The definitions to look for.
#[derive(Clone, Debug)]
pub(in crate::search) struct SymbolFilter {
    query: NameQuery,
    kinds: Option<Vec<SymbolKind>>,
    symbols_max: usize,
    /// Whether only files with a line that reads like a definition are parsed.
    pub(in crate::search) only_likely: bool,
}

impl SymbolFilter {
    /// Returns the matching definitions of a file, the best first: at most one more than requested in all, so
    /// that the caller notices if there are more.
    pub(in crate::search) fn of(
        &self,
        outline: &Outline,
        path: &RelPath,
        signature: &dyn Fn(&Symbol) -> String,
        budget: &Budget,
    ) -> Result<Vec<FoundSymbol>, Stopped> {
        let is_wanted = |kind: SymbolKind| match &self.kinds {
            Some(kinds) => kinds.contains(&kind),
            None => kind != SymbolKind::Impl,
        };
        let mut fitting = Vec::new();
        for symbol in outline.symbols().iter().filter(|symbol| is_wanted(symbol.kind())) {
            budget.poll()?;
            if let Some(rank) = self.query.rank(symbol.name(), || outline.qualified_name(symbol)) {
                fitting.push((rank, symbol));
            }
        }
        fitting.sort_by_key(|(rank, symbol)| {
            (*rank, symbol.kind().group(), symbol.line(), symbol.column())
        });
        fitting.truncate(self.symbols_max.saturating_add(1));
        let found = fitting.into_iter().map(|(rank, symbol)| FoundSymbol {
            path: path.clone(),
            name: symbol.name().to_owned(),
            qualified_name: outline.qualified_name(symbol),
            kind: symbol.kind(),
            line: symbol.line(),
            column: symbol.column(),
            language: outline.language(),
            keyword: outline.keyword(symbol),
            signature: signature(symbol),
            score: rank.score(),
        });
        Ok(found.collect())
    }
}

impl FoundSymbol {
    /// Returns the size of the definition in memory.
    pub(in crate::search) fn output_bytes(&self) -> usize {
        let FoundSymbol { path, name, qualified_name, signature, .. } = self;
        let texts = [path.as_bytes().len(), name.len(), qualified_name.len(), signature.len()];
        size_of::<FoundSymbol>() + texts.iter().sum::<usize>()
    }
}

/// A definition in the order of the results.
struct Ranked(FoundSymbol);

impl Ranked {
    fn key(&self) -> impl Ord + '_ {
        let FoundSymbol { path, name, kind, line, column, score, .. } = &self.0;
        (Reverse(*score), kind.group(), path, *line, *column, name)
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

/// The best definitions so far, the worst of them on top.
struct Best {
    symbols: BinaryHeap<Ranked>,
    symbols_max: usize,
    has_more: bool,
    /// The files that were not parsed, because none of their lines reads like a definition.
    unlikely: Vec<RelPath>,
}

impl Best {
    fn take(&mut self, file: FileMatches) {
        if file.is_unlikely {
            self.unlikely.push(file.path);
            return;
        }
        for symbol in file.symbols {
            self.symbols.push(Ranked(symbol));
            if self.symbols.len() > self.symbols_max {
                self.symbols.pop();
                self.has_more = true;
            }
        }
    }
}

/// Finds definitions by name. The workspace must have loaded the grammars. Only files whose text contains
/// such a name are parsed: first those in which a line reads like a definition, then the others unless there
/// are many.
///
/// # Errors
///
/// As for [`super::search_each`]; `invalid_param` for a blank query.
pub(crate) fn search_symbols(
    workspace: &Workspace,
    request: &SymbolRequest,
    call: &Call,
) -> Result<SymbolReport> {
    if request.query.trim().is_empty() {
        return Err(Error::invalid_param("query", "must not be blank"));
    }
    let query = NameQuery::new(&request.query);
    let text = text_request(request, &query);
    let symbols_max = request.symbols_max;
    let mut best =
        Best { symbols: BinaryHeap::new(), symbols_max, has_more: false, unlikely: Vec::new() };
    let mut filter =
        SymbolFilter { query, kinds: request.kinds.clone(), symbols_max, only_likely: true };
    let mut report = search_filtered(workspace, &text, &filter, call, &mut best)?;
    let unlikely = std::mem::take(&mut best.unlikely);
    report.total = report.total.saturating_sub(unlikely.len() as u64);
    let mut n_unlikely = unlikely.len() as u64;
    if report.stopped.is_none() && (1..=UNLIKELY_MAX).contains(&unlikely.len()) {
        let mut rest = text_request(request, &filter.query);
        rest.files = FileOptions { follow: report.has_links, ..FileOptions::default() };
        rest.only = Some(unlikely);
        filter.only_likely = false;
        let second = search_filtered(workspace, &rest, &filter, call, &mut best)?;
        report.add(second);
        n_unlikely = 0;
    }
    let symbols = best.symbols.into_sorted_vec().into_iter().map(|Ranked(symbol)| symbol);
    Ok(SymbolReport {
        symbols: symbols.collect(),
        has_more: best.has_more || n_unlikely > 0,
        n_unlikely,
        report,
    })
}

fn search_filtered(
    workspace: &Workspace,
    text: &SearchRequest,
    filter: &SymbolFilter,
    call: &Call,
    best: &mut Best,
) -> Result<Report> {
    let symbols = Some(Arc::new(filter.clone()));
    let grammars = workspace.grammars_slot().get();
    let options = SyntaxOptions::new(grammars, Wanted { symbols, ..Wanted::of(text) })?;
    run::search(workspace, text, options, call, &mut |file| {
        best.take(file);
        ControlFlow::Continue(())
    })
}

impl Report {
    /// Adds the report of a second search, which parsed files that the first one left out.
    fn add(&mut self, second: Report) {
        self.complete &= second.complete;
        self.stopped = second.stopped;
        self.total += second.total;
        self.total_kind = second.total_kind;
        self.skipped.unreadable += second.skipped.unreadable;
        self.given_up += second.given_up;
        let room = WARNINGS_MAX.saturating_sub(self.warnings.len());
        self.warnings.extend(second.warnings.into_iter().take(room));
        self.n_warnings += second.n_warnings;
        self.elapsed += second.elapsed;
    }
}

/// Returns the search for files that may have such definitions.
fn text_request(request: &SymbolRequest, query: &NameQuery) -> SearchRequest {
    let mut pattern = match query.humps_regex() {
        None => PatternOptions::literal(query.literal()),
        Some(humps) => {
            // The literal ignores case, and the regex for words does not.
            let literal = format!("(?i:{})", regex_syntax::escape(query.literal()));
            let patterns = vec![literal, humps];
            PatternOptions { patterns, syntax: Syntax::Regex, ..PatternOptions::default() }
        }
    };
    if pattern.syntax == Syntax::Literal {
        pattern.case = Case::Insensitive;
    }
    let limits = Limits { line_bytes_max: Some(0), spans_per_line_max: Some(0), ..Limits::NONE };
    let mut text = SearchRequest::new(pattern, limits);
    text.paths = request.paths.clone();
    text.files = request.files.clone();
    text.mode = Mode::Files;
    text
}
