/* bands_beside.c - claim: bands on devices of their own that give each other rows while they work
   have the bits of a grid in one piece: every process that can run so, on chip, on every
   kind of edge, run in parts of several lengths. A band whose neighbour never starts ends when it
   is told to give up. Where fewer devices answer than there are bands, none run so. Two devices
   share the directions of waves, with the bits of one: 8 of them, and 16 if nobody asks what they
   lose. With a second argument: one of eleven cases.  CHECK_CUDA */
#include "banded.h"

#include "../src/bands/bands.h"

#include <pthread.h>
#include <unistd.h>

enum { DEPTH = 64 };

static const struct {
    int count, first[4];
} cuts[] = {{2, {0, 20, 41}}, {3, {0, 14, 28, 41}}, {2, {0, 36, 41}}};

static int devices, cases; /* with bands side by side */

/* One phase on one kind of edge, cut in one way. Other tests have what does not run side by side.
 */
static void check(const otok_phase *phase, int e, int c, const char *place)
{
    const otok_backend *cpu = NULL, *bands = NULL;
    char name[64], where[192];
    otok_step steps[STEPS];
    prepared with;
    otok_patch expected, found;
    describe_steps(steps);
    snprintf(name, sizeof name, "%s:resident/%d", place, cuts[c].count);
    snprintf(where, sizeof where, "%.40s, %s, edges %d, cut %d", phase->name, name, e, c);
    MUST(otok_backend_find(&cpu, "cpu:plain"));
    MUST(otok_backend_find(&bands, name));
    prepare(&with, phase, NULL, edges[e], 1.5);
    otok_bands_shape(DEPTH, cuts[c].first);
    start(bands, &found, &with, edges[e]);
    const char *by = bands->strategy(&found, &with.program, &with.k);
    const int beside = ((const otok_bands *)found.own)->beside;
    CHECK(!beside || strcmp(by, "resident") == 0, "%s: %s", where, by);
    CHECK(!beside || devices >= cuts[c].count, "%s: there are %d devices", where, devices);
    if (beside) {
        cases++;
        start(cpu, &expected, &with, edges[e]);
        MUST(cpu->run(&expected, &with.program, &with.k, steps, STEPS));
        for (int n = 0, some; n < STEPS; n += some) {
            some = n == 0 ? 1 : n == 1 ? 4 : STEPS - n;
            MUST(bands->run(&found, &with.program, &with.k, steps + n, some));
        }
        compare(cpu, &expected, bands, &found, with.needed, where);
        cpu->destroy(&expected);
    }
    bands->destroy(&found);
}

/* ---- waves ---- */

/* Waves in so many directions, and what a reef or a coast makes of them. */
static otok_phase waves_of(int directions, int coast, int e)
{
    otok_phase p = {.processes = OTOK_WAVES | OTOK_MARINE_DIFFUSION | (coast ? OTOK_COAST : 0),
                    .marine_diffusion = {0.5, 1, 4, 3}};
    snprintf(p.name, sizeof p.name, "waves%s, %d directions, edges %d", coast ? " spent" : "",
             directions, e);
    MUST(otok_group_read(&p.waves, "waves", NULL));
    p.waves.directions = directions;
    p.coast = (otok_coast){0.5, 1e-5, 2e-5, 6, 0.5, 0.5, 2};
    return p;
}

static void check_waves(const char *place, int directions, int coast, int e, int c)
{
    const otok_phase phase = waves_of(directions, coast, e);
    const int shared = directions == 8 || (directions == 16 && !coast);
    const otok_backend *cpu = NULL, *bands = NULL;
    char name[64];
    otok_step steps[STEPS];
    prepared with;
    otok_patch expected, found;
    describe_steps(steps);
    snprintf(name, sizeof name, "%s:plain/%d", place, cuts[c].count);
    MUST(otok_backend_find(&cpu, "cpu:plain"));
    MUST(otok_backend_find(&bands, name));
    prepare(&with, &phase, c % 2 ? &ground : NULL, edges[e], 1.5);
    start(cpu, &expected, &with, edges[e]);
    MUST(cpu->run(&expected, &with.program, &with.k, steps, STEPS));
    otok_bands_shape(DEPTH, cuts[c].first);
    start(bands, &found, &with, edges[e]);
    MUST(bands->run(&found, &with.program, &with.k, steps, 2));
    MUST(bands->run(&found, &with.program, &with.k, steps + 2, STEPS - 2));
    const otok_bands *b = found.own;
    const int has = b->patches[otok_bands_whole(b) + 1].own != NULL;
    CHECK(has == (shared && devices > 1), "%s, %s: a second whole grid: %d", phase.name, name, has);
    compare(cpu, &expected, bands, &found, with.needed, phase.name);
    cpu->destroy(&expected);
    bands->destroy(&found);
}

/* ---- giving up ---- */

static otok_bands *alone;
static const otok_step *schedule;

/* Runs the first band only; the second one never sends it anything. */
static void *run_first(void *unused)
{
    otok_patch *patch = &alone->patches[0];
    MUST(otok_bands_enter(alone, 0));
    MUST(alone->inner->start(patch, &alone->program, &alone->k, schedule, 0, STEPS, 0));
    MUST(alone->inner->wait(patch));
    return unused;
}

static void check_giving_up(const char *place)
{
    const otok_backend *bands = NULL;
    char name[64];
    otok_step steps[STEPS];
    prepared with;
    otok_patch found;
    pthread_t thread;
    describe_steps(steps);
    schedule = steps;
    snprintf(name, sizeof name, "%s:resident/2", place);
    MUST(otok_backend_find(&bands, name));
    prepare(&with, &phases[0], NULL, edges[0], 1.5);
    otok_bands_shape(DEPTH, cuts[0].first);
    start(bands, &found, &with, edges[0]);
    alone = found.own;
    MUST(otok_bands_choose(alone, &with.program, &with.k));
    CHECK(alone->beside, "the bands do not run side by side");
    for (int n = 0; n < 2; n++) {
        MUST(otok_bands_enter(alone, n));
        MUST(alone->inner->beside.prepare(&alone->patches[n], &with.program, &with.k, STEPS));
    }
    pthread_create(&thread, NULL, run_first, NULL);
    usleep(100000); /* a band that gave up by itself would have ended well before */
    alone->inner->beside.give_up(&alone->patches[0]);
    pthread_join(thread, NULL);
    bands->destroy(&found);
}

int main(int argc, char **argv)
{
    setenv("OTOK_EMULATED_DEVICES", "3", 1);
    const otok_backend *backend = CHECK_CUDA(argc, argv);
    const int nedges = sizeof edges / sizeof edges[0], ncuts = sizeof cuts / sizeof cuts[0];
    devices = backend->devices();
    const int one_of = argc > 2 ? 11 : 1;
    describe_phases();
    for (int n = 0; n < 3 * 2 * nedges * ncuts; n++)
        if (n % one_of == 0)
            check_waves(backend->name, 4 << n % 3, n / 3 % 2, n / 6 % nedges, n / 6 / nedges);
    for (int p = 0; p < nphases; p++)
        for (int e = 0; e < nedges; e++)
            for (int c = 0; c < ncuts; c++)
                if ((p + e * ncuts + c) % one_of == 0) check(&phases[p], e, c, backend->name);
    CHECK(devices < 2 || cases > 0, "nothing ran side by side");
    if (devices >= 2) check_giving_up(backend->name);
    printf("%d devices: bands ran side by side in %d cases\n", devices, cases);
    return check_failures != 0;
}
