//! `look`: one tool for every search. Contract: the description and the schema below.
//!
//! Only the query is required. The reply is text in the frame of `tools/text`. `question.rs` reads a query that
//! no line contains as written: a name with words around it, a place, a pattern, a key, or words, for which
//! `ranked.rs` orders the files of the tree in one pass. A remark above the rows names the reading that
//! succeeded, so that no row passes for an answer to another question.

mod absent;
mod answer;
mod body;
mod definition;
mod fallback;
mod frame;
mod heading;
mod hidden;
mod hits;
mod inside;
mod key;
mod left_out;
mod like;
mod named;
mod named_first;
mod names;
mod near_parts;
mod order;
mod phrase;
mod place;
mod proposal;
mod qualified;
mod query;
mod question;
mod ranked;
mod record;
mod render;
mod route;
mod runs;
mod spelling;
mod subject;
mod template;
mod token;
mod topic;
mod wanted;

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::replies::outcome::Outcome;
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::Role;
use searchscope::{Result, SearchContext, UseKind, Workspace};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) use answer::everywhere;
pub(crate) use spelling::near_in_tree;

pub(crate) struct LookTool;

/// Time limit of a call, for all of its searches together.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Default size of a reply: far above one of ordinary lines, so only long lines reach it.
const BYTES_DEFAULT: usize = 12_000;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// Text (smart case), a question, a name, or /regex/.
    #[serde(default)]
    #[schemars(length(min = 1))]
    q: Option<String>,
    /// Instead of q: finds code like that at a place, "a/b.rs:10".
    #[serde(default)]
    like: Option<String>,
    /// Restricts or changes the rows. "names": file names.
    #[serde(default)]
    only: Option<Only>,
    /// A directory or file.
    #[serde(default, rename = "in")]
    path: Option<String>,
    /// Globs: "*.rs", "!*.min.js".
    #[serde(default)]
    files: Vec<String>,
    /// Changed since: "2h", "2026-05-01", "changed" (git).
    #[serde(default)]
    since: Option<String>,
    /// First row, from the last line of a reply.
    #[serde(default = "defaults::count::<1>")]
    #[schemars(range(min = 1, max = 6_000))]
    page: usize,
    /// Size of the reply.
    #[serde(default = "defaults::count::<BYTES_DEFAULT>")]
    #[schemars(range(min = 500, max = 1_000_000))]
    bytes_max: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Only {
    Definitions,
    Names,
    Files,
    Count,
    Calls,
    Inheritance,
    Comments,
    Strings,
    Production,
    Tests,
    Docs,
}

impl Only {
    /// Returns the part of the project that rows may come from.
    fn role(self) -> Option<Role> {
        match self {
            Only::Production => Some(Role::Production),
            Only::Tests => Some(Role::Tests),
            Only::Docs => Some(Role::Docs),
            _ => None,
        }
    }

    /// Returns the value as callers write it.
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Returns whether it excludes lines, rather than only choosing their form.
    fn is_filter(self) -> bool {
        self.role().is_some() || self.context() != SearchContext::Any || self.use_kind().is_some()
    }

    /// Returns the use that matches must have.
    fn use_kind(self) -> Option<UseKind> {
        match self {
            Only::Calls => Some(UseKind::Call),
            Only::Inheritance => Some(UseKind::Inheritance),
            _ => None,
        }
    }

    /// Returns the part of a file in which matches count.
    fn context(self) -> SearchContext {
        match self {
            Only::Comments => SearchContext::InComments,
            Only::Strings => SearchContext::InStringLiterals,
            _ => SearchContext::Any,
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// The answer: headings, rows, remarks and a last line in brackets.
    text: String,
    /// Whether everything in scope was searched, and every row is in text.
    complete: bool,
    /// The number of rows found: lines, or files with only "files" and "names".
    total: u64,
    /// "exact", or "at_least" when the time ran out.
    #[schemars(extend("enum" = ["exact", "at_least"]))]
    total_kind: &'static str,
    /// Pass it as page to continue. Only if there are more rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_page: Option<usize>,
}

impl Contract for LookTool {
    const NAME: &'static str = "look";
    const DESCRIPTION: &'static str = "Finds code and text in the project. Write q as you would \
        say it: a name, \"who calls loadToken\", a sentence such as \"how are request retries \
        handled\", a line of a log or trace, a/b.rs:10, a glob or /regex/. Text as written comes \
        first, definitions marked >; otherwise the best files, and a remark says so. The last line \
        says what is missing and how to continue.";
    type Args = Args;
    type Reply = Reply;
    const EXPECTED: &'static [(&'static str, &'static str)] = &[
        ("limit", forms::BY_SIZE),
        ("max_results", forms::BY_SIZE),
        ("ignore_case", "a query in lower case finds any case"),
    ];
    const NUMBERS_AS_TEXT: &'static [&'static str] = &["page"];
    const OTHER_NAMES: &'static [OtherNames] =
        &[("q", forms::TEXT), ("in", forms::PLACE), ("files", forms::GLOBS)];
    const REPLIES_TEXT: bool = true;

    fn timeout(_args: &Args) -> Duration {
        TIMEOUT
    }

    fn outcome(reply: &Reply) -> Outcome {
        Outcome::of_search(reply.total > 0, reply.complete)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let args = Args { since: args.since.filter(|since| !since.is_empty()), ..args };
        let (page, bytes_max) = (args.page, args.bytes_max);
        let answer = answer::answer(workspace, args, call)?;
        Ok(render::reply(&answer, page, bytes_max))
    }
}

#[cfg(all(test, feature = "symbols"))]
mod tests;
