/* scenario_file.h: scenarios written in tests: a text becomes a temporary file and is loaded from
 * it. */
#ifndef OTOK_SCENARIO_FILE_H
#define OTOK_SCENARIO_FILE_H

#include "check.h"
#include "scenario/scenario.h"

#include <unistd.h>

/* The file stays until file_remove, under the name "bad.yaml" in a folder of its own. */
static char file_folder[] = "/tmp/otok_scenario_XXXXXX";
static char file_path[sizeof file_folder + 16];

static inline void file_create(void)
{
    if (!mkdtemp(file_folder)) exit(1);
    snprintf(file_path, sizeof file_path, "%s/bad.yaml", file_folder);
}

static inline void file_write(const void *bytes, size_t size)
{
    FILE *file = fopen(file_path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) exit(1);
}

static inline void file_remove(void)
{
    unlink(file_path);
    rmdir(file_folder);
}

static inline otok_status file_load(otok_scenario **out, const char *text, const char *set)
{
    file_write(text, strlen(text));
    return otok_scenario_load(out, file_path, &set, set ? 1 : 0);
}

#endif
