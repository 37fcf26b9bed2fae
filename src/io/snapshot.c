/* snapshot.c: the memory of a state on the host. checkpoint_*.c read and write files. */
#include "../core/colours.h"
#include "../core/fingerprint.h"
#include "../core/status.h"
#include "checkpoint.h"
#include "threads.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const otok_memory otok_memory_heap = {malloc, free};

otok_status otok_snapshot_create(otok_snapshot *out, otok_grid grid, uint64_t has,
                                 otok_memory memory)
{
    memset(out, 0, sizeof *out);
    if (grid.nx < 1 || grid.ny < 1 || grid.nx > INT64_MAX / 8 / grid.ny || has >> OTOK_FIELDS)
        return OTOK_FAIL(OTOK_USAGE,
                         "a snapshot of %lld x %lld cells and fields %#llx is impossible",
                         (long long)grid.nx, (long long)grid.ny, (unsigned long long)has);
    out->grid = grid;
    out->has = has;
    out->memory = memory;
    for (int f = 0; f < OTOK_FIELDS; f++) {
        if (!(has >> f & 1)) continue;
        const size_t bytes = (size_t)(grid.nx * grid.ny) * sizeof(float);
        out->maps[f] = memory.take(bytes);
        if (out->maps[f]) memset(out->maps[f], 0, bytes);
        if (!out->maps[f]) {
            otok_snapshot_destroy(out);
            return OTOK_FAIL(OTOK_NOMEM,
                             "no memory for a map of %lld x %lld cells; use a smaller grid or a "
                             "machine with more memory",
                             (long long)grid.nx, (long long)grid.ny);
        }
    }
    return OTOK_OK;
}

void otok_snapshot_destroy(otok_snapshot *snapshot)
{
    if (snapshot->arrival.wait) snapshot->arrival.wait(snapshot->arrival.ticket);
    free(snapshot->earlier);
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (snapshot->maps[f]) snapshot->memory.give(snapshot->maps[f]);
    char *const texts[] = {snapshot->scenario,  snapshot->title,       snapshot->parent,
                           snapshot->command,   snapshot->backend,     snapshot->device,
                           snapshot->stability, snapshot->version,     snapshot->host,
                           snapshot->date,      snapshot->id,          snapshot->changes,
                           snapshot->inputs,    snapshot->gauge_titles};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    free(snapshot->gauges);
    otok_georeference_destroy(&snapshot->georeference);
    otok_holes_destroy(&snapshot->holes);
    memset(snapshot, 0, sizeof *snapshot);
}

/* The pieces of work. Threads take them one after the other. */
typedef struct shared {
    const otok_snapshot *snapshot;
    float *terrain;
    atomic_int_least64_t next;
    atomic_uint_least64_t sum;
} shared;

static void print_fields(void *task, int thread)
{
    enum { CELLS = 1 << 18 };
    shared *t = task;
    const int64_t cells = t->snapshot->grid.nx * t->snapshot->grid.ny,
                  bands = (cells + CELLS - 1) / CELLS;
    (void)thread;
    for (int64_t i; (i = atomic_fetch_add(&t->next, 1)) < OTOK_STORED * bands;) {
        const int f = (int)(i / bands);
        const int64_t first = i % bands * CELLS,
                      end = first + CELLS < cells ? first + CELLS : cells;
        if (t->snapshot->has >> f & 1)
            atomic_fetch_add(&t->sum, otok_fingerprint_cells(f, t->snapshot->maps[f],
                                                             (uint64_t)first, (uint64_t)end));
    }
}

static void derive_terrain(void *task, int thread)
{
    enum { ROWS = 64 };
    shared *t = task;
    const otok_grid g = t->snapshot->grid;
    const float *base = t->snapshot->maps[OTOK_TERRAIN_BASE],
                *change = t->snapshot->maps[OTOK_TERRAIN_CHANGE];
    (void)thread;
    for (int64_t y; (y = (int64_t)ROWS * atomic_fetch_add(&t->next, 1)) < g.ny;) {
        const int64_t end = (y + ROWS < g.ny ? y + ROWS : g.ny) * g.nx;
        for (int64_t i = y * g.nx; i < end; i++)
            t->terrain[i] = base && change ? base[i] + change[i]
                            : base         ? base[i]
                            : change       ? change[i]
                                           : 0.0f;
    }
}

/* One thread for so many cells: a thread with fewer would be done before another begins. */
static int useful_threads(otok_grid grid, int threads)
{
    const int64_t most = 1 + grid.nx * grid.ny / 65536;
    return most < threads ? (int)most : threads;
}

uint64_t otok_snapshot_fingerprint_with(const otok_snapshot *snapshot, int threads)
{
    shared t = {.snapshot = snapshot};
    otok_threads_run(useful_threads(snapshot->grid, threads), print_fields, &t);
    return t.sum;
}

uint64_t otok_snapshot_fingerprint(const otok_snapshot *snapshot)
{
    return otok_snapshot_fingerprint_with(snapshot, omp_get_max_threads());
}

void otok_snapshot_terrain(const otok_snapshot *snapshot, float *map)
{
    shared t = {.snapshot = snapshot, .terrain = map};
    derive_terrain(&t, 0);
}

static void derive_layers(otok_snapshot *s)
{
    for (int i = 0; i < OTOK_MAX_LAYERS - 1; i++) {
        const float *top = s->maps[i ? OTOK_LAYER_BOTTOM + i - 1 : OTOK_TERRAIN_CHANGE],
                    *bottom = s->maps[OTOK_LAYER_BOTTOM + i];
        float *layer = s->maps[OTOK_LAYER + i];
        for (int64_t n = 0; top && bottom && layer && n < s->grid.nx * s->grid.ny; n++)
            layer[n] = top[n] - bottom[n];
    }
}

void otok_snapshot_derive(otok_snapshot *s)
{
    if (s->maps[OTOK_TERRAIN]) otok_snapshot_terrain(s, s->maps[OTOK_TERRAIN]);
    derive_layers(s);
}

otok_status otok_snapshot_arrive(otok_snapshot *snapshot)
{
    const otok_arrival arrival = snapshot->arrival;
    snapshot->arrival = (otok_arrival){0};
    return arrival.wait ? arrival.wait(arrival.ticket) : OTOK_OK;
}

otok_status otok_snapshot_complete(otok_snapshot *snapshot, int threads)
{
    OTOK_TRY(otok_snapshot_arrive(snapshot));
    shared t = {.snapshot = snapshot, .terrain = snapshot->maps[OTOK_TERRAIN]};
    if (t.terrain) otok_threads_run(useful_threads(snapshot->grid, threads), derive_terrain, &t);
    derive_layers(snapshot);
    return OTOK_OK;
}

const otok_field_info *otok_snapshot_info(const otok_snapshot *s, int field)
{
    if (field >= OTOK_FIELDS) return otok_derived_at(field - OTOK_FIELDS);
    const otok_field_info *speed = s->speeds ? otok_speed_at(field - OTOK_OUTFLOW_LEFT) : NULL;
    return speed ? speed : otok_field_at(field);
}

const char *otok_snapshot_name(const otok_snapshot *s, int field, char out[OTOK_NAME_SIZE])
{
    const int layer = otok_field_layer(field);
    if (layer < 0) return otok_snapshot_info(s, field)->name;
    if (layer == OTOK_MAX_LAYERS) return ""; /* a free number */
    snprintf(out, OTOK_NAME_SIZE, "%s_%.40s", otok_field_at(field)->name,
             layer < s->nlayers ? s->layers[layer] : "");
    return out;
}

int otok_snapshot_find(const otok_snapshot *s, const char *name)
{
    char text[OTOK_NAME_SIZE];
    for (int f = 0; f < OTOK_FIELDS; f++)
        if ((otok_field_layer(f) < 0 || otok_field_layer(f) < s->nlayers - 1) &&
            strcmp(otok_snapshot_name(s, f, text), name) == 0)
            return f;
    const int derived = otok_derived_find(name);
    return derived < 0 ? -1 : OTOK_FIELDS + derived;
}
