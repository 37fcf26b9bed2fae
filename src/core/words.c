/* words.c: known words, and the known word nearest to a misspelt one. */
#include "words.h"

#include "../otok.h"

#include <ctype.h>
#include <string.h>

void otok_words_add(otok_words *words, const char *word)
{
    if (words->n < OTOK_KNOWN) words->at[words->n++] = word;
}

int otok_words_find(const otok_words *words, const char *word)
{
    for (int i = 0; i < words->n; i++)
        if (strcmp(words->at[i], word) == 0) return i;
    return -1;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance over the first 40 letters. */
static int distance(const char *a, const char *b)
{
    enum { LETTERS = 40 };
    const int n = (int)strnlen(a, LETTERS), m = (int)strnlen(b, LETTERS);
    int row[LETTERS + 1];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            const int swap = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = smaller(swap, 1 + smaller(row[j], row[j - 1]));
        }
    }
    return row[m];
}

const char *otok_words_nearest(const otok_words *words, const char *word)
{
    int best = 0;
    for (int i = 1; i < words->n; i++)
        if (distance(words->at[i], word) < distance(words->at[best], word)) best = i;
    return words->n ? words->at[best] : "";
}

const char *otok_words_near(const otok_words *words, const char *word)
{
    char small[64];
    const size_t n = strlen(word);
    if (n >= sizeof small) return NULL;
    for (size_t i = 0; i <= n; i++)
        small[i] = (char)tolower((unsigned char)word[i]);
    const char *nearest = otok_words_nearest(words, small);
    const int letters = distance(nearest, small);
    return letters <= 2 && 2 * letters < (int)n ? nearest : NULL;
}

const char *otok_field_described(const char *word)
{
    const otok_field_info *found = NULL;
    const size_t n = strlen(word);
    for (int i = 0; i < OTOK_FIELDS; i++) {
        const otok_field_info *f = otok_field_at(i);
        if (otok_field_layer(i) >= 0) continue;
        for (const char *c = f->long_name; (c = strcasestr(c, word)) && n; c += n) {
            const int whole = (c == f->long_name || c[-1] == ' ') && !isalnum((unsigned char)c[n]);
            if (whole && (!found || strlen(f->long_name) < strlen(found->long_name))) found = f;
        }
    }
    return found ? found->name : NULL;
}
