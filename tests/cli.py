"""What the tests of the program share: a scratch directory, a small scenario, calls of otok, and the count of failures. A test is
`python3 tests/cli_x.py PATH_TO_OTOK [BACKEND]`: silent or one line when true, exit 0 true, 1 false, 77 skipped."""

import atexit
import contextlib
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

OTOK = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else sys.exit("name the program to test")
BACKEND = sys.argv[2] if len(sys.argv) > 2 else "cpu"
SMALL = os.environ.get("OTOK_TEST_SCOPE") == "small"  # under a checker of memory: fewer of many cases that are alike
SPACE = pathlib.Path(tempfile.mkdtemp(prefix="otok-cli-"))
atexit.register(lambda: failures and (sys.stdout.flush(), os._exit(1)))  # last of all, of a test that forgets to finish, too
atexit.register(shutil.rmtree, SPACE, ignore_errors=True)
ENV = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "SOURCE_DATE_EPOCH": "0", **os.environ}  # equal studies are equal bytes
ENV.pop("NO_COLOR", None)
WHOLE = set()
STARTED = {}  # process: its file of standard error
LIMIT = 600  # seconds: for what hangs; on a busy machine anything may take long
random.seed(os.environ.get("OTOK_TEST_SEED", "1"))
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):  # ignored in the background of a script; otok would ignore them, too
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

# Everything that a run can do, on few cells: rain, erosion, slides, seabed, a reef, and fields that come and go with the phases.
FINE_ISLAND = """otok: 1
title: An island for tests
seed: 7
grid: {nx: 96, ny: 64, spacing: 8}
edges: {left: open}
sea: {level: 12}
base:
  - cone: {height: 150, radius: 300, power: 1.3}
  - power_blend: {strength: 0.45, reference: 150, with: [{simplex: {octaves: 6, wavelength: 340}}]}
  - crater: {level: 118}
phases:
  - name: erosion
    iterations: 400
    rain: {rate: 0.005, during: [[0, 250]]}
    hydraulic: {dt: 0.1, pipe_area: 2.5, capacity: 0.6, dissolve: 0.08, deposit: 0.1, evaporation: 0.05}
    thermal: {dt: 0.05, talus: 38}
  - {name: seabed, iterations: 20, seabed: {}}
  - {name: reef, iterations: 500, reef: {dt: 0.01, absorption: 0.12, calcification: 25, uptake: 4, min_depth: 0.3}}
output: {every: 100}
"""
NX, NY, CELL = (48, 32, 16) if SMALL else (96, 64, 8)
ISLAND = FINE_ISLAND.replace("nx: 96, ny: 64, spacing: 8", f"nx: {NX}, ny: {NY}, spacing: {CELL}")
LAST = 920

failures = 0


def check(condition, text):
    """Counts a failure and goes on."""
    global failures
    if not condition:
        failures += 1
        where = sys._getframe(1)
        print(f"{os.path.basename(where.f_code.co_filename)}:{where.f_lineno}: {text}", file=sys.stderr)
    return condition


def finish(line=""):
    if line and not failures:
        print(line)
    sys.exit(1 if failures else 0)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


ISLE_STUDY = "study: 1\nscenario: isle.yaml\ndesign: {kind: lhs, rows: 2}\nvary: {phases.erosion.hydraulic.dt: {from: 0.05, to: 0.1}}\n"


def isle(every):
    """A scenario of 12 iterations on few cells, for ISLE_STUDY too."""
    return write("isle.yaml", "otok: 1\nseed: 7\ngrid: {nx: 24, ny: 16, spacing: 8}\nbase: [{cone: {height: 150, radius: 80, power: 1.3}}]\nphases:\n"
                 "  - {name: erosion, iterations: 12, rain: {rate: 0.005}, hydraulic: {dt: 0.1, pipe_area: 2.5}}\noutput: {every: %d}\n" % every)


@contextlib.contextmanager
def needed():
    """Skips the test if it lacks a package that it imports."""
    try:
        yield
    except ImportError as why:
        skip(f"{why}; install tests/requirements.txt")


def raises(kind, text, call):
    """Checks that a call fails with a text; `.*`: between its parts may be others."""
    try:
        call()
    except kind as why:
        check(all(part in str(why) for part in text.split(".*")), str(why))
    else:
        check(False, f"no {kind.__name__}: {text}")


def write(name, text):
    path = SPACE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def png_write(path, size, depth, colour, rows, more=()):
    """A PNG of (width, height), with rows of bytes from the top, and pairs of more chunks; depth and colour as in its header."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packed = zlib.compress(b"".join(b"\0" + row for row in rows))
    chunks = (b"IHDR", struct.pack(">IIBBBBB", *size, depth, colour, 0, 0, 0)), *more, (b"IDAT", packed), (b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*one) for one in chunks))


def png(path):
    """A PNG of 8 bits RGB as (width, height, rows of bytes)."""
    data, at, packed = pathlib.Path(path).read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IHDR":
            width, height, *how = struct.unpack(">IIBBBBB", data[at + 8 : at + 21])
            assert how[:2] == [8, 2] and how[4] == 0, how
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += size + 12
    flat, rows, above = zlib.decompress(packed), [], bytes(3 + 3 * width)  # a black pixel before each row
    for j in range(height):
        method, row = flat[j * (3 * width + 1)], bytearray(3) + flat[j * (3 * width + 1) + 1 : (j + 1) * (3 * width + 1)]
        for i in range(3, len(row) if method else 0):
            a, b, c = row[i - 3], above[i], above[i - 3]
            if method == 4:
                p, q, r = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                row[i] = row[i] + (a if p <= q and p <= r else b if q <= r else c) & 255
            else:
                row[i] = row[i] + (a if method == 1 else b if method == 2 else a + b >> 1) & 255
        rows.append(bytes(row[3:]))
        above = row
    return width, height, rows


def otok(*args, code=0, limit=LIMIT, **more):
    """Runs the program to its end; its exit status must be `code`, and where that is a failure, one line must say why."""
    done = subprocess.run(
        [OTOK, *map(str, args)], capture_output=True, text=True, timeout=limit, env={**ENV, **more.pop("env", {})}, **more
    )
    words = " ".join(map(str, args))
    if code is not None:
        check(done.returncode == code, f"otok {words}: exit {done.returncode}, not {code}: {done.stderr.strip()[-600:]}")
    check(done.returncode in (0, 1, 2, 65, 69, 70, 74, 75), f"otok {words}: exit {done.returncode}: {done.stderr[-2000:]}")
    return done


def run(scenario, directory, *args, **more):
    return otok("run", scenario, "-o", directory, "--backend", BACKEND, *args, **more)


def start(scenario, directory, *args, **more):
    """Starts `otok run`; its standard error goes to a file, so that no pipe can fill up."""
    said = tempfile.TemporaryFile(dir=SPACE)
    process = subprocess.Popen(
        [OTOK, "run", str(scenario), "-o", str(directory), "--backend", BACKEND, *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=said,
        env={**ENV, **more.pop("env", {})},
        **more,
    )
    STARTED[process] = said
    return process


def stop(process, limit=LIMIT):
    """Waits for the end: exit status, standard output, standard error."""
    out = process.communicate(timeout=limit)[0].decode()
    said = STARTED.pop(process)
    said.seek(0)
    text = said.read().decode(errors="replace")
    said.close()
    return process.returncode, out, text


def wait_for(condition, limit=LIMIT):
    until, rest = time.monotonic() + limit, 0.002
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(rest)
        rest = min(1.2 * rest, 0.05)
    return True


def state_of(process, key):
    """A set of signals in /proc: SigCgt, those that the program has a handler for, ShdPnd, those that wait for it."""
    return int(re.search(rf"{key}:\s*(\w+)", pathlib.Path(f"/proc/{process.pid}/status").read_text()).group(1), 16)


def has_told(process, pattern):
    """Whether standard error of a run that was started holds it by now."""
    said = STARTED[process]
    return re.search(pattern, os.pread(said.fileno(), os.fstat(said.fileno()).st_size, 0).decode(errors="replace"), re.M)


def listens(process, number):
    """Waits until the program has a handler for the signal, or has ended."""

    def caught():
        return process.poll() is not None or state_of(process, "SigCgt") >> (number - 1) & 1

    return wait_for(caught)


def fingerprint(text):
    """The last line on standard output of a finished run."""
    found = re.fullmatch(r"fingerprint ([0-9a-f]{16})", text.strip().splitlines()[-1] if text.strip() else "")
    return found.group(1) if found else None


def checkpoints(directory):
    return sorted(pathlib.Path(directory).glob("*.vtkhdf"))


def left_over(directory):
    return [p.name for p in pathlib.Path(directory).iterdir() if p.name.endswith(".tmp")]


def all_valid(directory, when):
    """Every checkpoint that has its final name is whole; those seen before are not read again."""
    for path in checkpoints(directory):
        about = path.stat()
        key = (path, about.st_ino, about.st_mtime_ns)
        if key in WHOLE:
            continue
        WHOLE.add(key)
        done = otok("inspect", path, code=None)
        check(done.returncode == 0, f"{when}: {path.name}: {done.stderr}")


def preloaded(directory, call, n, error):
    """The environment in which system calls fail, see preload/faults.c."""
    source, library = pathlib.Path(__file__).parent / "preload/faults.c", SPACE / "faults.so"
    if not library.exists():
        compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            skip("no C compiler")
        words = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-D_GNU_SOURCE", source, "-o", library, "-ldl"]
        subprocess.run([compiler, *words], check=True)
    return {
        "LD_PRELOAD": str(library),
        "OTOK_FAULT": f"{call} {n} {error}",
        "OTOK_FAULT_DIRECTORY": str(directory),
        "OTOK_FAULT_COUNT": str(SPACE / "count"),
        # a program built with ASan wants to be first
        "ASAN_OPTIONS": "verify_asan_link_order=0:" + ENV.get("ASAN_OPTIONS", ""),
    }


def cpu_of_children():
    """Seconds of processor time of all programs that have ended: other than a clock's, they are the same on a busy machine."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def reference(scenario, *args):
    """Fingerprint and duration [s] of the uninterrupted run."""
    began = time.monotonic()
    done = run(scenario, SPACE / "reference", "--quiet", "--overwrite", *args)
    return fingerprint(done.stdout), time.monotonic() - began
