/* fields_lent.c - claim: a field that is lent lies where it is said, on every way after a run, and
   shows what otok_sim_get copies; what lies nowhere as floats is refused; a pond set at iteration 0
   is in the books from the start.  CHECK_STRATEGIES */
#include "scene.h"

#include <math.h>

enum { NX = 40, NY = 24 };

/* Where the host can read it: on the CPU, and on an emulated GPU. */
static void compare(otok_sim *sim, otok_field field, int is_host)
{
    static float map[NY][NX];
    otok_loan loan;
    MUST(otok_sim_lend(sim, field, &loan));
    MUST(otok_sim_get(sim, field, &map[0][0]));
    CHECK(loan.nx == NX && loan.ny == NY && loan.pitch >= NX && loan.data,
          "%s: a loan of another shape", otok_field_at(field)->name);
    CHECK((loan.device == -1) == (loan.stream == NULL), "%s: device %d without its stream",
          otok_field_at(field)->name, loan.device);
#ifdef OTOK_CUDA_EMULATED
    is_host = 1;
#endif
    for (int64_t j = 0; j < NY && is_host; j++)
        CHECK(memcmp(loan.data + j * loan.pitch, map[j], sizeof map[j]) == 0, "%s: row %d",
              otok_field_at(field)->name, (int)j);
}

int main(int argc, char **argv)
{
    static const otok_field nowhere[] = {OTOK_TERRAIN, OTOK_WETNESS, OTOK_REEF, OTOK_LAYER,
                                         OTOK_FIELDS};
    static float pond[NY][NX];
    const char *place = CHECK_BACKEND(argc, argv)->name;
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 4}\nbase: [{cone: {height: 30, radius: 60}}]\n"
        "phases:\n  - {iterations: 90, rain: {rate: 0.001}, hydraulic: {dt: 0.1}, thermal: {talus: "
        "20}}\n",
        NX, NY);
    otok_loan loan;
    otok_sim *sim = scene_sim(s, place);
    for (int i = 5; i < 15; i++)
        pond[10][i] = 1.5f;
    MUST(otok_sim_set(sim, OTOK_WATER, &pond[0][0]));
    for (int run = 0; run < 4; run++) {
        for (int f = 0; f < OTOK_STORED; f++)
            if (otok_sim_has(sim, (otok_field)f) && f != OTOK_WETNESS)
                compare(sim, (otok_field)f, strncmp(place, "cpu", 3) == 0);
        MUST(otok_sim_run(sim, 1 + 6 * run));
    }
    const otok_ledger ledger = scene_ledger(sim);
    CHECK(fabs(ledger.water_error) < 1e-6 * ledger.water && ledger.water > 100,
          "%g m3 of %g are an error", ledger.water_error, ledger.water);
    for (size_t n = 0; n < sizeof nowhere / sizeof nowhere[0]; n++)
        CHECK(otok_sim_lend(sim, nowhere[n], &loan) == OTOK_USAGE && !loan.data,
              "field %d was lent", (int)nowhere[n]);
    scene_destroy(sim, s);
    return check_failures != 0;
}
