/* trees.c: see trees.h. */
#include "trees.h"
#include "scene_state.h"
#include "shader.h"
#include "tree_mesh.h"

#include <math.h>
#include <string.h>

enum { ROOM = OTOK_TREES_SIDE * OTOK_TREES_SIDE, FLOATS = 8 }; /* of a tree */
enum { FINENESS = OTOK_TREES_MESHES, KINDS = OTOK_SPECIES * FINENESS, LISTS = KINDS + 1 };

/* Where a list begins, and its room. Finer trees stand nearer, and there are fewer sites for them.
   The last list holds the trees of all species that throw shadows. */
static void list_range(int k, int out[2])
{
    static const int room[FINENESS] = {ROOM / 16, ROOM / 4, ROOM};
    out[0] = k / FINENESS * (room[0] + room[1] + room[2]);
    for (int i = 0; i < k % FINENESS; i++)
        out[0] += room[i];
    out[1] = k < KINDS ? room[k % FINENESS] : ROOM;
}

static void make_meshes(otok_trees *t)
{
    otok_tree_mesh b = {.points = 0};
    for (int k = 0; k < KINDS; k++) {
        t->first[k] = b.corners;
        otok_tree_mesh_add(&b, otok_species_rows[k / FINENESS].form, k % FINENESS);
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
    int last[2];
    t->tried = 1;
    glCreateBuffers(1, &t->list);
    list_range(KINDS, last);
    glNamedBufferStorage(t->list, (last[0] + last[1]) * (GLsizeiptr)sizeof(float[FLOATS]), NULL, 0);
    glCreateBuffers(1, &t->commands);
    make_meshes(t);
    OTOK_TRY(otok_program_create(
        &t->find, OTOK_FILES("material.glsl", "canopy.glsl", "tree.glsl", "trees.comp"), "false"));
    OTOK_TRY(otok_tree_shadow_create(&t->shadow));
    return otok_program_create(&t->draw,
                               OTOK_FILES("material.glsl", "tree.glsl", "tree.vert",
                                          "material.glsl", "tree.glsl",
                                          deferred ? "tree.frag" : "tree_direct.frag"),
                               "false");
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
static void sites_near_eye(const struct uniforms *u, int out[4])
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

/* Trees that throw shadows have the coarsest mesh of the first species, bent by the shader. */
int otok_trees_find(otok_trees *t, const struct uniforms *u, unsigned unit)
{
    GLuint work[LISTS][5] = {{0}};
    int window[4], lists[LISTS][2];
    sites_near_eye(u, window);
    if (window[2] <= 0 || window[3] <= 0) return 0;
    const int throws = u->sun[3] > 0 && !otok_tree_shadow_kept(&t->shadow, u);
    for (int k = 0; k < LISTS; k++) {
        const int mesh = k < KINDS ? k : FINENESS - 1;
        list_range(k, lists[k]);
        work[k][0] = (GLuint)t->indices[mesh];
        work[k][2] = (GLuint)t->first[mesh];
        work[k][4] = (GLuint)lists[k][0];
    }
    glNamedBufferData(t->commands, sizeof work, work, GL_STREAM_DRAW);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, t->list);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, t->commands);
    glUseProgram(t->find);
    glUniform4iv(0, 1, window);
    glUniform1i(1, throws);
    glUniform2iv(2, LISTS, lists[0]);
    otok_program_run(t->find, window[2], window[3],
                     GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_COMMAND_BARRIER_BIT |
                         GL_SHADER_STORAGE_BARRIER_BIT);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, t->commands);
    if (throws) otok_tree_shadow_draw(&t->shadow, t->array, (GLintptr)(sizeof work[0] * KINDS));
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
    for (int k = 0; k < KINDS; k++) {
        int list[2];
        list_range(k, list);
        glUniform1i(1, list[0]);
        glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT,
                               (const void *)(sizeof(GLuint[5]) * (size_t)k));
    }
    glDisable(GL_CULL_FACE);
}
