/* driver.c: runs one member for a tool such as Dakota. It reads a parameters file and writes a
   results file, which begins with "fail" if a result is missing. It always writes a results file,
   because without one such a tool ends its whole study. */
#include "driver.h"

#include "../core/rounding.h"
#include "../io/file.h"
#include "../scenario/scenario_read.h"
#include "member.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct outcome {
    otok_result result;
    otok_sample *samples;
} outcome;

/* Returns 1 if the number is also known of a member that diverged, 2 if it then has no meaning, 0
   if there is no such number. */
static int find_value(double *out, const outcome *o, const char *name)
{
    const otok_result *r = &o->result;
    otok_result_number n;
    if (strcmp(name, "stable") == 0 || strcmp(name, "verdict") == 0) {
        *out = *name == 's' ? r->verdict == OTOK_STABLE : (double)r->verdict;
        return 1;
    }
    for (int i = 0; otok_result_number_at(&n, i); i++)
        if (strcmp(n.name, name) == 0) {
            const char *at = (const char *)r + n.offset;
            *out = n.is_int ? (double)*(const int64_t *)at : *(const double *)at;
            return i < OTOK_RUN_NUMBERS ? 1 : 2;
        }
    for (int i = 0; i < OTOK_SAMPLE_SIZE && r->nsamples; i++)
        if (strcmp(otok_sample_infos[i].name, name) == 0) {
            *out = ((const double *)&o->samples[r->nsamples - 1])[i];
            return 2;
        }
    return 0;
}

static otok_status value_of(double *out, const outcome *o, const char *name)
{
    const otok_result *r = &o->result;
    const int found = find_value(out, o, name);
    if (!found)
        return OTOK_FAIL(OTOK_DATA,
                         "there is no response `%s`; known are stable, verdict, margin, "
                         "first_iteration, iterations, "
                         "simulated_time, and every number of study.h5 by its name there, of "
                         "the last sample",
                         name);
    if (found == 2 && r->verdict == OTOK_DIVERGED)
        return OTOK_FAIL(OTOK_DATA,
                         "the member diverged at iteration %lld and has no `%s`; it has stable, "
                         "verdict, margin, first_iteration, iterations and simulated_time",
                         (long long)r->first, name);
    return isfinite(*out)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_DATA, "the response `%s` has no value for this member", name);
}

/* ---- the member ---- */

static const char *path_of(const otok_driver_options *o, const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < o->nnames; i++)
        if (strncmp(o->names[i], name, n) == 0 && o->names[i][n] == '=') return o->names[i] + n + 1;
    return name;
}

static otok_status set_axis(otok_study *s, const char *path, const char *value)
{
    if (s->naxes == OTOK_MAX_AXES)
        return OTOK_FAIL(OTOK_DATA, "more than %d variables", OTOK_MAX_AXES);
    for (int a = 0; a < s->naxes; a++)
        if (strcmp(s->axes[a].path, path) == 0)
            return OTOK_FAIL(OTOK_DATA, "two variables are %.200s; take one out", path);
    otok_axis *axis = &s->axes[s->naxes++];
    axis->values = calloc(1, sizeof *axis->values);
    if (!axis->values) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    axis->nvalues = 1;
    if (snprintf(axis->path, sizeof axis->path, "%s", path) >= (int)sizeof axis->path ||
        snprintf(axis->values[0], OTOK_VALUE_SIZE, "%s", value) >= OTOK_VALUE_SIZE)
        return OTOK_FAIL(OTOK_DATA, "%.60s...: too long", path);
    return OTOK_OK;
}

static otok_status run(outcome *out, const otok_asked *asked, const otok_driver_options *o)
{
    otok_study *s = calloc(1, sizeof *s);
    if (!s) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    s->design = (otok_design){.kind = OTOK_DESIGN_LIST, .rows = 1};
    s->every = o->every;
    s->rerun = o->rerun;
    otok_status status =
        snprintf(s->scenario, sizeof s->scenario, "%s", o->scenario) < (int)sizeof s->scenario
            ? OTOK_OK
            : OTOK_FAIL(OTOK_IO, "%.60s...: the path is too long", o->scenario);
    if (status == OTOK_OK) status = otok_text_read(&s->text, &s->size, s->scenario);
    for (int v = 0; v < asked->nvariables && status == OTOK_OK; v++)
        status = set_axis(s, path_of(o, asked->variables[v].name), asked->variables[v].value);
    if (status == OTOK_OK) status = otok_member_run(&out->result, &out->samples, s, 0, o->backend);
    otok_study_destroy(s);
    if (status != OTOK_OK) return status;
    if (out->result.failed || out->result.verdict == OTOK_REFUSED)
        return OTOK_FAIL(OTOK_DATA, "%s", out->result.cause);
    return OTOK_OK;
}

/* ---- the results file ---- */

static otok_status print_value(FILE *out, const outcome *o, const char *name, int json, int first)
{
    double value = NAN;
    OTOK_TRY(value_of(&value, o, name));
    if (json)
        fprintf(out, "%s\n    \"%s\": %.16e", first ? "" : ",", name, value);
    else
        fprintf(out, "%24.16e %s\n", value, name);
    return OTOK_OK;
}

/* Writes the functions in the requested order, then metadata. */
static otok_status print_values(FILE *out, const outcome *o, const otok_asked *asked, int json)
{
    int n = 0;
    if (json) fputs("{\n  \"functions\": {", out);
    for (int i = 0; i < asked->nresponses; i++)
        if (asked->responses[i].wanted)
            OTOK_TRY(print_value(out, o, asked->responses[i].name, json, n++ == 0));
    if (json) fputs("\n  },\n  \"metadata\": {", out);
    for (int i = 0; i < asked->nmetadata; i++)
        OTOK_TRY(print_value(out, o, asked->metadata[i], json, i == 0));
    if (json) fputs("\n  }\n}\n", out);
    return OTOK_OK;
}

static void put_failure(FILE *out, const char *why, int json)
{
    if (!json) {
        fprintf(out, "fail\n%s\n", why);
        return;
    }
    fputs("{\n  \"fail\": \"true\",\n  \"cause\": ", out);
    otok_text_quote(out, why);
    fputs("\n}\n", out);
}

static char *compose(size_t *size, const outcome *o, const otok_asked *asked, int json,
                     otok_status *status)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);
    if (out && *status == OTOK_OK) *status = print_values(out, o, asked, json);
    if (out && *status != OTOK_OK) {
        free(otok_text_finish(out, &bytes));
        bytes = NULL;
        out = open_memstream(&bytes, size);
        if (out) put_failure(out, otok_why(), json);
    }
    return otok_text_finish(out, &bytes);
}

otok_status otok_study_drive(const otok_driver_options *o, const char *parameters,
                             const char *results, int *failed)
{
    OTOK_ROUNDING;
    outcome found = {.samples = NULL};
    size_t size = 0;
    char why[1024];
    OTOK_TRY(otok_file_not_input(results, parameters));
    OTOK_TRY(otok_file_not_input(results, o->scenario));
    otok_asked *asked = calloc(1, sizeof *asked);
    if (!asked) return OTOK_FAIL(OTOK_NOMEM, "no memory for a parameters file");
    otok_status member = otok_asked_read(asked, parameters);
    if (member == OTOK_OK) member = run(&found, asked, o);
    char *bytes = compose(&size, &found, asked,
                          o->results_json < 0 ? asked->is_json : o->results_json, &member);
    snprintf(why, sizeof why, "%s", otok_why());
    const otok_status status = bytes ? otok_file_put(results, bytes, size)
                                     : OTOK_FAIL(OTOK_NOMEM, "no memory for results");
    *failed = member != OTOK_OK;
    free(bytes);
    free(found.samples);
    free(asked);
    if (status == OTOK_OK && *failed) OTOK_FAIL(member, "%s", why);
    return status;
}
