"""Claim: `otok predict` ends with the largest step that keeps every limit which depends on it, and the name of the limit that asks for it, be it
heuristic: at that step no such row is broken, and at 1.3 times it that row is. It does so for water, slides, creep, reefs, several phases and steps of
processes. The line before names the limit that binds, proven or measured before heuristic, as the
first line of a run does. With `courant` it tells whether dt may stay, or has more than 1024 steps of water. A river at a point has the rows of a wide one. A void that encloses some ground
does not make the map one without outlet. JSON names the key."""
# once: under the sanitizers; it depends on no optimisation

import json

from cli import *

SIDES = "edges: {left: open, right: open, bottom: open, top: open}\n"
GROUND = [[20 + 3.0 * j - 150 * ((i - 9) ** 2 + (j - 9) ** 2 < 9) / 10 for i in range(20)] for j in range(20)]


def scenario(name, phases, more="", ground=GROUND):
    rows = "\n".join(" ".join(f"{h:.3f}" for h in row) for row in ground[::-1])
    write(f"{name}.asc", f"ncols 20\nnrows 20\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n{rows}\n")
    return write(f"{name}.yaml", f"otok: 1\ngrid: {{nx: 20, ny: 20, spacing: 10}}\n{SIDES}{more}base: [{{raster: {{file: {name}.asc}}}}]\nphases:\n{phases}")


def told(path, *sets):
    return otok("predict", path, *sets).stdout


def rows(path, *sets):
    """The limits with numbers, and whether they are broken."""
    return {row["limit"]: row["margin"] > 1 for row in json.loads(otok("predict", path, "--json", *sets).stdout) if row["value"] is not None}


WATER = "hydraulic: {dt: %s, law: local_inertia, manning: 0.05, capacity: 0}"
RAIN = "rain: {rate: 100 mm/h}"
for name, phases, key, limit in (
    ("ponds", f"  - {{name: a, iterations: 9000, {RAIN}, {WATER % 3}}}\n", "hydraulic.dt", "ponds, heuristic"),
    ("stage", f"  - {{name: a, iterations: 90, sides: {{left_level: [[0, 0], [5 s, 90]]}}, {WATER % 1}}}\n", "hydraulic.dt", "water waves"),
    ("waves", "  - {name: a, iterations: 9, hydraulic: {dt: 0.3}}\n", "hydraulic.dt", "water waves"),
    ("creep", "  - {name: a, iterations: 9, creep: {dt: 90 yr, diffusivity: 0.5 m2/yr}}\n", "creep.dt", "creep"),
    ("slides", "  - {name: a, iterations: 9, thermal: {dt: 0.4, law: share, talus: 5}}\n", "thermal.dt", "stop below the talus, heuristic"),
    ("light", "  - {name: a, iterations: 9, reef: {law: light_saturation, dt: 500 yr}}\n", "reef.dt", "growth of an iteration"),
    ("sweeps", "  - {name: a, iterations: 9, waves: {every: 5}, reef: {law: light_saturation, dt: 100 yr}}\n", "reef.dt", "growth between waves"),
    ("sea", "  - {name: a, iterations: 9, waves: {every: 5}, reef: {law: light_saturation, dt: 100 yr, max_growth: 1 mm/yr, sea_history: [[0, 0], [9 kyr, 270]]}}\n", "reef.dt", "sea between waves"),
):
    path = scenario(name, phases)
    last, before = told(path).splitlines()[-1], [line for line in told(path).splitlines() if line.startswith("binding: ")]
    found = re.fullmatch(r"use (\S+\.)?dt <= ([\d.e+-]+) (s|yr) \((.+?)(, [\d.]+ yr)?\)", last)
    check(found and found[4] == limit and len(before) == 1 and found[3] == ("yr" if "yr, " in phases or "yr}" in phases else "s"), f"{name}: {last}")
    if not found:
        continue
    at, beyond = rows(path, "--set", f"phases.a.{key}={found[2]} {found[3]}"), rows(path, "--set", f"phases.a.{key}={1.3 * float(found[2])} {found[3]}")
    steps = {row["limit"] for row in json.loads(otok("predict", path, "--json").stdout) if row["dt"] is not None}
    check(not any(broken for row, broken in at.items() if row in steps), f"{name}: at {found[2]} s {at}")
    check(beyond[limit.split(",")[0]], f"{name}: at 1.3 times {found[2]} s {beyond}")

# ---- several phases and steps: a line each, the most urgent last
several = scenario("several", f"  - {{name: calm, iterations: 9, {RAIN}, {WATER % 0.5}}}\n  - {{name: wild, iterations: 9000, {RAIN}, {WATER % 3}}}\n"
                              "  - {name: slides, iterations: 9, thermal: {dt: 0.2}}\n")
said = [line for line in told(several).splitlines() if " use " in line or line.startswith("use ")]
check(said[-1].startswith("phase wild: use dt <= ") and any(line.startswith("phase slides: use thermal.dt <= ") for line in said), f"{said}")
check(re.search(r"^binding: phase slides, sliding: margin 0.8", told(several), re.M), told(several))

# ---- steps that follow the water
follow = scenario("follow", f"  - {{name: a, iterations: 9, {RAIN}, hydraulic: {{dt: 60, courant: 0.7, law: local_inertia, manning: 0.05, capacity: 0}}}}\n")
check(told(follow).splitlines()[-1] == "courant chooses the steps of water; dt may stay 60 s" and "positing" not in told(follow), told(follow))
long = "--set", "phases.a.hydraulic.dt=90000", "--set", "phases.a.iterations=1"
found = re.fullmatch(r"use dt <= ([\d.e+-]+) s \(steps of water, heuristic\)", told(follow, *long).splitlines()[-1])
check(found, told(follow, *long))
if found:
    for step in (90000, float(found[1])):
        broken = rows(follow, *long, "--set", f"phases.a.hydraulic.dt={step}")["steps of water"]
        check(broken == (step == 90000), f"{step} s: {broken}")
for path, line in ((follow, False), (several, True)):  # a run begins with what binds of the rows that need no ground
    said = otok("run", path, "-o", SPACE / f"{path.stem}_run", "--backend", "cpu").stderr
    check(bool(re.search(r"^stability: .*; otok predict lists all limits$", said, re.M)) == line and "positing" not in said, said)
keys = {row["key"] for row in json.loads(otok("predict", several, "--json").stdout)}
check(keys == {"dt", "thermal.dt"}, f"{keys}")

# ---- rivers at points, voids
point, wide = (rows(scenario(f"river{len(n)}", f"  - {{name: a, iterations: 99, rivers: [{{x: 100, y: 150, {n}discharge: 20}}], {WATER % 1}}}\n")) for n in ("", "radius: 60, "))
check({"kinematic wave", "roll waves", "ponds"} <= set(wide) and set(wide) == set(point), f"{point}, {wide}")
void = [row[:] for row in GROUND]
for i, j in ((2, 2), (2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3), (4, 4)):
    void[j][i] = -9999
depth = [[row["value"] for row in json.loads(otok("predict", scenario(f"void{n}", f"  - {{name: a, iterations: 9000, {RAIN}, {WATER % 1}}}\n", ground=ground), "--json").stdout)
          if row["limit"] == "ponds"] for n, ground in enumerate((GROUND, void))]
check(abs(depth[1][0] / depth[0][0] - 1) < 0.1, f"ponds of {depth[0]} m, with a void {depth[1]} m")
# ---- rivers: C of the study of highland, of n = 1 alone; a warning, no limit that --strict knows ----
RIVERS = "  - {iterations: 9, uplift: {dt: 10 kyr, rate: 0.2 mm/yr}, incision: {erodibility: 1e-5 yr-1, m: 0.45, n: %s}}\n"
cuts, steep = (write(f"rivers_{n}.yaml", f"otok: 1\ngrid: {{nx: 16, ny: 16, spacing: 100}}\n{SIDES}phases:\n{RIVERS % n}") for n in (1, 2))
row = next(one for one in json.loads(otok("predict", cuts, "--json").stdout) if one["limit"] == "rivers")
check(abs(row["value"] / (1e-5 * 1e4 * 1e6**0.45 / 100) - 1) < 1e-6 and abs(row["margin"] / (row["value"] / 0.25) - 1) < 1e-6, f"rivers: {row}")
check(re.search(r"use incision.dt <= \S+ s \(rivers, heuristic, 49\d\d(\.\d+)? yr\)", told(cuts)) and "rivers" not in rows(steep) and "seed draws the network" in otok("predict", steep).stdout, f"rivers: {told(cuts)}{told(steep)}")
check(otok("predict", cuts, "--strict").returncode == 0, "a heuristic limit is no error")

finish()
