//! `scope_search_symbols`: definitions in the files of a scope by their names. Contract:
//! docs/contracts/scopes.md#searching-symbols.

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::arguments::limits::REPLY_BYTES_MAX;
use crate::arguments::scope::OptionalScopeArgs;
use crate::replies::outcome::Outcome;
use crate::replies::{self, JsonList};
use crate::scopes::diagnostics::{diagnostics, without_grammar};
use crate::tool::{Contract, TextDefaults, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::file_url;
use searchscope::{
    FileOptions, FoundSymbol, Result, StopReason, SymbolGroup, SymbolKind, SymbolRequest, Workspace,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct ScopeSearchSymbols;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Args {
    #[serde(flatten)]
    scope: OptionalScopeArgs,
    /// A name or a part of it, ignoring case; or the beginnings of its words, such as RelPa for
    /// rel_path; or its initials, such as rp. Enclosing names may precede it: Workspace::open, Job.run.
    #[schemars(length(min = 1))]
    query: String,
    /// Kinds: CLASS (classes and all other types), METHOD (functions and methods), FIELD (fields,
    /// enum members, constants, variables), SYMBOL (modules, macros), UNKNOWN (nothing). Default: all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    kinds: Option<Vec<KindDto>>,
    /// Maximum number of definitions.
    #[serde(default = "defaults::count::<200>")]
    #[schemars(range(min = 1, max = 10_000))]
    max_result_count: usize,
    /// Ends the search with its matches so far; then timedOut is true.
    #[serde(default = "defaults::amount::<30_000>")]
    #[schemars(range(min = 1, max = 600_000))]
    timeout_millis: u64,
    /// Adds keyword and signature to each item. As text: true.
    #[serde(default)]
    signatures: bool,
}

/// Kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum KindDto {
    /// A class, interface, struct, union, enum, trait or other type.
    Class,
    /// A function or method.
    Method,
    /// A field, enum member, constant or variable.
    Field,
    /// A module, namespace or macro.
    Symbol,
    /// Any other; unused today.
    Unknown,
}

impl From<SymbolGroup> for KindDto {
    fn from(group: SymbolGroup) -> KindDto {
        match group {
            SymbolGroup::Type => KindDto::Class,
            SymbolGroup::Function => KindDto::Method,
            SymbolGroup::Value => KindDto::Field,
            SymbolGroup::Other => KindDto::Symbol,
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The definitions: by score, then types before functions before fields before others, then by
    /// path and line.
    #[schemars(with = "Vec<Item>")]
    items: JsonList,
    /// Whether there are, or may be, more definitions.
    probably_has_more_matching_entries: bool,
    /// Whether the time ran out.
    timed_out: bool,
    /// Always false: a cancelled call is an error.
    canceled: bool,
    /// Warnings about resolving the scope and about files not searched.
    diagnostics: Vec<String>,
}

/// A definition.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundSymbol")]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    /// Its name.
    name: &'a str,
    /// The name after its package and enclosing definitions, as the language writes it.
    qualified_name: &'a str,
    /// Its file as a file:// URL.
    file_url: String,
    /// The file, relative to the root, with "/" between names.
    file_path: &'a str,
    /// The line of the name, from 1.
    line: u64,
    /// Start of the name in its line, in bytes from 1.
    column: u64,
    /// CLASS, METHOD, FIELD, SYMBOL or UNKNOWN.
    kind: KindDto,
    /// The language of the file, such as "Rust" or "C++".
    language: &'a str,
    /// The score: 100 for the exact name, 95 if only the case differs, 80 and 75 for its beginning,
    /// 60 for the beginnings of its words, 40 and 35 for a part.
    score: u32,
    /// With signatures: the word for the kind in outlines, such as fn or class.
    #[serde(skip_serializing_if = "Option::is_none")]
    keyword: Option<&'a str>,
    /// With signatures: the line that defines it, up to its body and with all parameters, at most 160
    /// characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
}

/// Returns the default of a call as text: an agent reads the signature next.
fn text_defaults(_args: &Value) -> Map<String, Value> {
    Map::from_iter([("signatures".to_owned(), true.into())])
}

impl Contract for ScopeSearchSymbols {
    const NAME: &'static str = "scope_search_symbols";
    const DESCRIPTION: &'static str = "Finds where functions, methods, classes, types, fields, \
        constants, modules and macros are defined, by name, part of a name or initials, in the \
        project or a scope; best first. Parses Bash, C, C++, C#, Go, Java, JavaScript, Kotlin, \
        PHP, Python, Ruby, Rust, TypeScript and TSX. For uses, call search.";
    type Args = Args;
    type Reply = Reply;
    const EXPECTED: &'static [(&'static str, &'static str)] = forms::NO_PLACE;
    const OTHER_NAMES: &'static [OtherNames] = &[("query", forms::TEXT)];
    const TEXT_DEFAULTS: TextDefaults = text_defaults;

    fn timeout(args: &Args) -> Duration {
        Duration::from_millis(args.timeout_millis)
    }

    fn outcome(reply: &Reply) -> Outcome {
        let is_complete = !reply.probably_has_more_matching_entries && !reply.timed_out;
        Outcome::of_search(!reply.items.is_empty(), is_complete)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let scope = args.scope.or_project().request(workspace, call)?;
        let scope = scope.resolve(workspace, call)?;
        let mut request = SymbolRequest::new(&args.query, args.max_result_count);
        request.kinds = args.kinds.as_deref().map(kinds);
        request.files = FileOptions {
            path_filter: Some(Arc::new(scope.scope)),
            worktrees: true,
            ..FileOptions::default()
        };
        let found = workspace.run_symbols(&request, call)?;
        let bytes_max = replies::results_max(workspace, REPLY_BYTES_MAX / 4 * 3);
        let items = items(workspace, &found.symbols, args.signatures, bytes_max);
        let cut = (items.len() < found.symbols.len()).then(|| {
            let n = items.len();
            format!("the reply has room for only the best {n}: narrow 'query', 'kinds' or 'scope'")
        });
        let report = found.report;
        let mut diagnostics = diagnostics(scope.diagnostics, &report, cut);
        diagnostics.extend(without_grammar(&report.no_grammar, "with the name"));
        diagnostics.extend((found.n_unlikely > 0).then(|| {
            format!(
                "{} files with the name were not parsed, because no line in them looks like a \
                 definition; narrow 'scope' to have them parsed",
                found.n_unlikely
            )
        }));
        Ok(Reply {
            probably_has_more_matching_entries: found.has_more
                || items.len() < found.symbols.len()
                || !report.complete,
            timed_out: report.stopped == Some(StopReason::Deadline),
            canceled: false,
            diagnostics,
            items,
        })
    }
}

/// Returns the engine's kinds in `groups`.
fn kinds(groups: &[KindDto]) -> Vec<SymbolKind> {
    let all = SymbolKind::ALL.iter().copied();
    all.filter(|kind| *kind != SymbolKind::Impl && groups.contains(&kind.group().into())).collect()
}

/// Returns the definitions as JSON, as many as there is room for.
fn items(
    workspace: &Workspace,
    symbols: &[FoundSymbol],
    has_signatures: bool,
    bytes_max: usize,
) -> JsonList {
    let mut items = JsonList::new(bytes_max);
    for symbol in symbols {
        let path = symbol.path.display();
        let has_room = items.push(&Item {
            name: &symbol.name,
            qualified_name: &symbol.qualified_name,
            file_url: file_url(workspace, &symbol.path),
            file_path: &path,
            line: symbol.line,
            column: symbol.column,
            kind: symbol.kind.group().into(),
            language: symbol.language,
            score: symbol.score,
            keyword: has_signatures.then_some(symbol.keyword),
            signature: has_signatures.then_some(&symbol.signature),
        });
        if !has_room {
            break;
        }
    }
    items
}
