"""Claim: `otok movie` draws a series as `otok render` draws each checkpoint, with colours of the whole series, turns the eye, has ffmpeg
make a video of it that decodes to the same pictures, and leaves a whole file or none; what is missing or wrong is said."""
# slow: software draws its pictures; cli_ended.py and cli_foreign.py make a movie under the sanitizers
import math
import shutil
import signal

from cli import *

if not shutil.which("ffmpeg"):
    skip("no ffmpeg here (Debian: ffmpeg)")
ENV["ASAN_OPTIONS"] = "detect_leaks=0"  # drivers keep memory to the end
SIZE = (96, 60)
SMALL = ["--size", "96x60", "--samples", 1, "--quiet"]
runs = SPACE / "runs"
run(write("island.yaml", ISLAND), runs, "-q", "--set", "grid.nx=48", "--set", "grid.ny=32", "--set", "grid.spacing=16")
steps = sorted(runs.glob("*.vtkhdf"))[4:0:-1]  # from more water to less
series = ["--field", "water", *SMALL]
drawn = otok("render", steps[-1], "-o", SPACE / "probe.png", "--size", "96x60", "-n", 1, code=None)
if drawn.returncode == 69:
    skip(drawn.stderr.strip())


def movie(*args, code=0, says=(), **more):
    done = otok("movie", *args, code=code, **more)
    for words in says:
        check(words in done.stderr, f"otok movie {' '.join(map(str, args))}: no '{words}' in: {done.stderr.strip()}")
    return done


def pixels(file):
    """All pictures of a file as bytes of red, green and blue."""
    words = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", str(file), "-vf", "scale=in_color_matrix=bt709", "-f", "rawvideo"]
    raw = subprocess.run([*words, "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
    size = 3 * SIZE[0] * SIZE[1]
    return [raw[i : i + size] for i in range(0, len(raw), size)]


def difference(a, b):
    """Mean, in steps of 255."""
    return sum(abs(x - y) for x, y in zip(a, b)) / len(a)


# Pictures: those of `otok render` with the range of the series and the camera of its last checkpoint, which is everyone's.
frames = SPACE / "frames"
frames.mkdir()
movie(*steps, "-o", frames / "f_%03d.png", *series)
made = sorted(frames.iterdir())
check([f.name for f in made] == [f"f_{i:03}.png" for i in range(4)], f"{made}")
def most(step):
    """The value that 99.5 % of the cells stay below."""
    otok("export", step, "-o", SPACE / "water.asc", "--field", "water")
    cells = sorted(float(word) for line in (SPACE / "water.asc").read_text().splitlines()[6:] for word in line.split())
    return cells[math.ceil(0.995 * len(cells)) - 1]


def round_up(high):
    """The end of colours from 0 on."""
    power = 10 ** math.floor(math.log10(high / 8))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power >= high / 8 * (1 - 1e-9))
    return step * math.ceil(high / step - 1e-9)


high, seen = round_up(max(map(most, steps))), round_up(most(steps[-1]))
check(seen < 0.99 * high, "the last checkpoint has the range of the series: the test shows nothing")
for end, same in [(high, True), (seen, False)]:
    movie(*steps, "-o", frames / "h_%03d.png", *series, "--low", 0, "--high", end)
    off = difference(pixels(frames / "h_003.png")[0], pixels(made[-1])[0])
    check((off == 0) == same, f"colours to {end}: differs from the movie's picture by {off}")
otok("render", steps[-1], "-o", SPACE / "one.png", *series[:-1], "--low", 0, "--high", 1e3)
movie(*steps, "-o", frames / "h_%03d.png", *series, "--low", 0, "--high", 1e3)
check(difference(pixels(SPACE / "one.png")[0], pixels(frames / "h_003.png")[0]) == 0, "not the picture of otok render")

# Waves run, here for a second, while checkpoints stay the same; the first picture is that of `otok render`.
near = ["--sea", 60, "--elevation", 20, "--distance", 500, *SMALL[:-1]]
movie(steps[0], steps[0], "-o", frames / "w_%d.png", *near, "--rate", 1, "--quiet")
otok("render", steps[0], "-o", SPACE / "one.png", *near)
first, second = [pixels(f)[0] for f in sorted(frames.glob("w_*.png"))]
check(difference(pixels(SPACE / "one.png")[0], first) == 0, "the first picture of a movie is not that of render")
check(difference(first, second) > 0, "waves do not move in a movie")

# A video of the same, turned: decoded, its pictures are those.
movie(runs / "island.vtkhdf.series", "-o", SPACE / "all.mkv", *SMALL, "--copies", 1, "--rate", 10)
movie(*steps, "-o", SPACE / "turned.mp4", *series, "--copies", 3, "--turn", 180)
movie(*steps, "-o", frames / "t_%02d.png", *series, "--copies", 3, "--turn", 180)
video, turned = pixels(SPACE / "turned.mp4"), [pixels(f)[0] for f in sorted(frames.glob("t_*.png"))]
check(len(video) == len(turned) == 12, f"{len(video)} pictures in the video, {len(turned)} files, not 12")
worst = max(difference(a, b) for a, b in zip(video, turned))
check(worst < 6, f"a picture of the video differs from the file by {worst:.2f} of 255")  # 3.5 seen: colours at half the resolution; the next one: 8.3
check(difference(turned[0], turned[11]) > 8, "the eye did not turn")  # 8.4 seen after 165 degrees; without a turn 2.7 between two checkpoints
asked = subprocess.run(
    ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height,r_frame_rate,nb_read_frames", "-count_frames", "-of", "csv=p=0", str(SPACE / "all.mkv")],
    capture_output=True,
    text=True,
).stdout.strip()
check(asked == f"h264,96,60,10/1,{len(list(runs.glob('*.vtkhdf')))}", f"ffprobe: {asked}")

movie(steps[0], "-o", "day:1.mp4", *SMALL, cwd=SPACE)
check((SPACE / "day:1.mp4").exists(), "a name with a colon: no video")

# The run prunes meanwhile: a checkpoint that goes before the colours are settled, or once pictures are drawn, is left out.
for n in (3, 2 * len(list(runs.glob("*.vtkhdf"))) + 3):
    pruned = SPACE / f"pruned{n}"
    shutil.copytree(runs, pruned)
    before = len(list(pruned.glob("*.vtkhdf")))
    movie(pruned, "-o", frames / f"p{n}_%02d.png", *SMALL, says=[f"the other {before - 1} are used"], env=preloaded(pruned, "read", n, 1))
    made = sorted(frames.glob(f"p{n}_*.png"))
    check(len(made) == before - 1 == len(list(pruned.glob("*.vtkhdf"))), f"opened as number {n}: {len(made)} pictures of {before} checkpoints")

# What is missing or wrong.
never = SPACE / "never.mp4"
bare = SPACE / "bare"
bare.mkdir()
movie(*steps, "-o", never, *series, code=69, says=["ffmpeg, which makes", "is not installed", "Debian: ffmpeg"], env={"PATH": str(bare)})
(bare / "ffmpeg").write_text("#!/bin/sh\nexit 3\n")
(bare / "ffmpeg").chmod(0o755)
movie(*steps, "-o", never, *series, code=74, says=["never.mp4", "exit 3"], env={"PATH": f"{bare}:{os.environ['PATH']}"})
movie("-o", never, code=2, says=["checkpoints"])
movie(runs, code=2, says=["-o"])
movie(runs, "-o", SPACE / "never.gif", code=2, says=["never.gif", ".mp4"])
for bad in ["never.png", "%s.png", "%d_%d.png", "%123d.png", "%05x.png"]:
    movie(runs, "-o", SPACE / bad, code=2, says=[bad, "%05d"])
movie(runs, "-o", never, "--size", "97x60", code=2, says=["97x60", "even"])
movie(runs, "-o", never, "--copies", 0, code=2, says=["--copies 0"])
movie(runs, "-o", never, "--copies", 1.7, code=2, says=["--copies 1.7: not a whole number"])
movie(runs, "-o", never, "--samples", 2.5, code=2, says=["--samples 2.5: not a whole number"])
movie(runs, "-o", never, "--rate", "fast", code=2, says=["--rate fast"])
movie(runs, "-o", never, *SMALL, "--field", "lava", code=65, says=["lava"])
movie(bare, "-o", never, code=65, says=["bare", "no checkpoints"])
movie(runs, "-o", SPACE / "no" / "x.mp4", *SMALL, code=74, says=["no/x.mp4"])
otok("run", SPACE / "island.yaml", "-o", SPACE / "other", "-q", "--set", "grid.nx=40", "--set", "grid.ny=40", "--set", "phases.erosion.iterations=250")
movie(steps[0], sorted((SPACE / "other").glob("*.vtkhdf"))[0], "-o", never, *SMALL, code=65, says=["need the same grid"])
ended = subprocess.Popen([OTOK, "movie", str(runs), "-o", str(never), "--size", "640x480", "--copies", "1000", "--turn", "90"], env=ENV, stderr=subprocess.DEVNULL)
check(wait_for(lambda: left_over(SPACE)), "no temporary file while a movie is made")
ended.send_signal(signal.SIGTERM)
check(ended.wait(LIMIT) == -signal.SIGTERM, f"ended by {ended.returncode}")
check(not never.exists() and not left_over(SPACE), "a movie that was not made left a file")
finish()
