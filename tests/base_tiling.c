/* base_tiling.c: a base is a pure function of the cell: windows in any order, tiles on any number
   of threads, and the corner of a larger grid give the same bits. */
#include "base_scene.h"

enum { NX = 211, NY = 173 };

static float whole[NY][NX], again[NY][NX];

static void expect_same(const char *what)
{
    int moved = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            moved += memcmp(&whole[j][i], &again[j][i], sizeof(float)) != 0;
    CHECK(moved == 0, "%s: %d cells", what, moved);
    memset(again, 0xff, sizeof again);
}

int main(void)
{
    static otok_base_plan code;
    otok_generator mask[] = {SIMPLEX(90, 3, .stream = 2)}, noise[] = {SIMPLEX(60, 8, .stream = 4)};
    otok_generator base[] = {
        CONE(120, 160, 1.6, 200, 130),
        SIMPLEX(25, 5, .stream = 1, .combine = OTOK_ADD, .mask = mask, .nmask = 1),
        BLEND(0.35, 120, .stream = 3, .with = noise, .nwith = 1),
        CRATER(95, .stream = 5),
    };
    scene(&code, (otok_grid){NX, NY, 1.9}, 123456789012345, base, 4);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            whole[j][i] = scene_cell(&code, i, j);
    double least = 1e9, most = -1e9;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            least = fmin(least, whole[j][i]);
            most = fmax(most, whole[j][i]);
        }
    CHECK(least >= 0 && least < 1 && most > 80 && most <= 95, "heights %g .. %g", least, most);

    for (int i = NX - 1; i >= 0; i--)
        for (int j = NY - 1; j >= 0; j--)
            again[j][i] = scene_cell(&code, i, j);
    expect_same("backwards, by columns");

#pragma omp parallel for collapse(2) schedule(dynamic, 1)
    for (int tj = 0; tj < NY; tj += 13)
        for (int ti = 0; ti < NX; ti += 17)
            for (int j = tj; j < tj + 13 && j < NY; j++)
                for (int i = ti; i < ti + 17 && i < NX; i++)
                    again[j][i] = scene_cell(&code, i, j);
    expect_same("tiles");

    scene(&code, (otok_grid){1 << 20, 40000, 1.9}, 123456789012345, base, 4);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            again[j][i] = scene_cell(&code, i, j);
    expect_same("corner of a larger grid");
    return check_failures != 0;
}
