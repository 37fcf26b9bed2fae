"""Claim: a map in HDF5, NetCDF-4 or NetCDF-3 is read as its file describes it, or refused: never another map. The files are drawn at
random from all that such files differ in: order, direction, names and marks of the axes, units, packing, marks for cells without data,
depths, storage. Each is valid, and its right map is known. `cli_maps.py OTOK BACKEND N` tries N files."""
import concurrent.futures

from cli import *

try:
    import h5py
    import numpy as np
    import scipy.io
except ImportError as why:
    skip(f"{why}; install tests/requirements.txt")

N = int(sys.argv[3]) if len(sys.argv) > 3 else 40 if SMALL else 200
HOLE = 77.0  # fill_height
PAIRS = (("y", "x"), ("lat", "lon"), ("Y", "X"), ("latitude", "longitude"), ("northing", "easting"), ("row", "col"), ("south_north", "west_east"), ("j", "i"))
LENGTHS = {"m": 1, "metres": 1, "km": 1000, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "dm": 0.1}
BARE = "This is a netCDF dimension but not a netCDF variable. %9d"


class Case:
    """One file: what it holds, and the map that it means (None: it must be refused)."""

    def __init__(self, number):
        d = self.d = random.Random(f"{os.environ.get('OTOK_TEST_SEED', '1')} {number}")
        self.number, self.why = number, ""
        self.initial = d.random() < 0.4
        self.kind = "h5" if self.initial else d.choice(("h5", "h5", "nc3"))
        self.ny, self.nx = d.randint(3, 8), d.randint(3, 8)
        if d.random() < 0.4:
            self.nx = self.ny
        self.spacing = d.choice((1.0, 2.5, 10.0, 30.0))
        self.numbers()
        self.axes()
        self.faults()

    def numbers(self):
        """The stored numbers, south first and west first, and the heights that they mean."""
        d = self.d
        self.type = d.choice(("f4", "f8", "i2", "i4", ">f4", ">i2", ">f8") if self.kind == "h5" else (">f4", ">f8", ">i2", ">i4"))
        whole = "i" in self.type
        self.unit = d.choice(list(LENGTHS) + ["", ""])
        self.scale, self.offset = d.choice(((None, None), (0.5, None), (None, 10.0), (0.25, -20.0)))
        high = 400
        if self.unit == "km":  # below the highest height
            self.offset, high = None, 11
        self.raw = np.array([[d.randint(1, high) for _ in range(self.nx)] for _ in range(self.ny)], float)
        if not whole:
            self.raw += 0.5
        self.attributes = {"units": self.unit} if self.unit else {}
        if self.scale is not None:
            self.attributes["scale_factor"] = self.scale
        if self.offset is not None:
            self.attributes["add_offset"] = self.offset
        value = self.raw * (1 if self.scale is None else self.scale) + (self.offset or 0)
        self.right = value * LENGTHS.get(self.unit, 1)
        self.deep = d.random() < 0.15
        if self.deep:
            self.right = -self.right
            self.attributes.update(d.choice(({"positive": "down"}, {"standard_name": "sea_floor_depth_below_mean_sea_level"})))
        self.hole = d.choice((None, None, "_FillValue", "missing_value", "valid_range", "valid_min", "valid_max", "default") + (() if whole else ("nan",)))
        if self.hole:
            at = d.randrange(self.ny), d.randrange(self.nx)
            mark = {"valid_range": 900.0, "valid_min": -5.0, "valid_max": 900.0, "nan": np.nan}.get(self.hole, -9999.0)
            if self.hole == "default":
                mark = (-32767.0 if "2" in self.type else -2147483647.0) if whole else 9.969209968386869e36
            if self.hole == "_FillValue" and not whole and d.random() < 0.5:
                mark = -3.4028234663852886e38
            self.raw[at] = mark
            self.right[at] = HOLE
            stored = np.dtype(self.type.lstrip(">"))
            if self.hole in ("_FillValue", "missing_value"):
                self.attributes[self.hole] = stored.type(mark)
            elif self.hole == "valid_range":
                self.attributes[self.hole] = np.array([0, 500], stored)
            elif self.hole != "nan" and self.hole != "default":
                self.attributes[self.hole] = stored.type(0 if self.hole == "valid_min" else 500)
            if self.initial:
                self.right[at] = np.nan  # a wall

    def axes(self):
        d = self.d
        self.names = d.choice(PAIRS)
        self.turned = d.random() < 0.35  # (x, y)
        self.falls = [d.random() < 0.4, d.random() < 0.3]  # y, x
        self.storage = d.choice(("scales", "scales", "beside", "labels")) if self.kind == "h5" else "scales"
        self.lines = d.random() < 0.8  # coordinates; without them the order is known by names, and nothing falls
        self.words = [{}, {}]
        style = d.choice(("", "", "axis", "standard_name"))
        if style == "axis":
            self.words = [{"axis": "Y"}, {"axis": "X"}]
        elif style == "standard_name":
            self.words = [{"standard_name": "projection_y_coordinate"}, {"standard_name": "projection_x_coordinate"}]
        if style and self.lines and d.random() < 0.5:
            self.names = ("alpha", "beta")
        if self.storage == "beside":
            self.lines, self.names = True, d.choice(PAIRS)
            self.turned &= self.nx != self.ny  # nothing else tells
        if not self.lines:
            self.falls = [False, False]
        self.unit_xy = d.choice(("", "m", "m", "km", "cm", "ft")) if self.lines else ""
        if self.lines and not self.unit_xy and self.names[0] in ("lat", "latitude"):
            self.unit_xy = "m"
        self.single = d.random() < 0.3
        west, south = d.choice(((0.0, 0.0), (300.0, 700.0), (5e5, 4e6)))
        if self.single:
            west, south = 0.0, 0.0
        factor = LENGTHS.get(self.unit_xy, 1)
        self.centres = [(south + (np.arange(self.ny) + 0.5) * self.spacing) / factor, (west + (np.arange(self.nx) + 0.5) * self.spacing) / factor]

    def refuse(self, why):
        self.right, self.why = None, why

    def faults(self):
        """One file in four means nothing that this grid could have."""
        d = self.d
        if d.random() > 0.25:
            return
        kind = d.choice(("uneven", "spacing", "degrees", "unit", "sentinel", "abyss", "two x", "unit of x"))
        if kind in ("uneven", "spacing", "degrees", "unit of x") and not self.lines:
            kind = "unit"
        if kind == "uneven":
            self.centres[d.randrange(2)][1] += 0.4 * self.spacing / LENGTHS.get(self.unit_xy, 1)
        elif kind == "spacing":
            axis = d.randrange(2)
            self.centres[axis] = self.centres[axis] * d.choice((1.5, 0.5, 3.0))
        elif kind == "degrees":
            self.centres = [45 + np.arange(self.ny) * 0.01, 10 + np.arange(self.nx) * 0.01]
            self.names, self.unit_xy = ("lat", "lon"), d.choice(("degrees", ""))
            self.words = [{}, {}]
        elif kind == "unit of x":
            self.unit_xy = d.choice(("s", "K", "kg"))
        elif kind == "unit":
            self.attributes["units"] = d.choice(("K", "s", "kg m-2", "furlongs_of_nothing"))
        elif kind == "two x":
            self.words = [{"axis": "X"}, {"axis": "X"}] if self.lines else self.words
            if not self.lines:
                return
        else:
            if self.hole or "i" in self.type or self.scale is not None or self.offset is not None:
                return
            self.raw[0, 0] = -9999.0 if kind == "sentinel" else 5e6
            self.attributes["units"] = "m"
        self.refuse(kind)

    def stored(self):
        """The map and its lines in the order of the file."""
        rows = self.raw[:: -1 if self.falls[0] else 1, :: -1 if self.falls[1] else 1]
        lines = [line[:: -1 if fall else 1] for line, fall in zip(self.centres, self.falls)]
        order = (1, 0) if self.turned else (0, 1)
        return (rows.T if self.turned else rows).astype(self.type), [(self.names[k], lines[k], self.words[k]) for k in order]

    def write(self, path):
        rows, lines = self.stored()
        (self.write_h5 if self.kind == "h5" else self.write_nc3)(path, rows, lines)

    def write_h5(self, path, rows, lines):
        d = self.d
        name = "terrain" if self.initial else "z"
        rows = rows[None] if d.random() < 0.2 and self.storage != "labels" else rows
        more = {} if d.random() < 0.5 else {"chunks": tuple(max(1, n - 1) for n in rows.shape), "compression": "gzip", "shuffle": d.random() < 0.5}
        with h5py.File(path, "w") as f:
            f.create_dataset(name, data=rows, **more)
            f[name].attrs.update({k: np.bytes_(v) if isinstance(v, str) and d.random() < 0.5 else v for k, v in self.attributes.items()})
            for axis, (line, centres, words) in enumerate(lines):
                axis += rows.ndim - 2
                if self.lines:
                    f[line] = centres.astype("f4" if self.single else "f8")
                    f[line].attrs.update(words)
                    if self.unit_xy:
                        f[line].attrs["units"] = self.unit_xy
                elif self.storage == "scales":
                    f.create_dataset(line, (len(centres),), ">f4")
                if self.storage == "scales":
                    f[line].make_scale(line if self.lines else BARE % len(centres))
                    f[name].dims[axis].attach_scale(f[line])
                elif self.storage == "labels":
                    f[name].dims[axis].label = line

    def write_nc3(self, path, rows, lines):
        with scipy.io.netcdf_file(path, "w", version=self.d.choice((1, 2))) as f:
            for line, centres, words in lines:
                f.createDimension(line, len(centres))
                if self.lines:
                    v = f.createVariable(line, "f4" if self.single else "f8", (line,))
                    v[:] = centres
                    for key, word in {**words, **({"units": self.unit_xy} if self.unit_xy else {})}.items():
                        setattr(v, key, word)
            v = f.createVariable("z", np.dtype(self.type).newbyteorder("="), tuple(line for line, _, _ in lines))
            v[:] = rows
            for key, word in self.attributes.items():
                setattr(v, key, word)

    def scenario(self, file):
        base = "[{constant: {height: 0}}]" if self.initial else f"[{{raster: {{file: {file}, fill: constant, fill_height: {HOLE}}}}}]"
        initial = f"initial: {{file: {file}}}\n" if self.initial else ""
        return (f"otok: 1\ngrid: {{nx: {self.nx}, ny: {self.ny}, spacing: {self.spacing}}}\nbase: {base}\n{initial}"
                "phases: [{name: p, iterations: 1, hydraulic: {dt: 0.001}}]\n")


def attempt(number):
    """Returns (the case, its exit code, what it said, the map)."""
    case = Case(number)
    path = SPACE / f"m{number}.{'h5' if case.kind == 'h5' else 'nc'}"
    case.write(str(path))
    out = SPACE / f"m{number}.vtkhdf"
    done = otok("base", write(f"m{number}.yaml", case.scenario(path)), "-o", out, code=None)
    found = None
    if done.returncode == 0:
        with h5py.File(out) as f:
            found = f["terrain"][()]
        out.unlink()
    return case, done.returncode, done.stderr, found


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(attempt, range(N)))
read = refused = 0
for case, code, said, found in results:
    if "all that this build reads" in said or "built without UDUNITS-2" in said:
        continue  # NetCDF-3 without GDAL, units without their library
    about = f"map {case.number} ({case.kind}{', initial' if case.initial else ''}, {case.storage}, {case.names}, {case.type}{', ' + case.why if case.why else ''})"
    if code == 0:
        good = case.right is not None and found.shape == case.right.shape
        data = ~np.isnan(case.right) if good else None
        good = good and np.allclose(found[data], case.right[data], rtol=1e-6, atol=1e-6) and data.all() != ("no data and are walls" in said)
        check(good, f"{about}: a wrong map, without a word:\n{found}\n, not\n{case.right}")
        read += 1
    else:
        check(code == 65 and case.right is None, f"{about}: exit {code}, and it is readable: {said}")
        check(f"m{case.number}." in said, f"{about}: the file is not named: {said}")
        refused += 1
check(read > (read + refused) / 4 and refused > (read + refused) / 8, f"{read} read, {refused} refused: the cases are one-sided")
finish(f"{read} maps read, {refused} refused, none wrong")
