/* movie.h: writes one file of all steps, (iteration, y, x), from a series of checkpoints, for
   ParaView and xarray. No run continues from it. */
#ifndef OTOK_MOVIE_H
#define OTOK_MOVIE_H

#include "checkpoint.h"

/* The files are checkpoints of one grid and georeference, in any order. Each step has a map of
   each field in `fields` (bits, OTOK_TERRAIN among them; 0: all that every checkpoint has). One
   checkpoint is in memory at a time. OTOK_USAGE: fewer than 2 files. OTOK_DATA: one is damaged,
   of another grid, or lacks a field. */
otok_status otok_movie_write(const char *path, char *const *checkpoints, int n, uint64_t fields);

/* OTOK_DATA: the checkpoint at `path` has another grid than the first one. */
otok_status otok_movie_check_grid(otok_grid grid, const char *path, otok_grid first,
                                  const char *first_path);

/* Lists the checkpoints of a directory (of one stem only), or those that a .vtkhdf.series names.
   The caller frees every path and the list. OTOK_DATA: there are none. */
otok_status otok_movie_find(char ***checkpoints, int *n, const char *directory_or_series);
void otok_movie_forget(char **checkpoints, int n);

/* Removes the paths without a file from such a list, and returns their number. For readers of a
   run that prunes its checkpoints meanwhile. */
int otok_movie_drop_missing(char **checkpoints, int *n);
int otok_movie_is_gone(const char *checkpoint);

#endif
