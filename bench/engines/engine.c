/*
 * Our engine through its C ABI, as a resident program: engine ROOT OPTIONS_JSON. It reads one request
 * per line; src/protocol.rs has the format.
 */
#define _POSIX_C_SOURCE 200809L
#include "searchscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char *root, *options;
static searchscope_workspace *kept;

static void give_up(const char *what)
{
    fprintf(stderr, "engine: %s\n", what);
    exit(2);
}

static unsigned long long wall_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
}

static unsigned long long cpu_ns(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return ((unsigned long long)usage.ru_utime.tv_sec + (unsigned long long)usage.ru_stime.tv_sec) *
               1000000000u +
           ((unsigned long long)usage.ru_utime.tv_usec + (unsigned long long)usage.ru_stime.tv_usec) *
               1000u;
}

/* Returns a field of /proc/self/status; 0 if it is missing. */
static unsigned long memory_kib(const char *field)
{
    char line[256];
    unsigned long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, field, strlen(field)) == 0)
            kib = strtoul(line + strlen(field), NULL, 10);
    if (status != NULL)
        fclose(status);
    return kib;
}

/* Resets the peak memory, where the kernel supports it. */
static void reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");

    if (file == NULL)
        return;
    fputs("5", file);
    fclose(file);
}

/* Returns the next part of a line; NULL at its end. */
static char *next_part(char **line)
{
    char *part = *line, *tab;

    if (part == NULL)
        return NULL;
    tab = strchr(part, '\t');
    if (tab != NULL)
        *tab++ = '\0';
    *line = tab;
    return part;
}

static searchscope_workspace *open_workspace(void)
{
    searchscope_workspace *workspace = NULL;
    searchscope_report *report = NULL;

    if (searchscope_workspace_open(root, options, &workspace, &report) != SEARCHSCOPE_OK)
        give_up(searchscope_report_message(report));
    return workspace;
}

/* Writes the answer to PREFIX.N. */
static void write_answer(const char *prefix, unsigned n, const searchscope_report *report)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s.%u", prefix, n);
    file = fopen(path, "w");
    if (file == NULL)
        give_up("cannot write the reply");
    fwrite(searchscope_report_bytes(report), 1, searchscope_report_len(report), file);
    if (fclose(file) != 0)
        give_up("cannot write the reply");
}

/* Answers one line. The time does not include writing the answer. */
static void serve(char *line, unsigned long baseline_kib)
{
    const char *mode = next_part(&line), *prefix = next_part(&line), *tool, *args;
    unsigned long long cpu = 0, wall = 0;
    searchscope_workspace *session = NULL;
    unsigned n = 0;

    if (prefix == NULL)
        give_up("invalid request");
    while ((tool = next_part(&line)) != NULL && (args = next_part(&line)) != NULL) {
        unsigned long long cpu_then = cpu_ns(), wall_then = wall_ns();
        searchscope_workspace **workspace = strcmp(mode, "warm") == 0 ? &kept : &session;
        searchscope_request request = SEARCHSCOPE_REQUEST(args);
        searchscope_report *report = NULL;

        if (*workspace == NULL)
            *workspace = open_workspace();
        if (searchscope_call(*workspace, tool, &request, &report) != SEARCHSCOPE_OK)
            give_up(searchscope_report_message(report));
        if (strcmp(mode, "cold") == 0) {
            searchscope_workspace_free(session);
            session = NULL;
        }
        wall += wall_ns() - wall_then;
        cpu += cpu_ns() - cpu_then;
        if (*prefix != '\0')
            write_answer(prefix, n, report);
        searchscope_report_free(report);
        n++;
    }
    searchscope_workspace_free(session);
    {
        unsigned long peak_kib = memory_kib("VmHWM:");

        printf("{\"wall_ns\":%llu,\"cpu_ns\":%llu,\"peak_kib\":%lu}\n", wall, cpu,
               peak_kib > baseline_kib ? peak_kib - baseline_kib : 0);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned long baseline_kib = memory_kib("VmRSS:");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    if (argc != 3)
        give_up("usage: engine ROOT OPTIONS_JSON");
    root = argv[1];
    options = argv[2];
    while ((length = getline(&line, &size, stdin)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        reset_peak();
        serve(line, baseline_kib);
    }
    searchscope_workspace_free(kept);
    free(line);
    return 0;
}
