/* chart.h: the parts that make a picture a chart: a scale bar, an arrow to the north and a line of
   words. They are drawn into the bytes of the picture. */
#ifndef OTOK_CHART_H
#define OTOK_CHART_H

#include "scene.h"

enum { OTOK_LEAST_INSET = 240 }; /* pixels of height with room for a legend and a map below it */

/* Leaves paper around the view of a shot that shows values or is a plan: on the right for its
   legend, "" if it has none, and a map, below for a chart. Bits of what a small picture has no room
   for, and must not draw: 1, legend and map; 2, the chart; 4, the map below the legend. least: the
   width and height that have room [pixels]. */
int otok_chart_page(otok_shot *shot, int width, int height, const char *legend, int map, int chart,
                    int plan, int least[2]);

/* Draws onto a picture of `shot`, row 0 at the top. The length of the bar holds at the point that
   the camera looks at; beside its length is the height between contours. The arrow shows where the
   top of the map lies. OTOK_DEVICE: there is no font. */
otok_status otok_chart_draw(unsigned char *rgb, int width, int height, const otok_shot *shot,
                            const char *words);

/* "200 m", "5 km": a round length of at most so many metres. */
double otok_chart_length(double most, char text[32]);

#endif
