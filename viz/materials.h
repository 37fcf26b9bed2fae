/* materials.h: the island's materials: a table of them, and a user's own colours and pictures,
   which replace the usual ones. */
#ifndef OTOK_VIZ_MATERIALS_H
#define OTOK_VIZ_MATERIALS_H

#include <epoxy/gl.h>

enum {
#define OTOK_MATERIAL(NAME, ...) OTOK_MATERIAL_##NAME,
#include "materials.def"
#undef OTOK_MATERIAL
    OTOK_MATERIALS
};

/* For shaders: a line for each constant OWN_<NAME>, and for their number, OWN_MATERIALS. */
enum { OTOK_MATERIAL_CONSTANTS = 40 * (OTOK_MATERIALS + 1) };
void otok_material_constants(char out[OTOK_MATERIAL_CONSTANTS]);

const char *otok_material_name(int material); /* NULL outside 0..OTOK_MATERIALS-1 */

typedef struct otok_material {
    int has_colour;
    double colour[3]; /* its mean, in linear light */
    double tiling;    /* the picture repeats so many times as often, above 0 */
    int width, height;
    unsigned char *picture; /* sRGB, rows from the top, malloc'd; NULL: none */
} otok_material;

typedef struct otok_materials {
    otok_material at[OTOK_MATERIALS];
} otok_materials;

otok_materials *otok_materials_create(void); /* nothing of one's own; NULL: no memory */
void otok_materials_destroy(otok_materials *materials);

double otok_light_of(double srgb); /* 0..1 as a screen shows it, in linear light */

/* Of linear light, as in shaders/common.glsl. */
static inline double otok_luminance(double red, double green, double blue)
{
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/* What shaders read of them. */
typedef struct otok_material_textures {
    GLuint pictures, numbers;    /* layers of sRGB; the buffer `Own` of shaders/material.glsl */
    int made;                    /* the buffer is filled */
    const otok_materials *shown; /* what it is filled with; NULL: the usual colours */
} otok_material_textures;

/* Fills both if other materials are to be shown than before. These must stay as they are while they
   are shown. NULL: the usual materials. Without enough memory only the colours are shown. */
void otok_material_textures_update(otok_material_textures *t, const otok_materials *materials);
void otok_material_textures_destroy(otok_material_textures *t);

#endif
