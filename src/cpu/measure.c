/* measure.c: the summary of one buffer, and the speed of signals in the water. Walls have a
   fingerprint and no stock. */
#include "../core/walls.h"
#include "../model/detect.h"
#include "../model/fingerprint.h"

#include "cpu.h"

#include <math.h>
#include <string.h>

typedef struct counting {
    const otok_view *view;
    int buffer;
    otok_field_summary all;
} counting;

static int in_wall(const otok_view *v, int j, int i)
{
    return v->at[OTOK_WALLS] && v->at[OTOK_WALLS][j * v->pitch + i] == OTOK_IN_WALL;
}

static void count_rows(void *task, int y0, int y1)
{
    counting *c = task;
    const otok_view *v = c->view;
    otok_field_summary mine = {{0, 0}, 0, 0};
    for (int j = y0; j < y1; j++) {
        const uint64_t first =
            (uint64_t)otok_row_of(v, j) * (uint64_t)v->global_nx + (uint64_t)v->x0;
        for (int i = 0; i < v->nx; i++) {
            uint32_t bits;
            if (c->buffer == OTOK_WETNESS) {
                bits = v->wetness[j * v->pitch + i];
            } else {
                const float value = v->at[c->buffer][j * v->pitch + i];
                const otok_fixed f = otok_fixed_from(in_wall(v, j, i) ? 0.0f : value);
                mine.sum.hi += f.hi;
                mine.sum.lo += f.lo;
                mine.not_finite += !(fabsf(value) < INFINITY);
                memcpy(&bits, &value, sizeof bits);
            }
            mine.fingerprint +=
                otok_fingerprint_cell(bits, (uint32_t)c->buffer, first + (uint64_t)i);
        }
    }
    cpu_add(&c->all.sum.hi, mine.sum.hi);
    cpu_add(&c->all.sum.lo, mine.sum.lo);
    cpu_add(&c->all.not_finite, mine.not_finite);
#pragma omp atomic
    c->all.fingerprint += mine.fingerprint;
}

otok_status cpu_measure(otok_patch *patch, int buffer, otok_field_summary *out)
{
    counting c = {&patch->view, buffer, {{0, 0}, 0, 0}};
    cpu_share(&patch->view, count_rows, &c);
    *out = c.all;
    return OTOK_OK;
}

typedef struct racing {
    const otok_view *view;
    float wave, most;
} racing;

static void race_rows(void *task, int y0, int y1)
{
    racing *r = task;
    const otok_view *v = r->view;
    const float wave = r->wave;
    float most = 0.0f;
    for (int j = y0; j < y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *restrict d = v->at[OTOK_WATER] + row;
        const float *restrict u = v->at[OTOK_VELOCITY_X] + row;
        const float *restrict w = v->at[OTOK_VELOCITY_Y] + row;
#pragma omp simd reduction(max : most)
        for (int i = 0; i < v->nx; i++) {
            const float speed = otok_signal_speed(d[i], u[i], w[i], wave);
            most = speed > most ? speed : most;
        }
    }
#pragma omp critical(otok_fastest)
    r->most = most > r->most ? most : r->most;
}

otok_status cpu_fastest(otok_patch *patch, float wave, float *out)
{
    racing r = {&patch->view, wave, 0.0f};
    cpu_share(&patch->view, race_rows, &r);
    *out = r.most;
    return OTOK_OK;
}
