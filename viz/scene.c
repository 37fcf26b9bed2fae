/* scene.c: makes a scene, and fills its maps. */
#include "scene_state.h"
#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIGHT_SIDE = 1024 }; /* texels */

static const char *const names[OTOK_STYLES] = {"island",     "water",      "sediment", "speed",
                                               "velocity_x", "velocity_y", "field",    "phong",
                                               "wireframe",  "layers"};

const char *otok_style_name(int style)
{
    return style >= 0 && style < OTOK_STYLES ? names[style] : NULL;
}

int otok_style_is_data(otok_style style)
{
    return (style >= OTOK_STYLE_WATER && style <= OTOK_STYLE_FIELD) || style == OTOK_STYLE_LAYERS;
}

double otok_style_hillshade(otok_style style)
{
    return otok_style_is_data(style) ? 0.4 : 1;
}

int otok_style_find(const char *name)
{
    for (int i = 0; i < OTOK_STYLES; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

void otok_shot_defaults(otok_shot *out)
{
    *out = (otok_shot){.camera = {.azimuth = 200, .elevation = 24, .distance = 1, .angle = 32},
                       .sun_azimuth = 285,
                       .sun_elevation = 38,
                       .shadows = 1,
                       .rock_slope = OTOK_ROCK_SLOPE,
                       .tiling = 1,
                       .haze = 1,
                       .clouds = 0.35,
                       .sea_level = NAN,
                       .absorption = 0.15,
                       .high = 1,
                       .hillshade = 1,
                       .screen_error = 1,
                       .level = 64};
}

static GLuint create_map(GLenum format, int width, int height)
{
    return otok_texture_plane(format, width, height, GL_CLAMP_TO_EDGE);
}

otok_status otok_scene_create(otok_scene **out, otok_grid grid, otok_shading shading)
{
    GLint most;
    *out = NULL;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (grid.nx > most || grid.ny > most)
        return OTOK_FAIL(OTOK_USAGE,
                         "a grid of %lld x %lld cells: this device draws at most %d along a side",
                         (long long)grid.nx, (long long)grid.ny, most);
    otok_scene *s = calloc(1, sizeof *s);
    if (!s) return OTOK_FAIL(OTOK_NOMEM, "no memory for a scene");
    s->grid = grid;
    otok_status status = otok_patches_create(&s->patches[0], grid, 0);
    if (status == OTOK_OK) status = otok_painter_create(&s->painters[0], shading, 0);
    s->shading = shading;
    s->painter = &s->painters[0];
    if (status == OTOK_OK) status = otok_overlay_create(&s->overlay);
    if (status == OTOK_OK) status = otok_scene_holes(s, &(otok_holes){0});
    if (status != OTOK_OK) {
        otok_scene_destroy(s);
        return status;
    }
    const GLsizei nx = (GLsizei)grid.nx, ny = (GLsizei)grid.ny;
    glCreateTextures(GL_TEXTURE_2D, OTOK_SLOTS, s->maps);
    for (int i = 0; i < OTOK_SLOTS; i++) {
        glTextureParameteri(s->maps[i], GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTextureParameteri(s->maps[i], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTextureParameteri(s->maps[i], GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    s->light = create_map(GL_RGBA16F, nx < LIGHT_SIDE ? nx : LIGHT_SIDE,
                          ny < LIGHT_SIDE ? ny : LIGHT_SIDE);
    s->dome = create_map(GL_RGBA16F, OTOK_AIR_COLUMNS, OTOK_AIR_ROWS);
    s->flow = create_map(GL_RGBA16F, nx, ny);
    s->marks = create_map(GL_RGBA8, nx, ny);
    s->wet = create_map(GL_R8, (nx + OTOK_WET_BLOCK - 1) / OTOK_WET_BLOCK,
                        (ny + OTOK_WET_BLOCK - 1) / OTOK_WET_BLOCK);
    s->shelter = create_map(GL_R8, OTOK_SHELTER_SIDE, OTOK_SHELTER_SIDE);
    s->air_from[1] = -1;
    s->flow_sea = NAN;
    s->unshaded = otok_tree_shadow_create_empty();
    s->scale = otok_texture_scale();
    s->colours = -1;
    s->materials = otok_texture_materials();
    glCreateBuffers(1, &s->view);
    glNamedBufferStorage(s->view, sizeof(uniforms), NULL, GL_DYNAMIC_STORAGE_BIT);
    otok_array_create(&s->sea, &s->sea_corners, 3, 0);
    glCreateVertexArrays(1, &s->nothing);
    otok_array_create(&s->structures.array, &s->structures.buffer, 3, 0);
    *out = s;
    return OTOK_OK;
}

void otok_scene_destroy(otok_scene *s)
{
    if (!s) return;
    otok_painter_destroy(&s->painters[0]);
    otok_painter_destroy(&s->painters[1]);
    glDeleteTextures(OTOK_SLOTS, s->maps);
    const GLuint textures[] = {s->light,  s->horizons, s->dome,      s->flow,
                               s->wet,    s->marks,    s->shelter,   s->unshaded,
                               s->layers, s->scale,    s->materials, s->holes};
    glDeleteTextures(sizeof textures / sizeof *textures, textures);
    glDeleteBuffers(2, (const GLuint[]){s->view, s->sea_corners});
    glDeleteVertexArrays(2, (const GLuint[]){s->sea, s->nothing});
    otok_structures_destroy(&s->structures);
    otok_patches_destroy(&s->patches[0]);
    otok_patches_destroy(&s->patches[1]);
    otok_overlay_destroy(&s->overlay);
    otok_globe_destroy(&s->globe);
    otok_clouds_destroy(&s->clouds);
    otok_trees_destroy(&s->trees);
    otok_swell_destroy(&s->swell);
    free(s);
}

/* The painter of a view. If a fast one or its patches cannot be made, the other one draws fast
   views, too. */
otok_painter *otok_scene_painter(otok_scene *s, int fast)
{
    otok_painter *quick = &s->painters[1];
    if (!fast || !s->painters[0].software) return &s->painters[0];
    if (!quick->tiles && (otok_painter_create(quick, s->shading, 1) != OTOK_OK ||
                          otok_patches_create(&s->patches[1], s->grid, 1) != OTOK_OK))
        quick->most_vertices = 0;
    return quick->most_vertices ? quick : &s->painters[0];
}

/* Makes room for the map of a slot when it is first used. */
static void allocate_map(otok_scene *s, otok_slot slot)
{
    GLint there;
    glGetTextureLevelParameteriv(s->maps[slot], 0, GL_TEXTURE_WIDTH, &there);
    if (!there)
        glTextureStorage2D(s->maps[slot], 1, GL_R32F, (GLsizei)s->grid.nx, (GLsizei)s->grid.ny);
}

void otok_scene_upload(otok_scene *s, otok_slot slot, const float *map)
{
    const int64_t n = s->grid.nx * s->grid.ny;
    s->old_flow += !s->old_flow && s->has[slot] && !map;
    s->has[slot] = map != NULL;
    otok_trees_changed(&s->trees);
    if (!map) return;
    allocate_map(s, slot);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTextureSubImage2D(s->maps[slot], 0, 0, 0, (GLsizei)s->grid.nx, (GLsizei)s->grid.ny, GL_RED,
                        GL_FLOAT, map);
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; slot == OTOK_SLOT_TERRAIN && i < n; i++) {
        low = map[i] < low ? map[i] : low;
        high = map[i] > high ? map[i] : high;
    }
    otok_scene_filled(s, slot, low, high);
}

otok_status otok_scene_holes(otok_scene *s, const otok_holes *holes)
{
    const GLsizei nx = holes->n ? (GLsizei)s->grid.nx : 1, ny = holes->n ? (GLsizei)s->grid.ny : 1;
    unsigned char *map = calloc((size_t)nx * (size_t)ny, 1);
    if (!map) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %d x %d cells", nx, ny);
    otok_holes_mark(holes, map);
    glDeleteTextures(1, &s->holes);
    s->holes = create_map(GL_R8, nx, ny);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(s->holes, 0, 0, 0, nx, ny, GL_RED, GL_UNSIGNED_BYTE, map);
    free(map);
    return OTOK_OK;
}

otok_status otok_scene_values(otok_scene *s, const float *map, const otok_holes *holes)
{
    const size_t cells = (size_t)(s->grid.nx * s->grid.ny);
    unsigned char *none = calloc(cells, 1);
    float *known = malloc(cells * sizeof *known);
    otok_holes all = {0};
    otok_status status = none && known ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a map");
    if (status == OTOK_OK) {
        otok_holes_mark(holes, none);
        for (size_t i = 0; i < cells; i++) {
            none[i] |= isnan(map[i]) != 0;
            known[i] = isnan(map[i]) ? 0.0f : map[i];
        }
        otok_scene_upload(s, OTOK_SLOT_VALUE_X, known);
        status = otok_holes_find(&all, none, (int64_t)cells);
    }
    if (status == OTOK_OK) status = otok_scene_holes(s, &all);
    otok_holes_destroy(&all);
    free(none);
    free(known);
    return status;
}

void otok_scene_copy(otok_scene *s, otok_slot to, otok_slot from)
{
    const GLsizei nx = (GLsizei)s->grid.nx, ny = (GLsizei)s->grid.ny;
    allocate_map(s, to);
    glCopyImageSubData(s->maps[from], GL_TEXTURE_2D, 0, 0, 0, 0, s->maps[to], GL_TEXTURE_2D, 0, 0,
                       0, 0, nx, ny, 1);
    otok_scene_filled(s, to, 0, 0);
}

otok_status otok_scene_structures(otok_scene *s, const float *terrain, const float *road,
                                  const float *road_height)
{
    return otok_structures_build(&s->structures, s->grid, terrain, road, road_height);
}

void otok_scene_layers(otok_scene *s, int n)
{
    if (n == s->nlayers) return;
    glDeleteTextures(1, &s->layers);
    s->layers = 0;
    s->nlayers = n;
    if (n == 0) return;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &s->layers);
    glTextureStorage3D(s->layers, 1, GL_R32F, (GLsizei)s->grid.nx, (GLsizei)s->grid.ny, n + 1);
    glTextureParameteri(s->layers, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(s->layers, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(s->layers, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void otok_scene_layer(otok_scene *s, int i)
{
    const otok_slot from = OTOK_SLOT_VALUE_X;
    const GLsizei nx = (GLsizei)s->grid.nx, ny = (GLsizei)s->grid.ny;
    if (s->has[from])
        glCopyImageSubData(s->maps[from], GL_TEXTURE_2D, 0, 0, 0, 0, s->layers, GL_TEXTURE_2D_ARRAY,
                           0, 0, 0, i + 1, nx, ny, 1);
    else
        glClearTexSubImage(s->layers, 0, 0, 0, i + 1, nx, ny, 1, GL_RED, GL_FLOAT, NULL);
}

unsigned otok_scene_texture(otok_scene *scene, otok_slot slot)
{
    allocate_map(scene, slot);
    return scene->maps[slot];
}

void otok_scene_filled(otok_scene *s, otok_slot slot, double lowest, double highest)
{
    s->has[slot] = 1;
    otok_trees_changed(&s->trees);
    s->old_flow += !s->old_flow && slot < OTOK_SLOT_VALUE_X;
    if (slot != OTOK_SLOT_TERRAIN) return;
    s->lowest = lowest;
    s->highest = highest;
    s->old_light += !s->old_light;
}
