"""Claim: Python drives studies, edges and predictions, and C runs them: members from arrays, DataFrames and tables are those of a CSV table;
a stopped study goes on to the same bytes; functions that watch stop it; an edge is that of `otok edge`; margins are those of the table;
in eight dimensions 1536 members find an edge that is right about 98 of 100 others; held-out members certify an edge, or it says that they do not.
`python3 tests/python_laboratory.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
import calendar
import warnings

from cli import *

with needed():
    import h5netcdf  # noqa: F401
    import numpy as np
    import pandas
    import xarray as xr
import otok as package

WATER = """otok: 1
audit: off
seed: 1
grid: {nx: 16, ny: 16, spacing: 1}
edges: {left: periodic, right: periodic, bottom: periodic, top: periodic}
base: [{simplex: {octaves: 3, wavelength: 8, amplitude: 0.002}}]
phases: [{name: water, iterations: 300, rain: {rate: 40, during: [[0, 1]]}, hydraulic: {dt: 0.1, pipe_area: 2.5, capacity: 0}}]
"""
DT, AREA, PIPES = (f"phases.water.hydraulic.{key}" for key in ("dt", "pipe_area", "pipes"))
COARSE = {"study": 1, "scenario": WATER, "monitor": {"every": 50}}


def otok(*arguments, code=0):
    done = subprocess.run([OTOK, *map(str, arguments)], capture_output=True, text=True, env=ENV)
    check(done.returncode == code, f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout


# ---- members from Python are those of a table ----
rng = np.random.default_rng(1)
design = {DT: rng.uniform(0.05, 0.15, 6), AREA: np.array([1, 2, 3, 4, 5, 6.0]), PIPES: np.array(["one_way", "signed"] * 3)}
write("water.yaml", WATER)
write("rows.csv", "\n".join([",".join(design), *(",".join(map(str, row)) for row in zip(*(v.tolist() for v in design.values())))]) + "\n")
otok("study", write("listed.yaml", "study: 1\nscenario: water.yaml\ndesign: {kind: list, file: rows.csv}\nmonitor: {every: 50}\n"),
     "-o", SPACE / "listed", "--backend", BACKEND, "-q")
with xr.open_dataset(SPACE / "listed/study.h5", engine="h5netcdf") as listed:
    listed.load()
cited = package.study({**COARSE, "seed": 5, "design": {"kind": "grid", "points": 2}, "vary": {DT: {"from": 0.05, "to": 0.1, "scale": "log"}}}, SPACE / "cited", backend=BACKEND)
about = cited.attrs
check(about["commit"] == package.commit() and about["backend"] == BACKEND and about["device"] and abs(time.time() - calendar.timegm(time.strptime(about["date"], "%Y-%m-%dT%H:%M:%SZ"))) < 3600, f"{about}")
check(about["seed"].dtype.kind == about["every"].dtype.kind == "i" and [about[name] for name in ("seed", "every", "half_step", "rerun", "design")] == [5, 50, "doubtful", "false", "grid"], f"{about}")
check([cited.dt.attrs[name] for name in ("from", "to", "scale")] == [0.05, 0.1, "log"], f"{cited.dt.attrs}")
os.environ["SOURCE_DATE_EPOCH"] = "0"  # equal studies are equal bytes
records = np.array(list(zip(*(v.tolist() for v in design.values()))), [(DT, float), (AREA, float), (PIPES, "U8")])
table = package.study(COARSE, SPACE / "own", members=design, backend=BACKEND)
check(table.dt.values.tolist() == design[DT].tolist(), "digits of the members are lost")
for kind, members in (("DataFrame", pandas.DataFrame(design)), ("records", records), ("a table", table)):
    again = package.study(COARSE, members=members, backend=BACKEND)
    check(again.fingerprint.equals(table.fingerprint) and again.verdict.equals(table.verdict), f"{kind}: other members")
sites = pandas.DataFrame(design, index=pandas.Index(list("abcdef"), name="site"))
check(package.study(COARSE, members=sites, backend=BACKEND).site.values.tolist() == list("abcdef"), "the index of a DataFrame is lost")
rows = package.study(COARSE, members=sites.to_dict("records"), backend=BACKEND)
check(rows.fingerprint.equals(table.fingerprint) and "index" not in rows.coords, "a list of dictionaries has other members")
check(listed.fingerprint.equals(table.fingerprint) and set(table.fingerprint.values.tolist()) != {""}, "other members than those of the CSV table")
one = package.study(WATER, members={DT: 0.1, AREA: 2}, backend=BACKEND)
check(one.sizes["member"] == 1 and one.dt.item() == 0.1, "one member")
twice = xr.Dataset({name: ("member", [0.1, 0.2], {"path": DT}) for name in "ab"})
for text, members, source in (("there are none", {}, WATER), ("the shape (2,); give one value for all members, or one for each of the 3", {AREA: [1, 2, 3], DT: [1, 2]}, WATER),
                              ("give a dictionary of arrays", np.ones((3, 2)), WATER), ("vary: the study has it", design, {**COARSE, "vary": {DT: {"values": [1]}}}),
                              ("the shape (2, 2)", {DT: np.ones((2, 2))}, WATER), ("complex128; give real", {DT: [0.1, 1j]}, WATER),
                              (f"{DT} is given twice", twice, WATER), (f"{DT} is given twice", pandas.DataFrame([[1, 2]], columns=[DT, DT]), WATER)):
    raises(package.UsageError, text, lambda: package.study(source, members=members))
for text, wrong in (("columns='margin'", {"columns": "margin"}), ("slots=-1", {"slots": -1}), ("gpus=0", {"gpus": 0}), ("progress=3", {"progress": 3}), ("resume: there is nothing", {"resume": True})):
    raises(package.UsageError, text, lambda: package.study(COARSE, members=design, backend=BACKEND, **wrong))
raises(package.DataError, "phases.water.hydraulic.step: unknown key", lambda: package.study(WATER, members={"phases.water.hydraulic.step": [1]}))

# ---- indices are those of SALib ----
from SALib.analyze import sobol  # noqa: E402

POND = {"study": 1, "scenario": "otok: 1\naudit: off\ngrid: {nx: 4, ny: 4}\nphases: [{name: a, iterations: 9, hydraulic: {dt: 0.01}}]",
        "responses": {"deep": "mean(water)"}, "vary": {"initial.water": {"from": 1, "to": 2}, "phases.a.hydraulic.dt": {"from": 0.01, "to": 0.05},
                                                       "phases.a.hydraulic.evaporation": {"from": 0.1, "to": 5, "scale": "log"}}}
for second in (False, True):
    pond = package.study({**POND, "design": {"kind": "saltelli", "base": 64, "second_order": second}}, backend=BACKEND)
    ours = package.analyse(pond, "deep")
    theirs = sobol.analyze({"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[0, 1]] * 3}, pond.response_deep.values, calc_second_order=second, seed=1)
    check(np.allclose(ours.first, theirs["S1"], atol=1e-3) and np.allclose(ours.total, theirs["ST"], atol=1e-3), f"{ours} and {theirs}")
    check(("second" in ours) == second and bool(((ours.total_low <= ours.total) & (ours.total <= ours.total_high)).all()), f"{ours}")
    if second:
        check(np.allclose(ours.second.values[0, 1:], theirs["S2"][0, 1:], atol=1e-3) and ours.second[2, 1] == ours.second[1, 2], f"{ours.second} and {theirs}")
screened = package.analyse(package.study({**POND, "design": {"kind": "morris", "trajectories": 8}}, backend=BACKEND), "deep")
check(screened["mean"][0] > 0 > screened["mean"][2] and float(screened.absolute[1]) < float(screened.absolute[2]), f"{screened}")
raises(package.UsageError, "this table has list", lambda: package.analyse(table, "stable"))

# ---- a finished study opens alike from everywhere, and is saved ----
named = {**POND, "design": {"kind": "saltelli", "base": 16}, "responses": {"relief": "mean(water)"}, "keep": {"fields": ["water"]}}
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    named = package.study(named, SPACE / "named", backend=BACKEND)
check(any("responses.relief: every table has a column relief" in str(note.message) for note in told), f"{[str(note.message) for note in told]}")
named.to_netcdf(SPACE / "saved.nc")
ways = [named, SPACE / "named", str(SPACE / "named/study.h5"), SPACE / "saved.nc", xr.open_dataset(SPACE / "named/study.h5", engine="h5netcdf"), xr.open_dataset(SPACE / "saved.nc")]
for way in ways:
    found = package.open_study(way)
    check((found.verdict_word == named.verdict_word).all() and (found.state_word == named.state_word).all(), f"{way}: other words")
    check(package.analyse(way, "relief").total.identical(package.analyse(named, "response_relief").total), f"{way}: other indices")
    check(float(abs(package.compare(way, named, "stable").difference).max()) == 0, f"{way}: other members")
check(named.attrs["seed"] == 0 and isinstance(named.attrs["seed"].item(), int), f"the seed is {named.attrs['seed']!r}")
raises(package.ReadError, "no such file or folder", lambda: package.analyse(SPACE / "nowhere", "stable"))
raises(package.DataError, "the Dataset has no verdict of members", lambda: package.open_study(xr.Dataset()))
raises(package.UsageError, "overwrite: contradicts", lambda: package.study(COARSE, SPACE / "own", members=design, resume=True, overwrite=True))
over = package.study(COARSE, SPACE / "named", members=design, backend=BACKEND, overwrite=True)
check(over.fingerprint.equals(table.fingerprint), "a study in place of another")

# ---- watching, stopping, going on ----
seen = []


def stop_soon(now):
    seen.append(now)
    if now.done >= 2:
        raise RuntimeError("enough")


raises(RuntimeError, "enough", lambda: package.study(COARSE, SPACE / "stopped", members=design, backend=BACKEND, progress=stop_soon))
check(seen and all(now.members == 6 and sum(now.verdicts.values()) == now.done for now in seen), f"progress: {seen}")
raises(package.UsageError, "resume=True", lambda: package.study(COARSE, SPACE / "stopped", members=design, backend=BACKEND))
raises(package.DataError, "another study", lambda: package.study(COARSE, SPACE / "stopped", members={DT: [0.2]}, backend=BACKEND, resume=True))
package.study(COARSE, SPACE / "stopped", members=design, backend=BACKEND, resume=True, progress=seen.append)
check(seen[-1].done == 6, f"progress: {seen[-1]}")
check((SPACE / "stopped/study.h5").read_bytes() == (SPACE / "own/study.h5").read_bytes(), "a stopped study has other bytes")
raises(package.StoppedError, "", lambda: package.study(COARSE, members=design, backend=BACKEND, max_seconds=1e-9))

# ---- the edge ----
VARY = {PIPES: {"values": ["one_way"]}, AREA: {"from": 1, "to": 10}}
study = {**COARSE, "vary": VARY}
found = package.edge(study, SPACE / "edge", members=8, rounds=2, backend=BACKEND)
path = write("edge.yaml", "study: 1\nscenario: water.yaml\ndesign: {kind: grid, points: 2}\nmonitor: {every: 50}\n"
             f"vary: {{{PIPES}: {{values: [one_way]}}, {AREA}: {{from: 1, to: 10}}}}\n")
printed = otok("edge", path, "-o", SPACE / "printed", "--members", 8, "--rounds", 2, "--backend", BACKEND)
ours = f"inside  {found.inside[AREA]:.9g} {found.inside_verdict}, predicted margin {found.inside_margin:.6g}\noutside {found.outside[AREA]:.9g} {found.outside_verdict}"
check(printed.startswith(ours) and found.members == 16 and found.inside[PIPES] == "one_way", f"{ours}\n{printed}")
check(0.25 / 0.0981 < found.outside[AREA] and found.inside[AREA] < 1.1 * 0.25 / 0.0981, f"{found}: not at S = 1/4")
check(package.edge(study, SPACE / "edge", members=8, rounds=2, backend=BACKEND, resume=True) == found, "a repeated search finds another edge")
ray = package.edge({**study, "vary": {**VARY, DT: {"from": 0.08, "to": 0.12}}}, members=8, rounds=2, backend=BACKEND)
check(all(abs(ends[DT] - (0.08 + share * 0.04)) < 1e-9 and abs(ends[AREA] - (1 + 9 * share)) < 1e-9 for ends, share in zip((ray.inside, ray.outside), ray.shares)),
      f"{ray}: not along the ray")
raises(package.DataError, "there is no edge", lambda: package.edge({**study, "vary": {AREA: {"from": 0.1, "to": 0.2}}}, members=3, rounds=1, backend=BACKEND))
raises(RuntimeError, "enough", lambda: package.edge(study, members=8, rounds=2, backend=BACKEND, progress=stop_soon))

# Edges of other kinds: uniform flow that rolls (tests/study_signs.c: at a Froude number of 0.9, not of 0.57), slides that depend on their step.
CHUTE = """otok: 1
audit: off
grid: {nx: 400, ny: 1, spacing: 5}
edges: {right: open}
base: [{cone: {height: 21.45, radius: 3000, x: 0, y: 2.5}}, {simplex: {octaves: 1, wavelength: 20, amplitude: 0.0005, combine: add}}]
initial: {water: 1}
phases: [{name: a, iterations: 800, rivers: [{x: 2.5, y: 2.5, radius: 1, discharge: 14}],
          hydraulic: {dt: 0.5, pipes: signed, area: depth, capacity: 0, evaporation: 0, manning: 0.03}}]
"""
FRICTION, SLIDES, HEIGHT = "phases.a.hydraulic.manning", "phases.a.thermal.dt", "base.0.simplex.amplitude"
rolls = package.edge({"study": 1, "scenario": CHUTE, "monitor": {"every": 40}, "vary": {FRICTION: {"from": 0.06, "to": 0.02, "scale": "log"}}},
                     members=4, rounds=2, backend=BACKEND)
check((rolls.inside_verdict, rolls.outside_verdict, rolls.violations) == ("stable", "rolling", 0), f"roll waves: {rolls}")
for side in (rolls.inside, rolls.outside):  # 2.8 m2/s down a slope of 21.45 / 3000
    depth = (2.8 * side[FRICTION] / (21.45 / 3000) ** 0.5) ** 0.6
    froude = 2.8 / depth / (9.81 * depth) ** 0.5
    check(0.57 < froude < 0.9, f"roll waves: the edge is at a Froude number of {froude}")
ROUGH = "otok: 1\nseed: 8\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{simplex: {octaves: 3, wavelength: 9, amplitude: 9}}]\n"
ROUGH += "phases: [{name: a, iterations: 200, thermal: {dt: 0.05}}]\n"
slides = {"study": 1, "scenario": ROUGH, "monitor": {"every": 50}, "vary": {SLIDES: {"from": 0.02, "to": 0.5, "scale": "log"}}}
steps = package.edge(slides, members=5, rounds=2, backend=BACKEND)
check((steps.inside_verdict, steps.outside_verdict, steps.violations) == ("stable", "step_dependent", 0), f"slides: {steps}")
line = package.edge({**slides, "vary": {**slides["vary"], HEIGHT: {"from": 9, "to": 8}}}, members=5, rounds=2, backend=BACKEND)
check(line.outside_verdict == "step_dependent" and 8 < line.outside[HEIGHT] < 9 and 0.02 < line.outside[SLIDES] < 0.5, f"slides along a ray: {line}")

# ---- prediction ----
known = package.predict(WATER, {**design, AREA: np.array([1, 2, 3, 4, 5, -1])})
check(known.cause.values[5] != "" and "pipe_area" in known.cause.values[5] and np.isnan(known.margin[5]), f"refused: {known.cause.values}")
for name in [str(name) for name in table.data_vars if str(name).startswith("margin")]:
    check(name in known and np.array_equal(known[name][:5], table[name][:5], equal_nan=True), f"{name}: {known.get(name)}, in the table {table[name].values}")
check(known.limit.values[:5].tolist() == table.limit.values[:5].tolist(), f"{known.limit.values}, in the table {table.limit.values}")
check(package.predict(WATER).margin.shape == (1,), "one scenario")

# ---- the edge in three dimensions: S = dt^2 A g / l^3 of one-way pipes is 1/4 on still water ----
try:
    import sklearn  # noqa: F401
except ImportError as why:
    finish(f"no edge in several dimensions: {why}")
SPACING = "grid.spacing"
BOX = {**COARSE, "vary": {PIPES: {"values": ["one_way"]}, DT: {"from": 0.02, "to": 0.5, "scale": "log"}, AREA: {"from": 0.5, "to": 20, "scale": "log"},
                          SPACING: {"from": 0.8, "to": 1.6}}}


def S(members):
    return members[DT] ** 2 * members[AREA] * 9.81 / members[SPACING] ** 3


surface = package.edges(BOX, SPACE / "surface", members=160, points=8, width=1 / 128, held_out=64, seed=3, backend=BACKEND)
check(surface.members.sizes["member"] <= 162 and surface.certified and f"{surface.held_out.wrong} of 64 held-out members" in surface.claim and surface.points.sizes["point"] == 8 and surface.width <= 1 / 128, f"{surface}")
check((surface.points.verdict_word.sel(end="inside") == "stable").all() and (surface.points.verdict_word.sel(end="outside") != "stable").all(), "ends on one side")
check(bool(((S(surface.points) > 0.25 * 0.9) & (S(surface.points) < 0.25 * 1.15)).all()), f"points at S = {S(surface.points).values}")
ends = package.study(COARSE, members={**{path: surface.points[path].values.ravel() for path in (DT, AREA, SPACING)}, PIPES: "one_way"}, backend=BACKEND)
check(ends.verdict_word.values.tolist() == surface.points.verdict_word.values.ravel().tolist(), "a certified point has other verdicts")
check(surface.held_out.members == 64 and surface.held_out.wrong <= 3 and surface.held_out.interval[0] <= surface.held_out.share <= surface.held_out.interval[1],
      f"held out: {surface.held_out}")
asked = {DT: np.array([0.02, 0.5, 0.02]), AREA: np.array([0.5, 20, 0.5]), SPACING: np.array([1.6, 0.8, 3.0])}
judged = surface.classify(asked)
check(judged.inside.values[:2].tolist() == [True, False] and judged.beyond.values.tolist() == [False, False, True] and bool(judged.uncertain[2]), f"{judged}")
yes, no, beyond = judged.probability.values
check(0.9 < yes < 1 and 0 < no < 0.1 and np.isnan(beyond), f"probability: {judged.probability.values}")
check("not certified: 0.2 %" in surface.claim, f"64 members certify 0.2 %: {surface.claim}")
likely = surface.held_out.chances
check(len(likely) == 5 and sum(n for n, *_ in likely) == 64 and all(abs(expected - found) <= 3 for _, expected, found in likely)
      and likely[0][2] <= 0.2 * likely[0][0] + 1 and likely[4][2] >= 0.8 * likely[4][0] - 1 and likely[4][0] > 0, f"by probability: {likely}")
again = package.edges(BOX, SPACE / "surface", members=160, points=8, width=1 / 128, held_out=64, seed=3, backend=BACKEND, resume=True)
check(again.members.identical(surface.members) and again.points.identical(surface.points) and again.held_out == surface.held_out, "repeated, it finds another edge")
surface.save(SPACE / "surface.h5")
opened = package.Edges.load(SPACE / "surface.h5")
check(opened.classify(asked).identical(judged) and opened.members.identical(surface.members) and opened.points.identical(surface.points), "saved edges answer otherwise")
check((opened.held_out, opened.blind, opened.claim, opened.width, opened.band) == (surface.held_out, surface.blind, surface.claim, surface.width, surface.band), f"{opened}")
raises(package.DataError, "holds no posterior", lambda: package.Posterior.load(SPACE / "surface.h5"))
raises(package.DataError, "signature", lambda: package.Edges.load(__file__))
far = np.random.default_rng(9).random((400, 3))
places = {path: low * (high / low) ** far[:, n] if path != SPACING else low + far[:, n] * (high - low)
          for n, (path, low, high) in enumerate(((DT, 0.02, 0.5), (AREA, 0.5, 20), (SPACING, 0.8, 1.6)))}
truth = package.study(COARSE, members={**places, PIPES: "one_way"}, backend=BACKEND).verdict_word.values == "stable"


def wrong_of(found):
    """Wrong members of 400 random ones that no surface has seen: all, and those beyond the band, of how many."""
    judged = found.classify(places)
    wrong, sure = judged.inside.values != truth, ~judged.uncertain.values
    return wrong.sum(), (wrong & sure).sum(), sure.sum()


wrong, beyond, sure = wrong_of(surface)
check(wrong / 400 <= surface.held_out.interval[1] + 0.02 and beyond <= 0.002 * sure + 3, f"{wrong} wrong, {beyond} of {sure} beyond the band; {surface.claim}")
likely = surface.classify(places).probability.values
for fifth in range(5):
    some = np.minimum((5 * likely).astype(int), 4) == fifth
    off, chance = abs(likely[some].sum() - truth[some].sum()), np.sqrt((likely * (1 - likely))[some].sum())
    check(off <= 3 * chance + 0.1 * some.sum(), f"of {some.sum()} members with a probability of {likely[some].mean():.2f} {truth[some].sum()} are inside")
check(opened.classify(places).identical(surface.classify(places)), "saved edges judge other members otherwise")
able = package.edges(BOX, members=800, points=2, width=1 / 32, tolerance=0.04, seed=1, backend=BACKEND)
wrong, *_ = wrong_of(able)
check(able.certified and able.held_out.members + able.members.sizes["member"] < 800 and wrong <= 0.04 * 400 + 8, f"tolerance: {wrong} of 400 wrong, {able.claim}")
unable = package.edges(BOX, members=64, points=2, width=1 / 16, tolerance=0.01, seed=1, backend=BACKEND)
check(not unable.certified and unable.claim.startswith("not certified: no held-out members certify an error of 1 %") and unable.held_out is None, f"{unable}")
deep = {**BOX, "responses": {"deep": "max(water)"}}
level = float(np.median(package.study({**COARSE, "responses": deep["responses"]}, members={**places, PIPES: "one_way"}, backend=BACKEND).response_deep))
pond = package.edges(deep, members=64, points=2, width=1 / 64, inside=f"deep < {level!r}", seed=1, backend=BACKEND)
again = package.study({**COARSE, "responses": deep["responses"]}, members={**{path: pond.points[path].values.ravel() for path in (DT, AREA, SPACING)}, PIPES: "one_way"}, backend=BACKEND)
check(((again.response_deep.values.reshape(2, 2) < level) == [True, False]).all(), f"the level is not between both ends: {again.response_deep.values}")
ray = {path: dict(zip(("from", "to"), pond.points[path].values[0].tolist())) for path in (DT, AREA, SPACING)}
along = package.edge({**deep, "inside": f"deep < {level!r}", "vary": {PIPES: {"values": ["one_way"]}, **ray}}, members=8, rounds=2, backend=BACKEND)
check((along.inside_value < level) != (along.outside_value < level) and along.members == 16, f"the level is not between both ends: {along}")
raises(package.DataError, "did you mean deep", lambda: package.edge({**deep, "inside": "deap < 1", "vary": {DT: {"from": 0.02, "to": 0.1}}}, backend=BACKEND))
raises(package.UsageError, "give a level", lambda: package.edges(deep, inside="deep < low", members=64, backend=BACKEND))
raises(package.UsageError, "inside: the study has no response deep", lambda: package.edges(BOX, inside="deep < 1", members=64, backend=BACKEND))
raises(package.DataError, "an edge needs three on each side", lambda: package.edges({**BOX, "vary": {**BOX["vary"], DT: {"from": 1e-3, "to": 1e-2}}}, members=32, points=1, backend=BACKEND))
raises(package.UsageError, "resume: there is nothing", lambda: package.edge(study, members=3, backend=BACKEND, resume=True))
raises(package.UsageError, "`from` and `to` are both 0.1", lambda: package.edges({**BOX, "vary": {**BOX["vary"], DT: {"from": 0.1, "to": 0.1}}}, backend=BACKEND))
raises(package.UsageError, "give a study's dictionary", lambda: package.edges("study.yaml", backend=BACKEND))
raises(package.UsageError, "two axes or more", lambda: package.edges(study, members=32, backend=BACKEND))
raises(package.UsageError, "has several values", lambda: package.edges({**BOX, "vary": {**BOX["vary"], PIPES: {"values": ["one_way", "signed"]}}}, backend=BACKEND))
raises(package.UsageError, f"{SPACING} is missing", lambda: surface.classify({DT: [0.1], AREA: [1]}))
box = pathlib.Path(__file__).resolve().parent.parent / "experiments/stability/box/box.py"
done = subprocess.run([sys.executable, box, "--members", "1536", "--held-out", "1024", "--out", SPACE / "box"], capture_output=True, text=True)
check(done.returncode == 0 and "64 certified points" in done.stdout, f"box.py: exit {done.returncode}: {done.stdout}{done.stderr[-800:]}")
finish()
