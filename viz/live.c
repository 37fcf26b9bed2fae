/* live.c: gives time slices to the thread of the simulation and applies requests between them. */
#include "live.h"
#include "core/clock.h"
#include "held.h"
#include "known.h"
#include "recorded.h"
#include "requests.h"
#include "section.h"
#include "sim/dated.h"
#include "sim_thread.h"
#include "timeline.h"
#include "upload.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double flat_out_slice = 0.25; /* [s] */
static const double LEAST_SHARE = 0.2;     /* of a frame, for the simulation */
static const double LONGEST_WAIT = 0.25;   /* for a slice, before a frame is drawn beside it [s] */
static const double SELDOM = 2;            /* [s] */
static const double LONGEST_MOMENT = 0.1;  /* that water moves from one state to the next [s] */

void otok_live_defaults(otok_live *live)
{
    memset(live, 0, sizeof *live);
    otok_shot_defaults(&live->shot);
    live->shot.absorption = NAN;
    live->backend = "auto";
    live->name = "view";
    live->frame_rate = 60;
    live->low = live->high = live->sea = live->speed = NAN;
    live->go_to = live->wanted = -1;
    live->fit_camera = 2;
    live->interop = 1;
    live->rain.rate = 0.01;
    live->field = OTOK_TERRAIN_CHANGE;
    live->colours = -1;
}

static void update_progress(otok_live *live)
{
    if (!live->sim) return;
    live->iteration = otok_sim_iteration(live->sim);
    live->time = otok_sim_time(live->sim);
    char date[48];
    const int known = otok_scenario_date(date, otok_sim_scenario(live->sim), live->time);
    snprintf(live->date, sizeof live->date, "%s%s", known ? ", " : "", known ? date : "");
    snprintf(live->phase, sizeof live->phase, "%s", otok_sim_phase(live->sim));
}

static otok_status begin_sim(otok_live *live, int width, int height)
{
    if (live->scenario) {
        live->grid = otok_scenario_grid(live->scenario);
        OTOK_TRY(otok_sim_create(&live->sim, live->scenario, live->backend));
        if (live->resume) OTOK_TRY(otok_sim_load(live->sim, live->resume));
        live->iterations = otok_sim_end(live->sim);
    } else {
        if (live->recorded.n) OTOK_TRY(otok_recorded_begin(live));
        live->grid = otok_checkpoint_grid(live->checkpoint);
    }
    if (live->checkpoint && isnan(live->shot.absorption))
        live->shot.absorption = otok_checkpoint_absorption(live->checkpoint);
    if (isnan(live->shot.absorption)) live->shot.absorption = 0.15;
    if (!(live->brush.radius > 0))
        live->brush.radius = 0.02 * live->grid.spacing * (double)live->grid.nx;
    if (!(live->brush.discharge > 0)) /* in the circle, water rises by 0.1 m a second */
        live->brush.discharge = 0.1 * M_PI * live->brush.radius * live->brush.radius;
    OTOK_TRY(otok_scene_create(&live->scene, live->grid, OTOK_SHADING_BEST));
    OTOK_TRY(otok_upload_create(&live->upload, live->grid));
    OTOK_TRY(otok_sim_thread_create(&live->thread));
    if (live->keeps && live->sim) OTOK_TRY(otok_timeline_create(&live->timeline));
    live->rests = 1;
    otok_known_update(live);
    OTOK_TRY(otok_live_check_style(live, live->shot.style));
    update_progress(live);
    OTOK_TRY(otok_upload_fields(live->upload, live, 1));
    otok_live_fit_camera(live, width, height);
    live->dirty = 1;
    return OTOK_OK;
}

otok_status otok_live_begin(otok_live *live, int width, int height)
{
    const otok_status status = begin_sim(live, width, height);
    if (status != OTOK_OK) otok_live_end(live);
    return status;
}

void otok_live_end(otok_live *live)
{
    otok_sim_thread_destroy(live->thread); /* waits for the slice */
    otok_requests_forget(live);
    otok_held_end(live);
    otok_section_end(live);
    otok_timeline_destroy(live->timeline);
    otok_reader_destroy(live->reader);
    otok_sim_destroy(live->sim);
    otok_scenario_destroy(live->own);
    live->own = NULL;
    live->timeline = NULL;
    live->reader = NULL;
    otok_upload_destroy(live->upload);
    otok_scene_destroy(live->scene);
    live->thread = NULL;
    live->sim = NULL;
    live->upload = NULL;
    live->scene = NULL;
}

/* ---- between two slices ---- */

/* The scenario to begin again with: NULL is the one that was opened. */
static otok_status next_scenario(otok_live *live, otok_scenario **own)
{
    *own = NULL;
    if (live->begin_again != 1) return otok_requests_scenario(live, own);
    live->nchanges = 0;
    return OTOK_OK;
}

/* Begins at iteration 0 with the values of the file, with the present ones, or with another
   base. */
static void begin_again(otok_live *live)
{
    const double began = otok_clock();
    const int shaped = live->begin_again == 0;
    otok_sim *fresh;
    otok_scenario *own;
    otok_status status = next_scenario(live, &own);
    if (status == OTOK_OK)
        status = otok_sim_create(&fresh, own ? own : live->scenario, live->backend);
    live->begin_again = 0;
    if (status != OTOK_OK) {
        otok_live_report(live, "%.390s", otok_why()); /* the old one is as it was */
        otok_scenario_destroy(own);
        live->refused++;
        return;
    }
    if (live->timeline) otok_timeline_clear(live->timeline);
    otok_sim_destroy(live->sim);
    otok_scenario_destroy(live->own);
    live->sim = fresh;
    live->own = own;
    live->begun++;
    live->iterations = otok_sim_end(fresh);
    otok_requests_forget(live);
    live->style_shown = -1; /* also what rarely changes is shown anew */
    live->status = OTOK_OK;
    live->probe.count = 0;
    live->dirty = 1;
    if (shaped) {
        live->base_seconds = otok_clock() - began;
        otok_live_report(live, "base made in %.0f ms", 1e3 * live->base_seconds);
    } else
        otok_live_report(live, "restarted");
}

static void save_checkpoint(otok_live *live)
{
    char path[1024];
    live->save = 0;
    otok_live_file(live, ".vtkhdf", path);
    if (otok_sim_save(live->sim, path) == OTOK_OK)
        otok_live_report(live, "saved %s", path);
    else
        otok_live_report(live, "%s", otok_why());
}

static void record_probe(otok_live *live)
{
    otok_probe *p = &live->probe;
    while (p->count > 0 && p->iteration[(p->count - 1) % OTOK_LIVE_SAMPLES] > live->iteration)
        p->count--; /* it went back */
    const int64_t n = p->count % OTOK_LIVE_SAMPLES,
                  before = (p->count + OTOK_LIVE_SAMPLES - 1) % OTOK_LIVE_SAMPLES;
    if (p->count && p->iteration[before] == live->iteration) return;
    p->iteration[n] = live->iteration;
    if (live->sim) {
        float values[OTOK_FIELDS]; /* GCC 14 refuses p->value[n] under the sanitizers */
        if (otok_sim_cell(live->sim, p->i, p->j, values) != OTOK_OK) return;
        memcpy(p->value[n], values, sizeof values);
    } else {
        for (int f = 0; f < OTOK_FIELDS; f++) {
            const float *map = otok_checkpoint_map(live->checkpoint, f);
            p->value[n][f] = map ? map[p->j * live->grid.nx + p->i] : NAN;
        }
    }
    p->count++;
}

/* Adds the samples of a slice, if they are of the present cell. */
static void add_samples(otok_live *live, const otok_slice *slice)
{
    otok_probe *p = &live->probe;
    if (!p->on || slice->i != p->i || slice->j != p->j) return;
    for (int k = 0; k < slice->nsamples; k++) {
        const int64_t n = p->count++ % OTOK_LIVE_SAMPLES;
        p->iteration[n] = slice->iteration[k];
        memcpy(p->value[n], slice->value[k], sizeof p->value[n]);
    }
}

static void apply_requests(otok_live *live)
{
    if (!live->sim) {
        live->begin_again = live->save = live->nchanges = 0;
        if (live->holds) otok_held_switch(live);
        if (live->recorded.n) otok_recorded_frame(live);
    } else {
        if (live->begin_again || otok_requests_change_base(live)) begin_again(live);
        if (live->go_to >= 0) otok_timeline_go(live);
        otok_requests_apply(live);
        if (live->altered) otok_timeline_changed(live);
        live->altered = 0;
        live->iterations = otok_sim_end(live->sim);
        otok_known_update(live); /* changes that the scenario has scheduled bring some, too */
        if (live->save) save_checkpoint(live);
        update_progress(live);
    }
}

static void measure_rates(otok_live *live, double now)
{
    live->frames++;
    if (now - live->counted_at < 0.5) return;
    const double seconds = now - live->counted_at;
    live->frames_per_second = live->counted_at > 0 ? (double)live->frames / seconds : 0;
    live->iterations_per_second = live->counted_at > 0 ? (double)live->ran / seconds : 0;
    live->frames = live->ran = 0;
    live->counted_at = now;
}

/* The map is cut out if some of its border is above the sea, which every state may change. The
   device is asked seldom while more states follow. */
static void find_coast(otok_live *live, double now)
{
    if (live->direct && otok_live_goes_on(live) && now - live->coast_at < SELDOM) return;
    live->coast_at = now;
    live->old_coast = 0;
    live->shot.block = otok_upload_border(live->upload, live) >= live->sea_level;
}

/* Waits for the end of a slice, for a part of a frame at most. 1: the simulation rests. */
static int wait_for_rest(otok_live *live)
{
    otok_slice slice;
    if (live->rests) return 1;
    const double patience =
        live->flat_out || live->hurries ? 0 : 0.25 / live->frame_rate + live->awaited;
    if (!otok_sim_thread_wait(live->thread, patience, &slice)) return 0;
    live->rests = 1;
    live->slice = slice.done;
    live->ran += slice.done;
    live->steps -= live->steps < slice.done ? live->steps : slice.done;
    live->hurries = live->hurries && live->steps > 0;
    live->credit -= (double)slice.done;
    add_samples(live, &slice);
    live->dirty |= slice.done > 0;
    if (slice.status != OTOK_OK) otok_live_fail(live, slice.status, slice.why);
    return 1;
}

void otok_live_frame_begin(otok_live *live)
{
    const double began = otok_clock();
    measure_rates(live, began);
    if (!wait_for_rest(live)) return;
    live->frame_seconds = live->taken_at > 0 ? began - live->taken_at : 0;
    live->taken_at = began;
    update_progress(live);
    apply_requests(live);
    if (live->probe.on) record_probe(live);
    const int other = live->style_shown != (int)live->shot.style ||
                      live->field_shown != live->field || live->colours_shown != live->colours;
    if (live->dirty) live->water_time += fmin(live->frame_seconds, LONGEST_MOMENT);
    live->shot.moment = live->running || live->held ? live->water_time : 0;
    live->may_lag = !live->films && !live->save_picture && otok_live_goes_on(live);
    if (live->dirty || other || live->old_values) {
        const otok_status status = otok_upload_fields(live->upload, live, other);
        if (status != OTOK_OK) otok_live_fail(live, status, otok_why());
        live->shows++;
        live->old_coast = 1;
    }
    live->style_shown = (int)live->shot.style, live->field_shown = live->field;
    live->colours_shown = live->colours;
    live->dirty = 0;
    otok_held_frame(live);
    if (live->old_coast) find_coast(live, began);
    otok_live_refit(live);
}

static int wants_to_run(const otok_live *live)
{
    return live->sim && live->status == OTOK_OK && (live->running || live->held || live->steps > 0);
}

int otok_live_goes_on(const otok_live *live)
{
    return wants_to_run(live) && live->iteration < live->iterations;
}

int otok_live_at_end(const otok_live *live)
{
    return live->sim && live->iteration >= live->iterations;
}

/* The iterations of the next slice at most: as many as are asked for, or as the speed allows. */
static int64_t most_iterations(otok_live *live)
{
    const int runs = live->running || live->held,
              is_free = live->flat_out || live->hurries || live->films;
    if (runs && live->speed > 0 && !is_free) {
        const double more = live->speed * fmin(live->frame_seconds, LONGEST_WAIT);
        live->credit = live->paced ? fmax(live->credit, 0) + more : 1;
        live->credit = fmin(live->credit, fmax(live->speed * LONGEST_WAIT, 1));
        live->paced = 1;
        return (int64_t)live->credit;
    }
    const int64_t most = live->slice_limit > 0 ? live->slice_limit : INT64_MAX;
    live->paced = 0;
    return runs || live->steps > most ? most : live->steps;
}

/* A GPU that simulates and draws at once switches between the two so often that both take several
   times as long. So on one device they take turns: the next frame waits for the slice. On a CPU a
   slice goes on during the next drawing. */
void otok_live_frame_end(otok_live *live)
{
    if (!live->rests || !wants_to_run(live)) return;
    if (!otok_live_goes_on(live)) {
        live->running = live->held = 0;
        live->steps = 0;
        otok_live_report(live, "the scenario's last iteration is done: go back, or restart");
        return;
    }
    const int64_t most = most_iterations(live);
    if (most < 1) return;
    otok_timeline_keep(live);
    if (live->direct) glFinish();
    const double held = otok_clock() - live->taken_at;
    const double paced =
        fmax(0.9 / live->frame_rate - held, LEAST_SHARE * fmin(live->frame_seconds, 1));
    otok_slice slice = {.seconds = live->flat_out || live->hurries ? flat_out_slice : paced,
                        .most = most};
    if (live->slice_exact > 0) slice.seconds = 1e9, slice.most = live->slice_exact;
    if (most < slice.most) slice.most = most;
    slice.probes = live->probe.on, slice.i = live->probe.i, slice.j = live->probe.j;
    slice.alone = live->direct && !live->flat_out;
    live->awaited = slice.alone ? fmin(2 * slice.seconds, LONGEST_WAIT) : 0; /* it may end late */
    live->rests = 0;
    otok_sim_thread_start(live->thread, live->sim, &slice);
}
