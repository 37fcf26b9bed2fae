/* check.h: what a test needs. A test is a main for one claim: silent when it is true, exit 0 true,
 * 1 false, 77 skipped. */
#ifndef OTOK_CHECK_H
#define OTOK_CHECK_H

#include "core/backend.h"
#include "otok.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

/* Counts a failure and goes on. The words after the condition are printf's: say the values that
 * were found. */
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_failures++;                                                                      \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fprintf(stderr, "\n");                                                                 \
        }                                                                                          \
    } while (0)

/* CHECK, whose words OTOK_TEST_SHOW prints also where it holds. */
#define CHECK_FOUND(condition, ...)                                                                \
    do {                                                                                           \
        if (getenv("OTOK_TEST_SHOW")) printf(__VA_ARGS__), putchar('\n');                          \
        CHECK(condition, __VA_ARGS__);                                                             \
    } while (0)

/* A call that must succeed; the test ends where it does not. */
#define MUST(call)                                                                                 \
    do {                                                                                           \
        if ((call) != OTOK_OK) {                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, otok_why());             \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Marks a test that depends on no optimisation, of files, words or pictures: tests/run builds and
   runs it once, under the sanitizers. */
#define CHECK_ONCE

/* Marks a test that takes long, for the build: under the sanitizers others run the same code. */
#define CHECK_SLOW

/* Fewer of many cases that are alike? The last argument `small` says so, under the sanitizers. */
#define CHECK_SMALL(argc, argv) ((argc) > 1 && strcmp((argv)[(argc)-1], "small") == 0)

/* The backend to test, argv[1]; a build or machine without it skips the test. */
#define CHECK_BACKEND(argc, argv) check_backend((argc) > 1 ? (argv)[1] : "cpu")
#define CHECK_CUDA(argc, argv) check_backend((argc) > 1 ? (argv)[1] : "cuda")

static inline const otok_backend *check_backend(const char *name)
{
    const otok_backend *backend = NULL;
    if (otok_backend_find(&backend, name) == OTOK_OK) return backend;
    printf("skipped: %s\n", otok_why());
    exit(77);
}

#endif
