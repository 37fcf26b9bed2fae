/* study_settle.c - claim: a member whose audit leaves doubt runs again with half the step, and then
   has the verdict of the whole run: water that drains from an island, whose windows agree, leaves
   another amount of sediment; a river that has just begun, whose windows differ, ends the same. The
   change is that of a run whose file has half the step; a response of the user and the form of a
   reef count, too. Members without doubt, without an audit, or whose iterations cannot be split do
   not run again; `half_step` chooses none, or all that can. */
#include "study_member.h"

#include <math.h>

#define DELUGE(dt, iterations, dissolve, deposit)                                                  \
    "otok: 1\nseed: 1292912487\ngrid: {nx: 24, ny: 24, spacing: 17.3956104444}\nedges: {right: "   \
    "open, top: open}\nbase: [{cone: {height: 214.947932023, radius: 208.747325333}}, {simplex: "  \
    "{octaves: 2, wavelength: 239.591003652, amplitude: 0.393019612221, combine: "                 \
    "add}}]\ninitial: "                                                                            \
    "{water: 23.9567699171}\nphases: [{name: a, iterations: " iterations ", rain: {rate: "         \
    "18.1260294061}, hydraulic: {pipes: signed, area: depth, friction: axis, damping: courant, "   \
    "slope: downhill, gravity: 3.01736658215334, evaporation: 0, dt: " dt ", manning: "            \
    "0.0533924290389, rates: per_iteration, capacity_law: speed, min_tilt: 0.10058853272437002, "  \
    "capacity: 0.0633468341821, dissolve: " dissolve ", deposit: " deposit "}}]\n"
#define WHOLE DELUGE("0.1", "210", "0.04", "0.002")
/* 1 - (1 - k)^(1/2) */
#define HALF DELUGE("0.05", "420", "0.02020410288672876", "0.0010005003753127737")
#define RIVER(more)                                                                                \
    "otok: 1\n" more                                                                               \
    "grid: {nx: 24, ny: 24, spacing: 12}\nedges: {left: open}\nbase: [{cone: {height: 140, "       \
    "radius: 290, x: 280, power: 1}}]\nphases: [{name: a, iterations: 24, rivers: [{x: 174, y: "   \
    "122, radius: 23, discharge: 1.2}], hydraulic: {law: local_inertia, dt: 1.5, courant: 0}}]\n"
#define CREEP                                                                                      \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{simplex: {octaves: 2, wavelength: 24, "  \
    "amplitude: 4}}]\nphases: [{name: a, iterations: 400, creep: {dt: 1, diffusivity: 0.001}}]\n"
#define DROPS(batch)                                                                               \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{cone: {height: 9, radius: 30}}]\n"       \
    "phases: [{name: a, droplets: {count: 56, batch: " batch "}}]\n"

static const char *backend;

static otok_result run(const char *scenario, const char *half_step)
{
    char text[512];
    snprintf(text, sizeof text,
             "study: 1\nscenario: base.yaml\ndesign: {kind: grid}\nvary: {title: {values: [x]}}\n"
             "monitor: {every: 10%s%s}\n",
             *half_step ? ", half_step: " : "", half_step);
    const otok_result r = run_member(scenario, text, backend);
    if (getenv("OTOK_TEST_SHOW"))
        printf("%s %s: doubt %g, %g of %s; %s\n", half_step,
               otok_verdict_name((otok_verdict)r.verdict), r.doubt, r.changed, r.most, r.cause);
    return r;
}

static otok_result expect(const char *name, const char *scenario, const char *half_step,
                          otok_verdict verdict, int again)
{
    const otok_result r = run(scenario, half_step);
    CHECK(r.verdict == (int64_t)verdict, "%s, %s: %s, not %s: doubt %g, changed %g", name,
          half_step, otok_verdict_name((otok_verdict)r.verdict), otok_verdict_name(verdict),
          r.doubt, r.changed);
    CHECK(isfinite(r.changed) == again && !*r.most == !again, "%s, %s: doubt %g, changed %g of %s",
          name, half_step, r.doubt, r.changed, r.most);
    return r;
}

/* The change is that of the run whose file has half the step. */
static void check_change(void)
{
    int entry = 0;
    while (strcmp(otok_ledger_at(entry)->name, "sediment_out") != 0)
        entry++;
    const otok_result a = expect("deluge", WHOLE, "never", OTOK_STABLE, 0), b = run(HALF, "never"),
                      r = expect("deluge", WHOLE, "", OTOK_STEP_DEPENDENT, 1);
    const double whole = a.ledger[entry], half = b.ledger[entry];
    CHECK(strcmp(r.most, "sediment out") == 0 && r.changed > 0.1, "deluge: %g of %s", r.changed,
          r.most);
    CHECK(fabs(r.changed - fabs(whole - half) / fmax(fabs(whole), fabs(half))) <
              1e-8, /* the file rounds the shares */
          "deluge: changed %.17g, but %.17g and %.17g", r.changed, whole, half);
    CHECK(r.fingerprint == a.fingerprint && r.iterations == a.iterations &&
              r.nsamples == a.nsamples && r.doubt <= a.doubt && r.doubt >= a.doubt &&
              memcmp(r.ledger, a.ledger, sizeof r.ledger) == 0,
          "deluge: the result is that of another run");
}

static void check_form(void)
{
    const otok_study study = {.nresponses = 0};
    const otok_sample last = {.highest = 1};
    otok_result half = {.island = {.form = OTOK_FRINGING}}, r = half;
    r.allowed = OTOK_DOUBT_CHANGE;
    otok_member_compare(&r, &last, &half, &last, &study, (otok_grid){4, 4, 1});
    CHECK(r.verdict == OTOK_STABLE && r.changed == 0, "one form: %g of %s", r.changed, r.most);
    half.island.form = OTOK_ATOLL;
    otok_member_compare(&r, &last, &half, &last, &study, (otok_grid){4, 4, 1});
    CHECK(r.verdict == OTOK_STEP_DEPENDENT && strcmp(r.most, "form") == 0, "another form: %g of %s",
          r.changed, r.most);
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    file_create();
    check_change();
    otok_result r = expect("river", RIVER(""), "never", OTOK_STEP_DEPENDENT, 0);
    CHECK(r.doubt > 1 && r.doubt < OTOK_DOUBT_MOST, "river: doubt %g", r.doubt);
    r = expect("river", RIVER(""), "", OTOK_STABLE, 1);
    CHECK(r.changed < 0.01, "river: %g of %s", r.changed, r.most);
    r = expect("its front", RIVER("responses: {tail: sum(water * (x < 110)) * l^2}\n"), "",
               OTOK_STEP_DEPENDENT, 1);
    CHECK(strcmp(r.most, "tail") == 0 && r.changed > 0.1, "its front: %g of %s", r.changed, r.most);
    check_form();
    r = expect("creep", CREEP, "", OTOK_STABLE, 0);
    CHECK(r.doubt < OTOK_DOUBT_LEAST, "creep: doubt %g", r.doubt);
    expect("creep", CREEP, "all", OTOK_STABLE, 1);
    expect("not audited", RIVER("audit: off\n"), "", OTOK_STABLE, 0);
    expect("not audited", RIVER("audit: off\n"), "all", OTOK_STABLE, 1);
    expect("droplets", DROPS("8"), "all", OTOK_STABLE, 1);
    expect("odd droplets", DROPS("7"), "all", OTOK_NOT_AUDITED, 0);
    unlink(base_path);
    file_remove();
    return check_failures != 0;
}
