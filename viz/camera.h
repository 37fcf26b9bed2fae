/* camera.h: an orbit around a point, from which the scene is seen. It knows no OpenGL. */
#ifndef OTOK_CAMERA_H
#define OTOK_CAMERA_H

#include "../src/core/status.h"

typedef struct otok_camera {
    double target[3]; /* x, y, z [m]                                                        */
    double azimuth, elevation,
        distance; /* of the eye from the target: clockwise from +y, up [degree]; [m]    */
    double angle; /* of view, from the bottom of the picture to its top [degree]        */
} otok_camera;

typedef struct otok_frame {
    float to_clip[16]; /* column by column; depth is near/distance, 0 at infinity            */
    float eye[3], right[3], up[3], forward[3]; /* right and up are half the picture at one metre */
    float pixels; /* along one metre at one metre                                       */
} otok_frame;

void otok_camera_frame(const otok_camera *camera, int width, int height, otok_frame *out);

/* Sets target and distance so that the points just fit into the picture, with a margin around
   them. */
void otok_camera_fit(otok_camera *camera, const double (*points)[3], int n, int width, int height);

/* Moves the eye away until all points are in the picture. It stays if they are. */
void otok_camera_widen(otok_camera *camera, const double (*points)[3], int n, int width,
                       int height);

#endif
