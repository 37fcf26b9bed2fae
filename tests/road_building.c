/* road_building.c - claim: subdivision keeps the ends and halves the segments; a bed has its width
   and a verge its reach; level ground needs no cut and no fill, and a plane a straight road; cut
   and fill are the change of the terrain; deep chasms are bridged and high walls pierced, both left
   as they were; a second road uses the first, the more the cheaper its bed; no turn is steeper than
   max_grade or tighter than turn_radius; cut and fill are equal where that is asked for. */
#include "road/road.h"
#include "road_scene.h"

static void subdivision(void)
{
    const otok_point corners[5] = {{0, 0, 5}, {8, 0, 9}, {8, 8, 1}, {16, 8, 2}, {17, 30, 4}};
    otok_point *p = malloc(sizeof corners);
    int64_t n = 5;
    double longest = 23;
    memcpy(p, corners, sizeof corners);
    for (int pass = 0; pass < 4; pass++) {
        const int64_t before = n;
        double now = 0;
        MUST(otok_road_subdivide(&p, &n));
        CHECK(n == 2 * before - 1, "%lld points of %lld", (long long)n, (long long)before);
        for (int64_t i = 1; i < n; i++)
            now = fmax(now, hypot(p[i].x - p[i - 1].x, p[i].y - p[i - 1].y));
        CHECK(now <= longest / 2, "pass %d: a segment of %g after %g", pass, now, longest);
        CHECK(memcmp(&p[0], &corners[0], sizeof *p) == 0 &&
                  memcmp(&p[n - 1], &corners[4], sizeof *p) == 0,
              "the ends moved");
        if (pass == 0) /* t' = (t + (m1 + m2)/2)/2 = (6 t + its neighbours)/8 */
            CHECK(p[2].x == 7 && p[2].y == 1 && p[2].z == 7.5 && p[1].x == 4, "%g %g %g", p[2].x,
                  p[2].y, p[2].z);
        longest = now;
    }
    free(p);
}

/* Ground lost and won, from the maps. */
static void books(const landscape *l, const float *before, const otok_road *road, const char *where)
{
    double cut = 0, fill = 0;
    for (int64_t i = 0; i < l->grid.nx * l->grid.ny; i++) {
        const double rise = (double)(l->base[i] + l->change[i]) - (double)(l->base[i] + before[i]);
        cut += rise < 0 ? -rise * l->grid.spacing * l->grid.spacing : 0;
        fill += rise > 0 ? rise * l->grid.spacing * l->grid.spacing : 0;
        CHECK(rise == 0 || (l->road[i] > 0 && l->road[i] <= 1),
              "%s: cell %lld off the road moved by %g", where, (long long)i, rise);
    }
    CHECK(fabs(cut - road->cut) <= 1e-9 * cut && fabs(fill - road->fill) <= 1e-9 * fill,
          "%s: cut %g fill %g, the road says %g, %g", where, cut, fill, road->cut, road->fill);
}

static void level(void)
{
    landscape l = landscape_make(80, 60, 2);
    otok_road *road;
    for (int i = 0; i < 80 * 60; i++)
        l.base[i] = 12.3f;
    l.request.step = 3;
    l.request.width = 10;
    l.request.verge = 6;
    landscape_road(&road, &l, 10, 30, 70, 30);
    CHECK(road->cut == 0 && road->fill == 0 && road->steepest_grade == 0,
          "cut %g, fill %g, grade %g", road->cut, road->fill, road->steepest_grade);
    CHECK(fabs(road->length - 120) < 1e-9 && fabs(road->energy - 120 * 0.2635) < 1e-9, "%g m, %g",
          road->length, road->energy);
    int bed = 0, verge = 0;
    for (int64_t j = 0; j < 60; j++) {
        bed += l.road[j * 80 + 40] == 1;
        verge += l.road[j * 80 + 40] > 0 && l.road[j * 80 + 40] < 1;
        CHECK(l.road[j * 80 + 40] == l.road[(60 - j) % 60 * 80 + 40], "row %lld: not symmetric",
              (long long)j);
    }
    CHECK(bed == 5 && verge == 6, "bed of %d cells, verges of %d", bed,
          verge); /* 10 m and twice 6 m of 2 m */
    /* 1 m out of 6: t = 1/6; 1 - 3t^2 + 2t^3 */
    CHECK(fabs((double)l.road[33 * 80 + 40] - (1 - 3 / 36.0 + 2 / 216.0)) < 1e-6, "weight %g",
          (double)l.road[33 * 80 + 40]);
    for (int i = 0; i < 80 * 60; i++)
        CHECK(l.change[i] == 0, "cell %d moved", i);
    landscape_free(&l, road);
}

static void plane(void)
{
    static float zero[90 * 90];
    landscape l = landscape_make(90, 90, 1);
    otok_road *road;
    for (int64_t j = 0; j < 90; j++)
        for (int64_t i = 0; i < 90; i++)
            l.base[j * 90 + i] = 0.0625f * (float)i;
    l.request.step = 1;
    l.request.verge = 0; /* beyond the ends it would dig and heap */
    l.request.smoothing = 0;
    landscape_road(&road, &l, 10, 45, 80, 45);
    for (int64_t n = 0; n < road->npoints; n++)
        CHECK(road->points[n].y == 45.5, "point %lld is at y = %g", (long long)n,
              road->points[n].y);
    CHECK(fabs(road->steepest_grade - 0.0625) < 1e-9, "grade %g", road->steepest_grade);
    books(&l, zero, road, "plane");
    CHECK(road->cut + road->fill < 1e-9, "cut %g, fill %g", road->cut, road->fill);
    landscape_free(&l, road);
}

static void hills(void)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        landscape l = landscape_make(120, 100, 3);
        landscape_hills(&l, 6, 0.3, seed);
        float *before = calloc(120 * 100, sizeof *before);
        for (int i = 0; i < 120 * 100; i++)
            before[i] = l.change[i] = 0.01f * (float)(i % 17);
        otok_point via = landscape_point(&l, 20 + (int64_t)seed * 6, 80);
        otok_road *road;
        l.request.step = 1 + (int64_t)seed % 5;
        l.request.via = &via;
        l.request.nvia = 1;
        l.request.bridge_height = l.request.tunnel_depth = seed % 2 ? INFINITY : 2;
        landscape_road(&road, &l, 5, 5, 110, 30);
        books(&l, before, road, "hills");
        CHECK(road->cut > 0 && road->fill > 0, "cut %g, fill %g", road->cut, road->fill);
        double nearest = INFINITY;
        for (int64_t n = 0; n < road->npoints; n++)
            nearest = fmin(nearest, hypot(road->points[n].x - via.x, road->points[n].y - via.y));
        CHECK(nearest <= 3 * 1.4143 * (double)l.request.step / 3,
              "seed %llu: passes the way point at %g m", (unsigned long long)seed, nearest);
        for (int i = 0; i < 120 * 100 && seed % 2 == 0; i++) {
            const float moved = l.change[i] - before[i];
            CHECK(fabsf(moved) < 2.0001f, "cell %d moved by %g in spite of bridges and tunnels", i,
                  (double)moved);
        }
        otok_road_destroy(road);
        free(before);
        landscape_free(&l, NULL);
    }
}

/* A straight road over a chasm and through a wall, which its step leaps over. */
static void chasm(void)
{
    static float zero[100 * 40];
    landscape l = landscape_make(100, 40, 1);
    otok_road *road;
    for (int64_t j = 0; j < 40; j++)
        for (int64_t i = 0; i < 100; i++)
            l.base[j * 100 + i] = i >= 31 && i < 39 ? -50.0f : i >= 61 && i < 69 ? 80.0f : 0.0f;
    l.request.step = 10;
    l.request.width = 4;
    l.request.bridge_height = 3;
    l.request.tunnel_depth = 5;
    landscape_road(&road, &l, 10, 20, 90, 20);
    CHECK(fabs(road->bridge_length - 8) < 0.5 && fabs(road->tunnel_length - 8) < 0.5,
          "bridges %g m, tunnels %g m", road->bridge_length, road->tunnel_length);
    CHECK(road->cut == 0 && road->fill == 0, "cut %g, fill %g", road->cut, road->fill);
    CHECK(l.road[20 * 100 + 35] == OTOK_ROAD_BRIDGE && l.road[20 * 100 + 65] == OTOK_ROAD_TUNNEL &&
              l.road[20 * 100 + 50] == OTOK_ROAD_BED,
          "%g, %g, %g", (double)l.road[2035], (double)l.road[2065], (double)l.road[2050]);
    CHECK(l.road_height[2035] == 0 && l.road_height[2065] == 0 && l.change[2035] == 0 &&
              l.change[2065] == 0,
          "deck or ground moved");
    books(&l, zero, road, "chasm");
    otok_road_destroy(road);

    /* Cell by cell, only the bridge and the tunnel lead across: a second road takes them, and
     * builds nothing. */
    l.request.step = 1;
    l.request.max_grade = 0.5;
    landscape_road(&road, &l, 12, 20, 88, 20);
    CHECK(road->cut == 0 && road->fill == 0 && road->bridge_length == 0, "cut %g, fill %g",
          road->cut, road->fill);
    CHECK(fabs(road->shared_length - 76) < 1e-9 && fabs(road->length - 76) < 1e-9,
          "shared %g of %g m", road->shared_length, road->length);
    landscape_free(&l, road);
}

/* Ground so steep that the way winds up it: without rounding its turns away the road would be too
 * steep. */
static void hairpins(void)
{
    landscape l = landscape_make(120, 90, 2);
    otok_road *road;
    for (int64_t j = 0; j < 90; j++)
        for (int64_t i = 0; i < 120; i++)
            l.base[j * 120 + i] = 0.5f * (float)j + 0.02f * (float)((i * 7 + j * 3) % 5);
    l.request.step = 3;
    l.request.max_grade = 0.2;
    landscape_road(&road, &l, 60, 10, 60, 75);
    double distance = hypot(0, 65 * 2);
    CHECK(road->length > 1.3 * distance, "%g m of %g m: no turns", road->length, distance);
    CHECK(road->steepest_grade <= 0.2 * (1 + 1e-9), "a grade of %g", road->steepest_grade);
    CHECK(road->npoints > 1 && road->steepest_grade > 0.1, "no trial: %g", road->steepest_grade);
    landscape_free(&l, road);
}

/* Every bend is as wide as asked, at way points and at the end too, and the grade is kept on it. */
static void wide_turns(void)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        landscape l = landscape_make(120, 100, 2);
        landscape_hills(&l, 3, 0.3, seed);
        const otok_point via[2] = {landscape_point(&l, 90, 20 + (int64_t)seed),
                                   landscape_point(&l, 30, 60 + (int64_t)seed)};
        otok_road *road;
        l.request.via = via;
        l.request.nvia = 2;
        l.request.step = 2 + (int64_t)seed % 5;
        l.request.subdivisions = (int64_t)seed % 5;
        l.request.max_grade = 0.5;
        l.request.turn_radius = OTOK_ROAD_TURNS * 2 * (double)l.request.step;
        landscape_road(&road, &l, 8, 8, 107, 91 - (int64_t)seed);
        CHECK(road->least_radius >= l.request.turn_radius, "seed %llu: a bend of %g m, not %g",
              (unsigned long long)seed, road->least_radius, l.request.turn_radius);
        CHECK(road->steepest_grade <= 0.5, "seed %llu: a grade of %.17g", (unsigned long long)seed,
              road->steepest_grade);
        const otok_point *end = road->points + road->npoints - 1;
        CHECK(end->x == l.request.to.x && end->y == l.request.to.y, "ends at %g, %g", end->x,
              end->y);
        landscape_free(&l, road);
    }
}

/* A turn of n points has its radius; a straight line none. */
static void radius(void)
{
    otok_point p[9];
    for (int i = 0; i < 9; i++)
        p[i] = (otok_point){7 * cos(0.5 * i), 7 * sin(0.5 * i), 0};
    CHECK(fabs(otok_road_least_radius(p, 9) - 7) < 1e-9, "%g", otok_road_least_radius(p, 9));
    for (int i = 0; i < 9; i++)
        p[i] = (otok_point){2.5 * i, -1.25 * i, 0};
    CHECK(otok_road_least_radius(p, 9) == INFINITY, "%g", otok_road_least_radius(p, 9));
    p[8] = p[6];
    CHECK(otok_road_least_radius(p, 9) == 0, "back: %g", otok_road_least_radius(p, 9));
}

/* Cut and fill are equal where that is asked for, and were not without. */
static void balanced(void)
{
    int better = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        double left[2];
        for (int asked = 0; asked < 2; asked++) {
            landscape l = landscape_make(120, 100, 3);
            landscape_hills(&l, 6, 0.3, seed);
            otok_road *road;
            l.request.max_grade = seed % 2 ? 0.4 : INFINITY;
            l.request.balance = asked;
            landscape_road(&road, &l, 5, 5, 110, 90);
            left[asked] = fabs(road->fill - road->cut) / (road->fill + road->cut);
            CHECK(!(road->steepest_grade > l.request.max_grade), "a grade of %g",
                  road->steepest_grade);
            landscape_free(&l, road);
        }
        CHECK(left[1] < 1e-3, "seed %llu: %g of the earth is left over, %g unbalanced",
              (unsigned long long)seed, left[1], left[0]);
        better += left[0] > 0.01;
    }
    CHECK(better >= 4, "no trial: only %d roads were out of balance", better);
}

/* A bed that makes a detour: taken where its metres are cheap enough, and never paid for twice. */
static void reuse(void)
{
    for (int cheap = 0; cheap < 2; cheap++) {
        landscape l = landscape_make(100, 60, 2);
        otok_road *road;
        const otok_point via = landscape_point(&l, 50, 50);
        for (int i = 0; i < 100 * 60; i++)
            l.base[i] = 3;
        l.request.step = 1;
        l.request.width = 6;
        l.request.subdivisions = 0;
        l.request.via = &via;
        l.request.nvia = 1;
        landscape_road(&road, &l, 5, 20, 95, 20);
        otok_road_destroy(road);
        l.request.nvia = 0;
        l.request.reuse = cheap ? 0.3 : 1;
        landscape_road(&road, &l, 5, 20, 95, 20);
        CHECK(cheap ? road->shared_length > 0.95 * road->length
                    : road->shared_length < 0.2 * road->length,
              "reuse %g: shared %g of %g m", l.request.reuse, road->shared_length, road->length);
        CHECK(cheap == (road->search_energy < 0.31 * 0.2635 * road->length), "energy %g",
              road->search_energy);
        landscape_free(&l, road);
    }
}

/* Sharp turns, narrow and wide beds: no cell between the segments is left out. */
static void bends(void)
{
    for (int wide = 1; wide <= 24; wide++) {
        landscape l = landscape_make(100, 100, 1);
        const otok_point via[3] = {landscape_point(&l, 70, 30), landscape_point(&l, 30, 45),
                                   landscape_point(&l, 70, 60)};
        otok_road *road;
        l.request.via = via;
        l.request.nvia = 3;
        l.request.width = 0.5 * wide;
        l.request.step = 1 + wide % 7;
        landscape_road(&road, &l, 25, 25, 50, 80);
        for (int64_t n = 1; n < road->npoints; n++)
            for (int k = 0; k < 20; k++) {
                const double t = (k + 0.5) / 20,
                             x = road->points[n - 1].x +
                                 t * (road->points[n].x - road->points[n - 1].x);
                const double y =
                    road->points[n - 1].y + t * (road->points[n].y - road->points[n - 1].y);
                CHECK(l.road[(int64_t)y * 100 + (int64_t)x] == 1, "width %g: no bed at %g, %g",
                      l.request.width, x, y);
            }
        landscape_free(&l, road);
    }
}

static void refuse(landscape *l, const char *words, otok_status expected)
{
    otok_road *road;
    const otok_status status = landscape_build(&road, l);
    CHECK(status == expected && !road && strstr(otok_why(), words), "%d, not %d: %s (%s)",
          (int)status, (int)expected, otok_why(), words);
}

static void check_refusals(void)
{
    landscape l = landscape_make(20, 10, 2);
    l.request.to = landscape_point(&l, 15, 5);
    refuse(&l, "road.from", OTOK_USAGE); /* not given: NAN */
    l.request.from = (otok_point){40, 5, 0};
    refuse(&l, "40 m by 20 m", OTOK_USAGE);
    l.request.from = (otok_point){-0.1, 5, 0};
    refuse(&l, "(-0.1, 5)", OTOK_USAGE);
    l.request.from = (otok_point){INFINITY, 5, 0};
    refuse(&l, "not on the map", OTOK_USAGE);
    l.request.from = (otok_point){31.9, 11.9, 0}; /* the same cell as `to` */
    refuse(&l, "one cell", OTOK_USAGE);
    l.request.from = landscape_point(&l, 2, 2);
    l.request.width = NAN;
    refuse(&l, "road.width", OTOK_USAGE);
    l.request.width = 4;
    l.request.step = 0;
    refuse(&l, "road.step", OTOK_USAGE);
    l.request.step = 2;
    l.request.turn_radius = 3.5;
    refuse(&l, "needs a step of 3", OTOK_USAGE);
    l.request.turn_radius = 0;
    l.request.max_grade = -0.1;
    refuse(&l, "road.max_grade", OTOK_USAGE);
    l.request.max_grade = 0.1;
    for (int i = 0; i < 200; i++)
        l.base[i] = i % 20 >= 8 ? 30.0f : 0.0f;
    refuse(&l, "max_grade", OTOK_DATA);
    l.base[7] = NAN;
    refuse(&l, "NaN", OTOK_DATA);
    l.request.nvia = 1; /* and none given */
    refuse(&l, "request->via is NULL", OTOK_USAGE);
    l.request.nvia = 0;
    float *const road = l.road;
    l.road = NULL;
    refuse(&l, "maps->road is NULL", OTOK_USAGE);
    l.road = road;
    for (int i = 0; i < 200; i++)
        CHECK(l.change[i] == 0 && l.road[i] == 0, "a refused road changed cell %d", i);
    landscape_free(&l, NULL);
}

int main(void)
{
    subdivision();
    level();
    plane();
    hills();
    chasm();
    bends();
    hairpins();
    wide_turns();
    radius();
    balanced();
    reuse();
    check_refusals();
    return check_failures != 0;
}
