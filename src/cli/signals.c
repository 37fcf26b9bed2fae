/* signals.c: see signals.h. Handlers do only what POSIX allows them (signal-safety(7)). */
#include "signals.h"

#include "../bands/ranks.h"
#include "../io/begun.h"

#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

/* Batch systems send SIGUSR2 or SIGXCPU before they end a job. */
static const int ends[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU, SIGUSR2};
enum { ENDS = sizeof ends / sizeof ends[0] };

static volatile sig_atomic_t asked, insisted;
static volatile pid_t child;

/* The signals that were ignored when the process began, a bit each. They are read before libraries
   are initialised, because UCX, below Open MPI, then installs a handler for SIGHUP. */
static unsigned ignored;

static void read_ignored(void)
{
    struct sigaction now;
    for (int n = 1; n < 32; n++)
        if (sigaction(n, NULL, &now) == 0 && now.sa_handler == SIG_IGN) ignored |= 1u << n;
}

__attribute__((section(".preinit_array"),
               used)) static void (*before_libraries)(void) = read_ignored;

static void clean(void)
{
    if (child) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    otok_begun_remove();
}

static void on_end(int number)
{
    clean();
    signal(number, SIG_DFL);
    raise(number); /* the signal comes when this returns, because handlers hold signals back */
}

/* If a rank dies, mpirun ends the others, with SIGTERM first. Nothing can be saved then. */
static void tell_ranks(void)
{
    static const char text[] = "otok: a signal asks this run of several ranks to end; whatever "
                               "ended it, --resume continues from its newest files\n";
    if (otok_ranks() < 2 || (otok_rank() > 0 && !otok_ranks_first_is_gone())) return;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
}

static void on_serving(int number)
{
    (void)number;
    if (!asked) tell_ranks();
    asked = 1;
}

/* A terminal that is closed sends SIGHUP, and so does its shell; SIGXCPU comes every second:
   several of these count as one request. Only a second SIGTERM or SIGINT insists. */
static void on_signal(int number)
{
    if (!asked) tell_ranks();
    asked = 1;
    if ((number != SIGTERM && number != SIGINT) || !insisted++) return;
    clean();
    _exit(128 + number);
}

void cli_signals_catch(int number, void (*handler)(int))
{
    struct sigaction now, wanted = {.sa_handler = handler, .sa_flags = SA_RESTART};
    for (int n = 0; n < ENDS; n++)
        sigaddset(&wanted.sa_mask, ends[n]);
    if (ignored >> number & 1) signal(number, SIG_IGN);
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaction(number, &wanted, NULL);
}

void cli_signals_end(void)
{
    for (int n = 0; n < ENDS; n++)
        cli_signals_catch(ends[n], on_end);
    if (asked) raise(SIGTERM); /* a request came a moment ago */
}

void cli_signals_ask(void)
{
    for (int n = 0; n < ENDS; n++)
        cli_signals_catch(ends[n], ends[n] == SIGPIPE ? SIG_IGN : on_signal);
}

int cli_signals_asked(void)
{
    return asked;
}

void cli_signals_child(pid_t process)
{
    child = process;
}

void cli_signals_leave(void)
{
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
    signal(SIGXCPU, SIG_IGN);
    cli_signals_catch(SIGTERM, on_serving);
}
