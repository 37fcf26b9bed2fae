#!/usr/bin/env python3
"""libEnsemble, Optimas or Xopt leads a study through gest-api: a generator suggests members, otok's evaluator runs them. Then the same two
without the tool, and the same members as one study. The generator is otok's, which seeks an edge; with Xopt it is Xopt's latin hypercube.

usage: led_by_gest.py [--by libensemble|optimas|xopt] [--members 96] [--backend cpu]     (pip install the tool, gest-api, scikit-learn, and otok)
Exit 0: the tool's table, the loop's and the study's are equal, and the edge is where theory has it."""
import argparse
import pathlib
import sys
import tempfile

import numpy as np
from gest_api.vocs import VOCS

import otok
from otok.gest import EdgeGenerator

SCENARIO = {"study": 1, "scenario": pathlib.Path(__file__).resolve().parent.parent / "dakota/water.yaml", "monitor": {"every": 10}}
HYDRAULIC = "phases.water.hydraulic."
NAMES = {"dt": HYDRAULIC + "dt", "area": HYDRAULIC + "pipe_area"}
VARIABLES = {"dt": [0.02, 0.5], "area": [0.5, 20.0]}
OUTPUTS = ["stable", "roughness"]
BATCH = 16
EDGE = VOCS(variables=VARIABLES, constraints={"stable": ["GREATER_THAN", 0.5]}, observables=["roughness"])


def edge_generator():
    return EdgeGenerator(EDGE, blind=2 * BATCH, log=VARIABLES)


def hypercube_of_xopt():
    from xopt.generators.scipy.latin_hypercube import LatinHypercubeGenerator
    return LatinHypercubeGenerator(vocs=VOCS(variables=VARIABLES, objectives={"roughness": "EXPLORE"}, observables=["stable"]), seed=1, batch_size=BATCH)


def by_libensemble(generator, evaluate, members):
    from libensemble import Ensemble
    from libensemble.alloc_funcs.start_only_persistent import only_persistent_gens
    from libensemble.specs import AllocSpecs, ExitCriteria, GenSpecs, LibeSpecs, SimSpecs
    work = Ensemble(
        libE_specs=LibeSpecs(comms="threads", nworkers=1, gen_on_manager=True, disable_log_files=True, save_every_k_gens=0, save_H_on_completion=False),
        gen_specs=GenSpecs(generator=generator, vocs=EDGE, batch_size=BATCH), sim_specs=SimSpecs(simulator=evaluate, vocs=EDGE),
        alloc_specs=AllocSpecs(alloc_f=only_persistent_gens), exit_criteria=ExitCriteria(sim_max=members))
    history, _, flag = work.run()
    assert flag == 0, f"libEnsemble: exit flag {flag}"
    return history[history["sim_ended"]]


def by_optimas(generator, evaluate, members):
    from optimas.evaluators import FunctionEvaluator
    from optimas.explorations import Exploration
    from optimas.generators import ExternalGenerator

    def fill(point, outputs):
        for name, value in evaluate(point).items():
            outputs[name] = value

    # Optimas has columns for objectives and observables alone, and asks for an objective; the generator does not minimise it
    vocs = VOCS(variables=VARIABLES, objectives={"roughness": "MINIMIZE"}, observables=["stable"])
    with tempfile.TemporaryDirectory() as folder:
        work = Exploration(generator=ExternalGenerator(ext_gen=generator, vocs=vocs), evaluator=FunctionEvaluator(function=fill), max_evals=members,
                           sim_workers=BATCH, exploration_dir_path=f"{folder}/exploration", libe_comms="threads")
        work.run()
        return work.history.sort_values("trial_index")


def by_xopt(generator, evaluate, members):
    from xopt import Evaluator, Xopt
    work = Xopt(generator=generator, evaluator=Evaluator(function=evaluate, vectorized=True, max_workers=BATCH))
    while len(work.data if work.data is not None else ()) < members:
        work.step()
    return work.data


def by_hand(generator, evaluate, members):
    rows = []
    while len(rows) < members:
        points = generator.suggest(BATCH)
        found = evaluate({name: np.array([point[name] for point in points]) for name in VARIABLES})
        rows += [{**point, **{name: values[n] for name, values in found.items()}} for n, point in enumerate(points)]
        generator.ingest(rows[-BATCH:])
    return rows


TOOLS = {"libensemble": (by_libensemble, edge_generator), "optimas": (by_optimas, edge_generator), "xopt": (by_xopt, hypercube_of_xopt)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--by", choices=TOOLS, default="libensemble")
    parser.add_argument("--members", type=int, default=96)
    parser.add_argument("--backend", default="cpu")
    options = parser.parse_args()
    evaluate = otok.Evaluator(SCENARIO, OUTPUTS, names=NAMES, backend=options.backend)
    lead, start = TOOLS[options.by]
    generator = start()
    theirs, ours = lead(generator, evaluate, options.members), by_hand(start(), evaluate, options.members)
    study = evaluate({name: np.asarray(theirs[name]) for name in VARIABLES})
    wrong = len(theirs) != options.members
    print(f"{'':12}{options.by + ', sum':>24}{'loop, sum':>24}{'one study, sum':>24}")
    for name in (*VARIABLES, *OUTPUTS):
        columns = [np.asarray(one, float) for one in (theirs[name], [row[name] for row in ours], study.get(name, theirs[name]))]
        same = all(np.array_equal(columns[0], column, equal_nan=True) for column in columns[1:])
        wrong += not same
        print(f"{name:12}" + "".join(f"{np.nansum(column):24.16g}" for column in columns) + ("  equal" if same else "  DIFFERENT"))
    print(f"{len(theirs)} members")
    if isinstance(generator, EdgeGenerator):
        grid = [{"dt": dt, "area": area} for dt in np.geomspace(*VARIABLES["dt"], 40) for area in np.geomspace(*VARIABLES["area"], 40)]
        S = np.array([9.81 * point["dt"] ** 2 * point["area"] for point in grid])
        off = (generator.inside(grid) != (S < 0.25)).mean()
        wrong += not off <= 0.03
        print(f"the surface and S = dt^2 A g / l^3 < 1/4 disagree at {off:.1%} of a grid of {len(grid)} points")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
