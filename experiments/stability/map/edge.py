"""`edge.py OUT`: the line between stable and other members over dt and pipe area. A grid of 9 x 9 members comes first, then, side by side
halved four times, members in the cells that the line crosses. OUT/edge_NAME/boundary.csv has the points half-way between a stable member
and a neighbour that is not."""
import csv
import sys
from pathlib import Path

import numpy as np

import otok

LEVELS = 4
SIDE = 8 << LEVELS
AXES = {"phases.water.hydraulic.dt": (1e-3, 1), "phases.water.hydraulic.pipe_area": (1e-2, 100)}  # logarithmic
UNKNOWN, OTHER, STABLE = -1, 0, 1


def value(axis, place):
    low, high = AXES[axis]
    return low * (high / low) ** (place / SIDE)


def save(path, head, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([head, *rows])


def wanted(known):
    """The members of the next round: all nine of each of the largest cells that the line crosses and that lack some."""
    if (known == UNKNOWN).all():
        return [(i, j) for i in range(0, SIDE + 1, 1 << LEVELS) for j in range(0, SIDE + 1, 1 << LEVELS)]
    for side in (1 << level for level in range(LEVELS, 0, -1)):
        new = set()
        for i, j in np.ndindex(SIDE // side, SIDE // side):
            cell = known[i * side : (i + 1) * side + 1, j * side : (j + 1) * side + 1]
            if (cell[::side, ::side] != UNKNOWN).all() and (cell == OTHER).any() and (cell == STABLE).any():
                new |= {(i * side + a, j * side + b) for a, b in np.argwhere(cell == UNKNOWN) if a % (side // 2) == b % (side // 2) == 0}
        if new:
            return sorted(new)
    return []


def refine(scenario, out):
    """Whether a member is stable, by place; the rounds are studies in folders of `out`, which are not run again."""
    known = np.full((SIDE + 1, SIDE + 1), UNKNOWN)
    number = 0
    while places := wanted(known):
        number += 1
        save(out / f"round{number}.csv", AXES, [[value(axis, at) for axis, at in zip(AXES, place)] for place in places])
        table = otok.study({"study": 1, "scenario": scenario, "design": {"kind": "list", "file": out / f"round{number}.csv"}, "monitor": {"every": 50}},
                           out / f"round{number}", backend="cpu", resume=True)
        for place, verdict in zip(places, table.verdict_word.values):
            known[place] = STABLE if verdict == "stable" else OTHER
    return known


if __name__ == "__main__":
    for name in ("still", "friction"):
        out = Path(sys.argv[1]) / f"edge_{name}"
        known = refine(Path(__file__).with_name(f"{name}.yaml"), out)
        points = [(i + a / 2, j + b / 2) for a, b in ((1, 0), (0, 1)) for i, j in np.ndindex(SIDE + 1 - a, SIDE + 1 - b)
                  if {known[i, j], known[i + a, j + b]} == {STABLE, OTHER}]
        save(out / "boundary.csv", AXES, [[value(axis, at) for axis, at in zip(AXES, point)] for point in points])
        print(f"{name}: {(known != UNKNOWN).sum()} members, {(known == STABLE).sum()} stable; {len(points)} points of the boundary")
