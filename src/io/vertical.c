/* vertical.c: the system of heights within a WKT. Heights become metres, up, when they are read,
   and nothing shifts them from one datum to another. */
#include "../core/status.h"
#include "georeference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of OGC's first and second version, and of Esri, which writes no compound. */
typedef struct dialect {
    const char *heights, *compound, *datum, *metres;
} dialect;
static const dialect dialects[] = {
    {"VERT_CS[", "COMPD_CS", "VERT_DATUM[",
     "UNIT[\"metre\",1,AUTHORITY[\"EPSG\",\"9001\"]],AXIS[\"Gravity-related height\",UP]]"},
    {"VERTCRS[", "COMPOUNDCRS", "VDATUM[",
     "CS[vertical,1],AXIS[\"gravity-related height (H)\",up],LENGTHUNIT[\"metre\",1]]"},
    {"VERTCS[", NULL, "VDATUM[",
     "PARAMETER[\"Vertical_Shift\",0.0],PARAMETER[\"Direction\",1.0],UNIT[\"Meter\",1.0]]"}};

/* A part of a text. */
typedef struct part {
    const char *at;
    int n;
} part;

static const char *find_heights(const char *wkt, const dialect **in)
{
    for (size_t i = 0; wkt && i < sizeof dialects / sizeof dialects[0]; i++) {
        const char *at = strstr(wkt, dialects[i].heights);
        *in = &dialects[i];
        if (at) return at;
    }
    return NULL;
}

/* Where the system of heights begins within a WKT; NULL: it has none. */
static const char *heights_of(const char *wkt)
{
    const dialect *unused;
    return find_heights(wkt, &unused);
}

int otok_georeference_vertical(const otok_georeference *p, double *metres)
{
    double found;
    *metres = 1;
    const char *heights = heights_of(p->wkt);
    if (!heights) return 0;
    for (const char *at = strstr(heights, "UNIT["); at; at = strstr(at + 1, "UNIT[")) {
        const char *quote = strchr(at, '"'), *end = quote ? strchr(quote + 1, '"') : NULL;
        if (end && sscanf(end + 1, " , %lf", &found) == 1 && found > 0) *metres = found;
    }
    return strstr(heights, ",DOWN]") || strstr(heights, ",down]") || strstr(heights, ",down,") ||
           strstr(heights, "PARAMETER[\"Direction\",-1");
}

/* The element WORD[...] that begins here, to its bracket. */
static part element_at(const char *at)
{
    int depth = 0, quoted = 0;
    for (const char *c = at; *c; c++) {
        if (*c == '"') quoted = !quoted;
        if (quoted) continue;
        depth += (*c == '[') - (*c == ']');
        if (*c == ']' && depth <= 0) return (part){at, (int)(c + 1 - at)};
    }
    return (part){"", 0};
}

/* Its first words in quotes. */
static part name_of(part element)
{
    const char *first = element.n ? strchr(element.at, '"') : NULL,
               *last = first ? strchr(first + 1, '"') : NULL;
    return last ? (part){first + 1, (int)(last - first - 1)} : (part){"", 0};
}

/* The horizontal system comes first in a compound one, and before Esri's heights. */
static part across_of(const char *wkt)
{
    const dialect *in;
    const char *heights = find_heights(wkt, &in);
    if (!heights) return (part){wkt, (int)strlen(wkt)};
    if (!in->compound || strncmp(wkt, in->compound, strlen(in->compound)) != 0)
        return heights == wkt ? (part){"", 0} : element_at(wkt);
    const part name = name_of((part){wkt, (int)strlen(wkt)});
    const char *comma = name.n ? strchr(name.at + name.n, ',') : NULL;
    return comma ? element_at(comma + 1 + strspn(comma + 1, " \n\r\t")) : (part){"", 0};
}

/* A horizontal system, and heights in a dialect. Either may be empty. */
static char *join(part across, part heights, const dialect *in)
{
    char *out = NULL;
    const part a = name_of(across), h = name_of(heights);
    int length;
    if (!across.n || !heights.n)
        length = asprintf(&out, "%.*s%.*s", across.n, across.at, heights.n, heights.at);
    else if (in->compound)
        length = asprintf(&out, "%s[\"%.*s + %.*s\",%.*s,%.*s]", in->compound, a.n, a.at, h.n, h.at,
                          across.n, across.at, heights.n, heights.at);
    else
        length = asprintf(&out, "%.*s,%.*s", across.n, across.at, heights.n, heights.at);
    return length < 0 ? NULL : out;
}

char *otok_wkt_with_heights(const char *across, const char *from)
{
    const dialect *in;
    const char *heights = find_heights(from, &in);
    return join(across_of(across), heights ? element_at(heights) : (part){"", 0}, in);
}

/* The same heights in metres, up; empty if their datum is unknown. */
static char *in_metres(const char *heights, const dialect *in)
{
    const part all = element_at(heights);
    const char *at = strstr(heights, in->datum);
    if (!at) at = strstr(heights, "ENSEMBLE[");
    const part datum = at && at < all.at + all.n ? element_at(at) : (part){"", 0},
               name = name_of(datum);
    char *out = NULL;
    if (!name.n) return strdup("");
    return asprintf(&out, "%s\"%.*s height\",%.*s,%s", in->heights, name.n, name.at, datum.n,
                    datum.at, in->metres) < 0
               ? NULL
               : out;
}

otok_status otok_georeference_settle_heights(otok_georeference *p)
{
    double metres;
    const dialect *in;
    const char *heights = find_heights(p->wkt, &in);
    const int is_down = otok_georeference_vertical(p, &metres);
    if (!heights || (metres == 1 && !is_down)) return OTOK_OK;
    char *mine = in_metres(heights, in),
         *whole = mine ? join(across_of(p->wkt), (part){mine, (int)strlen(mine)}, in) : NULL;
    free(mine);
    if (!whole) return OTOK_FAIL(OTOK_NOMEM, "no memory for a coordinate system");
    free(p->wkt);
    p->wkt = *whole ? whole : NULL;
    if (!p->wkt) free(whole);
    return OTOK_OK;
}
