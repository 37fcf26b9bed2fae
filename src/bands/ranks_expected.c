/* ranks_expected.c: how many processes a launcher has started; see ranks.h. */
#include "ranks.h"

#include "../core/status.h"

#include <stdlib.h>

/* A whole number in a variable of the environment; -1: there is none. */
static long number(const char *name)
{
    const char *text = getenv(name);
    char *end = NULL;
    const long n = text && *text ? strtol(text, &end, 10) : -1;
    return end && !*end && n >= 0 ? n : -1;
}

/* Slurm gives a script of sbatch the number of tasks of its job, too, although the script is one
   process. Only a task of srun belongs to a step. mpirun starts its own daemons with srun, so its
   variables come first. */
long otok_ranks_expected(const char **name)
{
    static const char *const launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                            "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
    for (size_t n = 0; n < sizeof launchers / sizeof launchers[0]; n++)
        if (number(*name = launchers[n]) > 0) return number(*name);
    const long ranks = number(*name = "SLURM_NTASKS"), place = number("SLURM_PROCID");
    if (ranks > 0 && place >= 0 && (place > 0 || getenv("SLURM_STEP_ID") || getenv("SLURM_STEPID")))
        return ranks;
    const long rank = number(*name = "PMIX_RANK");
    return rank > 0 ? rank + 1 : rank == 0 ? 0 : 1;
}

otok_status otok_ranks_refuse(const char *why)
{
    const char *name;
    const long n = otok_ranks_expected(&name);
    if (n < 2) return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE,
                     "a launcher such as mpirun or srun has started several processes (%s=%s), but "
                     "%s. Each would do the whole work over the files of the others",
                     name, getenv(name), why);
}
