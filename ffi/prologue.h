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
