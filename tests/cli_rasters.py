"""Claim: a raster that does not say plainly what its cells are is never taken for another one. Cells without data are no heights,
degrees no metres, feet no metres, a place no other place; what is refused names the file, what was found and the remedy. `reproject: auto`
makes a grid in metres of degrees in one command. Exported rasters have their system and their cells without data again."""
# once: under the sanitizers; it depends on no optimisation
import re
import shlex

from cli import *

with needed():
    import h5py
    import netCDF4
    import numpy as np

NX, NY = 6, 4
Z = np.arange(NX * NY, dtype=float).reshape(NY, NX) + 5  # row 0 is the southern one
os.chdir(SPACE)


def asc(name, z, cell=10.0, west=0.0, south=0.0, more="", prj=None):
    rows = "\n".join(" ".join(v if isinstance(v, str) else f"{v:.9g}" for v in row) for row in list(z)[::-1])
    write(name, f"ncols {len(z[0])}\nnrows {len(z)}\nxllcorner {west}\nyllcorner {south}\ncellsize {cell}\n{more}{rows}\n")
    for old in SPACE.glob(name.rsplit(".", 1)[0] + ".[pP][rR][jJ]"):
        old.unlink()
    if prj:
        (SPACE / prj[0]).write_bytes(prj[1] if isinstance(prj[1], bytes) else prj[1].encode())


def base(raster, spacing=10.0, code=0, nx=NX, ny=NY, more="", rain=""):
    """The terrain of a scenario with this raster, and what otok said."""
    text = f"otok: 1\ngrid: {{nx: {nx}, ny: {ny}, spacing: {spacing}}}\nbase: [{raster}]\n{more}phases: [{{name: p, iterations: 2, {rain}hydraulic: {{dt: 0.001}}}}]\n"
    done = otok("base", write("s.yaml", text), "-o", "b.vtkhdf", code=code)
    if code:
        return None, done.stderr
    with h5py.File("b.vtkhdf") as f:
        return f["terrain"][()], done.stderr


def refused(words, raster, **more):
    _, said = base(raster, code=65, **more)
    for word in [words] if isinstance(words, str) else words:
        check(word in said, f"{raster}: {said}")


def hdf(path, name="z", values=Z, **attributes):
    """One map, with attributes, and no coordinates."""
    with h5py.File(path, "w") as f:
        f[name] = values
        f[name].attrs.update(attributes)


def holed(mark, at=(1, 2)):
    z = [list(row) for row in Z]
    z[at[0]][at[1]] = mark
    return z


# ---- no data ----
for head, cell in (("", "-9999"), ("NODATA_value -3.402823e+38\n", "-3.4028234663852886e+38"), ("nodata_value -1e30\n", "-1.0000000150474662e+30"),
                   ("NODATA_value 1e20\n", "100000002004087734272"), ("NODATA_value -9999\n", "nan"), ("NODATA_value -32768\n", "-32768.000")):
    asc("a.asc", holed(cell), more=head)
    found, said = base("{raster: a.asc}")
    check(found[1, 2] == Z[0, 2] and "1 of 24 cells" in said, f"{head}{cell}: {found[1, 2]}, {said}")
    refused("1 of its cells have no data", "{raster: {file: a.asc, fill: refuse}}")
for head, low, code in (("NODATA_value -32768\n", 5, 65), ("NODATA_value -32768\n", -9500, 0)):
    asc("a.asc", np.where(Z == 12, -9999, Z - 5 + low), more=head)  # another number is declared, and -9999 is far from all heights, or not
    said = base("{raster: a.asc}", code=code)[1]
    check(not code or ("declares another number" in said and "nodata: -9999" in said), said)
hdf("xarray.nc", values=np.where(Z == 12, -9999, Z), _FillValue=np.nan)  # as xarray declares NaN in every file
refused("declares another number", "{raster: xarray.nc}")
for cell in ("-32768", "1e30", "-3.402823e+38", "12000.5", "9999", "-99999"):
    asc("a.asc", holed(cell))
    refused(["a.asc", "nodata:"], "{raster: a.asc}")
    found, _ = base(f"{{raster: {{file: a.asc, nodata: {cell}}}}}")
    check(found[1, 2] == Z[0, 2], f"nodata: {cell} is not used")
asc("a.asc", holed("21229"))
check(base("{raster: {file: a.asc, highest: 25000}}")[0][1, 2] == 21229, "a mountain of Mars")
many = [list(row) for row in Z]
many[0][0] = many[1][1] = many[2][2] = "-9999"
asc("a.asc", many)
for fill in ("wall", "nearest", "constant"):
    check("WARNING: 3 of 24 cells" in base(f"{{raster: {{file: a.asc, fill: {fill}}}}}")[1], f"many cells without a word: {fill}")


def gray(name, pixels, alpha=False, clear=None):
    rows = np.asarray(pixels)[::-1].astype(">u2")
    more = [(b"tRNS", struct.pack(">H", clear))] if clear is not None else []
    png_write(SPACE / name, (rows.shape[1] // (2 if alpha else 1), rows.shape[0]), 16, 4 if alpha else 0, [row.tobytes() for row in rows], more)


levels = np.array(Z * 1000, int)
levels[1, 2] = 4242
gray("t.png", levels, clear=4242)
alpha = np.stack([levels, np.where(levels == 4242, 0, 65535)], -1).reshape(NY, 2 * NX)
gray("g.png", alpha, alpha=True)
for name in ("t.png", "g.png"):
    found, said = base(f"{{raster: {{file: {name}, low: 0, high: 65.535}}}}")
    check(found[1, 2] == found[0, 2] and abs(found[3, 5] - Z[3, 5]) < 1e-5 and "1 of 24" in said, f"{name}: {found}, {said}")
alpha[0, 1] = 30000
gray("g.png", alpha, alpha=True)
refused("half transparent", "{raster: {file: g.png, low: 0, high: 65.535}}")

# ---- degrees and feet ----
WGS = 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'
UTM = 'PROJCS["WGS 84 / UTM zone 33N",' + WGS + ',PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],'
UTM += 'PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]'
second = 1 / 3600
for prj in (None, ("d.prj", WGS), ("d.PRJ", WGS), ("d.prj", b"\xef\xbb\xbf" + WGS.encode()), ("d.prj", "\r\n  " + WGS + "\r\n"),
            ("d.prj", "Projection    GEOGRAPHIC\nDatum  WGS84\nUnits  DD\nZunits METERS\nParameters\n")):
    asc("d.asc", Z, second, 15, 46, prj=prj)
    for spacing in (second, 30, 25.6):  # the last lies between width and height of a cell
        refused(["d.asc: ", "degrees", "reproject: auto"], "{raster: d.asc}", spacing=spacing)
asc("d.asc", Z, 10, 500000, 4000000, prj=("d.prj", WGS))
refused("beyond a pole", "{raster: d.asc}")
asc("d.asc", Z, 10, 500000, 4000000, prj=("d.prj", "Projection ALBERS\nUnits FURLONGS\n"))
refused(["d.prj", "neither WKT nor"], "{raster: d.asc}")
asc("f.asc", Z, 10, 500000, 4000000, prj=("f.prj", "Projection UTM\nZone 33\nDatum WGS84\nUnits METERS\nZunits FEET\n"))
check(np.allclose(base("{raster: f.asc}")[0], Z * 0.3048, rtol=1e-6), "heights in feet (Zunits)")
vertical = 'COMPD_CS["both",' + UTM + ',VERT_CS["depth below a gauge",VERT_DATUM["gauge",2005],UNIT["foot",0.3048],AXIS["Depth",DOWN]]]'
asc("f.asc", Z, 10, 500000, 4000000, prj=("f.prj", vertical))
check(np.allclose(base("{raster: f.asc}")[0], -Z * 0.3048, rtol=1e-6), "depths in feet (vertical system)")
FOOT = 'UNIT["US survey foot",0.304800609601219]'
ACROSS2 = ('PROJCRS["UTM 33",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]]],CONVERSION["UTM zone 33N",'
           'METHOD["Transverse Mercator"],PARAMETER["Latitude of natural origin",0],PARAMETER["Longitude of natural origin",15],PARAMETER["Scale factor at natural origin",0.9996],'
           'PARAMETER["False easting",500000],PARAMETER["False northing",0]],CS[Cartesian,2],AXIS["(E)",east],AXIS["(N)",north],LENGTHUNIT["metre",1]]')
DATUM = '"Mean ""sea"" level [a gauge]"'
HEIGHTS = {"OGC": f'COMPD_CS["c",{UTM},VERT_CS["h (ftUS)",VERT_DATUM[{DATUM},2005],{FOOT},AXIS["Up",UP],AUTHORITY["EPSG","6360"]]]',
           "OGC 2": f'COMPOUNDCRS["c",{ACROSS2},VERTCRS["h (ftUS)",VDATUM[{DATUM}],CS[vertical,1],AXIS["gravity-related height (H)",up],LENGTH{FOOT}]]',
           "Esri": f'{UTM},VERTCS["h_ftUS",VDATUM[{DATUM}],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],{FOOT}]'}
for kind, system in HEIGHTS.items():  # what goes out is in metres above the same datum, and comes in again as it is
    for reproject in ("", "", ", reproject: auto"):
        asc("f.asc", Z * 100, 10, 500000, 4000000, prj=("f.prj", system))
        done = otok("base", write("f.yaml", f"otok: 1\ngrid: {{nx: {NX}, ny: {NY}, spacing: 10}}\nbase: [{{raster: {{file: f.asc{reproject}}}}}]\nphases: [{{name: p, iterations: 1, hydraulic: {{dt: 0.001}}}}]\n"), "-o", "f.vtkhdf", code=None)
        if reproject and "without" in done.stderr:
            continue
        check(done.returncode == 0, f"{kind}{reproject}: {done.stderr}")
        otok("export", "f.vtkhdf", "-o", "g.asc", "--field", "terrain")
        said, once, again = (SPACE / "g.prj").read_text(), base("{raster: f.asc}")[0], base("{raster: g.asc}")[0]
        check("Mean" in said and "gauge" in said and "foot" not in said and "6360" not in said and said.count("[") == said.count("]"), f"{kind}{reproject}: {said}")
        with h5py.File("f.vtkhdf") as f:
            found = f["terrain"][()]
        check(np.allclose(once, Z * 30.4800609601219, rtol=1e-6) and np.array_equal(found, again, equal_nan=True), f"{kind}{reproject}: feet, exported and read again: {found}, {again}")
        inner = found[1:-1, 1:-1]
        check(abs(inner.mean() - once[1:-1, 1:-1].mean()) < 1 and np.isfinite(inner).all(), f"{kind}{reproject}: feet became {found}, not {once}")
asc("f.asc", Z, 10, 500000, 4000000, prj=("f.prj", UTM.replace('"metre",1]', '"foot",0.3048]')))
refused("its cells are 3.048 m", "{raster: f.asc}")

# ---- place ----
asc("a.asc", Z, 10, 500000, 4000000)
for west, south, said in ((777000, 4000000, "277000 m to the east"), (500005, 4000005, "5 m to the east and 5 m to the north"), (500000, 3999990, "10 m to the south")):
    asc("b.asc", Z / 100, 10, west, south)
    refused(["b.asc", "a.asc", said], "{raster: a.asc}, {raster: {file: b.asc, combine: add}}")
    refused(["b.asc", "a.asc"], "{raster: a.asc}", more="erodibility: [{raster: b.asc}]\n")
    refused(["b.asc", "a.asc"], "{raster: a.asc}", rain="rain: {rate: 1e-6, map: b.asc}, ")
    with h5py.File("w.h5", "w") as f:
        f["water"], f["x"], f["y"] = Z / 100, west + 5 + 10 * np.arange(NX), south + 5 + 10 * np.arange(NY)
    refused(["w.h5", "a.asc"], "{raster: a.asc}", more="initial: {file: w.h5}\n")
asc("b.asc", Z / 100, 10, 500000.4, 4000000)
base("{raster: a.asc}, {raster: {file: b.asc, combine: add}}")
asc("b.asc", Z / 100)  # at the origin: no place
base("{raster: a.asc}, {raster: {file: b.asc, combine: add}}")

asc("b.asc", Z / 100, 10, 500000, 4000000, prj=("b.prj", UTM.replace("zone 33N", "zone 32N").replace(",15]", ",9]")))
asc("a.asc", Z, 10, 500000, 4000000, prj=("a.prj", UTM))
refused(["b.asc", "a.asc"], "{raster: a.asc}, {raster: {file: b.asc, combine: add}}")

# ---- NetCDF that has other coordinates than lines of metres ----
with h5py.File("c.nc", "w") as f:
    f["z"], f["lat"], f["lon"] = Z, np.zeros((NY, NX)), np.zeros((NY, NX))
    f["z"].attrs["coordinates"] = "lat lon"
refused(["c.nc: z has a longitude and a latitude per cell", "degrees"], "{raster: c.nc}")
with h5py.File("c.nc", "w") as f:
    f["z"] = Z[::-1]
    for axis, (name, n) in enumerate((("y", NY), ("x", NX))):
        f[name] = np.arange(n, dtype="i2")[:: -1 if name == "y" else 1]
        f[name].attrs["scale_factor"] = 10.0
        f[name].make_scale(name)
        f["z"].dims[axis].attach_scale(f[name])
check(np.array_equal(base("{raster: c.nc}")[0], Z), "packed coordinates")
hdf("r.h5", units="mm/h")
refused(["r.h5", "`mm/h`"], "{raster: r.h5}")
refused(["r.h5", "a pure number is needed"], "{constant: {height: 0}}", rain="rain: {rate: 1e-6, map: r.h5}, ")

# ---- stretched ----
for cell, spacing, nx, kept in ((30, 1, NX, False), (30, 15, 2 * NX, True), (30, 30, NX, True)):
    asc("a.asc", Z, cell, 500000, 4000000)
    base("{raster: {file: a.asc, fit: stretch}}", spacing=spacing, nx=nx, ny=NY * nx // NX)
    with h5py.File("b.vtkhdf") as f:
        x = f["x"][()]
        check(x[1] - x[0] == spacing == f["VTKHDF"].attrs["Spacing"][0] and (x[0] > 4e5) == kept, f"cells of {cell} m over a grid of {spacing} m: x = {x[:2]}")



def shares(n, of):
    """The share of each cell of a file, of `of` in all, in each of n cells."""
    ends = np.arange(n + 1) * of / n
    return np.clip(np.minimum(ends[1:, None], np.arange(of) + 1) - np.maximum(ends[:-1, None], np.arange(of)), 0, None) * n / of


fine = 50 + np.random.default_rng(4).normal(size=(22, 31)) * 5  # a finer file: means of what is within a cell; sums stay
fine[::5, ::7] += 200
for nx, ny in ((6, 4), (31, 4), (5, 22), (1, 1), (30, 21), (40, 8)):
    asc("fine.asc", fine, 1)
    found = base("{raster: {file: fine.asc, fit: stretch}}", nx=nx, ny=ny)[0]
    like = fine if nx <= 31 else np.array([np.interp((np.arange(nx) + 0.5) * 31 / nx, np.arange(31) + 0.5, row) for row in fine])
    like = shares(ny, 22) @ (like @ shares(nx, 31).T if nx <= 31 else like)
    check(np.allclose(found, like, rtol=1e-6), f"{nx} x {ny} cells over 31 x 22: {np.abs(found - like).max()} m from means")
    check(nx > 31 or abs(found.mean() - fine.mean()) < 1e-4, f"{nx} x {ny}: {found.mean()}, not {fine.mean()}")
known = np.ones((8, 12), bool)
known[:2, :3] = known[2:4, 3:6] = known[4, 6] = False
known[2, 3] = True
asc("fine.asc", [[v if k else "-9999" for v, k in zip(*row)] for row in zip(fine[:8, :12], known)], 1, more="NODATA_value -9999\n")
found, said = base("{raster: {file: fine.asc, fit: stretch}}", nx=4, ny=4)
check("2 of 16 cells" in said and abs(found[2, 2] - fine[4:6, 6:9][known[4:6, 6:9]].mean()) < 1e-4, f"holes of a finer file: {found}, {said}")

# ---- predict reads what a run reads ----
write("p.yaml", f"otok: 1\ngrid: {{nx: {NX}, ny: {NY}, spacing: 10}}\nbase: [{{raster: nowhere.asc}}]\nphases: [{{name: p, iterations: 2, hydraulic: {{dt: 0.01}}}}]\n")
check("nowhere.asc" in otok("predict", "p.yaml", code=74).stderr, "predict does without a raster")

# ---- out again ----
asc("a.asc", holed("-9999"), 10, 500000, 4000000, prj=("a.prj", UTM))
first, _ = base("{raster: a.asc}")
otok("export", "b.vtkhdf", "-o", "e.asc")
check((SPACE / "e.prj").read_text() == UTM, "the system is not beside the exported grid")
check((SPACE / "e.asc").read_text().split().count("-9999") == 2, "no-data is a height in the exported grid")
again, said = base("{raster: e.asc}")
check(np.array_equal(first, again) and "1 of 24" in said, f"exported and read again: {said}")
otok("run", "s.yaml", "-o", "out", "-q")
otok("export", checkpoints("out")[-1], "-o", "f.asc", "--field", "water")
check((SPACE / "f.asc").read_text().split().count("-9999") == 2, "no-data is water")
base("{raster: {file: a.asc, fill: constant, fill_height: 3}}")
otok("export", "b.vtkhdf", "-o", "g.asc")
check((SPACE / "g.asc").read_text().split().count("-9999") == 1, "a height that the scenario gave is left out")
(SPACE / "c.vtkhdf").write_bytes((SPACE / "b.vtkhdf").read_bytes())
found, _ = base("{raster: c.vtkhdf}")
check(found[1, 2] == 3 and found[0, 0] == Z[0, 0], "a checkpoint is no raster")
with h5py.File("b.vtkhdf") as f:
    corner = [float(w) for w in f["crs"].attrs["GeoTransform"].split()]
    check(np.allclose(corner[3] + (np.arange(NY) + 0.5) * corner[5], f["y"]) and np.allclose(corner[0] + (np.arange(NX) + 0.5) * corner[1], f["x"]),
          "GeoTransform has another order of rows than the file")

# ---- several maps: the advice works, and names all or says how many more ----
LONG = "v" * 100
for suffix, several in (("nc", ("z", "slope")), ("h5", (LONG + "1", LONG + "2")), ("hdf5", [f"map_{n:03}" for n in range(90)])):
    with h5py.File(f"several.{suffix}", "w") as f:
        for n, name in enumerate(several):
            f[name] = Z + n
    refused([f"has {len(several)} maps", min(several), f"choose one with `raster: {{file: {SPACE}/several.{suffix}, variable: NAME}}`",
             " more; choose" if len(several) > 9 else max(several)], f"{{raster: several.{suffix}}}")
    found, _ = base(f"{{raster: {{file: several.{suffix}, variable: {several[1]}}}}}")
    check(np.array_equal(found, Z + 1), f"another map than {several[1][:9]}")
    for absent in ("zz", "zz/z"):
        refused([f"has no map {absent} (raster.variable); its maps are {min(several)}"], f"{{raster: {{file: several.{suffix}, variable: {absent}}}}}")
with h5py.File("group.nc", "w") as f:
    f["model/z"] = Z
refused("variable: GROUP/NAME", "{raster: group.nc}")
refused("not at its root: write GROUP/NAME", "{raster: {file: group.nc, variable: z}}")
check(np.array_equal(base("{raster: {file: group.nc, variable: model/z}}")[0], Z), "a map in a group")
for place in ("model/", ""):  # of the coordinates
    for scales in (True, False):
        with h5py.File("group.nc", "w") as f:
            f["model/z"] = Z[::-1]
            for axis, (name, line) in enumerate((("y", np.arange(NY)[::-1] * 10.0), ("x", np.arange(NX) * 10.0))):
                f[place + name] = line
                if scales:
                    f[place + name].make_scale(name)
                    f["model/z"].dims[axis].attach_scale(f[place + name])
        check(np.array_equal(base("{raster: {file: group.nc, variable: model/z}}")[0], Z), f"a map in a group, coordinates in {place or 'the root'}, scales: {scales}")
with h5py.File("group.nc", "w") as f:
    f["model/z"], f["model/crs"] = Z[::-1], 0
    f["model/z"].attrs["grid_mapping"] = "crs"
    f["model/crs"].attrs["GeoTransform"] = "0 10 0 40 0 -10"
check(np.array_equal(base("{raster: {file: group.nc, variable: model/z}}")[0], Z), "a GeoTransform in a group")
for mapping in ("mercator", "rotated_latitude_longitude"):
    with h5py.File("group.nc", "r+") as f:
        f["model/crs"].attrs["grid_mapping_name"] = mapping
    refused(["group.nc", mapping, "crs_wkt"], "{raster: {file: group.nc, variable: model/z}}")
asc("one.asc", np.ones((4, 4)))
make = ["gdal_translate", "-q", "-ot", "Byte", "-of", "GPKG", "one.asc", "two.gpkg", "-co"]
if shutil.which(make[0]) and all(subprocess.run([*make, *words], capture_output=True).returncode == 0 for words in (["RASTER_TABLE=a"], ["RASTER_TABLE=b", "-co", "APPEND_SUBDATASET=YES"])):
    _, said = base("{raster: two.gpkg}", code=65)
    if "all that this build reads" not in said:
        check("has 2 rasters: GPKG:" in said, said)
        command = said[said.index("gdal_translate '"):].split("`")[0]
        check(subprocess.run(shlex.split(command.replace("OUT.tif", "two.tif")), capture_output=True).returncode == 0, f"the advice fails: {command}")

# ---- marks that are nearly CF's ----
for key, word, right in (("Units", "ft", Z * 0.3048), ("unit", "cm", Z / 100), ("standard_name", "depth", -Z), ("standard_name", "surface_altitude", Z)):
    hdf("near.h5", **{key: word})
    check(np.allclose(base("{raster: near.h5}")[0], right, rtol=1e-6), f"{key}: {word}")
hdf("near.h5", positive="down")
_, said = base("{constant: {height: 0}}", more="initial: {water: {raster: near.h5}}\n")
check("water is above 0 nowhere" in said and "positive: down" in said, said)
hdf("near.h5", units="ft")
if "UDUNITS" not in base("{raster: near.h5}", code=None)[1]:
    for word, factor in (("US survey foot", 1200 / 3937), ("ftUS", 1200 / 3937), ("hm", 100), ("0.1 m", 0.1), ("inches", 0.0254), ("yards", 0.9144), ("meter ", 1)):
        hdf("near.h5", units=word)
        check(np.allclose(base("{raster: near.h5}")[0], Z * factor, rtol=1e-6), word)
    for word in ("gpm", "m2 s-2", "ft (US)", "m above MSL", "degree", "1", "K"):
        hdf("near.h5", units=word)
        refused(f"its values are in `{word}`", "{raster: near.h5}")
    hdf("near.h5", units="kft")
    refused("beyond 8000 m", "{raster: {file: near.h5, highest: 8000}}")

# ---- coordinates along dimensions of other names; axes whose names have several words ----
BARE = "This is a netCDF dimension but not a netCDF variable. %9d"


def along(dimensions, names, lines, z, **attributes):
    """As NetCDF-4 has `float y(ny)`: dimensions without coordinates, and coordinates of other names along them."""
    with h5py.File("along.nc", "w") as f:
        f["z"] = z
        f["z"].attrs.update(attributes)
        for axis, (dimension, name, line) in enumerate(zip(dimensions, names, lines)):
            scale = f.create_dataset(dimension, (len(line),), ">f4")
            scale.make_scale(BARE % len(line))
            f["z"].dims[axis].attach_scale(scale)
            f[name] = line
            f[name].dims[0].attach_scale(scale)


def along_3(dimensions, names, lines, z, **attributes):
    """The same in NetCDF-3."""
    with netCDF4.Dataset("along.nc", "w", format="NETCDF3_CLASSIC") as f:
        for dimension, name, line in zip(dimensions, names, lines):
            f.createDimension(dimension, len(line))
            f.createVariable(name, "f8", (dimension,))[:] = line
        v = f.createVariable("z", "f4", dimensions)
        v[:] = z
        v.setncatts(attributes)


Q, C = Z[:, :NY], (np.arange(NY) + 0.5) * 10  # a square map, whose order no size tells
along_3(("y", "x"), ("y", "x"), (C, C), Q)
reads_3 = "all that this build reads" not in base("{raster: along.nc}", nx=NY, code=None)[1]
for dimensions, names, lines, z, attributes in (
    (("ny", "nx"), ("y", "x"), (C[::-1], C), Q[::-1], {}), (("dim_0", "dim_1"), ("y", "x"), (C[::-1], C[::-1]), Q[::-1, ::-1], {}),
    (("dim_0", "dim_1"), ("x", "y"), (C, C), Q.T, {}), (("M", "N"), ("northing", "easting"), (C[::-1], C), Q[::-1], {}),
    (("M", "N"), ("easting", "northing"), (C, C[::-1]), Q.T[:, ::-1], {"coordinates": "easting northing"}),
    (("M", "N"), ("easting", "northing"), (C, C), Q.T, {"coordinates": "northing easting"}), (("ny", "nx"), ("easting", "northing"), (C, C), Q.T, {}), (("M", "N"), ("y_utm", "x_utm"), (C[::-1], C), Q[::-1], {"coordinates": "y_utm x_utm"}), (("M", "N"), ("utm_x", "utm_y"), (C, C[::-1]), Q.T[:, ::-1], {"coordinates": "utm_x utm_y"}),
):
    for make in (along, along_3) if reads_3 else (along,):
        make(dimensions, names, lines, z, **attributes)
        found, said = base("{raster: along.nc}", nx=NY)
        check(np.array_equal(found, Q), f"{make.__name__}: {dimensions} with {names}: {found}, {said}")
for names in (("x_utm", "y_utm"), ("utm_x", "utm_y"), ("easting_m", "northing_m"), ("Longitude (deg)", "Latitude (deg)"), ("xi_rho", "eta_rho"), ("grid_east", "grid_north")):
    with h5py.File("words.h5", "w") as f:
        f["z"] = Q.T
        for axis, name in enumerate(names):
            f[name] = C
            f[name].attrs["units"] = "m"
            f[name].make_scale(name)
            f["z"].dims[axis].attach_scale(f[name])
    check(np.array_equal(base("{raster: words.h5}", nx=NY)[0], Q), f"axes {names}")

# ---- what is called a depth: up or down ----
for name, words in (("depth", {}), ("water_depth", {}), ("Bathymetry", {}), ("tiefe", {}), ("z", {"long_name": "Depth of the sea"}), ("z", {"long_name": "profondeur"}),
                    ("z", {"standard_name": "depth", "positive": "up"})):
    hdf("called.h5", name, **words)
    refused(("24 of its cells are above 0", "positive: down", "positive: up", "called.h5"), "{raster: called.h5}")
    for way, right in (("up", Z), ("down", -Z)):
        check(np.array_equal(base(f"{{raster: {{file: called.h5, positive: {way}}}}}")[0], right), f"{name} {words}, positive: {way}")
        if "positive" not in words:
            hdf("called.h5", name, positive=way, **words)
            check(np.array_equal(base("{raster: called.h5}")[0], right), f"{name} {words} with the attribute positive {way}")
            hdf("called.h5", name, **words)
    hdf("called.h5", name, -Z, **words)
    check(np.array_equal(base("{raster: called.h5}")[0], -Z), f"{name} {words} below 0")
hdf("called.h5", "z", standard_name="depth_below_geoid")
check(np.array_equal(base("{raster: called.h5}")[0], -Z), "depth_below_geoid")
check(np.array_equal(base("{raster: {file: called.h5, positive: up}}")[0], Z), "the scenario has the last word")
hdf("called.h5", "depth", np.where(Z == 5, np.nan, -Z))
check(base("{raster: called.h5}")[1].startswith("WARNING: 1 of 24 cells"), "cells without data are not above 0")
hdf("called.h5", "terrain", long_name="depth to the bed")
refused("or the attribute positive", "{constant: {height: 0}}", more="initial: {file: called.h5}\n")
hdf("called.h5", "depth", np.ones((NY, NX)))
base("{constant: {height: 1}}, {raster: {file: called.h5, combine: multiply}}")  # a factor has no direction
if shutil.which("gdal_translate"):
    asc("plain.asc", Z)
    write("band.vrt", f'<VRTDataset rasterXSize="{NX}" rasterYSize="{NY}"><VRTRasterBand dataType="Float32" band="1"><Description>Depth</Description>'
          "<SimpleSource><SourceFilename>plain.asc</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>")
    if "all that this build reads" not in base("{raster: band.vrt}", code=65)[1]:
        refused("is called a depth", "{raster: band.vrt}")
        check(np.array_equal(base("{raster: {file: band.vrt, positive: down}}")[0], -Z), "a band called a depth")
    # what gdal_translate keeps of a variable of NetCDF
    asc("one.asc", Z)
    for words, right in ((["positive=down"], -Z), (["standard_name=sea_floor_depth_below_sea_surface"], -Z), (["positive=up", "long_name=depth"], Z), (["units=cm"], Z / 100), (["NETCDF_VARNAME=depth"], None)):
        vrt = "<VRTDataset rasterXSize='%d' rasterYSize='%d'><GeoTransform>0,10,0,%d,0,-10</GeoTransform><VRTRasterBand dataType='Float32' band='1'><Metadata>%s</Metadata><SimpleSource><SourceFilename relativeToVRT='1'>one.asc</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>"
        write("kept.vrt", vrt % (NX, NY, 10 * NY, "".join("<MDI key='%s'>%s</MDI>" % tuple(item.split("=")) for item in words)))
        subprocess.run(["gdal_translate", "-q", "kept.vrt", "kept.tif"], check=True, capture_output=True)
        if right is None:
            refused(("is called a depth", "positive: down"), "{raster: kept.tif}")
        else:
            check(np.allclose(base("{raster: kept.tif}")[0], right, rtol=1e-6), f"a band of NetCDF with {words}")

# ---- a .prj beside an exported .asc is of that file ----
asc("a.asc", Z, 10, 500000, 4000000, prj=("a.prj", UTM))
base("{raster: a.asc}")
otok("export", "b.vtkhdf", "-o", "out.asc", "--field", "terrain")
check("zone 33N" in (SPACE / "out.prj").read_text(), "no system beside out.asc")
asc("plain.asc", Z)
base("{raster: plain.asc}")
for spelling in ("out.prj", "out.PRJ"):
    write(spelling, WGS)
    otok("export", "b.vtkhdf", "-o", "out.asc", "--field", "terrain")
    check(not (SPACE / spelling).exists(), f"{spelling} of another file is left beside out.asc")
asc("a.asc", Z, 10, 500000, 4000000, prj=("a.prj", UTM))
base("{raster: a.asc}")
write("out.PRJ", WGS)
otok("export", "b.vtkhdf", "-o", "out.asc", "--field", "terrain")
check(not (SPACE / "out.PRJ").exists() and "zone 33N" in (SPACE / "out.prj").read_text(), "the system of out.asc")

# ---- one command from degrees to metres ----
side, pole = 60, np.hypot(*np.meshgrid(np.arange(60) - 30, np.arange(60) - 30))
asc("deg.asc", 400 - pole, second, 15.0, 46.0, prj=("deg.prj", WGS))
text = "otok: 1\ngrid: {nx: 40, ny: 50, spacing: 30}\nbase: [{raster: {file: deg.asc, reproject: auto}}]\nphases: [{name: p, iterations: 2, hydraulic: {dt: 0.01}}]\n"
done = otok("base", write("r.yaml", text), "-o", "r.vtkhdf", code=None)
if "without it" in done.stderr or "without GDAL" in done.stderr:
    finish("rasters are what they are (no GDAL here: none was reprojected)")
check(done.returncode == 0, done.stderr)
with h5py.File("r.vtkhdf") as f:
    z, x, y = f["terrain"][()], f["x"][()], f["y"][()]
    check("UTM zone 33N" in f["crs"].attrs["crs_wkt"].decode() and x[1] - x[0] == 30 and y[1] - y[0] == 30, "not on its UTM zone")
top = np.unravel_index(z.argmax(), z.shape)
# The hill is at 15.0084 E, 46.0084 N: 648 m and 929 m from the south-western corner, in the middle of the grid.
check(abs(top[1] - 20) <= 1 and abs(top[0] - 25) <= 1 and abs(z.max() - 400) < 1.5, f"the hill of 400 m is {z.max()} m high at {top}")
check(abs(x[20] - 500648) < 60 and abs(y[25] - 5095050) < 400, f"the middle of the grid is at {x[20]}, {y[25]}")
asc("half.asc", np.full((side, side), 0.5), second, 15.0, 46.0, prj=("half.prj", WGS))
otok("base", write("r2.yaml", text.replace("phases", "erodibility: [{raster: {file: half.asc, reproject: auto}}]\nphases")), "-o", "r2.vtkhdf")
asc("d2.asc", Z, second, 15, 46)
refused("seems to be in degrees", "{raster: d2.asc}")
refused("no coordinate system to reproject", "{raster: {file: d2.asc, reproject: auto}}")


# ---- a dike of one cell, under cells five times as wide: it keeps its height if asked to ----
plain = np.full((60, 60), 2.0)
plain[:, 31], plain[17, :] = 5, 4
asc("dike.asc", plain, 10, 400000, 5800000, prj=("dike.prj", UTM))
for how, side in (("fit: stretch", 12), ("reproject: auto", 10)):
    for keeps in (False, True):
        done = otok("base", write("k.yaml", f"otok: 1\ngrid: {{nx: {side}, ny: {side}, spacing: 50}}\nbase: [{{raster: {{file: dike.asc, {how}{', maximum: true' if keeps else ''}}}}}]\nphases: []\n"), "-o", "k.vtkhdf", code=None)
        if "auto" in how and "without GDAL" in done.stderr:
            continue
        with h5py.File("k.vtkhdf") as f:
            z = f["terrain"][()]
        rows, columns = z.max(1), z.max(0)
        right = (rows == 5).all() and sorted(columns)[-2:] == [4, 5] if keeps else abs(rows.max() - 2.88) < 1e-5 and abs(np.median(rows) - 2.6) < 1e-5
        check(right, f"{how}, {keeps}: {rows}, {columns}")

# ---- heights above a geoid stay those, whether PROJ has its grid or not; those in feet are converted once; a second raster follows ----
EGM = 'COMPD_CS["WGS 84 + EGM96 height",' + WGS.replace('["Greenwich",0]', '["Greenwich",0,AUTHORITY["EPSG","8901"]]') + ',VERT_CS["EGM96 height",VERT_DATUM["EGM96 geoid",2005,AUTHORITY["EPSG","5171"]],UNIT["metre",1],AXIS["Up",UP],AUTHORITY["EPSG","5773"]]]'
ABOVE = ('GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,3],AXIS["latitude",north,ANGLEUNIT["degree",0.0174532925199433]],'
         'AXIS["longitude",east,ANGLEUNIT["degree",0.0174532925199433]],AXIS["ellipsoidal height",up,LENGTHUNIT["metre",1]],ID["EPSG",4979]]')
for name, system, factor in (("geoid", EGM, 1), ("ellipsoid", ABOVE, 1), ("feet", EGM.replace('UNIT["metre",1],AXIS', FOOT + ",AXIS"), 0.304800609601219)):
    asc("e.asc", np.full((side, side), 1000.0), second, 15.0, 46.0, prj=("e.prj", system))
    asc("e2.asc", np.full((side, side), 1.0), second, 15.0, 46.0, prj=("e2.prj", EGM))
    one = text.replace("deg.asc", "e.asc")
    for more, top in ((one, 1000 * factor), (one.replace("auto}}]", "auto}}, {raster: {file: e2.asc, reproject: auto, combine: add}}]"), 1000 * factor + 1)):
        otok("base", write("e.yaml", more), "-o", "e.vtkhdf")
        with h5py.File("e.vtkhdf") as f:
            z, wkt = f["terrain"][()], f["crs"].attrs["crs_wkt"].decode()
        check(np.abs(z - top).max() < 1e-3, f"{name}: 1000 became {z.min()} to {z.max()} m")
        check("UTM zone 33N" in wkt and "foot" not in wkt and ("EGM96 geoid" in wkt) == (name != "ellipsoid") and ("ellipsoidal height" in wkt) == (name == "ellipsoid"), f"{name}: {wkt}")

# ---- a system whose lengths are not those of the ground ----
MERCATOR = ('PROJCS["WGS 84 / World Mercator",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],'
            'PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]')
for south, code in ((8362698.5, 65), (0, 0), (-2273030, 65), (1000000, 0)):  # latitudes 60, 0, -20 and 9
    asc("m.asc", Z, 10, 1000000, south, prj=("m.prj", MERCATOR))
    said = base("{raster: m.asc}", code=code)[1]
    check(not code or ("on the ground" in said and "reproject: auto" in said), said)
asc("m.asc", Z, 10, 1000000, 8362698.5, prj=("m.prj", MERCATOR))
said = re.search(r"cells are 10 m wide in its coordinate system, and (\S+) m on the ground", base("{raster: m.asc}", code=65)[1])
check(said and abs(float(said.group(1)) / 5 - 1) < 0.01, f"{said}: not half as large at 60 degrees")  # 0.3 % from the sphere to the ellipsoid
found, said = base("{raster: {file: m.asc, reproject: auto}}", spacing=5)
check(found is not None, said)
with h5py.File("m.h5", "w") as f:
    f["terrain"] = Z
    f["crs"] = 0
    f["crs"].attrs["crs_wkt"] = MERCATOR
    f["terrain"].attrs["grid_mapping"] = "crs"
    f["x"], f["y"] = 1e6 + np.arange(NX) * 10.0, 8362698.5 + np.arange(NY) * 10.0
refused("on the ground", "{raster: m.h5}")
refused("on the ground", "{constant: {height: 0}}", more="initial: {file: m.h5}\n")
finish("rasters are what they are")
