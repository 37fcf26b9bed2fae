"""The column of a reef below a gauge: how old it is, how deep the water was, and what made it, from the rock up.

A scenario with a reef and `layers` has `gauges: [{name: rim, x: 1200, y: 900}]`; `of("out/sink_00004000.vtkhdf", "rim")` is the column.
"""

from __future__ import annotations

import os

import numpy as np

from .errors import DataError

LOOSE = 0  # producer of what lies where waves and currents left it
TYPE = [("bottom", "f8"), ("top", "f8"), ("begin", "f8"), ("end", "f8"), ("depth", "f8"), ("producer", "i4")]


def series(path: str | os.PathLike[str], name: str) -> dict[str, np.ndarray]:
    """The series of a gauge in a checkpoint by their titles without units, as `ground`, `bottom_sand` and `time` (needs h5py).

    >>> series("no.vtkhdf", "rim")
    Traceback (most recent call last):
    ...
    otok.errors.DataError: no.vtkhdf: there is no such file
    """
    import h5py

    if not os.path.exists(path):
        raise DataError(f"{path}: there is no such file")
    with h5py.File(path) as file:
        group = file.get("otok", {})
        if "gauges" not in group:
            raise DataError(f"{path}: has no series of gauges; add `gauges: [{{name: ..., x: ..., y: ...}}]` to its scenario")
        titles = group.attrs["gauge_columns"]
        titles = (titles.decode() if isinstance(titles, bytes) else titles).split(",")
        rows = group["gauges"][()].reshape(-1, len(titles))
    own = {title.removeprefix(name + " "): rows[:, n] for n, title in enumerate(titles) if title.startswith(name + " ")}
    if not own:
        raise DataError(f"{path}: has no gauge `{name}`, but {', '.join(sorted({title.split()[0] for title in titles[1:]}))}")
    return {"time": rows[:, 0], **{title.split(" [")[0]: values for title, values in own.items()}}


def _preserved(height: np.ndarray) -> np.ndarray:
    """Of a height over time, how high what was there at each time still is at the end: the lowest height from then on."""
    return np.minimum.accumulate(height[::-1])[::-1]


def of(path: str | os.PathLike[str], name: str) -> np.ndarray:
    """The column below a gauge of a checkpoint with `layers`, one row for each piece, from the rock up: `bottom` and `top` [m, as heights
    of today], `begin` and `end` of its growth [s of the run], the `depth` of the water then [m], and its `producer`, 1 to 3. Producer 0 is
    loose: it came when it came, so it has no times. A piece lasts from one sample to the next (`output.gauges`)."""
    s = series(path, name)
    bottoms = [values for title, values in s.items() if title.startswith("bottom_")]
    if "ground" not in s or not bottoms:
        raise DataError(f"{path}: the column at `{name}` needs a reef and `layers`; without them nothing tells the reef from the rock")
    time, ground, rock = s["time"], s["ground"], bottoms[-1]
    top = bottoms[0] if len(bottoms) > 1 else ground  # of what stays in its place
    kept = _preserved(top - rock)
    grown = np.diff(np.stack([s["reef"], s.get("reef_second", 0 * time), s.get("reef_third", 0 * time)]))
    grown[0] -= grown[1] + grown[2]
    depth = s["sea"] - ground
    column = np.zeros(len(time) + 1, TYPE)
    pieces = column[1:-1]
    column["bottom"][0], column["top"][0] = 0, kept[0]  # from before the run
    pieces["bottom"], pieces["top"] = kept[:-1], kept[1:]
    pieces["begin"], pieces["end"], pieces["depth"] = time[:-1], time[1:], (depth[:-1] + depth[1:]) / 2
    pieces["producer"] = np.where(grown.max(0) > 0, 1 + grown.argmax(0), LOOSE)
    column["bottom"][-1], column["top"][-1] = kept[-1], ground[-1] - rock[-1]
    for key in ("begin", "end", "depth"):
        column[key][[0, -1]] = np.nan
    column["bottom"] += rock[-1]
    column["top"] += rock[-1]
    digit = 2.0**-22 * max(np.abs(ground).max(), np.abs(rock).max())  # of heights: what rounding moves is no piece
    found: np.ndarray = column[column["top"] - column["bottom"] > 4 * digit]
    return found
