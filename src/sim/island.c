/* island.c: the form of an island with a reef; docs/islands.md has the rules. Along each azimuth
   cells are counted from the middle of the island outwards. */
#include "island.h"

#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "expressions.h"

#include <math.h>
#include <stdlib.h>

#define FORMS(WORD)                                                                                \
    WORD(fringing) WORD(barrier) WORD(atoll) WORD(platform) WORD(submerged) WORD(drowned) WORD(bare)

static const char *const names[] = {
#define NAME(word) #word,
    FORMS(NAME)};
_Static_assert(sizeof names / sizeof *names == OTOK_FORMS, "a name for each form");
#define MEANING(word) " " #word
const char otok_form_meanings[] = "none" FORMS(MEANING);

const char *otok_form_name(otok_form form)
{
    return (int)form >= 0 && form < OTOK_FORMS ? names[form] : "none";
}

#define AT(member) offsetof(otok_island, member)
const otok_island_number otok_island_numbers[OTOK_ISLAND_NUMBERS] = {
    {"form_share", "1", "share of the azimuths that have the form", AT(share)},
    {"continuity", "1", "share of the azimuths with a rim", AT(continuity)},
    {"rim_depth", "m", "depth of the reef's rim below the sea; NaN: no rim", AT(rim_depth)},
    {"lagoon_depth", "m", "depth of the lagoon; NaN: no lagoon", AT(lagoon_depth)},
    {"lagoon_width", "m", "width of the lagoon along an azimuth; NaN: no lagoon", AT(lagoon_width)},
    {"land_share", "1", "share of the cells that are above the sea", AT(land_share)},
    {"drowned_terraces", "1", "flat steps of reef deeper than 30 m", AT(drowned_terraces)},
    {"raised_terraces", "1", "flat steps of reef higher than 10 m", AT(raised_terraces)}};
#undef AT

const otok_island otok_no_island = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, {0}};

static const double least_reef = 1, deepest_rim = 10, lagoon_below_rim = 10, /* [m] */
    least_width = 200, drowned_depth = 30, terrace_slope = 0.03, terrace_reef = 5,
                    raised_height = 10;

typedef struct source {
    otok_grid grid;
    const float *terrain, *reef;
    const unsigned char *walls;
    double sea, x, y; /* the middle, in cells */
    double land;      /* share of the cells */
} source;

/* The cells of an azimuth, without walls; `deep` is room for as many numbers. */
typedef struct ray {
    int64_t n;
    double *depth, *reef, *deep, spacing;
} ray;

typedef struct found {
    otok_form form;
    double lagoon, width, rim; /* NAN: none */
    int64_t drowned, raised;
} found;

/* ---- an azimuth ---- */

static int is_reef(const ray *r, int64_t i)
{
    return r->reef[i] >= least_reef;
}

static int is_crest(const ray *r, int64_t i)
{
    return is_reef(r, i) && r->depth[i] <= deepest_rim;
}

/* The first cell beyond the outermost rock above the sea and the land joined to it. */
static int64_t shore_of(const ray *r)
{
    int64_t i = r->n;
    while (i > 0 && !(r->depth[i - 1] < 0 && !is_reef(r, i - 1)))
        i--;
    while (i > 0 && i < r->n && r->depth[i] < 0)
        i++;
    return i;
}

/* Counts the runs of thick reef from cell `first` on, between two depths, that are flat from a cell
   to the next. */
static int64_t count_terraces(const ray *r, int64_t first, double low, double high)
{
    int64_t count = 0, run = 0;
#define IS(i) (r->reef[i] >= terrace_reef && r->depth[i] > low && r->depth[i] < high)
    for (int64_t i = first; i < r->n; i++) {
        const int flat = i + 1 < r->n && IS(i) && IS(i + 1) &&
                         fabs(r->depth[i + 1] - r->depth[i]) < terrace_slope * r->spacing;
        if (!flat) count += run > 0 && (double)run * r->spacing >= least_width;
        run = flat ? run + 1 : 0;
    }
#undef IS
    return count;
}

/* Sets rim and lagoon of an azimuth whose outermost cell of the crest is `last`. */
static void measure_rim(found *f, const ray *r, int64_t shore, int64_t last)
{
    int64_t first = last, n = 0;
    f->rim = r->depth[last];
    for (; first > shore && is_crest(r, first - 1); first--)
        f->rim = fmin(f->rim, r->depth[first - 1]);
    for (int64_t i = shore; i < first; i++)
        if (r->depth[i] > f->rim + lagoon_below_rim) r->deep[n++] = r->depth[i];
    const double width = (double)n * r->spacing;
    if (width < fmax(least_width, 2 * r->spacing)) return;
    f->width = width;
    f->lagoon = otok_quantile(r->deep, n, 0.9);
}

/* Without rim and land joined to the reef. */
static otok_form form_below(const ray *r)
{
    int any = 0, shallow = 0;
    for (int64_t i = 0; i < r->n; i++) {
        any |= is_reef(r, i);
        shallow |= is_reef(r, i) && r->depth[i] <= drowned_depth;
    }
    return !any ? OTOK_BARE : shallow ? OTOK_SUBMERGED : OTOK_DROWNED;
}

static found look_along(const ray *r)
{
    const int64_t shore = shore_of(r);
    found f = {.lagoon = NAN, .width = NAN, .rim = NAN};
    int64_t end = shore, last = r->n - 1;
    while (last >= shore && !is_crest(r, last))
        last--;
    if (last >= shore) {
        measure_rim(&f, r, shore, last);
        end = last + 1;
        f.form = isnan(f.lagoon) ? shore ? OTOK_FRINGING : OTOK_PLATFORM
                 : shore         ? OTOK_BARRIER
                                 : OTOK_ATOLL;
    } else if (shore && is_reef(r, shore - 1)) {
        f.rim = r->depth[shore - 1];
        f.form = OTOK_FRINGING;
    } else
        f.form = form_below(r);
    f.drowned = count_terraces(r, end, drowned_depth, INFINITY);
    f.raised = count_terraces(r, 0, -INFINITY, -raised_height);
    return f;
}

/* ---- a map ---- */

/* The nearest cell; of two equally near ones the farther one, so that a mirrored ray has the
   mirrored cells. */
static int64_t nearest(double start, double step, int64_t n)
{
    const double at = start + (double)n * step;
    return (int64_t)(step < 0 ? ceil(at - 0.5) : floor(at + 0.5));
}

static void load_ray(ray *r, const source *s, double dx, double dy)
{
    r->n = 0;
    for (int64_t n = 0;; n++) {
        const int64_t x = nearest(s->x, dx, n), y = nearest(s->y, dy, n), at = y * s->grid.nx + x;
        if (x < 0 || y < 0 || x >= s->grid.nx || y >= s->grid.ny) return;
        if (s->walls && s->walls[at]) continue;
        r->depth[r->n] = s->sea - (double)s->terrain[at];
        r->reef[r->n++] = (double)s->reef[at];
    }
}

/* The direction of an azimuth: none is along an axis of a map. A row or column has two. */
static void direct(otok_grid g, int azimuth, double *x, double *y)
{
    static const double cosines[OTOK_AZIMUTHS / 4] = {
        /* of 1/64, 3/64, 5/64 ... of pi */
        0.9987954562051724,  0.989176509964781,   0.970031253194544,   0.9415440651830208,
        0.9039892931234433,  0.8577286100002721,  0.8032075314806449,  0.7409511253549591,
        0.6715589548470183,  0.5956993044924335,  0.5141027441932217,  0.4275550934302822,
        0.33688985339222005, 0.24298017990326398, 0.14673047445536175, 0.049067674327418126};
    const int k = azimuth % (OTOK_AZIMUTHS / 4), quarter = azimuth / (OTOK_AZIMUTHS / 4);
    const double c = cosines[k], s = cosines[OTOK_AZIMUTHS / 4 - 1 - k], both = azimuth ? -1 : 1;
    *x = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    *y = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    if (g.ny == 1) *x = both, *y = 0;
    if (g.ny > 1 && g.nx == 1) *x = 0, *y = both;
}

/* Finds the middle of the land, or of the reef if fewer than four cells are land. 0: the map has
   neither, or values that are not finite. */
static int find_middle(source *s)
{
    int64_t n[2] = {0}, x[2] = {0}, y[2] = {0}, open = 0;
    for (int64_t j = 0; j < s->grid.ny; j++)
        for (int64_t i = 0; i < s->grid.nx; i++) {
            const int64_t at = j * s->grid.nx + i;
            if (s->walls && s->walls[at]) continue;
            if (!isfinite(s->terrain[at]) || !isfinite(s->reef[at])) return 0;
            const int is[2] = {s->sea - (double)s->terrain[at] < 0,
                               (double)s->reef[at] >= least_reef};
            for (int k = 0; k < 2; k++)
                n[k] += is[k], x[k] += is[k] * i, y[k] += is[k] * j;
            open++;
        }
    const int k = n[0] < 4 && n[1] > 0;
    if (!n[k]) return 0;
    s->x = (double)x[k] / (double)n[k];
    s->y = (double)y[k] / (double)n[k];
    s->land = (double)n[0] / (double)open;
    return 1;
}

static otok_island conclude(const found *all, int n, double land)
{
    double values[5][OTOK_AZIMUTHS], rims = 0;
    otok_island out = {.land_share = land};
    for (int i = 0; i < n; i++) {
        const found *f = &all[i];
        const double own[] = {f->rim, f->lagoon, f->width, (double)f->drowned, (double)f->raised};
        for (int k = 0; k < 5; k++)
            values[k][i] = own[k];
        rims += !isnan(f->rim);
        out.shares[f->form] += 1;
    }
    for (int form = 0; form < OTOK_FORMS; form++) {
        out.shares[form] /= n;
        if (out.shares[form] > out.shares[out.form]) out.form = form;
    }
    out.share = out.shares[out.form];
    out.continuity = rims / n;
    out.rim_depth = otok_quantile(values[0], n, 0.5);
    out.lagoon_depth = otok_quantile(values[1], n, 0.5);
    out.lagoon_width = otok_quantile(values[2], n, 0.5);
    out.drowned_terraces = floor(otok_quantile(values[3], n, 0.5));
    out.raised_terraces = floor(otok_quantile(values[4], n, 0.5));
    return out;
}

static otok_status island_of(otok_island *out, source s)
{
    const otok_grid grid = s.grid;
    const int n = grid.nx > 1 && grid.ny > 1 ? OTOK_AZIMUTHS : 2;
    const size_t most = (size_t)(grid.nx + grid.ny);
    found all[OTOK_AZIMUTHS];
    *out = otok_no_island;
    if (!find_middle(&s)) return OTOK_OK;
    double *room = malloc(3 * most * sizeof *room);
    if (!room) return OTOK_FAIL(OTOK_NOMEM, "no memory for the form of an island");
    ray r = {0, room, room + most, room + 2 * most, grid.spacing};
    for (int i = 0; i < n; i++) {
        double x, y;
        direct(grid, i, &x, &y);
        load_ray(&r, &s, x, y);
        all[i] = look_along(&r);
    }
    free(room);
    *out = conclude(all, n, s.land);
    return OTOK_OK;
}

otok_status(otok_island_of)(otok_island *out, otok_grid grid, double sea, const float *terrain,
                            const float *reef, const unsigned char *walls, size_t size)
{
    OTOK_TRY(OTOK_GIVEN(out, terrain, reef));
    OTOK_ROUNDING;
    if (grid.nx < 1 || grid.ny < 1 || !(grid.spacing > 0))
        return OTOK_FAIL(OTOK_USAGE, "a grid of %lld x %lld cells of %g m is empty",
                         (long long)grid.nx, (long long)grid.ny, grid.spacing);
    otok_island all;
    const source s = {.grid = grid, .terrain = terrain, .reef = reef, .walls = walls, .sea = sea};
    OTOK_TRY(island_of(&all, s));
    otok_sized_copy(out, size, &all, sizeof all);
    return OTOK_OK;
}

otok_status otok_island_of_snapshot(otok_island *out, const otok_snapshot *s)
{
    const float *terrain = s->maps[OTOK_TERRAIN], *reef = s->maps[OTOK_REEF];
    unsigned char *walls = NULL;
    *out = otok_no_island;
    if (!terrain || !reef) return OTOK_OK;
    if (s->holes.n && !(walls = calloc((size_t)(s->grid.nx * s->grid.ny), 1)))
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the walls of a state");
    if (walls) otok_holes_mark(&s->holes, walls);
    const otok_status status = otok_island_of(out, s->grid, s->sea_level, terrain, reef, walls);
    free(walls);
    return status;
}
