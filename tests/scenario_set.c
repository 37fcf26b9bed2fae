/* scenario_set.c - claim: --set changes what it names, adds keys and groups, and obeys the rules of
 * a file. CHECK_ONCE */
#include "scenario_file.h"

static const char text[] =
    "otok: 1\n"
    "grid: {nx: 8, ny: 8}\n"
    "base: [{cone: }]\n"
    "phases:\n"
    "  - {name: erosion, iterations: 10, rain: {rate: 1}, hydraulic: {dt: 0.1}}\n"
    "  - {iterations: 5, seabed: }\n";

static otok_scenario *load(const char *const *sets, int nsets)
{
    otok_scenario *s;
    file_write(text, sizeof text - 1);
    MUST(otok_scenario_load(&s, file_path, sets, nsets));
    return s;
}

static void check_values(void)
{
    static const char *const sets[] = {
        "phases.erosion.hydraulic.dt=0.05",
        "phases.0.rain.rate=1e-3",
        "phases.erosion.rain.during=[[2, 4]]",
        "phases.erosion.rain.during.0.1=5",
        "phases.erosion.rivers=[{x: 1, y: 2, discharge: 3}]",
        "phases.erosion.rivers.0.discharge=7",
        "grid.nx=256",
        "base.0.cone.height=80",
        "sea.level= 3",
        "output.every=10",
        "phases.erosion.thermal={dt: 0.01}",
        "phases.erosion.thermal.law=excess",
        "phases.phase2.seabed.sweeps=4",
        "phases.1.name=sand",
        "phases.sand.iterations=7",
        "title=\"a=b: c\"",
        "output.fields=[reef]",
    };
    otok_scenario *s = load(sets, sizeof sets / sizeof sets[0]);
    const otok_phase *p = s->phases;
    CHECK(p[0].hydraulic.dt == 0.05 && p[0].rain.rate == 1e-3, "by name and number");
    CHECK(p[0].rain.nspans == 1 && p[0].rain.during[0].from == 2 && p[0].rain.during[0].to == 5,
          "lists");
    CHECK(p[0].nrivers == 1 && p[0].rivers[0].y == 2 && p[0].rivers[0].discharge == 7, "rivers");
    CHECK(s->grid.nx == 256 && s->grid.ny == 8 && s->sea_level == 3 && s->output.every == 10,
          "top groups");
    CHECK(s->base[0].as.cone.height == 80 && s->base[0].as.cone.x == 128, "base");
    CHECK(p[0].processes & OTOK_THERMAL && p[0].thermal.dt == 0.01 &&
              p[0].thermal.law == OTOK_EXCESS,
          "a new group");
    CHECK(p[1].seabed.sweeps == 4 && p[1].iterations == 7 && strcmp(p[1].name, "sand") == 0,
          "the standard name, then a new one");
    CHECK(strcmp(s->title, "a=b: c") == 0 && s->output.fields == 1u << OTOK_REEF, "%s", s->title);
    otok_scenario_destroy(s);
}

/* A later set wins; null takes a list back. */
static void check_order(void)
{
    static const char *const sets[] = {"grid.nx=4", "grid.nx=5", "phases.0.rain.during=[[0, 1]]",
                                       "phases.0.rain.during=null", "base=[]"};
    otok_scenario *s = load(sets, 5);
    CHECK(s->grid.nx == 5 && s->phases[0].rain.nspans == 0 && s->nbase == 0, "order");
    otok_scenario_destroy(s);
}

static void check_refused(const char *set, otok_status status, const char *fragment)
{
    otok_scenario *s;
    const otok_status found = file_load(&s, text, set);
    CHECK(found == status && !s, "%s: status %d", set, (int)found);
    CHECK(strstr(otok_why(), fragment), "%s: %s", fragment, otok_why());
    CHECK(strncmp(otok_why(), "--set ", 6) == 0 && strstr(otok_why(), set), "%s", otok_why());
}

int main(void)
{
    file_create();
    check_values();
    check_order();
    check_refused("grid.nx", OTOK_USAGE, "path=value");
    check_refused("=3", OTOK_USAGE, "path=value");
    check_refused("grid..nx=3", OTOK_USAGE, "path=value");
    check_refused("grid.nx.deep=3", OTOK_USAGE, "grid.nx is a value");
    check_refused("phases.erosin.rain.rate=1", OTOK_USAGE,
                  "no item `erosin`; the nearest name is `erosion`");
    check_refused("base.1.cone={}", OTOK_USAGE, "numbered from 0 to 0");
    check_refused("grid.nx=0", OTOK_DATA, "grid.nx: 0 is out of range; allowed: at least 1");
    check_refused("grid.nx=", OTOK_DATA, "grid.nx: nothing stands where a number is needed");
    check_refused("grid.nx=[1", OTOK_DATA, "not valid YAML");
    check_refused("grid.nz=3", OTOK_DATA, "grid.nz: unknown key; the nearest known one is `nx`");
    check_refused("phases.erosion.hydraulic={dt: 1, dt: 2}", OTOK_DATA, "dt: given twice");
    check_refused("phases.erosion.hydraulic.evaporation=11", OTOK_DATA,
                  "evaporation: evaporation dt = 1.1");
    check_refused("phases.phase2.name=erosion", OTOK_DATA, "same name");
    file_remove();
    return check_failures != 0;
}
