/* walls.c: see walls.h. */
#include "walls.h"

/* The halo that last filled a buffer before operation `op`, in this iteration or in the one before
   it. A buffer without one keeps ghosts of 0; those of TERRAIN_BASE are filled when it is put. */
static int halo_of(const otok_program *program, int op, int buffer)
{
    for (int back = 1; back <= 2 * program->nops; back++) {
        const otok_op *o =
            &program->ops[((op - back) % program->nops + program->nops) % program->nops];
        if (o->kind == OTOK_OP_SWAP && (o->a == buffer || o->b == buffer))
            buffer = o->a == buffer ? o->b : o->a;
        if (o->kind == OTOK_OP_HALO && o->a == buffer) return o->b;
    }
    return buffer == OTOK_TERRAIN_BASE ? OTOK_HALO_COPY : OTOK_HALO_ZERO;
}

/* What a stage reads in a wall, as an otok_halo. The faces of a wall pass nothing, and the stage
   that carries speeds on needs to know them: there the ground is infinite, and flows and speeds are
   0, whatever they are beyond a closed side. */
static int in_wall(const otok_program *program, int op, int buffer)
{
    const int stage = program->ops[op].a;
    if (stage != OTOK_STAGE_SHALLOW_CARRY && stage != OTOK_STAGE_SHALLOW_CARRY_STEPS &&
        stage != OTOK_STAGE_SHALLOW_DAMS_CARRY && stage != OTOK_STAGE_SHALLOW_DAMS_STEPS)
        return halo_of(program, op, buffer);
    if (buffer == OTOK_TERRAIN_BASE) return OTOK_HALO_WALL;
    return buffer == OTOK_TERRAIN_CHANGE || buffer == OTOK_WATER || buffer == OTOK_WATER_NEXT
               ? halo_of(program, op, buffer)
               : OTOK_HALO_ZERO;
}

otok_walled otok_walled_of(const otok_program *program, int op)
{
    const otok_stage stage = (otok_stage)program->ops[op].a;
    const otok_stage_info *info = &otok_stage_infos[stage];
    const otok_set around = otok_stage_around(info);
    otok_walled w = {.along = info->reach == OTOK_ANYWHERE ||
                              otok_set_is_empty(otok_set_or(info->reads, info->writes)),
                     .pulls = stage == OTOK_STAGE_FLUX_PULL || stage == OTOK_STAGE_FLUX_COURANT};
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (info->reach == OTOK_BESIDE && otok_set_has(around, b) && w.n < OTOK_WALLED_READS) {
            w.buffer[w.n] = (signed char)b;
            w.halo[w.n++] = (signed char)in_wall(program, op, b);
        }
    return w;
}

static int64_t wrapped(int64_t i, int64_t n, int wraps)
{
    return i >= 0 && i < n ? i : wraps ? (i + n) % n : i < 0 ? 0 : n - 1;
}

void otok_walls_map(float *out, int64_t nx, int64_t ny, const int64_t *runs, int64_t n,
                    const int *edges)
{
    const int wide = edges[OTOK_LEFT] == OTOK_PERIODIC, high = edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    for (int64_t c = 0; c < nx * ny; c++)
        out[c] = OTOK_IN_OPEN;
    for (int64_t r = 0; r < n; r++)
        for (int64_t c = runs[2 * r]; c < runs[2 * r] + runs[2 * r + 1]; c++)
            out[c] = OTOK_IN_WALL;
    for (int64_t r = 0; r < n; r++)
        for (int64_t c = runs[2 * r]; c < runs[2 * r] + runs[2 * r + 1]; c++)
            for (int64_t d = 0; d < OTOK_AROUND; d++) {
                const int64_t x = wrapped(c % nx + d % 3 - 1, nx, wide),
                              y = wrapped(c / nx + d / 3 - 1, ny, high);
                if (out[y * nx + x] == OTOK_IN_OPEN) out[y * nx + x] = OTOK_BY_WALL;
            }
}
