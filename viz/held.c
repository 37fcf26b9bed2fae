/* held.c: see held.h. It is a view of its own, which shares nothing but the checkpoint. */
#include "held.h"
#include "known.h"
#include "recorded.h"
#include "sim/sim.h"
#include "upload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct otok_held {
    otok_live view;
    int state;
};

void otok_held_end(otok_live *live)
{
    otok_held *h = live->held_state;
    if (!h) return;
    otok_upload_destroy(h->view.upload);
    otok_scene_destroy(h->view.scene);
    free(h);
    live->held_state = NULL;
}

static otok_status begin(otok_live *live, int state)
{
    otok_held *h = live->held_state = calloc(1, sizeof *h);
    if (!h) return OTOK_FAIL(OTOK_NOMEM, "no memory for a second state");
    otok_live_defaults(&h->view);
    h->state = state;
    OTOK_TRY(otok_reader_wait(live->reader, state, &h->view.checkpoint));
    h->view.grid = live->grid;
    h->view.rests = 1;
    h->view.style_shown = -1;
    otok_known_update(&h->view);
    OTOK_TRY(otok_scene_create(&h->view.scene, live->grid, OTOK_SHADING_BEST));
    return otok_upload_create(&h->view.upload, live->grid);
}

void otok_held_switch(otok_live *live)
{
    const int state = live->holds == 2 ? 0 : live->state;
    live->holds = 0;
    live->shows++; /* the picture is another one */
    if (live->held_state) {
        otok_held_end(live);
        otok_live_report(live, "one state");
    } else if (begin(live, state) != OTOK_OK) {
        otok_live_report(live, "%.390s", otok_why());
        otok_held_end(live);
    } else
        otok_live_report(live, "state %d stays at the left", state + 1);
}

void otok_held_frame(otok_live *live)
{
    otok_held *h = live->held_state;
    if (!h) return;
    otok_reader_state(live->reader, h->state, 0); /* it is in use */
    otok_live *v = &h->view;
    const int other = v->style_shown != live->style_shown || v->field_shown != live->field_shown;
    if (!other) return;
    v->shot.style = live->shot.style;
    v->field = live->field;
    v->sea = live->sea;
    if (otok_upload_fields(v->upload, v, 1) != OTOK_OK) {
        otok_live_report(live, "%.390s", otok_why());
        otok_held_end(live);
        return;
    }
    v->style_shown = live->style_shown, v->field_shown = live->field_shown;
}

void otok_held_draw(const otok_live *live, otok_canvas *canvas, const otok_shot *shot)
{
    otok_shot its = *shot;
    its.sea_level = live->held_state->view.shot.sea_level;
    otok_scene_draw(live->held_state->view.scene, canvas, &its, NULL);
}

void otok_held_words(const otok_live *live, char *out, size_t size)
{
    const otok_snapshot *s = otok_checkpoint_state(live->held_state->view.checkpoint);
    char time[48];
    otok_time_words(time, s->time);
    snprintf(out, size, "iteration %lld, %s", (long long)s->iteration, time);
}
