/* springs_file.h: rain maps for tests, as Esri ASCII grids in a folder of their own. */
#ifndef OTOK_SPRINGS_FILE_H
#define OTOK_SPRINGS_FILE_H

#include "scene.h"

static char springs_folder[] = "/tmp/otok-springs-XXXXXX";
static char springs_path[64]; /* of the file written last */

static inline void springs_begin(void)
{
    if (!mkdtemp(springs_folder)) exit(1);
}

/* Row 0 is the bottom row; `head` are more lines of its header. */
static inline void springs_write(const char *name, int nx, int ny, double spacing, const char *head,
                                 const float *map)
{
    snprintf(springs_path, sizeof springs_path, "%s/%s", springs_folder, name);
    FILE *file = fopen(springs_path, "w");
    if (!file) exit(1);
    fprintf(file, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize %.9g\n%s", nx, ny,
            spacing, head);
    for (int j = ny - 1; j >= 0; j--)
        for (int i = 0; i < nx; i++)
            fprintf(file, "%.9g%c", (double)map[j * nx + i], i == nx - 1 ? '\n' : ' ');
    fclose(file);
}

static inline void springs_remove(const char *name)
{
    snprintf(springs_path, sizeof springs_path, "%s/%s", springs_folder, name);
    unlink(springs_path);
}

static inline void springs_end(void)
{
    rmdir(springs_folder);
}

#endif
