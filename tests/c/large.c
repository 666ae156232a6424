/*
 * The cost of a stream of many matches. Prints name=number, one per line: the number of matches,
 * the rise of the process's peak memory over the time before the stream (peak_kb), the time until
 * the first match, the time that the call took to return after a stop, and the total time.
 * Usage: large ROOT
 */
#include "calls.h"
#include "check.h"

#include <time.h>

struct times {
    double began, first, stopped;
    long n, stop_at;
};

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Returns a number of /proc/self/status, in KiB; -1 if it is absent. */
static long memory_kb(const char *name)
{
    char line[256];
    long kb = -1;
    FILE *status = fopen("/proc/self/status", "r");

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), ": %ld", &kb);
    if (status != NULL)
        fclose(status);
    return kb;
}

static int take(void *user_data, const searchscope_match *match)
{
    struct times *times = user_data;

    CHECK(match->n_spans == 1);
    if (times->n++ == 0)
        times->first = now_ms();
    if (times->n != times->stop_at)
        return SEARCHSCOPE_CONTINUE;
    times->stopped = now_ms();
    return SEARCHSCOPE_STOP;
}

static void stream(const searchscope_workspace *workspace, struct times *times, long stop_at)
{
    static const char args[] = "{\"patterns\":[\"needle\"]}";

    memset(times, 0, sizeof *times);
    times->stop_at = stop_at;
    times->began = now_ms();
    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, args, take, times, NULL));
}

int main(int argc, char **argv)
{
    searchscope_workspace *workspace;
    struct times times;
    long before_kb;

    if (argc != 2)
        return 2;
    start();
    root = argv[1];
    workspace = open_root();
    before_kb = memory_kb("VmRSS");
    stream(workspace, &times, 0);
    printf("all_ms=%.1f\n", now_ms() - times.began);
    printf("first_ms=%.1f\n", times.first - times.began);
    printf("n=%ld\npeak_kb=%ld\n", times.n, memory_kb("VmHWM") - before_kb);
    CHECK(before_kb > 0);
    stream(workspace, &times, 10);
    printf("stop_ms=%.1f\n", now_ms() - times.stopped);
    CHECK(times.n == 10);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    return finish();
}
