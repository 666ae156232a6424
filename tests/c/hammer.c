/*
 * Many threads with one workspace: calls, streams that are stopped and cancelled, tokens of other
 * threads, and a second workspace that every thread opens and frees. Usage: hammer ROOT SECONDS;
 * needs a library with the feature test-hooks.
 */
#include "calls.h"
#include "check.h"
#include "hooks.h"
#include "random.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { N_THREADS = 8, N_TOKENS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by the lock: tokens that any thread may trigger, even after their maker has freed them; a
 * workspace that any thread may free while others use it; the counts of calls and failures. */
static searchscope_cancel *tokens[N_TOKENS];
static searchscope_workspace *spare;
static unsigned long n_done[3];
static int n_wrong;

static const searchscope_workspace *shared;
static time_t until;

struct worker {
    unsigned state, n_left, n_seen;
};

static void wrong(const char *what, searchscope_status status)
{
    pthread_mutex_lock(&lock);
    fprintf(stderr, "%s gave %d\n", what, (int)status);
    n_wrong++;
    pthread_mutex_unlock(&lock);
}

static int take(void *user_data, const searchscope_match *match)
{
    struct worker *worker = user_data;

    worker->n_seen += match->text.len > 0;
    return worker->n_left-- > 0 ? SEARCHSCOPE_CONTINUE : SEARCHSCOPE_STOP;
}

static int take_file(void *user_data, const searchscope_found_file *file)
{
    struct worker *worker = user_data;

    worker->n_seen += file->path.len > 0;
    return worker->n_left-- > 0 ? SEARCHSCOPE_CONTINUE : SEARCHSCOPE_STOP;
}

/* Makes one call of any kind. `may_be` is a status that is correct besides OK. */
static int call_any(struct worker *worker, const searchscope_workspace *workspace,
                    const searchscope_cancel *cancel, searchscope_status may_be)
{
    static const char *const searches[] = {
        ALL, "{\"patterns\":[\"needle\"],\"mode\":\"count\"}",
        "{\"patterns\":[\"fn [a-z]+\"],\"enclosing\":true,\"context_before\":1}"};
    static const char query[] = "{\"query\":\"needle\"}";
    const char *args = searches[next_random(&worker->state) % 3];
    searchscope_report *report = NULL;
    searchscope_status status;
    int is_stream = 1;

    worker->n_left = next_random(&worker->state) % 2 ? 5 : 100000;
    switch (next_random(&worker->state) % 4) {
    case 0:
        status = searchscope_call(workspace, "search_in_files", REQUEST_WITH(query, cancel), &report);
        is_stream = 0;
        break;
    case 1:
        status = searchscope_find_each(workspace, REQUEST_WITH(FILES, cancel), take_file, worker,
                                       &report);
        break;
    default:
        status = searchscope_search_each(workspace, REQUEST_WITH(args, cancel), take, worker, &report);
        break;
    }
    if (status != SEARCHSCOPE_OK && status != may_be)
        wrong("a call", status);
    if (searchscope_report_status(report) != status)
        wrong("a call with a wrong report", status);
    searchscope_report_free(report);
    return is_stream;
}

/* Makes a call with a token that the other threads can trigger. */
static int call_with_token(struct worker *worker)
{
    searchscope_cancel *cancel = searchscope_cancel_new();
    int is_stream;

    pthread_mutex_lock(&lock);
    tokens[next_random(&worker->state) % N_TOKENS] = cancel;
    pthread_mutex_unlock(&lock);
    is_stream = call_any(worker, shared, cancel, SEARCHSCOPE_CANCELLED);
    if (searchscope_cancel_free(cancel) != SEARCHSCOPE_OK)
        wrong("freeing a token", SEARCHSCOPE_BAD_HANDLE);
    return is_stream;
}

/* Triggers a token of any thread: it is alive, or the library refuses it. */
static void trigger_any(struct worker *worker)
{
    searchscope_cancel *cancel;
    searchscope_status status;

    pthread_mutex_lock(&lock);
    cancel = tokens[next_random(&worker->state) % N_TOKENS];
    pthread_mutex_unlock(&lock);
    status = cancel == NULL ? SEARCHSCOPE_OK : searchscope_cancel_trigger(cancel);
    if (status != SEARCHSCOPE_OK && status != SEARCHSCOPE_BAD_HANDLE)
        wrong("a trigger", status);
}

/* Replaces the spare workspace, which others may be using, by a new one. */
static void replace_spare(void)
{
    searchscope_workspace *mine = open_root(), *old;

    pthread_mutex_lock(&lock);
    old = spare;
    spare = mine;
    pthread_mutex_unlock(&lock);
    if (searchscope_workspace_free(old) != SEARCHSCOPE_OK)
        wrong("freeing a workspace", SEARCHSCOPE_BAD_HANDLE);
}

static void *work(void *user_data)
{
    struct worker *worker = user_data;

    while (time(NULL) < until) {
        const searchscope_workspace *workspace;
        int kind = 2;

        switch (next_random(&worker->state) % 5) {
        case 0:
            trigger_any(worker);
            break;
        case 1:
            replace_spare();
            break;
        case 2:
            pthread_mutex_lock(&lock);
            workspace = spare;
            pthread_mutex_unlock(&lock);
            kind = call_any(worker, workspace, NULL, SEARCHSCOPE_BAD_HANDLE);
            break;
        case 3:
            kind = call_with_token(worker);
            break;
        default:
            kind = call_any(worker, shared, NULL, SEARCHSCOPE_OK);
            break;
        }
        pthread_mutex_lock(&lock);
        n_done[kind]++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[N_THREADS];
    struct worker workers[N_THREADS];
    searchscope_workspace *workspace;

    if (argc != 3)
        return 2;
    start();
    root = argv[1];
    shared = workspace = open_root();
    spare = open_root();
    until = time(NULL) + atol(argv[2]);
    memset(workers, 0, sizeof workers);
    for (int n = 0; n < N_THREADS; n++) {
        workers[n].state = 1000u + (unsigned)n;
        CHECK(pthread_create(&threads[n], NULL, work, &workers[n]) == 0);
    }
    for (int n = 0; n < N_THREADS; n++)
        CHECK(pthread_join(threads[n], NULL) == 0);
    printf("calls=%lu streams=%lu others=%lu\n", n_done[0], n_done[1], n_done[2]);
    CHECK(n_wrong == 0);
    CHECK(n_done[0] > 0 && n_done[1] > 0 && n_done[2] > 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(spare));
    CHECK(searchscope_test_live_handles() == 0);
    return finish();
}
