#!/usr/bin/env python3
"""Ten pairs before and after 200,000 droplets, as D20 shows them: the seed alone differs.

Prints a table of slopes and extrema, and draws pairs.jpg: five pairs a row, before above after.

usage: pairs.py OTOK FOLDER      needs numpy, scipy, h5py and Pillow
"""
import pathlib
import subprocess
import sys

import h5py
import numpy
from PIL import Image
from scipy.ndimage import uniform_filter

HERE = pathlib.Path(__file__).parent
SEEDS = range(1, 11)
SIZE = (240, 150)


def call(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def slope(height):
    return numpy.hypot(*numpy.gradient(height))


def statistics(file):
    """Slopes: mean, median, 95th percentile; plains, extrema, extrema of plains [% of cells]."""
    with h5py.File(file) as state:
        height = state["terrain"][:].astype(float)
    ny, nx = height.shape
    middle = height[1:-1, 1:-1]
    around = [height[1 + j : ny - 1 + j, 1 + i : nx - 1 + i]
              for j in (-1, 0, 1) for i in (-1, 0, 1) if i or j]
    extreme = (middle > numpy.max(around, 0)) | (middle < numpy.min(around, 0))
    plain = slope(uniform_filter(height, 9, mode="nearest"))[1:-1, 1:-1] < 0.1
    steep = slope(height)
    return [steep.mean(), numpy.median(steep), numpy.percentile(steep, 95),
            100 * plain.mean(), 100 * extreme.mean(), 100 * extreme[plain].mean()]


def main():
    otok, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    sheet = Image.new("RGB", (5 * SIZE[0], 4 * SIZE[1]))
    print("| seed | mean slope | median | 95 % | plains, % | extrema, % | of plains, % |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for place, seed in enumerate(SEEDS):
        out = folder / str(seed)
        if not (out / "droplets_00000098.vtkhdf").exists():
            call(otok, "run", HERE / "droplets.yaml", "--set", f"seed={seed}", "-o", out)
        columns = []
        for row, state in enumerate(["droplets_00000000", "droplets_00000098"]):
            columns.append(statistics(out / f"{state}.vtkhdf"))
            call(otok, "render", out / f"{state}.vtkhdf", "-o", out / f"{state}.png", "--style",
                 "phong", "--sea", "none", "--size", f"{SIZE[0]}x{SIZE[1]}")
            at = (place % 5 * SIZE[0], (place // 5 * 2 + row) * SIZE[1])
            sheet.paste(Image.open(out / f"{state}.png").convert("RGB"), at)
        digits = [2, 2, 2, 1, 1, 1]
        cells = [f"{b:.{d}f} → {a:.{d}f}" for b, a, d in zip(*columns, digits)]
        print(f"| {seed} | " + " | ".join(cells) + " |", flush=True)
    sheet.save(folder / "pairs.jpg", quality=82)


main()
