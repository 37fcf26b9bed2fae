/* process_seabed.c: smoothing of the ground below the sea. */
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    INT("seabed", otok_seabed, sweeps, "", 1, 1, 1024, "K17 eq. 23",
        "sweeps per iteration; each takes the mean of the four neighbours below the sea level"),
};

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)edges;
    for (int64_t n = 0; n < phase->seabed.sweeps; n++) {
        otok_program_halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_WALL);
        otok_program_stage(b, OTOK_STAGE_SEABED);
        otok_program_swap(b, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT);
    }
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    (void)phase, (void)grid;
    otok_limit_add(to, "seabed smoothing", "", OTOK_PROVEN, NAN, NAN, NAN,
                   "the mean of the neighbours flips a checkerboard without damping it");
}

const otok_process otok_process_seabed = {OTOK_PROCESS_ROW(SEABED, seabed), .levels = 1,
                                          .part = OTOK_STAGE_PART_SEABED, .program = program,
                                          .predict = predict};
