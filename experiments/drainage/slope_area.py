#!/usr/bin/env python3
"""The slope-area exponent theta of S = k A^-theta, from a checkpoint under steady rain. A is the area that drains through a cell, by the
water itself: its flow divided by the rain. S is the slope of the ground along the flow. theta is the fit through the median slopes of bins of A;
0 on a slope where water gathers nowhere or leaves no trace, 0.23 to 0.58 in half of the river networks of mountains (Gailleton et al. 2021).

    slope_area.py CHECKPOINT...
"""

import re
import sys

import h5py
import numpy as np

LEAST = 16, 10  # cells that drain through a cell, and cells of a bin


def measure(path):
    with h5py.File(path) as file:
        terrain, water, u, w = (file[name][()].astype(float) for name in ("terrain", "water", "velocity_x", "velocity_y"))
        rain = float(re.search(r"rain:\s+rate: (\S+)", file.attrs["otok_scenario"].decode()).group(1))
        l = float(file["otok"].attrs["spacing"])
    area = (water * np.hypot(u, w) / (rain * l))[48:-2]  # cells; without the foot, where sediment piles up at the open side
    down = np.gradient(terrain, l)
    slope = (-(down[0] * w + down[1] * u) / np.maximum(np.hypot(u, w), 1e-9))[48:-2]
    bins = np.floor(2 * np.log2(np.maximum(area, 1)))
    points = []
    for b in range(int(2 * np.log2(LEAST[0])), int(bins.max()) + 1):
        if (bins == b).sum() >= LEAST[1]:
            points.append((np.median(area[bins == b]), np.median(slope[bins == b])))
    if len(points) < 3:
        return np.nan, area.max(), points
    return -np.polyfit(*np.log(np.transpose(points)), 1)[0], area.max(), points


if __name__ == "__main__":
    for path in sys.argv[1:]:
        theta, most, points = measure(path)
        print(f"{path}: theta {theta:.2f} from {len(points)} bins; through one cell flows the rain of at most {most:.0f} cells")
