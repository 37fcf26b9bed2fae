/* view_video.c: see view_video.h. One video is made at a time. */
#include "view_video.h"

#ifdef OTOK_WITH_VIZ
#include "../core/status.h"
#include "../io/file.h"
#include "reel.h"

#include <stdio.h>
#include <string.h>

static cli_reel reel;
static char output[1200];

/* Makes a folder of pictures if there is no ffmpeg. */
static otok_status begin_pictures(otok_live *live)
{
    char folder[1024];
    otok_live_file(live, "_video", folder);
    if (strchr(folder, '%'))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: a name with %% cannot hold numbered pictures; choose another -o",
                         folder);
    OTOK_TRY(otok_directory_make(folder));
    snprintf(output, sizeof output, "%s/%%05d.png", folder);
    reel.format = NULL;
    otok_live_report(live, "no ffmpeg here: recording pictures in %s/", folder);
    return cli_reel_begin(&reel);
}

static otok_status begin(otok_live *live, int width, int height, double rate)
{
    char path[1024];
    otok_live_file(live, ".mp4", path);
    snprintf(output, sizeof output, "%s", path);
    reel = (cli_reel){output, "mp4", width, height, rate, 0, 0, -1, NULL};
    otok_status status = cli_reel_begin(&reel);
    if (status == OTOK_OK) otok_live_report(live, "recording %s", output);
    if (status != OTOK_DEVICE) return status == OTOK_OK ? status : cli_reel_end(&reel, status);
    cli_reel_end(&reel, status);
    reel.draft = NULL;
    return begin_pictures(live);
}

static otok_status add(unsigned char *rgb)
{
    OTOK_TRY(cli_reel_put(&reel, "", rgb));
    reel.taken++;
    return OTOK_OK;
}

static otok_status end(otok_live *live, otok_status status)
{
    status = cli_reel_end(&reel, status);
    if (status == OTOK_OK)
        otok_live_report(live, "saved %s, %lld pictures", output, (long long)reel.taken);
    return status;
}

const otok_live_video cli_view_video = {begin, add, end};

#else

typedef int cli_view_video_needs_viz; /* an empty file would not be valid C */

#endif
