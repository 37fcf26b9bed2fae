/* time_words.c: times as words for people, in every chart, list and window. */
#include "../model/derived.h"
#include "../otok.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FROM_YEARS = 2; /* shorter times are in days */

/* Five digits; from 10,000 years on whole years, with commas. */
static void write_years(char out[48], double years)
{
    if (!(years < 1e15) || years < 9999.5) {
        snprintf(out, 48, "%.5g yr", years);
        return;
    }
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", years);
    for (const char *at = digits; *at; at++) {
        *out++ = *at;
        if (strlen(at) % 3 == 1 && at[1]) *out++ = ',';
    }
    strcpy(out, " yr");
}

void otok_time_words(char out[48], double seconds)
{
    if (OTOK_GIVEN(out)) return;
    static const struct {
        double size, part;
        const char *name, *small;
    } units[] = {{86400, 3600, "d", "h"}, {3600, 60, "h", "min"}, {60, 0.1, "min", "s"}};
    if (seconds >= FROM_YEARS * OTOK_YEAR && !isinf(seconds)) {
        write_years(out, seconds / OTOK_YEAR);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const double size = units[i].size, part = units[i].part;
        if (!(seconds >= size) || isinf(seconds)) continue;
        const double all = round(seconds / part), whole = floor(all / round(size / part)),
                     rest = all - whole * round(size / part);
        const int n = snprintf(out, 48, "%.0f %s", whole, units[i].name);
        if (rest > 0)
            snprintf(out + n, (size_t)(48 - n), " %.3g %s", rest * fmin(part, 1), units[i].small);
        return;
    }
    snprintf(out, 48, "%.4g s", seconds);
}
