"""Claim: the figures of otok.plot show the numbers of checkpoints and studies: places with their units, walls in grey, round ends of colours, signed
fields symmetric, hypsometry and drainage of a plane and a cone, volumes of the ledger, verdicts, predicted limits where the margin is 1. What
cannot be drawn is refused with a remedy. `python3 tests/python_plot.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
import contextlib
import io
import warnings

from cli import *

with needed():
    import h5netcdf  # noqa: F401
    import h5py
    import numpy as np
    import xarray as xr
    from matplotlib.colors import to_rgba

import otok as package
from otok import _figures, _library, _studies, fields, plot, plot_command

UTM = ('PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],'
       'UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],'
       'PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]')
NX, NY, CELL = 60, 40, 20.0
Y, X = np.mgrid[:NY, :NX]


def asc(name, z, west=0.0, south=0.0):
    rows = "\n".join(" ".join("-9999" if np.isnan(v) else f"{v:.9g}" for v in row) for row in z[::-1])
    write(name, f"ncols {NX}\nnrows {NY}\nxllcorner {west}\nyllcorner {south}\ncellsize {CELL}\nNODATA_value -9999\n{rows}\n")


def scenario(name, raster, phases, more=""):
    return write(f"{name}.yaml", f"otok: 1\ntitle: {name}\ngrid: {{nx: {NX}, ny: {NY}, spacing: {CELL}}}\n{more}"
                 f"base: [{{raster: {{file: {raster}}}}}]\nphases:\n{phases}output: {{every: 60}}\n")


def texts(axes):
    return [text.get_text() for text in axes.texts]


os.chdir(SPACE)
QUIET = "  - {name: a, iterations: 2, hydraulic: {dt: 0.01, capacity: 0}}\n"
asc("plane.asc", 2 + 0.1 * CELL * (NX - X))  # falls to the east
asc("cone.asc", 500 - 0.2 * CELL * np.hypot(X - 30, Y - 20))
hill = 80 - 1.8 * np.hypot(X - 30, Y - 20) + 3 * np.sin(X / 3) * np.cos(Y / 4)
hill[:6, :9] = np.nan
asc("isle.asc", hill, 500000, 5100000)
write("isle.prj", UTM)
isle = scenario("isle", "isle.asc", more="sea: {level: 40}\nlayers: [{name: soil, thickness: 6, talus: 30}, {name: rock, talus: 60}]\n", phases="""
  - {name: rain, iterations: 180, rain: {rate: 0.001}, hydraulic: {dt: 0.2, law: local_inertia}}
  - {name: reef, iterations: 60, reef: {dt: 0.01, absorption: 0.12, calcification: 25, uptake: 4, min_depth: 0.3}}
""")
for path, out in ((scenario("plane", "plane.asc", QUIET), "plane"), (scenario("cone", "cone.asc", QUIET), "cone"), (isle, "isle")):
    run(path, out)
ISLE, LAST = SPACE / "isle", checkpoints(SPACE / "isle")[-1]
state = xr.open_dataset(LAST, engine="h5netcdf")

# ---- a map ----
axes, bar = plot.map(ISLE).axes
image, shadow = axes.images
check(axes.get_xlim() == (500000, 501200) and axes.get_ylim() == (5100000, 5100800), f"{axes.get_xlim()} {axes.get_ylim()}")
check(axes.get_xlabel() == "easting [m]\nWGS 84 / UTM zone 33N" and axes.get_ylabel() == "northing [m]" and bar.get_ylabel() == "[m]", axes.get_xlabel())
check(axes.xaxis.get_major_formatter()(500250, 0) == "500250", "tick labels with an offset")
check(axes.figure.get_suptitle() == f"terrain height [m]\nisle, {plot.duration(float(state.time))}, iteration 240", axes.figure.get_suptitle())
check((image.get_array().mask == np.isnan(hill)).all() and np.array_equal(image.get_array()[~np.isnan(hill)], state.terrain.values[~np.isnan(hill)]), "not the terrain")
check(tuple(image.cmap(np.ma.masked_invalid([np.nan]))[0]) == to_rgba(_figures._WALL) and (shadow.get_array()[..., 3][np.isnan(hill)] == 0).all(), "walls are not grey")
shade = plot._shade(np.where(np.isnan(hill), np.nan, state.terrain.values.astype(float)), CELL)
check(np.allclose(shadow.get_array()[..., 3], np.where(np.isnan(hill), 0, 0.4 * (1 - shade))), "the hillshade is not 0.4")
low, high = image.get_clim()
check(low % 5 == 0 and high % 5 == 0, f"ends that are not round: {low} {high}")
contours = [text for text in texts(axes) if re.fullmatch(r"\d+", text)]
check(contours and all(float(text) % 10 == 0 for text in contours), f"contours: {texts(axes)}")
(scale,) = [text for text in axes.texts if text.get_gid() == "scale"]
(line,) = [line for line in axes.lines if line.get_clip_on() is False]
check(scale.get_text() == "200 m" and np.isclose(np.ptp(line.get_xdata()) * 1200, 200) and min(line.get_ydata()) > 1, "the scale bar")
figure = plot.map(ISLE, "slope", part=(500200, 500600, 5100100, 5100500))
axes, inset, bar = figure.axes
(frame,) = inset.patches
check(axes.get_xlim() == (500200, 500600) and axes.get_ylim() == (5100100, 5100500), f"a part: {axes.get_xlim()} {axes.get_ylim()}")
check(frame.get_bbox().bounds == (500200, 5100100, 400, 400) and inset.get_xlim() == (500000, 501200), f"the frame in the inset: {frame.get_bbox()}")
slopes = plot.map(ISLE, "slope").axes[0].images[0].get_array()
first = round(100 / CELL), round(200 / CELL)
check(np.array_equal(axes.images[0].get_array(), slopes[first[0]:first[0] + round(400 / CELL), first[1]:first[1] + round(400 / CELL)]), "slopes of the part")
check(len(plot.map(ISLE, contours=0).axes[0].texts) == 1, "contours that nobody wants")
figure = plot.map(ISLE, contours=30)
figure.draw_without_rendering()
words, frame = [text for text in figure.axes[0].texts if text.get_gid() != "scale" and text.get_visible()], figure.axes[0].get_window_extent()
check(words and all(frame.contains(*corner) for text in words for corner in text.get_window_extent().corners()), "the frame cuts labels of contours")

axes, bar = plot.map(ISLE, "aspect").axes
check(axes.images[0].get_clim() == (0, 360) and list(bar.get_yticks()) == list(range(0, 361, 45)), f"a turn: {axes.images[0].get_clim()} {bar.get_yticks()}")
axes, bar = plot.map(ISLE, "terrain_change").axes
low, high = axes.images[0].get_clim()
check(low == -high and axes.images[0].cmap.name == "vik", f"{low} {high} {axes.images[0].cmap.name}")
ends = np.nanmin(axes.images[0].get_array()) < low, np.nanmax(axes.images[0].get_array()) > high
check(axes.images[0].colorbar.extend == {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[ends], "arrows")
image = plot.map(ISLE, "water", when=1, low=0, high=1e-4).axes[0].images[0]
check(image.get_clim() == (0, 1e-4) and image.colorbar.extend == "max", "the ends asked for")
check(np.nanmax(image.get_array()) == np.nanmax(xr.open_dataset(checkpoints(ISLE)[1], engine="h5netcdf").water.values), "another state than when=1")
check("iteration 120" in plot.map(ISLE, when="25 s").get_suptitle() and "iteration 60" in plot.map(ISLE, when=1).get_suptitle(), "the nearest time")
many = xr.concat([package.by_time(xr.open_dataset(path, engine="h5netcdf")) for path in checkpoints(ISLE)], "time", combine_attrs="override")
for run_of in (LAST, state, xr.open_dataset(LAST, engine="h5netcdf")):
    image = plot.map(run_of, "terrain_change_without_reef").axes[0].images[0].get_array()
    check(np.ma.allequal(image, state.terrain_change - state.reef) and image.mask.sum() == 54, "a Dataset differs from its file")
sim = package.Simulation(SPACE / "isle.yaml", backend="cpu")
sim.run(120)
axes = plot.difference(sim, checkpoints(ISLE)[2]).axes[0]
check(not axes.images[0].get_array().any() and axes.images[0].get_array().mask.sum() == 54 and "iteration 120\nless" in axes.figure.get_suptitle(), "a simulation")
shade = plot._shade(500 - 0.2 * CELL * np.hypot(X - 30, Y - 20), CELL)
check(shade[30, 20] == shade.max() or shade[30, 20] > 0.8 > 0.6 > shade[10, 40], f"the sun is not in the north-west: {shade[30, 20]} {shade[10, 40]}")
check(np.allclose(plot._shade(np.zeros((4, 4)), 1), np.sqrt(0.5)), "flat ground")

# ---- fields that follow from a state, lazily, and their maps ----
lazy = package.derived(state)
NOT_KEPT = {"reef_age", "river_slope", "river_length", "stream_order", "chi", "steepness", "lake_depth", "max_level", "arrival", "max_depth_time"}
check(set(fields.DERIVED) - set(lazy.data_vars) == NOT_KEPT and not lazy.slope.variable._in_memory, f"{set(fields.DERIVED) - set(lazy.data_vars)} are missing")
speed = np.hypot(state.velocity_x, state.velocity_y)
check(np.isnan(lazy.speed.values[:6, :9]).all() and np.allclose(lazy.speed.values[10:], speed[10:], rtol=1e-6, atol=1e-12), "the speed")
check(np.array_equal(package.derived(many, ["speed"]).speed[2:, 12, 5:9], np.stack([lazy.speed[12, 5:9] if n == 4 else
      package.derived(xr.open_dataset(checkpoints(ISLE)[n], engine="h5netcdf"), ["speed"]).speed[12, 5:9] for n in (2, 3, 4)])), "over time")

# ---- one place: checkpoints, every iteration of a run, and the kept maps of a study ----
from otok.history import OtokBackend  # noqa: E402

of_file = xr.open_dataset(LAST, engine="h5netcdf")
of_run = xr.open_dataset(ISLE, engine=OtokBackend, backend=BACKEND).isel(time=-1)
for axis in "xy":
    check(np.array_equal(of_file[axis], of_run[axis]) and of_file[axis].attrs == of_run[axis].attrs, f"{axis}: {of_file[axis]}, {of_run[axis]}")
check(of_run.crs.attrs == of_file.crs.attrs and "33N" in of_run.crs.crs_wkt and of_run.terrain.attrs["grid_mapping"] == "crs" and "grid_mapping" not in of_run.fingerprint.attrs, f"{of_run.crs}, {of_file.crs}")
apart = of_run.terrain - of_file.terrain
check(apart.shape == (NY, NX) and np.array_equal(np.isnan(apart), np.isnan(hill)) and not np.nan_to_num(apart).any(), "the difference of a run and its checkpoint")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    table = package.study({"study": 1, "scenario": str(isle), "vary": {"phases.rain.rain.rate": {"values": [0.001]}}, "design": {"kind": "grid", "points": 1},
                           "keep": {"fields": ["terrain"], "coarsen": 2}}, SPACE / "kept", backend=BACKEND)
larger = of_file.coarsen(x=2, y=2).mean()
check(np.allclose(table.x, larger.x, rtol=0, atol=1e-6) and np.allclose(table.y, larger.y, rtol=0, atol=1e-6) and table.x.attrs["units"] == "m", f"kept maps: {table.x.values[:2]} {table.y.values[:2]}")
check(table.crs.crs_wkt == of_file.crs.crs_wkt and table.crs.GeoTransform == "500000 40 0 5100000 0 40" and table.map_terrain.attrs["grid_mapping"] == "crs", f"{table.crs}")
check("crs" not in xr.open_dataset(SPACE / "plane.yaml", engine=OtokBackend, backend="cpu") and "crs" not in xr.open_dataset(checkpoints(SPACE / "plane")[-1], engine="h5netcdf"), "a system of nothing")

# ---- of a part, of larger cells, and of rows and columns in any order: as of the whole, but for the edges of a part, or refused ----
whole_of = xr.open_dataset(LAST, engine="h5netcdf")
of_whole = package.derived(whole_of, ["slope", "aspect", "froude"]).load()
inner = {"y": slice(1, -1), "x": slice(1, -1)}
turned = {"rows from the north": whole_of.isel(y=slice(None, None, -1)), "columns from the east": whole_of.isel(x=slice(None, None, -1)),
          "columns first": whole_of.transpose("x", "y", ...), "all": whole_of.transpose("x", ...).isel(x=slice(None, None, -1), y=slice(None, None, -1)),
          "a window": whole_of.isel(x=slice(3, 40), y=slice(2, 31)), "a window from the north": whole_of.isel(x=slice(0, 30), y=slice(20, 0, -1)),
          "by coordinates": whole_of.sel(x=slice(500100, 500700), y=slice(5100040, 5100300))}
for what, part in turned.items():
    cut = part.sizes["x"] < NX
    for field in ("slope", "aspect", "froude"):
        found = package.derived(part, [field])[field]
        check(found.dims == part.terrain.dims and found.shape == part.terrain.shape, f"{what}: {field} is over {found.dims}")
        like = of_whole[field].sel(x=found.x, y=found.y)
        found, like = (found.isel(inner), like.isel(inner)) if cut else (found, like)
        check(np.allclose(found.transpose("y", "x"), like, rtol=1e-5, equal_nan=True), f"{what}: {field} differs from that of the whole")
        check(np.isnan(found).any() and np.isfinite(found).any(), f"{what}: {field} beside walls")
plane_of = xr.open_dataset(checkpoints(SPACE / "plane")[-1], engine="h5netcdf")
for what, part in {"means": plane_of.coarsen(x=4, y=4).mean().assign_attrs(plane_of.attrs), "every third": plane_of.isel(x=slice(None, None, 3), y=slice(None, None, 3)),
                   "without coordinates": plane_of.drop_vars(["x", "y"])}.items():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        slope = package.derived(part, ["slope"]).slope
    check(slope.shape == part.terrain.shape and np.allclose(slope, 0.1, atol=1e-5), f"{what}: slope {slope.values.ravel()[:3]}")
dry = plane_of.assign(water=plane_of.water.where(plane_of.x > 300))
check(np.array_equal(np.isnan(package.derived(dry, ["froude"]).froude), np.isnan(dry.water)), "depths without a value")
coarse = whole_of.coarsen(x=2, y=2).mean().assign_attrs(whole_of.attrs)
of_means = package.derived(coarse, ["slope"]).slope
check(np.isnan(of_means[:3, :5]).all() and np.isfinite(of_means).sum() == of_means.size - 15, "means over walls")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    package.derived(coarse.drop_encoding(), ["slope"])
check(any("does not tell which cells have no data" in str(one.message) for one in said), f"a Dataset without its file: {said}")
for text, part, field in (("into a part is unknown", whole_of.isel(y=slice(0, -1)), "drainage_area"), ("no x or y in metres", plane_of.isel(x=slice(0, 9)).drop_vars(["x", "y"]), "slope"),
                          ("cells of one size", plane_of.isel(x=[0, 1, 5]), "slope"), ("has no slope across it", plane_of.isel(y=slice(5, 6)), "slope"), ("has no slope across it", whole_of.isel(x=[3]), "aspect"),
                          ("no x or y in metres", plane_of.isel(x=slice(0, 9)).assign_coords({name: (name, plane_of[name].values[:9 if name == "x" else None] / 1000) for name in "xy"}), "slope"), ("need squares", plane_of.isel(x=slice(None, None, 2)), "slope"),
                          ("x does not tell which", whole_of.isel(x=slice(0, 9)).drop_vars("x"), "slope"), ("is outside the run's", whole_of.assign_coords(x=whole_of.x - 500), "slope"),
                          ("need y, x", plane_of.rename(x="lon"), "slope"), ("at most time", xr.concat([plane_of, plane_of], "member"), "slope")):
    raises(package.DataError, text, lambda: package.derived(part, [field])[field].load())
image = plot.map(SPACE / "plane", "slope").axes[0].images[0]
check(np.allclose(image.get_array(), 0.1, atol=1e-5), "the slope of a plane")
axes, bar = plot.map(ISLE, "curvature").axes
check(np.allclose(np.add(*axes.images[0].get_clim()), 0) and axes.images[0].cmap.name == "vik" and bar.get_ylabel() == "[1/m]", bar.get_ylabel())
check(axes.figure.get_suptitle().startswith("curvature of the ground [1/m]"), axes.figure.get_suptitle())

image = plot.difference(LAST, checkpoints(ISLE)[0], "terrain").axes[0].images[0]
moved = np.where(np.isnan(hill), np.nan, state.terrain_change)
check(np.allclose(image.get_array().filled(np.nan), moved, atol=1e-5, equal_nan=True) and image.get_clim()[0] == -image.get_clim()[1], "the difference")
ways = [xr.open_dataset(LAST, engine="h5netcdf").load() for _ in "ab"]
ways[1]["terrain"] = ways[1].terrain.copy(data=ways[1].terrain.values[:, ::-1])
turned = plot.difference(*ways, "aspect").axes[0].images[0].get_array()
raw = np.abs(np.subtract(*(plot.map(way, "aspect", contours=0).axes[0].images[0].get_array() for way in ways)))
check(raw.max() > 180 and np.allclose(np.abs(turned), np.minimum(raw, 360 - raw), atol=1e-3), f"aspects differ by {raw.max()} and {np.abs(turned).max()}")

# ---- history ----
panels = plot.history(ISLE).axes
names = [panel.get_title(loc="left") for panel in panels]
check([name.split(":")[0] for name in names] == ["water", "eroded", "deposited", "sediment in the water", "reef", "audit", "verdict so far"], names)
for panel, key in ((panels[0], "water"), (panels[3], "suspended"), (panels[4], "reef")):
    check(np.array_equal(panel.lines[0].get_ydata(), many[f"ledger_{key}"]) and np.array_equal(panel.lines[0].get_xdata(), many.time), f"{key} of the ledger")
layers = state.attrs["ledger_layer_eroded"].sum()
check(np.isclose(panels[1].lines[0].get_ydata()[-1], layers, rtol=0.01), f"eroded {panels[1].lines[0].get_ydata()[-1]}, by the layers {layers}")
check(panels[0].get_ylabel() == "m³" and panels[5].get_ylabel() == "%" and len(panels[5].lines) == np.isfinite(state.attrs["otok_audit"]).sum(), "units")
check(np.allclose([line.get_ydata()[-1] for line in panels[5].lines], 100 * state.attrs["otok_audit"][np.isfinite(state.attrs["otok_audit"])]), "the audit")
YEAR = 31556925.9747
TIMES = {0: "0 s", 59.9: "59.9 s", 3600: "1 h", 30000: "8 h 20 min", 86400 + 7200: "1 d 2 h", 700 * 86400: "700 d", 2.5 * YEAR: "2.5 yr", 9999 * YEAR: "9999 yr",
         1e4 * YEAR: "10,000 yr", 400000 * YEAR: "400,000 yr", 1.25e9 * YEAR: "1,250,000,000 yr", np.inf: "inf s"}
check([plot.duration(s) for s in TIMES] == [*TIMES.values()], [plot.duration(s) for s in TIMES])
check(panels[-1].xaxis.get_major_formatter()(30, 0) == "30 s" and panels[-1].get_xlabel() == "simulated time", "times")
words = [text.get_text() for text in panels[-1].get_legend().get_texts()]
verdicts = [str(word) for word in many.verdict.values]
check(len(at := panels[-1].collections[0].get_offsets()) == 5 and set(words) == {f"{word.replace('_', ' ')} ({verdicts.count(word)})" for word in verdicts}, words)
check([len(panel.lines) for panel in plot.history(many).axes] == [len(panel.lines) for panel in panels], "the history of a Dataset")
bare = xr.open_mfdataset(checkpoints(ISLE), engine="h5netcdf", combine="nested", concat_dim="time")
check(not {"audit", "verdict"} & {title.get_title(loc="left").split(":")[0] for title in plot.history(bare).axes if title.lines} and
      not plot.history(bare).axes[-1].collections, "the verdict of the first checkpoint counts for all")
check(plot.map(bare, when=2).axes[0].images[0].get_array().mask.sum() == 54, "walls of a Dataset of several files")
write("channel.yaml", "otok: 1\ngrid: {nx: 40, ny: 1, spacing: 3}\nphases: [{name: a, iterations: 9, rain: {rate: 0.01}, hydraulic: {dt: 0.1}}]\n")
run("channel.yaml", "channel")
check(np.allclose(plot.section("channel", (0, 1), (120, 1)).axes[0].lines[0].get_data(), [np.linspace(0, 120, 161), np.zeros(161)]), "a channel of one row")
raises(package.DataError, "two rows and two columns.*draw a section", lambda: plot.map("channel"))
still = scenario("still", "cone.asc", "  - {name: a, iterations: 60, seabed: {}}\n  - {name: b, iterations: 60, hydraulic: {dt: 0.01}}\n")
run(still, "still")
check(plot.history(SPACE / "still").axes[-1].get_xlabel() == "iteration", "times that repeat are an axis")
# a hill that sinks and creeps: what uplift moved is not eroded; by a map without parts of the change it is unknown
for name, rate in (("sinks", "-1 mm/yr"), ("maps", "{constant: {height: -3e-11}}")):
    creep = scenario(name, "cone.asc", f"  - {{name: a, iterations: 120, creep: {{diffusivity: 1e-3 m2/yr, dt: 1 kyr}}, uplift: {{rate: {rate}}}}}\n")
    run(creep, name)
found = {panel.get_title(loc="left"): panel.lines[0].get_ydata() for panel in plot.history("sinks").axes if panel.lines}
check(0 < found["eroded"][-1] < 1e-3 * 120 * NX * NY * CELL**2 and abs(found["deposited"][-1] / found["eroded"][-1] - 1) < 0.05, f"a hill that sinks: {found}")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    found = [panel.get_title(loc="left") for panel in plot.history("maps").axes if panel.lines]
check("eroded" not in found and any("`parts: true`" in str(w.message) for w in said), f"{found}, {[str(w.message) for w in said]}")

# ---- a section ----
axes = plot.section(SPACE / "plane", (10, 10), (1190, 790)).axes[0]
along, ground = axes.lines[0].get_data()
check(np.isclose(along[-1], np.hypot(1180, 780)) and np.allclose(ground, np.linspace(2 + 120, 2 + 2, along.size), atol=1e-4), "a plane is no straight line")
check("times exaggerated" in axes.get_title(loc="left") and "(10, 10) to (1190, 790) [m]" in axes.get_xlabel(), axes.get_title(loc="left"))
box = axes.get_window_extent()
told = float(re.search(r"([\d.]+(?:e\+\d+)?) times", axes.get_title(loc="left"))[1])
check(np.isclose(told, box.height / np.ptp(axes.get_ylim()) / (box.width / along[-1]), rtol=0.06), f"exaggerated {told} times")
axes = plot.section(ISLE, (500010, 5100010), (501190, 5100790)).axes[0]
labels = [text.get_text() for text in axes.get_legend().get_texts()]
check(labels == ["soil", "rock", "sea", "water", "no data"], labels)
along, ground = axes.lines[0].get_data()
check(np.isnan(ground[:20]).all() and np.isfinite(ground[-100:]).all(), "walls are no gap")
soil, sea = axes.collections[0].get_paths()[0].vertices, axes.collections[2].get_paths()
check(len(set(_figures._LAYERS)) == _library.MAX_LAYERS and [to_rgba(c) for c in (_figures._LAYERS[0], _figures._LAYERS[-1])]
      == [tuple(part.get_facecolor()[0]) for part in axes.collections[:2]], "two layers of one colour")
check(np.isclose(soil[:, 1].max(), np.nanmax(ground)) and all(np.isclose(path.vertices[:, 1].max(), 40) for path in sea), "layers, or the sea")

# ---- hypsometry, drainage ----
lines = plot.hypsometry(SPACE / "plane").axes[0].lines
share, heights = lines[1].get_data()
check(np.allclose(heights, 2 + 0.1 * CELL * (NX + 0.5 - share / 100 * NX), atol=0.1 * CELL) and "integral 0.500" in lines[1].get_label(), lines[1].get_label())
axes = plot.hypsometry(ISLE).axes[0]
check(axes.lines[1].get_xdata().size == NX * NY - 54 and axes.lines[2].get_ydata()[0] == 40 and axes.get_xlabel() == "area above [%]", "walls have an area")
area, slope = plot.drainage(2 + 0.1 * CELL * (NX - X), CELL)
check(np.array_equal(area, (X + 1) * CELL**2) and np.allclose(slope[:, :-1], 0.1) and (slope[:, -1] == 0).all(), "the drainage of a plane")
cone = 500 - 0.2 * CELL * np.hypot(X - 30, Y - 20)
area, slope = plot.drainage(cone, CELL)
ends = slope == 0
check(area[ends].sum() == NX * NY * CELL**2 and area[20, 30] == CELL**2, "a cone loses area")
check(slope[~ends].max() <= 0.2 + 1e-9 and np.isclose(slope[20, 35], 0.2) and np.isclose(slope[25, 35], 0.2), "the slope of a cone")
holed = np.where(X == 30, np.nan, 2 + 0.1 * CELL * (NX - X))
area, slope = plot.drainage(holed, CELL)
check((area[:, 29] == 30 * CELL**2).all() and (area[:, 30] == 0).all() and (area[:, -1] == 29 * CELL**2).all(), "water flows through walls")
axes = plot.slope_area(SPACE / "plane").axes[0]
check(axes.lines[2].get_label() in ("θ = 0.00 ± 0.00, 4 bins", "θ = -0.00 ± 0.00, 4 bins") and f"{NY} pits" in axes.lines[1].get_label(), axes.lines[2].get_label())
check(axes.get_xlabel() == "drainage area [m²]" and axes.get_xscale() == axes.get_yscale() == "log", "axes")

# ---- studies ----
known = {_library.library.otok_verdict_name(n).decode() for n in range(_library.VERDICTS)}
check(known <= set(plot.VERDICTS), f"verdicts without a colour: {known - set(plot.VERDICTS)}")
write("calm.yaml", """otok: 1
audit: off
grid: {nx: 16, ny: 16, spacing: 1}
edges: {left: periodic, right: periodic, bottom: periodic, top: periodic}
base: [{simplex: {octaves: 3, wavelength: 8, amplitude: 0.002}}]
phases: [{name: water, iterations: 400, rain: {rate: 40, during: [[0, 1]]}, hydraulic: {capacity: 0, evaporation: 0}}]
""")
vary = "vary:\n  phases.water.hydraulic.dt: {from: 0.02, to: 1, scale: log}\n  phases.water.hydraulic.pipe_area: {from: 0.1, to: 10, scale: log}\n"
otok("study", write("two.yaml", f"study: 1\nscenario: calm.yaml\ndesign: {{kind: grid, points: 7}}\nkeep: {{fields: [water]}}\n{vary}"), "-o", SPACE / "two", "-q")
otok("study", write("one.yaml", f"study: 1\nscenario: calm.yaml\ndesign: {{kind: grid, points: 9}}\n{vary.rsplit('  phases', 1)[0]}"), "-o", SPACE / "one", "-q")
table = xr.open_dataset(SPACE / "two/study.h5", engine="h5netcdf")
figure = plot.study(SPACE / "two")
(axes,) = figure.axes
words, counts = np.unique(package.open_study(table).verdict_word, return_counts=True)
labels = [text.get_text() for text in figure.legends[0].get_texts()]
wanted = {f"{word.replace('_', ' ')} ({n})" for word, n in zip(words, counts)}
check(len(wanted) > 1 and set(labels[: len(words)]) == wanted and labels[len(words) :] == ["predicted: water waves"], labels)
colours = {tuple(colour) for colour in axes.collections[0].get_facecolors()}
check(colours == {to_rgba(plot.VERDICTS[word]) for word in words}, "the colours of the verdicts")
check(axes.get_xlabel() == "time step [s]" and axes.get_ylabel().endswith("[m²]"), axes.get_ylabel())
check(axes.get_xscale() == axes.get_yscale() == "log" and axes.xaxis.get_major_formatter()(0.05, 0) == "0.05", "the scales of the design")
S = np.concatenate([9.81 * line.get_xdata() ** 2 * line.get_ydata() for line in axes.lines])
check(S.size > 5 and np.allclose(S, 0.25, rtol=1e-6), f"the limit is at S = {S.min()} to {S.max()}, not 1/4")
figure = plot.study(SPACE / "one")
(axes,) = figure.axes
area = float(re.search(r"pipe_area: (\S+)", package.Scenario(SPACE / "calm.yaml").text)[1])
check(len(axes.lines) == 1 and np.isclose(axes.lines[0].get_xdata()[0], np.sqrt(0.25 / 9.81 / area)), "the limit of a strip")
words = vary.rsplit("  phases", 1)[0] + "  phases.water.hydraulic.pipes: {values: [signed, one_way]}\n"
otok("study", write("words.yaml", f"study: 1\nscenario: calm.yaml\ndesign: {{kind: grid, points: 7}}\n{words}"), "-o", SPACE / "words", "-q")
axes = plot.study(SPACE / "words").axes[0]
check([label.get_text() for label in axes.get_yticklabels()] == ["one_way", "signed"] and axes.get_ylabel() == "pipes", "an axis of words")
edges = [(segment[0][1] + 0.4, 9.81 * area * segment[0][0] ** 2) for lines in axes.collections[1:] for segment in lines.get_segments()]
check(np.allclose(sorted(edges), [(0, 0.25), (1, 0.5)]), f"limits of words: {edges}")
raises(package.DataError, "needs numbers along both.*x alone", lambda: plot.response(SPACE / "words", "eroded"))
axes = plot.study(SPACE / "two", x="dt").axes[0]
check(not axes.lines and sorted(axes.collections[0].get_offsets()[:, 1]) == sorted(list(range(7)) * 7), "stacks of one parameter of two")
far = np.random.default_rng(1).random((2, 40))  # members of a study: the unit of an axis does not choose the triangles
of_units = [_studies._Places(xr.Dataset(coords={name: ("member", line, {"path": name}) for name, line in zip("ab", (far[0] * unit, far[1]))}), None, None)
            .mesh(np.ones(40, bool)).triangles.tolist() for unit in (1.0, 2.0**20)]
check(of_units[0] == of_units[1] and len(of_units[0]) > 40, "triangles by the unit of an axis")
axes, bar = plot.response(SPACE / "two", "simulated_time").axes
check(len(axes.lines[0].get_xdata()) == 49 and bar.get_ylim()[1] >= float(table.simulated_time.max()), "the surface has other members")
check(np.array_equal(plot.response(SPACE / "one", "depth").axes[0].lines[0].get_xdata(), np.sort(xr.open_dataset(SPACE / "one/study.h5", engine="h5netcdf").dt)), "a response")
named = xr.open_dataset(SPACE / "one/study.h5", engine="h5netcdf").assign(response_of_mine=("member", np.arange(xr.open_dataset(SPACE / "one/study.h5", engine="h5netcdf").sizes["member"])))
check(plot.response(named, "of_mine").axes[0].get_ylabel() == plot.response(named, "response_of_mine").axes[0].get_ylabel(), "one's own response by its name")
figure = plot.members(SPACE / "two", "water")
small = [axes for axes in figure.axes if axes.get_title()]
north, south = table.map_water.values[[int(np.lexsort((table.dt.values, sign * table.pipe_area.values))[0]) for sign in (-1, 1)]]
check(len(small) == 49 and np.array_equal(small[0].images[0].get_array(), north) and np.array_equal(small[42].images[0].get_array(), south), "small maps")
first = package.open_study(table).verdict_word.values
colour = plot.VERDICTS[str(first[int(np.lexsort((table.dt.values, table.pipe_area.values))[0])])]
check(to_rgba(small[42].spines["left"].get_edgecolor()) == to_rgba(colour) and len({axes.images[0].get_clim() for axes in small}) == 1, "the frames")
check(len([axes for axes in plot.members(SPACE / "two", "water", x="dt").axes if axes.get_title()]) == 36, "36 of 49 over one parameter")
calm = {"study": 1, "scenario": (SPACE / "calm.yaml").read_text(), "vary": {f"phases.water.hydraulic.{name}": {"from": low, "to": high, "scale": "log"}
                                                                           for name, low, high in (("dt", 0.02, 1), ("pipe_area", 0.1, 10))}}
found = package.edges(calm, members=64, points=3, backend="cpu")
box = found
axes = plot.edges(box).axes[0]
check(len(axes.lines) == 1 and axes.lines[0].get_xdata().size == 3 and axes.get_xscale() == "log", "certified points")
line = np.concatenate([path.vertices for path in axes.collections[-1].get_paths()])
S = 9.81 * line[:, 0] ** 2 * line[:, 1]
check(len(line) > 5 and np.median(abs(np.log(S / np.median(S)))) < 0.1, f"the edge has S from {S.min()} to {S.max()}")
raises(package.UsageError, "rain: not an axis of this edge", lambda: plot.edges(found, x="rain"))

# ---- refused, with a remedy ----
for kind, text, call in (
    (package.ReadError, "nowhere: no such file or folder; give", lambda: plot.map(SPACE / "nowhere")),
    (package.DataError, "calm.yaml: not a file of `otok run`", lambda: plot.map(SPACE / "calm.yaml")),
    (package.DataError, "study.h5: has no terrain.*give", lambda: plot.map(SPACE / "two/study.h5")),
    (package.DataError, "has no verdict.*`otok study`", lambda: plot.study(LAST)),
    (package.UsageError, "field 'lava': not in this run, which has .*terrain", lambda: plot.map(ISLE, "lava")),
    (package.UsageError, "lava: no derived field; there are slope", lambda: package.derived(state, ["lava"])),
    (package.DataError, "shear_stress needs friction", lambda: plot.map(SPACE / "plane", "shear_stress")),
    (package.DataError, "froude needs water", lambda: plot.map(state.drop_vars("water"), "froude")),
    (package.UsageError, "when=9: the run has 5 checkpoints; give an index from -5 to 4", lambda: plot.map(ISLE, when=9)),
    (package.UsageError, "from 0 s to 36.6 s; give a time between", lambda: plot.map(ISLE, when="2 h")),
    (package.UsageError, "0 x 0 cells; .* within 500000, 501200, 5100000, 5100800", lambda: plot.map(ISLE, part=(0, 10, 0, 10))),
    (package.UsageError, "from 5 to 1: low is not below high; exchange", lambda: plot.map(ISLE, low=5, high=1)),
    (package.UsageError, "end=(9, 9) is not on the map; give x from 500000 to 501200", lambda: plot.section(ISLE, (500010, 5100010), (9, 9))),
    (package.UsageError, "colours='rainbows': not a colour map", lambda: plot.map(ISLE, colours="rainbows")),
    (package.DataError, "grids differ along x .*interp_like", lambda: plot.difference(LAST, SPACE / "plane")),
    (package.DataError, "water: in m and in m s-1; give", lambda: plot.difference(state, state.assign(water=state.water.assign_attrs(units="m s-1")), "water")),
    (package.DataError, "needs two checkpoints; give", lambda: plot.history(LAST)),
    (package.DataError, "not a run; open a checkpoint", lambda: plot.map(table)),
    (package.UsageError, "rain: not varied in this study, which varies dt, pipe_area", lambda: plot.study(SPACE / "two", x="rain")),
    (package.UsageError, "response 'height': not a column .*eroded", lambda: plot.response(SPACE / "two", "height")),
    (package.UsageError, "field 'terrain': this study kept water", lambda: plot.members(SPACE / "two")),
    (package.UsageError, "kept no maps; its key `keep`", lambda: plot.members(SPACE / "one")),
    (package.DataError, "one member per place", lambda: plot.response(SPACE / "one", "depth", x="dt", y="dt")),
):
    raises(kind, text, call)

# ---- histogram, spectrum, flow, film ----
axes = plot.histogram(ISLE, "drainage_area").axes[0]
check(axes.get_xscale() == "log" and "per factor of" in axes.get_ylabel() and plot.histogram(ISLE).axes[0].get_xscale() == "linear", axes.get_ylabel())
axes = plot.histogram(SPACE / "plane", bins=20).axes[0]
check(len(axes.patches) == 20 and np.isclose(sum(bar.get_height() for bar in axes.patches), 100), "the shares are not 100 %")
check(axes.get_xlabel() == "terrain height [m]" and np.ptp([bar.get_height() for bar in axes.patches]) < 2, "a plane has all its heights alike")
deep = state.water.values[~np.isnan(hill)]
axes = plot.histogram(ISLE, "water").axes[0]
shares = 100 * (deep > 0).mean()
check(np.isclose(sum(bar.get_height() for bar in axes.patches), shares), f"not {shares} % are wet")
axes, none = plot.histogram(ISLE, "reef").axes[0], 100 * (state.reef.values[~np.isnan(hill)] == 0).mean()
check(0 < none < 100 and f"\n{none:.3g} % are 0 and left out" in axes.get_title(loc="left"), f"{none} %: {axes.get_title(loc='left')}")
rough = np.random.default_rng(3).normal(0, 2, (64, 96))
wavelength, density = plot.power(rough, 5.0)
check(np.allclose(density.mean(), 4 * 25, rtol=0.05) and np.isclose(wavelength[0], 96 * 5), f"white noise: {density.mean()}, {wavelength[0]}")
tilted = 3 + 0.1 * np.mgrid[:64, :96][1] + np.sin(2 * np.pi * np.mgrid[:64, :96][0] / 16)
wavelength, density = plot.power(tilted, 5.0)
check(np.isclose(wavelength[density.argmax()], 80), f"a wave of 80 m has its peak at {wavelength[density.argmax()]}")
axes = plot.spectrum(SPACE / "cone").axes[0]
check(axes.get_ylabel() == "spectral density [m⁴]" and "β" in axes.get_legend().get_texts()[0].get_text(), axes.get_ylabel())
raises(package.DataError, "without holes", lambda: plot.spectrum(ISLE))
arrows = plot.flow(ISLE).axes[0].collections[-1]
still = plot.flow(ISLE).axes[0].images[0].get_array()
u, at = state.velocity_x.values, np.ma.filled(arrows.U.astype(float), np.nan)
check(np.allclose(still[10:], speed.where(state.water > 1e-3, 0)[10:], rtol=1e-6, atol=1e-12) and np.isfinite(at).any(), "the flow")
wet = (state.water.values > 1e-3)[::1, ::1].ravel()
check(np.allclose(at[wet & np.isfinite(at)], u.ravel()[wet & np.isfinite(at)], rtol=1e-5), "arrows along x are not the velocities")
check(len(plot.flow(ISLE, kind="lines").axes[0].collections) > 0, "no lines")
raises(package.UsageError, "'arrows' or 'lines'", lambda: plot.flow(ISLE, kind="x"))
if shutil.which("ffmpeg"):
    for name, low in ("film.mp4", None), ("film.gif", 0):
        last = plot.film(ISLE, SPACE / name, "water", rate=4, low=low, high=0.01, dpi=60)
        check((SPACE / name).stat().st_size > 1000 and last.axes[0].images[0].get_clim() == (0, 0.01), name)
    raises(package.WriteError, "ffmpeg", lambda: plot.film(ISLE, SPACE / "film.nothing", low=-1, high=1))
    check(not list(SPACE.glob(".film*")), "a part of a film")
raises(package.DataError, "two checkpoints", lambda: plot.film(LAST, SPACE / "film.mp4"))

# ---- the console script ----
OUT = SPACE / "command.png"
for command in (["map", ISLE, "--field", "water", "--when", "-1"], ["history", ISLE], ["section", ISLE, "--from", "500300,5100300", "--to", "501000,5100400"],
                ["hypsometry", ISLE], ["slope-area", ISLE, "--when", "20 s"], ["histogram", ISLE], ["flow", ISLE, "--kind", "lines"],
                ["spectrum", SPACE / "cone", "--field", "slope"], ["difference", LAST, ISLE, "--field", "reef"], ["study", SPACE / "two", "--x", "dt"],
                ["response", SPACE / "two", "--column", "margin"], ["members", SPACE / "two", "--field", "water"]):
    OUT.unlink(missing_ok=True)
    code = plot_command.main([*map(str, command), "-o", str(OUT), "--dpi", "40"])
    check(code == 0 and OUT.read_bytes()[:4] == b"\x89PNG", f"{command}: {code}")
for code, why, words in ((74, "no such file", ["map", "nowhere", "-o", "a.png"]), (2, "not in this run", ["map", ISLE, "--field", "lava", "-o", "a.png"]),
                         (2, "choose .png", ["map", ISLE, "-o", "a.xyz"]), (65, "two checkpoints", ["history", LAST, "-o", "a.png"]),
                         (2, "usage", ["map", ISLE]), (2, "give 10 to 2400", ["map", ISLE, "-o", "a.png", "--dpi", "0"]),
                         (2, "give X,Y such as", ["section", ISLE, "--from", "1;2", "--to", "3,4", "-o", "a.png"]), (74, "there is no folder", ["map", ISLE, "-o", SPACE / "no/a.png"])):
    said, found = io.StringIO(), None
    with contextlib.redirect_stderr(said):
        try:
            found = plot_command.main([*map(str, words)])
        except SystemExit as end:
            found = end.code
    check(found == code and why in said.getvalue() and not list(SPACE.glob(".a*")), f"{words}: {found} {said.getvalue()}")
check("matplotlib.pyplot" not in sys.modules, "pyplot, which may open a window")
block = "import sys\nsys.modules['matplotlib'] = None\nfrom otok import plot_command\nsys.exit(plot_command.main(['history', 'x', '-o', 'y.png']))"
done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, env={**ENV, **os.environ})
check(done.returncode == 69 and 'pip install "otok[plot]"' in done.stderr, f"without matplotlib: {done.returncode} {done.stderr}")
# ---- axes of the user: what a figure of its own shows ----
whole = _figures.mpl.Figure(figsize=(24, 16), layout="constrained")
calls = [lambda ax: plot.map(ISLE, ax=ax), lambda ax: plot.map(ISLE, "slope", part=(500200, 500600, 5100100, 5100500), ax=ax), lambda ax: plot.difference(sim, LAST, ax=ax),
         lambda ax: plot.flow(ISLE, ax=ax), lambda ax: plot.section(SPACE / "plane", (10, 10), (1190, 790), ax=ax), lambda ax: plot.hypsometry(ISLE, ax=ax),
         lambda ax: plot.histogram(ISLE, ax=ax), lambda ax: plot.spectrum(SPACE / "cone", ax=ax), lambda ax: plot.slope_area(SPACE / "plane", ax=ax),
         lambda ax: plot.study(SPACE / "two", ax=ax), lambda ax: plot.response(SPACE / "two", "simulated_time", ax=ax), lambda ax: plot.edges(box, ax=ax)]
for n, (call, ax) in enumerate(zip(calls, whole.subplots(3, 4).flat)):  # a section's title (4) has its exaggeration
    own = call(None)
    first, title = own.axes[0], own.get_suptitle() or own.axes[0].get_title(loc="left")
    check(call(ax) is whole and [*map(len, (ax.lines, ax.images, ax.collections))] == [*map(len, (first.lines, first.images, first.collections))]
          and ax.get_xlabel() == first.get_xlabel() and ax.get_xlim() == first.get_xlim() and (n == 4 or ax.get_title(loc="left") == title), f"figure {n} in axes: {ax} {ax.get_title(loc='left')!r}, not {title!r}")
with warnings.catch_warnings():
    warnings.simplefilter("error")  # a layout that leaves no room
    whole.savefig("whole.png", dpi=50)
finish("figures show the numbers of checkpoints and studies")
