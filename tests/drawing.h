/* drawing.h: what tests that draw begin with. They are built where views are. */
#ifndef OTOK_TESTS_DRAWING_H
#define OTOK_TESTS_DRAWING_H

#include "check.h"
#include "viz/gl.h"

#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__
/* Drivers keep memory to the end. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

/* A context without a display; where there is none the test is skipped. */
static inline otok_gl *drawing_begin(void)
{
    otok_gl *gl;
    if (otok_gl_create(&gl) == OTOK_OK) return gl;
    printf("skipped: %s\n", otok_why());
    exit(77);
}

#endif
