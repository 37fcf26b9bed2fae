/* sampler.h: some cells of the maps of a scene, from which the range of its colours follows. */
#ifndef OTOK_SAMPLER_H
#define OTOK_SAMPLER_H

#include "core/colours.h"
#include "scene.h"

#include <epoxy/gl.h>

typedef struct otok_sampler {
    GLuint program, buffer;
} otok_sampler;

otok_status otok_sampler_create(otok_sampler *out);
void otok_sampler_destroy(otok_sampler *sample);

/* The values in the slot VALUE_X or, with `two`, the lengths of the vectors that they make with
   VALUE_Y, and the depths of the water, of the cells of otok_spread_step. Returns their number. */
int64_t otok_sampler_read(const otok_sampler *sample, otok_scene *scene, otok_grid grid, int two,
                          float values[OTOK_SPREAD_SAMPLE], float depth[OTOK_SPREAD_SAMPLE]);

#endif
