/* rounding.h: how the processor rounds and how the C library writes numbers. A library loaded
   beside otok may have set flush-to-zero, denormals-are-zero or another rounding, for all threads
   or some: a library that was linked with `-ffast-math` does so when it is loaded. A program that
   has called setlocale(), as those with Qt or GTK do, may write and read 0,5 for 0.5. So every
   entrance to a computation sets the mode that gives the bits and the locale "C" for the thread,
   and restores both afterwards:

     - every call of otok.h that computes, reads or writes numbers;
     - every thread that otok starts;
     - every parallel region whose threads compute, because the threads of OpenMP keep modes of
   their own;
     - calls into libraries that load others (GDAL). */
#ifndef OTOK_ROUNDING_H
#define OTOK_ROUNDING_H

#include <locale.h>

#if !defined __x86_64__
#include <fenv.h>
#endif

typedef struct otok_rounding {
#if defined __x86_64__
    unsigned vector;      /* MXCSR */
    unsigned short stack; /* of the x87, whose rounding the C library reads */
#else
    fenv_t mode;
#endif
    locale_t locale; /* of the thread */
} otok_rounding;

/* Sets rounding to nearest, with denormals and without traps, and the locale "C". Returns the mode
   and locale before. */
otok_rounding otok_rounding_enter(void);
void otok_rounding_leave(const otok_rounding *before);

/* Sets the mode that gives the bits until the end of the block. */
#define OTOK_ROUNDING                                                                              \
    __attribute__((cleanup(otok_rounding_leave), unused))                                          \
    const otok_rounding otok_rounding_before = otok_rounding_enter()

#endif
