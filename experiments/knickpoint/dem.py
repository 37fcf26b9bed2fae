#!/usr/bin/env python3
"""`dem.py`: the rivers of a real DEM, the valleys around the Jacksboro fault in Tennessee from the sample that matplotlib carries: theta, Hack's exponent, Horton's
factors, and U/K by the slope of height over chi, for three exponents m."""
import tempfile

import matplotlib.cbook
import numpy as np
import xarray as xr
from scipy.ndimage import map_coordinates

import otok

CELLS, SPACING = 256, 90.0
degrees = matplotlib.cbook.get_sample_data("jacksboro_fault_dem.npz")["elevation"][::-1].astype(float)
y, x = np.mgrid[:CELLS, :CELLS] * SPACING
heights = map_coordinates(degrees, [10 + y / 92.6, 10 + x / 74.6], order=1).astype(np.float32)
for m in (0.35, 0.45, 0.55):
    look = {"iterations": 1, "incision": {"dt": 1, "erodibility": 0, "m": m, "routing": "steepest"}}
    with tempfile.TemporaryDirectory() as folder:
        (*_, last) = otok.run({"otok": 1, "grid": {"nx": CELLS, "ny": CELLS, "spacing": SPACING}, "edges": dict.fromkeys(("left", "right", "bottom", "top"), "open"),
                               "initial": {"terrain": heights}, "phases": [look]}, folder, backend="cpu")
        rivers = otok.rivers(xr.open_dataset(last, engine="h5netcdf").load())
    horton, steady = rivers.horton(), rivers.steady()
    r2 = np.corrcoef(rivers.chi[rivers.channel], rivers.height[rivers.channel])[0, 1] ** 2
    print(f"m {m}: theta {rivers.theta():.3f}, Hack {rivers.hack():.3f}, factors {horton.bifurcation:.2f}, {horton.length_ratio:.2f}, {horton.area_ratio:.2f}; "
          f"U/K {steady.value:.4g} ({steady.low:.4g} to {steady.high:.4g}), r2 of height over chi {r2:.2f}")
