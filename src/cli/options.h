/* options.h: the options of a command in one table. --help prints the table, and cli_options reads
   the command line by it. */
#ifndef OTOK_CLI_OPTIONS_H
#define OTOK_CLI_OPTIONS_H

#include "../otok.h"

/* The type of *cli_option.to. */
typedef enum cli_kind {
    CLI_FLAG,    /* int: becomes 1 */
    CLI_OFF,     /* int: becomes 0 */
    CLI_TEXT,    /* const char * */
    CLI_WHOLE,   /* int from low to high */
    CLI_REAL,    /* double from low to high */
    CLI_SECONDS, /* double: 90, 30m, 23h50m */
    CLI_SET,     /* cli_sets: appends */
    CLI_READ     /* a type that only `read` knows */
} cli_kind;

enum { CLI_MOST_SETS = 256 };
typedef struct cli_sets {
    const char *at[CLI_MOST_SETS];
    int n;
} cli_sets;

typedef struct cli_option {
    const char *name;  /* without dashes; NULL ends a table */
    char letter;       /* 0: none */
    const char *value; /* name of the value in --help; NULL: the option takes none */
    const char *help;
    cli_kind kind;
    void *to;
    double low, high;
    otok_status (*read)(void *to, const char *name, const char *value);
} cli_option;

typedef struct cli_command {
    const char *name, *operands; /* "run", "SCENARIO.yaml [options]"; lines may follow */
    const char *about;           /* paragraphs before the options and after them */
    const char *notes;
    const char *examples; /* lines without "otok NAME" */
    int least, most;      /* number of operands; both 0: one */
    const char *needs;    /* "one scenario": the message if there are fewer or more */
    const cli_option *options;
} cli_command;

/* Returns -1 to go on with the operands from optind on, else the exit code of the process. */
int cli_options(const cli_command *command, int argc, char **argv);

/* A row: the address of the value, then `low, high` or `.read = function`, if the kind has them. */
#define CLI_OPTION(NAME, LETTER, VALUE, HELP, KIND, ...)                                           \
    {                                                                                              \
        .name = NAME, .letter = LETTER, .value = VALUE, .help = HELP, .kind = KIND,                \
        .to = __VA_ARGS__                                                                          \
    }

/* Rows that many commands have. */
#define CLI_SETS(sets)                                                                             \
    CLI_OPTION("set", 0, "path=value", "change a key of the scenario; may be repeated", CLI_SET,   \
               sets)
#define CLI_BACKEND(to)                                                                            \
    CLI_OPTION("backend", 0, "NAME", "auto, cpu or cuda (default: auto: cuda if there is a GPU)",  \
               CLI_TEXT, to)
#define CLI_MAX_TIME(to, help) CLI_OPTION("max-time", 0, "T", help, CLI_SECONDS, to)
#define CLI_QUIET(to, help) CLI_OPTION("quiet", 'q', NULL, help, CLI_FLAG, to)
#define CLI_OUTPUT(value, help, to) CLI_OPTION("output", 'o', value, help, CLI_TEXT, to)

/* The value of an option as a number, or the failure "--rate x: not a number". */
otok_status cli_number(double *out, const char *name, const char *text, double low, double high);

/* Prints a text in lines of 80 columns. Lines that begin with a space are not broken. The cursor is
   at column `indent`, where all lines begin. */
void cli_flow(const char *text, int indent);

/* WxH in pixels. */
typedef struct cli_size {
    int width, height;
} cli_size;
otok_status cli_read_size(void *size, const char *name, const char *text);

#endif
