/* movie.h: writes one file of all steps, (time, y, x), from a series of checkpoints, for ParaView's
   player and for xarray. No run continues from it. */
#ifndef OTOK_MOVIE_H
#define OTOK_MOVIE_H

#include "checkpoint.h"

/* Checkpoint files of one grid and georeference, in any order; a map a step of each field in
   `fields` (bits, OTOK_TERRAIN among them; 0: all that every checkpoint has). One checkpoint is in
   memory at a time. OTOK_USAGE: fewer than 2; OTOK_DATA: one is damaged, of another grid, or lacks
   a field. */
otok_status otok_movie_write(const char *path, char *const *checkpoints, int n, uint64_t fields);

/* The checkpoints of a directory (of one stem only) or those that a .vtkhdf.series names; free
   every path and the list. OTOK_DATA: there are none. */
otok_status otok_movie_find(char ***checkpoints, int *n, const char *directory_or_series);
void otok_movie_forget(char **checkpoints, int n);

/* For those who read the checkpoints of a run that prunes them meanwhile: takes the paths without a
   file out of such a list; how many there were. */
int otok_movie_drop(char **checkpoints, int *n);
int otok_movie_is_gone(const char *checkpoint);

#endif
