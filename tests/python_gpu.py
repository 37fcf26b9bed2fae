"""Claim: on a GPU the Python package gives the program's bits, and a field is read and written where it lies: by the driver, and by
PyTorch and CuPy where they are, which moves no byte between host and GPU (counted by transfers.py). It prints what calls of ten iterations cost beside `otok run`, and a state between two checkpoints. `python3 tests/python_gpu.py PATH_TO_OTOK` with OTOK_LIBRARY and
PYTHONPATH set needs numpy; 77: no numpy, or no device."""
import contextlib
import ctypes

from cli import *
from transfers import Counter, Missing

with needed():
    import numpy as np
import otok as package

SCENARIO = {"otok": 1, "grid": {"nx": 512, "ny": 512, "spacing": 2}, "base": [{"cone": {"height": 150, "radius": 400}}],
            "phases": [{"name": "rain", "iterations": 10**6, "rain": {"rate": 0.005}, "hydraulic": {"dt": 0.1}}]}


def from_device(found):
    """A field by the driver's copy to the host, row by row, in the library's context."""
    cuda = ctypes.CDLL("libcuda.so.1")
    context, rows = ctypes.c_void_p(), np.empty(found["shape"], np.float32)
    at, step = found["data"][0], found["strides"][0]
    check(cuda.cuInit(0) == 0 and cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0 and cuda.cuCtxSetCurrent(context) == 0, "no context")
    for j, row in enumerate(rows):
        check(cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(row.ctypes.data), ctypes.c_uint64(at + j * step), ctypes.c_size_t(row.nbytes)) == 0, f"row {j}")
    cuda.cuDevicePrimaryCtxRelease_v2(0)
    return rows


def check_bits():
    text = write("isle.yaml", ISLAND.replace("iterations: 400", "iterations: 60").replace("iterations: 500", "iterations: 40").replace("250", "60"))
    for backend in ("cpu", "cuda"):
        told = otok("run", text, "-o", SPACE / backend, "-q", "--backend", backend)
        with package.Simulation(text, "cuda") as sim:
            sim.run()
            check(sim.fingerprint == fingerprint(told.stdout), f"{backend}: {fingerprint(told.stdout)}, from Python {sim.fingerprint}")
    y, x = np.mgrid[0:64, 0:96]
    water = np.exp(-((x - 40) ** 2 + (y - 30) ** 2) / 90.0)
    prints = []
    for backend in ("cpu", "cuda"):
        with package.Simulation(text, backend) as sim:
            sim["water"] = water
            sim.run()
            prints.append(sim.fingerprint)
    check(prints[0] == prints[1], f"from numpy: cpu {prints[0]}, cuda {prints[1]}")


def check_views(sim):
    """Views of the field's own memory, by each library that is there."""
    lies = sim.lend("water")
    at = lies.__cuda_array_interface__["data"][0]
    check(isinstance(lies, package.Loan) and lies.device == 0 and lies.__dlpack_device__() == (2, 0), repr(lies))
    check(np.array_equal(from_device(lies.__cuda_array_interface__), sim.get("water")), "the driver does not find the field there")
    tried = ["driver"]
    for name in ("torch", "cupy"):
        try:
            library = __import__(name)
        except ImportError:
            continue
        if name == "torch" and not library.cuda.is_available():
            continue
        tried.append(name)
        view = library.from_dlpack(lies)
        place = view.data_ptr() if name == "torch" else view.data.ptr
        check(place == at, f"{name}: a view at {place:#x}, the field lies at {at:#x}: it was copied")
        check(np.array_equal(view.cpu().numpy() if name == "torch" else view.get(), sim.get("water")), f"{name}: another field")
        view[5, 6] = 2.5
        library.cuda.synchronize() if name == "torch" else library.cuda.Device().synchronize()
        check(sim.get("water")[5, 6] == 2.5, f"{name}: a change through the view is lost")
        if name == "cupy":
            check(library.asarray(lies).data.ptr == at, "cupy.asarray copies")
        del view
        sim.run(1)
    return tried


def compute_with(name, library, lies):
    """Views of a field by both protocols, their shapes, and a sum of each that stays on the GPU."""
    views = {"torch": lambda: [library.as_tensor(lies, device="cuda"), library.from_dlpack(lies)],
             "cupy": lambda: [library.asarray(lies), library.from_dlpack(lies)]}[name]
    sums = [(view * 2 + 1).sum() for view in views() if check(tuple(view.shape) == lies.shape, f"{name}: a view of shape {view.shape}")]
    library.cuda.synchronize() if name == "torch" else library.cuda.Device().synchronize()
    return sums


def count_bytes(sim):
    """Bytes over the bus: a copy to numpy moves the field's, or the count is worth nothing; views and what is computed with them none."""
    libraries = {}
    for name in ("torch", "cupy"):
        with contextlib.suppress(ImportError):
            libraries[name] = __import__(name)
    if "torch" in libraries and not libraries["torch"].cuda.is_available():
        del libraries["torch"]
    if not libraries:
        return "bytes over the bus not counted: neither torch nor cupy is here"
    for name, library in libraries.items():
        compute_with(name, library, sim.lend("water"))  # a library's own beginning is not counted
    try:
        counter = Counter()
        size = 4 * sim.scenario.shape[0] * sim.scenario.shape[1]
        told = counter.over_the_bus(lambda: sim.get("water"))
        check(told == size, f"a copy of {size} bytes counts as {told}: {counter.copies}")
        for name, library in libraries.items():
            told = counter.over_the_bus(lambda: compute_with(name, library, sim.lend("water")))
            check(told == 0, f"{name}: {told} bytes over the bus: {counter.copies}")
    except Missing as why:
        return f"bytes over the bus not counted: {why}"
    return f"0 bytes over the bus by views of {', '.join(libraries)}, {size} by a copy (CUPTI: {counter.path})"


def cost_in_c(n):
    """Seconds of 10,000 iterations: by otok run, and from C in one call, in calls of ten that wait, and that do not."""
    path = write(f"cost_{n}.yaml", package.Scenario({**SCENARIO, "grid": {"nx": n, "ny": n, "spacing": 2}, "output": {"every": 0}}).text)
    told = subprocess.run([pathlib.Path(OTOK).parent / "tests/run_calls", "cuda", path], capture_output=True, text=True, timeout=LIMIT)
    return [float(word) for word in told.stdout.split()] if check(told.returncode == 0, f"run_calls: {told.stderr}") else [float("nan")] * 4


def cost_in_python(n):
    """Seconds of 10,000 iterations in one call, and in 1000 of ten."""
    times = {1: [], 1000: []}
    for _ in range(3):
        for calls in times:
            with package.Simulation({**SCENARIO, "grid": {"nx": n, "ny": n, "spacing": 2}}, "cuda", watch=False) as sim:
                sim.run(1000)
                begun = time.perf_counter()
                for _ in range(calls):
                    sim.run(10000 // calls)
                sim.wait()
                times[calls].append(time.perf_counter() - begun)
    return [min(took) for took in times.values()]


def show_cost(n):
    """1000 calls of ten iterations from Python, beside what `otok run` and a C program take for the same."""
    run, one, waiting, starting = cost_in_c(n)
    alone, many = cost_in_python(n)
    share = 100 / run
    print(
        f"{n} x {n} cells, 10,000 iterations, seconds: otok run {run:.4f}; C: one call {one:.4f}, calls of ten {starting:.4f}, "
        f"that wait {waiting:.4f}; Python: one call {alone:.4f}, calls of ten {many:.4f}\n"
        f"{n} x {n} cells, calls of ten from Python against otok run: {(many - run) * share:+.1f} %; of this calls of ten from C "
        f"{(starting - run) * share:+.1f} %, Python's own {(many - starting) * share:+.1f} %"
    )


def show_history():
    """The farthest state after a checkpoint, 1000 iterations apart, as engine="otok" computes it: load, run, copy out."""
    path = SPACE / "state.vtkhdf"
    with package.Simulation(SCENARIO, "cuda", watch=False) as sim:
        sim.run(1000)
        sim.save(path)
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            sim.load(path)
            loaded = time.perf_counter()
            sim.run(999)
            sim.get("water")
            times.append((time.perf_counter() - begun, loaded - begun))
    whole, loading = min(times)
    print(f"512 x 512 cells: the state 999 iterations after a checkpoint: {1000 * whole:.1f} ms, {1000 * loading:.1f} of them to load it")


try:
    gpu = package.Simulation(SCENARIO, "cuda")
except package.DeviceError as why:
    skip(str(why))
check_bits()
gpu.run(20)
words = check_views(gpu)
print(count_bytes(gpu))
gpu.close()
for cells in () if SMALL else (512, 1024, 2048):
    show_cost(cells)
if not SMALL:
    show_history()
finish(f"fields read where they lie by {', '.join(words)}")
