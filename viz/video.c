/* video.c: see video.h. A picture is drawn as finely as a saved one. */
#include "video.h"

#include <stdlib.h>

enum { RATE = 30 }; /* pictures a second of the video */

static void release_room(otok_video *v)
{
    otok_canvas_destroy(v->canvas);
    free(v->rgb);
    *v = (otok_video){0};
}

static otok_status begin_movie(otok_video *v, const otok_view_frame *frame, otok_live *live)
{
    v->width = frame->width > 1 ? frame->width / 2 * 2 : 2;
    v->height = frame->height > 1 ? frame->height / 2 * 2 : 2;
    v->rgb = malloc((size_t)v->width * (size_t)v->height * 3);
    if (!v->rgb) return OTOK_FAIL(OTOK_NOMEM, "no memory for pictures of a video");
    OTOK_TRY(otok_canvas_create(&v->canvas, v->width, v->height));
    live->recorded = 0;
    return live->video->begin(live, v->width, v->height, RATE);
}

static otok_status add_picture(otok_video *v, otok_live *live)
{
    otok_view_frame_draw_onto(live, v->canvas);
    otok_canvas_read(v->canvas, v->rgb);
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

void otok_video_frame(otok_video *v, otok_live *live, const otok_view_frame *frame)
{
    int changed = frame->changed;
    otok_status status = OTOK_OK;
    if (!live->video) live->records = 0;
    if (!live->records) {
        otok_video_end(v, live);
        return;
    }
    if (!v->on) {
        status = begin_movie(v, frame, live);
        if (status != OTOK_OK) {
            otok_live_report(live, "%.390s", otok_why());
            live->records = 0;
            release_room(v);
            return;
        }
        v->on = changed = 1;
    }
    if (changed) status = add_picture(v, live);
    if (status != OTOK_OK) end_movie(v, live, status);
}
