"""Claim: the exit status says who must act, the text says what, where and how; a failure leaves earlier checkpoints whole, and no
half file in sight."""
# once: under the sanitizers; it depends on no optimisation

import hashlib
import json
import os
import resource
import shutil
import subprocess

from cli import *

HEAD = "otok: 1\n"
PHASE = HEAD + "phases:\n  - name: a\n    iterations: 10\n"
HYDRAULIC = PHASE + "    hydraulic:\n"

BAD = [  # text, place after the file's name, fragments of the remedy; tests/scenario_bad.c has more
    ("", ":1:", "begins with `otok: 1`"),
    (HEAD + "sed: 3\n", ":2: sed:", "nearest known one is `seed`"),
    (HEAD + "grid: {nx: abc}\n", ":2: grid.nx:", '"abc" is not a number'),
    (HEAD + "grid: {nx: -4}\n", ":2: grid.nx:", "-4 is out of range; allowed: at least 1"),
    (HEAD + "edges: {bottom: periodic}\n", ":2: edges.bottom:", "make `top` periodic too"),
    (HYDRAULIC + "      evaporation: 11\n", ":6: phases.a.hydraulic.evaporation:", "at this dt"),
    (PHASE + "    seabed:\nphases: []\n", ":2: phases:", "second time in line 6"),
]

scenario = write("isle.yaml", ISLAND.replace("iterations: 400", "iterations: 30").replace("[0, 250]", "[0, 20]").replace("iterations: 500", "iterations: 50"))
where = SPACE / "out"
end = fingerprint(run(scenario, where).stdout)
good = checkpoints(where)[-1]
before = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in where.iterdir()}


def fails(code, fragments, *args, **more):
    """The program refuses: this exit status, one line with these fragments, nothing on standard output."""
    done = otok(*args, code=code, **more)
    said, words = done.stderr, " ".join(map(str, args))
    for fragment in fragments:
        check(str(fragment) in said, f"otok {words}: {said.strip()!r} lacks {str(fragment)!r}")
    check(said.startswith("otok") and not done.stdout, f"otok {words}: {said!r} {done.stdout!r}")
    check("HDF5-DIAG" not in said and "HDF5: " not in said and "Sanitizer" not in said and "runtime error" not in said, f"otok {words}: {said}")
    return done


# 65 under --strict only, and the offered step mends it
for dt, code in ((0.9, 65), (0.89, 0)):
    steep = write("steep.yaml", HYDRAULIC + f"      dt: {dt}\n      pipe_area: 1\n      gravity: 0.3125\n      evaporation: 0\n")
    told = json.loads(otok("predict", steep, "--strict", "--json", code=code).stdout)
    waves = next(l for l in told if l["limit"] == "water waves")
    check((waves["margin"] > 1) == bool(code) and abs(waves["dt"] - 0.8 ** 0.5) < 1e-6, f"predict: {waves}")
    check("binding: phase a, water waves" in otok("predict", steep).stdout, "predict says nothing of what binds")

# 65 too where the water of the start is deeper than the limit of pipes as deep as the water
pool = "otok: 1\ngrid: {nx: 32, ny: 32}\nbase: [{simplex: {amplitude: 0.01, wavelength: 5}}]\ninitial: {water: %s}\nphases:\n  - name: a\n    iterations: 20\n    hydraulic: {dt: 0.1, pipes: signed, area: depth, manning: 0.03, evaporation: 0, %s}\n"
for depth, code in (("10", 65), ("5", 0)):
    told = json.loads(otok("predict", write("pool.yaml", pool % (depth, "capacity: 0")), "--strict", "--json", code=code).stdout)
    waves = next(l for l in told if l["limit"] == "water waves")
    check((waves["margin"] > 1) == bool(code) and waves["certainty"] == "measured" and "the deepest water" in waves["read"], f"predict: {waves}")

# a heuristic limit warns, and never refuses
rolling = write("rolling.yaml", "otok: 1\ngrid: {nx: 64, ny: 32}\nbase: [{cone: {height: 20, radius: 100, x: 0, y: 16, power: 1}}]\nphases:\n  - name: a\n    iterations: 20\n    rain: {rate: 1e-3}\n    hydraulic: {dt: 0.01, pipes: signed, area: depth, manning: 0.005, capacity: 0, evaporation: 0}\n")
told = json.loads(otok("predict", rolling, "--strict", "--json").stdout)
check([(l["certainty"], l["margin"] > 1) for l in told if l["limit"] == "roll waves"] == [("heuristic", True)], f"predict: {told}")
check("from rain of 3600 mm/h over a path of 32 m, slope 0.201" in otok("predict", rolling).stdout, "predict says nothing of what it read")
large = write("large.yaml", "otok: 1\ngrid: {nx: 2048, ny: 2048}\nphases: [{iterations: 1, hydraulic: {dt: 0.01}}]\n")
check("the ground was not read: the grid has more than 1048576 cells" in otok("predict", large, "--strict").stderr, "predict is silent on a ground that it does not read")

# 0 and 2
otok("--version")
usage = otok(code=2)
check("usage: otok COMMAND" in usage.stderr and not usage.stdout, "no arguments: no usage on standard error")
fails(2, ["no command 'rum'", "nearest is 'run'"], "rum", scenario)
check(otok("help", "run").stdout == otok("run", "--help").stdout, "otok help run: not what otok run --help says")
fails(2, ["-x", "otok run --help"], "run", "-x", scenario)
for command in ("run", "base", "inspect", "compare", "export", "bench", "road", "predict"):
    fails(2, ["--frobnicate", f"otok {command} --help"], command, "--frobnicate", good)
    fails(2, ["otok " + command], command)
fails(2, ["otok parameters --help"], "parameters", "--frobnicate")
fails(2, ["no group or key 'hydralic'", "the nearest is `hydraulic`", "the groups are change, layer, grid, ", ", hydraulic, "], "parameters", "hydralic")
fails(2, ["-o needs a value"], "run", scenario, "-o")
fails(2, ["--overwrite=5 takes no value"], "run", scenario, "--overwrite=5")
fails(2, ["one scenario"], "run", scenario, scenario)
fails(2, ["--quiet", "--verbose"], "run", scenario, "--quiet", "--verbose")
fails(2, ["--resume", "--overwrite"], "run", scenario, "-o", where, "--resume", "--overwrite")
for time in ("", "0", "-5", "abc", "5x", "1e999", "nan", "inf", "5m x"):
    fails(2, ["--max-time " + time, "30m"], "run", scenario, "-o", where, "--max-time", time)
fails(2, ["backend gpu", "auto, cpu or cuda"], "run", scenario, "-o", SPACE / "gpu", "--backend", "gpu")
fails(2, ["holds checkpoints of isle", "--resume", "--overwrite", "-o"], "run", scenario, "-o", where)
fails(2, ["no name", "-o"], "run", scenario, "-o", "")
for words, *fragments in (
    ("phases.reaf.iterations=5", "no item `reaf`", "`reef`"),
    ("phases.9.iterations=5", "0 to 2"),
    ("nonsense", "path=value"),
    ("=5", "path=value"),
):
    fails(2, ["--set " + words, *fragments], "run", scenario, "-o", SPACE / "bad", "--set", words)
fails(2, ["--iterations 5x"], "bench", scenario, "--iterations", "5x")
fails(2, ["--sizes ,8"], "bench", scenario, "--sizes", ",8")
fails(2, ["--repeats 0"], "bench", scenario, "--repeats", "0")
for option, value in (("--members", "4x"), ("--members", "4.9"), ("--members", "2"), ("--rounds", "1.9"), ("--rounds", "4294967297")):
    fails(2, [f"{option} {value}: not a whole number"], "edge", scenario, option, value)
fails(2, ["known are .png, .asc, .tif"], "export", good, "-o", SPACE / "x.jpg")
fails(65, ["there is no field watr", "nearest name is `water`"], "export", good, "-o", SPACE / "x.png", "--field", "watr")

# 65: scenarios
fails(65, ["a checkpoint, not YAML", "otok inspect --scenario"], "run", good)
fails(65, ["this is a study", "otok study"], "run", write("study.yaml", "study: 1\n"))
fails(65, ["this is a scenario", "otok run"], "study", scenario)
for text, place, *remedy in BAD:
    path = write("bad.yaml", text)
    fails(65, [f"{path}{place}", *remedy], "run", path, "-o", SPACE / "bad")
check(not (SPACE / "bad").exists(), "a refused scenario made its directory")
for words, *fragments in (
    ("grid.nx=0", "--set grid.nx=0", "at least 1"),
    ("phases.reef.reef.dt=fast", "phases.reef.reef.dt", "number"),
):
    fails(65, fragments, "run", scenario, "-o", SPACE / "bad", "--set", words)
fails(65, ["output.keep=-1", "at least 0"], "run", scenario, "-o", SPACE / "bad", "--keep", "-1")

# 65: files that are no checkpoints of this run
whole = good.read_bytes()
text, empty, cut, hdf, flipped, headed = (SPACE / f"{name}.vtkhdf" for name in ("text", "empty", "cut", "hdf", "flipped", "headed"))
text.write_text("otok: 1\n")
empty.write_bytes(b"")
cut.write_bytes(whole[: len(whole) * 2 // 3])
hdf.write_bytes(whole[:8] + bytes(4000))
dense = next(n for n in range(len(whole) // 2, len(whole)) if whole[n : n + 64].count(0) < 4)  # data, not room left free
flipped.write_bytes(whole[: dense + 32] + bytes([whole[dense + 32] ^ 1]) + whole[dense + 33 :])
# HDF5 itself loses memory when it gives up on a damaged file
ENV["LSAN_OPTIONS"] = f"suppressions={write('suppressions', 'leak:libhdf5')}:print_suppressions=0"
root = whole.index(b"OHDR") + 30
headed.write_bytes(whole[:root] + bytes([whole[root] ^ 1]) + whole[root + 1 :])
for bad in (text, empty, cut, hdf, flipped, headed):
    fails(65, [bad], "inspect", bad)
    fails(65, [bad], "compare", good, bad)
    fails(65, [bad], "compare", bad, good)
    fails(65, [bad], "export", bad, "-o", SPACE / "x.png")
    started = write("started.yaml", ISLAND.replace("sea:", f"initial: {{file: {bad.name}}}\nsea:"))
    fails(65, [bad.name], "run", started, "-o", SPACE / "started")
    fails(65, [bad.name], "base", started, "-o", SPACE / "started.vtkhdf")
    foreign = SPACE / ("foreign-" + bad.stem)
    foreign.mkdir()
    shutil.copy(bad, foreign / "isle_00000040.vtkhdf")
    fails(65, ["isle_00000040.vtkhdf", "none of the checkpoints of isle is valid", "--overwrite"], "run", scenario, "-o", foreign, "--resume")
    check((foreign / "isle_00000040.vtkhdf").read_bytes() == bad.read_bytes(), f"{bad.name}: changed by a refused --resume")
check(not (SPACE / "x.png").exists() and not (SPACE / "started.vtkhdf").exists(), "a file of a failed command is in sight")
other = write(
    "other.yaml", ISLAND.replace("sea:", f"initial: {{file: {good.relative_to(SPACE)}}}\nsea:").replace(f"nx: {NX}", f"nx: {NY}")
)
fails(65, [f"{NX} x {NY} cells of {CELL} m", f"{NY} x {NY} of {CELL} m", "make them equal"], "run", other, "-o", SPACE / "other")
for change, *fragments in (
    ("phases.erosion.hydraulic.dt=0.05", "phases.erosion.hydraulic.dt", "0.05", "0.1"),
    (f"grid.nx={NX + 1}", "grid.nx", f"{NX + 1}", f"{NX}"),
    ("seed=8", "seed", "8", "7"),
    ("phases.reef.iterations=51", "phases.reef.iterations", "51", "50"),
):
    fails(65, [good, *fragments], "run", scenario, "-o", where, "--resume", "--set", change)

# A damaged newest checkpoint is passed over, and said to be.
one = SPACE / "one"
shutil.copytree(where, one)
(one / good.name).write_bytes(cut.read_bytes())
done = run(scenario, one, "--resume")
check(fingerprint(done.stdout) == end and "passed over" in done.stderr and good.name in done.stderr, f"damaged newest: {done.stdout}{done.stderr}")


def quick():
    """No program that does this works for more than five seconds."""
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))


# 70: more memory than there is, refused before any is taken
HUGE = "--backend", "cpu", "--set", "grid.nx=1048576", "--set", "grid.ny=1800"
fails(70, ["1048576 x 1800 cells", "GiB", "lower grid.nx"], "run", scenario, "-o", SPACE / "huge", *HUGE, preexec_fn=quick)
check(not (SPACE / "huge").exists(), "a refused grid made its directory")
fails(70, ["1048576 x 1800 cells"], "base", scenario, "-o", SPACE / "huge.vtkhdf", *HUGE, preexec_fn=quick)

# 74
fails(74, [SPACE / "none.yaml"], "run", SPACE / "none.yaml")
fails(74, ["none.vtkhdf"], "inspect", SPACE / "none.vtkhdf")
fails(74, ["is not a directory", "-o"], "run", scenario, "-o", text)
fails(74, ["-o"], "run", scenario, "-o", text / "below")
fails(74, ["/proc/x", "-o"], "run", scenario, "-o", "/proc/x")
fails(74, ["/proc/x.vtkhdf"], "base", scenario, "-o", "/proc/x.vtkhdf")
fails(74, ["no/x.png"], "export", good, "-o", SPACE / "no/x.png")
fails(74, [where], "export", good, "-o", where / "isle.png" / "x.png")
with open("/dev/full", "w") as full:
    for args in (["inspect", good], ["parameters"], ["--version"], ["run", scenario, "--dry-run"], ["run", scenario, "-o", SPACE / "full", "--quiet"]):
        done = subprocess.run([OTOK, *map(str, args)], stdout=full, stderr=subprocess.PIPE, text=True, env=ENV)
        check(done.returncode == 74 and "standard output" in done.stderr, f"{args[0]} to a full device: exit {done.returncode}: {done.stderr}")

# 74: closed standard streams: what is printed goes into no checkpoint.
closed = subprocess.run(["sh", "-c", 'exec "$@" >&- 2>&-', "sh", OTOK, "run", scenario, "-o", SPACE / "closed"], env=ENV)
check(closed.returncode == 74, f"closed standard streams: exit {closed.returncode}")
all_valid(SPACE / "closed", "closed standard streams")
check(len(checkpoints(SPACE / "closed")) > 1, "closed standard streams: no checkpoints")

# 74: the disk is full in the middle of a run
limited = write("limited.yaml", ISLAND.replace("every: 100", "every: 10"))
biggest = 0


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (biggest, biggest))


def shrunk(directory, how):
    all_valid(directory, how)
    check(not left_over(directory), f"{how}: left over: {left_over(directory)}")


rough = SPACE / "rough"
sizes = [p.stat().st_size for p in checkpoints(where)]
biggest = (min(sizes) + max(sizes)) // 2
done = run(scenario, rough, code=74, preexec_fn=small_files)
check("isle_" in done.stderr and "ulimit -f" in done.stderr, f"RLIMIT_FSIZE: {done.stderr}")
check(len(checkpoints(rough)) >= 1, "RLIMIT_FSIZE: the first checkpoint is gone")
shrunk(rough, "RLIMIT_FSIZE")
check(fingerprint(run(scenario, rough, "--resume").stdout) == end, "RLIMIT_FSIZE: the resume ends elsewhere")
fails(74, ["base.vtkhdf", "ulimit -f"], "base", scenario, "-o", SPACE / "base.vtkhdf", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))

disk = SPACE / "disk"
disk.mkdir()
if os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True).returncode == 0:
    try:
        done = run(limited, disk / "out", code=74)
        check(all(words in done.stderr for words in ("limited_", "No space left", "Free some space")), f"tmpfs: {done.stderr}")
        check(len(checkpoints(disk / "out")) >= 2, "tmpfs: earlier checkpoints are gone")
        shrunk(disk / "out", "tmpfs")
        done = run(limited, disk / "out", "--resume", "--keep", "1")  # and two on their way: three quarters of it
        check(fingerprint(done.stdout) == fingerprint(run(limited, SPACE / "roomy").stdout), f"tmpfs: the resume ends elsewhere: {done.stdout}")
    finally:
        subprocess.run(["umount", disk], check=True)

after = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in where.iterdir()}
check(after == before, f"a failed command changed what was there: {sorted(set(after.items()) ^ set(before.items()))}")
finish(f"{len(BAD)} bad scenarios")
