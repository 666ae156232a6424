/*
 * The C face as a program, for the runner of the contract corpus.
 *
 * Usage: call ROOT OPTIONS_JSON
 * Input, per call: the tool, LF, the number of bytes of the arguments, LF, those bytes, LF.
 * Output, per call: the status, space, the number of bytes of the answer, LF, those bytes, LF.
 * The answer is the reply, or the error as JSON when the status is not 0.
 */
#include "searchscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer than the name of any tool, and than any length in decimal digits. */
enum { LINE_MAX_BYTES = 4096 };

static void give_up(const char *what)
{
    fprintf(stderr, "call: %s\n", what);
    exit(2);
}

/* Reads a line without its LF; returns 0 at the end of the input. */
static int read_line(char *line)
{
    size_t length;

    if (fgets(line, LINE_MAX_BYTES, stdin) == NULL)
        return 0;
    length = strlen(line);
    if (length == 0 || line[length - 1] != '\n')
        give_up("a line is too long or cut off");
    line[length - 1] = '\0';
    return 1;
}

static size_t read_length(void)
{
    char line[LINE_MAX_BYTES];
    char *end;
    unsigned long long length;

    if (!read_line(line))
        give_up("the input ends before a length");
    length = strtoull(line, &end, 10);
    if (end == line || *end != '\0' || length > 1024ull * 1024 * 1024)
        give_up("not a length");
    return (size_t)length;
}

static char *read_args(size_t length)
{
    char *args = malloc(length + 1);

    if (args == NULL)
        give_up("out of memory");
    if (fread(args, 1, length, stdin) != length || getchar() != '\n')
        give_up("the input ends inside the arguments");
    return args;
}

static void answer(int status, const char *bytes, size_t length)
{
    printf("%d %lu\n", status, (unsigned long)length);
    fwrite(bytes, 1, length, stdout);
    putchar('\n');
    if (fflush(stdout) != 0)
        give_up("cannot write");
}

static void call(const searchscope_workspace *workspace, const char *tool)
{
    searchscope_request request = SEARCHSCOPE_REQUEST(NULL);
    searchscope_report *report = NULL;
    searchscope_status status;
    char *args;

    request.args_len = read_length();
    request.args = args = read_args(request.args_len);
    status = searchscope_call(workspace, tool, &request, &report);
    answer(status, searchscope_report_bytes(report), searchscope_report_len(report));
    searchscope_report_free(report);
    free(args);
}

int main(int argc, char **argv)
{
    char tool[LINE_MAX_BYTES];
    searchscope_workspace *workspace = NULL;
    searchscope_report *report = NULL;

    if (argc != 3)
        give_up("usage: call ROOT OPTIONS_JSON");
    if (searchscope_workspace_open(argv[1], argv[2], &workspace, &report) != SEARCHSCOPE_OK) {
        fprintf(stderr, "call: %s\n", searchscope_report_bytes(report));
        searchscope_report_free(report);
        return 1;
    }
    while (read_line(tool))
        call(workspace, tool);
    searchscope_workspace_free(workspace);
    return 0;
}
