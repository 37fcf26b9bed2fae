/* signals.h: what signals do to a command. A signal that was ignored when otok began stays ignored,
   as nohup expects. */
#ifndef OTOK_CLI_SIGNALS_H
#define OTOK_CLI_SIGNALS_H

#include <sys/types.h>

/* SIGHUP, SIGINT, SIGTERM and SIGPIPE end the program, after the files that it had begun are
   removed. */
void cli_signals_end(void);

/* SIGHUP, SIGINT and SIGTERM ask the program to stop; a second SIGINT or SIGTERM ends it at once,
   as above. SIGPIPE is ignored: output to a reader that has gone is lost. */
void cli_signals_ask(void);
int cli_signals_asked(void);

/* SIGHUP, SIGINT and SIGTERM do nothing: with several ranks, only rank 0 stops the program. */
void cli_signals_leave(void);

/* Handles one more signal by a handler of the caller. */
void cli_signals_catch(int number, void (*handler)(int number));

/* Names a child process, which is killed if a signal ends this one; 0: none. */
void cli_signals_child(pid_t child);

#endif
