#!/usr/bin/env python3
"""libEnsemble leads a study through gest-api: otok's generator suggests members next to the edge, otok's evaluator runs them. Then the same two
without libEnsemble, and the same members as one study.

usage: edge_libensemble.py [--members 96] [--backend cpu]     (pip install libensemble gest-api scikit-learn, and otok)
Exit 0: libEnsemble's table, the loop's and the study's are equal, and the edge is where theory has it."""
import argparse
import pathlib
import sys

import numpy as np
from gest_api.vocs import VOCS
from libensemble import Ensemble
from libensemble.alloc_funcs.start_only_persistent import only_persistent_gens
from libensemble.specs import AllocSpecs, ExitCriteria, GenSpecs, LibeSpecs, SimSpecs

import otok
from otok.gest import EdgeGenerator

SCENARIO = {"study": 1, "scenario": pathlib.Path(__file__).resolve().parent.parent / "dakota/water.yaml", "monitor": {"every": 10}}
HYDRAULIC = "phases.water.hydraulic."
NAMES = {"dt": HYDRAULIC + "dt", "area": HYDRAULIC + "pipe_area"}
VARIABLES = {"dt": [0.02, 0.5], "area": [0.5, 20.0]}
BATCH = 16


def vocs():
    return VOCS(variables=VARIABLES, constraints={"stable": ["GREATER_THAN", 0.5]}, observables=["roughness"])


def by_libensemble(generator, evaluate, members):
    work = Ensemble(
        libE_specs=LibeSpecs(comms="threads", nworkers=1, gen_on_manager=True, disable_log_files=True, save_every_k_gens=0, save_H_on_completion=False),
        gen_specs=GenSpecs(generator=generator, vocs=vocs(), batch_size=BATCH), sim_specs=SimSpecs(simulator=evaluate, vocs=vocs()),
        alloc_specs=AllocSpecs(alloc_f=only_persistent_gens), exit_criteria=ExitCriteria(sim_max=members))
    history, _, flag = work.run()
    assert flag == 0, f"libEnsemble: exit flag {flag}"
    return history[history["sim_ended"]]


def by_hand(generator, evaluate, members):
    rows = []
    while len(rows) < members:
        points = generator.suggest(BATCH)
        found = evaluate({name: np.array([point[name] for point in points]) for name in VARIABLES})
        rows += [{**point, **{name: values[n] for name, values in found.items()}} for n, point in enumerate(points)]
        generator.ingest(rows[-BATCH:])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--members", type=int, default=96)
    parser.add_argument("--backend", default="cpu")
    options = parser.parse_args()
    evaluate = otok.Evaluator(SCENARIO, ["stable", "roughness"], names=NAMES, backend=options.backend)
    generator = EdgeGenerator(vocs(), blind=2 * BATCH, log=VARIABLES)
    theirs = by_libensemble(generator, evaluate, options.members)
    ours = by_hand(EdgeGenerator(vocs(), blind=2 * BATCH, log=VARIABLES), evaluate, options.members)
    study = evaluate({name: theirs[name] for name in VARIABLES})
    wrong = 0
    print(f"{'':12}{'libEnsemble, sum':>24}{'loop, sum':>24}{'one study, sum':>24}")
    for name in (*VARIABLES, "stable", "roughness"):
        columns = theirs[name], np.array([row[name] for row in ours]), study.get(name, theirs[name])
        same = all(np.array_equal(columns[0], column, equal_nan=True) for column in columns[1:])
        wrong += not same
        print(f"{name:12}" + "".join(f"{np.nansum(column):24.16g}" for column in columns) + ("  equal" if same else "  DIFFERENT"))
    grid = [{"dt": dt, "area": area} for dt in np.geomspace(*VARIABLES["dt"], 40) for area in np.geomspace(*VARIABLES["area"], 40)]
    S = np.array([9.81 * point["dt"] ** 2 * point["area"] for point in grid])
    off = (generator.inside(grid) != (S < 0.25)).mean()
    print(f"{len(theirs)} members; the surface and S = dt^2 A g / l^3 < 1/4 disagree at {off:.1%} of a grid of {len(grid)} points")
    sys.exit(bool(wrong or off > 0.03))


if __name__ == "__main__":
    main()
