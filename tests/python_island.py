"""Claim: otok.island finds the form of islands that are built with it, its depths, continuity and terraces, in a map and in a profile, however
it is turned, and in a checkpoint; what has no island is refused. `python3 tests/python_island.py PATH_TO_OTOK`, with OTOK_LIBRARY and
PYTHONPATH set."""
from cli import *

try:
    import h5py
    import numpy as np
except ImportError as why:
    skip(f"{why}; install tests/requirements.txt")
import otok as package
from otok import island

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
            and found.continuity == (rim == rim) and found.shares == {word: 1.0})


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
    check(near(found, *expected), f"{name}: {found}")
    turned = island.form(np.rot90(terrain), np.rot90(reef), SEA, CELL)
    check(repr(turned) == repr(found), f"{name}, turned: {turned}")
    middle = slice(N // 2, N // 2 + 1)
    profile = island.form(terrain[middle], reef[middle], SEA, CELL)
    check(near(profile, *expected), f"{name}, a profile: {profile}")
    column = island.form(terrain[:, middle], reef[:, middle], SEA, CELL)
    check(repr(column) == repr(profile), f"{name}, a column: {column}")

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
for kind, text, call in ((package.UsageError, "shapes", lambda: island.form(terrain, reef[1:], SEA, CELL)),
                         (package.DataError, "no island", lambda: island.form(terrain - 1000, 0 * reef, SEA, CELL))):
    try:
        call()
        check(False, f"no {kind.__name__}: {text}")
    except kind as why:
        check(text in str(why), f"{why!r}, not {text}")
finish("forms of islands")
