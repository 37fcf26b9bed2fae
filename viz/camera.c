/* camera.c: the geometry of the orbit. */
#include "camera.h"

#include <math.h>
#include <string.h>

static const double degree = M_PI / 180;

/* right, up, forward as unit vectors. */
static void camera_axes(const otok_camera *c, double out[3][3])
{
    const double a = c->azimuth * degree, e = c->elevation * degree;
    const double back[3] = {sin(a) * cos(e), cos(a) * cos(e), sin(e)},
                 right[3] = {-cos(a), sin(a), 0};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[0][i] = right[i];
        out[1][i] = back[j] * right[k] - back[k] * right[j];
        out[2][i] = -back[i];
    }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void otok_camera_frame(const otok_camera *c, int width, int height, otok_frame *out)
{
    double axis[3][3], eye[3];
    camera_axes(c, axis);
    for (int i = 0; i < 3; i++)
        eye[i] = c->target[i] - c->distance * axis[2][i];
    const double tall = tan(c->angle * degree / 2), wide = tall * width / height,
                 near = c->distance / 1000;
    const double row[4][4] = {
        {axis[0][0] / wide, axis[0][1] / wide, axis[0][2] / wide, -dot(axis[0], eye) / wide},
        {axis[1][0] / tall, axis[1][1] / tall, axis[1][2] / tall, -dot(axis[1], eye) / tall},
        {0, 0, 0, near},
        {axis[2][0], axis[2][1], axis[2][2], -dot(axis[2], eye)}};
    for (int i = 0; i < 16; i++)
        out->to_clip[i] = (float)row[i % 4][i / 4];
    for (int i = 0; i < 3; i++) {
        out->eye[i] = (float)eye[i];
        out->right[i] = (float)(axis[0][i] * wide);
        out->up[i] = (float)(axis[1][i] * tall);
        out->forward[i] = (float)axis[2][i];
    }
    out->pixels = (float)(height / 2.0 / tall);
}

/* The bounds of the points on the picture plane at one metre: left, right, bottom, top. 0: one lies
   behind the eye. */
static int picture_bounds(const otok_camera *c, double axis[3][3], const double (*points)[3], int n,
                          double out[4])
{
    out[0] = out[2] = INFINITY, out[1] = out[3] = -INFINITY;
    for (int i = 0; i < n; i++) {
        double to[3];
        for (int k = 0; k < 3; k++)
            to[k] = points[i][k] - c->target[k] + c->distance * axis[2][k];
        const double far = dot(to, axis[2]), x = dot(to, axis[0]) / far, y = dot(to, axis[1]) / far;
        if (far < 0.02 * c->distance) return 0;
        out[0] = fmin(out[0], x), out[1] = fmax(out[1], x);
        out[2] = fmin(out[2], y), out[3] = fmax(out[3], y);
    }
    return 1;
}

/* Are they all in the picture? */
static int sees_points(const otok_camera *c, const double (*points)[3], int n, int width,
                       int height)
{
    const double tall = tan(c->angle * degree / 2), wide = tall * width / height;
    double axis[3][3], b[4];
    camera_axes(c, axis);
    return picture_bounds(c, axis, points, n, b) && fmax(-b[0], b[1]) <= wide &&
           fmax(-b[2], b[3]) <= tall;
}

void otok_camera_widen(otok_camera *c, const double (*points)[3], int n, int width, int height)
{
    for (int i = 0; i < 512 && !sees_points(c, points, n, width, height); i++)
        c->distance *= 1.02;
}

/* Sets the middle and the distance in turn, because each shift changes the fitting distance a
   little, and the reverse. */
static void centre_on(otok_camera *c, const double (*points)[3], int n, int width, int height,
                      double size, int turns, double part)
{
    const double margin = 1.06, tall = tan(c->angle * degree / 2) / margin,
                 wide = tall * width / height;
    double axis[3][3], b[4];
    camera_axes(c, axis);
    for (int turn = 0; turn < turns; turn++) {
        double near = 0, far = 20 * size / fmin(tall, wide) + 1;
        for (int i = 0; i < 40; i++) {
            c->distance = (near + far) / 2;
            const int fits = picture_bounds(c, axis, points, n, b) && b[1] - b[0] <= 2 * wide &&
                             b[3] - b[2] <= 2 * tall;
            *(fits ? &far : &near) = c->distance;
        }
        c->distance = far;
        picture_bounds(c, axis, points, n, b);
        for (int k = 0; k < 3; k++)
            c->target[k] +=
                part * far * (axis[0][k] * (b[0] + b[1]) / 2 + axis[1][k] * (b[2] + b[3]) / 2);
    }
}

void otok_camera_fit(otok_camera *c, const double (*points)[3], int n, int width, int height)
{
    double middle[3], size = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++)
            low = fmin(low, points[i][k]), high = fmax(high, points[i][k]);
        middle[k] = (low + high) / 2;
        size += (high - low) * (high - low);
    }
    memcpy(c->target, middle, sizeof middle);
    centre_on(c, points, n, width, height, sqrt(size), 8, 1);
    if (sees_points(c, points, n, width, height)) return;
    memcpy(c->target, middle,
           sizeof middle); /* what is near at a wide angle runs away from whole shifts */
    centre_on(c, points, n, width, height, sqrt(size), 64, 0.25);
    otok_camera_widen(c, points, n, width, height);
}
