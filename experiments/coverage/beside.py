#!/usr/bin/env python3
"""Are the intervals of otok.invert those of a Markov chain that runs the scenario itself? The same terrains, the exact likelihood of the same numbers, emcee
(Foreman-Mackey et al. 2013; `pip install emcee`) with moves of differential evolution from the prior. Only for ground that does not amplify the smallest
changes: on other ground the exact likelihood is spikes that no chain finds.

usage: beside.py [--problems smooth,parts,modes] [--seeds 3] [--members 120] [--seconds S] [--jobs 1] [--backend cpu] [--out out/coverage]"""
import warnings

import numpy as np
from inversion import PROBLEMS, observed
from rows import asked, rows_of
from scipy.stats import norm

import otok
from otok._observed import Observation, block_means
from otok.laboratory import Axes

WALKERS, STEPS, BURNT = 32, 500, 250
ENDS = [0.05, 0.5, 0.95]


def chain(problem, heights, how, rng, backend):
    """Shares of the axes, as members of the exact posterior, and the share of the steps that were taken."""
    import emcee

    text, vary = PROBLEMS[problem]
    study, d = {"study": 1, "scenario": text, "keep": {"fields": ["terrain"]}}, len(vary)
    axes, seen = Axes({"study": 1, "scenario": text, "vary": vary}), Observation(heights, how["noise"], 1.0, block_means, rng, how.get("correlation", 0))

    def likelihood(scores):
        table = otok.study(study, members=axes.values(norm.cdf(scores)), backend=backend, columns=["map_terrain"])
        off = seen.differences(seen.of_members(0, table.map_terrain.values, np.arange(len(scores))))
        return -((off**2).sum(1) + (scores**2).sum(1)) / 2

    moves = [(emcee.moves.DEMove(), 0.8), (emcee.moves.DESnookerMove(), 0.2)]
    sampler = emcee.EnsembleSampler(WALKERS, d, likelihood, moves=moves, vectorize=True)
    sampler.run_mcmc(rng.normal(size=(WALKERS, d)), STEPS)
    return norm.cdf(sampler.get_chain(discard=BURNT, flat=True)), float(sampler.acceptance_fraction.mean())


def trial(problem, seed, members, backend):
    rng = np.random.default_rng([seed, *problem.encode()])
    text, vary = PROBLEMS[problem]
    heights, place, how = observed(problem, rng, backend)
    study = {"study": 1, "scenario": text, "vary": vary}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = otok.invert(study, heights, members=members, seed=seed, backend=backend, **how)
    ours = Axes(study).places({path: found.members[path].values for path in vary})
    exact, taken = chain(problem, heights, how, rng, backend)
    mine, theirs = np.quantile(ours, ENDS, 0), np.quantile(exact, ENDS, 0)
    return {"status": found.status, "runs": found.waves * members, "chain_runs": WALKERS * (STEPS + 1), "taken": round(taken, 3), "truth": place.round(4).tolist(),
            "invert": mine.round(4).tolist(), "chain": theirs.round(4).tolist(), "width": ((mine[2] - mine[0]) / (theirs[2] - theirs[0])).round(2).tolist(),
            "off": ((mine[1] - theirs[1]) / (theirs[2] - theirs[0])).round(2).tolist()}


def main():
    rows = rows_of(asked(__doc__.splitlines()[0], ["smooth", "parts", "modes"], 3, 120), "beside", trial)
    for problem in sorted({row["problem"] for row in rows}):
        some = [row for row in rows if row["problem"] == problem and row["status"] == "converged"]
        width, off = (np.array([row[name] for row in some]) for name in ("width", "off"))
        print(f"{problem}: {len(some)} converged; 90 % intervals are {np.median(width):.2f} ({width.min():.2f} to {width.max():.2f}) times as wide as the chain's, medians "
              f"{np.abs(off).max():.2f} of its width off at most; {np.mean([row['runs'] for row in some]):.0f} members, the chain {some[0]['chain_runs']}")


if __name__ == "__main__":
    main()
