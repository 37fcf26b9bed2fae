/* page.h: what a window shows: the scene, drawn with fewer details and in fewer pixels while it changes and drawing is slow, and
   words over it. It knows no window: the page is a canvas. */
#ifndef OTOK_PAGE_H
#define OTOK_PAGE_H

#include "fineness.h"
#include "gl.h"
#include "inset.h"
#include "live.h"
#include "overlay.h"
#include "ring.h"

typedef struct otok_page {
    int width, height;
    otok_canvas *scene, *coarse, *sheet; /* every pixel; fewer; scene and words, as shown */
    otok_fineness fineness;
    int drawn;      /* the level that the scene was last drawn at, 0: not at all */
    int drew;       /* and in the last frame alone; 0: not, or for a file or a strip, too */
    int strip;      /* next one to be drawn finely */
    int64_t shown;  /* live->shows of that scene                    */
    otok_shot shot; /* and its shot                                 */
    double changed_at;
    otok_overlay words;
    otok_inset map;
    otok_ring ring;
    const char *help;
} otok_page;

otok_status otok_page_create(otok_page *out, const char *help);
void otok_page_destroy(otok_page *page);

/* Follows the size of the window's framebuffer. */
otok_status otok_page_fit(otok_page *page, int width, int height);

/* Draws what changed onto the page, which is bound then; saves a picture where one is wished. */
otok_status otok_page_draw(otok_page *page, otok_live *live);

/* A picture of what is shown now, with the legend, by live->write_picture. */
otok_status otok_page_save(otok_page *page, otok_live *live, const char *path);

/* How long otok_page_draw took [s], until OpenGL was done with it: how coarse the next ones are. */
void otok_page_took(otok_page *page, double seconds);

/* Is a finer picture of what is shown still to come? */
int otok_page_is_coarse(const otok_page *page);

/* The place of the map that is seen at a pixel [m]; 0: none. */
int otok_page_at(const otok_page *page, const otok_live *live, double x, double y, double out[2]);

#endif
