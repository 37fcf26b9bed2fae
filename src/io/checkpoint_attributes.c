/* checkpoint_attributes.c: the attributes of a checkpoint: its origin, its ledger, and what a
   restart needs exactly. checkpoint_write.c writes its maps. */
#include "checkpoint_writing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* A random UUID, version 4 of RFC 9562. */
static void new_id(char out[37])
{
    unsigned char b[16] = {0};
    if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b) {
        const uint64_t now[2] = {(uint64_t)time(NULL), (uint64_t)getpid()};
        memcpy(b, now, sizeof b);
    }
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    char *at = out;
    for (int i = 0; i < 16; i++)
        at += sprintf(at, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", b[i]);
}

/* The diagnosis of the run for readers, and its judge for the run that continues. */
static otok_status write_diagnosis(const otok_writing *w, hid_t group)
{
    const otok_judge *judge = &w->state->judge;
    if (!w->state->watched) return OTOK_OK;
    const otok_diagnosis f = otok_judge_diagnosis(judge, w->state->grid.nx);
    PUT(w, "otok_verdict",
        otok_hdf_put_text(w->file, "otok_verdict", otok_verdict_name(f.verdict)));
    PUT(w, "otok_verdict_iterations",
        otok_hdf_put(w->file, "otok_verdict_iterations", H5T_NATIVE_INT64, 2, &f.after));
    PUT(w, "otok_verdict_cell",
        otok_hdf_put(w->file, "otok_verdict_cell", H5T_NATIVE_INT64, 2, &f.cell_x));
    PUT(w, "otok_verdict_cells",
        otok_hdf_put(w->file, "otok_verdict_cells", H5T_NATIVE_INT64, 0, &f.cells));
    const double audit[] = {f.audit_speed, f.audit_ground, f.audit_sediment, f.audit_sweeps,
                            f.audit_rivers};
    PUT(w, "otok_audit", otok_hdf_put(w->file, "otok_audit", H5T_NATIVE_DOUBLE, 5, audit));
    PUT(w, "otok_deepest_water",
        otok_hdf_put(w->file, "otok_deepest_water", H5T_NATIVE_DOUBLE, 0, &f.deepest));
    PUT(w, "otok_deepest_water_limit",
        otok_hdf_put(w->file, "otok_deepest_water_limit", H5T_NATIVE_DOUBLE, 0, &f.deepest_limit));
    PUT(w, "otok_deepest_water_iteration",
        otok_hdf_put(w->file, "otok_deepest_water_iteration", H5T_NATIVE_INT64, 0, &f.deepest_at));
    PUT(w, "judge_counts",
        otok_hdf_put(group, "judge_counts", H5T_NATIVE_INT64, OTOK_JUDGE_COUNTS, judge));
    PUT(w, "judge_figures",
        otok_hdf_put(group, "judge_figures", H5T_NATIVE_DOUBLE, OTOK_JUDGE_FIGURES,
                     &judge->deepest));
    PUT(w, "judge_looks",
        otok_hdf_put(group, "judge_looks", H5T_NATIVE_DOUBLE, OTOK_JUDGE_LOOKS, &judge->looks));
    PUT(w, "judge_amounts",
        otok_hdf_put(group, "judge_amounts", H5T_NATIVE_DOUBLE, OTOK_JUDGE_AMOUNTS,
                     judge->amounts));
    if (judge->receivers[0] > 0)
        PUT(w, "judge_receivers",
            otok_hdf_put(group, "judge_receivers", H5T_NATIVE_DOUBLE, 2, judge->receivers));
    return OTOK_OK;
}

/* The present time in UTC, "2026-01-31T23:59:59Z". */
static void print_date(char out[32])
{
    const time_t now = time(NULL);
    struct tm utc;
    out[0] = 0;
    if (gmtime_r(&now, &utc)) strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static otok_status own_texts(const otok_writing *w)
{
    const otok_snapshot *s = w->state;
    char source[128], host[256] = "unknown", date[32], id[37], hash[OTOK_SHA256_SIZE], print[17];
    snprintf(source, sizeof source, "otok %s (%s)", otok_version(), otok_commit());
    gethostname(host, sizeof host - 1);
    print_date(date);
    new_id(id);
    const char *scenario = s->scenario ? s->scenario : "";
    otok_sha256(scenario, strlen(scenario), hash);
    snprintf(print, sizeof print, "%016" PRIx64, s->fingerprint);
    char *history = NULL;
    if (asprintf(&history, "%s %s", date, s->command ? s->command : "") < 0)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory", w->path);
    const char *const texts[][2] = {{"source", source},         {"otok_host", host},
                                    {"date_created", date},     {"id", id},
                                    {"history", history},       {"otok_scenario_sha256", hash},
                                    {"otok_fingerprint", print}};
    const herr_t result = otok_hdf_put_texts(w->file, texts, sizeof texts / sizeof texts[0]);
    free(history);
    PUT(w, "provenance", result);
    return OTOK_OK;
}

/* "soil cap shale"; names hold no spaces. */
static void layer_names(const otok_snapshot *s, char out[OTOK_MAX_LAYERS * OTOK_NAME_SIZE])
{
    out[0] = 0;
    for (int i = 0; i < s->nlayers; i++)
        sprintf(out + strlen(out), "%s%s", i ? " " : "", s->layers[i]);
}

/* One number a layer, top down. */
static otok_status layer_ledger(const otok_writing *w)
{
    char names[OTOK_MAX_LAYERS * OTOK_NAME_SIZE];
    const otok_ledger *l = &w->state->ledger;
    if (!w->state->nlayers) return OTOK_OK;
    layer_names(w->state, names);
    PUT(w, "ledger_layers", otok_hdf_put_text(w->file, "ledger_layers", names));
    for (int i = 0; i < OTOK_LAYER_ENTRIES; i++) {
        double values[OTOK_MAX_LAYERS];
        char name[64];
        for (int k = 0; k < w->state->nlayers; k++)
            values[k] =
                *(const double *)((const char *)&l->layers[k] + otok_layer_entries[i].offset);
        snprintf(name, sizeof name, "ledger_layer_%s", otok_layer_entries[i].name);
        PUT(w, name, otok_hdf_put(w->file, name, H5T_NATIVE_DOUBLE, w->state->nlayers, values));
    }
    return OTOK_OK;
}

otok_status otok_writing_provenance(const otok_writing *w)
{
    const otok_snapshot *s = w->state;
    PUT(w, "Conventions", otok_hdf_put_text(w->file, "Conventions", "CF-1.10 ACDD-1.3"));
    for (int i = 0; i < OTOK_TEXTS_GIVEN; i++) {
        const char *text = *(char *const *)((const char *)s + otok_text_entries[i].offset);
        PUT(w, otok_text_entries[i].name,
            otok_hdf_put_text(w->file, otok_text_entries[i].name, text ? text : ""));
    }
    if (s->changes && s->changes[0])
        PUT(w, "otok_changes", otok_hdf_put_text(w->file, "otok_changes", s->changes));
    if (s->inputs && s->inputs[0])
        PUT(w, "otok_inputs", otok_hdf_put_text(w->file, "otok_inputs", s->inputs));
    OTOK_TRY(own_texts(w));
    PUT(w, "otok_iteration",
        otok_hdf_put(w->file, "otok_iteration", H5T_NATIVE_INT64, 0, &s->iteration));
    PUT(w, "otok_raster_filled",
        otok_hdf_put(w->file, "otok_raster_filled", H5T_NATIVE_INT64, 0, &s->filled));
    if (s->water_steps) {
        PUT(w, "otok_water_steps",
            otok_hdf_put(w->file, "otok_water_steps", H5T_NATIVE_INT64, 0, &s->water_steps));
        PUT(w, "otok_water_dt",
            otok_hdf_put(w->file, "otok_water_dt", H5T_NATIVE_DOUBLE, 0, &s->water_dt));
    }
    PUT(w, "otok_seed", otok_hdf_put(w->file, "otok_seed", H5T_NATIVE_INT64, 0, &s->seed));
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++) {
        char name[64];
        snprintf(name, sizeof name, "ledger_%s", otok_ledger_at(i)->name);
        PUT(w, name,
            otok_hdf_put(w->file, name, H5T_NATIVE_DOUBLE, 0,
                         (const char *)&s->ledger + otok_ledger_at(i)->offset));
    }
    OTOK_TRY(layer_ledger(w));
    PUT(w, "ledger_units", otok_hdf_put_text(w->file, "ledger_units", "m3"));
    PUT(w, "ledger_not_finite",
        otok_hdf_put(w->file, "ledger_not_finite", H5T_NATIVE_INT64, 0, &s->ledger.not_finite));
    return OTOK_OK;
}

otok_status otok_writing_restart(const otok_writing *w, hid_t group)
{
    const otok_snapshot *s = w->state;
    const int64_t format = OTOK_CHECKPOINT_FORMAT;
    char hash[OTOK_SHA256_SIZE];
    OTOK_TRY(otok_header_sum(s, hash));
    PUT(w, "format", otok_hdf_put(group, "format", H5T_NATIVE_INT64, 0, &format));
    PUT(w, "header_sha256", otok_hdf_put_text(group, "header_sha256", hash));
    PUT(w, "nx", otok_hdf_put(group, "nx", H5T_NATIVE_INT64, 0, &s->grid.nx));
    PUT(w, "ny", otok_hdf_put(group, "ny", H5T_NATIVE_INT64, 0, &s->grid.ny));
    PUT(w, "spacing", otok_hdf_put(group, "spacing", H5T_NATIVE_DOUBLE, 0, &s->grid.spacing));
    PUT(w, "time", otok_hdf_put(group, "time", H5T_NATIVE_DOUBLE, 0, &s->time));
    PUT(w, "sea_level", otok_hdf_put(group, "sea_level", H5T_NATIVE_DOUBLE, 0, &s->sea_level));
    if (s->georeference.known) {
        const double corner[4] = {s->georeference.west, s->georeference.width,
                                  s->georeference.north, s->georeference.height};
        PUT(w, "georeference", otok_hdf_put(group, "georeference", H5T_NATIVE_DOUBLE, 4, corner));
        if (s->georeference.wkt)
            PUT(w, "georeference_wkt",
                otok_hdf_put_text(group, "georeference_wkt", s->georeference.wkt));
    }
    PUT(w, "water_start", otok_hdf_put(group, "water_start", H5T_NATIVE_INT64, 2, &s->water_start));
    OTOK_TRY(write_diagnosis(w, group));
    PUT(w, "solid_start", otok_hdf_put(group, "solid_start", H5T_NATIVE_INT64, 2, &s->solid_start));
    if (s->nlayers) {
        char names[OTOK_MAX_LAYERS * OTOK_NAME_SIZE];
        layer_names(s, names);
        PUT(w, "layers", otok_hdf_put_text(group, "layers", names));
        PUT(w, "layer_start",
            otok_hdf_put(group, "layer_start", H5T_NATIVE_INT64, 2 * s->nlayers, s->layer_start));
        PUT(w, "layer_sums",
            otok_hdf_put(group, "layer_sums", H5T_NATIVE_INT64, 2 * (1 + s->nlayers),
                         &s->sums[OTOK_SUM_DEPOSITED]));
    }
    for (int i = 0; i < OTOK_SUMS; i++)
        if (otok_sum_names[i])
            PUT(w, otok_sum_names[i],
                otok_hdf_put(group, otok_sum_names[i], H5T_NATIVE_INT64, 2, &s->sums[i]));
    return OTOK_OK;
}
