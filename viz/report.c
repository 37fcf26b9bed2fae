/* report.c: the messages to the user, in the window and with --verbose on standard output, and the
   names of places, fields and files in them. */
#include "live.h"

#include "core/clock.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Stops the simulation. The window stays, so that the user sees what happened. */
void otok_live_fail(otok_live *live, otok_status status, const char *why)
{
    live->status = status;
    live->running = live->held = 0;
    live->steps = 0;
    otok_live_report(live, "%s", why);
}

void otok_live_place(const otok_live *live, char *out, size_t size)
{
    const otok_probe *p = &live->probe;
    const double l = live->grid.spacing;
    snprintf(out, size, "x %.6g m, y %.6g m (cell %lld, %lld)", ((double)p->i + 0.5) * l,
             ((double)p->j + 0.5) * l, (long long)p->i, (long long)p->j);
}

int otok_live_field_name(const otok_live *live, int field, char out[OTOK_NAME_SIZE])
{
    const int layer = otok_field_layer(field);
    if (layer >= live->nlayers || (field >= OTOK_LAYER_BOTTOM && field <= OTOK_LAYER_BOTTOM_LAST))
        return 0;
    snprintf(out, OTOK_NAME_SIZE, "%s%s", layer < 0 ? "" : "layer ",
             layer < 0 ? otok_field_at(field)->name : live->layers[layer]);
    return 1;
}

void otok_live_file(const otok_live *live, const char *ending, char out[1024])
{
    for (int n = 0; n < 10000; n++) {
        FILE *there;
        if (n)
            snprintf(out, 1024, "%.900s_%08lld_%d%s", live->name, (long long)live->iteration, n,
                     ending);
        else
            snprintf(out, 1024, "%.900s_%08lld%s", live->name, (long long)live->iteration, ending);
        if (!(there = fopen(out, "rb"))) return;
        fclose(there);
    }
}

void otok_live_film_file(otok_live *live, char out[1024])
{
    snprintf(out, 1024, "%.1000s/%08lld.png", live->film, (long long)live->iteration);
    live->filmed += access(out, F_OK) != 0;
}

void otok_live_film(otok_live *live, int on)
{
    const double step = live->speed / OTOK_FILM_RATE;
    live->films = 0;
    live->slice_exact = 0;
    if (on) {
        live->filmed = 0;
        otok_live_file(live, "_film", live->film);
        if (mkdir(live->film, 0777) != 0) {
            otok_live_report(live, "%.300s: %s", live->film, strerror(errno));
            return;
        }
        live->films = 1;
        live->slice_exact = step > 1 ? (int64_t)step : 1;
        otok_live_report(live, "film: a picture every %lld iterations",
                         (long long)live->slice_exact);
    } else if (live->filmed == 0) {
        rmdir(live->film);
        otok_live_report(live, "film: nothing ran, no picture");
    } else {
        otok_live_report(live, "%lld pictures; the terminal has ffmpeg's command",
                         (long long)live->filmed);
        printf("ffmpeg -framerate %d -pattern_type glob -i '%s/*.png' film.mp4\n", OTOK_FILM_RATE,
               live->film);
        fflush(stdout);
    }
}
