"""Claim: each writer has a draft of its own. Of writers of one file at the same time, each that ends with 0 has written it whole; no
draft follows a symbolic link; what a killed writer left is removed by the next, what a living one writes is not; and a draft that
another program has replaced is an error."""
# once: under the sanitizers; it depends on no optimisation

import fcntl
import hashlib
import os
import shutil

from cli import *

ENV["ASAN_OPTIONS"] = "detect_leaks=0"  # drivers keep memory to the end
library = SPACE / "ends.so"
compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
if not compiler:
    skip("no C compiler")
source = pathlib.Path(__file__).parent / "preload/ends.c"
subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-D_GNU_SOURCE", source, "-o", library], check=True)
WAITS = {
    "LD_PRELOAD": str(library),
    "OTOK_END": "0",
    "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", ""),
}

isle = write("isle.yaml", ISLAND.replace("iterations: 500", "iterations: 30").replace("iterations: 400", "iterations: 50").replace("[0, 250]", "[0, 40]"))
other = write("other.yaml", isle.read_text().replace("seed: 7", "seed: 8"))
write("study.yaml", "study: 1\nscenario: isle.yaml\ndesign: {kind: grid, points: 2}\nvary: {phases.erosion.thermal.dt: {from: 0.01, to: 0.02}}\n")
run(isle, SPACE / "run", "-q")
run(other, SPACE / "other", "-q")
otok("study", SPACE / "study.yaml", "-o", SPACE / "study", "--backend", BACKEND, "-q")
a, b = checkpoints(SPACE / "run")[-1], checkpoints(SPACE / "other")[-1]
ends = ["--from", "200,200", "--to", "560,320", "-o"]
# by file: two commands that write it with different contents
COMMANDS = {f"map.{kind}": (["export", a, "-o"], ["export", b, "-o"]) for kind in ("png", "asc", "ply", "r32", "exr", "tif")}
COMMANDS |= {
    "base.vtkhdf": (["base", isle, "--backend", BACKEND, "-o"], ["base", other, "--backend", BACKEND, "-o"]),
    "road.vtkhdf": (["road", a, *ends], ["road", b, *ends]),
    "view.png": (["render", a, "--ortho", "--chart", "--field", "terrain", "--size", "36x24", "-o"], ["render", b, "--minus", a, "--size", "36x24", "-o"]),
}


def words_of(command, path):
    return [OTOK, *map(str, command), str(path)]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


place, tried = SPACE / "place", 0
place.mkdir()
for name, commands in COMMANDS.items():
    first = SPACE / f"first-{name}"
    if otok(*commands[0], first, code=None).returncode in (2, 65, 69):
        continue  # this build lacks the format
    tried += 1
    path = place / name
    drafts = [place / f".{name}.tmp", place / f".{name}.1.tmp", place / f".{name}.2.tmp"]

    # Symbolic links with the names of drafts, one to a file and one to nothing.
    victim = write("victim", "precious")
    drafts[0].symlink_to(victim)
    drafts[1].symlink_to(SPACE / "made")
    otok(*commands[0], path)
    check(victim.read_text() == "precious" and not (SPACE / "made").exists(), f"{name}: written through a symbolic link")
    check(path.is_file() and not path.is_symlink(), f"{name}: {path} is no file")
    for link in drafts[:2]:
        link.unlink()

    # A writer waits with a whole draft; the second one neither waits nor takes its draft.
    waiting = subprocess.Popen(words_of(commands[0], path), env={**ENV, **WAITS}, stdout=subprocess.DEVNULL)
    check(wait_for(lambda: drafts[0].exists() and drafts[0].stat().st_size > 0), f"{name}: no draft")
    began = drafts[0].stat().st_ino
    otok(*commands[1], path)
    check(drafts[0].exists() and drafts[0].stat().st_ino == began, f"{name}: the draft of a living writer is gone")
    check(not drafts[1].exists(), f"{name}: {drafts[1].name} stays")
    waiting.kill()
    waiting.wait()
    check(drafts[0].exists(), f"{name}: the killed writer left nothing to remove")
    otok(*commands[1], path)
    check(not left_over(place), f"{name}: left behind: {left_over(place)}")

    # Both at once. Checkpoints hold the time of writing, so their bytes differ each time.
    if path.suffix == ".vtkhdf":
        both = [subprocess.Popen(words_of(c, path), env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for c in commands]
        check([p.wait(LIMIT) for p in both] == [0, 0], f"{name}: two writers fail")
        check(otok("inspect", path, code=None).returncode == 0, f"{name}: two writers made a damaged file")
        continue
    good = set()
    for command in commands:
        otok(*command, path)
        good.add(digest(path))
    check(len(good) == 2, f"{name}: both commands write the same")
    for _ in range(1 if name == "view.png" else 4):  # a view takes long to draw
        both = [subprocess.Popen(words_of(c, path), env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for c in commands]
        codes = [p.wait(LIMIT) for p in both]
        check(codes == [0, 0], f"{name}: two writers: exit {codes}")
        check(digest(path) in good, f"{name}: two writers made a file that is neither's")
check(tried >= 7, f"only {tried} kinds of files were tried")

# A run: drafts of its checkpoints and series. The sweep leaves those of living writers.
out = SPACE / "swept"
out.mkdir()
held = out / ".isle_00000999.vtkhdf.tmp"
with open(held, "w") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    for name in (".isle_00000000.vtkhdf.tmp", ".isle_00000050.vtkhdf.3.tmp", ".isle.vtkhdf.series.tmp"):
        (out / name).write_text("left")
    run(isle, out, "-q")
    check(left_over(out) == [held.name], f"a run leaves {left_over(out)}")
run(isle, out, "-q", "--resume")
check(not left_over(out), f"a run leaves {left_over(out)}")

# Another program replaces the draft: nothing of it gets the name of the file.
path, draft = place / "replaced.asc", place / ".replaced.asc.tmp"
slow = subprocess.Popen(words_of(["export", a, "-o"], path), env={**ENV, **WAITS}, stderr=subprocess.PIPE, text=True)
check(wait_for(lambda: draft.exists() and draft.stat().st_size > 0), "no draft")
foreign = write("foreign", "another program's")
os.rename(foreign, draft)
said = slow.communicate(timeout=LIMIT)[1]
check(slow.returncode == 74 and draft.name in said and not path.exists(), f"a replaced draft: exit {slow.returncode}: {said}")
check(draft.read_text() == "another program's", "the file of another program is gone")

# Claims of a study.
victim, again = write("victim", "precious" * 40), SPACE / "again"
(again / "claims").mkdir(parents=True)
(again / "claims/1-of-1.begins").symlink_to(victim)
otok("study", SPACE / "study.yaml", "-o", again, "--backend", BACKEND, "-q")
check(victim.read_text() == "precious" * 40, "a claim is written through a symbolic link")
finish(f"{tried} kinds of files")
