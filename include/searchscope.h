/*
 * searchscope - search text, files and documents beneath one directory, from C.
 *
 * The library is an embedded engine: it starts no process, opens no connection, keeps no files,
 * reads no environment variable, prints nothing. You open a workspace (one root directory) and call
 * tools by name: JSON arguments in, JSON reply out. A new tool changes no symbol. The results of two
 * tools, "search" and "find", can also be streamed, as structs.
 *
 * This manual has the chapters EXAMPLE, EXAMPLE OF A STREAM, CONVENTIONS, OWNERSHIP, STRUCTS,
 * CALLBACKS, THREADS, ERRORS, VERSIONS; then come the declarations, in the order in which a program
 * needs them. What holds for all of them stands only here. It is C89 but for the types of <stdint.h>;
 * C++ takes it as it is.
 *
 * EXAMPLE
 *
 *     #include <stdio.h>
 *     #include <string.h>
 *     #include "searchscope.h"
 *
 *     int main(int argc, char **argv)
 *     {
 *         const char *root = argc > 1 ? argv[1] : ".";
 *         const char *args = "{\"query\":\"needle\"}";
 *         searchscope_workspace *workspace = NULL;
 *         searchscope_reply *reply = NULL;
 *         searchscope_error *error = NULL;
 *         int status;
 *
 *         status = searchscope_workspace_open(root, NULL, &workspace, &error);
 *         if (status == SEARCHSCOPE_OK)
 *             status = searchscope_call(workspace, "search_in_files", args, strlen(args),
 *                                       NULL, &reply, &error);
 *         if (status == SEARCHSCOPE_OK)
 *             printf("%s\n", searchscope_reply_bytes(reply));
 *         else
 *             fprintf(stderr, "%s: %s\n", searchscope_error_code(error),
 *                     searchscope_error_message(error));
 *
 *         searchscope_error_free(error);
 *         searchscope_reply_free(reply);
 *         searchscope_workspace_free(workspace);
 *         return status;
 *     }
 *
 * EXAMPLE OF A STREAM
 *
 * Prints the first 1,000 lines with "needle", and gives up after some seconds. The timer may come
 * late, when the token is gone: then it is refused, and that is all.
 *
 *     #include <pthread.h>
 *     #include <stdio.h>
 *     #include <stdlib.h>
 *     #include <string.h>
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
 *         const char *args = "{\"patterns\":[\"needle\"]}";
 *         searchscope_workspace *workspace = NULL;
 *         searchscope_error *error = NULL;
 *         struct timer timer;
 *         pthread_t thread;
 *         int status, left = 1000;
 *
 *         timer.seconds = argc > 2 ? (unsigned)atoi(argv[2]) : 10;
 *         timer.cancel = searchscope_cancel_new();
 *         if (pthread_create(&thread, NULL, wait_and_cancel, &timer) != 0)
 *             return 1;
 *         status = searchscope_workspace_open(root, NULL, &workspace, &error);
 *         if (status == SEARCHSCOPE_OK)
 *             status = searchscope_search_each(workspace, args, strlen(args), timer.cancel,
 *                                              print_match, &left, NULL, &error);
 *         if (status != SEARCHSCOPE_OK)
 *             fprintf(stderr, "%s\n", searchscope_error_message(error));
 *
 *         searchscope_error_free(error);
 *         searchscope_workspace_free(workspace);
 *         searchscope_cancel_free(timer.cancel);
 *         return status;
 *     }
 *
 * CONVENTIONS
 *
 * Functions that can fail return a status: SEARCHSCOPE_OK (0) or one of the numbers below. Results
 * come through out-parameters, which are written only on success. Text that you pass is UTF-8 and
 * this is checked. A text with a length need not end in NUL, and NULL with length 0 is the empty
 * text; a text without a length ends in NUL. Any other NULL is SEARCHSCOPE_NULL_ARGUMENT, except
 * where a function says what its NULL means. Paths use "/" and may be absolute or relative to the
 * current directory for the root, and relative to the root everywhere else.
 *
 * JSON comes back in UTF-8 always: bytes of a file or of its name that are none become U+FFFD there.
 * Structs give the bytes as they are.
 *
 * OWNERSHIP
 *
 * What an _open, a _new or an out-parameter gives you is yours: free it exactly once with the _free
 * of its type, which accepts NULL. What an accessor returns belongs to the object it was asked of
 * and lives as long as that. What you pass in is borrowed until the function returns.
 *
 * Objects do not need each other: a workspace may be freed before its replies. Never pass anything
 * from this library to free(). A handle is not an address, so never look behind it; one that was
 * freed already, or that is no handle of the type, is found out: SEARCHSCOPE_BAD_HANDLE.
 *
 * STRUCTS
 *
 * Only callbacks get structs, and only the library makes them. A struct and all that it points to is
 * lent until the callback returns: copy what you keep. The structs for results begin with struct_size
 * and may get fields at their end. A program that was built with a newer header than the library that
 * it runs with reads such a field only where struct_size says that it is there; the fields of ABI
 * version 1.1 are always there. searchscope_text and searchscope_span, which stand in rows, stay as
 * they are.
 *
 * CALLBACKS
 *
 * A callback runs on the thread that made the call, once per result and never twice at a time; the
 * search goes on when it returns SEARCHSCOPE_CONTINUE and ends with any other number. It may take as
 * long as it likes, but a deadline and a cancel are noticed only when it has returned. It may call
 * every function of this library, also with the workspace and the token of its own call, and may also
 * free them: a call holds what it uses. It must return: no longjmp(), no C++ exception, no end of the
 * thread. user_data is handed through and never looked at; it may be NULL.
 *
 * THREADS
 *
 * Every function may be called from any thread. Through a const pointer any number of threads may
 * use one object at the same time. Free an object when no thread still reads what its accessors
 * returned. Nothing is kept per thread, so threads may be switched between calls. A thread needs
 * 32 KiB of stack to call any of them: a call that may need more runs on a stack of its own, still on
 * the same thread, and so do its callbacks. A callback has at least 256 KiB of stack. In a child of
 * fork() call nothing of this library before exec(). A loaded library stays loaded: dlclose() does
 * not unmap it.
 *
 * ERRORS
 *
 * A function with an out_error takes NULL, or a place that it writes only when it fails; it does
 * not free what was there before. Compare statuses by their names; their numbers never change
 * meaning, new ones may come, and an unknown one is to be treated as SEARCHSCOPE_INTERNAL. A search
 * that reached a limit or its deadline has not failed: its reply says so, and so do warnings, which
 * name what could not be read. No panic of the library's Rust code passes into yours: it becomes
 * SEARCHSCOPE_PANIC, and every handle stays usable.
 *
 * VERSIONS
 *
 * Functions, numbers and fields at the end of structs are added and never changed or taken away
 * while SEARCHSCOPE_ABI_MAJOR stays; each addition raises SEARCHSCOPE_ABI_MINOR. A program runs with
 * any library for which searchscope_abi_version() / 1000 == SEARCHSCOPE_ABI_MAJOR and
 * searchscope_abi_version() >= SEARCHSCOPE_ABI_VERSION; the soname of the shared library has the
 * major, so libraries of two majors can lie side by side. Tools and their JSON have their own rules;
 * ask searchscope_tools.
 */

#ifndef SEARCHSCOPE_H
#define SEARCHSCOPE_H

/* Generated from ffi/src and ffi/prologue.h: change those. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* THE VERSION ------------------------------------------------------------------------------- */

/**
 * Grows when something is taken away or changed; then old programs must be rebuilt.
 */
#define SEARCHSCOPE_ABI_MAJOR 1

/**
 * Grows when something is added; old programs go on working.
 */
#define SEARCHSCOPE_ABI_MINOR 4

/**
 * The version of the ABI that this header describes, as one number that can be compared.
 */
#define SEARCHSCOPE_ABI_VERSION ((SEARCHSCOPE_ABI_MAJOR * 1000) + SEARCHSCOPE_ABI_MINOR)

/**
 * Gives the `SEARCHSCOPE_ABI_VERSION` of the library that is running. Any thread. It fits this
 * header when it is at least the macro and has the same major number.
 */
uint32_t searchscope_abi_version(void);

/**
 * Gives the version of the library as text, such as "0.1.0". Any thread. Static: never freed.
 */
const char *searchscope_version(void);

/* STATUSES ---------------------------------------------------------------------------------- */

/**
 * The function did what its description says.
 */
#define SEARCHSCOPE_OK 0

/**
 * An argument is missing, unknown, of the wrong type or out of range.
 */
#define SEARCHSCOPE_INVALID_PARAM 1

/**
 * A regex, glob or scope pattern does not parse or is too large; the detail carries the span.
 */
#define SEARCHSCOPE_PATTERN_SYNTAX 2

/**
 * A named path does not exist.
 */
#define SEARCHSCOPE_NOT_FOUND 3

/**
 * A path lies outside the root, or the workspace denies it.
 */
#define SEARCHSCOPE_ACCESS_DENIED 4

/**
 * The deadline passed and the contract has no way to return a part.
 */
#define SEARCHSCOPE_TIMEOUT 5

/**
 * The caller cancelled the call.
 */
#define SEARCHSCOPE_CANCELLED 6

/**
 * The reply would exceed its maximum size; narrow the request.
 */
#define SEARCHSCOPE_RESULT_TOO_LARGE 7

/**
 * The operating system refused or failed an operation on the named path.
 */
#define SEARCHSCOPE_IO 8

/**
 * The request is valid but not possible on this system or in this build.
 */
#define SEARCHSCOPE_UNSUPPORTED 9

/**
 * A defect of this library; the call failed, the workspace stays usable.
 */
#define SEARCHSCOPE_INTERNAL 10

/**
 * A pointer that must not be NULL is NULL. (From 101 on: faults of the C call itself.)
 */
#define SEARCHSCOPE_NULL_ARGUMENT 101

/**
 * A text is not UTF-8.
 */
#define SEARCHSCOPE_INVALID_UTF8 102

/**
 * A handle was freed before, is of another type, or never came from this library.
 */
#define SEARCHSCOPE_BAD_HANDLE 103

/**
 * A defect of this library that ended the call by a Rust panic; every handle stays usable.
 */
#define SEARCHSCOPE_PANIC 104

/* ERRORS ------------------------------------------------------------------------------------ */

/**
 * Why a function failed: a status, its name, a message for people, and the same as JSON. Made by
 * any function with an `out_error`, freed by `searchscope_error_free`.
 */
typedef struct searchscope_error searchscope_error;

/**
 * Gives the status that the failed function returned. Any thread. `SEARCHSCOPE_NULL_ARGUMENT` for
 * NULL, `SEARCHSCOPE_BAD_HANDLE` for a bad handle.
 */
int searchscope_error_status(const searchscope_error *error);

/**
 * Gives the name of the status, such as "not_found": the same text in every language that
 * searchscope speaks. Any thread. It belongs to the error. NULL for NULL and for a bad handle.
 */
const char *searchscope_error_code(const searchscope_error *error);

/**
 * Gives a sentence for people, in UTF-8. Its wording may change. Any thread. It belongs to the
 * error. NULL for NULL and for a bad handle.
 */
const char *searchscope_error_message(const searchscope_error *error);

/**
 * Gives the whole error as a JSON object: "code", "message", and where known "param", "path",
 * "span" ({"start", "end"}, in bytes of the parameter's text) and "near" (existing paths that a
 * missing one was perhaps meant to be, best first). Any thread. It belongs to the error. NULL for
 * NULL and for a bad handle.
 */
const char *searchscope_error_detail(const searchscope_error *error);

/**
 * Frees an error and its texts. Any thread, but not while another still reads the texts.
 *
 * Statuses: as `searchscope_workspace_free`.
 */
int searchscope_error_free(searchscope_error *error);

/* WORKSPACES -------------------------------------------------------------------------------- */

/**
 * One root directory and everything beneath it, ready to be asked. Made by
 * `searchscope_workspace_open`, freed by `searchscope_workspace_free`. Any number of threads may
 * call with the same workspace at the same time.
 */
typedef struct searchscope_workspace searchscope_workspace;

/**
 * Opens the directory `root`. Any thread.
 *
 * `options_json` is a JSON object as text, or NULL for the defaults. It may hold:
 * - "threads": how many threads one call may use, 1 to 64. Default: the cores, at most 8. It never
 *   changes a result.
 * - "deny": array of gitignore lines, matched from the root; what they match is never opened, listed
 *   or named.
 * - "deny_secrets": true to deny files that hold credentials too; lines of "deny" with "!" take names back
 *   in. Default: false.
 * - "require_git": true for ignore files that count only inside a git repository. Default: false.
 * - "git_dir_outside_root": true for changed files that may be read from git directories outside of
 *   the root. Default: false.
 * - "output_dir": an existing directory that tools may write result files into, absolute or relative
 *   to the root. Default: none, and nothing is ever written.
 * - "reply_bytes_max": how many bytes a reply may have, 65,536 to 67,108,864; a larger one is
 *   `SEARCHSCOPE_RESULT_TOO_LARGE`, and "search" and "find" end a page before. Default: what each
 *   tool allows.
 * - "docs_root": the directory with the Markdown documents, absolute or relative to the root.
 *   Default: the root.
 * - "excludes": array of gitignore lines, matched from "docs_root" without regard to case; what they
 *   match is no document.
 * - "doc_suffixes": array of the ends of the names of documents, such as ".rst", at most 16. Default:
 *   ".md".
 * - "args_bytes_max": how many bytes the arguments of a call may have, 1,024 to 67,108,864. Default:
 *   4 MiB.
 * - "front_matter_hyphens_min": how many hyphens the lines around the front matter of a document have
 *   at least, 3 or 4. Default: 3.
 * - "index": "off", or "auto" for an index of the tree in memory, which makes repeated searches faster
 *   and never changes a reply. Leave it off where other processes write through shared memory
 *   mappings. Default: "off".
 * - "memory_bytes_max": the memory of the index in bytes, 1,048,576 to 68,719,476,736.
 *   Default: 256 MiB.
 *
 * `out_workspace` receives a workspace that is yours; free it with `searchscope_workspace_free`.
 *
 * Statuses: `SEARCHSCOPE_NOT_FOUND` when there is no `root`; `SEARCHSCOPE_INVALID_PARAM` when it
 * is not a directory or an option is wrong; `SEARCHSCOPE_IO`; those from 101 on.
 */
int searchscope_workspace_open(const char *root,
                               const char *options_json,
                               searchscope_workspace **out_workspace,
                               searchscope_error **out_error);

/**
 * Lays unsaved texts over a workspace: makes another one, whose tools answer as if the texts were written
 * to their files. Nothing is written. Any number of threads at a time.
 *
 * `overlay` is `overlay_len` bytes of JSON, at most 64 MiB: an object whose names are paths, absolute or
 * relative to the root, and whose values are the text of the file, or null for a file that is removed. The
 * texts replace those of `workspace`; options, the index and grammars are shared with it, and either may be
 * freed first. `out_workspace` receives the workspace; it is yours, free it with
 * `searchscope_workspace_free`.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_INVALID_PARAM`, `SEARCHSCOPE_ACCESS_DENIED` for a path that
 * leaves the root or is denied, `SEARCHSCOPE_IO`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`,
 * `SEARCHSCOPE_PANIC`.
 */
int searchscope_workspace_with_overlay(const searchscope_workspace *workspace,
                                       const char *overlay,
                                       size_t overlay_len,
                                       searchscope_workspace **out_workspace,
                                       searchscope_error **out_error);

/**
 * Frees a workspace. Any thread; calls that are still running in other threads end normally.
 *
 * Statuses: `SEARCHSCOPE_OK`, also for NULL; `SEARCHSCOPE_BAD_HANDLE`, and then nothing is freed.
 */
int searchscope_workspace_free(searchscope_workspace *workspace);

/* TOOLS AND THEIR REPLIES ------------------------------------------------------------------- */

/**
 * The bytes that a call answered. Made by calls and by `searchscope_tools`, freed by
 * `searchscope_reply_free`. It needs no workspace to stay alive.
 */
typedef struct searchscope_reply searchscope_reply;

/**
 * Lists the tools as a JSON array of objects: "name", "description", "inputSchema", "listSchema",
 * "outputSchema" (all three JSON Schema). "listSchema" is "inputSchema" in fewer bytes, for the lists
 * that agents read. Any thread; no workspace is needed.
 *
 * `out_reply` receives the array; it is yours, free it with `searchscope_reply_free`.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_NULL_ARGUMENT`.
 */
int searchscope_tools(searchscope_reply **out_reply,
                      searchscope_error **out_error);

/**
 * Ends the calls it was given to. Made by `searchscope_cancel_new`, freed by
 * `searchscope_cancel_free`. Any thread may trigger it at any time; it stays triggered. One token
 * may be given to several calls.
 */
typedef struct searchscope_cancel searchscope_cancel;

/**
 * Calls the tool named `tool` with one JSON object. Any number of threads at a time.
 *
 * `args` are `args_len` bytes of JSON, with or without a NUL behind them. What a tool takes and
 * answers, `searchscope_tools` tells. `cancel` may be NULL. `out_reply` receives the JSON answer;
 * it is yours, free it with `searchscope_reply_free`. Equal calls on equal files answer equal bytes
 * but for how long they took.
 *
 * Statuses: all. `SEARCHSCOPE_INVALID_PARAM` for an unknown tool or bad arguments.
 */
int searchscope_call(const searchscope_workspace *workspace,
                     const char *tool,
                     const char *args,
                     size_t args_len,
                     const searchscope_cancel *cancel,
                     searchscope_reply **out_reply,
                     searchscope_error **out_error);

/**
 * Calls a tool as `searchscope_call` does, and answers plain text for agents and people in place of
 * JSON. Any number of threads at a time.
 *
 * The text is UTF-8. Its lines, by their first bytes: a number after `>`, a blank or `-` begins a row
 * (a definition, a matching line, a line near one), "# " a remark, "[" the last line with totals,
 * completeness and the cursor; any other line is the path of a file. No file can imitate another kind
 * of line. An answer that is an error in the shape of its tool begins with "# error:".
 *
 * Statuses: all, as `searchscope_call`.
 */
int searchscope_call_text(const searchscope_workspace *workspace,
                          const char *tool,
                          const char *args,
                          size_t args_len,
                          const searchscope_cancel *cancel,
                          searchscope_reply **out_reply,
                          searchscope_error **out_error);

/**
 * Gives the first byte of a reply. Any thread. The bytes belong to the reply and stay where they
 * are until it is freed; one NUL follows them. NULL for NULL and for a bad handle.
 */
const char *searchscope_reply_bytes(const searchscope_reply *reply);

/**
 * Gives the number of bytes of a reply, its final NUL not counted. Any thread. 0 for NULL and for
 * a bad handle.
 */
size_t searchscope_reply_len(const searchscope_reply *reply);

/**
 * Frees a reply and its bytes. Any thread, but not while another still reads the bytes.
 *
 * Statuses: as `searchscope_workspace_free`.
 */
int searchscope_reply_free(searchscope_reply *reply);

/* THE INDEX --------------------------------------------------------------------------------- */

/**
 * Builds the index of a workspace that was opened with "index": "auto", and returns when it is built;
 * without an index it does nothing. Any number of threads at a time.
 *
 * `cancel` may be NULL. `out_reply` may be NULL; else it receives the state of the index, as
 * `searchscope_index_status` reports it; it is yours, free it with `searchscope_reply_free`.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_CANCELLED`, `SEARCHSCOPE_NULL_ARGUMENT`,
 * `SEARCHSCOPE_BAD_HANDLE`, `SEARCHSCOPE_IO`, `SEARCHSCOPE_INTERNAL`, `SEARCHSCOPE_PANIC`.
 */
int searchscope_warm(const searchscope_workspace *workspace,
                     const searchscope_cancel *cancel,
                     searchscope_reply **out_reply,
                     searchscope_error **out_error);

/**
 * Reports the state of the index of a workspace as a JSON object: "state" ("off", "cold", "building"
 * or "ready"), the numbers "directories", "files", "memory_bytes" and "left_out" (directories whose
 * contents had no room), and "not_watched", null or the reason for which changes are looked for at
 * each call. Any number of threads at a time.
 *
 * `out_reply` receives the object; it is yours, free it with `searchscope_reply_free`.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`,
 * `SEARCHSCOPE_PANIC`.
 */
int searchscope_index_status(const searchscope_workspace *workspace,
                             searchscope_reply **out_reply,
                             searchscope_error **out_error);

/* CANCELLING FROM ANY THREAD ---------------------------------------------------------------- */

/**
 * Makes a cancel token that is not triggered. Any thread. It is yours; free it with
 * `searchscope_cancel_free`. NULL only where other functions return `SEARCHSCOPE_PANIC`.
 */
searchscope_cancel *searchscope_cancel_new(void);

/**
 * Cancels every call that has or gets this token: each soon returns `SEARCHSCOPE_CANCELLED`.
 * Any thread, any number of times. Takes a lock, so not for a signal handler.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_NULL_ARGUMENT`, `SEARCHSCOPE_BAD_HANDLE`.
 */
int searchscope_cancel_trigger(const searchscope_cancel *cancel);

/**
 * Frees a cancel token. Any thread; calls that have it go on and can no longer be cancelled.
 *
 * Statuses: as `searchscope_workspace_free`.
 */
int searchscope_cancel_free(searchscope_cancel *cancel);

/* STREAMS ----------------------------------------------------------------------------------- */

/**
 * What a callback returns to get the next result.
 */
#define SEARCHSCOPE_CONTINUE 0

/**
 * What a callback returns to end the search, as does any other number but `SEARCHSCOPE_CONTINUE`.
 */
#define SEARCHSCOPE_STOP 1

/**
 * Some bytes that belong to someone else. A NUL follows them only where that is said; `bytes` is
 * NULL only where that is said. This struct never grows.
 */
typedef struct searchscope_text {
    /**
     * The first byte.
     */
    const char *bytes;
    /**
     * How many there are.
     */
    size_t len;
} searchscope_text;

/**
 * Where in a line a pattern matches. This struct never grows.
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
     * The index of the pattern that matches here, in "patterns".
     */
    size_t pattern;
} searchscope_span;

/**
 * A result of `searchscope_search_each`: with mode "content" a matching line, with multiline the
 * lines that a match covers; with the modes "files" and "count" a file that matches. It lives, with
 * all that it points to, until the callback returns.
 */
typedef struct searchscope_match {
    /**
     * How large this struct is in the library that fills it; what lies behind is not there.
     */
    size_t struct_size;
    /**
     * The file, relative to the root, with "/" between names: the bytes that the file system has,
     * so not always UTF-8. A NUL follows.
     */
    searchscope_text path;
    /**
     * With mode "count": how many lines of the file match, less those that an earlier page has
     * counted. Else 0.
     */
    uint64_t n_matches;
    /**
     * The number of the (first) line, from 1. It and all that follows are 0, NULL or empty in the
     * modes "files" and "count".
     */
    uint64_t line;
    /**
     * The number of the last line: another one only where a match covers several.
     */
    uint64_t last_line;
    /**
     * Where the first match starts in the line, in bytes from 1.
     */
    uint64_t column;
    /**
     * Where the line starts in the file, in bytes from 0, a byte order mark not counted. In a file
     * that is not UTF-8, bytes of its UTF-8 form.
     */
    uint64_t offset;
    /**
     * The text without its line end: the bytes of the file, so not always UTF-8. Of a line longer
     * than "line_bytes_max" the part around its first match.
     */
    searchscope_text text;
    /**
     * How many bytes of the line stand before `text`; spans are counted from the start of the line.
     */
    size_t text_start;
    /**
     * How many bytes the line has; more than `text.len` where `text` is a part.
     */
    size_t line_bytes;
    /**
     * The matches in the line, by start: the first 100. NULL where there are none.
     */
    const searchscope_span *spans;
    /**
     * How many there are.
     */
    size_t n_spans;
    /**
     * Where "enclosing" asks for it: the innermost definition that holds all of the first match, such
     * as "fn Workspace::open", in UTF-8. `bytes` is NULL where there is none.
     */
    searchscope_text enclosing;
    /**
     * The lines before it, as "context_before" asks for them, each cut to "line_bytes_max". NULL
     * where there are none.
     */
    const searchscope_text *before;
    /**
     * How many there are.
     */
    size_t n_before;
    /**
     * The lines after it, in the same way.
     */
    const searchscope_text *after;
    /**
     * How many there are.
     */
    size_t n_after;
} searchscope_match;

/**
 * Takes a match; `user_data` is what the call was given. Returns `SEARCHSCOPE_CONTINUE` or
 * `SEARCHSCOPE_STOP`. What it may do: see CALLBACKS above.
 */
typedef int (*searchscope_on_match)(void *user_data,
                                    const searchscope_match *match);

/**
 * Calls the tool "search" and hands over each result as soon as it is found, in the order of the
 * tool's reply. Any number of threads at a time.
 *
 * `args` are those of the tool; but "matches_max", "output_bytes_max" and "deadline_ms" bound a
 * stream only where they are given. `cancel` may be NULL. `on_match` is called on this thread, with
 * `user_data` and one result at a time; the search goes on when it returns, and memory does not grow
 * with the results. See CALLBACKS above.
 *
 * `out_report` may be NULL; else it receives the tool's reply without "matches" and "files": why the
 * search stopped, its warnings, and where there is more a cursor, as JSON. It is yours, free it with
 * `searchscope_reply_free`. A search that `on_match` has stopped is `SEARCHSCOPE_OK`; its report says
 * "limit" and has a cursor that leads to the next result.
 *
 * Statuses: all. Where a search fails half way, what was handed over before stays right: it is the
 * beginning of what there is.
 */
int searchscope_search_each(const searchscope_workspace *workspace,
                            const char *args,
                            size_t args_len,
                            const searchscope_cancel *cancel,
                            searchscope_on_match on_match,
                            void *user_data,
                            searchscope_reply **out_report,
                            searchscope_error **out_error);

/**
 * A result of `searchscope_find_each`. It lives, with all that it points to, until the callback
 * returns.
 */
typedef struct searchscope_found_file {
    /**
     * How large this struct is in the library that fills it; what lies behind is not there.
     */
    size_t struct_size;
    /**
     * The file, as in `searchscope_match`.
     */
    searchscope_text path;
    /**
     * 1 where "details" asks for what follows, else 0, and what follows is 0 too.
     */
    int has_details;
    /**
     * 'f' for a file, 'd' for a directory, 'l' for a symlink that was not followed.
     */
    char file_type;
    /**
     * How large it is, in bytes.
     */
    uint64_t size;
    /**
     * When it was modified, in nanoseconds since 1970 in UTC; the nearest number that there is for a
     * time before 1677 or after 2262.
     */
    int64_t modified_ns;
} searchscope_found_file;

/**
 * Takes a file that was found; else as `searchscope_on_match`.
 */
typedef int (*searchscope_on_file)(void *user_data,
                                   const searchscope_found_file *file);

/**
 * Calls the tool "find" and hands over each file, with `on_file` as `on_match`; else as
 * `searchscope_search_each`, with "files_max" for "matches_max".
 *
 * An "order" other than "path" is known only when all files were seen: then the first one comes late,
 * and all are held in memory.
 *
 * Statuses: all.
 */
int searchscope_find_each(const searchscope_workspace *workspace,
                          const char *args,
                          size_t args_len,
                          const searchscope_cancel *cancel,
                          searchscope_on_file on_file,
                          void *user_data,
                          searchscope_reply **out_report,
                          searchscope_error **out_error);

#ifdef __cplusplus
}
#endif

#endif /* SEARCHSCOPE_H */
