/* view_contours.c - claim: heights on a chart are written along their contours: on them, turned
   with them, with the right digits, apart from each other and inside the view; none where water, a
   sea or a hill hides the contour, nor where contours are so close that they are not drawn.
   CHECK_ONCE */
#include "check.h"
#include "viz/arrange.h"
#include "viz/contours.h"
#include "viz/font.h"

#include <math.h>

enum { N = 64, W = 640, LINE = 13 };

static float h[N][N], wet[N][N];
static unsigned char rgb[W][W][3], words[40][200][3];
static const otok_holes none;

/* The plan of a map whose height grows by 1 m a cell along x or y. */
static otok_shot plan_of(int along_y, double slope)
{
    otok_shot v = {.style = OTOK_STYLE_FIELD, .camera.angle = 32, .sea_level = NAN, .contours = 2};
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            h[j][i] = (float)(slope * (0.5 + (along_y ? j : i)));
    v.page[2] = v.page[3] = W; /* the view is the whole picture */
    otok_arrange_plan(&v, &h[0][0], (otok_grid){N, N, 1}, W, W);
    return v;
}

static double write(const otok_shot *v, const float *water)
{
    const otok_contours from = {{N, N, 1}, &h[0][0], water, &none, 0};
    double ink = 0;
    memset(rgb, 255, sizeof rgb);
    MUST(otok_contours_label(&rgb[0][0][0], W, W, v, &from));
    for (int i = 0; i < W * W; i++)
        ink += 255 - rgb[i / W][i % W][0];
    return ink;
}

/* The ink of a label, wherever it is. */
static double ink_of(const char *text)
{
    static const unsigned char dark[3] = {22, 32, 42};
    double ink = 0;
    memset(words, 255, sizeof words);
    otok_font_print(otok_font_of(LINE), &words[0][0][0], 200, 40, 10, 10, dark, text);
    for (int i = 0; i < 200 * 40; i++)
        ink += 255 - words[i / 200][i % 200][0];
    return ink;
}

/* Dark pixels are near contours of 10, 20, ... 60 m: within half a line across, and in all as much
   as their labels have. */
static void check_places(int along_y)
{
    const otok_shot v = plan_of(along_y, 1);
    const double found = write(&v, NULL), metre = W / (1.03 * N);
    double ink[7] = {0}, sum = 0;
    for (int j = 0; j < W; j++)
        for (int i = 0; i < W; i++) {
            if (rgb[j][i][0] == 255) continue;
            const double at = N / 2.0 + ((along_y ? W - j : i + 1) - 0.5 - W / 2.0) / metre,
                         level = 10 * round(at / 10);
            CHECK(fabs(at - level) * metre < LINE / 2.0 + 1 && level >= 10 && level <= 60,
                  "ink at %g m", at);
            ink[(int)level / 10 % 7] += 255 - rgb[j][i][0];
        }
    for (int k = 1; k <= 6; k++) {
        char text[8];
        snprintf(text, sizeof text, "%d", 10 * k);
        const double times = ink[k] / ink_of(text);
        CHECK(times > 0.97 && fabs(times - round(times)) < 0.03 * round(times),
              "%s m is written %g times", text, times);
        sum += ink[k];
    }
    CHECK(sum == found, "%g of %g", sum, found);
}

static void check_hidden(void)
{
    otok_shot v = plan_of(0, 1);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            wet[j][i] = 1;
    CHECK(write(&v, &wet[0][0]) == 0, "contours under water");
    v.style = OTOK_STYLE_ISLAND, v.sea_level = 100;
    CHECK(write(&v, NULL) == 0, "contours under the sea");
    v = plan_of(0, 8);
    CHECK(write(&v, NULL) == 0, "contours of a cliff");
    v = plan_of(0, 1);
    v.camera = (otok_camera){{N / 2.0, N / 2.0, 0}, 270, 12, 3 * N, 32}; /* from where x is least */
    CHECK(write(&v, NULL) > 0, "the near side");
    v.camera.azimuth = 90;
    CHECK(write(&v, NULL) == 0, "the far side");
}

int main(void)
{
    if (!otok_font_file()) {
        printf("skipped: no font\n");
        return 77;
    }
    check_places(0);
    check_places(1);
    check_hidden();
    return check_failures != 0;
}
