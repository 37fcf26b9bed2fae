/* clock.h: a clock in seconds that is never set; it counts from some moment. */
#ifndef OTOK_CLOCK_H
#define OTOK_CLOCK_H

#include <time.h>

static inline double otok_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
