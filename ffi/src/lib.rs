//! The C ABI: about a dozen functions over JSON, so that a new tool changes no symbol.
//!
//! This file is the list of entry points. include/searchscope.h is generated from it, and its doc
//! comments are the manual for C programmers. Rules that apply to every function are stated once, in
//! prologue.h.
//!
//! Streams pass structs instead, because with a call per result most of the time would go into writing and
//! parsing JSON.
#![expect(
    clippy::missing_safety_doc,
    reason = "the doc comments are the manual of C, and prologue.h states the duties of callers once"
)]

mod boundary;
mod each;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzz;
#[cfg(test)]
mod fuzz_tests;
mod handle;
mod request;
mod status;
#[cfg(feature = "test-hooks")]
mod test_hooks;
#[cfg(not(feature = "test-hooks"))]
#[path = "no_test_hooks.rs"]
mod test_hooks;

pub use each::*;
pub use handle::{CancelHandle, ReportHandle, WorkspaceHandle};
pub use request::Request;
pub use status::*;

use boundary::{Arguments, Callback, Out, boundary};
use each::Buffers;
use searchscope::CancelToken;
use searchscope_tools as tools;
use searchscope_tools::CallTools;
use std::ffi::{c_char, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

/// Incremented when a declaration is changed or removed; old programs must then be rebuilt.
pub const SEARCHSCOPE_ABI_MAJOR: u32 = 1;
/// Incremented when a declaration is added; old programs keep working.
pub const SEARCHSCOPE_ABI_MINOR: u32 = 0;
/// The ABI version that this header describes, as one comparable number.
pub const SEARCHSCOPE_ABI_VERSION: u32 = SEARCHSCOPE_ABI_MAJOR * 1000 + SEARCHSCOPE_ABI_MINOR;

/// Returns the `SEARCHSCOPE_ABI_VERSION` of the loaded library. Any thread. The library is compatible
/// with this header if the number is at least the macro and has the same major.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_abi_version() -> u32 {
    boundary!(otherwise |_| 0; { Ok(SEARCHSCOPE_ABI_VERSION) })
}

/// Returns the version of the library as text, such as "0.1.0". Any thread. Static: never freed.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_version() -> *const c_char {
    boundary!(otherwise |_| null(); {
        Ok(concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast())
    })
}

/// Opens the directory `root`. Any thread.
///
/// `options_json` is a JSON object as text, or NULL for the defaults. Its members:
/// - "threads": the number of threads that one call may use, 1 to 64. It never changes a result.
///   Default: the number of cores, at most 8.
/// - "deny": array of gitignore lines, matched from the root. Matching paths are never opened, listed
///   or named.
/// - "deny_secrets": true to also deny files that may contain credentials; lines of "deny" with "!"
///   allow names again. Default: false.
/// - "require_git": true to honour ignore files only inside a git repository. Default: false.
/// - "encodings": array of labels of the encodings that texts without a byte order mark may have, such as
///   "utf-8", "shift_jis" or "windows-1252", at most 16. A text has the first in which it contains no
///   errors. Default: none; every text is UTF-8.
/// - "git_dir_outside_root": true to allow changed files to be read from git directories outside the
///   root. Default: false.
/// - "output_dir": an existing directory that tools may write result files into, absolute or relative
///   to the root. Default: none; nothing is ever written.
/// - "reply_bytes_max": the maximum size of a reply, 65,536 to 67,108,864 bytes. A larger one fails
///   with `SEARCHSCOPE_RESULT_TOO_LARGE`; "search" and "find" end the page before that. Default: the
///   limit of each tool.
/// - "docs_root": the directory with the Markdown documents, absolute or relative to the root.
///   Default: the root.
/// - "excludes": array of gitignore lines, matched from "docs_root" without regard to case. Matching
///   files are not documents.
/// - "doc_suffixes": array of file name suffixes of documents, such as ".rst", at most 16. Default:
///   ".md".
/// - "args_bytes_max": the maximum size of the arguments of a call, 1,024 to 67,108,864 bytes. Default:
///   4 MiB.
/// - "front_matter_hyphens_min": the minimum number of hyphens in the lines around the front matter of
///   a document, 3 or 4. Default: 3.
/// - "index": "off", or "auto" for an in-memory index of the tree, which makes repeated searches faster
///   and never changes a reply. Leave it off where other processes write through shared memory
///   mappings. Default: "off".
/// - "memory_bytes_max": the memory limit of the index, 1,048,576 to 68,719,476,736 bytes.
///   Default: 256 MiB.
///
/// `out_workspace` receives a workspace that is yours; free it with `searchscope_workspace_free`.
///
/// Statuses: `SEARCHSCOPE_NOT_FOUND` if `root` does not exist; `SEARCHSCOPE_INVALID_PARAM` if it is
/// not a directory or an option is wrong; `SEARCHSCOPE_IO`; those from 101 on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_workspace_open(
    root: *const c_char,
    options_json: *const c_char,
    out_workspace: *mut *mut WorkspaceHandle,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        // SAFETY: the header requires NULL or a NUL-terminated string, unchanged during the call.
        let root = unsafe { boundary::text(root, "root") }?;
        // SAFETY: the header requires NULL or a place where a pointer can be written.
        let out = unsafe { Out::new(out_workspace, "out_workspace") }?;
        let options = if options_json.is_null() {
            ""
        } else {
            // SAFETY: as for `root`.
            unsafe { boundary::text(options_json, "options_json") }?
        };
        let workspace = tools::open_workspace(Path::new(root), options.as_bytes())?;
        out.write(handle::give(workspace));
        Ok(None)
    })
}

/// Creates a workspace with unsaved texts laid over another one: its tools reply as if the texts had been
/// written to their files. Nothing is written. Any number of threads at a time.
///
/// `overlay_json` is a JSON object as text, at most 64 MiB: its names are paths, absolute or relative to the
/// root, and its values are the text of the file, or null for a removed file. The texts replace the overlay
/// of `workspace`; the two share options, index and grammars, and either may be freed first.
/// `out_workspace` receives the workspace; it is yours, free it with `searchscope_workspace_free`.
///
/// Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_INVALID_PARAM`, `SEARCHSCOPE_ACCESS_DENIED` for a path that
/// leaves the root or is denied, `SEARCHSCOPE_IO`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`,
/// `SEARCHSCOPE_PANIC`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_workspace_with_overlay(
    workspace: *const WorkspaceHandle,
    overlay_json: *const c_char,
    out_workspace: *mut *mut WorkspaceHandle,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        let workspace = handle::look_up(workspace, "workspace")?;
        // SAFETY: the header requires NULL or a NUL-terminated string, unchanged during the call.
        let overlay = unsafe { boundary::text(overlay_json, "overlay_json") }?;
        // SAFETY: the header requires NULL or a place where a pointer can be written.
        let out = unsafe { Out::new(out_workspace, "out_workspace") }?;
        out.write(handle::give(tools::with_overlay(&workspace, overlay.as_bytes())?));
        Ok(None)
    })
}

/// Frees a workspace. Any thread; calls that are still running in other threads end normally.
///
/// Statuses: `SEARCHSCOPE_OK`, also for NULL; `SEARCHSCOPE_BAD_HANDLE`, which frees nothing.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_workspace_free(workspace: *mut WorkspaceHandle) -> Status {
    boundary!(otherwise |fault| fault.status(); {
        handle::take_back(workspace, "workspace").map(|()| SEARCHSCOPE_OK)
    })
}

/// Creates a cancel token that is not triggered. Any thread. It is yours; free it with
/// `searchscope_cancel_free`. Returns NULL only where other functions return `SEARCHSCOPE_PANIC`.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_cancel_new() -> *mut CancelHandle {
    boundary!(otherwise |_| null_mut(); { Ok(handle::give(CancelToken::new())) })
}

/// Cancels every current and future call with this token: each soon returns `SEARCHSCOPE_CANCELLED`.
/// Any thread, any number of times. Takes a lock: do not call it from a signal handler.
///
/// Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_cancel_trigger(cancel: *const CancelHandle) -> Status {
    boundary!(otherwise |fault| fault.status(); {
        handle::look_up(cancel, "cancel")?.cancel();
        Ok(SEARCHSCOPE_OK)
    })
}

/// Frees a cancel token. Any thread; calls that use it continue and can no longer be cancelled.
///
/// Statuses: as `searchscope_workspace_free`.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_cancel_free(cancel: *mut CancelHandle) -> Status {
    boundary!(otherwise |fault| fault.status(); {
        handle::take_back(cancel, "cancel").map(|()| SEARCHSCOPE_OK)
    })
}

/// Calls the tool named `tool`. Any number of threads at a time.
///
/// `searchscope_tools` lists the arguments and the reply of each tool. The report has the JSON reply. Equal
/// calls on equal files return equal bytes, except for durations.
///
/// Statuses: all. `SEARCHSCOPE_INVALID_PARAM` for an unknown tool or bad arguments;
/// `SEARCHSCOPE_UNSUPPORTED` also for a request of a header that is newer than the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_call(
    workspace: *const WorkspaceHandle,
    tool: *const c_char,
    request: *const Request,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        let workspace = handle::look_up(workspace, "workspace")?;
        // SAFETY: the header requires NULL or a NUL-terminated string, unchanged during the call.
        let tool = unsafe { boundary::text(tool, "tool") }?;
        // SAFETY: the header requires NULL or an initialized request, unchanged during the call.
        let Arguments { args, call } = unsafe { boundary::request(request) }?;
        Ok(Some(workspace.call(tool, args, &call)?))
    })
}

/// Calls a tool as `searchscope_call` does, but returns plain text for agents and people instead of
/// JSON. Any number of threads at a time.
///
/// The text is UTF-8. The first bytes of a line determine its kind: a number after `>`, a blank or `-`
/// begins a row (a definition, a matching line, a line near one); "# " begins a remark; "[" begins the
/// last line, with totals, completeness and the cursor; any other line is the path of a file. No file
/// can imitate another kind of line. A reply that is an error in the shape of its tool begins with
/// "# error:".
///
/// Statuses: all, as `searchscope_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_call_text(
    workspace: *const WorkspaceHandle,
    tool: *const c_char,
    request: *const Request,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        let workspace = handle::look_up(workspace, "workspace")?;
        // SAFETY: the header requires NULL or a NUL-terminated string, unchanged during the call.
        let tool = unsafe { boundary::text(tool, "tool") }?;
        // SAFETY: the header requires NULL or an initialized request, unchanged during the call.
        let Arguments { args, call } = unsafe { boundary::request(request) }?;
        Ok(Some(workspace.call_text(tool, args, &call)?.into_bytes()))
    })
}

/// Calls the tool "search" and delivers each result as soon as it is found, in the order of the tool's
/// reply. Any number of threads at a time.
///
/// The arguments are those of the tool, but "matches_max", "output_bytes_max" and "deadline_ms" bound a
/// stream only if they are given. `on_match` is called on this thread with `user_data` and one result at a
/// time; the search continues when it returns, and memory does not grow with the number of results. See
/// CALLBACKS above.
///
/// The report has the tool's reply without "matches" and "files": why the search stopped, its warnings, and
/// a cursor if there is more, as JSON. A search that `on_match` stopped returns `SEARCHSCOPE_OK`; its report
/// says "limit" and has a cursor for the next result.
///
/// Statuses: all. If a search fails midway, the results delivered before remain correct: they are the
/// beginning of the complete list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_search_each(
    workspace: *const WorkspaceHandle,
    request: *const Request,
    on_match: OnMatch,
    user_data: *mut c_void,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        let workspace = handle::look_up(workspace, "workspace")?;
        // SAFETY: the header requires NULL or an initialized request, unchanged during the call.
        let Arguments { args, call } = unsafe { boundary::request(request) }?;
        // SAFETY: the header requires NULL or a function that keeps the rules in CALLBACKS.
        let callback = unsafe { Callback::new(on_match, user_data, "on_match") }?;
        let mut buffers = Buffers::default();
        let report = tools::search_each(&workspace, args, &call, &mut |result| {
            test_hooks::before_result();
            callback.take(&buffers.of_match(result))
        })?;
        Ok(Some(report.bytes))
    })
}

/// Calls the tool "find" and delivers each file to `on_file`; otherwise as `searchscope_search_each`,
/// with "files_max" for "matches_max".
///
/// An "order" other than "path" is known only after the whole walk: the first file is then delivered
/// late, and all files are kept in memory.
///
/// Statuses: all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_find_each(
    workspace: *const WorkspaceHandle,
    request: *const Request,
    on_file: OnFile,
    user_data: *mut c_void,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        let workspace = handle::look_up(workspace, "workspace")?;
        // SAFETY: the header requires NULL or an initialized request, unchanged during the call.
        let Arguments { args, call } = unsafe { boundary::request(request) }?;
        // SAFETY: the header requires NULL or a function that keeps the rules in CALLBACKS.
        let callback = unsafe { Callback::new(on_file, user_data, "on_file") }?;
        let mut buffers = Buffers::default();
        let report = tools::find_each(&workspace, args, &call, &mut |file| {
            test_hooks::before_result();
            callback.take(&buffers.of_file(file))
        })?;
        Ok(Some(report.bytes))
    })
}

/// Lists the tools as a JSON array of objects: "name", "description", "inputSchema", "listSchema",
/// "outputSchema" (all three JSON Schema). "listSchema" is a shorter form of "inputSchema", for tool
/// lists that agents read. Any thread; no workspace is needed.
///
/// Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_PANIC`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_tools(out_report: *mut *mut ReportHandle) -> Status {
    boundary!(report to out_report; { Ok(Some(tools::tools_json())) })
}

/// Builds the index of a workspace that was opened with "index": "auto", and returns when it is built;
/// without an index it does nothing. Any number of threads at a time.
///
/// `cancel` may be NULL. The report has the state of the index, as `searchscope_index_status` reports it.
///
/// Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_CANCELLED`, `SEARCHSCOPE_NULL_ARGUMENT`,
/// `SEARCHSCOPE_BAD_HANDLE`, `SEARCHSCOPE_IO`, `SEARCHSCOPE_INTERNAL`, `SEARCHSCOPE_PANIC`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_warm(
    workspace: *const WorkspaceHandle,
    cancel: *const CancelHandle,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        let workspace = handle::look_up(workspace, "workspace")?;
        Ok(Some(workspace.warm_json(&handle::call(cancel)?)?))
    })
}

/// Reports the state of the index of a workspace as a JSON object: "state" ("off", "cold", "building"
/// or "ready"), the numbers "directories", "files", "memory_bytes", "left_out" (directories whose
/// contents did not fit) and "waiting" (directories whose contents are still to be read), and
/// "not_watched": null, or the reason why every call checks the tree for changes itself. Any number of
/// threads at a time.
///
/// Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`,
/// `SEARCHSCOPE_PANIC`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn searchscope_index_status(
    workspace: *const WorkspaceHandle,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        let workspace = handle::look_up(workspace, "workspace")?;
        Ok(Some(workspace.index_status_json()))
    })
}

/// Returns the status that the function returned. Any thread. `SEARCHSCOPE_NULL_ARGUMENT` for NULL,
/// `SEARCHSCOPE_BAD_HANDLE` for a bad handle.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_report_status(report: *const ReportHandle) -> Status {
    boundary!(otherwise |fault| fault.status(); { Ok(handle::look_up(report, "report")?.status) })
}

/// Returns the name of the status, such as "ok" or "not_found"; it is the same in every language API of
/// searchscope. Any thread. It belongs to the report. Never NULL: NULL and bad handles have the static
/// names of their own statuses.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_report_code(report: *const ReportHandle) -> *const c_char {
    boundary!(otherwise |fault| fault.without_report().0.as_ptr(); {
        Ok(handle::look_up(report, "report")?.code.as_ptr())
    })
}

/// Returns the reason for a failure as a message for people, in UTF-8; the empty text after a success. Its
/// wording may change. Any thread. It belongs to the report. Never NULL: NULL and bad handles have static
/// messages.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_report_message(report: *const ReportHandle) -> *const c_char {
    boundary!(otherwise |fault| fault.without_report().1.as_ptr(); {
        Ok(handle::look_up(report, "report")?.message.as_ptr())
    })
}

/// Returns a pointer to the first byte of the reply; after a failure, of the whole error as a JSON object:
/// "code", "message", and where known "param", "path", "span" ({"start", "end"}, in bytes of the parameter's
/// text) and "near" (existing paths similar to a missing one, best first). Any thread. The bytes belong to
/// the report and do not move until it is freed; one NUL follows them. NULL for NULL and for a bad handle.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_report_bytes(report: *const ReportHandle) -> *const c_char {
    boundary!(otherwise |_| null(); { Ok(handle::look_up(report, "report")?.as_ptr()) })
}

/// Returns the number of those bytes, without the final NUL. Any thread. 0 for NULL and for a bad handle.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_report_len(report: *const ReportHandle) -> usize {
    boundary!(otherwise |_| 0; { Ok(handle::look_up(report, "report")?.len()) })
}

/// Frees a report and its texts. Any thread, but not while another thread still reads the texts.
///
/// Statuses: as `searchscope_workspace_free`.
#[unsafe(no_mangle)]
pub extern "C" fn searchscope_report_free(report: *mut ReportHandle) -> Status {
    boundary!(otherwise |fault| fault.status(); {
        handle::take_back(report, "report").map(|()| SEARCHSCOPE_OK)
    })
}
