/*
 * Every tool, both streams and every kind of error on a thread with a stack of 64 KiB. Usage:
 * small_stack ROOT TOOL ARGS..., where ROOT is the tree `rich` of fixtures.rs, followed by the
 * sample call of each tool.
 */
#define main tools_main
#include "tools.c"
#undef main

#include <pthread.h>

#define STACK_BYTES (64 * 1024)
/* Callbacks have much more, even if the thread has less. */
#define CALLBACK_BYTES (128 * 1024)

static int use_stack(void)
{
    volatile char bytes[CALLBACK_BYTES];

    for (size_t at = 0; at < sizeof bytes; at += 1024)
        bytes[at] = 1;
    return bytes[0];
}

static int count_match(void *user_data, const searchscope_match *match)
{
    (void)match;
    ++*(size_t *)user_data;
    return use_stack() == 1 ? SEARCHSCOPE_CONTINUE : SEARCHSCOPE_STOP;
}

static int count_file(void *user_data, const searchscope_found_file *file)
{
    (void)file;
    ++*(size_t *)user_data;
    return use_stack() == 1 ? SEARCHSCOPE_CONTINUE : SEARCHSCOPE_STOP;
}

static void streams(void)
{
    searchscope_workspace *workspace = open_root();
    size_t n_matches = 0, n_files = 0;

    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, ALL, count_match, &n_matches, NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, find_each(workspace, FILES, count_file, &n_files, NULL));
    CHECK(n_matches > 0 && n_files > 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* Arguments nested as deeply as allowed, and deeper. */
static void nested(void)
{
    static const struct {
        const char *before, *open, *middle, *close, *after;
        int depth;
        searchscope_status status;
    } CASES[] = {
        {"{\"patterns\":[\"", "(", "a", ")", "\"]}", 60, SEARCHSCOPE_OK},
        {"{\"patterns\":[\"", "(", "a", ")", "\"]}", 1500, SEARCHSCOPE_PATTERN_SYNTAX},
        {"{\"patterns\":[\"", "(?:a", "", ")*", "\"]}", 20, SEARCHSCOPE_OK},
        {"{\"patterns\":", "[", "", "]", "}", 5000, SEARCHSCOPE_INVALID_PARAM},
    };
    static char args[32 * 1024];
    searchscope_workspace *workspace = open_root();

    for (size_t n = 0; n < sizeof CASES / sizeof *CASES; n++) {
        searchscope_report *report = NULL;
        char *end = args + sprintf(args, "%s", CASES[n].before);

        for (int depth = 0; depth < CASES[n].depth; depth++)
            end += sprintf(end, "%s", CASES[n].open);
        end += sprintf(end, "%s", CASES[n].middle);
        for (int depth = 0; depth < CASES[n].depth; depth++)
            end += sprintf(end, "%s", CASES[n].close);
        end += sprintf(end, "%s", CASES[n].after);
        CHECK_STATUS(CASES[n].status, searchscope_call(workspace, "search", REQUEST(args), &report));
        CHECK_STATUS(CASES[n].status, searchscope_report_status(report));
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    }
    CHECK_STATUS(SEARCHSCOPE_NOT_FOUND, searchscope_workspace_open("/no/such/root", NULL, &workspace,
                                                                   NULL));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

/* The sample calls, as arguments of tools.c. */
struct calls {
    char **calls;
    size_t n_calls;
};

static void *all(void *argument)
{
    const struct calls *of = argument;

    the_list(of->calls, of->n_calls);
    samples(of->calls, of->n_calls);
    streams();
    nested();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_attr_t attributes;
    pthread_t thread;
    struct calls calls = {argv + 2, argc < 2 ? 0 : (size_t)(argc - 2) / 2};

    if (calls.n_calls == 0)
        return 2;
    (void)tools_main;
    start();
    root = argv[1];
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
    CHECK(pthread_create(&thread, &attributes, all, &calls) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    return finish();
}
