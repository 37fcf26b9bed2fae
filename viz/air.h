/* air.h: the sun's light after its way through clear air: a table of the sky's radiance, and the
   light that reaches the ground. It follows Hillaire 2020, "A scalable and production ready sky and
   atmosphere rendering technique", which sums all scattering of higher orders as one geometric
   series. It computes numbers on the host and knows no OpenGL. */
#ifndef OTOK_AIR_H
#define OTOK_AIR_H

/* The table's columns go from the sun's azimuth to the opposite one, its rows from the horizon (row
   0) to the zenith, at elevations of 90 degrees times the square of (row + 1/2) / OTOK_AIR_ROWS:
   half the rows show the lowest quarter, where the colours are. */
enum { OTOK_AIR_COLUMNS = 64, OTOK_AIR_ROWS = 64 };

/* Red, green, blue. The unit of radiance is what a white, matt surface sends back if the sun lights
   it without air. */
typedef struct otok_air {
    float sky[OTOK_AIR_ROWS][OTOK_AIR_COLUMNS]
             [4];        /* radiance, without the sun's disc; the fourth is 1 */
    float sun[3];        /* of a white surface that faces the sun     */
    float ground[3];     /* of a white, level surface in the sky's light alone */
    float extinction[3]; /* of light along the ground [1/m]            */
} otok_air;

/* `elevation`: of the sun [degree]. `haze`: dust and droplets in the air, 1 on a clear day. */
void otok_air_make(otok_air *out, double elevation, double haze);

#endif
