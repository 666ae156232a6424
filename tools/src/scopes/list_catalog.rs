//! `scope_list_catalog`: the scopes that programs can name. Contract:
//! docs/contracts/scopes.md#references.

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::arguments::scope::wire::{ContextDto, FlavorDto, KindDto, ShapeDto, context_of};
use crate::replies::outcome::Outcome;
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::TIME_MAX;
use searchscope::{AtomKind, Catalog, CatalogItem, CatalogRequest, Result, Workspace};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct ScopeListCatalog;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Args {
    /// Also scopes that need user state, such as "Current File".
    #[serde(default = "defaults::yes")]
    include_interactive_scopes: bool,
    /// Only scopes of these kinds: STANDARD, MODULE, NAMED_SCOPE, PATTERN, DIRECTORY, FILES,
    /// PROVIDER_SCOPE or GIT_CHANGED; PATTERN, DIRECTORY and FILES are never in the catalog. Default: all.
    #[serde(default)]
    kinds: Vec<KindDto>,
    /// Only scopes with this text in display name or ref id, ignoring case.
    #[serde(default)]
    query: Option<String>,
    /// Maximum number.
    #[serde(default = "defaults::count::<100>")]
    #[schemars(range(min = 1, max = 10_000))]
    limit: usize,
    /// Files in the user's view, as paths: currentFile, openFiles, recentFiles, selectedFiles.
    #[serde(default)]
    context: Option<ContextDto>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The scopes: standard ones, those of providers, named ones, then modules by name.
    items: Vec<Item>,
    /// The number of scopes, including those beyond limit.
    total_items: usize,
    /// Files that could not be read, and omissions.
    diagnostics: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CatalogItem")]
#[serde(rename_all = "camelCase")]
struct Item {
    /// The name in atoms and in the scope of a tool.
    scope_ref_id: String,
    /// The displayed name.
    display_name: String,
    /// The kind of its atom: STANDARD, MODULE, NAMED_SCOPE, PROVIDER_SCOPE or GIT_CHANGED.
    kind: KindDto,
    /// GLOBAL or LOCAL.
    scope_shape: ShapeDto,
    /// If STANDARD: the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    serialization_id: Option<&'static str>,
    /// Whether it needs more input: allowUiInteractiveScopes or a revision.
    requires_user_input: bool,
    /// Whether it changes with user actions or over time.
    unstable: bool,
    /// If MODULE: the name of the module.
    #[serde(skip_serializing_if = "Option::is_none")]
    module_name: Option<String>,
    /// If MODULE: MODULE, MODULE_WITH_DEPENDENCIES, MODULE_WITH_LIBRARIES or
    /// MODULE_WITH_DEPENDENCIES_AND_LIBRARIES.
    #[serde(skip_serializing_if = "Option::is_none")]
    module_flavor: Option<FlavorDto>,
    /// If NAMED_SCOPE: the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    named_scope_name: Option<String>,
    /// If NAMED_SCOPE: its holder.
    #[serde(skip_serializing_if = "Option::is_none")]
    named_scope_holder_id: Option<&'static str>,
    /// If PROVIDER_SCOPE: the ref id.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_scope_id: Option<String>,
}

impl Contract for ScopeListCatalog {
    const NAME: &'static str = "scope_list_catalog";
    const DESCRIPTION: &'static str = "Lists the scopes of the project: standard ones, named ones \
        from .idea, and every module with four flavors. Each has a scopeRefId, which the other \
        scope tools, search and find accept as scope. Scopes marked requiresUserInput or unstable \
        depend on user actions.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] = &[("query", forms::TEXT)];

    fn timeout(_args: &Args) -> Duration {
        TIME_MAX
    }

    fn outcome(reply: &Reply) -> Outcome {
        Outcome::of_search(!reply.items.is_empty(), true)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let request = CatalogRequest {
            kinds: args.kinds.into_iter().map(AtomKind::from).collect(),
            query: args.query,
            limit: Some(args.limit),
            without_interactive: !args.include_interactive_scopes,
            context: context_of(args.context)?,
        };
        let Catalog { items, n_items, mut diagnostics, .. } =
            workspace.scope_catalog(&request, call)?;
        if items.len() < n_items {
            diagnostics.push(format!(
                "{} of {n_items} scopes are listed: narrow with 'query' or 'kinds', or raise \
                 'limit'",
                items.len()
            ));
        }
        let items = items.into_iter().map(Item::from).collect();
        Ok(Reply { items, total_items: n_items, diagnostics })
    }
}

impl From<CatalogItem> for Item {
    fn from(item: CatalogItem) -> Item {
        Item {
            scope_ref_id: item.scope_ref_id,
            display_name: item.display_name,
            kind: item.kind.into(),
            scope_shape: item.shape.into(),
            serialization_id: item.serialization_id,
            requires_user_input: item.requires_user_input,
            unstable: item.unstable,
            module_name: item.module_name,
            module_flavor: item.module_flavor.map(FlavorDto::from),
            named_scope_name: item.named_scope_name,
            named_scope_holder_id: item.named_scope_holder_id,
            provider_scope_id: item.provider_scope_id,
        }
    }
}
