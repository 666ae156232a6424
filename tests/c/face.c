/*
 * Uses every function of the header correctly and incorrectly. Usage: face ROOT, where ROOT
 * contains
 *   a.txt      "one needle\nnothing here\n"
 *   b/c.txt    "nothing\r\nneedle, again\r\n"
 *   plain.txt  "hay\n"
 */
#include "check.h"
#ifdef TEST_HOOKS
#include "hooks.h"
#endif

#include <pthread.h>

#define QUERY "{\"query\":\"needle\"}"
#define N_THREADS 4
#define N_CALLS 8

static const char EXPECTED[] =
    "{\"matches\":["
    "{\"file_path\":\"a.txt\",\"line_number\":1,\"line_content\":\"one needle\"},"
    "{\"file_path\":\"b/c.txt\",\"line_number\":2,\"line_content\":\"needle, again\"}],"
    "\"total_matches\":2,\"files_searched\":3,\"timed_out\":false}";

static searchscope_workspace *open_root(const char *root)
{
    searchscope_workspace *workspace = NULL;
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &workspace, NULL));
    CHECK(workspace != NULL);
    return workspace;
}

static void versions(void)
{
    CHECK(SEARCHSCOPE_ABI_VERSION == 1000);
    CHECK(SEARCHSCOPE_ABI_VERSION == SEARCHSCOPE_ABI_MAJOR * 1000 + SEARCHSCOPE_ABI_MINOR);
    CHECK(searchscope_abi_version() == SEARCHSCOPE_ABI_VERSION);
    CHECK(SEARCHSCOPE_NUL_TERMINATED == SIZE_MAX);
    CHECK(sizeof(searchscope_status) == sizeof(int));
    CHECK(same_text(searchscope_version(), EXPECTED_VERSION));
}

static void check_open(searchscope_status status, const char *code, const char *part,
                       const char *root, const char *options)
{
    searchscope_workspace *workspace = UNTOUCHED(searchscope_workspace);
    searchscope_report *report = NULL;

    CHECK_STATUS(status, searchscope_workspace_open(root, options, &workspace, &report));
    CHECK(workspace == UNTOUCHED(searchscope_workspace));
    check_failure(report, status, code, part);
    CHECK_STATUS(status, searchscope_workspace_open(root, options, &workspace, NULL));
}

static void opening(const char *root)
{
    char missing[4096], file[4096];
    searchscope_workspace *workspace = NULL;
    searchscope_report *report = UNTOUCHED(searchscope_report);

    snprintf(missing, sizeof missing, "%s/no such directory", root);
    snprintf(file, sizeof file, "%s/a.txt", root);
    check_open(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"param\":\"root\"", NULL, NULL);
    check_open(SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"param\":\"root\"", "a\xff", NULL);
    check_open(SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "options_json", root, "{\"\xc3\"");
    check_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", root, "{");
    check_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", root, "[]");
    check_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "colour", root, "{\"colour\":1}");
    check_open(SEARCHSCOPE_NOT_FOUND, "not_found", "", missing, NULL);
    check_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", file, NULL);
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_workspace_open(root, NULL, NULL, NULL));

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, "{}", &workspace, &report));
    CHECK(report == UNTOUCHED(searchscope_report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static void check_call(searchscope_status status, const char *code, const char *part,
                       const searchscope_workspace *workspace, const char *tool, const char *args)
{
    searchscope_report *report = NULL;

    CHECK_STATUS(status, searchscope_call(workspace, tool, REQUEST(args), &report));
    check_failure(report, status, code, part);
    CHECK_STATUS(status, searchscope_call(workspace, tool, REQUEST(args), NULL));
}

static void calls_as_text(const char *root)
{
    searchscope_workspace *workspace = open_root(root);
    searchscope_report *report = NULL;
    const char *tool = "search_in_files";
    const char *bytes;

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_call_text(workspace, tool, REQUEST(QUERY), &report));
    bytes = searchscope_report_bytes(report);
    CHECK(strstr(bytes, "[complete: true; total_matches: ") != NULL);
    CHECK(strlen(bytes) == searchscope_report_len(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    CHECK_STATUS(SEARCHSCOPE_INVALID_PARAM,
                 searchscope_call_text(workspace, tool, REQUEST("{}"), &report));
    check_failure(report, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "query");
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static void bad_calls(const char *root)
{
    searchscope_workspace *workspace = open_root(root);
    const char *tool = "search_in_files";

    check_call(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"param\":\"workspace\"", NULL, tool,
               QUERY);
    check_call(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"param\":\"tool\"", workspace, NULL,
               QUERY);
    check_call(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"param\":\"args\"", workspace, tool,
               NULL);
    check_call(SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"param\":\"tool\"", workspace, "\x80",
               QUERY);
    check_call(SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"param\":\"args\"", workspace, tool,
               "{\"query\":\"\xf0\x9f\"}");
    check_call(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "no_such_tool", workspace,
               "no_such_tool", QUERY);
    check_call(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, "");
    check_call(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, "{\"query\":");
    check_call(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "query", workspace, tool, "{}");
    check_call(SEARCHSCOPE_PATTERN_SYNTAX, "pattern_syntax", "\"span\":{\"start\":", workspace, tool,
               "{\"query\":\"a(\",\"use_regex\":true}");
    check_call(SEARCHSCOPE_NOT_FOUND, "not_found", "PATH_NOT_FOUND", workspace, tool,
               "{\"query\":\"a\",\"path\":\"no/such\"}");
    check_call(SEARCHSCOPE_ACCESS_DENIED, "access_denied", "", workspace, tool,
               "{\"query\":\"a\",\"path\":\"../..\"}");
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* Calls and compares; the arguments have a length and no terminating NUL. */
static void search(const searchscope_workspace *workspace, const searchscope_cancel *cancel)
{
    char args[sizeof QUERY - 1];
    searchscope_request request = {sizeof request, args, sizeof args, cancel};
    searchscope_report *report = NULL;
    const char *bytes;

    memcpy(args, QUERY, sizeof args);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_call(workspace, "search_in_files", &request, &report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_status(report));
    CHECK(same_text(searchscope_report_code(report), "ok"));
    CHECK(same_text(searchscope_report_message(report), ""));
    bytes = searchscope_report_bytes(report);
    CHECK(same_text(bytes, EXPECTED));
    CHECK(searchscope_report_len(report) == strlen(EXPECTED));
    CHECK(searchscope_report_bytes(report) == bytes);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
}

static void replies(const char *root)
{
    searchscope_workspace *workspace = open_root(root);
    searchscope_cancel *cancel = searchscope_cancel_new();
    searchscope_report *tools = NULL, *report = NULL;

    search(workspace, NULL);
    search(workspace, cancel);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(&tools));
    CHECK(searchscope_report_len(tools) > 2);
    CHECK(searchscope_report_bytes(tools) != NULL);
    if (searchscope_report_bytes(tools) != NULL) {
        CHECK(searchscope_report_bytes(tools)[0] == '[');
        CHECK(strlen(searchscope_report_bytes(tools)) == searchscope_report_len(tools));
        CHECK(strstr(searchscope_report_bytes(tools), "\"name\":\"search_in_files\"") != NULL);
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(tools));

    /* A report outlives its workspace. */
    CHECK_STATUS(SEARCHSCOPE_OK,
                 searchscope_call(workspace, "search_in_files", REQUEST(QUERY), &report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    CHECK(same_text(searchscope_report_bytes(report), EXPECTED));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
}

static void *trigger(void *cancel)
{
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_trigger(cancel));
    return NULL;
}

static void cancelling(const char *root)
{
    searchscope_workspace *workspace = open_root(root);
    searchscope_cancel *cancel = searchscope_cancel_new();
    searchscope_report *report = NULL;
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, trigger, cancel) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_STATUS(SEARCHSCOPE_CANCELLED,
                 searchscope_call(workspace, "search_in_files", REQUEST_WITH(QUERY, cancel), &report));
    check_failure(report, SEARCHSCOPE_CANCELLED, "cancelled", "");
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_trigger(cancel));
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_cancel_trigger(NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static void *search_often(void *workspace)
{
    for (int n = 0; n < N_CALLS; n++)
        search(workspace, NULL);
    return NULL;
}

static void sharing(const char *root)
{
    searchscope_workspace *workspace = open_root(root);
    pthread_t threads[N_THREADS];

    for (int n = 0; n < N_THREADS; n++)
        CHECK(pthread_create(&threads[n], NULL, search_often, workspace) == 0);
    for (int n = 0; n < N_THREADS; n++)
        CHECK(pthread_join(threads[n], NULL) == 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* An overlay of unsaved texts, which outlives its workspace. */
static void unsaved(const char *root)
{
    const char *overlay = "{\"unsaved/new.txt\": \"an unsaved text\\n\"}";
    const char *query = "{\"query\": \"an unsaved text\"}";
    const char *bad[] = {"", "[]", "{", "{\"a\": 1}", "{\"../a\": \"\"}", "{\"a\": \"\", \"a\": \"\"}"};
    searchscope_workspace *workspace = NULL, *edited = NULL;
    searchscope_report *report = NULL;
    size_t n;

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &workspace, NULL));
    for (n = 0; n < sizeof bad / sizeof *bad; n++) {
        searchscope_status status =
            searchscope_workspace_with_overlay(workspace, bad[n], &edited, &report);
        CHECK(status == SEARCHSCOPE_INVALID_PARAM || status == SEARCHSCOPE_ACCESS_DENIED);
        CHECK(edited == NULL && strstr(searchscope_report_bytes(report), "\"param\":\"overlay\"") != NULL);
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    }
    report = UNTOUCHED(searchscope_report);
    CHECK_STATUS(SEARCHSCOPE_OK,
                 searchscope_workspace_with_overlay(workspace, overlay, &edited, &report));
    CHECK(report == UNTOUCHED(searchscope_report));
    CHECK_STATUS(SEARCHSCOPE_OK,
                 searchscope_call(workspace, "search_in_files", REQUEST(query), &report));
    CHECK(strstr(searchscope_report_bytes(report), "unsaved/new.txt") == NULL);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_call(edited, "search_in_files", REQUEST(query), &report));
    CHECK(strstr(searchscope_report_bytes(report), "unsaved/new.txt") != NULL);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(edited));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    start();
    versions();
    opening(argv[1]);
    calls_as_text(argv[1]);
    bad_calls(argv[1]);
    replies(argv[1]);
    cancelling(argv[1]);
    sharing(argv[1]);
    unsaved(argv[1]);
#ifdef TEST_HOOKS
    CHECK(searchscope_test_live_handles() == 0);
#endif
    return finish();
}
