/* version.c: the version of otok. The build defines both texts. */
#include "../otok.h"

const char *otok_version(void)
{
    return OTOK_VERSION;
}

const char *otok_commit(void)
{
    return OTOK_COMMIT;
}
