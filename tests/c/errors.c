/*
 * Provokes every status of the header, and calls every function with NULL, with text that is not
 * UTF-8 and with wrong JSON. Usage: errors ROOT, where ROOT is the tree `rich` of fixtures.rs;
 * needs a library with the feature test-hooks.
 *
 * No program can provoke two statuses, so a hook returns them: SEARCHSCOPE_UNSUPPORTED comes only
 * from a build without parsers, SEARCHSCOPE_INTERNAL only from a defect, as does SEARCHSCOPE_PANIC:
 * see panic.c.
 */
#include "calls.h"
#include "check.h"
#include "hooks.h"

#include <stdlib.h>

/* The ways to call a function: as a tool, or as a stream. */
enum { CALL, SEARCH_EACH, FIND_EACH, N_WAYS };

static int stop(void *user_data, const searchscope_match *match)
{
    (void)user_data;
    (void)match;
    return SEARCHSCOPE_STOP;
}

static int stop_files(void *user_data, const searchscope_found_file *file)
{
    (void)user_data;
    (void)file;
    return SEARCHSCOPE_STOP;
}

static searchscope_status call_by(int way, const searchscope_workspace *workspace, const char *tool,
                                  const searchscope_request *request, searchscope_report **out_report)
{
    if (way == SEARCH_EACH)
        return searchscope_search_each(workspace, request, stop, NULL, out_report);
    if (way == FIND_EACH)
        return searchscope_find_each(workspace, request, stop_files, NULL, out_report);
    return searchscope_call(workspace, tool, request, out_report);
}

/* Makes a call that fails, with and without a place for the report. */
static void fails(int way, searchscope_status status, const char *code, const char *part,
                  const searchscope_workspace *workspace, const char *tool,
                  const searchscope_request *request)
{
    searchscope_report *report = NULL;

    CHECK_STATUS(status, call_by(way, workspace, tool, request, &report));
    check_failure(report, status, code, part);
    CHECK_STATUS(status, call_by(way, workspace, tool, request, NULL));
}

/* A request whose arguments have a length. */
static searchscope_request with_len(const char *args, size_t len)
{
    searchscope_request request = SEARCHSCOPE_REQUEST(args);

    request.args_len = len;
    return request;
}

static searchscope_request with_size(size_t size)
{
    searchscope_request request = SEARCHSCOPE_REQUEST("{}");

    request.struct_size = size;
    return request;
}

/* Requests that are wrong whatever the tool is: absent, of another version, or of a wrong length. */
static void bad_requests(int way, const searchscope_workspace *workspace, const char *tool)
{
    static const size_t small[] = {0, 1, sizeof(size_t), sizeof(searchscope_request) - 1};
    static const size_t large[] = {sizeof(searchscope_request) + 1, SIZE_MAX};
    searchscope_request request;

    fails(way, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"request\"", workspace, tool, NULL);
    for (size_t n = 0; n < sizeof small / sizeof *small; n++) {
        request = with_size(small[n]);
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "\"request\"", workspace, tool, &request);
    }
    for (size_t n = 0; n < sizeof large / sizeof *large; n++) {
        request = with_size(large[n]);
        fails(way, SEARCHSCOPE_UNSUPPORTED, "unsupported", "struct_size", workspace, tool, &request);
    }
    request = with_len("{}", SIZE_MAX - 1);
    fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "\"args\"", workspace, tool, &request);
    request = with_len(NULL, 2);
    fails(way, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"args\"", workspace, tool, &request);
    request = with_len(NULL, 0);
    fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, &request);
    request = with_len("\xc3\xa9", 1);
    fails(way, SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"args\"", workspace, tool, &request);
    request = with_len("{}", 1);
    fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, &request);
    request = with_len("{}\0", 3);
    fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, &request);
}

/* Mistakes in the call itself, in each of the three ways to make it. */
static void bad_calls(void)
{
    searchscope_workspace *workspace = open_root();
    searchscope_cancel *cancel = searchscope_cancel_new();
    const char *tools[N_WAYS] = {"find", "search", "find"};
    const char *wrong[N_WAYS] = {"{\"paths\":true}", "{\"patterns\":[\"a\"],\"paths\":true}",
                                 "{\"paths\":true}"};
    const char *good[N_WAYS] = {"{}", "{\"patterns\":[\"a\"]}", "{}"};

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
    for (int way = 0; way < N_WAYS; way++) {
        const char *tool = tools[way], *args = good[way];
        void *stranger = (void *)(uintptr_t)0x7003;

        bad_requests(way, workspace, tool);
        fails(way, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"workspace\"", NULL, tool,
              REQUEST(args));
        fails(way, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"args\"", workspace, tool,
              REQUEST(NULL));
        fails(way, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "\"workspace\"", stranger, tool,
              REQUEST(args));
        fails(way, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "\"cancel\"", workspace, tool,
              REQUEST_WITH(args, cancel));
        fails(way, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "\"workspace\"", (void *)cancel, tool,
              REQUEST(args));
        fails(way, SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"args\"", workspace, tool,
              REQUEST("{\"paths\":[\"\xff\"]}"));
        /* Wrong JSON: empty, with trailing text, not an object, an unknown name, a wrong type. */
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, REQUEST(""));
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, REQUEST("{}{}"));
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, REQUEST("[]"));
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "colour", workspace, tool,
              REQUEST("{\"colour\":1}"));
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "paths", workspace, tool,
              REQUEST(wrong[way]));
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* Mistakes that only one of the ways allows. */
static void bad_calls_of_one_kind(void)
{
    searchscope_workspace *workspace = open_root();
    searchscope_report *report = NULL;

    fails(CALL, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"tool\"", workspace, NULL, REQUEST("{}"));
    fails(CALL, SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"tool\"", workspace, "fi\xffnd",
          REQUEST("{}"));
    fails(CALL, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "\"tool\"", workspace, "fnid",
          REQUEST("{}"));
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT,
                 search_each(workspace, "{\"patterns\":[\"a\"]}", NULL, NULL, &report));
    check_failure(report, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"on_match\"");
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, find_each(workspace, "{}", NULL, NULL, &report));
    check_failure(report, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"on_file\"");
    /* Without a place for the report, the status is all that a function returns. */
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_call(workspace, "find", REQUEST("{}"), NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_call_text(workspace, "find", REQUEST("{}"), NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(NULL));
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_cancel_trigger(NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static void bad_open(searchscope_status status, const char *code, const char *part, const char *path,
                     const char *options)
{
    searchscope_workspace *workspace = UNTOUCHED(searchscope_workspace);
    searchscope_report *report = NULL;

    CHECK_STATUS(status, searchscope_workspace_open(path, options, &workspace, &report));
    CHECK(workspace == UNTOUCHED(searchscope_workspace));
    check_failure(report, status, code, part);
    CHECK_STATUS(status, searchscope_workspace_open(path, options, &workspace, NULL));
}

/* Every option, correct and incorrect, and a link to itself, which the system refuses to open. */
static void opening(void)
{
    searchscope_workspace *workspace = NULL;
    searchscope_report *report = NULL;
    char loop[4096];

    bad_open(SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"root\"", NULL, NULL);
    bad_open(SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"root\"", "\xff", NULL);
    bad_open(SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"options_json\"", root, "{\"\xff\":1}");
    bad_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", root, "{\"threads\":");
    bad_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "threads", root, "{\"threads\":0}");
    bad_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "deny", root, "{\"deny\":\"a\"}");
    bad_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "output_dir", root,
             "{\"output_dir\":\"not there\"}");
    bad_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "docs_root", root,
             "{\"docs_root\":\"not there\"}");
    bad_open(SEARCHSCOPE_INVALID_PARAM, "invalid_param", "reply_bytes_max", root,
             "{\"reply_bytes_max\":1}");
    bad_open(SEARCHSCOPE_NOT_FOUND, "not_found", "", "/no/such/directory", NULL);
    snprintf(loop, sizeof loop, "%s/../loop", root);
    bad_open(SEARCHSCOPE_IO, "io", "symlink", loop, NULL);
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_workspace_open(root, NULL, NULL, &report));
    check_failure(report, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"out_workspace\"");

    CHECK_STATUS(SEARCHSCOPE_OK,
                 searchscope_workspace_open(
                     root,
                     "{\"threads\":2,\"deny\":[\"many/\"],\"require_git\":true,\"output_dir\":\"docs\","
                     "\"reply_bytes_max\":65536,\"docs_root\":\"docs\",\"excludes\":[\"x.md\"]}",
                     &workspace, NULL));
    fails(CALL, SEARCHSCOPE_ACCESS_DENIED, "access_denied", "", workspace, "find",
          REQUEST("{\"paths\":[\"many\"]}"));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* Gets the cursor after the first result. */
static void cursor(const searchscope_workspace *workspace, const char *args, char *next, size_t room)
{
    searchscope_report *reply = call(workspace, "search", args);
    const char *at = strstr(searchscope_report_bytes(reply), "\"cursor\":\"");

    CHECK(at != NULL);
    if (at != NULL) {
        at += strlen("\"cursor\":\"");
        snprintf(next, room, "%.*s,\"deadline_ms\":1,\"cursor\":\"%.*s\"}", (int)strlen(args) - 1,
                 args, (int)strcspn(at, "\""), at);
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(reply));
}

/* The statuses that the engine returns, in the three ways to call it. */
static void every_status_of_the_engine(void)
{
    searchscope_workspace *workspace = open_root();
    searchscope_cancel *cancel = searchscope_cancel_new();
    /* Compiling this takes longer than the time limit of one millisecond. */
    const char *slow = "{\"patterns\":[\"needle|\\\\w{30}\"],\"matches_max\":1}";
    const char *large = "{\"patterns\":[\"needle\"],\"paths\":[\"long.txt\"],"
                        "\"line_bytes_max\":8000,\"output_bytes_max\":1024}";
    char late[4096] = "";

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_trigger(cancel));
    cursor(workspace, slow, late, sizeof late);
    for (int way = 0; way < N_WAYS; way++) {
        const char *tool = "search";
        const char *none = "{\"patterns\":[\"a\"],\"paths\":[\"no such\"]}";
        const char *outside = "{\"patterns\":[\"a\"],\"paths\":[\"../..\"]}";
        const char *syntax = "{\"patterns\":[\"a(\"]}";

        if (way == FIND_EACH) {
            none = "{\"paths\":[\"no such\"]}";
            outside = "{\"paths\":[\"../..\"]}";
            syntax = "{\"name_pattern\":\"a(\"}";
        }
        fails(way, SEARCHSCOPE_PATTERN_SYNTAX, "pattern_syntax", "\"span\":{\"start\":", workspace,
              tool, REQUEST(syntax));
        fails(way, SEARCHSCOPE_NOT_FOUND, "not_found", "no such", workspace, tool, REQUEST(none));
        fails(way, SEARCHSCOPE_ACCESS_DENIED, "access_denied", "", workspace, tool,
              REQUEST(outside));
        if (way == FIND_EACH)
            continue;
        fails(way, SEARCHSCOPE_CANCELLED, "cancelled", "", workspace, tool,
              REQUEST_WITH(ALL, cancel));
        fails(way, SEARCHSCOPE_TIMEOUT, "timeout", "", workspace, tool, REQUEST(late));
        fails(way, SEARCHSCOPE_RESULT_TOO_LARGE, "result_too_large", "", workspace, tool,
              REQUEST(large));
    }
    fails(FIND_EACH, SEARCHSCOPE_CANCELLED, "cancelled", "", workspace, NULL,
          REQUEST_WITH(FILES, cancel));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_cancel_free(cancel));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static void statuses_of_hooks(void)
{
    static const struct {
        searchscope_status status;
        const char *code;
    } KINDS[] = {{SEARCHSCOPE_UNSUPPORTED, "unsupported"}, {SEARCHSCOPE_INTERNAL, "internal"}};

    for (size_t n = 0; n < sizeof KINDS / sizeof *KINDS; n++) {
        searchscope_report *report = NULL;

        CHECK_STATUS(KINDS[n].status, searchscope_test_fail((int)KINDS[n].status, &report));
        check_failure(report, KINDS[n].status, KINDS[n].code, "\"message\":\"requested\"");
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    start();
    root = argv[1];
    bad_calls();
    bad_calls_of_one_kind();
    opening();
    every_status_of_the_engine();
    statuses_of_hooks();
    CHECK(searchscope_test_live_handles() == 0);
    return finish();
}
