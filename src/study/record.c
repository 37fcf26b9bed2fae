/* record.c: see record.h. */
#include "record.h"

#include <string.h>

const char otok_record_magic[16] = "otok journal15\n";
static const char mark[8] = "\aRecord";
static const uint64_t first = UINT64_C(0xcbf29ce484222325);

/* Like FNV-1a, but with eight bytes at a time, whose upper half is then mixed into the lower. */
static uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)bytes + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t own_sum(const otok_record *r)
{
    return fnv(first, r, offsetof(otok_record, own));
}

otok_record otok_record_of(int kind, const void *a, size_t na, const void *b, size_t nb)
{
    otok_record r = {
        .kind = (uint64_t)kind, .size = na + nb, .body = fnv(fnv(first, a, na), b, nb)};
    memcpy(r.mark, mark, sizeof mark);
    r.own = own_sum(&r);
    return r;
}

int otok_record_is_head(const otok_record *r)
{
    return memcmp(r->mark, mark, sizeof mark) == 0 && r->own == own_sum(r) && r->size % 8 == 0;
}

int otok_record_is_whole(const otok_record *r)
{
    return r->body == fnv(first, r + 1, r->size);
}
