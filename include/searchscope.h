/*
 * searchscope - search text, files and documents beneath one directory, from C.
 *
 * The library is an embedded engine: it starts no process, opens no connection, keeps no files,
 * reads no environment variable, prints nothing. You open a workspace (one root directory), call
 * tools by name with JSON arguments, and get JSON back. A new tool changes no symbol.
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
 * CONVENTIONS
 *
 * Functions that can fail return a status: SEARCHSCOPE_OK (0) or one of the numbers below. Results
 * come through out-parameters, which are written only on success. Text is UTF-8 and this is
 * checked. A text with a length need not end in NUL, and NULL with length 0 is the empty text; a
 * text without a length ends in NUL. Any other NULL is SEARCHSCOPE_NULL_ARGUMENT, except where a
 * function says what its NULL means. Paths use "/" and may be absolute or relative to the current
 * directory for the root, and relative to the root everywhere else.
 *
 * OWNERSHIP
 *
 * What an _open, a _new, searchscope_call or searchscope_tools gives you is yours, and so is an
 * error: free it exactly once with the _free of its type, which accepts NULL. What an accessor
 * returns belongs to the object it was asked of and lives as long as that. What you pass in is
 * borrowed until the function returns.
 *
 * Objects do not need each other: a workspace may be freed before its replies. Never pass anything
 * from this library to free(). A handle is not an address, so never look behind it; one that was
 * freed already, or that is no handle of the type, is found out: SEARCHSCOPE_BAD_HANDLE.
 *
 * THREADS
 *
 * Every function may be called from any thread. Through a const pointer any number of threads may
 * use one object at the same time. Free an object when no thread still reads what its accessors
 * returned. Nothing is kept per thread, so threads may be switched between calls. In a child of
 * fork() call nothing of this library before exec(). A loaded library stays loaded: dlclose() does
 * not unmap it.
 *
 * ERRORS
 *
 * A function with an out_error takes NULL, or a place that it writes only when it fails; it does
 * not free what was there before. Compare statuses by their names; their numbers never change
 * meaning, new ones may come, and an unknown one is to be treated as SEARCHSCOPE_INTERNAL. A search
 * that reached a limit or its deadline has not failed: its reply says so. No panic of the library's
 * Rust code passes into yours: it becomes SEARCHSCOPE_PANIC, and every handle stays usable.
 *
 * VERSIONS
 *
 * Functions and numbers are added and never changed or taken away while SEARCHSCOPE_ABI_MAJOR
 * stays; each addition raises SEARCHSCOPE_ABI_MINOR. A program runs with any library for which
 * searchscope_abi_version() / 1000 == SEARCHSCOPE_ABI_MAJOR and searchscope_abi_version() >=
 * SEARCHSCOPE_ABI_VERSION. Tools and their JSON have their own rules; ask searchscope_tools.
 */

#ifndef SEARCHSCOPE_H
#define SEARCHSCOPE_H

/* Generated from ffi/src and ffi/prologue.h: change those. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Grows when something is taken away or changed; then old programs must be rebuilt.
 */
#define SEARCHSCOPE_ABI_MAJOR 1

/**
 * Grows when something is added; old programs go on working.
 */
#define SEARCHSCOPE_ABI_MINOR 0

/**
 * The version of the ABI that this header describes, as one number that can be compared.
 */
#define SEARCHSCOPE_ABI_VERSION ((SEARCHSCOPE_ABI_MAJOR * 1000) + SEARCHSCOPE_ABI_MINOR)

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

/**
 * Ends the calls it was given to. Made by `searchscope_cancel_new`, freed by
 * `searchscope_cancel_free`. Any thread may trigger it at any time; it stays triggered. One token
 * may be given to several calls.
 */
typedef struct searchscope_cancel searchscope_cancel;

/**
 * Why a function failed: a status, its name, a message for people, and the same as JSON. Made by
 * any function with an `out_error`, freed by `searchscope_error_free`.
 */
typedef struct searchscope_error searchscope_error;

/**
 * The bytes that a call answered. Made by `searchscope_call` and `searchscope_tools`, freed by
 * `searchscope_reply_free`. It needs no workspace to stay alive.
 */
typedef struct searchscope_reply searchscope_reply;

/**
 * One root directory and everything beneath it, ready to be asked. Made by
 * `searchscope_workspace_open`, freed by `searchscope_workspace_free`. Any number of threads may
 * call with the same workspace at the same time.
 */
typedef struct searchscope_workspace searchscope_workspace;

/**
 * Gives the `SEARCHSCOPE_ABI_VERSION` of the library that is running. Any thread. It fits this
 * header when it is at least the macro and has the same major number.
 */
uint32_t searchscope_abi_version(void);

/**
 * Gives the version of the library as text, such as "0.1.0". Any thread. Static: never freed.
 */
const char *searchscope_version(void);

/**
 * Opens the directory `root`. Any thread.
 *
 * `options_json` is a JSON object as text, or NULL for the defaults:
 * "threads" (how many threads one call may use; default: the cores, at most 8),
 * "deny" (array of gitignore lines; what they match is never opened, listed or named),
 * "require_git" (true: ignore files count only inside a git repository; default false),
 * "output_dir" (an existing directory that tools may write result files into, absolute or relative
 * to the root; default none, and nothing is ever written).
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
 * Frees a workspace. Any thread; calls that are still running in other threads end normally.
 *
 * Statuses: `SEARCHSCOPE_OK`, also for NULL; `SEARCHSCOPE_BAD_HANDLE`, and then nothing is freed.
 */
int searchscope_workspace_free(searchscope_workspace *workspace);

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

/**
 * Calls the tool named `tool` with one JSON object. Any number of threads at a time.
 *
 * `args` are `args_len` bytes of JSON, with or without a NUL behind them. What a tool takes and answers, `searchscope_tools` tells.
 * `cancel` may be NULL. `out_reply` receives the JSON answer; it is yours, free it with
 * `searchscope_reply_free`. Equal calls on equal files answer equal bytes.
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
 * Lists the tools as a JSON array of objects: "name", "description", "inputSchema",
 * "outputSchema" (both JSON Schema). Any thread; no workspace is needed.
 *
 * `out_reply` receives the array; it is yours, free it with `searchscope_reply_free`.
 *
 * Statuses: `SEARCHSCOPE_OK`, `SEARCHSCOPE_NULL_ARGUMENT`.
 */
int searchscope_tools(searchscope_reply **out_reply,
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

#ifdef __cplusplus
}
#endif

#endif /* SEARCHSCOPE_H */
