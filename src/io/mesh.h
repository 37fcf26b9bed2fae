/* mesh.h: writes the terrain as triangles in metres, for modellers and point-and-mesh tools: as PLY
   with every field, as glTF with water and colours; and fields as an image of VTK. */
#ifndef OTOK_MESH_H
#define OTOK_MESH_H

#include "checkpoint.h"

typedef struct otok_mesh_options {
    double radius;     /* > 0: a sphere of this radius [m], whose equirectangular shell is the map,
                          row 0 at the south pole; 0: a sheet */
    double exaggerate; /* factor of heights, usually 1 */
} otok_mesh_options;

/* A sheet has a vertex at the centre of each cell, z up, and two triangles between four cells. A
   sphere is closed: column 0 follows the last one, and a vertex at each pole has the mean of its
   row. Triangles turn counter-clockwise seen from outside (from above). The snapshot must hold a
   terrain. Binary, little-endian: x, y, z as float32, then every field of the snapshot under its
   own name. OTOK_USAGE: the grid is too small, or has too many vertices for 32-bit indices. */
otok_status otok_ply_write(const char *path, const otok_snapshot *snapshot,
                           const otok_mesh_options *options);

/* PATH.gltf, and beside it .bin and .png. Meshes `terrain`, `water` where rivers and lakes stand,
   and `sea`; the height of a reef is the attribute _REEF. Cells without data are left out.
   OTOK_USAGE: the grid is too small or too large. */
otok_status otok_gltf_write(const char *path, const otok_snapshot *snapshot, double exaggerate);

/* VTK's XML image data (vti.c): one field, whose map this is, or, field -1, all that are stored. */
otok_status otok_vti_write(const char *path, const otok_snapshot *snapshot, int field,
                           const float *map);

#endif
