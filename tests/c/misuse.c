/*
 * Handles that were freed, have another type or never were handles: the library refuses each,
 * without any other effect. Usage: misuse ROOT
 */
#define _DEFAULT_SOURCE /* usleep */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

static searchscope_error *new_error(void)
{
    searchscope_error *error = NULL;
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_tools(NULL, &error));
    return error;
}

static searchscope_reply *new_reply(void)
{
    searchscope_reply *reply = NULL;
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(&reply, NULL));
    return reply;
}

static void free_takes_null(void)
{
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_reply_free(NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_error_free(NULL));
}

static void accessors_of_nothing(const searchscope_reply *reply, const searchscope_error *error,
                                 int status)
{
    CHECK(searchscope_reply_bytes(reply) == NULL);
    CHECK(searchscope_reply_len(reply) == 0);
    CHECK_STATUS(status, searchscope_error_status(error));
    CHECK(searchscope_error_code(error) == NULL);
    CHECK(searchscope_error_message(error) == NULL);
    CHECK(searchscope_error_detail(error) == NULL);
}

/* Calls with a bad workspace and with a bad token; good ones are used in between. */
static void calls(const char *root, searchscope_workspace *bad, searchscope_cancel *bad_cancel)
{
    searchscope_workspace *good = NULL;
    searchscope_reply *reply = UNTOUCHED(searchscope_reply);
    searchscope_workspace *edited = UNTOUCHED(searchscope_workspace);
    searchscope_error *error = NULL;

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &good, NULL));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE,
                 searchscope_call(bad, "search_in_files", "{}", 2, NULL, &reply, &error));
    CHECK(same_text(searchscope_error_code(error), "bad_handle"));
    CHECK(strstr(searchscope_error_detail(error), "\"param\":\"workspace\"") != NULL);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_error_free(error));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE,
                 searchscope_call(good, "search_in_files", "{}", 2, bad_cancel, &reply, &error));
    CHECK(strstr(searchscope_error_detail(error), "\"param\":\"cancel\"") != NULL);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_error_free(error));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_warm(bad, NULL, &reply, NULL));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_warm(good, bad_cancel, &reply, NULL));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_index_status(bad, &reply, NULL));
    CHECK(reply == UNTOUCHED(searchscope_reply));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_workspace_with_overlay(bad, "{}", 2, &edited, NULL));
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_workspace_with_overlay(good, NULL, 2, &edited, NULL));
    CHECK(edited == UNTOUCHED(searchscope_workspace));
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_workspace_with_overlay(good, "{}", 2, NULL, NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(good));
}

static void freed_twice(const char *root)
{
    searchscope_workspace *workspace = NULL;
    searchscope_cancel *cancel = searchscope_cancel_new();
    searchscope_reply *reply = new_reply();
    searchscope_error *error = new_error();

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &workspace, NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_reply_free(reply));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_error_free(error));
    for (int n = 0; n < 2; n++) {
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_workspace_free(workspace));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_cancel_free(cancel));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_reply_free(reply));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_error_free(error));
        CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_cancel_trigger(cancel));
        accessors_of_nothing(reply, error, SEARCHSCOPE_BAD_HANDLE);
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
        accessors_of_nothing(strangers[n], strangers[n], SEARCHSCOPE_BAD_HANDLE);
        calls(root, strangers[n], strangers[n]);
    }
    free(heap);
}

static void wrong_type(void)
{
    void *reply = new_reply(), *error = new_error(), *cancel = searchscope_cancel_new();

    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_reply_free(error));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_error_free(cancel));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_cancel_free(reply));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_workspace_free(reply));
    accessors_of_nothing(error, reply, SEARCHSCOPE_BAD_HANDLE);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_reply_free(reply));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_error_free(error));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
}

static void *call_until_freed(void *workspace)
{
    const char *args = "{\"query\":\"needle\"}";
    searchscope_reply *reply = NULL;
    searchscope_status status;

    while ((status = searchscope_call(workspace, "search_in_files", args, strlen(args), NULL,
                                      &reply, NULL)) == SEARCHSCOPE_OK)
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_reply_free(reply));
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
    accessors_of_nothing(NULL, NULL, SEARCHSCOPE_NULL_ARGUMENT);
    freed_twice(argv[1]);
    foreign(argv[1]);
    wrong_type();
    freed_during_calls(argv[1]);
    return finish();
}
