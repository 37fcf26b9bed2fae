/* hdf.h: the part of HDF5 that checkpoints need: entering and leaving the library, error texts,
   attributes. As in HDF5, a function returns < 0 on failure; the caller writes the error text. */
#ifndef OTOK_HDF_H
#define OTOK_HDF_H

#include <hdf5.h>

/* One thread at a time is between enter and leave. There HDF5 prints nothing and loads no
   plugins. leave restores both settings. */
void otok_hdf_enter(void);
void otok_hdf_leave(void);

/* For programs, before all else: HDF5 never prints. Otherwise it would, at the end of the
   program, about what a damaged file left in its memory. A library leaves that choice to its
   user. */
void otok_hdf_quiet(void);

/* HDF5's text about its first failure since enter: the innermost description, or the system's
   words within it. */
const char *otok_hdf_why(void);

/* Opens a file for reading, without locks. Closing it closes all that is open in it. */
hid_t otok_hdf_open(const char *path);

/* Write attributes: `n` values (0: a scalar) of a native type, stored little-endian. Text has a
   fixed length. */
herr_t otok_hdf_put(hid_t object, const char *name, hid_t native, int n, const void *values);
herr_t otok_hdf_put_text(hid_t object, const char *name, const char *text);
herr_t otok_hdf_put_texts(hid_t object, const char *const (*texts)[2], size_t n); /* name, text */

/* Writes numbers as a dataset of float64 in one piece. */
herr_t otok_hdf_put_line(hid_t group, const char *name, hsize_t n, hid_t native,
                         const void *values);

/* Read them if kind, size and shape agree. get_text returns a malloc'd text. */
herr_t otok_hdf_get(hid_t object, const char *name, hid_t native, int n, void *values);
herr_t otok_hdf_get_text(hid_t object, const char *name, char **text);

/* The end of a sentence on a filter that otok does not undo: its name and the remedy. */
const char *otok_hdf_unread_filter(H5Z_filter_t id);

#endif
