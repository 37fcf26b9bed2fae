/* nodraw.c: replaces the commands that draw, in a build without views. */
#include "../core/status.h"
#include "cli.h"

#include <stdio.h>
#include <string.h>

static int fail_no_drawing(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        printf("usage: otok %s\n\nThis build cannot draw views.\n\nexample: otok export --help\n",
               argv[0]);
        return 0;
    }
    return cli_fail(argv[0],
                    OTOK_FAIL(OTOK_DEVICE, "this build cannot draw views; install libepoxy-dev, "
                                           "libegl-dev and libstb-dev and build again, or see otok "
                                           "export"));
}

int cli_render(int argc, char **argv)
{
    return fail_no_drawing(argc, argv);
}

int cli_movie(int argc, char **argv)
{
    return fail_no_drawing(argc, argv);
}

int cli_view(int argc, char **argv)
{
    return fail_no_drawing(argc, argv);
}
