/*
 * Every tool that the library lists, called once. Usage: tools ROOT, where ROOT is the tree `rich` of
 * fixtures.rs.
 */
#include "calls.h"
#include "check.h"

/* A tool, arguments that it takes, and what its reply must hold. */
static const struct {
    const char *name, *args, *part;
} TOOLS[] = {
    {"search", "{\"patterns\":[\"fn open\"]}", "\"path\":\"code/lib.rs\",\"line\":4,"},
    {"find", "{\"extensions\":[\"rs\"]}", "{\"files\":[{\"path\":\"code/lib.rs\"}],"},
    {"search_in_files", "{\"query\":\"fn open\"}", "\"file_path\":\"code/lib.rs\""},
    {"find_files_by_name", "{\"name_pattern\":\"lib.*\"}", "code/lib.rs"},
    {"find_and_grep", "{\"roots\":[\"code\"],\"query\":\"fn open\"}", "lib.rs"},
    {"Grep", "{\"pattern\":\"fn open\"}", "lib.rs"},
    {"search_documents", "{\"query\":\"documented\"}", "guide.md"},
    {"list_documents", "{\"path\":\"docs\"}", "guide.md"},
    {"read_document", "{\"path\":\"docs/guide.md\"}", "All of it is documented."},
    {"scope_list_catalog", "{}", "All Places"},
    {"scope_validate_pattern", "{\"patternText\":\"file:code//*\"}", "true"},
    {"scope_resolve_program",
     "{\"atoms\":[{\"atomId\":\"a\",\"kind\":\"STANDARD\",\"standardScopeId\":\"All Places\"}],"
     "\"tokens\":[{\"op\":\"PUSH_ATOM\",\"atomId\":\"a\"}]}",
     "\"displayName\":\"All Places\""},
    {"scope_describe_program", "{\"scope\":\"All Places\"}", "All Places"},
    {"scope_search_files", "{\"scope\":\"All Places\",\"query\":\"lib\"}", "code/lib.rs"},
    {"scope_search_text", "{\"scope\":\"All Places\",\"query\":\"fn open\"}", "code/lib.rs"},
    {"scope_search_symbols", "{\"scope\":\"All Places\",\"query\":\"Thing\"}", "code/lib.rs"},
    {"look", "{\"q\":\"fn open\"}", "code/lib.rs"},
    {"read", "{\"what\":[\"code/lib.rs\"]}", "fn open"},
};

static void every_tool(void)
{
    searchscope_workspace *workspace = open_root();

    for (size_t n = 0; n < sizeof TOOLS / sizeof *TOOLS; n++) {
        searchscope_reply *reply = call(workspace, TOOLS[n].name, TOOLS[n].args);
        const char *bytes = searchscope_reply_bytes(reply);

        CHECK(bytes != NULL && strlen(bytes) == searchscope_reply_len(reply));
        if (bytes == NULL || strstr(bytes, TOOLS[n].part) == NULL) {
            fprintf(stderr, "%s answers %s\n", TOOLS[n].name, bytes == NULL ? "nothing" : bytes);
            failures++;
        }
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_reply_free(reply));
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* The list of the library is the table of this program, each with two schemas. */
static void the_list(void)
{
    searchscope_reply *reply = NULL;
    const char *list;
    size_t n_listed = 0;
    char name[128];

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(&reply, NULL));
    list = searchscope_reply_bytes(reply);
    CHECK(list != NULL && list[0] == '[' && list[strlen(list) - 1] == ']');
    if (list == NULL)
        return;
    for (const char *at = list; (at = strstr(at, "\"outputSchema\":{")) != NULL; at++)
        n_listed++;
    CHECK(n_listed == sizeof TOOLS / sizeof *TOOLS);
    for (size_t n = 0; n < sizeof TOOLS / sizeof *TOOLS; n++) {
        snprintf(name, sizeof name, "\"name\":\"%s\"", TOOLS[n].name);
        CHECK(strstr(list, name) != NULL);
    }
    CHECK(strstr(list, "\"inputSchema\":{") != NULL && strstr(list, "\"description\":\"") != NULL);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_reply_free(reply));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    start();
    root = argv[1];
    the_list();
    every_tool();
    return finish();
}
