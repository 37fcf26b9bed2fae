/* checkpoint_scalars.c: the time, sea level, iteration, fingerprint and ledger of a checkpoint as
   variables. Readers that stack files keep the variables of each, but the attributes of the first
   file only. A restart reads the attributes, which checksums cover. */
#include "checkpoint_writing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A variable without dimensions, in the header of its object. `unit`: NULL for words. */
static otok_status write_scalar(const otok_writing *w, const char *name, hid_t stored, hid_t native,
                                const void *value, const char *unit, const char *long_name)
{
    const hid_t space = H5Screate(H5S_SCALAR), creation = H5Pcreate(H5P_DATASET_CREATE);
    const int good =
        H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
        H5Pset_obj_track_times(creation, 0) >= 0 && H5Pset_layout(creation, H5D_COMPACT) >= 0;
    const hid_t dataset =
        good ? H5Dcreate2(w->file, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT) : -1;
    herr_t result =
        dataset < 0 ? -1 : H5Dwrite(dataset, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    if (result >= 0 && unit) result = otok_hdf_put_text(dataset, "units", unit);
    if (result >= 0) result = otok_hdf_put_text(dataset, "long_name", long_name);
    if (dataset >= 0 && H5Dclose(dataset) < 0) result = -1;
    H5Pclose(creation);
    H5Sclose(space);
    PUT(w, name, result);
    return OTOK_OK;
}

static otok_status write_real(const otok_writing *w, const char *name, const double *value,
                              const char *unit, const char *long_name)
{
    return write_scalar(w, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, value, unit, long_name);
}

static otok_status write_integer(const otok_writing *w, const char *name, const int64_t *value,
                                 const char *long_name)
{
    return write_scalar(w, name, H5T_STD_I64LE, H5T_NATIVE_INT64, value, "1", long_name);
}

/* Writes a text of variable length. Readers take it for a string, but some of them take a text of
   fixed length for bytes. */
static otok_status write_fingerprint(const otok_writing *w)
{
    char print[17];
    const char *const text = print;
    snprintf(print, sizeof print, "%016" PRIx64, w->state->fingerprint);
    const hid_t type = H5Tcopy(H5T_C_S1);
    PUT(w, "fingerprint", type < 0 ? -1 : H5Tset_size(type, H5T_VARIABLE));
    PUT(w, "fingerprint", H5Tset_cset(type, H5T_CSET_UTF8));
    const otok_status status = write_scalar(w, "fingerprint", type, type, &text, NULL,
                                            "fingerprint of all bits of the state");
    H5Tclose(type);
    return status;
}

/* The time as a date. `time` stays a number of seconds. */
static otok_status write_date(const otok_writing *w)
{
    const otok_snapshot *s = w->state;
    char unit[64];
    if (!*s->start) return OTOK_OK;
    const int has_zone = s->start[strlen(s->start) - 1] == 'Z';
    snprintf(unit, sizeof unit, "seconds since %s", s->start);
    OTOK_TRY(write_real(w, "date", &s->time, unit,
                        has_zone ? "date, UTC" : "date, without a time zone"));
    const hid_t dataset = H5Dopen2(w->file, "date", H5P_DEFAULT);
    herr_t result = dataset < 0 ? -1 : otok_hdf_put_text(dataset, "standard_name", "time");
    if (result >= 0) result = otok_hdf_put_text(dataset, "calendar", "proleptic_gregorian");
    if (dataset >= 0 && H5Dclose(dataset) < 0) result = -1;
    PUT(w, "date", result);
    return OTOK_OK;
}

otok_status otok_writing_scalars(const otok_writing *w)
{
    const otok_snapshot *s = w->state;
    OTOK_TRY(write_real(w, "time", &s->time, "s", "simulated time"));
    OTOK_TRY(write_date(w));
    OTOK_TRY(write_real(w, "sea_level", &s->sea_level, "m", "sea level"));
    OTOK_TRY(write_integer(w, "iteration", &s->iteration, "finished iterations of all phases"));
    OTOK_TRY(write_fingerprint(w));
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++) {
        const otok_ledger_entry *entry = otok_ledger_at(i);
        char name[64];
        snprintf(name, sizeof name, "ledger_%s", entry->name);
        OTOK_TRY(write_real(w, name, (const double *)((const char *)&s->ledger + entry->offset),
                            "m3", entry->help));
    }
    return write_integer(w, "ledger_not_finite", &s->ledger.not_finite,
                         "values that are not finite");
}
