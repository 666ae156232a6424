//! `find_and_grep`: chooses files as `fd` does, and searches exactly those as `rg` does. Contract:
//! docs/contracts/find-and-grep.md.

mod args;
mod gather;
mod shape;

use crate::contracts::long_lines::LINE_BYTES;
use crate::replies::outcome::Outcome;
use crate::replies::report::{Warning, all_ignored, warnings, warnings_of_a_lack};
use crate::replies::too_large;
use crate::tool::{Contract, ToolCall};
use args::{Args, Plan};
use gather::Gathered;
use jiff::Timestamp;
use searchscope::toolkit::{ErrorExt, suggest::suggestion};
use searchscope::{Error, ErrorKind, FileType, Report, Result, StopReason, Workspace};
use shape::{Meta, Reply};
use std::time::{Duration, Instant};

pub(crate) struct FindAndGrep;

/// Stage in which a call failed, with the names of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The arguments.
    Input,
    /// Choosing files.
    Find,
    /// Searching the chosen files.
    Search,
}

/// An error and its stage.
#[derive(Debug)]
struct Failed {
    stage: Stage,
    error: Error,
}

impl Stage {
    fn failed(self) -> impl Fn(Error) -> Failed {
        move |error| match error.kind() {
            // The caller's mistake, whichever stage noticed it first.
            ErrorKind::AccessDenied => Failed { stage: Stage::Input, error },
            _ if error.param().is_some_and(|param| param.starts_with("extensions")) => {
                Failed { stage: Stage::Input, error }
            }
            _ => Failed { stage: self, error },
        }
    }

    fn code(self) -> &'static str {
        match self {
            Stage::Input => "input",
            Stage::Find => "fd",
            Stage::Search => "rg",
        }
    }
}

/// Advice to a caller that passes a single place to search.
const ROOTS: &str = "'roots' is the list of directories to search below";

impl Contract for FindAndGrep {
    const NAME: &'static str = "find_and_grep";
    const DESCRIPTION: &'static str = "Searches in two stages: first chooses files by name, type, \
        extension, size and time, then searches exactly those files for a text or regular \
        expression. Returns absolute paths with line numbers, columns and context. Hidden and \
        git-ignored files are left out unless requested. For a broad query use total_only, \
        count_only_matches or summary_only, which count every file, or group_by_file. At most \
        10000 matches are returned; meta.truncated is true if a limit (file_limit, max_count, \
        max_filesize, matches, time) left anything out. An error is a reply with success false.";
    type Args = Args;
    type Reply = Reply;
    const STRICT: bool = true;
    const EXPECTED: &'static [(&'static str, &'static str)] =
        &[("path", ROOTS), ("paths", ROOTS), ("directory", ROOTS)];

    fn timeout(args: &Args) -> Duration {
        args.timeout()
    }

    fn outcome(reply: &Reply) -> Outcome {
        reply.outcome()
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        match run(workspace, &args, call, Timestamp::now()) {
            Ok(reply) => Ok(reply),
            Err(Failed { stage, error }) => failure(stage, error),
        }
    }

    fn failed(error: Error, _call: &ToolCall<'_>) -> Result<Reply> {
        let is_late = error.kind() == ErrorKind::Timeout;
        failure(if is_late { Stage::Find } else { Stage::Input }, error)
    }
}

fn run(
    workspace: &Workspace,
    args: &Args,
    call: &ToolCall<'_>,
    now: Timestamp,
) -> std::result::Result<Reply, Failed> {
    let Plan { find, mut search } = Plan::new(workspace, args, call, now)?;
    let timeout = args.timeout();
    for root in &args.roots {
        refuse_other_than_directory(workspace, root)?;
        if call.deadline_has_passed() {
            return Err(timed_out(Stage::Find, timeout, 0));
        }
    }
    let started = Instant::now();
    let found = workspace.run_find(&find, call).map_err(Args::stage_1_error);
    let (found, found_report) = found.map_err(Stage::Find.failed())?;
    let find_elapsed = started.elapsed();
    if found_report.stopped == Some(StopReason::Deadline) && found.is_empty() {
        return Err(timed_out(Stage::Find, timeout, 0));
    }
    search.only = Some(found.into_iter().map(|file| file.path).collect());
    // A root may be a link, and then every file below it is reached through a link.
    search.files.follow |= found_report.has_links;
    let started = Instant::now();
    let context = (search.context_before, search.context_after);
    let mut run = |line_bytes_max| {
        search.limits.line_bytes_max = Some(line_bytes_max);
        let mut gathered = Gathered::new(workspace, args, context, call);
        let report =
            workspace.run_search_each(&search, call, &mut |file| gathered.take_file(&file));
        report.map(|report| (gathered, report)).map_err(Stage::Search.failed())
    };
    let [whole, part] = LINE_BYTES;
    let (mut gathered, mut report) = run(whole)?;
    let is_over = gathered.is_full() || report.stopped == Some(StopReason::ByteBudget);
    if is_over && gathered.long.can_be_cut(whole) {
        (gathered, report) = run(part)?;
    }
    let has_timed_out =
        [&found_report, &report].map(|report| report.stopped).contains(&Some(StopReason::Deadline));
    let total = gathered.total();
    if gathered.is_too_small() {
        return Err(Stage::Search.failed()(too_large()));
    }
    // A bare number cannot say that it is incomplete, so the call fails.
    if has_timed_out && (total == 0 || args.total_only) {
        return Err(timed_out(Stage::Search, timeout, total));
    }
    // The same holds for files that were left out.
    if args.total_only {
        refuse_all_ignored(&found_report)?;
        refuse_limits(args, [&found_report, &report], total)?;
        refuse_faults(Stage::Find, &found_report, total)?;
        refuse_faults(Stage::Search, &report, total)?;
    }
    let mut meta = meta(args, &found_report, &report, find_elapsed, started.elapsed());
    meta.truncated |= gathered.is_full();
    meta.warnings.extend(std::mem::take(&mut gathered.long).warning());
    shape::reply(workspace, args, gathered, meta, call).map_err(Stage::Input.failed())
}

fn refuse_other_than_directory(
    workspace: &Workspace,
    root: &str,
) -> std::result::Result<(), Failed> {
    let resolved = workspace.resolve(root).map_err(Stage::Input.failed())?;
    let meta = workspace.details(&resolved).map_err(|error| {
        let not_found = error.kind() == ErrorKind::NotFound;
        let error = error.with_param("roots");
        Stage::Find.failed()(if not_found {
            error.with_message(format!("No such file or directory: '{root}'"))
        } else {
            error
        })
    })?;
    if meta.file_type != FileType::Directory {
        let predicate = format!("must be directories, '{root}' is not one");
        return Err(Stage::Find.failed()(Error::invalid_param("roots", predicate)));
    }
    Ok(())
}

fn timed_out(stage: Stage, timeout: Duration, total: u64) -> Failed {
    let ms = timeout.as_millis();
    let message = match total {
        0 => format!("no result within {ms} ms; narrow the roots or raise timeout_ms"),
        _ => format!("not done within {ms} ms; at least {total} matches; raise timeout_ms"),
    };
    Failed { stage, error: Error::new(ErrorKind::Timeout, message) }
}

/// Refuses a bare number that a limit made too small, unless the caller set that limit.
fn refuse_limits(
    args: &Args,
    reports: [&Report; 2],
    total: u64,
) -> std::result::Result<(), Failed> {
    let [found, searched] = reports;
    let failed =
        |stage, message| Failed { stage, error: Error::new(ErrorKind::ResultTooLarge, message) };
    if found.stopped.is_some() {
        let message = "too many files to count at once; narrow the roots";
        return Err(failed(Stage::Find, message.to_owned()));
    }
    let n_large = searched.over_max;
    if args.max_filesize.is_none() && n_large > 0 {
        let message = format!(
            "{n_large} files of more than 200M were not searched; at least {total} matches; \
             exclude them, or set max_filesize to leave them out"
        );
        return Err(failed(Stage::Search, message));
    }
    if searched.over_limits > 0 {
        let first = first_warning(searched);
        let message = format!(
            "some files exceed the limits of the search{first}; at least {total} matches; exclude \
             them, or set max_filesize to leave them out"
        );
        return Err(failed(Stage::Search, message));
    }
    Ok(())
}

/// Returns the first warning of a report in parentheses, for the end of a clause; empty without one.
fn first_warning(report: &Report) -> String {
    let first = warnings(report).into_iter().next();
    first.map(|first| format!(" ({first})")).unwrap_or_default()
}

/// Refuses a bare number if ignore files left out everything.
fn refuse_all_ignored(report: &Report) -> std::result::Result<(), Failed> {
    match all_ignored(report) {
        None => Ok(()),
        Some(reason) => {
            let error = Error::new(ErrorKind::InvalidParam, reason).with_param("roots");
            Err(Stage::Find.failed()(error))
        }
    }
}

fn refuse_faults(stage: Stage, report: &Report, total: u64) -> std::result::Result<(), Failed> {
    if report.skipped.unreadable == 0 && report.skipped.too_deep == 0 {
        return Ok(());
    }
    let first = first_warning(report);
    let message = format!(
        "some files could not be read{first}; at least {total} matches; without total_only, \
         meta.warnings lists what is missing"
    );
    Err(Failed { stage, error: Error::new(ErrorKind::Io, message) })
}

fn meta(
    args: &Args,
    found: &Report,
    searched: &Report,
    find_elapsed: Duration,
    search_elapsed: Duration,
) -> Meta {
    let ms = |elapsed: Duration| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let reason = if args.no_ignore {
        Some("requested".to_owned())
    } else if found.unignored.is_empty() {
        None
    } else {
        let roots = found.unignored.iter().map(|path| format!("'{}'", path.display()));
        Some(format!("ignored itself: {}", roots.collect::<Vec<_>>().join(", ")))
    };
    Meta {
        searched_file_count: searched.searched_files,
        truncated: found.stopped.is_some()
            || searched.stopped.is_some()
            || searched.skipped.too_large > 0,
        fd_elapsed_ms: ms(find_elapsed),
        rg_elapsed_ms: ms(search_elapsed),
        no_ignore: reason.is_some(),
        no_ignore_reason: reason,
        warnings: [found, searched]
            .into_iter()
            .flat_map(warnings_of_a_lack)
            .chain(unasked_limit(args, searched))
            .collect(),
    }
}

/// Returns the warning about files that exceed the default of `max_filesize`.
fn unasked_limit(args: &Args, searched: &Report) -> Option<Warning> {
    let n = searched.over_max;
    let noun = if n == 1 { "1 file is" } else { &format!("{n} files are") };
    let reason = format!("{noun} larger than the default of max_filesize and not searched");
    (n > 0 && args.max_filesize.is_none()).then(|| Warning { path: ".".to_owned(), reason })
}

/// Converts an error to the shape of the contract; kinds that it does not describe stay errors of
/// the library.
fn failure(stage: Stage, error: Error) -> Result<Reply> {
    let code = error.code();
    let returncode = match (error.kind(), stage) {
        (ErrorKind::Cancelled | ErrorKind::Internal | ErrorKind::ResultTooLarge, _) => {
            return Err(error);
        }
        // The exit codes of `timeout`, `fd` and `rg`.
        (ErrorKind::Timeout, _) => 124,
        (_, Stage::Find) => 1,
        (_, Stage::Input | Stage::Search) => 2,
    };
    let mut text = match stage {
        Stage::Input => format!("{code}: {}", error.message()),
        Stage::Find | Stage::Search => {
            format!("{} failed: {} ({code})", stage.code(), error.message())
        }
    };
    text.push_str(&suggestion(error.near()));
    Ok(Reply::Failed(shape::Failure {
        success: false,
        error: text,
        returncode,
        stage: stage.code(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::CallTools;
    use searchscope::SizeBound;
    use serde_json::json;

    fn with_args<T>(
        args: serde_json::Value,
        then: impl FnOnce(&Workspace, &Args, Timestamp) -> T,
    ) -> T {
        let dir = tempfile::tempdir().expect("a directory");
        let workspace = Workspace::open(dir.path()).expect("opened");
        let args: Args = serde_json::from_value(args).expect("arguments");
        then(&workspace, &args, "2024-03-01T12:00:00Z".parse().expect("an instant"))
    }

    #[test]
    fn durations_count_from_the_given_clock() {
        let args = json!({
            "roots": ["."], "query": "x", "changed_within": "1d", "changed_before": "2024-03-01",
            "size": ["+1k", "-2mi"],
        });
        let call = ToolCall { args: &json!({}), is_read: true, call: searchscope::Call::new() };
        let plan = with_args(args, |workspace, args, now| Plan::new(workspace, args, &call, now));
        let plan = plan.expect("a plan");
        let attributes = &plan.find.files.attributes;
        assert_eq!(attributes.modified_after_ns, Some(1_709_208_000_000_000_000));
        assert_eq!(attributes.modified_before_ns, Some(1_709_251_200_000_000_000));
        assert_eq!(attributes.sizes, [SizeBound::AtLeast(1000), SizeBound::AtMost(2 << 20)]);
    }

    #[test]
    fn mistakes_belong_to_their_stage() {
        for (mistake, stage, part) in [
            (json!({"size": ["+18446744073709551615k"]}), Stage::Input, "size[0]"),
            (json!({"changed_within": "99999999999y"}), Stage::Input, "changed_within"),
            (json!({"max_filesize": "-1"}), Stage::Input, "max_filesize"),
            (json!({"encoding": "nope"}), Stage::Input, "encoding"),
            (json!({"output_file": "x"}), Stage::Input, "output_file"),
            (json!({"roots": [".."]}), Stage::Input, "outside"),
            (json!({"pattern": "("}), Stage::Find, "group"),
            (json!({"exclude": ["ok", "["]}), Stage::Find, "exclude[1]"),
            (json!({"exclude": ["ok", ""]}), Stage::Input, "exclude[1]"),
            (json!({"pattern": "a/b"}), Stage::Find, "full_path_match"),
            (json!({"extensions": ["*.py"]}), Stage::Input, "extensions[0]"),
            (json!({"roots": vec!["."; 1001]}), Stage::Find, "'roots'"),
            (json!({"include_globs": vec!["x"; 129]}), Stage::Search, "include_globs"),
            (json!({"query": "("}), Stage::Search, "group"),
            (json!({"include_globs": ["["]}), Stage::Search, "include_globs[0]"),
            (
                json!({"include_globs": ["x"], "exclude_globs": ["y", "["]}),
                Stage::Search,
                "exclude_globs[1]",
            ),
        ] {
            let mut args = json!({"roots": ["."], "query": "x"});
            for (name, value) in mistake.as_object().expect("an object") {
                args[name] = value.clone();
            }
            let call = ToolCall { args: &json!({}), is_read: true, call: searchscope::Call::new() };
            let failed =
                with_args(args, |workspace, args, now| run(workspace, args, &call, now).err());
            let failed = failed.expect("a mistake");
            assert_eq!(failed.stage, stage, "{mistake}: {:?}", failed.error);
            assert!(failed.error.message().contains(part), "{mistake}: {:?}", failed.error);
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test makes the tree that it counts")]
    fn a_summary_of_many_files_counts_them_all() {
        let dir = tempfile::tempdir().expect("a directory");
        for n in 0..4_200 {
            let text = if n == 2_000 { "hit\nhit\n" } else { "hit\n" };
            std::fs::write(dir.path().join(format!("{n:04}")), text).expect("written");
        }
        let workspace = Workspace::open(dir.path()).expect("opened");
        let args = json!({
            "roots": ["."], "query": "hit", "summary_only": true, "optimize_paths": true,
            "timeout_ms": 30_000,
        });
        let reply =
            workspace.call("find_and_grep", args.to_string().as_bytes(), &searchscope::Call::new());
        let reply: serde_json::Value =
            serde_json::from_slice(&reply.expect("a reply")).expect("JSON");
        let summary = &reply["summary"];
        assert_eq!(
            (&summary["total_matches"], &summary["file_count"]),
            (&json!(4_201), &json!(4_200))
        );
        let top = ["2000", "0000", "0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008"];
        let files = summary["top_files"].as_array().expect("files").iter().map(|top| &top["file"]);
        assert_eq!(files.collect::<Vec<_>>(), top);
        assert_eq!(summary["sample_matches"].as_array().expect("samples").len(), 10);
        assert_eq!(reply["meta"]["truncated"], false);
    }
}
