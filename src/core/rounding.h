/* rounding.h: how the processor rounds. A library loaded beside otok may have set flush-to-zero,
   denormals-are-zero or another rounding, for all threads or some: a library that was linked with
   `-ffast-math` does so when it is loaded. So every entrance to a computation sets the mode that
   gives the bits, and restores the previous mode afterwards:

     - every call of otok.h that computes;
     - every thread that otok starts;
     - every parallel region whose threads compute, because the threads of OpenMP keep modes of
   their own;
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

/* Sets rounding to nearest, with denormals and without traps. Returns the mode before. */
otok_rounding otok_rounding_enter(void);
void otok_rounding_leave(const otok_rounding *before);

/* Sets the mode that gives the bits until the end of the block. */
#define OTOK_ROUNDING                                                                              \
    __attribute__((cleanup(otok_rounding_leave), unused))                                          \
    const otok_rounding otok_rounding_before = otok_rounding_enter()

#endif
