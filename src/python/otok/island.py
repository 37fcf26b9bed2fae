"""The form of an island with a reef: fringing reef, barrier reef, atoll, platform, or drowned.

>>> import numpy as np
>>> away = np.abs(np.arange(-40, 41)) * 100.0  # a profile through the middle, cells of 100 m
>>> terrain = np.select([away < 1000, away < 2000, away < 2600], [50.0, -25.0, -0.5], -400.0)[np.newaxis]
>>> reef = np.where((away >= 1000) & (away < 2600), 30.0, 0.0)[np.newaxis]
>>> found = form(terrain, reef, sea=0, spacing=100)
>>> found.word, found.lagoon_depth, found.lagoon_width, found.rim_depth, found.continuity, found.shares
('barrier', 25.0, 1000.0, 0.5, 1.0, {'barrier': 1.0})

`of` reads a checkpoint: `otok.island.of("out/darwin_00004000.vtkhdf").word`; the table of a study has the columns `form` and `form_word`.
State a form when the sea is nearly still: while it rises or falls, reefs pass by as `submerged` or `drowned`.
"""

from __future__ import annotations

import ctypes
import dataclasses
import os

import numpy as np

from . import _library
from ._library import library
from .errors import DataError, UsageError, check

WORDS = tuple(library.otok_form_name(form).decode() for form in range(_library.FORMS))


@dataclasses.dataclass(frozen=True)
class Form:
    """`word` is the most frequent form of the azimuths, `share` the share that has it, `shares` has all. `lagoon_depth`, `lagoon_width` and
    `rim_depth` [m] are medians over the azimuths that have a lagoon, a rim; NaN: none has. `continuity` is the share of the azimuths with a
    rim, `land_share` that of the cells that are land. Terraces are counted along an azimuth; the number is the median."""

    word: str
    share: float
    continuity: float
    rim_depth: float
    lagoon_depth: float
    lagoon_width: float
    land_share: float
    drowned_terraces: int
    raised_terraces: int
    shares: dict[str, float]


def _form(found: _library.Island, where: str = "") -> Form:
    if found.form < 0:
        raise DataError(f"{where}no island: neither land nor a reef of 1 m is there, or a value is not finite")
    numbers = {field.name: getattr(found, field.name) for field in dataclasses.fields(Form)[1:7]}
    return Form(word=WORDS[found.form], **numbers, drowned_terraces=int(found.drowned_terraces), raised_terraces=int(found.raised_terraces),
                shares={word: share for word, share in zip(WORDS, found.shares) if share})


def form(terrain: np.ndarray, reef: np.ndarray, sea: float, spacing: float) -> Form:
    """The form of the island in a map of heights [m] with the thickness of its reef [m], along 64 azimuths from the middle of the land, or
    of the reef if fewer than four cells are land. A map of one row has two azimuths. NaN in the terrain: a cell without data."""
    terrain, reef = np.ascontiguousarray(terrain, np.float32), np.ascontiguousarray(reef, np.float32)
    if terrain.ndim != 2 or terrain.shape != reef.shape:
        raise UsageError(f"terrain and reef have shapes {terrain.shape} and {reef.shape}; both need to be one map of rows and columns")
    walls, found = np.isnan(terrain).astype(np.uint8), _library.Island()
    grid = _library.Grid(nx=terrain.shape[1], ny=terrain.shape[0], spacing=spacing)
    check(library.otok_island_of(ctypes.byref(found), grid, sea, *(part.ctypes.data for part in (terrain, reef, walls)), ctypes.sizeof(found)))
    return _form(found)


def of(path: str | os.PathLike[str]) -> Form:
    """The form of the island in a checkpoint, as `otok inspect` has it."""
    at, found = ctypes.c_void_p(), _library.Island()
    check(library.otok_checkpoint_load(ctypes.byref(at), os.fsencode(path)))
    try:
        check(library.otok_checkpoint_island(ctypes.byref(found), at, ctypes.sizeof(found)))
    finally:
        library.otok_checkpoint_destroy(at)
    return _form(found, f"{path}: ")
