/* memory.h: how much more memory a process may take. Linux only. */
#ifndef OTOK_MEMORY_H
#define OTOK_MEMORY_H

/* What the machine can still give, swap included, and what the limits of the process's control
   groups (a batch system's, a container's; versions 1 and 2) leave of it [bytes]; what files in
   memory could give back counts as free. 0: unknown. `root` stands before /proc and /sys: "" but in
   tests. */
double otok_memory_free(const char *root);

#endif
