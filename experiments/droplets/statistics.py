#!/usr/bin/env python3
"""Do batches change what droplets make of a terrain? Runs droplets.yaml with batches of one (the sequential algorithm) and other seeds for
the droplets, which shows how far chance alone moves a statistic, then with larger batches; the terrain before is always the same.
Prints, for slope, height and drainage area, the greatest difference between two cumulative distributions (Kolmogorov-Smirnov).

usage: statistics.py OTOK FOLDER [SIZE...]      needs numpy and h5py
"""
import heapq
import pathlib
import subprocess
import sys

import h5py
import numpy

HERE = pathlib.Path(__file__).parent
SEEDS = [11, 12, 13, 14, 15, 16]  # of the sequential runs
MORE = [21, 22, 23]  # of each larger batch: other droplets again


def run(otok, folder, base, size, seed):
    out = folder / f"{size}_{seed}"
    if not list(out.glob("*.vtkhdf")) or not (out / "done").exists():
        subprocess.run([otok, "run", HERE / "droplets.yaml", "-o", out, "--overwrite", "--set", f"seed={seed}", "--set",
                        f"initial.file={base}", "--set", f"phases.droplets.droplets.batch={size}"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (out / "done").touch()
    with h5py.File(sorted(out.glob("*.vtkhdf"))[-1]) as file:
        return file["terrain"][:].astype(float)


def drainage(height):
    """Cells upstream of each cell, itself included: flooded from the border inwards, each cell drains to the one that flooded it."""
    ny, nx = height.shape
    flat, waits = height.ravel(), numpy.ones(height.size, bool)
    down, order, heap = numpy.full(height.size, -1), [], []
    for c in range(height.size):
        j, i = divmod(c, nx)
        if j in (0, ny - 1) or i in (0, nx - 1):
            waits[c] = False
            heap.append((flat[c], c))
    heapq.heapify(heap)
    level, done = flat.tolist(), waits.tolist()
    while heap:
        top, c = heapq.heappop(heap)
        order.append(c)
        j, i = divmod(c, nx)
        for dj in (-1, 0, 1):
            for di in (-1, 0, 1):
                b = c + dj * nx + di
                if 0 <= j + dj < ny and 0 <= i + di < nx and done[b]:
                    done[b] = False
                    down[b] = c
                    heapq.heappush(heap, (max(level[b], top), b))
    area = numpy.ones(height.size)
    for c in reversed(order):
        if down[c] >= 0:
            area[down[c]] += area[c]
    return area


def statistics(height):
    gy, gx = numpy.gradient(height)
    return [numpy.sort(x) for x in (numpy.hypot(gx, gy).ravel(), height.ravel(), drainage(height))]


def distance(a, b):
    both = numpy.concatenate([a, b])
    return abs(numpy.searchsorted(a, both, "right") / a.size - numpy.searchsorted(b, both, "right") / b.size).max()


def row(name, pairs):
    found = numpy.array([[distance(x, y) for x, y in zip(a, b)] for a, b in pairs])
    cells = "".join(f" {mean:.4f} ({most:.4f}) |" for mean, most in zip(found.mean(0), found.max(0)))
    print(f"| {name} |{cells}", flush=True)


def main():
    otok, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    sizes = [int(s) for s in sys.argv[3:]] or [64, 1024, 2048, 4096, 16384, 65536]
    folder.mkdir(parents=True, exist_ok=True)
    base = folder / "base.vtkhdf"
    if not base.exists():
        subprocess.run([otok, "base", HERE / "droplets.yaml", "-o", base], check=True, stdout=subprocess.DEVNULL)
    with h5py.File(base) as file:
        before = statistics(file["terrain"][:].astype(float))
    alone = [statistics(run(otok, folder, base, 1, seed)) for seed in SEEDS]
    print("| batch | slope: mean (largest) | height | drainage area |\n| --- | --- | --- | --- |")
    row("before any droplet", [(before, a) for a in alone])
    row("1, other droplets", [(a, b) for n, a in enumerate(alone) for b in alone[:n]])
    for size in sizes:
        row(size, [(statistics(run(otok, folder, base, size, seed)), a) for seed in MORE for a in alone])


main()
