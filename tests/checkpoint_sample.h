/* checkpoint_sample.h: made-up states for the tests of files. Every number is set, so that one that
 * gets lost is missed. */
#ifndef OTOK_CHECKPOINT_SAMPLE_H
#define OTOK_CHECKPOINT_SAMPLE_H

#include "check.h"
#include "io/checkpoint.h"

#include <sys/stat.h>
#include <unistd.h>

#define ALL_FIELDS                                                                                 \
    (((UINT64_C(1) << OTOK_FIELDS) - 1) &                                                          \
     ~((UINT64_C(1) << OTOK_TERRAIN) - (UINT64_C(1) << OTOK_STORED))) /* those are free numbers */

static inline uint64_t sample_next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Finite floats of all magnitudes, subnormal and -0 among them. */
static inline float sample_float(uint64_t *state)
{
    const uint64_t r = sample_next(state);
    if (r % 64 == 0) return r % 128 ? -0.0f : 1e-41f;
    return (float)((double)(int64_t)(sample_next(state) - (1u << 30)) * (r % 3 ? 1e-6 : 1e-12));
}

static inline void sample_fill(otok_snapshot *s, uint64_t seed)
{
    const int64_t cells = s->grid.nx * s->grid.ny;
    for (int f = 0; f < OTOK_STORED; f++)
        for (int64_t i = 0; s->maps[f] && i < cells; i++)
            s->maps[f][i] =
                f == OTOK_WETNESS ? (float)(sample_next(&seed) % 256) : sample_float(&seed);
    s->nlayers = s->maps[OTOK_LAYER_BOTTOM_LAST] ? OTOK_MAX_LAYERS
                 : s->maps[OTOK_LAYER_BOTTOM]    ? 2
                                                 : 0;
    s->ledger.nlayers = s->nlayers;
    for (int i = 0; i < s->nlayers; i++) {
        sprintf(s->layers[i], i ? "rock_%d" : "soil", i);
        strcpy(s->ledger.layers[i].name, s->layers[i]);
        for (double *entry = &s->ledger.layers[i].start; entry <= &s->ledger.layers[i].error;
             entry++)
            *entry = (double)sample_next(&seed) / 1e6;
        s->layer_start[i] = (otok_sum){(int64_t)sample_next(&seed), -(int64_t)sample_next(&seed)};
    }
    otok_snapshot_derive(s);
    s->iteration = 500 + (int64_t)seed % 7;
    s->time = 12.625;
    s->sea_level = 8.1;
    s->seed = 9007199254740991;
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++)
        *(double *)((char *)&s->ledger + otok_ledger_at(i)->offset) =
            (double)sample_next(&seed) / 1e6;
    s->ledger.not_finite = 3;
    int64_t *sums = &s->sums[0].hi;
    for (int i = 0; i < 2 * OTOK_SUMS; i++)
        if (i < 2 * OTOK_SUM_DEPOSITED ||
            i < 2 * (OTOK_SUM_DEPOSITED + (s->nlayers ? 1 + s->nlayers : 0)))
            sums[i] = (int64_t)(sample_next(&seed) << 32 | sample_next(&seed)) -
                      INT64_C(1) * (i % 2) * INT64_MAX / 2;
    s->water_start = (otok_sum){INT64_MAX, INT64_MIN};
    s->solid_start = (otok_sum){-1, 1};
    s->fingerprint = otok_snapshot_fingerprint(s);
}

/* Fields in `has`; its texts are set. */
static inline void sample_make(otok_snapshot *s, int64_t nx, int64_t ny, uint64_t has,
                               uint64_t seed)
{
    MUST(otok_snapshot_create(s, (otok_grid){nx, ny, 2.5}, has, otok_memory_heap));
    sample_fill(s, seed);
    s->scenario = strdup("otok: 1\ntitle: Île de “test”\ngrid: {nx: 3, ny: 4}\n");
    s->title = strdup("Île de “test”");
    s->parent = strdup("");
    s->command = strdup("otok run island.yaml");
    s->backend = strdup("cpu");
    s->device = strdup("2 threads");
    s->stability = strdup("[{\"margin\": 0.5}]");
}

/* A fresh directory for the files of one test; sample_clean removes it and what is in it. */
static inline const char *sample_directory(void)
{
    static char path[] = "/tmp/otok-test-XXXXXX";
    if (!mkdtemp(path)) exit(77);
    return path;
}

static inline void sample_clean(const char *directory)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0) check_failures++;
}

static inline uint64_t print_of(const char *path)
{
    otok_snapshot s;
    MUST(otok_checkpoint_read(&s, path));
    const uint64_t print = s.fingerprint;
    otok_snapshot_destroy(&s);
    return print;
}

#endif
