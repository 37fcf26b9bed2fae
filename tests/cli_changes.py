"""Values that a scenario's `changes` give while it runs: in every checkpoint, shown by inspect, kept over --resume, and repeated by the
scenario that inspect gives."""
# once: under the sanitizers; it depends on no optimisation
import json
import pathlib
import subprocess
import sys
import tempfile

otok = sys.argv[1]
words = """otok: 1
grid: {nx: 24, ny: 20}
base: [{cone: {height: 9, radius: 9}}]
phases:
  - {name: rain, iterations: 60, rain: {rate: 0.02}, hydraulic: {dt: 0.1}}
output: {every: 10}
"""
changes = """changes:
  - {at: 20, path: phases.rain.hydraulic.capacity, value: 4}
  - {at: 35, path: phases.rain.thermal, value: {dt: 0.1, talus: 12}}
"""


def run(*args):
    done = subprocess.run([otok, *map(str, args)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{args}: {done.returncode}: {done.stderr}")
    return done.stdout


def inspect(path):
    return json.loads(run("inspect", "--json", path))


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    scenario, again = folder / "s.yaml", folder / "again.yaml"
    scenario.write_text(words + changes)
    run("run", scenario, "--dry-run")
    run("run", scenario, "-o", folder / "out", "-q")
    end = folder / "out" / "s_00000060.vtkhdf"
    found = inspect(end)
    want = [(20, "phases.rain.hydraulic.capacity", "4"), (35, "phases.rain.thermal", "{dt: 0.1, talus: 12}")]
    if [(c["iteration"], c["path"], c["after"]) for c in found["changes"]] != want:
        sys.exit(f"changes: {found['changes']}")
    if found["changes"][1]["before"] != "off" or float(found["changes"][0]["before"]) == 4:
        sys.exit(f"values before: {found['changes']}")
    if len(inspect(folder / "out" / "s_00000020.vtkhdf")["changes"]) != 1 or inspect(folder / "out" / "s_00000010.vtkhdf")["changes"]:
        sys.exit("an early checkpoint has late changes, or lacks those that were made")
    if "phases.rain.thermal" not in run("inspect", end):
        sys.exit("inspect does not show the changes")

    for path in (folder / "out").glob("s_*.vtkhdf"):
        if int(path.stem[2:]) > 30:
            path.unlink()
    run("run", scenario, "-o", folder / "out", "-q", "--resume")
    if inspect(end)["fingerprint"] != found["fingerprint"]:
        sys.exit("resumed before a change: other bits")

    again.write_text(run("inspect", "--scenario", end))
    run("run", again, "-o", folder / "again", "-q")
    if inspect(folder / "again" / "again_00000060.vtkhdf")["fingerprint"] != found["fingerprint"]:
        sys.exit("the scenario of a checkpoint gives other bits")

    scenario.write_text(words)  # without its changes: those of the checkpoint count
    for path in (folder / "out").glob("s_*.vtkhdf"):
        if int(path.stem[2:]) > 50:
            path.unlink()
    run("run", scenario, "-o", folder / "out", "-q", "--resume")
    if inspect(end)["fingerprint"] != found["fingerprint"]:
        sys.exit("resumed without its list of changes: other bits")
    scenario.write_text(words + changes.replace("value: 4", "value: 5"))
    end.unlink()
    done = subprocess.run([otok, "run", scenario, "-o", folder / "out", "-q", "--resume"], capture_output=True, text=True)
    if done.returncode != 65 or "`changes`" not in done.stderr:
        sys.exit(f"resumed with other changes: {done.returncode}: {done.stderr}")
