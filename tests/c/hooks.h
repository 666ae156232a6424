/* Additional exports of a library built with the feature test-hooks; for these tests only. */
#ifndef HOOKS_H
#define HOOKS_H

#include "searchscope.h"

/* Panics inside the library; with `worse`, with a payload that panics again when it is dropped. */
searchscope_status searchscope_test_panic(int worse, searchscope_report **out_report);

/*
 * Makes the next streamed call of this thread panic inside the library after `n_results` results.
 * Works once; a negative number cancels it.
 */
searchscope_status searchscope_test_panic_after(int n_results);

/* Fails with this status, one of the engine's: 1 to 99. */
searchscope_status searchscope_test_fail(int status, searchscope_report **out_report);

/* Returns the number of live handles of all types. */
size_t searchscope_test_live_handles(void);

#endif
