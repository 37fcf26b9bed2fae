/* set.h: sets of small numbers, such as those of the buffers of a patch. State fields alone have
   fewer than 64 numbers; their sets are bits of a uint64_t (BIT). */
#ifndef OTOK_SET_H
#define OTOK_SET_H

#include "../model/math.h"

#include <stdint.h>

#define BIT(n) (UINT64_C(1) << (n))

enum { OTOK_SET_WORDS = 4, OTOK_SET_MOST = 64 * OTOK_SET_WORDS };

/* Number n is bit n % 64 of word n / 64; 0 <= n < OTOK_SET_MOST. */
typedef struct otok_set {
    uint64_t word[OTOK_SET_WORDS];
} otok_set;

/* The set of one number; those from `from` to `upto` - 1; those of the bits of one word. */
OTOK_FN otok_set otok_set_one(int n)
{
    otok_set s = {{0}};
    s.word[n / 64] = BIT(n % 64);
    return s;
}

OTOK_FN otok_set otok_set_range(int from, int upto)
{
    otok_set s = {{0}};
    for (int n = from; n < upto; n++)
        s.word[n / 64] |= BIT(n % 64);
    return s;
}

OTOK_FN otok_set otok_set_of(uint64_t bits)
{
    otok_set s = {{0}};
    s.word[0] = bits;
    return s;
}

/* What is in one of two, in both, in the first alone. */
OTOK_FN otok_set otok_set_or(otok_set a, otok_set b)
{
    for (int w = 0; w < OTOK_SET_WORDS; w++)
        a.word[w] |= b.word[w];
    return a;
}

OTOK_FN otok_set otok_set_and(otok_set a, otok_set b)
{
    for (int w = 0; w < OTOK_SET_WORDS; w++)
        a.word[w] &= b.word[w];
    return a;
}

OTOK_FN otok_set otok_set_without(otok_set a, otok_set b)
{
    for (int w = 0; w < OTOK_SET_WORDS; w++)
        a.word[w] &= ~b.word[w];
    return a;
}

OTOK_FN void otok_set_add(otok_set *s, int n)
{
    s->word[n / 64] |= BIT(n % 64);
}

OTOK_FN int otok_set_has(otok_set s, int n)
{
    return (int)(s.word[n / 64] >> (n % 64) & 1);
}

OTOK_FN int otok_set_is_empty(otok_set s)
{
    uint64_t any = 0;
    for (int w = 0; w < OTOK_SET_WORDS; w++)
        any |= s.word[w];
    return !any;
}

OTOK_FN int otok_set_equals(otok_set a, otok_set b)
{
    return otok_set_is_empty(otok_set_without(a, b)) && otok_set_is_empty(otok_set_without(b, a));
}

OTOK_FN int otok_set_size(otok_set s)
{
    int n = 0;
    for (int i = 0; i < OTOK_SET_MOST; i++)
        n += otok_set_has(s, i);
    return n;
}

#endif
