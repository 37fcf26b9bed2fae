/* view_moment.c - claim: waves move in a live view while states follow each other, by no more than
   a tenth of a second from one to the next; at rest, and in a file, the picture is that of its
   state alone. CHECK_ONCE */
#include "viewing.h"

enum { W = 96, H = 60, BYTES = 3 * W * H, STATES = 4 };

static viewing v;
static unsigned char saved[2][BYTES], seen[BYTES], later[BYTES];
static int nsaved;

static otok_status keep(const char *path, int width, int height, unsigned char *rgb)
{
    (void)path;
    if (width * height * 3 == BYTES && nsaved < 2) memcpy(saved[nsaved++], rgb, BYTES);
    return OTOK_OK;
}

int main(void)
{
    viewing_begin(&v,
                  "otok: 1\ngrid: {nx: 64, ny: 64}\nsea: {level: 8}\nbase:\n"
                  "  - cone: {height: 20, radius: 20, power: 1}\n"
                  "phases:\n  - {name: a, iterations: 100000, thermal: {dt: 0.2, talus: 80}}\n",
                  1, W, H);
    v.live.write_picture = keep;
    MUST(otok_live_begin(&v.live, W, H));
    otok_live_frame_begin(&v.live);
    const double first = v.live.shot.moment;
    viewing_read(&v, seen);
    MUST(otok_view_frame_save(&v.frame, &v.live, "a.png"));
    v.live.running = 1;
    for (int64_t until = v.live.shows + STATES; v.live.shows < until;) {
        otok_live_frame_end(&v.live);
        otok_live_frame_begin(&v.live);
    }
    v.live.running = 0;
    const double moment = v.live.shot.moment;
    CHECK(moment > first && moment <= first + 0.1 * STATES + 1e-9, "%g s after %g in %d states",
          moment, first, STATES);
    v.live.shot.moment =
        first + 2; /* states may follow each other faster than a wave moves a pixel */
    viewing_read(&v, later);
    CHECK(memcmp(seen, later, BYTES) != 0, "two seconds later the sea is the same");
    v.live.shot.moment = moment;
    otok_live_frame_begin(&v.live);
    CHECK(v.live.shot.moment == 0, "at rest waves have run for %g s", v.live.shot.moment);
    viewing_read(&v, later);
    CHECK(memcmp(seen, later, BYTES) == 0, "at rest the picture is not that of its state");
    v.live.running = 1;
    otok_live_frame_begin(&v.live);
    CHECK(v.live.shot.moment >= moment, "waves jump back to %g s", v.live.shot.moment);
    v.live.running = 0;
    otok_live_frame_begin(&v.live);
    MUST(otok_view_frame_save(&v.frame, &v.live, "b.png"));
    CHECK(nsaved == 2 && memcmp(saved[0], saved[1], BYTES) == 0,
          "the ground is the same, but the saved picture is not");
    return viewing_end(&v);
}
