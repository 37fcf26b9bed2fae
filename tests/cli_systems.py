"""Claim: a raster in any system of reference is where and as high as pyproj says, or is refused. The files are drawn at random: horizontal
systems of many countries (degrees, metres, feet; axes in every order), heights above geoids, datums and ellipsoids in metres and feet, and
depths; as Esri ASCII with a .prj in three kinds of WKT, as GeoTIFF, as NetCDF; with `reproject: auto` or without, alone or with a second
raster in another system. The ground is a plane in the coordinates of the file that rises 1 cm in a tenth of a cell, so that a height within
1 cm is a place within a tenth of a cell. What otok writes names the same systems in metres, up. pyproj and otok share one database, without
grids from a network. `cli_systems.py OTOK BACKEND N [FIRST]` tries N files from number FIRST on: 500 after a change."""
# once: under the sanitizers; it depends on no optimisation
import warnings

from cli import *

with needed():
    import h5py
    import netCDF4
    import numpy as np
    import pyproj

N = int(sys.argv[3]) if len(sys.argv) > 3 else 12 if SMALL else 50
FIRST = int(sys.argv[4]) if len(sys.argv) > 4 else 0
warnings.filterwarnings("ignore", "Best transformation is not available")
pyproj.network.set_network_enabled(False)
ENV.update(PROJ_DATA=pyproj.datadir.get_data_dir(), PROJ_LIB=pyproj.datadir.get_data_dir(), PROJ_NETWORK="OFF")
DEGREES = (4326, 4258, 4269, 4267, 4674, 4283, 4612, 4618, 4230, 4277, 4314, 4289, 4167)
METRES = (*range(32601, 32661, 7), *range(32701, 32761, 7), *range(25829, 25838), *range(26903, 26923, 3), 3035, 2154, 27700, 28992, 31466, 31467, 31468, 31469, 2056, 21781, 5514, 5513,
          2193, 2326, 3067, 3006, 2180, 5070, 3395, 3857, 2443, 22275, 3031, 3413, 31370, 23700, 3765, 31256, 2100, 5179, 3347)
FEET = (2222, 2225, 2227, 2263, 2264, 2272, 2278, 2285, 2965, 3359, 6441, 6527, 2994, 2256)
HEIGHTS = (None, None, None, 5773, 3855, 5703, 6360, 8228, 5783, 7837, 5701, 5709, 5714, 5715, 5702, 6357, 6358, 5613, 5720, 7841, 5861, 5831, 8050, 8051)  # EPSG
CELL, NX, NY, GRID = 30.0, 44, 40, (16, 14)
RISE = 0.01 / (CELL / 10)


class Case:
    """A file: its systems, and the plane that it holds."""

    def __init__(self, number, near=None):
        d = self.d = random.Random(f"{os.environ.get('OTOK_TEST_SEED', '1')} systems {number} {bool(near)}")
        self.name = f"{'b' if near else 'a'}{number}"
        self.across, lon, lat = self.place(near)
        heights = d.choice(HEIGHTS)
        self.up, self.system, self.heights = 1.0, self.across, None
        if heights:
            self.heights = pyproj.CRS(heights)
            axis = self.heights.axis_info[0]
            self.up = axis.unit_conversion_factor * (-1 if axis.direction == "down" else 1)
            self.system = pyproj.crs.CompoundCRS(f"{self.across.name} + {self.heights.name}", [self.across, self.heights])
        self.to_earth = pyproj.Transformer.from_crs(self.across, 4326, always_xy=True)
        x, y = self.to_earth.transform(lon, lat, direction="INVERSE")
        factor = self.across.axis_info[0].unit_conversion_factor
        self.is_degrees = self.across.is_geographic
        self.unit = 1.0 if self.is_degrees else factor
        self.reproject = bool(near) or self.is_degrees or d.random() < 0.6
        if self.reproject and not self.is_degrees:
            factor /= pyproj.Proj(self.across).get_factors(lon, lat).meridional_scale  # as many metres on the ground
        self.width = CELL / 111320 / np.cos(np.radians(lat)) if self.is_degrees else CELL / factor
        self.high = CELL / 111320 if self.is_degrees else CELL / factor
        if self.is_degrees and d.random() < 0.5:
            square = d.choice((1 / 3600, 0.00025))
            if NX * square * 111320 * np.cos(np.radians(lat)) > 1.3 * GRID[0] * CELL:  # so that the raster holds the grid, however it is turned
                self.width = self.high = square
        self.west, self.south = x - NX / 2 * self.width, y - NY / 2 * self.high
        self.top, self.slopes = d.uniform(50, 400), (RISE * CELL / self.width, d.choice((-1, 1)) * RISE * CELL / self.high)
        self.file = self.write()

    def place(self, near):
        """A system, and a place in the middle of its area, or near another."""
        d = self.d
        for _ in range(200):
            across = pyproj.CRS(d.choice(d.choice((DEGREES, METRES, METRES, FEET))))
            if across.name == "" or not across.area_of_use:
                continue
            w, s, e, n = across.area_of_use.bounds
            e += 360 * (e < w)
            if near:
                if w < near[0] < e and s < near[1] < n:
                    return (across, *near)
                continue
            return across, w + (e - w) * d.uniform(0.3, 0.7), s + (n - s) * d.uniform(0.3, 0.7)
        return (pyproj.CRS(4326), *near)

    def heights_at(self, x, y):
        """The height at coordinates of the file [m]."""
        return self.up * self.stored(x, y)

    def stored(self, x, y):
        return (self.top + self.slopes[0] * (x - self.west) + self.slopes[1] * (y - self.south)) / abs(self.up)

    def write(self):
        d, x, y = self.d, self.west + (np.arange(NX) + 0.5) * self.width, self.south + (np.arange(NY) + 0.5) * self.high
        z = self.stored(*np.meshgrid(x, y))
        self.kind = d.choice(("WKT1_GDAL", "WKT1_ESRI", "WKT2_2019", "tif", "nc"))
        if self.kind == "nc":
            return self.write_nc(x, y, z)
        version = "WKT2_2019" if self.kind == "tif" else self.kind
        try:
            wkt = self.system.to_wkt(version)
        except pyproj.exceptions.CRSError:
            wkt = None
        self.version = version if wkt else "WKT2_2019"
        wkt = wkt or self.system.to_wkt("WKT2_2019")
        cells = f"dx {self.width!r}\ndy {self.high!r}" if abs(self.width / self.high - 1) > 1e-9 else f"cellsize {float(self.width)!r}"
        asc, prj = SPACE / (self.name + ".asc"), SPACE / (self.name + ".prj")
        asc.write_text(f"ncols {NX}\nnrows {NY}\nxllcorner {float(self.west)!r}\nyllcorner {float(self.south)!r}\n{cells.replace('np.float64(', '').replace(')', '')}\n"
                       + "\n".join(" ".join(f"{v:.9g}" for v in row) for row in z[::-1]) + "\n")
        prj.write_text(wkt)
        if self.kind != "tif" or not shutil.which("gdal_translate"):
            self.kind = self.version
            return asc.name
        done = subprocess.run(["gdal_translate", "-q", "-ot", "Float64", "-a_srs", prj, asc, SPACE / (self.name + ".tif")], capture_output=True, text=True, env={**os.environ, **ENV})
        asc.unlink()
        prj.unlink()
        return self.name + ".tif" if done.returncode == 0 else self.write_nc(x, y, z)

    def write_nc(self, x, y, z):
        self.kind = "nc"
        names = (("lat", "degrees_north"), ("lon", "degrees_east")) if self.is_degrees else (("y", None), ("x", None))
        with netCDF4.Dataset(SPACE / (self.name + ".nc"), "w") as f:
            for (name, unit), line in zip(names, (y, x)):
                f.createDimension(name, len(line))
                v = f.createVariable(name, "f8", (name,))
                v[:] = line
                v.units = unit or ({0.3048: "ft"}.get(round(self.unit, 9), "US_survey_foot") if self.unit != 1 else "m")
                v.standard_name = {"lat": "latitude", "lon": "longitude", "y": "projection_y_coordinate", "x": "projection_x_coordinate"}[name]
            f.createVariable("crs", "i4", ()).setncatts({"crs_wkt": self.system.to_wkt("WKT2_2019"), "grid_mapping_name": "unknown"})
            v = f.createVariable("z", "f8", (names[0][0], names[1][0]))
            v[:] = z
            v.grid_mapping = "crs"
            factor = abs(self.up)
            v.units = "m" if factor == 1 else "ft" if abs(factor / 0.3048 - 1) < 1e-9 else "US_survey_foot"
            if self.up < 0:
                v.positive = "down"
        return self.name + ".nc"


def same(written, case, reprojected):
    """Does the system that otok wrote have the horizontal one, and heights in metres, up?"""
    parts = written.sub_crs_list or [written]
    if not reprojected and not (parts[0].to_2d() if not parts[0].is_projected else parts[0]).equals(case.across, ignore_axis_order=True) and parts[0].to_epsg() != case.across.to_epsg():
        return parts[0].name.replace("_", " ").lower().split("/")[-1].strip() == case.across.name.lower().split("/")[-1].strip() or pyproj.Transformer.from_crs(
            parts[0], case.across, always_xy=True).transform(case.west, case.south) == (case.west, case.south)
    if len(parts) < 2:
        return True
    axis = parts[1].axis_info[0]
    return axis.unit_conversion_factor == 1 and axis.direction == "up" and case.heights is not None


def try_one(number):
    one = Case(number)
    d, cases = one.d, [one]
    reproject = one.reproject
    if d.random() < 0.35 and reproject:
        cases.append(Case(number, one.to_earth.transform(one.west + NX / 2 * one.width, one.south + NY / 2 * one.high)))
    nx, ny = GRID if reproject else (NX, NY)
    more = ", reproject: auto" if reproject else ""
    base = ", ".join(f"{{raster: {{file: {case.file}{more}{', combine: add' if i else ''}}}}}" for i, case in enumerate(cases))
    path = write("s.yaml", f"otok: 1\ngrid: {{nx: {nx}, ny: {ny}, spacing: {CELL}}}\nbase: [{base}]\nphases: [{{name: p, iterations: 1, hydraulic: {{dt: 0.001}}}}]\n")
    done = otok("base", path, "-o", SPACE / "s.vtkhdf", code=None)
    about = f"file {number}, {' and '.join(f'{c.kind} {c.system.name} {c.up:g}' for c in cases)}{more}"
    if done.returncode:
        check(done.returncode == 65 and any(c.file.split(".")[0] + "." in done.stderr for c in cases), f"{about}: {done.returncode} {done.stderr}")
        return about + ": " + done.stderr.strip()
    with h5py.File(SPACE / "s.vtkhdf") as f:
        z, system = f["terrain"][()], pyproj.CRS(f["crs"].attrs["crs_wkt"].decode())
        x, y = np.meshgrid(f["x"][()], f["y"][()])
    check(same(system, one, reproject), f"{about}: written as {system.to_wkt()}")
    flat = (system.sub_crs_list or [system])[0].to_2d()
    rights = [0]
    for case in cases:  # several ways, if the database has several between two datums: which is taken depends on the area asked about
        ways = [way for way in pyproj.transformer.TransformerGroup(flat, case.across, always_xy=True).transformers] if reproject else [None]
        sums = []
        for way in ways:
            east, north = way.transform(x, y) if way else (x, y)
            east = east - 360 * np.round((east - case.west) / 360) if case.is_degrees else east  # 190 degrees are -170
            sums += [right + case.heights_at(east, north) for right in rights if np.isfinite(east).all()]
        rights = sums
    worst = min(np.abs(z - right).max() for right in rights)
    check(worst <= 0.01 * len(cases), f"{about}: {worst:.4f} m away from pyproj's heights: {z[0, :3]}, not {rights[0][0, :3]}")
    return None


if "needs GDAL" in otok("base", write("s.yaml", "otok: 1\ngrid: {nx: 4, ny: 4}\nbase: [{raster: {file: none.tif, reproject: auto}}]\nphases: []\n"), "-o", SPACE / "s.vtkhdf", code=None).stderr:
    skip("this build is without GDAL")
refusals = [said for number in range(FIRST, FIRST + N) if (said := try_one(number))]
for said in refusals if N > 100 else ():
    print(said)
check(len(refusals) <= 0.25 * N, f"{len(refusals)} of {N} refused: {refusals}")
finish(f"{N - len(refusals)} of {N} rasters where and as high as pyproj says, {len(refusals)} refused")
