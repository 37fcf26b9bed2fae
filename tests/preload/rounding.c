/* rounding.c: preloaded into otok by cli_rounding.py: what a library does that was built with
   -ffast-math, and more: a constructor, and every new thread, sets flush-to-zero,
   denormals-are-zero and rounding upwards. */
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdlib.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

typedef struct beginning {
    void *(*work)(void *);
    void *argument;
} beginning;

__attribute__((constructor)) static void spoil(void)
{
    fesetround(FE_UPWARD);
#ifdef __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

static void *begin(void *user)
{
    const beginning b = *(beginning *)user;
    free(user);
    spoil();
    return b.work(b.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *),
                   void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
            RTLD_NEXT, "pthread_create");
    beginning *b = malloc(sizeof *b);
    *b = (beginning){work, argument};
    return real(thread, how, begin, b);
}
