/* words.h: a list of known words, and the known word nearest to a misspelt one. */
#ifndef OTOK_WORDS_H
#define OTOK_WORDS_H

enum { OTOK_KNOWN = 512 };

typedef struct otok_words {
    int n;
    const char *at[OTOK_KNOWN];
} otok_words;

void otok_words_add(otok_words *words, const char *word);
const char *otok_words_nearest(const otok_words *words, const char *word);
/* The same if it is so near that it must be meant, in small or capital letters; else NULL. */
const char *otok_words_near(const otok_words *words, const char *word);
/* The field that is described with this word, the one with the shortest description; NULL: none. */
const char *otok_field_described(const char *word);
int otok_words_find(const otok_words *words, const char *word); /* -1: it is not in the list */

#endif
