//! `search_documents`: a text in Markdown documents. Contract:
//! docs/contracts/documents.md.

use crate::arguments::forms::{self, OtherNames};
use crate::arguments::{self};
use crate::documents::js_values::{clamped, length, trim};
use crate::documents::{LIMITS, TIMEOUT, WalkSummary, contract_error, shown};
use crate::replies::outcome::Outcome;
use crate::tool::{Contract, ToolCall};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use searchscope::toolkit::ErrorExt;
use searchscope::{
    DocumentMatch, DocumentMatches, DocumentSearch, Error, ErrorKind, Result, Workspace,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::time::Duration;

pub(crate) struct SearchDocuments;

/// docs/contracts/documents.md#limits-and-order.
const QUERY_UNITS_MAX: usize = 200;
const MATCHES_MAX: usize = 500;
const CONTEXT_DEFAULT: usize = 50;
const RESULTS_DEFAULT: usize = 10;

/// The arguments as they arrive: the contract clamps or replaces wrong values and refuses none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    #[serde(default)]
    query: Value,
    context_chars: Option<Value>,
    case_sensitive: Option<Value>,
    path: Option<Value>,
    max_results: Option<Value>,
    #[serde(default)]
    order: Order,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
enum Order {
    /// The query as it is, most matches first.
    #[default]
    Matches,
    /// Its words in any form, the best document first.
    Relevance,
}

/// The arguments as callers should send them.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "it is there for its schema")]
struct Advertised {
    /// Search keyword or phrase (required, 1-200 chars, trimmed)
    #[schemars(length(min = 1, max = 200))]
    query: String,
    /// Characters before/after match (default: 50, range: 10-500)
    #[serde(default)]
    #[schemars(range(min = 10, max = 500), extend("default" = CONTEXT_DEFAULT))]
    context_chars: f64,
    /// Case-sensitive search (default: false)
    #[serde(default)]
    case_sensitive: bool,
    /// Directory path to search in (default: /)
    #[serde(default)]
    #[schemars(extend("default" = "/"))]
    path: String,
    /// Max matches per file (default: 10, range: 1-100)
    #[serde(default)]
    #[schemars(range(min = 1, max = 100), extend("default" = RESULTS_DEFAULT))]
    max_results: f64,
    /// "relevance" finds the words of query in any form, best document first (default: "matches")
    #[serde(default)]
    order: Order,
}

impl JsonSchema for Args {
    fn schema_name() -> Cow<'static, str> {
        Advertised::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Advertised::json_schema(generator)
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// The searched text, trimmed.
    query: String,
    /// The number of matches in the results.
    total_matches: usize,
    /// The number of documents in the results.
    total_files: usize,
    /// Whether the limit of 500 matches, 1,000 documents or 60 seconds ended the search.
    truncated: bool,
    /// The documents with matches, most matches first, or the best first.
    results: Vec<DocumentResult>,
    #[serde(flatten)]
    summary: WalkSummary,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DocumentMatches")]
struct DocumentResult {
    /// Its path from the documents' root, which is "/".
    path: String,
    /// The name in its front matter, else the file name without ".md".
    name: String,
    /// Number of matches in the list.
    match_count: usize,
    /// The matches, in document order.
    matches: Vec<Match>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DocumentMatch")]
struct Match {
    /// The line number, counted from 1 after the front matter.
    line: u64,
    /// The match between "**", with its context, on one line; "..." marks a cut.
    excerpt: String,
    /// The line in the file, from 1.
    file_line: u64,
}

impl From<DocumentMatches> for DocumentResult {
    fn from(document: DocumentMatches) -> DocumentResult {
        let shorter = |one: DocumentMatch| {
            let DocumentMatch { line, file_line, excerpt, .. } = one;
            Match { line, excerpt, file_line }
        };
        DocumentResult {
            path: shown(&document.path),
            name: document.name,
            match_count: document.matches.len(),
            matches: document.matches.into_iter().map(shorter).collect(),
        }
    }
}

impl Contract for SearchDocuments {
    const NAME: &'static str = "search_documents";
    const DESCRIPTION: &'static str = "Search for text across all markdown documents. Returns \
        matching excerpts with surrounding context. Results are limited to 500 total matches across \
        1000 files maximum.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] = &[("query", forms::TEXT), ("path", forms::PLACE)];
    const LENIENT: &'static [&'static str] =
        &["query", "context_chars", "case_sensitive", "path", "max_results"];

    fn timeout(_args: &Args) -> Duration {
        TIMEOUT
    }

    fn outcome(reply: &Reply) -> Outcome {
        let is_complete = !reply.truncated && reply.summary.is_complete();
        Outcome::of_search(!reply.results.is_empty(), is_complete)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let query = query(&args.query)?;
        let context = args.context_chars.as_ref();
        let results_max = args.max_results.as_ref();
        let search = DocumentSearch {
            query: query.clone(),
            case_sensitive: args.case_sensitive == Some(Value::Bool(true)),
            path: path(args.path.as_ref())?,
            context_units: clamped(context, CONTEXT_DEFAULT, 10, 500),
            matches_max: MATCHES_MAX,
            matches_per_document_max: Some(clamped(results_max, RESULTS_DEFAULT, 1, 100)),
            limits: LIMITS,
            by_relevance: args.order == Order::Relevance,
        };
        if search.case_sensitive && args.order == Order::Relevance {
            let predicate =
                "cannot be true with 'order' \"relevance\", which finds words in any case";
            return Err(Error::invalid_param("case_sensitive", predicate));
        }
        let report = workspace.search_documents(&search, call).map_err(contract_error)?;
        Ok(Reply {
            query,
            total_matches: report.total_matches,
            total_files: report.documents.len(),
            truncated: report.walk.truncated,
            results: report.documents.into_iter().map(DocumentResult::from).collect(),
            summary: report.walk.into(),
        })
    }
}

fn query(value: &Value) -> Result<String> {
    let query = match value {
        Value::String(text) => trim(text),
        value if is_falsy(value) => "",
        value => return Err(arguments::not_of_type("query", "string", value)),
    };
    if query.is_empty() {
        let message = "query is required and must not be empty";
        return Err(Error::new(ErrorKind::InvalidParam, message).with_param("query"));
    }
    if length(query) > QUERY_UNITS_MAX {
        let message = format!("query must be {QUERY_UNITS_MAX} characters or less");
        return Err(Error::new(ErrorKind::InvalidParam, message).with_param("query"));
    }
    Ok(query.to_owned())
}

fn path(value: Option<&Value>) -> Result<String> {
    match value {
        None => Ok("/".to_owned()),
        Some(Value::String(path)) if !path.is_empty() => Ok(path.clone()),
        Some(value) if is_falsy(value) => Ok("/".to_owned()),
        Some(value) => Err(arguments::not_of_type("path", "string", value)),
    }
}

/// Returns whether JavaScript's `||` skips the value.
fn is_falsy(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(_) | Value::Object(_) => false,
    }
}
