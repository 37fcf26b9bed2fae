#!/usr/bin/env python3
"""Is the error of otok.edges within its claim, and are its probabilities those of what happens? Random members judge each surface, and beside it a Gaussian
process and a support vector machine of as many random members. OUT/edges.png is the reliability diagram.

usage: edges.py [--problems water,...] [--seeds 50] [--members 0] [--seconds S] [--jobs 1] [--backend cpu] [--out out/coverage]
Exit 0; 1: more than 5 % of the surfaces of all problems err more than they claim."""
import contextlib
import functools
import sys
import unittest.mock
import warnings
from pathlib import Path

import numpy as np
import xarray
from rows import asked, rows_of

import otok
from otok import boundary
from otok._surface import at_most

JUDGES, OTHERS = 2000, 8  # random members; plain surfaces are made for so many seeds
POND = "otok: 1\naudit: off\nseed: 1\ngrid: {nx: 8, ny: 8, spacing: 1}\n"
WATER = POND + """base: [{simplex: {wavelength: 4, amplitude: 0.1}}]
initial: {water: 2}
phases: [{name: a, iterations: 200, hydraulic: {gravity: 10, capacity: 0}}]
"""
RAIN = POND + """base: [{simplex: {wavelength: 8, amplitude: 1.0}}]
initial: {water: 1}
phases: [{name: a, iterations: 200, rain: {rate: 1e-3}, hydraulic: {gravity: 10}}]
"""
LAKE = POND + """edges: {left: open}
base: [{cone: {height: 2, radius: 5}}]
initial: {water: 0.5}
phases: [{name: a, iterations: 100, rain: {rate: 1e-3}, hydraulic: {dt: 0.05, evaporation: 0.1, capacity: 0}}]
"""
DT, PIPE, H = "phases.a.hydraulic.dt", "phases.a.hydraulic.pipe_area", "phases.a.hydraulic."


def log(low, high):
    return {"from": low, "to": high, "scale": "log"}


def two(u):  # two separate balls, one of them small
    return (((u - [0.3, 0.3, 0.4]) ** 2).sum(1) < 0.05) | (((u - [0.75, 0.75, 0.7]) ** 2).sum(1) < 0.02)


def thin(u):  # 6 % of the box along a curve
    return np.abs(u[:, 1] - 0.5 - 0.3 * np.sin(4 * u[:, 0])) < 0.03


def eight(u):  # three limits of five of eight axes, in products, as of time steps
    return np.max([2 * u[:, 0] + u[:, 1] + u[:, 2] - u[:, 3], 2.2 * u[:, 0] + 0.8 * u[:, 4] ** 2, u[:, 1] + u[:, 4] + 0.5 * np.sin(5 * u[:, 5])], 0) < 1.65


# name: the study, inside, members; or axes, a function of places, members
PROBLEMS = {
    "water": ({"scenario": WATER, "vary": {DT: log(0.01, 1), PIPE: log(0.1, 10)}}, "stable", 128),
    "rain": ({"scenario": RAIN, "vary": {DT: log(0.01, 1), PIPE: log(0.1, 10), "initial.water": {"from": 0.2, "to": 3}}}, "stable", 256),
    "lake": ({"scenario": LAKE, "responses": {"deep": "mean(water)"}, "vary": {
        "phases.a.rain.rate": log(1e-4, 1e-1), H + "evaporation": log(1e-2, 1), "initial.water": {"from": 0.1, "to": 1}, DT: log(0.01, 0.1)}}, "deep < 0.1", 256),
    "thin": (2, thin, 256), "two": (3, two, 256), "eight": (8, eight, 512)}


def study_of(problem):
    about, inside, members = PROBLEMS[problem]
    if not callable(inside):
        return {"study": 1, "monitor": {"every": 50}, **about}, inside, members
    flat = "base: [" + ", ".join(["{constant: {height: 0}}"] * about) + "]\nphases: [{name: a, iterations: 1, creep: {}}]\n"
    return {"study": 1, "scenario": POND + flat, "vary": {f"base.{axis}.constant.height": {"from": 0, "to": 1} for axis in range(about)}}, "stable", members


def members_by(verdict):
    """otok.edges with a function of places in place of studies, and no prediction."""
    def study(_, folder, *, members, columns, **how):
        words = np.where(verdict(np.column_stack(list(members.values()))), "stable", "diverged")
        return xarray.Dataset({"verdict_word": ("member", words)})

    def predict(_, members):
        return xarray.Dataset({"margin": ("member", np.full(len(next(iter(members.values()))), np.nan))})

    return unittest.mock.patch.multiple(boundary, study=study, predict=predict)


@functools.cache
def random_members(problem, seed, n, backend):
    """Places anywhere, and whether they are inside."""
    source, inside, _ = study_of(problem)
    search = boundary._Search(otok.laboratory.Axes(source), Path(), inside, 0, None)
    places = np.random.default_rng([seed, *problem.encode()]).random((n, len(search.axes.paths)))
    if callable(PROBLEMS[problem][1]):
        return places, PROBLEMS[problem][1](places)
    search._run = lambda study, _, **more: otok.study(study, backend=backend, **more)
    return places, search.is_inside(search.judge(places, ""))


def plain(problem, seed, members, backend):
    """The errors of a Gaussian process and of a support vector machine of random members."""
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    places, inside = random_members(problem, 1000 + seed, members, backend)
    at, truth = random_members(problem, 999, JUDGES, backend)
    process = GaussianProcessClassifier(ConstantKernel(100, (1, 1e4)) * RBF(0.5), copy_X_train=False)
    machine = GridSearchCV(SVC(), {"C": [1, 10, 100, 1000], "gamma": [0.3, 1, 3, 10]})
    return [round(float((one.fit(places, inside).predict(at) != truth).mean()), 5) for one in (process, machine)]


def trial(problem, seed, members, backend):
    source, inside, own = study_of(problem)
    n, verdict = members or own, PROBLEMS[problem][1]
    with warnings.catch_warnings(), members_by(verdict) if callable(verdict) else contextlib.nullcontext():
        warnings.simplefilter("ignore")
        found = otok.edges(source, inside=inside, members=n, points=4, width=1 / 32, seed=seed, backend=backend)
        at, truth = random_members(problem, 999, JUDGES, backend)
        told = found.classify(found._axes.values(at))
        row = {"claimed": round(at_most(found.held_out.wrong, found.held_out.members), 5), "beyond": round(found.held_out.outside_at_most, 5)}
        likely, wrong, outside = told.probability.values, told.inside.values != truth, ~told.uncertain.values
        fifth = np.minimum((5 * likely).astype(int), 4)
        row |= {"run": found.members.sizes["member"] + found.held_out.members, "wrong": round(float(wrong.mean()), 5), "expected": found.expected,
                "wrong_beyond": round(float(wrong[outside].mean()) if outside.any() else 0.0, 5), "band": round(1 - float(outside.mean()), 4),
                "sure": int((((likely == 0) & truth) | ((likely == 1) & ~truth)).sum()), "brier": round(float(((likely - truth) ** 2).mean()), 5),
                "reliable": [[int((fifth == k).sum()), round(float(likely[fifth == k].sum()), 2), int(truth[fifth == k].sum())] for k in range(5)]}
        return row | ({"plain": plain(problem, seed, row["run"], backend)} if seed < OTHERS else {})


def told(rows):
    n, (wrong, claimed, beyond, over) = len(rows), np.array([[row[key] for key in ("wrong", "claimed", "wrong_beyond", "beyond")] for row in rows]).T
    table = np.array([row["reliable"] for row in rows]).sum(0)
    beside = np.array([row["plain"] for row in rows if "plain" in row])
    own = np.array([row["wrong"] for row in rows if "plain" in row])
    print(f"{rows[0]['problem']}: {n} seeds, {np.mean([row['run'] for row in rows]):.0f} members: within the claim {(wrong <= claimed).sum()}, beyond the band "
          f"{(beyond <= over).sum()}; wrong {wrong.mean():.2%}, at worst {wrong.max():.2%}, expected {np.mean([row['expected'] for row in rows]):.2%}, claimed {claimed.mean():.2%}; "
          f"band {np.mean([row['band'] for row in rows]):.1%}, wrong beyond {beyond.mean():.2%}; probability 0 or 1 and wrong: {sum(row['sure'] for row in rows)}")
    print("    inside by fifths of the probability: " + ", ".join(f"{truth / max(members, 1):.2f} ({likely / max(members, 1):.2f})" for members, likely, truth in table)
          + (f"; of {len(beside)} seeds wrong: edges {own.mean():.2%}, Gaussian process {beside[:, 0].mean():.2%}, SVM {beside[:, 1].mean():.2%}" if len(beside) else ""))
    return n, int((wrong <= claimed).sum()), int((beyond <= over).sum()), sum(row["sure"] for row in rows)


def draw(rows, path):
    """The reliability diagram: the share that is inside by the probability, of all judges, with intervals of 95 % as if they were independent."""
    import matplotlib.pyplot as plt
    from scipy.stats import beta

    figure, axes = plt.subplots(figsize=(4.8, 4.8), layout="constrained")
    axes.plot([0, 1], [0, 1], color="grey", lw=0.8)
    for number, problem in enumerate(dict.fromkeys(row["problem"] for row in rows)):
        n, likely, inside = np.sum([row["reliable"] for row in rows if row["problem"] == problem], 0).T
        n, likely, inside = (some[n > 0] for some in (n, likely, inside))
        ends = np.nan_to_num(beta.ppf([[0.025], [0.975]], [inside, inside + 1], [n - inside + 1, n - inside]), nan=0)
        ends[1, inside == n] = 1
        axes.errorbar(likely / n + 0.004 * (number - 2.5), inside / n, np.abs(ends - inside / n), fmt="o-", ms=4, lw=1, capsize=2, label=problem)
    axes.set(xlabel="probability of being inside", ylabel="share that is inside", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main():
    options = asked(__doc__.splitlines()[0], list(PROBLEMS), 50, 0)
    rows = rows_of(options, "edges", trial)
    parts = [told(some) for problem in options.problems.split(",") if (some := [row for row in rows if row["problem"] == problem])]
    of, within, beyond, sure = np.sum(parts, 0)
    print(f"within the claim {within} of {of}; beyond the band {beyond} of {of}")
    draw(rows, options.out / "edges.png")
    sys.exit(bool(within < 0.95 * of or beyond < 0.95 * of or sure))


if __name__ == "__main__":
    main()
