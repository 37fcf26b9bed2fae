/* inspect.c: `otok inspect`: verifies a checkpoint and prints its contents. */
#include "../core/plain.h"
#include "../core/status.h"
#include "../io/checkpoint.h"
#include "../scenario/yaml_node.h"
#include "../sim/dated.h"
#include "../sim/derived.h"
#include "../sim/expressions.h"
#include "../sim/island.h"
#include "cli.h"
#include "options.h"
#include "summary.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The responses of the scenario in this state, or one that was asked for; the form of its island;
   and its rivers, if it has some. */
typedef struct answers {
    otok_island island;
    cli_rivers rivers;
    int n;
    otok_response list[OTOK_MAX_RESPONSES];
    double values[OTOK_MAX_RESPONSES];
} answers;

static otok_status answer(answers *a, const otok_snapshot *s, const char *path,
                          const cli_sets *asked)
{
    otok_scenario *scenario;
    otok_status status = OTOK_OK;
    if (asked->n > OTOK_MAX_RESPONSES)
        return OTOK_FAIL(OTOK_USAGE, "--response: %d expressions; allowed: %d", asked->n,
                         OTOK_MAX_RESPONSES);
    *a = (answers){.n = asked->n};
    for (int i = 0; i < asked->n; i++) {
        if (strlen(asked->at[i]) >= sizeof a->list[i].text)
            return OTOK_FAIL(OTOK_USAGE, "--response: longer than %zu bytes",
                             sizeof a->list[i].text - 1);
        strcpy(a->list[i].text, asked->at[i]);
    }
    if (!asked->n) {
        OTOK_TRY(otok_island_of_snapshot(&a->island, s));
        OTOK_TRY(cli_rivers_of(&a->rivers, s));
        OTOK_TRY(otok_scenario_read(&scenario, s->scenario, path, NULL, 0));
        a->n = scenario->nresponses;
        if (a->n) memcpy(a->list, scenario->responses, (size_t)a->n * sizeof *a->list);
        otok_scenario_destroy(scenario);
    }
    status = otok_responses_of_snapshot(a->values, a->list, a->n, s);
    return status == OTOK_OK ? status : otok_fail_in(status, "%s", path);
}

static void print_no_data(const otok_snapshot *s)
{
    if (s->holes.n)
        printf("  walls        %" PRId64 " cells have no data\n", otok_holes_count(&s->holes));
    if (s->filled)
        printf("  filled       %" PRId64 " cells of its rasters had no data\n", s->filled);
}

static void print_steps(const otok_snapshot *s)
{
    if (s->water_steps)
        printf("  water        %" PRId64 " steps so far, the last of %g s\n", s->water_steps,
               s->water_dt);
}

static void print_time(const otok_snapshot *s)
{
    char words[48];
    otok_time_words(words, s->time);
    printf("  time         %.9g s", s->time);
    if (s->time >= 60) printf(" (%s)", words);
    if (otok_snapshot_date(words, s, s->time)) printf(", %s", words);
    putchar('\n');
}

static void print_head(void)
{
    printf("%-16s %14s %14s %14s  %s\n", "field", "min", "mean", "max", "unit");
}

static void print_row(const otok_snapshot *s, int f, const float *map)
{
    char text[OTOK_NAME_SIZE];
    const cli_summary m = cli_summarise(s, f, map);
    printf("%-16s %14.6g %14.6g %14.6g  %s\n", cli_plain(otok_snapshot_name(s, f, text)), m.low,
           m.mean, m.high, otok_snapshot_info(s, f)->unit);
}

static double island_number(const otok_island *island, int i)
{
    return *(const double *)((const char *)island + otok_island_numbers[i].offset);
}

static void print_island(const otok_island *island)
{
    if (island->form < 0) return;
    printf("\nform: %s\n", otok_form_name((otok_form)island->form));
    for (int i = 0; i < OTOK_ISLAND_NUMBERS; i++)
        printf("%-16s %14.6g  %s\n", otok_island_numbers[i].name, island_number(island, i),
               otok_island_numbers[i].unit);
}

static void print_text(const otok_snapshot *s, const char *path, const answers *a)
{
    printf("%s\n", cli_plain(path));
    printf("  title        %s\n", cli_plain(s->title));
    printf("  grid         %" PRId64 " x %" PRId64 " cells of %g m\n", s->grid.nx, s->grid.ny,
           s->grid.spacing);
    char system[128];
    otok_georeference_name(&s->georeference, system, sizeof system);
    if (s->georeference.known)
        printf("  georeference %s, west %.9g, north %.9g, cells of %.9g x %.9g\n",
               *system ? cli_plain(system) : "system not known", s->georeference.west,
               s->georeference.north, s->georeference.width, s->georeference.height);
    print_no_data(s);
    printf("  iteration    %" PRId64 "%s\n", s->iteration,
           otok_checkpoint_iteration(path) < 0 || otok_checkpoint_iteration(path) == s->iteration
               ? ""
               : ", unlike its name");
    print_steps(s);
    print_time(s);
    printf("  sea level    %.9g m\n", s->sea_level);
    printf("  seed         %" PRId64 "\n", s->seed);
    printf("  fingerprint  %016" PRIx64 " (verified)\n", s->fingerprint);
    putchar('\n');
    print_head();
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (s->maps[f]) print_row(s, f, s->maps[f]);
    printf("\n%-16s %20s\n", "ledger", "m3");
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++) {
        const otok_ledger_entry *e = otok_ledger_at(i);
        const double value = otok_ledger_value(&s->ledger, i),
                     came = e->sign == 'n' ? otok_ledger_value(&s->ledger, i - 1) : 0;
        printf("%c %-16s %20.9g",
               e->sign == '0'           ? '+'
               : strchr("=+-", e->sign) ? e->sign
                                        : ' ',
               e->name, value);
        if (came > 0 && value > 0)
            printf("  delivered minus nominal: %+.1e of it", came / value - 1);
        putchar('\n');
    }
    printf("  %-14s %20" PRId64 "\n", "not_finite", s->ledger.not_finite);
    for (int i = 0; i < s->ledger.nlayers; i++) {
        const otok_layer_ledger *l = &s->ledger.layers[i];
        if (i == 0)
            printf("\n%-16s %16s %16s %16s %16s %16s %16s\n", "layer, m3", "start", "eroded",
                   "deposited", "raised", "now", "error");
        printf("%-16s %16.9g %16.9g %16.9g %16.9g %16.9g %16.9g\n", cli_plain(l->name), l->start,
               l->eroded, l->deposited, l->raised, l->now, l->error);
    }
    if (a->n) putchar('\n');
    cli_responses(stdout, a->list, a->values, a->n);
    print_island(&a->island);
    cli_rivers_print(&a->rivers);
    if (s->watched) {
        const otok_diagnosis found = otok_judge_diagnosis(&s->judge, s->grid.nx);
        putchar('\n');
        cli_diagnosis(stdout, &found);
    }
    printf("\nwritten by %s on %s (%s, %s), %s\n", cli_plain(s->version), cli_plain(s->host),
           cli_plain(s->backend), cli_plain(s->device), cli_plain(s->date));
    printf("  id       %s\n  command  %s\n", cli_plain(s->id), cli_plain(s->command));
    if (s->parent[0]) printf("  parent   %s\n", cli_plain(s->parent));
    if (!s->changes || !s->changes[0]) return;
    printf("\nvalues that changed during the run; otok inspect --scenario lists them too\n ");
    otok_plain_put(stdout, s->changes, 1);
    putchar('\n');
}

static void put_string(const char *key, const char *text)
{
    printf("  \"%s\": ", key);
    otok_text_quote(stdout, text);
    printf(",\n");
}

/* JSON has no NaN and no infinity. */
static void put_number(const char *key, double value, const char *end)
{
    if (isfinite(value))
        printf("\"%s\": %.17g%s", key, value, end);
    else
        printf("\"%s\": null%s", key, end);
}

static void put_diagnosis(const otok_snapshot *s)
{
    const otok_diagnosis f = otok_judge_diagnosis(&s->judge, s->grid.nx);
    if (!s->watched) return;
    printf("  \"diagnosis\": {\"verdict\": \"%s\", \"samples\": %" PRId64 ", \"since\": %" PRId64
           ", \"until\": %" PRId64 ", \"first\": [%" PRId64 ", %" PRId64 "], \"cell\": [%" PRId64
           ", %" PRId64 "],\n    ",
           otok_verdict_name(f.verdict), f.samples, f.since, f.until, f.after, f.first, f.cell_x,
           f.cell_y);
    printf("\"cells\": %" PRId64 ", ", f.cells);
    put_number("share", f.share, ",\n    ");
    printf("\"audit\": {");
    put_number("speed", f.audit_speed, ", ");
    put_number("ground", f.audit_ground, ", ");
    put_number("sediment", f.audit_sediment, ", ");
    put_number("sweeps", f.audit_sweeps, ", ");
    put_number("rivers", f.audit_rivers, "},\n    ");
    put_number("slow", f.slow, ", ");
    put_number("texture", f.texture, ", ");
    put_number("broken", f.broken, ", ");
    put_number("proof", f.proof, ",\n    ");
    printf("\"meaning\": ");
    otok_text_quote(stdout, otok_verdict_about(f.verdict)->meaning);
    printf(",\n    \"remedy\": ");
    otok_text_quote(stdout, otok_diagnosis_remedy(&f));
    printf(",\n    ");
    put_number("deepest", f.deepest, ", ");
    put_number("deepest_limit", f.deepest_limit, ", ");
    printf("\"deepest_at\": %" PRId64 ", \"too_deep\": [%" PRId64 ", %" PRId64 "]},\n",
           f.deepest_at, f.deep_after, f.deep_first);
}

static void put_island(const otok_island *island)
{
    if (island->form < 0) return;
    printf("  \"form\": {\"word\": \"%s\"", otok_form_name((otok_form)island->form));
    for (int i = 0; i < OTOK_ISLAND_NUMBERS; i++) {
        printf(", ");
        put_number(otok_island_numbers[i].name, island_number(island, i), "");
    }
    printf("},\n");
}

static void put_field(const otok_snapshot *s, int f, const float *map)
{
    char text[OTOK_NAME_SIZE];
    const cli_summary m = cli_summarise(s, f, map);
    otok_text_quote(stdout, otok_snapshot_name(s, f, text));
    printf(": {");
    put_number("min", m.low, ", ");
    put_number("mean", m.mean, ", ");
    put_number("max", m.high, ", ");
    printf("\"unit\": \"%s\"}", otok_snapshot_info(s, f)->unit);
}

static void print_json(const otok_snapshot *s, const char *path, const answers *a)
{
    printf("{\n");
    put_string("file", path);
    put_string("title", s->title);
    printf("  \"grid\": {\"nx\": %" PRId64 ", \"ny\": %" PRId64 ", \"spacing\": %.17g},\n",
           s->grid.nx, s->grid.ny, s->grid.spacing);
    printf("  \"iteration\": %" PRId64 ",\n  ", s->iteration);
    put_number("time", s->time, ",\n  ");
    char date[48];
    if (otok_snapshot_date(date, s, s->time)) printf("\"date\": \"%s\",\n  ", date);
    put_number("sea_level", s->sea_level, ",\n");
    if (s->water_steps) {
        printf("  \"water_steps\": %" PRId64 ",\n  ", s->water_steps);
        put_number("water_dt", s->water_dt, ",\n");
    }
    printf("  \"seed\": %" PRId64 ",\n  \"fingerprint\": \"%016" PRIx64 "\",\n  \"fields\": {",
           s->seed, s->fingerprint);
    const char *between = "\n";
    for (int f = 0; f < OTOK_FIELDS; f++) {
        if (!s->maps[f]) continue;
        printf("%s    ", between);
        put_field(s, f, s->maps[f]);
        between = ",\n";
    }
    printf("\n  },\n  \"ledger\": {");
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++)
        put_number(otok_ledger_at(i)->name, otok_ledger_value(&s->ledger, i), ", ");
    printf("\"not_finite\": %" PRId64 ", \"layers\": {", s->ledger.not_finite);
    for (int i = 0; i < s->ledger.nlayers; i++) {
        const otok_layer_ledger *l = &s->ledger.layers[i];
        printf("%s", i ? ", " : "");
        otok_text_quote(stdout, l->name);
        printf(": {");
        put_number("start", l->start, ", ");
        put_number("eroded", l->eroded, ", ");
        put_number("deposited", l->deposited, ", ");
        put_number("raised", l->raised, ", ");
        put_number("now", l->now, ", ");
        put_number("error", l->error, "}");
    }
    printf("}},\n  \"responses\": {");
    for (int i = 0; i < a->n; i++)
        put_number(a->list[i].name, a->values[i], i < a->n - 1 ? ", " : "");
    printf("},\n");
    put_island(&a->island);
    cli_rivers_json(&a->rivers);
    put_diagnosis(s);
    const char *const words[][2] = {
        {"version", s->version}, {"host", s->host}, {"backend", s->backend}, {"device", s->device},
        {"date", s->date},       {"id", s->id},     {"command", s->command}, {"parent", s->parent}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        put_string(words[i][0], words[i][1]);
    printf("  \"changes\": ");
    otok_plain_put(stdout, s->changes && s->changes[0] ? s->changes : "[]", 1);
    printf(",\n  \"verified\": true\n}\n");
}

/* One field, which may be a derived one. */
static otok_status print_field(const otok_snapshot *s, const char *path, const char *name,
                               int as_json)
{
    const int field = otok_snapshot_find(s, name);
    float *derived = NULL;
    if (field < 0 || (field < OTOK_FIELDS && !s->maps[field])) return cli_no_field(path, name);
    if (field >= OTOK_FIELDS) {
        const otok_status status = otok_snapshot_derived(&derived, s, field);
        if (status != OTOK_OK) return otok_fail_in(status, "%s", path);
    }
    const float *map = derived ? derived : s->maps[field];
    if (as_json) {
        putchar('{');
        put_field(s, field, map);
        puts("}");
    } else {
        print_head();
        print_row(s, field, map);
        puts(otok_snapshot_info(s, field)->long_name);
    }
    free(derived);
    return OTOK_OK;
}

static otok_status print_all(const otok_snapshot *s, const char *path, const cli_sets *asked,
                             int as_json)
{
    answers *a = malloc(sizeof *a);
    const otok_status status =
        a ? answer(a, s, path, asked) : OTOK_FAIL(OTOK_NOMEM, "no memory for responses");
    for (int i = 0; i < asked->n && status == OTOK_OK; i++)
        if (asked->n > 1)
            printf("%s = %.17g\n", cli_plain(asked->at[i]), a->values[i]);
        else
            printf("%.17g\n", a->values[i]);
    if (status == OTOK_OK && !asked->n) (as_json ? print_json : print_text)(s, path, a);
    free(a);
    return status;
}

int cli_inspect(int argc, char **argv)
{
    int as_json = 0, as_yaml = 0;
    const char *field = NULL;
    cli_sets asked = {.n = 0};
    const cli_option table[] = {
        CLI_OPTION("json", 'j', NULL, "print one JSON object", CLI_FLAG, &as_json),
        CLI_OPTION("scenario", 's', NULL, "print only the resolved scenario, as YAML for otok run",
                   CLI_FLAG, &as_yaml),
        CLI_OPTION("field", 'f', "NAME", cli_field_help, CLI_TEXT, &field),
        CLI_OPTION(
            "response", 'r', "EXPRESSION",
            "print one number of the state, such as 'area(reef > 0.5)': see `responses`; may "
            "be repeated, then each has its name",
            CLI_SET, &asked),
        {0}};
    const cli_command command = {
        .name = "inspect",
        .operands = "[--json | --scenario] [--field NAME | --response EXPRESSION] FILE",
        .about = "Verify a checkpoint and print its contents, with the `responses` of its "
                 "scenario, the form of an island with a reef, numbers of its rivers, or one field "
                 "with its definition. "
                 "The exit code is 65 if the file is damaged or is not a checkpoint.",
        .examples = "out/island_00003930.vtkhdf\nout/island_00003930.vtkhdf --field froude",
        .needs = "one checkpoint",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    if ((field != NULL) + as_yaml + (asked.n > 0) > 1)
        return cli_usage("inspect",
                         "--field, --response and --scenario print different things; keep one");
    otok_snapshot s;
    otok_status status = cli_checkpoint_read(&s, argv[optind]);
    if (status != OTOK_OK) return cli_fail(argv[0], status);
    if (field)
        status = print_field(&s, argv[optind], field, as_json);
    else if (as_yaml)
        otok_plain_put(stdout, s.scenario, 1);
    else
        status = print_all(&s, argv[optind], &asked, as_json);
    otok_snapshot_destroy(&s);
    if (status != OTOK_OK) return cli_fail(argv[0], status);
    return fflush(stdout) == 0
               ? 0
               : cli_fail(argv[0], OTOK_FAIL(OTOK_IO, "cannot write to standard output"));
}
