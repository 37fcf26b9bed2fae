/* video.c: see video.h. A picture is drawn as finely as a saved one. */
#include "video.h"

#include <stdlib.h>
#include <string.h>

enum { RATE = 30 }; /* pictures a second of the video */

static void release_room(otok_video *v)
{
    otok_canvas_destroy(v->canvas);
    free(v->rgb);
    free(v->part);
    *v = (otok_video){0};
}

/* The video has n parts side by side. Each has an even number of pixels in width. */
static otok_status begin_movie(otok_video *v, const otok_view_frame *frames, otok_live *live, int n)
{
    const int part = frames[0].width > 1 ? frames[0].width / 2 * 2 : 2;
    v->height = frames[0].height > 1 ? frames[0].height / 2 * 2 : 2;
    v->width = n * part;
    v->rgb = malloc((size_t)v->width * (size_t)v->height * 3);
    v->part = malloc((size_t)part * (size_t)v->height * 3);
    if (!v->rgb || !v->part) return OTOK_FAIL(OTOK_NOMEM, "no memory for pictures of a video");
    OTOK_TRY(otok_canvas_create(&v->canvas, part, v->height));
    live->recorded = 0;
    return live->video->begin(live, v->width, v->height, RATE);
}

static otok_status add_picture(otok_video *v, otok_live *live, otok_live *const *lives, int n)
{
    const size_t row = (size_t)(v->width / n) * 3;
    for (int k = 0; k < n; k++) {
        otok_view_frame_draw_onto(lives[k], v->canvas);
        otok_canvas_read(v->canvas, v->part);
        for (size_t j = 0; j < (size_t)v->height; j++)
            memcpy(v->rgb + (j * (size_t)n + (size_t)k) * row, v->part + j * row, row);
    }
    OTOK_TRY(live->video->add(v->rgb));
    live->recorded++;
    return OTOK_OK;
}

static void end_movie(otok_video *v, otok_live *live, otok_status status)
{
    v->on = live->records = 0;
    status = live->video->end(live, status);
    if (status != OTOK_OK) otok_live_report(live, "%.390s", otok_why());
    release_room(v);
}

void otok_video_end(otok_video *v, otok_live *live)
{
    if (v->on) end_movie(v, live, OTOK_OK);
}

void otok_video_frame(otok_video *v, otok_live *live, const otok_view_frame *frames,
                      otok_live *const *lives, int n)
{
    int changed = 0;
    otok_status status = OTOK_OK;
    if (!live->video) live->records = 0;
    if (!live->records) {
        otok_video_end(v, live);
        return;
    }
    for (int k = 0; k < n; k++)
        changed |= frames[k].changed;
    if (!v->on) {
        status = begin_movie(v, frames, live, n);
        if (status != OTOK_OK) {
            otok_live_report(live, "%.390s", otok_why());
            live->records = 0;
            release_room(v);
            return;
        }
        v->on = changed = 1;
    }
    if (changed) status = add_picture(v, live, lives, n);
    if (status != OTOK_OK) end_movie(v, live, status);
}
