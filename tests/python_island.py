"""Claim: otok.island finds the form of islands that are built with it, its depths, continuity and terraces, in a map and in a profile, however
it is turned, in a checkpoint, as `otok inspect` prints it, and in the file of a study; the column below a gauge has what an account of every step has; what has no island is refused. `python3 tests/python_island.py PATH_TO_OTOK`, with OTOK_LIBRARY and
PYTHONPATH set."""
import json

from cli import *

with needed():
    import h5py
    import numpy as np
import otok as package
from otok import column as below, island

CELL, N = 100.0, 97
Y, X = np.mgrid[:N, :N] - N // 2
AWAY, ANGLE = CELL * np.hypot(X, Y), np.arctan2(Y, X)
SEA = 30.0


def built(*belts, away=AWAY):
    """Belts from the middle outwards: the distance of their outer edge [m], depth [m], reef [m]; then the deep sea."""
    edges = [away < edge for edge, _, _ in belts]
    return SEA - np.select(edges, [depth for _, depth, _ in belts], 500.0), np.select(edges, [reef for _, _, reef in belts], 0.0)


def near(found, word, lagoon, rim, drowned=0, raised=0):
    same = [abs(a - b) < 1e-6 or (a != a and b != b) for a, b in ((found.lagoon_depth, lagoon), (found.rim_depth, rim))]
    return (found.word == word and all(same) and (found.drowned_terraces, found.raised_terraces) == (drowned, raised)
            and found.continuity == (rim == rim) and found.share == 1 and found.shares == {word: 1.0})


NAN = float("nan")
ISLANDS = {
    "fringing": (((1000, -80, 0), (1600, 0.5, 20)), ("fringing", NAN, 0.5)),
    "fringing, raised above the sea": (((1000, -80, 0), (1600, -4, 20)), ("fringing", NAN, -4)),
    "barrier": (((1000, -80, 0), (2600, 40, 5), (3200, 2, 40)), ("barrier", 40, 2)),
    "barrier whose moat is too shallow": (((1000, -80, 0), (2600, 11.9, 5), (3200, 2, 40)), ("fringing", NAN, 2)),
    "atoll": (((2600, 60, 50), (3200, 1, 90)), ("atoll", 60, 1)),
    "platform": (((3200, 3, 90),), ("platform", NAN, 3)),
    "submerged": (((3200, 20, 90),), ("submerged", NAN, NAN)),
    "drowned": (((3200, 31, 90),), ("drowned", NAN, NAN, 1)),
    "bare": (((1000, -80, 0), (1600, 5, 0.9)), ("bare", NAN, NAN)),
    "fringing over a drowned terrace": (((1000, -80, 0), (1600, 1, 20), (1900, 60, 0), (3000, 80, 20)), ("fringing", NAN, 1, 1)),
    "fringing under two raised ones": (((900, -90, 0), (1500, -60, 9), (1700, -40, 0), (2400, -20, 9), (3000, 0.5, 20)), ("fringing", NAN, 0.5, 0, 2)),
}
for name, (belts, expected) in ISLANDS.items():
    terrain, reef = built(*belts)
    found = island.form(terrain, reef, SEA, CELL)
    check(near(found, *expected) and found.land_share == (terrain > SEA).mean(), f"{name}: {found}")
    turned = island.form(np.rot90(terrain), np.rot90(reef), SEA, CELL)
    check(repr(turned) == repr(found), f"{name}, turned: {turned}")
    middle = slice(N // 2, N // 2 + 1)
    profile = island.form(terrain[middle], reef[middle], SEA, CELL)
    check(near(profile, *expected), f"{name}, a profile: {profile}")
    column = island.form(terrain[:, middle], reef[:, middle], SEA, CELL)
    check(repr(column) == repr(profile), f"{name}, a column: {column}")

# the width of a lagoon, and cells without data, which count neither as land nor as reef
terrain, reef = built(*ISLANDS["barrier"][0])
for gap, width in ((0, 1600), (400, 1200)):
    found = island.form(np.where((AWAY >= 1500) & (AWAY < 1500 + gap), np.nan, terrain), reef, SEA, CELL)
    check(near(found, *ISLANDS["barrier"][1]) and abs(found.lagoon_width - width) <= CELL, f"without data over {gap} m: {found}")

# a barrier with passes in a quarter of the azimuths, where the reef is 20 m deep
terrain, reef = built(*ISLANDS["barrier"][0])
passes = (np.abs(ANGLE) < np.pi / 4) & (AWAY > 2550)
found = island.form(np.where(passes, np.minimum(terrain, SEA - 20), terrain), reef, SEA, CELL)
check(found.word == "barrier" and 0.70 < found.continuity < 0.78 and set(found.shares) == {"barrier", "submerged"}, f"passes: {found}")
check(abs(sum(found.shares.values()) - 1) < 1e-12, f"{found.shares}")

# a checkpoint: the reef grows up to the sea around a cone
write("cone.yaml", "otok: 1\ngrid: {nx: 41, ny: 33, spacing: 100}\nbase: [{cone: {height: 300, radius: 1500}}, {constant: {height: -200, combine: add}}]\n"
      "phases: [{name: a, iterations: 20, reef: {law: light_saturation, dt: 3.2e9}}]\n")
run(SPACE / "cone.yaml", SPACE / "out")
found = island.of(SPACE / "out/cone_00000020.vtkhdf")
with h5py.File(SPACE / "out/cone_00000020.vtkhdf") as file:
    maps = file["VTKHDF/PointData"]
    check(repr(found) == repr(island.form(maps["terrain"][()], maps["reef"][()], 0, 100)) and found.word == "fringing", f"checkpoint: {found}")
told = json.loads(otok("inspect", "--json", SPACE / "out/cone_00000020.vtkhdf").stdout)["form"]
check(told == {"word": found.word, "form_share": found.share, "lagoon_depth": None, "lagoon_width": None,
               **{name: getattr(found, name) for name in ("continuity", "rim_depth", "land_share", "drowned_terraces", "raised_terraces")}}, f"inspect: {told}")
check("form: fringing\n" in otok("inspect", SPACE / "out/cone_00000020.vtkhdf").stdout, "inspect prints no form")
# a study: the forms of its members beside their verdicts, one refused, one bare; without a reef it has no such columns
table = package.study({"study": 1, "scenario": package.Scenario(SPACE / "cone.yaml"), "keep": {"fields": ["terrain", "reef"], "when": ["last"]}},
                      members={"phases.a.reef.max_growth": [3.2e-10, -1, 0]}, backend="cpu")
check(table.form_word.values.tolist() == ["fringing", "none", "bare"] and table.form.values.tolist() == [0, -1, 6], f"{table.form}")
check(table.verdict_word.values.tolist() == ["stable", "refused", "stable"], f"{table}")
bare = package.study("otok: 1\ngrid: {nx: 8, ny: 8}\nphases: [{name: a, iterations: 4, thermal: {}}]", members={"phases.a.thermal.dt": [0.1]}, backend="cpu")
check(not {"form", "form_word", "rim_depth"} & set(bare.variables), f"a form without a reef: {bare}")
check(repr(island.form(table.map_terrain.values[0], table.map_reef.values[0], 0, 100)) == repr(found)
      and table.rim_depth.values[0] == found.rim_depth and np.isnan(table.rim_depth.values[1:]).all(), f"{table.rim_depth}")
# 400,000 years on profiles and maps of a cone under the sea of the ice ages: peak [m], slope, sinking and growth [mm/yr], with waves; forms 328,
# 237 and 121 thousand years ago and today with the depths of the lagoon of the profile and the map, known within 25 % from a prototype in numpy;
# other steps and cells have the same forms
AGES = (328, 237, 121, 0)
SETS = {
    "fringing": ((180, 0.12, 0.05, 10, True), "fringing", "fringing", "fringing", "fringing"),
    "barrier": ((180, 0.08, 0.4, 10, True), "fringing", ("barrier", 18, 17), ("barrier", 19, 15), ("barrier", 47, 39)),
    "barrier without waves": ((180, 0.08, 0.4, 10, False), "fringing", "fringing", "fringing", "fringing"),
    "darwin": ((140, 0.08, 0.5, 10, True), "fringing", ("barrier", 22, 19), ("atoll", 42, 30), ("atoll", 64, 52)),
    "stepped": ((600, 0.2, 1.2, 10, True), "fringing", "fringing", "fringing", "fringing"),
    "drowned": ((60, 0.08, 1.2, 4, True), None, "drowned", "drowned", "drowned"),
    "raised": ((180, 0.2, -0.5, 10, True), "fringing", "fringing", "fringing", "fringing"),
}
YEAR = 31556925.9747


def cone(peak, slope, sinking, growth, waves, *, is_map=False, spacing=100, dt=100):
    """A simulation of a set, of a profile or a map; waves come every 1000 years."""
    swell = {"waves": {"every": max(1, 1000 // dt), **({} if is_map else {"directions": 4, "rose": [0, 1, 0, 1]})}} if waves else {}
    nx, ny = (9600 // spacing,) * 2 if is_map else (12800 // spacing, 1)
    sides = ("left", "right", "bottom", "top") if is_map else ("left", "right")
    return package.Simulation(package.Scenario({
        "otok": 1, "grid": {"nx": nx, "ny": ny, "spacing": spacing}, "audit": False, "edges": dict.fromkeys(sides, "open"),
        "base": [{"cone": {"height": slope * 30000, "radius": 30000}}, {"constant": {"height": peak - slope * 30000, "combine": "add"}}],
        "layers": [{"name": "sand", "thickness": 0}, {"name": "reef", "thickness": 0}, {"name": "lava"}],
        "phases": [{"iterations": 400000 // dt, **swell, "marine_diffusion": {}, "uplift": {"rate": -sinking / 1000 / YEAR}, "reef": {
            "law": "light_saturation", "dt": dt * YEAR, "max_growth": growth / 1000 / YEAR, "rubble": 0.3,
            "sea_history": {"pleistocene": -400000 * YEAR}}}]}), backend="cpu")


MAPS = "barrier", "darwin", "stepped", "raised"  # the others as profiles alone
for name, (place, *forms), is_map in ((name, of, is_map) for name, of in SETS.items() for is_map in (False, True)[: 1 + (name in MAPS)]):
    dt = 500 if is_map else 100
    sim, what = cone(*place, is_map=is_map, dt=dt), f"{name}, {'map' if is_map else 'profile'}"
    seen = []
    for age, expected in zip(AGES, forms):
        sim.run((400 - age) * 1000 // dt - sim.iteration)
        seen.append(island.form(sim["terrain"], sim["reef"], sim.sea_level, 100))
        word, *lagoons = expected if isinstance(expected, tuple) else (expected,)
        check(expected is None or seen[-1].word == word, f"{what}, {age} kyr ago: {seen[-1]}")
        check(not lagoons or abs(seen[-1].lagoon_depth / lagoons[is_map] - 1) <= 0.25, f"{what}, {age} kyr ago: a lagoon of {seen[-1].lagoon_depth} m")
        check(age or seen[-1].rim_depth != seen[-1].rim_depth or seen[-1].rim_depth <= 5, f"{what}: a rim {seen[-1].rim_depth} m deep")
    terraces = [(found.drowned_terraces, found.raised_terraces) for found in seen[1:]]
    check(name != "stepped" or all(drowned for drowned, _ in terraces[1:]), f"{what}: terraces {terraces}")
    check(name != "raised" or all(raised == 1 for _, raised in terraces), f"{what}: terraces {terraces}")

# the forms of the barrier and of Darwin's sequence with other steps and cells
for spacing, dt in ((100, 50), (100, 500), (50, 100), (200, 100)):
    for name in ("barrier", "darwin"):
        place, *forms = SETS[name]
        sim = cone(*place, spacing=spacing, dt=dt)
        for age, expected in zip(AGES, forms):
            sim.run((400 - age) * 1000 // dt - sim.iteration)
            seen = island.form(sim["terrain"], sim["reef"], sim.sea_level, spacing)
            word = expected[0] if isinstance(expected, tuple) else expected
            check(seen.word == word, f"{name}, cells of {spacing} m, steps of {dt} years, {age} kyr ago: {seen}, not {word}")

# the column of a reef that two producers make, that the sea leaves and karst dissolves, beside an account of every iteration
RATES = ((0.002, 0.1, 250), (0.001, 0.03, 250))  # [m/yr], [1/m], [umol m-2 s-1]
STEP, END, CELL_OF_RIM = 500, 400, 14
reefs = {
    "otok": 1, "grid": {"nx": 64, "ny": 1, "spacing": 100}, "audit": False, "edges": {"left": "open", "right": "open"},
    "base": [{"cone": {"height": 300, "radius": 3000}}, {"constant": {"height": -180, "combine": "add"}}],
    "layers": [{"name": "sand", "thickness": 0}, {"name": "reef", "thickness": 0}, {"name": "lava"}],
    "gauges": [{"name": "rim", "x": (CELL_OF_RIM + 0.5) * 100, "y": 50}], "output": {"gauges": 1},
    "phases": [{"iterations": END, "marine_diffusion": {}, "uplift": {"rate": "-0.2 mm/yr"}, "reef": {
        "law": "light_saturation", "dt": f"{STEP} yr", "max_growth": "2 mm/yr", "rubble": 0.3, "denudation": "80 mm/kyr",
        "producers": [{"max_growth": "1 mm/yr", "absorption": 0.03}], "sea_history": {"saw": {"amplitude": 60, "period": "100 kyr", "rise": 0.2}}}}]}
sim, pile, before = package.Simulation(package.Scenario(reefs), backend="cpu"), [], 0.0
for n in range(END):
    sim.run(1)
    now = float(sim["layer_reef"][0, CELL_OF_RIM])
    if now > before:
        pile.append((before, now, n))
    while pile and pile[-1][1] > now:
        bottom, top, when = pile.pop()
        if bottom < now:
            pile.append((bottom, now, when))
    before = now
path = package.run(package.Scenario(reefs), SPACE / "column", backend="cpu")[-1]
found = below.of(path, "rim")
rock = float(sim["terrain"][0, CELL_OF_RIM] - sim["layer_sand"][0, CELL_OF_RIM] - before)
placed = found[found["end"] == found["end"]]
check(len(pile) > 40 and max(b - a for (*_, a), (*_, b) in zip(pile, pile[1:])) > 20, f"the account has {len(pile)} pieces, or no gap: {pile}")
for bottom, top, when in pile:
    if top - bottom < 0.01:
        continue
    same = placed[np.abs(placed["end"] - (when + 1) * STEP * YEAR) < 0.1 * STEP * YEAR]
    check(len(same) == 1 and abs(same["bottom"][0] - rock - bottom) < 2e-3 and abs(same["top"][0] - rock - top) < 2e-3,
          f"from {bottom} to {top} m in iteration {when}: {same}")
check(abs(sum(placed["top"] - placed["bottom"]) - before) < 1e-2, f"{sum(placed['top'] - placed['bottom'])} m of {before} in place")
check(found[-1]["producer"] == below.LOOSE and abs(found[-1]["top"] - float(sim["terrain"][0, CELL_OF_RIM])) < 1e-3, f"{found[-1]}")
first, second = (most * np.tanh(2000 / light * np.exp(-absorption * (placed["depth"][:, None] + (-8, 8)))) for most, absorption, light in RATES)
for producer, sure in ((1, (first > second).all(1)), (2, (second > first).all(1))):
    check(sure.sum() > 5 and (placed["producer"][sure] == producer).all(), f"{sure.sum()} pieces of producer {producer}: {placed[sure]}")
for text, call in (("no gauge `reef`, but rim", lambda: below.of(path, "reef")), ("no series", lambda: below.of(SPACE / "out/cone_00000020.vtkhdf", "rim"))):
    try:
        call()
        check(False, f"no DataError: {text}")
    except package.DataError as why:
        check(text in str(why), f"{why}, not {text}")

for kind, text, call in ((package.UsageError, "shapes", lambda: island.form(terrain, reef[1:], SEA, CELL)),
                         (package.DataError, "not finite", lambda: island.form(terrain, np.where(reef, np.inf, 0), SEA, CELL)),
                         (package.DataError, "lacks reef", lambda: island.of(package.run(
                             "otok: 1\ngrid: {nx: 8, ny: 8}\nphases: [{name: a, iterations: 4, thermal: {}}]", SPACE / "bare", backend="cpu")[-1])),
                         (package.DataError, "no island", lambda: island.form(terrain - 1000, 0 * reef, SEA, CELL))):
    try:
        call()
        check(False, f"no {kind.__name__}: {text}")
    except kind as why:
        check(text in str(why), f"{why!r}, not {text}")
finish("forms of islands")
