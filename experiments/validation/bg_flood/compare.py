"""Writes the input of both programs, and compares their results with Stoker's solution.

compare.py prepare FOLDER [CELLS]
compare.py compare FOLDER [CELLS]    reads FOLDER/out/dam_*.vtkhdf and FOLDER/strip*.nc
"""
import glob
import re
import sys

import h5py
import numpy as np
import scipy.optimize
import xarray as xr

GRAVITY, HIGH, LOW, TIME = 9.81, 10.0, 2.0, 60.0


def stoker(x):
    """Depth [m] and velocity [m/s] at x [m] from the dam after TIME, wet bed: Stoker 1957."""
    c_high, c_low = np.sqrt(GRAVITY * HIGH), np.sqrt(GRAVITY * LOW)

    def excess(c):  # the plateau's celerity: rarefaction and shock have the same velocity there
        d = c * c / GRAVITY
        return 2 * (c_high - c) - (d - LOW) * np.sqrt(GRAVITY * (d + LOW) / (2 * d * LOW))

    c = scipy.optimize.brentq(excess, c_low, c_high)
    d, u = c * c / GRAVITY, 2 * (c_high - c)
    shock = d * u / (d - LOW)
    v = x / TIME
    fan = (2 * c_high - v) / 3
    depth = np.select([v < -c_high, v < u - c, v < shock], [HIGH, fan * fan / GRAVITY, d], LOW)
    speed = np.select([v < -c_high, v < u - c, v < shock], [0, 2 * (c_high + v) / 3, u], 0.0)
    return depth, speed


def prepare(folder, n):
    x = np.arange(n) + 0.5
    water = np.broadcast_to(np.where(x < n / 2, HIGH, LOW).astype("f4"), (n, n))
    with h5py.File(f"{folder}/dam.h5", "w") as f:
        f.create_dataset("water", data=water, compression="gzip", shuffle=True)
    flat = np.zeros((n, n), "f4")
    grid = {"x": x, "y": x}
    small = {"zlib": True, "complevel": 4}
    xr.Dataset({"z": (("y", "x"), flat)}, grid).to_netcdf(
        f"{folder}/bed.nc", encoding={"z": small})
    xr.Dataset({"h": (("y", "x"), water), "zb": (("y", "x"), flat)}, grid).to_netcdf(
        f"{folder}/start.nc", encoding={"h": small, "zb": small})
    with open(f"{folder}/BG_param.txt", "w", encoding="utf-8") as f:
        f.write(f"""bathy = bed.nc?z;
hotstartfile = start.nc;
dx = 1.0;
cf = 0.0;
CFL = 0.5;
endtime = {TIME};
outputtimestep = {TIME};
outvars = h,u;
left = 0;
right = 0;
top = 0;
bot = 0;
smallnc = 0;
outzone = strip.nc,0.5,{n - 0.5},{n // 2},{n // 2 + 15};
outfile = whole.nc;
""")


def compare(folder, n):
    x = np.arange(n) + 0.5 - n / 2
    inside = np.abs(x) < 0.9 * n / 2
    depth, speed = stoker(x)

    def row(name, h, u):
        print(f"{name}: mean error of the depth {np.abs(h - depth)[inside].mean():.4f} m, "
              f"of the velocity {np.abs(u - speed)[inside].mean():.4f} m/s")

    for path in sorted(glob.glob(f"{folder}/*/dam_*1000.vtkhdf")):
        with h5py.File(path) as f:
            fields = f["VTKHDF/PointData"]
            row(path, fields["water"][n // 2], fields["velocity_x"][n // 2])
    for path in sorted(glob.glob(f"{folder}/strip*.nc")):
        with xr.open_dataset(path) as f:
            name = {re.sub("_P0$", "", v): v for v in f.data_vars}
            h, u = f[name["h"]][-1], f[name["u"]][-1]
            j = h.shape[0] // 2
            row(path, h[j].values[:n], u[j].values[:n])


if __name__ == "__main__":
    {"prepare": prepare, "compare": compare}[sys.argv[1]](
        sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 2048)
