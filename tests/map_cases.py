"""Random maps in HDF5 and NetCDF for cli_maps.py: all that such files differ in, and the map that each one means."""
import os
import random

import h5py
import netCDF4
import numpy as np

HOLE = 77.0  # fill_height
PAIRS = (("y", "x"), ("lat", "lon"), ("Y", "X"), ("latitude", "longitude"), ("northing", "easting"), ("row", "col"), ("south_north", "west_east"), ("j", "i"))
LENGTHS = {"m": 1, "metres": 1, "km": 1000, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "dm": 0.1, "Meter": 1, "feet": 0.3048, "kilometres": 1000,
           "fathom": 7200 / 3937, "US_survey_foot": 1200 / 3937}
HIGHEST = 12000  # what otok reads without `raster.highest` [m]
UTM = ('PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],'
       'UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],'
       'PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AXIS["Easting",EAST],'
       'AXIS["Northing",NORTH],AUTHORITY["EPSG","32633"]]')
BARE = "This is a netCDF dimension but not a netCDF variable. %9d"


class Case:
    """One file: what it holds, and the map that it means (None: it must be refused)."""

    def __init__(self, number):
        d = self.d = random.Random(f"{os.environ.get('OTOK_TEST_SEED', '1')} {number}")
        self.number, self.why = number, ""
        self.odd = ""  # why it may be refused
        self.unclear = False  # is it called a depth, and does nothing tell up from down?
        self.initial = d.random() < 0.4
        self.kind = d.choice(("h5", "h5", "nc4")) if self.initial else d.choice(("h5", "h5", "nc3", "nc4"))
        self.ny, self.nx = d.randint(3, 8), d.randint(3, 8)
        if d.random() < 0.4:
            self.nx = self.ny
        self.spacing = d.choice((1.0, 2.5, 10.0, 30.0))
        self.numbers()
        self.axes()
        self.others()
        self.faults()
        if self.unclear and self.right is not None and (self.right[self.right != HOLE] > 0).any():
            self.refuse("up or down")

    def numbers(self):
        """The stored numbers, south first and west first, and the heights that they mean."""
        d = self.d
        self.type = d.choice(("f4", "f8", "i2", "i4", ">f4", ">i2", ">f8", "u2", "u1", "u4", "i8", ">u2", "f2") if self.kind == "h5"
                             else ("f4", "f8", "i2", "i4", "u2", "i8") if self.kind == "nc4" else (">f4", ">f8", ">i2", ">i4"))
        stored = np.dtype(self.type.lstrip(">"))
        whole = stored.kind in "iu"
        self.unit = d.choice(list(LENGTHS) + [""] * 4)
        factor = LENGTHS.get(self.unit, 1)
        self.scale, self.offset = d.choice(((None, None), (None, None), (0.5, None), (None, 10.0), (0.25, -20.0), (-0.5, 300.0)))
        if factor == 1000:
            self.offset = self.scale = None
        high = {1: 200, 1000: 11}.get(stored.itemsize if stored.itemsize == 1 else factor, 400)
        self.raw = np.array([[d.randint(1, min(high, 11) if factor == 1000 else high) for _ in range(self.nx)] for _ in range(self.ny)], float)
        if not whole:
            self.raw += 0.5
        self.attributes = {"units": self.unit} if self.unit else {}
        value = self.raw * (1 if self.scale is None else self.scale) + (self.offset or 0)
        self.unsigned = stored in (np.dtype("i2"), np.dtype("i4")) and factor < 1 and d.random() < 0.3
        if self.unsigned:  # as NetCDF-3 has unsigned numbers
            above = 2.0 ** (8 * stored.itemsize - 1)
            self.scale, self.offset = (0.1, None) if stored.itemsize == 2 else (1e-6, None)
            value, self.raw = (self.raw + above) * self.scale, self.raw - above
            self.attributes["_Unsigned"] = d.choice(("true", "True"))
        kind = np.float32 if d.random() < 0.3 and self.scale in (None, 0.5, 0.25, -0.5) else np.float64
        if self.scale is not None:
            self.attributes["scale_factor"] = kind(self.scale)
        if self.offset is not None:
            self.attributes["add_offset"] = kind(self.offset)
        self.right = value * factor
        self.deep = d.random() < 0.15
        if self.deep:
            self.right = -self.right
            self.attributes.update(d.choice(({"positive": "down"}, {"positive": "Down"}, {"standard_name": "sea_floor_depth_below_mean_sea_level"},
                                             {"standard_name": "sea_floor_depth_below_geoid"})))
        elif d.random() < 0.3:
            self.attributes.update(d.choice(({"positive": "up"}, {"standard_name": "surface_altitude"}, {"standard_name": "bedrock_altitude"},
                                             {"positive": "up", "long_name": "depth of nothing"}, {"long_name": "height of the sea floor"})))
        elif d.random() < 0.05:
            self.attributes.update(d.choice(({"long_name": "Depth of the sea"}, {"long_name": "Wassertiefe"}, {"standard_name": "depth", "positive": "up"})))
            self.unclear = True
        self.holes(stored, whole)
        if self.type == "f2":
            self.odd = "float16"

    def holes(self, stored, whole):
        """A cell without data, and its mark."""
        d = self.d
        self.hole = d.choice((None, None, "_FillValue", "missing_value", "valid_range", "valid_min", "valid_max", "default") + (() if whole else ("nan",)))
        if self.unsigned and self.hole not in (None, "_FillValue", "valid_range"):
            self.hole = "_FillValue"
        if stored.kind == "u" and self.hole == "valid_min" or stored.itemsize == 1 and self.hole == "default" or self.type == "f2" and self.hole == "default":
            self.hole = "_FillValue"
        if not self.hole:
            return
        at = d.randrange(self.ny), d.randrange(self.nx)
        top = np.iinfo(stored).max if stored.kind == "u" else None
        mark = {"valid_range": 900.0, "valid_min": -5.0, "valid_max": 900.0, "nan": np.nan}.get(self.hole, -9999.0)
        if top is not None and mark in (900.0, -9999.0):
            mark = float(top)
        if self.hole == "default":
            mark = {"i2": -32767.0, "i4": -2147483647.0, "i8": -9223372036854775806.0, "u2": 65535.0, "u4": 4294967295.0}.get(self.type.lstrip(">"), 9.969209968386869e36)
        if self.hole == "_FillValue" and not whole and self.type != "f2" and d.random() < 0.5:
            mark = -3.4028234663852886e38
        if self.unsigned:
            mark = -1.0  # the largest
        self.raw[at] = mark
        self.right[at] = HOLE
        upto = 220 if stored.itemsize == 1 else 500
        if self.hole in ("_FillValue", "missing_value"):
            value = stored.type(mark)
            if d.random() < 0.3:  # as lists
                value = np.array([value] if self.hole == "_FillValue" else [value, stored.type(211 if stored.itemsize == 1 else 611 if top is not None else -7777)], stored)
            self.attributes[self.hole] = value
        elif self.hole == "valid_range":
            low = -(2.0 ** (8 * stored.itemsize - 1)) if self.unsigned else 0  # counted from the lowest number
            self.attributes[self.hole] = np.array([low, low + upto], stored)
        elif self.hole == "nan":
            if d.random() < 0.5:
                self.attributes["_FillValue"] = stored.type(np.nan)
        elif self.hole != "default":
            self.attributes[self.hole] = stored.type(0 if self.hole == "valid_min" else upto)
        if self.initial:
            self.right[at] = np.nan  # a wall

    def others(self):
        """What else such files have."""
        d = self.d
        self.time = d.choice((None, None, None, "plain", "unlimited"))
        if self.storage == "labels":
            self.time = None
        self.late = d.random() < 0.3  # coordinates are written after the map
        self.bounds = self.lines and self.storage == "scales" and d.random() < 0.15
        self.second = not self.initial and d.random() < 0.15
        self.packed_line = self.lines and not self.single and d.random() < 0.1
        self.unlimited = self.kind == "h5" and d.random() < 0.15
        self.group = "deep/er" if not self.initial and self.kind != "nc3" and d.random() < 0.1 else ""
        self.along = None  # dimensions of other names than those of the coordinates along them
        if self.storage == "scales" and self.lines and d.random() < 0.12:
            self.along = d.choice((("ny", "nx"), ("dim_0", "dim_1"), ("M", "N")))
            self.listed = self.names[0] == "alpha" or d.random() < 0.4  # in `coordinates`
        self.system = d.choice((None, None, None, "crs", "spatial_ref", "transform"))
        if self.unit_xy not in ("", "m") or self.storage == "beside":
            self.system = None
        if self.system == "transform":  # where the rows and columns are is told by it alone
            self.lines, self.along, self.falls = False, None, [d.random() < 0.7, d.random() < 0.2]
            self.words = [{}, {}]
            if self.storage == "labels":
                self.storage = "scales"
            self.bounds = self.packed_line = False
        if self.system and not self.lines and self.names[0] in ("alpha", "lat", "latitude"):  # nothing tells x, or it is degrees
            self.names = PAIRS[0]
        self.gmt = self.system is None and not self.along and d.random() < 0.2
        self.mapping = d.choice(("spatial_ref", "crs", "transverse_mercator")) if self.system else None

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
        if self.system == "transform" and kind in ("two x",):
            return
        if kind == "uneven":
            self.centres[d.randrange(2)][1] += 0.4 * self.spacing / LENGTHS.get(self.unit_xy, 1)
        elif kind == "spacing":
            axis = d.randrange(2)
            self.centres[axis] = self.centres[axis] * d.choice((1.5, 0.5, 3.0))
        elif kind == "degrees":
            self.centres = [45 + np.arange(self.ny) * 0.01, 10 + np.arange(self.nx) * 0.01]
            self.names, self.unit_xy = ("lat", "lon"), d.choice(("degrees", ""))
            self.words, self.system, self.packed_line = [{}, {}], None, False
        elif kind == "unit of x":
            self.unit_xy = d.choice(("s", "K", "kg"))
        elif kind == "unit":
            self.attributes["units"] = d.choice(("K", "s", "kg m-2", "furlongs_of_nothing"))
        elif kind == "two x":
            self.words = [{"axis": "X"}, {"axis": "X"}] if self.lines else self.words
            if not self.lines:
                return
        else:
            if self.hole or np.dtype(self.type.lstrip(">")).kind in "iu" or self.scale is not None or self.offset is not None:
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
        (self.write_h5 if self.kind == "h5" else self.write_nc)(path, rows, lines)

    def line(self, centres):
        """The numbers of a coordinate as stored, and the attributes that unpack them."""
        if not self.packed_line:
            return centres.astype("f4" if self.single else "f8"), {}
        step = (centres[-1] - centres[0]) / (len(centres) - 1)
        counts = np.round((centres - centres[0]) / step * 100)  # of hundredths of a cell
        return counts.astype("i4"), {"scale_factor": step / 100, "add_offset": centres[0]}

    def mapping_attributes(self):
        """As GDAL and rioxarray write them. The numbers are those of the first row and column."""
        south, west = (float(line[0]) - 0.5 * self.spacing for line in self.centres)
        east, north = west + self.nx * self.spacing, south + self.ny * self.spacing
        x, y = (east, -self.spacing) if self.falls[1] else (west, self.spacing), (north, -self.spacing) if self.falls[0] else (south, self.spacing)
        told = {"crs_wkt": UTM, "spatial_ref": UTM, "grid_mapping_name": "transverse_mercator"}
        if self.system != "crs" or self.d.random() < 0.5:
            told["GeoTransform"] = f"{x[0]!r} {x[1]!r} 0.0 {y[0]!r} 0.0 {y[1]!r}"
        return {k: v for k, v in told.items() if k != "crs_wkt" or self.d.random() < 0.8}

    def write_h5(self, path, rows, lines):
        d = self.d
        name = "terrain" if self.initial else "z"
        rows = rows[None] if self.time else rows
        more = {} if d.random() < 0.5 else {"chunks": tuple(max(1, n - 1) for n in rows.shape), "compression": "gzip", "shuffle": d.random() < 0.5, "fletcher32": d.random() < 0.2}
        if self.unlimited or self.time == "unlimited":
            more.setdefault("chunks", rows.shape)
            more["maxshape"] = (None,) + rows.shape[1:] if d.random() < 0.5 else (None,) * rows.ndim
        with h5py.File(path, "w") as root:
            f = root.create_group(self.group) if self.group else root
            text = np.bytes_ if d.random() < 0.5 else str
            if not self.late:
                self.lines_h5(f, lines)
            f.create_dataset(name, data=rows, **more)
            f[name].attrs.update({k: text(v) if isinstance(v, str) else v for k, v in self.attributes.items()})
            if self.late:
                self.lines_h5(f, lines)
            if self.time and self.storage == "scales":
                f["time"] = np.array([12.5])
                f["time"].attrs["units"] = "days since 2000-01-01"
                f["time"].make_scale("time")
                f[name].dims[0].attach_scale(f["time"])
            for axis, (line, centres, words) in enumerate(lines):
                axis += rows.ndim - 2
                if self.along:
                    beside = f.create_dataset(self.along[axis - rows.ndim + 2], (len(centres),), ">f4")
                    beside.make_scale(BARE % len(centres))
                    f[name].dims[axis].attach_scale(beside)
                    f[line].dims[0].attach_scale(beside)
                elif self.storage == "scales":
                    f[name].dims[axis].attach_scale(f[line])
                elif self.storage == "labels":
                    f[name].dims[axis].label = line
            if self.along and self.listed:
                f[name].attrs["coordinates"] = text(" ".join(line for line, _, _ in lines))
            if self.second:
                f["count"] = np.ones((2, 3), "i4")
            if self.mapping:
                f.create_dataset(self.mapping, data=np.int64(0))
                f[self.mapping].attrs.update(self.mapping_attributes())
                f[name].attrs["grid_mapping"] = text(self.mapping)
                if d.random() < 0.3 and not self.along:
                    f[name].attrs["coordinates"] = text(self.mapping)
            if self.gmt:
                f.attrs.update({"Conventions": text("CF-1.7"), "title": text("a.nc"), "GMT_version": text("6.4.0"), "node_offset": np.int32(d.randrange(2))})
                f[name].attrs["actual_range"] = np.array([1.0, 400.0])

    def lines_h5(self, f, lines):
        for line, centres, words in lines:
            if self.lines:
                numbers, packing = self.line(centres)
                f[line] = numbers.astype(numbers.dtype.newbyteorder(">")) if self.d.random() < 0.2 else numbers
                f[line].attrs.update({**words, **packing})
                if self.unit_xy:
                    f[line].attrs["units"] = self.unit_xy
                if self.gmt:
                    f[line].attrs["actual_range"] = np.array([centres[0], centres[-1]])
                if self.bounds:
                    f[line].attrs["bounds"] = f"{line}_bnds"
                    f[f"{line}_bnds"] = np.stack([centres - 0.5, centres + 0.5], 1)
            elif self.storage == "scales":
                f.create_dataset(line, (len(centres),), ">f4")
            if self.storage == "scales" and not self.along:
                f[line].make_scale(line if self.lines else BARE % len(centres))

    def write_nc(self, path, rows, lines):
        """By NetCDF's own library."""
        d = self.d
        kind = "NETCDF4" if self.kind == "nc4" else d.choice(("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET"))
        with netCDF4.Dataset(path, "w", format=kind) as root:
            root.set_fill_off()
            f = root.createGroup(self.group) if self.group else root
            dimensions = self.along or tuple(line for line, _, _ in lines)
            self.dimension = dict(zip((line for line, _, _ in lines), dimensions))
            if self.time:
                f.createDimension("time", None if self.time == "unlimited" else 1)
                dimensions, rows = ("time", *dimensions), rows[None]
            for line, centres, words in lines:
                f.createDimension(self.dimension[line], None if self.unlimited and kind == "NETCDF4" else len(centres))
            if not self.late:
                self.lines_nc(f, lines)
            if self.time:
                v = f.createVariable("time", "f8", ("time",))
                v[:] = np.array([12.5])
                v.units = "days since 2000-01-01"
            fill = self.attributes.get("_FillValue")
            v = f.createVariable("terrain" if self.initial else "z", np.dtype(self.type).newbyteorder("="), dimensions,
                                 fill_value=fill if fill is None or not np.ndim(fill) else fill[0])
            v.set_auto_maskandscale(False)
            v[:] = rows
            v.setncatts({key: word for key, word in self.attributes.items() if key != "_FillValue"})
            if self.late:
                self.lines_nc(f, lines)
            if self.second:
                f.createDimension("two", 2)
                f.createVariable("count", "i4", ("two", dimensions[-2]))[:] = np.ones((2, len(lines[0][1])), "i4")
            if self.along and self.listed:
                v.coordinates = " ".join(line for line, _, _ in lines)
            if self.mapping:
                f.createVariable(self.mapping, "i4", ()).setncatts(self.mapping_attributes())
                v.grid_mapping = self.mapping
            if self.gmt:
                f.Conventions, f.node_offset = "CF-1.7", np.int32(d.randrange(2))
                v.actual_range = np.array([1.0, 400.0])

    def lines_nc(self, f, lines):
        for line, centres, words in lines:
            if not self.lines:
                continue
            numbers, packing = self.line(centres)
            v = f.createVariable(line, numbers.dtype, (self.dimension[line],))
            v.set_auto_maskandscale(False)
            v[:] = numbers
            v.setncatts({**words, **packing, **({"units": self.unit_xy} if self.unit_xy else {})})
            if self.bounds:
                if "nv" not in f.dimensions:
                    f.createDimension("nv", 2)
                v.bounds = f"{line}_bnds"
                f.createVariable(f"{line}_bnds", "f8", (self.dimension[line], "nv"))[:] = np.stack([centres - 0.5, centres + 0.5], 1)

    def scenario(self, file):
        base = "[{constant: {height: 0}}]" if self.initial else f"[{{raster: {{file: {file}, fill: constant, fill_height: {HOLE}{', variable: ' + f'{self.group}/z'.strip('/') if self.second or self.bounds or self.group else ''}}}}}]"
        initial = f"initial: {{file: {file}}}\n" if self.initial else ""
        return (f"otok: 1\ngrid: {{nx: {self.nx}, ny: {self.ny}, spacing: {self.spacing}}}\nbase: {base}\n{initial}"
                "phases: [{name: p, iterations: 1, hydraulic: {dt: 0.001}}]\n")
