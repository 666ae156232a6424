//! Searching documents.

use super::excerpt::excerpt;
use super::front_matter;
use super::listing::{self, name_of_file};
use super::needle::Needle;
use super::reading::{self, DocumentReader};
use super::{DocumentLimits, DocumentWalk, ranked};
use crate::budget::{Budget, Stopped};
use crate::call::Call;
use crate::encoding::{self, Encodings};
use crate::error::Result;
use crate::index::Plan;
use crate::search::TextRanker;
use crate::workspace::fs::File;
use crate::workspace::{self, RelPath, Unread, Workspace};
use std::borrow::Cow;

/// A search in documents.
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a limit that is added must be decided by every caller"
)]
pub struct DocumentSearch {
    /// The text to find; matched within lines. Empty matches nothing.
    pub query: String,
    /// Whether case counts. Otherwise text and query are compared in lower case, as JavaScript's
    /// `toLowerCase` defines it.
    pub case_sensitive: bool,
    /// The directory to search, from the documents' root, with or without a `/` before it.
    pub path: String,
    /// Context on each side of a match, in UTF-16 units.
    pub context_units: usize,
    /// Maximum number of matches; the search ends there.
    pub matches_max: usize,
    /// Maximum number of matches returned per document. `None` is no limit but `matches_max`.
    pub matches_per_document_max: Option<usize>,
    /// Bounds of the walk.
    pub limits: DocumentLimits,
    /// Whether the words of the query are found, in any case and in other forms, and the most relevant document
    /// comes first. Its matches are the lines of its best window, none where only its path has a word. A query
    /// without a word that counts is found as it is.
    pub by_relevance: bool,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentMatch {
    /// The line, where 1 is the first one after the front matter.
    pub line: u64,
    /// The line in the file.
    pub file_line: u64,
    /// The match between `**`, with its context, on one line; `...` marks a cut.
    pub excerpt: String,
}

/// A document with matches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentMatches {
    /// The path relative to the documents' root.
    pub path: RelPath,
    /// The name in the front matter, else the name of the file without `.md`.
    pub name: String,
    /// The first matches.
    pub matches: Vec<DocumentMatch>,
}

/// The report of a search in documents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentReport {
    /// The documents with matches, in the order of the search.
    pub documents: Vec<DocumentMatches>,
    /// Number of matches in all of them.
    pub total_matches: usize,
    /// The report of the walk; also `truncated` if the limit on matches cut a document.
    pub walk: DocumentWalk,
}

pub(super) fn search(
    workspace: &Workspace,
    search: &DocumentSearch,
    call: &Call,
) -> Result<DocumentReport> {
    if search.by_relevance
        && let Some(ranker) = TextRanker::new(&search.query)
    {
        return ranked::search(workspace, search, ranker, call);
    }
    let start = listing::resolve(&search.path)?;
    let searcher = Searcher {
        needle: Needle::new(&search.query, search.case_sensitive)?,
        context_units: search.context_units,
        matches_max: search.matches_per_document_max.unwrap_or(usize::MAX),
        document_bytes_max: search.limits.document_bytes_max,
        hyphens_min: workspace.front_matter_hyphens_min(),
        encodings: workspace.encodings().clone(),
    };
    let (mut documents, mut total_matches) = (Vec::new(), 0);
    let mut is_cut = false;
    let mut take = |path: &RelPath, SearchedDocument { name, mut matches }: SearchedDocument| {
        let room = search.matches_max - total_matches;
        is_cut = matches.len() > room;
        matches.truncate(room);
        total_matches += matches.len();
        if !matches.is_empty() {
            let name = name.unwrap_or_else(|| name_of_file(workspace.docs(), path));
            documents.push(DocumentMatches { path: path.clone(), name, matches });
        }
        total_matches < search.matches_max
    };
    let mut walk = reading::run(workspace, &start, &search.limits, call, searcher, &mut take)?;
    // The sort is stable: documents with equally many matches stay in the order of the walk.
    documents.sort_by_key(|document| std::cmp::Reverse(document.matches.len()));
    walk.truncated |= is_cut;
    Ok(DocumentReport { documents, total_matches, walk })
}

/// Searches each document.
struct Searcher {
    needle: Needle,
    context_units: usize,
    matches_max: usize,
    document_bytes_max: u64,
    /// Minimum number of hyphens in the lines around front matter.
    hyphens_min: usize,
    /// The declared encodings.
    encodings: Encodings,
}

/// Matches and name of one document.
#[derive(Default)]
struct SearchedDocument {
    /// The name in its front matter.
    name: Option<String>,
    matches: Vec<DocumentMatch>,
}

/// Memory that a worker reuses from document to document.
#[derive(Default)]
struct Scratch {
    buffer: Vec<u8>,
    folded: String,
}

impl DocumentReader for Searcher {
    type Scratch = Scratch;
    type Output = SearchedDocument;

    fn plan(&self) -> Option<Plan> {
        // The index has texts as they are read without declared encodings.
        if self.encodings.is_empty() { self.needle.plan() } else { None }
    }

    fn read(
        &self,
        _path: &RelPath,
        file: File,
        scratch: &mut Scratch,
        budget: &Budget,
    ) -> Result<SearchedDocument, Unread> {
        let Scratch { buffer, folded } = scratch;
        let encodings = file.encodings(&self.encodings);
        let bytes = workspace::read(file, self.document_bytes_max, buffer, budget)?;
        if !encoding::is_encoded(bytes, &encodings) && !self.needle.may_be_in(bytes, budget)? {
            return Ok(SearchedDocument::default());
        }
        let document = encoding::decode_text(bytes, true, &encodings, budget)?;
        let front_matter = front_matter::parse(&document, self.hyphens_min);
        let (head, text) = document.split_at(front_matter.text_start);
        let matches = self.matches_in(text, line_ends(head), folded, budget)?;
        let name = front_matter.name.filter(|_| !matches.is_empty()).map(Cow::into_owned);
        Ok(SearchedDocument { name, matches })
    }

    fn weight(output: &SearchedDocument) -> usize {
        output.name.as_ref().map_or(0, String::len) + weight(&output.matches)
    }
}

impl Searcher {
    fn matches_in(
        &self,
        text: &str,
        lines_before: u64,
        folded: &mut String,
        budget: &Budget,
    ) -> Result<Vec<DocumentMatch>, Stopped> {
        let candidates = self.needle.candidates(text);
        let mut matches = Vec::new();
        let (mut from, mut number, mut counted) = (0, 1, 0);
        while matches.len() < self.matches_max
            && let Some(candidate) = candidates.next(from, budget)?
        {
            budget.poll_clock()?;
            let start =
                memchr::memrchr(b'\n', &text.as_bytes()[..candidate]).map_or(0, |at| at + 1);
            let end = memchr::memchr(b'\n', &text.as_bytes()[candidate..]).map(|at| candidate + at);
            let line = match end {
                Some(end) => text[start..end].strip_suffix('\r').unwrap_or(&text[start..end]),
                None => &text[start..],
            };
            number += line_ends(&text[counted..start]);
            counted = start;
            let room = self.matches_max - matches.len();
            for found in self.needle.find_in_line(line, room, folded, budget)? {
                let found = start + found.start..start + found.end;
                matches.push(DocumentMatch {
                    line: number,
                    file_line: lines_before + number,
                    excerpt: excerpt(text, &found, self.context_units),
                });
            }
            match end {
                Some(end) => from = end + 1,
                None => break,
            }
        }
        Ok(matches)
    }
}

/// Returns the approximate memory of matches.
pub(super) fn weight(matches: &[DocumentMatch]) -> usize {
    size_of_val(matches) + matches.iter().map(|one| one.excerpt.len()).sum::<usize>()
}

pub(super) fn line_ends(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}
