/* driver.h: the request of a tool such as Dakota in a parameters file: values of variables, and
   names of responses. */
#ifndef OTOK_STUDY_DRIVER_H
#define OTOK_STUDY_DRIVER_H

#include "study.h"

enum { OTOK_ASKED_MOST = 64 };

typedef struct otok_asked {
    int nvariables, nresponses, nmetadata;
    struct {
        char name[OTOK_TEXT_SIZE], value[OTOK_VALUE_SIZE];
    } variables[OTOK_MAX_AXES];
    struct {
        char name[OTOK_NAME_SIZE];
        int wanted; /* 0: its value is not requested */
    } responses[OTOK_ASKED_MOST];
    char metadata[OTOK_ASKED_MOST][OTOK_NAME_SIZE]; /* requested besides the responses */
    int is_json;
} otok_asked;

/* Reads Dakota's formats standard, APREPRO and JSON, and detects which one the file has. OTOK_DATA:
   the text names file, line and remedy. */
otok_status otok_asked_read(otok_asked *out, const char *path);

#endif
