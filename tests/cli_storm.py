"""Claim: rain over time is read as its NetCDF file describes it (units of rain, of mass or of depth; times in any unit since any moment, with
bounds or without; rows and columns in any order; packed numbers), or refused by a text that names scenario, line, file and remedy."""
# once: under the sanitizers; it depends on no optimisation

from cli import *

with needed():
    import h5py
    import netCDF4
    import numpy as np

NX, NY, STEPS = 9, 7, 3
RAIN = np.arange(STEPS * NX * NY, dtype="f8").reshape(STEPS, NY, NX) % 31 * 1e-5  # [m/s], over steps of 60 s

SCENARIO = """otok: 1
grid: {nx: 9, ny: 7, spacing: 5}
audit: off
phases:
  - name: storm
    iterations: 18
    hydraulic: {dt: 10, gravity: 1e-40, evaporation: 0}
    rain:
      map:
        raster: {file: storm.nc, variable: rain, over_time: true}
"""


def storm(rain=RAIN, units="m s-1", times=(0, 60, 120), since="seconds since 2026-07-12 06:00:00", bounds=None, turned=False, more=None, kind="NETCDF4", beside=None):
    """Writes storm.nc: the northern row first if it is turned."""
    with netCDF4.Dataset(SPACE / "storm.nc", "w", format=kind) as f:
        for name, n in (("time", None), ("y", NY), ("x", NX), ("nv", 2)):
            f.createDimension(name, n)
        y = 5 * (np.arange(NY) + 0.5)
        for name, values, unit in (("time", times, since), ("y", y[::-1] if turned else y, "m"), ("x", 5 * (np.arange(NX) + 0.5), "m")):
            v = f.createVariable(name, "f8", (name,))
            v[:] = values
            v.units = unit
        if bounds is not None:
            f["time"].bounds = "time_bnds"
            f.createVariable("time_bnds", "f8", ("time", "nv"))[:] = bounds
        for name, dims in (beside or {}).items():
            f.createVariable(name, "f4", dims)[:] = 1
        v = f.createVariable("rain", "f4", ("time", "y", "x"), zlib=kind == "NETCDF4", fill_value=-1.0)
        v.set_auto_maskandscale(False)
        if units:
            v.units = units
        for key, value in (more or {}).items():
            v.setncattr(key, value)
        v[:] = rain[:, ::-1] if turned else rain


def water(text):
    """The depths after the storm."""
    otok("run", write("storm.yaml", text), "-o", SPACE / "out", "--backend", BACKEND, "--overwrite", "-q")
    with h5py.File(sorted((SPACE / "out").glob("*.vtkhdf"))[-1]) as f:
        return f["water"][()]


def dated(start, since, words, **how):
    """A storm in a phase with a date, or the words that refuse it."""
    storm(since=since, **how)
    done = otok("run", write("storm.yaml", SCENARIO.replace("phases:", f"start: {start}\nphases:")), "-o", SPACE / "out", "--backend", BACKEND, "--overwrite", "-q", code=65 if words else 0)
    check(words in done.stderr, f"{start}, {since}: {done.stderr}")


def right(what, text=SCENARIO, **how):
    storm(**how)
    found, wanted = water(text), 60 * RAIN.sum(axis=0)
    check(np.allclose(found, wanted, rtol=2e-6, atol=1e-12), f"{what}: not the rain of the file: {found[0]}, not {wanted[0]}")


def refused(cause, sets=(), text=SCENARIO, line=":9: ", **how):
    storm(**how)
    said = otok("run", write("storm.yaml", text), "-o", SPACE / "out", "--overwrite", *(w for s in sets for w in ("--set", s)), code=65).stderr
    check(cause in said and "storm" in said and (sets or line in said), f"{cause} is not in: {said}")


right("plain")
if "without UDUNITS-2" not in otok("--version", code=None).stdout:
    right("millimetres an hour", rain=RAIN * 3.6e6, units="mm h-1", times=(7, 7 + 1 / 60, 7 + 2 / 60), since="hours since 1900-01-01")
    right("a flux of mass", rain=RAIN * 1000, units="kg m-2 s-1", times=(0, 1, 2), since="minutes since 2026-07-12T06:00")
    refused("its values are in `mm`, and a rate of rain is needed", units="mm")
    refused("is a unit of something else", units="K")
    refused("no unit of time since a moment: `metres`", since="metres since 2026-07-12")
refused("have a gap: step 2, at 1 min, would last 10 min, and another 1 min", times=(0, 60, 660))
right("bounds", times=(60, 120, 180), bounds=[[0, 60], [60, 120], [120, 180]])
right("the only map beside its bounds", times=(60, 120, 180), bounds=[[0, 60], [60, 120], [120, 180]], text=SCENARIO.replace("variable: rain, ", ""))
right("the northern row first", turned=True)
right("packed", rain=RAIN * 1e4, more={"scale_factor": 1e-4})

refused("covers 0 s to 3 min of the phase in 3 steps, and the phase lasts 3 min 10 s; allowed: at most 18 iterations", text=SCENARIO.replace("18", "19"))
refused("its values have no unit", units="")
refused("no unit of time since a moment", since="seconds")
refused("do not grow", times=(0, 60, 60))
for attribute, words, name in (("ancillary_variables", "gauges quality", "quality"), ("cell_measures", "area: size", "size"), ("coordinates", "lon lat", "lat")):
    right(f"the only map beside its {attribute}", text=SCENARIO.replace("variable: rain, ", ""), more={attribute: words}, beside={name: ("y", "x")})
refused("2 maps", text=SCENARIO.replace("variable: rain, ", ""), line="", more={"ancillary_variables": "quality_of"}, beside={"quality": ("y", "x")})
refused("bounds with gaps", times=(0, 60, 120), bounds=[[0, 60], [70, 120], [120, 180]])
refused("not within their bounds", times=(61, 120, 180), bounds=[[0, 60], [60, 120], [120, 180]])
refused("has no finite value", rain=np.where(RAIN == RAIN[1, 2, 3], -1, RAIN))
refused("step 1, 0 s to 1 min of the phase: cell 0 from the left", rain=RAIN - 2e-5)
hole = RAIN.copy()
hole[1, 2, 3] = -1
refused("step 2, 1 min to 2 min of the phase: cell 3 from the left, 2 from the bottom (counted from 0) has no finite value", rain=hole)
refused("`over_time` needs NetCDF-4", kind="NETCDF3_CLASSIC")
refused("or for rain write map: {raster: {file: NAME, over_time: true}}", text=SCENARIO.replace(", over_time: true", ""))
refused("a map over time brings the rate itself", sets=["phases.storm.rain.rate=2 mm/h"])
refused("only `rain.map` changes over time", text=SCENARIO.replace("    rain:\n      map:\n", "    rain: {rate: 1}\nbase:\n    -\n"), line=":11: ")
refused("has not the dimensions (time, y, x)", text=SCENARIO.replace("variable: rain", "variable: time_bnds"), bounds=[[0, 60], [60, 120], [120, 180]])
# ---- dates ----
for start, since, words in (("2026-07-12T06:00Z", "seconds since 2026-07-12 06:00:00", ""), ("2026-07-12T06:00Z", "seconds since 2026-07-12 08:00:00 +02:00", ""), ("2026-07-12 06:00", "seconds since 2026-07-12 06:00:00", ""),
                            ("1965-07-12", "seconds since 1965-07-12", ""), ("2026-07-12T06:00Z", "seconds since 2026-07-12 07:00:00", "begins at 2026-07-12T07:00:00Z, and the phase at 2026-07-12T06:00:00Z"),
                            ("2026-07-12 06:00", "seconds since 2026-07-12 06:00:00 Z", "begins at 2026-07-12T06:00:00Z, and the phase at 2026-07-12T06:00:00;"), ("2026-07-12T06:00Z", "seconds since last year", "not a date")):
    dated(start, since, words)
dated("2026-07-12T07:00Z", "seconds since 2026-07-12 06:00:00", "", times=(3600, 3660, 3720))

finish()
