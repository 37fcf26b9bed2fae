/* road_water.c - claim: a road goes round water deeper than a ford where that is cheaper, else a
   bridge leads over it, which keeps its clearance; a ford is built as on land. */
#include "road/road.h"
#include "road_scene.h"

/* A river across the map, 3 m deep in a bed between banks: with `gap`, a dry way round it. */
static void river(landscape *l, int gap)
{
    *l = landscape_make(100, 80, 2);
    for (int64_t j = 0; j < 80; j++)
        for (int64_t i = 0; i < 100; i++) {
            const int in = i >= 45 && i < 53 && !(gap && j >= 70);
            l->base[j * 100 + i] = in ? 0 : 4;
            l->water[j * 100 + i] = in ? 3 : 0.05f;
        }
    l->request.step = 3;
    l->request.width = 6;
    l->request.max_grade = 0.2;
    l->request.ford = 0.1;
    l->request.clearance = 1.5;
}

static void check_bridge(const landscape *l, const otok_road *road)
{
    int decks = 0;
    for (int64_t i = 0; i < 100 * 80; i++) {
        if (l->water[i] < 1) continue;
        CHECK(l->change[i] == 0 && (l->road[i] == 0 || l->road[i] == OTOK_ROAD_BRIDGE),
              "cell %lld in the river: road %g, moved by %g", (long long)i, (double)l->road[i],
              (double)l->change[i]);
        if (l->road[i] == 0) continue;
        decks++;
        CHECK(l->road_height[i] >= 3 + 1.5f - 1e-5f, "a deck at %g", (double)l->road_height[i]);
    }
    CHECK(decks >= 8 * 3, "%d cells of a bridge", decks);
    CHECK(fabs(road->water_length - 16) < 4 && road->bridge_length >= road->water_length,
          "%g m over water, bridges of %g m", road->water_length, road->bridge_length);
    CHECK(road->steepest_grade <= 0.2, "a grade of %g", road->steepest_grade);
}

int main(void)
{
    landscape l;
    otok_road *road;
    river(&l, 0); /* no way round: a bridge */
    landscape_road(&road, &l, 10, 40, 90, 40);
    check_bridge(&l, road);
    landscape_free(&l, road);
    for (int dear = 0; dear < 2; dear++) { /* round it where water is dear enough */
        river(&l, 1);
        l.request.water_cost = dear ? 20 : 1;
        landscape_road(&road, &l, 10, 40, 90, 40);
        CHECK(dear ? road->water_length == 0 && road->length > 180 : road->water_length > 10,
              "cost %g: %g of %g m over water", l.request.water_cost, road->water_length,
              road->length);
        landscape_free(&l, road);
    }
    river(&l, 0); /* a ford: as on land */
    l.request.ford = 4;
    l.request.max_grade = INFINITY;
    landscape_road(&road, &l, 10, 40, 90, 40);
    int beds = 0;
    for (int64_t i = 0; i < 100 * 80; i++)
        beds += l.water[i] > 1 && l.road[i] == 1;
    CHECK(road->water_length == 0 && road->bridge_length == 0 && beds >= 8 * 3,
          "in a ford: %d cells of bed, %g m over water", beds, road->water_length);
    landscape_free(&l, road);
    return check_failures != 0;
}
