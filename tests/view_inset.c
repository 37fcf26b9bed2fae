/* view_inset.c - claim: the map in a view's corner marks where the eye is, and marks an eye beyond
   the map at its border, as largely. CHECK_ONCE */
#include "viewing.h"

enum { W = 480, H = 400, BYTES = 3 * W * H };

static viewing v;
static unsigned char rgb[BYTES];

/* Pixels in the red of the mark, and their middle. */
static int marked(double at[2])
{
    int n = 0;
    at[0] = at[1] = 0;
    otok_live_frame_begin(&v.live);
    MUST(otok_view_frame_draw(&v.frame, &v.live));
    otok_canvas_read(v.frame.sheet, rgb);
    for (int i = 0; i < W * H; i++) {
        const unsigned char *p = rgb + 3 * i;
        if (p[0] < 200 || p[1] > 60 || p[2] > 60) continue;
        n++;
        at[0] += i % W, at[1] += (double)(i / W);
    }
    for (int k = 0; k < 2 && n; k++)
        at[k] /= n;
    return n;
}

int main(void)
{
    double inside[2], beyond[2];
    viewing_begin(&v,
                  "otok: 1\ngrid: {nx: 64, ny: 64}\nbase:\n  - cone: {height: 60, radius: 20, "
                  "power: 3}\nphases:\n  - {name: a, iterations: 10, thermal: {}}\n",
                  1, W, H);
    MUST(otok_live_begin(&v.live, W, H));
    v.live.map = 1;
    v.live.shot.camera = (otok_camera){
        .target = {32, 32, 0}, .azimuth = 180, .elevation = 40, .distance = 20, .angle = 40};
    const int whole = marked(inside);
    v.live.shot.camera.distance = 400;
    const int there = marked(beyond);
    CHECK(whole > 8, "no mark of an eye over the map: %d pixels", whole);
    CHECK(there > 0.8 * whole, "the mark of an eye beyond the map has %d pixels of %d", there,
          whole);
    CHECK(beyond[1] > inside[1] + 10, "the mark is %g pixels lower", beyond[1] - inside[1]);
    return viewing_end(&v);
}
