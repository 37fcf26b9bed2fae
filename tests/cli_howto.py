"""Claim: what experiments/README.md shows runs as it stands there, on a small island. Each
command and each Python block runs in its order in one folder. What cannot run here is listed with
its reason. A reason that fits nothing is a failure."""
# slow: it runs and draws whole scenarios

import os
import pathlib
import re
import shutil
import shlex
import subprocess
import sys
import traceback

from cli import BACKEND, ENV, LIMIT, OTOK, SPACE, check, finish, otok, skip

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "experiments/README.md"
LIBRARY = pathlib.Path(OTOK).parent / "libotok.so"
NOT_HERE = {  # a command with this in it: why it does not run
    "--backend cuda": "needs a GPU",
    "--gpus": "needs GPUs",
    "--device": "needs GPUs",
    "mpirun": "tests/cli_bands.py, tests/cli_claims.py run ranks",
    "-m venv": "tests/python_wheel.py installs into a new environment",
    "pip install": "tests/python_wheel.py installs into a new environment",
    "otok view .*(island|mesa).yaml$": "needs a window; tests/cli_view.py opens one",
    "otok view .*spacing=4$": "needs a window",
    "otok view .*--continue": "needs a window",
    "otok view .*--fast": "needs a window; tests/cli_view.py opens one",
    "otok view out": "needs a window",
}
SMALLER = {  # so that it takes seconds
    r"--copies \d+": "--copies 1",
    r"--frames \d+": "--frames 2",
    r"--sizes \S+": "--sizes 64",
    r"^(otok (?:render|movie) .*?)(?: --size \S+)?$": r"\1 --size 160x100 --samples 1 --fast",
    r"(--headless .*)--size 640x480": r"\1--size 160x120",
    r"grid\.nx=256 (.*)grid\.ny=256 (.*)grid\.spacing=4": r"grid.nx=64 \1grid.ny=64 \2grid.spacing=16",
    r'"size": \(320, 240\)': '"size": (160, 120)',
    r'(film\(.*high=2)\)': r"\1, dpi=40)",
    r'{"grid.nx": 256, "grid.ny": 256, "grid.spacing": 4}': '{"grid.nx": 128, "grid.ny": 128, "grid.spacing": 8}',
}
SEEN = set()


def smaller(text):
    for pattern, word in SMALLER.items():
        text = re.sub(pattern, word, text)
    return text


def commands(block):
    """The commands of a block of shell, each on one line, without remarks."""
    lines = re.sub(r"\\\n\s*", "", block).splitlines()
    return [line for line in (re.sub(r"(^|\s+)# .*", "", line) for line in lines) if line]


def reason(command):
    for pattern, why in NOT_HERE.items():
        if re.search(pattern, command):
            SEEN.add(pattern)
            return why
    return ""


def prepare(folder):
    """A folder as a reader has it: experiments/, with a smaller island, and files of commands."""
    shutil.copytree(
        ROOT / "experiments",
        folder / "experiments",
        ignore=shutil.ignore_patterns("*.png", "*.jpg", "results"),
    )
    island = folder / "experiments/island/island.yaml"
    text, found = re.subn(
        r"grid: {nx: 512, ny: 512, spacing: 2}",
        "grid: {nx: 64, ny: 64, spacing: 16}",
        island.read_text(),
    )
    check(found == 1, "the island's grid is not where this test looks for it")
    island.write_text(text)
    shutil.copy(island, folder / "island.yaml")
    study = folder / "experiments/stability/water_edge/study.yaml"
    text, found = re.subn(r"points: 64", "points: 4", study.read_text())
    check(found == 1, "the study's points are not where this test looks for them")
    study.write_text(text)


def installed(folder):
    """Where Python finds what the wheel registers: the engine of xarray."""
    info = folder / "otok-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: otok\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[xarray.backends]\notok = otok.history:OtokBackend\n")
    return folder


def say(words, command, folder, env):
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=LIMIT)
    check(
        done.returncode == 0,
        f"{PAGE}: {command}: exit {done.returncode}: {(done.stdout + done.stderr)[-1500:]}",
    )
    return done.returncode == 0


def python(block, folder):
    """A block in a process of its own, which has the packages that main has imported for all of them."""
    said = folder / "said"
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.chdir(folder)
            with said.open("w") as file:
                os.dup2(file.fileno(), 1), os.dup2(file.fileno(), 2)
            exec(compile(smaller(block), "block", "exec"), {"__name__": "__main__"})
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code if isinstance(code, int) else 1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    check(code == 0, f"{PAGE}: {block}: exit {code}: {said.read_text()[-1500:]}")
    return code == 0


def plot(command, folder):
    """otok-plot, as the script of the package calls it."""
    return python(f"import sys\nfrom otok.plot_command import main\nsys.argv = {shlex.split(command)}\nsys.exit(main())\n", folder)


def yaml(block, folder):
    """A part of a scenario: read with the rest of one."""
    path = folder / "part.yaml"
    path.write_text(
        "otok: 1\ngrid: {nx: 64, ny: 64, spacing: 16}\n"
        "phases: [{name: a, iterations: 5, hydraulic: {}}, {name: b, iterations: 5, reef: {}}]\n"
        + block
    )
    shown = otok(
        "run", path, "-o", folder / "part", "--overwrite", "--backend", BACKEND, cwd=folder
    )
    return shown.returncode == 0


def main():
    if otok("render", "--help", code=None).returncode or not shutil.which("ffmpeg"):
        skip("this build draws nothing, or there is no ffmpeg")
    folder = SPACE / "howto"
    folder.mkdir()
    prepare(folder)
    env = {
        **ENV,
        "PATH": f"{pathlib.Path(OTOK).parent}:{ENV['PATH']}",
        "ASAN_OPTIONS": "detect_leaks=0",
        "MPLBACKEND": "Agg",
        "PYTHONPATH": f"{ROOT / 'src/python'}:{installed(folder)}",
        "OTOK_LIBRARY": str(LIBRARY),
    }
    os.environ.update(env)
    sys.path[:0] = env["PYTHONPATH"].split(":")
    try:
        import dask.array, h5netcdf, matplotlib.pyplot, netCDF4, xarray, zarr  # noqa: E401, F401
        has_python = LIBRARY.exists()
    except ImportError:
        has_python = False
    ran, left = 0, []
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```", PAGE.read_text(), re.M | re.S):
        if language == "python":
            if has_python:
                ran += python(block, folder)
        elif language == "yaml":
            if "pond.tif" in block:
                otok(
                    "export",
                    "out/island_00003930.vtkhdf",
                    "-o",
                    "pond.tif",
                    "--field",
                    "water",
                    cwd=folder,
                )
            ran += yaml(block, folder)
        for command in commands(block) if language == "sh" else []:
            if command.startswith("otok-plot"):
                ran += has_python and plot(command, folder)
                continue
            if why := reason(command):
                left.append(f"  {why}: {command}")
                continue
            if "gpu/" in command:
                shutil.copytree(folder / "out", folder / "gpu", dirs_exist_ok=True)
            ran += say(["bash", "-ec", smaller(command)], command, folder, env)
    for pattern in NOT_HERE.keys() - SEEN:
        check(False, f"no command of {PAGE} has {pattern}: take it from NOT_HERE")
    check(ran > 20, f"only {ran} ran")
    print("\n".join(["not run:", *left]))
    finish(f"{ran} commands and blocks of the how-to page ran")


os.environ.setdefault("OMP_NUM_THREADS", "1")
main()
