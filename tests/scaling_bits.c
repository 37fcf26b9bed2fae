/* scaling_bits.c - claim: no stage knows a metre or a second. Lengths times 2^a and times times
   2^b, with every parameter and every field scaled as its unit in the tables says, give the scaled
   state, bit for bit. So a constant of the wrong dimension in a stage, or a wrong unit in a table,
   shows. CHECK_STRATEGIES: by each strategy. Left out, for they have a scale: sums of the ledger
   (multiples of 2^-39 m), droplets (heights in such multiples), incision (its
   erodibility has a unit that depends on m, and is a power of the cell size), and numbers that
   float32 cannot scale: denormals, of which a start without tiny values makes none that matter. `a`
   is a multiple of 3, because Manning's n is in s m^(-1/3). CHECK_SLOW */
#include "states.h"

enum { CELLS = 1960 };
#define NOTHING 1e-19f /* the square of a smaller number is a denormal */

static const int sizes[][2] = {{33, 17}, {140, 14}}; /* the first for `few` */
static const int edges[][OTOK_SIDES] = {
    {OTOK_CLOSED, OTOK_OPEN, OTOK_CLOSED, OTOK_OPEN},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC},
};

typedef struct scale {
    int length, time; /* powers of two */
} scale;

static const scale scales[] = {{3, -2}, {-6, 5}};

/* 2 to what a unit comes to: powers of m and s, such as "m3 s-1" or "s m-1/3". Degrees and pure
 * numbers stay. */
static double factor(const char *unit, scale by)
{
    double power = 0;
    for (const char *at = unit; *at; at += *at == ' ') {
        if (strncmp(at, "umol ", 5) == 0) at += 5; /* an amount of light, not scaled */
        if (strcmp(at, "m3 J-1") == 0)
            return ldexp(1, 2 * by.time - 2 * by.length); /* water's kg: m3 */
        char *end;
        const int base = *at;
        if (strncmp(at, "degree", 6) == 0) return 1;
        double exponent = base == '1' ? 0 : strtod(at + 1, &end);
        if (base == '1' || end == at + 1) end = (char *)at + 1, exponent = base == '1' ? 0 : 1;
        if (*end == '/') exponent /= strtod(end + 1, &end);
        if (base != 'm' && base != 's' && base != '1') CHECK(0, "unit %s is not known", unit);
        power += exponent * (base == 'm' ? by.length : base == 's' ? by.time : 0);
        at = end;
    }
    return ldexp(1, (int)lround(power));
}

/* What the table's help says of two laws: a capacity that is multiplied by the depth, rates an
 * iteration. */
static const char *unit_of(const otok_parameter *p, const otok_hydraulic *h)
{
    if (strcmp(p->key, "capacity") == 0 && h->capacity_law == OTOK_CAPACITY_SPEED_DEPTH)
        return "s m-1";
    const int is_rate = strcmp(p->key, "dissolve") == 0 || strcmp(p->key, "deposit") == 0;
    return is_rate && h->rates == OTOK_PER_ITERATION ? "1" : p->unit;
}

static otok_phase scaled_phase(const otok_phase *phase, scale by)
{
    otok_phase out = *phase;
    for (int n = 0; n < otok_parameter_count(); n++) {
        const otok_parameter *p = otok_parameter_at(n);
        char *group = otok_phase_group(&out, p->group);
        if (group && p->kind == OTOK_REAL)
            *(double *)(group + p->offset) *= factor(unit_of(p, &phase->hydraulic), by);
        for (int i = 0; i < out.reef.nproducers && strcmp(p->group, "producer") == 0; i++)
            *(double *)((char *)&out.reef.producers[i] + p->offset) *= factor(p->unit, by);
    }
    return out;
}

/* `ends`: after the phase, which may turn flows into speeds or back. */
static double factor_of(int buffer, const otok_phase *phase, int ends, scale by)
{
    const int flows = buffer >= OTOK_OUTFLOW_LEFT && buffer <= OTOK_OUTFLOW_TOP,
              speeds = (phase->hydraulic.law == OTOK_LAW_SHALLOW_WATER) ^ (phase->turns && !ends);
    if (flows && speeds) return factor("m s-1", by);
    if (buffer == OTOK_MAP_MANNING) return factor("s m-2/3", by); /* dt g n^2 / l */
    if (buffer == OTOK_MAP_CONDUCTIVITY) return factor("m", by);  /* K dt */
    if (buffer >= OTOK_MAPS) return factor(otok_map_parameter(buffer)->unit, by);
    return factor(buffer == OTOK_SPRINGS ? "m" : otok_field_at(buffer)->unit, by);
}

static int is_input(int buffer)
{
    return buffer < OTOK_STORED || buffer >= OTOK_MAPS || buffer == OTOK_SPRINGS;
}

static void run(const otok_backend *backend, float map[OTOK_BUFFERS][CELLS], const int *size,
                const int *edge, const otok_phase *phase, const otok_scenario *layers, scale by)
{
    static float in[CELLS];
    const int cells = size[0] * size[1];
    otok_step steps[STEPS];
    describe_steps(steps);
    for (int n = 0; n < STEPS; n++) {
#define OTOK_ROW(type, member, unit)                                                               \
    steps[n].member = (type)((double)steps[n].member * factor(unit, by));
        OTOK_STEP_VALUES(OTOK_ROW)
#undef OTOK_ROW
        for (int side = 0; side < OTOK_SIDES; side++)
            steps[n].levels[side] *= (float)factor("m", by),
                steps[n].enters[side] *= (float)factor("m2 s-1", by);
        for (int dam = 0; dam < OTOK_DAMS; dam++)
            steps[n].crests[dam] *= (float)factor("m", by);
    }
    const otok_phase scaled = scaled_phase(phase, by);
    prepared with;
    prepare(&with, &scaled, layers, edge, ldexp(1.5, by.length));
    otok_patch patch = {
        .view = {.nx = size[0], .ny = size[1], .global_nx = size[0], .global_ny = size[1]}};
    memcpy(patch.edges, edge, sizeof patch.edges);
    MUST(backend->create(&patch, with.needed, STEPS));
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 2463534242u + (uint32_t)b;
        if (!otok_set_has(with.needed, b)) continue;
        for (int n = 0; n < cells; n++) {
            const float v = value(b, &x);
            in[n] =
                is_input(b) ? (fabsf(v) < 1e-9f ? 0 : v) * (float)factor_of(b, phase, 0, by) : v;
        }
        MUST(backend->put(&patch, b, in));
    }
    MUST(backend->run(&patch, &with.program, &with.k, steps, STEPS));
    for (int b = 0; b < OTOK_STORED; b++)
        if (otok_set_has(with.needed, b)) MUST(backend->get(&patch, b, map[b]));
    backend->destroy(&patch);
}

int main(int argc, char **argv)
{
    const otok_backend *backend = CHECK_BACKEND(argc, argv);
    static float plain[OTOK_BUFFERS][CELLS], scaled[OTOK_BUFFERS][CELLS];
    const int few = argc > 2 && strcmp(argv[2], "few") == 0;
    describe_phases();
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] - (size_t)few; s++)
        for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e++)
            for (int n = 0; n < 2 * nphases; n++) {
                const otok_phase *phase = &phases[n / 2];
                const otok_scenario *layers = n % 2 ? &ground : NULL;
                if (phase->processes & (OTOK_DROPLETS | OTOK_INCISION)) continue;
                if (strncmp(phase->name, "openings", 8) == 0 || strcmp(phase->name, "held") == 0)
                    continue; /* powers of levels */
                run(backend, plain, sizes[s], edges[e], phase, layers, (scale){0, 0});
                prepared with;
                prepare(&with, phase, layers, edges[e], 1.5);
                for (int k = 0; k < 2; k++) {
                    run(backend, scaled, sizes[s], edges[e], phase, layers, scales[k]);
                    for (int b = 0; b < OTOK_STORED; b++)
                        for (int c = 0;
                             c < sizes[s][0] * sizes[s][1] && (otok_set_has(with.needed, b)); c++) {
                            const float expected =
                                plain[b][c] * (float)factor_of(b, phase, 1, scales[k]);
                            if (memcmp(&expected, &scaled[b][c], sizeof expected) == 0) continue;
                            if (fabsf(expected) < NOTHING && fabsf(scaled[b][c]) < NOTHING)
                                continue;
                            CHECK(0,
                                  "%s%s, %d x %d, edges %zu, scale %d: %s, cell %d is %.9g, "
                                  "expected %.9g",
                                  phase->name, layers ? " in layers" : "", sizes[s][0], sizes[s][1],
                                  e, k, otok_field_at(b)->name, c, (double)scaled[b][c],
                                  (double)expected);
                            break;
                        }
                }
            }
    return check_failures != 0;
}
