"""Claim: the errors of otok.edges are within what it claims, for flat water, two separate regions and a thin one (a tenth of experiments/coverage).
`python3 tests/python_coverage.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
from cli import *

with needed():
    import h5netcdf  # noqa: F401
    import matplotlib  # noqa: F401
    import scipy  # noqa: F401
    import sklearn  # noqa: F401

command = pathlib.Path(__file__).parent.parent / "experiments/coverage/edges.py"
ran = subprocess.run([sys.executable, command, "--problems", "water,two,thin", "--seeds", "2", "--out", SPACE / "coverage"], capture_output=True, text=True)
check(ran.returncode == 0 and "within the claim 6 of 6" in ran.stdout, ran.stdout + ran.stderr)
finish()
