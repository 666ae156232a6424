//! Finding definitions.

use super::changed::report_problems;
use super::{CallOptions, choosing_files};
use crate::error::Result;
use crate::search::{FoundSymbol, SymbolReport, SymbolRequest};
use crate::{SymbolKind, Workspace};

/// Default maximum number of definitions.
const SYMBOLS_MAX: usize = 100;

/// A builder for a search for definitions; [`Symbols::run`] starts it.
///
/// ```
/// use searchscope::{SymbolKind, Workspace};
/// # fn main() -> searchscope::Result<()> {
/// # if !cfg!(feature = "symbols") { return Ok(()); }
/// # let dir = tempfile::tempdir().unwrap();
/// # std::fs::write(dir.path().join("a.rs"), "struct RelPath;\nfn rel_path() {}\n").unwrap();
/// let workspace = Workspace::open(dir.path())?;
/// let found = workspace.symbols("RelPa").kind(SymbolKind::Struct).limit(5).run()?;
/// for symbol in &found {
///     println!("{}:{}: {}", symbol.path, symbol.line, symbol.qualified_name);
/// }
/// # assert_eq!(found.symbols.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a search starts with `run`"]
pub struct Symbols<'w> {
    workspace: &'w Workspace,
    request: SymbolRequest,
    has_paths: bool,
    call: CallOptions,
}

impl Workspace {
    /// Returns a builder for a search for definitions by a name, a part of one, or the beginnings of
    /// its words. It returns the best 100 unless [`Symbols::limit`] sets another number.
    pub fn symbols(&self, query: impl Into<String>) -> Symbols<'_> {
        let request = SymbolRequest::new(query, SYMBOLS_MAX);
        Symbols { workspace: self, request, has_paths: false, call: CallOptions::default() }
    }
}

impl Symbols<'_> {
    choosing_files!();

    /// Adds a kind: a definition must have one of them.
    pub fn kind(mut self, kind: SymbolKind) -> Self {
        self.request.kinds.get_or_insert_default().push(kind);
        self
    }

    /// Returns the best `symbols` definitions.
    pub fn limit(mut self, symbols: usize) -> Self {
        self.request.symbols_max = symbols;
        self
    }

    /// Returns the request, for [`Workspace::run_symbols`].
    /// After `changed` or `changed_since` it has the set of this moment.
    ///
    /// # Errors
    ///
    /// As [`Workspace::changed_files`], after those two methods only.
    pub fn into_request(mut self) -> Result<SymbolRequest> {
        self.call.narrow(self.workspace, &mut self.request.files, &self.call.start())?;
        Ok(self.request)
    }

    /// Searches for the definitions.
    ///
    /// # Errors
    ///
    /// As [`Workspace::run_symbols`], and [`Workspace::changed_files`] after `changed`.
    pub fn run(&self) -> Result<SymbolReport> {
        let (mut request, call) = (self.request.clone(), self.call.start());
        let changed = self.call.narrow(self.workspace, &mut request.files, &call)?;
        let mut found = self.workspace.run_symbols(&request, &call)?;
        report_problems(changed.as_ref(), &mut found.report);
        Ok(found)
    }
}

impl<'a> IntoIterator for &'a SymbolReport {
    type Item = &'a FoundSymbol;
    type IntoIter = std::slice::Iter<'a, FoundSymbol>;

    fn into_iter(self) -> Self::IntoIter {
        self.symbols.iter()
    }
}
