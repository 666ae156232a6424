/*
 * searchscope - search text, files and documents beneath one directory, from C.
 *
 * The library is an embedded engine: it starts no process, opens no connection, keeps no files,
 * reads no environment variable and prints nothing. You open a workspace (one root directory) and
 * call tools by name: JSON arguments in, JSON reply out. New tools add no symbols. The results of two
 * tools, "search" and "find", can also be streamed as structs.
 *
 * This manual has the chapters EXAMPLE, EXAMPLE OF A STREAM, CONVENTIONS, OWNERSHIP, STRUCTS,
 * CALLBACKS, THREADS, ERRORS and VERSIONS. The declarations follow, in the order in which a program
 * needs them. Rules that apply to every function are stated only here. The header is C89 except for
 * the types of <stdint.h>, and compiles as C++.
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
 *         searchscope_status status;
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
 * Prints the first 1,000 lines that contain "needle", and gives up after a few seconds. The timer may
 * fire after the token was freed: the trigger then returns SEARCHSCOPE_BAD_HANDLE and does nothing.
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
 *         searchscope_status status;
 *         int left = 1000;
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
 * Functions that can fail return a searchscope_status; SEARCHSCOPE_OK is 0. Results come through
 * out-parameters, which are written only on success. Text that you pass must be UTF-8; the library
 * checks this. Text with a length need not end in NUL, and NULL with length 0 is the empty text;
 * text without a length ends in NUL. Any other NULL is SEARCHSCOPE_NULL_ARGUMENT, unless the
 * function documents a meaning for it. Paths use "/". The root may be absolute or relative to the
 * current directory; every other path is relative to the root.
 *
 * Returned JSON is always UTF-8: bytes of a file or of its name that are not valid UTF-8 become
 * U+FFFD. Structs contain the original bytes.
 *
 * OWNERSHIP
 *
 * You own every object that an _open, a _new or an out-parameter returns: free it exactly once with
 * the _free of its type, which accepts NULL. Pointers that an accessor returns belong to its object
 * and live as long as the object. Arguments are borrowed until the function returns.
 *
 * Objects are independent: a workspace may be freed before its replies. Never pass anything from this
 * library to free(). A handle is not an address: never dereference it. A handle that was freed, or
 * that is not of the expected type, is detected and yields SEARCHSCOPE_BAD_HANDLE.
 *
 * STRUCTS
 *
 * Only callbacks receive structs, and only the library creates them. A struct and everything that it
 * points to is borrowed until the callback returns: copy what you keep. Result structs begin with
 * struct_size and may gain fields at their end. A program that was built with a newer header than its
 * library may read such a field only if struct_size covers it; the fields of ABI version 1.1 are
 * always present. searchscope_text and searchscope_span are elements of arrays and never grow.
 *
 * CALLBACKS
 *
 * A callback runs on the calling thread, once per result and never concurrently. The search continues
 * if it returns SEARCHSCOPE_CONTINUE and stops on any other number. It may run for as long as it
 * needs, but deadlines and cancellation take effect only after it has returned. It may call every
 * function of this library, even with the workspace and the token of its own call, and may free both:
 * a call keeps a reference to the objects that it uses. It must return: no longjmp(), no C++
 * exception, no termination of the thread. user_data is passed through unread and may be NULL.
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
 * ERRORS
 *
 * out_error may be NULL; otherwise a function writes it only on failure, and does not free its old
 * value. Compare statuses by name. A number never changes its meaning, but new ones may be added:
 * treat an unknown status as SEARCHSCOPE_INTERNAL. The enum has the size of int on every supported
 * platform, so bindings may declare it as int. A search that reached a limit or its deadline has
 * not failed: its reply reports the limit, and its warnings name the files that could not be read. A
 * panic in the library's Rust code never unwinds into yours: it becomes SEARCHSCOPE_PANIC, and every
 * handle stays usable.
 *
 * VERSIONS
 *
 * Within one SEARCHSCOPE_ABI_MAJOR, functions, numbers and fields at the end of structs are added but
 * never changed or removed; each addition raises SEARCHSCOPE_ABI_MINOR. A program runs with any
 * library for which searchscope_abi_version() / 1000 == SEARCHSCOPE_ABI_MAJOR and
 * searchscope_abi_version() >= SEARCHSCOPE_ABI_VERSION. The soname of the shared library contains the
 * major, so libraries of two majors can be installed side by side. Tools and their JSON are versioned
 * separately: see searchscope_tools.
 */

#ifndef SEARCHSCOPE_H
#define SEARCHSCOPE_H
