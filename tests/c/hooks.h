/* What a library built with the feature test-hooks exports in addition; for these tests only. */
#ifndef HOOKS_H
#define HOOKS_H

#include "searchscope.h"

/* Panics inside the library; with `worse`, by a payload that panics again when it is dropped. */
int searchscope_test_panic(int worse, searchscope_error **out_error);

/*
 * Lets a streamed call of this thread panic inside the library when `n_results` were handed over.
 * Only once; a negative number takes it back.
 */
int searchscope_test_panic_after(int n_results);

/* Fails with this status, one of the engine's: 1 to 99. */
int searchscope_test_fail(int status, searchscope_error **out_error);

/* How many handles of all types live. */
size_t searchscope_test_live_handles(void);

#endif
