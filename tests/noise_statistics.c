/* noise_statistics.c: simplex noise spans -1..1 about 0, is smooth across the lattice, knows no
   direction, differs with seed, stream and octave, and stays noise at any frequency in the far
   corner of the largest grid. */
#include "base_scene.h"

static otok_base_plan code;

static void noise(double wavelength, int64_t seed, int stream)
{
    otok_generator base[] = {SIMPLEX(wavelength, 1, .stream = stream)};
    scene(&code, (otok_grid){1 << 20, 1 << 20, 1}, seed, base, 1);
}

enum { N = 1500 };
static float map[N][N], other[N][N];

static void fill(float m[N][N], int i0, int j0)
{
#pragma omp parallel for
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            m[j][i] = scene_cell(&code, i0 + i, j0 + j);
}

static double product(float a[N][N], float b[N][N])
{
    double sum = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            sum += (double)a[j][i] * b[j][i];
    return sum / N / N;
}

static void spread(void)
{
    noise(9.3, 5, 0);
    fill(map, 0, 0);
    double mean = 0, most = 0, least = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            mean += (double)map[j][i] / N / N;
            most = fmax(most, map[j][i]);
            least = fmin(least, map[j][i]);
        }
    const double rms = sqrt(product(map, map));
    printf("noise: %.4f .. %.4f, mean %.4f, rms %.4f\n", least, most, mean, rms);
    CHECK(most < 1.00001 && most > 0.98 && least > -1.00001 && least < -0.98, "%g .. %g", least,
          most);
    CHECK(fabs(mean) < 0.01, "mean %g", mean);
    CHECK(rms > 0.52 && rms < 0.56, "rms %g", rms);
}

/* Mean square difference between cells 5 apart, in six directions. */
static void directions(void)
{
    static const int step[6][2] = {{5, 0}, {0, 5}, {3, 4}, {4, 3}, {-3, 4}, {-4, 3}};
    double square[6] = {0}, mean = 0;
    noise(16, 5, 0);
    fill(other, 0, 0);
    for (int k = 0; k < 6; k++) {
        for (int j = 5; j < N - 5; j++)
            for (int i = 5; i < N - 5; i++)
                square[k] += pow(other[j + step[k][1]][i + step[k][0]] - other[j][i], 2);
        mean += square[k] / 6;
    }
    for (int k = 0; k < 6; k++)
        CHECK(fabs(square[k] / mean - 1) < 0.03, "towards (%d, %d): %g of the mean", step[k][0],
              step[k][1], square[k] / mean);
}

/* A step in value, slope or curvature would stand out by orders of magnitude. */
static void smoothness(void)
{
    const double per = 2000;
    noise(per, 3, 1);
    double slope = 0, bend = 0, jerk = 0;
    for (int line = 0; line < 4; line++) {
        double h[4] = {0};
        for (int n = 0; n < 200000; n++) {
            const int across = 777 + 3111 * line, i = line & 1 ? across : n,
                      j = line & 1 ? n : across;
            memmove(h + 1, h, sizeof h - sizeof *h);
            h[0] = scene_cell(&code, 4 * i, 4 * j);
            if (n < 3) continue;
            slope = fmax(slope, fabs(h[0] - h[1]) * per / 4);
            bend = fmax(bend, fabs(h[0] - 2 * h[1] + h[2]) * per * per / 16);
            jerk = fmax(jerk, fabs(h[0] - 3 * h[1] + 3 * h[2] - h[3]) * pow(per / 4, 3));
        }
    }
    CHECK(slope > 3 && slope < 8, "slope %g", slope);
    CHECK(bend > 10 && bend < 80, "curvature %g", bend);
    CHECK(jerk < 1000, "third derivative %g", jerk);
}

static void check_other_seeds(void)
{
    static const struct {
        int64_t seed;
        int stream;
    } others[] = {{6, 0}, {5 + (INT64_C(1) << 32), 0}, {5 + (INT64_C(1) << 52), 0}, {5, 1}, {0, 5}};
    for (int k = 0; k < 5; k++) {
        noise(9.3, others[k].seed, others[k].stream);
        fill(other, 0, 0);
        const double together = product(map, other) / product(map, map);
        CHECK(fabs(together) < 0.03, "correlation %g with seed %lld, stream %d", together,
              (long long)others[k].seed, others[k].stream);
    }
    otok_generator two[] = {SIMPLEX(9.3, 2)};
    two[0].as.simplex.lacunarity = 1;
    scene(&code, (otok_grid){N, N, 1}, 5, two, 1);
    fill(other, 0, 0);
    CHECK(fabs(product(map, other) / product(map, map) - 1) < 0.03,
          "the second octave repeats the first");
}

static void check_far_away(void)
{
    for (double wavelength = 30; wavelength > 1e-36; wavelength /= 1024) {
        noise(wavelength, 5, 0);
        fill(other, (1 << 20) - N, (1 << 20) - N);
        double mean = 0;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                mean += other[j][i] / N / N;
        const double rms = sqrt(product(other, other));
        CHECK(rms > 0.52 && rms < 0.56 && fabs(mean) < 0.02, "wavelength %g: mean %g, rms %g",
              wavelength, mean, rms);
    }
}

CHECK_SLOW

int main(void)
{
    spread();
    directions();
    smoothness();
    check_other_seeds();
    check_far_away();
    return check_failures != 0;
}
