/* reel.c: see reel.h. */
#include "reel.h"

#include "../io/file.h"
#include "../io/image.h"
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int cli_reel_is_pattern(const char *name)
{
    const char *at = strchr(name, '%');
    if (!at || strchr(at + 1, '%')) return 0;
    at += 1 + (at[1] == '0');
    return at[strspn(at, "123456789")] == 'd' && strspn(at, "123456789") <= 1;
}

static otok_status start_ffmpeg(cli_reel *m, const sigset_t *usual)
{
    char size[32], rate[32], *file = NULL;
    int ends[2];
    snprintf(size, sizeof size, "%dx%d", m->width, m->height);
    snprintf(rate, sizeof rate, "%.10g", m->rate);
    /* otherwise ffmpeg reads the text before a colon in a name as a protocol */
    if (asprintf(&file, "file:%s", m->draft->name) < 0)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a file name");
    /* clang-format off */
    const char *const words[] = {"ffmpeg", "-nostdin", "-loglevel", "error", "-y",
                                 "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", size, "-framerate", rate, "-i", "pipe:0",
                                 "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-c:v", "libx264", "-crf", "17", "-pix_fmt", "yuv420p",
                                 "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-movflags", "+faststart",
                                 "-f", m->format, file, NULL};
    /* clang-format on */
    if (pipe(ends) != 0) {
        const int error = errno;
        free(file);
        return otok_file_failed("a pipe to ffmpeg", "open", error);
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    /* a process group of its own: Ctrl-C in a terminal goes to otok, which then closes the file or
       ends ffmpeg */
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&how, usual);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    const int error =
        posix_spawnp(&m->ffmpeg, "ffmpeg", &actions, &how, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&how);
    free(file);
    close(ends[0]);
    m->to = ends[1];
    cli_signals_child(error ? 0 : m->ffmpeg);
    if (error == 0) return OTOK_OK;
    close(ends[1]);
    m->ffmpeg = 0;
    if (error == ENOENT)
        return OTOK_FAIL(OTOK_DEVICE,
                         "ffmpeg, which makes %s, is not installed; install it (Debian: ffmpeg), "
                         "or write pictures: -o frames_%%05d.png",
                         m->output);
    return otok_file_failed("ffmpeg", "start", error);
}

static otok_status end_ffmpeg(cli_reel *m)
{
    int state = 0;
    if (!m->ffmpeg) return OTOK_OK;
    close(m->to);
    while (waitpid(m->ffmpeg, &state, 0) < 0 && errno == EINTR) {}
    cli_signals_child(m->ffmpeg = 0);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return OTOK_OK;
    return OTOK_FAIL(OTOK_IO,
                     "%s: ffmpeg could not write it (%s %d); its message is above. Check the disk, "
                     "and that `ffmpeg -encoders` lists libx264",
                     m->output, WIFEXITED(state) ? "exit" : "signal",
                     WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
}

otok_status cli_reel_begin(cli_reel *m)
{
    if (!m->format) return OTOK_OK;
    sigset_t all, usual; /* signals wait until the process that they must end is known */
    sigfillset(&all);
    OTOK_TRY(otok_file_begin(&m->draft, m->output));
    signal(SIGPIPE, SIG_IGN); /* if ffmpeg ends early, it prints the reason itself */
    sigprocmask(SIG_SETMASK, &all, &usual);
    const otok_status status = start_ffmpeg(m, &usual);
    sigprocmask(SIG_SETMASK, &usual, NULL);
    return status;
}

otok_status cli_reel_end(cli_reel *m, otok_status status)
{
    const otok_status last = end_ffmpeg(m);
    if (status == OTOK_OK) status = last;
    if (status == OTOK_OK && m->draft) return otok_file_commit(m->draft, m->output);
    otok_file_abandon(m->draft);
    return status;
}

otok_status cli_reel_put(cli_reel *m, const char *title, unsigned char *rgb)
{
    if (!m->format) {
        char path[4096];
        const char *words[] = {"Title", title, "Software", "otok", NULL};
        const otok_picture picture = {m->width, m->height, 3, 8, rgb};
        const char *at = strchr(m->output, '%'), *after = strchr(at, 'd') + 1;
        const int wide = atoi(at + 1);
        snprintf(path, sizeof path, at[1] == '0' ? "%.*s%0*lld%s" : "%.*s%*lld%s",
                 (int)(at - m->output), m->output, wide, (long long)m->taken, after);
        return otok_png_write(path, &picture, words);
    }
    const size_t size = (size_t)m->width * (size_t)m->height * 3;
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(m->to, rgb + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return errno == EPIPE ? end_ffmpeg(m)
                                  : otok_file_failed("the pipe to ffmpeg", "write", errno);
        done += (size_t)n;
    }
    return OTOK_OK;
}
