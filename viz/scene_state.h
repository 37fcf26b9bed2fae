/* scene_state.h: what a scene keeps from one picture to the next: scene.c fills it, scene_maps.c
 * makes maps of it, scene_draw.c draws it. */
#ifndef OTOK_VIZ_SCENE_STATE_H
#define OTOK_VIZ_SCENE_STATE_H

#include "air.h"
#include "clouds.h"
#include "globe.h"
#include "overlay.h"
#include "painter.h"
#include "patches.h"
#include "scene.h"
#include "structures.h"
#include "swell.h"
#include "trees.h"

enum { OTOK_SHELTER_SIDE = 256 }; /* texels, for a map of any size */

/* As `View` in shaders/common.glsl. */
typedef struct uniforms {
    float to_clip[16], eye[4], right[4], up[4], forward[4], sun[4], extent[4], levels[4], sea[4],
        range[4];
    int how[4], has[4];
    float sunlight[4], skylight[4], air[4], chart[4], woods[4], clouds[4], tree_shadow[3][4];
    float species[OTOK_SPECIES * 5][4];
} uniforms;

struct otok_scene {
    otok_grid grid;
    otok_globe globe;   /* made once it is drawn */
    otok_clouds clouds; /* the same */
    otok_trees trees;   /* the same */
    otok_swell swell;   /* the same */
    otok_shading shading;
    otok_painter painters[2], *painter; /* software: for fine and, once they are needed, fast views;
                                           and the one at work */
    GLuint maps[OTOK_SLOTS], light, horizons, dome, flow, wet, marks, shelter, layers, scale,
        materials, view, sea, sea_corners, nothing, unshaded, holes;
    otok_patches patches[2]; /* of these painters */
    otok_overlay overlay;
    otok_structures structures;
    int has[OTOK_SLOTS], nlayers; /* layers with a bottom */
    double lowest, highest;
    int colours;             /* the map in `scale` */
    int old_flow, old_marks; /* drawings since slots changed that they were made for, 0: they are
                                for these */
    int old_shelter;         /* times that `marks` were made since `shelter` was */
    float flow_sea;          /* the sea that they were made for */
    otok_air air;
    double air_from[2];      /* the sun's elevation and the haze that `air` was made for */
    float lit_from[4];       /* the sun and the sea that `light` was made for; 0: none       */
    int lit_fast, flow_fast; /* with fewer details */
    int old_light; /* drawings since the terrain changed that it was made for, 0: it is that one */
};

otok_painter *otok_scene_painter(otok_scene *scene, int fast); /* of this view */

/* Make the maps that a view needs, unless they are kept from the last picture. A view in a hurry
   may have light and water of an earlier picture. `unit`: the texture unit of horizons. */
void otok_scene_make_air(otok_scene *scene, const otok_shot *view);
void otok_scene_make_light(otok_scene *scene, const uniforms *u, int hurry, int unit);
void otok_scene_make_flow(otok_scene *scene, const uniforms *u, int hurry);
void otok_scene_make_swell(otok_scene *scene, const otok_shot *view, const uniforms *u);

#endif
