/*
 * The smallest host: it opens, calls, prints and frees. Every author of a host sees its valgrind
 * report first.
 */
#include <searchscope.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    searchscope_request request = SEARCHSCOPE_REQUEST("{\"query\": \"fn\"}");
    searchscope_workspace *workspace = NULL;
    searchscope_report *report = NULL;
    searchscope_status status;

    if (argc != 2)
        return 2;
    status = searchscope_workspace_open(argv[1], NULL, &workspace, &report);
    if (status == SEARCHSCOPE_OK)
        status = searchscope_call(workspace, "search_in_files", &request, &report);
    if (status == SEARCHSCOPE_OK)
        printf("%s\n", searchscope_report_bytes(report));
    else
        fprintf(stderr, "%s: %s\n", searchscope_report_code(report),
                searchscope_report_message(report));
    searchscope_report_free(report);
    searchscope_workspace_free(workspace);
    return status;
}
