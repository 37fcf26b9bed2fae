/* scenario_units.c - claim: a number may have a unit, and is then the number of the parameter's
   unit that a person would write: the values and so the bits are those of the plain number. The
   text has it as it was given, also after it is read again. A unit of something else is refused,
   with place, unit and expected dimension; numbers that contradict each other are, in the units in
   which they were given. Without UDUNITS-2 every unit but the parameter's own is
   refused with the reason. The database of units is in the library: the system's is hidden here.
   CHECK_ONCE */
#include "scenario_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In place of libc's, also for UDUNITS-2: files of the system's database are not there. */
int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    if (strstr(path, "udunits")) return errno = ENOENT, -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

typedef struct pair {
    const char *given, *plain; /* --set words */
} pair;

static const pair equal[] = {
    {"phases.a.rain.rate=36 mm/h", "phases.a.rain.rate=1e-5"},
    {"phases.a.rain.rate=36mm/h", "phases.a.rain.rate=0.00001"},
    {"phases.a.rain.rate=\"36 mm/h\"", "phases.a.rain.rate=1e-5"},
    {"phases.a.rain.rate=36 millimeter / hour", "phases.a.rain.rate=1e-5"},
    {"phases.a.rain.rate=3.6e1 mm h-1", "phases.a.rain.rate=1e-5"},
    {"phases.a.rain.rate=36.mm.h-1",
     "phases.a.rain.rate=1.e-5"}, /* points, as names of files have */
    {"phases.b.reef.calcification=10 mm/yr", "phases.b.reef.calcification=3.16887646408185e-10"},
    {"phases.b.reef.dt=50 yr", "phases.b.reef.dt=1577846298.735"},
    {"phases.b.reef.dt=2 d", "phases.b.reef.dt=172800"},
    {"phases.b.reef.max_depth=100 ft", "phases.b.reef.max_depth=30.48"},
    {"phases.b.reef.carbon=25 %", "phases.b.reef.carbon=0.25"},
    {"phases.a.thermal.talus=0.5 rad", "phases.a.thermal.talus=28.6478897565412"},
    {"phases.a.hydraulic.dissolve=0.6 1/min", "phases.a.hydraulic.dissolve=0.01"},
    {"phases.b.reef.sea_history=[[0, 0], [1 kyr, 120 ft]]",
     "phases.b.reef.sea_history=[[0, 0], [31556925974.7, 36.576]]"},
    {"phases.a.rivers=[{x: 4, y: 4, discharge: 30 L/s}]",
     "phases.a.rivers=[{x: 4, y: 4, discharge: 0.03}]"},
    {"base=[{cone: {height: 0.1 km, radius: 1 km}}]", "base=[{cone: {height: 100, radius: 1000}}]"},
    {"initial={water: 30 cm}", "initial={water: 0.3}"},
    {"sea.level=-10 cm", "sea.level=-0.1"},
};

/* The parameter's own unit needs no library. */
static const pair own[] = {
    {"phases.a.rain.rate=1e-5 m s-1", "phases.a.rain.rate=1e-5"},
    {"phases.a.hydraulic.manning=0.03 s m-1/3", "phases.a.hydraulic.manning=0.03"},
    {"phases.a.thermal.talus=35 degree", "phases.a.thermal.talus=35"},
    {"grid.spacing=2m", "grid.spacing=2"},
};

static const pair refused[] = {
    {"phases.a.rain.rate=36 kg",
     "phases.a.rain.rate: \"36 kg\" is not a number of m s-1: `kg` is a unit of something else"},
    {"phases.a.rain.rate=36 mm",
     "`mm` is a unit of something else; allowed: at least 0, at most 1000 m s-1"},
    {"phases.a.rain.rate=36 mn/h", "`mn/h` is not a unit that UDUNITS-2 knows"},
    {"phases.a.rain.rate=2000 km/s",
     "2000 km/s is out of range; allowed: at least 0, at most 1 km/s"},
    {"phases.a.thermal.talus=10 %",
     "`%` is a unit of something else; allowed: at least 0, at most 89.9 degree"},
    {"phases.b.reef.carbon=10 degree", "`degree` is a unit of something else"},
    {"phases.b.reef.dt=10 degC", "is a unit of something else"},
    {"phases.b.reef.dt=3 s @ 5", "is a unit of something else"},
    {"phases.b.reef.dt=3 hours since 2000-01-01", "is a unit of something else"},
    {"phases.a.rain.rate=3 mm/a", "a is an are; write yr, kyr, Myr"},
    {"phases.b.reef.dt=3 ka", "a is an are; write yr, kyr, Myr"},
    {"phases.a.hydraulic.manning=0.03 s", "`s` is a unit of something else"},
    {"phases.a.rain.rate=36 m/s^1.5", "a number that is no whole power"},
    {"phases.a.rain.rate=36 mm/h.5", "a number that is no whole power"},
    {"phases.a.rain.rate=1 m 5 s-1", "a number that is no whole power"},
    {"sea.level=1 m.5", "a number that is no whole power"},
    {"sea.level=1 m*10", "a number that is no whole power"},
    {"sea.level=1 m/100", "a number that is no whole power"},
    {"phases.a.iterations=3 h",
     "phases.a.iterations: \"3 h\" is not a number: `h` is a unit of something else"},
    {"phases.b.reef.sea_history=[[0, 1 kg]]",
     "phases.b.reef.sea_history.0.1: \"1 kg\" is not a number of m"},
    {"phases.a.infiltration={dt: 10 yr}",
     "infiltration.dt 10 yr and hydraulic.dt 0.1 s: these processes share the clock"},
    {"phases.a.creep={dt: 0.1 ms}",
     "creep.dt 0.1 ms is less than 1/128 of the phase's clock of 100 ms"},
    {"phases.a.rain.during=[[90 min, 1.5 h]]", "[90 min, 1.5 h] holds no time"},
    {"phases.a.rain.during=[[1 h, 3600.01 s]]",
     "[1 h, 3600.01 s] is shorter than an iteration of 0.1 s"},
    {"phases.a.rain.history=[[0, 1], [2 h, 2], [90 min, 1]]",
     "time 90 min does not come after 2 h; sort the pairs"},
    {"phases.a.rain.history=[[2 d, 1], [3 d, 2]]",
     "its times, 2 d to 3 d, are all after the phase, 0 s to 10 s;"},
    {"phases.b.reef.sea_history={saw: {amplitude: 100 ft, period: 10 kyr, rise: 9000 yr, hold: 1 "
     "kyr}}",
     "rise 9000 yr and hold 1 kyr leave no time of the period of 10 kyr for the fall"},
    {"changes=[{at: 10 yr, path: phases.a.rain.rate, value: 0}]",
     "10 yr is out of range; the scenario ends after 11 s"},
    {"phases.b.reef.max_depth=1 mm", "min_depth 0.001 m must be below max_depth 1 mm"},
    {"phases.a.rivers=[{x: 1 km, y: 4, discharge: 1}]",
     "1 km is outside the domain; allowed: at least 0, at most 0.008 km from"},
    {"base=[{diamond_square: {low: 3 km, high: 20 ft}}]",
     "low 3 km is above high 20 ft; swap them"},
    {"phases.a.hydraulic.evaporation=30 1/ms",
     "allowed: at most 1, so evaporation <= 0.01 1/ms at this dt"},
};

static const char scenario[] = "otok: 1\ngrid: {nx: 8, ny: 8}\nphases:\n  - {name: a, iterations: "
                               "100, rain: {rate: 0.1}, hydraulic: {pipes: signed}, thermal: {}}\n"
                               "  - {name: b, iterations: 100, reef: {}}\n";

static void check_equal(const pair *p)
{
    otok_scenario *given, *plain, *again;
    const char *words = strchr(p->given, '=') + 1;
    MUST(file_load(&given, scenario, p->given));
    MUST(file_load(&plain, scenario, p->plain));
    MUST(otok_scenario_copy(&again, given));
    CHECK(strpbrk(words, "[{\"") || strstr(otok_scenario_text(given), words), "%s became\n%s",
          p->given, otok_scenario_text(given));
    CHECK(strcmp(otok_scenario_text(given), otok_scenario_text(again)) == 0, "%s: read again:\n%s",
          p->given, otok_scenario_text(again));
    CHECK(!otok_scenario_difference(otok_scenario_text(given), otok_scenario_text(plain)),
          "%s differs from %s: %s", p->given, p->plain,
          otok_scenario_difference(otok_scenario_text(given), otok_scenario_text(plain)));
    given->ngiven = plain->ngiven = 0;
    char *one = otok_scenario_write(given), *other = otok_scenario_write(plain);
    CHECK(strcmp(one, other) == 0, "%s differs from %s:\n%s", p->given, p->plain, one);
    free(one);
    free(other);
    otok_scenario_destroy(given);
    otok_scenario_destroy(plain);
    otok_scenario_destroy(again);
}

static void check_refused(const char *words, const char *why)
{
    otok_scenario *s;
    CHECK(file_load(&s, scenario, words) == OTOK_DATA && !s, "%s is accepted", words);
    CHECK_FOUND(strstr(otok_why(), why), "%s\nwords: %s", otok_why(), why);
}

int main(void)
{
    file_create();
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        check_equal(&own[i]);
#ifdef OTOK_WITH_UDUNITS
    for (size_t i = 0; i < sizeof equal / sizeof equal[0]; i++)
        check_equal(&equal[i]);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        check_refused(refused[i].given, refused[i].plain);
#else
    for (size_t i = 0; i < sizeof equal / sizeof equal[0]; i++)
        check_refused(equal[i].given, "built without UDUNITS-2 (libudunits2-dev)");
    check_refused(refused[0].given, "phases.a.rain.rate: \"36 kg\" is not a number of m s-1");
#endif
    file_remove();
    return check_failures != 0;
}
