/*
 * Callbacks that stop a stream, that run while it is cancelled, and that call the library. Usage:
 * callbacks ROOT, where ROOT is the tree `rich` of fixtures.rs; needs a library with the feature
 * test-hooks.
 */
#include "calls.h"
#include "check.h"
#include "hooks.h"

#include <pthread.h>
#include <stdlib.h>

/* The counters of a callback, and the results at which it acts. */
struct plan {
    int n, stop_at, returns;
    uint64_t line;
    searchscope_workspace *workspace;
    searchscope_cancel *cancel;
};

static int count(void *user_data, const searchscope_match *match)
{
    struct plan *plan = user_data;

    plan->n++;
    plan->line = match->line;
    return plan->n == plan->stop_at ? plan->returns : SEARCHSCOPE_CONTINUE;
}

static int count_files(void *user_data, const searchscope_found_file *file)
{
    struct plan *plan = user_data;

    (void)file;
    plan->n++;
    return plan->n == plan->stop_at ? plan->returns : SEARCHSCOPE_CONTINUE;
}

static int stop_at_once(void *user_data, const searchscope_match *match)
{
    (void)match;
    CHECK(user_data == NULL);
    return SEARCHSCOPE_STOP;
}

static int n_matches(const searchscope_workspace *workspace)
{
    struct plan plan = {0};
    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, ALL, count, &plan, NULL));
    return plan.n;
}

/* Returns the same arguments with the cursor of the report. */
static char *with_cursor(const char *args, const searchscope_report *report)
{
    const char *cursor = strstr(searchscope_report_bytes(report), "\"cursor\":\"");
    size_t len = 0;
    char *next = malloc(strlen(args) + searchscope_report_len(report) + 2);

    CHECK(cursor != NULL && next != NULL);
    if (cursor == NULL || next == NULL)
        exit(1);
    len = strcspn(cursor + strlen("\"cursor\":\""), "\"") + strlen("\"cursor\":\"\"");
    sprintf(next, "%.*s,%.*s}", (int)strlen(args) - 1, args, (int)len, cursor);
    return next;
}

static int says(const searchscope_report *report, const char *part)
{
    return strstr(searchscope_report_bytes(report), part) != NULL;
}

/* A stop is not an error, and the cursor continues with the next result; for `search` and
 * `find`. */
static void stopping(void)
{
    searchscope_workspace *workspace = open_root();
    int total = n_matches(workspace), numbers[] = {SEARCHSCOPE_STOP, -1, 2, 1000000};

    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        struct plan plan = {0};
        searchscope_report *report = NULL;
        char *next;

        plan.stop_at = 10;
        plan.returns = numbers[n];
        CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, ALL, count, &plan, &report));
        CHECK(plan.n == 10);
        CHECK(says(report, "{\"complete\":false,\"stopped\":\"limit\",\"total\":10,"));
        next = with_cursor(ALL, report);
        CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, next, count, &plan, NULL));
        CHECK(plan.n == total);
        free(next);
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));

        report = NULL;
        plan.n = 0;
        CHECK_STATUS(SEARCHSCOPE_OK, find_each(workspace, FILES, count_files, &plan, &report));
        CHECK(plan.n == 10);
        CHECK(says(report, "\"stopped\":\"limit\",\"total\":10,"));
        next = with_cursor(FILES, report);
        CHECK_STATUS(SEARCHSCOPE_OK, find_each(workspace, next, count_files, &plan, NULL));
        CHECK(plan.n > 40);
        free(next);
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    }
    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, ALL, stop_at_once, NULL, NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static void *trigger(void *cancel)
{
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_trigger(cancel));
    return NULL;
}

static int cancel_from_a_thread(void *user_data, const searchscope_match *match)
{
    struct plan *plan = user_data;
    pthread_t thread;

    (void)match;
    if (++plan->n == 10) {
        CHECK(pthread_create(&thread, NULL, trigger, plan->cancel) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    return SEARCHSCOPE_CONTINUE;
}

static int cancel_files(void *user_data, const searchscope_found_file *file)
{
    (void)file;
    return cancel_from_a_thread(user_data, NULL);
}

/* Another thread cancels a running stream: no result follows. The token stays triggered. */
static void cancelling(void)
{
    searchscope_workspace *workspace = open_root();

    for (int is_find = 0; is_find < 2; is_find++) {
        struct plan plan = {0};

        plan.cancel = searchscope_cancel_new();
        for (int again = 0; again < 2; again++) {
            searchscope_report *report = NULL;
            searchscope_status status =
                is_find ? searchscope_find_each(workspace, REQUEST_WITH(FILES, plan.cancel),
                                                cancel_files, &plan, &report)
                        : searchscope_search_each(workspace, REQUEST_WITH(ALL, plan.cancel),
                                                  cancel_from_a_thread, &plan, &report);

            CHECK_STATUS(SEARCHSCOPE_CANCELLED, status);
            check_failure(report, SEARCHSCOPE_CANCELLED, "cancelled", "");
            CHECK(plan.n == 10);
        }
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(plan.cancel));
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

enum { DEPTH_MAX = 3 };

/* Makes every kind of call from inside a stream, including nested streams. */
static int use_the_library(void *user_data, const searchscope_match *match)
{
    struct plan *plan = user_data, inner = {0};
    searchscope_workspace *other = NULL;
    searchscope_report *report = NULL;
    char line[64];

    snprintf(line, sizeof line, "%.*s", (int)match->text.len, match->text.bytes);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(&report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(call(plan->workspace, "find", FILES)));
    CHECK_STATUS(SEARCHSCOPE_OK, find_each(plan->workspace, FILES, count_files, &inner, NULL));
    CHECK(inner.n > 40);
    report = NULL;
    CHECK_STATUS(SEARCHSCOPE_INVALID_PARAM, search_each(plan->workspace, "{}", count, &inner, &report));
    check_failure(report, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "");
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &other, NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(other));
    if (plan->line < DEPTH_MAX) {
        inner.n = 0;
        inner.line = plan->line + 1;
        inner.stop_at = 2;
        inner.workspace = plan->workspace;
        CHECK_STATUS(SEARCHSCOPE_OK,
                     search_each(plan->workspace, ALL, use_the_library, &inner, NULL));
        CHECK(inner.n == 2);
    }
    /* None of this changes the match that the callback received. */
    CHECK(strncmp(line, match->text.bytes, match->text.len < 63 ? match->text.len : 63) == 0);
    return ++plan->n == plan->stop_at ? SEARCHSCOPE_STOP : SEARCHSCOPE_CONTINUE;
}

static void nesting(void)
{
    struct plan plan = {0};

    plan.workspace = open_root();
    plan.stop_at = 2;
    CHECK_STATUS(SEARCHSCOPE_OK, search_each(plan.workspace, ALL, use_the_library, &plan, NULL));
    CHECK(plan.n == 2);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(plan.workspace));
}

static int free_everything(void *user_data, const searchscope_match *match)
{
    struct plan *plan = user_data;

    (void)match;
    CHECK_STATUS(plan->n == 0 ? SEARCHSCOPE_OK : SEARCHSCOPE_BAD_HANDLE,
                 searchscope_workspace_free(plan->workspace));
    CHECK_STATUS(plan->n == 0 ? SEARCHSCOPE_OK : SEARCHSCOPE_BAD_HANDLE,
                 searchscope_cancel_free(plan->cancel));
    plan->n++;
    return SEARCHSCOPE_CONTINUE;
}

static int free_everything_of_files(void *user_data, const searchscope_found_file *file)
{
    (void)file;
    return free_everything(user_data, NULL);
}

/* A stream runs to its end even if its workspace and its token are freed in the middle. */
static void freeing(void)
{
    searchscope_workspace *other = open_root();
    int total = n_matches(other);

    for (int is_find = 0; is_find < 2; is_find++) {
        struct plan plan = {0};
        searchscope_report *report = NULL;
        searchscope_status status;

        plan.workspace = open_root();
        plan.cancel = searchscope_cancel_new();
        status = is_find ? searchscope_find_each(plan.workspace, REQUEST_WITH(FILES, plan.cancel),
                                                 free_everything_of_files, &plan, &report)
                         : searchscope_search_each(plan.workspace, REQUEST_WITH(ALL, plan.cancel),
                                                   free_everything, &plan, &report);
        CHECK_STATUS(SEARCHSCOPE_OK, status);
        CHECK(is_find ? plan.n > 40 : plan.n == total);
        CHECK(says(report, "{\"complete\":true,"));
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE,
                     search_each(plan.workspace, ALL, count, &plan, NULL));
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(other));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    start();
    root = argv[1];
    stopping();
    cancelling();
    nesting();
    freeing();
    CHECK(searchscope_test_live_handles() == 0);
    return finish();
}
