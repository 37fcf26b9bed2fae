#!/usr/bin/env python3
"""`steps.py members N > members.csv`: the members of study.yaml, nine for each of N landscapes: six steps at 200 m, another seed, cells of 100 and of 400 m.
`steps.py tell STUDY FIGURE.png`: how far theta, Hack's exponent and relief are from those at the shortest step, by step; of other seeds, and of other cells."""
import sys

import numpy as np

LENGTH, AREA, SHORT = 12_800, 1e6, 500  # of the map [m]; at which K A^m is drawn [m2]; the shortest step [yr]
STEPS = [SHORT, 1000, 2000, 5000, 10_000, 25_000]
TALLY = len(STEPS) + 3  # members of a landscape
YEAR = 31556925.9747
PATHS = ("seed", "grid.nx", "grid.ny", "grid.spacing", "phases.rise.iterations", "phases.rise.uplift.dt", "phases.rise.uplift.rate", "phases.rise.incision.erodibility",
         "phases.rise.incision.m")


def members(n):
    """U from 0.05 to 1 mm/yr and K A^m from 2 to 10 mm/yr at 1 km2 by their logarithms, m from 0.35 to 0.6; two times as long as a wave needs for half the map."""
    from scipy.stats import qmc

    print(",".join(PATHS))
    for number, (a, b, c) in enumerate(qmc.Sobol(3, seed=1).random(n)):
        speed, uplift, m = 2e-3 * 5**a, 5e-5 * 20**b, 0.35 + 0.25 * c
        years = round(LENGTH / speed / 1e5) * 1e5
        for dt, seed, spacing in [(dt, 0, 200) for dt in STEPS] + [(1000, 1, 200), (5000, 0, 100), (5000, 0, 400)]:
            cells = LENGTH // spacing
            print(2 * number + seed + 1, cells, cells, spacing, round(years / dt), repr(dt * YEAR), repr(float(uplift / YEAR)), repr(float(speed / AREA**m / YEAR)), repr(float(m)), sep=",")


def tell(study, figure_path):
    import xarray as xr

    from otok import plot

    table = xr.open_dataset(study)
    rows = table.sizes["member"] // TALLY
    names = {"theta": "θ", "hack": "Hack's exponent", "relief": "relief"}
    found = {name: table[f"response_{name}"].values[: TALLY * rows].reshape(rows, TALLY) for name in names}
    m, K = (table[name].values[: TALLY * rows].reshape(rows, TALLY)[:, 0] for name in ("m", "erodibility"))
    words = table.verdict.attrs["flag_meanings"].split()
    verdicts = np.array([words[flag + 1] for flag in table.verdict.values[: TALLY * rows]]).reshape(rows, TALLY)
    off = {name: values / values[:, :1] - 1 if name == "relief" else values - values[:, :1] for name, values in found.items()}
    courant = (K * YEAR * AREA**m)[:, np.newaxis] * STEPS / 200
    print(f"{rows} landscapes. Differences from a step of {SHORT} yr: median, and 90 % are below; theta also from m")
    print(f"{'':24}{'theta':>18}{'theta - m':>18}{'Hack':>18}{'relief [%]':>18}   verdicts")
    labels = [f"dt {dt} yr, C {np.median(courant[:, k]):.2g}" for k, dt in enumerate(STEPS)] + ["another seed, 1000 yr", "cells of 100 m, 5000 yr", "cells of 400 m, 5000 yr"]
    for k, label in enumerate(labels):
        columns = [np.abs(values) for values in (off["theta"][:, k], found["theta"][:, k] - m, off["hack"][:, k], 100 * off["relief"][:, k])]
        known = [column[np.isfinite(column)] for column in columns]
        cells = "".join(f"{np.median(some):9.3g}{np.quantile(some, 0.9):9.3g}" if some.size else f"{'-':>18}" for some in known)
        print(f"{label:24}{cells}   " + ", ".join(f"{count} {word}" for word, count in zip(*np.unique(verdicts[:, k], return_counts=True))))
    for name in names:
        seed = np.nanmedian(np.abs(off[name][:, len(STEPS)]))
        small = [dt for k, dt in enumerate(STEPS) if np.nanmedian(np.abs(off[name][:, k])) < 0.5 * seed]
        print(f"{name}: the step changes less than half of what another seed does up to dt = {max(small)} yr, C = {np.median(courant[:, STEPS.index(max(small))]):.2g}")
    figure = plot.Figure(figsize=(9.6, 3.2), layout="constrained")
    for axes, (name, label) in zip(figure.subplots(1, 3), names.items()):
        seeds = np.nanquantile(off[name][:, len(STEPS)], [0.1, 0.9])
        axes.axhspan(*seeds, color="#e4e4e4", lw=0, label="another seed (80 %)")
        axes.plot(courant[:, 1:], off[name][:, 1 : len(STEPS)], ".", ms=3, mew=0, color="#a8a8a8")
        axes.plot(np.median(courant, 0)[1:], np.nanmedian(off[name][:, 1 : len(STEPS)], 0), "o-", ms=4, lw=0.9, color="#0072b2", label="median")
        axes.set(xscale="log", xlabel="C = K dt A$^m$ / l at 1 km²", ylabel=f"{label}{', relative' if name == 'relief' else ''}, less that at {SHORT} yr")
        axes.xaxis.set_minor_formatter(plot.ticker.NullFormatter())
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(figure_path, dpi=100)


members(int(sys.argv[2])) if sys.argv[1] == "members" else tell(*sys.argv[2:])
