"""Claim: whoever lacks one kind of cone tells neighbouring steps of every palette apart that otok draws with, and both sides of a diverging one;
the table of viz/colours.md has these numbers. otok.plot, export, render and view draw each field of a state in the colours, sign and range of its row
of core/fields.def. `python3 tests/python_colours.py OTOK VIEW_COLOURS [--write]`, with PYTHONPATH set, reads the
colour maps of pictures from the program VIEW_COLOURS; --write renews the table."""
import ctypes
import itertools
import pathlib
import subprocess

from cli import *

with needed():
    import numpy as np
    from matplotlib.colors import to_rgb
    from PIL import Image
    from skimage.color import deltaE_ciede2000, rgb2lab
from otok import _figures, plot
from otok.fields import _LOOKS, derived, look_of

# Least differences in CIEDE2000, chosen before anything was measured: 1 is just seen in two fields side by side, 3 at a glance.
STEP, SIDES, NAMES = 3.0, 10.0, 5.0
STEPS = 8  # of a legend
FAILS = {("cork", "sides", "tritanopia")}  # a published map, which the page warns of

# Machado, Oliveira & Fernandes (2009), A physiologically-based model for simulation of color vision deficiency, IEEE TVCG 15 (6), 1291-1298,
# doi:10.1109/TVCG.2009.113: their matrices for linear RGB at severity 1.
SEEN = {
    "all cones": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}
PAGE = pathlib.Path(__file__).parent.parent / "viz/colours.md"
HEAD, END = "<!-- made by tests/python_colours.py --write -->", "<!-- end -->"


def linear(rgb):
    rgb = np.asarray(rgb, float)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(colours, matrix):
    """CIE L*a*b* of colours in linear light, as they are seen."""
    seen = np.clip(np.asarray(colours) @ matrix.T, 0, 1)
    return rgb2lab(np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055))


def even(colours, steps=STEPS):
    """The colours at the ends of so many equal steps."""
    return np.asarray(colours)[np.round(np.linspace(0, len(colours) - 1, steps + 1)).astype(int)]


def nearest(kind, colours, matrix):
    """The least difference between neighbours, between any two names, between sides equally far from the middle."""
    if kind == "names":
        seen = lab(colours, matrix)
        return min(float(deltaE_ciede2000(a, b)) for a, b in itertools.combinations(seen, 2))
    if kind == "sides":
        seen = lab(even(colours), matrix)
        return float(deltaE_ciede2000(seen[:STEPS // 2], seen[:STEPS // 2:-1]).min())
    seen = lab(even(colours), matrix)
    return float(deltaE_ciede2000(seen[1:], seen[:-1]).min())


palettes = {}
printed = subprocess.run([sys.argv[2], "print"], capture_output=True, text=True, check=True).stdout
for row in printed.splitlines():
    name, kind, *numbers = row.split()
    palettes[name] = "maps", kind, np.array(numbers, float).reshape(-1, 3)
for name, (_, _, light) in palettes.items():
    apart = np.abs(linear(_figures._map(name)(np.linspace(0, 1, 256))[:, :3]) - np.clip(light, 0, 1)).max()
    check(apart < 1e-5, f"{name}: otok.plot has other colours, by {apart}")
for name, colours in (("verdicts", _figures.VERDICTS.values()), ("lines", _figures._LINES), ("layers", _figures._LAYERS)):
    palettes[name] = "`otok.plot`", "names", linear([to_rgb(c) for c in dict.fromkeys(colours)])

rows = []
for name, (where, kind, colours) in palettes.items():
    tests = {"names": [("names", NAMES)], "diverging": [("steps", STEP), ("sides", SIDES)]}.get(kind, [("steps", STEP)])
    for test, least in tests:
        found = {who: nearest(test, colours, matrix) for who, matrix in SEEN.items()}
        rows.append([name, where, kind, test] + [f"{value:.1f}" for value in found.values()])
        for who, value in found.items():
            fails = (name, test, who) in FAILS
            check((value >= least) != fails, f"{name}, {test}, {who}: the least difference is {value:.2f}, {'not ' * fails}below {least}")
title = ["palette", "in", "kind", "between", *SEEN]
table = "\n".join("| " + " | ".join(row) + " |" for row in (title, ["--"] * len(title), *rows))
if len(palettes) < 10:
    check(False, f"only {list(palettes)}")
text = PAGE.read_text()
before, after = text.index(HEAD) + len(HEAD), text.index(END)
if "--write" in sys.argv:
    PAGE.write_text(f"{text[:before]}\n\n{table}\n\n{text[after:]}")
else:
    check(text[before:after].strip() == table, "viz/colours.md: its table is old; python_colours.py --write renews it")

# ---- one state, drawn by otok.plot, export, render and view: each field as its row of core/fields.def says ----
scenario = write("isle.yaml", "otok: 1\ngrid: {nx: 24, ny: 16, spacing: 20}\nsea: {level: 3}\n"
                 "base: [{cone: {height: 40, radius: 160}}, {simplex: {amplitude: 9, combine: add}}]\n"
                 "layers: [{name: soil, thickness: 2}, {name: rock}]\nedges: {left: open}\nphases:\n  - {name: a, iterations: 40, parts: true, rain: {rate: 0.001}, "
                 "hydraulic: {dt: 0.1, law: local_inertia, manning: 0.03}, thermal: {dt: 0.1, diffusivity: 0.1}}\n"
                 "  - {name: b, iterations: 9, waves: {directions: 4}, reef: {law: light_saturation, dt: 1e9, age: true}}\n")
more = write("more.yaml", "otok: 1\ngrid: {nx: 24, ny: 16, spacing: 20}\nsea: {level: 3}\nbase: [{cone: {height: 40, radius: 160}}, {simplex: {amplitude: 9, combine: add}}]\n"
             "edges: {left: open}\nerodibility: [{simplex: {amplitude: 1}}]\nphases:\n  - {name: a, iterations: 40, parts: true, rain: {rate: 0.01}, infiltration: {}, "
             "maxima: {speed: true, times: true, arrival_depth: 0.02, duration_depth: 0.02}, hydraulic: {dt: 0.1, law: local_inertia, manning: 0.03}}\n"
             "  - {name: b, iterations: 9, parts: true, waves: {directions: 4}, marine_diffusion: {}, uplift: {rate: 1 mm/yr}, coast: {dt: 1e9, drift: 3e-12}, "
             "reef: {law: light_saturation, dt: 1e9, producers: [{max_growth: 2 mm/yr}, {max_growth: 1 mm/yr}]}}\n"
             "  - {name: c, iterations: 3, incision: {dt: 1 yr, base_level: sea, erodibility: 1e-13}}\n")
write("reef.yaml", "otok: 1\ngrid: {nx: 24, ny: 16, spacing: 20}\nsea: {level: 30}\nbase: [{cone: {height: 40, radius: 160}}]\nphases: [{name: a, iterations: 9, reef: {dt: 0.1}}]\n")
for name in ("isle", "more", "reef"):
    otok("run", SPACE / f"{name}.yaml", "-o", SPACE / name, "--backend", "cpu", "-q")
otok("road", checkpoints(SPACE / "more")[-1], "--from", "100,100", "--to", "300,200", "-o", SPACE / "road.vtkhdf")
last = checkpoints(SPACE / "isle")[-1]
drawings = []
for path in (last, SPACE / "road.vtkhdf", checkpoints(SPACE / "reef")[-1]):
    state = plot._state(path)
    drawings += [(path, state, str(name)) for name in sorted(derived(state).data_vars) if state.get(name, state.terrain).dims == ("y", "x")]
seen, ends_of = set(), {}


def recorded(path, *keys):
    return [float(Image.open(path).info.get(key, "nan")) for key in keys]


for last, state, name in drawings:
    if name in ends_of or not np.isfinite((values := plot._field(state, name)).values).any():
        continue
    look = look_of(name)
    shown = plot._Colours.of(values.values, look, state=state)
    ends_of[name] = ends = shown.ends
    colours = shown.cmap.name
    signed = look.sign == 1 or look.sign == 2 and float(values.min()) < 0
    check(colours == look.colours.decode() or not signed and colours == "batlow", f"{name}: {colours}, not {look.colours}")
    check(not signed or ends[0] == -ends[1], f"{name}: {ends} around 0")
    check(all(np.isnan(fixed) or fixed == end for fixed, end in zip((look.low, look.high), ends)), f"{name}: {ends}, not {look.low}, {look.high}")
    if name == "terrain_change_without_reef":
        continue
    otok("export", last, "-o", SPACE / "gray.png", "--field", name)
    kind = "otok_log_" if look.is_log else "otok_"
    found = recorded(SPACE / "gray.png", f"{kind}low", f"{kind}high")
    check(np.allclose(found, ends, rtol=1e-12), f"{name}: {ends}, exported {found}")
    if name.startswith("bottom_"):  # render and view show its layer
        continue
    if (once := (ctypes.addressof(look), colours)) in seen:  # a picture of each look
        continue
    seen.add(once)
    said = otok("render", last, "-o", SPACE / "view.png", "--field", name, "--size", "64x48", "-n", 1, code=None)
    if "this build" not in said.stderr:  # without views
        found = recorded(SPACE / "view.png", "otok_from", "otok_to")
        check(np.allclose(found, ends, rtol=1e-8), f"{name}: {ends}, rendered {found}")
        check(Image.open(SPACE / "view.png").info["otok_map"] == colours, f"{name}: another map than {colours}")
        otok("view", last, "--headless", "--frames", 1, "--picture", SPACE / "window.png", "--field", name, "--size", "64x48")
        found = recorded(SPACE / "window.png", "otok_from", "otok_to")
        check(np.allclose(found, ends, rtol=1e-8), f"{name}: {ends}, in a window {found}")
        same = np.array_equal(*(np.asarray(Image.open(SPACE / picture)) for picture in ("view.png", "window.png")))
        check(same and Image.open(SPACE / "window.png").info["otok_map"] == colours, f"{name}: a window has other colours")
image = plot.map(drawings[0][0], "terrain_change", contours=0).axes[0].images[0]
check(image.cmap.name == "vik" and image.get_clim() == ends_of["terrain_change"], f"a map: {image.get_clim()}")
missing = {known for known in _LOOKS if not any(f"{name}_".startswith(f"{known}_") for name in ends_of)}
check(not missing, f"fields that no picture here shows: {sorted(missing)}")
finish()
