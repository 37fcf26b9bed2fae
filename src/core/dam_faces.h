/* dam_faces.h: loads the faces on which thin dams stand, and what is around them. The plain loops
   and the plain kernels have the list at its end. Each function does the face after the cell `at`
   along one axis (up: through its top), and leaves it as it is where no dam stands. */
#ifndef OTOK_DAM_FACES_H
#define OTOK_DAM_FACES_H

#include "../model/dams.h"
#include "shallow_faces.h"

/* The crest of the dam on a face [m], -INFINITY without one. */
OTOK_FN float otok_dam_crest(const otok_view *v, int up, ptrdiff_t at)
{
    const int n = (int)v->at[up ? OTOK_DAM_TOP : OTOK_DAM_RIGHT][at];
    return n > 0 ? v->steps[*v->now].crests[n - 1] : -INFINITY;
}

/* Its `part` (model/dams.h). */
OTOK_FN float otok_dam_part(const otok_view *v, int up, ptrdiff_t at)
{
    return v->at[up ? OTOK_DAM_PART_TOP : OTOK_DAM_PART_RIGHT][at];
}

/* The cells of the face, with depths d. */
OTOK_FN otok_two_columns otok_dam_columns(const otok_shallow_faces *f, const float *d, ptrdiff_t at)
{
    const otok_two_columns c = {otok_shallow_column(*f, d, at),
                                otok_shallow_column(*f, d, at + f->along)};
    return c;
}

/* ---- Law shallow_water ---- */

/* The speed after the pull, and the depth over the crest. */
OTOK_FN void otok_dam_pull(const otok_view *v, int up, ptrdiff_t at, otok_shallow_coefficients k)
{
    const float crest = otok_dam_crest(v, up, at);
    if (!(crest > -INFINITY)) return;
    const otok_shallow_faces f = otok_shallow_of(v, up);
    const otok_two_columns c = otok_dam_columns(&f, f.d1, at);
    if (!otok_dam_stands(c, crest)) return;
    const otok_two_columns over = otok_columns_dammed(c, crest);
    const otok_pull pulled =
        otok_speed_pulled(f.state[at], f.d[at] + f.d[at + f.along], over.a, over.b, k);
    f.pulled[at] = otok_dam_speed(pulled.speed, over, f.state[at - f.along], f.state[at + f.along],
                                  otok_dam_part(v, up, at), k.critical);
    f.deep[at] = pulled.depth;
}

/* The same again as the flow before K: no friction. */
OTOK_FN void otok_dam_stream(const otok_view *v, int up, ptrdiff_t at, otok_shallow_coefficients k)
{
    const float crest = otok_dam_crest(v, up, at);
    if (!(crest > -INFINITY)) return;
    const otok_shallow_faces f = otok_shallow_of(v, up);
    if (!otok_dam_stands(otok_dam_columns(&f, f.d1, at), crest)) return;
    f.wanted[at] = f.pulled[at];
    f.flux[at] = k.l * (f.pulled[at] * f.deep[at]);
}

/* What the next pull adds at a face that a dam may stand on. */
OTOK_FN float otok_dam_fall(const otok_view *v, const otok_shallow_faces *f, int up, ptrdiff_t at,
                            otok_shallow_coefficients k)
{
    const otok_two_columns c =
        otok_columns_dammed(otok_dam_columns(f, f->d, at), otok_dam_crest(v, up, at));
    return otok_speed_fall(c.a, c.b, k);
}

/* The face keeps its speed, and nothing carries another there. Faces beside it know that the next
   pull is over a crest. A cell behind or ahead has the speed of its flow: that over a crest is not
   the water's. steps: `bed_steps: critical`. */
OTOK_FN void otok_dam_carry(const otok_view *v, int up, ptrdiff_t at, int steps,
                            otok_shallow_coefficients all)
{
    const otok_shallow_faces f = otok_shallow_of(v, up);
    const float *dam = v->at[up ? OTOK_DAM_TOP : OTOK_DAM_RIGHT] + at;
    if (dam[0] == 0.0f && dam[-f.along] == 0.0f && dam[-f.over] == 0.0f && dam[f.over] == 0.0f)
        return;
    const otok_shallow_coefficients k = otok_shallow_at(f, at, all);
    const otok_two_columns c = otok_dam_columns(&f, f.d, at);
    const int stands = otok_dam_stands(c, otok_dam_crest(v, up, at)),
              behind = otok_dam_stands(otok_dam_columns(&f, f.d, at - f.along),
                                       otok_dam_crest(v, up, at - f.along));
    otok_passage p = otok_shallow_passage(f, at, 0, k);
    p.fall_below = otok_dam_fall(v, &f, up, at - f.over, k);
    p.fall_above = otok_dam_fall(v, &f, up, at + f.over, k);
    const float s = steps ? otok_shallow_turned(f, at, 0, c, p, k) : otok_speed_carried(p, k);
    if (fabsf(c.a.h - c.b.h) < INFINITY) f.state[at] = stands ? f.speed[at] : s;
    if (stands || behind)
        v->at[up ? OTOK_VELOCITY_Y : OTOK_VELOCITY_X][at] = otok_shallow_speed_by_flow(f, at, k);
}

/* ---- Law local_inertia ---- */

/* The flow over the dam before K, to OTOK_PULLED_RIGHT or OTOK_FLUX_RIGHT, or as these along the
   other axis. */
OTOK_FN void otok_dam_pipe(const otok_view *v, int up, ptrdiff_t at, int to,
                           otok_pipe_coefficients k)
{
    const float crest = otok_dam_crest(v, up, at);
    if (!(crest > -INFINITY)) return;
    const otok_shallow_faces f = otok_shallow_of(v, up); /* whose states are flows here */
    const otok_two_columns c = otok_dam_columns(&f, f.d1, at);
    if (!otok_dam_stands(c, crest)) return;
    const otok_two_columns over = otok_columns_dammed(c, crest);
    v->at[to][at] = otok_dam_flow(otok_pipe_pulled(f.state[at], over.a, over.b, k), over,
                                  otok_pipe_speed(f.state[at - f.along], c.a.d1, k),
                                  otok_pipe_speed(f.state[at + f.along], c.b.d1, k),
                                  otok_dam_part(v, up, at), k);
    if (to == OTOK_FLUX_RIGHT || to == OTOK_FLUX_TOP)
        f.deep[at] = otok_pipe_speed(f.state[at], otok_face_depth(over.a, over.b), k);
}

/* ---- The stages: STAGE(name, law, what is done at a face, with k of this law) ---- */

typedef otok_pipe_coefficients otok_pipes_coefficients;

#define OTOK_DAM_STAGES(STAGE)                                                                     \
    STAGE(shallow_dams, shallow, otok_dam_pull(v, up, at, k))                                      \
    STAGE(shallow_dams_flow, shallow, otok_dam_stream(v, up, at, k))                               \
    STAGE(shallow_dams_carry, shallow, otok_dam_carry(v, up, at, 0, k))                            \
    STAGE(shallow_dams_steps, shallow, otok_dam_carry(v, up, at, 1, k))                            \
    STAGE(flux_dams_pull, pipes,                                                                   \
          otok_dam_pipe(v, up, at, up ? OTOK_PULLED_TOP : OTOK_PULLED_RIGHT, k))                   \
    STAGE(flux_dams, pipes, otok_dam_pipe(v, up, at, up ? OTOK_FLUX_TOP : OTOK_FLUX_RIGHT, k))

#endif
