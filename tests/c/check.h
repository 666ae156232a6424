/* Shared by the test programs: checks that count, and a time limit. */
#ifndef CHECK_H
#define CHECK_H

#include "searchscope.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failures;

/* Reports a failed condition and continues, so that one run shows every failure. */
#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "%s:%d: %s: not true: %s\n", __FILE__, __LINE__, __func__,       \
                    #condition);                                                             \
            failures++;                                                                      \
        }                                                                                    \
    } while (0)

#define CHECK_STATUS(expected, call)                                                         \
    do {                                                                                     \
        searchscope_status got_ = (call);                                                    \
        if (got_ != (searchscope_status)(expected)) {                                        \
            fprintf(stderr, "%s:%d: %s: %s gave %d, not %s\n", __FILE__, __LINE__, __func__, \
                    #call, (int)got_, #expected);                                            \
            failures++;                                                                      \
        }                                                                                    \
    } while (0)

static inline int same_text(const char *left, const char *right)
{
    return left != NULL && right != NULL && strcmp(left, right) == 0;
}

/* A value that every function must overwrite, even if it fails. */
#define UNTOUCHED(type) ((type *)(uintptr_t)0x5a5a5a58u)

/* The address of a request with these arguments; it lives until the end of the block. */
#define REQUEST(args) (&(searchscope_request)SEARCHSCOPE_REQUEST(args))
#define REQUEST_WITH(args, cancel)                                                           \
    (&(searchscope_request){sizeof(searchscope_request), (args), SEARCHSCOPE_NUL_TERMINATED, \
                            (cancel)})

/* Checks the report of a failure, and that its JSON contains a text. Frees it. */
static inline void check_failure(searchscope_report *report, searchscope_status status,
                                 const char *code, const char *part)
{
    const char *json = searchscope_report_bytes(report);
    char start[64];

    snprintf(start, sizeof start, "{\"code\":\"%s\",\"message\":\"", code);
    CHECK_STATUS(status, searchscope_report_status(report));
    CHECK(same_text(searchscope_report_code(report), code));
    CHECK(strlen(searchscope_report_message(report)) > 0);
    if (json == NULL || strncmp(json, start, strlen(start)) != 0 || strstr(json, part) == NULL) {
        fprintf(stderr, "%s or %s is not in %s\n", start, part, json == NULL ? "nothing" : json);
        failures++;
    }
    CHECK(json == NULL || strlen(json) == searchscope_report_len(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
}

/* Sets a time limit, since a hang is a failure; valgrind and a loaded machine need some room. */
static inline void start(void)
{
    alarm(240);
}

static inline int finish(void)
{
    if (failures != 0)
        fprintf(stderr, "%d checks failed\n", failures);
    return failures == 0 ? 0 : 1;
}

#endif
