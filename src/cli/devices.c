/* devices.c: see devices.h. */
#include "devices.h"

#include "../bands/ranks.h"
#include "../core/backend.h"
#include "../core/status.h"
#include "cli.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The n-th word of a list with commas, or n itself if there is no list; 0: the list is shorter. */
static int nth(char *out, size_t size, const char *list, int n)
{
    if (!list || !*list) return snprintf(out, size, "%d", n) > 0;
    for (; n > 0 && list; n--)
        list = (list = strchr(list, ',')) ? list + 1 : NULL;
    if (!list || !*list) return 0;
    snprintf(out, size, "%.*s", (int)strcspn(list, ","), list);
    return 1;
}

/* CUDA counts only the devices that this variable names; a batch system sets it for a job. */
static int choose_device(const char *command, const char *text)
{
    char one[128];
    int n;
    if (!cli_whole(text, 0, 1023, &n))
        return cli_usage(command, "--device %s: give the number of a GPU, from 0 on", text);
    if (!nth(one, sizeof one, getenv("CUDA_VISIBLE_DEVICES"), n))
        return cli_usage(command,
                         "--device %d: CUDA_VISIBLE_DEVICES names only %s; devices count from 0", n,
                         getenv("CUDA_VISIBLE_DEVICES"));
    setenv("CUDA_VISIBLE_DEVICES", one, 1);
    return -1;
}

/* The number of GPUs; 0: the backend uses none. */
static int gpus_of(const char *backend)
{
    const otok_backend *found = NULL;
    if (otok_backend_find_whole(&found, backend) != OTOK_OK || !found->devices) return 0;
    return found->devices();
}

/* Checks --gpus against the number of GPUs. */
static int choose_gpus(const char *command, const cli_devices *d, int *gpus)
{
    const int there = gpus_of(d->backend), all = strcmp(d->gpus, "all") == 0;
    if (!all && !cli_whole(d->gpus, 1, OTOK_MAX_BANDS, gpus))
        return cli_usage(command, "--gpus %s: give a number of GPUs, or all", d->gpus);
    if (there == 0 || (!all && *gpus > there)) {
        OTOK_FAIL(
            OTOK_DEVICE,
            "--gpus %s: backend %s has %d GPU%s here; see nvidia-smi -L and CUDA_VISIBLE_DEVICES",
            d->gpus, d->backend, there, there == 1 ? "" : "s");
        return cli_fail(command, OTOK_DEVICE);
    }
    if (all) *gpus = there;
    return -1;
}

int cli_devices_choose(const char *command, cli_devices *d, int members)
{
    int bands = 0, gpus = 1;
    int code = d->device ? choose_device(command, d->device) : -1;
    if (code >= 0) return code;
    if (d->bands && d->gpus)
        return cli_usage(
            command, "--bands and --gpus exclude each other: --gpus makes one band for each GPU");
    if (d->bands && !cli_whole(d->bands, 1, OTOK_MAX_BANDS, &bands))
        return cli_usage(command, "--bands %s: give a number from 1 to %d", d->bands,
                         OTOK_MAX_BANDS);
    if ((d->bands || d->gpus) && strchr(d->backend, '/'))
        return cli_usage(
            command, "--backend %s names a number of bands already; leave out --bands and --gpus",
            d->backend);
    if (d->gpus) {
        code = choose_gpus(command, d, &gpus);
        if (code >= 0) return code;
        bands = members || gpus == 1 ? 0 : gpus;
    }
    d->count = gpus;
    if (members && !d->device && otok_ranks_here() > 1) {
        const int there = gpus_of(d->backend);
        d->first = there > 0 ? otok_rank_here() % (there / d->count) * d->count : 0;
    }
    if (bands > 0) {
        snprintf(d->name, sizeof d->name, "%.40s/%d", d->backend, bands);
        d->backend = d->name;
    }
    return -1;
}
