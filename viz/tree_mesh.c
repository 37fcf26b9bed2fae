/* tree_mesh.c: see tree_mesh.h. All lengths are in radii of the crown, around its middle; along z
   half its height is 1. */
#include "tree_mesh.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { HEAPS = 14 };
static const float TURN = 6.2831853f;

static int add_point(otok_tree_mesh *b, float x, float y, float z, float bark)
{
    const float p[4] = {x, y, z, bark};
    assert(b->points < OTOK_TREE_POINTS);
    memcpy(b->point[b->points], p, sizeof p);
    return b->points++;
}

static void add_triangle(otok_tree_mesh *b, int i, int j, int k)
{
    const int corner[3] = {i, j, k};
    assert(b->corners + 3 <= OTOK_TREE_CORNERS);
    for (int c = 0; c < 3; c++)
        b->corner[b->corners++] = (GLushort)corner[c];
}

/* The point of the unit sphere between two points. Both triangles that share the edge get the same
   one. */
static int edge_midpoint(otok_tree_mesh *b, int i, int j, int first)
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

/* Divides a triangle of a crown into four, and each of these again, `times` times. */
static void add_divided_triangle(otok_tree_mesh *b, int i, int j, int k, int first, int times)
{
    if (times == 0) {
        add_triangle(b, i, j, k);
        return;
    }
    const int ij = edge_midpoint(b, i, j, first), jk = edge_midpoint(b, j, k, first),
              ki = edge_midpoint(b, k, i, first);
    add_divided_triangle(b, i, ij, ki, first, times - 1);
    add_divided_triangle(b, j, jk, ij, first, times - 1);
    add_divided_triangle(b, k, ki, jk, first, times - 1);
    add_divided_triangle(b, ij, jk, ki, first, times - 1);
}

/* How far the crown reaches in a direction: heaps of leaves, spread evenly, and flat below. */
static float crown_radius(const float q[3])
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

/* Broadleaf: an icosahedron, each triangle of which is divided `times` times. */
static void add_heaps(otok_tree_mesh *b, int times)
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
        add_divided_triangle(b, first + faces[f][0], first + faces[f][1], first + faces[f][2],
                             first, times);
    for (int p = first; p < b->points; p++) {
        const float far = crown_radius(b->point[p]);
        for (int k = 0; k < 3; k++)
            b->point[p][k] *= far * (k == 2 && b->point[p][2] < 0 ? 0.75f : 1);
    }
}

static void add_quad(otok_tree_mesh *b, int i, int j, int k, int l)
{
    add_triangle(b, i, j, k);
    add_triangle(b, i, k, l);
}

/* Conifer: tiers of branches, each narrower than the one below, whose tips stand out by turns. */
static void add_tiers(otok_tree_mesh *b, int tiers, int sides)
{
    int above = add_point(b, 0, 0, 1, 0), around = 0;
    for (int i = 0; i < 2 * tiers; i++) {
        const int inner = i & 1, first = b->points;
        const float low = 2 * (float)(i / 2 + 1) / (float)tiers, wide = 0.12f + 0.44f * low;
        for (int k = 0; k < sides; k++) {
            const float angle = TURN * ((float)k + 0.3f * (float)(i / 2)) / (float)sides,
                        tip = (k + i / 2) & 1 ? 0.80f : 1.0f, r = wide * (inner ? 0.42f : tip);
            add_point(b, r * cosf(angle), r * sinf(angle),
                      1 - low + (inner ? 0.20f : 0.12f * (1 - tip)), 0);
        }
        for (int k = 0; k < sides; k++) {
            const int next = (k + 1) % sides;
            if (around)
                add_quad(b, above + k, first + k, first + next, above + next);
            else
                add_triangle(b, above, first + k, first + next);
        }
        above = first;
        around = 1;
    }
}

/* Palm: fronds that rise from one point, bend, and hang; each has an upper and a lower face. */
static void add_fronds(otok_tree_mesh *b, int fronds, int pieces)
{
    for (int f = 0; f < fronds; f++) {
        const float angle = TURN * (float)f / (float)fronds, x = cosf(angle), y = sinf(angle),
                    rise = 0.7f + 0.55f * (float)(f * 5 % 3), far = 1 - 0.10f * (float)(f * 5 % 3);
        int before = 0;
        for (int i = 0; i <= pieces; i++) {
            const float s = (float)i / (float)pieces, out = far * s * (1 - 0.12f * s),
                        z = 0.3f + rise * 1.5f * s - 2.2f * s * s,
                        wide = 1.35f / (float)fronds * sqrtf(sinf(3.0f * (0.04f + 0.96f * s)));
            const int at = add_point(b, out * x - wide * y, out * y + wide * x, z - 0.8f * wide, 0);
            add_point(b, out * x, out * y, z, 0);
            add_point(b, out * x + wide * y, out * y - wide * x, z - 0.8f * wide, 0);
            for (int k = 0; k < 2 && i > 0; k++) {
                add_quad(b, before + k, before + k + 1, at + k + 1, at + k);
                add_quad(b, at + k, at + k + 1, before + k + 1, before + k);
            }
            before = at;
        }
    }
}

/* A trunk of rings of three points, from the foot to the middle of the crown. It leans by
   `lean`. */
static void add_trunk(otok_tree_mesh *b, float low, float high, float lean, int pieces)
{
    const int first = b->points;
    for (int j = 0; j <= pieces; j++) {
        const float z = (float)j / (float)pieces - 1, wide = high + (low - high) * z * z;
        for (int i = 0; i < 3; i++) {
            const float angle = TURN / 3 * (float)i;
            add_point(b, wide * cosf(angle) + lean * z * z, wide * sinf(angle), z, 1);
        }
    }
    for (int j = 0; j < pieces; j++)
        for (int i = 0; i < 3; i++) {
            const int at = first + 3 * j + i, next = first + 3 * j + (i + 1) % 3;
            add_quad(b, at, next, next + 3, at + 3);
        }
}

void otok_tree_mesh_add(otok_tree_mesh *b, otok_tree_form form, int coarse)
{
    switch (form) {
    case OTOK_TREE_HEAPS:
        add_heaps(b, 2 - coarse);
        add_trunk(b, 0.11f, 0.06f, 0, 1);
        break;
    case OTOK_TREE_TIERS:
        add_tiers(b, 5 - 2 * coarse, 10 - 2 * coarse);
        add_trunk(b, 0.14f, 0.10f, 0, 1);
        break;
    case OTOK_TREE_FRONDS:
        add_fronds(b, 11 - 2 * coarse, 5 - 2 * coarse);
        add_trunk(b, 0.10f, 0.07f, OTOK_TREE_LEAN, coarse ? 2 : 4);
        break;
    }
}
