#!/usr/bin/env python3
"""Writes src/core/colours.inc from the tables that the packages cmcrameri and cmocean publish: `colours.py FOLDER > src/core/colours.inc`, where FOLDER
holds both packages unpacked (`pip download --no-deps cmcrameri cmocean`, `unzip`). 64 of their 256 colours are kept; between them the program
goes straight on, which differs from the published ones by less than is said at each map, in steps of 255."""
import pathlib
import sys

CRAMERI = {"batlow": "SEQUENTIAL", "lapaz": "SEQUENTIAL", "devon": "SEQUENTIAL", "grayC": "SEQUENTIAL", "vik": "DIVERGING", "cork": "DIVERGING",
           "oleron": "TOPOGRAPHY", "vikO": "CYCLIC"}
CMOCEAN = {"thermal": "SEQUENTIAL", "haline": "SEQUENTIAL", "deep": "SEQUENTIAL", "matter": "SEQUENTIAL", "speed": "SEQUENTIAL",
           "balance": "DIVERGING", "delta": "DIVERGING", "topo": "TOPOGRAPHY"}
KEPT = 64


def read(path):
    return [tuple(map(float, line.split())) for line in path.read_text().splitlines() if line.strip()]


def between(colours, x):
    i = min(int(x), len(colours) - 2)
    return [a + (x - i) * (b - a) for a, b in zip(colours[i], colours[i + 1])]


def shown(kind, kept, x):
    """As the program does it: no colour lies between sea and land."""
    coast = kind == "TOPOGRAPHY" and int(x) == KEPT // 2 - 1
    return kept[round(x)] if coast else between(kept, x)


def row(name, kind, colours):
    kept = [tuple(round(255 * c) for c in between(colours, 255 * i / (KEPT - 1))) for i in range(KEPT)]
    error = max(abs(255 * a - b) for i in range(256) for a, b in zip(colours[i], shown(kind, kept, i * (KEPT - 1) / 255)))
    text = "".join("%02x%02x%02x" % c for c in kept)
    lines = [text[i : i + 96] for i in range(0, len(text), 96)]
    body = "\n".join(f'     "{line}"' for line in lines)
    print(f'/* {error:.1f} */ {{"{name}", {kind},\n{body}}},')


folder = pathlib.Path(sys.argv[1])
print("/* Made by colours.py. */")
for name, kind in CRAMERI.items():
    row(name, kind, read(folder / "cmcrameri" / "cmaps" / f"{name}.txt"))
for name, kind in CMOCEAN.items():
    row(name, kind, read(folder / "cmocean" / "rgb" / f"{name}-rgb.txt"))
