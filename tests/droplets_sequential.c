/* droplets_sequential.c - claim: with batches of one, the ground after n droplets is, bit for bit,
   that of the sequential algorithm of D20, written here a second time and plainly: no integers, no
   batches, no cells' sums. The text of the model is not used. */
#include "model/random.h"
#include "scene.h"

#include <math.h>

enum { NX = 83, NY = 61, COUNT = 1500, STEPS = 400 };

typedef struct setting {
    const char *edges;
    int wide, high, deposit;
    double dt, density, friction, rate, evaporation, min_volume, spacing;
} setting;

static const setting settings[] = {
    {"{}", 0, 0, 1, 1.2, 1, 0.05, 0.1, 0.001, 0.01, 1},
    {"{left: open, right: open}", 0, 0, 0, 0.5, 2, 0.1, 0.3, 0.02, 0.2, 2},
    {"{left: periodic, right: periodic, bottom: periodic, top: periodic}", 1, 1, 1, 0.25, 1, 0.5,
     0.5, 0.01, 0.01, 0.5},
    {"{bottom: periodic, top: periodic}", 0, 1, 0, 1, 4, 0.0625, 0.25, 0.0625, 0.5, 4},
};

static float base[NY][NX], change[NY][NX], found[NY][NX];

static int inside(int i, int n, int wraps)
{
    if (wraps) return (i % n + n) % n;
    return i < 0 ? 0 : i > n - 1 ? n - 1 : i;
}

/* A multiple of 2^-39 m, towards 0. */
static float whole(float metres)
{
    return truncf(metres * 0x1p39f) * 0x1p-39f;
}

static float height(int i, int j)
{
    return base[j][i] + change[j][i];
}

/* Moves one coordinate of a droplet; 0: off the map. */
static int move_coordinate(int *cell, float *at, float cells, int n, int wraps)
{
    const float place = *at + cells, passed = floorf(place);
    float rest = place - passed;
    int to = *cell + (int)passed;
    if (rest == 1) rest = 0, to++;
    *at = rest;
    if (!wraps && (to < 0 || to >= n)) return 0;
    *cell = inside(to, n, wraps);
    return 1;
}

static void droplet(const setting *s, uint64_t number)
{
    const float push = (float)(s->dt / s->density), glide = (float)(1 - s->dt * s->friction);
    const float k = (float)(s->dt * s->rate), keep = (float)(1 - s->dt * s->evaporation);
    const float cells = (float)(s->dt / s->spacing), per_length = (float)(0.5 / s->spacing);
    const otok_random4 r = otok_random(11, 0, 0x80000000u, number, 0);
    int i = (int)(r.v[0] / 4294967296.0 * NX), j = (int)(r.v[1] / 4294967296.0 * NY);
    float x = (float)(r.v[2] >> 8) / 16777216, y = (float)(r.v[3] >> 8) / 16777216;
    float u = 0, w = 0, volume = 1, sediment = 0;
    double carried = 0;
    for (int step = 0;; step++) {
        const int i0 = i, j0 = j;
        const float hx =
            (height(inside(i + 1, NX, s->wide), j) - height(inside(i - 1, NX, s->wide), j)) *
            per_length;
        const float hy =
            (height(i, inside(j + 1, NY, s->high)) - height(i, inside(j - 1, NY, s->high))) *
            per_length;
        const float steep = sqrtf(1 + (hx * hx + hy * hy));
        u -= push / (volume * steep) * hx;
        w -= push / (volume * steep) * hy;
        const int stays = move_coordinate(&i, &x, cells * u, NX, s->wide) &
                          move_coordinate(&j, &y, cells * w, NY, s->high);
        if (!stays) return;
        u *= glide;
        w *= glide;
        float c_eq = volume * sqrtf(u * u + w * w) * (height(i0, j0) - height(i, j));
        if (!(c_eq > 0)) c_eq = 0;
        const float gain = k * (c_eq - sediment), before = change[j0][i0];
        float loss = volume * gain;
        sediment += gain;
        volume *= keep;
        if (s->deposit) loss = (float)((double)whole(volume * sediment) - carried);
        const float taken = whole(before - (before - loss));
        const int ends = step == STEPS - 1 || !(volume > (float)s->min_volume);
        carried += (double)taken;
        if (ends && s->deposit && i == i0 &&
            j == j0) { /* into the cell that it took from: one sum */
            change[j][i] = before + (float)(carried - (double)taken);
            return;
        }
        change[j0][i0] = before - taken;
        if (ends && s->deposit) change[j][i] += (float)carried;
        if (ends) return;
    }
}

static void compare(const char *backend, const setting *s)
{
    otok_scenario *scenario =
        scene("otok: 1\nseed: 11\ngrid: {nx: %d, ny: %d, spacing: %.17g}\nedges: %s\nbase:\n  - "
              "simplex: {wavelength: 60, amplitude: 20}\nphases:\n  - droplets: {count: %d, batch: "
              "1, max_steps: %d, dt: %.17g, density: %.17g, friction: %.17g, deposition_rate: "
              "%.17g, evaporation: %.17g, min_volume: %.17g, losses: %s}\n",
              NX, NY, s->spacing, s->edges, COUNT, STEPS, s->dt, s->density, s->friction, s->rate,
              s->evaporation, s->min_volume, s->deposit ? "deposit" : "as_published");
    CHECK(otok_scenario_iterations(scenario) == COUNT, "%lld iterations",
          (long long)otok_scenario_iterations(scenario));
    otok_sim *sim = scene_sim(scenario, backend);
    MUST(otok_sim_get(sim, OTOK_TERRAIN_BASE, base[0]));
    memset(change, 0, sizeof change);
    for (uint64_t n = 0; n < COUNT; n++)
        droplet(s, n);
    scene_run(sim, COUNT, OTOK_TERRAIN_CHANGE, found[0]);
    int same = 0, moved = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            same += memcmp(&found[j][i], &change[j][i], sizeof(float)) == 0;
            moved += change[j][i] != 0;
        }
    CHECK(same == NX * NY, "edges %s: %d of %d cells are the sequential algorithm's", s->edges,
          same, NX * NY);
    CHECK(moved > NX * NY / 2, "edges %s: only %d cells changed", s->edges, moved);
    scene_destroy(sim, scenario);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (size_t n = 0; n < sizeof settings / sizeof settings[0]; n++)
        compare(backend, &settings[n]);
    return check_failures != 0;
}
