/* droplets.c: a batch of droplets. All droplets take one step at a time. In a step every droplet
   sees the ground as it was at the beginning of the step, and adds what it takes and leaves to
   its cells in integers. Then the changed cells become ground. So a step has two halves, and no
   half begins before the last has ended.

   Each thread has a share of the droplets, those of some rows, because data that two threads
   write moves between their caches. On a busy machine a thread may be suspended for many halves.
   Other threads then do its share, and yield the processor if there is nothing to do. */
#include "../model/droplet.h"

#include "../core/ground.h"
#include "../core/walls.h"
#include "cpu.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

enum {
    SHARES = 256,   /* at most */
    BANDS = 1024,   /* of rows, that droplets are sorted by */
    PATIENCE = 4096 /* polls for the end of a half (some microseconds) before a thread yields */
};

/* A droplet and where it may have left something in this step. */
typedef struct traveller {
    otok_droplet d;
    ptrdiff_t from, to; /* its cells before and after */
    int ended;
} traveller;

/* What a thread books. */
typedef struct books {
    int64_t out, lost, rounded; /* [2^-39 m] */
} books;

/* A part of a batch, and the number of halves begun. Each has its own cache lines. */
typedef struct share {
    traveller *first;
    int n; /* still on their way */
    _Alignas(64) atomic_int begun;
} share;

typedef struct pool {
    const otok_patch *patch;
    otok_droplet_coefficients k;
    share *share;
    int shares;
    _Alignas(64) atomic_int_least64_t done; /* shares, in all halves */
    _Alignas(64) atomic_int abroad;         /* droplets still on their way */
} pool;

/* Each droplet twice: itself, and a copy for sorting. */
size_t cpu_droplet_bytes(void)
{
    return 2 * sizeof(traveller);
}

static inline float ground(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_TERRAIN_BASE][at] + v->at[OTOK_TERRAIN_CHANGE][at];
}

static inline void add_units(const otok_view *v, ptrdiff_t at, int64_t units)
{
    uint64_t *cell = v->droplets_put + at;
    if (!units) return;
#pragma omp atomic
    *cell += (uint64_t)units;
}

static traveller start_droplet(const otok_patch *p, uint64_t number, int by_rain)
{
    const otok_view *v = &p->view;
    const uint64_t seed = (uint64_t)p->seed;
    const otok_random4 r =
        otok_random((uint32_t)seed, (uint32_t)(seed >> 32), OTOK_STREAM_DROPLETS, number, 0);
    const otok_droplet d =
        by_rain || v->at[OTOK_WALLS]
            ? otok_droplet_start_among(r, v->droplets_upto, (int64_t)v->nx * v->ny, v->nx)
            : otok_droplet_start(r, v->nx, v->ny);
    return (traveller){d, 0, 0, 0};
}

static inline void step(const otok_patch *p, traveller *t, int last, books *b,
                        otok_droplet_coefficients k)
{
    const otok_view *v = &p->view;
    const int i = t->d.i, j = t->d.j, wide = p->edges[OTOK_LEFT] == OTOK_PERIODIC,
              high = p->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    const ptrdiff_t row = j * v->pitch;
    const otok_cross h = {ground(v, row + i),
                          ground(v, otok_walls_beside(v, i, j, -1, 0, wide, high)),
                          ground(v, otok_walls_beside(v, i, j, 1, 0, wide, high)),
                          ground(v, otok_walls_beside(v, i, j, 0, -1, wide, high)),
                          ground(v, otok_walls_beside(v, i, j, 0, 1, wide, high))};
    otok_droplet_step s;
    t->d = otok_droplet_move(t->d, h, k);
    t->from = t->to = row + i;
    if (otok_walls_between(v, i, j, t->d.i, t->d.j, wide, high)) {
        t->d.i = i;
        t->d.j = j;
        s = otok_droplet_stop(t->d, k);
    } else if (otok_droplet_outside(t->d.i, i, v->nx, wide) ||
               otok_droplet_outside(t->d.j, j, v->ny, high)) {
        s = otok_droplet_leave(t->d, k);
    } else {
        t->d.i = otok_beside(i + t->d.i, v->nx, wide);
        t->d.j = otok_beside(j + t->d.j, v->ny, high);
        t->to = t->d.j * v->pitch + t->d.i;
        s = otok_droplet_exchange(&t->d, v->at[OTOK_TERRAIN_CHANGE][t->from],
                                  h.here - ground(v, t->to), otok_erodibility_at(v, t->from), last,
                                  k);
    }
    add_units(v, t->from, -s.taken);
    add_units(v, t->to, s.put);
    b->out += s.out;
    b->lost += s.lost;
    t->ended = s.ended;
}

static inline void apply_units(const otok_view *v, ptrdiff_t at, books *b)
{
    uint64_t *cell = v->droplets_put + at, units;
    int64_t rounded;
#pragma omp atomic capture
    {
        units = *cell;
        *cell = 0;
    }
    if (!units) return; /* nothing, or another droplet was here first */
    v->at[OTOK_TERRAIN_CHANGE][at] =
        otok_droplet_ground(v->at[OTOK_TERRAIN_CHANGE][at], (int64_t)units, &rounded);
    b->rounded += rounded;
}

/* Half 0 of a step: droplets move and leave something in cells. Half 1: the cells change. */
static void run_half(pool *t, share *mine, int half, books *b)
{
    const int before = mine->n;
    if (half % 2 == 0) {
        for (int m = 0; m < mine->n; m++)
            step(t->patch, mine->first + m, half / 2 + 1 == t->k.max_steps, b, t->k);
        return;
    }
    for (int m = 0; m < mine->n;) {
        traveller *now = mine->first + m;
        apply_units(&t->patch->view, now->from, b);
        if (now->ended) {
            apply_units(&t->patch->view, now->to, b);
            *now = mine->first[--mine->n];
        } else {
            m++;
        }
    }
    if (mine->n < before) atomic_fetch_sub(&t->abroad, before - mine->n);
}

/* Takes a half of a share. 0: another thread has begun it. */
static int claim(pool *t, int i, int half, books *b)
{
    int begun = half;
    if (!atomic_compare_exchange_strong(&t->share[i].begun, &begun, half + 1)) return 0;
    run_half(t, &t->share[i], half, b);
    atomic_fetch_add(&t->done, 1);
    return 1;
}

static void claim_another(pool *t, int half, books *b)
{
    for (int i = 0; i < t->shares; i++)
        if (atomic_load(&t->share[i].begun) == half && claim(t, i, half, b)) return;
    sched_yield();
}

static books travel_alone(pool *t)
{
    books b = {0, 0, 0};
    for (int half = 0; t->share->n > 0; half++)
        run_half(t, t->share, half, &b);
    return b;
}

/* Runs in each thread and begins with its share. A late thread finds its halves done. */
static books run_share(pool *t, int mine)
{
    books b = {0, 0, 0};
    for (int half = 0; atomic_load(&t->abroad) > 0 || half % 2; half++) {
        claim(t, mine, half, &b);
        for (int polls = 0; atomic_load(&t->done) < (int64_t)t->shares * (half + 1);
             polls += polls < PATIENCE)
            if (polls == PATIENCE) claim_another(t, half, &b);
    }
    return b;
}

static void book(const otok_view *v, int sum, int64_t units)
{
    const int64_t hi = units >> 31;
    cpu_book(v, sum, hi, units - hi * INT64_C(2147483648));
}

/* Sorts droplets by rows, so that those in neighbouring rows follow each other. */
static void sort(const otok_view *v, const traveller *from, traveller *to, int n)
{
    int at[BANDS + 1] = {0};
    for (int m = 0; m < n; m++)
        at[(int64_t)from[m].d.j * BANDS / v->ny + 1]++;
    for (int i = 0; i < BANDS; i++)
        at[i + 1] += at[i];
    for (int m = 0; m < n; m++)
        to[at[(int64_t)from[m].d.j * BANDS / v->ny]++] = from[m];
}

static void make_shares(pool *t, int n)
{
    const otok_view *v = &t->patch->view;
    traveller *all = cpu_droplet_room(t->patch);
    const uint64_t number = (uint64_t)v->steps[*v->now].first_droplet;
    for (int m = 0; m < n; m++)
        all[m] = start_droplet(t->patch, number + (uint64_t)m, t->k.by_rain);
    if (t->shares > 1) sort(v, all, all + n, n);
    for (int i = 0; i < t->shares; i++) {
        const int64_t first = (int64_t)n * i / t->shares, end = (int64_t)n * (i + 1) / t->shares;
        t->share[i].first = all + (t->shares > 1 ? n : 0) + first;
        t->share[i].n = (int)(end - first);
        atomic_init(&t->share[i].begun, 0);
    }
}

void cpu_droplets(const otok_patch *p, otok_box box, const otok_coefficients *k)
{
    const otok_view *v = &p->view;
    const int n = v->steps[*v->now].droplets, threads = cpu_threads(v),
              useful = n < 64 ? 1 : 1 + n / 64;
    const int shares =
        useful < threads ? useful : threads; /* a region of threads costs more than a droplet */
    share all[SHARES];
    pool t = {.patch = p,
              .k = k->droplets,
              .share = all,
              .shares = shares < SHARES ? shares : SHARES,
              .done = 0,
              .abroad = n};
    int64_t out = 0, lost = 0, rounded = 0;
    (void)box; /* droplets go anywhere: there is one box, the grid */
    make_shares(&t, n);
    if (t.shares == 1) {
        const books b = travel_alone(&t);
        out = b.out;
        lost = b.lost;
        rounded = b.rounded;
    } else {
#pragma omp parallel num_threads(t.shares) reduction(+ : out, lost, rounded)
        {
            OTOK_ROUNDING;
            const books b = run_share(&t, omp_get_thread_num());
            out += b.out;
            lost += b.lost;
            rounded += b.rounded;
        }
    }
    book(v, OTOK_SUM_SEDIMENT_OUT, out);
    book(v, OTOK_SUM_DROPLETS_LOST, lost);
    book(v, OTOK_SUM_DROPLETS_ROUNDED, rounded);
}
