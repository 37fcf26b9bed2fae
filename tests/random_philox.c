/* random_philox.c: otok_random is Philox4x32-10 (Random123's published answers), every bit of its
   arguments matters, and its numbers are uniform and unrelated from one index, draw, stream or seed
   to the next. */
#include "check.h"
#include "model/random.h"

#include <math.h>

typedef struct address {
    uint32_t low, high, stream;
    uint64_t index;
    uint32_t draw;
} address;

static otok_random4 at(address a)
{
    return otok_random(a.low, a.high, a.stream, a.index, a.draw);
}

static void known_answers(void)
{
    static const struct {
        address a;
        uint32_t v[4];
    } known[] = {
        {{0, 0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{~0u, ~0u, ~0u, ~UINT64_C(0), ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0xa4093822, 0x299f31d0, 0x13198a2e, UINT64_C(0x85a308d3243f6a88), 0x03707344},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int k = 0; k < 3; k++) {
        const otok_random4 r = at(known[k].a);
        CHECK(memcmp(r.v, known[k].v, sizeof r.v) == 0, "%d: %08x %08x %08x %08x", k, r.v[0],
              r.v[1], r.v[2], r.v[3]);
    }
}

/* Flipping any one bit of the arguments flips half the bits of the answer. */
static void avalanche(void)
{
    enum { N = 2000 };
    for (int bit = 0; bit < 192; bit++) {
        int64_t flips = 0;
        for (uint32_t n = 0; n < N; n++) {
            const address a = {7, 0, n % 5, n, 0};
            address b = a;
            if (bit < 32)
                b.low ^= 1u << bit;
            else if (bit < 64)
                b.high ^= 1u << (bit - 32);
            else if (bit < 96)
                b.stream ^= 1u << (bit - 64);
            else if (bit < 160)
                b.index ^= UINT64_C(1) << (bit - 96);
            else
                b.draw ^= 1u << (bit - 160);
            const otok_random4 x = at(a), y = at(b);
            for (int k = 0; k < 4; k++)
                flips += __builtin_popcount(x.v[k] ^ y.v[k]);
        }
        const double mean = (double)flips / N; /* 64 +- sqrt(32/N) */
        CHECK(fabs(mean - 64) < 6 * sqrt(32.0 / N), "bit %d: %g of 128 bits flip", bit, mean);
    }
}

static void uniform(void)
{
    enum { N = 1 << 18, BINS = 1024 };
    static int count[4][BINS];
    double sum[4] = {0}, cross[4][4] = {{0}};
    for (uint64_t n = 0; n < N; n++) {
        const otok_random4 a = at((address){1, 0, 0, n, 0});
        const otok_random4 b[4] = {at((address){1, 0, 0, n + 1, 0}), at((address){1, 0, 0, n, 1}),
                                   at((address){1, 0, 1, n, 0}), at((address){2, 0, 0, n, 0})};
        for (int k = 0; k < 4; k++) {
            const double u = otok_uniform(a.v[k]);
            count[k][(int)(u * BINS)]++;
            sum[k] += u - 0.5;
            for (int other = 0; other < 4; other++)
                cross[other][k] += (u - 0.5) * (otok_uniform(b[other].v[k]) - 0.5);
        }
    }
    const double six = 6 * sqrt(1.0 / 12 / N);
    for (int k = 0; k < 4; k++) {
        double chi2 = 0;
        for (int b = 0; b < BINS; b++)
            chi2 += pow(count[k][b] - (double)N / BINS, 2) * BINS / N;
        CHECK(fabs(chi2 - (BINS - 1)) < 6 * sqrt(2.0 * (BINS - 1)), "word %d: chi-square %g", k,
              chi2);
        CHECK(fabs(sum[k] / N) < six, "word %d: mean 1/2 %+g", k, sum[k] / N);
        for (int other = 0; other < 4; other++)
            CHECK(fabs(cross[other][k] / N) < six / sqrt(12),
                  "word %d, neighbour %d: covariance %g", k, other, cross[other][k] / N);
    }
    CHECK(otok_uniform(0) == 0 && otok_uniform(~0u) == 1 - 0x1p-24f, "%a", otok_uniform(~0u));
}

int main(void)
{
    known_answers();
    avalanche();
    uniform();
    return check_failures != 0;
}
