/* rounding.h: how the processor rounds. A library loaded beside otok may have set flush-to-zero,
   denormals-are-zero or another rounding, for all threads or some: `-ffast-math` does so when a
   library is loaded. The doors through which all computing goes therefore set the mode that gives
   the bits, and give back the one that they found:
   - every call of otok.h that computes;
   - every thread that otok starts;
   - every parallel region whose threads compute: those of OpenMP's team keep a mode of their own;
   - calls into libraries that load others (GDAL). */
#ifndef OTOK_ROUNDING_H
#define OTOK_ROUNDING_H

#if defined __x86_64__
typedef struct otok_rounding {
    unsigned vector;      /* MXCSR */
    unsigned short stack; /* of the x87, whose rounding the C library reads */
} otok_rounding;
#else
#include <fenv.h>
typedef fenv_t otok_rounding;
#endif

/* Sets round to nearest, with denormal numbers and without traps; returns what was set. */
otok_rounding otok_rounding_enter(void);
void otok_rounding_leave(const otok_rounding *before);

/* The mode that gives the bits, from here to the end of the block. */
#define OTOK_ROUNDING                                                                              \
    __attribute__((cleanup(otok_rounding_leave), unused))                                          \
    const otok_rounding otok_rounding_before = otok_rounding_enter()

#endif
