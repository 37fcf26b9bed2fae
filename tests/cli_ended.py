"""Claim: a signal that ends a command while it writes removes what it had begun, whatever file it writes, and ends it by that signal;
one that was ignored when the command began is ignored."""
# once: under the sanitizers; it depends on no optimisation

import os
import shutil
import signal

from cli import *

source, library = pathlib.Path(__file__).parent / "preload/ends.c", SPACE / "ends.so"
compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
if not compiler:
    skip("no C compiler")
subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-D_GNU_SOURCE", source, "-o", library], check=True)

ENV["ASAN_OPTIONS"] = "detect_leaks=0"  # drivers keep memory to the end
island = write("isle.yaml", ISLAND.replace("iterations: 500", "iterations: 80").replace("every: 100", "every: 250"))
write("study.yaml", "study: 1\nscenario: isle.yaml\ndesign: {kind: grid, points: 2}\nvary: {phases.erosion.thermal.dt: {from: 0.01, to: 0.02}}\n")
run(island, SPACE / "run", "-q")
otok("study", SPACE / "study.yaml", "-o", SPACE / "study", "--backend", BACKEND, "-q")
os.remove(SPACE / "study/study.h5")
last = checkpoints(SPACE / "run")[-1]
road = ["road", last, "--from", "200,200", "--to", "560,320", "-o"]
commands = {
    "base.vtkhdf": ["base", island, "--backend", BACKEND, "-o"],
    "road.vtkhdf": road,
    "gray.png": ["export", last, "--field", "terrain", "-o"],
    "relief.png": ["export", last, "-o"],
    "grid.asc": ["export", last, "-o"],
    "mesh.ply": ["export", last, "-o"],
    "study.h5": ["merge", SPACE / "study"],
}
if otok("export", last, "-o", SPACE / "probe.tif", code=None).returncode == 0:
    commands["grid.tif"] = ["export", last, "-o"]
if otok("render", last, "-o", SPACE / "probe.png", "--size", "36x24", code=None).returncode == 0:
    commands["view.png"] = ["render", last, "--size", "36x24", "-o"]
    if shutil.which("ffmpeg"):
        commands["film.mkv"] = ["movie", SPACE / "run", "--size", "36x24", "-q", "-o"]


def words_of(name, where):
    return [OTOK, *map(str, commands[name]), *([] if name == "study.h5" else [str(where / name)])]


def preloaded(number):
    # a program built with ASan wants to be first, and has memory left when it is ended
    asan = "verify_asan_link_order=0:detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")
    return {**ENV, "LD_PRELOAD": str(library), "OTOK_END": str(int(number)), "ASAN_OPTIONS": asan}


signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
for n, name in enumerate(commands):
    number = signal.SIGPIPE if name == "road.vtkhdf" else signals[n % 3]
    where = SPACE / ("study" if name == "study.h5" else f"ended{n}")
    where.mkdir(exist_ok=True)
    before = sorted(p.name for p in where.iterdir())
    done = subprocess.run(words_of(name, where), capture_output=True, text=True, timeout=120, env=preloaded(number))
    check(done.returncode == -number, f"{name}, {number.name}: exit {done.returncode}: {done.stderr[-600:]}")
    after = sorted(p.name for p in where.iterdir())
    check(after == before, f"{name}, {number.name}: left behind: {after}")

# The second signal to a run, too.
done = subprocess.Popen(
    [OTOK, "run", island, "-o", SPACE / "twice", "--backend", BACKEND, "-q"], stderr=subprocess.PIPE, env=preloaded(signal.SIGTERM)
)
tmp = SPACE / "twice/.isle_00000000.vtkhdf.tmp"
check(wait_for(tmp.exists) and listens(done, signal.SIGTERM), "no file was begun")
for _ in range(1000):  # the first one may be that of the preloaded library, or ours
    if done.poll() is not None:
        break
    done.send_signal(signal.SIGTERM)
    time.sleep(0.01)
check(done.wait(60) == 128 + signal.SIGTERM, f"a second SIGTERM: exit {done.returncode}: {done.stderr.read()}")
check(not left_over(SPACE / "twice"), f"a second SIGTERM: left behind: {left_over(SPACE / 'twice')}")

# Under nohup, and in the background of a shell.
for number in signals:
    name = f"ignored{int(number)}.vtkhdf"
    words = [OTOK, "base", island, "--backend", BACKEND, "-o", SPACE / name]
    begun = subprocess.Popen(
        words, stderr=subprocess.PIPE, env=preloaded(number), preexec_fn=lambda: signal.signal(number, signal.SIG_IGN)
    )
    other = signal.SIGTERM if number != signal.SIGTERM else signal.SIGINT
    tmp = SPACE / f".{name}.tmp"
    check(begun.stderr.readline() == b"held\n" and tmp.exists(), f"{number.name} ignored: no file")
    begun.send_signal(number)
    begun.send_signal(other)  # those that are pending are dealt with by number or in turn: both before it ends
    check(begun.wait(60) == -other, f"{number.name} ignored: exit {begun.returncode}")
    check(not tmp.exists(), f"{number.name} ignored, {other.name}: {tmp.name} is left behind")
finish(f"{len(commands)} files")
