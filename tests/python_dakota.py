"""Claim: experiments/stability/dakota/driver answers Dakota's files: what is asked for, in its order, as its README shows; `fail` and why
where there is nothing to answer. `python3 tests/python_dakota.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""

from cli import *

try:
    import h5netcdf, xarray  # noqa: E401, F401
except ImportError as why:
    skip(f"{why}; install tests/requirements.txt")
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "experiments/stability/dakota"
ASKED = (FOLDER / "params.in").read_text()


def drive(parameters):
    results = SPACE / "results.out"
    done = subprocess.run([sys.executable, FOLDER / "driver", write("params.in", parameters), results], env=ENV, capture_output=True, text=True)
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    return results.read_text()


check(f"```\n{drive(ASKED)}```" in (FOLDER / "README.md").read_text(), f"not as README shows: {drive(ASKED)}")
names = [line.split()[1] for line in drive(ASKED.replace("1 ASV_1:stable", "1 ASV_1:ledger_rain").replace("1 ASV_2", "0 ASV_2")).splitlines()]
check(names == ["ledger_rain", "roughness"], f"other responses: {names}")
check(drive(ASKED.replace("1.000000000000000e-01", "3.0")).split()[0] == f"{0:.16e}", "a member beyond its limit is stable")
for what, old, new, why in (("refused", "1.000000000000000e-01", "-1", "out of range"), ("unknown variable", " dt\n", " step\n", "step"),
                            ("unknown response", "ASV_3:roughness", "ASV_3:height", "height"), ("no value", "ASV_3:roughness", "ASV_3:growth", "no value"),
                            ("cut", ASKED, "3 variables\n", "functions")):
    found = drive(ASKED.replace(old, new))
    check(found.startswith("fail\n") and why in found, f"{what}: {found}")
finish()
