/*
 * A panic inside the library becomes a status, and everything stays usable.
 * Usage: panic ROOT; needs a library with the feature test-hooks.
 */
#include "calls.h"
#include "check.h"
#include "hooks.h"

#include <pthread.h>

static void panic_once(int worse)
{
    searchscope_report *report = NULL;

    CHECK_STATUS(SEARCHSCOPE_PANIC, searchscope_test_panic(worse, NULL));
    CHECK_STATUS(SEARCHSCOPE_PANIC, searchscope_test_panic(worse, &report));
    check_failure(report, SEARCHSCOPE_PANIC, "panic", "");
}

static void *panic_often(void *unused)
{
    (void)unused;
    for (int n = 0; n < 8; n++)
        panic_once(n % 2);
    return NULL;
}

struct seen {
    int n;
    searchscope_workspace *nested_in;
};

static int count(void *user_data, const searchscope_match *match)
{
    struct seen *seen = user_data;

    (void)match;
    seen->n++;
    if (seen->nested_in != NULL) {
        struct seen inner = {0};
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_test_panic_after(0));
        CHECK_STATUS(SEARCHSCOPE_PANIC, search_each(seen->nested_in, ALL, count, &inner, NULL));
        CHECK(inner.n == 0);
    }
    return SEARCHSCOPE_CONTINUE;
}

static int count_files(void *user_data, const searchscope_found_file *file)
{
    (void)file;
    ++*(int *)user_data;
    return SEARCHSCOPE_CONTINUE;
}

/* A panic in the middle of a stream ends it, and the next stream is complete. */
static void panic_in_a_stream(searchscope_workspace *workspace)
{
    searchscope_report *report = NULL;
    struct seen seen = {0};
    int n_files = 0;

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_test_panic_after(1));
    CHECK_STATUS(SEARCHSCOPE_PANIC, search_each(workspace, ALL, count, &seen, &report));
    CHECK(seen.n == 1);
    check_failure(report, SEARCHSCOPE_PANIC, "panic", "");
    seen.n = 0;
    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, ALL, count, &seen, NULL));
    CHECK(seen.n == 2);

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_test_panic_after(1));
    CHECK_STATUS(SEARCHSCOPE_PANIC, find_each(workspace, FILES, count_files, &n_files, NULL));
    CHECK(n_files == 1);
    n_files = 0;
    CHECK_STATUS(SEARCHSCOPE_OK, find_each(workspace, FILES, count_files, &n_files, NULL));
    CHECK(n_files == 3);

    /* A panic in a stream inside a callback does not affect the outer stream. */
    seen.n = 0;
    seen.nested_in = workspace;
    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, ALL, count, &seen, NULL));
    CHECK(seen.n == 2);
}

static void *panic_in_streams(void *workspace)
{
    for (int n = 0; n < 4; n++)
        panic_in_a_stream(workspace);
    return NULL;
}

int main(int argc, char **argv)
{
    searchscope_workspace *workspace = NULL;
    searchscope_report *report = NULL;
    pthread_t thread;

    if (argc != 2)
        return 2;
    start();
    CHECK(searchscope_test_live_handles() == 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(argv[1], NULL, &workspace, NULL));
    CHECK(pthread_create(&thread, NULL, panic_often, NULL) == 0);
    panic_often(NULL);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_create(&thread, NULL, panic_in_streams, workspace) == 0);
    panic_in_streams(workspace);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(&report));
    CHECK(searchscope_test_live_handles() == 2);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    CHECK(searchscope_test_live_handles() == 0);
    return finish();
}
