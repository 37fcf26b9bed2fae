"""Claim: a river, a gauge, a cross section and a cone are where their longitude and latitude, coordinates of a map, GeoJSON or CSV says, to a
millimetre of pyproj, on coarse cells and on fine ones, and under `reproject: auto`. A point outside is named with its distance and the corners;
points without a system, swapped, unknown or without a place are refused."""

import json

from cli import SPACE, check, finish, needed, otok, re, skip, write

with needed():
    import numpy as np
    import pyproj

WEST, SOUTH, AT, TO = 390000, 5815000, (1234.5, 567.25), (2234, 2567)
UTM = pyproj.CRS(25833)
EARTH = pyproj.Transformer.from_crs(UTM, 4326, always_xy=True)


def grid(name, nx, ny, cell, west=WEST, south=SOUTH, crs=UTM):
    write(name + ".asc", f"ncols {nx}\nnrows {ny}\nxllcorner {west}\nyllcorner {south}\ncellsize {cell}\n" + "\n".join(" ".join(["5"] * nx) for _ in range(ny)) + "\n")
    if crs:
        write(name + ".prj", crs.to_wkt("WKT1_ESRI"))


def read(place, item="gauges", name="coarse", cells="{nx: 40, ny: 30, spacing: 100}", more="", code=0):
    """Metres from the corner of the grid in the resolved scenario of a run, or what it is refused with."""
    of = {"gauges": "x: 50, y: 50", "rivers": "x: 50, y: 50", "cone": "x: 50, y: 50", item: place}
    path = write("points.yaml", f"""otok: 1
grid: {cells}
base: [{{raster: {{file: {name}.asc{more}}}}}, {{cone: {{height: 9, radius: 200, combine: add, {of["cone"]}}}}}]
audit: off
phases: [{{name: p, iterations: 1, hydraulic: {{dt: 0.1}}, rivers: [{{discharge: 1, {of["rivers"]}}}]}}]
gauges: [{{name: g, {of["gauges"]}}}]
""")
    done = otok("run", path, "-o", SPACE / "points", "--overwrite", "-q", code=code)
    if code or done.returncode:
        return done.stderr
    text = otok("inspect", SPACE / "points/points_00000000.vtkhdf", "--scenario").stdout
    part = re.split(r"\n\S", text[text.index(item + ":"):])[0]
    return [float(value) for value in re.findall(r"\b(?:to_)?[xy]: (\S+?),?\s", part + " ")]


grid("coarse", 40, 30, 100)
grid("fine", 80, 60, 50)
here, there = (EARTH.transform(WEST + x, SOUTH + y) for x, y in (AT, TO))
if "needs GDAL" in str(read(f"at: [{here[0]}, {here[1]}], system: lonlat", code=None)):
    skip("this build is without GDAL")
point = {"type": "Feature", "properties": {"name": "weir"}, "geometry": {"type": "Point", "coordinates": here}}
line = {"type": "Feature", "id": "reach", "properties": None, "geometry": {"type": "LineString", "coordinates": [here, (0, 0), there]}}
write("earth.geojson", json.dumps({"type": "FeatureCollection", "features": [line, point]}, indent=1))
write("utm.geojson", json.dumps({"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25833"}},
                                 "features": [{**point, "geometry": {"type": "Point", "coordinates": [WEST + AT[0], SOUTH + AT[1], 31.5]}}]}))
write("earth.csv", f"Station;Longitude;Latitude\nelse;1;2\nweir;{here[0]};{here[1]}\n")
write("map.csv", f"name,easting,northing\nweir,{WEST + AT[0]},{SOUTH + AT[1]}\n")
ways = [f"at: [{here[0]}, {here[1]}], system: lonlat", f"at: [{here[0] - 360}, {here[1]}], system: lonlat", f"at: [{WEST + AT[0]}, {SOUTH + AT[1]}], system: map",
        f"at: [{WEST + AT[0]}, {SOUTH + AT[1]}], system: EPSG:25833", *(f"at: {{file: {name}, name: weir}}" for name in ("earth.geojson", "utm.geojson", "earth.csv")),
        "at: {file: map.csv, name: weir}, system: map"]
for way in ways:
    found = read(way)
    check(np.allclose(found, AT, rtol=0, atol=1e-3), f"{way}: {found}")
for item, cells, name in (("cone", "{nx: 40, ny: 30, spacing: 100}", "coarse"), ("rivers", "{nx: 80, ny: 60, spacing: 50}", "fine"), ("gauges", "{nx: 8, ny: 6, spacing: 500}", "coarse")):
    found = read(ways[0], item, name, cells, ", fit: stretch" if "500" in cells else "")
    check(np.allclose(found[:2], AT, rtol=0, atol=1e-3), f"{item} on {cells}: {found}")
for way in (f"at: [{here[0]}, {here[1]}], to: [{there[0]}, {there[1]}], system: lonlat", "at: {file: earth.geojson, name: reach}"):
    for item in ("gauges", "rivers"):
        found = read(way, item)
        check(np.allclose(found[:4], AT + TO, rtol=0, atol=1e-3), f"{item}, {way}: {found}")

# In degrees, with `reproject: auto`: the place in the warped grid, whose corner the message of a point outside tells.
grid("degrees", 60, 60, 0.001, 13.36, 52.46, pyproj.CRS(4326))
told = read("at: [0, 0], system: EPSG:32633", "gauges", "degrees", "{nx: 30, ny: 30, spacing: 100}", ", reproject: auto", 65)
west, south = map(float, re.search(r"lower left corner is ([\d.]+), ([\d.]+)", told).groups())
x, y = pyproj.Transformer.from_crs(4326, 32633, always_xy=True).transform(*here)
found = read(ways[0], "gauges", "degrees", "{nx: 30, ny: 30, spacing: 100}", ", reproject: auto")
check(abs(found[0] - (x - west)) < 0.01 and abs(found[1] - (y - south)) < 0.01, f"warped: {found}, {x - west}, {y - south}")

# ---- refused ----
grid("nowhere", 40, 30, 100, crs=None)
for way, words, *name in ((f"at: [{WEST - 10}, {SOUTH - 20}], system: map", "10 m west and 20 m south of the grid, whose lower left corner is 390000, 5815000"),
                          (f"at: [{here[1]}, {here[0]}], system: lonlat", "the two are swapped"), (f"at: [{here[0]}, {here[1]}]", "write system: lonlat"),
                          (f"at: [{here[0]}, {here[1]}], system: utm", "write system: lonlat"), ("at: [13, 95], system: lonlat", "has no place"),
                          ("at: [1, 2], system: EPSG:999999", "has no place"), ("at: [1], system: map", "not a point"),
                          ("at: {file: earth.geojson, name: wier}", "has no feature"), ("at: {file: map.csv, name: weir}", "write system: lonlat"),
                          ("at: {file: earth.csv, name: weir}, system: map", "the file tells the system"), (f"x: 3, {ways[0]}", "keep one"),
                          (ways[0], "does not say its coordinate system", "nowhere")):
    said = read(way, "gauges", *name, code=65)
    check(words in said and "points.yaml:" in said, f"{way}: {said}")
finish()
