/* droplets.c: a batch of droplets, all of them a step at a time. In a step every droplet sees the ground as it was at the step's
   beginning and adds what it takes and leaves to its cells in integers; then whoever finds something in a cell makes it ground. */
#include "../model/droplet.h"

#include "../core/ground.h"
#include "cpu.h"

#include <omp.h>

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

size_t cpu_droplet_bytes(void)
{
    return sizeof(traveller);
}

static inline float ground(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_TERRAIN_BASE][at] + v->at[OTOK_TERRAIN_CHANGE][at];
}

static inline void put(const otok_view *v, ptrdiff_t at, int64_t units)
{
    uint64_t *cell = v->droplets_put + at;
    if (!units) return;
#pragma omp atomic
    *cell += (uint64_t)units;
}

static traveller begin(const otok_patch *p, uint64_t number, int by_rain)
{
    const otok_view *v = &p->view;
    const uint64_t seed = (uint64_t)p->seed;
    const otok_random4 r = otok_random((uint32_t)seed, (uint32_t)(seed >> 32), OTOK_STREAM_DROPLETS, number, 0);
    const otok_droplet d = by_rain ? otok_droplet_start_among(r, v->droplets_upto, (int64_t)v->nx * v->ny, v->nx)
                                   : otok_droplet_start(r, v->nx, v->ny);
    return (traveller){d, 0, 0, 0};
}

static inline void step(const otok_patch *p, traveller *t, int last, books *b, otok_droplet_coefficients k)
{
    const otok_view *v = &p->view;
    const int i = t->d.i, j = t->d.j, wide = p->edges[OTOK_LEFT] == OTOK_PERIODIC, high = p->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    const ptrdiff_t row = j * v->pitch;
    const otok_cross h = {
        ground(v, row + i), ground(v, row + otok_beside(i - 1, v->nx, wide)), ground(v, row + otok_beside(i + 1, v->nx, wide)),
        ground(v, otok_beside(j - 1, v->ny, high) * v->pitch + i), ground(v, otok_beside(j + 1, v->ny, high) * v->pitch + i)};
    otok_droplet_step s;
    t->d = otok_droplet_move(t->d, h, k);
    t->from = t->to = row + i;
    if (otok_droplet_outside(t->d.i, i, v->nx, wide) || otok_droplet_outside(t->d.j, j, v->ny, high)) {
        s = otok_droplet_leave(t->d, k);
    } else {
        t->d.i = otok_beside(i + t->d.i, v->nx, wide);
        t->d.j = otok_beside(j + t->d.j, v->ny, high);
        t->to = t->d.j * v->pitch + t->d.i;
        s = otok_droplet_exchange(&t->d, v->at[OTOK_TERRAIN_CHANGE][t->from], h.here - ground(v, t->to),
                                  otok_erodibility_at(v, t->from), last, k);
    }
    put(v, t->from, -s.taken);
    put(v, t->to, s.put);
    b->out += s.out;
    b->lost += s.lost;
    t->ended = s.ended;
}

static inline void settle(const otok_view *v, ptrdiff_t at, books *b)
{
    uint64_t *cell = v->droplets_put + at, units;
    int64_t rounded;
#pragma omp atomic capture
    {
        units = *cell;
        *cell = 0;
    }
    if (!units) return; /* nothing, or another droplet was here first */
    v->at[OTOK_TERRAIN_CHANGE][at] = otok_droplet_ground(v->at[OTOK_TERRAIN_CHANGE][at], (int64_t)units, &rounded);
    b->rounded += rounded;
}

/* The same by all threads, each with its own droplets from `mine` on. */
static void travel(const otok_patch *p, traveller *mine, int n, int *abroad, books *b, otok_droplet_coefficients k)
{
    for (int s = 1; s <= k.max_steps; s++) {
        for (int m = 0; m < n; m++)
            step(p, mine + m, s == k.max_steps, b, k);
#pragma omp barrier
        for (int m = 0; m < n;) {
            settle(&p->view, mine[m].from, b);
            if (mine[m].ended) {
                settle(&p->view, mine[m].to, b);
                mine[m] = mine[--n];
#pragma omp atomic
                --*abroad;
            } else {
                m++;
            }
        }
#pragma omp barrier
        int left;
#pragma omp atomic read
        left = *abroad;
        if (!left) return;
    }
}

static void book(const otok_view *v, int sum, int64_t units)
{
    const int64_t hi = units >> 31;
    cpu_book(v, sum, hi, units - hi * INT64_C(2147483648));
}

/* The droplets first <= m < end of a batch. */
static books go(const otok_patch *p, int first, int end, int *abroad, otok_droplet_coefficients k)
{
    books b = {0, 0, 0};
    traveller *all = cpu_droplet_room(p);
    const uint64_t number = (uint64_t)p->view.steps[*p->view.now].first_droplet;
    for (int m = first; m < end; m++)
        all[m] = begin(p, number + (uint64_t)m, k.by_rain);
    travel(p, all + first, end - first, abroad, &b, k);
    return b;
}

void cpu_droplets(const otok_patch *p, otok_box box, const otok_coefficients *k)
{
    const otok_view *v = &p->view;
    const int n = v->steps[*v->now].droplets, useful = 1 + n / 64, most = cpu_threads(v);
    int abroad = n;
    int64_t out = 0, lost = 0, rounded = 0;
    (void)box;                 /* droplets go where they will: there is one box, the grid */
    if (n < 64 || most == 1) { /* a region of threads costs more than a droplet */
        const books b = go(p, 0, n, &abroad, k->droplets);
        out = b.out;
        lost = b.lost;
        rounded = b.rounded;
    } else {
#pragma omp parallel num_threads(useful < most ? useful : most) reduction(+ : out, lost, rounded)
        {
            OTOK_ROUNDING;
            const int64_t me = omp_get_thread_num(), threads = omp_get_num_threads();
            const books b = go(p, (int)(n * me / threads), (int)(n * (me + 1) / threads), &abroad, k->droplets);
            out += b.out;
            lost += b.lost;
            rounded += b.rounded;
        }
    }
    book(v, OTOK_SUM_SEDIMENT_OUT, out);
    book(v, OTOK_SUM_DROPLETS_LOST, lost);
    book(v, OTOK_SUM_DROPLETS_ROUNDED, rounded);
}
