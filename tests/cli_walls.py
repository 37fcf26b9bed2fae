"""Claim: cells without data are walls. A map that they divide behaves as the map of one part alone with closed sides there: the same
fields, ledger, verdict and limits; on every backend, in bands, after a restart, with its audit, and as a member of a study. Water and
solids balance. Nothing is in a wall, whatever a file says. Exported rasters and pictures have no data there again. How many cells are walls
is said first, in one wording."""
# once: under the sanitizers; it depends on no optimisation
import re

from cli import *

try:
    import h5py
    import numpy as np
except ImportError as why:
    skip(f"{why}; install tests/requirements.txt")

os.chdir(SPACE)
NX, NY, LEFT, CELL = 40, 32, 18, 5.0  # columns 18 and 19 are walls, and a block of the right part
draw = np.random.default_rng(1)
Z = (60 + 20 * np.sin(np.arange(NX) / 5) + 10 * np.cos(np.arange(NY) / 4)[:, None] + 3 * draw.random((NY, NX))).astype("f4")
WATER = (0.5 * draw.random((NY, NX))).astype("f4")
WALL = np.zeros((NY, NX), bool)
WALL[:, LEFT : LEFT + 2] = True
SAID = "have no data and are walls: their ground stays, and nothing flows through their faces"


def asc(name, z):
    rows = "\n".join(" ".join("-9999" if np.isnan(v) else f"{v:.9g}" for v in row) for row in z[::-1])
    write(name, f"ncols {z.shape[1]}\nnrows {z.shape[0]}\nxllcorner 0\nyllcorner 0\ncellsize {CELL}\nNODATA_value -9999\n{rows}\n")


def grid(path):
    rows = [line.split() for line in (SPACE / path).read_text().splitlines() if line[0] in "-0123456789"]
    return np.array(rows, float)[::-1]


def arrays(name, **fields):
    with h5py.File(SPACE / name, "w") as f:
        for field, values in fields.items():
            f[field] = values
    return name


# creep is dithered by the place in the grid, so a part alone has other last digits (tests/walls_split.c has it)
PHASES = """phases:
  - {name: flood, iterations: 120, hydraulic: {dt: 0.05, law: local_inertia, bed_steps: smooth, capacity: 0.05}, thermal: {dt: 0.05, talus: 20}}
  - {name: slow, iterations: 40, hydraulic: {dt: 0.05, pipes: signed, theta: 0.8, area: depth}}
  - {name: seabed, iterations: 10, seabed: {}}
  - {name: reef, iterations: 30, reef: {dt: 0.01, absorption: 0.12, calcification: 25, uptake: 4, min_depth: 0.3}}
  - {name: rise, iterations: 20, uplift: {dt: 10, rate: 0.001}}
"""


def scenario(name, nx, raster, more="", phases=PHASES, edges="{bottom: open}"):
    text = f"otok: 1\ntitle: walls\ngrid: {{nx: {nx}, ny: {NY}, spacing: {CELL}}}\nedges: {edges}\nsea: {{level: 50}}\n{more}"
    return write(name, text + f"base: [{{raster: {raster}}}]\n{phases}output: {{every: 50}}\n")


def fields(path):
    with h5py.File(path) as f:
        return {name: f[name][()] for name in f if isinstance(f[name], h5py.Dataset) and f[name].shape[-1:] in ((NX,), (LEFT,)) and f[name].ndim == 2}


def last_lines(done):
    """The ledger and the verdict, without how cells and places are counted."""
    return [line for line in done.stderr.splitlines() if re.match(r"verdict|what to do|changes with|deepest|water now|solid now| +[+-] | +unexplained", line)]


# ---- one part of the map is open, the other is no data: the part alone ----
half = np.where(np.arange(NX) < LEFT, Z, np.nan)
asc("half.asc", half)
asc("part.asc", Z[:, :LEFT])
arrays("half.h5", water=WATER)  # water in walls is not there
arrays("part.h5", water=WATER[:, :LEFT])
walled = scenario("walled.yaml", NX, "half.asc", more="initial: {file: half.h5}\n")
part = scenario("part.yaml", LEFT, "part.asc", more="initial: {file: part.h5}\n")
a, b = run(walled, "a"), run(part, "b")
check(a.stderr.startswith(f"WARNING: {(NX - LEFT) * NY} of {NX * NY} cells (55 %) {SAID}"), a.stderr)
with h5py.File(checkpoints("a")[-1]) as f:
    check(np.array_equal(f["VTKHDF/PointData/vtkGhostType"][()], np.where(np.arange(NX) < LEFT, 0, 2) * np.ones((NY, 1))), "what VTK hides")
with h5py.File(checkpoints("b")[-1]) as f:
    check("vtkGhostType" not in f["VTKHDF/PointData"], "a mask without cells that lack data")
for one, other in zip(checkpoints("a"), checkpoints("b")):
    of_a, of_b = fields(one), fields(other)
    for name, values in of_b.items():
        check(np.array_equal(of_a[name][:, :LEFT], values), f"{one.name}: {name} differs from the part alone")
        outside = of_a[name][:, LEFT:]
        check(name in ("terrain", "terrain_base") or not outside.any(), f"{one.name}: {name} in walls is {outside.max()}")
    check(np.array_equal(of_a["terrain"][:, LEFT:], of_a["terrain_base"][:, LEFT:]), f"{one.name}: the ground of walls moved")
check(len(checkpoints("a")) == len(checkpoints("b")) > 3, "checkpoints")
for one, other in zip(last_lines(a), last_lines(b)):
    check(re.sub(r"in cell \(.*?\)", "", one) == re.sub(r"in cell \(.*?\)", "", other), f"{one}\n{other}")
check(len(last_lines(a)) == len(last_lines(b)) > 5, "lines of the ledger")
ponds = [[line for line in otok("predict", s).stdout.splitlines() if "pond" in line or "90 %" in line] for s in (walled, part)]
check(ponds[0] == ponds[1] and ponds[0], f"predict: {ponds}")

# ---- water with momentum: the part alone; random walls, mirrored ----
MOMENTUM = "phases: [{name: flood, iterations: 150, hydraulic: {law: shallow_water, bed_steps: smooth, dt: 0.05, capacity: 0.05}}]\n"
run(scenario("walled.yaml", NX, "half.asc", more="initial: {file: half.h5}\n", phases=MOMENTUM), "a", "-q", "--overwrite")
run(scenario("part.yaml", LEFT, "part.asc", more="initial: {file: part.h5}\n", phases=MOMENTUM), "b", "-q", "--overwrite")
of_a, of_b = fields(checkpoints("a")[-1]), fields(checkpoints("b")[-1])
for name, values in of_b.items():
    check(np.array_equal(of_a[name][:, :LEFT], values), f"momentum: {name} differs from the part alone")
check(of_b["terrain_change"].any() and of_b["outflow_right"].any(), "momentum: nothing happened")
holes = np.random.default_rng(3).random(Z.shape) < 0.2
for name, map_, side in (("plain", np.where(holes, np.nan, Z), "left"), ("mirrored", np.where(holes, np.nan, Z)[:, ::-1], "right")):
    asc(f"{name}.asc", map_)
    run(scenario(f"{name}.yaml", NX, f"{name}.asc", more="initial: {water: 1}\n", phases=MOMENTUM, edges=f"{{{side}: open}}"), name, "-q")
one, other = fields(checkpoints("plain")[-1]), fields(checkpoints("mirrored")[-1])
for name in ("water", "terrain_change", "sediment"):
    check(np.array_equal(one[name][:, ::-1], other[name]), f"momentum: {name} among walls, mirrored")

# ---- both parts, with a block of walls in one ----
both = Z.copy()
WALL[10:14, 28:33] = True
both[WALL] = np.nan
asc("both.asc", both)
RAIN = PHASES.replace("120,", "120, rain: {rate: 0.0005}, rivers: [{x: 95, y: 60, radius: 20, discharge: 2}],") + "  - {name: drops, iterations: 10, droplets: {count: 3000, batch: 300, max_steps: 40}}\n"
rained = scenario("rained.yaml", NX, "both.asc", phases=RAIN)
first = run(rained, "first", "-q")
for name in ("cpu", "cpu:plain", "cpu/4", "cpu:plain/3") + (("cuda", "cuda/2") if BACKEND == "cuda" else ()):
    done = otok("run", rained, "-o", "again", "--backend", name, "--overwrite", "-q")
    check(done.stdout == first.stdout, f"{name}: {done.stdout}, {first.stdout}")
    check(done.stderr.split("verdict")[-1] == first.stderr.split("verdict")[-1], f"{name}: {done.stderr}, {first.stderr}")
ledger = dict(re.findall(r"^. (\w+) +(\S+)", otok("inspect", checkpoints("first")[-1]).stdout, re.M))
asked = {text: float(otok("inspect", checkpoints("first")[-1], "--response", text).stdout) for text in ("area(1)", "mean(terrain)", "components(1)", "min(slope)")}
ground = fields(checkpoints("first")[-1])["terrain"][~WALL].astype(float)
check(asked["area(1)"] == (~WALL).sum() * CELL**2 and abs(asked["mean(terrain)"] - ground.mean()) < 1e-9 and asked["components(1)"] == 2, f"responses: {asked}")
check(asked["min(slope)"] >= 0, f"responses: {asked}")
for side in ("water", "solid"):
    check(abs(float(ledger[f"{side}_error"])) < 1e-6 * float(ledger[side]), f"{side}: {ledger}")
check(abs(float(ledger["rain"]) / float(ledger["rain_nominal"]) - 1) < 1e-5, f"it rains on {NX * NY - WALL.sum()} cells: {ledger}")
check(abs(float(ledger["uplift"]) / float(ledger["uplift_nominal"]) - 1) < 1e-5, f"walls do not rise: {ledger}")
check(abs(float(ledger["rivers"]) / float(ledger["rivers_nominal"]) - 1) < 1e-5, f"rivers beside walls: {ledger}")
found = fields(checkpoints("first")[-1])
check(not any(values[WALL].any() for name, values in found.items() if name not in ("terrain", "terrain_base")), "something is in a wall")
check(found["terrain_change"][~WALL].any() and found["water"][~WALL].any(), "nothing happened")

# ---- rain without data in walls is rain of 0 there; elsewhere it is refused ----
wet = 1 + 0.5 * np.sin(np.arange(NX) / 3) + np.zeros((NY, 1))
for name, there in (("zero", 0.0), ("none", np.nan), ("much", 7.0)):
    asc(f"rain_{name}.asc", np.where(WALL, there, wet))
by_map = RAIN.replace("{rate: 0.0005}", "{rate: 0.0005, map: rain_zero.asc}").replace("iterations: 10, droplets", "iterations: 10, rain: {map: rain_zero.asc}, droplets")
check(by_map.count("rain_zero") == 2, by_map)
rains = {name: run(scenario("by_map.yaml", NX, "both.asc", phases=by_map.replace("zero", name)), f"rain_{name}", "-q") for name in ("zero", "none", "much")}
for name, done in rains.items():
    check(done.stdout == rains["zero"].stdout and last_lines(done) == last_lines(rains["zero"]), f"rain map {name}: {done.stderr}, {rains['zero'].stderr}")
hole = np.where(WALL, np.nan, wet)
hole[3, 5] = hole[7, 9] = np.nan
asc("rain_hole.asc", hole)
holey = scenario("holey.yaml", NX, "both.asc", phases=by_map.replace("zero", "hole"))
for words in (["run", holey, "-o", "holey"], ["run", holey, "-o", "holey", "--dry-run"], ["predict", holey]):
    said = otok(*words, code=65).stderr
    check("phases.flood.rain.map: " in said and "cell 5 from the left, 3 from the bottom" in said and "like 2 cells" in said, f"{words}: {said}")
said = run(scenario("full.yaml", NX, "{file: both.asc, fill: nearest}", phases=by_map.replace("zero", "none")), "full", code=65).stderr
check(f"like {WALL.sum()} cells" in said, f"no walls: {said}")
stretched = by_map.replace("map: rain_none.asc", "map: rain_small.asc, fit: stretch").replace("rain_zero.asc", "rain_small.asc, fit: stretch")
asc("rain_small.asc", np.where(WALL[::2, ::2] & WALL[1::2, 1::2], np.nan, wet[::2, ::2]))
check("a" in run(scenario("small.yaml", NX, "both.asc", phases=stretched), "small").stderr, "a stretched rain map")

# ---- restart; from a checkpoint as the initial file ----
for path in checkpoints("first")[-2:]:
    path.unlink()
check(run(rained, "first", "--resume", "-q").stdout == first.stdout, "a restart differs")
start_at = checkpoints("again")[1]
asc("full.asc", Z)
more = scenario("more.yaml", NX, "full.asc", more=f"initial: {{file: {start_at}}}\n")
check(f"{WALL.sum()} of {NX * NY} " in run(more, "more").stderr, "an initial checkpoint without its walls")
check(not fields(checkpoints("more")[-1])["water"][WALL].any(), "walls of an initial checkpoint")

# ---- a study: members on a backend as alone ----
write("study.yaml", f"study: 1\nscenario: {rained}\ndesign: {{kind: grid, points: 2}}\nduration: {120 * 0.05}\nvary: {{phases.flood.hydraulic.dt: {{from: 0.04, to: 0.05}}}}\n".replace("duration: 6.0\n", "") +
      "keep: {fields: [terrain, slope, aspect], coarsen: 2}\nresponses: {open: area(1), steep: mean(slope)}\n")
tables = []
for name in dict.fromkeys(("cpu", BACKEND)):
    otok("study", "study.yaml", "-o", f"study-{name}", "--backend", name, "-q")
    with h5py.File(f"study-{name}/study.h5") as f:
        tables.append({key: f[key][()] for key in ("fingerprint", "verdict", "water", "mean_slope", "map_slope", "map_aspect") if key in f})
        kept, whole = f["map_terrain"][:], WALL.reshape(NY // 2, 2, NX // 2, 2).all((1, 3))
        facing = f["map_aspect"][:]
        check(((facing >= 0) & (facing < 360) | np.isnan(facing)).all() and np.isfinite(facing).sum() > 300, "a study: mean directions")
        check(np.array_equal(np.isnan(kept), [whole, whole]) and (f["response_open"][:] == (~WALL).sum() * CELL**2).all(), "a study: maps, open cells")
check(all(np.array_equal(tables[0][key], tables[-1][key], equal_nan=key.startswith("map_")) for key in tables[0]) and "verdict" in tables[0], f"studies: {tables}")

# ---- out again ----
path = checkpoints("first")[-1]
otok("export", path, "-o", "e.asc")
check(np.array_equal(grid("e.asc") == -9999, WALL), "an exported grid")
again = otok("base", scenario("e.yaml", NX, "e.asc"), "-o", "e.vtkhdf")
check(again.stderr.startswith(f"WARNING: {WALL.sum()} of {NX * NY} ") and SAID in again.stderr, again.stderr)
otok("export", path, "-o", "e.nc")
with h5py.File("e.nc") as f, h5py.File(path) as whole:
    for name, values in found.items():
        if name == "wetness":
            continue
        check(np.array_equal(np.isnan(f[name][()]), WALL) and np.array_equal(f[name][()][~WALL], values[~WALL]), f"e.nc: {name}")
        check(np.isnan(f[name].attrs["_FillValue"]), f"e.nc: {name} without _FillValue")
    check("title" in f.attrs and set(f) == set(whole), "e.nc lacks what the checkpoint has")
again = run(scenario("nc.yaml", NX, "full.asc", more="initial: {file: e.nc}\n"), "nc")
check(f"{WALL.sum()} of {NX * NY} " in again.stderr, f"no data in an initial file: {again.stderr}")
same = run(scenario("same.yaml", NX, "full.asc", more=f"initial: {{file: {path}}}\n"), "same")
one, other = fields(checkpoints("nc")[-1]), fields(checkpoints("same")[-1])
check(all(np.array_equal(one[name][~WALL], other[name][~WALL]) for name in other), "a run from e.nc is not that from the checkpoint")
gap = arrays("gap.h5", terrain=np.where(WALL, np.nan, Z), water=np.where(WALL & (Z > 60), np.nan, WATER))
check(f"{WALL.sum()} of {NX * NY} " in run(scenario("gap.yaml", NX, "full.asc", more=f"initial: {{file: {gap}}}\n"), "gap").stderr, "NaN in the terrain of arrays")
otok("export", path, "-o", "g.png", "--field", "terrain")
otok("base", scenario("g.yaml", NX, "{file: g.png, low: 0, high: 100}"), "-o", "g.vtkhdf")
otok("export", "g.vtkhdf", "-o", "g.asc")
check(np.array_equal(grid("g.asc") == -9999, WALL), "a gray picture, read again")
for scale in (1, 3):
    otok("export", path, "-o", "r.png", "--scale", scale)
    head = (SPACE / "r.png").read_bytes()
    check(head[25] == 6, f"a relief has no alpha: colour type {head[25]}")
if otok("export", path, "-o", "e.tif", code=None).returncode == 0:
    otok("base", scenario("t.yaml", NX, "e.tif"), "-o", "t.vtkhdf")
    otok("export", "t.vtkhdf", "-o", "t.asc")
    check(np.array_equal(grid("t.asc") == -9999, WALL), "an exported GeoTIFF, read again")

# ---- pictures: one colour in every style, where there are no data and nowhere else ----
def grey(path, *words):
    """The pixels of a picture from above that have the colour of no data."""
    done = otok("render", path, "-o", "p.png", "-n", 1, "-s", "400x300", "--elevation", 90, "--distance", 800, "--no-shadows", *words, env=DRAWN, code=None)
    if done.returncode == 69 or "this build" in done.stderr:
        return None
    check(done.returncode == 0, done.stderr)
    return {(i, j) for j, row in enumerate(png(SPACE / "p.png")[2]) for i in range(400) if row[3 * i : 3 * i + 3] == bytes((111,) * 3)}


def shape(pixels):
    """The same wherever the middle of the view is: a legend beside it moves it."""
    left, top = min(i for i, _ in pixels), min(j for _, j in pixels)
    return {(i - left, j - top) for i, j in pixels}


def within_a_pixel(a, b):
    return all(any((i + x, j + y) in one for x in (-1, 0, 1) for y in (-1, 0, 1)) for one, other in ((a, b), (b, a)) for i, j in other)


DRAWN = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "LIBGL_ALWAYS_SOFTWARE": "1", "ASAN_OPTIONS": "detect_leaks=0"}
whole = grey(path, "--style", "phong")
if whole is not None:
    check(100 < len(whole) < 0.1 * 400 * 300, f"{len(whole)} pixels of no data")
    for words in (["--style", "water"], ["--style", "speed"], ["--field", "terrain"], ["--style", "island", "--clouds", 0, "--sea", "none"], ["--style", "island", "--clouds", 0]):
        found = grey(path, *words)
        as_whole = len(found & whole) > 0.9 * len(whole) if "island" in words else within_a_pixel(shape(found), shape(whole))
        check(as_whole, f"{words}: {len(found)} pixels, not {len(whole)}")
    run(scenario("ground.yaml", NX, "full.asc"), "ground")
    check(not grey(checkpoints("ground")[-1], "--field", "terrain"), "no data without walls")
    plain = ("--field", "terrain", "--colours", "otok", "--low", -99, "--high", 999)
    otok("view", path, "--headless", "--frames", 1, "-s", "160x120", "--picture", SPACE / "view.png", *plain, env=DRAWN)
    otok("render", path, "-o", "p.png", "-s", "160x120", "-n", 1, *plain, env=DRAWN)
    check(png(SPACE / "view.png") == png(SPACE / "p.png"), "otok view draws another picture")

# ---- other fills are ground; what cannot be is refused ----
for fill, words in (("nearest", "got a height"), ("constant, fill_height: 61", "got a height"), ("61 m", "got a height")):
    done = otok("base", scenario("f.yaml", NX, f"{{file: both.asc, fill: {fill}}}"), "-o", "f.vtkhdf")
    otok("export", "f.vtkhdf", "-o", "f.asc")
    check("61" not in fill or np.all(grid("f.asc")[WALL] == 61), f"{fill}: {grid('f.asc')[WALL]}")
    check(words in done.stderr and SAID not in done.stderr and not (grid("f.asc") == -9999).any(), f"{fill}: {done.stderr}")
for fill, words in (("61 m, fill_height: 61", "keep one"), ("61 s", "fill"), ("-2000000", "out of range"), ("auto", "is none of wall|")):
    check(words in otok("base", scenario("f.yaml", NX, f"{{file: both.asc, fill: {fill}}}"), "-o", "f.vtkhdf", code=65).stderr, f"fill: {fill}")
lost = scenario("lost.yaml", NX, "both.asc", phases=RAIN.replace("y: 60, radius: 20", "y: 60, radius: 3"))
check("river 1" in run(lost, "lost", code=65).stderr, "a river in a wall")
inside, SIDES = (LEFT + 1) * CELL, {"left": (slice(None), 0), "right": (slice(None), -1), "bottom": (0, slice(None)), "top": (-1, slice(None))}
for what, place, words in (("a gauge", f"x: {inside}, y: 60", "lost at x 95 m, y 60 m is in a cell"), ("a section", f"x: {inside}, y: 10, to_x: {inside}, to_y: 120", "cross section lost"),
                           ("a slanted section", f"x: {inside - 4}, y: 10, to_x: {inside + 4}, to_y: 120", "cross section lost"), ("a section into a wall", f"x: {inside - 12}, y: 10, to_x: {inside}, to_y: 30", "")):
    placed = scenario("lost.yaml", NX, "both.asc", more=f"gauges: [{{name: good, x: 20, y: 20}}, {{name: lost, {place}}}]\n", phases=PHASES.split("  - {name: slow")[0].replace("120", "2"))
    for command in (["run", placed, "-o", "lost", "--overwrite"], ["run", placed, "-o", "lost", "--dry-run"]):
        said = otok(*command, code=65 if words else 0).stderr
        check(not words or (f"gauges: {words}" in said or f"gauges: the {words}" in said) and "move it" in said, f"{what}: {said}")
for side, at in SIDES.items():
    for beyond in (f"{side}: critical", f"{side}_level: [[0 s, 70]]"):
        for walls in (at, (at[0], slice(0, 9)) if side in ("bottom", "top") else (slice(0, 9), at[1])):
            z = Z.copy()
            z[walls] = np.nan
            asc("side.asc", z)
            whole = walls == at
            said = run(scenario("side.yaml", NX, "side.asc", edges=f"{{{side}: open}}", phases=f"phases: [{{name: p, iterations: 2, sides: {{{beyond}}}, hydraulic: {{dt: 0.05, law: local_inertia, capacity: 0}}}}]\n"), "side", "--overwrite", code=65 if whole else 0).stderr
            check(not whole or f"phases.p.sides: along the {side} side are only cells without data" in said, f"{beyond}: {said}")
said = otok("road", path, "--from", "20,75", "--to", "180,75", "-o", "road.vtkhdf", code=65).stderr
check("cells without data, which are walls" in said and not (SPACE / "road.vtkhdf").exists(), f"a road through walls: {said}")
otok("road", path, "--from", "20,20", "--to", "60,130", "-o", "road.vtkhdf")
ledger = dict(re.findall(r"^. (\w+) +(\S+)", otok("inspect", "road.vtkhdf").stdout, re.M))
done = run(scenario("onwards.yaml", NX, "full.asc", more="initial: {file: road.vtkhdf}\n"), "onwards")
start = re.search(r"at the start +(\S+) m3", done.stderr.split("solid now")[1]).group(1)
check(float(f"{float(start):.9g}") == float(ledger["solid_start"]), f"{start} m3 of ground, with the road {ledger['solid_start']}")
asc("none.asc", np.full((NY, NX), np.nan))
check("none of its cells has data" in run(scenario("none.yaml", NX, "none.asc"), "none", code=65).stderr, "a map of walls alone")
finish()
