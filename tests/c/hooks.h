/* What a library built with the feature test-hooks exports in addition; for these tests only. */
#ifndef HOOKS_H
#define HOOKS_H

#include "searchscope.h"

/* Panics inside the library; with `worse`, by a payload that panics again when it is dropped. */
int searchscope_test_panic(int worse, searchscope_error **out_error);

/* How many handles of all types live. */
size_t searchscope_test_live_handles(void);

#endif
