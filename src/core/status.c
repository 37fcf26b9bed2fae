/* status.c: the texts of failures, one line for each thread, and the exit codes. It prints nothing.
   The texts quote foreign files, so they are made plain. */
#include "status.h"

#include "plain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char text[2048];

const char *otok_why(void)
{
    return text;
}

/* The remedy for lack of memory, for texts that do not give one. */
static const char remedy[] = "; free some memory, or use a smaller grid";

otok_status otok_fail(otok_status status, const char *format, ...)
{
    char fresh[sizeof text]; /* because the arguments may point into the old text */
    va_list args;
    va_start(args, format);
    vsnprintf(fresh, sizeof fresh, format, args);
    va_end(args);
    if (status == OTOK_NOMEM && !strchr(fresh, ';'))
        strncat(fresh, remedy, sizeof fresh - strlen(fresh) - 1);
    otok_plain(text, sizeof text, fresh);
    return status;
}

otok_status otok_fail_in(otok_status status, const char *format, ...)
{
    char where[512], fresh[sizeof text];
    va_list args;
    va_start(args, format);
    vsnprintf(where, sizeof where, format, args);
    va_end(args);
    if (snprintf(fresh, sizeof fresh, "%s: %s", where, text) < 0) return status;
    otok_plain(text, sizeof text, fresh);
    return status;
}

otok_status otok_given(const char *function, const char *names, int n, const void *const *pointers)
{
    for (int i = 0; i < n; i++, names += strcspn(names, ",")) {
        names += strspn(names, ", ");
        if (!pointers[i])
            return OTOK_FAIL(OTOK_USAGE, "%s: %.*s is NULL", function, (int)strcspn(names, ","),
                             names);
    }
    return OTOK_OK;
}

int otok_exit_code(otok_status status)
{
    switch (status) {
    case OTOK_OK: return 0;
    case OTOK_USAGE: return 2;
    case OTOK_DATA: return 65;
    case OTOK_DEVICE: return 69;
    case OTOK_IO: return 74;
    case OTOK_STOPPED: return 75;
    case OTOK_NOMEM:
    case OTOK_INTERNAL: break;
    }
    return 70;
}
