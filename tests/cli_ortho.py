"""claim: `otok render --ortho` is a map: its scale is the same everywhere, whatever the height; legend, scale bar and small map are beside it,
on paper; no water is drawn over values; north is one colour, and the difference of two aspects goes the short way around; a camera below the ground is raised, and the program tells so; `--exaggeration 3` draws ground as if it
were three times as high."""
# slow: software draws its pictures; cli_drafts.py draws a map under the sanitizers

import math

import cli
from cli import SPACE, check, otok

if "this build" in otok("render", "nothing", code=None).stderr:
    cli.skip("this build has no views")
cli.ENV["ASAN_OPTIONS"] = "detect_leaks=0"  # drivers keep memory to the end
W, H, N, CELL = 480, 400, 64, 5
# Steps of ground, 100 m high on the right; the erodibility tells columns apart: 1, 2, ... from left to right in eight stripes.
heights = [[100.0 if i >= N // 2 else 0.0 for i in range(N)] for _ in range(N)]
stripes = [[1.0 + i * 8 // N for i in range(N)] for _ in range(N)]


def asc(name, rows):
    cli.write(name, f"ncols {N}\nnrows {N}\nxllcorner 0\nyllcorner 0\ncellsize {CELL}\n" + "\n".join(" ".join(map(str, row)) for row in rows) + "\n")


asc("heights.asc", heights)
asc("stripes.asc", stripes)
cli.run(cli.write("a.yaml", f"otok: 1\ngrid: {{nx: {N}, ny: {N}, spacing: {CELL}}}\nbase: [{{raster: {{file: heights.asc}}}}]\n"
                  "erodibility: [{raster: {file: stripes.asc}}]\nphases: [{name: a, iterations: 2, rain: {rate: 1}, hydraulic: {dt: 0.1}}]\n"), SPACE / "run", "-q")
*_, last = sorted((SPACE / "run").glob("*.vtkhdf"))


def render(*words):
    said = otok("render", last, "-o", SPACE / "x.png", "-s", f"{W}x{H}", "-n", 1, *words).stderr
    return cli.png(SPACE / "x.png")[2], said


def at(row, i):
    return tuple(row[3 * i : 3 * i + 3])


rows, said = render("--ortho", "--field", "erodibility", "--hillshade", 0)
middle = rows[H // 2]
white = [i for i in range(W) if at(middle, i) == (255, 255, 255)]
left = next(i for i in range(W) if i not in white)
right = next(i for i in white if i > left) - 1
width = right + 1 - left
tones = []
for k in range(8):  # a cell and a half beside its borders a stripe has its own colour
    first, last_of = (at(middle, round(left + width * (k + part) / 8)) for part in (0.19, 0.81))
    check(max(abs(a - b) for a, b in zip(first, last_of)) <= 3, f"stripe {k}: {first} and {last_of}")
    tones.append(first)
check(min(max(abs(a - b) for a, b in zip(*two)) for two in zip(tones, tones[1:])) > 12, f"stripes are alike: {tones}")
for tone, known in ((tones[0], (1, 25, 89)), (tones[-1], (250, 204, 250))):  # the ends of batlow, under 20 m of water
    check(max(abs(a - b) for a, b in zip(tone, known)) <= 3, f"{tone} is not {known}: water is drawn over values")
check("below the ground" not in said, said)
below = [at(row, i) for row in rows for i in range(right + 2, right + 6)]
check(set(below) == {(255, 255, 255)}, "something lies between map and legend")
charted, _ = render("--ortho", "--field", "erodibility", "--chart", "--map")
full = [row for row in charted if sum(at(row, i) != (255, 255, 255) for i in range(W // 2)) > W // 3]
check(0 < len(full) < H - 30, "the chart lies on the map")
check("--elevation 2 puts the camera below the ground" in render("--elevation", 2, "--distance", 20, "--target", "200,160,90")[1], "a camera in the ground")
check("leave out" in otok("render", last, "-o", SPACE / "x.png", "--ortho", "--distance", 9, code=2).stderr, "--ortho --distance")
check("a.jpg: otok render writes PNG alone" in otok("render", last, "-o", "a.jpg", code=2).stderr, "a.jpg")

# A cone falls to the north on both sides of its middle, at 359 and at 1 degree: what lies between is dark as north is, not light as south.
asc("heights.asc", [[300 - 2 * ((2 * i - N + 1) ** 2 + (2 * j - N + 1) ** 2) ** 0.5 for i in range(N)] for j in range(N)])
otok("base", SPACE / "a.yaml", "-o", SPACE / "cone.vtkhdf")
otok("render", SPACE / "cone.vtkhdf", "-o", SPACE / "x.png", "-s", f"{W}x{H}", "-n", 1, "--ortho", "--field", "aspect", "--hillshade", 0)
_, _, cone = cli.png(SPACE / "x.png")
tops, middle = [k for k, row in enumerate(cone) if at(row, left + width // 2) != (255, 255, 255)], left + width // 2
north, south = ([at(cone[tops[0] + width * part // 8], i) for i in range(middle - 9, middle + 10)] for part in (1, 7))
check(max(max(tone) for tone in north) < 110 and min(min(tone) for tone in south) > 150, f"north {north}, south {south}")
otok("render", SPACE / "cone.vtkhdf", "-o", SPACE / "x.png", "-s", f"{W}x{H}", "-n", 1, "--ortho", "--field", "aspect", "--hillshade", 0, "--colours", "batlow")
_, _, cone = cli.png(SPACE / "x.png")
north = {at(cone[tops[0] + width // 8], i) for i in range(middle - 9, middle + 10)}
ends = ((1, 25, 89), (250, 204, 250))
check(len(north) > 1 and all(min(sum(abs(a - b) for a, b in zip(tone, end)) for end in ends) < 60 for tone in north), f"between 359 and 1 degree: {north}")

# Planes that fall at 359 and at 1 degree differ by 2 degrees, not by 358.
for name, turn in ("left", -1), ("right", 1):
    fall = [math.sin(math.radians(turn)), math.cos(math.radians(turn))]
    asc("heights.asc", [[900 - fall[0] * i * CELL - fall[1] * (N - j) * CELL for i in range(N)] for j in range(N)])
    otok("base", SPACE / "a.yaml", "-o", SPACE / f"{name}.vtkhdf")
tones = []
for most in 2.2, 4:
    otok("render", SPACE / "right.vtkhdf", "--minus", SPACE / "left.vtkhdf", "-o", SPACE / "x.png", "-s", f"{W}x{H}", "-n", 1, "--ortho", "-f", "aspect", "--high", most)
    tones.append(at(cli.png(SPACE / "x.png")[2][tops[0] + width // 2], middle))
check(tones[0] != tones[1] and tones[0][0] > tones[0][2], f"2 degrees as a share of 2.2 and of 4, in red: {tones}")

# Heights three times as high, in the file and by the option, from the same place.
views = {}
for name, factor, words in ("plain", 1, ()), ("high", 3, ()), ("option", 1, ("--exaggeration", 3)):
    asc("heights.asc", [[factor * h / 4 for h in row] for row in heights])
    otok("base", SPACE / "a.yaml", "-o", SPACE / "base.vtkhdf")
    otok("render", SPACE / "base.vtkhdf", "-o", SPACE / "x.png", "-s", f"{W}x{H}", "-n", 1, "--style", "phong", "--sea", "none", "--target", "200,160,0", "--distance",
         700, *words)
    views[name] = b"".join(cli.png(SPACE / "x.png")[2])


def apart(one, other):
    return sum(abs(a - b) for a, b in zip(views[one], views[other])) / len(views[one])


check(apart("high", "option") < 0.5 < 2 < apart("plain", "option"), f"{apart('high', 'option')}, {apart('plain', 'option')}")
check("leave out" in otok("render", last, "-o", SPACE / "x.png", "--exaggeration", 2, "--ortho", code=2).stderr, "--exaggeration --ortho")
cli.finish()
