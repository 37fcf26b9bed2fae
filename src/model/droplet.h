/* droplet.h: one step of one droplet (D20), and the change of a cell by all droplets that took from
   it or left something there. These are pure functions of values: the caller knows where a droplet
   is on the grid and which heights it meets. Solid is counted in units of 2^-39 m, as in the
   ledger. Droplets carry integers and cells sum integers, so that the order does not matter and
   nothing is lost. A droplet takes what the ground really loses after rounding (the exact exchange
   of common.h). */
#ifndef OTOK_DROPLET_H
#define OTOK_DROPLET_H

#include "coefficients.h"
#include "fixed.h"
#include "random.h"

#define OTOK_DROPLET_UNIT 1.8189894035458565e-12f /* 2^-39 m */
/* A step of more cells than this, or one that is not a number, ends outside the grid, whatever the
   edges are. */
#define OTOK_DROPLET_FAR 1048576

typedef struct otok_droplet {
    int i, j;       /* the cell */
    float x, y;     /* position in the cell, 0 <= x < 1 [cells] */
    float u, w;     /* speed [m/s] */
    float volume;   /* 1 at the start */
    float sediment; /* concentration: volume * sediment is solid [m] */
    uint64_t solid; /* the solid that it really carries, modulo 2^64 [2^-39 m] */
} otok_droplet;

/* Metres in units, rounded towards 0. At most 4096 m, so that a few thousand droplets in a cell
   cannot overflow. NaN is 0. */
OTOK_FN int64_t otok_droplet_units(float metres)
{
    const float limit = 4096.0f;
    float v = metres == metres ? metres : 0.0f;
    v = v > limit ? limit : v;
    v = v < -limit ? -limit : v;
    return (int64_t)(v * 549755813888.0f /* 2^39 */);
}

/* The same for a height, rounded as the ledger does. */
OTOK_FN int64_t otok_droplet_height_units(float height)
{
    const otok_fixed f = otok_fixed_from(height);
    return (int64_t)f.hi * INT64_C(2147483648) + f.lo;
}

/* A start drawn uniformly from nx * ny cells. */
OTOK_FN otok_droplet otok_droplet_start(otok_random4 r, int nx, int ny)
{
    otok_droplet d = {0, 0, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0};
    d.i = (int)(((uint64_t)r.v[0] * (uint64_t)nx) >> 32);
    d.j = (int)(((uint64_t)r.v[1] * (uint64_t)ny) >> 32);
    d.x = otok_uniform(r.v[2]);
    d.y = otok_uniform(r.v[3]);
    return d;
}

/* A start drawn by weight. upto[c] is the sum of the weights of cells 0..c (sim/starts.h); the last
   is not 0. */
OTOK_FN otok_droplet otok_droplet_start_among(otok_random4 r, const uint64_t *upto, int64_t cells,
                                              int nx)
{
    otok_droplet d = otok_droplet_start(r, 1, 1);
    const uint64_t total = upto[cells - 1], high = total >> 32, low = total & 0xffffffffu;
    /* floor(total (v0 + v1 2^-32) 2^-32), in [0, total), computed by halves */
    const uint64_t below = low * r.v[0] + ((low * r.v[1]) >> 32),
                   between = high * r.v[1] + (below & 0xffffffffu);
    const uint64_t point = high * r.v[0] + (below >> 32) + (between >> 32);
    int64_t first = 0, last = cells - 1;
    while (first < last) { /* finds the first cell whose sum is above the point */
        const int64_t middle = (first + last) / 2;
        if (upto[middle] > point)
            last = middle;
        else
            first = middle + 1;
    }
    d.i = (int)(first % nx);
    d.j = (int)(first / nx);
    return d;
}

/* Moves one coordinate by `distance` cells. `at` stays in [0, 1). Returns the number of cells
   passed. */
OTOK_FN int otok_droplet_advance(float *at, float distance)
{
    float x = *at + distance;
    float cells = floorf(x);
    if (!(fabsf(cells) < (float)OTOK_DROPLET_FAR)) return OTOK_DROPLET_FAR;
    x -= cells;
    if (x >= 1.0f) { /* a value just below a border may round onto it */
        x = 0.0f;
        cells += 1.0f;
    }
    *at = x;
    return (int)cells;
}

/* Is the cell that is `step` cells from i outside a row of n? */
OTOK_FN int otok_droplet_outside(int step, int i, int n, int wraps)
{
    return step == OTOK_DROPLET_FAR || (!wraps && (i + step < 0 || i + step >= n));
}

/* The motion of D20: n = (-h_x, -h_y, 1)/sqrt(1 + |grad h|^2); speed += dt n/(volume density); pos
   += dt speed; speed *= 1 - dt friction. On return d->i and d->j are the numbers of cells passed;
   the caller adds them to the old cell. */
OTOK_FN otok_droplet otok_droplet_move(otok_droplet d, otok_cross h, otok_droplet_coefficients k)
{
    const float hx = (h.right - h.left) * k.per_length, hy = (h.top - h.bottom) * k.per_length;
    const float push = k.push / (d.volume * sqrtf(1.0f + (hx * hx + hy * hy)));
    d.u -= push * hx;
    d.w -= push * hy;
    d.i = otok_droplet_advance(&d.x, k.dt_l * d.u);
    d.j = otok_droplet_advance(&d.y, k.dt_l * d.w);
    d.u *= k.glide;
    d.w *= k.glide;
    return d;
}

/* What a step moved, apart from the droplet itself [2^-39 m]. */
typedef struct otok_droplet_step {
    int64_t taken; /* by the droplet, from the cell that it left */
    int64_t put;   /* at its end, into the cell where it is */
    int64_t out;   /* at its end, off the map */
    int64_t lost;  /* at its end; as_published drops this mass */
    int ended;
} otok_droplet_step;

/* The end of a droplet that leaves over the edge. The solid that evaporation removed from D20's
   droplet on the way counts as lost. */
OTOK_FN otok_droplet_step otok_droplet_leave(otok_droplet d, otok_droplet_coefficients k)
{
    otok_droplet_step s = {0, 0, 0, 0, 1};
    s.out = k.deposit ? (int64_t)d.solid : otok_droplet_units(d.volume * d.sediment);
    s.lost = (int64_t)d.solid - s.out;
    return s;
}

/* The end of a droplet at a wall: the cell before it gets its solid. */
OTOK_FN otok_droplet_step otok_droplet_stop(otok_droplet d, otok_droplet_coefficients k)
{
    otok_droplet_step s = {0, 0, 0, 0, 1};
    s.put = k.deposit ? (int64_t)d.solid : 0;
    s.lost = k.deposit ? 0 : (int64_t)d.solid;
    return s;
}

/* The exchange of D20 with the cell that the droplet left, followed by evaporation. `drop` is the
   height of that cell above the present one. c_eq = max(0, volume |speed| drop), sediment += k
   (c_eq - sediment), h -= volume k (c_eq - sediment), volume *= keep. Under `deposit` the ground
   also gets the solid that evaporation would concentrate, so that volume * sediment stays, and the
   rest where the droplet ends. */
OTOK_FN otok_droplet_step otok_droplet_exchange(otok_droplet *d, float change, float drop,
                                                float erodibility, int last,
                                                otok_droplet_coefficients k)
{
    otok_droplet_step s = {0, 0, 0, 0, 0};
    const float most = otok_positive(d->volume * sqrtf(d->u * d->u + d->w * d->w) * drop);
    const float lack = most - d->sediment;
    const float gain = lack > 0.0f ? k.exchange * erodibility * lack : k.exchange * lack;
    float loss = d->volume * gain;
    d->sediment += gain;
    d->volume *= k.keep;
    if (k.deposit)
        loss = (float)(otok_droplet_units(d->volume * d->sediment) - (int64_t)d->solid) *
               OTOK_DROPLET_UNIT;
    const float left = change - loss;
    s.taken = otok_droplet_units(change - left);
    d->solid += (uint64_t)s.taken;
    s.ended = last || !(d->volume > k.min_volume);
    if (s.ended && k.deposit) s.put = (int64_t)d->solid;
    if (s.ended && !k.deposit) s.lost = (int64_t)d->solid;
    return s;
}

/* The change of a cell after droplets left `put` units in it; negative: they took. *rounded is what
   the ground gained beyond that. */
OTOK_FN float otok_droplet_ground(float change, int64_t put, int64_t *rounded)
{
    const float next = change + (float)put * OTOK_DROPLET_UNIT;
    *rounded = otok_droplet_height_units(next) - otok_droplet_height_units(change) - put;
    return next;
}

#endif
