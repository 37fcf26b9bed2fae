/* directions.c: see directions.h. Libraries of C differ in the last bits of sines. */
#include "directions.h"

#include <math.h>

#define DEGREE 0.017453292519943295
enum { TERMS = 10 };               /* of the series, whose rest is below 1e-17 up to 45 degrees */
static const double CANCEL = 1e-9; /* of the length of all arrows */

/* The series of the sine, or of the cosine, of x within 45 degrees. */
static double series(double x, int is_cosine)
{
    double term = is_cosine ? 1 : x, sum = term;
    for (int k = is_cosine ? 1 : 2, n = 0; n < TERMS; n++, k += 2) {
        term *= -x * x / (double)(k * (k + 1));
        sum += term;
    }
    return sum;
}

otok_arrow otok_arrow_of(double degrees)
{
    const double within = fmod(degrees, 360); /* exact */
    const double quarter = floor(within / 90 + 0.5), x = (within - 90 * quarter) * DEGREE;
    if (!isfinite(degrees)) return (otok_arrow){NAN, NAN};
    const double sine = series(x, 0), cosine = series(x, 1);
    switch (((int)quarter + 4) % 4) {
    case 0: return (otok_arrow){sine, cosine};
    case 1: return (otok_arrow){cosine, -sine};
    case 2: return (otok_arrow){-sine, -cosine};
    default: return (otok_arrow){-cosine, sine};
    }
}

/* Each step turns the rest of the angle, of at most 45 degrees, by its tangent's first term. */
double otok_direction_of(otok_arrow sum, int64_t n)
{
    const double length = sqrt(sum.east * sum.east + sum.north * sum.north);
    if (!(length > CANCEL * (double)n)) return NAN;
    const int is_steep = fabs(sum.north) >= fabs(sum.east);
    double found = is_steep ? (sum.north > 0 ? 0 : 180) : (sum.east > 0 ? 90 : 270);
    for (int k = 0; k < 6; k++) {
        const otok_arrow at = otok_arrow_of(found);
        found += (sum.east * at.north - sum.north * at.east) / length / DEGREE;
    }
    if (found < 0) found += 360;
    return found < 360 ? found : 0;
}
