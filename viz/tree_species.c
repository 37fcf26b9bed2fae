/* tree_species.c: see tree_species.h. */
#include "tree_species.h"

#include <string.h>

const otok_species otok_species_rows[OTOK_SPECIES] = {{"broadleaf",
                                                       OTOK_TREE_HEAPS,
                                                       {0.34f, 0.74f},
                                                       {1.5f, 2.4f},
                                                       0.60f,
                                                       0.42f,
                                                       {0.015f, 0.043f, 0.015f},
                                                       {0.060f, 0.086f, 0.023f},
                                                       .always = 0,
                                                       .high = -0.10f,
                                                       .steep = 0,
                                                       .moist = 0.25f,
                                                       .shore = 0},
                                                      {"conifer",
                                                       OTOK_TREE_TIERS,
                                                       {0.30f, 0.46f},
                                                       {3.2f, 4.8f},
                                                       0.54f,
                                                       0.46f,
                                                       {0.010f, 0.032f, 0.016f},
                                                       {0.034f, 0.058f, 0.022f},
                                                       .always = -0.62f,
                                                       .high = 0.95f,
                                                       .steep = 0.22f,
                                                       .moist = -0.15f,
                                                       .shore = -1},
                                                      {"palm",
                                                       OTOK_TREE_FRONDS,
                                                       {0.50f, 0.70f},
                                                       {2.6f, 3.8f},
                                                       0.88f,
                                                       0.12f,
                                                       {0.026f, 0.056f, 0.014f},
                                                       {0.085f, 0.105f, 0.028f},
                                                       .always = -0.65f,
                                                       .high = -1,
                                                       .steep = -0.6f,
                                                       .moist = 0,
                                                       .shore = 1.2f}};

void otok_species_fill(float out[OTOK_SPECIES * 5][4])
{
    for (int k = 0; k < OTOK_SPECIES; k++) {
        const otok_species *s = &otok_species_rows[k];
        const float row[5][4] = {{s->radius[0], s->radius[1], s->tall[0], s->tall[1]},
                                 {s->middle, s->half, (float)s->form, s->always},
                                 {s->dark[0], s->dark[1], s->dark[2], 0},
                                 {s->light[0], s->light[1], s->light[2], 0},
                                 {s->high, s->steep, s->moist, s->shore}};
        memcpy(out + 5 * k, row, sizeof row);
    }
}
