/* view_video.h: the output of videos in `otok view`: ffmpeg, or numbered PNG without it. */
#ifndef OTOK_CLI_VIEW_VIDEO_H
#define OTOK_CLI_VIEW_VIDEO_H

#ifdef OTOK_WITH_VIZ
#include "viz/live.h"

extern const otok_live_video cli_view_video;
#endif

#endif
