"""Runs studies for falsify.py, and takes what it judges from their journals. It needs Python alone, no package: so it runs on a machine
that has nothing but this tree and the program.

usage: collect.py STUDIES RESULTS.csv.gz [--backend cpu] [--jobs 2] [--seconds N] [--otok build/otok]
STUDIES is a folder that `falsify.py make` wrote. The first variants of all families come first, and no study begins that would end after N
seconds, by the longest so far; --seconds may be left out. Studies that RESULTS has are not run again. A line has a member at a level.
A member runs with finer steps only if its verdict asks for it. With --otok build/libotok.so studies run side by side in this process."""
import argparse
import array
import concurrent.futures
import csv
import ctypes
import gzip
import json
import math
import os
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
FACTS = ("speed_limited", "non_conservative")  # verdicts that state a fact, which holds for any step
EVERY = ("rolling", "growing", "ruined")  # facts about the water or the ground, and no alarms, if they hold at all steps
SAME = (*EVERY, "chattering")  # likewise: such a member need not be `stable`
VERDICTS = "none stable growing step_dependent speed_limited non_conservative chattering rolling ruined diverged refused".split()


def body():
    """Name: format of the parts of otok_result (src/study/member.h), in order."""
    entries = re.findall(r"^OTOK_(?:ENTRY\(|BOOK\(\w+, )(\w+),", (ROOT / "src/otok_ledger.def").read_text(), re.M)
    parts = [(name, "q") for name in "row failed verdict first cell_x cell_y cells iterations nsamples fingerprint".split()]
    parts += [(name, "d") for name in "time margin slow audit_speed audit_ground audit_sediment audit_sweeps doubt allowed proof changed reversed rivers fed verge rough_start".split()]
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


NAMES = ["family", "variant", "member", "level", "verdict", "form", "margin", "doubt", "changed", "reversed", "rivers", "iterations", "net_whole",
         *(name for name, _ in BODY if name.startswith("ledger_")), "eroded", "deposited", "mean_slope", "mean_speed", "flooded", "deepest",
         "wet", "highest", "ground_roughness", "relief", "limit", "most", "most_reversed", "cause"]


def text(value):
    if isinstance(value, bytes):
        return value.split(b"\0")[0].decode()[:120]
    return f"{value:.7g}" if isinstance(value, float) else value


def word_of(one):
    return "not_audited" if one["verdict"] == 13 else VERDICTS[one["verdict"] + 1] if one["verdict"] < 10 else "growing"


def asked(verdict, member, task, grid):
    """The levels at which a member runs, too: none if nothing that they show would be counted; dt/2 if only what holds at all steps is no alarm;
    dt/8 for a tenth of the `stable` ones."""
    if verdict in (*FACTS, "none", "refused", "diverged"):
        return []
    return [1, 2] if grid or verdict in SAME else [2, 3] if verdict == "stable" and member < (task["count"] + 9) // 10 else [2]


def lines(task, found):
    """The lines of a variant: `found` by level and member."""
    out = []
    for (level, member), one in sorted(found.items()):
        net = [found.get((at, member), {"net": None})["net"] for at in (0, 2)]
        more = {"member": member, "level": level, "verdict": word_of(one), "deepest": one["own"][0], "net_whole": apart(*net) if level == 0 else math.nan}
        out.append([text({**one, **task, **more}[name]) for name in NAMES])
    return out


class Failed(Exception):
    """A study did not end."""


class Library:
    """libotok.so: studies that run side by side share the device's context, and nothing starts anew."""

    class Options(ctypes.Structure):  # otok_study_options
        _fields_ = [("directory", ctypes.c_char_p), ("backend", ctypes.c_char_p), *((name, ctypes.c_int64) for name in ("shard", "shards", "slots")),
                    *((name, ctypes.c_int) for name in ("gpus", "gpu", "resume", "wait", "only_failed")), *((name, ctypes.c_void_p) for name in ("poll", "message", "user"))]

    def __init__(self, path):
        self.c = ctypes.CDLL(str(path))
        self.c.otok_why.restype = ctypes.c_char_p

    def run(self, study, out, options):
        at, more, none = ctypes.c_void_p(), self.Options(str(out).encode(), options.backend.encode(), 1, 1), ctypes.c_size_t(0)
        bad = self.c.otok_study_load(ctypes.byref(at), str(study).encode())
        bad = bad or self.c.otok_study_run(at, ctypes.byref(more), None, ctypes.c_size_t(ctypes.sizeof(more)), none)
        why = self.c.otok_why().decode() if bad else ""
        self.c.otok_study_destroy(at)
        if bad:
            raise SystemExit(f"collect: {study}: {why}")


class Program:
    """otok: a process for each study."""

    def __init__(self, path):
        self.path = path

    def run(self, study, out, options):
        command = [self.path, "study", study, "-o", out, "--backend", options.backend, *([] if options.loud else ["-q"])]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=max(1, options.until - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Failed from None
        if done.returncode:
            raise SystemExit(f"collect: {study}: exit {done.returncode}: {done.stderr}{done.stdout}")
        if options.loud:
            print("\n".join(line for line in done.stderr.splitlines() if " slots of " in line or " cycles of " in line), flush=True)


def part(folder, name, rows, table, every, options):
    """The results of some rows of a variant's table, by level and member."""
    out, (head, *values) = folder / "out", table
    shutil.rmtree(out, ignore_errors=True)
    with open(folder / f"{name}.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *(values[row] for _, row in rows)])
    words = json.loads((folder / "study.yaml").read_text())
    words["design"]["file"] = f"{name}.csv"
    words["monitor"]["every"] *= every
    (folder / f"{name}.yaml").write_text(json.dumps(words) + "\n")
    options.program.run(folder / f"{name}.yaml", out, options)
    at = head.index("grid.spacing")
    found = journal(out / "1-of-1.journal", [float(values[row][at]) for _, row in rows])
    shutil.rmtree(out)
    if bad := [one for one in found.values() if one["failed"]]:
        raise SystemExit(f"collect: {folder}/{name}.yaml: {text(bad[0]['cause'])}")
    return {rows[n][0]: one for n, one in found.items()}


def run(task, studies, options):
    """A variant's lines: all members at dt, then those that are asked for at the other levels, which are rows of further blocks of the table.
    Samples come at the same times at dt/4."""
    folder, n = studies / task["family"] / str(task["variant"]), task["count"]
    with open(folder / "table.csv", newline="") as file:
        table = list(csv.reader(file))
    found = part(folder, "first", [((0, member), member) for member in range(n)], table, 1, options)
    rest = [((level, member), level * n + member) for (_, member), one in found.items() for level in asked(word_of(one), member, task, options.grid)]
    return lines(task, found | (part(folder, "rest", sorted(rest), table, 4, options) if rest else {}))


def collect(studies, results, options):
    """Appends the lines of all studies that are not there yet; returns how many were left out for lack of time. Studies side by side share the
    processors, and do not wait on them."""
    os.environ["OMP_NUM_THREADS"] = str(max(1, len(os.sched_getaffinity(0)) // options.jobs))
    os.environ |= {"OMP_WAIT_POLICY": "passive", "OMP_MAX_ACTIVE_LEVELS": "2"}
    made = json.loads((studies / "tasks.json").read_text())
    tasks, options.grid = made["tasks"], made["options"]["campaign"] == "grid"
    have, lock, longest, left, began = set(), threading.Lock(), [0.0], [0], time.monotonic()
    if results.exists():
        with gzip.open(results, "rt", newline="") as file:
            have = {(row["family"], int(row["variant"])) for row in csv.DictReader(file)}
    options.until = began + options.seconds
    options.program = (Library if str(options.otok).endswith(".so") else Program)(options.otok)

    def one(task):
        start = time.monotonic()
        if start + longest[0] > options.until:
            left[0] += 1
            return
        try:
            made = run(task, studies, options)
        except Failed:
            made = None
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
    parser.add_argument("--otok", default=str(ROOT / "build/otok"), help="the program, or libotok.so")
    parser.add_argument("--loud", action="store_true", help="prints how the device spent its time")
    options = parser.parse_args()
    left = collect(options.studies, options.results, options)
    print(f"{left} studies were left out for lack of time" if left else "all studies are done")


if __name__ == "__main__":
    sys.exit(main())
