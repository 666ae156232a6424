/**
 * The `args_len` of a `searchscope_request` whose `args` end in NUL.
 */
#define SEARCHSCOPE_NUL_TERMINATED ((size_t)-1)

/**
 * Initializes a `searchscope_request` with a text that ends in NUL, and without a cancel token:
 * `searchscope_request request = SEARCHSCOPE_REQUEST("{\"patterns\": [\"TODO\"]}");`
 */
#define SEARCHSCOPE_REQUEST(args)                                                        \
    {sizeof(searchscope_request), (args), SEARCHSCOPE_NUL_TERMINATED, NULL}
