/* live.h: a simulation and its drawing, and the requests that input and panel may make. It knows no
   window and no keys: window.c, input.c.

   Time slices. A thread runs the simulation, some iterations in a time slice. Between two slices
   the simulation rests and belongs to the drawing thread, which copies the fields into the textures
   of the scene, applies requests and starts the next slice. So the camera never waits for an
   iteration, which may take longer than a frame (4096 x 4096 cells on a CPU: 0.1 s). No result
   depends on the length of slices. The drawing thread may call otok_sim_... only while `rests` is
   1, and use everything else here at any time.

   The panel (viz/panel.h, viz/panel.cpp) is built where Dear ImGui is found (OTOK_WITH_PANEL).
   window.c makes it with its window, once there is a context and input.c has set its callbacks; the
   panel's own callbacks pass events on to them (ImGui_ImplGlfw does). window.c draws the panel with
   this struct in every frame, over the scene and before the next slice is started, and leaves mouse
   and keyboard to it while it wants them. The panel reads and writes the fields below. To change a
   parameter it calls otok_live_change, which acts at the next rest. */
#ifndef OTOK_LIVE_H
#define OTOK_LIVE_H

#include "arrange.h"
#include "core/set.h"

enum { OTOK_LIVE_SAMPLES = 1000, OTOK_LIVE_CHANGES = 64, OTOK_FILM_RATE = 25 };

/* The values under the probe in slices and at their ends: a ring of the last samples. */
typedef struct otok_probe {
    int on;
    int64_t i, j;                         /* the cell                                             */
    int64_t count;                        /* samples taken since the cell was chosen              */
    int64_t iteration[OTOK_LIVE_SAMPLES]; /* sample n is at n % OTOK_LIVE_SAMPLES                 */
    float value[OTOK_LIVE_SAMPLES][OTOK_FIELDS]; /* NAN: no such field */
} otok_probe;

/* Water poured with the mouse. */
typedef struct otok_brush {
    int on;           /* pours now                              */
    int seen;         /* its circle is shown: the cursor is on the ground */
    double x, y;      /* middle [m]                             */
    double radius;    /* [m]                                    */
    double discharge; /* of water [m^3/s, simulated] */
    int phase;        /* of `poured` alone: into which          */
} otok_brush;

/* A line over the ground; section.c. */
typedef struct otok_section {
    int ends;               /* that are given; at 1 the other one follows the cursor */
    double at[2][2];        /* [m] */
    float *terrain, *water; /* of the state that was shown as number `shows` */
    int64_t shows;
} otok_section;

/* Rain, as long as it is asked for. requests.c sets everything but the rate. */
typedef struct otok_rain_by_hand {
    double rate; /* [m/s, simulated] */
    int on, phase, had;
    char before[OTOK_TEXT_SIZE], during[4096]; /* 64 spans of 31 letters */
} otok_rain_by_hand;

typedef struct otok_live_change_text {
    char path[OTOK_TEXT_SIZE], value[4096];
} otok_live_change_text;

typedef struct otok_live otok_live;

typedef struct otok_sim_thread otok_sim_thread; /* the thread; live.c */
typedef struct otok_upload otok_upload;         /* fields into textures; upload.c */
typedef struct otok_timeline otok_timeline;     /* states to go back to; timeline.c */
typedef struct otok_reader otok_reader;         /* of recorded states; recorded.c */
typedef struct otok_held otok_held;             /* a state beside the one that is shown; held.c */

/* States that were computed before. */
typedef struct otok_recorded {
    int n;                                                             /* 0: there are none */
    otok_status (*read)(const void *of, int i, otok_checkpoint **out); /* by another thread */
    const void *of;
} otok_recorded;

struct otok_live {
    /* What is there. */
    const otok_scenario *scenario; /* NULL: checkpoints are looked at; nothing runs, sim is NULL */
    otok_sim *sim;
    otok_recorded recorded;      /* the checkpoints that are looked at */
    otok_checkpoint *checkpoint; /* that is looked at, of these or the caller's, else NULL */
    const char *backend;         /* as for otok_sim_create                                     */
    const char *resume;          /* checkpoint to continue from, or NULL */
    const char *name;            /* of files that are written: DIRECTORY/STEM                  */
    otok_grid grid;
    otok_scene *scene;
    otok_set known;                      /* the fields that there are (known.h) */
    int nlayers;                         /* of the ground             */
    const char *layers[OTOK_MAX_LAYERS]; /* their names, top down */
    int rests; /* 1: the simulation is the drawing thread's until the frame ends */

    /* Requests. */
    int running;   /* runs until it is switched off                                               */
    int held;      /* runs as long as a key is down                                               */
    int64_t steps; /* iterations to do, then it stands still; counted down                        */
    int64_t go_to; /* an iteration, earlier or later, and stop there; -1: none */
    int wanted;    /* a recorded state; -1: none */
    int holds;     /* the recorded state that is shown stays beside those that follow, or no more;
                      2: the first one does */
    double speed;  /* while it runs [iterations/s]; NAN: as fast as the frame rate allows. Of
                      recorded states [states/s] */
    int flat_out; /* long slices: as fast as it can, a few new pictures a second                  */
    int keeps;    /* states in memory, to go back to */
    int rains;    /* it rains beyond what the scenario says                                      */
    int begin_again; /* from iteration 0; 2: with the values of now */
    int save; /* a checkpoint                                                                */
    int save_picture;  /* of the scene, without panel and words    */
    int films;         /* a picture of each state is saved */
    int fit_camera;    /* the camera sees everything again; 2: from its first side; 3: the globe */
    int springs;       /* a river that stays, where the cursor is, as wide as the brush */
    int pours;         /* water, where the cursor is: window.c finds the brush's place */
    int fast;          /* what moves is drawn quickly, whatever it costs: otok_view_frame_fast */
    double frame_rate; /* to hold [1/s]   */
    int64_t slice_limit; /* iterations a slice at most; 0: no limit */
    int64_t slice_exact; /* iterations a slice, whatever time they take; 0: as time allows */
    int nchanges; /* of otok_live_change                                                         */
    int64_t refused; /* changes, so far */
    int64_t filmed;  /* pictures */
    char film[1024]; /* the folder of the film's pictures */
    otok_live_change_text changes[OTOK_LIVE_CHANGES];
    otok_section section;
    otok_brush brush, poured; /* poured: as it was applied last */
    otok_rain_by_hand rain;
    char *undone[OTOK_LIVE_CHANGES]; /* "path=value": what phases had before rain and water by
                                        hand that went on until their ends */
    int nundone;
    otok_probe probe;

    /* How it is shown. */
    otok_shot shot; /* style, camera, sun, sea_level and range, which follow the simulation unless
                       said otherwise below */
    int field;      /* of the style `field`, as known.h counts them                 */
    int colours;    /* of values, as in colours.h; -1: those of pictures for print  */
    double low, high, sea; /* fixed by the user; NAN: found                     */
    int fly;               /* the mouse turns the head, else it goes around     */
    int map, help;         /* the 2-D map; the list of keys                     */
    int no_signs;          /* no scale, north and time                          */
    int no_panel;          /* it is put away                                    */
    int covered; /* pixels at the right that the panel takes: the picture's middle is beside it, and
                    all that is written */
    int interop; /* 0: fields go through the host even where they need not */
    char apart[256];          /* why they do */
    char legend[OTOK_LEGEND]; /* "" for none */
    double range[2];          /* of the values, as it was found */

    /* What was found, for titles and panels. */
    int64_t begun;                 /* how often the simulation began again or went elsewhere */
    int64_t iteration, iterations; /* finished, of how many; of recorded states 0 */
    int state;                     /* recorded one, of recorded.n */
    char phase[OTOK_NAME_SIZE];    /* of the next iteration  */
    double time;                   /* simulated [s]          */
    char date[52];                 /* ", " and its date; "": the scenario has none */
    int flows;                     /* water does, in this phase */
    double sea_level;              /* [m] */
    double frames_per_second, iterations_per_second;
    double base_seconds; /* what another base took last [s] */
    int64_t slice;       /* iterations in the last slice                       */
    otok_status (*write_picture)(const char *path, int width, int height,
                                 unsigned char *rgb); /* row 0 at the top */
    int direct;         /* the last fields went to the textures on the device */
    int64_t host_bytes; /* of maps fetched from the simulation and given to OpenGL by the host, so
                           far */
    otok_status status; /* of the simulation: what stopped it                 */
    char message[400];  /* the last thing that happened, for a person         */
    double message_at;  /* when */
    int verbose;        /* it goes to standard output, too */

    /* live.c's own. */
    otok_sim_thread *thread;
    otok_upload *upload;
    otok_timeline *timeline;
    otok_reader *reader;
    otok_held *held_state; /* NULL: none */
    double shown_at;       /* the recorded state was */
    int hurries, altered;  /* its steps lead to go_to; values were changed by hand at this rest */
    double credit;         /* iterations that `speed` allows now, if it is `paced` */
    int paced;
    otok_scenario
        *own; /* the simulation's where it was begun again with other values than `scenario` has */
    int64_t shows; /* how often the fields came into the textures */
    int dirty, style_shown, field_shown, colours_shown; /* what the textures are of */
    int may_lag;        /* a derived field may be of an earlier state for a while ... */
    int old_values;     /* ... and the one that is shown is */
    otok_camera fitted; /* as it saw everything ... */
    int fitted_sea;     /* ... with the sea, or without */
    int old_coast;      /* whether the map is cut out is of an earlier state */
    double coast_at;    /* when that was found */
    int64_t frames, ran;
    double counted_at, taken_at, frame_seconds;
    double awaited;    /* how long the next frame waits for the slice at most [s] */
    double water_time; /* shot.moment while the simulation runs; at rest the picture is that of
                          the state alone [s] */
};

/* Fills in defaults. The caller then sets scenario or checkpoint, backend, name and the requests of
   the shot, before otok_live_begin. */
void otok_live_defaults(otok_live *live);

/* Makes simulation, scene and thread; a context is current. On failure there is nothing to end. */
otok_status otok_live_begin(otok_live *live, int width, int height);
void otok_live_end(otok_live *live);

/* A frame: `begin` finds out whether the simulation rests; if so it shows the fields and applies
   the requests. The caller then draws. `end` ends the rest if the simulation should run on. A
   failure of the simulation stops it and is put into `message`; the window stays. */
void otok_live_frame_begin(otok_live *live);
void otok_live_frame_end(otok_live *live);

/* Does another state follow the one that is shown? Is it the last one? */
int otok_live_goes_on(const otok_live *live);
int otok_live_at_end(const otok_live *live);

/* recorded.c. Runs, or plays recorded states, after the last one from the first. Do recorded states
   follow each other? */
void otok_live_play(otok_live *live, int on);
int otok_live_plays(const otok_live *live);

/* A failure of the simulation stops it. */
void otok_live_fail(otok_live *live, otok_status status, const char *why);

/* timeline.c. The iteration of a state that is kept, from 0 on in their order, and of the one
   before or after the present iteration; -1: there is none. Requests that one; -2, 2: the first,
   the last. Of recorded states all are kept, and their numbers count. */
int64_t otok_live_kept(const otok_live *live, int i);
int64_t otok_live_neighbour(const otok_live *live, int later);
void otok_live_beside(otok_live *live, int way);

/* Requests a value of a parameter of the scenario, such as "phases.erosion.rain.rate", for the next
   rest. "base.0.cone.height" and "seed" make another base: the simulation begins again with it and
   the present values. OTOK_USAGE: there are too many requests at once, or one is too long. */
otok_status otok_live_change(otok_live *live, const char *path, const char *value);

/* known.c. Are the maps there that the style shows? OTOK_DATA: no; the text tells why. */
int otok_live_has_style(const otok_live *live, int style);
otok_status otok_live_check_style(const otok_live *live, int style);

/* The view has more room or less: the camera follows unless the user has moved it. */
void otok_live_room(otok_live *live);

/* A style without the sea shows the whole map, and so does a base that meets the map's border; one
   with the sea shows the land. The camera follows unless the user has moved it. */
void otok_live_refit(otok_live *live);

/* Makes the camera see everything again, once the terrain is at hand. The request is done then. */
void otok_live_fit_camera(otok_live *live, int width, int height);

/* Makes the map a globe, or level again. Only a map twice as wide as high can be a globe. */
void otok_live_globe(otok_live *live, int on);

/* The name of a field in the probe. The thickness of a layer has the layer's name. 0: it is not
   shown. */
int otok_live_field_name(const otok_live *live, int field, char out[OTOK_NAME_SIZE]);

/* The place of the probe: the middle of its cell in metres, and the cell. */
void otok_live_place(const otok_live *live, char *out, size_t size);

/* A name that no file has yet: NAME_ITERATION, then NAME_ITERATION_1, and so on. */
void otok_live_file(const otok_live *live, const char *ending, char out[1024]);

/* x, or the end of the range that it lies beyond. */
static inline double otok_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Begins a film of pictures, OTOK_FILM_RATE for a second at the speed of now, in a folder of its
   own, or ends it. */
void otok_live_film(otok_live *live, int on);

/* The film's next picture. A film has one of each iteration, however often it comes there. */
void otok_live_film_file(otok_live *live, char out[1024]);

/* Reports what happened: to the user, and with --verbose on standard output. */
void otok_live_report(otok_live *live, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
