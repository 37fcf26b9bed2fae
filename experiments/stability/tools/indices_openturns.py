#!/usr/bin/env python3
"""OpenTURNS leads a study: its design for Sobol indices runs as one study of otok, and its indices of two responses are compared with those of
SALib, from the same members.

usage: indices_openturns.py [--base 64] [--backend cpu]     (pip install openturns SALib, and otok)
Exit 0: both tools have the same indices."""
import argparse
import pathlib
import sys

import numpy as np
import openturns as ot
from SALib.analyze import sobol

import otok

H = "phases.erosion.hydraulic."
AXES = {H + "capacity": ot.LogUniform(np.log(0.05), 0), H + "dissolve": ot.LogUniform(np.log(0.002), np.log(0.1)),
        "phases.erosion.rain.rate": ot.LogUniform(np.log(5e-4), np.log(1e-2)), "phases.erosion.thermal.talus": ot.Uniform(15, 40)}
STUDY = {"study": 1, "scenario": pathlib.Path(__file__).resolve().parents[2] / "inversion/island.yaml", "monitor": {"every": 60},
         "responses": {"relief": "quantile(terrain, 0.99) - quantile(terrain, 0.01)", "height": "mean(terrain)"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=int, default=64)
    parser.add_argument("--backend", default="cpu")
    options = parser.parse_args()
    names, base, d = list(STUDY["responses"]), options.base, len(AXES)
    model = otok.Evaluator(STUDY, names, backend=options.backend)

    def members(rows):  # all of them at once
        found = model(dict(zip(AXES, np.asarray(rows).T)))
        return np.column_stack([found[name] for name in names])

    points = ot.LowDiscrepancyExperiment(ot.SobolSequence(), ot.JointDistribution(list(AXES.values())), base)
    inputs = ot.SobolIndicesExperiment(points, False).generate()  # A, B, and A with one column of B after the other
    outputs = ot.PythonFunction(d, len(names), func_sample=members)(inputs)
    problem, worst = {"num_vars": d, "names": list(AXES), "bounds": [[0, 1]] * d}, 0.0
    for column, name in enumerate(names):
        blocks = np.array(outputs)[:, column].reshape(d + 2, base)
        rows = np.concatenate([blocks[:1], blocks[2:], blocks[1:2]]).T.ravel()  # row by row: the order of SALib
        theirs = sobol.analyze(problem, rows, calc_second_order=False, num_resamples=2)
        total = np.array(ot.JansenSensitivityAlgorithm(inputs, outputs.getMarginal(column), base).getTotalOrderIndices())
        # their conventions: OpenTURNS divides by 2 n - 1 and the variance of A, SALib by 2 n and the variance of A and B together
        total *= (2 * base - 1) / (2 * base) * blocks[0].var(ddof=1) / blocks[:2].var()
        worst = max(worst, np.abs(total - theirs["ST"]).max())
        print(f"total indices, {name:10}" + "".join(f"{path.rpartition('.')[2]:>12}" for path in AXES))
        for tool, values in (("OpenTURNS", total), ("SALib", theirs["ST"])):
            print(f"  {tool:23}" + "".join(f"{value:12.9f}" for value in values))
    print(f"{len(inputs)} members; the largest difference is {worst:.1g}")
    sys.exit(bool(not worst < 1e-9))


if __name__ == "__main__":
    main()
