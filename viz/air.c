/* air.c: see air.h. Lengths in kilometres. A point of the air is its distance r from the planet's
   middle; a direction is the cosine mu of its angle with the vertical. */
#include "air.h"

#include <math.h>
#include <string.h>

enum {
    ALONG = 64,
    HIGH = 16,
    DIRECTIONS = 8,
    MARCH = 24
}; /* tables: cosines, heights; steps along a ray */

/* The earth's air, from table 1 of Hillaire 2020. */
static const double bottom = 6360, top = 6460, rayleigh[3] = {5.802e-3, 13.558e-3, 33.1e-3},
                    mie_scatters = 3.996e-3, mie_absorbs = 4.40e-3,
                    ozone[3] = {0.650e-3, 1.881e-3, 0.085e-3}, forward = 0.8;
static const double albedo = 0.1; /* of the planet, most of it sea */
static const double eye = 0.1;    /* height above the ground */

typedef struct medium {
    double scatter[3], extinction[3],
        mie; /* [1/km]; mie: the part of scattering that is by droplets */
} medium;

typedef struct tables {
    double haze, transmittance[HIGH][ALONG][3], higher[HIGH][ALONG][3];
} tables;

static medium medium_at(double r, double haze)
{
    const double h = fmax(r - bottom, 0), thin = exp(-h / 8), low = haze * exp(-h / 1.2),
                 layer = fmax(0, 1 - fabs(h - 25) / 15);
    medium m = {.mie = mie_scatters * low};
    for (int c = 0; c < 3; c++) {
        m.scatter[c] = rayleigh[c] * thin + m.mie;
        m.extinction[c] = m.scatter[c] + mie_absorbs * low + ozone[c] * layer;
    }
    return m;
}

/* The distance from r, within a sphere, to it; below 0: the ray misses it. */
static double distance_to_sphere(double r, double mu, double sphere, int nearest)
{
    const double under = r * r * (mu * mu - 1) + sphere * sphere;
    return under < 0 ? -1 : -r * mu + (nearest ? -1 : 1) * sqrt(under);
}

static double ray_length(double r, double mu, int *ground)
{
    const double down = mu < 0 ? distance_to_sphere(r, mu, bottom, 1) : -1;
    *ground = down > 0;
    return *ground ? down : distance_to_sphere(r, mu, top, 0);
}

/* The position of a point and of a cosine in the tables. Rows crowd where the air is dense, and
   columns at the horizon. */
static double row_of(double r)
{
    return sqrt(fmin(fmax((r - bottom) / (top - bottom), 0), 1)) * (HIGH - 1);
}

static double column_of(double mu)
{
    return (0.5 + 0.5 * copysign(sqrt(fabs(mu)), mu)) * (ALONG - 1);
}

static double radius_of(int row)
{
    const double x = (double)row / (HIGH - 1);
    return bottom + (top - bottom) * x * x;
}

static double cosine_of(int column)
{
    const double x = 2.0 * column / (ALONG - 1) - 1;
    return copysign(x * x, x);
}

static void interpolate_table(double table[HIGH][ALONG][3], double r, double mu, double out[3])
{
    const double y = row_of(r), x = column_of(mu);
    const int j = y < HIGH - 1 ? (int)y : HIGH - 2, i = x < ALONG - 1 ? (int)x : ALONG - 2;
    const double b = y - j, a = x - i;
    for (int c = 0; c < 3; c++)
        out[c] = (table[j][i][c] * (1 - a) + table[j][i + 1][c] * a) * (1 - b) +
                 (table[j + 1][i][c] * (1 - a) + table[j + 1][i + 1][c] * a) * b;
}

/* The share of light that comes through the air from outside. No light comes through the planet. */
static void make_transmittance(tables *t)
{
    for (int j = 0; j < HIGH; j++)
        for (int i = 0; i < ALONG; i++) {
            int ground;
            const double r = radius_of(j), mu = cosine_of(i), end = ray_length(r, mu, &ground),
                         step = end / MARCH;
            double depth[3] = {0};
            for (int k = 0; k < MARCH; k++) {
                const double s = (k + 0.5) * step;
                const medium m = medium_at(sqrt(r * r + s * s + 2 * r * mu * s), t->haze);
                for (int c = 0; c < 3; c++)
                    depth[c] += m.extinction[c] * step;
            }
            for (int c = 0; c < 3; c++)
                t->transmittance[j][i][c] = ground ? 0 : exp(-depth[c]);
        }
}

/* Cornette and Shanks 1992 for droplets. */
static double phase_mie(double c)
{
    const double g = forward;
    return 3 / (8 * M_PI) * (1 - g * g) * (1 + c * c) /
           ((2 + g * g) * pow(1 + g * g - 2 * g * c, 1.5));
}

static double phase_rayleigh(double c)
{
    return 3 / (16 * M_PI) * (1 + c * c);
}

/* A ray whatever the sun: its points, what is seen of the light that they scatter, what comes
   through, and what a radiance of 1 from all sides would give. */
typedef struct ray {
    double r, mu, end, s[MARCH], at[MARCH], seen[MARCH][3], through[3], share[3];
    medium there[MARCH];
    int ground;
} ray;

static void march_ray(const tables *t, double r, double mu, ray *y)
{
    double before = 0;
    *y = (ray){.r = r, .mu = mu, .through = {1, 1, 1}};
    y->end = ray_length(r, mu, &y->ground);
    for (int k = 0; k < MARCH; k++) {
        const double x = (k + 1.0) / MARCH, to = y->end * x * x, s = (before + to) / 2,
                     step = to - before; /* finer near the eye */
        y->s[k] = s;
        y->at[k] = sqrt(r * r + s * s + 2 * r * mu * s);
        const medium m = y->there[k] = medium_at(y->at[k], t->haze);
        for (int c = 0; c < 3; c++) {
            const double passes = exp(-m.extinction[c] * step);
            y->seen[k][c] = y->through[c] * (1 - passes) / fmax(m.extinction[c], 1e-12);
            y->share[c] += y->seen[k][c] * m.scatter[c];
            y->through[c] *= passes;
        }
        before = to;
    }
}

/* Radiance along a ray, for a sun of irradiance pi. With `even`, light is scattered evenly and has
   no higher orders. */
static void light_ray(tables *t, const ray *y, double sun, double azimuth, int even, double out[3])
{
    const double beside = y->mu * sun + sqrt(fmax(0, 1 - y->mu * y->mu)) *
                                            sqrt(fmax(0, 1 - sun * sun)) *
                                            cos(azimuth), /* the cosine of its angle with the sun */
        air = phase_rayleigh(beside), droplets = phase_mie(beside);
    double lit[3], higher[3] = {0};
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < MARCH; k++) {
        const medium *m = &y->there[k];
        const double at = y->at[k],
                     up = (y->r * sun + y->s[k] * beside) / at; /* the sun's cosine there */
        interpolate_table(t->transmittance, at, up, lit);
        if (!even) interpolate_table(t->higher, at, up, higher);
        for (int c = 0; c < 3; c++) {
            const double single = even ? m->scatter[c] / (4 * M_PI)
                                       : (m->scatter[c] - m->mie) * air + m->mie * droplets;
            out[c] += y->seen[k][c] * (M_PI * lit[c] * single + m->scatter[c] * higher[c]);
        }
    }
    if (!y->ground) return;
    const double up = (y->r * sun + y->end * beside) / bottom;
    interpolate_table(t->transmittance, bottom, up, lit);
    for (int c = 0; c < 3; c++)
        out[c] += y->through[c] * albedo * lit[c] * fmax(up, 0);
}

/* Light that is scattered twice and more: the second order times a geometric series, for a sun of
   irradiance pi. */
static void make_higher_orders(tables *t)
{
    ray rays[DIRECTIONS];
    for (int j = 0; j < HIGH; j++) {
        for (int d = 0; d < DIRECTIONS; d++) /* evenly over the sphere */
            march_ray(t, fmax(radius_of(j), bottom + 0.01), 1 - 2 * (d + 0.5) / DIRECTIONS,
                      &rays[d]);
        for (int i = 0; i < ALONG; i++) {
            double second[3] = {0}, again[3] = {0};
            for (int d = 0; d < DIRECTIONS * DIRECTIONS; d++) {
                const ray *y = &rays[d / DIRECTIONS];
                double one[3];
                light_ray(t, y, cosine_of(i), 2 * M_PI * (d % DIRECTIONS + 0.5) / DIRECTIONS, 1,
                          one);
                for (int c = 0; c < 3; c++)
                    second[c] += one[c] / (DIRECTIONS * DIRECTIONS),
                        again[c] += y->share[c] / (DIRECTIONS * DIRECTIONS);
            }
            for (int c = 0; c < 3; c++)
                t->higher[j][i][c] = second[c] / (1 - again[c]);
        }
    }
}

void otok_air_make(otok_air *out, double elevation, double haze)
{
    static tables t = {.haze = -1}; /* kept: a sun that moves changes no table of the air */
    const double sun = sin(elevation * M_PI / 180);
    double weights = 0;
    if (t.haze != haze) {
        t.haze = haze;
        make_transmittance(&t);
        make_higher_orders(&t);
    }
    memset(out, 0, sizeof *out);
    for (int j = 0; j < OTOK_AIR_ROWS; j++) {
        const double x = (j + 0.5) / OTOK_AIR_ROWS, up = M_PI / 2 * x * x,
                     weight = sin(up) * cos(up) * x; /* times the width of a row */
        ray y;
        march_ray(&t, bottom + eye, sin(up), &y);
        for (int i = 0; i < OTOK_AIR_COLUMNS; i++) {
            double sky[3];
            light_ray(&t, &y, sun, M_PI * (i + 0.5) / OTOK_AIR_COLUMNS, 0, sky);
            for (int c = 0; c < 3; c++) {
                out->sky[j][i][c] = (float)sky[c];
                out->ground[c] += (float)(sky[c] * weight);
            }
            out->sky[j][i][3] = 1;
            weights += weight;
        }
    }
    double lit[3];
    interpolate_table(t.transmittance, bottom + eye, sun, lit);
    const medium m = medium_at(bottom, haze);
    for (int c = 0; c < 3; c++) {
        out->sun[c] = (float)lit[c];
        out->ground[c] /= (float)weights;
        out->extinction[c] = (float)(m.extinction[c] / 1000);
    }
}
