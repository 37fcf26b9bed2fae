#!/usr/bin/env python3
"""How often do the intervals of otok.invert hold the truth, and is a parameter that is not found within 5 % of its range named? Each trial draws
six parameters from the prior, runs the island, adds noise to its heights, and inverts them.

usage: trials.py [--trials 20] [--members 100] [--noise 1] [--first 0] [--backend cpu] [--least 0.8]     (packages: tests/requirements.txt)
Exit 0; 1: a smaller share of the intervals of trials that converged than --least holds the truth."""
import argparse
import sys
import time
from pathlib import Path

import numpy as np

import otok
from otok.laboratory import Axes

E, H = "phases.erosion.", "phases.erosion.hydraulic."
PRIOR = {
    "base.0.cone.height": {"from": 100, "to": 300}, E + "rain.rate": {"from": 5e-4, "to": 1e-2, "scale": "log"},
    H + "capacity": {"from": 0.05, "to": 1, "scale": "log"}, H + "dissolve": {"from": 0.002, "to": 0.1, "scale": "log"},
    H + "deposit": {"from": 0.002, "to": 0.1, "scale": "log"}, E + "thermal.talus": {"from": 15, "to": 40},
}
STUDY = {"study": 1, "scenario": str(Path(__file__).with_name("island.yaml")), "monitor": {"every": 60}, "vary": PRIOR}
SHARES = (0.5, 0.9)


def observe(seed, noise):
    """An island of parameters drawn from the prior, with noise: the parameters, the heights, the generator."""
    rng = np.random.default_rng(seed)
    truth = {path: values.item() for path, values in Axes(STUDY).values(rng.random((1, len(PRIOR)))).items()}
    with otok.Simulation(otok.Scenario(STUDY["scenario"], truth), "cpu", watch=False) as sim:
        sim.run()
        heights = sim.get("terrain")
    return truth, heights + noise * rng.normal(size=heights.shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("trials", 20), ("members", 100), ("noise", 1.0), ("first", 0), ("least", 0.0)):
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--backend", default="cpu")
    options = parser.parse_args()
    axes, held, misfits, found_or_named, lost = Axes(STUDY), {share: [] for share in SHARES}, [], [], []
    for seed in range(options.first, options.first + options.trials):
        began = time.monotonic()
        truth, heights = observe(seed, options.noise)
        found = otok.invert(STUDY, heights, noise=options.noise, members=options.members, seed=seed, backend=options.backend)
        if found.status != "converged":
            lost.append(found.status)
            print(f"{seed}: {found.status}: {found.why}; {time.monotonic() - began:.0f} s", flush=True)
            continue
        for share in SHARES:
            ends = found.interval(share)
            held[share].append([low <= truth[path] <= high for path, (low, high) in ends.items()])
        misfits.append(found.misfit)
        place = axes.places({path: found.members[path].values for path in PRIOR}).mean(0) - axes.places({path: [truth[path]] for path in PRIOR})[0]
        found_or_named.append([(abs(off) <= 0.05, any(path in words for words in found.unidentified)) for off, path in zip(place, PRIOR)])
        spread = " ".join(f"{value:.2f}" for value in found.spread.values())
        right = " ".join("-+"[one] for one in held[0.9][-1])
        print(f"{seed}: 90 %: {right}; spread {spread}; misfit {found.misfit:.2f}; {found.waves} steps; "
              f"{time.monotonic() - began:.0f} s", flush=True)
    print(f"{len(misfits)} of {options.trials} converged; {lost.count('rejected')} rejected")
    for share in SHARES if misfits else []:
        by = np.mean(held[share], axis=0)
        error = np.std(np.mean(held[share], axis=1), ddof=1) / len(held[share]) ** 0.5  # intervals of one trial are not independent
        print(f"{share:.0%} intervals that hold the truth: {np.mean(held[share]):.3f} +- {error:.3f} of {np.size(held[share])}; by parameter "
              + ", ".join(f"{path.rpartition('.')[2]} {value:.2f}" for path, value in zip(PRIOR, by)))
    if not misfits:
        sys.exit(1)
    near, named = np.moveaxis(found_or_named, 2, 0)
    print(f"of {near.size} parameters {near.sum()} are found within 5 % of their range, {(named & ~near).sum()} others are named, {(~near & ~named).sum()} are neither")
    print(f"misfit: median {np.median(misfits):.2f}, at most {np.max(misfits):.2f}")
    sys.exit(bool(np.mean(held[0.9]) < options.least))


if __name__ == "__main__":
    main()
