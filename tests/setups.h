/* setups.h: what each process needs for a small scene in which it does something; conformance.h. */
#ifndef OTOK_SETUPS_H
#define OTOK_SETUPS_H

/* Marks of a setup. */
enum {
    NUMBERED = 1, /* droplets start where the number of a cell says */
    DITHERED = 2, /* amounts are rounded by the distance of a cell from the sides */
    STEPPED = 4,  /* as published: the result goes by the number of steps */
    LAYERED = 8   /* it needs a ground in layers */
};

/* What a process needs beside its defaults; one that is not here needs nothing, or a direction of
   30 degrees. Directions are turned with the scene. */
typedef struct setup {
    const char *group, *keys, *beside;
    int marks;
} setup;
static const setup setups[] = {
    {"droplets", "count: 240, batch: 60", "", NUMBERED | STEPPED},
    {"droplets", "count: 240, batch: 60", "rain: {map: [{constant: {height: 1}}]}",
     NUMBERED | STEPPED},
    {"rain", "rate: 0.1", RUNOFF, 0},
    {"rain", "rate: 0.1, map: [{constant: {height: 0.5}}]", RUNOFF, DITHERED},
    {"hydraulic", "dt: 0.1, dissolve: 0.2, deposit: 0.4", RAIN, STEPPED},
    {"hydraulic", LAW "local_inertia", RAIN, 0},
    {"hydraulic", LAW "local_inertia, manning: 0, theta: 0.8, displace_water: false", RAIN,
     STEPPED},
    {"hydraulic", LAW "shallow_water", RAIN, 0},
    {"infiltration", "conductivity: 0.01", RAIN ", " RUNOFF, DITHERED},
    {"maxima", "speed: true, times: true, arrival_depth: 0.02, duration_depth: 0.05",
     RAIN ", " RUNOFF, STEPPED},
    {"maxima", "times: true", RAIN ", " RUNOFF, STEPPED},
    {"sides", "left: critical, right_level: [[0, 8]]", RAIN ", " RUNOFF, 0},
    {"sides", "top: normal_depth, bottom: normal_depth, bottom_slope: 0.01, left_level: [[0, 8]]",
     RAIN ", hydraulic: {dt: 0.05, law: shallow_water, bed_steps: smooth}", 0},
    {"sides",
     "left: rating, left_rating: 99, left_rating_zero: 4, right_level: [[0, 8]], "
     "right_waves: leave",
     RAIN ", " RUNOFF, 0},
    {"sides", "right_discharge: [[0, 90]], right_froude: 1.6",
     RAIN ", hydraulic: {dt: 0.05, law: shallow_water, bed_steps: smooth}", 0},
    {"reef", "absorption: 0.3", "", STEPPED},
    {"reef", "law: light_saturation, denudation: 1e-11, rubble: 0.3", "", LAYERED},
    {"reef", "law: light_saturation", "waves: {every: 1}", 0},
    {"uplift", "rate: 0.001", "", 0},
    {"coast", "drift: 1e-5, runup: 2", "waves: {every: 1}", 0},
    {"coast", "drift: 1e-5, abrasion: 1e-6", "waves: {every: 1, directions: 16, " ROSE "}",
     LAYERED},
    {"incision", "erodibility: 0.01", "uplift: {}", NUMBERED}, /* iterations are dithered */
    {"incision", "erodibility: 0.01, area: multiple", "uplift: {}", NUMBERED},
    /* steepest: with draws a river of this scene takes another way at one of the steps */
    {"incision",
     "erodibility: 0.01, n: 1.3, threshold: 1e-3, deposition: 0.5, routing: steepest, "
     "depressions: lake",
     "rain: {map: [{constant: {height: 0.5}}]}", NUMBERED},
    {"waves", "every: 1, directions: 16, " ROSE, "", 0},
    {"waves", "every: 1", "creep: {dt: 1, diffusivity: 0.4}", 0},
};

#endif
