/* plain.c: see plain.h. */
#include "plain.h"

#include <stdint.h>
#include <string.h>

/* Decodes the character at `text`; 0: it is not UTF-8. */
static size_t decode(uint32_t *out, const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char c = *text;
    const size_t size = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
    if (!size) return 0;
    *out = size == 1 ? c : c & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (text[i] >> 6 != 2) return 0;
        *out = *out << 6 | (text[i] & 0x3f);
    }
    const int whole = *out >= least[size] && *out <= 0x10ffff && (*out < 0xd800 || *out > 0xdfff);
    return whole ? size : 0;
}

/* C0, DEL, C1; marks, embeddings, overrides and isolates of direction; line and paragraph
   separators; the byte order mark. */
static int controls(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200e && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

size_t otok_plain_next(char out[OTOK_PLAIN_SIZE], const char *text)
{
    uint32_t c = 0;
    out[0] = 0;
    if (!*text) return 0;
    const size_t size = decode(&c, (const unsigned char *)text);
    if (size && !controls(c)) {
        memcpy(out, text, size);
        out[size] = 0;
        return size;
    }
    snprintf(out, OTOK_PLAIN_SIZE, "\\u%04x", size ? (unsigned)c & 0xffff : (unsigned char)*text);
    return size ? size : 1;
}

void otok_plain(char *out, size_t size, const char *text)
{
    char piece[OTOK_PLAIN_SIZE];
    size_t done = 0;
    for (size_t n; (n = otok_plain_next(piece, text)); text += n) {
        const size_t length = strlen(piece);
        if (done + length >= size) break;
        memcpy(out + done, piece, length);
        done += length;
    }
    out[done] = 0;
}

void otok_plain_put(FILE *out, const char *text, int lines)
{
    char piece[OTOK_PLAIN_SIZE];
    for (size_t n; (n = otok_plain_next(piece, text)); text += n)
        if (lines && (*text == '\n' || *text == '\t'))
            putc(*text, out);
        else
            fputs(piece, out);
}

void otok_plain_cell(FILE *out, const char *text)
{
    char piece[OTOK_PLAIN_SIZE];
    const int quoted = text[strcspn(text, ",;\"")] != 0 || *text == ' ';
    if (quoted) putc('"', out);
    for (size_t n; (n = otok_plain_next(piece, text)); text += n) {
        if (*text == '"') putc('"', out);
        fputs(piece, out);
    }
    if (quoted) putc('"', out);
}
