/* painter.c: see painter.h. */
#include "painter.h"

#include <limits.h>
#include <string.h>

/* Mesa's software counts the vertices that patches become in 16 bits (draw_tess_eval_shader_run).
   If a draw makes more, some of them are wrong. */
enum { SOFTWARE_VERTICES = 65535 };
enum { LINES = 64 }; /* in a compute group */

/* Direct: colours are made as surfaces are drawn. Deferred: the kinds of surfaces are drawn first.
   Then tiles of the picture are coloured by the kinds that they show, so that a device which
   carries out every branch for all pixels runs only the branches that it needs. */
#define GROUND_MESH                                                                                \
    "patch.vert", "ground_patch.glsl", "terrain.tesc", "material.glsl", "canopy.glsl",             \
        "terrain.tese"
#define WATER_MESH "patch.vert", "water_patch.glsl", "terrain.tesc", "bare.glsl", "terrain.tese"
#define LAND_PARTS "material.glsl", "value.glsl", "block.glsl", "terrain.glsl"
#define RIVER_PARTS "stream.glsl", "waves.glsl", "river.glsl"
#define SEA_PARTS "material.glsl", "waves.glsl", "value.glsl", "block.glsl", "sea.glsl"
#define SKY_PARTS "sky.glsl"

static const char *const direct_files[OTOK_PAINT_PROGRAMS][OTOK_SHADER_FILES] = {
    {"sweep.comp"},
    {"light.comp"},
    {"flow.comp"},
    {"marks.comp"},
    {"shelter.comp"},
    {GROUND_MESH, LAND_PARTS, "solid.glsl", "direct.frag"},
    {WATER_MESH, LAND_PARTS, RIVER_PARTS, "river.frag"},
    {"flat.vert", SEA_PARTS, "direct.frag"},
    {"flat.vert", LAND_PARTS, "solid.glsl", "direct.frag"},
    {"cover.vert", SKY_PARTS, "direct.frag"}};

static const char *const deferred_files[OTOK_PAINT_PROGRAMS][OTOK_SHADER_FILES] = {
    {"sweep.comp"},
    {"light.comp"},
    {"flow.comp"},
    {"marks.comp"},
    {"shelter.comp"},
    {GROUND_MESH, "geometry.frag"},
    {WATER_MESH, "stream.glsl", "wet.frag"},
    {"flat.vert", "geometry.frag"},
    {"flat.vert", "geometry.frag"},
    {"seen.glsl", "tiles.comp"},
    {"seen.glsl", LAND_PARTS, RIVER_PARTS, "tree.glsl", "mesh.glsl", "shade.comp"},
    {"seen.glsl", SEA_PARTS, "shade.comp"},
    {"seen.glsl", SKY_PARTS, "shade.comp"}};

/* Direct drawing is faster in software. GPUs for computing run the shaders of drawing on few units
   (an H100 on four of its 132 multiprocessors, says NVIDIA's description of it), but compute
   shaders on all of them. */
static int is_software(void)
{
    const char *name = (const char *)glGetString(GL_RENDERER);
    return strstr(name, "llvmpipe") || strstr(name, "softpipe");
}

otok_status otok_painter_create(otok_painter *p, otok_shading shading, int fast)
{
    const int software = is_software();
    const char *how = !software ? OTOK_FAST_ASKED : fast ? "true" : "false";
    otok_status status = OTOK_OK;
    *p = (otok_painter){.deferred = shading == OTOK_SHADING_DEFERRED ||
                                    (shading == OTOK_SHADING_BEST && !software),
                        .software = software,
                        .most_vertices = software ? SOFTWARE_VERTICES : INT_MAX};
    glCreateBuffers(1, &p->tiles);
    for (int i = 0; i < OTOK_PAINT_PROGRAMS && status == OTOK_OK; i++) {
        const char *const *files = p->deferred ? deferred_files[i] : direct_files[i];
        if (files[0]) status = otok_program_create(&p->programs[i], files, how);
    }
    return status;
}

void otok_painter_destroy(otok_painter *p)
{
    for (int i = 0; i < OTOK_PAINT_PROGRAMS; i++)
        glDeleteProgram(p->programs[i]);
    glDeleteBuffers(1, &p->tiles);
}

/* A thread walks a line. There are as many lines as texels along one side and, if they run aslant,
   up to the other side more. */
void otok_painter_sweep(const otok_painter *p, int width, int height, int turns)
{
    glUseProgram(p->programs[OTOK_PAINT_SWEEP]);
    glDispatchCompute((GLuint)(width + height + LINES - 1) / LINES, (GLuint)turns, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void otok_painter_fill(const otok_painter *p, int program, int width, int height)
{
    otok_program_run(p->programs[program], width, height, GL_TEXTURE_FETCH_BARRIER_BIT);
}

void otok_painter_shade(otok_painter *p, const otok_canvas *canvas, unsigned unit)
{
    const GLuint work[OTOK_PAINT_GROUPS][4] = {{0, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}};
    GLint box[4] = {0};
    otok_canvas_size(canvas, &box[2], &box[3]);
    if (glIsEnabled(GL_SCISSOR_TEST)) glGetIntegerv(GL_SCISSOR_BOX, box);
    const GLsizeiptr tiles = (GLsizeiptr)((box[2] + OTOK_GROUP - 1) / OTOK_GROUP) *
                             ((box[3] + OTOK_GROUP - 1) / OTOK_GROUP);
    if (p->room < tiles) {
        p->room = tiles;
        glNamedBufferData(p->tiles,
                          (GLsizeiptr)sizeof work +
                              OTOK_PAINT_GROUPS * tiles * (GLsizeiptr)sizeof(GLuint),
                          NULL, GL_STREAM_COPY);
    }
    glNamedBufferSubData(p->tiles, 0, sizeof work, work);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, p->tiles);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, p->tiles);
    otok_canvas_bind_textures(canvas, unit);
    for (int i = OTOK_PAINT_TILES; i < OTOK_PAINT_PROGRAMS; i++)
        glProgramUniform4i(p->programs[i], 0, box[0], box[1], box[0] + box[2], box[1] + box[3]);
    otok_program_run(p->programs[OTOK_PAINT_TILES], box[2], box[3],
                     GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    for (int i = 0; i < OTOK_PAINT_GROUPS; i++) {
        glUseProgram(p->programs[OTOK_PAINT_SHADE + i]);
        glUniform1i(1, i);
        glDispatchComputeIndirect((GLintptr)(i * (int)sizeof work[0]));
    }
    glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
}
