/* snapshot.c: memory of a state on the host. Files are checkpoint_*.c. */
#include "../core/fingerprint.h"
#include "../core/status.h"
#include "checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const otok_memory otok_memory_heap = {malloc, free};

otok_status otok_snapshot_create(otok_snapshot *out, otok_grid grid, uint64_t has, otok_memory memory)
{
    memset(out, 0, sizeof *out);
    if (grid.nx < 1 || grid.ny < 1 || grid.nx > INT64_MAX / 8 / grid.ny || has >> OTOK_FIELDS)
        return OTOK_FAIL(OTOK_USAGE, "a snapshot of %lld x %lld cells and fields %#llx cannot be", (long long)grid.nx,
                         (long long)grid.ny, (unsigned long long)has);
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
                             "no memory for a map of %lld x %lld cells; use a smaller grid or a machine with more memory",
                             (long long)grid.nx, (long long)grid.ny);
        }
    }
    return OTOK_OK;
}

void otok_snapshot_destroy(otok_snapshot *snapshot)
{
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (snapshot->maps[f]) snapshot->memory.give(snapshot->maps[f]);
    char *const texts[] = {snapshot->scenario, snapshot->title,  snapshot->parent,    snapshot->command,
                           snapshot->backend,  snapshot->device, snapshot->stability, snapshot->version,
                           snapshot->host,     snapshot->date,   snapshot->id};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    otok_place_destroy(&snapshot->place);
    memset(snapshot, 0, sizeof *snapshot);
}

uint64_t otok_snapshot_fingerprint(const otok_snapshot *snapshot)
{
    uint64_t sum = 0;
    for (int f = 0; f < OTOK_STORED; f++)
        if (snapshot->has >> f & 1) sum += otok_fingerprint_map(f, snapshot->maps[f], snapshot->grid);
    return sum;
}

void otok_snapshot_terrain(const otok_snapshot *snapshot, float *map)
{
    const int64_t cells = snapshot->grid.nx * snapshot->grid.ny;
    const float *base = snapshot->maps[OTOK_TERRAIN_BASE], *change = snapshot->maps[OTOK_TERRAIN_CHANGE];
    for (int64_t i = 0; i < cells; i++)
        map[i] = base && change ? base[i] + change[i] : base ? base[i] : change ? change[i] : 0.0f;
}

void otok_snapshot_derive(otok_snapshot *s)
{
    if (s->maps[OTOK_TERRAIN]) otok_snapshot_terrain(s, s->maps[OTOK_TERRAIN]);
    for (int i = 0; i < OTOK_MAX_LAYERS - 1; i++) {
        const float *top = s->maps[i ? OTOK_LAYER_BOTTOM + i - 1 : OTOK_TERRAIN_CHANGE], *bottom = s->maps[OTOK_LAYER_BOTTOM + i];
        float *layer = s->maps[OTOK_LAYER + i];
        for (int64_t n = 0; top && bottom && layer && n < s->grid.nx * s->grid.ny; n++)
            layer[n] = top[n] - bottom[n];
    }
}

const char *otok_snapshot_name(const otok_snapshot *s, int field, char out[OTOK_NAME_SIZE])
{
    const int layer = otok_field_layer(field);
    if (layer < 0) return otok_field_at(field)->name;
    snprintf(out, OTOK_NAME_SIZE, "%s_%.40s", otok_field_at(field)->name, layer < s->nlayers ? s->layers[layer] : "");
    return out;
}

int otok_snapshot_find(const otok_snapshot *s, const char *name)
{
    char text[OTOK_NAME_SIZE];
    for (int f = 0; f < OTOK_FIELDS; f++)
        if ((otok_field_layer(f) < 0 || otok_field_layer(f) < s->nlayers - 1) && strcmp(otok_snapshot_name(s, f, text), name) == 0)
            return f;
    return -1;
}
