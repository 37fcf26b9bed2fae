/* dams.c: the faces of stage 2 of hydraulic erosion on which thin dams stand. */
#include "../core/dam_faces.h"
#include "cpu.h"

#define EACH_FACE(v, b, at, up)                                                                    \
    for (int j = (b).y0; j < (b).y1; j++)                                                          \
        for (ptrdiff_t at = j * (v)->pitch + (b).x0; at < j * (v)->pitch + (b).x1; at++)           \
            for (int up = 0; up < 2; up++)

void cpu_shallow_dams(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    EACH_FACE(v, b, at, up) otok_dam_pull(v, up, at, k->shallow);
}

void cpu_shallow_dams_flow(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    EACH_FACE(v, b, at, up) otok_dam_stream(v, up, at, k->shallow);
}

void cpu_shallow_dams_carry(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    EACH_FACE(v, b, at, up) otok_dam_carry(v, up, at, 0, k->shallow);
}

void cpu_shallow_dams_steps(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    EACH_FACE(v, b, at, up) otok_dam_carry(v, up, at, 1, k->shallow);
}

void cpu_flux_dams_pull(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    EACH_FACE(v, b, at, up)
    otok_dam_pipe(v, up, at, up ? OTOK_PULLED_TOP : OTOK_PULLED_RIGHT, k->pipes);
}

void cpu_flux_dams(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    EACH_FACE(v, b, at, up)
    otok_dam_pipe(v, up, at, up ? OTOK_FLUX_TOP : OTOK_FLUX_RIGHT, k->pipes);
}
