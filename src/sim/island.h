/* island.h: the form of an island in a state, and the numbers that it rests on. */
#ifndef OTOK_SIM_ISLAND_H
#define OTOK_SIM_ISLAND_H

#include "../io/checkpoint.h"

/* "none fringing barrier ...": the words of -1, 0, 1, ... for flags in files. */
extern const char otok_form_meanings[];

/* The numbers of otok_island beside its form, which are doubles. */
typedef struct otok_island_number {
    const char *name, *unit, *long_name;
    size_t offset;
} otok_island_number;
enum { OTOK_ISLAND_NUMBERS = 8 };
extern const otok_island_number otok_island_numbers[OTOK_ISLAND_NUMBERS];

/* The directions in which a map is looked at, each of which has a form. */
enum { OTOK_AZIMUTHS = 64 };

/* Without a form. */
extern const otok_island otok_no_island;

/* otok_island_of, of a snapshot; without a form if it lacks terrain or reef. */
otok_status otok_island_of_snapshot(otok_island *out, const otok_snapshot *snapshot);

#endif
