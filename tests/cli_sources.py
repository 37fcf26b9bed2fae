"""Claim: a real valley, in the structure in which each of ten kinds of sources gives its DEM, is opened, rained on for ten iterations
and exported, and each cell has the height and the place that GDAL reads from the source: SRTM's .hgt and GeoTIFF in degrees, a GeoTIFF in
UTM, Esri ASCII with and without NODATA, Esri's .flt, NetCDF of GMT and of xarray, a 16-bit PNG, and a VRT. What is in degrees is
compared with gdalwarp's own result, at the same places. Needs gdal-bin and tests/requirements.txt."""
# once: under the sanitizers; it depends on no optimisation
import json

from cli import *

for program in ("gdalinfo", "gdal_translate", "gdalwarp", "gdalbuildvrt"):
    if not shutil.which(program):
        skip(f"no {program}; install gdal-bin")
with needed():
    import h5py
    import numpy as np
    import xarray as xr

    import dem
os.chdir(SPACE)
CUT = 60  # cells of a side: the source is a window of the valley
SPACING = 90


def gdal(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


def read(name, *words):
    """What GDAL reads: the heights as float64 with NaN for cells without data, row 0 the northern one, and west, width, north, height."""
    gdal("gdal_translate", "-q", "-ot", "Float64", "-of", "ENVI", *words, name, "read.bil")
    about = json.loads(subprocess.run(["gdalinfo", "-json", "read.bil"], capture_output=True, text=True, check=True).stdout)
    source = json.loads(subprocess.run(["gdalinfo", "-json", name], capture_output=True, text=True, check=True).stdout)
    z = np.fromfile("read.bil", "<f8").reshape(about["size"][::-1])
    none = source["bands"][0].get("noDataValue")
    if none is not None:
        z[z == float(none)] = np.nan
    turn = source["geoTransform"]
    return z, (turn[0], turn[1], turn[3], turn[5])


# ---- the valley, cut and in each structure ----
dem.main(SPACE)
gdal("gdal_translate", "-q", "-srcwin", 100, 100, CUT, CUT, "jacksboro.tif", "utm.tif")
gdal("gdal_translate", "-q", "-srcwin", 120, 110, 80, 70, "jacksboro_degrees.tif", "srtm.tif")
utm, (west, width, north, height) = read("utm.tif")
check(utm.shape == (CUT, CUT) and width == -height == SPACING and not np.isnan(utm).any(), "the window of the valley")


def hgt():
    """SRTM's tile of 1201 x 1201 cells at its corner's name: nodes, big-endian int16, -32768 for voids."""
    gdal("gdalwarp", "-q", "-te", -85 - 0.5 / 1200, 36 - 0.5 / 1200, -84 + 0.5 / 1200, 37 + 0.5 / 1200, "-ts", 1201, 1201, "-r", "near", "-ot", "Int16",
         "-dstnodata", -32768, "jacksboro_degrees.tif", "tile.tif")
    gdal("gdal_translate", "-q", "-of", "SRTMHGT", "tile.tif", "N36W085.hgt")
    return "N36W085.hgt"


def with_voids():
    holed = utm.copy()
    holed[7, 9:12] = -9999
    rows = "\n".join(" ".join(f"{v:.9g}" for v in row) for row in holed)
    write("holed.asc", f"ncols {CUT}\nnrows {CUT}\nxllcorner {west!r}\nyllcorner {north + CUT * height!r}\ncellsize {SPACING}\nNODATA_value -9999\n{rows}\n")
    return "holed.asc"


def without_nodata():
    gdal("gdal_translate", "-q", "-of", "AAIGrid", "-co", "DECIMAL_PRECISION=9", "-a_nodata", "none", "utm.tif", "plain.asc")
    check("nodata" not in pathlib.Path("plain.asc").read_text().lower(), "plain.asc names a number for cells without data")
    return "plain.asc"


def flt():
    gdal("gdal_translate", "-q", "-of", "EHdr", "-ot", "Float32", "utm.tif", "valley.flt")
    return "valley.flt"


def lines():
    return west + SPACING * (np.arange(CUT) + 0.5), north - SPACING * (np.arange(CUT) + 0.5)


def gmt():
    """As `gmt grdconvert` writes pixels: rising x and y at their centres, actual_range at their outer edges, no grid mapping."""
    x, y = lines()
    z = xr.DataArray(utm[::-1].astype("f4"), {"y": y[::-1], "x": x}, ("y", "x"), attrs={"long_name": "z", "actual_range": [utm.min(), utm.max()]})
    z.x.attrs, z.y.attrs = {"long_name": "x", "actual_range": [west, west + CUT * SPACING]}, {"long_name": "y", "actual_range": [north - CUT * SPACING, north]}
    xr.Dataset({"z": z}, attrs={"Conventions": "CF-1.7", "title": "", "GMT_version": "6.4.0 [64-bit]", "node_offset": np.int32(1)}).to_netcdf(
        "gmt.nc", engine="netcdf4", encoding={"z": {"zlib": True, "chunksizes": (32, 32), "_FillValue": np.float32("nan")}})
    return "gmt.nc"


def of_xarray():
    """As rioxarray writes it: falling y, a band, spatial_ref; packed."""
    x, y = lines()
    system = subprocess.run(["gdalsrsinfo", "-o", "wkt1", "utm.tif"], capture_output=True, text=True, check=True).stdout
    z = xr.DataArray(utm[None].astype("f4"), {"band": [1], "y": y, "x": x}, ("band", "y", "x"), attrs={"units": "m"})
    z.coords["spatial_ref"] = xr.DataArray(0, attrs={"crs_wkt": "".join(system.split("\n")), "GeoTransform": f"{west} {SPACING} 0.0 {north} 0.0 -{SPACING}"})
    z.x.attrs, z.y.attrs = {"units": "metre", "axis": "X"}, {"units": "metre", "axis": "Y"}
    z.to_dataset(name="elevation").to_netcdf("xarray.nc", engine="h5netcdf", encoding={"elevation": {
        "dtype": "int16", "scale_factor": 0.05, "add_offset": 500.0, "_FillValue": -32768, "grid_mapping": "spatial_ref"}})
    return "xarray.nc"


def png16():
    gdal("gdal_translate", "-q", "-of", "PNG", "-ot", "UInt16", "-scale", 0, 1310.7, 0, 65535, "utm.tif", "valley.png")
    return "valley.png"


def vrt():
    gdal("gdal_translate", "-q", "-srcwin", 0, 0, 30, CUT, "utm.tif", "left.tif")
    gdal("gdal_translate", "-q", "-srcwin", 30, 0, 30, CUT, "utm.tif", "right.tif")
    gdal("gdalbuildvrt", "-q", "valley.vrt", "left.tif", "right.tif")
    return "valley.vrt"


# ---- through otok, and beside GDAL's reading ----
def through(name, more="", n=CUT, spacing=SPACING):
    """Heights at the start and as exported after ten iterations, south first, and the exported file."""
    stem = name.replace(".", "_")
    scenario = write(f"{stem}.yaml", f"otok: 1\ngrid: {{nx: {n}, ny: {n}, spacing: {spacing}}}\nbase: [{{raster: {{file: {name}{more}}}}}]\n"
                     "phases: [{name: rain, iterations: 10, rain: {rate: 36 mm/h}, hydraulic: {dt: 1 s, pipes: signed, area: depth, manning: 0.05, capacity: 0}}]\n")
    done = run(scenario, SPACE / stem, "-q", code=None)
    if "all that this build reads" in done.stderr or "without GDAL" in done.stderr or "without it" in done.stderr:
        skip("this build is without GDAL")
    check(done.returncode == 0, f"{name}: {done.stderr}")
    if done.returncode:
        return None
    last = checkpoints(SPACE / stem)[-1]
    otok("export", last, "-o", SPACE / f"{stem}_out.tif", "--field", "terrain")
    with h5py.File(last) as f:
        check(f["water"][()].max() > 0, f"{name}: no rain fell")
        return f["terrain"][()], f"{stem}_out.tif", f["x"][()], f["y"][()]


def compare(name, found, wanted, place, exact=0.0, west_of=True):
    """Cell by cell and place by place, also of the exported file."""
    z, out, x, y = found
    holes = np.isnan(wanted)
    apart = np.abs(z[::-1] - wanted)[~holes].max()
    check(apart <= exact, f"{name}: cells differ from GDAL's by up to {apart} m")
    back, there = read(out)
    check(np.array_equal(np.isnan(back), holes), f"{name}: {np.isnan(back).sum()} exported cells are without data, not {holes.sum()}")
    check(np.array_equal(back[~holes], z[::-1][~holes].astype("f8")), f"{name}: the exported cells are others")
    if west_of:
        check(np.allclose(there, place, rtol=0, atol=1e-6), f"{name}: exported to {there}, and it is at {place}")
        check(abs(x[0] - (place[0] + place[1] / 2)) < 1e-6 and abs(y[-1] - (place[2] + place[3] / 2)) < 1e-6, f"{name}: x {x[0]}, y {y[-1]}")


seen = []
place = (west, width, north, height)
for make, more, exact in ((lambda: "utm.tif", "", 0), (with_voids, "", 0), (without_nodata, "", 0), (flt, "", 0), (gmt, "", 0), (vrt, "", 0),
                          (of_xarray, "", 1e-4), (png16, ", low: 0, high: 1310.7", 1e-4)):
    name = make()
    found = through(name, more)
    if found is None:
        continue
    wanted, told = read(name)
    if name == "valley.png":  # heights of gray by low and high; without a place
        wanted = wanted / 65535 * 1310.7
    elif name == "xarray.nc":
        wanted = wanted * 0.05 + 500  # GDAL gives the stored numbers
        check(np.abs(wanted - utm).max() <= 0.026, "the packed valley")
    compare(name, found, wanted, told, exact, west_of=name != "valley.png")
    if name != "valley.png":
        check(np.allclose(told, place, rtol=0, atol=1e-6), f"{name}: GDAL has it at {told}, not {place}")
    seen.append(name)

for name, n in (("srtm.tif", 40), (hgt(), 400)):  # the valley is off the middle of its tile
    bare = otok("base", write("bare.yaml", f"otok: 1\ngrid: {{nx: 80, ny: 70, spacing: 90}}\nbase: [{{raster: {name}}}]\n"), "-o", "b.vtkhdf", code=65)
    check("degrees" in bare.stderr and "reproject: auto" in bare.stderr, bare.stderr)
    found = through(name, ", reproject: auto", n=n)
    if found is None:
        continue
    z, out, x, y = found
    edges = [x[0] - SPACING / 2, y[0] - SPACING / 2, x[-1] + SPACING / 2, y[-1] + SPACING / 2]
    gdal("gdalwarp", "-q", "-overwrite", "-t_srs", "EPSG:32616", "-te", *edges, "-tr", SPACING, SPACING, "-r", "bilinear", "-ot", "Float32", "-dstnodata", -9999, name, "warped.tif")
    wanted, told = read("warped.tif")
    gdal("gdalwarp", "-q", "-overwrite", "-t_srs", "EPSG:32616", "-te", *edges, "-tr", SPACING / 2, SPACING / 2, "-r", "bilinear", "-et", 0, "-wo", "XSCALE=1", "-wo", "YSCALE=1",
         "-ot", "Float32", "-dstnodata", -9999, name, "finer.tif")  # cells of the raster are less than the grid's apart: each of two by two points counts
    finer = read("finer.tif")[0]
    four = np.stack([finer[i::2, j::2] for i in range(2) for j in range(2)])
    some = (~np.isnan(four)).sum(0)
    wanted = np.where(some >= 2, np.nansum(four, 0) / np.maximum(some, 1), np.nan)
    back, there = read(out)
    both = ~np.isnan(wanted) & ~np.isnan(back)
    off = np.abs(z[::-1] - wanted)[both]
    check((np.isnan(wanted) != np.isnan(back)).mean() < 0.02, f"{name}: cells without data differ")
    check(off.size > 1500 and off.max() < 0.01, f"{name}: {off.size} cells, off by up to {off.max()} m, {off.mean()} m in the mean")
    check(np.allclose(there, told, rtol=0, atol=1e-6), f"{name}: exported to {there}, not {told}")
    seen.append(name)
check(len(seen) == 10, f"read: {seen}")

# ---- GDAL's library is loaded for a raster: a damaged one is passed over for that of the build; one without the functions is refused ----
(SPACE / "other").mkdir()
library = SPACE / "other" / re.search(rb"libgdal\.so[.0-9]*", pathlib.Path(OTOK).read_bytes()).group().decode()
beside = {**ENV, "LD_LIBRARY_PATH": str(library.parent)}
library.write_text("")
otok("base", "utm_tif.yaml", "-o", "b.vtkhdf", env=beside)
subprocess.run([os.environ.get("CC", "cc"), "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
gdal("gdal_translate", "-q", "-of", "AAIGrid", "utm.tif", "with_prj.asc")
write("prj.yaml", f"otok: 1\ngrid: {{nx: {CUT}, ny: {CUT}, spacing: {SPACING}}}\nbase: [{{raster: with_prj.asc}}]\n")
otok("base", "prj.yaml", "-o", "b.vtkhdf")
for name in ("utm_tif.yaml", "prj.yaml"):  # the second needs GDAL to know how wide its cells are on the ground
    said = otok("base", name, "-o", "b.vtkhdf", env=beside, code=2).stderr
    check("needs GDAL" in said and f"{library.name} has no " in said and "libgdal-dev" in said, f"{name}: {said}")
finish(f"{len(seen)} kinds of sources: {', '.join(seen)}")
