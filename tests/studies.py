#!/usr/bin/env python3
"""Compares the rows of studies with those of SALib and scipy: unscrambled Sobol points with scipy's, Saltelli's rows with SALib's,
Morris' trajectories by SALib's analysis.

usage: studies.py OTOK    (packages: requirements.txt)

Prints one line a design. Exit 0: all agree; 1: one does not.
"""
import io
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from SALib.analyze import morris as morris_analysis
from SALib.sample import sobol as saltelli
from scipy.stats import qmc

SCENARIO = "otok: 1\nphases: [{name: a, iterations: 3, hydraulic: {}, thermal: {}}]\n"
AXES = ["hydraulic.dt", "hydraulic.pipe_area", "hydraulic.capacity", "thermal.rate", "thermal.talus"]
failures = 0


def check(what, true):
    global failures
    failures += not true
    print(f"{what:48} {'ok' if true else 'FAILED'}")


def members(otok, folder, design, n):
    """Every row as numbers in [0, 1]; axes run from 1 to 2."""
    (folder / "scenario.yaml").write_text(SCENARIO)
    vary = "".join(f"  phases.a.{axis}: {{from: 1, to: 2}}\n" for axis in AXES[:n])
    (folder / "study.yaml").write_text(f"study: 1\nscenario: scenario.yaml\ndesign: {{{design}}}\nvary:\n{vary}")
    done = subprocess.run([otok, "study", folder / "study.yaml", "--dry-run"], capture_output=True, text=True, check=True)
    return np.loadtxt(io.StringIO(done.stdout), delimiter=",", skiprows=1, ndmin=2) - 1


def same(a, b):
    """The table has 12 digits."""
    return a.shape == b.shape and np.allclose(a, b, rtol=0, atol=1e-10)


def main():
    otok = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for n in (1, 3, 5):
            rows = members(otok, folder, "kind: sobol, rows: 1024, scramble: false", n)
            check(f"sobol, {n} axes: scipy's points", same(rows, qmc.Sobol(n, scramble=False, bits=32).random(1024)))
        for n in (2, 5):
            for second in (False, True):
                rows = members(otok, folder, f"kind: saltelli, base: 64, scramble: false, second_order: {str(second).lower()}", n)
                problem = {"num_vars": n, "names": AXES[:n], "bounds": [[0, 1]] * n}
                theirs = saltelli.sample(problem, 64, calc_second_order=second, scramble=False)
                check(f"saltelli, {n} axes, second order {second}: SALib's rows", same(rows, theirs))
        rows = members(otok, folder, "kind: morris, trajectories: 40, levels: 4", 4)
        problem = {"num_vars": 4, "names": AXES[:4], "bounds": [[0, 1]] * 4}
        linear = morris_analysis.analyze(problem, rows, rows @ np.array([1.0, -2.0, 0.5, 0.0]), num_levels=4)
        check("morris: SALib finds a line's slopes", np.allclose(np.asarray(linear["mu"], float), [1, -2, 0.5, 0], atol=1e-9))
        lhs = members(otok, folder, "kind: lhs, rows: 200", 5)
        check("lhs: 200 rows fill 5 axes more evenly than chance", qmc.discrepancy(lhs) < qmc.discrepancy(np.random.default_rng(1).random((200, 5))))
    sys.exit(failures != 0)


main()
