/* scene_draw.c: the parts of a scene and the order in which they are drawn. */
#include "core/colours.h"
#include "scene_state.h"
#include "texture.h"

#include <math.h>
#include <string.h>

enum {
    LIGHT_UNIT = OTOK_SLOTS,
    SCALE_UNIT,
    MATERIALS_UNIT,
    LAYERS_UNIT,
    DOME_UNIT,
    FLOW_UNIT,
    MARKS_UNIT,
    HORIZONS_UNIT,
    CANVAS_UNIT,
    CLOUDS_UNIT = CANVAS_UNIT + 2,
    SHELTER_UNIT = CLOUDS_UNIT + 4,
    WET_UNIT,
    TREES_UNIT,
    HOLES_UNIT,
    SWELL_UNIT
};
enum { SKY, LAND, WIRE, SIDE, SEA }; /* what is seen, as in shaders/common.glsl */

static const double degree = M_PI / 180;

static void set4(float *to, double a, double b, double c, double d)
{
    to[0] = (float)a, to[1] = (float)b, to[2] = (float)c, to[3] = (float)d;
}

static const otok_patches *patches_of(const otok_scene *s)
{
    return &s->patches[s->painter == &s->painters[1]];
}

/* The most pieces along the edge of a patch. An adaptive mesh has none finer than half a cell,
   because ground is smooth between cells. */
static double finest_level(const otok_scene *s, const otok_shot *v)
{
    return v->screen_error > 0 ? fmin(v->level, patches_of(s)->cells * (v->fast ? 1 : 2))
                               : v->level;
}

/* Of linear light, as in shaders/common.glsl. */
static double luminance(const float rgb[3])
{
    return 0.2126 * (double)rgb[0] + 0.7152 * (double)rgb[1] + 0.0722 * (double)rgb[2];
}

/* Sets the light and its exposure. The film follows the light on a slope that is turned a little to
   the sun, but not all the way: an evening is darker than a day. At the usual sun (38 degrees) this
   light is REFERENCE. At EXPOSED a matt surface that sends back a tenth of it comes out as middle
   grey. A map is a model of an island that is many times as wide, so its air is as thick as that of
   a clear day over such a width: one sees as far as SEEN sides of the map, by the measure of
   Koschmieder (1924), a contrast of 2 %. The air thins with height like the haze of a morning,
   within twice the relief. */
static void set_air(const otok_air *a, const otok_shot *v, double side, double relief, uniforms *u)
{
    const double EXPOSED = 3.6, REFERENCE = 0.634, FOLLOWED = 0.7, SEEN = 60;
    const double facing = 0.3 + 0.7 * sin(v->sun_elevation * degree);
    const double level = luminance(a->sun) * facing + luminance(a->ground);
    const double exposure = EXPOSED * pow(REFERENCE / level, FOLLOWED) * exp2(v->exposure);
    const double thick = 3.912 / (SEEN * side) * fmax(v->haze, 0) / a->extinction[1];
    set4(u->sunlight, a->sun[0], a->sun[1], a->sun[2], exposure);
    set4(u->skylight, a->ground[0], a->ground[1], a->ground[2], 0);
    set4(u->air, thick * a->extinction[0], thick * a->extinction[1], thick * a->extinction[2],
         1 / (2 * relief));
}

/* Clouds hang in a slab above all land: it begins half a side of the map up, and is half as thick.
   It keeps well above an eye that comes near it. An eye that is higher by OTOK_CLOUDS_FADE sees it
   from above, over a sea that reaches the horizon. Over a block there are then no clouds, because
   nothing lies below them. Fast views in software have none. Shaders get the share, the base and
   thickness, and the base that shadows fall from, which does not follow the eye. The first clouds
   make their programs; if that fails, the sky is clear. */
static void set_clouds(otok_scene *s, const otok_shot *v, uniforms *u)
{
    const double side = fmax(u->extent[0], u->extent[1]), sea = u->levels[0],
                 base = sea + fmax(0.5 * side, 1.5 * (s->highest - sea)), thick = 0.25 * side;
    const int below = u->eye[2] > base + thick + OTOK_CLOUDS_FADE * side,
              open = u->sea[3] > 0 && !v->block,
              seen = v->clouds > 0 && v->style == OTOK_STYLE_ISLAND && v->globe == 0 &&
                     (open || !below) && !(v->fast && s->painters[0].software);
    if (seen && !s->clouds.forms && otok_clouds_create(&s->clouds) != OTOK_OK) s->clouds.sky = 0;
    set4(u->clouds, seen && s->clouds.sky ? v->clouds : 0,
         below ? base : fmax(base, u->eye[2] + 0.18 * side), thick, base);
}

/* Trees stand one by one near the eye, where their crowns are wider than some pixels at the
   sharpness of the textures. Some stand as far away as woods[1], all of them as far as woods[2]
   [m]. Fast views have none. The first trees make their programs; if that fails, there is only a
   canopy. */
static void set_trees(otok_scene *s, const otok_shot *v, uniforms *u)
{
    const double FEWEST = 3, ALL = 0.6, site = OTOK_TREES_SITE;
    double far = fmin(site * u->eye[3] / (FEWEST * u->right[3]), site * (OTOK_TREES_SIDE / 2));
    double beyond = fmax(fmax(u->eye[2] - s->highest, s->lowest - u->eye[2]), 0);
    beyond *= beyond;
    for (int i = 0; i < 2; i++) {
        const double out = fmax(fmax(u->eye[i] - u->extent[i], -u->eye[i]), 0);
        beyond += out * out;
    }
    const int seen = v->style == OTOK_STYLE_ISLAND && !v->fast && beyond < far * far;
    if (seen && !s->trees.tried) otok_trees_create(&s->trees, s->painter->deferred);
    if (!seen || !s->trees.draw) far = 0;
    const double slope = v->rock_slope > 0 ? v->rock_slope : OTOK_ROCK_SLOPE;
    set4(u->woods, site, far, ALL * far, tan(OTOK_ROCK_SLOPE * degree) / tan(slope * degree));
    u->skylight[3] = (float)(v->tiling > 0 ? v->tiling : 1);
    otok_species_fill(u->species);
    if (far > 0) otok_tree_shadow_aim(u, s->lowest, s->highest);
}

/* The frame of the picture, of which the view may have a part, and how far its middle is aside, as
   a share of half the picture. */
static void find_frame(const otok_shot *v, int width, int height, otok_frame *f, double aside[2])
{
    const int *page = v->page, size[2] = {width, height};
    otok_camera_frame(&v->camera, page[2] ? page[2] : width, page[2] ? page[3] : height, f);
    for (int k = 0; k < 2; k++) {
        const double part = page[2] ? (double)page[2 + k] / size[k] : 1,
                     middle = page[2] ? page[k] + 0.5 * page[2 + k] - 0.5 * size[k] : 0;
        aside[k] = 2 * (middle + v->shift[k]) / size[k];
        for (int i = 0; i < 16; i += 4)
            f->to_clip[i + k] *= (float)part;
        for (int i = 0; i < 3; i++)
            *(k ? &f->up[i] : &f->right[i]) /= (float)part;
    }
}

static void set_uniforms(otok_scene *s, const otok_shot *v, int width, int height, uniforms *u)
{
    const double flat = cos(v->sun_elevation * degree), l = s->grid.spacing;
    const double range = fmax(s->highest - s->lowest, 1e-3 * l);
    const int has_sea = !isnan(v->sea_level) && v->sea_level > s->lowest,
              sea = has_sea && v->style == OTOK_STYLE_ISLAND;
    otok_frame f;
    double aside[2];
    find_frame(v, width, height, &f, aside);
    memcpy(u->to_clip, f.to_clip, sizeof u->to_clip);
    for (int i = 0; i < 16; i += 4) {
        u->to_clip[i] += (float)aside[0] * f.to_clip[i + 3];
        u->to_clip[i + 1] += (float)aside[1] * f.to_clip[i + 3];
    }
    for (int i = 0; i < 3; i++) /* of the sky, which is not projected */
        f.forward[i] -= (float)aside[0] * f.right[i] + (float)aside[1] * f.up[i];
    set4(u->eye, f.eye[0], f.eye[1], f.eye[2], f.pixels);
    set4(u->right, f.right[0], f.right[1], f.right[2], v->sharpness > 0 ? 1 / v->sharpness : 1);
    set4(u->up, f.up[0], f.up[1], f.up[2], v->fast);
    set4(u->forward, f.forward[0], f.forward[1], f.forward[2], s->nlayers);
    set4(u->sun, sin(v->sun_azimuth * degree) * flat, cos(v->sun_azimuth * degree) * flat,
         sin(v->sun_elevation * degree), v->shadows != 0);
    set4(u->extent, (double)s->grid.nx * l, (double)s->grid.ny * l, l, range / 100);
    set4(u->levels, has_sea ? v->sea_level : s->lowest, s->lowest - OTOK_BLOCK_DEPTH * range,
         s->lowest, s->highest);
    set4(u->sea, fmax(v->absorption, 1e-6), v->vertical != 0, !v->block, sea);
    set4(u->range, v->low, v->high, v->screen_error, finest_level(s, v));
    u->how[0] = (int)v->style;
    u->how[1] = s->has[OTOK_SLOT_WETNESS];
    u->how[2] = s->has[OTOK_SLOT_REEF];
    u->how[3] = s->has[OTOK_SLOT_ROAD];
    u->has[0] = s->has[OTOK_SLOT_WATER];
    u->has[1] = s->has[OTOK_SLOT_CHANGE];
    u->has[2] = s->has[OTOK_SLOT_SEDIMENT];
    u->has[3] = s->has[OTOK_SLOT_FLOW_X] && s->has[OTOK_SLOT_FLOW_Y];
    set4(u->chart, fmax(v->contours, 0), v->hillshade,
         (v->colours != OTOK_COLOURS_OWN) + 2 * v->angles + 4 * v->logs, v->moment);
    set_air(&s->air, v, fmax(u->extent[0], u->extent[1]), range, u);
    set_clouds(s, v, u);
    set_trees(s, v, u);
}

/* The corners of patches that one draw may take. With n pieces along each edge, an even number, a
   patch has (n + 1)^2 vertices. */
static int corners_at_once(const otok_scene *s, const otok_shot *v)
{
    const int n = 2 * (int)fmax(ceil(finest_level(s, v) / 2), 1),
              most = s->painter->most_vertices / ((n + 1) * (n + 1));
    return 4 * (most > 1 ? most : 1);
}

static void draw_patches(int first, int end, int at_once)
{
    for (; first < end; first += at_once)
        glDrawArrays(GL_PATCHES, first, end - first < at_once ? end - first : at_once);
}

/* Sets what the mesh shows, and whether it lies on the ground or on the water. */
static void set_mesh_kind(int kind, int wet)
{
    glUniform1i(0, kind);
    glUniform1i(2, wet);
}

static void draw_terrain(otok_scene *s, const otok_shot *v, int with_walls)
{
    const otok_patches *p = patches_of(s);
    const int end = with_walls ? p->all : p->ground, at_once = corners_at_once(s, v);
    glUseProgram(s->painter->programs[OTOK_PAINT_TERRAIN]);
    glBindVertexArray(p->array);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    if (v->style == OTOK_STYLE_WIREFRAME) { /* the surface a little behind its wires; depth grows
                                               towards the eye */
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(-1, -1);
    }
    set_mesh_kind(LAND, 0);
    draw_patches(0, p->ground, at_once);
    set_mesh_kind(SIDE, s->has[OTOK_SLOT_WATER] && !otok_style_is_data(v->style));
    draw_patches(p->ground, end, at_once);
    glDisable(GL_POLYGON_OFFSET_FILL);
    if (v->style != OTOK_STYLE_WIREFRAME) return;
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    set_mesh_kind(WIRE, 0);
    draw_patches(0, end, at_once);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/* Draws the mesh of the ground again, raised by the water on it. It shows where there is water. */
static void draw_rivers(otok_scene *s, const otok_shot *v)
{
    glUseProgram(s->painter->programs[OTOK_PAINT_RIVER]);
    glBindVertexArray(patches_of(s)->array);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    glUniform1i(2, 1);
    draw_patches(0, patches_of(s)->ground, corners_at_once(s, v));
}

/* The surface is nine rectangles, because rounding cuts off a single one from horizon to horizon
   some tenths of a pixel before the edge of the picture. */
static void draw_sea(otok_scene *s, const uniforms *u)
{
    const int block = u->sea[2] == 0, pieces = block ? 1 : 3;
    const float w = u->levels[0], d = u->levels[1], right = u->extent[0], top = u->extent[1],
                side = fmaxf(right, top);
    const float x[4] = {block ? 0 : -2000 * side, block ? right : -10 * side, right + 10 * side,
                        right + 2000 * side};
    const float y[4] = {block ? 0 : -2000 * side, block ? top : -10 * side, top + 10 * side,
                        top + 2000 * side};
    const float around[10][3] = {{0, 0, d},       {0, 0, w},       {right, 0, d}, {right, 0, w},
                                 {right, top, d}, {right, top, w}, {0, top, d},   {0, top, w},
                                 {0, 0, d},       {0, 0, w}};
    const int two[6][2] = {{0, 0}, {1, 0}, {0, 1},
                           {0, 1}, {1, 0}, {1, 1}}; /* triangles of a rectangle */
    float corners[9 * 6][3];
    int n = 0;
    for (int j = 0; j < pieces; j++)
        for (int i = 0; i < pieces; i++)
            for (int k = 0; k < 6; k++, n++)
                corners[n][0] = x[i + two[k][0]], corners[n][1] = y[j + two[k][1]],
                corners[n][2] = w;
    glBindVertexArray(s->sea);
    glUseProgram(s->painter->programs[OTOK_PAINT_SEA]);
    glNamedBufferData(s->sea_corners, (GLsizeiptr)((size_t)n * sizeof *corners), corners,
                      GL_STREAM_DRAW);
    glUniform1i(0, SEA);
    glDrawArrays(GL_TRIANGLES, 0, n);
    if (!block) return;
    glNamedBufferData(s->sea_corners, sizeof around, around, GL_STREAM_DRAW);
    glUniform1i(0, SIDE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 10);
}

/* The sky lies at depth 0, where nothing was drawn. */
static void draw_sky(const otok_scene *s)
{
    glDepthFunc(GL_GEQUAL);
    glUseProgram(s->painter->programs[OTOK_PAINT_SKY]);
    glBindVertexArray(s->nothing);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void otok_scene_bind(const otok_scene *s)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, s->view);
    for (int i = 0; i < OTOK_SLOTS; i++)
        glBindTextureUnit((GLuint)i, s->maps[s->has[i] ? i : OTOK_SLOT_TERRAIN]);
    glBindTextureUnit(SCALE_UNIT, s->scale);
    glBindTextureUnit(MATERIALS_UNIT, s->materials);
    glBindTextureUnit(FLOW_UNIT, s->flow);
    glBindTextureUnit(MARKS_UNIT, s->marks);
    glBindTextureUnit(SHELTER_UNIT, s->shelter);
    glBindTextureUnit(WET_UNIT, s->wet);
    glBindTextureUnit(HOLES_UNIT, s->holes);
    glBindTextureUnit(TREES_UNIT, s->trees.shadow.depth ? s->trees.shadow.depth : s->unshaded);
    glBindTextureUnit(SWELL_UNIT, s->swell.tile);
    glBindTextureUnit(LIGHT_UNIT, s->light);
    glBindTextureUnit(DOME_UNIT, s->dome);
    glBindTextureUnit(LAYERS_UNIT, s->layers ? s->layers : s->materials);
}

/* The first globe makes its program. 0: that failed, and the map is drawn level. */
static int draw_globe(otok_scene *s, otok_canvas *canvas, const otok_shot *view, int width,
                      int height)
{
    if (!s->globe.program && otok_globe_create(&s->globe) != OTOK_OK) return 0;
    glViewport(0, 0, width, height);
    glEnable(GL_FRAMEBUFFER_SRGB);
    otok_canvas_clear(canvas);
    otok_globe_draw(&s->globe, view, width, height);
    otok_canvas_bind(canvas);
    return 1;
}

/* Begins the page of a shot: paper, and a scissor box for the view. */
static void begin_page(const otok_canvas *canvas, const otok_shot *view)
{
    const int *page = view->page;
    otok_canvas_bind(canvas);
    glDisable(GL_SCISSOR_TEST);
    glClearBufferfv(GL_COLOR, 0, (const GLfloat[4]){1, 1, 1, 1});
    glEnable(GL_SCISSOR_TEST);
    glScissor(page[0], page[1], page[2], page[3]);
}

static void draw_legend(const otok_scene *s, const otok_shot *view, int width, int height,
                        const char *legend)
{
    const otok_legend words = {legend,       view->low,          view->high, view->logs,
                               view->beyond, view->page[2] != 0, 0};
    if (view->page[2]) glDisable(GL_SCISSOR_TEST);
    if (legend) otok_overlay_draw(&s->overlay, width, height, &words);
}

void otok_scene_draw(otok_scene *s, otok_canvas *canvas, const otok_shot *view, const char *legend)
{
    uniforms u = {0};
    int width, height;
    otok_canvas_size(canvas, &width, &height);
    if (view->page[2]) begin_page(canvas, view);
    s->painter = otok_scene_painter(s, view->fast != 0);
    otok_scene_make_air(s, view);
    if (s->colours != view->colours) otok_texture_colours(s->scale, view->colours);
    s->colours = view->colours;
    set_uniforms(s, view, width, height, &u);
    glNamedBufferSubData(s->view, 0, sizeof u, &u);
    otok_scene_bind(s);
    if (view->globe > 0 && draw_globe(s, canvas, view, width, height)) {
        draw_legend(s, view, width, height, legend);
        return;
    }
    otok_scene_make_light(s, &u, view->hurry, HORIZONS_UNIT);
    otok_scene_make_flow(s, &u, view->hurry);
    otok_scene_make_swell(s, view, &u);
    if (u.clouds[0] > 0) otok_clouds_draw(&s->clouds, &u, width, height, CLOUDS_UNIT);
    otok_scene_bind(s);

    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    const int sea = u.sea[3] > 0, walls = !sea || view->block,
              trees = u.woods[1] > 0 && otok_trees_find(&s->trees, &u, TREES_UNIT);
    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glEnable(GL_FRAMEBUFFER_SRGB);
    s->painter->deferred ? otok_canvas_geometry(canvas) : otok_canvas_clear(canvas);
    if (trees) otok_trees_draw(&s->trees); /* hide much ground, which costs more than they do */
    if (sea) draw_sea(s, &u);              /* hides what lies under it */
    draw_terrain(s, view, walls);
    if (s->has[OTOK_SLOT_WATER] && !otok_style_is_data(view->style)) draw_rivers(s, view);
    glUseProgram(s->painter->programs[OTOK_PAINT_STRUCTURES]);
    otok_structures_draw(&s->structures);
    s->painter->deferred ? otok_painter_shade(s->painter, canvas, CANVAS_UNIT) : draw_sky(s);
    otok_canvas_bind(canvas);
    draw_legend(s, view, width, height, legend);
}
