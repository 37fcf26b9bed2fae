"""Claim: `pip install .` in a clean environment, without nvcc, gives one wheel for every Python 3, whose package simulates, the
program, and otok-plot, which names the missing packages. The options that leave out CUDA, and the window with X11, are those that
src/docs/install.md shows.
`python3 tests/python_wheel.py`; skipped where pip reaches no index."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIVE = """
import otok
sim = otok.Simulation("experiments/island/island.yaml")
sim["water"] = 0.5
sim.run(2)
print(sim["terrain"].shape, sim.iteration)
"""
if subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", tempfile.mkdtemp(), "scikit-build-core"], capture_output=True).returncode:
    print("skipped: pip reaches no index")
    sys.exit(77)
FEW = [f"--config-settings={word}" for word in ("cmake.build-type=None", "cmake.define.OTOK_GDAL=OFF")]  # soon compiled
page = (ROOT / "src/docs/install.md").read_text()
shown = re.search(r"`pip install \. (\S+OTOK_CUDA=OFF)`", page), re.search(r"pip wheel \. .*(--config-settings=\S+GLFW\S+)", page)
if not all(shown):
    sys.exit(f"src/docs/install.md shows no `pip install . ...OTOK_CUDA=OFF`, or no `pip wheel` without a window: {shown}")
with tempfile.TemporaryDirectory(prefix="otok-wheel-") as space:
    space = pathlib.Path(space)
    subprocess.run([sys.executable, "-m", "venv", space / "env"], check=True)
    pip = [space / "env/bin/pip", "--disable-pip-version-check", "-q"]
    done = subprocess.run([*pip, "wheel", "--no-deps", "-w", space, ROOT, *(option[1] for option in shown), *FEW], capture_output=True, text=True)
    wheels = [path.name for path in space.glob("*.whl")]
    if done.returncode or len(wheels) != 1 or "-py3-none-" not in wheels[0]:
        sys.exit(f"pip wheel: {wheels} {done.stdout} {done.stderr[-2000:]}")
    subprocess.run([*pip, "install", space / wheels[0]], check=True)
    done = subprocess.run([space / "env/bin/python", "-c", FIVE], capture_output=True, text=True, cwd=ROOT, env={"PATH": "/usr/bin:/bin"})
    program = subprocess.run([space / "env/bin/otok", "--version"], capture_output=True, text=True)
    if not done.stdout.endswith(" 2\n") or not program.stdout.startswith("otok "):
        sys.exit(f"{done.stdout} {done.stderr} {program}")
    needed = subprocess.run(["ldd", space / "env/bin/otok", *space.glob("env/lib/*/site-packages/otok/libotok.so")], capture_output=True, text=True).stdout
    if "libotok.so:" not in needed or "libX11" in needed:
        sys.exit(f"needs X11: {needed}")
    plot = subprocess.run([space / "env/bin/otok-plot", "map", "out", "-o", "map.png"], capture_output=True, text=True)
    if plot.returncode != 69 or 'pip install "otok[plot]"' not in plot.stderr:
        sys.exit(f"otok-plot without matplotlib: {plot}")
    print(wheels[0], done.stdout.strip())
