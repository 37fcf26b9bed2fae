"""claim: `--materials` gives the island's materials a user's own colours and pictures, and what is no such file is refused by name, line and
remedy before anything is drawn: a red picture of rock makes rock red and leaves sand as it is, pixel by pixel; a colour moves a picture's mean;
a picture is upright on cliffs; JPEG is read as PNG is; movie and view take the file, too; the how-to has the rows of the table."""
# slow: software draws pictures

import base64
import pathlib
import re
import zlib

import cli
from cli import SPACE, check, otok

cli.ENV["ASAN_OPTIONS"] = "detect_leaks=0"  # drivers keep memory to the end
HERE = pathlib.Path(__file__).parent
W, H = 200, 140

# A beach that rises slowly out of the sea in the west, and a cliff in the east.
heights = [[2 + 0.02 * i if i < 40 else 3 + 9 * min(i - 40, 8) for i in range(64)] for _ in range(64)]
cli.write("coast.asc", "ncols 64\nnrows 64\nxllcorner 0\nyllcorner 0\ncellsize 4\n" + "\n".join(" ".join(map(str, row)) for row in heights) + "\n")
coast = cli.write("coast.yaml", "otok: 1\ngrid: {nx: 64, ny: 64, spacing: 4}\nsea: {level: 2.4}\nbase: [{raster: coast.asc}]\n")
otok("base", coast, "-o", SPACE / "coast.vtkhdf")
STATE = SPACE / "coast.vtkhdf"
VIEW = ("-s", f"{W}x{H}", "-n", 1, "--azimuth", 270, "--elevation", 35, "--clouds", 0)
first = otok("render", STATE, "-o", SPACE / "usual.png", *VIEW, code=None)
if first.returncode == 69:
    cli.skip("this build or machine draws nothing")


def draw(text, *more):
    """The pixels of a picture with these materials, row by row from the top."""
    words = ("--materials", cli.write("materials.yaml", text)) if text else ()
    otok("render", STATE, "-o", SPACE / "drawn.png", *words, *VIEW, *more)
    return [tuple(row[i : i + 3]) for row in cli.png(SPACE / "drawn.png")[2] for i in range(0, 3 * W, 3)]


def changed(a, b):
    return {n for n in range(W * H) if max(abs(p - q) for p, q in zip(a[n], b[n])) > 6}


def mean(pixels, where):
    return [sum(pixels[n][k] for n in where) / max(len(where), 1) for k in range(3)]


# Colours, and pictures in their place.
usual = draw("")
sand = changed(usual, draw("sand: {colour: [0, 0, 1]}\n"))
stone = changed(usual, draw("rock: {colour: [0, 0, 1]}\n")) - sand
check(len(sand) > 500 and len(stone) > 500, f"{len(sand)} pixels of sand and {len(stone)} of rock alone")
cli.png_write(SPACE / "red.png", 7, 5, lambda i, j: (230, 40, 30) if (i + j) % 2 else (190, 30, 20))
red = draw("rock: {texture: red.png}\n")
before, after = mean(usual, stone), mean(red, stone)
check(after[0] > 1.6 * after[1] and after[0] > before[0] and before[0] < 1.3 * before[1], f"rock: {before}, red {after}")
pure = sand - changed(usual, draw("rock: {colour: [1, 1, 1]}\n"))
check(len(pure) > 500 and all(red[n] == usual[n] for n in pure), f"{sum(red[n] != usual[n] for n in pure)} of {len(pure)} pixels of sand differ")
green = mean(draw("rock: {texture: red.png, colour: [0.2, 0.5, 0.2]}\n"), stone)
check(green[1] > 1.3 * green[0] and green[1] > 1.3 * green[2], f"a picture with a green mean: {green}")
check(draw("rock: {colour: '#6b635a'}\n") == usual, "rock in its usual colour differs")
left = pure - changed(draw("sand: {texture: red.png}\n"), usual)
check(len(left) < 0.05 * len(pure), f"a picture of sand leaves {len(left)} of {len(pure)} pixels as they are")

# Upright: black below, white above, once along the height of the cliff, 72 m. Finer by its own tiling.
cli.png_write(SPACE / "stripes.png", 16, 16, lambda i, j: (250, 250, 250) if j < 8 else (5, 5, 5))
wide = draw("rock: {texture: stripes.png, tiling: 0.17}\n")
cliff = sorted(stone)
upper, lower = (sum(mean(wide, part)) for part in (cliff[: len(cliff) // 3], cliff[-len(cliff) // 3 :]))
check(upper > 1.5 * lower, f"white above, black below: {upper:.0f} above, {lower:.0f} below")
check(len(changed(wide, draw("rock: {texture: stripes.png, tiling: 0.68}\n"))) > 500, "the tiling of a picture changes nothing")

# JPEG.
jpeg = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGB"
    "YUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAI"
    "AAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABwn/xA"
    "AUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCVABxQB//Z"
)
(SPACE / "red.jpg").write_bytes(jpeg)
cli.png_write(SPACE / "same.png", 8, 8, lambda i, j: (230, 40, 30))
done = otok("render", STATE, "-o", SPACE / "j.png", "--materials", cli.write("j.yaml", "rock: {texture: red.jpg}\n"), *VIEW, code=None)
if done.returncode == 65 and "reads no others" in done.stderr:
    jpeg = None
else:
    check(done.returncode == 0, done.stderr)
    other = draw("rock: {texture: same.png}\n")
    like = [tuple(row[i : i + 3]) for row in cli.png(SPACE / "j.png")[2] for i in range(0, 3 * W, 3)]
    check(not changed(like, other), f"{len(changed(like, other))} pixels of JPEG differ from PNG")

# What is refused. Paths start from the folder of the file.
(SPACE / "short.png").write_bytes((SPACE / "stripes.png").read_bytes()[:60])
(SPACE / "short.jpg").write_bytes((jpeg or b"\xff\xd8\xff")[:-40])
big = bytearray((SPACE / "red.png").read_bytes())
big[16:20] = (100000).to_bytes(4, "big")
big[29:33] = zlib.crc32(big[12:29]).to_bytes(4, "big")
(SPACE / "big.png").write_bytes(big)
(SPACE / "words.png").write_text("no picture at all")
bad = [
    ("rocks: {texture: red.png}\n", 65, ["bad.yaml:1", "rocks", "rock"]),
    ("rock: {texture: red.png}\nsand: {color: [1, 1, 1]}\n", 65, ["bad.yaml:2", "sand.color", "colour"]),
    ("rock: {colour: [1, 1, 1.5]}\n", 65, ["bad.yaml:1", "rock.colour", "1.5", "at most 1"]),
    ("rock: {colour: [1, 1]}\n", 65, ["rock.colour", "0 to 1"]),
    ("rock:\n  colour: #ff0000\n", 65, ["bad.yaml:2", "rock.colour", "in quotes"]),
    ("rock: {texture: red.png, tiling: 0}\n", 65, ["rock.tiling", "at least 0.02"]),
    ("rock: {colour: [1, 1, 1], tiling: 2}\n", 65, ["rock.tiling", "leave it out"]),
    ("rock: {tiling: 2}\n", 65, ["rock", "colour", "texture"]),
    ("rock: {texture: [1]}\n", 65, ["rock.texture", "a list"]),
    ("rock: 3\n", 65, ["rock", "group"]),
    ("", 65, ["bad.yaml", "rock: {texture: rock.png}"]),
    ("rock: {texture: no.png}\n", 74, ["bad.yaml:1", "rock.texture", "no.png"]),
    ("rock: {texture: .}\n", 74, ["rock.texture"]),
    ("rock: {texture: short.png}\n", 65, ["short.png", "damaged"]),
    ("rock: {texture: short.jpg}\n", 65, ["short.jpg"]),
    ("rock: {texture: big.png}\n", 65, ["big.png", "100000 x 5", "8192"]),
    ("rock: {texture: words.png}\n", 65, ["words.png", "convert"]),
]
for text, code, words in bad:
    name = cli.write("bad.yaml", text)
    said = otok("render", STATE, "-o", SPACE / "no.png", "--materials", name, code=code).stderr
    check(all(word in said for word in words) and "\n" not in said.strip(), f"{text!r}: {said}")
    check(not (SPACE / "no.png").exists(), f"{text!r}: drew a picture")
otok("render", STATE, "-o", SPACE / "no.png", "--materials", SPACE / "none.yaml", code=74)
otok("movie", STATE, "-o", SPACE / "no_%05d.png", "--materials", name, code=65)
otok("view", STATE, "--headless", "--frames", 1, "--materials", name, code=65)
check(not list(SPACE.glob("no*.png")), "a command drew a picture")


# Others draw it, too.
def reds(path):
    width, _, rows = cli.png(path)
    return sum(row[i] > 1.6 * max(row[i + 1], row[i + 2], 25) for row in rows for i in range(0, 3 * width, 3))


for words, file in (
    (("movie", STATE, "-q", "-o", SPACE / "m_%05d.png", "-s", "80x60", "-n", 1), "m_00000.png"),
    (("view", STATE, "--headless", "--frames", 1, "--picture", SPACE / "w.png", "-s", "80x60"), "w.png"),
    (("view", STATE, "--headless", "--fast", "--rate", 1000, "--frames", 1, "--picture", SPACE / "f.png", "-s", "80x60"), "f.png"),
):
    counts = []
    for more in (), ("--materials", cli.write("red.yaml", "rock: {texture: red.png}\n")):
        otok(*words, *more)
        counts.append(reds(SPACE / file))
    check(counts[1] > counts[0] + 50, f"{words[0]} {file}: {counts} red pixels")

# The how-to and --help name what the table has.
table = re.findall(r'^OTOK_MATERIAL\([A-Z]+, ([a-z]+), 0x([0-9a-f]{6}), ([0-9]+), "(.*)"\)$', (HERE / "../viz/materials.def").read_text(), re.M)
page, said = (HERE / "../experiments/README.md").read_text(), otok("render", "--help").stdout
check(len(table) >= 9, table)
for name, colour, repeats, about in table:
    check(f"| `{name}` | `#{colour}` | {repeats} | {about} |" in page, f"experiments/README.md lacks | `{name}` | `#{colour}` | {repeats} | {about} |")
    check(re.search(rf"\b{name}\b", said), f"otok render --help lacks {name}")
cli.finish()
