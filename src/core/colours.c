/* colours.c: see colours.h. otok's own map is a path through the Oklab colour space. The others are
   those of

     Crameri, F. (2018): Scientific colour maps. Zenodo, doi:10.5281/zenodo.1243862; batlow to
   vikO; Thyng, K. M. et al. (2016): True colors of oceanography. Oceanography 29 (3), 9-13,
   doi:10.5670/oceanog.2016.66 (cmocean); the rest.

   Both are published under the MIT licence:
     Copyright (c) 2023 Fabio Crameri. Copyright (c) 2015 Kristen M. Thyng.
     Permission is hereby granted, free of charge, to any person obtaining a copy of this software
   and associated documentation files (the "Software"), to deal in the Software without restriction,
   including without limitation the rights to use, copy, modify, merge, publish, distribute,
   sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
     furnished to do so, subject to the following conditions: The above copyright notice and this
   permission notice shall be included in all copies or substantial portions of the Software. THE
   SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
   LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
#include "colours.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { KEPT = 64 };
#define SEQUENTIAL OTOK_COLOURS_SEQUENTIAL
#define DIVERGING OTOK_COLOURS_DIVERGING
#define TOPOGRAPHY OTOK_COLOURS_TOPOGRAPHY
#define CYCLIC OTOK_COLOURS_CYCLIC

/* Their colours as sRGB bytes in hexadecimal digits; the number is the largest error of what lies
 * between the kept ones. */
static const struct {
    const char *name;
    otok_colours_kind kind;
    const char *bytes;
} maps[] = {
    {"otok", SEQUENTIAL, NULL},
#include "colours.inc"
};
enum { MAPS = sizeof maps / sizeof maps[0] };

const char *otok_colours_name(int map)
{
    return map >= 0 && map < MAPS ? maps[map].name : NULL;
}

int otok_colours_find(const char *name)
{
    for (int i = 0; i < MAPS; i++)
        if (strcmp(maps[i].name, name) == 0) return i;
    return -1;
}

otok_colours_kind otok_colours_kind_of(int map)
{
    return maps[map].kind;
}

/* Oklab (Ottosson 2020) to linear sRGB. */
static void from_oklab(float lightness, float a, float b, float rgb[3])
{
    const float l = lightness + 0.3963377774f * a + 0.2158037573f * b,
                m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    const float s = lightness - 0.0894841775f * a - 1.2914855480f * b, l3 = l * l * l,
                m3 = m * m * m, s3 = s * s * s;
    rgb[0] = 4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3;
    rgb[1] = -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3;
    rgb[2] = -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3;
}

static void fill_own(float out[OTOK_COLOURS][3])
{
    for (int i = 0; i < OTOK_COLOURS; i++) {
        const float t = (float)i / (OTOK_COLOURS - 1), hue = (285 - 180 * t) * 3.14159265f / 180,
                    lightness = 0.27f + 0.65f * t;
        float chroma = 0.16f;
        do { /* as colourful as the screen can show */
            from_oklab(lightness, chroma * cosf(hue), chroma * sinf(hue), out[i]);
            chroma -= 0.002f;
        } while (fminf(fminf(out[i][0], out[i][1]), out[i][2]) < 0 ||
                 fmaxf(fmaxf(out[i][0], out[i][1]), out[i][2]) > 1);
    }
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* A kept colour in linear light. */
static float kept_channel(const char *bytes, int i, int channel)
{
    const char *at = bytes + 6 * i + 2 * channel;
    const float s = (float)(16 * hex_digit(at[0]) + hex_digit(at[1])) / 255;
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

otok_status otok_colours_fill(int map, float out[OTOK_COLOURS][3])
{
    OTOK_TRY(OTOK_GIVEN(out));
    if (!otok_colours_name(map)) return OTOK_FAIL(OTOK_USAGE, "there is no colour map %d", map);
    const char *bytes = maps[map].bytes;
    if (!bytes) {
        fill_own(out);
        return OTOK_OK;
    }
    for (int i = 0; i < OTOK_COLOURS; i++) {
        const float x = (float)i * (KEPT - 1) / (OTOK_COLOURS - 1);
        const int k = (int)x < KEPT - 1 ? (int)x : KEPT - 2,
                  coast = maps[map].kind == TOPOGRAPHY && k == KEPT / 2 - 1;
        const float part =
            coast ? roundf(x - (float)k) : x - (float)k; /* no colour lies between sea and land */
        for (int channel = 0; channel < 3; channel++)
            out[i][channel] =
                kept_channel(bytes, k, channel) +
                part * (kept_channel(bytes, k + 1, channel) - kept_channel(bytes, k, channel));
    }
    return OTOK_OK;
}
