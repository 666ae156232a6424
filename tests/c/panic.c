/*
 * A panic inside the library becomes a status, and everything stays usable.
 * Usage: panic ROOT; needs a library with the feature test-hooks.
 */
#include "check.h"
#include "hooks.h"

#include <pthread.h>

static void panic_once(int worse)
{
    searchscope_error *error = NULL;

    CHECK_STATUS(SEARCHSCOPE_PANIC, searchscope_test_panic(worse, NULL));
    CHECK_STATUS(SEARCHSCOPE_PANIC, searchscope_test_panic(worse, &error));
    CHECK_STATUS(SEARCHSCOPE_PANIC, searchscope_error_status(error));
    CHECK(same_text(searchscope_error_code(error), "panic"));
    CHECK(strlen(searchscope_error_message(error)) > 0);
    CHECK(strstr(searchscope_error_detail(error), "\"code\":\"panic\"") != NULL);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_error_free(error));
}

static void *panic_often(void *unused)
{
    (void)unused;
    for (int n = 0; n < 8; n++)
        panic_once(n % 2);
    return NULL;
}

int main(int argc, char **argv)
{
    searchscope_workspace *workspace = NULL;
    searchscope_reply *reply = NULL;
    pthread_t thread;

    if (argc != 2)
        return 2;
    start();
    CHECK(searchscope_test_live_handles() == 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(argv[1], NULL, &workspace, NULL));
    CHECK(pthread_create(&thread, NULL, panic_often, NULL) == 0);
    panic_often(NULL);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools(&reply, NULL));
    CHECK(searchscope_test_live_handles() == 2);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_reply_free(reply));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
    CHECK(searchscope_test_live_handles() == 0);
    return finish();
}
