/* movie.h: finds the checkpoints of a movie. */
#ifndef OTOK_MOVIE_H
#define OTOK_MOVIE_H

#include "../otok.h"

/* Lists the checkpoints of a directory (of one stem only), or those that a .vtkhdf.series names.
   The caller frees every path and the list. OTOK_DATA: there are none. */
otok_status otok_movie_find(char ***checkpoints, int *n, const char *directory_or_series);
void otok_movie_forget(char **checkpoints, int n);

/* Removes the paths without a file from such a list, and returns their number. For readers of a
   run that prunes its checkpoints meanwhile. */
int otok_movie_drop_missing(char **checkpoints, int *n);
int otok_movie_is_gone(const char *checkpoint);

#endif
