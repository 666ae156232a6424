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
