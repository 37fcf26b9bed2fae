#!/usr/bin/env python3
"""Every number of speed that the sources print, beside otok's: measured here, and on a GPU as experiments/bench/results has it.

usage: speeds.py [--backend cpu] [--view] [--recorded 2026-11-24-h200.json]     (needs otok's package; the program is build/otok, or OTOK)

Prints a table in Markdown. --view draws pictures, too; with Mesa that lasts minutes. --recorded chooses the file of results."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

import otok

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OTOK = os.environ.get("OTOK", str(ROOT / "build/otok"))
SEMI = ["phases.hydraulic.hydraulic.transport=semi_lagrangian", "phases.hydraulic.hydraulic.diffusion_sweeps=1"]
SEMI_BOTH = [one.replace("phases.hydraulic", "phases.both") for one in SEMI]
K17 = "i7 6700K, GTX 1070"
K16 = "laptop: i7 4700HQ, GTX 760M"
M13 = "i7 920, GTX 680"
NONE = "not printed"


def bench(options, name, sets=(), n=512):
    """Milliseconds of one iteration, here; and on the recorded machine by the fastest strategy."""
    command = [OTOK, "bench", ROOT / name, "--json", "--sizes", str(n), "--backend", options.backend,
               *(["--iterations", "20", "--repeats", "3"] if options.backend == "cpu" else ["--iterations", "1000"]), *(word for one in sets for word in ("--set", one))]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    runs = json.loads((ROOT / "experiments/bench/results" / options.recorded).read_text())["runs"]
    known = [1e3 * run["seconds_median"] / run["iterations"] for run in runs if (run["scenario"], run["nx"], run["set"]) == (name, n, list(sets))]
    return 1e3 * found["seconds_median"] / found["iterations"], min(known, default=None)


def start(options, name, **values):
    """Milliseconds from a scenario to its first state on the host, and of its run; the first start of a device does not count."""
    scenario = otok.Scenario(ROOT / name, values)
    otok.Simulation(scenario, options.backend, watch=False).close()
    began = time.perf_counter()
    with otok.Simulation(scenario, options.backend, watch=False) as sim:
        sim.get("terrain")
        first = time.perf_counter()
        sim.run()
        sim.get("terrain")
        return 1e3 * (first - began), 1e3 * (time.perf_counter() - first)


def pictures(options, *more):
    """Pictures per second of 1280 x 800; a dash without --view."""
    if not options.view:
        return None
    command = [OTOK, "view", HERE / "k17.yaml", "--headless", "--frames", "300" if options.backend == "cuda" else "3", "--backend", options.backend,
               "-s", "1280x800", *more]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(re.search(r"^frames +\d+, ([\d.]+) a second", said.stdout, re.M).group(1))


def road(options):
    """Milliseconds of a search and its road on the terrain of M13, with the files read and written."""
    with tempfile.TemporaryDirectory() as folder:
        otok.run(ROOT / "experiments/diamond_square/diamond_square.yaml", folder, backend=options.backend)
        state = next(pathlib.Path(folder).glob("*.vtkhdf"))
        began = time.perf_counter()
        subprocess.run([OTOK, "road", state, "--from", "100,100", "--to", "900,900", "-o", f"{folder}/road.vtkhdf"], capture_output=True, check=True)
        return 1e3 * (time.perf_counter() - began)


def rows(options):
    """Source, place, hardware, what, printed, unit, here, recorded."""
    hydraulic, thermal, reef, both = (bench(options, f"experiments/bench/{name}.yaml", sets) for name, sets in (
        ("hydraulic", SEMI), ("thermal", ()), ("reef", ()), ("hydraulic_thermal", ())))
    both_513 = bench(options, "experiments/published/m13.yaml", n=513)
    k17_base, k17_run = start(options, "experiments/published/k17.yaml")
    square, _ = start(options, "experiments/diamond_square/diamond_square.yaml")
    _, drops = start(options, "experiments/droplets/droplets.yaml", **{"phases.droplets.droplets.batch": 1 if options.backend == "cpu" else 2048})
    view, view_run = pictures(options), pictures(options, "--run")

    def thousand(pair):
        return pair[0] * 1000, pair[1] and pair[1] * 1000

    yield "K17", "3, p. 36", K17, "base terrain, 512², CPU", "2200", "ms", k17_base, None
    yield "K17", "3, p. 36", K17, "1000 iterations of hydraulic erosion, 512²", "4", "ms", *thousand(hydraulic)
    yield "K17", "3, p. 36", K17, "1000 iterations of thermal erosion", "1", "ms", *thousand(thermal)
    yield "K17", "3, p. 36", K17, "1000 iterations of reef growth", "2", "ms", *thousand(reef)
    yield "K17", "3, p. 37", K17, "all natural processes of an island", "35", "ms", k17_run, None
    yield "K17", "3, p. 37", K17, "a whole island without pictures", "2300", "ms", k17_base + k17_run, None
    yield "K17", "3, p. 37", K17, "pictures", "200", "1/s", view, None
    yield "K17", "3, p. 37", K17, "a whole island with pictures", "10 to 20", "s", None, None
    yield "K16", "ch. 7", K16, "base terrain, 512², CPU", "3000", "ms", k17_base, None
    yield "K16", "ch. 7", K16, "pictures, nothing runs", "124", "1/s", view, None
    yield "K16", "ch. 7", K16, "pictures with hydraulic erosion", "94", "1/s", view_run, None
    yield "K16", "ch. 7", K16, "pictures with thermal erosion", "108", "1/s", None, None
    yield "K16", "ch. 7", K16, "pictures with both", "85", "1/s", None, None
    yield "K16", "ch. 7", K16, "pictures with reef growth", "108", "1/s", None, None
    yield "K16", "ch. 8", K16, "an island as desired", "10 to 15", "s", None, None
    yield "M13", "ch. 3, 8", M13, "diamond-square, 513², CPU", "25", "ms", square, None
    yield "M13", "ch. 8", M13, "iterations of erosion with pictures, 513²", "250", "1/s", 1e3 / both_513[0], None
    yield "M13", "ch. 8", M13, "1500 iterations", "about 6000", "ms", 1500 * both_513[0], None
    yield "M13", "ch. 8", M13, "a really good look", "about 30", "s", None, None
    yield "M13", "ch. 8", M13, "search and construction of a road", "about 100", "ms", road(options), None
    yield "M13", "ch. 8", M13, "load of the CPU during a simulation", "4", "%", None, None
    yield "D20", "time of simulation", NONE, "200,000 particles, one by one on a CPU", "10 to 20", "s", drops / 1e3, None
    yield "D20", "time of simulation", NONE, "one particle", "10 to 100", "ms", drops / 2e5, None


def words(value):
    return "" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--view", action="store_true")
    parser.add_argument("--recorded", default="2026-11-24-h200.json")
    options = parser.parse_args()
    machine = json.loads((ROOT / "experiments/bench/results" / options.recorded).read_text())["machine"]
    print(f"| source | where | hardware | what | printed | unit | here, {options.backend} | {machine['gpu']} |\n|{' -- |' * 8}")
    for *texts, here, recorded in rows(options):
        print(f"| {' | '.join(texts)} | {words(here)} | {words(recorded)} |", flush=True)


if __name__ == "__main__":
    main()
