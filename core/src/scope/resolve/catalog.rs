//! The catalog of scopes that a workspace offers.

use super::atom_steps::{Resolver, SELECTED_FILES, USAGE_VIEW, named_ref, provider_ref};
use super::context::ScopeContext;
use super::freeze::{TIME_MAX, problems};
use super::git_changed::{CHANGED_NAME, CHANGED_REF, SINCE_NAME, SINCE_REF};
use super::module_scope::{module_name, module_ref};
use super::named::{Holder, Predefined};
use crate::budget::Budget;
use crate::call::Call;
use crate::error::Result;
use crate::scope::language::ScopeShape;
use crate::scope::language::Standard;
use crate::scope::language::{AtomKind, ModuleFlavor};
use crate::workspace::fs::FsError;
use crate::workspace::{RelPath, Workspace};
use std::collections::HashSet;

/// Which scopes to list.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers write the fields that differ from a default"
)]
pub struct CatalogRequest {
    /// Only scopes of these kinds. Default: all.
    pub kinds: Vec<AtomKind>,
    /// Only scopes whose display name or ref id contains this text, ignoring case. Default: all.
    pub query: Option<String>,
    /// The maximum number of items. Default: no limit.
    pub limit: Option<usize>,
    /// Omits scopes that depend on the user's current file or on a revision. Default: no.
    pub without_interactive: bool,
    /// The user's files, as the host knows them.
    pub context: ScopeContext,
}

/// One scope of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CatalogItem {
    /// The id by which atoms name it.
    pub scope_ref_id: String,
    /// The name to display.
    pub display_name: String,
    /// The kind of an atom that names it.
    pub kind: AtomKind,
    /// Its shape: a predicate over files, or a list of positions.
    pub shape: ScopeShape,
    /// The locale-independent id; only for standard scopes.
    pub serialization_id: Option<&'static str>,
    /// Whether it depends on the user's current file, or on a revision of git: the caller adds that to the
    /// ref id `git:changed:` or passes it in [`AtomTarget::GitChanged`](crate::AtomTarget::GitChanged).
    pub requires_user_input: bool,
    /// Whether it changes with user actions or over time.
    pub unstable: bool,
    /// Only for module scopes.
    pub module_name: Option<String>,
    /// Only for module scopes.
    pub module_flavor: Option<ModuleFlavor>,
    /// Only for named scopes.
    pub named_scope_name: Option<String>,
    /// The holder that stores it; only for named scopes.
    pub named_scope_holder_id: Option<&'static str>,
    /// Whether it exists without being stored; only for named scopes.
    pub is_predefined: bool,
    /// Only for provider scopes.
    pub provider_scope_id: Option<String>,
}

/// The scopes that a workspace offers, in the order of IntelliJ's scope chooser.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Catalog {
    /// The scopes.
    pub items: Vec<CatalogItem>,
    /// The number of matching scopes, including those beyond the limit.
    pub n_items: usize,
    /// Sentences about files that could not be read.
    pub diagnostics: Vec<String>,
}

impl Workspace {
    /// Lists the scopes that programs can name.
    ///
    /// ```
    /// use searchscope::{Call, CatalogRequest, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # if !cfg!(feature = "modules") { return Ok(()); }
    /// # let dir = tempfile::tempdir().unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let catalog = workspace.scope_catalog(&CatalogRequest::default(), &Call::new())?;
    /// assert!(catalog.items.iter().any(|item| item.display_name == "Project Files"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `access_denied` for context files outside the root, `timeout` if module discovery takes more than
    /// 30 seconds, `cancelled`, and `unsupported` in a build without the feature `modules`.
    pub fn scope_catalog(&self, request: &CatalogRequest, call: &Call) -> Result<Catalog> {
        let budget = Budget::of(&call.within(TIME_MAX));
        let resolver = Resolver::new(self, &budget, &request.context, true)?;
        let mut items = standard_items(&resolver)?;
        let mut diagnostics = Vec::new();
        items.extend(changed_items(self, &mut diagnostics));
        items.extend(named_items(&resolver)?);
        items.extend(module_items(&resolver)?);
        let query = request.query.as_deref().unwrap_or_default().to_lowercase();
        let asked = |item: &CatalogItem| {
            let has = |text: &str| text.to_lowercase().contains(&query);
            (request.kinds.is_empty() || request.kinds.contains(&item.kind))
                && !(request.without_interactive && item.requires_user_input)
                && (has(&item.display_name) || has(&item.scope_ref_id))
        };
        let mut seen = HashSet::new();
        items.retain(|item| seen.insert(item.scope_ref_id.clone()) && asked(item));
        let n_items = items.len();
        items.truncate(request.limit.unwrap_or(usize::MAX));
        diagnostics.extend(problems(&resolver));
        Ok(Catalog { items, n_items, diagnostics })
    }
}

impl CatalogItem {
    fn new(scope_ref_id: String, display_name: &str, kind: AtomKind) -> CatalogItem {
        CatalogItem {
            scope_ref_id,
            display_name: display_name.to_owned(),
            kind,
            shape: ScopeShape::Global,
            serialization_id: None,
            requires_user_input: false,
            unstable: false,
            module_name: None,
            module_flavor: None,
            named_scope_name: None,
            named_scope_holder_id: None,
            is_predefined: false,
            provider_scope_id: None,
        }
    }
}

/// Returns the standard scopes, with those of the current module and of the user's views in their places.
fn standard_items(resolver: &Resolver<'_>) -> Result<Vec<CatalogItem>> {
    let has_tests = resolver.regions()?.has_tests();
    let mut items = Vec::new();
    for &standard in Standard::ALL {
        let is_of_sources = matches!(standard, Standard::Production | Standard::Tests);
        if is_of_sources && !has_tests {
            continue;
        }
        if standard == Standard::CurrentFile {
            items.extend(
                resolver.current_module()?.map(|name| module_item(name, ModuleFlavor::Module)),
            );
        }
        let id = standard.code();
        let is_local = standard == Standard::CurrentFile;
        items.push(CatalogItem {
            serialization_id: Some(id),
            shape: if is_local { ScopeShape::Local } else { ScopeShape::Global },
            requires_user_input: standard.requires_user_input(),
            unstable: standard.is_unstable(),
            ..CatalogItem::new(format!("standard:{id}"), id, AtomKind::Standard)
        });
    }
    let provided = |scope: (&str, &str)| CatalogItem {
        unstable: true,
        provider_scope_id: Some(provider_ref(scope)),
        ..CatalogItem::new(provider_ref(scope), scope.1, AtomKind::ProviderScope)
    };
    let usage_view =
        CatalogItem { shape: ScopeShape::Local, requires_user_input: true, ..provided(USAGE_VIEW) };
    items.extend([usage_view, provided(SELECTED_FILES)]);
    Ok(items)
}

/// Returns the scopes of changed files if the root is the top of a git repository.
fn changed_items(workspace: &Workspace, diagnostics: &mut Vec<String>) -> Vec<CatalogItem> {
    match workspace.fs().stat(&RelPath::root().join(b".git"), false) {
        Ok(_) => {}
        Err(FsError::NotFound) => return Vec::new(),
        Err(error) => {
            diagnostics.push(format!("'.git' cannot be examined: {}", error.reason()));
            return Vec::new();
        }
    }
    let item = |ref_id: &str, name, requires_user_input| CatalogItem {
        unstable: true,
        requires_user_input,
        ..CatalogItem::new(ref_id.to_owned(), name, AtomKind::GitChanged)
    };
    vec![item(CHANGED_REF, CHANGED_NAME, false), item(SINCE_REF, SINCE_NAME, true)]
}

/// Returns the named scopes: the user's own, then the shared ones, starting with the predefined.
fn named_items(resolver: &Resolver<'_>) -> Result<Vec<CatalogItem>> {
    let scopes = resolver.named()?;
    let mut items = Vec::new();
    for &holder in Holder::ALL {
        let names = scopes.names(holder);
        items.extend(names.into_iter().map(|name| CatalogItem {
            unstable: name == Predefined::OpenFiles.code(),
            named_scope_name: Some(name.to_owned()),
            named_scope_holder_id: Some(holder.code()),
            is_predefined: scopes.place(holder, name).is_none(),
            ..CatalogItem::new(named_ref(holder, name), name, AtomKind::NamedScope)
        }));
    }
    Ok(items)
}

/// Returns the modules by name, ignoring case, each in all flavors.
fn module_items(resolver: &Resolver<'_>) -> Result<Vec<CatalogItem>> {
    let modules = &resolver.regions()?.modules.modules;
    let mut names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
    names.sort_by_cached_key(|name| (name.to_lowercase(), *name));
    let flavors = |name| ModuleFlavor::ALL.iter().map(move |flavor| module_item(name, *flavor));
    Ok(names.into_iter().flat_map(flavors).collect())
}

fn module_item(name: &str, flavor: ModuleFlavor) -> CatalogItem {
    CatalogItem {
        module_name: Some(name.to_owned()),
        module_flavor: Some(flavor),
        ..CatalogItem::new(module_ref(name, flavor), &module_name(name, flavor), AtomKind::Module)
    }
}
