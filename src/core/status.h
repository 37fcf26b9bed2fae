/* status.h: failures inside the library. Each thread has its own text, see otok_why. */
#ifndef OTOK_STATUS_H
#define OTOK_STATUS_H

#include "../otok.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stores the text and returns the status, for `return OTOK_FAIL(...)`. */
otok_status otok_fail(otok_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the text of a failure. Returns its status. */
otok_status otok_fail_in(otok_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define OTOK_FAIL(status, ...) otok_fail((status), __VA_ARGS__)
#define OTOK_TRY(call)                                                                             \
    do {                                                                                           \
        const otok_status status_ = (call);                                                        \
        if (status_ != OTOK_OK) return status_;                                                    \
    } while (0)

/* OTOK_USAGE with a text that names the first NULL of n arguments, whose names are separated by
   commas; OTOK_OK: none is NULL. Public functions begin with OTOK_GIVEN(what they need). */
otok_status otok_given(const char *function, const char *names, int n, const void *const *pointers);

#define OTOK_GIVEN(...)                                                                            \
    otok_given(__func__, #__VA_ARGS__,                                                             \
               (int)(sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)),                 \
               (const void *const[]){__VA_ARGS__})

#ifdef __cplusplus
}
#endif
#endif
