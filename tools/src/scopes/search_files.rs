//! `scope_search_files`: files of a scope by words or a glob. Contract:
//! docs/contracts/scopes.md.

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::arguments::limits::REPLY_BYTES_MAX;
use crate::arguments::scope::ScopeArgs;
use crate::arguments::scope::wire::ShapeDto;
use crate::replies;
use crate::replies::outcome::Outcome;
use crate::replies::report::Skipped;
use crate::scopes::diagnostics::diagnostics;
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::{ErrorExt, NameGlob, file_url, path_of, to_text};
use searchscope::{
    Error, ErrorKind, FileOptions, FileType, FindRequest, RelPath, Result, Stop, StopReason,
    Workspace,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct ScopeSearchFiles;

/// Maximum number of words; a name has fewer.
const KEYWORDS_MAX: usize = 64;
const KEYWORDS_BYTES_MAX: usize = 4 * 1024;
/// Room for everything but the files.
const ENVELOPE_BYTES: usize = 1 << 20;
/// Quotes and commas of a file's URL and path.
const FILE_BYTES: usize = 6;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Args {
    #[serde(flatten)]
    scope: ScopeArgs,
    /// Words that must occur in this order, split at white space; with GLOB the glob. Empty: all
    /// files of the scope.
    #[serde(default)]
    query: String,
    /// Further words, which must occur after those of query; may contain white space. Not with
    /// GLOB.
    #[serde(default)]
    keywords: Vec<String>,
    /// Compared text: NAME_OR_PATH, NAME (the file name), PATH (the path relative to the root), or
    /// GLOB (query is a glob: without "/" for names at any depth, with "/" for paths). Default:
    /// NAME_OR_PATH.
    #[serde(default)]
    match_mode: MatchMode,
    /// Whether case counts.
    #[serde(default)]
    case_sensitive: bool,
    /// Only files below this directory, a file:// URL or a path relative to the root.
    #[serde(default)]
    directory_url: Option<String>,
    /// Maximum number of files.
    #[serde(default = "defaults::count::<1_000>")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
    /// Ends the search with its matches so far; then timedOut is true.
    #[serde(default = "defaults::amount::<30_000>")]
    #[schemars(range(min = 1, max = 600_000))]
    timeout_millis: u64,
}

/// Compared part of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum MatchMode {
    /// Its name or its path.
    #[default]
    NameOrPath,
    /// Its name.
    Name,
    /// Its path relative to the root.
    Path,
    /// A glob: without "/" for names at any depth, with "/" for paths below directoryUrl or the
    /// root; ** matches any directories.
    Glob,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The displayed name.
    scope_display_name: String,
    /// GLOBAL or LOCAL.
    scope_shape: ShapeDto,
    /// The matchMode of the call: NAME_OR_PATH, NAME, PATH or GLOB.
    mode: MatchMode,
    /// The query of the call.
    query: String,
    /// The keywords of the call.
    keywords: Vec<String>,
    /// The URL of the searched directory, if the call names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    directory_url: Option<String>,
    /// The files as file:// URLs, in byte order of their paths.
    matched_file_urls: Vec<String>,
    /// The same files, relative to the root, with "/" between names.
    matched_file_paths: Vec<String>,
    /// The number of files in the scope, matching or not.
    scanned_file_count: u64,
    /// Whether there are, or may be, more files.
    probably_has_more_matching_files: bool,
    /// Whether the time ran out.
    timed_out: bool,
    /// Always false: a cancelled call is an error.
    canceled: bool,
    /// Skipped entries, by reason.
    skipped: Skipped,
    /// Warnings for the caller.
    diagnostics: Vec<String>,
}

impl Contract for ScopeSearchFiles {
    const NAME: &'static str = "scope_search_files";
    const DESCRIPTION: &'static str = "Finds the files of a scope by words in their names or \
        paths, or by a glob, sorted by path; with neither, every file of the scope. Only the scope \
        decides which files belong, even hidden, git-ignored and library files. Matches names \
        only; never opens files.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] =
        &[("query", forms::TEXT), ("directoryUrl", forms::PLACE)];

    fn timeout(args: &Args) -> Duration {
        Duration::from_millis(args.timeout_millis)
    }

    fn outcome(reply: &Reply) -> Outcome {
        let is_complete = !reply.probably_has_more_matching_files && !reply.timed_out;
        Outcome::of_search(!reply.matched_file_paths.is_empty(), is_complete)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let directory = directory(workspace, args.directory_url.as_deref())?;
        let query = FileQuery::new(&args, directory.as_ref())?;
        let scope = args.scope.request(workspace, call)?;
        let scope = scope.resolve(workspace, call)?;
        let path_filter = Some(Arc::new(scope.scope) as _);
        let files = FileOptions { path_filter, worktrees: true, ..FileOptions::default() };
        let mut request = FindRequest::new(files, None, None);
        // A path that is not UTF-8 cannot be a start path: then the walk starts at the root.
        let start = directory.as_ref().map(|path| std::str::from_utf8(path.as_bytes()));
        let start = start.and_then(|start| start.ok()).unwrap_or_default();
        request.paths = vec![format!("./{start}")];
        let mut found =
            MatchedFiles::new(replies::bytes_max(workspace, REPLY_BYTES_MAX), args.max_results);
        let report = workspace.run_find_each(&request, call, &mut |file| {
            if directory.as_ref().is_some_and(|dir| !file.path.starts_with(dir)) {
                return ControlFlow::Continue(());
            }
            found.n_scanned += 1;
            if !query.matches(&file.path) || found.take(workspace, &file.path) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Stop::full(0))
            }
        });
        let report = report?;
        let timed_out = report.stopped == Some(StopReason::Deadline);
        Ok(Reply {
            scope_display_name: scope.display_name,
            scope_shape: scope.shape.into(),
            mode: args.match_mode,
            query: args.query,
            keywords: args.keywords,
            directory_url: directory.map(|path| file_url(workspace, &path)),
            matched_file_urls: found.urls,
            matched_file_paths: found.paths,
            scanned_file_count: found.n_scanned,
            probably_has_more_matching_files: report.stopped.is_some(),
            timed_out,
            canceled: false,
            skipped: report.skipped.into(),
            diagnostics: diagnostics(scope.diagnostics, &report, found.cut),
        })
    }
}

/// Returns the directory to search below, if the call names one.
fn directory(workspace: &Workspace, url: Option<&str>) -> Result<Option<RelPath>> {
    let Some(url) = url else {
        return Ok(None);
    };
    let named = |error: Error| error.with_param("directoryUrl");
    let path = path_of(workspace, "directoryUrl", url)?;
    let kind = workspace.details(&path).map_err(named)?.file_type;
    if kind != FileType::Directory {
        let predicate = format!("must be a directory: '{url}'");
        return Err(Error::invalid_param("directoryUrl", predicate).with_path(url));
    }
    Ok(Some(path))
}

/// Selection of files within the scope.
enum FileQuery {
    All,
    Words { words: Vec<String>, in_name: bool, case_sensitive: bool },
    Glob { glob: NameGlob, base: RelPath },
}

impl FileQuery {
    fn new(args: &Args, directory: Option<&RelPath>) -> Result<FileQuery> {
        let case_sensitive = args.case_sensitive;
        if args.match_mode == MatchMode::Glob && !args.keywords.is_empty() {
            let predicate = "cannot be used with 'matchMode' GLOB: 'query' is the glob";
            return Err(Error::invalid_param("keywords", predicate));
        }
        if args.match_mode == MatchMode::Glob && !args.query.is_empty() {
            let glob = NameGlob::with_case("query", &args.query, case_sensitive)?;
            return Ok(FileQuery::Glob { glob, base: directory.cloned().unwrap_or_default() });
        }
        let words = args.query.split_whitespace().chain(args.keywords.iter().map(String::as_str));
        let words = words.filter(|word| !word.is_empty());
        let fold = |word: &str| if case_sensitive { word.to_owned() } else { word.to_lowercase() };
        let words: Vec<String> = words.map(fold).collect();
        let n_bytes: usize = words.iter().map(String::len).sum();
        if words.len() > KEYWORDS_MAX || n_bytes > KEYWORDS_BYTES_MAX {
            let (param, before, after) = match args.keywords.is_empty() {
                true => ("query", "", " and 'keywords'"),
                false => ("keywords", "'query' and ", ""),
            };
            let after = format!(
                "{after} may have at most {KEYWORDS_MAX} words of {KEYWORDS_BYTES_MAX} bytes in total, \
                 got {} of {n_bytes}",
                words.len()
            );
            return Err(Error::around_param(ErrorKind::InvalidParam, param, before, after));
        }
        if words.is_empty() {
            return Ok(FileQuery::All);
        }
        // A path contains its name: words that occur in the name occur in the path in the same
        // order.
        let in_name = args.match_mode == MatchMode::Name;
        Ok(FileQuery::Words { words, in_name, case_sensitive })
    }

    fn matches(&self, path: &RelPath) -> bool {
        match self {
            FileQuery::All => true,
            FileQuery::Glob { glob, base } => {
                let below = match base.as_bytes().len() {
                    0 => path.as_bytes(),
                    len => path.as_bytes().get(len + 1..).unwrap_or_default(),
                };
                glob.matches(below)
            }
            FileQuery::Words { words, in_name, case_sensitive } => {
                let text = to_text(if *in_name { path.file_name() } else { path.as_bytes() });
                let text = if *case_sensitive { text } else { text.to_lowercase().into() };
                has_in_order(&text, words)
            }
        }
    }
}

/// Returns whether all words occur in order, without overlap.
fn has_in_order(text: &str, words: &[String]) -> bool {
    let mut rest = text;
    words.iter().all(|word| match rest.split_once(word.as_str()) {
        Some((_, behind)) => {
            rest = behind;
            true
        }
        None => false,
    })
}

/// The files of the reply.
struct MatchedFiles {
    urls: Vec<String>,
    paths: Vec<String>,
    n_scanned: u64,
    files_max: usize,
    bytes_left: usize,
    /// Why files are missing, if nothing else in the reply says so.
    cut: Option<String>,
}

impl MatchedFiles {
    fn new(bytes_max: usize, files_max: usize) -> MatchedFiles {
        let bytes_left = bytes_max.saturating_sub(ENVELOPE_BYTES.min(bytes_max / 4));
        MatchedFiles {
            urls: Vec::new(),
            paths: Vec::new(),
            n_scanned: 0,
            files_max,
            bytes_left,
            cut: None,
        }
    }

    /// Takes a file if there is room for one more.
    fn take(&mut self, workspace: &Workspace, path: &RelPath) -> bool {
        if self.urls.len() == self.files_max {
            return false;
        }
        let (url, shown) = (file_url(workspace, path), path.display().into_owned());
        // The longest JSON escape of a character in a path is that of control characters: six
        // bytes.
        let n_escaped = shown.bytes().filter(|byte| byte.is_ascii_control()).count();
        let n_quoted = shown.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        let n_bytes = url.len() + shown.len() + 5 * n_escaped + n_quoted + FILE_BYTES;
        let Some(bytes_left) = self.bytes_left.checked_sub(n_bytes) else {
            self.cut = Some(format!(
                "the reply has no room for more than these {} files: narrow 'query' or 'scope', or \
                 name a 'directoryUrl'",
                self.urls.len()
            ));
            return false;
        };
        self.bytes_left = bytes_left;
        self.urls.push(url);
        self.paths.push(shown);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_occur_one_after_the_other() {
        let words = |words: &[&str]| -> Vec<String> {
            words.iter().map(|word| (*word).to_owned()).collect()
        };
        for (text, query, expected) in [
            ("src/user/list.rs", &["user", "list"][..], true),
            ("src/user/list.rs", &["list", "user"], false),
            ("aaa", &["aa", "aa"], false),
            ("aaaa", &["aa", "aa"], true),
            ("x", &[], true),
        ] {
            assert_eq!(has_in_order(text, &words(query)), expected, "{text} {query:?}");
        }
    }

    #[test]
    fn a_full_reply_is_marked() {
        let dir = tempfile::tempdir().expect("a directory");
        let workspace = Workspace::open(dir.path()).expect("opened");
        let mut found = MatchedFiles::new(1_200, 100);
        let path = workspace.resolve("a/b").expect("inside");
        let n = (0..).take_while(|_| found.take(&workspace, &path)).count();
        assert_eq!((n, found.urls.len()), (found.paths.len(), n));
        let json = serde_json::to_vec(&(&found.urls, &found.paths)).expect("JSON");
        assert!(json.len() <= 900 + 20 && n > 3, "{} bytes of {n}", json.len());
        assert!(found.cut.is_some_and(|cut| cut.contains(&format!("these {n} files"))));
    }
}
