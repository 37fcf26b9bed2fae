/* begun.h: the temporary files that do not have their own names yet. A signal that ends the program
   removes them. Only file.c adds and drops them. */
#ifndef OTOK_BEGUN_H
#define OTOK_BEGUN_H

/* Before the file is made, and after it has gone: renamed or removed. Names that are longer than a
 * path may be are not kept. */
void otok_begun_add(const char *temporary);
void otok_begun_drop(const char *temporary);

/* Removes them all, for a handler of signals: the program must end when this returns. Threads that
   begin or finish a file meanwhile wait for that. */
void otok_begun_remove(void);

#endif
