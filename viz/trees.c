/* trees.c: see trees.h. */
#include "trees.h"
#include "scene_state.h"
#include "shader.h"

#include <math.h>
#include <string.h>

enum { ROOM = OTOK_TREES_SIDE * OTOK_TREES_SIDE, GROUP = 8, FLOATS = 8 }; /* of a tree */
enum { FINENESS = OTOK_TREES_MESHES, LISTS = FINENESS + 1, HEAPS = 14 };
enum { POINTS = 12 + 30 + 120 + 6, CORNERS = 3 * (320 + 6) }; /* of the finest mesh, at most */

typedef struct builder {
    float point[FINENESS * POINTS][4];
    GLushort corner[FINENESS * CORNERS];
    int points, corners;
} builder;

static int add_point(builder *b, float x, float y, float z, float bark)
{
    const float p[4] = {x, y, z, bark};
    memcpy(b->point[b->points], p, sizeof p);
    return b->points++;
}

static void add_triangle(builder *b, int i, int j, int k)
{
    const int corner[3] = {i, j, k};
    for (int c = 0; c < 3; c++)
        b->corner[b->corners++] = (GLushort)corner[c];
}

/* The point of the unit sphere between two, once for both triangles that share the edge. */
static int between(builder *b, int i, int j, int first)
{
    float m[3], size = 0;
    for (int k = 0; k < 3; k++) {
        m[k] = b->point[i][k] + b->point[j][k];
        size += m[k] * m[k];
    }
    for (int k = 0; k < 3; k++)
        m[k] /= sqrtf(size);
    for (int p = first; p < b->points; p++)
        if (fabsf(b->point[p][0] - m[0]) + fabsf(b->point[p][1] - m[1]) +
                fabsf(b->point[p][2] - m[2]) <
            1e-4f)
            return p;
    return add_point(b, m[0], m[1], m[2], 0);
}

/* Divides a triangle of a crown into four, so many times. */
static void add_face(builder *b, int i, int j, int k, int first, int times)
{
    if (times == 0) {
        add_triangle(b, i, j, k);
        return;
    }
    const int ij = between(b, i, j, first), jk = between(b, j, k, first),
              ki = between(b, k, i, first);
    add_face(b, i, ij, ki, first, times - 1);
    add_face(b, j, jk, ij, first, times - 1);
    add_face(b, k, ki, jk, first, times - 1);
    add_face(b, ij, jk, ki, first, times - 1);
}

/* How far the crown reaches in a direction: heaps of leaves, spread evenly, and flat below. */
static float lump(const float q[3])
{
    float nearest = -1;
    for (int h = 0; h < HEAPS; h++) {
        const float z = 1 - 2 * ((float)h + 0.5f) / HEAPS, r = sqrtf(1 - z * z),
                    angle = 2.3999632f * (float)h;
        nearest = fmaxf(nearest, q[0] * r * cosf(angle) + q[1] * r * sinf(angle) + q[2] * z);
    }
    const float t = fminf(fmaxf((nearest - 0.78f) / 0.20f, 0), 1);
    return 0.66f + 0.48f * t * t * (3 - 2 * t);
}

/* An icosahedron, of which each triangle is divided so many times. */
static void add_crown(builder *b, int times)
{
    static const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const float s = 0.5257311f, t = 0.8506508f;
    const int first = b->points;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4; k++) {
            const float u = k & 1 ? s : -s, v = k & 2 ? -t : t;
            const float p[3][3] = {{u, v, 0}, {0, u, v}, {v, 0, u}};
            add_point(b, p[axis][0], p[axis][1], p[axis][2], 0);
        }
    for (int f = 0; f < 20; f++)
        add_face(b, first + faces[f][0], first + faces[f][1], first + faces[f][2], first, times);
    for (int p = first; p < b->points; p++) {
        const float far = lump(b->point[p]);
        for (int k = 0; k < 3; k++)
            b->point[p][k] *= far * (k == 2 && b->point[p][2] < 0 ? 0.75f : 1);
    }
}

static void add_trunk(builder *b)
{
    const int first = b->points;
    for (int i = 0; i < 3; i++) {
        const float x = cosf(2.0943951f * (float)i), y = sinf(2.0943951f * (float)i);
        add_point(b, 0.11f * x, 0.11f * y, -1, 1);
        add_point(b, 0.06f * x, 0.06f * y, 0, 1);
    }
    for (int i = 0; i < 3; i++) {
        const int low = first + 2 * i, next = first + 2 * ((i + 1) % 3);
        add_triangle(b, low, next, next + 1);
        add_triangle(b, low, next + 1, low + 1);
    }
}

static void make_mesh(otok_trees *t)
{
    builder b = {.points = 0};
    for (int k = 0; k < FINENESS; k++) {
        t->first[k] = b.corners;
        add_crown(&b, FINENESS - 1 - k);
        add_trunk(&b);
        t->indices[k] = b.corners - t->first[k];
    }
    glCreateBuffers(1, &t->mesh);
    glCreateBuffers(1, &t->corners);
    glNamedBufferStorage(t->mesh, (GLsizeiptr)sizeof(float[4]) * b.points, b.point, 0);
    glNamedBufferStorage(t->corners, (GLsizeiptr)sizeof(GLushort) * b.corners, b.corner, 0);
    glCreateVertexArrays(1, &t->array);
    glVertexArrayElementBuffer(t->array, t->corners);
    glVertexArrayVertexBuffer(t->array, 0, t->mesh, 0, sizeof(float[4]));
    glVertexArrayVertexBuffer(t->array, 1, t->list, 0, sizeof(float[FLOATS]));
    glVertexArrayBindingDivisor(t->array, 1, 1);
    for (GLuint i = 0; i < 3; i++) {
        glEnableVertexArrayAttrib(t->array, i);
        glVertexArrayAttribFormat(t->array, i, 4, GL_FLOAT, GL_FALSE,
                                  i == 2 ? (GLuint)sizeof(float[4]) : 0);
        glVertexArrayAttribBinding(t->array, i, i > 0);
    }
}

otok_status otok_trees_create(otok_trees *t, int deferred)
{
    static const char *const find[OTOK_SHADER_FILES] = {"material.glsl", "canopy.glsl", "tree.glsl",
                                                        "trees.comp"};
    static const char *const direct[OTOK_SHADER_FILES] = {"material.glsl", "tree.glsl",
                                                          "tree.vert",     "material.glsl",
                                                          "tree.glsl",     "tree_direct.frag"};
    static const char *const later[OTOK_SHADER_FILES] = {"material.glsl", "tree.glsl", "tree.vert",
                                                         "material.glsl", "tree.glsl", "tree.frag"};
    t->tried = 1;
    glCreateBuffers(1, &t->list);
    glNamedBufferStorage(t->list, LISTS * ROOM * (GLsizeiptr)sizeof(float[FLOATS]), NULL, 0);
    glCreateBuffers(1, &t->commands);
    make_mesh(t);
    OTOK_TRY(otok_program_create(&t->find, find, "false"));
    OTOK_TRY(otok_tree_shadow_create(&t->shadow));
    return otok_program_create(&t->draw, deferred ? later : direct, "false");
}

void otok_trees_destroy(otok_trees *t)
{
    glDeleteBuffers(4, (const GLuint[]){t->mesh, t->corners, t->list, t->commands});
    glDeleteVertexArrays(1, &t->array);
    glDeleteProgram(t->find);
    otok_tree_shadow_destroy(&t->shadow);
    glDeleteProgram(t->draw);
}

/* The sites within reach of the eye: the first along x and y, and how many. */
static void window_of(const struct uniforms *u, int out[4])
{
    for (int i = 0; i < 2; i++) {
        const float site = u->woods[0], reach = u->woods[1],
                    low = fmaxf(u->eye[i] - reach, 0) / site,
                    high = fminf(u->eye[i] + reach, u->extent[i]) / site;
        out[i] = (int)floorf(low);
        out[2 + i] = (int)ceilf(high) - out[i];
        if (out[2 + i] > OTOK_TREES_SIDE) out[2 + i] = OTOK_TREES_SIDE;
    }
}

void otok_trees_changed(otok_trees *t)
{
    memset(t->shadow.drawn_for, 0, sizeof t->shadow.drawn_for);
}

/* Those that throw shadows have a list of their own behind the others, and the coarsest mesh. */
int otok_trees_find(otok_trees *t, const struct uniforms *u, unsigned unit)
{
    GLuint work[LISTS][5] = {{0}};
    int window[4];
    window_of(u, window);
    if (window[2] <= 0 || window[3] <= 0) return 0;
    const int throws = u->sun[3] > 0 && !otok_tree_shadow_kept(&t->shadow, u);
    for (int k = 0; k < LISTS; k++) {
        const int mesh = k < FINENESS ? k : FINENESS - 1;
        work[k][0] = (GLuint)t->indices[mesh];
        work[k][2] = (GLuint)t->first[mesh];
        work[k][4] = (GLuint)(k * ROOM);
    }
    glNamedBufferData(t->commands, sizeof work, work, GL_STREAM_DRAW);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, t->list);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, t->commands);
    glUseProgram(t->find);
    glUniform4iv(0, 1, window);
    glUniform1i(1, ROOM);
    glUniform1i(2, throws);
    glDispatchCompute((GLuint)(window[2] + GROUP - 1) / GROUP,
                      (GLuint)(window[3] + GROUP - 1) / GROUP, 1);
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_COMMAND_BARRIER_BIT |
                    GL_SHADER_STORAGE_BARRIER_BIT);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, t->commands);
    if (throws) otok_tree_shadow_draw(&t->shadow, t->array, (GLintptr)(sizeof work[0] * FINENESS));
    glBindTextureUnit(unit, t->shadow.depth);
    return 1;
}

void otok_trees_draw(const otok_trees *t)
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, t->list);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, t->commands);
    glUseProgram(t->draw);
    glBindVertexArray(t->array);
    glEnable(GL_CULL_FACE);
    for (int k = 0; k < FINENESS; k++) {
        glUniform1i(1, k * ROOM);
        glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT,
                               (const void *)(sizeof(GLuint[5]) * (size_t)k));
    }
    glDisable(GL_CULL_FACE);
}
