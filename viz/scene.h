/* scene.h: a terrain, its sea and its sky in OpenGL 4.5, drawn onto a canvas. It opens no window,
   makes no context (gl.h), and reads and writes no file. Maps are textures: uploaded here, or
   written by others into otok_scene_texture. One context is current for all calls. */
#ifndef OTOK_VIZ_SCENE_H
#define OTOK_VIZ_SCENE_H

#include "camera.h"
#include "gl.h"
#include "io/holes.h"

typedef enum otok_style {
    OTOK_STYLE_ISLAND, /* the order is that of the shaders */
    OTOK_STYLE_WATER,
    OTOK_STYLE_SEDIMENT,
    OTOK_STYLE_SPEED,
    OTOK_STYLE_VELOCITY_X,
    OTOK_STYLE_VELOCITY_Y,
    OTOK_STYLE_FIELD,
    OTOK_STYLE_PHONG,
    OTOK_STYLE_WIREFRAME,
    OTOK_STYLE_LAYERS, /* the kinds of ground that lie open; low 0, high their number */
    OTOK_STYLES
} otok_style;

const char *otok_style_name(int style); /* NULL outside 0..OTOK_STYLES-1 */
int otok_style_find(const char *name);  /* -1: no such style */

/* The maps that a scene shows. The styles of values show values: depth, sediment, speed along x and
   y, or any field. */
typedef enum otok_slot {
    OTOK_SLOT_TERRAIN,
    OTOK_SLOT_WETNESS,
    OTOK_SLOT_REEF,
    OTOK_SLOT_ROAD,
    OTOK_SLOT_WATER, /* depth, speed along x and y, sediment: of the water that is drawn */
    OTOK_SLOT_FLOW_X,
    OTOK_SLOT_FLOW_Y,
    OTOK_SLOT_SEDIMENT,
    OTOK_SLOT_CHANGE, /* of the ground's height since the beginning */
    OTOK_SLOT_VALUE_X,
    OTOK_SLOT_VALUE_Y,
    OTOK_SLOTS
} otok_slot;

typedef struct otok_shot {
    otok_style style;
    otok_camera camera;
    double sun_azimuth, sun_elevation; /* [degree], clockwise from +y */
    int shadows;         /* of the sun on the terrain                                     */
    double rock_slope;   /* from which the island's ground is rock [degree], 0: the usual one */
    double tiling;       /* textures repeat so many times as often, 0: once               */
    double haze;         /* dust and droplets in the air, 1: a clear day                  */
    double clouds;       /* share of the sky that they cover, 0..1                        */
    double exposure;     /* brighter by so many stops                                     */
    double sea_level;    /* [m]; NAN: no sea                                              */
    double absorption;   /* of light by the sea, kappa_A [1/m]                            */
    int vertical;        /* light goes straight down in the sea, as in K16                */
    int block;           /* the map is cut out; else the sea reaches the horizon          */
    double low, high;    /* range of the values, low < high                               */
    int colours;         /* of the values, as in colours.h                                */
    int angles;          /* the values are angles: cells are not mixed                    */
    int logs;            /* colours go by the logarithm of the values                     */
    double contours;     /* of the ground, from line to line [m]; 0: none                 */
    double hillshade;    /* how much light and shade weigh where values are shown, 0..1   */
    double screen_error; /* tessellation keeps to so many pixels; 0: the fixed level      */
    double level;        /* fixed: pieces along the edge of a patch; else the most, 1..64 */
    double shift[2];     /* of the picture to the right and up [pixels], for samples of a pixel */
    double sharpness;    /* 1; 2: textures as if pixels were half as wide, for many samples     */
    double moment;       /* waves and ripples have run so many seconds; those of values rest */
    double globe;        /* the map is a globe, seen from so many radii; 0: it is level         */
    int page[4];         /* the part of the picture that shows the view: left, bottom, width, height
                            [pixels]; the rest is paper for legend, scale and map. Width 0: all of it */
    int beyond;          /* bits: values are below the colours, above them */
    int fast;  /* 1: fewer details, for drawing by a CPU in a window; 2: and a coarser mesh */
    int hurry; /* light and marks of so many pictures ago will do; 0: they are of this one */
} otok_shot;

/* The usual slope of rock [degree]; and what controls offer of it and of the tiling. */
#define OTOK_ROCK_SLOPE 51.0
#define OTOK_ROCK_SLOPE_LEAST 20.0
#define OTOK_ROCK_SLOPE_MOST 80.0
#define OTOK_TILING_LEAST 0.25
#define OTOK_TILING_MOST 4.0

/* How far a map that is cut out goes on below its lowest place, as a share of its relief. */
#define OTOK_BLOCK_DEPTH 0.12

/* From where the globe fills most of the picture, and where the eye may be [radii]. */
#define OTOK_GLOBE_DISTANCE 4.1
#define OTOK_GLOBE_NEAREST 1.2
#define OTOK_GLOBE_FARTHEST 40.0

/* The defaults of a shot: island style, sun, shadows, adaptive tessellation, no sea. */
void otok_shot_defaults(otok_shot *out);

typedef struct otok_scene otok_scene;

/* When colours are made: as surfaces are drawn, or afterwards in compute shaders. Both give the
   same picture. BEST: the faster one on this device. */
typedef enum otok_shading {
    OTOK_SHADING_BEST,
    OTOK_SHADING_DIRECT,
    OTOK_SHADING_DEFERRED
} otok_shading;

/* OTOK_USAGE: the grid is larger than the textures of the device can be. OTOK_DEVICE: a shader
   fails on this device; the text says how. */
otok_status otok_scene_create(otok_scene **out, otok_grid grid, otok_shading shading);
void otok_scene_destroy(otok_scene *scene);

/* Fills a slot with a map [ny][nx]; NULL empties it. */
void otok_scene_upload(otok_scene *scene, otok_slot slot, const float *map);

/* Makes the bridges and tunnels of roads from maps of these fields. road NULL: there are none. */
otok_status otok_scene_structures(otok_scene *scene, const float *terrain, const float *road,
                                  const float *road_height);

/* Cells without data, which are grey in every style. */
otok_status otok_scene_holes(otok_scene *scene, const otok_holes *holes);

/* Fills OTOK_SLOT_VALUE_X. Its cells without a value (NaN) become cells without data, besides
   `holes`, until the next call of otok_scene_holes. */
otok_status otok_scene_values(otok_scene *scene, const float *map, const otok_holes *holes);

/* For callers that fill a slot on the device: its R32F texture, nx by ny, row 0 first.
   otok_scene_filled then says that it is filled, with the range of the terrain. */
unsigned otok_scene_texture(otok_scene *scene, otok_slot slot);
void otok_scene_filled(otok_scene *scene, otok_slot slot, double lowest, double highest);

/* Fills a slot with what another one holds, on the device. */
void otok_scene_copy(otok_scene *scene, otok_slot to, otok_slot from);

/* The layers of the ground. n: how many have a bottom; the last layer has none, and 0 means no
   layers. They are seen in the style `layers`, and on the sides of a block. otok_scene_layer then
   copies, on the device, what OTOK_SLOT_VALUE_X holds: -1 for the height from which bottoms count,
   0..n-1 for the bottom of a layer above it, top down. An empty slot is 0 everywhere. */
void otok_scene_layers(otok_scene *scene, int n);
void otok_scene_layer(otok_scene *scene, int i);

/* Does a style show values? */
int otok_style_is_data(otok_style style);

/* How much light and shade weigh in it, 0..1. */
double otok_style_hillshade(otok_style style);

/* Draws onto a canvas and binds its colours. If there is a scissor box, only its inside is drawn.
   A shot with a page sets its own.
   `legend`: name and unit of the values, and then, a line each, the names of equal parts of the
   range, the highest first. NULL: there is no legend. */
void otok_scene_draw(otok_scene *scene, otok_canvas *canvas, const otok_shot *view,
                     const char *legend);

/* Binds the maps, colours and view of the last drawing again, after another scene was drawn. Map,
   brush and legend read them. */
void otok_scene_bind(const otok_scene *scene);

#endif
