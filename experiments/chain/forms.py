"""The form of each island of the chain, by quarters of the map from left to right: forms.py CHECKPOINT"""
import sys

import h5py
import numpy as np

from otok import island

with h5py.File(sys.argv[1]) as file:
    maps, sea, spacing = file["VTKHDF/PointData"], float(file["sea_level"][()]), float(file["x"][1] - file["x"][0])
    quarters = [np.hsplit(maps[name][()], 4) for name in ("terrain", "reef")]
for terrain, reef in zip(*quarters):
    form = island.form(terrain, reef, sea, spacing)
    print(f"{form.word}: highest {terrain.max() - sea:.0f} m, rim {form.rim_depth:.1f} m deep, lagoon {form.lagoon_depth:.0f} m, "
          f"{form.drowned_terraces} drowned terraces, reef up to {reef.max():.0f} m thick")
