/* main.c: the program otok: runs a subcommand and turns its status into an exit code. */
#include "../bands/ranks.h"
#include "../core/backend.h"
#include "../core/rounding.h"
#include "../core/words.h"
#include "../io/hdf.h"
#include "cli.h"
#include "signals.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct subcommand {
    const char *name, *what;
    int (*run)(int argc, char **argv);
    int lasts; /* 1: a signal asks the command to stop; 0: a signal ends it at once */
} subcommand;

static const subcommand commands[] = {
    {"run", "run a scenario, with checkpoints", cli_run, 1},
    {"base", "make only the base terrain", cli_base, 0},
    {"inspect", "print what is in a checkpoint", cli_inspect, 0},
    {"compare", "compare two checkpoints bit for bit", cli_compare, 0},
    {"export", "write a checkpoint as a picture, grid or mesh", cli_export, 0},
    {"road", "build a road into a checkpoint's terrain", cli_road, 0},
    {"render", "draw a checkpoint in three dimensions", cli_render, 0},
    {"movie", "make a video of the checkpoints of a run", cli_movie, 0},
    {"view", "show a running scenario or a checkpoint in a window", cli_view, 0},
    {"predict", "print the stability limits of a scenario", cli_predict, 0},
    {"study", "vary parameters of a scenario", cli_study, 1},
    {"merge", "join the journals of a study", cli_merge, 0},
    {"edge", "find where along an axis the verdict changes", cli_edge, 1},
    {"bench", "measure the speed of a scenario", cli_bench, 0},
    {"parameters", "print the table of parameters", cli_parameters, 0},
};

enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static void help(FILE *out)
{
    fputs("otok: erosion of terrains and growth of reefs, on CPU and GPU\n\n"
          "usage: otok COMMAND [options]\n\n",
          out);
    for (int i = 0; i < NCOMMANDS; i++)
        fprintf(out, "  %-11s %s\n", commands[i].name, commands[i].what);
    fputs("\notok COMMAND --help shows options and an example. otok --version prints the version.\n"
          "Exit codes: 0 done, 1 compare found a difference or edge found several changes,\n"
          "2 usage, 65 bad scenario or data, 69 no device, 70 internal, 74 input or output,\n"
          "75 stopped early with a checkpoint (run again with --resume).\n\n"
          "example: otok run experiments/island/island.yaml -o out\n",
          out);
}

/* A full disk is an error; a reader that has closed the pipe is not. */
static int finish(int code)
{
    errno = 0;
    const int lost = fflush(stdout) != 0 || ferror(stdout);
    if (code || !lost || errno == EPIPE) return code;
    fputs("otok: cannot write to standard output\n", stderr);
    return otok_exit_code(OTOK_IO);
}

/* Opens standard files that are closed, for reading. Otherwise the next file that is opened would
   receive what is printed. */
static void reserve_standard_files(void)
{
    int file = 0;
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY);
    if (file > STDERR_FILENO) close(file);
}

/* Does each MPI rank run the command? `otok study` does, and its ranks share the members. In all
   other commands the ranks carry out what rank 0 does. */
static int runs_apart(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "study") == 0;
}

static int asks_for_help(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
    return 0;
}

int main(int argc, char **argv)
{
    OTOK_ROUNDING;
    reserve_standard_files();
    otok_hdf_quiet();
    otok_command_set(argc, argv);
    const int apart = runs_apart(argc, argv);
    const otok_status joined = otok_ranks_begin(apart);
    if (joined == OTOK_OK && !apart && otok_rank() > 0) {
        cli_signals_leave();
        otok_ranks_serve();
        return 0;
    }
    if (!apart) atexit(otok_ranks_leave);
    signal(SIGXFSZ, SIG_IGN); /* a file above its size limit is then a failed write, with a text */
    if (argc < 2) {
        help(stderr);
        return otok_exit_code(OTOK_USAGE);
    }
    if (argc > 2 && strcmp(argv[1], "help") == 0) { /* otok help run: otok run --help */
        argv[1] = argv[2];
        argv[2] = "--help";
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        help(stdout);
        return finish(0);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("otok %s (%s)\n", otok_version(), otok_commit());
#ifdef OTOK_CUDA_EMULATED
        printf("CUDA kernels EMULATED on the CPU, for tests only\n");
#endif
        return finish(0);
    }
    otok_words names = {0};
    for (int i = 0; i < NCOMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            if (joined != OTOK_OK && !asks_for_help(argc, argv)) return cli_fail(argv[1], joined);
            commands[i].lasts ? cli_signals_ask() : cli_signals_end();
            const int code = finish(commands[i].run(argc - 1, argv + 1));
            if (apart) otok_ranks_end(code);
            return code;
        }
        otok_words_add(&names, commands[i].name);
    }
    fprintf(stderr, "otok: no command '%s'; the nearest is '%s', and otok --help lists all\n",
            cli_plain(argv[1]), otok_words_nearest(&names, argv[1]));
    return otok_exit_code(OTOK_USAGE);
}
