/*
 * Eight threads make every kind of call for a while; once a second, between calls, the program
 * prints the resources of the process. Usage: soak SAMPLES ROOT SECONDS, where SAMPLES is
 * tools/src/tests/samples.txt; for `npm run soak`. Each line of its output is a sample:
 * kilobytes of memory, open handles, threads, calls so far.
 */
#include "check.h"
#include "random.h"

#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { N_THREADS = 8 };

enum { CALLS_MAX = 100, LINE_MAX_BYTES = 4096 };

struct tool_call {
    const char *tool, *args;
};

/* Calls with options and errors that the samples lack. */
static const struct tool_call variants[] = {
    {"search", "{\"patterns\":[\"needle\"],\"context_before\":2}"},
    {"search", "{\"patterns\":[\"n[a-z]+e\"],\"order\":\"mtime\",\"matches_max\":20}"},
    {"search", "{\"patterns\":[\"fn \\\\w+\"],\"enclosing\":true}"},
    {"search", "{\"patterns\":[\"needle\"],\"follow\":true,\"deadline_ms\":3}"},
    {"find", "{\"types\":[\"d\"],\"order\":\"size\"}"},
    {"search_in_files", "{\"query\":\"(\",\"use_regex\":true}"},
    {"find_files_by_name", "{\"name_pattern\":\"*.md\"}"},
    {"find_and_grep", "{\"roots\":[\".\"],\"query\":\"needle\",\"sort\":\"mtime\"}"},
    {"find_and_grep", "{\"roots\":[\"gone\"],\"query\":\"needle\"}"},
    {"no such tool", "{}"},
    {"search", "[1"},
};

/* The words of the tree that the samples use. */
static const struct {
    const char *name, *word;
} words[] = {{"$text", "needle"}, {"$document", "docs/0.md"}, {"$symbol", "needle"}};

/* The sample calls, which live until the program ends, followed by the variants. */
static struct tool_call calls[CALLS_MAX];
static unsigned n_kinds;
static const char *root;
static searchscope_workspace *shared;
static time_t until;
static atomic_ulong n_calls;
static atomic_int n_wrong, n_busy, is_at_rest;

struct worker {
    unsigned state, n_left;
    searchscope_cancel *cancel;
};

static void expect(const char *what, int is_true)
{
    if (!is_true) {
        fprintf(stderr, "wrong: %s\n", what);
        n_wrong++;
    }
}

/* Continues, stops or cancels the stream after some results. */
static int take(void *user_data, const searchscope_match *match)
{
    struct worker *worker = user_data;

    expect("a match without a path", match->path.len > 0);
    if (worker->n_left-- > 0)
        return SEARCHSCOPE_CONTINUE;
    if (next_random(&worker->state) % 2)
        return SEARCHSCOPE_STOP;
    searchscope_cancel_trigger(worker->cancel);
    return SEARCHSCOPE_CONTINUE;
}

static void stream(struct worker *worker)
{
    static const char args[] = "{\"patterns\":[\"needle\"],\"matches_max\":100000}";
    searchscope_report *report = NULL;
    searchscope_status status;

    worker->cancel = searchscope_cancel_new();
    worker->n_left = next_random(&worker->state) % 200;
    status = searchscope_search_each(shared, REQUEST_WITH(args, worker->cancel), take, worker, &report);
    expect("a stream", status == SEARCHSCOPE_OK || status == SEARCHSCOPE_CANCELLED);
    searchscope_report_free(report);
    searchscope_cancel_free(worker->cancel);
}

static void call(struct worker *worker, const searchscope_workspace *workspace)
{
    const unsigned n = next_random(&worker->state) % n_kinds;
    searchscope_report *report = NULL;
    searchscope_status status =
        searchscope_call(workspace, calls[n].tool, REQUEST(calls[n].args), &report);

    expect("a panic", status != SEARCHSCOPE_PANIC && status != SEARCHSCOPE_INTERNAL);
    expect("a report", searchscope_report_status(report) == status);
    searchscope_report_free(report);
}

static void nap(void)
{
    const struct timespec time = {0, 10 * 1000 * 1000};

    nanosleep(&time, NULL);
}

/* Returns whether a call may be made now. */
static int begin(void)
{
    n_busy++;
    if (!is_at_rest)
        return 1;
    n_busy--;
    nap();
    return 0;
}

static void *work(void *user_data)
{
    struct worker *worker = user_data;

    while (time(NULL) < until) {
        searchscope_workspace *own = NULL;

        if (!begin())
            continue;
        switch (next_random(&worker->state) % 8) {
        case 0:
            stream(worker);
            break;
        case 1:
            expect("a workspace",
                   searchscope_workspace_open(root, NULL, &own, NULL) == SEARCHSCOPE_OK);
            call(worker, own);
            searchscope_workspace_free(own);
            break;
        default:
            call(worker, shared);
            break;
        }
        n_calls++;
        n_busy--;
    }
    return NULL;
}

/* Returns the number after `name` in /proc/self/status. */
static long of_status(const char *name)
{
    char line[256];
    long number = -1;
    FILE *status = fopen("/proc/self/status", "r");

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            number = atol(line + strlen(name));
    if (status != NULL)
        fclose(status);
    return number;
}

static long n_handles(void)
{
    long n = 0;
    DIR *handles = opendir("/proc/self/fd");

    while (handles != NULL && readdir(handles) != NULL)
        n++;
    if (handles != NULL)
        closedir(handles);
    /* Without `.`, `..` and the directory itself. */
    return n - 3;
}

/* Pauses all threads, so that only retained resources count. Background jobs, such as the
 * compilation of a pattern, get some time to end. */
static void sample(void)
{
    long handles = LONG_MAX, threads = LONG_MAX;

    is_at_rest = 1;
    while (n_busy > 0)
        nap();
    for (int n = 0; n < 5; n++) {
        const long handles_now = n_handles(), threads_now = of_status("Threads:");

        handles = handles_now < handles ? handles_now : handles;
        threads = threads_now < threads ? threads_now : threads;
        nap();
    }
    /* The workers may have exited by then. */
    if (time(NULL) < until) {
        printf("%ld %ld %ld %lu\n", of_status("VmRSS:"), handles, threads, (unsigned long)n_calls);
        fflush(stdout);
    }
    is_at_rest = 0;
}

/* Returns `text` with the words of the tree in place of their names; NULL if it does not fit. */
static char *with_words(const char *text)
{
    char *filled = malloc(LINE_MAX_BYTES);
    size_t len = 0;

    while (filled != NULL && *text != '\0' && len + 16 < LINE_MAX_BYTES) {
        const char *word = NULL;

        for (size_t n = 0; word == NULL && n < sizeof words / sizeof words[0]; n++)
            if (strncmp(text, words[n].name, strlen(words[n].name)) == 0) {
                word = words[n].word;
                text += strlen(words[n].name);
            }
        if (word == NULL) {
            filled[len++] = *text++;
            continue;
        }
        memcpy(filled + len, word, strlen(word));
        len += strlen(word);
    }
    if (filled != NULL)
        filled[len] = '\0';
    return *text == '\0' ? filled : NULL;
}

/* Reads the sample calls; each line is a tool, a pointer into its reply, and arguments. */
static void read_calls(const char *path)
{
    static char line[LINE_MAX_BYTES];
    FILE *samples = fopen(path, "r");

    CHECK(samples != NULL);
    while (samples != NULL && fgets(line, sizeof line, samples) != NULL) {
        char *pointer = strchr(line, ' ');
        char *args = pointer == NULL ? NULL : strchr(pointer + 1, ' ');

        if (line[0] == '#')
            continue;
        CHECK(args != NULL && n_kinds < CALLS_MAX);
        if (args == NULL || n_kinds == CALLS_MAX)
            break;
        *pointer = '\0';
        args[strcspn(args, "\n")] = '\0';
        calls[n_kinds].tool = with_words(line);
        calls[n_kinds].args = with_words(args + 1);
        CHECK(calls[n_kinds].tool != NULL && calls[n_kinds].args != NULL);
        n_kinds++;
    }
    if (samples != NULL)
        fclose(samples);
    CHECK(n_kinds > 0);
    for (size_t n = 0; n < sizeof variants / sizeof variants[0]; n++) {
        CHECK(n_kinds < CALLS_MAX);
        if (n_kinds < CALLS_MAX)
            calls[n_kinds++] = variants[n];
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[N_THREADS];
    struct worker workers[N_THREADS] = {0};

    if (argc != 4)
        return 2;
    read_calls(argv[1]);
    if (failures > 0)
        return finish();
    root = argv[2];
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &shared, NULL));
    until = time(NULL) + atol(argv[3]);
    for (int n = 0; n < N_THREADS; n++) {
        workers[n].state = 1000u + (unsigned)n;
        CHECK(pthread_create(&threads[n], NULL, work, &workers[n]) == 0);
    }
    while (time(NULL) < until) {
        const struct timespec second = {1, 0};

        nanosleep(&second, NULL);
        sample();
    }
    for (int n = 0; n < N_THREADS; n++)
        CHECK(pthread_join(threads[n], NULL) == 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(shared));
    CHECK(n_wrong == 0);
    return finish();
}
