#![doc = include_str!("lib.md")]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod api;
mod budget;
mod call;
mod clock;
mod document;
mod encoding;
mod error;
mod excerpt;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod git;
mod index;
mod lines;
mod module;
mod pattern;
mod pool;
mod room;
mod scope;
mod search;
mod sort;
mod suggest;
mod symbol;
mod syntax;
#[cfg(test)]
mod tests;
mod walk;
mod wildcard;
mod workspace;

#[cfg(feature = "testing")]
pub mod testing;
pub mod toolkit;

pub use api::{Documents, FileText, Find, FindResults, Match, Search, SearchResults, Symbols};
pub use budget::StopReason;
pub use call::{Call, CancelToken};
pub use document::{
    Document, DocumentEntry, DocumentLimits, DocumentList, DocumentMatch, DocumentMatches,
    DocumentOperation, DocumentReport, DocumentSearch, DocumentWalk, DocumentWarning,
};
pub use encoding::UnicodeForm;
pub use error::{Error, ErrorKind, Result};
pub use git::ChangedFiles;
pub use pattern::{Case, PatternOptions, Span, Syntax};
pub use scope::{
    AtomKind, AtomTarget, Catalog, CatalogItem, CatalogRequest, FailureMode, ModuleFlavor,
    PatternCheck, ResolvedAtom, ResolvedScope, SCOPE_REFERENCE, Scope, ScopeAtom, ScopeContext,
    ScopeOp, ScopeProgram, ScopeShape, ScopeToken,
};
pub use search::{
    Cursor, FileDetails, FileMatches, FileType, FindRequest, FoundFile, FoundSymbol, IndexState,
    IndexStatus, Limits, Line, Mode, NoGrammar, Order, Report, SearchRequest, Stop, SymbolReport,
    SymbolRequest, TotalKind,
};
pub use syntax::{Outline, SearchContext, Symbol, SymbolGroup, SymbolKind, UseKind};
pub use walk::{
    FileAttributes, FileOptions, FileTypes, NameOptions, PathFilter, Place, SizeBound, Skipped,
    Warning,
};
pub use workspace::{IndexMode, RelPath, SECRETS, SECRETS_VERSION, Workspace, WorkspaceOptions};
