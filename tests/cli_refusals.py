"""Claim: nobody loses an input to an output of the same file; sizes, times and heights that do not fit are refused; the table of a dry
run is CSV; signals of batch systems stop a run with a checkpoint; a word that is not a name leads to the name that was meant."""
# once: under the sanitizers; it depends on no optimisation

import csv
import io
import os
import signal

from cli import *

isle = write("isle.yaml", ISLAND.replace("iterations: 500", "iterations: 30").replace("iterations: 400", "iterations: 50").replace("[0, 250]", "[0, 40]"))
run(isle, SPACE / "run", "-q")
last = checkpoints(SPACE / "run")[-1]
kept = last.read_bytes()

# An output that is the input, by its name, a link, or another spelling.
hard, soft = SPACE / "hard.vtkhdf", SPACE / "soft.vtkhdf"
os.link(last, hard)
soft.symlink_to(last)
for out in (last, hard, soft, SPACE / "run/../run" / last.name):
    done = otok("road", last, "--from", "200,200", "--to", "560,320", "-o", out, code=2)
    check("is the file that is read" in done.stderr, done.stderr)
    otok("export", *checkpoints(SPACE / "run"), "-o", out, code=2)
check(last.read_bytes() == kept and soft.is_symlink(), "the input has changed")
raster = SPACE / "raster.vtkhdf"
shutil.copy(last, raster)
reads = write("reads.yaml", ISLAND.replace("base:", f"initial: {{file: {last}, carbon: [{{raster: {{file: {raster}, variable: carbon}}}}]}}\nbase:"))
for out in (last, hard, soft, raster):
    check("is the file that is read" in otok("base", reads, "-o", out, code=2).stderr, f"base over {out.name}")
first = isle.read_text()
before = {path: path.read_bytes() for path in checkpoints(SPACE / "run")}
isle.write_text(first.replace("base:", f"initial: {{file: {min(before)}}}\nbase:"))
check("is the file that is read" in run(isle, SPACE / "run", "-q", "--overwrite", code=2).stderr, "a run would remove its own start")
check({path: path.read_bytes() for path in checkpoints(SPACE / "run")} == before and raster.read_bytes() == kept, "the input has changed")
run(isle, SPACE / "elsewhere", "-q", "--overwrite")
isle.write_text(first)

# Sizes: numbers that wrap, too.
wraps = 2**32
for size in (f"{wraps + 64}x{wraps + 48}", f"64x{2**64 + 48}", "64x-4294967248", "0x48", "65537x10", "64", "64x", "x48", "64x48x", "64 x48", "1e2x48"):
    for words in (["render", last, "-s", size, "-o", SPACE / "r.png"], ["movie", SPACE / "run", "-s", size, "-o", SPACE / "m.mkv"]):
        done = otok(*words, code=None)
        check(done.returncode in (2, 69), f"{words[0]} -s {size}: exit {done.returncode}")
check(not (SPACE / "r.png").exists(), "a picture of a size that wraps")

# Heights that no float holds.
path = SPACE / "m.ply"
for words in (["-x", "1e308"], ["-x", "1e37"], ["-x", "-1e308"], ["--sphere", "1e39"], ["--sphere", "1e300", "-x", "2"]):
    done = otok("export", last, "-o", path, *words, code=None)
    check(done.returncode == 2 and not path.exists(), f"{words}: exit {done.returncode}: {done.stderr}")
otok("export", last, "-o", path, "-x", "1e30")

# Times.
for text, good in {"90": 1, "30m": 1, "23h50m": 1, "1d2h": 1, "1.5h": 1, "1h30m": 1, "1h30": 0, "1d2": 0, "30m1h": 0, "1h1h": 0, "0x10": 0, " 5m": 0, "5 m": 0, "1e400": 0, "nan": 0, "0": 0, "": 0}.items():
    out = SPACE / f"time{text.strip() or 'less'}"
    done = otok("run", isle, "-o", out, "--backend", BACKEND, "-q", "--max-time", text, code=0 if good else 2)
    check(good or "1h30m" in done.stderr, done.stderr)

# A table whose values hold commas and quotes.
study = write(
    "study.yaml",
    """study: 1
scenario: isle.yaml
design: {kind: grid}
vary:
  phases.erosion.rain.during: [[[0, 10]], [[0, 20], [30, 40]]]
  title: ['a "b", c', d]
""",
)
done = otok("study", study, "--dry-run", code=None)
if done.returncode == 0:
    rows = list(csv.reader(io.StringIO(done.stdout)))
    check(len(rows) == 5 and all(len(r) == 2 for r in rows), f"not a table: {done.stdout}")
    check({r[1] for r in rows[1:]} == {'a "b", c', "d"} or any("," in c for r in rows[1:] for c in r), f"{rows}")
else:
    check(done.returncode == 65, f"dry run: exit {done.returncode}: {done.stderr}")

# Signals of batch systems.
long = write("long.yaml", ISLAND.replace("iterations: 400", "iterations: 4000000").replace("every: 100", "every: 2000"))
for number in (signal.SIGUSR2, signal.SIGXCPU):
    out = SPACE / number.name
    begun = start(long, out)
    check(listens(begun, number) and wait_for(lambda: checkpoints(out)), f"{number.name}: no checkpoint")
    for _ in range(3):  # SIGXCPU comes every second
        if begun.poll() is None:
            begun.send_signal(number)
    code, _, said = stop(begun)
    check(code == 75 and "--resume" in said, f"{number.name}: exit {code}: {said[-300:]}")
    all_valid(out, number.name)

# Generators that touch no cell are noted; x 494 m reaches the last cell's centre, 395 m, and 496 m does not.
FAR = """otok: 1
grid: {nx: 40, ny: 40, spacing: 10}
base:
  - constant: {height: 3}
  - cone: {height: 5, radius: 100, x: X, y: 15, combine: add, mask: [{cone: {radius: 90, x: 200, y: MASK}}]}
  - crater: {level: LEVEL}
phases: [{name: p, iterations: 1, hydraulic: {dt: 0.01}}]
"""
for x, mask, level, said in ((200, 200, 2.9, []), (494, 200, 2.9, []), (496, 490, 3, [":5: cone: it touches no cell: x 496 m", ":5: cone: it touches no cell: x 200 m, y 490", "6: crater: it touches no cell: level 3 m is not below the highest cell, 3 m"]), (496, 400, 2.9, [":5: cone"])):
    far = write("far.yaml", FAR.replace("X", str(x)).replace("MASK", str(mask)).replace("LEVEL", str(level)))
    many = write("far_study.yaml", "study: 1\nscenario: far.yaml\ndesign: {kind: grid, points: 2}\nvary: {phases.p.hydraulic.dt: {from: 0.01, to: 0.02}}\n")
    shutil.rmtree(SPACE / "far_study", ignore_errors=True)
    for done in (run(far, SPACE / "far", "-q", "--overwrite"), otok("base", far, "-o", SPACE / "far.vtkhdf"), otok("run", far, "--dry-run"),
                 otok("study", many, "--dry-run"), otok("study", many, "-o", SPACE / "far_study", "-q", "--backend", "cpu")):
        noted = [line for line in done.stderr.splitlines() if "touches no cell" in line]
        check(len(noted) == len(said) and all(any(words in line for line in noted) for words in said), f"{x} {mask} {level}: {done.stderr}")

# A river along an open side falls out over it.
for side, to_x, noted in (("left", 0, True), ("right", 0, False), ("left", 60, False)):
    line = write("line.yaml", "otok: 1\ngrid: {nx: 40, ny: 40, spacing: 2}\nedges: {%s: open}\nphases:\n  - {name: p, iterations: 1, hydraulic: {dt: 0.01},"
                 " rivers: [{x: 0, y: 10, to_x: %d, to_y: 60, discharge: 1}]}\n" % (side, to_x))
    said = run(line, SPACE / "line", "-q", "--overwrite").stderr
    check(("phases.p.rivers: river 1 enters along the left side, which is open" in said) == noted, f"{side} {to_x}: {said}")

# Rivers that have nowhere to go.
for edges, base, level, noted in (("", "sides", 0, True), ("left: open", "none", 0, False), ("left: open", "sea", 0, True), ("", "sides", 4, False)):
    end = write("end.yaml", "otok: 1\ngrid: {nx: 9, ny: 9, spacing: 2}\nedges: {%s}\nsea: {level: %d}\nbase: [{constant: {height: 3}}]\n"
                "phases: [{name: p, iterations: 1, incision: {dt: 1, base_level: %s}}]\n" % (edges, level, base))
    said = run(end, SPACE / "end", "-q", "--overwrite").stderr
    check(("phases.p.incision: rivers find no open side and no sea: the lowest ground is at 3 m" in said) == noted, f"{edges} {base} {level}: {said}")

# Words.
for word, meant in {"depth": "water", "height": "terrain", "terain": "terrain", "Velocity": "velocity_", "sedimant": "sediment", "coral": "reef"}.items():
    done = otok("export", last, "-o", SPACE / "w.png", "--field", word, code=65)
    check(f"`{meant}" in done.stderr, f"{word}: {done.stderr}")
for word in ("manning", "hydraulic.manning", "phases.rain.hydraulic.manning"):
    check("hydraulic.manning" in otok("parameters", word).stdout, f"parameters {word}")
check("hydraulic.dt" in otok("parameters", "dt").stdout and "thermal.dt" in otok("parameters", "dt").stdout, "parameters dt")
check("`manning`" in otok("parameters", "maning", code=2).stderr, "parameters maning")
check(otok("parameters", "thermal.manning", code=2).stdout == "", "parameters thermal.manning")
finish()
