/* load_gdal.c: loads the library of GDAL that otok was built with, once, by its name or else from
   where it lay then. Compiled only with GDAL. */
#include "../core/rounding.h"
#include "gdal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

otok_gdal otok_gdal_calls;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char lacks[512]; /* why there is no GDAL */

static void load(void)
{
    OTOK_ROUNDING; /* which its libraries may change */
    void *library = dlopen(OTOK_GDAL_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(lacks, sizeof lacks, "%s", dlerror());
    if (!library) library = dlopen(OTOK_GDAL_FILE, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const char *missing = NULL;
#define CALL(name)                                                                                 \
    gdal.name = (__typeof__(gdal.name))dlsym(library, #name);                                      \
    if (!gdal.name) missing = #name;
#include "gdal.def"
    snprintf(lacks, sizeof lacks, "%s%s", missing ? OTOK_GDAL_NAME " has no " : "",
             missing ? missing : "");
    if (!missing) gdal.GDALAllRegister();
}

otok_status otok_gdal_enter(const char *path)
{
    pthread_once(&once, load);
    if (*lacks)
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: needs GDAL, and its library cannot be loaded: %s; install what it "
                         "names (Debian: libgdal-dev)",
                         path, lacks);
    gdal.CPLPushErrorHandler(gdal.CPLQuietErrorHandler);
    gdal.CPLErrorReset();
    return OTOK_OK;
}

void otok_gdal_leave(void)
{
    gdal.CPLPopErrorHandler();
}

const char *otok_gdal_why(void)
{
    static _Thread_local char why[256];
    const char *text = gdal.CPLGetLastErrorMsg();
    strncpy(why, *text ? text : "no reason given", sizeof why - 1);
    for (char *c = why; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    return why;
}
