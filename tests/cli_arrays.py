"""Claim: a run begins from the fields of any HDF5 or NetCDF-4 file, as h5py, xarray, netCDF4 and rioxarray write them, with the bits that the
same fields in a checkpoint give; what is wrong with such a file is said; an edited checkpoint begins a run and resumes none; a
scenario says single fields itself."""
# once: under the sanitizers; it depends on no optimisation
import shutil

from cli import *

with needed():
    import h5py
    import numpy as np
    import xarray as xr

NY, NX, STEP = 64, 96, 8.0
FIELDS = ("terrain", "terrain_base", "terrain_change", "water", "sediment", "outflow_left", "outflow_right", "outflow_bottom",
          "outflow_top", "velocity_x", "velocity_y", "carbon", "reef", "wetness")
SHORT = FINE_ISLAND.replace("iterations: 400", "iterations: 60").replace("iterations: 500", "iterations: 40").replace("250", "60")
PLAIN = write("plain.yaml", SHORT)


def begin(name, initial, code=0, scenario=SHORT, sets=()):
    """A run that begins from `initial`: its directory, and what it said."""
    text = scenario.replace("base:", f"initial: {initial}\nbase:")
    done = run(write(f"{name}.yaml", text), SPACE / name, "-q", *sets, code=code)
    return SPACE / name, done


def first(directory):
    with h5py.File(checkpoints(directory)[0]) as f:
        return {name: f[name][...] for name in f if name in FIELDS}


def h5(name, **maps):
    path = SPACE / name
    with h5py.File(path, "w") as f:
        for key, values in maps.items():
            f[key] = values
    return path


run(PLAIN, SPACE / "plain", "-q")
source = checkpoints(SPACE / "plain")[1]
state = first(SPACE / "plain")
with h5py.File(source) as f:
    state = {name: f[name][...] for name in FIELDS if name in f}
_, done = begin("same", f"{{file: {source}}}")
wanted = fingerprint(done.stdout)
check(wanted, "a checkpoint begins no run")

# ---- the same fields, written by others ----
x, y = (np.arange(NX) + 0.5) * STEP, (np.arange(NY) + 0.5) * STEP
h5("contiguous.h5", **state)
h5("double.h5", **{k: v.astype("f8") for k, v in state.items()}, x=x, y=y, other=np.arange(5))
h5("turned.h5", **{k: v[::-1] for k, v in state.items()}, x=x.astype("f4"), y=y[::-1])
h5("backward.h5", **{k: v[:, ::-1] for k, v in state.items()}, x=x[::-1], y=y)
h5("one_time.h5", **{k: v[None] for k, v in state.items()})
h5("whole_metres.h5", **state, x=np.arange(NX) * 8, y=np.arange(NY) * 8)
with h5py.File(SPACE / "chunked.h5", "w") as f:
    for k, v in state.items():
        f.create_dataset(k, data=v.astype("f8" if k in ("water", "terrain") else "f4"), chunks=(17, 96), compression="gzip", shuffle=True, fletcher32=True)
data = xr.Dataset({k: (("y", "x"), v) for k, v in state.items()}, {"x": x, "y": y})
data.to_netcdf(SPACE / "h5netcdf.nc", engine="h5netcdf")
data.astype("f8").sortby("y", ascending=False).to_netcdf(
    SPACE / "netcdf4.nc", engine="netcdf4", encoding={k: {"zlib": True, "chunksizes": (30, 40)} for k in state})
data.drop_vars(("x", "y")).to_netcdf(SPACE / "plain_h5netcdf.nc", engine="h5netcdf")  # dimensions without coordinates
data.drop_vars(("x", "y")).to_netcdf(SPACE / "plain_netcdf4.nc", engine="netcdf4")
with xr.open_dataset(source, engine="h5netcdf") as opened:  # what a person does: open, load, write
    opened.load().to_netcdf(SPACE / "again.nc", engine="h5netcdf")
raster = data.sortby("y", ascending=False).assign_coords(spatial_ref=0)  # as rioxarray has it, of a GeoTIFF
raster.spatial_ref.attrs.update(crs_wkt="LOCAL_CS[]", GeoTransform="0.0 8.0 0.0 512.0 0.0 -8.0")
for k in raster:
    raster[k].attrs.update(scale_factor=1.0, add_offset=0.0, long_name="band 1")
    raster[k].encoding.update(_FillValue=np.float32(-9999), grid_mapping="spatial_ref")
raster.to_netcdf(SPACE / "rioxarray.nc", engine="h5netcdf")
for name in ("rioxarray.nc", "contiguous.h5", "backward.h5", "one_time.h5", "double.h5", "turned.h5", "whole_metres.h5", "chunked.h5", "h5netcdf.nc", "netcdf4.nc", "again.nc", "plain_h5netcdf.nc", "plain_netcdf4.nc"):
    _, done = begin(name.replace(".", "_"), f"{{file: {name}}}")
    check(fingerprint(done.stdout) == wanted, f"{name}: {fingerprint(done.stdout)}, not {wanted}")

# ---- a bare terrain becomes the base; what is absent has its default ----
hill = np.add.outer(np.hypot(y - 200, 30), x / 3) / 7
out, _ = begin("bare", f"{{file: {h5('bare.h5', terrain=hill)}}}")
found = first(out)
check(np.array_equal(found["terrain_base"], hill.astype("f4")) and np.array_equal(found["terrain"], hill.astype("f4")), "a bare terrain is not the base")
check(not found["terrain_change"].any() and not found["water"].any() and (found["carbon"] == np.float32(0.25)).all(), "defaults")

# ---- a file that lies somewhere ----
h5("placed.h5", terrain=hill, x=5e5 + x, y=5e6 + y)
out, _ = begin("placed", "{file: placed.h5}")
with h5py.File(checkpoints(out)[-1]) as f:
    check(np.allclose(f["x"], 5e5 + x, atol=1e-9) and np.allclose(f["y"], 5e6 + y, atol=1e-9), "the georeference is lost")

# ---- what is wrong is said, and nothing is written ----
water = state["water"]
hole = water.copy()
hole[3, 5] = np.nan
links = h5("links.h5", other=water)
with h5py.File(links, "a") as f:
    f["water"] = h5py.SoftLink("/other")
outside = SPACE / "outside.h5"
with h5py.File(outside, "w") as f:
    f["water"] = h5py.ExternalLink("contiguous.h5", "/water")
virtual = SPACE / "virtual.h5"
with h5py.File(virtual, "w") as f:
    layout = h5py.VirtualLayout((NY, NX), "f4")
    layout[...] = h5py.VirtualSource(SPACE / "contiguous.h5", "water", (NY, NX))
    f.create_virtual_dataset("water", layout)
with h5py.File(SPACE / "missing.h5", "w") as f:
    f.create_dataset("water", (NY, NX), "f4", chunks=(16, 16))[:16] = 1
with h5py.File(SPACE / "filled.h5", "w") as f:
    f["water"] = np.where(np.arange(NX) == 7, np.float32(-9999), water)
    f["water"].attrs["_FillValue"] = np.array([-9999], "f4")
data.to_netcdf(SPACE / "classic.nc", engine="scipy")
(SPACE / "cut.h5").write_bytes((SPACE / "contiguous.h5").read_bytes()[:30000])
for path, said in (
    (h5("wide.h5", water=water[:, :-1]), "64 rows (y) of 96 cells (x)"),
    (h5("deep.h5", water=np.stack([water, water])), "water is not a map of two dimensions; choose one step"),
    (h5("half_floats.h5", water=water.astype("f2")), "water is not of float32, float64 or whole numbers"),
    (h5("hole.h5", water=hole), "water has 1 cells without data, NaN or infinite; fill them; the first is row 3, column 5"),
    (h5("huge.h5", water=water.astype("f8") + 1e300), "infinite"),
    (h5("below.h5", water=water - 1), "cells below 0"),
    (h5("half.h5", wetness=water * 0 + 0.5), "not whole numbers from 0 to 255"),
    (h5("metres.h5", water=water, x=x * 2, y=y * 2), "the coordinates x go by 16 m a cell"),
    (h5("uneven.h5", water=water, x=x + 2 * (np.arange(NX) == 9), y=y), "or not evenly"),
    (h5("degrees.h5", water=water, lon=x / 1e5, lat=y / 1e5), "water is in degrees"),
    (h5("below_zero.h5", terrain=np.where(np.arange(NX) == 7, -9999.0, hill)), 'are -9999, which programs write for "no data"'),
    (h5("abyss.h5", terrain=np.where(np.arange(NX) == 7, -12345.0, hill)), "64 cells are beyond 12000 m"),
    (h5("names.h5", waters=water, depth=water), "no field at its root"),
    (h5("two.h5", terrain=hill, terrain_base=hill + 1), "terrain is not terrain_base + terrain_change"),
    (links, "soft or external link"), (outside, "soft or external link"), (virtual, "is not stored in this file"),
    (SPACE / "missing.h5", "incomplete"), (SPACE / "filled.h5", "64 cells without data"), (SPACE / "classic.nc", "NetCDF-3"), (SPACE / "cut.h5", "damaged"),
):
    directory, done = begin(f"bad_{path.stem}", f"{{file: {path}}}", code=65)
    check(said in done.stderr, f"{path.name}: {done.stderr}")
    check(not directory.exists() or not checkpoints(directory), f"{path.name}: a checkpoint was written")

# ---- MATLAB: a user block, and columns in place of rows ----
def matlab(name, block=512, **maps):
    with h5py.File(SPACE / name, "w", userblock_size=block) as f:
        for k, v in maps.items():
            f[k] = v.T
            f[k].attrs["MATLAB_class"] = np.bytes_("double")
    with open(SPACE / name, "r+b") as f:
        f.write(b"MATLAB 7.3 MAT-file")
    return name


for block in (512, 4096):
    _, done = begin(f"matlab{block}", f"{{file: {matlab(f'm{block}.mat', block, **state)}}}")
    check(fingerprint(done.stdout) == wanted, f"a user block of {block} bytes: another state")
square = hill[:, :NY]
matlab("square.mat", terrain=square)
for use in ("base: [{raster: square.mat}]", "initial: {file: square.mat}"):
    otok("base", write("square.yaml", f"otok: 1\ngrid: {{nx: {NY}, ny: {NY}, spacing: {STEP:g}}}\n{use}\nphases: [{{name: p, iterations: 1, hydraulic: {{dt: 0.01}}}}]\n"), "-o", SPACE / "square.vtkhdf")
    with h5py.File(SPACE / "square.vtkhdf") as f:
        check(np.array_equal(f["terrain"], square.astype("f4")), f"{use}: rows and columns are exchanged")
(SPACE / "old.mat").write_bytes(b"MATLAB 5.0 MAT-file".ljust(600))
_, done = begin("old_mat", "{file: old.mat}", code=65)
check("old MATLAB file" in done.stderr and "save -v7.3" in done.stderr, done.stderr)

# ---- filters that are not read ----
for name, options in (("lzf", {"compression": "lzf"}), ("scaleoffset", {"scaleoffset": 3}), ("szip", {"compression": "szip"})):
    try:
        with h5py.File(SPACE / f"{name}.h5", "w") as f:
            f.create_dataset("terrain", data=hill, chunks=(16, 16), **options)
    except ValueError:
        continue  # this h5py has no such filter
    _, done = begin(name, f"{{file: {name}.h5}}", code=65)
    check(f"terrain is packed with the filter {name} (number " in done.stderr and "h5repack -f GZIP=4" in done.stderr, done.stderr)

# ---- a misspelt map is no field: it is named, and what it may be ----
for name, maps, said in (
    ("watre", {"terrain": hill, "watre": water}, "has maps that are no fields and are not used: watre (is it `water`?)"),
    ("shouted", {"terrain": hill, "WATER": water, "depth": water, "slope": hill}, "not used: WATER (is it `water`?), depth (is it `water`?), slope\n"),
    ("axes", {"terrain": hill, "water": water, "x": x, "y": y, "time": 3.0, "names": np.arange(4)}, ""),
):
    out, done = begin(name, f"{{file: {h5(f'{name}.h5', **maps)}}}")
    check(said in done.stderr if said else "no fields" not in done.stderr, f"{name}: {done.stderr}")
    check("no fields" not in run(SPACE / f"{name}.yaml", out, "-q", "--resume").stderr, "said once more by a run that goes on")
    check(said in otok("base", SPACE / f"{name}.yaml", "-o", SPACE / "base.vtkhdf").stderr, f"{name}: not said by otok base")
_, done = begin("terain", f"{{file: {h5('terain.h5', terain=hill)}}}", code=65)
check("no field at its root, but terain (is it `terrain`?)" in done.stderr, done.stderr)

# ---- an edited checkpoint: to begin with, not to resume ----
edited = SPACE / "edited"
shutil.copytree(SPACE / "plain", edited)
for path in checkpoints(edited)[1:]:
    path.unlink()
shutil.copy(source, edited / source.name)
with h5py.File(edited / source.name, "a") as f:
    f["water"][10:20, 30:40] += np.float32(2)
    poured = f["water"][...]
done = otok("inspect", edited / source.name, code=65)
check("edited:" in done.stderr and "Give it as initial, not to resume" in done.stderr, done.stderr)
done = run(PLAIN, edited, "--resume")
check("edited:" in done.stderr and "Give it as initial, not to resume" in done.stderr, done.stderr)
shutil.copy(source, SPACE / "poured.vtkhdf")
with h5py.File(SPACE / "poured.vtkhdf", "a") as f:
    f["water"][10:20, 30:40] += np.float32(2)
    f.attrs["otok_iteration"] = np.int64(77)
out, done = begin("poured", "{file: poured.vtkhdf}")
check("no fields" not in done.stderr, f"a checkpoint has maps of its own: {done.stderr}")
check(np.array_equal(first(out)["water"], poured), "the edited water is not what the run began with")
with h5py.File(SPACE / "poured.vtkhdf", "a") as f:
    del f["water"], f["VTKHDF/PointData/water"]
    f["water"] = poured.astype("f8")
out, _ = begin("replaced", "{file: poured.vtkhdf}")
check(np.array_equal(first(out)["water"], poured), "nor is a field that was put in its place")
broken = bytearray(source.read_bytes())
with h5py.File(source) as f:
    at = f["water"].id.get_chunk_info(0).byte_offset
broken[at + 40] ^= 1
(SPACE / "broken.vtkhdf").write_bytes(broken)
_, done = begin("broken", "{file: broken.vtkhdf}", code=65)
check("damaged" in done.stderr, done.stderr)

# ---- layers by their thickness ----
layers = SHORT[: SHORT.index("  - {name: seabed")].replace("base:", "layers: [{name: soil, thickness: 3}, {name: rock}]\nbase:") + "output: {every: 100}\n"
out, done = begin("soil", f"{{file: {h5('soil.h5', terrain=hill, layer_soil=hill / 50, layer_soli=hill)}}}", scenario=layers)
check("not used: layer_soli (is it `layer_soil`?)\n" in done.stderr, done.stderr)
with h5py.File(checkpoints(out)[0]) as f:
    check(np.array_equal(f["layer_soil"], (hill / 50).astype("f4")), "the thickness of a layer is not the file's")

# ---- field by field ----
rows = "\n".join(" ".join(f"{v:.6g}" for v in row) for row in (hill[::-1] / 100))
write("pond.asc", f"ncols {NX}\nnrows {NY}\nxllcorner 0\nyllcorner 0\ncellsize {STEP:g}\n{rows}\n")
out, done = begin("single", "{file: contiguous.h5, water: {raster: pond.asc}, carbon: 0.3, sediment: [{constant: {height: 0.01}}]}")
found = first(out)
check(np.allclose(found["water"], hill / 100, rtol=1e-5) and (found["carbon"] == np.float32(0.3)).all(), "single fields")
check((found["sediment"] == np.float32(0.01)).all() and np.array_equal(found["terrain"], state["terrain"]), "beside those of the file")
text = otok("run", SPACE / "single.yaml", "--dry-run").stdout
text = text[text.index("otok: 1"):].split("\n\n")[0]
again = run(write("canonical.yaml", text), SPACE / "canonical", "-q")
check(fingerprint(again.stdout) == fingerprint(done.stdout), "its canonical text is another scenario")
_, done = begin("set", "{carbon: 0.3}", sets=("--set", "initial.carbon=0.25"))
check(fingerprint(done.stdout) == fingerprint(run(PLAIN, SPACE / "plain_again", "-q").stdout), "0.25 is not the default of carbon")
dry = SHORT[: SHORT.index("  - {name: seabed")] + "output: {every: 100}\n"
_, done = begin("none", "{carbon: 0.3}", code=65, scenario=dry)
check("initial.carbon: no process of the phases has carbon" in done.stderr, done.stderr)
_, done = begin("many", "{water: 2e6}", code=65)
check("initial.water: 2e6 is out of range" in done.stderr, done.stderr)
finish("fields of other programs' files begin the runs that a checkpoint's do")
