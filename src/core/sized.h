/* sized.h: structs of the public interface that grow, between this library and a program whose
   header is older or newer. */
#ifndef OTOK_SIZED_H
#define OTOK_SIZED_H

#include <stddef.h>
#include <string.h>

/* Copies what both know. What only `to` knows becomes 0. */
static inline void otok_sized_copy(void *to, size_t to_size, const void *from, size_t from_size)
{
    const size_t both = to_size < from_size ? to_size : from_size;
    memcpy(to, from, both);
    memset((char *)to + both, 0, to_size - both);
}

/* The same over the values of `to` for what `from` may not know, where 0 would say something. */
static inline void otok_sized_over(void *to, size_t to_size, const void *from, size_t from_size)
{
    memcpy(to, from, to_size < from_size ? to_size : from_size);
}

#endif
