/*
 * Calls every tool that the library lists once. Usage: tools ROOT TOOL ARGS..., where ROOT is the
 * tree `rich` of fixtures.rs, followed by the sample call of each tool.
 */
#include "calls.h"
#include "check.h"

static void samples(char **calls, size_t n_calls)
{
    searchscope_workspace *workspace = open_root();

    for (size_t n = 0; n < n_calls; n++) {
        searchscope_report *reply = call(workspace, calls[2 * n], calls[2 * n + 1]);
        const char *bytes = searchscope_report_bytes(reply);

        CHECK(bytes != NULL && strlen(bytes) == searchscope_report_len(reply));
        CHECK(bytes != NULL && strchr("[{\"0123456789", bytes[0]) != NULL);
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(reply));
    }
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* The library lists the tools of the samples, each with two schemas. */
static void the_list(char **calls, size_t n_calls)
{
    searchscope_report *reply = NULL;
    const char *list;
    size_t n_listed = 0;
    char name[128];

    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(&reply));
    list = searchscope_report_bytes(reply);
    CHECK(list != NULL && list[0] == '[' && list[strlen(list) - 1] == ']');
    if (list == NULL)
        return;
    for (const char *at = list; (at = strstr(at, "\"outputSchema\":{")) != NULL; at++)
        n_listed++;
    CHECK(n_listed == n_calls);
    for (size_t n = 0; n < n_calls; n++) {
        snprintf(name, sizeof name, "\"name\":\"%s\"", calls[2 * n]);
        CHECK(strstr(list, name) != NULL);
    }
    CHECK(strstr(list, "\"inputSchema\":{") != NULL && strstr(list, "\"description\":\"") != NULL);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(reply));
}

int main(int argc, char **argv)
{
    size_t n_calls = argc < 2 ? 0 : (size_t)(argc - 2) / 2;

    if (n_calls == 0)
        return 2;
    start();
    root = argv[1];
    the_list(argv + 2, n_calls);
    samples(argv + 2, n_calls);
    return finish();
}
