"""Prints the forms of an island at four times, and draws a section with the sea's level: draw.py RUN OUT.png"""
import pathlib
import sys

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from otok import island

YEAR = 31556925.9747
TIMES = {720: "328,000 years ago", 1630: "237,000 years ago", 2790: "121,000 years ago", 4000: "today"}


def state(path):
    with h5py.File(path) as file:
        maps = file["VTKHDF/PointData"]
        return maps["terrain"][()], maps["reef"][()], maps["layer_sand"][()], float(file["sea_level"][()]), file["x"][()]


def main(run, picture):
    files = sorted(pathlib.Path(run).glob("darwin_*.vtkhdf"))
    figure, axes = plt.subplots(5, 1, figsize=(9, 10), gridspec_kw={"height_ratios": [1] * 4 + [0.9]}, layout="constrained")
    print("| when | sea [m] | form | share | lagoon [m] | rim [m] | continuity |\n| -- | -- | -- | -- | -- | -- | -- |")
    for axis, (step, when) in zip(axes, TIMES.items()):
        path = pathlib.Path(run) / f"darwin_{step:08d}.vtkhdf"
        terrain, reef, sand, sea, x = state(path)
        form, row = island.of(path), terrain.shape[0] // 2
        print(f"| {when} | {sea:.0f} | {form.word} | {form.shares[form.word]:.0%} | {form.lagoon_depth:.0f} | {form.rim_depth:.1f} | {form.continuity:.0%} |")
        ground, grown, loose = terrain[row], reef[row], sand[row]
        floor = -320
        axis.fill_between(x / 1000, ground - sea, 0, where=ground < sea, color="#9ec9e8", lw=0)
        axis.fill_between(x / 1000, floor, ground - np.maximum(grown, loose) - sea, color="#6b5b53", lw=0)
        axis.fill_between(x / 1000, ground - np.maximum(grown, loose) - sea, ground - loose - sea, color="#e88f6a", lw=0)
        axis.fill_between(x / 1000, ground - loose - sea, ground - sea, color="#f1dda4", lw=0)
        axis.set(xlim=(x[0] / 1000, x[-1] / 1000), ylim=(-250, 130), ylabel="height [m]")
        axis.text(0.01, 0.92, f"{when}: {form.word}", transform=axis.transAxes, va="top", fontsize=11, weight="bold")
    axes[3].set_xlabel("km")
    ages, levels, words = [], [], []
    for path in files:
        with h5py.File(path) as file:
            ages.append(400 - float(file["time"][()]) / YEAR / 1000)
            levels.append(float(file["sea_level"][()]))
    axes[4].plot(ages, levels, color="#1f5f99")
    for step in TIMES:
        axes[4].axvline(400 - step / 10, color="#888888", lw=0.8, ls=":")
    axes[4].set(xlim=(400, 0), xlabel="thousand years before today", ylabel="sea level [m]")
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
