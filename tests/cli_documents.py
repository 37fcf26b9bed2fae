"""Claim: every block of YAML, shell and Python on every user page runs as it stands there: README.md, src/docs, src/docs/reference. A page has
a folder with experiments/ (on a small island) and the main page's YAML; its blocks run there in their order. A block that does not run has
`<!-- not run: REASON -->` before it, and these are counted. Usage: cli_documents.py OTOK [BACKEND [PAGE ...]].

YAML: a scenario or a study is checked with --dry-run, and has the name in its first line (`# valley.yaml`). Another block is a part of a
scenario, which `otok predict` reads: a process's key belongs to the first phase, other keys to the top, unless `<!-- in: phases.0.reef -->` names their place; with
`<!-- each: PLACE -->` each line is one alternative. `; with: {layers: ...}` adds what such a part needs besides."""
# slow: it runs and draws whole scenarios

import csv
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
import traceback

from cli import ENV, LIMIT, OTOK, SPACE, check, finish, needed, otok, skip

with needed():
    import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = pathlib.Path(OTOK).parent / "libotok.so"
PROCESSES = set(re.findall(r"^PROCESS\(\w+, (\w+),", (ROOT / "src/scenario/processes.def").read_text(), re.M))
SHOWN = {"text", "c", "cmake", "pycon"}  # outputs, and what other tests compile
SMALLER = {  # so that it takes seconds; README.md alone runs as it stands
    r"--copies \d+": "--copies 1",
    r"--frames \d+": "--frames 2",
    r"--sizes \S+": "--sizes 64",
    r"^(otok (?:render|movie) .*?)(?: --size \S+)?$": r"\1 --size 160x100 --samples 1 --fast",
    r"(--headless .*)--size 640x480": r"\1--size 160x120",
    r"grid\.nx=256 (.*)grid\.ny=256 (.*)grid\.spacing=4": r"grid.nx=64 \1grid.ny=64 \2grid.spacing=16",
    r"grid\.nx=1024 (.*)grid\.ny=1024 (.*)grid\.spacing=1\b": r"grid.nx=64 \1grid.ny=64 \2grid.spacing=16",
    r'"size": \(320, 240\)': '"size": (160, 120)',
    r"(film\(.*high=2)\)": r"\1, dpi=40)",
    r"(experiments/darwin/darwin.yaml -o out)": r"\1 --set grid.nx=16 --set grid.ny=16 --set grid.spacing=800 --set phases.sink.iterations=200",
    "darwin_00004000": "darwin_00000200",
    r"^(otok edge .*)": r"\1 --members 8",
    r"members=64, points=4": "members=32, points=2",
}
FEWER = {  # cells of the scenarios that pages name
    "experiments/island/island.yaml": ("grid: {nx: 512, ny: 512, spacing: 2}", "grid: {nx: 64, ny: 64, spacing: 16}"),
    "study.yaml": ("points: 8}", "points: 4}"),
    "experiments/stability/water_edge/study.yaml": ("points: 64", "points: 4"),
    "valley.yaml": ("grid: {nx: 128, ny: 128, spacing: 5 m}", "grid: {nx: 32, ny: 32, spacing: 20 m}"),
    "rivers.yaml": ("grid: {nx: 128, ny: 128, spacing: 100}", "grid: {nx: 48, ny: 48, spacing: 1000}"),
}


class Words(yaml.emitter.Emitter, yaml.serializer.Serializer, yaml.representer.SafeRepresenter, yaml.resolver.BaseResolver):
    """Writes texts as they were read, numbers too."""

    def __init__(self, stream, **more):
        yaml.emitter.Emitter.__init__(self, stream, width=10000)
        yaml.serializer.Serializer.__init__(self)
        yaml.representer.SafeRepresenter.__init__(self, default_flow_style=True)
        yaml.resolver.BaseResolver.__init__(self)


def merge(into, more):
    """Of two trees: mappings by key, lists item by item."""
    if isinstance(into, dict) and isinstance(more, dict):
        return {**into, **{key: merge(into[key], value) if key in into else value for key, value in more.items()}}
    if isinstance(into, list) and isinstance(more, list):
        return [merge(into[i], more[i]) if i < min(len(into), len(more)) else (more[i] if i < len(more) else into[i]) for i in range(max(len(into), len(more)))]
    return more


def placed(part, place):
    """A part at its place of a scenario, with what a scenario needs besides."""
    if not place and isinstance(part, dict):
        inner = {key: value for key, value in part.items() if key in PROCESSES or key == "rivers"}
        part = {key: value for key, value in part.items() if key not in inner}
        return merge(part, {"phases": [inner]}) if inner else part
    for step in reversed(place.split(".") if place else []):
        part = [part] if step.isdigit() else {step: part}
    return part


def scenario(part, place, more):
    whole = merge(placed(part, place), yaml.load(more or "{}", yaml.BaseLoader))
    whole = {"otok": "1", **whole}
    whole.setdefault("grid", {"nx": "32", "ny": "32", "spacing": "100"})
    for phase in whole.setdefault("phases", [{}]):
        if not set(phase) & PROCESSES - {"rain", "sides"}:  # water that flows
            phase["hydraulic"] = {"law": "local_inertia", "dt": "1 s", "capacity": "0"}
        if "droplets" not in phase:
            phase.setdefault("iterations", "10")
    stream = __import__("io").StringIO()
    yaml.dump(whole, stream, Dumper=Words)
    return stream.getvalue()


# ---- files that pages name ----
def series(path, *columns):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([[title for title, _ in columns], *zip(*(values for _, values in columns))])


def grid(path, folder, value=1.0, unit=None, nx=32, spacing=100):
    """A map of one value as the program writes it; Esri ASCII where it writes no GeoTIFF."""
    text = f"ncols {nx}\nnrows {nx}\nxllcorner 0\nyllcorner 0\ncellsize {spacing}\n" + f"{' '.join([str(value)] * nx)}\n" * nx
    plain = path.with_suffix(".asc")
    plain.write_text(text)
    if path.suffix == ".tif":
        subprocess.run(["gdal_translate", "-q", plain, path], check=True, capture_output=True)


def storm(path, folder):
    import numpy as np
    import xarray as xr

    x = np.arange(32) * 100.0 + 50
    rain = xr.DataArray(np.ones((200, 32, 32), "f4"), {"time": np.arange(200) * 5.0, "y": x, "x": x}, ("time", "y", "x"), attrs={"units": "mm h-1"})
    rain.x.attrs = rain.y.attrs = {"units": "m"}
    rain.time.attrs = {"units": "minutes since 2026-07-12"}
    rain.to_dataset(name="rain").to_netcdf(path, engine="h5netcdf", unlimited_dims=())


def valley(path, folder):
    """The heights of a real valley in degrees, which matplotlib carries."""
    import dem

    dem.main(folder)
    shutil.copy(folder / "jacksboro_degrees.tif", path)


HOURS = ("time [h]", [0, 1, 3, 6])
MADE = {
    "flood.csv": lambda path, folder: series(path, HOURS, ("Q [m3/s]", [5, 40, 20, 5])),
    "tide.csv": lambda path, folder: series(path, HOURS, ("level [m]", [0, 1, 2, 0])),
    "gauges.csv": lambda path, folder: series(path, ("time", [0, 1, 3]), ("Q_upstream", [5, 40, 5])),
    "storm.nc": storm,
    "dem.tif": valley,
    "rain.tif": grid,
    "soil.tif": lambda path, folder: grid(path, folder, 1e-6),
    "roughness.tif": lambda path, folder: grid(path, folder, 0.05),
    "uplift.tif": lambda path, folder: grid(path, folder, 1e-12),
    "pond.tif": lambda path, folder: grid(path, folder, 0.5),
}


# ---- blocks ----
def smaller(text):
    for pattern, word in SMALLER.items():
        text = re.sub(pattern, word, text)
    return text


def blocks(page):
    """Of a page, in order: language, text, and the comment before it."""
    pattern = r"(?:^<!-- ((?:not run|in|each|with)\b.*?) -->\n\n?)?^```(\w*)\n(.*?)^```"
    return [(language, text, comment) for comment, language, text in re.findall(pattern, page.read_text(), re.M | re.S)]


def commands(block):
    """The commands of a block of shell, each on one line, without remarks."""
    lines = re.sub(r"\\\n\s*", "", block).splitlines()
    return [line for line in (re.sub(r"(^|\s+)# .*", "", line) for line in lines) if line]


class Page:
    def __init__(self, path):
        self.path, self.name = path, str(path.relative_to(ROOT))
        self.folder = SPACE / self.name.replace("/", "_")
        self.folder.mkdir()
        (self.folder / "experiments").symlink_to(SPACE / "experiments")
        self.whole = self.name == "README.md"  # as it stands
        for language, block, _ in blocks(ROOT / "README.md") if not self.whole else ():
            if language == "yaml":
                self.write(block)
        for name, make in MADE.items():
            if re.search(rf"\b{re.escape(name)}", "".join(block for _, block, _ in blocks(path))):
                make(self.folder / name, self.folder)

    def fail(self, what, why):
        check(False, f"{self.name}: {what}: {why[-1500:]}")
        return False

    def write(self, block):
        """A block under its own name."""
        name = re.match(r"# (\S+\.yaml)\n", block)
        if not name:
            return None
        if not self.whole and name[1] in FEWER and FEWER[name[1]][0] in block:
            before, after = FEWER[name[1]]
            block = block.replace(before, after)
        (self.folder / name[1]).write_text(block)
        return name[1]

    def dry(self, command, text, name, what):
        path = self.folder / (name or "block.yaml")
        if not name:
            path.write_text(text)
        done = otok(*([command, "--dry-run"] if command != "predict" else [command]), path.name, code=None, cwd=self.folder)
        return done.returncode == 0 or self.fail(what, f"{text}\n{done.stderr}")

    def yaml(self, block, comment):
        if re.search(r"^otok:", block, re.M):
            return self.dry("run", block, self.write(block), block)
        if re.search(r"^study:", block, re.M):
            return self.dry("study", block, self.write(block), block)
        how = dict(part.split(": ", 1) for part in comment.split("; ") if part)
        each = "each" in how
        for text in [line for line in block.splitlines() if line.strip()] if each else [block]:
            part = yaml.load(text, yaml.BaseLoader)
            whole = scenario(part, how.get("each") or how.get("in", ""), how.get("with"))
            if not self.dry("predict", whole, None, text):
                return False
        return True

    def shell(self, block):
        for command in commands(block):
            if command.startswith("otok-plot"):
                lines = f"import sys\nfrom otok.plot_command import main\nsys.argv = {shlex.split(command)}\nsys.exit(main())\n"
                if not self.python(lines, command):
                    return False
                continue
            done = subprocess.run(["bash", "-ec", smaller(command)], cwd=self.folder, env=os.environ, capture_output=True, text=True, timeout=LIMIT)
            if done.returncode:
                return self.fail(command, f"exit {done.returncode}: {done.stdout}{done.stderr}")
        return True

    def python(self, block, what=None):
        """A block in a process of its own, which has the packages that main has imported for all of them."""
        said = self.folder / "said"
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.chdir(self.folder)
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
        return code == 0 or self.fail(what or block, f"exit {code}: {said.read_text()}")

    def pictures(self):
        """The plots of src/docs/pictures.md are those of the main page's run and study. A member of another colour is 3e-4 of the pixels."""
        import matplotlib.image
        import numpy as np

        for command in ("map out --field terrain_change --dpi 80", "study edges --dpi 85"):
            name = f"plot_{command.split()[0]}.png"
            if not self.shell(f"otok-plot {command} -o {name}"):
                continue
            now, shown = (matplotlib.image.imread(folder / name)[..., :3] for folder in (self.folder, ROOT / "src/docs"))
            apart = 1.0 if now.shape != shown.shape else float((np.abs(now - shown).max(axis=2) > 0.25).mean())
            check(apart < 2e-4, f"src/docs/{name} is older than what it shows, {apart:.2g} of it differ: renew it by otok-plot {command}")

    def run(self, has_python):
        """How many blocks ran, and the reasons of those that did not."""
        ran, left = 0, []
        for language, block, comment in blocks(self.path):
            if comment.startswith("not run: "):
                left.append(f"{self.name}: {comment.removeprefix('not run: ')}: {block.splitlines()[0]}")
            elif language == "yaml":
                ran += self.yaml(block, comment)
            elif language == "sh":
                ran += self.shell(block)
            elif language == "python":
                ran += has_python and self.python(block)
            else:
                check(language in SHOWN, f"{self.name}: a block of {language!r}: name its language, or text for an output: {block[:60]}")
        return ran, left


def installed(folder):
    """Where Python finds what the wheel registers: the engine of xarray."""
    info = folder / "otok-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: otok\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[xarray.backends]\notok = otok.history:OtokBackend\n")
    return folder


def prepare():
    """experiments/ as a reader has it, with a smaller island."""
    shutil.copytree(ROOT / "experiments", SPACE / "experiments", ignore=shutil.ignore_patterns("*.png", "*.jpg", "results"))
    for name, (before, after) in FEWER.items():
        if (SPACE / name).exists():
            text = (SPACE / name).read_text()
            check(before in text, f"{name} has no {before}")
            (SPACE / name).write_text(text.replace(before, after))


def main():
    if otok("render", "--help", code=None).returncode or not shutil.which("ffmpeg") or not shutil.which("gdal_translate"):
        skip("this build draws nothing, or there is no ffmpeg or gdal-bin")
    units = SPACE / "units.yaml"
    units.write_text("otok: 1\nsea: {level: 1 ft}\n")
    if otok("predict", units, code=None).returncode:
        skip("this build has no units")
    prepare()
    more = {
        "PATH": f"{pathlib.Path(OTOK).parent}:{ENV['PATH']}",
        "ASAN_OPTIONS": "detect_leaks=0",
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": f"{ROOT / 'src/python'}:{installed(SPACE)}",
        "OTOK_LIBRARY": str(LIBRARY),
    }
    os.environ.update({**ENV, **more})
    os.environ.pop("SOURCE_DATE_EPOCH")  # a reader's shell has none, and pages print dates and devices
    sys.path[:0] = [*more["PYTHONPATH"].split(":"), str(ROOT / "tests")]
    with needed():
        import dask.array, h5netcdf, matplotlib.pyplot, netCDF4, sklearn, xarray, zarr  # noqa: E401, F401
    paths = [ROOT / "README.md", *sorted((ROOT / "src/docs").rglob("*.md"))]
    wanted, total, left = sys.argv[3:], 0, []
    for path in paths:
        if wanted and not any(word in str(path) for word in wanted):
            continue
        began = time.perf_counter()
        page = Page(path)
        ran, not_run = page.run(LIBRARY.exists())
        if page.whole:  # the number of members with each verdict, as the page has it
            said = re.search(r"otok study .*# (.*)", path.read_text())[1]
            shown = otok("study", "study.yaml", "-o", "edges", "--resume", cwd=page.folder)
            check(said in shown.stdout + shown.stderr, f"README.md has {said}: {shown.stdout}{shown.stderr}")
            page.pictures()
        total, left = total + ran, left + not_run
        if wanted:
            print(f"{page.name}: {ran} blocks, {time.perf_counter() - began:.1f} s")
    check(wanted or total > 60, f"only {total} blocks ran")
    print("not run:", *left, sep="\n  ")
    finish(f"{total} blocks of {len(paths)} pages ran, {len(left)} did not, each with its reason")


main()
