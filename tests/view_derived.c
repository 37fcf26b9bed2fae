/* view_derived.c - claim: a view offers exactly the derived fields that its state has, tells what
   the others lack, and shows each field with the values of a checkpoint of the same state, in the
   colours of its row of core/fields.def, also at the end of a run during which they were computed
   more seldom; cells without a value are cells without data. CHECK_ONCE */
#include "viewing.h"
#include "viz/known.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { NX = 24, NY = 16 };

static const char yaml[] =
    "otok: 1\ngrid: {nx: 24, ny: 16}\nbase:\n  - cone: {height: 9, radius: 12}\n"
    "phases:\n  - {name: a, iterations: 60, thermal: {}, rain: {rate: 0.001}, "
    "maxima: {speed: true, times: true}, hydraulic: {gravity: 9.81, manning: 0}}\n";

static viewing v;

/* The shown map is that of a checkpoint of this state, with 0 in cells without a value; if its
   colours were found anew, they are those of its look. */
static void compare(int field, int anew)
{
    static float shown[NY * NX];
    char path[] = "/tmp/otok-derived-XXXXXX.vtkhdf";
    otok_checkpoint *c;
    const int file = mkstemps(path, 7);
    CHECK(file >= 0 && close(file) == 0, "no file %s", path);
    MUST(otok_sim_save(v.live.sim, path));
    MUST(otok_checkpoint_load(&c, path));
    unlink(path);
    MUST(otok_checkpoint_derive(c, field));
    const float *map = otok_checkpoint_map(c, field);
    glGetTextureImage(otok_scene_texture(v.live.scene, OTOK_SLOT_VALUE_X), 0, GL_RED, GL_FLOAT,
                      sizeof shown, shown);
    for (int n = 0; n < NX * NY; n++)
        CHECK(shown[n] == (isnan(map[n]) ? 0 : map[n]), "%s in cell %d: %g, not %g",
              otok_known_info(field)->name, n, (double)shown[n], (double)map[n]);
    otok_scale s;
    const otok_shot *shot = &v.live.shot;
    MUST(otok_scale_find(&s, otok_known_info(field)->look, map, otok_checkpoint_map(c, OTOK_WATER),
                         NX * NY, v.live.sea_level, NAN, NAN));
    CHECK(!anew || (shot->colours == s.colours && shot->low == s.low && shot->high == s.high &&
                    shot->logs == s.is_log && shot->angles == s.is_angle),
          "%s: colours %d from %g to %g, not %d from %g to %g", otok_known_info(field)->name,
          shot->colours, shot->low, shot->high, s.colours, s.low, s.high);
    otok_checkpoint_destroy(c);
}

int main(void)
{
    int offered = 0, lacking = 0;
    viewing_begin(&v, yaml, 0, 64, 48);
    v.live.shot.style = OTOK_STYLE_FIELD;
    v.live.field = otok_known_find("drainage_area");
    v.live.slice_limit = 1;
    MUST(otok_live_begin(&v.live, 64, 48));
    v.live.running = 1;
    do {
        otok_live_frame_begin(&v.live);
        otok_live_frame_end(&v.live);
    } while (!v.live.rests || otok_live_goes_on(&v.live));
    otok_live_frame_begin(&v.live);
    CHECK(v.live.iteration == 60 && !v.live.old_values, "%lld: %s", (long long)v.live.iteration,
          v.live.message);
    compare(v.live.field, 0);
    for (int f = 0; otok_known_info(f) || f < OTOK_FIELDS; f++) {
        v.live.field = f;
        if (f < OTOK_FIELDS && !otok_known_is_offered(&v.live, f)) continue;
        if (otok_live_check_style(&v.live, OTOK_STYLE_FIELD) != OTOK_OK) {
            const char *lack = f == otok_known_find("shear_stress") ? "manning"
                               : f == otok_known_find("reef_age")   ? "reef"
                                                                    : "receiver";
            CHECK(strstr(otok_why(), lack), "%s", otok_why());
            lacking++;
            continue;
        }
        otok_live_frame_begin(&v.live);
        compare(f, 1);
        offered++;
    }
    CHECK(offered >= 20 && lacking == 8, "%d fields are there, %d are not", offered, lacking);
    return viewing_end(&v);
}
