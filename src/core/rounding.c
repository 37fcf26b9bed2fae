/* rounding.c: see rounding.h. These are functions of their own, so that no compiler moves
 * arithmetic past them. */
#include "rounding.h"

#include <stdatomic.h>

#if defined __x86_64__
#include <xmmintrin.h>
#endif

/* Made once and never freed. */
static locale_t plain_locale(void)
{
    static _Atomic(locale_t) kept;
    locale_t here = atomic_load(&kept), none = (locale_t)0;
    if (here) return here;
    here = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!here || atomic_compare_exchange_strong(&kept, &none, here)) return here;
    freelocale(here);
    return none;
}

otok_rounding otok_rounding_enter(void)
{
    otok_rounding before;
    before.locale = uselocale(plain_locale()); /* if there is no memory for it, nothing changes */
#if defined __x86_64__
    const unsigned short nearest = 0x37f;
    before.vector = _mm_getcsr();
    __asm__ volatile("fnstcw %0" : "=m"(before.stack));
    _mm_setcsr(0x1f80);
    __asm__ volatile("fldcw %0" : : "m"(nearest));
#else
    fegetenv(&before.mode);
    fesetenv(FE_DFL_ENV);
#endif
    return before;
}

void otok_rounding_leave(const otok_rounding *before)
{
#if defined __x86_64__
    _mm_setcsr(before->vector);
    __asm__ volatile("fldcw %0" : : "m"(before->stack));
#else
    fesetenv(&before->mode);
#endif
    uselocale(before->locale);
}
