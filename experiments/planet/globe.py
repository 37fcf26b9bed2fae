#!/usr/bin/env python3
"""Draws a planet as a globe, from both sides: sea, land and light by height and slope.

usage: globe.py CHECKPOINT OUT.jpg [LONGITUDE]      needs numpy, scipy, h5py and Pillow
"""
import sys

import h5py
import numpy
from PIL import Image
from scipy.ndimage import map_coordinates

SIDE, FINER = 400, 2  # pixels, and samples along each
SUN = numpy.array([-0.55, 0.5, 0.67])
RELIEF = 0.05  # of the radius: the range of heights, for light only
LAND = [(0.0, (104, 132, 74)), (0.25, (150, 150, 92)), (0.6, (134, 112, 88)), (1.0, (240, 238, 234))]
SEA = [(0.0, (12, 44, 92)), (0.7, (30, 98, 148)), (1.0, (104, 170, 190))]


def tint(share, stops):
    at = [s for s, _ in stops]
    return numpy.stack([numpy.interp(share, at, [c[i] for _, c in stops]) for i in range(3)], -1)


def look(field, longitude, latitude):
    """The field there, between cells; columns go round the planet."""
    ny, nx = field.shape
    j = (latitude / numpy.pi + 0.5) * ny - 0.5
    i = longitude / (2 * numpy.pi) * nx - 0.5
    wide = numpy.concatenate([field[:, -4:], field, field[:, :4]], 1)
    return map_coordinates(wide, [numpy.clip(j, 0, ny - 1), i % nx + 4], order=1)


def globe(height, sea, turn):
    n = SIDE * FINER
    x, y = numpy.meshgrid(*2 * [(numpy.arange(n) + 0.5) / n * 2.1 - 1.05])
    y = -y
    off = x * x + y * y
    z = numpy.sqrt(numpy.clip(1 - off, 0, 1))
    longitude, latitude = numpy.arctan2(x, z) + turn, numpy.arcsin(numpy.clip(y, -1, 1))
    here = look(height, longitude, latitude)
    span = height.max() - height.min()
    step = 2 * numpy.pi / height.shape[1]
    east = look(height, longitude + step, latitude) - look(height, longitude - step, latitude)
    north = look(height, longitude, latitude + step) - look(height, longitude, latitude - step)
    scale = numpy.where(here > sea, RELIEF / span / (2 * step), 0)
    cosine = numpy.clip(numpy.cos(latitude), 0.2, 1)
    e, m = -scale * east / cosine, -scale * north
    a = longitude - turn
    normal = numpy.stack([x + e * numpy.cos(a) - m * numpy.sin(latitude) * numpy.sin(a),
                          y + m * numpy.cos(latitude),
                          z - e * numpy.sin(a) - m * numpy.sin(latitude) * numpy.cos(a)], -1)
    normal /= numpy.linalg.norm(normal, axis=-1, keepdims=True)
    light = 0.16 + 0.95 * numpy.clip(normal @ (SUN / numpy.linalg.norm(SUN)), 0, None)
    land = tint((here - sea) / (height.max() - sea), LAND)
    water = tint((here - height.min()) / (sea - height.min()), SEA)
    colour = numpy.where((here > sea)[..., None], land, water) * light[..., None]
    colour = numpy.where((off < 1)[..., None], colour, [10, 12, 18])
    colour = colour.reshape(SIDE, FINER, SIDE, FINER, 3).mean((1, 3))
    return numpy.clip(colour, 0, 255).astype("uint8")


def main():
    with h5py.File(sys.argv[1]) as state:
        height = state["terrain"][:].astype(float)
        sea = float(state["sea_level"][()]) if "sea_level" in state else 0.0
    turn = numpy.radians(float(sys.argv[3]) if len(sys.argv) > 3 else 0)
    both = [globe(height, sea, turn), globe(height, sea, turn + numpy.pi)]
    Image.fromarray(numpy.concatenate(both, 1)).save(sys.argv[2], quality=86)


main()
