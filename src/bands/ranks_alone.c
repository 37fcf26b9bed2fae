/* ranks_alone.c: see ranks.h; for a build without MPI, where every program is one rank. */
#include "ranks.h"

otok_status otok_ranks_begin(int apart)
{
    (void)apart;
    return otok_ranks_refuse("this otok is built without MPI; start one process, or build otok "
                             "with -DOTOK_MPI=ON");
}

void otok_ranks_end(int code)
{
    (void)code;
}

int otok_ranks_first_is_gone(void)
{
    return 0;
}

void otok_ranks_part(int apart)
{
    (void)apart;
}

int otok_ranks(void)
{
    return 1;
}

int otok_rank(void)
{
    return 0;
}

int otok_ranks_here(void)
{
    return 1;
}

int otok_rank_here(void)
{
    return 0;
}

void otok_ranks_broadcast(void *bytes, size_t n)
{
    (void)bytes, (void)n;
}

otok_status otok_ranks_agree(otok_status mine)
{
    return mine;
}

void otok_ranks_add(int64_t *values, int n)
{
    (void)values, (void)n;
}

void otok_ranks_send(int to, const void *bytes, size_t n)
{
    (void)to, (void)bytes, (void)n;
}

void otok_ranks_receive(int from, void *bytes, size_t n)
{
    (void)from, (void)bytes, (void)n;
}

otok_status otok_ranks_exchange(otok_message *messages, int n)
{
    (void)messages, (void)n;
    return OTOK_OK;
}

int otok_ranks_reach_devices(void)
{
    return 0;
}
