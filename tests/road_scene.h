/* road_scene.h: terrains for the tests of roads, and a road over one. */
#ifndef OTOK_ROAD_SCENE_H
#define OTOK_ROAD_SCENE_H

#include "scene.h"

#include <math.h>

typedef struct landscape {
    otok_grid grid;
    float *base, *change, *road, *road_height, *water;
    otok_road_request request; /* defaults; begin and end still to be set */
} landscape;

static inline landscape landscape_make(int64_t nx, int64_t ny, double spacing)
{
    landscape l = {.grid = {nx, ny, spacing}};
    float **const maps[] = {&l.base, &l.change, &l.road, &l.road_height, &l.water};
    for (int i = 0; i < 5; i++)
        if (!(*maps[i] = calloc((size_t)(nx * ny), sizeof(float)))) exit(1);
    otok_road_request_defaults(&l.request);
    return l;
}

static inline void landscape_free(landscape *l, otok_road *road)
{
    otok_road_destroy(road);
    free(l->base);
    free(l->change);
    free(l->road);
    free(l->road_height);
    free(l->water);
}

/* Hills: a sum of waves with random directions and phases, and noise in every cell. */
static inline void landscape_hills(landscape *l, double height, double noise, uint64_t seed)
{
    double wave[12][3];
    for (int w = 0; w < 12; w++) {
        const double angle = 6.283 * (double)scene_random(&seed),
                     length = 0.02 + 0.3 * (double)scene_random(&seed);
        wave[w][0] = length * cos(angle);
        wave[w][1] = length * sin(angle);
        wave[w][2] = 6.283 * (double)scene_random(&seed);
    }
    for (int64_t j = 0; j < l->grid.ny; j++)
        for (int64_t i = 0; i < l->grid.nx; i++) {
            double h = noise * (double)scene_random(&seed);
            for (int w = 0; w < 12; w++)
                h += height / (double)(w + 1) *
                     sin(wave[w][0] * (double)i + wave[w][1] * (double)j + wave[w][2]);
            l->base[j * l->grid.nx + i] = (float)h;
        }
}

static inline otok_point landscape_point(const landscape *l, int64_t i, int64_t j)
{
    return (otok_point){((double)i + 0.5) * l->grid.spacing, ((double)j + 0.5) * l->grid.spacing,
                        0};
}

static inline otok_status landscape_build(otok_road **out, const landscape *l)
{
    const otok_road_maps maps = {l->grid, l->base, l->change, l->road, l->road_height, l->water};
    return otok_road_create(out, &l->request, &maps);
}

/* Builds the road between two cells. */
static inline void landscape_road(otok_road **road, landscape *l, int64_t x0, int64_t y0,
                                  int64_t x1, int64_t y1)
{
    l->request.from = landscape_point(l, x0, y0);
    l->request.to = landscape_point(l, x1, y1);
    MUST(landscape_build(road, l));
}

#endif
