/* design.c: computes the rows of designs. */
#include "design.h"

#include "../model/random.h"

/* The random streams of a study. Only their numbers distinguish them from the streams of a
   scenario, which has a seed of its own. */
enum { STREAM_SHIFT, STREAM_PERMUTE, STREAM_INSIDE, STREAM_START, STREAM_ORDER };

static otok_random4 draw(const otok_design *d, uint32_t stream, uint64_t index, uint32_t number)
{
    return otok_random((uint32_t)d->seed, (uint32_t)(d->seed >> 32), stream, index, number);
}

/* A number in [0, 1) with 53 bits. */
static double uniform(otok_random4 r)
{
    return (double)(((uint64_t)r.v[0] << 21) ^ (r.v[1] >> 11)) * 0x1p-53;
}

/* A permutation of 0..n-1 without a table: a Feistel network of six rounds on the next even number
   of bits, repeated until the result is below n. */
static uint64_t permute(const otok_design *d, uint64_t i, uint64_t n, int axis)
{
    int half = 1;
    while (n > UINT64_C(1) << (2 * half))
        half++;
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint32_t round = 0; round < 6; round++) {
            const uint64_t mixed =
                left ^ (draw(d, STREAM_PERMUTE, right, 8 * (uint32_t)axis + round).v[0] & mask);
            left = right;
            right = mixed;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

static void grid(const otok_design *d, int64_t i, double *out)
{
    for (int a = d->naxes - 1; a >= 0; a--) {
        out[a] = d->points[a] > 1 ? (double)(i % d->points[a]) / (double)(d->points[a] - 1) : 0;
        i /= d->points[a];
    }
}

static void lhs(const otok_design *d, int64_t i, double *out)
{
    for (int a = 0; a < d->naxes; a++)
        out[a] = ((double)permute(d, (uint64_t)i, (uint64_t)d->rows, a) +
                  uniform(draw(d, STREAM_INSIDE, (uint64_t)i, (uint32_t)a))) /
                 (double)d->rows;
}

static double sobol(const otok_design *d, int64_t i, int dimension)
{
    const uint64_t x = (uint64_t)otok_sobol((uint64_t)i, dimension) << 21;
    const otok_random4 r = draw(d, STREAM_SHIFT, (uint64_t)dimension, 0);
    const uint64_t shift = ((uint64_t)r.v[0] << 21) ^ (r.v[1] >> 11);
    return (double)(d->scramble ? x ^ shift : x) * 0x1p-53;
}

int64_t otok_design_block(const otok_design *d)
{
    if (d->kind == OTOK_DESIGN_MORRIS) return d->naxes + 1;
    if (d->kind != OTOK_DESIGN_SALTELLI) return 1;
    return d->second_order ? 2 * d->naxes + 2 : d->naxes + 2;
}

static void saltelli(const otok_design *d, int64_t i, double *out)
{
    const int n = d->naxes;
    const int64_t block = otok_design_block(d), base = i / block;
    const int row = (int)(i % block);
    for (int a = 0; a < n; a++) {
        int from_b = row == block - 1; /* the last row comes from B */
        if (row >= 1 && row <= n)      /* A with one column from B */
            from_b = a == row - 1;
        else if (row > n && row < block - 1) /* B with one column from A */
            from_b = a != row - n - 1;
        out[a] = sobol(d, base, from_b ? n + a : a);
    }
}

static void morris(const otok_design *d, int64_t i, double *out)
{
    const int n = d->naxes, row = (int)(i % (n + 1));
    const uint64_t trajectory = (uint64_t)(i / (n + 1));
    const int64_t jump = d->levels / 2;
    int order[OTOK_MAX_AXES]; /* order[k]: the axis that moves in step k + 1 */
    for (int k = 0; k < n; k++) {
        const int other =
            (int)(draw(d, STREAM_ORDER, trajectory, (uint32_t)k).v[0] % (uint32_t)(k + 1));
        order[k] = order[other];
        order[other] = k;
    }
    for (int k = 0; k < n; k++) {
        const int a = order[k];
        const otok_random4 r = draw(d, STREAM_START, trajectory, (uint32_t)a);
        const int64_t low = (int64_t)(r.v[0] % (uint32_t)(d->levels - jump));
        const int moved = k < row, down = (int)(r.v[1] & 1);
        out[a] = (double)(low + (moved != down ? jump : 0)) / (double)(d->levels - 1);
    }
}

int64_t otok_design_rows(const otok_design *d)
{
    const int64_t most = INT64_C(1) << 53, each = otok_design_block(d);
    int64_t rows = d->rows;
    switch (d->kind) {
    case OTOK_DESIGN_GRID:
        rows = 1;
        for (int a = 0; a < d->naxes; a++) {
            if (rows > most / d->points[a]) return -1;
            rows *= d->points[a];
        }
        return rows;
    case OTOK_DESIGN_MORRIS: rows = d->trajectories; break;
    case OTOK_DESIGN_SALTELLI: rows = d->base; break;
    default: break;
    }
    return rows > most / each ? -1 : rows * each;
}

void otok_design_row(const otok_design *d, int64_t i, double *out)
{
    switch (d->kind) {
    case OTOK_DESIGN_GRID: grid(d, i, out); break;
    case OTOK_DESIGN_LHS: lhs(d, i, out); break;
    case OTOK_DESIGN_MORRIS: morris(d, i, out); break;
    case OTOK_DESIGN_SALTELLI: saltelli(d, i, out); break;
    default:
        for (int a = 0; a < d->naxes; a++)
            out[a] = sobol(d, i, a);
    }
}
