"""Claim: otok.rivers finds theta, k_sn, Hack's exponent and Horton's numbers of a steady state, and the erodibility and both rates of uplift within 5 % after
uplift has doubled; `otok inspect` and the figures have the same numbers; a state without rivers is refused. `python3 tests/python_rivers.py PATH_TO_OTOK`,
with OTOK_LIBRARY and PYTHONPATH set."""
import json

from cli import *

with needed():
    import h5netcdf  # noqa: F401
    from matplotlib.figure import Figure
    import numpy as np
    import xarray as xr
import otok as package
from otok import plot, plot_command

YEAR, K, LEAST = 31556925.9747, 1e-5, 1e6
river = "uplift: {dt: %s, rate: %s mm/yr}, incision: {erodibility: 1e-5 yr-1, m: 0.45}"
path = write("step.yaml", "otok: 1\nseed: 3\naudit: off\ngrid: {nx: 80, ny: 64, spacing: 200}\nedges: {left: open, right: open, bottom: open, top: open}\n"
             "base: [{simplex: {octaves: 4, amplitude: 1, wavelength: 800}}]\noutput: {every: 140}\nphases:\n"
             f"  - {{name: before, iterations: 140, {river % ('20 kyr', 0.2)}}}\n  - {{name: doubled, iterations: 70, {river % ('2 kyr', 0.4)}}}\n")
run(path, SPACE / "step", "--backend", "cpu", "-q")
files = checkpoints(SPACE / "step")
steady, later = (xr.open_dataset(file, engine="h5netcdf") for file in files[-2:])
found = package.rivers(steady, LEAST)

# ---- a steady state ----
check(abs(found.theta() - 0.45) < 0.005, f"theta {found.theta()}")
value, low, high = found.steady()
check(abs(value / 20 - 1) < 0.01 and low <= value <= high, f"U/K {value} ({low} to {high})")
check(0.4 < found.hack() < 0.7, f"Hack's exponent {found.hack()}")
horton, end = found.horton(), [cell for cell, to in enumerate(found.to) if to < 0 or found.order[to] != found.order[cell]]
counts = np.bincount(found.order[end].astype(int))[1:]
check((horton.count == counts).all() and counts[-1] < counts[-2] and np.isclose((horton.count * horton.length).sum(), found.far.sum()), f"streams {horton}")
check(3 < horton.bifurcation < 6 and 1.5 < horton.length_ratio < 3.5 and 3 < horton.area_ratio < 6, f"{horton}")
check((found.height[found.to < 0] == 0).all() and (found.basin[found.to >= 0] == found.basin[found.to[found.to >= 0]]).all(), "basins")
turned = package.rivers(steady.isel(y=slice(None, None, -1)), LEAST)
check(np.array_equal(turned.chi, found.chi) and np.array_equal(turned.to, found.to), "rows from the north make other rivers")

# ---- a knickpoint, 140,000 years after uplift doubled ----
age = float(later.time - steady.time)
rates = package.rivers(later, LEAST).rates(age)
check(package.rivers(later, LEAST).rates("140 kyr")["uplift"] == package.rivers(later, LEAST).rates(140e3 * YEAR)["uplift"], "an age with a unit")
for name, truth in (("erodibility", K), ("uplift", 4e-4), ("uplift_before", 2e-4)):
    value, low, high = (one * YEAR for one in rates[name])
    check(abs(value / truth - 1) < 0.05 and low <= value <= high, f"{name} {value:g} ({low:g} to {high:g}), not {truth:g}")
bends = package.rivers(later, LEAST).knickpoints()
check(abs(float(bends.chi.median()) / (K * age / YEAR) - 1) < 0.05, f"knickpoints at chi {bends.chi.values}, not {K * age / YEAR}")

# ---- what inspect prints ----
numbers = json.loads(otok("inspect", "--json", files[-2]).stdout)["rivers"]
text = otok("inspect", files[-2]).stdout
for name, expression in (("theta", "theta(4e6)"), ("k_sn", "k_sn(4e6)"), ("hack", "hack(4e6)"), ("hypsometry", "hypsometry(terrain)")):
    asked = float(otok("inspect", "--response", expression, files[-2]).stdout)
    check(numbers[name] == asked and re.search(rf"^{name} +{asked:.6g} ", text, re.M), f"{name}: {numbers[name]} in JSON, {asked}")
check(numbers["least_area"] == 4e6 and abs(numbers["k_sn"] / 20 - 1) < 0.01 and not re.search("^rivers ", otok("inspect", files[0]).stdout, re.M), f"{numbers}")

# ---- figures ----
axes = plot.chi(steady, least=LEAST).axes[0]
labels = [one.get_text() for one in axes.get_legend().get_texts()]
check(any(one.startswith(f"k_sn = {found.steady().value:.4g} (") for one in labels) and axes.get_ylabel() == "height above there [m]", f"{labels}")
check(any("knickpoints" in one.get_text() and one.get_text() != "0 knickpoints" for one in plot.chi(later, least=LEAST).axes[0].get_legend().get_texts()), "no knickpoints drawn")
check(not any(one.get_text().startswith("k_sn =") for one in plot.chi(later, least=LEAST).axes[0].get_legend().get_texts()), "a line of a steady state through knickpoints")
check(bool(bends.clear.any()) and not found.knickpoints().clear.all(), f"clear knickpoints: {bends.clear.values}")
check("no basin" in plot.chi(steady, least=2e7).axes[0].get_legend().get_texts()[0].get_text(), "a figure without basins")
labels = [one.get_text() for one in plot.hack(steady, least=LEAST).axes[0].get_legend().get_texts()]
check(labels == [f"h = {found.hack():.3f}", "usual: 0.5 to 0.6"], f"{labels}")
check(np.array_equal(plot.horton(steady).axes[0].lines[0].get_ydata(), horton.count), "the numbers of streams")
whole = Figure()
panels = whole.subplots(1, 3)
check(all(call(steady, ax=ax) is whole and ax.lines for call, ax in zip((plot.chi, plot.hack, plot.horton), panels)), "rivers in axes of the user")
axes = plot.slope_area(steady).axes[0]
check(len(axes.lines[0].get_xdata()) == (found.to >= 0).sum() and "θ = 0.45" in "".join(one.get_text() for one in axes.get_legend().get_texts()), "slopes along rivers")
for name in ("chi", "hack", "horton", "slope-area", "hypsometry"):
    check(plot_command.main([name, str(files[-1]), "-o", str(SPACE / "figure.png"), "--dpi", "40"]) == 0, f"otok-plot {name}")

# ---- refusals ----
for what, call in (("incision", lambda: package.rivers(steady.drop_vars("receiver"))), ("smaller `least`", lambda: package.rivers(steady, 1e9)),
                   ("no basin has 30 cells", lambda: package.rivers(steady, 2e7).steady()), ("the rates need three", lambda: found.rates(age)), ("age=0", lambda: found.rates(0))):
    try:
        call()
        check(False, f"no error: {what}")
    except package.Error as why:
        check(what in str(why), f"{why}, not {what}")
finish("rivers tell the slopes, the knickpoints and the rates that made them")
