/*
 * A process that forks after a search: parent and child continue to search with the open workspace,
 * and their signal handlers are unchanged. Usage: fork ROOT.
 */
#define _POSIX_C_SOURCE 200809L

#include "calls.h"
#include "check.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

/* Large enough to be compiled on another thread and to start workers. */
#define HARD "{\"patterns\":[\"needle\",\"[a-z]{1,40}_[a-z]{1,40}\"],\"enclosing\":true,\"matches_max\":100000}"

static unsigned n_matches;

static int count(void *user_data, const searchscope_match *match)
{
    (void)user_data;
    n_matches += match->path.len > 0;
    return SEARCHSCOPE_CONTINUE;
}

/* Returns the number of matches in an open workspace. */
static unsigned search(const searchscope_workspace *workspace)
{
    searchscope_report *report = NULL;

    n_matches = 0;
    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, HARD, count, NULL, &report));
    searchscope_report_free(report);
    return n_matches;
}

static void (*handler(int number))(int)
{
    struct sigaction action;

    CHECK(sigaction(number, NULL, &action) == 0);
    return action.sa_handler;
}

int main(int argc, char **argv)
{
    static const int numbers[] = {SIGPIPE, SIGSEGV, SIGBUS, SIGINT, SIGTERM, SIGCHLD, SIGUSR1, SIGPROF};
    void (*before[sizeof numbers / sizeof numbers[0]])(int);
    searchscope_workspace *workspace;
    unsigned expected;

    if (argc != 2)
        return 2;
    start();
    root = argv[1];
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        before[n] = handler(numbers[n]);
    CHECK_STATUS(SEARCHSCOPE_OK,
                 searchscope_workspace_open(root, "{\"threads\":4}", &workspace, NULL));
    expected = search(workspace);
    CHECK(expected > 40);
    for (int round = 0; round < 3; round++) {
        int status = -1;
        const pid_t child = fork();

        CHECK(child >= 0);
        if (child == 0) {
            searchscope_workspace *own = open_root();

            CHECK(search(workspace) == expected);
            CHECK(search(own) == expected);
            CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(own));
            /* Skips the exit handlers, which belong to the parent. */
            _exit(failures == 0 ? 0 : 1);
        }
        CHECK(search(workspace) == expected);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        CHECK(handler(numbers[n]) == before[n]);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    return finish();
}
