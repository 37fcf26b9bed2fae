"""The form of an island with a reef: fringing reef, barrier reef, atoll, platform, or drowned.

>>> import numpy as np
>>> away = np.abs(np.arange(-40, 41)) * 100.0  # a profile through the middle, cells of 100 m
>>> terrain = np.select([away < 1000, away < 2000, away < 2600], [50.0, -25.0, -0.5], -400.0)[np.newaxis]
>>> reef = np.where((away >= 1000) & (away < 2600), 30.0, 0.0)[np.newaxis]
>>> form(terrain, reef, sea=0, spacing=100)
Form(word='barrier', lagoon_depth=25.0, rim_depth=0.5, continuity=1.0, drowned_terraces=0, raised_terraces=0, shares={'barrier': 1.0})

`of` reads a checkpoint: `otok.island.of("out/darwin_00004000.vtkhdf").word`. State a form when the sea is nearly still: while it rises or
falls, reefs pass by as `submerged` or `drowned`.
"""

from __future__ import annotations

import collections
import dataclasses
import multiprocessing
import os
from typing import TYPE_CHECKING

import numpy as np

from .errors import DataError, UsageError

if TYPE_CHECKING:
    import xarray

WORDS = ("fringing", "barrier", "atoll", "platform", "submerged", "drowned", "bare")

_CARBONATE = 1.0  # least thickness of a reef [m]
_RIM = 10.0  # a rim is no deeper [m]
_LAGOON = 10.0  # a lagoon is so much deeper than its rim [m]
_WIDE = 200.0  # least width of lagoons and terraces [m]
_DROWNED = 30.0  # a drowned reef is deeper [m]
_FLAT, _THICK, _RAISED = 0.03, 5.0, 10.0  # terraces: slope, thickness [m], height above the sea [m]


@dataclasses.dataclass(frozen=True)
class Form:
    """`word` is the most frequent form of the azimuths, `shares` has all. `lagoon_depth` and `rim_depth` [m] are medians over the azimuths
    that have a lagoon, a rim; NaN: none has. `continuity` is the share of the azimuths with a rim. Terraces are counted along an
    azimuth; the number is the median."""

    word: str
    lagoon_depth: float
    rim_depth: float
    continuity: float
    drowned_terraces: int
    raised_terraces: int
    shares: dict[str, float]


@dataclasses.dataclass(frozen=True)
class _Ray:
    word: str
    lagoon: float = np.nan
    rim: float = np.nan
    drowned: int = 0
    raised: int = 0


def _runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """First cells, and cells after the last ones, of the runs of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(int), [0]))))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


def _joined(mask: np.ndarray, at: int) -> tuple[int, int]:
    """The run of True around a cell."""
    return next((run for run in _runs(mask) if run[0] <= at < run[1]), (at, at))


def _terraces(depth: np.ndarray, mask: np.ndarray, spacing: float) -> int:
    """The runs of cells of the mask that are flat from one to the next."""
    flat = mask[:-1] & mask[1:] & (np.abs(np.diff(depth)) < _FLAT * spacing)
    return sum((end - first) * spacing >= _WIDE for first, end in _runs(flat))


def _ray(depth: np.ndarray, reef: np.ndarray, spacing: float) -> _Ray:
    """The form along the cells of an azimuth, from the middle outwards."""
    carbonate, land = reef >= _CARBONATE, depth < 0
    rock = np.flatnonzero(land & ~carbonate)
    shore = _joined(land, int(rock[-1]))[1] if rock.size else 0  # the first cell beyond the island
    crest = carbonate & (depth <= _RIM)
    rims = np.flatnonzero(crest[shore:]) + shore
    raised = _terraces(depth, (reef >= _THICK) & (depth < -_RAISED), spacing)
    if rims.size:
        first, end = _joined(crest, int(rims[-1]))
        first = max(first, shore)
        rim = float(depth[first:end].min())
        lagoon = depth[shore:first][depth[shore:first] > rim + _LAGOON]
        deep = float(np.quantile(lagoon, 0.9)) if lagoon.size * spacing >= max(_WIDE, 2 * spacing) else np.nan
        word = {(True, True): "barrier", (True, False): "fringing", (False, True): "atoll", (False, False): "platform"}[
            (shore > 0, deep == deep)]
    elif shore and carbonate[shore - 1]:  # a reef above the sea, joined to the land
        end, word, rim, deep = shore, "fringing", float(depth[shore - 1]), np.nan
    else:
        end, rim, deep = shore, np.nan, np.nan
        word = "bare" if not carbonate.any() else "drowned" if (depth[carbonate] > _DROWNED).all() else "submerged"
    drowned = (reef >= _THICK) & (depth > _DROWNED) & (np.arange(depth.size) >= end)
    return _Ray(word, deep, rim, _terraces(depth, drowned, spacing), raised)


def _middle(mask: np.ndarray) -> tuple[float, float]:
    ys, xs = np.nonzero(mask)
    return float(ys.mean()), float(xs.mean())


def _nearest(start: float, away: np.ndarray) -> np.ndarray:
    """The nearest cells, of two equally near ones the farther one: a mirrored ray has the mirrored cells."""
    places = start + away
    return (np.ceil(places - 0.5) if away[-1] < 0 else np.floor(places + 0.5)).astype(int)


def _cells(shape: tuple[int, int], middle: tuple[float, float], angle: float) -> tuple[np.ndarray, np.ndarray]:
    """The cells nearest to places one cell apart, from the middle to the edge of the grid."""
    away = np.arange(int(np.hypot(*shape)) + 1)
    ys, xs = _nearest(middle[0], away * np.sin(angle)), _nearest(middle[1], away * np.cos(angle))
    inside = (ys >= 0) & (ys < shape[0]) & (xs >= 0) & (xs < shape[1])
    return ys[inside], xs[inside]


def _angles(shape: tuple[int, int], azimuths: int) -> np.ndarray:
    if shape[0] == 1:
        return np.array([0.0, np.pi])
    if shape[1] == 1:
        return np.array([0.5, 1.5]) * np.pi
    return (np.arange(azimuths) + 0.5) * (2 * np.pi / azimuths)  # none along an axis


def form(terrain: np.ndarray, reef: np.ndarray, sea: float, spacing: float, *, azimuths: int = 64) -> Form:
    """The form of the island in a map of heights [m] with the thickness of its reef [m], along azimuths from the middle of the land, or of
    the reef if fewer than four cells are land. A map of one row has two azimuths."""
    terrain, reef = np.asarray(terrain, float), np.asarray(reef, float)
    if terrain.ndim != 2 or terrain.shape != reef.shape:
        raise UsageError(f"terrain and reef have shapes {terrain.shape} and {reef.shape}; both need to be one map of rows and columns")
    depth = sea - terrain
    land, carbonate = depth < 0, reef >= _CARBONATE
    if not land.any() and not carbonate.any():
        raise DataError("neither land nor a reef of 1 m is in the map, so there is no island")
    middle = _middle(land if land.sum() >= 4 or not carbonate.any() else carbonate)
    rays = [_ray(depth[at], reef[at], spacing) for at in
            (_cells(depth.shape, middle, angle) for angle in _angles(depth.shape, azimuths))]
    found = collections.Counter(ray.word for ray in rays)
    shares = {word: found[word] / len(rays) for word in WORDS if found[word]}
    lagoons, rims = [ray.lagoon for ray in rays if ray.lagoon == ray.lagoon], [ray.rim for ray in rays if ray.rim == ray.rim]
    return Form(max(shares, key=lambda word: shares[word]), float(np.median(lagoons)) if lagoons else np.nan,
                float(np.median(rims)) if rims else np.nan, len(rims) / len(rays), int(np.median([ray.drowned for ray in rays])),
                int(np.median([ray.raised for ray in rays])), shares)


def of(path: str | os.PathLike[str], *, azimuths: int = 64) -> Form:
    """The form of the island in a checkpoint (needs h5py)."""
    import h5py

    with h5py.File(path) as file:
        maps = file.get("VTKHDF/PointData", {})
        if "terrain" not in maps or "reef" not in maps:
            raise DataError(f"{path}: needs the fields terrain and reef, which a checkpoint of a phase with a reef has")
        x = file["x"] if maps["terrain"].shape[1] > 1 else file["y"]
        return form(maps["terrain"][()], maps["reef"][()], float(file["sea_level"][()]), abs(float(x[1] - x[0])), azimuths=azimuths)


def _of_member(maps: tuple[np.ndarray, np.ndarray, float, float]) -> tuple[object, ...]:
    terrain, reef, sea, spacing = maps
    if not (np.isfinite(terrain).all() and np.isfinite(reef).all()):
        return "", np.nan, np.nan, np.nan, 0, 0  # a member without a result
    try:
        return dataclasses.astuple(form(terrain, reef, sea, spacing))[:6]
    except DataError:
        return "", np.nan, np.nan, 0.0, 0, 0


def of_study(study: "xarray.Dataset", *, sea: float = 0.0, processes: int = 1) -> "xarray.Dataset":
    """The forms of the members of a study beside their verdicts: its table with the columns `form`, `lagoon_depth`, `rim_depth`,
    `continuity`, `drowned_terraces` and `raised_terraces`. The study needs `keep: {fields: [terrain, reef], when: [last]}`; `sea` is the
    level at its end. A member without a result, land and reef has the form "". With many members use several `processes`."""
    missing = [name for name in ("map_terrain", "map_reef") if name not in study]
    if missing:
        raise DataError(f"the study has no {' and '.join(missing)}; add `keep: {{fields: [terrain, reef], when: [last]}}` to it and run it again")
    across = max(study.map_terrain.dims[1:], key=lambda name: study.sizes[name])
    if study.map_terrain.ndim != 3:
        raise DataError(f"the maps of the study have {study.map_terrain.ndim - 1} axes; keep one time: `when: [last]`")
    spacing = abs(float(np.diff(study[across].values[:2])[0]))
    maps = ((terrain, reef, sea, spacing) for terrain, reef in zip(study.map_terrain.values, study.map_reef.values))
    if processes > 1:
        with multiprocessing.Pool(processes) as pool:
            rows = pool.map(_of_member, maps, chunksize=8)
    else:
        rows = [_of_member(one) for one in maps]
    names = ("form", "lagoon_depth", "rim_depth", "continuity", "drowned_terraces", "raised_terraces")
    return study.assign({name: ("member", np.array(values)) for name, values in zip(names, zip(*rows))})
