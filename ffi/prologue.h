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
