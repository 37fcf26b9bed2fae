/* checkpoint_kind.c: tells a checkpoint from other files before HDF5 sees it, and says what these
   are for. */
#include "../core/status.h"
#include "checkpoint.h"
#include "checkpoint_table.h"

#include <string.h>
#include <sys/stat.h>

static int ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

/* What a file or folder is, and the command for it. */
static const char *remedy(const char *path, const unsigned char start[8], int64_t size)
{
    if (size == 0) return "the file is empty. Give a .vtkhdf file that otok wrote";
    if (ends_with(path, ".series"))
        return "a list of the checkpoints of a run. otok view plays it, otok movie films it; give "
               "one of its .vtkhdf files";
    if (ends_with(path, ".yaml") || ends_with(path, ".yml"))
        return "a scenario, for otok run and otok view, or a study, for otok study. Give a .vtkhdf "
               "file that otok wrote";
    if (memcmp(start, "CDF", 3) == 0)
        return "a NetCDF-3 file, not an HDF5 file (xarray: `engine=\"h5netcdf\"`). Give a .vtkhdf "
               "file that otok wrote";
    if (memcmp(start, "MATLAB", 6) == 0)
        return "an old MATLAB file, not an HDF5 file (MATLAB: `save -v7.3`). Give a .vtkhdf file "
               "that otok wrote";
    return "not an HDF5 file. Give a .vtkhdf file that otok wrote";
}

int otok_file_is_hdf(const char *path)
{
    static const unsigned char mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char start[8];
    int64_t size;
    return otok_file_probe(path, start, &size) == OTOK_OK && memcmp(start, mark, sizeof mark) == 0;
}

otok_status otok_checkpoint_probe(const char *path, int64_t *size)
{
    unsigned char start[8];
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return OTOK_FAIL(
            OTOK_IO,
            "%s: a folder, not a checkpoint. otok view plays the run in it, otok movie "
            "films it; give one of its .vtkhdf files",
            path);
    OTOK_TRY(otok_file_probe(path, start, size));
    if (otok_file_is_hdf(path)) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA, "%s: not a checkpoint: %s", path, remedy(path, start, *size));
}

otok_status otok_checkpoint_foreign(const char *path, hid_t file)
{
    const int study = otok_hdf_find(file, "verdict") > 0 && H5Aexists(file, "scenario") > 0;
    return OTOK_FAIL(OTOK_DATA, "%s: an HDF5 file, but not a checkpoint of otok. %s", path,
                     study
                         ? "It is the table of a study: otok view FILE --member 0 shows a member, "
                           "otok-plot members FOLDER all"
                         : "Give a .vtkhdf file that otok wrote");
}
