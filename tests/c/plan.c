/*
 * A long random sequence of calls over a pool of handles of all types: live ones, freed ones, ones
 * of another type, and values that never were handles. A model tracks the live handles and predicts
 * the result of each call. Usage: plan ROOT [SEED [STEPS]], where ROOT is a small tree; needs a
 * library with the feature test-hooks.
 */
#include "calls.h"
#include "check.h"
#include "hooks.h"
#include "random.h"

#include <stdlib.h>

enum type { WORKSPACE, CANCEL, REPORT, N_TYPES, NO_HANDLE = N_TYPES };
enum { N_SLOTS = 48, N_STEPS = 4000 };

/* A value, the type of handle that it is or was, and whether it is live. */
struct slot {
    void *value;
    enum type type;
    int lives, is_triggered;
};

static struct slot slots[N_SLOTS];
static unsigned state, n_steps[2];
static char here;

static unsigned up_to(unsigned n)
{
    return next_random(&state) % n;
}

/* Returns any slot; its value may be any that a program can produce. */
static struct slot *any(void)
{
    return &slots[up_to(N_SLOTS)];
}

/* Returns a live handle of this type, if a few tries find one. */
static struct slot *probably(enum type type)
{
    struct slot *slot = any();

    for (int tries = up_to(N_SLOTS); tries > 0 && !(slot->lives && slot->type == type); tries--)
        slot = any();
    return slot;
}

static int is(const struct slot *slot, enum type type)
{
    return slot->lives && slot->type == type;
}

/* Returns the status with which a function that expects this type must answer the value. */
static searchscope_status verdict(const struct slot *slot, enum type type)
{
    if (slot->value == NULL)
        return SEARCHSCOPE_NULL_ARGUMENT;
    return is(slot, type) ? SEARCHSCOPE_OK : SEARCHSCOPE_BAD_HANDLE;
}

static searchscope_status free_as(enum type type, void *value)
{
    switch (type) {
    case WORKSPACE:
        return searchscope_workspace_free(value);
    case CANCEL:
        return searchscope_cancel_free(value);
    default:
        return searchscope_report_free(value);
    }
}

/* Returns a slot for a new value, after freeing its old one. */
static struct slot *place(enum type type, int lives)
{
    struct slot *slot = any();

    if (slot->lives)
        CHECK_STATUS(SEARCHSCOPE_OK, free_as(slot->type, slot->value));
    slot->value = NULL;
    slot->type = type;
    slot->lives = lives;
    slot->is_triggered = 0;
    return slot;
}

static void make(const char *root_path)
{
    static void *strangers[] = {NULL, &here, slots, (void *)1, (void *)UINTPTR_MAX};
    struct slot *slot;

    switch (up_to(N_TYPES + 1)) {
    case WORKSPACE:
        slot = place(WORKSPACE, 1);
        CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root_path, NULL,
                                                                (searchscope_workspace **)&slot->value,
                                                                NULL));
        break;
    case CANCEL:
        slot = place(CANCEL, 1);
        slot->value = searchscope_cancel_new();
        CHECK(slot->value != NULL);
        break;
    case REPORT:
        slot = place(REPORT, 1);
        if (up_to(2) == 0)
            CHECK_STATUS(SEARCHSCOPE_OK, searchscope_tools((searchscope_report **)&slot->value));
        else
            CHECK_STATUS(SEARCHSCOPE_NULL_ARGUMENT,
                         searchscope_workspace_open(NULL, NULL, NULL,
                                                    (searchscope_report **)&slot->value));
        break;
    default:
        slot = place(NO_HANDLE, 0);
        slot->value = strangers[up_to(sizeof strangers / sizeof *strangers)];
        break;
    }
}

/* Frees any value as any type. */
static void free_any(void)
{
    struct slot *slot = any();
    enum type type = up_to(N_TYPES);
    searchscope_status expected = slot->value == NULL ? SEARCHSCOPE_OK : verdict(slot, type);

    CHECK_STATUS(expected, free_as(type, slot->value));
    if (is(slot, type))
        slot->lives = 0;
}

static void ask(void)
{
    struct slot *slot = any();
    const searchscope_report *report = slot->value;
    const char *bytes = searchscope_report_bytes(report);
    searchscope_status status = searchscope_report_status(report);

    CHECK((bytes != NULL) == is(slot, REPORT));
    CHECK(bytes == NULL || strlen(bytes) == searchscope_report_len(report));
    CHECK((searchscope_report_len(report) > 0) == is(slot, REPORT));
    CHECK(strlen(searchscope_report_code(report)) > 0);
    CHECK((strlen(searchscope_report_message(report)) > 0) == (status != SEARCHSCOPE_OK));
    if (!is(slot, REPORT))
        CHECK_STATUS(verdict(slot, REPORT), status);
}

static void trigger(void)
{
    struct slot *slot = up_to(4) == 0 ? probably(CANCEL) : any();

    CHECK_STATUS(verdict(slot, CANCEL), searchscope_cancel_trigger(slot->value));
    slot->is_triggered |= is(slot, CANCEL);
}

/* Makes, frees and calls anything in the middle of a stream. */
static int take(void *user_data, const searchscope_match *match)
{
    char path = match->path.bytes[0];

    n_steps[1]++;
    switch (up_to(4)) {
    case 0:
        make(user_data);
        break;
    case 1:
        free_any();
        break;
    case 2:
        ask();
        break;
    default:
        break;
    }
    CHECK(match->path.bytes[0] == path);
    return up_to(8) == 0 ? SEARCHSCOPE_STOP : SEARCHSCOPE_CONTINUE;
}

static int take_file(void *user_data, const searchscope_found_file *file)
{
    searchscope_match match;

    match.path = file->path;
    return take(user_data, &match);
}

/* Makes a call with any two values as workspace and token. */
static void call_any(void)
{
    static const char search[] = "{\"patterns\":[\"needle\"]}", query[] = "{\"query\":\"needle\"}";
    struct slot *workspace = probably(WORKSPACE), *cancel = probably(CANCEL), *slot;
    searchscope_report *report = NULL;
    searchscope_status expected = verdict(workspace, WORKSPACE), status;

    if (expected == SEARCHSCOPE_OK && cancel->value != NULL) {
        expected = verdict(cancel, CANCEL);
        if (expected == SEARCHSCOPE_OK && cancel->is_triggered)
            expected = SEARCHSCOPE_CANCELLED;
    }
    switch (up_to(3)) {
    case 0:
        status = searchscope_call(workspace->value, "search_in_files",
                                  REQUEST_WITH(query, cancel->value), &report);
        break;
    case 1:
        status = searchscope_search_each(workspace->value, REQUEST_WITH(search, cancel->value), take,
                                         (void *)root, &report);
        break;
    default:
        status = searchscope_find_each(workspace->value, REQUEST_WITH("{}", cancel->value), take_file,
                                       (void *)root, &report);
        break;
    }
    CHECK_STATUS(expected, status);
    CHECK_STATUS(expected, searchscope_report_status(report));
    slot = place(REPORT, 1);
    slot->value = report;
}

static void step(void)
{
    n_steps[0]++;
    switch (up_to(8)) {
    case 0:
    case 1:
    case 2:
        make(root);
        break;
    case 3:
    case 4:
        free_any();
        break;
    case 5:
        trigger();
        break;
    case 6:
        ask();
        break;
    default:
        call_any();
        break;
    }
}

static size_t n_live(void)
{
    size_t n = 0;

    for (size_t slot = 0; slot < N_SLOTS; slot++)
        n += slots[slot].lives != 0;
    return n;
}

int main(int argc, char **argv)
{
    long steps = argc > 3 ? atol(argv[3]) : N_STEPS;

    if (argc < 2)
        return 2;
    start();
    root = argv[1];
    state = argc > 2 ? (unsigned)atol(argv[2]) : 12345u;
    for (long n = 0; n < steps && failures == 0; n++) {
        step();
        CHECK(searchscope_test_live_handles() == n_live());
    }
    if (failures != 0)
        fprintf(stderr, "in step %u with seed %s\n", n_steps[0], argc > 2 ? argv[2] : "12345");
    CHECK(failures != 0 || steps < N_STEPS || n_steps[1] > (unsigned)steps / 50);
    for (size_t slot = 0; slot < N_SLOTS; slot++) {
        if (slots[slot].lives)
            CHECK_STATUS(SEARCHSCOPE_OK, free_as(slots[slot].type, slots[slot].value));
    }
    return finish();
}
