"""Claim: `otok run` on a GeoTIFF of a real valley writes checkpoints whose georeference GDAL reads back, as does the GeoTIFF exported from
them; the same cells as an Esri ASCII grid make the same base; the movie and the meshes of the run come out whole."""
# once: under the sanitizers; it depends on no optimisation
import json
import shutil
import subprocess

from cli import *

for program in ("gdalinfo", "gdalwarp"):
    if not shutil.which(program):
        skip(f"no {program}; install gdal-bin")
with needed():
    import dem
DEM = pathlib.Path(__file__).parent.parent / "experiments/dem/dem.yaml"


def where(name):
    """Corner, cells and system, as GDAL has them."""
    found = json.loads(subprocess.run(["gdalinfo", "-json", name], capture_output=True, text=True, check=True).stdout)
    system = subprocess.run(["gdalsrsinfo", "-e", "-o", "epsg", name], capture_output=True, text=True).stdout
    return found["size"], found["geoTransform"], re.findall(r"EPSG:\d+", system), found


dem.main(SPACE)
scenario = write("dem.yaml", DEM.read_text())
done = run(scenario, SPACE / "out", "--quiet", "--set", "phases.rain.iterations=40", "--set", "phases.rain.rain.during=[[0, 40]]", "--set", "output.every=20",
           code=None)
if done.returncode == 65 and "libgdal-dev" in done.stderr:
    skip("this build is without GDAL")
check(done.returncode == 0, done.stderr)
source, files = where(SPACE / "jacksboro.tif"), checkpoints(SPACE / "out")
check(source[2] == ["EPSG:32616"] and len(files) == 3, f"{source[2]}, {len(files)} checkpoints")
for field in ("terrain", "water"):
    check(where(f'NETCDF:"{files[-1]}":{field}')[:3] == source[:3], f"{field}: {where(f'NETCDF:{files[-1]}:{field}')[:3]}, not {source[:3]}")
otok("export", files[-1], "-o", SPACE / "water.tif", "--field", "water")
check(where(SPACE / "water.tif")[:3] == source[:3], "the exported GeoTIFF lies elsewhere")
check(where(SPACE / "water.tif")[3]["bands"][0]["unit"] == "m", "its unit is lost")
text = otok("inspect", files[-1]).stdout
check("WGS 84 / UTM zone 16N" in text and "cells of its rasters had no data" in text, text)

otok("base", scenario, "-o", SPACE / "tif.vtkhdf")
otok("base", scenario, "-o", SPACE / "asc.vtkhdf", "--set", f"base.0.raster.file={SPACE}/jacksboro.asc")
otok("compare", SPACE / "tif.vtkhdf", SPACE / "asc.vtkhdf")
bad = otok("run", scenario, "--dry-run", "--set", "grid.nx=344", code=65)
check("write `grid: {nx: 345, ny: 363, spacing: 90}`" in bad.stderr, bad.stderr)
bad = otok("base", scenario, "-o", SPACE / "x.vtkhdf", "--set", f"base.0.raster.file={SPACE}/jacksboro_degrees.tif", "--set", "grid.nx=403", "--set",
           "grid.ny=344", "--set", "grid.spacing=30", code=65)
check("is in degrees" in bad.stderr, bad.stderr)

# ---- src/docs/dem.md: from degrees to a GeoTIFF of water depth ----
page = (DEM.parents[2] / "src/docs/dem.md").read_text()
own = re.search(r"```yaml\n(# dem.yaml.*?)```", page, re.S).group(1).replace("file: dem.tif", "file: jacksboro_degrees.tif")
own = write("own.yaml", own.replace("iterations: 1200", "iterations: 20").replace("[[0 h, 1 h]]", "[[0 s, 50 s]]").replace("every: 600", "every: 20"))
otok("run", own, "-o", SPACE / "own", "-q")
otok("export", checkpoints(SPACE / "own")[-1], "-o", SPACE / "depth.tif", "--field", "water")
size, corner, system, about = where(SPACE / "depth.tif")
west, north, east, south = (about["cornerCoordinates"][k][i] for k, i in (("upperLeft", 0), ("upperLeft", 1), ("lowerRight", 0), ("lowerRight", 1)))
check(size == [350, 350] and corner[1] == -corner[5] == 75 and system == ["EPSG:32616"], f"{size}, {corner}, {system}")
outer = where(SPACE / "jacksboro.tif")[3]["cornerCoordinates"]  # gdalwarp's own UTM grid of the same raster
check(outer["upperLeft"][0] < west and outer["upperLeft"][1] > north and outer["lowerRight"][0] > east and outer["lowerRight"][1] < south, f"{west} {north}")
for side, low, high in ((0, west, east), (1, south, north)):
    middle = (outer["upperLeft"][side] + outer["lowerRight"][side]) / 2
    check(abs((low + high) / 2 - middle) < 400, f"the middle of the grid is {(low + high) / 2}, of the raster {middle}")

otok("export", files[-1], "-o", SPACE / "a.ply", "--exaggerate", 2)
check((SPACE / "a.ply").stat().st_size > 1e6, "a.ply is small")
for words, said in ((("-o", "a.xyz"), "known are .png, .asc, .tif, .exr, .r32, .nc, .csv, .ply, .gltf and .vti"), (("-o", "a.tif", "--sphere", "5"), "are for meshes"),
                    (("-o", "a.ply", "--sphere", "-5"), "not above 0"), (("-o", "a.tif", "--bits", "8"), "need a .png"),
                    (("-o", "a.ply", "-f", "water"), "leave out --field")):
    bad = otok("export", files[-1], *words, code=2)
    check(said in bad.stderr, bad.stderr)
check(not left_over(SPACE), left_over(SPACE))
finish(f"{source[0][0]} x {source[0][1]} cells, {source[2][0]}")
