/*
 * Handles that were freed, have another type or never were handles: the library refuses each,
 * without any other effect. Usage: misuse ROOT
 */
#define _DEFAULT_SOURCE /* usleep */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

static searchscope_report *new_report(void)
{
    searchscope_report *report = NULL;
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(&report));
    return report;
}

static void free_takes_null(void)
{
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(NULL));
}

/* The texts that a program prints are never NULL. */
static void accessors_of_nothing(const searchscope_report *report, searchscope_status status,
                                 const char *code)
{
    CHECK(searchscope_report_bytes(report) == NULL);
    CHECK(searchscope_report_len(report) == 0);
    CHECK_STATUS(status, searchscope_report_status(report));
    CHECK(same_text(searchscope_report_code(report), code));
    CHECK(strstr(searchscope_report_message(report), "there is no report") != NULL);
}

/* Calls with a bad workspace and with a bad token; good ones are used in between. */
static void calls(const char *root, searchscope_workspace *bad, searchscope_cancel *bad_cancel)
{
    searchscope_workspace *good = NULL;
    searchscope_workspace *edited = UNTOUCHED(searchscope_workspace);
    searchscope_report *report = NULL;

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &good, NULL));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE,
                 searchscope_call(bad, "search_in_files", REQUEST("{}"), &report));
    check_failure(report, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "\"param\":\"workspace\"");
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE,
                 searchscope_call(good, "search_in_files", REQUEST_WITH("{}", bad_cancel), &report));
    check_failure(report, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "\"param\":\"cancel\"");
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_warm(bad, NULL, NULL));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_warm(good, bad_cancel, NULL));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_index_status(bad, NULL));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_workspace_with_overlay(bad, "{}", &edited, NULL));
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT,
                 searchscope_workspace_with_overlay(good, NULL, &edited, NULL));
    CHECK(edited == UNTOUCHED(searchscope_workspace));
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_workspace_with_overlay(good, "{}", NULL, NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(good));
}

static void freed_twice(const char *root)
{
    searchscope_workspace *workspace = NULL;
    searchscope_cancel *cancel = searchscope_cancel_new();
    searchscope_report *report = new_report();

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &workspace, NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    for (int n = 0; n < 2; n++) {
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_workspace_free(workspace));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_cancel_free(cancel));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_report_free(report));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_cancel_trigger(cancel));
        accessors_of_nothing(report, SEARCHSCOPE_BAD_HANDLE, "bad_handle");
        calls(root, workspace, cancel);
    }
}

static void foreign(const char *root)
{
    char here = 'x';
    void *heap = malloc(64);
    void *strangers[] = {heap, &here, &failures, (void *)1, (void *)UINTPTR_MAX};

    for (size_t n = 0; n < sizeof strangers / sizeof *strangers; n++) {
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_workspace_free(strangers[n]));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_cancel_free(strangers[n]));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_cancel_trigger(strangers[n]));
        accessors_of_nothing(strangers[n], SEARCHSCOPE_BAD_HANDLE, "bad_handle");
        calls(root, strangers[n], strangers[n]);
    }
    free(heap);
}

static void wrong_type(void)
{
    void *report = new_report(), *cancel = searchscope_cancel_new();

    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_report_free(cancel));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_cancel_free(report));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_workspace_free(report));
    accessors_of_nothing(cancel, SEARCHSCOPE_BAD_HANDLE, "bad_handle");
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
}

static void *call_until_freed(void *workspace)
{
    searchscope_request request = SEARCHSCOPE_REQUEST("{\"query\":\"needle\"}");
    searchscope_report *report = NULL;
    searchscope_status status;

    do {
        status = searchscope_call(workspace, "search_in_files", &request, &report);
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    } while (status == SEARCHSCOPE_OK);
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, status);
    return NULL;
}

/* Calls that run while their workspace is freed end normally; later ones are refused. */
static void freed_during_calls(const char *root)
{
    searchscope_workspace *workspace = NULL;
    pthread_t threads[3];

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &workspace, NULL));
    for (int n = 0; n < 3; n++)
        CHECK(pthread_create(&threads[n], NULL, call_until_freed, workspace) == 0);
    usleep(30000);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    for (int n = 0; n < 3; n++)
        CHECK(pthread_join(threads[n], NULL) == 0);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    start();
    free_takes_null();
    accessors_of_nothing(NULL, SEARCHSCOPE_NULL_ARGUMENT, "null_argument");
    freed_twice(argv[1]);
    foreign(argv[1]);
    wrong_type();
    freed_during_calls(argv[1]);
    return finish();
}
