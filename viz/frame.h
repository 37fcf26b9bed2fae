/* frame.h: what a window shows: the scene, and text over it. The scene is drawn with fewer details
   and in fewer pixels while it changes and drawing is slow. A frame is a canvas; it knows no
   window. */
#ifndef OTOK_VIEW_FRAME_H
#define OTOK_VIEW_FRAME_H

#include "brush_cursor.h"
#include "fineness.h"
#include "gl.h"
#include "inset.h"
#include "live.h"
#include "overlay.h"

typedef struct otok_view_frame {
    int width, height;
    otok_canvas *scene, *coarse, *sheet; /* every pixel; fewer; scene and words, as shown */
    otok_fineness fineness;
    int fast;       /* otok_view_frame_fast was called */
    int drawn;      /* the level that the scene was last drawn at, 0: not at all */
    int drew;       /* and in the last frame alone; 0: not, or for a file or a strip, too */
    int hurried;    /* that fine drawing had light or marks of earlier states */
    int strip;      /* next one to be drawn finely */
    int64_t shown;  /* live->shows of that scene                    */
    otok_shot shot; /* and its shot                                 */
    double changed_at;
    otok_overlay words;
    otok_inset map;
    otok_brush_cursor cursor;
    const char *help;
} otok_view_frame;

otok_status otok_view_frame_create(otok_view_frame *out, const char *help);
void otok_view_frame_destroy(otok_view_frame *frame);

/* From now on whatever moves or changes is drawn quickly from its first frame on: in a quarter of
   the pixels or fewer, with light and marks of earlier states. What rests is drawn finely as
   before. */
void otok_view_frame_fast(otok_view_frame *frame);

/* Follows the size of the window's framebuffer. */
otok_status otok_view_frame_fit(otok_view_frame *frame, int width, int height);

/* Draws what changed onto the frame, and binds it. Saves a picture if one is asked for. */
otok_status otok_view_frame_draw(otok_view_frame *frame, otok_live *live);

/* The pixels at the right that the panel, the legend and the map of values take: they are never on
   the view. */
int otok_view_frame_beside(const otok_view_frame *frame, const otok_live *live);

/* Saves a picture of what is shown now, with the legend, by live->write_picture. */
otok_status otok_view_frame_save(otok_view_frame *frame, otok_live *live, const char *path);

/* Draws what is shown now, finely and with the legend, onto a canvas of any size. */
void otok_view_frame_draw_onto(otok_live *live, otok_canvas *canvas);

/* Decides how coarse the next frames are. `seconds`: how long otok_view_frame_draw took, until
   OpenGL was done with it. */
void otok_view_frame_adapt(otok_view_frame *frame, double seconds);

/* Is a finer picture of what is shown still to come? */
int otok_view_frame_is_coarse(const otok_view_frame *frame);

/* Finds the place of the map that is seen at a pixel [m]. 0: there is none. */
int otok_view_frame_ground_at(const otok_view_frame *frame, const otok_live *live, double x,
                              double y, double out[2]);

#endif
