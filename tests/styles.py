"""Claim: every style of a small island is drawn as it was: tests/references/STYLE.png, by a measure that forgives what another driver
rounds differently. `python3 tests/styles.py PATH_TO_OTOK [--renew]`; --renew draws the references anew: look at them before they are kept.

Two pictures are alike where their structure is (SSIM of the lightness, 1: equal) and their colours are (mean CIEDE2000, 1: the least
difference that a trained eye sees). What another driver rounds differently is less than other samples of the pixels or another mesh make,
which must pass; that the test can fail is part of it: no style passes for another one, nor an island with another sun, sea, colour scale or
side for the one that is kept."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from skimage import color, io, metrics

LEAST, MOST = 0.95, 1.0  # SSIM, mean CIEDE2000
REFERENCES = pathlib.Path(__file__).parent / "references"
SIZE = ["--size", "256x168", "--samples", "4"]
SCENARIO = """otok: 1
title: The island of the reference pictures
seed: 7
grid: {nx: 96, ny: 64, spacing: 8}
sea: {level: 30}
base:
  - cone: {height: 160, radius: 250, power: 1.3}
  - power_blend: {strength: 0.45, reference: 150, with: [{simplex: {octaves: 6, wavelength: 240}}]}
  - crater: {level: 126}
layers: [{name: soil, thickness: 2}, {name: tuff, thickness: 20, erodibility: 0.5}, {name: basalt}]
phases:
  - name: erosion
    iterations: 200
    rain: {rate: 0.005}
    hydraulic: {dt: 0.1, pipe_area: 2.5, capacity: 0.3, dissolve: 0.04, deposit: 0.1, evaporation: 0.05}
    thermal: {dt: 0.05, talus: 38}
  - {name: seabed, iterations: 40, seabed: {}}
  - {name: reef, iterations: 500, reef: {dt: 0.01, absorption: 0.12, calcification: 25, uptake: 4, min_depth: 0.3}}
"""
RIVER = """otok: 1
title: The river of the reference picture
seed: 3
grid: {nx: 96, ny: 64, spacing: 4}
sea: {level: -100}
edges: {right: open}
base:
  - simplex: {octaves: 5, wavelength: 200, amplitude: 8}
  - cone: {height: 40, radius: 500, power: 1, x: 0, y: 128, combine: add}
phases:
  - name: river
    iterations: 1000
    rivers: [{x: 60, y: 128, radius: 10, discharge: 500}]
    hydraulic: {dt: 0.1, pipe_area: 2, capacity: 0.5, dissolve: 0.05, deposit: 0.05, evaporation: 0.002}
"""
ROAD = ["--from", "250,150", "--to", "520,330", "--step", "2"]
BANK = ["-e", "90", "-a", "180", "--target", "140,370", "--distance", "260"]  # where water stands around the island
STYLES = {
    "island": ["--elevation", "14"],
    "fast": ["--elevation", "14", "--fast"],
    "glitter": ["--elevation", "9", "--azimuth", "105"],  # towards the sun
    "block": ["--block", "--sea", "none", "--map", "--sun", "40,12"],  # against the sun
    "water": ["--style", "water"],
    "sediment": ["--style", "sediment"],
    "speed": ["--style", "speed"],
    "velocity_x": ["--style", "velocity_x", "--low", "-2", "--high", "2", *BANK],
    "velocity_y": ["--style", "velocity_y", "--low", "-2", "--high", "2", *BANK],
    "field": ["--field", "reef"],
    "phong": ["--style", "phong"],
    "wireframe": ["--style", "wireframe"],
    "layers": ["--style", "layers"],
    "vik": ["--field", "terrain_change", "--colours", "vik", "--contours", "20", "--chart"],
    "oleron": ["--field", "terrain", "--colours", "oleron", "--low", "-100", "--high", "160", "--hillshade", "0.5", "-e", "90", "-a", "180", "--distance", "700"],
}
RIVERS = {
    "river": ["--elevation", "35"],
    "river_phong": ["--elevation", "35", "--style", "phong"],
}
# Other than the reference, as a changed shader would be.
CHANGED = {
    "the sun from the other side": ("island", ["--elevation", "14", "--sun", "105,38"]),
    "a murky sea": ("island", ["--elevation", "14", "--absorption", "1"]),
    "a clear sea": ("island", ["--elevation", "14", "--absorption", "0.02"]),
    "another level of the sea": ("island", ["--elevation", "14", "--sea", "24"]),
    "other colours": ("field", ["--field", "reef", "--high", "20"]),
    "a colour map for another one": ("vik", ["--field", "terrain_change", "--colours", "cork", "--contours", "20", "--chart"]),
    "no light and shade": ("oleron", [*STYLES["oleron"], "--hillshade", "0"]),
    "another side": ("phong", ["--style", "phong", "--azimuth", "190"]),
}
# The same picture otherwise made, on the same device.
SAME = {
    "16 samples": ("island", ["--samples", "16"]),
    "5 samples": ("glitter", ["--samples", "5"]),
    "a coarser mesh": ("phong", ["--tessellation", "12"]),
}
failures = 0


def check(condition, text):
    global failures
    if not condition:
        failures += 1
        print(f"styles.py: {text}", file=sys.stderr)


def likeness(a, b):
    """SSIM of the lightness, and the mean difference of the colours, of pictures in CIE Lab."""
    ssim = metrics.structural_similarity(a[..., 0], b[..., 0], data_range=100, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)
    return ssim, float(np.mean(color.deltaE_ciede2000(a, b)))


def read(path):
    return color.rgb2lab(io.imread(path)[..., :3])


def alike(a, b):
    ssim, colours = likeness(a, b)
    return ssim >= LEAST and colours <= MOST, f"SSIM {ssim:.3f} (at least {LEAST}), CIEDE2000 {colours:.2f} (at most {MOST})"


def main(otok, renew):
    with tempfile.TemporaryDirectory() as space:
        space = pathlib.Path(space)
        (space / "small.yaml").write_text(SCENARIO)
        subprocess.run([otok, "run", space / "small.yaml", "-o", space, "-q", "--backend", "cpu"], check=True, stdout=subprocess.DEVNULL)
        state = space / "road.vtkhdf"
        subprocess.run([otok, "road", sorted(space.glob("*.vtkhdf"))[-1], *ROAD, "-o", state], check=True, stdout=subprocess.DEVNULL)

        (space / "river.yaml").write_text(RIVER)
        subprocess.run([otok, "run", space / "river.yaml", "-o", space / "river", "-q", "--backend", "cpu"], check=True, stdout=subprocess.DEVNULL)
        before, river = sorted((space / "river").glob("*.vtkhdf"))

        def draw(options, path=space / "x.png", state=state):
            done = subprocess.run([otok, "render", state, "-o", path, *SIZE, *options], capture_output=True, text=True)
            if done.returncode == 69:
                print(f"skipped: {done.stderr.strip()}")
                sys.exit(77)
            if done.returncode:
                sys.exit(f"styles.py: otok render {' '.join(options)}: {done.stderr.strip()}")
            return read(path)

        drawn = {style: draw(options, REFERENCES / f"{style}.png" if renew else space / "x.png") for style, options in STYLES.items()}
        rivers = {style: draw(options, REFERENCES / f"{style}.png" if renew else space / "x.png", river) for style, options in RIVERS.items()}
        if renew:
            return
        kept = {style: read(REFERENCES / f"{style}.png") for style in STYLES}
        for style in STYLES:
            same, words = alike(drawn[style], kept[style])
            check(same, f"{style} is not drawn as its reference: {words}")
            for other in STYLES:
                passes, words = alike(drawn[style], kept[other])
                check(other == style or not passes, f"{style} passes for {other}: {words}")
        for style, options in RIVERS.items():
            reference = read(REFERENCES / f"{style}.png")
            same, words = alike(rivers[style], reference)
            check(same, f"{style} is not drawn as its reference: {words}")
            same, words = alike(draw(options, state=before), reference)
            check(not same, f"{style}, before there is water, passes for the reference: {words}")
        for name, (style, options) in SAME.items():
            same, words = alike(draw(STYLES[style] + options), drawn[style])
            check(same, f"{style}, {name}: {words}")
        for name, (style, options) in CHANGED.items():
            same, words = alike(draw(options), kept[style])
            check(not same, f"{style}, {name}, passes for the reference: {words}")
        refused = subprocess.run([otok, "render", state, "-o", space / "x.png", "--colours", "batlou"], capture_output=True, text=True)
        check(refused.returncode == 2 and "`batlow`" in refused.stderr, refused.stderr)
        sea = draw(["--size", "100x750", "--samples", "5", "--target", "1000,-200", "--distance", "700"])
        step = max(np.abs(a - b).max() for a, b in ((sea[:, 0], sea[:, 1]), (sea[:, -1], sea[:, -2]), (sea[-1], sea[-2])))
        check(step < 10, f"the sea ends before the picture does: a step of {step:.0f} in CIE Lab at its border")
    sys.exit(1 if failures else 0)


main(sys.argv[1], "--renew" in sys.argv[2:])
