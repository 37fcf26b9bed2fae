/* scene_maps.c: the maps that a scene makes from a state before it draws it: sky, horizons and
   light; water on land and its marks; shelter of the sea, and its waves. A map is made again only
   where something that it depends on has changed. */
#include "scene_state.h"

#include <math.h>
#include <string.h>

enum { TURNS = 16, FAST_TURNS = 8 }; /* directions that horizons are found in */

/* The sky depends on the sun's elevation and on haze alone. */
void otok_scene_make_air(otok_scene *s, const otok_shot *v)
{
    if (s->air_from[0] == v->sun_elevation && s->air_from[1] == v->haze) return;
    s->air_from[0] = v->sun_elevation;
    s->air_from[1] = v->haze;
    otok_air_make(&s->air, v->sun_elevation, fmax(v->haze, 0));
    glTextureSubImage2D(s->dome, 0, 0, 0, OTOK_AIR_COLUMNS, OTOK_AIR_ROWS, GL_RGBA, GL_FLOAT,
                        s->air.sky);
}

/* Makes room for the horizons in a number of directions and towards the sun. */
static void make_horizons(otok_scene *s, int turns, int width, int height)
{
    GLint there = 0;
    if (s->horizons) glGetTextureLevelParameteriv(s->horizons, 0, GL_TEXTURE_DEPTH, &there);
    if (there == turns + 1) return;
    glDeleteTextures(1, &s->horizons);
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &s->horizons);
    glTextureStorage3D(s->horizons, 1, GL_R16F, width, height, turns + 1);
    glTextureParameteri(s->horizons, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
}

/* May a map stay as it is, up to so many pictures after it was right? `old`: the drawings since it
   was right; 0: it is right. */
static int may_stay_old(int *old, int pictures)
{
    return *old == 0 || (pictures && (*old)++ < pictures);
}

/* Light and shade depend on terrain, sun and sea alone, so they are kept between pictures. */
void otok_scene_make_light(otok_scene *s, const uniforms *u, int hurry, int unit)
{
    GLint width, height;
    const float from[4] = {u->sun[0], u->sun[1], u->sun[2], u->levels[0]};
    const int same = memcmp(s->lit_from, from, sizeof from) == 0, fast = u->up[3] > 0;
    const int fine_enough = s->lit_fast == fast || (hurry && fast);
    if (same && fine_enough && may_stay_old(&s->old_light, hurry)) return;
    memcpy(s->lit_from, from, sizeof from);
    s->lit_fast = fast;
    s->old_light = 0;
    glGetTextureLevelParameteriv(s->light, 0, GL_TEXTURE_WIDTH, &width);
    glGetTextureLevelParameteriv(s->light, 0, GL_TEXTURE_HEIGHT, &height);
    make_horizons(s, fast ? FAST_TURNS : TURNS, width, height);
    glBindImageTexture(0, s->horizons, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_R16F);
    otok_painter_sweep(s->painter, width, height, (fast ? FAST_TURNS : TURNS) + 1);
    glBindTextureUnit((GLuint)unit, s->horizons);
    glBindImageTexture(0, s->light, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    otok_painter_fill(s->painter, OTOK_PAINT_LIGHT, width, height);
}

/* The water on land follows the state and the level of the sea; in a hurry it does so after two
   pictures, or eight of fast ones. Marks change slowly, and shelter more slowly. They are not
   renewed in a picture that renews the light. */
void otok_scene_make_flow(otok_scene *s, const uniforms *u, int hurry)
{
    const int other_sea = s->flow_sea != u->levels[0], fast = u->up[3] > 0,
              other = other_sea || (s->flow_fast && !fast), width = (int)s->grid.nx,
              height = (int)s->grid.ny;
    s->flow_sea = u->levels[0];
    if (other || !may_stay_old(&s->old_flow, hurry / 4)) {
        s->flow_fast = fast;
        s->old_flow = 0;
        otok_trees_changed(&s->trees);
        s->old_marks += !s->old_marks;
        glBindImageTexture(0, s->flow, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
        glBindImageTexture(1, s->wet, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R8);
        otok_painter_fill(s->painter, OTOK_PAINT_FLOW, width, height);
    }
    const int at_rest = !hurry && s->old_shelter > 0; /* shelter is of this state then */
    if (!other_sea && !at_rest && may_stay_old(&s->old_marks, hurry + hurry / 4)) return;
    s->old_marks = 0;
    otok_trees_changed(&s->trees);
    glBindImageTexture(0, s->marks, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    otok_painter_fill(s->painter, OTOK_PAINT_MARKS, width, height);
    if (u->sea[3] <= 0 || (hurry > 1 && !other_sea && s->old_shelter++ < 16)) return;
    s->old_shelter = 0;
    glBindImageTexture(0, s->shelter, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R8);
    otok_painter_fill(s->painter, OTOK_PAINT_SHELTER, OTOK_SHELTER_SIDE, OTOK_SHELTER_SIDE);
}

/* The waves of the sea and of lakes. In a hurry there is only the first tile, which is made once
   and drawn along (shaders/sea.glsl). The first waves make their programs; if that fails, water is
   flat. Values lie on water at rest. */
void otok_scene_make_swell(otok_scene *s, const otok_shot *v, const uniforms *u)
{
    const int runs = !v->fast && (v->style == OTOK_STYLE_ISLAND || v->style >= OTOK_STYLE_PHONG);
    if (u->sea[3] <= 0 && !s->has[OTOK_SLOT_WATER]) return;
    if (!s->swell.tile && otok_swell_create(&s->swell) != OTOK_OK) s->swell.rows = 0;
    if (s->swell.rows)
        otok_swell_update(&s->swell, v->fast ? 1 : OTOK_SWELL_TILES, runs ? v->moment : 0,
                          fmin(fmax(u->extent[0], u->extent[1]), OTOK_SWELL_MAP));
}
