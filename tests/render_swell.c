/* render_swell.c - claim: the fields of the sea's waves are the sum of their modes at any moment,
   to 1e-4 of their greatest; four standard deviations of all tiles' heights are the significant
   wave height of the spectrum within 2 %, and the variance of each tile is that of its band within
   3 %, so that none is counted twice. CHECK_ONCE */
#include "drawing.h"
#include "viz/swell.h"

#include <math.h>

enum { SIDE = OTOK_SWELL_SIDE, TILES = OTOK_SWELL_TILES, FIELDS = 8, PLACES = 12 };

static const double PI = 3.14159265358979323846, along[TILES] = {OTOK_SWELL_ALONG};
static float fields[2][TILES][SIDE][SIDE][4];
static otok_swell_mode *modes[TILES];

/* The fields at a texel, wave by wave: height, Dxy, slopes; displacement, Dxx, Dyy. */
static void sum_of_modes(int tile, int i, int j, double loops, double out[FIELDS])
{
    memset(out, 0, FIELDS * sizeof *out);
    for (int m = 0; m < SIDE * SIDE; m++) {
        const float *a = modes[tile][m];
        const int n0 = m % SIDE < SIDE / 2 ? m % SIDE : m % SIDE - SIDE,
                  n1 = m / SIDE < SIDE / 2 ? m / SIDE : m / SIDE - SIDE;
        if (a[0] == 0 && a[1] == 0) continue;
        const double kx = 2 * PI * along[tile] * n0, ky = 2 * PI * along[tile] * n1,
                     k = hypot(kx, ky);
        const double phase = 2 * PI *
                             ((double)(n0 * i + n1 * j) / SIDE -
                              loops * round(OTOK_SWELL_LOOP * sqrt(k))),
                     c = cos(phase), s = sin(phase);
        /* h(k) exp(i phase) and its conjugate, that of the mode at -k */
        const double h = 2 * ((double)a[0] * c - (double)a[1] * s),
                     turned = -2 * ((double)a[0] * s + (double)a[1] * c);
        const double term[FIELDS] = {100 * along[tile] * h, -kx * ky / k * h, kx * turned,
                                     ky * turned,           kx / k * turned,  ky / k * turned,
                                     -kx * kx / k * h,      -ky * ky / k * h};
        for (int f = 0; f < FIELDS; f++)
            out[f] += term[f];
    }
}

static void read(otok_swell *swell, double moment)
{
    otok_swell_update(swell, TILES, moment, 9.81);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    for (int k = 0; k < 2; k++)
        glGetTextureImage(swell->fields[k], 0, GL_RGBA, GL_FLOAT, sizeof fields[k], fields[k]);
}

static void direct(double moment)
{
    const double loops = moment / (2 * PI * OTOK_SWELL_LOOP);
    for (int tile = 0; tile < TILES; tile++) {
        double greatest[FIELDS] = {0}, worst = 0;
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                for (int f = 0; f < FIELDS; f++)
                    greatest[f] = fmax(greatest[f], fabs((double)fields[f / 4][tile][j][i][f % 4]));
        for (int n = 0; n < PLACES; n++) {
            const int i = (n * 97 + 5) % SIDE, j = (n * 61 + 30) % SIDE;
            double expected[FIELDS];
            sum_of_modes(tile, i, j, loops, expected);
            for (int f = 0; f < FIELDS; f++)
                worst = fmax(worst, fabs((double)fields[f / 4][tile][j][i][f % 4] - expected[f]) /
                                        greatest[f]);
        }
        CHECK(worst < 1e-4, "tile %d at %g: %.2g of its greatest away from its modes", tile, moment,
              worst);
    }
}

/* JONSWAP over frequencies from a to b, which directions do not change. */
static double energy(double a, double b)
{
    enum { STEPS = 20000 };
    const double peak = sqrt(2 * PI * 28);
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const double w = a + (b - a) * (i + 0.5) / STEPS, width = w <= peak ? 0.07 : 0.09,
                     off = (w / peak - 1) / width;
        sum += 0.0081 / pow(w, 5) * exp(-1.25 * pow(peak / w, 4)) * pow(3.3, exp(-off * off / 2)) *
               (b - a) / STEPS;
    }
    return sum;
}

static double variance(int tile)
{
    double sum = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            sum += pow((double)fields[0][tile][j][i][0] / (100 * along[tile]), 2);
    return sum / (SIDE * SIDE);
}

static void energies(const double variances[TILES])
{
    double all = 0, low = 1; /* far below the peak */
    for (int tile = 0; tile < TILES; tile++) {
        const double high = sqrt(2 * PI * 48 * along[tile]), expected = energy(low, high);
        CHECK(fabs(variances[tile] / expected - 1) < 0.03,
              "tile %d: a variance of %.4g, its band has %.4g", tile, variances[tile], expected);
        all += variances[tile];
        low = high;
    }
    const double height = 4 * sqrt(all), expected = 4 * sqrt(energy(1, low));
    CHECK(fabs(height / expected - 1) < 0.02, "waves are %.4g sides high, the spectrum has %.4g",
          height, expected);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_swell swell = {0};
    const char *first;
    double variances[TILES] = {0};
    MUST(otok_swell_create(&swell));
    for (int tile = 0; tile < TILES; tile++)
        modes[tile] = otok_swell_modes(tile);
    for (int k = 0; k < 3; k++) {
        read(&swell, 17.3 * k);
        direct(17.3 * k);
        for (int tile = 0; tile < TILES; tile++)
            variances[tile] += variance(tile) / 3;
    }
    energies(variances);
    for (int tile = 0; tile < TILES; tile++)
        free(modes[tile]);
    otok_swell_destroy(&swell);
    CHECK(otok_gl_log_count(gl, &first) == 0, "%s", first);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
