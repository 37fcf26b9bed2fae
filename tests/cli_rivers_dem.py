"""Claim: on a real DEM in whole metres, with its flats and hollows, receivers and areas are those of a sequential program, which joins basins one by one
(Prim). The DEM is the sample that matplotlib's wheel carries (tests/dem.py), 403 x 344 cells."""

import heapq

from cli import *

with needed():
    import matplotlib.cbook
    import numpy as np

WAYS = [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)]  # NW N NE W E SW S SE
SEED = 5
heights = matplotlib.cbook.get_sample_data("jacksboro_fault_dem.npz")["elevation"].astype(np.int64)[::-1]  # the south row first
heights = heights[:96, :112] if SMALL else heights
NY, NX = heights.shape


def mixed(x):
    x = np.asarray(x, np.uint64) & 0xFFFFFFFF
    x = (x ^ x >> 16) * 0x7FEB352D & 0xFFFFFFFF
    x = (x ^ x >> 15) * 0x846CA68B & 0xFFFFFFFF
    return x ^ x >> 16


def sequential():
    """The direction of each cell, 8: none; and how many drain through it."""
    h, cells, rim = heights.ravel(), np.arange(NX * NY), np.zeros((NY, NX), bool)
    rim[[0, -1]] = rim[:, [0, -1]] = True
    wide = np.pad(cells.reshape(NY, NX), 1, constant_values=-1)
    beside = np.stack([wide[1 + y : 1 + y + NY, 1 + x : 1 + x + NX].ravel() for x, y in WAYS], 1)
    draw = mixed(SEED ^ int(mixed(0)))
    way, most = np.full(cells.size, 8), np.zeros(cells.size, np.float32)
    keys = np.zeros((cells.size, 8), np.uint64)
    for q, (x, y) in enumerate(WAYS):
        fall = np.where(beside[:, q] < 0, 0, h - h[beside[:, q]]).astype(np.float32) * np.float32(1 if x * y == 0 else 0.70710678)
        way[fall > most], most = q, np.maximum(fall, most)
        face = 4 * cells + q - 4 if q > 3 else 4 * beside[:, q] + 3 - q
        keys[:, q] = np.maximum(h, h[beside[:, q]]).astype(np.uint64) << 32 | mixed(face.astype(np.uint64) ^ draw)
    way[rim.ravel()] = 8
    basin = cells.copy()
    for cell in np.argsort(h, kind="stable").tolist():
        if way[cell] < 8:
            basin[cell] = basin[beside[cell, way[cell]]]
    outside = rim.ravel()[basin]
    members = np.split(np.argsort(basin, kind="stable"), np.flatnonzero(np.diff(np.sort(basin))) + 1)
    members = {int(basin[some[0]]): some.tolist() for some in members}
    heap, joined, keys, around = [], outside.tolist(), keys.tolist(), beside.tolist()

    def look_from(some):  # outside, at what is not
        for cell in some:
            for q, to in enumerate(around[cell]):
                if to >= 0 and not joined[to]:
                    heapq.heappush(heap, (keys[cell][q], to, 7 - q))

    look_from(np.flatnonzero(outside).tolist())
    way = way.tolist()
    while heap:
        _, cell, out = heapq.heappop(heap)
        if joined[cell]:
            continue
        some = members[int(basin[cell])]
        for one in some:
            joined[one] = True
        while True:  # turns the way to the pit round
            was, way[cell] = way[cell], out
            if was == 8:
                break
            cell, out = around[cell][was], 7 - was
        look_from(some)
    area, left = [1] * len(way), [0] * len(way)
    for cell, q in enumerate(way):
        if q < 8:
            left[around[cell][q]] += 1
    ready = [cell for cell, n in enumerate(left) if n == 0]
    for cell in ready:
        if way[cell] < 8:
            to = around[cell][way[cell]]
            area[to] += area[cell]
            left[to] -= 1
            if not left[to]:
                ready.append(to)
    check(len(ready) == len(way), f"{len(way) - len(ready)} cells drain in a circle")
    return np.reshape(way, (NY, NX)), np.reshape(area, (NY, NX)), int((basin == cells).sum() - rim.sum())


def field(name, file):
    otok("export", file, "-o", SPACE / f"{name}.r32", "--field", name)
    return np.fromfile(SPACE / f"{name}.r32", "<f4").reshape(NY, NX)[::-1]


with open(SPACE / "dem.asc", "w") as f:
    f.write(f"ncols {NX}\nnrows {NY}\nxllcorner 0\nyllcorner 0\ncellsize 90\n")
    np.savetxt(f, heights[::-1], fmt="%d")
path = write("dem.yaml", f"otok: 1\nseed: {SEED}\naudit: off\ngrid: {{nx: {NX}, ny: {NY}, spacing: 90}}\nsea: {{level: -1}}\nedges: {{left: open, right: open, "
             "bottom: open, top: open}\nbase: [{raster: {file: dem.asc}}]\nphases: [{iterations: 1, incision: {dt: 1, erodibility: 0, routing: steepest}}]\n")
run(path, SPACE / "dem", "--backend", BACKEND, "-q")
last = checkpoints(SPACE / "dem")[-1]
check((field("terrain", last) == heights).all(), "the DEM comes as it is")
way, area, pits = sequential()
wrong = (field("receiver", last).astype(int) + 8) % 9 != way
check(not wrong.any(), f"{wrong.sum()} of {wrong.size} receivers differ")
wrong = field("drainage_area", last) != (area * 8100).astype(np.float32)
check(not wrong.any(), f"{wrong.sum()} of {wrong.size} areas differ")
check(pits > wrong.size / 500 and area.max() > wrong.size / 50, f"{pits} pits and a largest area of {area.max()} cells are no test")
finish(f"{NX} x {NY} cells, {pits} pits: receivers and areas as one by one")
