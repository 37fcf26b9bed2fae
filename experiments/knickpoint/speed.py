#!/usr/bin/env python3
"""`speed.py RUN FIGURE.png`: the speed of knickpoints in chi, of the run of knickpoint.yaml, against theory (K for n = 1); exit 1: the median is 5 %
off. The figure has heights of rivers over chi at three times."""
import sys

import matplotlib
import numpy as np
import xarray as xr

import otok
from otok import plot
from otok._states import _files

YEAR, K, BEFORE = 31556925.9747, 1e-5, 4e6  # [s], [1/yr], years until the uplift doubles
run, figure_path = sys.argv[1:]
at = {}  # by basin: years, and chi of its knickpoint
print("time since [kyr]  basins  chi of the knickpoint / (K t)       k_sn below, above (theory: 40, 20)")
for path in _files(run):
    state = xr.open_dataset(path, engine="h5netcdf")
    t = float(state.time) / YEAR - BEFORE
    if t < 1:
        continue
    found = otok.rivers(state).knickpoints()
    clear = found.isel(river=(found.gain > 0.5).values & (found.chi < 0.5 * found.highest).values)
    if clear.river.size < 3:
        continue
    ratio = clear.chi.values / (K * t)
    print(f"{t / 1e3:16.0f}  {ratio.size:6}  median {np.median(ratio):.3f}, {ratio.min():.3f} to {ratio.max():.3f}        {float(clear.below.median()):.2f}, {float(clear.above.median()):.2f}")
    for basin, chi in zip(clear.basin.values, clear.chi.values):
        at.setdefault(int(basin), []).append((t, chi))
speeds = np.array([np.polyfit(*np.array(seen).T, 1)[0] for seen in at.values() if len(seen) >= 3]) / K
print(f"speed / K in {speeds.size} basins: median {np.median(speeds):.3f}, {speeds.min():.3f} to {speeds.max():.3f}")

figure = plot.Figure(figsize=(6.4, 4), layout="constrained")
axes = figure.subplots()
for colour, kyr in zip(("#b0b0b0", "#56b4e9", "#0072b2"), (0, 150, 300)):
    rivers = otok.rivers(plot._state(run, (BEFORE + 1e3 * kyr) * YEAR))
    axes.plot(rivers.chi[rivers.channel], rivers.height[rivers.channel], ".", ms=2, mew=0, color=colour)
    chi = np.array([0, min(K * 1e3 * kyr, 9), 9])
    axes.plot(chi, 40 * np.minimum(chi, K * 1e3 * kyr) + 20 * np.maximum(chi - K * 1e3 * kyr, 0), color=colour, lw=0.9, label=f"{kyr} kyr after uplift doubled; line: theory")
axes.set(xlabel="χ [m]", ylabel="height above the end of the river [m]", xlim=(0, 9), ylim=(0, None))
axes.legend(frameon=False, fontsize=8)
figure.savefig(figure_path, dpi=110)
sys.exit(abs(np.median(speeds) - 1) > 0.05)
