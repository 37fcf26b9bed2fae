/* bands_lent.c - claim: each band of a grid in bands lends its own rows, which together are the
   map that otok_sim_get copies. A run sees what was written into them, and has the bits of a grid
   in one piece that was changed alike. Loans of a whole grid in bands, of a band that is not there
   and of fields that are not floats are refused, with the remedy.  CHECK_STRATEGIES */
#include "scene.h"

enum { NX = 33, NY = 60, BANDS = 3 };

static float map[NY][NX];

/* The host reaches the memory of the CPU, and of an emulated GPU. */
static int host_reaches(const char *backend)
{
#ifdef OTOK_CUDA_EMULATED
    (void)backend;
    return 1;
#else
    return strncmp(backend, "cpu", 3) == 0;
#endif
}

/* Compares a field with its copy, band by band, and doubles it where the host can. */
static void check_lent(otok_sim *sim, otok_field field, int reaches)
{
    const char *name = otok_field_at((int)field)->name;
    int64_t rows = 0;
    MUST(otok_sim_get(sim, field, &map[0][0]));
    for (int b = 0; b < otok_sim_bands(sim); b++) {
        otok_loan loan;
        MUST(otok_sim_lend_band(sim, field, b, &loan));
        CHECK(loan.nx == NX && loan.pitch >= NX && loan.row == rows && loan.ny > 0 && loan.data,
              "%s, band %d: a loan of another shape", name, b);
        CHECK((loan.device == -1) == (loan.stream == NULL), "%s: device %d without its stream",
              name, loan.device);
        rows += loan.ny;
        for (int64_t j = 0; j < loan.ny && reaches; j++) {
            float *row = loan.data + j * loan.pitch;
            CHECK(memcmp(row, map[loan.row + j], sizeof map[0]) == 0, "%s, band %d: row %d", name,
                  b, (int)j);
            for (int i = 0; i < NX; i++)
                row[i] *= 2;
        }
    }
    CHECK(rows == NY, "%s: %lld rows in all bands", name, (long long)rows);
}

static uint64_t fingerprint_of(const otok_scenario *s, const char *backend, int count)
{
    otok_sim *sim = scene_sim(s, backend);
    CHECK(otok_sim_bands(sim) == count, "%s: %d bands", backend, otok_sim_bands(sim));
    for (int n = 0; n < 2; n++) {
        MUST(otok_sim_run(sim, 2));
        check_lent(sim, OTOK_WATER, host_reaches(backend));
        check_lent(sim, OTOK_TERRAIN_CHANGE, host_reaches(backend));
        check_lent(sim, OTOK_ERODIBILITY, host_reaches(backend)); /* which no run writes */
    }
    MUST(otok_sim_run(sim, 8));
    const uint64_t found = scene_fingerprint(sim);
    otok_sim_destroy(sim);
    return found;
}

static void check_refused(const otok_scenario *s, const char *backend)
{
    otok_loan loan;
    otok_sim *sim = scene_sim(s, backend);
    CHECK(otok_sim_lend(sim, OTOK_WATER, &loan) == OTOK_USAGE && !loan.data &&
              strstr(otok_why(), "otok_sim_lend_band"),
          "a grid in bands was lent whole: %s", otok_why());
    CHECK(otok_sim_lend_band(sim, OTOK_WATER, BANDS, &loan) == OTOK_USAGE && !loan.data &&
              strstr(otok_why(), "0..2"),
          "a band that is not there was lent: %s", otok_why());
    CHECK(otok_sim_lend_band(sim, OTOK_WATER, -1, &loan) == OTOK_USAGE, "band -1 was lent");
    CHECK(otok_sim_lend_band(sim, OTOK_WETNESS, 0, &loan) == OTOK_USAGE && !loan.data &&
              strstr(otok_why(), "otok_sim_get"),
          "wetness was lent: %s", otok_why());
    otok_sim_destroy(sim);
}

int main(int argc, char **argv)
{
    const char *whole = CHECK_BACKEND(argc, argv)->name;
    char cut[64];
    snprintf(cut, sizeof cut, "%s/%d", whole, BANDS);
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 4}\nedges: {bottom: periodic, top: periodic}\n"
        "base: [{cone: {height: 60, radius: 200}}]\nerodibility: [{constant: {height: 1}}]\n"
        "phases:\n  - {iterations: 90, rain: {rate: 0.001}, hydraulic: {dt: 0.1}, thermal: {talus: "
        "20}}\n",
        NX, NY);
    const uint64_t expected = fingerprint_of(s, whole, 1), found = fingerprint_of(s, cut, BANDS);
    CHECK(found == expected, "%s has %016llx, %s %016llx", cut, (unsigned long long)found, whole,
          (unsigned long long)expected);
    check_refused(s, cut);
    otok_scenario_destroy(s);
    return check_failures != 0;
}
