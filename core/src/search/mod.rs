//! Searching text in files: the native request and report, from which the tools derive theirs.
//!
//! `walk` delivers the files in order; ripgrep's searcher searches their lines over our own buffers. Results
//! reach the consumer in the final order for any number of threads. This area knows neither JSON nor the
//! defaults of a contract: every limit is the caller's.

mod file;
mod find;
mod indexer;
mod paging;
mod ranking;
mod report;
mod request;
mod run;
mod sink;
mod syntax;

pub use crate::walk::Role;
pub use find::{FileDetails, FileType, FindRequest, FoundFile};
pub(crate) use indexer::after_search;
#[cfg(feature = "fuzzing")]
pub(crate) use indexer::build_half;
pub use indexer::{IndexState, IndexStatus};
pub use paging::Cursor;
pub(crate) use ranking::{CountedText, Place, TextRanker};
pub use ranking::{
    GUIDE, LineShares, LineTraits, MANIFEST, PathTexts, PathTraits, RankedFile, Ranking,
    SAME_PARTS, Terms, is_stop_word, rank_files, stem, sub_words,
};
pub use report::{FileMatches, Line, Report, TotalKind};
pub use request::{Limits, Mode, Order, SearchRequest};
pub(crate) use sink::Sink;
pub use sink::Stop;
pub(crate) use syntax::search_symbols;
pub use syntax::{FoundSymbol, SymbolReport, SymbolRequest};

pub use crate::walk::NoGrammar;

use crate::error::Result;
use crate::{Call, Workspace};
use syntax::file::{SyntaxOptions, Wanted};

/// Runs a search. The workspace must have loaded the grammars if the request needs syntax.
///
/// # Errors
///
/// `pattern_syntax` and `invalid_param` for an invalid request, `not_found` and `access_denied` for its
/// paths, `cancelled`, and `internal` for a defect.
pub(crate) fn search_each(
    workspace: &Workspace,
    request: &SearchRequest,
    call: &Call,
    sink: &mut Sink<'_>,
) -> Result<Report> {
    let is_content = request.mode == Mode::Content;
    let wanted = Wanted {
        enclosing: request.enclosing && is_content,
        labels: request.uses.is_some() && is_content,
        ..Wanted::of(request)
    };
    let syntax = SyntaxOptions::new(workspace.grammars_slot().get(), wanted)?;
    run::search(workspace, request, syntax, call, sink)
}

#[cfg(test)]
mod tests;
