/* tree_mesh.h: the forms of trees, in triangles: crowns that differ in outline, each on a trunk. */
#ifndef OTOK_VIZ_TREE_MESH_H
#define OTOK_VIZ_TREE_MESH_H

#include <epoxy/gl.h>

/* As in shaders/tree.glsl. */
typedef enum otok_tree_form { OTOK_TREE_HEAPS, OTOK_TREE_TIERS, OTOK_TREE_FRONDS } otok_tree_form;
#define OTOK_TREE_LEAN 0.5f /* of a palm's foot, in radii of its crown; as in shaders/tree.glsl */

enum { OTOK_TREE_POINTS = 1400, OTOK_TREE_CORNERS = 6000 }; /* of all forms, at most */

typedef struct otok_tree_mesh {
    float point[OTOK_TREE_POINTS][4]; /* w: 1 on the trunk, whose foot is at z = -1 */
    GLushort corner[OTOK_TREE_CORNERS];
    int points, corners;
} otok_tree_mesh;

/* Adds a form, from the finest (0) to the coarsest (2). */
void otok_tree_mesh_add(otok_tree_mesh *mesh, otok_tree_form form, int coarse);

#endif
