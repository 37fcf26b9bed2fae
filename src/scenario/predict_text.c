/* predict_text.c: the limits of a scenario as JSON, for files and other programs. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "../io/file.h"
#include "../otok.h"

#include <stdio.h>

/* Infinity and NaN are null in JSON. */
static void number(FILE *out, const char *key, double x)
{
    if (x - x == 0)
        fprintf(out, ", \"%s\": %.9g", key, x);
    else
        fprintf(out, ", \"%s\": null", key);
}

/* No text here needs escaping: names, symbols and texts come from the library, and phases have
   plain words as names. */
static void limit(FILE *out, const otok_limit *l, const char *phase)
{
    static const char *const certainties[] = {"proven", "measured", "heuristic"};
    fprintf(out, "{\"phase\": \"%s\", \"limit\": \"%s\", \"symbol\": \"%s\", \"certainty\": \"%s\"",
            phase, l->name, l->symbol, certainties[l->certainty]);
    number(out, "value", l->value);
    number(out, "bound", l->bound);
    number(out, "margin", l->value == l->value ? otok_limit_margin(l) : l->value);
    number(out, "dt", l->dt);
    fprintf(out, ", \"key\": \"%s%sdt\"", l->group, l->group[0] ? "." : "");
    fprintf(out, ", \"text\": \"%s\"", l->text);
    if (l->read[0]) fprintf(out, ", \"read\": \"%s\"", l->read);
    fputs("}", out);
}

char *(otok_predict_text)(const otok_scenario *scenario, const otok_site *site, size_t site_size)
{
    if (OTOK_GIVEN(scenario)) return NULL;
    OTOK_ROUNDING;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    const char *before = "[";
    for (int p = 0; p < otok_scenario_phases(scenario); p++) {
        otok_limit limits[OTOK_LIMITS];
        const int n = (otok_predict)(limits, scenario, p, site, sizeof *limits, site_size);
        for (int i = 0; i < n; i++, before = ",\n ") {
            fputs(before, out);
            limit(out, &limits[i], otok_scenario_phase(scenario, p));
        }
    }
    fputs(*before == '[' ? "[]" : "]", out);
    return otok_text_finish(out, &text);
}
