/* video.h: pictures of what a window shows, one for each change of state or camera that it shows:
   none is left out, however long it takes to be drawn and written. Their size stays that of the
   window at the beginning. live->video decides where they go. */
#ifndef OTOK_VIDEO_H
#define OTOK_VIDEO_H

#include "frame.h"

typedef struct otok_video {
    int width, height; /* of a picture, both even */
    otok_canvas *canvas;
    unsigned char *rgb;
    int on;
} otok_video;

/* Called after the frame of a window is drawn. Begins or ends the video if `live` asks for it, and
   adds a picture. A failure is reported and ends the video. */
void otok_video_frame(otok_video *video, otok_live *live, const otok_view_frame *frame);

/* Ends it: its file is whole then. */
void otok_video_end(otok_video *video, otok_live *live);

#endif
