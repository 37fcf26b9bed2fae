/* maps.c: the maps of a scenario: pipelines of generators for fields at iteration 0, and for
   parameters in place of numbers (core/maps.def). scenario_layers.c reads them; sim/ground.c and
   sim/springs.c make them. */
#include "../core/rounding.h"
#include "process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const otok_field otok_initial_fields[OTOK_INITIAL_MAPS] = {OTOK_WATER, OTOK_SEDIMENT, OTOK_CARBON};

/* ---- the rows of core/maps.def ---- */

#define MAP(NAME, group, key, coefficient)                                                         \
    static float becomes_##NAME(const otok_coefficients *k, float value)                           \
    {                                                                                              \
        (void)k, (void)value;                                                                      \
        return coefficient;                                                                        \
    }
#include "../core/maps.def"
#undef MAP

static const struct row {
    const char *group, *key;
    float (*becomes)(const otok_coefficients *k, float value);
} rows[OTOK_MAPS_END - OTOK_MAPS] = {
#define MAP(NAME, group, key, coefficient) {#group, #key, becomes_##NAME},
#include "../core/maps.def"
#undef MAP
};

int otok_map_of(const char *group, const char *key)
{
    for (int map = OTOK_MAPS; map < OTOK_MAPS_END; map++)
        if (strcmp(rows[map - OTOK_MAPS].group, group) == 0 &&
            strcmp(rows[map - OTOK_MAPS].key, key) == 0)
            return map;
    return -1;
}

const otok_parameter *otok_map_parameter(int map)
{
    return otok_parameter_find(rows[map - OTOK_MAPS].group, rows[map - OTOK_MAPS].key);
}

static const otok_process *process_of(int map)
{
    int i = 0;
    while (strcmp(otok_processes[i]->group, rows[map - OTOK_MAPS].group) != 0)
        i++;
    return otok_processes[i];
}

/* Where a phase has the number of a parameter; NULL: it has none. */
static double *number_of(otok_phase *phase, int map)
{
    const otok_parameter *p = otok_map_parameter(map);
    return p->kind == OTOK_REAL ? (double *)((char *)phase + process_of(map)->values + p->offset)
                                : NULL;
}

void otok_map_number(otok_phase *phase, int map, double value)
{
    double *number = number_of(phase, map);
    if (number) *number = value;
}

void otok_map_coefficients(float *out, const float *values, size_t n, int map,
                           const otok_phase *phase, double spacing)
{
    const otok_process *process = process_of(map);
    const double dt = otok_process_step(process, phase);
#pragma omp parallel
    {
        OTOK_ROUNDING;
        otok_phase one = *phase;
        otok_coefficients k = {0};
        double *number = number_of(&one, map);
        float known = NAN, becomes = NAN;
#pragma omp for
        for (size_t i = 0; i < n; i++) {
            if (!(values[i] == known)) {
                known = values[i];
                if (number) *number = (double)known;
                if (process->coefficients) process->coefficients(&k, &one, spacing, dt);
                becomes = rows[map - OTOK_MAPS].becomes(&k, known);
            }
            out[i] = becomes;
        }
    }
}

/* ---- the maps that are given ---- */

const otok_map *otok_scenario_map(const otok_scenario *s, int buffer, int phase)
{
    for (int n = 0; n < s->nmaps; n++)
        if (s->maps[n].buffer == buffer && s->maps[n].phase == phase) return &s->maps[n];
    return NULL;
}

/* ---- pipelines ---- */

int otok_scenario_pipelines(const otok_scenario *s)
{
    return 1 + OTOK_MAX_LAYERS + s->nmaps;
}

int otok_scenario_pipeline(otok_scenario *out, const otok_scenario *s, int p)
{
    const int layer = p - 1, map = layer - OTOK_MAX_LAYERS;
    *out = *s;
    if (p == 0) return 1;
    if (map < 0 && layer >= s->nlayers) return 0;
    out->base = map < 0 ? s->layers[layer].thickness : s->maps[map].list;
    out->nbase = map < 0 ? s->layers[layer].nthickness : s->maps[map].n;
    return out->nbase > 0;
}

int otok_pipeline_buffer(const otok_scenario *s, int p)
{
    const int layer = p - 1, map = layer - OTOK_MAX_LAYERS;
    return p == 0 ? OTOK_TERRAIN_BASE : map < 0 ? OTOK_LAYER_BOTTOM + layer : s->maps[map].buffer;
}

uint64_t otok_scenario_ground(const otok_scenario *s)
{
    uint64_t fields = otok_scenario_map(s, OTOK_ERODIBILITY, -1) ? BIT(OTOK_ERODIBILITY) : 0;
    for (int i = 0; i < s->nlayers - 1; i++)
        fields |= BIT(OTOK_LAYER_BOTTOM + i);
    return fields;
}

uint64_t otok_scenario_initial(const otok_scenario *s)
{
    uint64_t fields = 0;
    for (int k = 0; k < OTOK_INITIAL_MAPS; k++)
        if (otok_scenario_map(s, (int)otok_initial_fields[k], -1))
            fields |= BIT(otok_initial_fields[k]);
    return fields;
}

otok_status otok_scenario_buffers(otok_set *out, const otok_scenario *s)
{
    otok_program *program = malloc(sizeof *program);
    if (!program) return OTOK_FAIL(OTOK_NOMEM, "no memory for a program");
    *out = otok_set_of(otok_scenario_ground(s) | BIT(OTOK_TERRAIN_BASE) | BIT(OTOK_TERRAIN_CHANGE));
    otok_status status = OTOK_OK;
    for (int p = 0; p < s->nphases && status == OTOK_OK; p++) {
        status = otok_program_for_phase(program, &s->phases[p], s->edges);
        if (status == OTOK_OK) *out = otok_set_or(*out, otok_program_all(program, &s->phases[p]));
    }
    free(program);
    return status;
}
