/* reel.h: the output of a movie: a pipe to ffmpeg, whose file appears whole or not at all, or
   numbered PNG. */
#ifndef OTOK_CLI_REEL_H
#define OTOK_CLI_REEL_H

#include "../core/status.h"

#include <sys/types.h>

typedef struct cli_reel {
    /* Name and format for ffmpeg. format NULL: pictures, and output is a pattern. */
    const char *output, *format;
    int width, height;
    double rate;   /* pictures a second */
    int64_t taken; /* pictures so far   */
    pid_t ffmpeg;  /* private from here on */
    int to;
    struct otok_draft *draft;
} cli_reel;

/* Does the name contain one %d, %5d or %05d, and nothing else that printf would interpret? */
int cli_reel_is_pattern(const char *name);

/* OTOK_DEVICE: ffmpeg is not installed. */
otok_status cli_reel_begin(cli_reel *reel);

/* Adds a picture, rgb [height][width][3], with the title of the scenario. */
otok_status cli_reel_put(cli_reel *reel, const char *title, unsigned char *rgb);

/* Ends the video, which then exists whole or not at all. `status` is the status of the command so
   far. */
otok_status cli_reel_end(cli_reel *reel, otok_status status);

#endif
