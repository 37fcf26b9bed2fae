/* report.c: the messages to the user, in the window and with --verbose on standard output. */
#include "live.h"

#include "core/clock.h"

#include <stdarg.h>
#include <stdio.h>

void otok_live_report(otok_live *live, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vsnprintf(live->message, sizeof live->message, format, rest);
    va_end(rest);
    live->message_at = otok_clock();
    if (!live->verbose) return;
    puts(live->message);
    fflush(stdout);
}
