"""claim: `otok view` makes a video of every state that it shows, as large as its window and whole when M, a closed window or a signal
ends it; without ffmpeg it makes numbered pictures and says so; the status says that it records; and the run's bits are `otok run`'s."""

# slow: software draws its frames
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import cli
from cli import SPACE, check, otok

if "this build" in otok("view", "nothing", code=None).stderr:
    cli.skip("this build has no window")
if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
    cli.skip("no ffmpeg here")

import screen  # noqa: E402 skips where there is no Xvfb

text = cli.ISLAND.replace("nx: 96, ny: 64", "nx: 48, ny: 32").replace("spacing: 8", "spacing: 16").replace(", during: [[0, 250]]", "")
scenario = cli.write("video.yaml", re.sub(r"  - {name: seabed(.|\n)*reef: .*\n", "", text))
W, H = 241, 180  # a video's sides are even


def open_view(folder, env={}):
    return screen.View(scenario, "--backend", "cpu", "-o", folder, "-s", f"{W}x{H}", env=env)


def key(view, name, words):
    before = len(view.text())
    screen.hand("key", name)
    check(view.says(words, before), f"{name}: no '{words}' in: {view.text()}")


def step(view):
    before = view.iteration()
    screen.hand("key", "n")
    check(view.comes(lambda: view.iteration() > before), f"n: {view.title()}")


def film(view, steps):
    view.shows("iteration 0 of")
    view.settle(lambda: screen.screen(W - 1, H))
    key(view, "m", "recording ")
    for _ in range(steps):
        step(view)
    view.settle(lambda: screen.screen(W - 1, H))


def frames(path):
    words = ["-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames,width,height", "-of", "json", path]
    done = subprocess.run(["ffprobe", *map(str, words)], capture_output=True, text=True)
    found = json.loads(done.stdout or "{}").get("streams") or [{}]
    check(not done.stderr and found[0].get("width") == W - 1 and found[0].get("height") == H, f"{path}: {found} {done.stderr}")
    return int(found[0].get("nb_read_frames", 0))


def leaves(folder, *names):
    check(sorted(os.listdir(folder)) == sorted(names), f"{folder}: {os.listdir(folder)}")


# M begins and ends: a picture at the beginning and one for each state; the state's bits are those of `otok run`.
folder = SPACE / "key"
folder.mkdir()
view = open_view(folder)
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)
film(view, 3)
screen.hand("key", "p")
check(view.says(".png"), view.text())
key(view, "m", "saved ")
check("4 pictures" in view.text(), view.text()[-300:])
key(view, "k", ".vtkhdf")
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())
leaves(folder, "video_00000000.mp4", "video_00000003.png", "video_00000003.vtkhdf")
check(frames(folder / "video_00000000.mp4") == 4, f"{frames(folder / 'video_00000000.mp4')} pictures")
cli.run(scenario, SPACE / "run", "-q", "--set", "phases.erosion.iterations=3", "--set", "output.every=0")
prints = [
    re.search(r"fingerprint\W+([0-9a-f]{16})", otok("inspect", p).stdout).group(1)
    for p in (folder / "video_00000003.vtkhdf", SPACE / "run" / "video_00000003.vtkhdf")
]
check(prints[0] == prints[1], f"recorded: {prints[0]}, otok run: {prints[1]}")

# A window that is closed, and a signal, end a video that is whole.
for name, end in ("closed", lambda view: view.close()), ("signal", lambda view: (view.process.send_signal(signal.SIGTERM), view.process.wait(60))):
    folder = SPACE / name
    folder.mkdir()
    view = open_view(folder)
    film(view, 2)
    end(view)
    leaves(folder, "video_00000000.mp4")
    check(frames(folder / "video_00000000.mp4") == 3, f"{name}: {frames(folder / 'video_00000000.mp4')} pictures: {view.text()[-300:]}")

# Without ffmpeg.
folder = SPACE / "pictures"
folder.mkdir()
(SPACE / "bare").mkdir()
view = open_view(folder, {"PATH": str(SPACE / "bare")})
film(view, 2)
check("no ffmpeg here" in view.text(), view.text()[-300:])
key(view, "m", "3 pictures")
check(view.close() == 0, view.text())
leaves(folder, "video_00000000_video")
leaves(folder / "video_00000000_video", *(f"{n:05d}.png" for n in range(3)))
check(screen.png(folder / "video_00000000_video" / "00002.png")[:2] == (W - 1, H), "the pictures have another size")
cli.finish()
