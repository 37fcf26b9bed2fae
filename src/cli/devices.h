/* devices.h: the options that choose where a command computes: --backend, --device, --gpus,
   --bands. */
#ifndef OTOK_CLI_DEVICES_H
#define OTOK_CLI_DEVICES_H

/* The options as given; NULL: not given. After cli_devices_choose, `backend` is a name for
   otok.h. */
typedef struct cli_devices {
    const char *backend, *device, *gpus, *bands;
    int count; /* GPUs to use, at least 1 */
    int first; /* the first of these; not 0 if a machine has several ranks, which take its GPUs in
                  turn */
    char name[96];
} cli_devices;

/* Call it before a GPU is used. Returns -1 to go on, else an exit code. --gpus cuts the grid into
   as many bands, unless `members` tells that the command spreads members over the GPUs. */
int cli_devices_choose(const char *command, cli_devices *devices, int members);

/* Rows of a table of options. */
#define CLI_DEVICE(d)                                                                              \
    CLI_OPTION("device", 0, "N", "use only this GPU; the first is 0", CLI_TEXT, &(d)->device)
#define CLI_DEVICES(d)                                                                             \
    CLI_DEVICE(d),                                                                                 \
        CLI_OPTION("gpus", 0, "N",                                                                 \
                   "cut the grid into N bands, one on each of N GPUs, or of `all`; the results "   \
                   "have the same bits",                                                           \
                   CLI_TEXT, &(d)->gpus),                                                          \
        CLI_OPTION("bands", 0, "N",                                                                \
                   "cut the grid into N bands on the available devices; the results have "         \
                   "the same bits",                                                                \
                   CLI_TEXT, &(d)->bands)

#endif
