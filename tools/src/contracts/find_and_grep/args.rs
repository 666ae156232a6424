//! The parameters of `find_and_grep`, and their conversion to two requests.

use crate::arguments::choices::{CaseArg, OrderArg, TypeArg};
use crate::arguments::defaults;
use crate::arguments::files::{FilesArgs, with_glob_hint};
use crate::arguments::limits::{LINE_BYTES_MAX, REPLY_BYTES_MAX, check_regex};
use crate::arguments::values::file_bytes;
use jiff::Timestamp;
use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{
    Call, Error, FileOptions, FindRequest, Limits, Mode, Order, PatternOptions, Result,
    SearchRequest, Syntax, Workspace,
};
use serde::Deserialize;
use std::time::Duration;

use super::{Failed, Stage, ToolCall};

/// docs/contracts/find-and-grep.md#stage-1.
const FILES_MAX: u64 = 10_000;
const MATCHES_MAX: u64 = 10_000;
const TIMEOUT_MS_MAX: u64 = 30_000;
const FILE_BYTES_DEFAULT: u64 = 10 << 20;
const FILE_BYTES_MAX: u64 = 200 << 20;
/// Maximum memory for the list of files in which matches are counted.
const COUNTED_BYTES_MAX: usize = 512 << 20;
/// Maximum context: more would be reading, not searching.
const CONTEXT_MAX: u64 = 1_000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Directories to search, relative to the project root.
    #[schemars(length(min = 1))]
    pub(super) roots: Vec<String>,
    /// The text to search for in the chosen files: a regular expression (Rust regex syntax), or
    /// plain text if fixed_strings is true.
    #[schemars(length(min = 1))]
    query: String,

    /// Stage 1: only files whose name contains a match of this regular expression, or with glob
    /// true is this glob. Smart case.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pattern: Option<String>,
    /// Stage 1: whether pattern is a glob such as "*.ts".
    #[serde(default)]
    glob: bool,
    /// Stage 1: kinds of entries: f files, d directories, l symlinks, x executable files, e empty
    /// files. Only regular files are searched. Default: f.
    #[serde(default)]
    types: Vec<TypeArg>,
    /// Stage 1: only files with one of these extensions, such as "py" or ".tar.gz".
    #[serde(default)]
    extensions: Vec<String>,
    /// Stage 1: leaves out files and directories that match one of these globs: by name, or with a
    /// "/" by the path below a root.
    #[serde(default)]
    exclude: Vec<String>,
    /// Stage 1: maximum depth below each root; 1 is only its own entries.
    #[serde(default)]
    #[schemars(range(min = 1))]
    depth: Option<u64>,
    /// Stage 1: whether to follow symlinks, which never lead outside the project root.
    #[serde(default)]
    follow_symlinks: bool,
    /// Stage 1: also files and directories whose name starts with a dot.
    #[serde(default)]
    hidden: bool,
    /// Stage 1: also files excluded by .gitignore, .ignore, .git/info/exclude.
    #[serde(default)]
    pub(super) no_ignore: bool,
    /// Stage 1: bounds on the file size: "+10k" at least, "-1m" at most, "5b" exactly; all must
    /// hold. Units: b, k, m, g, t, or powers of 1024: ki, mi, gi, ti.
    #[serde(default)]
    size: Vec<String>,
    /// Stage 1: only files modified within this duration ("90s", "2h", "1w") or since this date
    /// ("2024-05-01", RFC 3339; UTC without an offset).
    #[serde(default)]
    changed_within: Option<String>,
    /// Stage 1: only files modified longer ago than this, or before this date.
    #[serde(default)]
    changed_before: Option<String>,
    /// Stage 1: whether pattern is compared with the absolute path.
    #[serde(default)]
    full_path_match: bool,
    /// Stage 1: maximum number of files to search, after sorting; capped at 10000. It does not
    /// limit counts (total_only, count_only_matches, summary_only): those cover all files.
    #[serde(default = "defaults::amount::<2_000>")]
    #[schemars(range(min = 1))]
    file_limit: u64,
    /// Stage 1: the order of the files and results. Default: path.
    #[serde(default)]
    sort: Option<OrderArg>,

    /// Stage 2: case sensitivity. Default: smart.
    #[serde(default = "defaults::smart_case")]
    case: CaseArg,
    /// Stage 2: whether query is plain text.
    #[serde(default)]
    fixed_strings: bool,
    /// Stage 2: only matches with no word character next to them.
    #[serde(default)]
    word: bool,
    /// Stage 2: whether a match may cross lines ("\n" in the query; "." still matches no line
    /// feed).
    #[serde(default)]
    multiline: bool,
    /// Stage 2: only chosen files that match one of these globs: by name, or with a "/" by the path
    /// from the project root.
    #[serde(default)]
    include_globs: Vec<String>,
    /// Stage 2: skips files that match one of these globs, as include_globs.
    #[serde(default)]
    exclude_globs: Vec<String>,
    /// Stage 2: larger files are not searched. In bytes, or with K, M or G (powers of 1024).
    /// Default "10M", for counts "200M"; capped at "200M".
    #[serde(default)]
    pub(super) max_filesize: Option<String>,
    /// Stage 2: number of lines before each match.
    #[serde(default)]
    #[schemars(range(max = 1000))]
    context_before: Option<u64>,
    /// Stage 2: number of lines after each match.
    #[serde(default)]
    #[schemars(range(max = 1000))]
    context_after: Option<u64>,
    /// Stage 2: the encoding of files without a byte order mark, such as "latin1" or "utf-16le".
    /// Default: auto, which is UTF-8.
    #[serde(default)]
    encoding: Option<String>,
    /// Stage 2: maximum number of matching lines per file.
    #[serde(default)]
    #[schemars(range(min = 1))]
    max_count: Option<u64>,
    /// Ends the call after this time with its results so far; capped at 30000.
    #[serde(default = "defaults::amount::<4_000>")]
    #[schemars(range(min = 1))]
    pub(super) timeout_ms: u64,

    /// Output: only the number of matching lines per file.
    #[serde(default)]
    pub(super) count_only_matches: bool,
    /// Output: only totals, the 10 files with the most matches, and some sample lines.
    #[serde(default)]
    pub(super) summary_only: bool,
    /// Output: moves the leading directories that all paths share to base_path.
    #[serde(default)]
    pub(super) optimize_paths: bool,
    /// Output: the matches file by file, without repeating the path.
    #[serde(default)]
    pub(super) group_by_file: bool,
    /// Output: only the number of matching lines. Takes precedence over count_only_matches,
    /// summary_only and group_by_file, in this order.
    #[serde(default)]
    pub(super) total_only: bool,
    /// Output: also writes the result to a file with this plain name plus ".json" in the output
    /// directory of the workspace.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(super) output_file: Option<String>,
    /// Output: the reply only names output_file; without one it has a summary.
    #[serde(default)]
    pub(super) suppress_output: bool,
}

/// The requests of the two stages.
pub(super) struct Plan {
    pub(super) find: FindRequest,
    /// The request without its files, which stage 1 finds.
    pub(super) search: SearchRequest,
}

impl Plan {
    /// Builds the requests; durations count from `now`.
    pub(super) fn new(
        workspace: &Workspace,
        args: &Args,
        call: &ToolCall<'_>,
        now: Timestamp,
    ) -> std::result::Result<Plan, Failed> {
        let find = args.find(workspace, now).map_err(Stage::Input.failed())?;
        args.check_globs().map_err(Stage::Input.failed())?;
        // Report errors of the second stage before the first takes its time.
        let search = args.search().map_err(Stage::Input.failed())?;
        args.check_query(call, &search.pattern).map_err(Stage::Search.failed())?;
        search
            .files
            .check(workspace)
            .map_err(|error| Stage::Search.failed()(args.stage_2_error(error)))?;
        if let Some(name) = &args.output_file {
            workspace.output_name("output_file", name).map_err(Stage::Input.failed())?;
        }
        Ok(Plan { find, search })
    }
}

impl Args {
    /// Returns the maximum duration of both stages together.
    pub(super) fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms.min(TIMEOUT_MS_MAX))
    }

    /// Returns whether the reply has numbers, with at most some sample lines.
    pub(super) fn counts(&self) -> bool {
        self.total_only || self.count_only_matches || self.summary_only || self.is_summary()
    }

    /// Returns whether `suppress_output` reduces the reply to a summary.
    pub(super) fn is_summary(&self) -> bool {
        self.suppress_output && self.output_file.is_none() && !self.total_only
    }

    fn find(&self, workspace: &Workspace, now: Timestamp) -> Result<FindRequest> {
        let files = FilesArgs {
            changed: None,
            paths: self.roots.clone(),
            globs: self.exclude.iter().map(|glob| format!("!{glob}")).collect(),
            name_pattern: self.pattern.clone(),
            glob: self.glob,
            full_path_match: self.full_path_match,
            extensions: self.extensions.clone(),
            size: self.size.clone(),
            changed_within: self.changed_within.clone(),
            changed_before: self.changed_before.clone(),
            depth: self.depth,
            types: self.types.clone(),
            hidden: self.hidden,
            no_ignore: self.no_ignore,
            worktrees: true,
            follow: self.follow_symlinks,
            normalize: None,
            scope: None,
        };
        let files = FileOptions { unignore_named: true, ..files.options(workspace, now)? };
        let (files_max, list_bytes_max) = match self.counts() {
            // A count covers every file, so the list of files has room for a large tree.
            true => (None, COUNTED_BYTES_MAX),
            false => (Some(self.file_limit.min(FILES_MAX)), 4 * REPLY_BYTES_MAX),
        };
        let mut request = FindRequest::new(files, files_max, Some(list_bytes_max));
        request.paths = self.roots.clone();
        request.order = self.sort.map_or(Order::Path, Order::from);
        Ok(request)
    }

    fn search(&self) -> Result<SearchRequest> {
        let pattern = PatternOptions {
            syntax: if self.fixed_strings { Syntax::Literal } else { Syntax::Regex },
            case: self.case.into(),
            word: self.word,
            multi_line: self.multiline,
            ..PatternOptions::literal(self.query.as_str())
        };
        // A call that only counts is bounded by its own limits alone.
        let counts = self.counts();
        let max_filesize = self.max_filesize.as_deref();
        let file_bytes_default = if counts { FILE_BYTES_MAX } else { FILE_BYTES_DEFAULT };
        let file_bytes_max = max_filesize.map_or(Ok(file_bytes_default), |text| {
            file_bytes("max_filesize", text, FILE_BYTES_MAX)
        })?;
        let shows_lines = !self.total_only && (self.is_summary() || !self.count_only_matches);
        let limits = Limits {
            matches_max: (!counts).then_some(MATCHES_MAX),
            matches_per_file_max: self.max_count,
            files_max: None,
            output_bytes_max: (!counts).then_some(4 * REPLY_BYTES_MAX),
            file_bytes_max: Some(file_bytes_max),
            line_bytes_max: Some(LINE_BYTES_MAX),
            spans_per_line_max: Some(1),
        };
        if let Some(label) = &self.encoding {
            searchscope::toolkit::from_label("encoding", label)?;
        }
        let mut request = SearchRequest::new(pattern, limits);
        let lines = |n: Option<u64>| usize::try_from(n.unwrap_or(0).min(CONTEXT_MAX)).unwrap_or(0);
        if !counts {
            request.context_before = lines(self.context_before);
            request.context_after = lines(self.context_after);
        }
        request.encoding = self.encoding.clone();
        request.mode = if shows_lines { Mode::Content } else { Mode::Count };
        // A summary keeps few lines, so files may arrive in parts.
        request.in_parts = counts;
        let excluded = self.exclude_globs.iter().map(|glob| format!("!{glob}"));
        request.files = FileOptions {
            globs: self.include_globs.iter().cloned().chain(excluded).collect(),
            worktrees: true,
            follow: self.follow_symlinks,
            ..FileOptions::default()
        };
        Ok(request)
    }

    /// Checks globs in the caller's words: the engine's error would show them rewritten.
    fn check_globs(&self) -> Result<()> {
        for (name, globs) in [
            ("exclude", &self.exclude),
            ("include_globs", &self.include_globs),
            ("exclude_globs", &self.exclude_globs),
        ] {
            if let Some(n) = globs.iter().position(String::is_empty) {
                let name = format!("{name}[{n}]");
                return Err(Error::invalid_param(&name, "must not be empty"));
            }
        }
        Ok(())
    }

    /// Renames the parameter of an error in stage 1 to that of the caller.
    pub(super) fn stage_1_error(error: Error) -> Error {
        match error.param() {
            Some("paths") => error.with_param_named("roots"),
            _ => renamed_globs(with_glob_hint(error), "exclude", 0),
        }
    }

    fn stage_2_error(&self, error: Error) -> Error {
        if error.param() == Some("globs") {
            return error.with_param_named("include_globs and exclude_globs");
        }
        let error = renamed_globs(error, "exclude_globs", self.include_globs.len());
        renamed_globs(error, "include_globs", 0)
    }

    /// Compiles the query to check it. If that exceeds the deadline, the search reports it.
    fn check_query(&self, call: &Call, pattern: &PatternOptions) -> Result<()> {
        let compiled = check_regex("query", pattern).and_then(|()| pattern.check(call));
        compiled.map_err(|error| {
            let reason = error.message().to_owned();
            error.with_reason_at("query", reason)
        })
    }
}

/// Renames the parameter of an error about the glob number `first` or a later one to `param`.
fn renamed_globs(error: Error, param: &str, first: usize) -> Error {
    let index = error.param().and_then(|param| param.strip_prefix("globs[")?.strip_suffix(']'));
    let index = index.and_then(|index| index.parse::<usize>().ok()?.checked_sub(first));
    match index {
        Some(index) => error.with_param_named(format!("{param}[{index}]")),
        None if error.param() == Some("globs") => error.with_param_named(param),
        None => error,
    }
}
