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

static int call_by(int way, const searchscope_workspace *workspace, const char *tool,
                   const char *args, size_t len, const searchscope_cancel *cancel,
                   searchscope_reply **out, searchscope_error **out_error)
{
    if (way == SEARCH_EACH)
        return searchscope_search_each(workspace, args, len, cancel, stop, NULL, out, out_error);
    if (way == FIND_EACH)
        return searchscope_find_each(workspace, args, len, cancel, stop_files, NULL, out, out_error);
    return searchscope_call(workspace, tool, args, len, cancel, out, out_error);
}

static void check_error(searchscope_error *error, int status, const char *code, const char *part)
{
    const char *detail = searchscope_error_detail(error);

    CHECK_STATUS(status, searchscope_error_status(error));
    CHECK(same_text(searchscope_error_code(error), code));
    if (detail == NULL || strstr(detail, part) == NULL) {
        fprintf(stderr, "%s is not in %s\n", part, detail == NULL ? "nothing" : detail);
        failures++;
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_error_free(error));
}

/* Makes a call that fails, with and without a place for the error. */
static void fails(int way, int status, const char *code, const char *part,
                  const searchscope_workspace *workspace, const char *tool, const char *args,
                  size_t len, const searchscope_cancel *cancel)
{
    searchscope_reply *reply = UNTOUCHED(searchscope_reply);
    searchscope_error *error = NULL;

    CHECK_STATUS(status, call_by(way, workspace, tool, args, len, cancel, &reply, &error));
    CHECK(reply == UNTOUCHED(searchscope_reply));
    check_error(error, status, code, part);
    CHECK_STATUS(status, call_by(way, workspace, tool, args, len, cancel, &reply, NULL));
    CHECK(reply == UNTOUCHED(searchscope_reply));
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
        size_t len = strlen(args);
        void *stranger = (void *)(uintptr_t)0x7003;

        fails(way, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"workspace\"", NULL, tool, args,
              len, NULL);
        fails(way, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"args\"", workspace, tool, NULL,
              len, NULL);
        fails(way, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "\"workspace\"", stranger, tool, args, len,
              NULL);
        fails(way, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "\"cancel\"", workspace, tool, args, len,
              cancel);
        fails(way, SEARCHSCOPE_BAD_HANDLE, "bad_handle", "\"workspace\"", (void *)cancel, tool, args,
              len, NULL);
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "\"args\"", workspace, tool, args,
              SIZE_MAX, NULL);
        fails(way, SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"args\"", workspace, tool,
              "{\"paths\":[\"\xff\"]}", 13, NULL);
        fails(way, SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"args\"", workspace, tool, "\xc3", 1,
              NULL);
        /* Wrong JSON: truncated, empty, with trailing text, not an object, an unknown name, a
         * wrong type. */
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, args, len - 1,
              NULL);
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, NULL, 0, NULL);
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, "{}{}", 4, NULL);
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "", workspace, tool, "[]", 2, NULL);
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "colour", workspace, tool,
              "{\"colour\":1}", 12, NULL);
        fails(way, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "paths", workspace, tool,
              wrong[way], strlen(wrong[way]), NULL);
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* Mistakes that only one of the ways allows. */
static void bad_calls_of_one_kind(void)
{
    searchscope_workspace *workspace = open_root();
    searchscope_reply *reply = UNTOUCHED(searchscope_reply);
    searchscope_error *error = NULL;

    fails(CALL, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"tool\"", workspace, NULL, "{}", 2,
          NULL);
    fails(CALL, SEARCHSCOPE_INVALID_UTF8, "invalid_utf8", "\"tool\"", workspace, "fi\xffnd", "{}", 2,
          NULL);
    fails(CALL, SEARCHSCOPE_INVALID_PARAM, "invalid_param", "\"tool\"", workspace, "fnid", "{}", 2,
          NULL);
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT,
                 searchscope_call(workspace, "find", "{}", 2, NULL, NULL, &error));
    check_error(error, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"out_reply\"");
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT,
                 searchscope_search_each(workspace, "{\"patterns\":[\"a\"]}", 18, NULL, NULL, NULL,
                                         &reply, &error));
    check_error(error, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"on_match\"");
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT,
                 searchscope_find_each(workspace, "{}", 2, NULL, NULL, NULL, &reply, &error));
    check_error(error, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"on_file\"");
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_tools(NULL, &error));
    check_error(error, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"out_reply\"");
    CHECK(reply == UNTOUCHED(searchscope_reply));
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_cancel_trigger(NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static void bad_open(int status, const char *code, const char *part, const char *path,
                     const char *options)
{
    searchscope_workspace *workspace = UNTOUCHED(searchscope_workspace);
    searchscope_error *error = NULL;

    CHECK_STATUS(status, searchscope_workspace_open(path, options, &workspace, &error));
    CHECK(workspace == UNTOUCHED(searchscope_workspace));
    check_error(error, status, code, part);
    CHECK_STATUS(status, searchscope_workspace_open(path, options, &workspace, NULL));
}

/* Every option, correct and incorrect, and a link to itself, which the system refuses to open. */
static void opening(void)
{
    searchscope_workspace *workspace = NULL;
    searchscope_error *error = NULL;
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
    CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT, searchscope_workspace_open(root, NULL, NULL, &error));
    check_error(error, SEARCHSCOPE_NULL_ARGUMENT, "null_argument", "\"out_workspace\"");

    CHECK_STATUS(SEARCHSCOPE_OK,
                 searchscope_workspace_open(
                     root,
                     "{\"threads\":2,\"deny\":[\"many/\"],\"require_git\":true,\"output_dir\":\"docs\","
                     "\"reply_bytes_max\":65536,\"docs_root\":\"docs\",\"excludes\":[\"x.md\"]}",
                     &workspace, NULL));
    fails(CALL, SEARCHSCOPE_ACCESS_DENIED, "access_denied", "", workspace, "find",
          "{\"paths\":[\"many\"]}", 18, NULL);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* Gets the cursor after the first result. */
static void cursor(const searchscope_workspace *workspace, const char *args, char *next, size_t room)
{
    searchscope_reply *reply = call(workspace, "search", args);
    const char *at = strstr(searchscope_reply_bytes(reply), "\"cursor\":\"");

    CHECK(at != NULL);
    if (at != NULL) {
        at += strlen("\"cursor\":\"");
        snprintf(next, room, "%.*s,\"deadline_ms\":1,\"cursor\":\"%.*s\"}", (int)strlen(args) - 1,
                 args, (int)strcspn(at, "\""), at);
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_reply_free(reply));
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
              tool, syntax, strlen(syntax), NULL);
        fails(way, SEARCHSCOPE_NOT_FOUND, "not_found", "no such", workspace, tool, none, strlen(none),
              NULL);
        fails(way, SEARCHSCOPE_ACCESS_DENIED, "access_denied", "", workspace, tool, outside,
              strlen(outside), NULL);
        if (way == FIND_EACH)
            continue;
        fails(way, SEARCHSCOPE_CANCELLED, "cancelled", "", workspace, tool, ALL, strlen(ALL), cancel);
        fails(way, SEARCHSCOPE_TIMEOUT, "timeout", "", workspace, tool, late, strlen(late), NULL);
        fails(way, SEARCHSCOPE_RESULT_TOO_LARGE, "result_too_large", "", workspace, tool, large,
              strlen(large), NULL);
    }
    fails(FIND_EACH, SEARCHSCOPE_CANCELLED, "cancelled", "", workspace, NULL, FILES, strlen(FILES),
          cancel);
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
        searchscope_error *error = NULL;

        CHECK_STATUS(KINDS[n].status, searchscope_test_fail(KINDS[n].status, &error));
        check_error(error, KINDS[n].status, KINDS[n].code, "\"message\":\"requested\"");
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
