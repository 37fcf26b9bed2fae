/* swell.h: the sea's waves: a spectrum that wind has made, divided among three tiles that repeat,
   and the shape of these waves at a moment, by the Fourier transform (shaders/swell_*.comp).
   Lengths are in units of the map's longer side, and g is 1, so times are in units of sqrt(side/g).
   These are waves of the open sea. shaders/sea.glsl damps them where the sea is shallow. */
#ifndef OTOK_VIZ_SWELL_H
#define OTOK_VIZ_SWELL_H

#include "../src/core/status.h"

#include <epoxy/gl.h>

enum { OTOK_SWELL_SIDE = 256, OTOK_SWELL_TILES = 3 }; /* texels along a side of a tile; tiles */

/* Tiles along the side. Each is phi^4 times as fine as the one before, because fractions come less
   near to the golden ratio phi than to any other number. They are turned against the swell [rad],
   so that no two repeat along the same lines. */
#define OTOK_SWELL_ALONG 2.9, 19.8772, 136.2409
#define OTOK_SWELL_TURNED 0.31, -0.47, 1.13

/* Waves are as on a map that is no longer than this [m]: on longer ones they keep their metres. */
#define OTOK_SWELL_MAP 1024.0

/* The waves of a tile (malloc); NULL: no memory. A wave repeats n[0] times along the tile and n[1]
   times across it. At [n[1] mod SIDE][n[0] mod SIDE] are its complex amplitude at moment 0, and
   that of (-n[0], -n[1]). The mean square of all heights is the integral of the spectrum over the
   band of the tile. */
typedef float otok_swell_mode[4];
otok_swell_mode *otok_swell_modes(int tile);

/* After so long all waves are as they were: their frequencies are rounded. */
#define OTOK_SWELL_LOOP 64.0

typedef struct otok_swell {
    GLuint rows, columns, tiles; /* programs */
    GLuint modes, fields[2];     /* fields: height in hundredths of a tile's side, Dxy, slopes;
                                    displacement, Dxx, Dyy */
    GLuint tile;                 /* slopes, their square, how far a patch is squeezed, less 1 */
    double moment;               /* that `tile` shows */
    int shown;                   /* so many of the tiles */
} otok_swell;

/* OTOK_DEVICE: a shader fails on this device, and how. Destroy it in any case. */
otok_status otok_swell_create(otok_swell *out);
void otok_swell_destroy(otok_swell *swell); /* also one that was not created */

/* Makes the first n tiles for a moment [s] and a map with a side [m], unless they are made
   already. */
void otok_swell_update(otok_swell *swell, int n, double moment, double side);

#endif
