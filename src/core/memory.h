/* memory.h: how much more memory a process may take. Linux only. */
#ifndef OTOK_MEMORY_H
#define OTOK_MEMORY_H

/* The memory that this process can still take [bytes]; 0: unknown. It is what the machine has
   left, swap included, or less if a control group of the process (of a batch system or a
   container; versions 1 and 2) has less. Cached files count as free. `root` stands before /proc
   and /sys: "" except in tests. */
double otok_memory_free(const char *root);

#endif
