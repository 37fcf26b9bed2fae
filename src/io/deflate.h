/* deflate.h: deflate (RFC 1951) for byte planes of computed numbers. It uses a Huffman code for
   every 64 KiB or less and runs of one byte, but no other repetitions: such planes have hardly any,
   and the search for them takes other deflaters most of their time. Any inflater reads the result.
 */
#ifndef OTOK_DEFLATE_H
#define OTOK_DEFLATE_H

#include <stddef.h>

/* Room that is enough for `planes` planes of `size` bytes. */
size_t otok_deflate_bound(size_t planes, size_t size);

/* One whole zlib stream (RFC 1950) of the planes, which lie one after the other; what does not
   shrink by a sixteenth is stored as it is. Returns its end. */
unsigned char *otok_deflate(unsigned char *out, const unsigned char *bytes, size_t planes,
                            size_t size);

#endif
