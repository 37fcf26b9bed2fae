/* dams.h: a thin dam stands on a face, between two cells. Water is held up to its crest. Over it
   passes at most what passes over a weir of its length: the critical flow of critical.h, with the
   crest as its ground, and less where the water beyond stands higher than 2/3 of the head H over
   the crest: q = h sqrt(2 g (H - h)), with h the height of that water over the crest. The crest has
   no friction. Laws shallow_water and local_inertia. */
#ifndef OTOK_DAMS_H
#define OTOK_DAMS_H

#include "shallow.h"

/* Does a dam stand on the face: is its crest above the ground of both cells? */
OTOK_FN int otok_dam_stands(otok_two_columns c, float crest)
{
    return crest > otok_larger(c.a.h, c.b.h);
}

/* The cells as the face of a dam sees them: their ground is the crest. Water as high in both cells
   is as high after it, to the bit. */
OTOK_FN otok_two_columns otok_columns_dammed(otok_two_columns c, float crest)
{
    const otok_two_columns raised = {{crest, otok_positive((c.a.h + c.a.d1) - crest)},
                                     {crest, otok_positive((c.b.h + c.b.d1) - crest)}};
    return otok_dam_stands(c, crest) ? raised : c;
}

/* The most that flows over a dam per width [m^2/s], from water that is `w` deep over the crest to
   water `beyond` deep over it. come: the speed that it comes with. part: the length of the dam in
   that of its faces. */
OTOK_FN float otok_dam_passes(float w, float beyond, float come, float part,
                              otok_critical_coefficients k)
{
    const float head = w + come * come * k.head;
    const float over = head * otok_root(k.critical2 * head),
                under = beyond * otok_root(6.75f * k.critical2 * otok_positive(head - beyond));
    return part * (3.0f * beyond > 2.0f * head ? under : over);
}

/* The same for what goes to the right, or not. c: as otok_columns_dammed has them. `before`,
   `after`: speeds behind and ahead. */
OTOK_FN float otok_dam_most(int right, otok_two_columns c, float before, float after, float part,
                            otok_critical_coefficients k)
{
    return otok_dam_passes(right ? c.a.d1 : c.b.d1, right ? c.b.d1 : c.a.d1,
                           otok_positive(right ? before : 0.0f - after), part, k);
}

/* The speed u, or the flow f, over the dam within that bound. */
OTOK_FN float otok_dam_speed(float u, otok_two_columns c, float before, float after, float part,
                             otok_critical_coefficients k)
{
    const float w = u > 0.0f ? c.a.d1 : c.b.d1;
    const float most = otok_dam_most(u > 0.0f, c, before, after, part, k);
    const float held = otok_quotient(most, w);
    return fabsf(u) * w > most ? (u < 0.0f ? 0.0f - held : held) : u;
}

OTOK_FN float otok_dam_flow(float f, otok_two_columns c, float before, float after, float part,
                            otok_pipe_coefficients k)
{
    const float most = k.l * otok_dam_most(f > 0.0f, c, before, after, part, k.critical);
    return fabsf(f) > most ? (f < 0.0f ? 0.0f - most : most) : f;
}

#endif
