//! Documents by relevance: the best ones for the words of a question, wherever the words are.

use super::excerpt::excerpt;
use super::front_matter;
use super::listing::{self, name_of_file};
use super::reading::{self, DocumentReader};
use super::search::{line_ends, weight};
use super::{DocumentMatch, DocumentMatches, DocumentReport, DocumentSearch};
use crate::budget::Budget;
use crate::call::Call;
use crate::encoding::{self, Encodings};
use crate::error::Result;
use crate::search::{CountedText, Place, TextRanker};
use crate::workspace::fs::File;
use crate::workspace::{self, RelPath, Unread, Workspace};
use std::borrow::Cow;
use std::sync::Arc;

/// Ranks the documents for the words of `search`, which `ranker` has.
pub(super) fn search(
    workspace: &Workspace,
    search: &DocumentSearch,
    ranker: TextRanker,
    call: &Call,
) -> Result<DocumentReport> {
    let start = listing::resolve(&search.path)?;
    let (mut counted, mut ranked) = (Vec::new(), Vec::new());
    let (mut n_documents, mut n_bytes) = (0, 0);
    let ranker = Arc::new(ranker);
    let counter = Counter {
        ranker: Arc::clone(&ranker),
        context_units: search.context_units,
        n_places: search.matches_per_document_max.unwrap_or(usize::MAX),
        document_bytes_max: search.limits.document_bytes_max,
        hyphens_min: workspace.front_matter_hyphens_min(),
        encodings: workspace.encodings().clone(),
    };
    let mut take = |path: &RelPath, document: CountedDocument| {
        n_documents += 1;
        n_bytes += document.size;
        if let Some(text) = document.text {
            let name = document.name.unwrap_or_else(|| name_of_file(workspace.docs(), path));
            counted.push(text);
            ranked.push(DocumentMatches { path: path.clone(), name, matches: document.matches });
        }
        true
    };
    let mut walk = reading::run(workspace, &start, &search.limits, call, counter, &mut take)?;
    let n_ranked = ranked.len();
    let order = ranker.order(&counted, n_documents, n_bytes);
    let mut documents = Vec::new();
    let mut total_matches = 0;
    let mut ranked: Vec<Option<DocumentMatches>> = ranked.into_iter().map(Some).collect();
    for mut document in order.into_iter().filter_map(|at| ranked[at].take()) {
        let room = search.matches_max - total_matches;
        walk.truncated |= document.matches.len() > room;
        document.matches.truncate(room);
        total_matches += document.matches.len();
        documents.push(document);
        if total_matches == search.matches_max {
            walk.truncated |= documents.len() < n_ranked;
            break;
        }
    }
    Ok(DocumentReport { documents, total_matches, walk })
}

/// Counts each document.
struct Counter {
    ranker: Arc<TextRanker>,
    context_units: usize,
    /// Maximum number of excerpts of a document.
    n_places: usize,
    document_bytes_max: u64,
    /// Minimum number of hyphens in the lines around front matter.
    hyphens_min: usize,
    /// The declared encodings.
    encodings: Encodings,
}

/// Counters and excerpts of one document.
#[derive(Default)]
struct CountedDocument {
    size: u64,
    /// The name in its front matter.
    name: Option<String>,
    /// `None` without a word of the question.
    text: Option<CountedText>,
    matches: Vec<DocumentMatch>,
}

impl DocumentReader for Counter {
    type Scratch = Vec<u8>;
    type Output = CountedDocument;

    fn read(
        &self,
        path: &RelPath,
        file: File,
        buffer: &mut Vec<u8>,
        budget: &Budget,
    ) -> Result<CountedDocument, Unread> {
        let encodings = file.encodings(&self.encodings);
        let bytes = workspace::read(file, self.document_bytes_max, buffer, budget)?;
        let size = bytes.len() as u64;
        let document = encoding::decode_text(bytes, true, &encodings, budget)?;
        let front_matter = front_matter::parse(&document, self.hyphens_min);
        let (head, text) = document.split_at(front_matter.text_start);
        let title = [front_matter.name.as_deref(), front_matter.description.as_deref()];
        let lines =
            title.into_iter().flatten().map(|line| (0, line)).chain((1..).zip(text.lines()));
        let path = (&*path.display(), size);
        let counted = self.ranker.count(path, lines, self.n_places, budget)?;
        let places = counted.as_ref().map_or(&[][..], |counted| &counted.places);
        let matches = self.matches(text, line_ends(head), places);
        let name = front_matter.name.filter(|_| counted.is_some()).map(Cow::into_owned);
        Ok(CountedDocument { size, name, text: counted, matches })
    }

    fn weight(output: &CountedDocument) -> usize {
        output.name.as_ref().map_or(0, String::len)
            + output.text.as_ref().map_or(0, CountedText::weight)
            + weight(&output.matches)
    }
}

impl Counter {
    /// Returns the excerpts of places, which are in the order of their lines.
    fn matches(&self, text: &str, lines_before: u64, places: &[Place]) -> Vec<DocumentMatch> {
        let mut matches = Vec::with_capacity(places.len());
        let mut places = places.iter().peekable();
        let mut start = 0;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            if let Some(place) = places.next_if(|place| place.line == number) {
                let found = start + place.range.start..start + place.range.end;
                matches.push(DocumentMatch {
                    line: number,
                    file_line: lines_before + number,
                    excerpt: excerpt(text, &found, self.context_units),
                });
            }
            if places.peek().is_none() {
                break;
            }
            start += line.len();
        }
        matches
    }
}
