"""Claim: `otok run --refine` compares a finished run with half its step, and with cells half and a quarter as wide. Explicit creep of a
smooth hill converges with order 1 in dt and 2 in l; published water does not. The numbers are those of the same runs made by hand, the
same in bands and after a restart. The run and its checkpoints stay as they are. What cannot be halved is named; a signal or a time
limit ends the refinement with 75."""
# once: under the sanitizers; it depends on no optimisation

import signal

from cli import *

with needed():
    import h5py

# The hill (1 - r^2)^4 is smooth, as the theory of orders needs. It creeps for sqrt(2 D T) = 5 cells. D dt / l^2 = r = 1/320 leaves the
# error of the step small beside that of the cells: the modified equation has D l^2 (1/12 - r/2), so l, l/2, l/4 have 1 - 6r,
# (1 - 12r)/4, (1 - 24r)/16, and their differences the ratio 4 (1 - 4r)/(1 - 8r): order 2.02. It may be 0.15 off.
HILL = """otok: 1
grid: {nx: 24, ny: 24, spacing: 4}
edges: {left: periodic, right: periodic, bottom: periodic, top: periodic}
base: [{cone: {height: 20, radius: 48, power: 2}}, {cone: {height: 1, radius: 48, power: 2, combine: multiply}}, {cone: {height: 1, radius: 48, power: 2, combine: multiply}}, {cone: {height: 1, radius: 48, power: 2, combine: multiply}}]
phases: [{name: creep, iterations: 4000, creep: {dt: 0.05, diffusivity: 1}}]
responses: {top: max(terrain), moved: mean(terrain_change)}
output: {every: 0}
"""
ORDER, NEAR = 2.02, 0.15
# Water of constant pipes without friction: its speed is l/dt on every slope. No random numbers: those of a nested pipeline are others.
PUBLISHED = """otok: 1
grid: {nx: 24, ny: 24, spacing: 4}
edges: {left: open}
base: [{cone: {height: 40, radius: 120}}, {cone: {height: 6, radius: 30, x: 60, y: 40, combine: add}}, {cone: {height: -5, radius: 20, x: 25, y: 65, combine: add}}]
phases:
  - name: rain
    iterations: 300
    rain: {rate: 0.001}
    hydraulic: {dt: 0.1, capacity: 0.6, dissolve: 0.08, deposit: 0.1, evaporation: 0.02}
responses: {deepest: max(water)}
output: {every: 100}
"""

# Rivers that find their ways over a plain of noise in steps of 25,000 years.
PLAIN = """otok: 1
seed: 3
grid: {nx: 24, ny: 24, spacing: 250}
edges: {left: open, right: open, bottom: open, top: open}
base: [{simplex: {octaves: 4, amplitude: 1, wavelength: 1000}}]
phases: [{name: rise, iterations: 24, uplift: {dt: 25000 yr, rate: 0.2 mm/yr}, incision: {erodibility: 3e-5 yr-1, m: 0.45}}]
output: {every: 0}
"""


def table(text):
    """The rows by name: the value, then shares by run, and the order; None: a dash."""
    rows, lines = {}, text.splitlines()
    heads = [head.strip() for head in ("dt/2", "waves/2", "reversed", "l/2, dt/2", "l/4, dt/4") if any(re.search(rf"this run.*  {head}( |$)", line) for line in lines)]
    for line in lines:
        found = re.match(r"([a-z, ]+?) {2,}([-+.e\d]+) (m3|m2|m|) +(.*)$", line)
        if found:
            cells = found[4].replace(" %", "").split()
            rows[found[1]] = {"own": float(found[2]), **{head: float(cell) / 100 for head, cell in zip(heads, cells)}}
            if len(cells) > len(heads):
                rows[found[1]]["order"] = None if cells[-1] == "-" else float(cells[-1])
    return rows


def maps(directory, *names):
    with h5py.File(checkpoints(directory)[-1]) as file:
        return [file[name][()].astype(float) for name in names]


# ---- creep: the orders of the scheme
hill = write("hill.yaml", HILL)
plain, refined = run(hill, SPACE / "plain"), run(hill, SPACE / "hill", "--refine")
rows = table(refined.stdout)
check(list(rows)[:4] == ["eroded", "deposited", "relief", "change of ground, by cell"], f"rows: {refined.stdout}")
near_zero = next(line for line in refined.stdout.splitlines() if line.startswith("moved"))  # its mean is 0 but for rounding
check("%" not in near_zero and all(abs(float(cell)) < 1e-4 for cell in near_zero.split()[1:]), near_zero)
check("%" in next(line for line in refined.stdout.splitlines() if line.startswith("top")), refined.stdout)
change = rows["change of ground, by cell"]
check(abs(change["order"] - ORDER) < NEAR, f"order in l: {refined.stdout}")
check(0 < change["dt/2"] < change["l/2, dt/2"] < change["l/4, dt/4"] < 0.1, f"creep: {change}")
twice = table(run(hill, SPACE / "twice", "-q", "--refine", "--set", "phases.creep.creep.dt=0.1", "--set", "phases.creep.iterations=2000").stdout)
ratio = twice["change of ground, by cell"]["dt/2"] / change["dt/2"]
check(abs(ratio - 2) < 0.1, f"order in dt: half the step makes {ratio} of the difference, not 2")
check("follows l/dt" not in refined.stdout, f"creep does not follow l/dt: {refined.stdout}")

# ---- the run itself: the same fingerprint, last, and the same files
check(fingerprint(refined.stdout) == fingerprint(plain.stdout) is not None, "the fingerprint of the run")
check(plain.stdout.count("\n") == 1, f"without --refine: {plain.stdout}")
names = [[p.name for p in sorted((SPACE / where).iterdir())] for where in ("plain", "hill")]
check(names[0] == names[1], f"files: {names}")

# ---- published water: far apart, and the numbers are those of runs by hand
water = write("water.yaml", PUBLISHED)
done = run(water, SPACE / "water", "--refine")
said = done.stdout
check("; responses: not compared; --refine tells" in done.stderr, f"responses in windows: {done.stderr}")
rows = table(said)
depth = rows["depth of water, by cell"]
check(min(depth["dt/2"], depth["l/2, dt/2"]) > 0.5 and depth["order"] is None, f"published water converges: {said}")
check(depth["dt/2"] > depth["l/2, dt/2"] and "the result follows l/dt" in said, f"published water does not follow l/dt: {said}")
run(water, SPACE / "half", "-q", "--set", "phases.rain.hydraulic.dt=0.05", "--set", "phases.rain.iterations=600")
(own, ground, moved), (half, lower, shifted) = (maps(SPACE / where, "water", "terrain", "terrain_change") for where in ("water", "half"))
cell = 16.0


def near(name, found, value, digits=0.06):
    """Two digits are printed."""
    check(abs(found - value) <= digits * abs(value) + 1e-5, f"{name}: {found}, by hand {value}")


near("water now", rows["water"]["own"], own.sum() * cell, 1e-5)
near("eroded", rows["eroded"]["own"], -moved[moved < 0].sum() * cell, 1e-5)
near("deposited", rows["deposited"]["own"], moved[moved > 0].sum() * cell, 1e-5)
near("flooded", rows["flooded"]["own"], (own > 0.1).sum() * cell, 1e-5)
near("relief", rows["relief"]["own"], ground.max() - ground.min(), 1e-5)
near("water, dt/2", rows["water"]["dt/2"], half.sum() / own.sum() - 1)
near("eroded, dt/2", rows["eroded"]["dt/2"], shifted[shifted < 0].sum() / moved[moved < 0].sum() - 1)
near("flooded, dt/2", rows["flooded"]["dt/2"], (half > 0.1).sum() / (own > 0.1).sum() - 1)
near("relief, dt/2", rows["relief"]["dt/2"], (lower.max() - lower.min()) / (ground.max() - ground.min()) - 1)
near("depth, dt/2", depth["dt/2"], abs(half - own).mean() / own.mean())
near("deepest, dt/2", rows["deepest"]["dt/2"], half.max() / own.max() - 1)
near("change, dt/2", rows["change of ground, by cell"]["dt/2"], abs(shifted - moved).mean() / abs(moved).mean())
# finer cells: the ground of `upsample`, and pipes half as wide
by_hand = PUBLISHED.replace("nx: 24, ny: 24, spacing: 4", "nx: 48, ny: 48, spacing: 2").replace("base: [", "base: [{upsample: {factor: 2, with: [").replace("add}}]", "add}}]}}]")
by_hand = by_hand.replace("iterations: 300", "iterations: 600").replace("dt: 0.1", "dt: 0.05")
area = re.search(r"pipe_area: ([\d.e+]+)", otok("run", water, "--dry-run").stdout)
fine = write("fine.yaml", by_hand)
run(fine, SPACE / "fine", "-q", "--set", f"phases.rain.hydraulic.pipe_area={float(area[1]) / 2}")
half, lower, shifted = (map.reshape(24, 2, 24, 2).mean((1, 3)) for map in maps(SPACE / "fine", "water", "terrain", "terrain_change"))
near("water, l/2", rows["water"]["l/2, dt/2"], half.mean() / own.mean() - 1)
near("relief, l/2", rows["relief"]["l/2, dt/2"], (lower.max() - lower.min()) / (ground.max() - ground.min()) - 1)
near("depth, l/2", depth["l/2, dt/2"], abs(half - own).mean() / own.mean())
near("change, l/2", rows["change of ground, by cell"]["l/2, dt/2"], abs(shifted - moved).mean() / abs(moved).mean())

# ---- rivers: the share of the cells with more than 16 above them that lie elsewhere, by hand


def rivers(directory):
    """Cells that more than 16 drain through; 1 to 8 are NW N NE W E SW S SE."""
    (way,) = maps(directory, "receiver")
    ny, nx = way.shape
    area, to = [1] * way.size, [-1] * way.size
    for n, k in enumerate(way.ravel().astype(int)):
        dx, dy = ((0, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1))[k]
        to[n] = n + dx + nx * dy if k else -1
    for n in range(way.size):
        at = to[n]
        while at >= 0:
            area[at] += 1
            at = to[at]
    return {n for n, cells in enumerate(area) if cells > 16}


plain = write("plain.yaml", PLAIN)
made = run(plain, SPACE / "plain", "--refine")
run(plain, SPACE / "plain_half", "-q", "--set", "phases.rise.iterations=48", "--set", "phases.rise.uplift.dt=12500 yr")
one, other = rivers(SPACE / "plain"), rivers(SPACE / "plain_half")
row, apart = table(made.stdout)["rivers, by cell"], 1 - len(one & other) / max(len(one), len(other))
check(row["own"] == len(one) and apart > 0.1, f"rivers: {row}, by hand {len(one)} and {len(other)} cells, {apart} apart")
near("rivers, dt/2", row["dt/2"], apart)
# in a window of six steps: the share of the cells that drain to another one
windowed = run(plain, SPACE / "window", "--set", "audit=[0]").stderr
run(plain, SPACE / "six", "-q", "--set", "phases.rise.iterations=6")
run(plain, SPACE / "twelve", "-q", "--set", "phases.rise.iterations=12", "--set", "phases.rise.uplift.dt=12500 yr")
(one,), (other,) = maps(SPACE / "six", "receiver"), maps(SPACE / "twelve", "receiver")
apart = float((one != other).sum() / ((one > 0) | (other > 0)).sum())
with h5py.File(checkpoints(SPACE / "window")[-1]) as file:
    told = file.attrs["otok_audit"][4]
check(apart > 0.02 and f"; receivers {100 * apart:.2g} %; " in windowed, f"receivers: {apart} of them by hand; {windowed[-500:]}")
near("receivers", told, apart)
carried = float(re.search(r"out with rivers +([-+.e\d]+) m3", run(plain, SPACE / "plain_loud").stderr)[1])
check("deposited" not in table(made.stdout), f"what uplift raised is no deposit: {made.stdout}")
check(abs(table(made.stdout)["eroded"]["own"] / carried - 1) < 1e-3, f"eroded: {made.stdout}, and {carried} m3 left with rivers")
sinks = run(plain, SPACE / "sinks", "--refine", "--set", "phases.rise.uplift.rate=-0.2 mm/yr", "--set", "phases.rise.incision=off").stdout
check("eroded" not in table(sinks) and "deposited" not in table(sinks), f"sinking is no erosion: {sinks}")
changed = write("changed.yaml", PLAIN.replace(", incision: {erodibility: 3e-5 yr-1, m: 0.45}", "") + "changes: [{at: 300 kyr, path: phases.rise.uplift.rate, value: 0.6 mm/yr}]\n")
rises = run(changed, SPACE / "changed", "--refine").stdout
check("relief" in table(rises) and "deposited" not in table(rises), f"what uplift raised before a change is no deposit: {rises}")
check(0 < row["reversed"] < 1, f"another order: {row}")
check("where rivers are: not compared; --refine tells" in made.stderr, f"rivers: {made}")


# ---- in bands, and resumed at its end: the same table
check(run(water, SPACE / "bands", "-q", "--refine", "--bands", "3").stdout == said, "bands print something else")
check(run(water, SPACE / "water", "-q", "--refine", "--resume").stdout == said, "resumed at its end, it prints something else")

# ---- cells of processes whose keys must be given: reefs by light, with and without a history of the sea
for name, keys in (("rise", "sea_rise: 1 mm/yr"), ("history", "sea_history: [[0, 0], [2 kyr, 3]]"), ("waves", "producers: [{max_growth: 2 mm/yr}]}, waves: {every: 5")):
    reef = write(f"reef_{name}.yaml", "otok: 1\ngrid: {nx: 40, ny: 2, spacing: 100}\nedges: {left: open}\nbase: [{constant: {height: -90}}, {cone: {height: 110, radius: 3000, combine: add}}]\n"
                 f"phases: [{{name: p, iterations: 20, reef: {{law: light_saturation, dt: 100 yr, {keys}}}}}]\n")
    said = run(reef, SPACE / "reef", "-q", "--overwrite", "--refine").stdout
    check("not compared" not in said and "l/4, dt/4" in table(said)["change of ground, by cell"], f"a reef by light, {name}: {said}")
    check(("waves/2" in table(said)["change of ground, by cell"]) == (name == "waves"), f"half the interval of waves, {name}: {said}")
run(reef, SPACE / "swept", "-q", "--set", "phases.p.iterations=40", "--set", "phases.p.reef.dt=50 yr")  # a sweep after 5 shorter iterations
(own, moved), (_, shifted) = (maps(SPACE / where, "terrain", "terrain_change") for where in ("reef", "swept"))
near("change, half the interval of waves", table(said)["change of ground, by cell"]["waves/2"], abs(shifted - moved).mean() / abs(moved).mean())

# ---- what cannot be halved, and why
rows = "\n".join(" ".join(str((i - 12) ** 2 + j) for i in range(24)) for j in range(24))
write("ground.asc", f"ncols 24\nnrows 24\nxllcorner 0\nyllcorner 0\ncellsize 4\n{rows}\n")
raster = write("raster.yaml", re.sub(r"base: .*", "base: [{raster: {file: ground.asc}}]", HILL.replace("4000", "40")))
steep = ["--set", "phases.creep.iterations=40", "--set", "phases.creep.creep.dt=2"]
sweeps = write("sweeps.yaml", HILL.replace("4000", "40") .replace("creep: {dt: 0.05, diffusivity: 1}}]", "creep: {dt: 0.05, diffusivity: 1}}, {name: bed, iterations: 3, seabed: {}}]") + "sea: {level: 5}\n")
for scenario, sets, why in (
    (raster, [], "the ground comes from a raster"),
    (water, ["--set", "phases.rain.hydraulic.rates=per_iteration"], "phase rain has `rates: per_iteration`"),
    (hill, steep, "phase creep would be beyond the limit of creep, dt D / l^2 = 0.25"),
):
    text = run(scenario, SPACE / "only", "-q", "--overwrite", "--refine", *sets).stdout
    if why.endswith("0.25"):  # the limit itself is kept, and l/4 is not
        check("l/4, dt/4: not compared: phase creep would be beyond" in text and "order" not in text and table(text)["relief"]["l/2, dt/2"], text)
        continue
    named = [line for line in text.splitlines() if "not compared" in line]
    check(len(named) == 1 and named[0].startswith(f"l/2, dt/2: not compared: {why}"), f"{why}: {text}")
    found = table(text)
    check(found and all(list(row) == ["own", "dt/2"] for row in found.values()), text)
# a phase without a step keeps its sweeps: by hand
text = run(sweeps, SPACE / "sweeps", "-q", "--refine").stdout
run(sweeps, SPACE / "swept", "-q", "--set", "phases.creep.iterations=80", "--set", "phases.creep.creep.dt=0.025")
(own,), (half,) = maps(SPACE / "sweeps", "terrain_change"), maps(SPACE / "swept", "terrain_change")
near("sweeps", table(text)["change of ground, by cell"]["dt/2"], abs(half - own).mean() / abs(own).mean())
for key, why in (
    ("phases: [{name: a, droplets: {count: 50}}]", "phase a has droplets, which have no clock"),
    ("phases: [{name: a, iterations: 5, seabed: {}}]", "no phase has a time step"),
    (HILL.splitlines()[4] + "\nchanges: [{at: 5, path: phases.creep.creep.diffusivity, value: 2}]", "`changes` count iterations"),
):
    never = write("never.yaml", "\n".join(HILL.splitlines()[:4]) + "\n" + key + "\n")
    refused = run(never, SPACE / "never", "--refine", code=65)
    check(f"--refine: the step cannot be halved: {why}" in refused.stderr and not (SPACE / "never").exists(), refused.stderr)

# ---- what --dry-run announces, and the largest grid that has a third run
for n, last in ((512, True), (513, False)):
    text = otok("run", hill, "--dry-run", "--refine", *(f"--set=grid.{key}={n}" for key in ("nx", "ny")), "--set=phases.creep.iterations=1000").stdout
    check(("l/4, dt/4; 74 times the work" in text) == last, f"{n}: {text[-400:]}")
    check(last or "# l/4, dt/4: not compared: 4210704 cells are more than 4194304" in text, text[-400:])
text = otok("run", hill, "--dry-run", "--refine", "--set=phases.creep.iterations=500000").stdout
check("l/2, dt/2; 10 times the work" in text and "cells times iterations are more than 1.72e+10" in text, text[-400:])
flow = write("flow.yaml", "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 4}\nbase: [{cone: {height: 8, radius: 40}}]\nphases: [{iterations: 9, rain: {rate: 9 mm/h}, hydraulic: {law: local_inertia, dt: 9, courant: 0.7}}]\n")
text = otok("run", flow, "--dry-run", "--refine").stdout
check("l/4, dt/4; 274 times the work" in text, text[-400:])  # 2 + 16 + 256: steps of water follow the cells

# ---- ended by a signal or by time, after the run: 75, the fingerprint, and no other files
long = write("long.yaml", HILL.replace("24", "128").replace("spacing: 4", "spacing: 1").replace("4000", "400").replace("dt: 0.05", "dt: 0.01"))
process = start(long, SPACE / "long", "--refine")
check(wait_for(lambda: process.poll() is not None or has_told(process, r"^refinement, l/2, dt/2: ")), "no finer run began")
process.send_signal(signal.SIGTERM)
code, out, err = stop(process)
check(code == 75 and "the run is complete, but its refinement was stopped" in err and fingerprint(out), f"exit {code}: {out}{err[-400:]}")
check("dt/2" in out and not left_over(SPACE / "long"), out)
check([p.name for p in checkpoints(SPACE / "long")] == ["long_00000000.vtkhdf", "long_00000400.vtkhdf"], "files after a signal")
late = run(long, SPACE / "long", "-q", "--resume", "--refine", "--max-time", "0.05", code=75)
check(fingerprint(late.stdout) == fingerprint(out) and "refinement was stopped" in late.stderr, f"{late.stdout}{late.stderr}")
finish()
