"""Claim: a run and a study work on a file system that has no locks, or syncs no files; a pipe, a device or a directory where a
file belongs is refused at once, whoever reads it; and who reads the checkpoints of a run goes on with those that its pruning left."""
# once: under the sanitizers; it depends on no optimisation

import errno

from cli import *

scenario, study = isle(every=2), write("study.yaml", ISLE_STUDY)
out = SPACE / "out"
end = fingerprint(run(scenario, out, "-q").stdout)
files = checkpoints(out)


def commands(where):
    return (
        ("run", ["run", scenario, "-o", where, "--backend", BACKEND, "-q"]),
        ("study", ["study", study, "-o", where, "--backend", BACKEND, "-q"]),
    )


def told(done):
    """What a quiet run says besides its verdict, which is not stable."""
    return done.stderr[:done.stderr.find("verdict: ")] if "verdict: " in done.stderr else done.stderr


# No locks: a run goes on and says so once; another error of a lock stops it. A study goes on in any case: its claims need no locks.
for error in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EIO):
    for name, words in commands(SPACE / f"lock{error}"):
        goes_on = error != errno.EIO or name == "study"
        done = otok(*words, env=preloaded(words[3], "flock", -1, error), code=0 if goes_on else 74)
        said = "" if name == "study" else f"otok run: {words[3]}: this file system has no locks: nothing prevents two programs from writing here at the same time\n"
        where = f"{name}, flock {errno.errorcode[error]}"
        check(told(done) == said if goes_on else os.strerror(error) in done.stderr, f"{where}: {done.stderr}")
        check(name == "study" or not goes_on or fingerprint(done.stdout) == end, f"{where}: {done.stdout}")

# No syncs: likewise, in silence: there is no durable storage to wait for.
for error in (errno.EINVAL, errno.ENOSYS, errno.EIO):
    for name, words in commands(SPACE / f"sync{error}"):
        done = otok(*words, env=preloaded(words[3], "fsync", -1, error), code=74 if error == errno.EIO else 0)
        check(bool(told(done)) == (error == errno.EIO), f"{name}, fsync {errno.errorcode[error]}: {done.stderr}")

# What is no file. Nothing writes to the pipe: who opened it to read would wait for ever.
pipe, link = SPACE / "pipe", SPACE / "linked.vtkhdf.series"
os.mkfifo(pipe)
link.symlink_to(pipe)
shutil.copy(files[0], SPACE / "first.vtkhdf")


def refused(words, *args, code=65, **more):
    try:
        done = otok(*args, code=code, limit=20, **more)
    except subprocess.TimeoutExpired:
        return check(False, f"hangs: otok {' '.join(map(str, args))}")
    check(all(w in done.stderr for w in words), f"otok {' '.join(map(str, args))}: {done.stderr}")


RUN = ["-o", SPACE / "never", "--backend", BACKEND, "-q"]
for bad, words, code in ((pipe, ["pipe: not a regular file, but a pipe"], 65), ("/dev/zero", ["/dev/zero: not a regular file, but a device"], 65), (SPACE, [str(SPACE), "directory"], 74)):
    refused(words, "run", bad, *RUN, code=code)
    refused(words, "study", bad, *RUN, code=code)
    refused(words, "inspect", bad, code=code)
    refused(words, "run", write("from.yaml", scenario.read_text().replace("base:", f"initial: {{file: {bad}}}\nbase:")), *RUN, code=code)
    refused(words, "run", write("raster.yaml", scenario.read_text().replace("cone: {height: 150, radius: 80, power: 1.3}", f"raster: {{file: {bad}}}")), *RUN, code=code)
    refused(words, "study", write("table.yaml", ISLE_STUDY.split("design")[0] + f"design: {{kind: list, file: {bad}}}\n"), *RUN, code=code)
if "this build" not in otok("movie", "nothing", code=None).stderr:
    refused(["not a regular file, but a pipe"], "movie", link, "-o", SPACE / "never_%05d.png")
refused(["not a regular file, but a pipe"], "export", pipe, "-o", SPACE / "never.png")
grid = write("grid.asc", "ncols 24\nnrows 16\nxllcorner 0\nyllcorner 0\ncellsize 8\n" + "1 " * 24 * 16)
os.mkfifo(SPACE / "grid.prj")
gridded = write("gridded.yaml", scenario.read_text().replace("cone: {height: 150, radius: 80, power: 1.3}", f"raster: {{file: {grid}}}"))
refused([], "run", gridded, "-o", SPACE / "gridded", "--backend", BACKEND, "-q", code=0)  # no georeference, as without the file
series = SPACE / "series"
shutil.copytree(out, series)
(series / "isle.vtkhdf.series").unlink()
os.mkfifo(series / "isle.vtkhdf.series")
files[-1].rename(SPACE / "kept")
refused(["isle.vtkhdf.series", "not a regular file"], "run", scenario, "-o", series, "--backend", BACKEND, "-q", "--resume", code=74)
(SPACE / "kept").rename(files[-1])
with open(scenario) as text:
    refused([], "run", "/dev/stdin", "-o", SPACE / "stdin", "--backend", BACKEND, "-q", code=0, stdin=text)
refused(["/dev/stdin: not a regular file, but a pipe", "write it to a file"], "run", "/dev/stdin", *RUN, stdin=subprocess.PIPE)

finish()
