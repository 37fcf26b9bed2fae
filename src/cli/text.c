/* text.c: prints numbers, times and ledgers for people. */
#include "text.h"
#include "../core/plain.h"
#include "../core/status.h"
#include "../core/words.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

const char *cli_plain(const char *text)
{
    static char *kept[8];
    static unsigned turn;
    char **here = &kept[turn++ % 8];
    const size_t size = (OTOK_PLAIN_SIZE - 2) * strlen(text) + 1;
    free(*here);
    *here = malloc(size);
    if (!*here) return "";
    otok_plain(*here, size, text);
    return *here;
}

int cli_usage(const char *name, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "otok %s: %s\n", name, cli_plain(text));
    return otok_exit_code(OTOK_USAGE);
}

void cli_removed(const char *name, int left)
{
    fprintf(stderr, "otok %s: checkpoints were removed meanwhile; the other %d are used\n", name,
            left);
}

int cli_ends(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);
    return n > m && strcasecmp(name + n - m, ending) == 0;
}

const char cli_field_help[] =
    "a field of the file, also layer_NAME and bottom_NAME, or a derived one:"
#define DERIVED(NAME, name, ...) " " #name
#include "../core/fields.def"
    ;

otok_status cli_no_field(const char *path, const char *field)
{
    otok_words names = {0};
    for (int i = 0; i < OTOK_FIELDS; i++)
        if (otok_field_layer(i) < 0) otok_words_add(&names, otok_field_at(i)->name);
    for (int i = 0; otok_derived_at(i); i++)
        otok_words_add(&names, otok_derived_at(i)->name);
    if (otok_words_find(&names, field) >= 0 || strncmp(field, "layer_", 6) == 0 ||
        strncmp(field, "bottom_", 7) == 0)
        return OTOK_FAIL(OTOK_DATA, "%s: has no field %s; otok inspect lists those that it has",
                         path, field);
    const char *meant = otok_field_described(field);
    char most[OTOK_NAME_SIZE], greatest[OTOK_NAME_SIZE + 32] = "";
    snprintf(most, sizeof most, "max_%.40s", field);
    if (otok_words_find(&names, most) >= 0)
        snprintf(greatest, sizeof greatest, ", its greatest value is `%s`", most);
    return OTOK_FAIL(OTOK_DATA,
                     "%s: there is no field %s; the nearest name is `%s`%s, and otok inspect lists "
                     "those that it has",
                     path, field, meant ? meant : otok_words_nearest(&names, field), greatest);
}

otok_status cli_checkpoint_read(otok_snapshot *s, const char *path)
{
    char pattern[4096];
    struct stat about;
    glob_t found;
    *s = (otok_snapshot){0};
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return otok_checkpoint_read(s, path);
    snprintf(pattern, sizeof pattern, "%s/*.vtkhdf", path);
    if (glob(pattern, 0, NULL, &found) != 0)
        return OTOK_FAIL(OTOK_IO, "%s: a directory without checkpoints", path);
    const otok_status status =
        OTOK_FAIL(OTOK_IO,
                  "%s: a directory: otok view plays the run in it, otok movie films it; "
                  "name one of its checkpoints, such as %s",
                  path, found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return status;
}

int cli_whole(const char *text, int low, int high, int *out)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < low || value > high) return 0;
    *out = (int)value;
    return 1;
}

/* Units come in order, each once; only a number alone may lack its unit: in 1h30 somebody may mean
   minutes and another seconds. */
int cli_duration(const char *text, double *seconds)
{
    static const char units[] = "dhms";
    static const double sizes[] = {86400, 3600, 60, 1};
    double sum = 0;
    const char *at = text, *allowed = units;
    while (*at) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || at[strspn(at, "0123456789.")] == 'x' || *at == ' ' || !(value >= 0) ||
            !(value < 1e9))
            return 0;
        const char *unit = *end ? strchr(allowed, *end) : at == text ? units + 3 : NULL;
        if (!unit) return 0;
        sum += value * sizes[unit - units];
        allowed = unit + 1;
        at = *end ? end + 1 : end;
    }
    *seconds = sum;
    return sum > 0;
}

void cli_time(char *out, size_t size, double seconds)
{
    const long s = lround(seconds);
    if (s >= 86400)
        snprintf(out, size, "%ldd%02ldh%02ldm", s / 86400, s / 3600 % 24, s / 60 % 60);
    else if (s >= 3600)
        snprintf(out, size, "%ldh%02ldm%02lds", s / 3600, s / 60 % 60, s % 60);
    else if (s >= 60)
        snprintf(out, size, "%ldm%02lds", s / 60, s % 60);
    else
        snprintf(out, size, "%.2gs", seconds);
}

void cli_bytes(char *out, size_t size, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int u = 0;
    for (; bytes >= 1024 && u < 4; u++)
        bytes /= 1024;
    snprintf(out, size, u ? "%.2f %s" : "%.0f %s", bytes, units[u]);
}

int cli_is_broken(const otok_diagnosis *f)
{
    return (f->verdict >= OTOK_CHATTERING && f->verdict < OTOK_REFUSED) || f->deep_first >= 0;
}

void cli_note(void *name, const char *text)
{
    fprintf(stderr, "otok %s: %s\n", (const char *)name, cli_plain(text));
}

int cli_binding(otok_limit *out, const otok_scenario *scenario, const otok_site *site)
{
    double most = -1;
    if (otok_predict_binding(out, scenario, site)) return 1;
    for (int p = 0; p < otok_scenario_phases(scenario); p++) {
        otok_limit limits[OTOK_LIMITS];
        const int n = otok_predict(limits, scenario, p, site);
        for (int i = 0; i < n; i++) {
            if (isnan(limits[i].value) || !(otok_limit_margin(&limits[i]) > most)) continue;
            *out = limits[i];
            most = otok_limit_margin(out);
        }
    }
    return most >= 0;
}

const char *cli_binding_text(char out[CLI_BINDING_SIZE], const otok_limit *binding,
                             const otok_scenario *scenario)
{
    snprintf(out, CLI_BINDING_SIZE, "phase %s, %s%s: margin %.3g",
             cli_plain(otok_scenario_phase(scenario, binding->phase)), binding->name,
             binding->certainty == OTOK_HEURISTIC ? " (heuristic)" : "",
             otok_limit_margin(binding));
    return out;
}

void cli_diagnosis(FILE *out, const otok_diagnosis *f)
{
    char text[OTOK_DIAGNOSIS_SIZE];
    fputs(otok_diagnosis_text(f, text), out);
}

/* Prints the entries of one side, then its error. `whole`: the amount to which that is relative
   [m3]. */
static void ledger_side(FILE *out, const otok_ledger *l, int side, double whole)
{
    for (int n = 0; n < 2 * OTOK_LEDGER_ENTRIES; n++) {
        const int i = n % OTOK_LEDGER_ENTRIES, last = n >= OTOK_LEDGER_ENTRIES;
        const otok_ledger_entry *e = otok_ledger_at(i);
        const double value = otok_ledger_value(l, i);
        if ((int)e->side != side || (e->sign == 'e') != last) continue;
        if (e->sign == '=')
            fprintf(out, "%-28s %16.6f m3\n", e->label, value);
        else if (e->sign == 'e')
            fprintf(out, "    %-24s %16.6f m3%s", e->label, value, whole > 0 ? "" : "\n");
        else if (e->sign == 'n' && value != 0)
            fprintf(out, "      %-22s %16.6f m3; delivered minus nominal: %+.1e of it\n", e->label,
                    value, otok_ledger_value(l, i - 1) / value - 1);
        else if (e->sign != 'n' && value != 0)
            fprintf(out, "  %c %-24s %16.6f m3\n", strchr("+-", e->sign) ? e->sign : ' ', e->label,
                    value);
        if (e->sign == 'e' && whole > 0) fprintf(out, ", %.1e of the total\n", value / whole);
    }
}

void cli_ledger(FILE *out, const otok_ledger *l)
{
    const double water =
        l->water_start + l->rain + l->rivers + l->water_entered + fabs(l->water_booked);
    if (water > 0 || l->rivers_nominal != 0) /* a pump may find nothing */
        ledger_side(out, l, OTOK_LEDGER_WATER, water);
    ledger_side(out, l, OTOK_LEDGER_SOLID, fabs(l->solid_start));
    for (int i = 0; i < l->nlayers; i++) {
        const otok_layer_ledger *layer = &l->layers[i];
        fprintf(out,
                "layer %-20s now %.6f m3 = %.6f - %.6f eroded + %.6f deposited + %.6f raised, "
                "unexplained %.6f m3\n",
                cli_plain(layer->name), layer->now, layer->start, layer->eroded, layer->deposited,
                layer->raised, layer->error);
    }
}

void cli_responses(FILE *out, const otok_response *list, const double *values, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(out, "response %-17s %20.9g = %s\n", list[i].name, values[i],
                cli_plain(list[i].text));
}

int cli_fail(const char *name, otok_status status)
{
    fprintf(stderr, "otok %s: %s\n", name, otok_why());
    return otok_exit_code(status);
}

/* "12 of 100 cells (12 %) "; 0: it is not to be printed. */
static int put_share(int64_t n, int64_t cells, int quiet)
{
    const double share = cells > 0 ? (double)n / (double)cells : 0;
    if (n == 0 || (quiet && share <= 0.01)) return 0;
    fprintf(stderr, "%s%lld of %lld cells (%.2g %%) ", share > 0.01 ? "WARNING: " : "",
            (long long)n, (long long)cells, 100 * share);
    return 1;
}

void cli_no_data(int64_t walls, int64_t cells, int64_t filled, int64_t raster_cells, int quiet)
{
    if (put_share(walls, cells, quiet))
        fputs("have no data and are walls: their ground stays, and nothing flows through their "
              "faces; `fill` of a raster gives such cells a height instead\n",
              stderr);
    if (put_share(filled, raster_cells, quiet))
        fputs("of the rasters have no data; each got a height by `fill`, and is computed like any "
              "other\n",
              stderr);
}
