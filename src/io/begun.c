/* begun.c: see begun.h. The slots of names are never freed and no lock guards them: a signal
   handler may run at any moment, even inside otok_begun_add. */
#include "begun.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 32 };
enum { FREE, CHANGING, BEGUN, REMOVED };

static struct {
    atomic_int state;
    char name[PATH_MAX];
} slots[SLOTS];
static atomic_int ending;

static int change_slot(int slot, int from, int to)
{
    return atomic_compare_exchange_strong(&slots[slot].state, &from, to);
}

static void wait_for_end(void)
{
    while (atomic_load(&ending))
        pause();
}

void otok_begun_add(const char *temporary)
{
    wait_for_end();
    if (strlen(temporary) >= PATH_MAX) return;
    for (int n = 0; n < SLOTS; n++) {
        if (!change_slot(n, FREE, CHANGING)) continue;
        strcpy(slots[n].name, temporary);
        atomic_store(&slots[n].state, BEGUN);
        break;
    }
    wait_for_end(); /* the handler has not seen it */
}

void otok_begun_drop(const char *temporary)
{
    for (int n = 0; n < SLOTS; n++) {
        if (atomic_load(&slots[n].state) != BEGUN || strcmp(slots[n].name, temporary) != 0)
            continue;
        if (change_slot(n, BEGUN, FREE)) return;
    }
    wait_for_end();
}

void otok_begun_remove(void)
{
    atomic_store(&ending, 1);
    for (int n = 0; n < SLOTS; n++)
        if (change_slot(n, BEGUN, REMOVED) || atomic_load(&slots[n].state) == REMOVED)
            unlink(slots[n].name);
}
