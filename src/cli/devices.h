/* devices.h: the options that say where a command computes: --backend, --device, --gpus, --bands.
 */
#ifndef OTOK_CLI_DEVICES_H
#define OTOK_CLI_DEVICES_H

/* As they were given; NULL: not. After cli_devices_choose `backend` is what otok.h takes. */
typedef struct cli_devices {
    const char *backend, *device, *gpus, *bands;
    int count; /* GPUs to use, at least 1 */
    int first; /* of those; not 0 where a machine has several ranks, which take its GPUs by turns */
    char name[96];
} cli_devices;

/* Before the first call of a GPU. -1 to go on, else an exit code. --gpus cuts the grid into as many
   bands, unless `members` says that the command spreads members over the GPUs. */
int cli_devices_choose(const char *command, cli_devices *devices, int members);

#endif
