//! The scopes that a workspace offers.

use super::atom::{AtomKind, ModuleFlavor};
use super::program::ScopeShape;
use super::resolve::ScopeContext;
use crate::budget::CancelToken;
use crate::error::Result;
use crate::workspace::Workspace;

/// Which scopes to list.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CatalogRequest {
    /// Only scopes of these kinds. Default: of all.
    pub kinds: Vec<AtomKind>,
    /// Only scopes whose display name or ref id holds this text, whatever its case. Default: all.
    pub query: Option<String>,
    /// At most so many. Default: all.
    pub limit: Option<usize>,
    /// Leaves out those that need something of a user. Default: no.
    pub without_interactive: bool,
    /// What the host knows of its user.
    pub context: ScopeContext,
}

/// One scope of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CatalogItem {
    /// What atoms name it by.
    pub scope_ref_id: String,
    /// What people call it.
    pub display_name: String,
    /// The kind of an atom that names it.
    pub kind: AtomKind,
    /// What it is made of.
    pub shape: ScopeShape,
    /// Of standard scopes: the id that does not depend on a language.
    pub serialization_id: Option<&'static str>,
    /// Whether it needs something of a user.
    pub requires_user_input: bool,
    /// Whether it changes with what a user does or with time.
    pub unstable: bool,
    /// Of module scopes.
    pub module_name: Option<String>,
    /// Of module scopes.
    pub module_flavor: Option<ModuleFlavor>,
    /// Of named scopes.
    pub named_scope_name: Option<String>,
    /// Of named scopes: who keeps it.
    pub named_scope_holder_id: Option<&'static str>,
    /// Of scopes of providers.
    pub provider_scope_id: Option<String>,
}

/// The scopes that a workspace offers, in the order of IntelliJ's scope chooser.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Catalog {
    /// The scopes.
    pub items: Vec<CatalogItem>,
    /// How many there are with those that the limit cut off.
    pub n_items: usize,
    /// What could not be read, in sentences.
    pub diagnostics: Vec<String>,
}

impl Workspace {
    /// Lists the scopes that programs can name.
    ///
    /// # Errors
    ///
    /// `access_denied` and `not_found` for files of the context, and `cancelled`.
    pub fn scope_catalog(&self, request: &CatalogRequest, cancel: &CancelToken) -> Result<Catalog> {
        todo!("{request:?} {cancel:?}")
    }
}
