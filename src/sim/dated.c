/* dated.c: see dated.h. */
#include "dated.h"

#include "../core/status.h"
#include "../io/file.h"
#include "../scenario/dates.h"

#include <stdio.h>
#include <stdlib.h>

static int first_date(otok_date *out, const otok_scenario *scenario)
{
    const char *own = scenario->nphases ? scenario->phases[0].start : "";
    int known = !otok_start_read(out, *own ? own : scenario->start);
    for (int p = 1; p < scenario->nphases; p++)
        known &= !*scenario->phases[p].start;
    return known;
}

static int start_of(otok_date *out, const otok_snapshot *s)
{
    otok_scenario *scenario;
    if (!s->scenario || otok_scenario_read(&scenario, s->scenario, "scenario", NULL, 0) != OTOK_OK)
        return 0;
    const int known = first_date(out, scenario);
    otok_scenario_destroy(scenario);
    return known;
}

int otok_scenario_date(char out[48], const otok_scenario *scenario, double time)
{
    otok_date start;
    const int known = first_date(&start, scenario);
    *out = 0;
    if (known) otok_date_write(out, &start, time);
    return known && *out;
}

int otok_snapshot_date(char out[48], const otok_snapshot *s, double time)
{
    otok_date start;
    const int known = start_of(&start, s);
    if (known) otok_date_write(out, &start, time);
    return known;
}

/* The fewest digits, from 9 on, that read back as the same time. */
static int digits_of(double time)
{
    char text[40];
    for (int digits = 9; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, time);
        if (strtod(text, NULL) == time) return digits;
    }
    return 17;
}

otok_status otok_gauges_write(const char *path, const otok_snapshot *s)
{
    char *text = NULL;
    size_t size = 0;
    int width = 1;
    for (const char *at = s->gauge_titles; *at; at++)
        width += *at == ',';
    otok_date start;
    char date[48];
    const int has_dates = start_of(&start, s) && !start.is_age;
    FILE *out = open_memstream(&text, &size);
    if (out) fputs(s->gauge_titles, out);
    if (out && has_dates) fprintf(out, ",date [%s]", start.has_zone ? "UTC" : "no zone");
    for (int64_t row = 0; out && row < s->gauge_samples; row++) {
        const double *values = s->gauges + row * width;
        for (int c = 0; c < width; c++)
            fprintf(out, "%c%.*g", c ? ',' : '\n', c ? 9 : digits_of(*values), values[c]);
        if (!has_dates) continue;
        otok_date_write(date, &start, *values);
        fprintf(out, ",%s", date);
    }
    if (out) fputc('\n', out);
    if (!otok_text_finish(out, &text))
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the series of gauges", path);
    const otok_status status = otok_file_put(path, text, size);
    free(text);
    return status;
}
