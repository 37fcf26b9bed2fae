/* record.h: the bytes of a journal: `otok_record_magic`, then records, each with a head and a body.
   The size of every part is a multiple of 8 bytes, in the byte order of the machine. The first
   record is the study. A head begins with a mark and has a checksum of its own, so that records
   after a damaged place are found. */
#ifndef OTOK_STUDY_RECORD_H
#define OTOK_STUDY_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum { OTOK_RECORD_BEGUN = 1, OTOK_RECORD_RESULT, OTOK_RECORD_STUDY, OTOK_RECORD_RAN };

typedef struct otok_record {
    char mark[8];
    uint64_t kind, size; /* of the body that follows; size in bytes */
    uint64_t body, own;  /* checksums of the body, and of the head above */
} otok_record;

extern const char otok_record_magic[16];

/* The head of a record whose body is `a`, then `b`. */
otok_record otok_record_of(int kind, const void *a, size_t na, const void *b, size_t nb);

int otok_record_is_head(const otok_record *record);
int otok_record_is_whole(
    const otok_record *record); /* is the body that follows the one that was written? */

#endif
