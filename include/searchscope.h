/*
 * searchscope - search text, files and documents beneath one directory, from C.
 *
 * The library is an embedded engine: it starts no process, opens no connection, keeps no files,
 * reads no environment variable and prints nothing. You open a workspace (one root directory) and
 * call tools by name: a request with JSON arguments in, a report with a JSON reply out. New tools
 * add no symbols. The results of two tools, "search" and "find", can also be streamed as structs.
 *
 * This manual has the chapters EXAMPLE, EXAMPLE OF A STREAM, CONVENTIONS, REPORTS AND STATUSES,
 * OWNERSHIP, STRUCTS, CALLBACKS, THREADS and VERSIONS. The declarations follow, in the order in
 * which a program needs them. Rules that apply to every function are stated only here. The header is
 * C89 except for the types of <stdint.h>, and compiles as C++.
 *
 * EXAMPLE
 *
 *     #include <stdio.h>
 *     #include "searchscope.h"
 *
 *     int main(int argc, char **argv)
 *     {
 *         const char *root = argc > 1 ? argv[1] : ".";
 *         searchscope_request request = SEARCHSCOPE_REQUEST("{\"query\": \"needle\"}");
 *         searchscope_workspace *workspace = NULL;
 *         searchscope_report *report = NULL;
 *         searchscope_status status;
 *
 *         status = searchscope_workspace_open(root, NULL, &workspace, &report);
 *         if (status == SEARCHSCOPE_OK)
 *             status = searchscope_call(workspace, "search_in_files", &request, &report);
 *         if (status == SEARCHSCOPE_OK)
 *             printf("%s\n", searchscope_report_bytes(report));
 *         else
 *             fprintf(stderr, "%s: %s\n", searchscope_report_code(report),
 *                     searchscope_report_message(report));
 *
 *         searchscope_report_free(report);
 *         searchscope_workspace_free(workspace);
 *         return status;
 *     }
 *
 * EXAMPLE OF A STREAM
 *
 * Prints the first 1,000 lines that contain "needle", and gives up after a few seconds. The timer
 * may fire after the token was freed: the trigger then returns SEARCHSCOPE_BAD_HANDLE and does
 * nothing.
 *
 *     #include <pthread.h>
 *     #include <stdio.h>
 *     #include <stdlib.h>
 *     #include <unistd.h>
 *     #include "searchscope.h"
 *
 *     struct timer {
 *         unsigned seconds;
 *         searchscope_cancel *cancel;
 *     };
 *
 *     static void *wait_and_cancel(void *user_data)
 *     {
 *         struct timer timer = *(struct timer *)user_data;
 *
 *         sleep(timer.seconds);
 *         searchscope_cancel_trigger(timer.cancel);
 *         return NULL;
 *     }
 *
 *     static int print_match(void *user_data, const searchscope_match *match)
 *     {
 *         int *left = user_data;
 *
 *         printf("%s:%lu:", match->path.bytes, (unsigned long)match->line);
 *         fwrite(match->text.bytes, 1, match->text.len, stdout);
 *         putchar('\n');
 *         return --*left > 0 ? SEARCHSCOPE_CONTINUE : SEARCHSCOPE_STOP;
 *     }
 *
 *     int main(int argc, char **argv)
 *     {
 *         const char *root = argc > 1 ? argv[1] : ".";
 *         searchscope_request request = SEARCHSCOPE_REQUEST("{\"patterns\": [\"needle\"]}");
 *         searchscope_workspace *workspace = NULL;
 *         searchscope_report *report = NULL;
 *         searchscope_status status;
 *         struct timer timer;
 *         pthread_t thread;
 *         int left = 1000;
 *
 *         timer.seconds = argc > 2 ? (unsigned)atoi(argv[2]) : 10;
 *         timer.cancel = searchscope_cancel_new();
 *         if (timer.cancel == NULL ||
 *             pthread_create(&thread, NULL, wait_and_cancel, &timer) != 0) {
 *             fprintf(stderr, "not enough memory or threads\n");
 *             return 1;
 *         }
 *         request.cancel = timer.cancel;
 *         status = searchscope_workspace_open(root, NULL, &workspace, &report);
 *         if (status == SEARCHSCOPE_OK)
 *             status = searchscope_search_each(workspace, &request, print_match, &left, &report);
 *         if (status != SEARCHSCOPE_OK)
 *             fprintf(stderr, "%s: %s\n", searchscope_report_code(report),
 *                     searchscope_report_message(report));
 *
 *         searchscope_report_free(report);
 *         searchscope_workspace_free(workspace);
 *         searchscope_cancel_free(timer.cancel);
 *         return status;
 *     }
 *
 * CONVENTIONS
 *
 * Functions that can fail return a searchscope_status; SEARCHSCOPE_OK is 0. Text that you pass ends
 * in NUL and must be UTF-8; the library checks this. Only the arguments of a request may have a
 * length instead: set args_len, and NULL with length 0 is the empty text. Any other NULL is
 * SEARCHSCOPE_NULL_ARGUMENT, unless the function documents a meaning for it. Paths use "/". The root
 * may be absolute or relative to the current directory; every other path is relative to the root.
 *
 * Returned JSON is always UTF-8: bytes of a file or of its name that are not valid UTF-8 become
 * U+FFFD. Structs contain the original bytes.
 *
 * REPORTS AND STATUSES
 *
 * A report has the outcome of a function: its status, and the reply or the reason for the failure.
 * out_report may be NULL. Otherwise a function that fails writes a report, and a function that
 * succeeds writes one if it has a reply: searchscope_workspace_open and _with_overlay have none. No
 * function frees the old value, so free a report before you pass its variable again. out_workspace
 * is written only on success.
 *
 * Compare statuses by name. A number never changes its meaning, but new ones may be added: treat an
 * unknown status as SEARCHSCOPE_INTERNAL. The enum has the size of int on every supported platform,
 * so bindings may declare it as int. A search that reached a limit or its deadline has not failed:
 * its reply reports the limit, and its warnings name the files that could not be read. A panic in
 * the library's Rust code never unwinds into yours: it becomes SEARCHSCOPE_PANIC, and every handle
 * stays usable.
 *
 * OWNERSHIP
 *
 * You own every object that a _new or an out-parameter returns: free it exactly once with the _free
 * of its type, which accepts NULL. Pointers that an accessor returns belong to its object and live
 * as long as the object. Arguments are borrowed until the function returns, a request with all that
 * it points to.
 *
 * Objects are independent: a workspace may be freed before its reports. Never pass anything from
 * this library to free(). A handle is not an address: never dereference it. A handle that was freed,
 * or that is not of the expected type, is detected and yields SEARCHSCOPE_BAD_HANDLE.
 *
 * STRUCTS
 *
 * You fill one struct, searchscope_request. SEARCHSCOPE_REQUEST initializes it; a language without
 * macros sets every field, struct_size to the size of the struct. Fields that a later library adds
 * at its end have defaults for programs that lack them; a struct_size above the library's is
 * SEARCHSCOPE_UNSUPPORTED.
 *
 * All other structs are created by the library for a callback. Such a struct and everything that it
 * points to is borrowed until the callback returns: copy what you keep. Result structs begin with
 * struct_size and may gain fields at their end. A program that was built with a newer header than
 * its library may read such a field only if struct_size covers it; the fields of ABI version 1.0 are
 * always present. searchscope_text and searchscope_span are elements of arrays and never grow.
 *
 * CALLBACKS
 *
 * A callback runs on the calling thread, once per result and never concurrently. The search
 * continues if it returns SEARCHSCOPE_CONTINUE and stops on any other number. It may run for as long
 * as it needs, but deadlines and cancellation take effect only after it has returned. It may call
 * every function of this library, even with the workspace and the token of its own call, and may
 * free both: a call keeps a reference to the objects that it uses. It must return: no longjmp(), no
 * C++ exception, no termination of the thread. user_data is passed through unread and may be NULL.
 *
 * THREADS
 *
 * Every function may be called from any thread. Any number of threads may use one object at the same
 * time through a const pointer. Free an object only when no thread still reads memory that its
 * accessors returned. The library keeps no state per thread, so successive calls may come from
 * different threads. A thread needs 32 KiB of stack to call any function: a call that may need more
 * switches to a stack of its own, on the same thread, and so do its callbacks. A callback has at
 * least 256 KiB of stack. In a child of fork(), call no function of this library before exec(). A
 * loaded library stays loaded: dlclose() does not unmap it.
 *
 * VERSIONS
 *
 * Within one SEARCHSCOPE_ABI_MAJOR, functions, numbers and fields at the end of structs are added
 * but never changed or removed; each addition raises SEARCHSCOPE_ABI_MINOR. A program runs with any
 * library for which searchscope_abi_version() / 1000 == SEARCHSCOPE_ABI_MAJOR and
 * searchscope_abi_version() >= SEARCHSCOPE_ABI_VERSION. The soname of the shared library contains
 * the major, so libraries of two majors can be installed side by side. Tools and their JSON are
 * versioned separately: see searchscope_tools.
 */

#ifndef SEARCHSCOPE_H
#define SEARCHSCOPE_H

/* Generated from ffi/src, ffi/prologue.h and ffi/macros.h: change those. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* THE VERSION ------------------------------------------------------------------------------- */

/**
 * Incremented when a declaration is changed or removed; old programs must then be rebuilt.
 */
#define SEARCHSCOPE_ABI_MAJOR 1

/**
 * Incremented when a declaration is added; old programs keep working.
 */
#define SEARCHSCOPE_ABI_MINOR 0

/**
 * The ABI version that this header describes, as one comparable number.
 */
#define SEARCHSCOPE_ABI_VERSION ((SEARCHSCOPE_ABI_MAJOR * 1000) + SEARCHSCOPE_ABI_MINOR)

/**
 * Returns the `SEARCHSCOPE_ABI_VERSION` of the loaded library. Any thread. The library is compatible
 * with this header if the number is at least the macro and has the same major.
 */
uint32_t searchscope_abi_version(void);

/**
 * Returns the version of the library as text, such as "0.1.0". Any thread. Static: never freed.
 */
const char *searchscope_version(void);

/* STATUSES ---------------------------------------------------------------------------------- */

/**
 * The outcome of a function. Reports name a status in lower case and without the prefix. The type has the
 * size of int, and a program may receive a status that its header lacks.
 */
typedef enum searchscope_status {
    /**
     * The function succeeded.
     */
    SEARCHSCOPE_OK = 0,
    /**
     * An argument is missing, unknown, of the wrong type or out of range.
     */
    SEARCHSCOPE_INVALID_PARAM = 1,
    /**
     * A regex, glob or scope pattern does not parse or is too large; the report carries the span.
     */
    SEARCHSCOPE_PATTERN_SYNTAX = 2,
    /**
     * A named path does not exist.
     */
    SEARCHSCOPE_NOT_FOUND = 3,
    /**
     * A path is outside the root, or the workspace denies it.
     */
    SEARCHSCOPE_ACCESS_DENIED = 4,
    /**
     * The deadline passed and the tool has no way to return a partial result.
     */
    SEARCHSCOPE_TIMEOUT = 5,
    /**
     * The caller cancelled the call.
     */
    SEARCHSCOPE_CANCELLED = 6,
    /**
     * The reply would exceed its maximum size; narrow the request.
     */
    SEARCHSCOPE_RESULT_TOO_LARGE = 7,
    /**
     * The operating system refused or failed an operation on the named path.
     */
    SEARCHSCOPE_IO = 8,
    /**
     * The request is valid but not possible on this system or in this build.
     */
    SEARCHSCOPE_UNSUPPORTED = 9,
    /**
     * A defect of this library; the call failed, the workspace stays usable.
     */
    SEARCHSCOPE_INTERNAL = 10,
    /**
     * A pointer that must not be NULL is NULL. (Statuses from 101 on are faults of the C call itself.)
     */
    SEARCHSCOPE_NULL_ARGUMENT = 101,
    /**
     * A text is not UTF-8.
     */
    SEARCHSCOPE_INVALID_UTF8 = 102,
    /**
     * A handle was freed before, is of another type, or never came from this library.
     */
    SEARCHSCOPE_BAD_HANDLE = 103,
    /**
     * A defect of this library: a Rust panic ended the call; every handle stays usable.
     */
    SEARCHSCOPE_PANIC = 104,
    /**
     * Never returned: makes the type as large as int with every compiler.
     */
    SEARCHSCOPE_STATUS_MAX = 2147483647
} searchscope_status;

/* REPORTS ----------------------------------------------------------------------------------- */

/**
 * A status with the reply, or with the reason for the failure. Created through `out_report`, freed by
 * `searchscope_report_free`. It outlives its workspace.
 */
typedef struct searchscope_report searchscope_report;

/**
 * Returns the status that the function returned. Any thread. `SEARCHSCOPE_NULL_ARGUMENT` for NULL,
 * `SEARCHSCOPE_BAD_HANDLE` for a bad handle.
 */
searchscope_status searchscope_report_status(const searchscope_report *report);

/**
 * Returns the name of the status, such as "ok" or "not_found"; it is the same in every language API of
 * searchscope. Any thread. It belongs to the report. Never NULL: NULL and bad handles have the static
 * names of their own statuses.
 */
const char *searchscope_report_code(const searchscope_report *report);

/**
 * Returns the reason for a failure as a message for people, in UTF-8; the empty text after a success. Its
 * wording may change. Any thread. It belongs to the report. Never NULL: NULL and bad handles have static
 * messages.
 */
const char *searchscope_report_message(const searchscope_report *report);

/**
 * Returns a pointer to the first byte of the reply; after a failure, of the whole error as a JSON object:
 * "code", "message", and where known "param", "path", "span" ({"start", "end"}, in bytes of the parameter's
 * text) and "near" (existing paths similar to a missing one, best first). Any thread. The bytes belong to
 * the report and do not move until it is freed; one NUL follows them. NULL for NULL and for a bad handle.
 */
const char *searchscope_report_bytes(const searchscope_report *report);

/**
 * Returns the number of those bytes, without the final NUL. Any thread. 0 for NULL and for a bad handle.
 */
size_t searchscope_report_len(const searchscope_report *report);

/**
 * Frees a report and its texts. Any thread, but not while another thread still reads the texts.
 *
 * Statuses: as `searchscope_workspace_free`.
 */
searchscope_status searchscope_report_free(searchscope_report *report);

/* WORKSPACES -------------------------------------------------------------------------------- */

/**
 * An opened root directory with its options. Created by `searchscope_workspace_open`, freed by
 * `searchscope_workspace_free`. Any number of threads may use the same workspace at the same time.
 */
typedef struct searchscope_workspace searchscope_workspace;

/**
 * Opens the directory `root`. Any thread.
 *
 * `options_json` is a JSON object as text, or NULL for the defaults. Its members:
 * - "threads": the number of threads that one call may use, 1 to 64. It never changes a result.
 *   Default: the number of cores, at most 8.
 * - "deny": array of gitignore lines, matched from the root. Matching paths are never opened, listed
 *   or named.
 * - "deny_secrets": true to also deny files that may contain credentials; lines of "deny" with "!"
 *   allow names again. Default: false.
 * - "require_git": true to honour ignore files only inside a git repository. Default: false.
 * - "encodings": array of labels of the encodings that texts without a byte order mark may have, such as
 *   "utf-8", "shift_jis" or "windows-1252", at most 16. A text has the first in which it contains no
 *   errors. Default: none; every text is UTF-8.
 * - "git_dir_outside_root": true to allow changed files to be read from git directories outside the
 *   root. Default: false.
 * - "output_dir": an existing directory that tools may write result files into, absolute or relative
 *   to the root. Default: none; nothing is ever written.
 * - "reply_bytes_max": the maximum size of a reply, 65,536 to 67,108,864 bytes. A larger one fails
 *   with `SEARCHSCOPE_RESULT_TOO_LARGE`; "search" and "find" end the page before that. Default: the
 *   limit of each tool.
 * - "docs_root": the directory with the Markdown documents, absolute or relative to the root.
 *   Default: the root.
 * - "excludes": array of gitignore lines, matched from "docs_root" without regard to case. Matching
 *   files are not documents.
 * - "doc_suffixes": array of file name suffixes of documents, such as ".rst", at most 16. Default:
 *   ".md".
 * - "args_bytes_max": the maximum size of the arguments of a call, 1,024 to 67,108,864 bytes. Default:
 *   4 MiB.
 * - "front_matter_hyphens_min": the minimum number of hyphens in the lines around the front matter of
 *   a document, 3 or 4. Default: 3.
 * - "index": "off", or "auto" for an in-memory index of the tree, which makes repeated searches faster
 *   and never changes a reply. Leave it off where other processes write through shared memory
 *   mappings. Default: "off".
 * - "memory_bytes_max": the memory limit of the index, 1,048,576 to 68,719,476,736 bytes.
 *   Default: 256 MiB.
 *
 * `out_workspace` receives a workspace that is yours; free it with `searchscope_workspace_free`.
 *
 * Statuses: `SEARCHSCOPE_NOT_FOUND` if `root` does not exist; `SEARCHSCOPE_INVALID_PARAM` if it is
 * not a directory or an option is wrong; `SEARCHSCOPE_IO`; those from 101 on.
 */
searchscope_status searchscope_workspace_open(const char *root,
                                              const char *options_json,
                                              searchscope_workspace **out_workspace,
                                              searchscope_report **out_report);

/**
 * Creates a workspace with unsaved texts laid over another one: its tools reply as if the texts had been
 * written to their files. Nothing is written. Any number of threads at a time.
 *
 * `overlay_json` is a JSON object as text, at most 64 MiB: its names are paths, absolute or relative to the
 * root, and its values are the text of the file, or null for a removed file. The texts replace the overlay
 * of `workspace`; the two share options, index and grammars, and either may be freed first.
 * `out_workspace` receives the workspace; it is yours, free it with `searchscope_workspace_free`.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_INVALID_PARAM`, `SEARCHSCOPE_ACCESS_DENIED` for a path that
 * leaves the root or is denied, `SEARCHSCOPE_IO`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`,
 * `SEARCHSCOPE_PANIC`.
 */
searchscope_status searchscope_workspace_with_overlay(const searchscope_workspace *workspace,
                                                      const char *overlay_json,
                                                      searchscope_workspace **out_workspace,
                                                      searchscope_report **out_report);

/**
 * Frees a workspace. Any thread; calls that are still running in other threads end normally.
 *
 * Statuses: `SEARCHSCOPE_OK`, also for NULL; `SEARCHSCOPE_BAD_HANDLE`, which frees nothing.
 */
searchscope_status searchscope_workspace_free(searchscope_workspace *workspace);

/* CANCELLING FROM ANY THREAD ---------------------------------------------------------------- */

/**
 * A token that ends the calls it was passed to. Created by `searchscope_cancel_new`, freed by
 * `searchscope_cancel_free`. Any thread may trigger it at any time; it stays triggered. One token may
 * be passed to several calls.
 */
typedef struct searchscope_cancel searchscope_cancel;

/**
 * Creates a cancel token that is not triggered. Any thread. It is yours; free it with
 * `searchscope_cancel_free`. Returns NULL only where other functions return `SEARCHSCOPE_PANIC`.
 */
searchscope_cancel *searchscope_cancel_new(void);

/**
 * Cancels every current and future call with this token: each soon returns `SEARCHSCOPE_CANCELLED`.
 * Any thread, any number of times. Takes a lock: do not call it from a signal handler.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`.
 */
searchscope_status searchscope_cancel_trigger(const searchscope_cancel *cancel);

/**
 * Frees a cancel token. Any thread; calls that use it continue and can no longer be cancelled.
 *
 * Statuses: as `searchscope_workspace_free`.
 */
searchscope_status searchscope_cancel_free(searchscope_cancel *cancel);

/* TOOLS ------------------------------------------------------------------------------------- */

/**
 * Lists the tools as a JSON array of objects: "name", "description", "inputSchema", "listSchema",
 * "outputSchema" (all three JSON Schema). "listSchema" is a shorter form of "inputSchema", for tool
 * lists that agents read. Any thread; no workspace is needed.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_PANIC`.
 */
searchscope_status searchscope_tools(searchscope_report **out_report);

/**
 * The `args_len` of a `searchscope_request` whose `args` end in NUL.
 */
#define SEARCHSCOPE_NUL_TERMINATED ((size_t)-1)

/**
 * The arguments of a call. `SEARCHSCOPE_REQUEST` initializes it; it is borrowed until the function
 * returns, and may be used again.
 */
typedef struct searchscope_request {
    /**
     * The size of this struct in the program that fills it.
     */
    size_t struct_size;
    /**
     * One JSON object with the arguments of the tool.
     */
    const char *args;
    /**
     * The number of bytes of `args`, or `SEARCHSCOPE_NUL_TERMINATED`.
     */
    size_t args_len;
    /**
     * A token that ends the call, or NULL. The token is the caller's.
     */
    const searchscope_cancel *cancel;
} searchscope_request;

/**
 * Initializes a `searchscope_request` with a text that ends in NUL, and without a cancel token:
 * `searchscope_request request = SEARCHSCOPE_REQUEST("{\"patterns\": [\"TODO\"]}");`
 */
#define SEARCHSCOPE_REQUEST(args)                                                        \
    {sizeof(searchscope_request), (args), SEARCHSCOPE_NUL_TERMINATED, NULL}

/**
 * Calls the tool named `tool`. Any number of threads at a time.
 *
 * `searchscope_tools` lists the arguments and the reply of each tool. The report has the JSON reply. Equal
 * calls on equal files return equal bytes, except for durations.
 *
 * Statuses: all. `SEARCHSCOPE_INVALID_PARAM` for an unknown tool or bad arguments;
 * `SEARCHSCOPE_UNSUPPORTED` also for a request of a header that is newer than the library.
 */
searchscope_status searchscope_call(const searchscope_workspace *workspace,
                                    const char *tool,
                                    const searchscope_request *request,
                                    searchscope_report **out_report);

/**
 * Calls a tool as `searchscope_call` does, but returns plain text for agents and people instead of
 * JSON. Any number of threads at a time.
 *
 * The text is UTF-8. The first bytes of a line determine its kind: a number after `>`, a blank or `-`
 * begins a row (a definition, a matching line, a line near one); "# " begins a remark; "[" begins the
 * last line, with totals, completeness and the cursor; any other line is the path of a file. No file
 * can imitate another kind of line. A reply that is an error in the shape of its tool begins with
 * "# error:".
 *
 * Statuses: all, as `searchscope_call`.
 */
searchscope_status searchscope_call_text(const searchscope_workspace *workspace,
                                         const char *tool,
                                         const searchscope_request *request,
                                         searchscope_report **out_report);

/* THE INDEX --------------------------------------------------------------------------------- */

/**
 * Builds the index of a workspace that was opened with "index": "auto", and returns when it is built;
 * without an index it does nothing. Any number of threads at a time.
 *
 * `cancel` may be NULL. The report has the state of the index, as `searchscope_index_status` reports it.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_CANCELLED`, `SEARCHSCOPE_NULL_ARGUMENT`,
 * `SEARCHSCOPE_BAD_HANDLE`, `SEARCHSCOPE_IO`, `SEARCHSCOPE_INTERNAL`, `SEARCHSCOPE_PANIC`.
 */
searchscope_status searchscope_warm(const searchscope_workspace *workspace,
                                    const searchscope_cancel *cancel,
                                    searchscope_report **out_report);

/**
 * Reports the state of the index of a workspace as a JSON object: "state" ("off", "cold", "building"
 * or "ready"), the numbers "directories", "files", "memory_bytes", "left_out" (directories whose
 * contents did not fit) and "waiting" (directories whose contents are still to be read), and
 * "not_watched": null, or the reason why every call checks the tree for changes itself. Any number of
 * threads at a time.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`,
 * `SEARCHSCOPE_PANIC`.
 */
searchscope_status searchscope_index_status(const searchscope_workspace *workspace,
                                            searchscope_report **out_report);

/* STREAMS ----------------------------------------------------------------------------------- */

/**
 * Returned by a callback to get the next result.
 */
#define SEARCHSCOPE_CONTINUE 0

/**
 * Returned by a callback to end the search, as does every number but `SEARCHSCOPE_CONTINUE`.
 */
#define SEARCHSCOPE_STOP 1

/**
 * A borrowed byte string. A NUL follows the bytes only where documented; `bytes` is NULL only where
 * documented. This struct never grows.
 */
typedef struct searchscope_text {
    /**
     * The first byte.
     */
    const char *bytes;
    /**
     * The number of bytes.
     */
    size_t len;
} searchscope_text;

/**
 * The byte range of one match in a line. This struct never grows.
 */
typedef struct searchscope_span {
    /**
     * The first byte, counted from the start of the line.
     */
    size_t start;
    /**
     * The byte after the last; equal to `start` for an empty match.
     */
    size_t end;
    /**
     * The index in "patterns" of the pattern that matches here.
     */
    size_t pattern;
} searchscope_span;

/**
 * A result of `searchscope_search_each`: with mode "content" a matching line, or with multiline the
 * lines that a match covers; with the modes "files" and "count" a file that matches. It is valid, with
 * everything that it points to, until the callback returns.
 */
typedef struct searchscope_match {
    /**
     * The size of this struct in the library that fills it; fields beyond it are absent.
     */
    size_t struct_size;
    /**
     * The file, relative to the root, with "/" between names. These are the bytes of the file system,
     * not always UTF-8. A NUL follows.
     */
    searchscope_text path;
    /**
     * With mode "count": the number of matching lines, less those that an earlier page has counted.
     * Otherwise 0.
     */
    uint64_t n_matches;
    /**
     * The number of the (first) line, from 1. This and all later fields are 0, NULL or empty in the
     * modes "files" and "count".
     */
    uint64_t line;
    /**
     * The number of the last line; differs from `line` only if a match covers several.
     */
    uint64_t last_line;
    /**
     * The start of the first match in the line, in bytes from 1.
     */
    uint64_t column;
    /**
     * The start of the line in the file, in bytes from 0, not counting a byte order mark. For a file
     * that is not UTF-8, counted in its UTF-8 form; with "encodings" in the file.
     */
    uint64_t offset;
    /**
     * The text without its line end: bytes of the file, not always UTF-8. If the line is longer than
     * "line_bytes_max", the part around its first match.
     */
    searchscope_text text;
    /**
     * The number of bytes of the line before `text`; spans are counted from the start of the line.
     */
    size_t text_start;
    /**
     * The length of the line in bytes; greater than `text.len` if `text` is only a part.
     */
    size_t line_bytes;
    /**
     * The first 100 matches in the line, by start. NULL if there are no spans.
     */
    const searchscope_span *spans;
    /**
     * The number of `spans`.
     */
    size_t n_spans;
    /**
     * With "enclosing": the innermost definition that contains all of the first match, such as
     * "fn Workspace::open", in UTF-8. If it is absent, `bytes` is NULL.
     */
    searchscope_text enclosing;
    /**
     * The lines before it, as many as "context_before" requests, each cut to "line_bytes_max". NULL if
     * there are no such lines.
     */
    const searchscope_text *before;
    /**
     * The number of lines in `before`.
     */
    size_t n_before;
    /**
     * The lines after it, likewise.
     */
    const searchscope_text *after;
    /**
     * The number of lines in `after`.
     */
    size_t n_after;
    /**
     * The encoding of the file, such as "utf-16le", if it is one of "encodings" and not UTF-8. If it is
     * absent, `bytes` is NULL.
     */
    searchscope_text encoding;
} searchscope_match;

/**
 * Receives one match and the `user_data` of the call. Returns `SEARCHSCOPE_CONTINUE` or
 * `SEARCHSCOPE_STOP`. For its rules see CALLBACKS above.
 */
typedef int (*searchscope_on_match)(void *user_data,
                                    const searchscope_match *match);

/**
 * Calls the tool "search" and delivers each result as soon as it is found, in the order of the tool's
 * reply. Any number of threads at a time.
 *
 * The arguments are those of the tool, but "matches_max", "output_bytes_max" and "deadline_ms" bound a
 * stream only if they are given. `on_match` is called on this thread with `user_data` and one result at a
 * time; the search continues when it returns, and memory does not grow with the number of results. See
 * CALLBACKS above.
 *
 * The report has the tool's reply without "matches" and "files": why the search stopped, its warnings, and
 * a cursor if there is more, as JSON. A search that `on_match` stopped returns `SEARCHSCOPE_OK`; its report
 * says "limit" and has a cursor for the next result.
 *
 * Statuses: all. If a search fails midway, the results delivered before remain correct: they are the
 * beginning of the complete list.
 */
searchscope_status searchscope_search_each(const searchscope_workspace *workspace,
                                           const searchscope_request *request,
                                           searchscope_on_match on_match,
                                           void *user_data,
                                           searchscope_report **out_report);

/**
 * A result of `searchscope_find_each`. It is valid, with everything that it points to, until the
 * callback returns.
 */
typedef struct searchscope_found_file {
    /**
     * The size of this struct in the library that fills it; fields beyond it are absent.
     */
    size_t struct_size;
    /**
     * The file, as in `searchscope_match`.
     */
    searchscope_text path;
    /**
     * 1 with "details"; otherwise 0, and so are all later fields.
     */
    int has_details;
    /**
     * 'f' for a file, 'd' for a directory, 'l' for a symlink that was not followed.
     */
    char file_type;
    /**
     * The size in bytes.
     */
    uint64_t size;
    /**
     * The modification time in nanoseconds since 1970, UTC; clamped for times before 1677 or after
     * 2262.
     */
    int64_t modified_ns;
} searchscope_found_file;

/**
 * Receives one file; otherwise as `searchscope_on_match`.
 */
typedef int (*searchscope_on_file)(void *user_data,
                                   const searchscope_found_file *file);

/**
 * Calls the tool "find" and delivers each file to `on_file`; otherwise as `searchscope_search_each`,
 * with "files_max" for "matches_max".
 *
 * An "order" other than "path" is known only after the whole walk: the first file is then delivered
 * late, and all files are kept in memory.
 *
 * Statuses: all.
 */
searchscope_status searchscope_find_each(const searchscope_workspace *workspace,
                                         const searchscope_request *request,
                                         searchscope_on_file on_file,
                                         void *user_data,
                                         searchscope_report **out_report);

#ifdef __cplusplus
}
#endif

#endif /* SEARCHSCOPE_H */
