/* bands_waves.c - claim: two devices share the directions of waves, with the bits of one: 8 of
   them, and 16 if nobody asks what they lose. With a second argument: one of eleven cases.
   CHECK_CUDA */
#include "banded.h"

#include "../src/bands/bands.h"

enum { DEPTH = 64 };

static const struct {
    int count, first[4];
} cuts[] = {{2, {0, 20, 41}}, {3, {0, 14, 28, 41}}, {2, {0, 36, 41}}};

static int devices;

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

int main(int argc, char **argv)
{
    setenv("OTOK_EMULATED_DEVICES", "3", 1);
    const otok_backend *backend = CHECK_CUDA(argc, argv);
    const int nedges = sizeof edges / sizeof edges[0], ncuts = sizeof cuts / sizeof cuts[0];
    devices = backend->devices();
    const int one_of = argc > 2 ? 11 : 1;
    for (int n = 0; n < 3 * 2 * nedges * ncuts; n++)
        if (n % one_of == 0)
            check_waves(backend->name, 4 << n % 3, n / 3 % 2, n / 6 % nedges, n / 6 / nedges);
    return check_failures != 0;
}
