/* fuzz.h: what the fuzzers share. A fuzzer is a file tests/fuzz/NAME.c; libFuzzer gives it bytes,
   and it hands them to one reader of otok, which may refuse them but must not crash, hang or take
   memory without end. See tests/fuzz/run. */
#ifndef OTOK_FUZZ_H
#define OTOK_FUZZ_H

#include "otok.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of sizes that only a header names: malloc may fail, as it may anywhere. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:quarantine_size_mb=64";
}

/* HDF5 and GDAL lose memory when they give up on a damaged file, UDUNITS-2 on a unit that it does
   not understand. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\nleak:libgdal\nleak:libudunits2\n";
}

/* A folder of this process in memory; tests/fuzz/run removes it with $TMPDIR. */
static inline const char *fuzz_folder(void)
{
    static char folder[256];
    const char *place = getenv("TMPDIR");
    if (folder[0]) return folder;
    snprintf(folder, sizeof folder, "%s/otok_fuzz_XXXXXX", place ? place : "/dev/shm");
    if (!mkdtemp(folder)) abort();
    return folder;
}

static inline const char *fuzz_path(char out[512], const char *name)
{
    snprintf(out, 512, "%s/%s", fuzz_folder(), name);
    return out;
}

static inline void fuzz_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

/* The input as a file of this name in that folder; the path stays valid until the next call. */
static inline const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
    static char path[512];
    fuzz_write(fuzz_path(path, name), bytes, size);
    return path;
}

/* ---- input taken piece by piece; beyond its end are zeros ---- */

typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

static inline size_t fuzz_take(fuzz_input *in, void *out, size_t n)
{
    const size_t there = n < in->left ? n : in->left;
    memcpy(out, in->at, there);
    in->at += there;
    in->left -= there;
    return there;
}

static inline unsigned fuzz_byte(fuzz_input *in)
{
    uint8_t byte = 0;
    fuzz_take(in, &byte, 1);
    return byte;
}

static inline unsigned fuzz_word(fuzz_input *in)
{
    const unsigned low = fuzz_byte(in);
    return low | fuzz_byte(in) << 8;
}

#endif
