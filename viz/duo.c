/* duo.c: see duo.h. */
#include "duo.h"
#include "core/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---- */

static void share_probe(otok_live *to, const otok_live *from)
{
    const otok_probe *p = &from->probe;
    otok_probe *q = &to->probe;
    const int there = p->i < to->grid.nx && p->j < to->grid.ny;
    if (q->on != (p->on && there) || q->i != p->i || q->j != p->j) q->count = 0;
    q->on = p->on && there;
    if (there) q->i = p->i, q->j = p->j;
}

static void write_label(const otok_duo *p, int k)
{
    enum { LONGEST = 28 };
    const char *const which = k == 0 ? "A" : p->differs ? "B - A" : "B", *name = p->names[k];
    otok_live *live = p->lives[k];
    const size_t n = strlen(name);
    const int used = snprintf(live->label, sizeof live->label, "%s  %s%s", which,
                              n > LONGEST ? "..." : "", name + (n > LONGEST ? n - LONGEST : 0));
    if (live->sim)
        snprintf(live->label + used, sizeof live->label - (size_t)used, "\niteration %lld of %lld",
                 (long long)live->iteration, (long long)live->iterations);
}

void otok_duo_share(otok_duo *p)
{
    const otok_live *from = p->lives[p->leader];
    otok_live *to = p->lives[!p->leader];
    const otok_shot own = to->shot;
    to->field = from->field;
    to->shot = from->shot;
    to->shot.sea_level = own.sea_level, to->shot.absorption = own.absorption;
    to->shot.block = own.block;
    to->shot.low = own.low, to->shot.high = own.high;
    if (!otok_live_has_style(to, (int)from->shot.style)) to->shot.style = own.style;
    if (p->differs) {
        p->lives[1]->shot.style = OTOK_STYLE_FIELD, p->lives[1]->field = p->field;
        p->lives[1]->shot.colours = 0;
    }
    to->low = from->low, to->high = from->high;
    to->fly = from->fly, to->map = from->map;
    to->no_panel = from->no_panel;
    to->frame_rate = from->frame_rate, to->flat_out = from->flat_out;
    to->brush = from->brush, to->pours = from->pours, to->rains = from->rains;
    to->rain.rate = from->rain.rate;
    to->save_picture = from->save_picture;
    share_probe(to, from);
    write_label(p, 0);
    write_label(p, 1);
}

/* Copies the requests for a single action, before the next rest of the leader fulfils them. */
static void share_requests(const otok_live *from, otok_live *to)
{
    to->running = from->running, to->held = from->held;
    to->steps = from->steps;
    if (from->begin_again) to->begin_again = from->begin_again; /* it may be asked to follow */
    to->save = from->save;
    to->springs = from->springs;
}

/* If one began again, the other one does so, too: their iterations are the same. */
static void begin_together(otok_duo *p)
{
    for (int k = 0; k < 2; k++) {
        const otok_live *live = p->lives[k];
        otok_live *other = p->lives[!k];
        if (live->begun != p->begun[k] && other->begun == p->begun[!k] && other->sim &&
            other->iteration > live->iteration)
            other->begin_again = 2;
    }
    for (int k = 0; k < 2; k++)
        p->begun[k] = p->lives[k]->begun;
}

/* ---- colours ---- */

static void share_range(const otok_duo *p)
{
    otok_live *a = p->lives[0], *b = p->lives[1];
    if (otok_style_field(a->shot.style, a->field) < 0 || a->shot.style != b->shot.style) return;
    if (!(a->range[0] < a->range[1]) || !(b->range[0] < b->range[1])) return;
    a->shot.low = b->shot.low = fmin(a->range[0], b->range[0]);
    a->shot.high = b->shot.high = fmax(a->range[1], b->range[1]);
}

static otok_status fetch_field(const otok_live *live, int field, float *map)
{
    if (live->sim) return otok_sim_get(live->sim, (otok_field)field, map);
    memcpy(map, otok_checkpoint_map(live->checkpoint, field),
           (size_t)live->grid.nx * (size_t)live->grid.ny * sizeof *map);
    return OTOK_OK;
}

/* Puts right minus left into the values of the right one. */
static otok_status subtract_maps(otok_duo *p)
{
    const otok_grid g = p->lives[0]->grid;
    const size_t n = (size_t)g.nx * (size_t)g.ny;
    double most = 0;
    for (int k = 0; k < 2; k++) {
        if (!p->maps[k]) p->maps[k] = malloc(n * sizeof *p->maps[k]);
        if (!p->maps[k]) return OTOK_FAIL(OTOK_NOMEM, "no memory for a difference");
        OTOK_TRY(fetch_field(p->lives[k], p->field, p->maps[k]));
    }
    for (size_t i = 0; i < n; i++) {
        p->maps[1][i] -= p->maps[0][i];
        if (isfinite(p->maps[1][i])) most = fmax(most, fabs(p->maps[1][i]));
    }
    otok_scene_upload(p->lives[1]->scene, OTOK_SLOT_VALUE_X, p->maps[1]);
    p->most = most > 0 ? most : 1;
    return OTOK_OK;
}

/* Chooses the field that the leader shows, else the terrain. 0: one has no such field, or their
   grids differ. */
static int may_compare(otok_duo *p)
{
    const otok_live *a = p->lives[0], *b = p->lives[1];
    const int shown = otok_style_field(a->shot.style, a->field);
    p->field = shown < 0 ? OTOK_TERRAIN : shown;
    const char *why =
        a->grid.nx != b->grid.nx || a->grid.ny != b->grid.ny || a->grid.spacing != b->grid.spacing
            ? "their grids differ"
        : !(a->known & b->known & UINT64_C(1) << p->field) ? "one has no such field"
                                                           : NULL;
    if (why)
        otok_live_report(p->lives[p->leader], "no difference of %s: %s",
                         otok_field_at(p->field)->name, why);
    return !why;
}

static void show_difference(otok_duo *p)
{
    otok_live *a = p->lives[0], *b = p->lives[1];
    const int field = p->field;
    const otok_field_info *info;
    char name[OTOK_NAME_SIZE];
    if (!may_compare(p)) {
        p->differs = 0;
        otok_duo_share(p);
        return;
    }
    if (field != p->field || p->compared[0] != a->shows || p->compared[1] != b->shows) {
        const otok_status status = subtract_maps(p);
        if (status != OTOK_OK) otok_live_report(a, "%.390s", otok_why());
        p->compared[0] = a->shows, p->compared[1] = b->shows;
    }
    info = otok_field_at(p->field);
    snprintf(name, sizeof name, "B - A: %.50s", info->name);
    otok_arrange_legend(b->legend, OTOK_STYLE_FIELD, name, info->unit);
    b->shot.low = -p->most, b->shot.high = p->most;
}

/* The right one cannot lead while it shows the difference. */
static void begin_difference(otok_duo *p)
{
    otok_live *from = p->lives[p->leader];
    if (!from->compares) return;
    from->compares = 0;
    if (!p->differs && !may_compare(p)) return;
    p->differs = !p->differs;
    p->compared[0] = -1;
    otok_live_report(p->lives[0], p->differs ? "B - A" : "side by side");
    if (p->leader) otok_duo_swap(p);
}

void otok_duo_swap(otok_duo *p)
{
    otok_duo_share(p);
    if (!p->leader) p->differs = 0;
    if (!p->leader) otok_duo_share(p);
    p->leader = !p->leader;
    p->lives[p->leader]->help = p->lives[!p->leader]->help;
    p->lives[p->leader]->records = p->lives[!p->leader]->records;
    p->lives[!p->leader]->help = p->lives[!p->leader]->records = 0;
}

/* ---- frames ---- */

/* Sets the number of iterations that take as long as a slice may. */
static void set_chunk(otok_duo *p)
{
    const otok_live *live = p->lives[p->leader];
    const double target = live->flat_out ? 0.25 : 0.9 / live->frame_rate,
                 took = otok_clock() - p->started;
    if (!(p->started > 0)) return;
    const double share = fmin(fmax(target / fmax(took, 1e-6), 0.5), 2);
    p->chunk = (int64_t)fmax(1, floor((double)p->chunk * share + 0.5));
    p->started = 0;
}

void otok_duo_frame_begin(otok_duo *p)
{
    begin_difference(p);
    otok_duo_share(p);
    const int first = otok_live_wait(p->lives[0]), second = otok_live_wait(p->lives[1]);
    if (!first || !second) return;
    set_chunk(p);
    share_requests(p->lives[p->leader], p->lives[!p->leader]);
    otok_live_frame_begin(p->lives[0]);
    otok_live_frame_begin(p->lives[1]);
    begin_together(p);
    share_range(p);
    if (p->differs) show_difference(p);
    write_label(p, 0);
    write_label(p, 1);
}

static int is_over(const otok_live *live)
{
    return !live->sim || live->status != OTOK_OK || live->iteration >= live->iterations;
}

void otok_duo_frame_end(otok_duo *p)
{
    const int both = is_over(p->lives[0]) && is_over(p->lives[1]);
    if (!p->lives[0]->rests || !p->lives[1]->rests) return;
    if (p->chunk < 1) p->chunk = 1;
    for (int k = 0; k < 2; k++) {
        otok_live *live = p->lives[k];
        if (is_over(live) && !both) continue; /* it waits for the other one's end */
        live->slice_exact = p->chunk;
        otok_live_frame_end(live);
        if (!live->rests) p->started = live->taken_at;
    }
}

void otok_duo_end(otok_duo *p)
{
    free(p->maps[0]);
    free(p->maps[1]);
    p->maps[0] = p->maps[1] = NULL;
}
