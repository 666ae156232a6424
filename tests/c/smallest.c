/*
 * The smallest host: it opens, calls, prints and frees. Every author of a host sees its valgrind
 * report first.
 */
#include <searchscope.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char args[] = "{\"query\": \"fn\"}";
    searchscope_workspace *workspace = NULL;
    searchscope_reply *reply = NULL;
    searchscope_error *error = NULL;
    searchscope_status status;

    if (argc != 2)
        return 2;
    status = searchscope_workspace_open(argv[1], NULL, &workspace, &error);
    if (status == SEARCHSCOPE_OK)
        status = searchscope_call(workspace, "search_in_files", args, strlen(args), NULL, &reply,
                                  &error);
    if (status == SEARCHSCOPE_OK)
        printf("%s\n", searchscope_reply_bytes(reply));
    else
        fprintf(stderr, "%s\n", searchscope_error_message(error));
    searchscope_error_free(error);
    searchscope_reply_free(reply);
    searchscope_workspace_free(workspace);
    return status;
}
