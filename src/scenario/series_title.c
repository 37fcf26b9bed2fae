/* series_title.c: the unit in the title of a column: "level [m]", or at its end behind a comma, a
   slash, an underscore or a blank, "Q_m3/h", if it can be nothing else. The other words must be
   those of a name: a unit there, or what may be one, is refused. */
#include "../core/units.h"
#include "series_file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *unit;
} others[] = {
#define UNIT(name, unit) {name, unit},
#include "series_words.def"
#undef UNIT
};

/* Is a word, without blanks, in a list? */
static int is_in(const char *list, const char *word)
{
    char between[OTOK_TITLE + 2];
    snprintf(between, sizeof between, " %s ", word);
    return strcasestr(list, between) != NULL;
}

static const struct {
    const char *name, *unit;
} names[] = {
#define NAME(name, unit) {name, unit},
#include "series_words.def"
#undef NAME
};

static const char separators[] = " \t_,:;=|/.-\\*&+";

enum { N_OTHERS = sizeof others / sizeof others[0], N_NAMES = sizeof names / sizeof names[0] };

static int other_of(const char *word)
{
    for (int i = 0; i < N_OTHERS; i++)
        if (strcasecmp(word, others[i].name) == 0) return i;
    return -1;
}

static int name_of(const char *word)
{
    for (int i = 0; i < N_NAMES; i++)
        if (strcasecmp(word, names[i].name) == 0) return i;
    return -1;
}

/* The unit that UDUNITS-2 knows by a word; the word itself if it has no other name. */
static const char *standard_unit(const char *word)
{
    const int i = other_of(word);
    return i >= 0 && others[i].unit ? others[i].unit : word;
}

int otok_is_unit_word(const char *word)
{
    const int i = other_of(word);
    return i >= 0 ? others[i].unit != NULL : otok_unit_known(word);
}

/* Has a word that is not in the lists the shape of a name: upstream, Weir, Q12, flow2? */
static int looks_like_name(const char *word)
{
    size_t letters = 0;
    while (isalpha((unsigned char)word[letters]) || (unsigned char)word[letters] >= 0x80)
        letters++;
    const size_t digits = strspn(word + letters, "0123456789");
    if (word[letters + digits]) return 0;
    for (size_t i = 1; i < letters; i++)
        if (isupper((unsigned char)word[i])) return 0;
    if (digits && letters == 1) return strchr("QqZzXxYyVvWwPp", *word) != NULL;
    return letters >= 4;
}

/* One title, and what its words may mean. */
typedef struct title {
    const char *text, *unit; /* unit: of its numbers */
    int is_told;             /* does the file or the scenario tell the unit? */
    int is_time;             /* is it that of the times? */
    const otok_sheet *sheet;
    const otok_node *at;
} title;

static otok_status refuse_word(const title *t, const char *word, const char *what)
{
    char choice[2 * OTOK_TITLE + 64] = "";
    const char *unit = *t->unit ? t->unit : "1", *mine = other_of(word) >= 0 ? word : unit;
    if (strcmp(mine, unit) != 0)
        snprintf(choice, sizeof choice, "`[%s]` if the numbers are in that, or ", mine);
    return otok_sheet_fail(t->sheet, t->sheet->title_line, t->at,
                           "the title `%s` has the word `%s`, which %s; write the unit in brackets "
                           "at its end, %s`[%s]`, or beside `file` units: {\"%s\": %s}",
                           t->text, word, what, choice, unit, t->text, mine);
}

/* A word that is in the list of names. */
static otok_status check_name(const title *t, const char *part, const char *of)
{
    char why[OTOK_UNIT_WHY];
    double factor;
    if (!of || t->is_told || !otok_unit_factor(&factor, of, t->unit, why)) return OTOK_OK;
    return otok_sheet_fail(t->sheet, t->sheet->title_line, t->at,
                           "the title `%s` says `%s`, and %s needs %s; choose the column with "
                           "`column`, or give the title a unit in brackets",
                           t->text, part, t->at->key ? t->at->key : "the key",
                           strcmp(t->unit, "1") == 0 ? "a factor" : t->unit);
}

/* A word that is a unit. *is: is it the unit of the numbers? */
static otok_status check_known(const title *t, const char *part, int *is)
{
    char why[OTOK_UNIT_WHY];
    double factor = 1;
    const int converts = !otok_unit_factor(&factor, standard_unit(part), t->unit, why);
    *is = converts && factor == 1;
    if (*is || (t->is_told && !converts)) return OTOK_OK;
    return refuse_word(t, part,
                       t->is_told ? "is another unit than the one told"
                                  : "is a unit, and not in brackets");
}

/* A word, or all words from one on. *ends: is it the last word? Then: is nothing left to check? */
static otok_status check_part(const title *t, const char *part, int is_all, int *ends)
{
    const int other = other_of(part), name = name_of(part),
              is_inch = strcasecmp(part, "in") == 0 && *ends;
    *ends = 0;
    if (name >= 0 && !is_inch) return check_name(t, part, names[name].unit);
    if (other >= 0 && !others[other].unit)
        return t->is_told ? OTOK_OK : refuse_word(t, part, "may be a unit");
    if (other >= 0 || (!isdigit((unsigned char)*part) && otok_unit_known(part))) {
        int is;
        OTOK_TRY(check_known(t, part, &is));
        *ends = is && is_all;
        return OTOK_OK;
    }
    if (is_all || t->is_told || looks_like_name(part) || !part[strspn(part, "0123456789")])
        return OTOK_OK;
    return refuse_word(t, part, "is neither a name nor a unit");
}

/* Does a word count back from the present? */
static int is_age(const char *word)
{
    return is_in(" age ages ago bp before alter mya kya ya ", word);
}

int otok_title_is_age(const char *text)
{
    char part[OTOK_TITLE];
    for (const char *at = text; *(at += strspn(at, " \t_,[(])")); at += strcspn(at, " \t_,[(])")) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, " \t_,[(])"), at);
        if (is_age(part)) return 1;
    }
    return 0;
}

/* Is it a length? */
static int is_metres(const char *unit)
{
    char why[OTOK_UNIT_WHY];
    double factor;
    return *unit && !otok_unit_factor(&factor, unit, "m", why);
}

/* Words of what grows downwards. */
static int is_downward(const char *word)
{
    return is_in(" below under beneath down downward bgl drawdown ", word);
}

/* Words of what was computed from values: its numbers are none, whatever their unit. */
static int is_computed(const char *word)
{
    return strncasecmp(word, "normali", 7) == 0 ||
           is_in(" ln log log10 lnq logq sqrt squared anomaly scaled relative change difference "
                 "error variance specific rank percentile uncertainty dt ",
                 word);
}

static otok_status check_words(const title *t, const char *name)
{
    char part[OTOK_TITLE];
    for (const char *at = name; *(at += strspn(at, separators)); at += strcspn(at, separators)) {
        const size_t n = strcspn(at, separators);
        snprintf(part, sizeof part, "%.*s", (int)n, at);
        if (is_age(part) && t->is_time) continue;
        if (is_age(part) || strcasecmp(part, "since") == 0)
            return otok_sheet_fail(
                t->sheet, t->sheet->title_line, t->at,
                "the title `%s` has the word `%s`: times count from the beginning of the phase on; "
                "write such times, from 0 on, below a title such as `time [h]`",
                t->text, part);
        if (is_downward(part) && is_metres(t->unit))
            return otok_sheet_fail(t->sheet, t->sheet->title_line, t->at,
                                   "the title `%s` has the word `%s`, and levels grow upwards; "
                                   "write levels, and a title such as `level [m]`",
                                   t->text, part);
        if (is_computed(part) ||
            (isdigit((unsigned char)*part) && at > name && strchr("*/", at[-1])))
            return otok_sheet_fail(t->sheet, t->sheet->title_line, t->at,
                                   "by the title `%s` the numbers are computed (`%s`); write the "
                                   "values themselves, below a title such as `NAME [%s]`",
                                   t->text, part, *t->unit ? t->unit : "1");
        int ends = !at[n];
        if (n < strlen(at) && strcasecmp(part, "in") != 0) {
            char rest[OTOK_TITLE];
            int over = 0;
            snprintf(rest, sizeof rest, "%s", at);
            OTOK_TRY(check_part(t, rest, 1, &over));
            if (over) return OTOK_OK;
        }
        OTOK_TRY(check_part(t, part, 0, &ends));
    }
    return OTOK_OK;
}

/* Cuts the unit in brackets off the end of a title; 0: it has none, -1: brackets elsewhere. */
static int cut_brackets(char unit[OTOK_TITLE], char *text)
{
    const size_t n = strlen(text), open = strcspn(text, "[(");
    unit[0] = 0;
    if (strpbrk(text, "{}")) return -1;
    if (open == n) return strpbrk(text, "])") ? -1 : 0;
    if (!strchr("])", text[n - 1]) || strcspn(text + open + 1, "[]()") != n - open - 2) return -1;
    snprintf(unit, OTOK_TITLE, "%.*s", (int)(n - open - 2), text + open + 1);
    text[open] = 0;
    return 1;
}

/* Times of the clock or of the calendar have the names of units alone: day 1 is no time of 1 day.
   Bare years are often ages. */
static int may_stand_alone(const char *unit)
{
    return is_in(" s sec secs seconds min mins minutes h hr hrs hours d days sekunden minuten "
                 "stunden tage ",
                 unit);
}

/* Can these words at the end of a title be nothing but a unit of its numbers? Many names are units
   to UDUNITS-2, too (dam, pole, point): so a unit of one word is in the list of words. */
static int is_surely_unit(const char *words, const char *assumed, int is_all)
{
    char why[OTOK_UNIT_WHY];
    double factor;
    const int other = other_of(words), is_time = strcmp(assumed, "s") == 0;
    if (!isalpha((unsigned char)*words) || strncasecmp(words, "in", 2) == 0) return 0;
    if (other < 0 && (is_time || !strpbrk(words, "/ ^"))) return 0;
    if (other >= 0 && !others[other].unit) return 0;
    if (is_time && (strcasecmp(words + 1, "a") == 0 || (is_all && !may_stand_alone(words))))
        return 0;
    return strncmp(words, "Mm", 2) != 0 &&
           !otok_unit_factor(&factor, standard_unit(words), assumed, why);
}

/* Cuts the unit off the end of a title without brackets; 0: it has none that is beyond doubt, -1: a
   number before it may be a factor. */
static int cut_end(char unit[OTOK_TITLE], char *text, const char *assumed)
{
    static const char before[] = " \t_,/";
    for (char *at = text; *at; at++) {
        if (at != text && !strchr(before, at[-1])) continue;
        if (!is_surely_unit(at, assumed, at == text)) continue;
        snprintf(unit, OTOK_TITLE, "%s", standard_unit(at));
        size_t n = (size_t)(at - text);
        while (n && strchr(before, text[n - 1]))
            n--;
        if (n >= 3 && strncasecmp(text + n - 2, "in", 2) == 0 && strchr(before, text[n - 3]))
            for (n -= 2; n && strchr(before, text[n - 1]);)
                n--;
        text[n] = 0;
        const char *later = text + strcspn(text, separators);
        return later[strcspn(later, "0123456789")] ? -1 : 1;
    }
    return 0;
}

static const char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = 0;
    return text;
}

/* The unit alone of "ka BP", "cal yr BP" and "kyr ago". */
static const char *unit_of_age(char *text)
{
    const char *unit = trimmed(text);
    char *last = strrchr(unit, ' ');
    if (!last || !is_age(last + 1)) return unit;
    *last = 0;
    return strncasecmp(unit, "cal ", 4) == 0 ? unit + 4 : unit;
}

static otok_status check_unit(const title *t, const char *unit)
{
    char why[OTOK_UNIT_WHY];
    double factor;
    const char *same = standard_unit(unit);
    const int other = strcmp(unit, t->unit) == 0 ? -1 : other_of(unit);
    const int is_million = strncmp(unit, "Mm3", 3) == 0 || strncmp(unit, "Mm^3", 4) == 0 ||
                           strncmp(unit, "Mm\u00b3", 4) == 0; /* or a cubic megametre? */
    if (*unit && !is_million && !(other >= 0 && !others[other].unit) &&
        !otok_unit_factor(&factor, same, t->unit, why))
        return OTOK_OK;
    return otok_sheet_fail(t->sheet, t->sheet->title_line, t->at,
                           "the title `%s` has the unit `%s`, which is not one of %s that can be "
                           "converted; write such as `NAME [%s]`",
                           t->text, unit, strcmp(t->unit, "1") == 0 ? "a factor" : t->unit,
                           t->unit);
}

otok_status otok_title_unit(char unit[OTOK_TITLE], int *is_told, const char *text, const char *told,
                            const char *assumed, const otok_sheet *table, const otok_node *at)
{
    char name[OTOK_TITLE], inside[OTOK_TITLE];
    title t = {.text = text,
               .unit = assumed,
               .is_time = strcmp(assumed, "s") == 0,
               .sheet = table,
               .at = at};
    unit[0] = 0;
    *is_told = 0;
    if (told) {
        OTOK_TRY(check_unit(&t, told));
        snprintf(unit, OTOK_TITLE, "%s", standard_unit(told));
        *is_told = 1;
    }
    if (!table->titles) return OTOK_OK;
    if (strlen(text) >= OTOK_TITLE)
        return otok_sheet_fail(table, table->title_line, at, "the title `%.60s...` is too long",
                               text);
    snprintf(name, sizeof name, "%s", text);
    const int brackets = cut_brackets(inside, name);
    if (brackets < 0)
        return otok_sheet_fail(table, table->title_line, at,
                               "the title `%s` has brackets that are not its end; write the unit "
                               "alone in brackets, at the end: `NAME [%s]`",
                               text, assumed);
    const char *found = t.is_time ? unit_of_age(inside) : trimmed(inside);
    if (brackets) {
        OTOK_TRY(check_unit(&t, found));
        if (told) {
            char why[OTOK_UNIT_WHY];
            double a = 1, b = 1;
            otok_unit_factor(&a, unit, assumed, why);
            otok_unit_factor(&b, standard_unit(found), assumed, why);
            if (a != b)
                return otok_sheet_fail(table, table->title_line, at,
                                       "the title `%s` and `units` tell different units, `%s` and "
                                       "`%s`; keep one",
                                       text, found, told);
        }
        snprintf(unit, OTOK_TITLE, "%s", standard_unit(found));
        *is_told = 1;
    }
    char asked[OTOK_TITLE], whole[OTOK_TITLE];
    snprintf(whole, sizeof whole, "%s", trimmed(name));
    const char *words = trimmed(name);
    const int ends = *is_told ? 0 : cut_end(inside, whole, assumed);
    if (ends < 0) return refuse_word(&t, inside, "has a number before it that may be a factor");
    if (ends) {
        snprintf(unit, OTOK_TITLE, "%s", inside);
        *is_told = OTOK_TOLD_BARE;
        words = trimmed(whole);
    }
    snprintf(asked, sizeof asked, "%s", *is_told ? unit : assumed);
    t.unit = asked;
    t.is_told = *is_told && *is_told != OTOK_TOLD_BARE;
    return check_words(&t, words);
}

/* A unit in brackets tells; without one, the first word. */
int otok_title_is_time(const char *text)
{
    static const char *const times[] = {"time",     "t",         "zeit",   "temps", "date",
                                        "datetime", "timestamp", "tiempo", "tempo", "tijd",
                                        "age",      "elapsed",   "datum"};
    char word[OTOK_TITLE], why[OTOK_UNIT_WHY];
    double factor;
    char name[OTOK_TITLE], inside[OTOK_TITLE];
    snprintf(name, sizeof name, "%s", text);
    if (cut_brackets(inside, name) > 0)
        return !otok_unit_factor(&factor, standard_unit(unit_of_age(inside)), "s", why) && *inside;
    text += strspn(text, separators);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \t_,:;=|/.-[({"), text);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (strcasecmp(word, times[i]) == 0) return 1;
    return *word && name_of(word) < 0 && (other_of(word) >= 0 || otok_unit_known(word)) &&
           !otok_unit_factor(&factor, standard_unit(word), "s", why);
}
