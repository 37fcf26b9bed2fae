/* table_writing.h: what the writers of study.h5 share: table_write.c the columns, table_axes.c the
   axes, table_maps.c the kept maps. Private to them. */
#ifndef OTOK_STUDY_TABLE_WRITING_H
#define OTOK_STUDY_TABLE_WRITING_H

#include "../io/hdf_table.h"
#include "table.h"

typedef struct otok_table_writing {
    const otok_table *table;
    const char *path;
    hid_t file, member, sample;
    int64_t nrows, nsamples;
    char names[OTOK_MAX_AXES][OTOK_TEXT_SIZE]; /* names of the coordinates of axes */
    char coordinates[OTOK_MAX_AXES * 64 + 1];
} otok_table_writing;

/* Sets the text of a failure, with the reason of HDF5. */
otok_status otok_table_fail(const otok_table_writing *w, const char *what);

#define PUT(what, call)                                                                            \
    do {                                                                                           \
        if ((call) < 0) return otok_table_fail(w, (what));                                         \
    } while (0)

/* A variable over members, or over members and samples, with its attributes. The caller closes
   it. */
hid_t otok_table_variable(const otok_table_writing *w, const char *name, hid_t type, int rank,
                          const char *unit, const char *long_name);

/* Names the axes as the coordinates of a variable. */
herr_t otok_table_coordinates(const otok_table_writing *w, hid_t set);

/* table_axes.c. Names the axes; writes one; writes a variable of texts, nrows of `width` bytes. */
void otok_table_name_axes(otok_table_writing *w);
otok_status otok_table_axis(const otok_table_writing *w, int axis);
hid_t otok_table_text(const otok_table_writing *w, const char *name, const char *long_name);
herr_t otok_table_fill_texts(const otok_table_writing *w, hid_t set, const char *all, size_t width);

/* table_maps.c */
otok_status otok_table_maps(const otok_table_writing *w);

#endif
