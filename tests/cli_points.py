"""Claim: a river, a gauge, a cross section and a cone are where their longitude and latitude, coordinates of a map, GeoJSON or CSV says, to a
millimetre of pyproj, on coarse cells and on fine ones, and under `reproject: auto`. A point outside is named with its distance and the corners;
points without a system, swapped, unknown or without a place are refused. The grid is the part of a raster around the raster's own `at`: its
cells, where they are on the map."""
# once: under the sanitizers; it depends on no optimisation

import json

from cli import SPACE, check, finish, needed, otok, re, skip, write

with needed():
    import h5py
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

# A dam has all corners, of which some may be beyond the grid.
bend = (WEST - 300, SOUTH + 900)
write("dikes.geojson", json.dumps({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"NAME": "dike"}, "geometry": {"type": "MultiLineString", "coordinates": [[here, EARTH.transform(*bend), there]]}}, point]}))


def dam(line, code=0):
    path = write("dam.yaml", f"""otok: 1
grid: {{nx: 40, ny: 30, spacing: 100}}
base: [{{raster: {{file: coarse.asc}}}}]
audit: off
phases: [{{name: p, iterations: 1, hydraulic: {{dt: 0.1, law: local_inertia}}, dams: [{{crest: 1e3, {line}}}]}}]
""")
    done = otok("run", path, "-o", SPACE / "dam", "--overwrite", "-q", code=code)
    if code:
        return done.stderr
    text = otok("inspect", SPACE / "dam/dam_00000000.vtkhdf", "--scenario").stdout
    return [float(value) for value in re.findall(r"[-\d.e]+", re.search(r"line: (\[.*)", text)[1])]


for line in ("line: {file: dikes.geojson, name: dike}", f"line: [{list(here)}, {list(EARTH.transform(*bend))}, {list(there)}], system: lonlat",
             f"line: [[{WEST + AT[0]}, {SOUTH + AT[1]}], {list(bend)}, [{WEST + TO[0]}, {SOUTH + TO[1]}]], system: map",
             f"line: [{list(AT)}, [-300, 900], {list(TO)}]"):
    found = dam(line)
    check(np.allclose(found, [*AT, -300, 900, *TO], rtol=0, atol=1e-3), f"{line}: {found}")
for line, words in (("line: {file: dikes.geojson, name: weir}", "one LineString has a place here"), ("line: {file: dikes.geojson, name: dyke}", "has no feature"),
                    ("line: [[0, 0], [9, 9]], system: utm", "`system` of the point is unknown"), (f"line: [{list(here)}, {list(there)}]", "between no two cells")):
    check(words in dam(line, 65), f"{line}: {dam(line, 65)}")

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

# ---- the part of a raster around a place ----
Z = np.round(np.random.default_rng(3).random((30, 40)) * 90, 3).astype("f4")
Z[:2] = np.nan
rows = "\n".join(" ".join("-9" if np.isnan(v) else f"{v:.3f}" for v in row) for row in Z[::-1])
for name, crs in (("rough", UTM), ("bare", None)):
    write(name + ".asc", f"ncols 40\nnrows 30\nxllcorner {WEST}\nyllcorner {SOUTH}\ncellsize 100\nNODATA_value -9\n{rows}\n")
    if crs:
        write(name + ".prj", crs.to_wkt("WKT1_ESRI"))


def cut(raster, nx=10, ny=8, code=0):
    """The ground, x and y, and the walls of a grid around a place; or the message."""
    path = write("cut.yaml", f"otok: 1\ngrid: {{nx: {nx}, ny: {ny}, spacing: 100}}\nbase: [{{raster: {{{raster}}}}}]\nphases: [{{name: p, iterations: 1, hydraulic: {{dt: 0.1}}}}]\n")
    done = otok("base", path, "-o", SPACE / "cut.vtkhdf", code=code)
    if code:
        return done.stderr
    with h5py.File(SPACE / "cut.vtkhdf") as f:
        text = f.attrs["otok_scenario"].decode()
        again = write("again.yaml", text)
        otok("base", again, "-o", SPACE / "again.vtkhdf", code=0)
        with h5py.File(SPACE / "again.vtkhdf") as g:
            check(np.array_equal(f["terrain"][()], g["terrain"][()]), f"{raster}: the resolved text has another place")
        holes = f["otok/no_data"][()].reshape(-1, 2).astype(int) if "no_data" in f["otok"] else []
        return f["terrain"][()], f["x"][()], f["y"][()], sum(n for _, n in holes)


for way, i, j in ((f"at: [{WEST + 2000}, {SOUTH + 1600}], system: map", 15, 12), (f"at: [{WEST + 1030}, {SOUTH + 1630}], system: EPSG:25833", 5, 12), (f"at: [{here[0]}, {here[1]}], system: lonlat", 7, 2),
                  ("at: {file: earth.geojson, name: weir}", 7, 2), (f"at: [{WEST + 500}, {SOUTH + 400}], system: map", 0, 0)):
    z, x, y, walls = cut(f"file: rough.asc, {way}")
    part = Z[j : j + 8, i : i + 10]
    check(np.array_equal(z[~np.isnan(part)], part[~np.isnan(part)]) and walls == np.isnan(part).sum(), f"{way}: other cells")
    check(np.allclose(x, WEST + 100 * (i + np.arange(10)) + 50) and np.allclose(y, SOUTH + 100 * (j + np.arange(8)) + 50), f"{way}: the grid is at {x[0]}, {y[0]}")
whole, x, y, _ = cut("file: degrees.asc, reproject: auto", 30, 30)
lon, lat = pyproj.Transformer.from_crs(32633, 4326, always_xy=True).transform(x[12], y[17])
part, px, py, _ = cut(f"file: degrees.asc, reproject: auto, at: [{lon}, {lat}], system: lonlat", 9, 9)
check(np.array_equal(px, x[8:17]) and np.array_equal(py, y[13:22]) and np.array_equal(part, whole[13:22, 8:17]), f"warped around a place: {px[0]}, {py[0]}")
# ---- files as programs write them ----
weir, spot, twice = {"name": "weir"}, {"type": "Point", "coordinates": here}, ("name,lon,lat", f"weir,{here[0]},{here[1]}", f"weir,{here[0]},{here[1] + 1e-3}")
for n, (rows, words) in enumerate(((((weir, {"type": "MultiPoint", "coordinates": [here]}),), None), ((({"NAME": "weir"}, spot),), None), (("name;lon;lat", f"weir;{here[0]};{here[1]}".replace(".", ",")), None),
                                   (("name,lat,lon", f'"weir",{here[1]},{here[0]}'), None), (((weir, {"type": "MultiPoint", "coordinates": [here, there]}),), "is MultiPoint; one Point"),
                                   (((weir, None),), "is null"), (((weir, spot), (weir, spot)), "two features"), (twice, "a second `weir`"))):
    table = isinstance(rows[0], str)
    features = [] if table else [{"type": "Feature", "properties": about, "geometry": shape} for about, shape in rows]
    file = write(f"as{n}.{'csv' if table else 'geojson'}", "\ufeff" + ("\n".join(rows) if table else json.dumps({"type": "FeatureCollection", "features": features})))
    found = read(f"at: {{file: {file.name}, name: weir}}", code=65 if words else 0)
    check(words in found if words else np.allclose(found, AT, rtol=0, atol=1e-3), f"{rows}: {found}")
for raster, words in ((f"file: rough.asc, at: [{WEST - 340}, {SOUTH + 900}], system: map", "is 340 m west of the raster"), (f"file: rough.asc, at: [{WEST + 300}, {SOUTH + 2900}], system: map", "reaches 200 m west, 300 m north beyond the raster"),
                      (f"file: rough.asc, fit: stretch, at: [{WEST + 2000}, {SOUTH + 900}], system: map", "`fit: stretch` uses the whole file"), (f"file: bare.asc, {ways[0]}", "does not say its coordinate system"),
                      ("file: rough.asc, at_x: 3", "go together"), ("file: rough.asc, at: [13, 52]", "write system: lonlat"), ("file: rough.asc, at: {file: earth.geojson, name: reach}", "one place"),
                      (f"file: rough.asc, at: [{WEST + 2000}, {SOUTH + 900}], system: map}}}}, {{raster: {{file: rough.asc, combine: add, at: [{WEST + 2400}, {SOUTH + 900}], system: map", "is not where"),
                      (f"file: degrees.asc, reproject: auto, at: [13.39, 52.49], system: lonlat}}}}, {{raster: {{file: degrees.asc, reproject: auto, combine: add, at: [13.4, 52.49], system: lonlat", "from the middle of the grid")):
    said = cut(raster, code=65)
    check(words in said, f"{raster}: {said}")
finish()
