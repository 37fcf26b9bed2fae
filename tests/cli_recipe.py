"""Claim: the eight commands of `src/docs/dem.md` lead from a DEM in degrees with holes and a sea of zeros in its south and with a bed in its north, and a hydrograph with dates, to maps
of the flood; and all that they write is in one place: GeoTIFF by GDAL, NetCDF by xarray, the checkpoint by VTK, the gauge and the river. Where rasterio and pyvista are
installed (no other test needs them) they see the same place."""
# once: under the sanitizers; it depends on no optimisation
import json
import shlex

from cli import *

for program in ("gdalinfo", "gdal_translate"):
    if not shutil.which(program):
        skip(f"no {program}; install gdal-bin")
with needed():
    import numpy as np
    import pyproj
    import vtk
    import xarray
    from vtk.util.numpy_support import vtk_to_numpy
if "without GDAL" in otok("--version", code=None).stdout:
    skip("this build is without GDAL")
DEEPEST = "max_depth"  # the field of depth.tif
RIVER, GAUGE, CELL = (13.389, 43.546), (13.352, 43.546), 75
NX, NY, STEP, WEST, SOUTH = 130, 110, 1 / 1200, 13.30, 43.50

# A coast in cells of 3 arc-seconds: the west is 0, as SRTM has the sea, or falls to -18 m; a channel leads down a plain to it.
across, north = np.meshgrid((np.arange(NX) + 0.5) / NX, (np.arange(NY) + 0.5) / NY)
heights = 120 * np.clip(across - 0.25, 0, None) + 40 * np.abs(north - 0.5) - 6 * np.exp(-(((north - 0.5) / 0.02) ** 2)) * (across < 0.98)
heights = np.round(np.where(across < 0.25, np.where(north < 0.5, 0, np.minimum(0, 80 * (across - 0.25))), np.maximum(heights, 1)))
heights[70:74, 60:64] = heights[20, 100] = -32768
write("dem.asc", f"ncols {NX}\nnrows {NY}\nxllcorner {WEST}\nyllcorner {SOUTH}\ncellsize {STEP!r}\nNODATA_value -32768\n"
      + "\n".join(" ".join(f"{z:.0f}" for z in row) for row in heights[::-1]) + "\n")
subprocess.run(["gdal_translate", "-q", "-ot", "Int16", "-a_srs", "EPSG:4326", "dem.asc", "dem.tif"], check=True, cwd=SPACE, capture_output=True)
write("flood.csv", "date,Q [m3/s]\n2023-08-04T06:00+02:00,5\n2023-08-04T07:00+02:00,120\n2023-08-04T08:30+02:00,40\n2023-08-04T12:00+02:00,10\n")

# ---- the page, as it stands ----
page = (pathlib.Path(__file__).parent.parent / "src/docs/dem.md").read_text()
section = page[page.index("## A flood from a river to the sea"):]
write("flood.yaml", re.search(r"```yaml\n(.*?)```", section, re.S)[1])
commands = [shlex.split(line, comments=True) for line in re.search(r"```sh\n(.*?)```", section, re.S)[1].splitlines()]
check(len(commands) == 8 and all(command[0] == "otok" for command in commands), f"commands: {commands}")
said = {}
for command in commands:
    leaks = {"ASAN_OPTIONS": "detect_leaks=0"} if command[1] == "render" else {}  # drivers keep memory to the end
    done = subprocess.run([OTOK, *command[1:]], cwd=SPACE, env={**os.environ, **ENV, **leaks}, capture_output=True, text=True, timeout=LIMIT)
    if command[1] == "render" and done.returncode and re.search("EGL|without viz|draw", done.stderr):
        continue
    check(done.returncode == 0, f"{command}: {done.stderr}")
    said[command[1] + command[-1]] = done.stdout + done.stderr
run_said = said["runflood"]
check("verdict: stable" in run_said and re.search(r"15 of 11000 cells .* of the rasters", run_said), run_said)  # read for two maps, counted once
check("rivers.0.history: 4 points" in said["run--dry-run"] and "5 to 120 m3 s-1" in said["run--dry-run"], said["run--dry-run"])
check("2023-08-04T07:00:00Z" in said["inspectflood/flood_00000180.vtkhdf"], said["inspectflood/flood_00000180.vtkhdf"])

# ---- one place ----
about = json.loads(subprocess.run(["gdalinfo", "-json", "depth.tif"], cwd=SPACE, check=True, capture_output=True, text=True).stdout)
subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "depth.tif", "depth.bil"], cwd=SPACE, check=True, capture_output=True)
west, width, _, top, _, height = about["geoTransform"]
nx, ny = about["size"]
depth = np.fromfile(SPACE / "depth.bil", "<f4").reshape(ny, nx)[::-1]  # south first, as all others are
check(width == -height == CELL, f"cells: {about['geoTransform']}")
x, y = west + (np.arange(nx) + 0.5) * CELL, top - (ny - np.arange(ny) - 0.5) * CELL
with xarray.open_dataset(SPACE / "flood.nc", engine="h5netcdf") as state:
    check(np.allclose(state.x, x, rtol=0, atol=1e-6) and np.allclose(state.y, y, rtol=0, atol=1e-6), f"xarray has {state.x.values[0]}, {state.y.values[0]}; GDAL {x[0]}, {y[0]}")
    check(np.array_equal(state[DEEPEST].values, depth), "other depths in NetCDF")
    ground, final, system = state.terrain.values, state.water.values, pyproj.CRS(state.crs.attrs["crs_wkt"])
    state_level = ground + final
    check(str(state.date.values).startswith("2023-08-04T07:00:00"), f"{state.date.values}")
reader = vtk.vtkHDFReader()
reader.SetFileName(str(SPACE / "flood/flood_00000180.vtkhdf"))
reader.Update()
image = reader.GetOutput()
points = np.array(image.GetOrigin()[:2]), np.array(image.GetSpacing()[:2]), image.GetDimensions()[:2]
check(np.allclose(points[0], (x[0], y[0]), rtol=0, atol=1e-6) and np.allclose(points[1], CELL) and points[2] == (nx, ny), f"VTK has {points}")
values = image.GetPointData().GetArray(DEEPEST)
check(values is not None and np.array_equal(vtk_to_numpy(values).reshape(ny, nx), depth), "other depths in VTK")
for more in ([], ["--field", DEEPEST], ["--field", "water_surface"]):  # for VTK before 9.3
    otok("export", SPACE / "flood/flood_00000180.vtkhdf", "-o", SPACE / "flood.vti", *more)
    older = vtk.vtkXMLImageDataReader()
    older.SetFileName(str(SPACE / "flood.vti"))
    older.Update()
    flat, about = older.GetOutput(), older.GetOutput().GetFieldData()
    check((flat.GetOrigin(), flat.GetSpacing(), flat.GetDimensions()) == (image.GetOrigin(), image.GetSpacing(), image.GetDimensions()), f"{more}: {flat.GetOrigin()}, {flat.GetDimensions()}")
    check(about.GetArray("TimeValue").GetValue(0) == 10800, f"{more}: the time")
    told = [about.GetAbstractArray("units").GetValue(n) for n in range(about.GetAbstractArray("units").GetNumberOfValues())]
    names = [flat.GetPointData().GetArrayName(n) for n in range(flat.GetPointData().GetNumberOfArrays())]
    check([word.split()[0] for word in told] == names and (told == [f"{more[1]} [m]"] if more else {"terrain [m]", "velocity_x [m s-1]"} < set(told)), f"{more}: {told}, {names}")
    check(len(names) == (1 if more else image.GetPointData().GetNumberOfArrays()), f"{more}: {names}")
    for name in names:
        right = vtk_to_numpy(image.GetPointData().GetArray(name)) if image.GetPointData().HasArray(name) else state_level.ravel()
        check(np.array_equal(vtk_to_numpy(flat.GetPointData().GetArray(name)), right), f"{more}: {name} has other values")

# ---- what GIS users have ----
seen = ""
try:
    import pyvista
    import rasterio
except ImportError:
    pass
else:
    seen = ", also in rasterio and pyvista"
    corners = (x[0] - CELL / 2, y[0] - CELL / 2, x[-1] + CELL / 2, y[-1] + CELL / 2)
    for name in ("depth.tif", f"netcdf:{SPACE}/flood.nc:max_depth", f"netcdf:{SPACE}/flood/flood_00000180.vtkhdf:max_depth"):
        with rasterio.open(SPACE / name if name == "depth.tif" else name) as map_:
            check(np.allclose(map_.bounds, corners, rtol=0, atol=1e-6) and map_.crs.to_epsg() == system.to_epsg(25) == 32633, f"{name}: {map_.bounds}, {map_.crs}")
            check(np.array_equal(map_.read(1)[::-1], depth), f"{name}: other depths")
    mesh = pyvista.read(SPACE / "flood/flood_00000180.vtkhdf")
    check(np.allclose(mesh.bounds[:4], (x[0], x[-1], y[0], y[-1]), rtol=0, atol=1e-6) and np.array_equal(mesh[DEEPEST].reshape(ny, nx), depth), f"pyvista: {mesh.bounds}")
    with rasterio.open(SPACE / "depth.tif") as map_:
        check(all(map_.index(*point[:2]) == (ny - 1 - n // nx, n % nx) for n, point in enumerate(mesh.points) if n % 97 == 0), "VTK's points in other cells of the GeoTIFF")

way = pyproj.Transformer.from_crs(4326, system, always_xy=True)


def cell(place):
    east, north = way.transform(*place)
    return int((north - (y[0] - CELL / 2)) // CELL), int((east - (x[0] - CELL / 2)) // CELL)


rows = [row.split(",") for row in (SPACE / "gauges.csv").read_text().splitlines() if row[:1].isdigit()]
last, peak = rows[-1], max(float(row[1]) for row in rows)
here = cell(GAUGE)
check(abs(float(last[1]) - final[here]) < 1e-5 and abs(float(last[2]) - final[here] - ground[here]) < 1e-4 and final[here] > 0.1, f"gauge: {last}, map {final[here]}, {ground[here]}")
check(len(rows) >= 180 and -1e-5 < depth[here] - peak < 0.01 * peak, f"the gauge has {peak} m at most, the map {depth[here]}")  # which sees shorter steps, too
check(last[-1] == "2023-08-04T07:00:00Z", f"{last}")
check(depth[cell(RIVER)] > 0.1, f"at the river: {depth[cell(RIVER)]} m")
sea, zero = ground <= 0, ground == 0
check(abs(np.median(depth[zero]) - 0.5) < 0.05 and zero.mean() > 0.05 and not np.isnan(depth).any(), f"the sea: {np.median(depth[zero])} m deep in {zero.mean():.0%}")
with xarray.open_dataset(SPACE / "flood/flood_00000000.vtkhdf", engine="h5netcdf", group="/") as state:
    first = state.water.values
check(np.allclose(first, np.maximum(0.5 - ground, 0), rtol=0, atol=1e-4) and first.max() > 10 and (first > 0).mean() < 0.5, f"at the start {first.max()} m, wet {(first > 0).mean():.0%}")
rise = np.abs((ground + depth)[ground < -1] - 0.5)
check(rise.max() < 0.3, f"the level over the bed is up to {rise.max()} m off")  # no tsunami
finish(f"{nx} x {ny} cells in one place{seen}, {depth[here]:.2f} m at the gauge")
