/* live_camera.c: the camera of a view: what it sees at first, and again when the picture has other
   room or another kind of ground. */
#include "arrange.h"
#include "live.h"
#include "upload.h"

#include <math.h>
#include <string.h>

void otok_live_fit_camera(otok_live *live, int width, int height)
{
    const double narrow = fmax((double)height / width, 1), /* at 1 it fits the height */
        usual = OTOK_GLOBE_DISTANCE * OTOK_GLOBE_DISTANCE;
    if (live->shot.globe > 0 && live->fit_camera > 1)
        live->shot.globe = sqrt(1 + (usual - 1) * narrow * narrow);
    if (live->fit_camera == 3) live->fit_camera = 0;
    if (!live->fit_camera) return;
    const float *terrain = otok_upload_terrain(live->upload, live);
    if (!terrain) return; /* later, when the simulation rests */
    if (live->fit_camera > 1) otok_arrange_first(&live->shot);
    live->fit_camera = 0;
    live->shot.block = 0;
    otok_arrange_sea(&live->shot, terrain, live->grid, live->sea_level);
    otok_arrange_camera(&live->shot, terrain, live->grid, live->sea_level, width, height);
    live->fitted = live->shot.camera;
    live->fitted_sea = otok_arrange_is_open(&live->shot);
}

/* Has the user left target and distance as they were found? */
static int is_fitted(const otok_live *live)
{
    const otok_camera *c = &live->shot.camera, *was = &live->fitted;
    return c->distance == was->distance && memcmp(c->target, was->target, sizeof c->target) == 0;
}

void otok_live_room(otok_live *live)
{
    if (is_fitted(live) && !live->fit_camera) live->fit_camera = 1;
}

void otok_live_refit(otok_live *live)
{
    if (live->fitted_sea != otok_arrange_is_open(&live->shot) && is_fitted(live))
        live->fit_camera =
            memcmp(&live->shot.camera, &live->fitted, sizeof live->fitted) == 0 ? 2 : 1;
}

void otok_live_globe(otok_live *live, int on)
{
    otok_camera *c = &live->shot.camera;
    if (on && live->grid.nx != 2 * live->grid.ny) {
        otok_live_report(live,
                         "no globe: a planet's map is twice as wide as high, this one has %lld x "
                         "%lld cells",
                         (long long)live->grid.nx, (long long)live->grid.ny);
        return;
    }
    live->shot.globe = on ? OTOK_GLOBE_DISTANCE : 0;
    if (on) live->fit_camera = 3;
    if (!on) c->elevation = fmax(c->elevation, 1);
    otok_live_report(live, on ? "globe" : "map");
}
