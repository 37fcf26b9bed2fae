#!/usr/bin/env python3
"""Do gullies follow the grid? Prints the share of directions of the fine relief on land that are within 10 degrees of an axis, which is 0.22
without preference, and the standard deviation of that relief.

usage: axes.py CHECKPOINT ...     (needs numpy, scipy and h5py)"""
import sys

import h5py
import numpy as np
from scipy.ndimage import gaussian_filter as smooth


def axes(path):
    with h5py.File(path) as file:
        ground, base, sea = (np.asarray(file[name], float) for name in ("terrain", "terrain_base", "sea_level"))
    land = (ground > sea) & (base > sea)
    fine = ground - smooth(ground, 3)  # sigma in cells
    gx, gy = smooth(fine, 1, order=(0, 1)), smooth(fine, 1, order=(1, 0))
    xx, yy, xy = (smooth(product, 2) for product in (gx * gx, gy * gy, gx * gy))  # the structure tensor
    angle = np.degrees(np.arctan2(2 * xy, xx - yy)) / 2
    weight = np.hypot(xx - yy, 2 * xy)[land]
    off_axis = np.abs((angle[land] + 45) % 90 - 45)
    return weight[off_axis < 10].sum() / weight.sum(), fine[land].std()


if __name__ == "__main__":
    for path in sys.argv[1:] or sys.exit(__doc__):
        print("%s: share %.3f, fine relief %.2f m" % (path, *axes(path)))
