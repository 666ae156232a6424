/*
 * Prints every line below a directory that matches a regex, as it is found. Ctrl-C ends the search.
 *
 *     make && ./search 'fn \w+' path/to/project
 *
 * Exits with 0 if something matched, 1 if nothing did, 2 if the search failed or was cancelled.
 */
#define _POSIX_C_SOURCE 200809L
#include <searchscope.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOUND = 0, NOTHING = 1, FAILED = 2 };

/* Encodes a text as a JSON string; the caller frees it. */
static char *json_string(const char *text)
{
    char *json = malloc(6 * strlen(text) + 3);
    char *end = json;

    if (json == NULL)
        return NULL;
    *end++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            *end++ = '\\';
        if ((unsigned char)*text < 0x20)
            end += sprintf(end, "\\u%04x", (unsigned)*text);
        else
            *end++ = *text;
    }
    *end++ = '"';
    *end = '\0';
    return json;
}

/* Waits for Ctrl-C, which is blocked in every thread. A signal handler could not do this:
 * triggering a token takes a lock. A second Ctrl-C ends the program. */
static void *cancel_on_interrupt(void *cancel)
{
    sigset_t interrupt;
    int number;

    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigwait(&interrupt, &number);
    searchscope_cancel_trigger(cancel);
    pthread_sigmask(SIG_UNBLOCK, &interrupt, NULL);
    for (;;)
        pause();
    return NULL;
}

static int watch_interrupt(searchscope_cancel *cancel)
{
    pthread_t thread;
    sigset_t interrupt;

    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    return pthread_sigmask(SIG_BLOCK, &interrupt, NULL) == 0 &&
           pthread_create(&thread, NULL, cancel_on_interrupt, cancel) == 0 &&
           pthread_detach(thread) == 0;
}

/* Prints a match. The match and everything it points to is invalid after this returns. */
static int print(void *n_lines, const searchscope_match *match)
{
    ++*(unsigned long *)n_lines;
    fwrite(match->path.bytes, 1, match->path.len, stdout);
    printf(":%lu:", (unsigned long)match->line);
    fwrite(match->text.bytes, 1, match->text.len, stdout);
    putchar('\n');
    return ferror(stdout) ? SEARCHSCOPE_STOP : SEARCHSCOPE_CONTINUE;
}

int main(int argc, char **argv)
{
    const char *root = argc > 2 ? argv[2] : ".";
    searchscope_request request = SEARCHSCOPE_REQUEST(NULL);
    searchscope_workspace *workspace = NULL;
    searchscope_report *report = NULL;
    searchscope_cancel *cancel = searchscope_cancel_new();
    searchscope_status status;
    unsigned long n_lines = 0;
    char *pattern, *args = NULL;

    if (argc < 2) {
        fprintf(stderr, "usage: search REGEX [DIRECTORY]\n");
        return FAILED;
    }
    pattern = json_string(argv[1]);
    if (pattern != NULL)
        args = malloc(strlen(pattern) + sizeof "{\"patterns\":[]}");
    if (args == NULL || cancel == NULL || !watch_interrupt(cancel)) {
        fprintf(stderr, "search: not enough memory or threads\n");
        return FAILED;
    }
    sprintf(args, "{\"patterns\":[%s]}", pattern);
    request.args = args;
    request.cancel = cancel;

    status = searchscope_workspace_open(root, NULL, &workspace, &report);
    if (status == SEARCHSCOPE_OK)
        status = searchscope_search_each(workspace, &request, print, &n_lines, &report);
    fflush(stdout);
    if (status == SEARCHSCOPE_OK)
        fprintf(stderr, "%s\n", searchscope_report_bytes(report));
    else
        fprintf(stderr, "%s: %s\n", searchscope_report_code(report),
                searchscope_report_message(report));

    searchscope_report_free(report);
    searchscope_workspace_free(workspace);
    searchscope_cancel_free(cancel);
    free(args);
    free(pattern);
    return status != SEARCHSCOPE_OK ? FAILED : n_lines > 0 ? FOUND : NOTHING;
}
