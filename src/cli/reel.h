/* reel.h: where the pictures of a movie go: through a pipe to ffmpeg, whose file appears whole or
 * not at all, or into numbered PNG.
 */
#ifndef OTOK_CLI_REEL_H
#define OTOK_CLI_REEL_H

#include "../core/status.h"

#include <sys/types.h>

typedef struct cli_reel {
    const char *output, *format; /* of ffmpeg; NULL: pictures, and output is a pattern */
    int width, height;
    double rate;   /* pictures a second */
    int64_t taken; /* pictures so far   */
    pid_t ffmpeg;  /* from here: its own */
    int to;
    char *temporary;
} cli_reel;

/* Has the name one %d, %5d or %05d, and nothing else that printf would take? */
int cli_reel_is_pattern(const char *name);

/* OTOK_DEVICE: no ffmpeg here. */
otok_status cli_reel_begin(cli_reel *reel);

/* Adds a picture and the title of the scenario, rgb [height][width][3]. */
otok_status cli_reel_put(cli_reel *reel, const char *title, unsigned char *rgb);

/* Ends the video, which is then there whole or not at all. `status` is how it went so far. */
otok_status cli_reel_end(cli_reel *reel, otok_status status);

#endif
