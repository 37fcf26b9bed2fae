/* fuzz.h: what the fuzzers share. A fuzzer gives bytes to a reader of otok: it may refuse them, but neither crash, nor hang, nor
   break what its target claims. See tests/fuzz/run. */
#ifndef OTOK_FUZZ_H
#define OTOK_FUZZ_H

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libFuzzer calls the first once, the second with each input. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static char fuzz_path[PATH_MAX]; /* of a file in $OTOK_FUZZ_SPACE, which the run script makes */

static inline const char *fuzz_name(const char *name)
{
    const char *space = getenv("OTOK_FUZZ_SPACE");
    snprintf(fuzz_path, sizeof fuzz_path, "%s/%s", space ? space : "/tmp", name);
    return fuzz_path;
}

static inline const char *fuzz_write(const char *name, const void *bytes, size_t size)
{
    const int file = open(fuzz_name(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || (size && write(file, bytes, size) != (ssize_t)size) || close(file) != 0) abort();
    return fuzz_path;
}

/* A claim that does not hold. */
#define FUZZ_CHECK(condition)                                                                                                      \
    do {                                                                                                                           \
        if (!(condition)) {                                                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                        \
            abort();                                                                                                               \
        }                                                                                                                          \
    } while (0)

#endif
