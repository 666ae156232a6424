//! `search` and `find` as streams of results.

use crate::arguments::limits::args_bytes_max;
use crate::freed::returning_memory;
use crate::own::find::{self, Find};
use crate::own::search::{self, Search};
use crate::own::search_result::SearchResult;
use crate::own::summary::Summary;
use crate::replies::outcome::ToolReply;
use crate::table::Tool;
use crate::tool::{Consumer, Contract, ToolCall};
use crate::{arguments, replies};
use searchscope::{Call, FoundFile, Result, Stop, Workspace};
use std::ops::ControlFlow;

/// Calls the tool `search` and passes each result to `take`, in the order of its reply, as soon as
/// it is found, on the calling thread.
///
/// The search continues only when `take` has returned, and ends when it breaks. Returns the
/// report as JSON, which is the reply of the tool without `matches` and `files`, and the outcome. `args` are
/// those of the tool, but `matches_max`, `output_bytes_max` and `deadline_ms` have no defaults. Memory does
/// not grow with the results. A search that `take` ended reports `limit` and a cursor that leads to the
/// next result.
///
/// ```
/// use searchscope::{Call, Workspace};
/// use searchscope_tools as tools;
/// use std::ops::ControlFlow;
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # std::fs::write(dir.path().join("a.rs"), "fn main() {}\nfn other() {}\n").unwrap();
/// let workspace = Workspace::open(dir.path())?;
/// let mut lines = Vec::new();
/// let args = br#"{"patterns": ["^fn"]}"#;
/// let report = tools::search_each(&workspace, args, &Call::new(), &mut |result| {
///     lines.extend(result.line.map(|line| line.number));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(lines, [1, 2]);
/// assert!(report.bytes.starts_with(br#"{"complete":true,"stopped":"none","total":2,"#));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of the tool. Results that were passed before remain valid: they are a prefix of all
/// results.
pub fn search_each(
    workspace: &Workspace,
    args: &[u8],
    call: &Call,
    take: &mut dyn FnMut(&SearchResult<'_>) -> ControlFlow<()>,
) -> Result<ToolReply> {
    search_each_with_spans(workspace, args, call, search::SPANS_MAX, take)
}

/// Calls the tool `search` like [`search_each`], with up to `spans_max` matches in each line instead of 100.
///
/// The memory for one line grows with the number of its matches.
///
/// ```
/// use searchscope::{Call, Workspace};
/// use searchscope_tools as tools;
/// use std::ops::ControlFlow;
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # std::fs::write(dir.path().join("a"), "x ".repeat(150)).unwrap();
/// let workspace = Workspace::open(dir.path())?;
/// let (args, mut n_spans) = (br#"{"patterns": ["x"]}"#, Vec::new());
/// for spans_max in [100, 1_000] {
///     tools::search_each_with_spans(&workspace, args, &Call::new(), spans_max, &mut |result| {
///         n_spans.extend(result.line.map(|line| line.spans.len()));
///         ControlFlow::Continue(())
///     })?;
/// }
/// assert_eq!(n_spans, [100, 150]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of the tool.
pub fn search_each_with_spans(
    workspace: &Workspace,
    args: &[u8],
    call: &Call,
    spans_max: usize,
    take: &mut dyn FnMut(&SearchResult<'_>) -> ControlFlow<()>,
) -> Result<ToolReply> {
    stream::<Search>(workspace, args, call, |mut args, call| {
        let mut room = Room::new(call, args.output_bytes_max);
        args.spans_max = spans_max;
        search::each(workspace, &args, call, Consumer::Stream, &mut |result| {
            room.take(|| result.to_json(), || take(result))
        })
    })
}

/// Calls the tool `find` and passes each file to `take`; otherwise like [`search_each`], with
/// `files_max` for `matches_max`.
///
/// With an order other than that of paths, the first file is only known when all files were seen:
/// it comes late, and all are kept in memory.
///
/// # Errors
///
/// Those of the tool.
pub fn find_each(
    workspace: &Workspace,
    args: &[u8],
    call: &Call,
    take: &mut dyn FnMut(&FoundFile) -> ControlFlow<()>,
) -> Result<ToolReply> {
    stream::<Find>(workspace, args, call, |args, call| {
        let mut room = Room::new(call, args.output_bytes_max);
        find::each(workspace, &args, call, Consumer::Stream, &mut |file| {
            room.take(|| find::found_json(file), || take(file))
        })
    })
}

/// Returns a file as JSON, as a reply of the tool `find` contains it.
///
/// # Errors
///
/// `internal` for a defect.
pub fn found_file_json(file: &FoundFile) -> Result<String> {
    find::found_json(file)
}

fn stream<C: Contract>(
    workspace: &Workspace,
    args: &[u8],
    call: &Call,
    run: impl FnOnce(C::Args, &ToolCall<'_>) -> Result<Summary>,
) -> Result<ToolReply> {
    let tool = Tool::named(C::NAME)?;
    let bytes_max = args_bytes_max(workspace);
    returning_memory(args.len().min(bytes_max), || {
        let args = tool.read_args(args, bytes_max)??;
        arguments::refuse_other_than_object(&args)?;
        arguments::check(tool.args_type(), &args, C::LENIENT)?;
        let mut call = ToolCall { args: &args, is_read: true, call: call.begun_now() };
        let decoded = arguments::decode(&args)?;
        if call.is_given("deadline_ms") {
            call.call = call.timed(C::timeout(&decoded));
        }
        let summary = run(decoded, &call)?;
        Ok(ToolReply { bytes: replies::to_json(&summary)?, outcome: summary.outcome() })
    })
}

/// Remaining bytes of results as JSON, if the caller set a limit.
struct Room<'a> {
    bytes_left: Option<usize>,
    call: &'a Call,
}

impl<'a> Room<'a> {
    fn new(call: &'a ToolCall<'_>, output_bytes_max: usize) -> Room<'a> {
        let is_bounded = call.is_given("output_bytes_max");
        Room { bytes_left: is_bounded.then_some(output_bytes_max), call }
    }

    /// Passes a result to `take` if there is room for it.
    fn take(
        &mut self,
        json: impl FnOnce() -> Result<String>,
        take: impl FnOnce() -> ControlFlow<()>,
    ) -> ControlFlow<Stop> {
        // The engine may have found more results before it noticed the cancellation.
        if self.call.is_cancelled() {
            return ControlFlow::Break(Stop::full(0));
        }
        if let Some(left) = self.bytes_left {
            let Some(rest) = json().ok().and_then(|json| left.checked_sub(json.len() + 1)) else {
                return ControlFlow::Break(Stop::full(0));
            };
            self.bytes_left = Some(rest);
        }
        take().map_break(|()| Stop::HERE)
    }
}
