"""Claim: no call of the library crashes or hangs on a NULL, on a number outside its range, or on structs of zeros. A pointer that a call
needs is OTOK_USAGE, and the text names it; so is a number outside its range. Calls without a status answer NULL, "", 0, -1 or NaN. Every
function that otok.h declares is tried, each argument in turn; and a simulation outlives its scenario.
`OTOK_LIBRARY=libotok.so python3 tests/library_null.py C_COMPILER`"""
import ctypes as C
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

os.environ["OMP_NUM_THREADS"] = "1"  # the calls are made in children of this process
HEADER = pathlib.Path(__file__).resolve().parent.parent / "src/otok.h"
SCENARIO = b"otok: 1\ngrid: {nx: 8, ny: 8, spacing: 1}\nbase: [{simplex: {}}]\nphases: [{name: a, iterations: 10, hydraulic: {}}]\n"
STUDY = b"study: 1\nscenario: s.yaml\ndesign: {kind: grid, points: 2}\nvary: {phases.a.hydraulic.dt: {from: 0.01, to: 0.02}}\n"
OPTIONAL = {"sets", "site", "walls", "merged", "stop", "user", "reef", "depth", "ends"}  # arguments that may be NULL, and the map of otok_derive
# numbers for which the manual has another answer: fewer iterations at the end, a form of no island, the range of a key; an exit code, a time
# in words, words of no verdict
OTHER = {("otok_sim_run", 2**62), ("otok_sim_start", 2**62), ("otok_island_of", "sea"), ("otok_sim_pour", 1e300), ("otok_exit_code", "status"),
         ("otok_time_words", "seconds"), ("otok_verdict_about", "verdict")}
USAGE = 1
lib = C.CDLL(os.environ["OTOK_LIBRARY"])
lib.otok_why.restype = C.c_char_p
lib.otok_parameter_at.restype = C.c_void_p
failures = 0


def check(condition, text):
    global failures
    if not condition:
        failures += 1
        print(text, file=sys.stderr)


def functions():
    """(result, name, [(type, name of the argument)]) of each declaration."""
    text = subprocess.run([sys.argv[1], "-E", "-P", HEADER], capture_output=True, text=True, check=True).stdout
    for _ in range(3):
        text = re.sub(r"\{[^{}]*\}", "{}", text)
    for result, name, inside in re.findall(r"([\w ]+?[ \*]+)(otok_\w+)\(((?:[^;{}()]|\([^;{}()]*\))*)\);", text):
        arguments = []
        for argument in re.split(r",(?![^(]*\))", re.sub(r"\s+", " ", inside)):
            call = re.match(r".*?\(\*(\w+)\)\(", argument)
            plain = re.match(r"\s*(.*?)(\w+)(\[.*\])?$", argument)
            if call:
                arguments.append(("call *", call[1]))
            elif argument.strip() != "void":
                arguments.append((plain[1].strip() + (" *" if plain[3] else ""), plain[2]))
        yield result.strip(), name, arguments


def made(create, *words):
    out = C.c_void_p()
    status = create(C.byref(out), *words)
    check(status == 0, f"{words}: {lib.otok_why()}")
    return out


def good(kind, name):
    """A value that the call can take."""
    for part, value in OBJECTS.items():
        if part in kind and "**" not in kind:
            return value
    if kind == "const char *":
        words = {"path": b"a.vtkhdf", "backend": b"cpu", "text": SCENARIO, "value": b"1", "expression": b"mean(water)", "group": b"hydraulic", "key": b"dt"}
        return C.cast(C.create_string_buffer(words.get(name, b"x")), C.c_void_p)
    if "*" in kind:
        return None if name in ("stop", "user") else C.cast(C.create_string_buffer(1 << 20), C.c_void_p)
    if kind == "size_t":  # of a struct, for which `good` gives enough memory; what a header does not know reads as 0
        return C.c_size_t(1024)
    return C.c_double(1) if kind == "double" else C.c_int64(0) if "int64" in kind else Grid(8, 8, 1) if kind == "otok_grid" else C.c_int(0)


def odd(kind, name):
    if "*" in kind:
        return [C.c_void_p(0)]
    if name in ("nsets", "argc"):  # lengths of arrays of the caller
        return [C.c_int(-1)]
    if kind == "otok_grid":
        return [Grid(*sides) for sides in ((-1, 8, 1), (8, 0, 1), (8, 8, float("nan")), (8, 8, -1))]
    return [C.c_double(v) for v in (float("nan"), 1e300)] if kind == "double" else [C.c_int64(v) for v in (-1, 2**62)] if "int64" in kind else \
        [C.c_int(v) for v in (-1, 1000, 2**31 - 1)] if kind in ("int", "unsigned", "char") or kind.startswith("otok_") else []


class Grid(C.Structure):
    _fields_ = [("nx", C.c_int64), ("ny", C.c_int64), ("spacing", C.c_double)]


def answer(function, result, arguments):
    """What a child of this process says of a call: its answer and its text; or the signal that ended it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        kinds = {"otok_grid": Grid, "double": C.c_double, "int64_t": C.c_int64, "uint64_t": C.c_uint64, "void": None}
        function.restype = C.c_char_p if "char *" in result else C.c_void_p if "*" in result else kinds.get(result, C.c_int)
        back = function(*arguments)
        nothing = bytes(back) == bytes(24) if result == "otok_grid" else back is None or back in (0, -1, b"", b"none") or back != back
        os.write(write, f"{back if result == 'otok_status' else 'nothing' if nothing else back} {lib.otok_why().decode()}".encode()[:4000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    _, how = os.waitpid(child, 0)
    return signal.Signals(os.WTERMSIG(how)).name if os.WIFSIGNALED(how) else said


os.chdir(tempfile.mkdtemp())
pathlib.Path("s.yaml").write_bytes(SCENARIO)
pathlib.Path("study.yaml").write_bytes(STUDY)
scenario = made(lib.otok_scenario_load, b"s.yaml", None, 0)
sim = made(lib.otok_sim_create, scenario, b"cpu")
check(lib.otok_sim_save(sim, b"a.vtkhdf") == 0, "a checkpoint")
OBJECTS = {"otok_scenario *": scenario, "otok_sim *": sim, "otok_checkpoint *": made(lib.otok_checkpoint_load, b"a.vtkhdf"), "otok_study *": made(lib.otok_study_load, b"study.yaml"),
           "otok_parameter *": C.c_void_p(lib.otok_parameter_at(5))}

calls = 0
for result, name, arguments in functions():
    if name.endswith("_destroy"):
        check(answer(getattr(lib, name), "void", [None]).startswith("nothing"), f"{name}(NULL)")
        continue
    said = answer(getattr(lib, name), result, [good(*a) for a in arguments])
    check(not said.startswith("SIG"), f"{name}, structs of zeros: {said}")
    for i, (kind, argument) in enumerate(arguments):
        for value in odd(kind, argument):
            values = [good(*a) for a in arguments]
            values[i] = value
            said = answer(getattr(lib, name), result, values)
            calls += 1
            what = f"{name}, {argument} = {getattr(value, 'value', None)}: {said}"
            check(not said.startswith("SIG"), what)
            needed = "*" in kind and argument not in OPTIONAL and not (name == "otok_derive" and argument == "map")
            if needed and result == "otok_status":
                check(said == f"{USAGE} {name}: {argument} is NULL", what)
            elif "*" not in kind and result == "otok_status" and not {(name, argument), (name, getattr(value, "value", None))} & OTHER:
                check(said.startswith(f"{USAGE} "), what)
            elif (needed or "*" not in kind) and result != "otok_status" and (name, argument) not in OTHER:
                check(said.startswith("nothing"), what)
check(calls > 300, f"{calls} calls: the header was not read")

lib.otok_scenario_destroy(scenario)
check(lib.otok_sim_run(sim, C.c_int64(10)) == 0, f"a simulation whose scenario is destroyed: {lib.otok_why()}")
lib.otok_sim_phase.restype = C.c_char_p
check(lib.otok_sim_phase(sim) == b"end", "the phases of a destroyed scenario")
lib.otok_sim_destroy(sim)
print(f"library_null: {calls} calls, {failures} failures")
sys.exit(failures > 0)
