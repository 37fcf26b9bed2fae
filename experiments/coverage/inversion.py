#!/usr/bin/env python3
"""Do the intervals of otok.invert hold as often as they say, and are its words right? Each trial draws parameters from the prior, runs a small scenario,
adds noise to its heights, and inverts them (simulation-based calibration: Talts et al. 2018).

usage: inversion.py [--problems rough,...] [--seeds 40] [--members 120] [--seconds S] [--jobs 1] [--backend cpu] [--out out/coverage]
Exit 0; 1: a bound of README.md is missed."""
import sys
import warnings

import numpy as np
from rows import asked, rows_of
from scipy import stats

import otok
from otok._observed import errors_of
from otok.laboratory import Axes

HEAD = "otok: 1\naudit: off\nseed: 2\noutput: {every: 0}\ngrid: {nx: 16, ny: 16, spacing: 1}\n"
ROUGH = HEAD + """base: [{simplex: {wavelength: 8, amplitude: 3}}]
phases: [{name: a, iterations: 100, rain: {rate: 1e-3}, hydraulic: {dt: 0.05, capacity: 0.5, dissolve: 0.3}, thermal: {}}]
"""
SMOOTH = HEAD + """base: [{cone: {height: 8, radius: 7}}, {simplex: {wavelength: 6, amplitude: 1, combine: add}}]
phases: [{name: a, iterations: 60, creep: {dt: 0.1, diffusivity: 0.1}, thermal: {dt: 0.1, talus: 30, rate: 0.5}}]
"""
CONES = HEAD + """base: [{cone: {height: 8, radius: 5}}, {cone: {height: 8, radius: 7, combine: add}}]
phases: [{name: a, iterations: 20, creep: {dt: 0.1, diffusivity: 0.1}}]
"""
STEEP = {"phases.a.rain.rate": {"from": 1e-3, "to": 1e-1, "scale": "log"}, "phases.a.hydraulic.capacity": {"from": 0.1, "to": 2},
         "phases.a.hydraulic.dissolve": {"from": 0.05, "to": 1, "scale": "log"}}
HILL = {"phases.a.creep.diffusivity": {"from": 0.02, "to": 0.5, "scale": "log"}, "phases.a.thermal.talus": {"from": 15, "to": 45},
        "base.0.cone.height": {"from": 4, "to": 16}}
TWO = {"base.0.cone.radius": {"from": 3, "to": 8}, "base.1.cone.radius": {"from": 3, "to": 8}}
BUMP = 1.5 * np.exp(-((np.arange(16) - 4) ** 2 + (np.arange(16)[:, np.newaxis] - 10) ** 2) / 8)  # [m], which the scenario cannot make
PROBLEMS = {"rough": (ROUGH, STEEP), "smooth": (SMOOTH, HILL), "parts": (SMOOTH, HILL), "modes": (CONES, TWO), "beside": (SMOOTH, HILL), "wrong": (SMOOTH, HILL)}
NOISE = {"rough": 0.1}
WRONG = ("wrong", "beside")
LEVELS = (0.5, 0.9)


def terrain(text, truth, backend):
    table = otok.study({"study": 1, "scenario": text, "keep": {"fields": ["terrain"]}}, members={path: [value] for path, value in truth.items()}, backend=backend)
    return table.map_terrain.values[0].astype(float)


def observed(problem, rng, backend):
    """Heights with noise, the truth, its shares of the axes, and what invert is told of the errors."""
    text, vary = PROBLEMS[problem]
    axes = Axes({"study": 1, "scenario": text, "vary": vary})
    place = rng.random((1, len(vary)))
    if problem == "beside":  # the truth is beside the prior: a hill higher than its axis
        place[0, 2] = 1.1 + 0.2 * rng.random()
    truth = {path: float(values[0]) for path, values in axes.values(np.clip(place, 0, 1)).items()}
    if problem == "beside":
        truth["base.0.cone.height"] = 4 + 12 * place[0, 2]
    heights, noise, how = terrain(text, truth, backend), NOISE.get(problem, 0.2), dict[str, float]()
    if problem == "wrong":
        heights = heights + BUMP
    error = rng.normal(size=heights.shape)
    if problem == "parts":
        error, how = errors_of(heights.shape, 2.0, rng)(), {"correlation": 2.0}
        noise = np.full(heights.shape, noise)
        noise[:, :4] *= 5
        heights = np.where(rng.random(heights.shape) < 0.1, np.nan, heights)
        heights[10:, 10:] = np.nan
    return heights + noise * error, place[0], {"noise": noise, **how}


def trial(problem, seed, members, backend):
    rng = np.random.default_rng([seed, *problem.encode()])
    text, vary = PROBLEMS[problem]
    heights, place, how = observed(problem, rng, backend)
    study = {"study": 1, "scenario": text, "vary": vary}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = otok.invert(study, heights, members=members, seed=seed, backend=backend, **how)
    at = Axes(study).places({path: found.members[path].values for path in vary})
    rank = (at < place).mean(0)
    modes = int(found.members.mode.values.max()) + 1
    return {"status": found.status, "why": found.why[:60], "misfit": round(found.misfit, 3), "chance": round(found.chance, 4), "scatter": round(found.scatter, 2),
            "waves": found.waves, "modes": modes, "rank": rank.round(4).tolist(), "spread": [round(value, 4) for value in found.spread.values()]}


def told(rows):
    """One line of a problem; whether its bounds hold."""
    problem, n = rows[0]["problem"], len(rows)
    words = {word: sum(row["status"] == word for row in rows) for word in ("converged", "not_converged", "rejected")}
    arrived = [row for row in rows if row["status"] == "converged"]
    line = f"{problem}: {n} truths: " + ", ".join(f"{count} {word}" for word, count in words.items())
    if problem in WRONG:
        unsaid = sum(row["chance"] >= 0.05 for row in arrived)
        return line + f"; {unsaid} without a word", words["rejected"] >= 0.9 * n
    right = words["rejected"] <= 0.02 * n and words["not_converged"] <= 0.05 * n
    if arrived:
        rank = np.array([row["rank"] for row in arrived])
        held = {level: float((np.abs(rank - 0.5) <= level / 2).mean()) for level in LEVELS}
        p = min(stats.kstest(axis, "uniform").pvalue for axis in rank.T) * rank.shape[1]
        line += "; " + ", ".join(f"{level:.0%}: {share:.3f}" for level, share in held.items()) + f" of {rank.size}; ranks uniform: p {min(p, 1):.3f}"
        line += f"; two modes: {sum(row['modes'] == 2 for row in arrived)}" if problem == "modes" else ""
        right &= 0.86 <= held[0.9] <= 0.94 and p > 0.01
    return line + f"; misfit {np.median([row['misfit'] for row in rows]):.2f}, {max(row['misfit'] for row in rows):.2f} at most", right


def main():
    options = asked(__doc__.splitlines()[0], list(PROBLEMS), 40, 120)
    rows, held = rows_of(options, "inversion", trial), True
    for problem in options.problems.split(","):
        if some := [row for row in rows if row["problem"] == problem]:
            line, right = told(some)
            print(line + ("" if right else "   MISSED"))
            held &= right
    sys.exit(not held)


if __name__ == "__main__":
    main()
