#!/usr/bin/env python3
"""Compares the depth maps of the three runs, and draws them.

usage: compare.py OUT PICTURE    (OUT: the folder of ./run)
"""
import sys
from pathlib import Path

import matplotlib
import numpy as np
import xarray as xr

matplotlib.use("Agg")
import matplotlib.pyplot as plt

DEEP = 0.3  # [m]


def state(out, kind, iteration):
    """Ground and depth; four cells of the fine grid become one, their means."""
    data = xr.open_dataset(out / kind / f"flood_{iteration:08d}.vtkhdf")
    maps = [data[name].values.astype(float) for name in ("terrain", "water")]
    return [m.reshape(120, 2, 120, 2).mean((1, 3)) if kind == "fine" else m for m in maps]


def row(base, other, what, minutes):
    """The overlap of the flooded areas, and the differences of depth there."""
    both, either = (base > DEEP) & (other > DEEP), (base > DEEP) | (other > DEEP)
    difference = np.abs(base - other)[both]
    print(f"| {minutes} min | {what} | {both.sum() / either.sum():.3f} | {base[both].mean():.2f} | {np.median(difference):.3f} | "
          f"{np.quantile(difference, 0.9):.2f} | {other.sum() / base.sum() - 1:+.1e} |")


def draw(out, picture):
    ground, depth = state(out, "base", 240)
    _, early = state(out, "base", 120)
    fine = state(out, "fine", 240)[1]
    figure, axes = plt.subplots(2, 2, figsize=(11, 9.2), layout="constrained")
    km = (np.arange(120) + 0.5) * 0.03
    for axis, water, title, colours, low, high in ((axes[0, 0], early, "depth after 1 h [m]", "viridis_r", 0, 7),
                                                   (axes[0, 1], depth, "depth after 2 h [m]", "viridis_r", 0, 7),
                                                   (axes[1, 0], fine - depth, "cells of 15 m less those of 30 m, after 2 h [m]", "RdBu", -1, 1)):
        axis.contour(km, km, ground, np.arange(300, 700, 20), colors="0.6", linewidths=0.5)
        wet = np.maximum(water, 0) if low == 0 else np.maximum(depth, fine)
        image = axis.pcolormesh(km, km, np.where(wet > DEEP, water, np.nan), cmap=colours, vmin=low, vmax=high)
        figure.colorbar(image, ax=axis)
        axis.set(title=title, aspect="equal", xlabel="x [km]", ylabel="y [km]")
    axis = axes[1, 1]
    for kind, line in (("base", "-"), ("half", "--"), ("fine", ":")):
        with open(out / f"{kind}.csv") as f:
            names = f.readline().strip().split(",")
            series = np.loadtxt(f, delimiter=",")
        label = {"base": "30 m", "half": "30 m, half the step", "fine": "15 m"}[kind]
        axis.plot(series[:, 0] / 3600, series[:, names.index("gap discharge [m3 s-1]")], "C0" + line, label=label)
    axis.set(title="discharge through the gap", xlabel="time [h]", ylabel="m³/s", xlim=(0, 2), ylim=(0, None))
    axis.legend()
    figure.savefig(picture, dpi=64)


def main():
    out = Path(sys.argv[1])
    print("| time | against | overlap | mean depth [m] | median difference [m] | 90 % are below [m] | volume |\n| -- | -- | -- | -- | -- | -- | -- |")
    for iteration in (60, 120, 180, 240):
        base = state(out, "base", iteration)[1]
        for kind, what in (("half", "half the step"), ("fine", "half the cells")):
            row(base, state(out, kind, iteration)[1], what, iteration // 2)
    draw(out, sys.argv[2])


if len(sys.argv) != 3:
    sys.exit(__doc__)
main()
