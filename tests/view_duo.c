/* view_duo.c - claim: two runs that are looked at side by side do the same iterations, each to the
   bits that it has alone; they have one camera, one style and one range of colours; the difference
   is right minus left, cell by cell; the one with fewer iterations waits; and each picture's legend
   has its own colours. */
#include "drawing.h"
#include "scene.h"
#include "viz/duo.h"
#include "viz/frame.h"

#include <math.h>

enum { N = 16, W = 160, H = 120 };

static otok_live lives[2];
static otok_duo pair;
static otok_view_frame frames[2];

static const char text[] =
    "otok: 1\ngrid: {nx: 16, ny: 16}\nbase:\n  - cone: {height: %d, radius: 20}\n"
    "phases:\n  - {name: a, iterations: %d, rain: {rate: 0.1}, hydraulic: {}, thermal: {}}\n";

/* Frames until both rest, that many iterations later at least, or at their ends. */
static void run(int64_t iterations)
{
    const int64_t until = pair.lives[0]->iteration + iterations;
    pair.lives[pair.leader]->running = 1;
    do {
        otok_duo_frame_begin(&pair);
        const int over =
            lives[0].iteration >= lives[0].iterations && lives[1].iteration >= lives[1].iterations;
        if (lives[0].rests && lives[1].rests && (over || lives[0].iteration >= until)) break;
        otok_duo_frame_end(&pair);
    } while (1);
    lives[0].running = lives[1].running = 0;
}

static void run_until_rest(void)
{
    do
        otok_duo_frame_begin(&pair);
    while (!lives[0].rests || !lives[1].rests);
}

static uint64_t print_of(otok_sim *sim)
{
    otok_ledger ledger;
    uint64_t print = 0;
    MUST(otok_sim_measure(sim, &ledger, &print));
    return print;
}

static uint64_t run_alone(const otok_scenario *s, int64_t iterations)
{
    otok_sim *sim;
    MUST(otok_sim_create(&sim, s, "cpu"));
    MUST(otok_sim_run(sim, iterations));
    const uint64_t print = print_of(sim);
    otok_sim_destroy(sim);
    return print;
}

static void check_same(const char *when)
{
    const otok_shot *a = &lives[0].shot, *b = &lives[1].shot;
    CHECK(lives[0].iteration == lives[1].iteration, "%s: iterations %lld and %lld", when,
          (long long)lives[0].iteration, (long long)lives[1].iteration);
    CHECK(memcmp(&a->camera, &b->camera, sizeof a->camera) == 0, "%s: two cameras", when);
    CHECK(a->style == b->style && a->low == b->low && a->high == b->high,
          "%s: styles %d, %d of %g..%g and %g..%g", when, (int)a->style, (int)b->style, a->low,
          a->high, b->low, b->high);
}

static void difference(void)
{
    float maps[2][N * N];
    double most = 0;
    lives[0].shot.style = OTOK_STYLE_FIELD, lives[0].field = OTOK_TERRAIN;
    run_until_rest();
    check_same("terrain");
    const double high = fmax(lives[0].range[1], lives[1].range[1]);
    CHECK(lives[0].range[1] != lives[1].range[1] && lives[0].shot.high == high, "range to %g of %g",
          lives[0].shot.high, high);
    lives[0].compares = 1;
    run_until_rest();
    for (int k = 0; k < 2; k++)
        MUST(otok_sim_get(lives[k].sim, OTOK_TERRAIN, maps[k]));
    for (int i = 0; i < N * N; i++)
        most = fmax(most, fabs((double)(maps[1][i] - maps[0][i])));
    CHECK(pair.differs && lives[1].shot.high == most && lives[1].shot.low == -most,
          "the difference reaches %g, not %g", lives[1].shot.high, most);
    CHECK(strstr(lives[1].legend, "B - A: terrain"), "it is called %s", lives[1].legend);
    CHECK(lives[1].label[0] == 'B' && strstr(lives[1].label, "B - A"), "%s", lives[1].label);
}

/* Of the left picture: as it is drawn after the right one, and as it is drawn again. */
static void legends(void)
{
    static unsigned char first[W * H * 3], again[W * H * 3];
    for (int k = 0; k < 2; k++)
        MUST(otok_view_frame_draw(&frames[k], &lives[k]));
    otok_canvas_read(frames[0].sheet, first);
    for (int k = 0; k < 2; k++) /* nothing changed: words alone are drawn */
        MUST(otok_view_frame_draw(&frames[k], &lives[k]));
    otok_canvas_read(frames[0].sheet, again);
    CHECK(memcmp(first, again, sizeof first) == 0, "the left legend has the right one's colours");
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_scenario *s[2] = {scene(text, 9, 40), scene(text, 6, 60)};
    uint64_t prints[2];
    for (int k = 0; k < 2; k++) {
        otok_live_defaults(&lives[k]);
        lives[k].scenario = s[k];
        lives[k].backend = "cpu";
        MUST(otok_view_frame_create(&frames[k], ""));
        MUST(otok_view_frame_fit(&frames[k], W, H));
        MUST(otok_live_begin(&lives[k], W, H));
    }
    pair = (otok_duo){.lives = {&lives[0], &lives[1]}, .names = {"one.yaml", "other.yaml"}};
    lives[0].shot.camera.azimuth = 33;
    run(20);
    check_same("running");
    const int64_t then = lives[0].iteration;
    for (int k = 0; k < 2; k++) {
        prints[k] = print_of(lives[k].sim);
        CHECK(prints[k] == run_alone(s[k], then), "run %d has other bits than alone", k);
    }
    difference();
    legends();

    otok_duo_swap(&pair); /* the right one leads: no difference, and its camera is both's */
    lives[1].shot.camera.azimuth = 44;
    run_until_rest();
    CHECK(!pair.differs, "the difference stays");
    check_same("the other one leads");
    MUST(otok_live_change(&lives[1], "base.0.cone.height", "7")); /* of one alone */
    run_until_rest();
    run_until_rest();
    CHECK(lives[0].iteration == 0 && lives[1].iteration == 0, "another base: %lld, %lld",
          (long long)lives[0].iteration, (long long)lives[1].iteration);
    run(2);
    lives[1].begin_again = 1;
    run_until_rest();
    run_until_rest();
    CHECK(lives[0].iteration == 0 && lives[1].iteration == 0, "again: %lld, %lld",
          (long long)lives[0].iteration, (long long)lives[1].iteration);
    run(1000);
    CHECK(lives[0].iteration == 40 && lives[1].iteration == 60, "ends at %lld and %lld",
          (long long)lives[0].iteration, (long long)lives[1].iteration);
    CHECK(print_of(lives[1].sim) == run_alone(s[1], 60), "other bits at the end");
    for (int k = 0; k < 2; k++) {
        otok_live_end(&lives[k]);
        otok_view_frame_destroy(&frames[k]);
        otok_scenario_destroy(s[k]);
    }
    otok_duo_end(&pair);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
