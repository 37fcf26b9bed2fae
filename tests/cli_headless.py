"""claim: `otok view --headless` needs no display, runs and draws a scenario side by side, finely unless it is to hold a rate or to be
fast, and says how fast, and what went through the host; its picture of a state is that of `otok render`, with layers and derived fields. Bad options, or no
OpenGL 4.5: one line."""
# slow: software draws its pictures; cli_walls.py and cli_view.py open a view under the sanitizers

import re

import cli
from cli import SPACE, check, otok

ENV = {**cli.ENV, "DISPLAY": "", "WAYLAND_DISPLAY": "", "LIBGL_ALWAYS_SOFTWARE": "1", "ASAN_OPTIONS": "detect_leaks=0"}
NUMBERS = ("frames", "frame time", "states", "iterations", "host")

# It rains all the time: how far the run comes is the machine's affair.
text = cli.ISLAND.replace("nx: 96, ny: 64", "nx: 48, ny: 32").replace("spacing: 8", "spacing: 16").replace(", during: [[0, 250]]", "")
scenario = cli.write("view.yaml", re.sub(r"  - {name: seabed(.|\n)*reef: .*\n", "", text.replace("iterations: 400", "iterations: 100000")))
tried = otok("view", scenario, "--headless", "--frames", 1, "-s", "8x8", env=ENV, code=None)
if tried.returncode == 69:
    cli.skip(tried.stderr)


def view(*words):
    """Numbers by name, and (iteration, iterations) at the end."""
    said = otok("view", *words, "--headless", "-s", "160x120", "--picture", SPACE / "view.png", env=ENV).stdout
    found = {n: re.search(rf"^{n} +([0-9.e+]+)", said, re.M) for n in NUMBERS}
    if not check(all(found.values()) and "OpenGL says" not in said, said):
        cli.finish()
    drawn = re.search(r"^drawn  +(.*)", said, re.M).group(1)
    fine, fewer = drawn == "finely, every pixel", re.fullmatch(r"with fewer details, one pixel in (\d+)", drawn)
    if "--fast" in words:
        check(fewer and int(fewer.group(1)) >= 4, drawn)
    else:
        check(not fine or "llvmpipe" not in said if "--rate" in words else fine, drawn)
    end = re.search(r"to iteration (\d+) of (\d+)", said)
    return {n: float(f.group(1)) for n, f in found.items()}, end and tuple(map(int, end.groups()))


def same(checkpoint, *words):
    otok("render", checkpoint, "-o", SPACE / "render.png", "-s", "160x120", "-n", 1, *words, env=ENV)
    pixels = [(SPACE / name).read_bytes().partition(b"IDAT")[2] for name in ("render.png", "view.png")]
    check(pixels[0] and pixels[0] == pixels[1], f"{words}: not the picture of otok render")


numbers, end = view(scenario, "--backend", "cpu", "--frames", 3)
check(numbers["frames"] == 3 and numbers["states"] == 0 and numbers["host"] == 0 and end == (0, 100000), f"at rest: {numbers}, {end}")


def run_beside(*words, frames):
    """With as many frames as it takes until the simulation's thread was on, too."""
    while True:
        numbers, end = view(*words, "--run", "--frames", frames)
        if numbers["states"] > 0 or frames > 10000:
            return numbers, end, frames
        frames *= 4


for backend in ("cpu/3", "cpu"):  # in bands too
    numbers, end, frames = run_beside(scenario, "--backend", backend, "--style", "speed", frames=6)
    check(numbers["frames"] == frames and 1 <= numbers["states"] <= frames and 1 <= numbers["iterations"] <= end[0], f"{backend}: {numbers}, {end}")
    maps = 48 * 32 * 4 * numbers["states"] / frames  # of 4 bytes a cell: terrain and the water's four, fetched and given, and in rare frames the range's three
    check(10 * maps <= numbers["host"] <= 13 * maps, f"{backend}: {numbers}")
end_of_run = 1224  # where a chart's water once showed a bed with the marks of water in files, without them in a window
cli.run(scenario, SPACE / "run", "-q", "--set", f"phases.erosion.iterations={end_of_run}", "--set", "output.every=0")
checkpoint = SPACE / "run" / f"view_{end_of_run:08d}.vtkhdf"

view(scenario, "--frames", 40, "--rate", 1000)  # that is too much for software: coarsely, but not in the picture
numbers, end = view(checkpoint, "--frames", 1)
check(end is None and numbers["frames"] == 1, f"{numbers}, {end}")
same(checkpoint)
view(checkpoint, "--frames", 1, "--fast")  # from the first frame on; what stands still is drawn finely
same(checkpoint)
view(scenario, "--frames", 3, "--fast", "--run")
LAKE = "otok: 1\ngrid: {nx: 48, ny: 32, spacing: 8}\nbase: [{cone: {height: 60, radius: 200, power: 1}}]\ninitial: {water: 3}\n"
lake = cli.write("lake.yaml", LAKE + "phases: [{name: flood, iterations: 20, hydraulic: {dt: 0.1}}]\n")
view(lake, "--frames", 1)
slowly = (SPACE / "view.png").read_bytes()
view(lake, "--frames", 1, "--fast")
check((SPACE / "view.png").read_bytes() == slowly, "the shores of fast pictures stay in the one at rest")
chart = ("--field", "terrain", "--colours", "batlow", "--contours", "5", "--low", -99, "--high", 999)
view(checkpoint, "--frames", 1, *chart)
same(checkpoint, *chart)
speed = ("--style", "speed", "--colours", "otok", "--high", 1e4)
goes_on = (scenario, "--set", f"phases.erosion.iterations={end_of_run}", "--continue", checkpoint)
view(*goes_on, "--frames", 1, *speed)
same(checkpoint, *speed)

# Derived fields, of a file and of a simulation: cells without a value, colours of both kinds, ranges of the water alone.
for field, of in (("aspect", (checkpoint,)), ("curvature", goes_on), ("froude", goes_on), ("drainage_area", (checkpoint,))):
    view(*of, "--frames", 1, "--field", field)
    same(checkpoint, "--field", field)

# Layers: their colours, and their names in the legend, while they wear down.
LAYERS = "layers: [{name: soil, thickness: 2}, {name: tuff, thickness: 20, erodibility: 0.5}, {name: basalt}]\nphases:"
layered = cli.write("layers.yaml", scenario.read_text().replace("phases:", LAYERS).replace("iterations: 100000", "iterations: 300"))
cli.run(layered, SPACE / "layers", "-q", "--set", "output.every=0")
checkpoint = SPACE / "layers" / "layers_00000300.vtkhdf"
for style in ("layers", "island"):
    view(layered, "--continue", checkpoint, "--frames", 1, "--style", style)
    same(checkpoint, "--style", style)
numbers, end, frames = run_beside(layered, "--style", "layers", frames=4)
maps = 48 * 32 * 4 * numbers["states"] / frames  # terrain and two bottoms
check(6 * maps <= numbers["host"] and numbers["states"] > 0, f"{numbers}")
flat = cli.write("flat.yaml", "otok: 1\ngrid: {nx: 8, ny: 8}\nbase: [{constant: {height: 5}}]\nphases: [{name: a, iterations: 3, thermal: {}}]\n")
said = otok("view", flat, "--headless", "--style", "sediment", code=65, env=ENV).stderr
check("no field sediment" in said, said)
said = otok("view", flat, "--headless", "-v", "--frames", 1, "-s", "40x30", "-f", "terrain", "--low", 1000, env=ENV).stdout
check("beyond the values, 5 to 5" in said, said)
said = otok("view", scenario, "--headless", "--style", "layers", code=65, env=ENV).stderr
check("no layers" in said, said)
said = otok("view", flat, "--headless", "--field", "froude", code=65, env=ENV).stderr
check("froude needs water, which this state lacks" in said, said)

for words, code, what in (
    ([scenario, "--picture", "x.png"], 2, "--headless"),
    ([scenario, "--headless", "--frames", "0"], 2, "--frames 0"),
    ([scenario, "--headless", "--frames", "1.5"], 2, "--frames 1.5: not a whole number"),
    ([scenario, "--headless", "-s", "99999x10"], 2, "--size 99999x10"),
):
    said = otok("view", *words, code=code, env=ENV).stderr
    check(what in said, said)
old = otok("view", scenario, "--headless", code=69, env={**ENV, "MESA_GL_VERSION_OVERRIDE": "3.3"}).stderr
check("OpenGL 4.5" in old, old)
cli.finish()
