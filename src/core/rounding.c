/* rounding.c: see rounding.h. These are functions of their own, so that no compiler moves
 * arithmetic past them. */
#include "rounding.h"

#if defined __x86_64__
#include <xmmintrin.h>

otok_rounding otok_rounding_enter(void)
{
    const unsigned short nearest = 0x37f;
    otok_rounding before;
    before.vector = _mm_getcsr();
    __asm__ volatile("fnstcw %0" : "=m"(before.stack));
    _mm_setcsr(0x1f80);
    __asm__ volatile("fldcw %0" : : "m"(nearest));
    return before;
}

void otok_rounding_leave(const otok_rounding *before)
{
    _mm_setcsr(before->vector);
    __asm__ volatile("fldcw %0" : : "m"(before->stack));
}

#else

otok_rounding otok_rounding_enter(void)
{
    otok_rounding before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    return before;
}

void otok_rounding_leave(const otok_rounding *before)
{
    fesetenv(before);
}

#endif
