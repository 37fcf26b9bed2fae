/* parameters.c: the rows of studies in the table of parameters. */
#include "../scenario/parameter_rows.h"
#include "study.h"

typedef struct otok_study study;

const otok_parameter otok_study_parameters[] = {
    ROW("study", "study", "", "1", OTOK_INT, NULL, NAN, 1, 1, 0, (size_t)-1, "",
        "version of the study format, always 1"),
    TEXT("study", study, scenario, "scenario",
         "scenario file of all members; relative to the study's file"),
    INT("study", study, seed, "", 0, 0, 9007199254740991.0, "",
        "seed of the design; members keep the seed of the scenario"),
    REAL("study", study, duration, "T", "s", 0, 0, 1e15, 0, "",
         "simulated time of every member, whose phase has as many iterations as that takes; 0: the "
         "scenario's iterations"),
    LIST("study", "responses", "", "", "",
         "names with expressions over the fields, such as reef_area: area(reef > 0.5); columns "
         "response_NAME of study.h5, with those of the scenario's `responses`"),
    TEXT(
        "study", study, inside, "inside",
        "otok edge: a level of a response, such as lake < 100, as the edge; without it the edge is "
        "that of the verdict"),
    LIST("study", "vary", "", "", "", "paths as for --set, each with its axis"),
    CHOICE("design", otok_design, kind, "grid|lhs|sobol|morris|saltelli|list", OTOK_DESIGN_GRID, "",
           "rows; grid: all combinations; lhs: latin hypercube; sobol: Sobol sequence; morris: "
           "screening; saltelli: for Sobol indices; list: a table"),
    LIST("design", "points", "", "1", "",
         "grid: points along each axis, or one number for all axes; axes with `values` have their "
         "own"),
    INT("design", otok_design, rows, "", 256, 1, 4294967296.0, "McKay et al. 1979; Joe & Kuo 2008",
        "lhs, sobol: number of rows"),
    INT("design", otok_design, base, "N", 256, 1, 4294967296.0, "Saltelli 2002",
        "saltelli: base rows, each for as many members as there are axes and two more; a power of "
        "two is best"),
    INT("design", otok_design, trajectories, "r", 10, 1, 4294967296.0, "Morris 1991",
        "morris: number of trajectories; each has one member more than there are axes"),
    INT("design", otok_design, levels, "p", 4, 2, 1024, "Morris 1991",
        "morris: number of levels, even; a step is half of them"),
    BOOL("design", otok_design, second_order, "Saltelli 2002",
         "saltelli: twice the members, for pairs of axes"),
    ROW("design", "scramble", "", "", OTOK_BOOL, NULL, 1, 0, 1, 0, offsetof(otok_design, scramble),
        "", "sobol, saltelli: shifts every axis at random, so that no point lies on the lower end"),
    TEXT("design", study, table, "file",
         "list: CSV, paths in the first line, one member a line; relative to the study's"),
    REAL("axis", otok_axis, from, "", "", NAN, -INFINITY, INFINITY, 3, "",
         "lower end; the unit is the parameter's"),
    REAL("axis", otok_axis, to, "", "", NAN, -INFINITY, INFINITY, 3, "", "upper end"),
    CHOICE("axis", otok_axis, scale, "linear|log", 0, "",
           "scale of the values between from and to"),
    LIST("axis", "values", "", "", "", "words or numbers, instead of from and to"),
    INT("monitor", study, every, "", 10, 1, 1e9, "",
        "iterations between two samples of the detectors"),
    BOOL("monitor", study, rerun, "",
         "runs growing members again with half the time step (twice the cost), and with half the "
         "cell size too (eight times)"),
    CHOICE("monitor", study, half_step, "doubtful|never|all", 0, "",
           "members that run again with half the time step, for twice their cost, to settle "
           "whether they depend on it: those whose audit leaves doubt; none; all that are stable "
           "or step_dependent"),
    LIST("keep", "fields", "", "", "",
         "fields, derived ones too, whose maps study.h5 has: map_FIELD over member, y and x"),
    INT("keep", otok_keep, coarsen, "", 1, 1, 1024, "",
        "cells on a side of the squares whose means are kept; it divides grid.nx and grid.ny"),
    LIST("keep", "when", "", "", "",
         "`last`, and iterations that are multiples of monitor.every, for map_FIELD_ITERATION; "
         "default: [last]"),
};

const int otok_study_nparameters = sizeof otok_study_parameters / sizeof otok_study_parameters[0];
