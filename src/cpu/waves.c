/* waves.c: waves from all directions. The four directions of a group are swept side by side. */
#include "../core/wave_sweep.h"

#include "cpu.h"

typedef struct task {
    const otok_view *v;
    const otok_wave_coefficients *k;
    otok_ways_in sides;
    int group, spends;
} task;

static void lay_rows(void *what, int y0, int y1)
{
    const task *t = what;
    const float sea = t->v->steps[*t->v->now].sea;
    for (int j = y0; j < y1; j++)
        for (int i = 0; i < t->v->nx; i++)
            otok_wave_lay_bed(t->v, j * t->v->pitch + i, sea, *t->k);
}

static void add_rows(void *what, int y0, int y1)
{
    const task *t = what;
    for (int j = y0; j < y1; j++)
        for (int i = 0; i < t->v->nx; i++)
            otok_wave_add(t->v, j * t->v->pitch + i, t->group, *t->k);
    for (int j = y0; t->spends && j < y1; j++)
        for (int i = 0; i < t->v->nx; i++)
            otok_wave_spend(t->v, i, j, t->group, t->sides, *t->k);
}

static void sweep(const task *t, int quarter)
{
    const otok_wave_sweep s = otok_wave_sweep_of(t->v, t->group, quarter, t->sides);
    float *flux = t->v->at[OTOK_WAVE_FLUX + quarter];
    if (!(t->k->weight[4 * t->group + quarter] > 0)) return;
    for (int n = 0; n < s.lines; n++)
        for (int j = 0; j < s.cells; j++)
            otok_wave_pass(t->v, &s, flux, n, j, *t->k);
}

static void sweep_all(const otok_patch *patch, const otok_coefficients *k, int spends)
{
    const otok_view *v = &patch->view;
    task t = {v, &k->waves, otok_ways_in_of(patch->edges), 0, spends};
    if (!v->steps[*v->now].waves) return;
    cpu_share(v, lay_rows, &t);
    for (int n = 0; n < OTOK_WAVE_GROUPS; n++) {
        const int threads = cpu_threads(v);
        t.group = otok_wave_group(n);
        if (t.group >= k->waves.groups) continue;
#pragma omp parallel for schedule(dynamic) num_threads(threads < 4 ? threads : 4) if (threads > 1)
        for (int quarter = 0; quarter < OTOK_WAVE_QUARTERS; quarter++) {
            OTOK_ROUNDING;
            sweep(&t, quarter);
        }
        cpu_share(v, add_rows, &t);
    }
}

void cpu_waves(const otok_patch *patch, otok_box box, const otok_coefficients *k)
{
    (void)box;
    sweep_all(patch, k, 0);
}

void cpu_waves_spent(const otok_patch *patch, otok_box box, const otok_coefficients *k)
{
    (void)box;
    sweep_all(patch, k, 1);
}
