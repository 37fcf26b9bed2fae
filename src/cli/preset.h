/* preset.h: heights and masks for a program of terrain artists, in a folder. */
#ifndef OTOK_CLI_PRESET_H
#define OTOK_CLI_PRESET_H

#include "../io/checkpoint.h"

typedef struct cli_preset cli_preset;

/* NULL: there is none of this name. */
const cli_preset *cli_preset_find(const char *name);

/* The names, with commas between. */
extern const char cli_preset_names[];

typedef struct cli_preset_wanted {
    const cli_preset *preset;
    const char *folder;
    int size, tiles; /* pixels along the longer side of a tile, 0: the nearest size that the program
                        reads; tiles along each side */
    double low, high; /* heights of black and white [m]; NAN: the lowest, the highest */
} cli_preset_wanted;

/* OTOK_USAGE: the program does not read this size. */
otok_status cli_preset_check(const cli_preset_wanted *wanted);

otok_status cli_preset_write(const cli_preset_wanted *wanted, const otok_snapshot *snapshot);

#endif
