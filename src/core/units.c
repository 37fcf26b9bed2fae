/* units.c: see units.h. UDUNITS-2 reads its database at the first unit: the one that the build put
   into the library, so that a program needs no file of the system. One thread at a time uses its
   parser. */
#include "units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 48 }; /* letters of a unit */

#ifdef OTOK_WITH_UDUNITS
#include <pthread.h>
#include <sys/mman.h>
#include <udunits2.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static ut_system *all_units; /* kept until the program ends */

/* UDUNITS2_XML_PATH names another database. */
static ut_system *read_units(void)
{
    ut_system *units = NULL;
#ifdef OTOK_WITH_UNITS_XML
    extern const unsigned char otok_units_xml[];
    extern const unsigned long otok_units_xml_size;
    const int file = getenv("UDUNITS2_XML_PATH") ? -1 : memfd_create("udunits2.xml", MFD_CLOEXEC);
    if (file >= 0) {
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        if (write(file, otok_units_xml, otok_units_xml_size) == (ssize_t)otok_units_xml_size)
            units = ut_read_xml(path);
        close(file);
    }
#endif
    return units ? units : ut_read_xml(NULL);
}

static int is_angle(const ut_unit *unit)
{
    char text[128];
    return ut_format(unit, text, sizeof text, UT_ASCII | UT_DEFINITION) > 0 && strstr(text, "rad");
}

/* UDUNITS-2 converts an angle to a pure number. Here an angle is not one: a slope of 10 % is not
   0.1 rad. */
static int convert(double *value, ut_unit *from, ut_unit *to)
{
    if (is_angle(from) != is_angle(to) || !ut_are_convertible(from, to)) return 0;
    cv_converter *converter = ut_get_converter(from, to);
    if (!converter) return 0;
    const int is_factor = cv_convert_double(converter, 0) ==
                          0; /* refuses scales with another zero, such as degrees Celsius */
    if (is_factor) *value = cv_convert_double(converter, *value);
    cv_free(converter);
    return is_factor;
}

/* "mm/a", "m a-1", "ka", "Ma": years of geologists, and ares of UDUNITS-2. */
static int names_years(const char *unit)
{
    const size_t n = strlen(unit);
    const char *a = strstr(unit, "a-1");
    return (n > 1 && strcmp(unit + n - 2, "/a") == 0) || strcmp(unit, "ka") == 0 ||
           strcmp(unit, "Ma") == 0 || (a && (a == unit || !isalpha((unsigned char)a[-1])));
}

/* UDUNITS-2 knows no powers with a raised minus, nor the dot of formulas. */
static ut_unit *parse(const char *text)
{
    static const struct {
        const char *from, *to;
    } others[] = {{"\u207b", "-"}, {"\u2212", "-"}, {"\u22c5", "."}, {"\u00b9", "1"},
                  {"\u00b2", "2"}, {"\u00b3", "3"}, {"\u00b7", "."}, {"\u2113", "L"}};
    char plain[4 * LONGEST] = "";
    size_t n = 0;
    while (*text && n + 1 < sizeof plain) {
        size_t i = 0;
        while (i < sizeof others / sizeof others[0] &&
               strncmp(text, others[i].from, strlen(others[i].from)) != 0)
            i++;
        const int is_other = i < sizeof others / sizeof others[0];
        plain[n++] = is_other ? *others[i].to : *text;
        text += is_other ? strlen(others[i].from) : 1;
    }
    return ut_parse(all_units, plain, UT_UTF8);
}

static const char *convert_text(double *value, const char *from, const char *to,
                                char why[OTOK_UNIT_WHY])
{
    ut_set_error_message_handler(ut_ignore);
    if (!all_units) all_units = read_units();
    if (!all_units) {
        snprintf(why, OTOK_UNIT_WHY,
                 "the units' database of UDUNITS-2 cannot be read (Debian: libudunits2-data; "
                 "UDUNITS2_XML_PATH names another place)");
        return why;
    }
    ut_unit *given = parse(from), *wanted = parse(to);
    const char *problem = NULL;
    if (!given)
        problem = "is not a unit that UDUNITS-2 knows";
    else if (!wanted || !convert(value, given, wanted))
        problem = names_years(from) ? "is a unit of something else: a is an are; write yr, kyr, Myr"
                                    : "is a unit of something else";
    ut_free(given);
    ut_free(wanted);
    if (problem) snprintf(why, OTOK_UNIT_WHY, "`%s` %s", from, problem);
    return problem ? why : NULL;
}

static const char *convert_unit(double *value, const char *from, const char *to,
                                char why[OTOK_UNIT_WHY])
{
    pthread_mutex_lock(&one_at_a_time);
    const char *problem = convert_text(value, from, to, why);
    pthread_mutex_unlock(&one_at_a_time);
    return problem;
}

int otok_unit_known(const char *text)
{
    double value = 1;
    char why[OTOK_UNIT_WHY];
    convert_unit(&value, "m", "m", why); /* reads the database */
    pthread_mutex_lock(&one_at_a_time);
    ut_unit *unit = all_units ? parse(text) : NULL;
    pthread_mutex_unlock(&one_at_a_time);
    ut_free(unit);
    return unit != NULL;
}

#else

int otok_unit_known(const char *text)
{
    return (void)text, 0;
}

static const char *convert_unit(double *value, const char *from, const char *to,
                                char why[OTOK_UNIT_WHY])
{
    (void)value, (void)to;
    snprintf(why, OTOK_UNIT_WHY,
             "`%s` cannot be converted: this otok was built without UDUNITS-2 (libudunits2-dev)",
             from);
    return "no UDUNITS-2";
}

#endif

static const char *skip_digits(const char *t, int *n)
{
    for (; *t >= '0' && *t <= '9'; t++)
        ++*n;
    return t;
}

/* Points past a decimal number (sign, digits, point, exponent) that every reader of YAML accepts;
   NULL: there is none. */
static const char *number_end(const char *t)
{
    int n = 0, e = 0;
    t += *t == '-' || *t == '+';
    t = skip_digits(t, &n);
    if (*t == '.') t = skip_digits(t + 1, &n);
    if (!n) return NULL;
    if (*t != 'e' && *t != 'E') return t;
    const char *end = skip_digits(t + 1 + (t[1] == '-' || t[1] == '+'), &e);
    return e ? end : t;
}

/* Digits in a unit are whole powers: "m3", "s-2", "m^2", "m**2". UDUNITS-2 also reads factors, so
   that "m/s^1.5" would be five tenths of "m/s^1", and "m 5" five metres. */
static int has_factor(const char *t)
{
    for (const char *c = t; *c; c++) {
        if (!isdigit((unsigned char)*c)) continue;
        const char before = c > t ? c[-1] : ' ';
        const int is_power = isalnum((unsigned char)before) || strchr("-+^", before) ||
                             (c - t > 1 && before == '*' && c[-2] == '*');
        if (!is_power && !(c == t && strncmp(t, "1/", 2) == 0)) return 1;
    }
    return 0;
}

/* Can this be a unit? It must not be the rest of a date, or of a number in another notation. */
static int may_be_unit(const char *t)
{
    const unsigned char c = (unsigned char)*t;
    return (isalpha(c) || c == '%' || c == '\'' || c == '"' || c >= 0x80 ||
            strncmp(t, "1/", 2) == 0) &&
           strlen(t) <= LONGEST;
}

static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", value);
    return strtod(text, NULL);
}

static const char *fail_unit(char why[OTOK_UNIT_WHY], const char *text, const char *problem,
                             const char *to)
{
    const int is_pure = !*to || strcmp(to, "1") == 0;
    char copy[OTOK_UNIT_WHY / 2];
    snprintf(copy, sizeof copy, "%s", problem);
    snprintf(why, OTOK_UNIT_WHY, "\"%.60s\" is not a number%s%s: %s", text, is_pure ? "" : " of ",
             is_pure ? "" : to, copy);
    return why;
}

const char *otok_unit_read(double *out, int *given, const char *text, const char *to,
                           char why[OTOK_UNIT_WHY])
{
    const char *end = number_end(text), *unit = end ? end + strspn(end, " \t") : NULL;
    *given = 0;
    if (!end || (*unit && !may_be_unit(unit)))
        return fail_unit(why, text,
                         "digits, a decimal point, an exponent, a unit or none are allowed", to);
    errno = 0;
    double value = strtod(text, NULL) + 0.0; /* + 0.0 turns -0 into +0 */
    if (isinf(value) || (errno == ERANGE && value == 0)) {
        snprintf(why, OTOK_UNIT_WHY, "\"%.60s\" is too %s for a double", text,
                 isinf(value) ? "large" : "small");
        return why;
    }
    *given = *unit != 0;
    if (*given && strcmp(unit, to) != 0) {
        if (convert_unit(&value, unit, to, why)) return fail_unit(why, text, why, to);
        if (has_factor(unit))
            return fail_unit(why, text,
                             "its unit has a number that is no whole power; write one number, then "
                             "units with powers such as s-1 or m^2",
                             to);
        value = rounded(value);
    }
    *out = value;
    return NULL;
}

/* Names of lengths that GDAL, Esri and CF write. They need no UDUNITS-2. */
static const struct {
    const char *name;
    double metres;
} lengths[] = {{"m", 1},
               {"metre", 1},
               {"metres", 1},
               {"meter", 1},
               {"meters", 1},
               {"m.", 1},
               {"ft", 0.3048},
               {"foot", 0.3048},
               {"feet", 0.3048},
               {"international foot", 0.3048},
               {"us_survey_foot", 1200.0 / 3937},
               {"us survey foot", 1200.0 / 3937},
               {"us survey feet", 1200.0 / 3937},
               {"foot_us", 1200.0 / 3937},
               {"us-ft", 1200.0 / 3937},
               {"ftus", 1200.0 / 3937}};

const char *otok_unit_factor(double *factor, const char *from, const char *to,
                             char why[OTOK_UNIT_WHY])
{
    static const char *const pure[] = {"1", "-", "none", "unitless", "dimensionless", "ratio"};
    *factor = 1;
    if (!*from || strcmp(from, to) == 0) return NULL;
    for (size_t i = 0; strcmp(to, "m") == 0 && i < sizeof lengths / sizeof lengths[0]; i++)
        if (strcasecmp(from, lengths[i].name) == 0) return *factor = lengths[i].metres, NULL;
    for (size_t i = 0; strcmp(to, "1") == 0 && i < sizeof pure / sizeof pure[0]; i++)
        if (strcasecmp(from, pure[i]) == 0) return NULL;
    return convert_unit(factor, from, to, why) ? why : NULL;
}
