"""Claim: a series in a NetCDF file is read as the file describes it, or refused with what to write: never as another series. The files are
drawn at random from the dialects in which xarray and netCDF4 write the records of stations: order of dimensions, names of stations as strings,
characters, numbers or not at all, dates in several units, elapsed times, packing, marks for no value, compression, units, further variables,
bounds. Each has a known meaning. `cli_stations.py OTOK BACKEND N [FIRST]` tries N files, from number FIRST on."""
# once: under the sanitizers; it depends on no optimisation
import random

from cli import *

with needed():
    import h5py
    import netCDF4
    import numpy as np
    import pandas as pd
    import xarray as xr
    import yaml

if "without UDUNITS-2" in otok("--version", code=None).stdout:
    skip("units need UDUNITS-2")
N = int(sys.argv[3]) if len(sys.argv) > 3 else 40 if SMALL else 120
FIRST = int(sys.argv[4]) if len(sys.argv) > 4 else 0
HEAD = "otok: 1\ngrid: {nx: 4, ny: 4, spacing: 10}\nedges: {left: open}\nbase: [{constant: {height: 5}}]\naudit: off\nphases:\n"
PHASE = "  - {name: %s, iterations: 200000, rivers: [{x: 5, y: 20, history: %s}], hydraulic: {dt: 1, law: local_inertia, capacity: 0}}\n"
UNITS = {"m3 s-1": 1, "m3/s": 1, "m^3 s^-1": 1, "L/s": 1e-3, "l s-1": 1e-3, "m3/h": 1 / 3600, "cfs": 0.028316846592, "": 1}
ELAPSED = {"s": 1, "min": 60, "h": 3600, "hours": 3600, "days": 86400}
BEGIN = pd.Timestamp("2023-08-04 06:00:00")


def names_of(d, n):
    return d.choice(([f"gauge {i}" for i in range(n)], [f"{2606100 + 7 * i}" for i in range(n)], ["Österhof", "bridge", "weir"][:n]))


class Case:
    """One file, the key beside `history`, and its points."""

    def __init__(self, number):
        d = self.d = random.Random(f"{os.environ.get('OTOK_TEST_SEED', '1')} station {number}")
        self.path, self.keys = SPACE / f"g{number}.nc", {"file": f"g{number}.nc"}
        n, self.stations = d.randint(2, 9), d.choice((0, 0, 1, 3, 3, 3))
        steps = [d.choice((60, 900, 3600, 7200)) for _ in range(n)]
        self.seconds = np.cumsum([0] + steps[:-1]) + (0 if d.random() < 0.7 else 1800)
        self.dated, self.unit = d.random() < 0.7, d.choice(list(UNITS))
        values = np.array([[round(d.uniform(0, 90), d.choice((0, 1, 2))) for _ in range(max(self.stations, 1))] for _ in range(n)])
        self.which, self.lacks = d.randrange(max(self.stations, 1)), None
        if d.random() < 0.15 and n > 2:
            self.lacks = d.randrange(1, n - 1)
            values[self.lacks, self.which] = np.nan
        self.values = values
        self.write()
        self.mean()

    def station_names(self, data):
        d, names = self.d, names_of(self.d, self.stations)
        kind = d.choice(("coordinate", "coordinate", "beside", "role", "number", "bare"))
        if kind == "coordinate":
            data = data.assign_coords(station=names)
        elif kind in ("beside", "role"):
            called = "station_name" if kind == "beside" else "wmo"
            data = data.assign_coords({called: ("station", names)})
        elif kind == "number":
            names = [str(100 + 3 * i) for i in range(self.stations)]
            data = data.assign_coords(station=np.array(names, int))
        else:
            names = [str(i + 1) for i in range(self.stations)]
        if self.stations > 1 or d.random() < 0.3:
            self.keys["station"] = f'"{names[self.which]}"'
        self.text_names = [c for c in data.coords if data[c].dtype.kind in "UO"]
        return data

    def write(self):
        d = self.d
        self.name = d.choice(("Q", "discharge", "streamflow", "q_obs"))
        shape = {0: ("time",), 1: d.choice((("time", "station"), ("station", "time"))), 3: d.choice((("time", "station"), ("station", "time")))}[self.stations]
        values = self.values if self.stations else self.values[:, 0]
        flow = xr.DataArray(values, dims=("time", "station")[: values.ndim]).transpose(*shape)
        if self.unit:
            flow.attrs["units"] = self.unit
        data = xr.Dataset({self.name: flow})
        encoding = {self.name: {}}
        if self.dated:
            data = data.assign_coords(time=BEGIN + pd.to_timedelta(self.seconds, "s"))
            since = d.choice(("2023-08-04 06:00:00", "2023-08-01", "1970-01-01", "2023-08-04T06:00:00", "1900-01-01 00:00:00"))
            encoding["time"] = {"units": f"{d.choice(('seconds', 'minutes', 'hours', 'days'))} since {since}", "dtype": d.choice(("float64", "float64", "int64"))}
            if encoding["time"]["dtype"] == "int64":
                encoding["time"]["units"] = f"seconds since {since}"
            if d.random() < 0.3:
                encoding["time"]["calendar"] = d.choice(("standard", "proleptic_gregorian", "gregorian"))
        else:
            self.elapsed = d.choice(list(ELAPSED))
            data = data.assign_coords(time=("time", self.seconds / ELAPSED[self.elapsed], {"units": self.elapsed}))
        self.text_names = []
        if self.stations:
            data = self.station_names(data)
        if d.random() < 0.5:
            data["level"] = data[self.name] * 2
            data["level"].attrs = {"units": "m"}
            self.keys["column"] = self.name
        packing = d.choice(("double", "single", "packed", "mark", "plain"))
        self.close = 1e-12
        if packing == "single":
            encoding[self.name] = {"dtype": "float32", "_FillValue": np.float32(np.nan)}
            self.close = 1e-6
        elif packing == "packed":
            encoding[self.name] = {"dtype": "int16", "scale_factor": 0.01, "add_offset": 40.0, "_FillValue": -32768}
            self.close = 1e-4
        elif packing == "mark":
            encoding[self.name] = {"_FillValue": d.choice((-999.0, -9999.0, 1e20))}
        engine = d.choice(("netcdf4", "h5netcdf"))
        if d.random() < 0.5:
            encoding[self.name] |= {"zlib": True} if engine == "netcdf4" else {"compression": "gzip", "shuffle": True}
        for name in self.text_names if d.random() < 0.4 else ():
            encoding[name] = {"dtype": "S1"}
        data.to_netcdf(self.path, engine=engine, encoding=encoding, unlimited_dims=("time",) if d.random() < 0.4 else ())
        self.about = f"{self.path.name}: {data}\n{encoding}, {engine}"

    def mean(self):
        """The points, from the start of the phase on; None: it must be refused."""
        d = self.d
        zone = d.choice(("", "Z"))
        if self.dated:
            self.keys["start"] = f'"{BEGIN.isoformat()}{zone}"'
        self.points = [(float(t), v * UNITS[self.unit]) for t, v in zip(self.seconds, self.values[:, self.which])]
        if self.lacks is not None and d.random() < 0.5:
            self.keys["missing"] = "NaN"
            del self.points[self.lacks]
        elif self.lacks is not None:
            self.points = None
        if self.points and "outside" not in self.keys:
            self.keys["outside"] = "hold"
        self.text = "{" + ", ".join(f"{k}: {v}" for k, v in self.keys.items()) + "}"


def resolved(text, code=None):
    """The phases of a scenario as its state keeps them, and how the program ended."""
    done = otok("base", write("s.yaml", text), "-o", SPACE / "s.vtkhdf", code=code)
    if done.returncode:
        return [], done
    with h5py.File(SPACE / "s.vtkhdf") as f:
        return yaml.safe_load(f.attrs["otok_scenario"])["phases"], done


def points(history):
    return [tuple(map(float, pair)) for pair in (history["points"] if isinstance(history, dict) else history)]


cases = [Case(n) for n in range(FIRST, FIRST + N)]
readable = [case for case in cases if case.points]
check(len(readable) < N and len(readable) > N / 2, f"{len(readable)} of {N} readable: the cases are one-sided")
for first in range(0, len(readable), 20):
    some = readable[first : first + 20]
    phases, done = resolved(HEAD + "".join(PHASE % (f"p{n}", case.text) for n, case in enumerate(some)))
    for n, case in enumerate(some):
        if done.returncode:
            alone = resolved(HEAD + PHASE % ("p", case.text))[1]
            check(alone.returncode == 0, f"{case.text}: {alone.stderr}{case.about}")
            continue
        found = points(phases[n]["rivers"][0]["history"])
        good = len(found) == len(case.points) and np.allclose(found, case.points, rtol=case.close, atol=case.close)
        check(good, f"{case.text}: {found}, not {case.points}: {case.about}")
for case in cases:
    if case.points is None:
        done = resolved(HEAD + PHASE % ("p", case.text))[1]
        check(done.returncode == 65 and f"{case.path.name}:{case.lacks + 1}" in done.stderr and "has no value" in done.stderr, f"{case.text}: {done.stderr}")


# ---- bounds: what values of intervals mean ----
def gauges(name="gauges.nc", values=((1, 10), (2, 20), (4, 40)), units="hours since 2023-08-04 06:00:00", calendar="standard", times=(0.5, 1.5, 2.5), bounds=None, methods="", classic=False, unit="m3 s-1"):
    with netCDF4.Dataset(SPACE / name, "w", format="NETCDF3_CLASSIC" if classic else "NETCDF4") as f:
        f.createDimension("time", len(times))
        f.createDimension("station", 2)
        f.createDimension("letters", 5)
        f.createDimension("nv", 2)
        time = f.createVariable("time", "f8", ("time",))
        time[:] = times
        time.units, time.calendar = units, calendar
        if bounds:
            time.bounds = "time_bnds"
            f.createVariable("time_bnds", "f8", ("time", "nv"))[:] = bounds
        flow = f.createVariable("Q", "f8", ("time", "station"))
        flow[:] = values
        flow.units, flow.coordinates = unit, "id"
        if methods:
            flow.cell_methods = methods
        called = f.createVariable("id", "S1", ("station", "letters"))
        called.cf_role = "timeseries_id"
        called[:] = netCDF4.stringtochar(np.array(["upper", "lower"], "S5"))
    return name


HOURS = ((0, 1), (1, 2), (2, 3))
START = 'start: "2023-08-04T06:00Z"'
for made, keys, means in (
        (dict(bounds=HOURS), "means: after", [(0, 1), (3600, 2), (7200, 4)]), (dict(bounds=HOURS), "means: instant", [(1800, 1), (5400, 2), (9000, 4)]),
        (dict(bounds=HOURS, methods="time: point"), "outside: hold", [(1800, 1), (5400, 2), (9000, 4)]),
        (dict(bounds=HOURS), "means: before, outside: zero", [(0, 1), (3600, 2), (7200, 4), (10800, 0)]), (dict(bounds=HOURS), "outside: hold", "write means: after"),
        (dict(methods="time: mean"), "outside: hold", "write means: after"), (dict(bounds=((0, 1), (1, 2), (2.5, 3))), "means: after", "bounds with gaps"),
        (dict(units="minutes since 2023-08-04T08:00:00+02:00", times=(0, 1, 2)), "outside: hold", [(0, 1), (60, 2), (120, 4)]),
        (dict(calendar="noleap"), "outside: hold", "calendar `noleap`"), (dict(units="months since 2023-08-04"), "outside: hold", "no fixed length"),
        (dict(units="days since 0001-01-01"), "outside: hold", "before 15 October 1582"),
        (dict(units="days since 0001-01-01", calendar="proleptic_gregorian", times=(738735.25, 738735.5, 738736)), "outside: hold", [(0, 1), (21600, 2), (64800, 4)]),
        (dict(units="hours since noon"), "outside: hold", "hours since noon"), (dict(unit="kg"), "outside: hold", "`kg`"), (dict(unit="m"), "outside: hold", "`m`"),
        (dict(times=(0.5, 0.5, 1)), "outside: hold", "not later"), (dict(classic=True), "outside: hold", "nccopy"), (dict(), "column: q", "over time it has Q")):
    text = HEAD + PHASE % ("p", f"{{file: {gauges(**made)}, station: upper, {START}, {keys}}}")
    phases, done = resolved(text, 65 if isinstance(means, str) else 0)
    if isinstance(means, str):
        check(means in done.stderr and ("s.yaml:" in done.stderr or "gauges.nc:" in done.stderr), f"{made}, {keys}: {done.stderr}")
        continue
    found = points(phases[0]["rivers"][0]["history"]) if phases else []
    check(np.allclose(found, means) if len(found) == len(means) else False, f"{made}, {keys}: {found}, not {means}")
gauges()
(SPACE / "q.csv").write_text("time [h],Q [m3/s]\n0,1\n1,2\n")
for keys, words in ((f"{{file: gauges.nc, {START}}}", "upper, lower"), (f"{{file: gauges.nc, {START}, station: middle}}", "no station is called `middle`"), ("{file: gauges.nc, station: upper}", "start: DATE"),
                    (f'{{file: gauges.nc, station: upper, start: "2025-01-01T00:00Z"}}', "ends before"), ("{file: q.csv, station: upper}", "only files of NetCDF"), ("{file: gone.nc, station: upper}", "gone.nc")):
    done = resolved(HEAD + PHASE % ("p", keys))[1]
    check(done.returncode in (65, 74) and words in done.stderr, f"{keys}: {done.returncode} {done.stderr}")

# ---- a rain of a model, by its mass; a file that ends early ----
rain = xr.Dataset({"pr": ("time", np.array([0.0, 0.01, 0.02]), {"units": "kg m-2 s-1", "cell_methods": "time: mean"})}, {"time": ("time", [0.0, 1.0, 2.0], {"units": "h"})})
rain.to_netcdf(SPACE / "rain.nc", engine="h5netcdf")
phases, done = resolved(HEAD + "  - {name: p, iterations: 3, rain: {history: {file: rain.nc, means: after}}, hydraulic: {dt: 3600, law: local_inertia, capacity: 0}}\n", 0)
check(points(phases[0]["rain"]["history"]) == [(0, 0), (3600, 1e-5), (7200, 2e-5)] if phases else False, f"rain by its mass: {phases}")
# ---- what values and times say of themselves ----
LEVEL = "  - {name: p, iterations: 36000, sides: {left_level: {file: said.nc, column: w, %s, outside: hold}}, hydraulic: {dt: 1, law: local_inertia, capacity: 0}}\n" % START
HOUR = np.arange(3) * 3600.0
for attributes, times, words in (({"units": "m"}, HOUR, None), ({"units": "m", "positive": "up"}, HOUR, None), ({"units": "m", "positive": "down"}, HOUR, 'positive = "down"'),
                                 ({"units": "m"}, HOUR.astype("f4"), None), ({"units": "m"}, (HOUR + 1691128800).astype("f4"), "float32 and too coarse")):
    since = "2023-08-04T06:00:00Z" if times[0] == 0 else "1970-01-01"
    xr.Dataset({"w": ("time", np.array([1.0, 2.0, 3.0]), attributes)}, {"time": ("time", times, {"units": f"seconds since {since}"})}).to_netcdf(SPACE / "said.nc", engine="h5netcdf")
    phases, done = resolved(HEAD + LEVEL, 65 if words else 0)
    check(words in done.stderr if words else points(phases[0]["sides"]["left_level"]) == [(0, 1), (3600, 2), (7200, 3)], f"{attributes}, {times}: {done.stderr}")
whole = (SPACE / "gauges.nc").read_bytes()
for n in range(12):
    (SPACE / "broken.nc").write_bytes(whole[: 9 + n * (len(whole) - 10) // 11])
    done = resolved(HEAD + PHASE % ("p", f"{{file: broken.nc, station: upper, {START}, outside: hold}}"))[1]
    check(done.returncode == 65 and "broken.nc" in done.stderr, f"a file that ends early, {n}: exit {done.returncode}: {done.stderr}")
finish()
