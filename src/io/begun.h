/* begun.h: the temporary files that do not have their own names yet. A signal that ends the program
   removes them. Only file.c adds and drops them. */
#ifndef OTOK_BEGUN_H
#define OTOK_BEGUN_H

/* Adds a name before its file is made, and drops it when the file is renamed or removed. Names
   longer than the longest path are not kept. */
void otok_begun_add(const char *temporary);
void otok_begun_drop(const char *temporary);

/* Removes all of them. For a signal handler: the program must end when this returns. Threads that
   begin or finish a file meanwhile wait until then. */
void otok_begun_remove(void);

#endif
