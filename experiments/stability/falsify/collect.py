"""Runs studies for falsify.py, and takes what it judges from their journals. It needs Python alone, no package: so it runs on a machine
that has nothing but this tree and the program.

usage: collect.py STUDIES RESULTS.csv.gz [--backend cpu] [--jobs 2] [--seconds N] [--otok build/otok]
STUDIES is a folder that `falsify.py make` wrote. The first variants of all families come first, and no study begins that would end after N
seconds, by the longest so far; --seconds may be left out. Studies that RESULTS has are not run again. A line has a member at a level."""
import argparse
import array
import concurrent.futures
import csv
import gzip
import json
import math
import re
import shutil
import struct
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
RIVER = 16.5  # cells: a river cell has more than 16 above it
VERDICTS = "none stable growing step_dependent speed_limited non_conservative chattering rolling ruined diverged refused".split()


def body():
    """Name: format of the parts of otok_result (src/study/member.h), in order."""
    entries = re.findall(r"^OTOK_(?:ENTRY\(|BOOK\(\w+, )(\w+),", (ROOT / "src/otok_ledger.def").read_text(), re.M)
    parts = [(name, "q") for name in "row failed verdict first cell_x cell_y cells iterations nsamples fingerprint".split()]
    parts += [(name, "d") for name in "time margin slow audit_speed audit_ground audit_sediment audit_sweeps doubt allowed proof changed reversed rivers rough_start".split()]
    parts += [("growth", "3d"), *((f"ledger_{name}", "d") for name in entries)]
    parts += [(name, "d") for name in "eroded deposited mean_slope mean_speed flooded".split()]
    return [*parts, ("own", "32d"), ("form", "q"), ("island", f"{8 + forms()}d"), ("kept", "32q"), ("limit", "64s"), ("most", "64s"), ("most_reversed", "64s"),
            ("margins", "1024s"), ("cause", "1024s")]


def forms():
    text = re.search(r"typedef enum otok_form \{(.*?)\}", (ROOT / "src/otok_study.h").read_text(), re.S)[1]
    return len(re.findall(r"OTOK_[A-Z_]+", re.sub(r"/\*.*?\*/", "", text, flags=re.S))) - 1


def samples():
    """The names of the numbers of a sample."""
    return re.findall(r"^OTOK_SAMPLE\((\w+),", (ROOT / "src/core/sample.def").read_text(), re.M)


BODY, SAMPLE = body(), samples()
RESULT = struct.Struct("<" + "".join(kind for _, kind in BODY))


def unpack(data):
    """A result as a dictionary of its numbers and texts."""
    values, out, at = RESULT.unpack_from(data), {}, 0
    for name, kind in BODY:
        n = 1 if kind[-1] == "s" else int(kind[:-1] or 1)
        out[name] = values[at] if n == 1 else values[at:at + n]
        at += n
    return out


def rivers(data, sizes, spacing):
    """The cells of a kept map of drained areas that are rivers, as a set; None: there is none. A map is packed as HDF5 does, byte k of all
    values in plane k."""
    if not sizes[0]:
        return None
    planes = zlib.decompress(data[:sizes[0]])
    n = len(planes) // 4
    area = array.array("f")
    area.frombytes(bytes(byte for four in zip(*(planes[k * n:(k + 1) * n] for k in range(4))) for byte in four))
    return {i for i, value in enumerate(area) if value > RIVER * spacing**2}


def journal(path, spacings):
    """Row: the result of each member that has one, with its last sample and rivers."""
    data, at, found = path.read_bytes(), 16, {}
    while at + 40 <= len(data):
        mark, kind, size = struct.unpack_from("<8sQQ", data, at)
        if mark != b"\aRecord\0":
            raise SystemExit(f"collect: {path}: no record at byte {at}")
        if kind == 2:
            one = unpack(data[at + 40:at + 40 + RESULT.size])
            kept = sum((n + 7) // 8 * 8 for n in one["kept"])
            rest = size - RESULT.size - kept
            if rest != one["nsamples"] * 8 * len(SAMPLE):
                raise SystemExit(f"collect: {path}: a result has other bytes than collect.py knows; see src/study/member.h")
            begin = at + 40 + RESULT.size
            last = struct.unpack_from(f"<{len(SAMPLE)}d", data, begin + rest - 8 * len(SAMPLE)) if rest else [math.nan] * len(SAMPLE)
            one |= dict(zip(SAMPLE, last)) | {"net": rivers(data[begin + rest:], one["kept"], spacings[one["row"]])}
            found[one["row"]] = one
        at += 40 + size
    return found


def apart(one, other):
    """The share of river cells elsewhere (src/sim/twin.h); NaN: no rivers."""
    if one is None or other is None:
        return math.nan
    most = max(len(one), len(other))
    return 0 if most < 34 else 1 - len(one & other) / most


NAMES = ["family", "variant", "member", "level", "verdict", "form", "margin", "doubt", "changed", "reversed", "rivers", "iterations", "net_whole", "net_half",
         *(name for name, _ in BODY if name.startswith("ledger_")), "eroded", "deposited", "mean_slope", "mean_speed", "flooded", "deepest",
         "wet", "highest", "ground_roughness", "relief", "limit", "most", "most_reversed", "cause"]


def text(value):
    if isinstance(value, bytes):
        return value.split(b"\0")[0].decode()[:120]
    return f"{value:.7g}" if isinstance(value, float) else value


def lines(task, found):
    """The lines of a study: its members at each level, which are rows of three blocks, and some at a fourth one."""
    n, out = task["count"], []
    for row in range(len(found)):
        one, member = found[row], row % n
        word = "not_audited" if one["verdict"] == 13 else VERDICTS[one["verdict"] + 1] if one["verdict"] < 10 else "growing"
        nets = [found[member + level * n]["net"] for level in range(3)]
        first = row < n
        out.append([text(({**one, **task, "member": member, "level": row // n, "verdict": word, "deepest": one["own"][0],
                           "net_whole": apart(nets[0], nets[2]) if first else math.nan, "net_half": apart(nets[1], nets[2]) if first else math.nan})[name]) for name in NAMES])
    return out


def run(task, studies, options):
    """A study's lines; None: it did not end."""
    folder, out = studies / task["family"] / str(task["variant"]), studies / task["family"] / str(task["variant"]) / "out"
    shutil.rmtree(out, ignore_errors=True)
    command = [options.otok, "study", folder / "study.yaml", "-o", out, "--backend", options.backend, "-q"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=max(1, options.until - time.monotonic()))
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise SystemExit(f"collect: {folder}/study.yaml: exit {done.returncode}: {done.stderr}{done.stdout}")
    with open(folder / "table.csv", newline="") as file:
        spacings = [float(row["grid.spacing"]) for row in csv.DictReader(file)]
    found = journal(out / "1-of-1.journal", spacings)
    shutil.rmtree(out)
    return lines(task, found)


def collect(studies, results, options):
    """Appends the lines of all studies that are not there yet; returns how many were left out for lack of time."""
    tasks = json.loads((studies / "tasks.json").read_text())["tasks"]
    have, lock, longest, left, began = set(), threading.Lock(), [0.0], [0], time.monotonic()
    if results.exists():
        with gzip.open(results, "rt", newline="") as file:
            have = {(row["family"], int(row["variant"])) for row in csv.DictReader(file)}
    options.until = began + options.seconds

    def one(task):
        start = time.monotonic()
        if start + longest[0] > options.until:
            left[0] += 1
            return
        made = run(task, studies, options)
        with lock:
            left[0] += made is None
            longest[0] = max(longest[0], time.monotonic() - start)
            if made:
                with gzip.open(results, "at", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerows(made if have else [NAMES, *made])
                have.add((task["family"], task["variant"]))
                print(f"{task['family']} {task['variant']}: {time.monotonic() - start:.1f} s", flush=True)

    tasks = sorted((task for task in tasks if (task["family"], task["variant"]) not in have), key=lambda task: ("droplets" in task["family"], task["variant"]))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(one, task) for task in tasks]:
            done.result()
    return left[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e6)
    parser.add_argument("--otok", default=str(ROOT / "build/otok"))
    options = parser.parse_args()
    left = collect(options.studies, options.results, options)
    print(f"{left} studies were left out for lack of time" if left else "all studies are done")


if __name__ == "__main__":
    sys.exit(main())
