"""Reads the mesh of a Selafin file (TELEMAC; big-endian Fortran records), and puts its values on a grid of square cells."""
import struct

import numpy as np


def records(path):
    """The records of a Fortran file, each framed by its length."""
    data, at, found = open(path, "rb").read(), 0, []
    while at < len(data):
        size = struct.unpack(">i", data[at:at + 4])[0] if at + 4 <= len(data) else -1
        if size < 0 or at + size + 8 > len(data) or data[at + 4 + size:at + 8 + size] != data[at:at + 4]:
            raise ValueError(f"{path}: byte {at}: no record of a Selafin file (big-endian); cut short, or another format?")
        found.append(data[at + 4:at + 4 + size])
        at += size + 8
    return found


def read(path):
    """x, y of the points, the corners of the triangles (from 0), and a dict of the values of the first time by name."""
    found = records(path)
    if len(found) < 9 or len(found[0]) != 80:
        raise ValueError(f"{path}: no title of 80 bytes: not a Selafin file")
    count = sum(struct.unpack(">2i", found[1]))
    names = [name[:16].decode("latin-1").strip() for name in found[2:2 + count]]
    at = 2 + count
    at += 2 if struct.unpack(">10i", found[at])[9] == 1 else 1  # a date follows
    triangles, points, corners, _ = struct.unpack(">4i", found[at])
    if corners != 3 or len(found) < at + 6 + count:
        raise ValueError(f"{path}: {corners} corners per element and {len(found)} records; needs triangles and one time")
    kind = ">f8" if len(found[at + 3]) == 8 * points else ">f4"
    mesh = np.frombuffer(found[at + 1], ">i4").reshape(triangles, 3).astype(int) - 1
    x, y = (np.frombuffer(found[at + k], kind).astype(float) for k in (3, 4))
    return x, y, mesh, {name: np.frombuffer(found[at + 6 + k], kind).astype(float) for k, name in enumerate(names)}


def to_grid(x, y, mesh, values, left, bottom, shape, l):
    """Values at the middles of cells, linear in each triangle; NaN outside of the mesh. `values`: a list of arrays."""
    out = [np.full(shape, np.nan) for _ in values]
    for a, b, c in mesh:
        px, py = x[[a, b, c]], y[[a, b, c]]
        i0, i1 = int(np.ceil((px.min() - left) / l - 0.5)), int(np.floor((px.max() - left) / l - 0.5))
        j0, j1 = int(np.ceil((py.min() - bottom) / l - 0.5)), int(np.floor((py.max() - bottom) / l - 0.5))
        i0, j0, i1, j1 = max(i0, 0), max(j0, 0), min(i1, shape[1] - 1), min(j1, shape[0] - 1)
        area = (px[1] - px[0]) * (py[2] - py[0]) - (px[2] - px[0]) * (py[1] - py[0])
        if i1 < i0 or j1 < j0 or area == 0:
            continue
        cy, cx = np.mgrid[j0:j1 + 1, i0:i1 + 1]
        cx, cy = left + (cx + 0.5) * l, bottom + (cy + 0.5) * l
        u = ((px[1] - cx) * (py[2] - cy) - (px[2] - cx) * (py[1] - cy)) / area
        v = ((px[2] - cx) * (py[0] - cy) - (px[0] - cx) * (py[2] - cy)) / area
        inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
        for grid, value in zip(out, values):
            part = grid[j0:j1 + 1, i0:i1 + 1]
            part[inside] = (u * value[a] + v * value[b] + (1 - u - v) * value[c])[inside]
    return out
