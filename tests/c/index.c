/*
 * The index: it is built on request, reports its state, and does not change replies. Usage: index
 * ROOT, where ROOT contains the tree that face.c describes.
 */
#include "check.h"

#include <pthread.h>

#define AUTO "{\"index\":\"auto\"}"
#define QUERY "{\"query\":\"needle\"}"
#define N_THREADS 4
#define N_ROUNDS 20

static const char EXPECTED[] =
    "{\"matches\":["
    "{\"file_path\":\"a.txt\",\"line_number\":1,\"line_content\":\"one needle\"},"
    "{\"file_path\":\"b/c.txt\",\"line_number\":2,\"line_content\":\"needle, again\"}],"
    "\"total_matches\":2,\"files_searched\":3,\"timed_out\":false}";

static const char OFF[] = "{\"state\":\"off\",\"directories\":0,\"files\":0,\"memory_bytes\":0,"
                          "\"left_out\":0,\"waiting\":0,\"not_watched\":null}";

static searchscope_workspace *open_root(const char *root, const char *options)
{
    searchscope_workspace *workspace = NULL;
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, options, &workspace, NULL));
    CHECK(workspace != NULL);
    return workspace;
}

/* Returns whether the reply contains the text. Frees the report. */
static int has(searchscope_report *report, const char *text)
{
    const char *bytes = searchscope_report_bytes(report);
    int found = bytes != NULL && strstr(bytes, text) != NULL;

    if (!found)
        fprintf(stderr, "%s\n", bytes == NULL ? "no reply" : bytes);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    return found;
}

static int status_has(const searchscope_workspace *workspace, const char *text)
{
    searchscope_report *report = NULL;
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_index_status(workspace, &report));
    return has(report, text);
}

static int reply_has(const searchscope_workspace *workspace, const char *text)
{
    searchscope_report *report = NULL;
    CHECK_STATUS(SEARCHSCOPE_OK,
                 searchscope_call(workspace, "search_in_files", REQUEST(QUERY), &report));
    return has(report, text);
}

static void check_param(searchscope_report *report, searchscope_status status, const char *code,
                        const char *param)
{
    char part[64];

    snprintf(part, sizeof part, "\"param\":\"%s\"", param);
    check_failure(report, status, code, part);
}

static void without_an_index(const char *root)
{
    const char *options[] = {NULL, "{}", "{\"index\":\"off\"}"};

    for (size_t n = 0; n < sizeof options / sizeof *options; n++) {
        searchscope_workspace *workspace = open_root(root, options[n]);
        searchscope_report *report = NULL;

        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_warm(workspace, NULL, &report));
        CHECK(has(report, OFF));
        CHECK(status_has(workspace, OFF));
        CHECK(reply_has(workspace, EXPECTED));
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    }
}

static void options(const char *root)
{
    const char *wrong[][2] = {
        {"{\"index\":\"on\"}", "index"},
        {"{\"index\":true}", "index"},
        {"{\"memory_bytes_max\":1048575}", "memory_bytes_max"},
        {"{\"memory_bytes_max\":\"1048576\"}", "memory_bytes_max"},
    };

    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        searchscope_workspace *workspace = UNTOUCHED(searchscope_workspace);
        searchscope_report *report = NULL;

        CHECK_STATUS(SEARCHSCOPE_INVALID_PARAM,
                     searchscope_workspace_open(root, wrong[n][0], &workspace, &report));
        CHECK(workspace == UNTOUCHED(searchscope_workspace));
        check_param(report, SEARCHSCOPE_INVALID_PARAM, "invalid_param", wrong[n][1]);
    }
    CHECK_STATUS(SEARCHSCOPE_OK,
                 searchscope_workspace_free(open_root(
                     root, "{\"index\":\"auto\",\"memory_bytes_max\":1048576}")));
}

static void warming(const char *root)
{
    searchscope_workspace *workspace = open_root(root, AUTO);
    searchscope_report *report = NULL;

    CHECK(status_has(workspace, "{\"state\":\"cold\","));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_warm(workspace, NULL, &report));
    CHECK(strlen(searchscope_report_bytes(report)) == searchscope_report_len(report));
#ifdef __linux__
    CHECK(has(report, "{\"state\":\"ready\","));
    CHECK(status_has(workspace, "{\"state\":\"ready\","));
#else
    CHECK(has(report, "{\"state\":\""));
#endif
    CHECK(reply_has(workspace, EXPECTED));
    /* Again, without a place for the state. */
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_warm(workspace, NULL, NULL));
    CHECK(reply_has(workspace, EXPECTED));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* Replaces the text of a file. */
static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    CHECK(file != NULL);
    if (file == NULL)
        return;
    CHECK(fputs(text, file) >= 0);
    CHECK(fclose(file) == 0);
}

/* A search sees every write that ended before the search began. */
static void edits(const char *root)
{
    searchscope_workspace *workspace = open_root(root, AUTO);
    char path[4096], text[64], expected[96];

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_warm(workspace, NULL, NULL));
    snprintf(path, sizeof path, "%s/b/edited.txt", root);
    for (int n = 0; n < N_ROUNDS; n++) {
        snprintf(text, sizeof text, "needle %d\n", n);
        snprintf(expected, sizeof expected, "\"line_content\":\"needle %d\"", n);
        put(path, text);
        CHECK(reply_has(workspace, expected));
        put(path, "nothing\n");
        CHECK(reply_has(workspace, "\"total_matches\":2,\"files_searched\":4"));
    }
    CHECK(remove(path) == 0);
    CHECK(reply_has(workspace, EXPECTED));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static void cancelling(const char *root)
{
    searchscope_workspace *workspace = open_root(root, AUTO);
    searchscope_cancel *cancel = searchscope_cancel_new();
    searchscope_report *report = NULL;

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_trigger(cancel));
    CHECK_STATUS(SEARCHSCOPE_CANCELLED, searchscope_warm(workspace, cancel, &report));
    check_failure(report, SEARCHSCOPE_CANCELLED, "cancelled", "");
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
    CHECK(reply_has(workspace, EXPECTED));
    cancel = searchscope_cancel_new();
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_warm(workspace, cancel, NULL));
    CHECK(reply_has(workspace, EXPECTED));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* Calls both functions with a workspace that they must refuse. */
static void refused(searchscope_status status, const char *code,
                    const searchscope_workspace *workspace)
{
    searchscope_report *report = NULL;

    CHECK_STATUS(status, searchscope_warm(workspace, NULL, &report));
    check_param(report, status, code, "workspace");
    CHECK_STATUS(status, searchscope_warm(workspace, NULL, NULL));
    CHECK_STATUS(status, searchscope_index_status(workspace, &report));
    check_param(report, status, code, "workspace");
    CHECK_STATUS(status, searchscope_index_status(workspace, NULL));
}

static void misuse(const char *root)
{
    searchscope_workspace *workspace = open_root(root, AUTO);
    searchscope_cancel *cancel = searchscope_cancel_new();
    searchscope_report *report = NULL;

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_index_status(workspace, NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
    CHECK_STATUS(SEARCHSCOPE_BAD_HANDLE, searchscope_warm(workspace, cancel, &report));
    check_param(report, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "cancel");
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    refused(SEARCHSCOPE_BAD_HANDLE, "bad_handle", workspace);
    refused(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", NULL);
}

static void *warm_and_search(void *workspace)
{
    for (int n = 0; n < N_ROUNDS; n++) {
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_warm(workspace, NULL, NULL));
        CHECK(reply_has(workspace, EXPECTED));
        CHECK(status_has(workspace, "\"left_out\":0,"));
    }
    return NULL;
}

static void threads(const char *root)
{
    searchscope_workspace *workspace = open_root(root, AUTO);
    pthread_t threads[N_THREADS];

    for (int n = 0; n < N_THREADS; n++)
        CHECK(pthread_create(&threads[n], NULL, warm_and_search, workspace) == 0);
    for (int n = 0; n < N_THREADS; n++)
        CHECK(pthread_join(threads[n], NULL) == 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    start();
    without_an_index(argv[1]);
    options(argv[1]);
    warming(argv[1]);
    edits(argv[1]);
    cancelling(argv[1]);
    misuse(argv[1]);
    threads(argv[1]);
    return finish();
}
