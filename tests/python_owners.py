"""Claim: memory that an array shares outlives its simulation; nothing is copied or pickled into a second owner; a second thread, a forked
process and values that are none are refused with the reason; SIGTERM leaves a checkpoint; arrays of numpy are the start of a simulation;
a program's locale changes no file. `python3 tests/python_owners.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""

import copy
import gc
import json
import pickle
import signal
import warnings

from cli import *

with needed():
    import h5py
    import numpy as np
import otok as package

SMALL_RUN = "otok: 1\ngrid: {nx: 32, ny: 24}\nbase: [{simplex: {amplitude: 3, wavelength: 9}}]\nphases: [{name: a, iterations: 100000, rain: {rate: 1e-4}, hydraulic: {dt: 0.02}}]\n"


def make():
    return package.Simulation(SMALL_RUN, backend="cpu")


def refused(kind, text, call):
    try:
        call()
    except kind as why:
        check(text in str(why), f"{text!r} is not in {why!r}")
    else:
        check(False, f"not refused: {text}")


def alone(program, *words, code=0, before="", **more):
    """A program of Python in a process of its own."""
    text = f"import otok, numpy as np, gc, os, sys, threading\nSMALL_RUN = {SMALL_RUN!r}\n{before}{program}"
    done = subprocess.run([sys.executable, "-c", text, *map(str, words)], capture_output=True, text=True, timeout=LIMIT,
                          env={**os.environ, "MALLOC_PERTURB_": "165", **more})
    check(done.returncode == code, f"exit {done.returncode}, not {code}: {done.stdout[-300:]}{done.stderr[-600:]}")
    return done.stdout


# Views of all kinds, closed in all ways; memory that is free is overwritten (MALLOC_PERTURB_) and used again.
for view in ("np.asarray(s.lend('water'))", "np.from_dlpack(s.lend('water'))", "memoryview(np.asarray(s.lend('water')))", "np.asarray(s.lend('water'))[3:, ::2]"):
    for end in ("s.close()", "del s", "s.__exit__()", "s = None"):
        said = alone(f"""
s = otok.Simulation(SMALL_RUN, backend="cpu")
s.run(3)
a = {view}
kept = np.array(a)
{end}
gc.collect()
b = otok.Simulation(SMALL_RUN, backend="cpu")
before = b.fingerprint
blocks = [np.full((24, 32), 7.7, "f4") for _ in range(300)]
same = np.array_equal(np.array(a), kept)
np.asarray(a)[...] = 5
print(same, b.fingerprint == before, all((k == np.float32(7.7)).all() for k in blocks))
""")
        check(said.split() == ["True"] * 3, f"{view}, {end}: {said}")
sim = make()
loan = sim.lend("water")
sim.close()
refused(package.UsageError, "closed", lambda: np.asarray(loan))
refused(package.UsageError, "closed", lambda: sim.run(1))
sim.close()

# Copies.
sim, scenario = make(), package.Scenario(SMALL_RUN)
for thing in (sim, sim.lend("water")):
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        refused(package.UsageError, "neither be copied nor pickled", lambda: act(thing))
gc.collect()
check(scenario.shape == (24, 32) and sim.run(2) == 2, "a refused copy has freed something")
with_maps = package.Scenario({"otok": 1, "grid": {"nx": 3, "ny": 2}, "initial": {"water": np.arange(6.0).reshape(2, 3)}, "phases": [{"name": "a", "iterations": 1, "hydraulic": {}}]})
for again in (copy.copy(with_maps), pickle.loads(pickle.dumps(with_maps))):
    check(again.text == with_maps.text and package.Simulation(again, "cpu")["water"][1, 2] == 5, "a pickled scenario")
left_by = os.getcwd()
try:  # a raster beside the scenario is found from another folder, too
    (SPACE / "beside").mkdir()
    np.savetxt(SPACE / "beside/dem.asc", np.full((4, 5), 7.0), header="ncols 5\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1", comments="")
    os.chdir(SPACE / "beside")
    packed = pickle.dumps(package.Scenario("otok: 1\ngrid: {nx: 5, ny: 4, spacing: 1}\nbase: [{raster: {file: dem.asc}}]\n"))
    os.chdir(SPACE)
    check(package.Simulation(pickle.loads(packed), "cpu")["terrain"].max() == 7, "a raster of a pickled scenario")
finally:
    os.chdir(left_by)
refused(AttributeError, "scenario", lambda: setattr(sim, "scenario", scenario))
base = np.asarray(sim.lend("terrain_base"))
refused(ValueError, "read-only", lambda: base.__setitem__(0, 1))
refused(package.UsageError, "read-only", lambda: np.from_dlpack(sim.lend("terrain_base")))

# Values that are none.
print_before, good = sim.fingerprint, np.full((24, 32), 0.5, np.float32)
hole, below = good.copy(), good.copy()
hole[3, 5], below[3, 5] = np.nan, -1e-6
masked = np.ma.masked_array(good, mask=False)
masked[3, 5] = np.ma.masked
for name in ("water", "sediment"):
    for values, said in ((masked, "1 cells are masked"), (np.ma.masked, "masked"), (hole, "cell (5, 3)"), (below, "cell (5, 3)"), (-1, "at least 0"), (1e39, "inf"), (np.inf, "inf"), (-np.inf, "inf"), (float("nan"), "nan")):
        refused(package.DataError, said, lambda: sim.set(name, values))
        refused(package.DataError, said, lambda: sim.__setitem__(name, values))
refused(package.DataError, "nan", lambda: sim.set("terrain", hole))
check(sim.fingerprint == print_before, "a refused value has changed the state")
sim["water"] = np.ma.masked_array(good, mask=False)
sim["terrain"] = -good
check(np.array_equal(sim["water"], good) and np.array_equal(sim["terrain"], -good), "good values are not set")

# Two threads.
alone("""
s, big = None, SMALL_RUN.replace("nx: 32, ny: 24", "nx: 300, ny: 200")
s = otok.Simulation(big, backend="cpu")
thread = threading.Thread(target=lambda: s.run(400))
thread.start()
refusals = 0
while thread.is_alive():
    try:
        s.run(1)
    except otok.UsageError as why:
        refusals += "another thread" in str(why)
thread.join()
ran, t = s.iteration, otok.Simulation(big, backend="cpu")
t.run(ran)
assert refusals and s.fingerprint == t.fingerprint, (refusals, ran)
""")

# Forks: after the library has computed, and before.
FORK = """
child = os.fork()
if child == 0:
    try:
        otok.Simulation(SMALL_RUN, backend="cpu").run(5)
        os._exit(0)
    except otok.UsageError as why:
        os._exit(7 if "spawn" in str(why) else 8)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
check(alone("s = otok.Simulation(SMALL_RUN, backend='cpu'); s.run(5)" + FORK).split() == ["7"], "a fork after a run")
check(alone(FORK).split() == ["0"], "a fork before any run")
check(alone(f"s = otok.Simulation(SMALL_RUN, backend='cpu'); s.run(5)" + FORK.replace("otok.Simulation(SMALL_RUN, backend=\"cpu\").run(5)", "s.run(5)")).split() == ["7"], "a simulation of the parent")
check(alone("otok.run(SMALL_RUN.replace('100000', '3'), sys.argv[1], backend='cpu')" + FORK, SPACE / "forked").split() == ["7"], "a fork after otok.run")

# SIGTERM.
out = SPACE / "term"
program = f"import otok\notok.run({SMALL_RUN.replace('100000', '100000000') + 'output: {every: 0}'!r}, {str(out)!r}, backend='cpu')"
begun = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
check(wait_for(lambda: checkpoints(out)) and listens(begun, signal.SIGTERM), "no checkpoint")
time.sleep(0.3)
begun.send_signal(signal.SIGTERM)
said = begun.communicate(timeout=LIMIT)[1]
check(begun.returncode == -signal.SIGTERM, f"SIGTERM: exit {begun.returncode}: {said[-400:]}")
check(len(checkpoints(out)) > 1, f"SIGTERM: {checkpoints(out)}")
all_valid(out, "SIGTERM")

# Arrays at the start.
heights = np.linspace(0, 5, 768, dtype=np.float64).reshape(24, 32)
rest = {"otok": 1, "grid": {"nx": 32, "ny": 24}, "phases": [{"name": "a", "iterations": 9, "hydraulic": {"dt": 0.02}}]}
one = package.Simulation({**rest, "initial": {"terrain": heights, "water": good}}, backend="cpu")
two = package.Simulation(rest, backend="cpu")
two["terrain"], two["water"] = heights, good
check(one.fingerprint == two.fingerprint and one.ledger == two.ledger, "arrays at the start are others than those that are set")
check(one.run() == two.run() == 9 and one.fingerprint == two.fingerprint, "they run otherwise")
refused(package.DataError, "nan", lambda: package.Simulation({**rest, "initial": {"water": hole}}, backend="cpu"))
refused(package.UsageError, "shape", lambda: package.Simulation({**rest, "initial": {"water": good.T}}, backend="cpu"))
with_maps = {**rest, "initial": {"terrain": heights, "water": good}}
for again in range(2):
    last = package.run(with_maps, SPACE / "maps", backend="cpu", resume=bool(again))[-1]
    with h5py.File(last) as file:
        check(file.attrs["otok_fingerprint"].decode() == one.fingerprint and "/initial_" in file.attrs["otok_scenario"].decode(), "a run from arrays has other bits than the simulation")
starts = list((SPACE / "maps").glob("initial_*.h5"))
check(len(starts) == 1, f"{starts}")
refused(package.UsageError, "holds checkpoints", lambda: package.run({**with_maps, "initial": {"water": good + 1}}, SPACE / "maps", backend="cpu"))
with h5py.File(starts[0]) as file:
    check(np.array_equal(file["water"], good) and np.array_equal(file["terrain"], heights.astype("f4")), "the file of a finished run has changed")
refused(package.DataError, "without data, NaN", lambda: package.run({**rest, "initial": {"water": hole}}, SPACE / "no", backend="cpu"))
refused(package.DataError, "masked", lambda: package.run({**rest, "initial": {"water": np.ma.masked_less(good, 9)}}, SPACE / "no", backend="cpu"))
refused(package.DataError, "rows (y)", lambda: package.run({**rest, "initial": {"water": good.T}}, SPACE / "no", backend="cpu"))
refused(package.UsageError, "no field watre", lambda: package.run({**rest, "initial": {"watre": good}}, SPACE / "no", backend="cpu"))
refused(package.UsageError, "beside initial.file", lambda: package.run({**rest, "initial": {"water": good, "file": str(starts[0])}}, SPACE / "no", backend="cpu"))
refused(package.WriteError, "nowhere", lambda: one.save(SPACE / "nowhere" / "one.vtkhdf"))
check(issubclass(package.WriteError, OSError), "a file that cannot be written is no OSError")
try:
    import xarray
except ImportError:
    pass
else:
    table = package.study({"study": 1, "scenario": with_maps, "vary": {"phases.a.hydraulic.dt": {"from": 0.01, "to": 0.02}}, "design": {"kind": "grid", "points": 2}}, SPACE / "study", backend="cpu")
    check(table.sizes["member"] == 2 and len(list((SPACE / "study").glob("initial_*.h5"))) == 1, f"a study from arrays: {table}")
check([limit.name for limit in one.predict()] == [limit.name for limit in one.scenario.predict()], "predict")

# Times with units select states of a run; what is no time is refused, also with method="nearest".
try:
    import xarray as xr
    from otok.history import OtokBackend
except ImportError:
    xr = None
if xr:
    import datetime

    path = write("hour.yaml", SMALL_RUN.replace("100000", "4000").replace("dt: 0.02", "dt: 1"))
    hour = xr.open_dataset(path, engine=OtokBackend, every=900, backend="cpu")
    try:
        import dask
    except ImportError:
        dask = None
    if dask:
        chunked = xr.open_dataset(path, engine=OtokBackend, every=900, backend="cpu", chunks={"time": 1})
        for scheduler in ("threads", "synchronous"):
            with dask.config.set(scheduler=scheduler):
                check(chunked.water.compute().equals(hour.water.load()), f"dask, {scheduler}")
    for label in ("1 h", "60 min", "3600 s", datetime.timedelta(hours=1), np.timedelta64(1, "h"), np.timedelta64(3600 * 10**9, "ns"), 3600):
        check(hour.water.sel(time=label).time.item() == 3600, f"{label!r}")
    check(hour.sel(time=slice("15 min", "1 h")).time.values.tolist() == [900, 1800, 2700, 3600], "a slice of times")
    check(hour.sel(time=["15 min", "1 h"]).time.values.tolist() == [900, 3600], "a list of times")
    check(hour.sel(time=np.array([900, 3600], "m8[s]")).time.values.tolist() == [900, 3600], "an array of timedeltas")
    check(hour.sel(time="50 min", method="nearest").time.item() == 2700, "the nearest")
    for label in ("noon", "5", "1 parsec", datetime.datetime(2020, 1, 1), np.datetime64("2020-01-01")):
        refused(package.UsageError, "time", lambda: hour.sel(time=label, method="nearest"))
    refused(KeyError, "", lambda: hour.sel(time="2 h"))
    still = "{name: b, iterations: 3, seabed: {sweeps: 2}}"  # without a time step
    path = write("twice.yaml", f"otok: 1\ngrid: {{nx: 8, ny: 8}}\nphases: [{{name: a, iterations: 5, hydraulic: {{dt: 10}}}}, {still}]")
    twice = xr.open_dataset(path, engine=OtokBackend, backend="cpu")
    check(twice.sel(time="50 s").iteration.values.tolist() == [5, 6, 7, 8], f"equal times: {twice.sel(time='50 s').iteration}")
    check(twice.sel(time="50 s", method="nearest").iteration.item() == 8 and twice.sel(time="1 min", method="pad").iteration.item() == 8, "equal times")
    check(twice.sel(time=xr.DataArray([21, 50], dims="p"), method="nearest").iteration.values.tolist() == [2, 8], "an array near equal times")
    check(twice.sel(time=["1 s", "1 min"], method="nearest").iteration.values.tolist() == [0, 8], "a list near equal times")

# A map of initial.file that is no field.
with h5py.File(SPACE / "start.h5", "w") as file:
    file["terrain"], file["watre"] = np.ones((2, 24, 32))
misspelt = f"{SMALL_RUN.replace('100000', '10')}\ninitial: {{file: {SPACE / 'start.h5'}}}\n"
for call in (lambda: package.Simulation(misspelt, backend="cpu"), lambda: package.run(misspelt, SPACE / "misspelt", backend="cpu")):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        call()
    check([str(w.message).split("not used: ")[-1] for w in warned] == ["watre (is it `water`?)"], f"{[str(w.message) for w in warned]}")
    check(all(w.filename == __file__ for w in warned), "it blames another file")

# A program with another locale.
locales = SPACE / "locales"
locales.mkdir()
made = shutil.which("localedef") and subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"], capture_output=True).returncode in (0, 1)
if made and subprocess.run([sys.executable, "-c", "import locale; locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')"], capture_output=True,
                           env={**os.environ, "LOCPATH": str(locales)}).returncode == 0:  # needs the sources of package `locales`
    files = {}
    for name in ("C", "de_DE.UTF-8"):
        where = SPACE / f"locale-{name}"
        alone("""
import locale
locale.setlocale(locale.LC_ALL, sys.argv[2])
text = SMALL_RUN.replace("100000", "10") + "output: {every: 5}"
otok.run(text.replace("spacing: 1", "spacing: 2.5"), sys.argv[1], backend="cpu")
s = otok.Simulation(text, backend="cpu")
s.change("phases.a.rain.rate", 0.00025)
s.run()
print(s.fingerprint, s.scenario.text)
assert locale.format_string("%.1f", 0.5) == {"C": "0.5"}.get(sys.argv[2], "0,5")
""", where, name, LOCPATH=str(locales))
        series = json.loads((where / "scenario.vtkhdf.series").read_text())
        last = checkpoints(where)[-1]
        with h5py.File(last) as file:
            files[name] = (series, {k: v.tolist() if hasattr(v, "tolist") else v for k, v in file.attrs.items() if k in ("otok_scenario", "otok_stability", "otok_fingerprint", "history")})
    check(files["C"][0] == files["de_DE.UTF-8"][0], f"series: {files}")
    check(all(files["C"][1][k] == files["de_DE.UTF-8"][1][k] for k in files["C"][1] if k != "history"), f"attributes: {files}")
finish()
