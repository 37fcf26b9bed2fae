/* view_video.h: where the videos of `otok view` go: to ffmpeg, else into numbered PNG. */
#ifndef OTOK_CLI_VIEW_VIDEO_H
#define OTOK_CLI_VIEW_VIDEO_H

#ifdef OTOK_WITH_VIZ
#include "viz/live.h"

extern const otok_live_video cli_view_video;
#endif

#endif
