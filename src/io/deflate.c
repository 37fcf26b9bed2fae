/* deflate.c: see deflate.h. A word of 8 bytes either repeats one byte and joins a run, or is 8
 * literals. */
#include "deflate.h"

#include <libdeflate.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 65520, /* bytes of a code at most; a stored block holds 65535 */
    LITERALS = 256,
    END = 256,
    SYMBOLS = 286,
    LONGEST = 14, /* bits of a code; 4 codes and 7 remaining bits fill a word */
    LENGTHS = 19, /* symbols of the code lengths, whose own codes have at most 7 bits */
    LONGEST_RUN = 256
};

typedef struct code {
    uint16_t bits[SYMBOLS];
    uint8_t length[SYMBOLS];
} code;

typedef struct writer {
    unsigned char *at;
    uint64_t held;
    int n; /* bits held */
} writer;

static void put(writer *w, unsigned bits, int n)
{
    w->held |= (uint64_t)bits << w->n;
    w->n += n;
}

/* Writes whole bytes; up to 7 bits remain. Hosts are little-endian. */
static void flush(writer *w)
{
    memcpy(w->at, &w->held, sizeof w->held);
    w->at += w->n >> 3;
    w->held >>= w->n & ~7;
    w->n &= 7;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t s = *(const uint32_t *)a, t = *(const uint32_t *)b;
    return (s > t) - (s < t);
}

static unsigned reversed(unsigned bits, int n)
{
    unsigned r = 0;
    for (; n > 0; n--, bits >>= 1)
        r = r << 1 | (bits & 1);
    return r;
}

/* Huffman's code for at least two occurring symbols, none longer than `longest` bits. Length 0:
   the symbol does not occur. */
static void make_code(code *c, const uint32_t *count, int n, int longest)
{
    uint32_t order[SYMBOLS], weight[2 * SYMBOLS];
    int parent[2 * SYMBOLS], depth[2 * SYMBOLS], of[16] = {0}, used = 0;
    for (int s = 0; s < n; s++)
        if (count[s]) order[used++] = count[s] << 9 | (uint32_t)s;
    qsort(order, (size_t)used, sizeof *order, ascending);
    for (int i = 0; i < used; i++)
        weight[i] = order[i] >> 9;
    const int root = 2 * used - 2;
    for (int next = used, leaf = 0, inner = used; next <= root; next++) {
        weight[next] = 0;
        for (int k = 0; k < 2; k++) {
            const int least =
                leaf < used && (inner == next || weight[leaf] <= weight[inner]) ? leaf++ : inner++;
            weight[next] += weight[least];
            parent[least] = next;
        }
    }
    depth[root] = 0;
    uint32_t sum = 0; /* sum of 2^-length; 1 is 2^longest */
    for (int i = root - 1; i >= 0; i--) {
        depth[i] = depth[parent[i]] + 1;
        const int length = depth[i] < longest ? depth[i] : longest;
        if (i >= used) continue;
        of[length]++;
        sum += UINT32_C(1) << (longest - length);
    }
    for (; sum > UINT32_C(1) << longest;
         sum--) { /* codes were shortened: for each, another one becomes longer */
        int l = longest - 1;
        while (!of[l])
            l--;
        of[longest]--;
        of[l]--;
        of[l + 1] += 2;
    }
    memset(c->length, 0, sizeof c->length);
    unsigned first[16], next = 0;
    for (int l = longest, i = 0; l > 0; l--)
        for (int k = of[l]; k > 0; k--)
            c->length[order[i++] & 511] = (uint8_t)l;
    for (int l = 1; l <= longest; l++) {
        first[l] = next;
        next = (next + (unsigned)of[l]) << 1;
    }
    for (int s = 0; s < n; s++)
        if (c->length[s]) c->bits[s] = (uint16_t)reversed(first[c->length[s]]++, c->length[s]);
}

/* The number of bytes from i on, in whole words, that repeat the byte before. */
static size_t run_at(const unsigned char *p, size_t i, size_t n)
{
    size_t end = i;
    uint64_t word;
    for (; i > 0 && end + 8 <= n && end - i < LONGEST_RUN; end += 8) {
        memcpy(&word, p + end, sizeof word);
        if (word != UINT64_C(0x0101010101010101) * p[i - 1]) break;
    }
    return end - i;
}

/* The symbol of a length and its extra bits (RFC 1951, 3.2.5). */
static int length_symbol(size_t length, int *extra)
{
    const unsigned x = (unsigned)length - 3;
    *extra = 0;
    while (x >> *extra > 7)
        ++*extra;
    return 257 + 4 * *extra + (int)(x >> *extra);
}

/* Counts symbols. Returns the number of extra bits of runs, with those of their distances. */
static size_t count_symbols(uint32_t *count, const unsigned char *p, size_t n)
{
    uint32_t four[4][LITERALS] = {
        {0}}; /* four tables, because equal neighbours in one would wait for each other */
    size_t i = 0, bits = 0;
    memset(count, 0, SYMBOLS * sizeof *count);
    while (i + 8 <= n) {
        const size_t run = run_at(p, i, n);
        int extra;
        if (run) {
            count[length_symbol(run, &extra)]++;
            bits += 1 + (size_t)extra;
            i += run;
            continue;
        }
        for (int k = 0; k < 8; k++)
            four[k & 3][p[i++]]++;
    }
    while (i < n)
        four[0][p[i++]]++;
    for (int s = 0; s < LITERALS; s++)
        count[s] = four[0][s] + four[1][s] + four[2][s] + four[3][s];
    count[END] = 1;
    return bits;
}

static size_t bits_of(const code *c, const uint32_t *count, int n)
{
    size_t bits = 0;
    for (int s = 0; s < n; s++)
        bits += (size_t)count[s] * c->length[s];
    return bits;
}

static void store(writer *w, const unsigned char *p, size_t n)
{
    put(w, 0, 3);
    flush(w);
    w->at += w->n > 0;
    const unsigned char size[4] = {(unsigned char)n, (unsigned char)(n >> 8), (unsigned char)~n,
                                   (unsigned char)(~n >> 8)};
    memcpy(w->at, size, sizeof size);
    memcpy(w->at + sizeof size, p, n);
    *w = (writer){.at = w->at + sizeof size + n};
}

/* Writes the code lengths, each by itself, and that of the only distance, 1, whose code has 1
   bit. */
static void put_code(writer *w, const code *c, const code *lengths)
{
    static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                           11, 4,  12, 3, 13, 2, 14, 1, 15};
    put(w, 4, 3); /* not the last block; with its own code */
    put(w, SYMBOLS - 257, 5);
    put(w, 0, 5);
    put(w, LENGTHS - 4, 4);
    flush(w);
    for (int i = 0; i < LENGTHS; i++) {
        put(w, lengths->length[order[i]], 3);
        flush(w);
    }
    for (int s = 0; s <= SYMBOLS; s++) {
        const int length = s < SYMBOLS ? c->length[s] : 1;
        put(w, lengths->bits[length], lengths->length[length]);
        flush(w);
    }
}

static void put_symbols(writer *to, const code *c, const unsigned char *p, size_t n)
{
    writer w = *to; /* a local copy, which stays in registers */
    uint32_t entry[SYMBOLS];
    for (int s = 0; s < SYMBOLS; s++)
        entry[s] = (uint32_t)c->length[s] << 16 | c->bits[s];
    size_t i = 0;
    while (i + 8 <= n) {
        const size_t run = run_at(p, i, n);
        if (run) {
            int extra;
            const uint32_t e = entry[length_symbol(run, &extra)];
            put(&w, e & 0xffff, (int)(e >> 16));
            put(&w, (unsigned)(run - 3) & ((1u << extra) - 1), extra);
            put(&w, 0, 1);
            flush(&w);
            i += run;
            continue;
        }
        for (int k = 0; k < 8; k++, i++) {
            const uint32_t e = entry[p[i]];
            put(&w, e & 0xffff, (int)(e >> 16));
            if (k % 4 == 3) flush(&w);
        }
    }
    for (; i < n; i++) {
        put(&w, c->bits[p[i]], c->length[p[i]]);
        flush(&w);
    }
    put(&w, c->bits[END], c->length[END]);
    flush(&w);
    *to = w;
}

/* Are the bytes close to noise? The test looks at 8 of every 64 bytes. A code needs at least log2(1
   / p) bits a byte, with p the share of equal pairs: 7.5 bits at p = 1/181. */
static int is_noise(const unsigned char *p, size_t n)
{
    uint32_t four[4][LITERALS] = {{0}};
    uint64_t looked = 0, pairs = 0;
    for (size_t i = 0; i + 8 <= n; i += 64, looked += 8)
        for (size_t k = 0; k < 8; k++)
            four[k & 3][p[i + k]]++;
    for (int s = 0; s < LITERALS; s++) {
        const uint64_t m = four[0][s] + four[1][s] + four[2][s] + four[3][s];
        pairs += m * (m - 1);
    }
    return looked > LITERALS && pairs * 181 <= looked * (looked - 1);
}

static void deflate_piece(writer *w, const unsigned char *p, size_t n)
{
    uint32_t count[SYMBOLS], uses[LENGTHS] = {0};
    code c, lengths;
    if (is_noise(p, n)) {
        store(w, p, n);
        return;
    }
    const size_t extra = count_symbols(count, p, n), worthwhile = 8 * n - n / 2;
    make_code(&c, count, SYMBOLS, LONGEST);
    for (int s = 0; s < SYMBOLS; s++)
        uses[c.length[s]]++;
    uses[1]++; /* of the distance */
    make_code(&lengths, uses, LENGTHS, 7);
    const size_t head = 17 + 3 * LENGTHS + bits_of(&lengths, uses, LENGTHS);
    if (head + extra + bits_of(&c, count, SYMBOLS) >= worthwhile) {
        store(w, p, n);
        return;
    }
    put_code(w, &c, &lengths);
    put_symbols(w, &c, p, n);
}

size_t otok_deflate_bound(size_t planes, size_t size)
{
    return planes * (size + 6 * (size / PIECE + 1)) + 22;
}

unsigned char *otok_deflate(unsigned char *out, const unsigned char *bytes, size_t planes,
                            size_t size)
{
    writer w = {.at = out + 2};
    const uint32_t adler = libdeflate_adler32(1, bytes, planes * size);
    out[0] = 0x78; /* RFC 1950: deflate with a window of 32 KiB, fastest level */
    out[1] = 0x01;
    const size_t piece =
        (size / (size / PIECE + 1) + 8) & ~(size_t)7; /* in equal pieces of whole words */
    for (; planes > 0; planes--)
        for (size_t done = 0, n; done < size; done += n, bytes += n) {
            n = size - done < piece ? size - done : piece;
            deflate_piece(&w, bytes, n);
        }
    put(&w, 3, 10); /* the last block is empty, in the fixed code */
    flush(&w);
    w.at += w.n > 0;
    for (int k = 3; k >= 0; k--)
        *w.at++ = (unsigned char)(adler >> 8 * k);
    return w.at;
}
