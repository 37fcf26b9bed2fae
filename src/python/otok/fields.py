"""Fields that follow from a state: slope, speed, Froude number, drainage area and others, as `otok inspect --field` has them."""

from __future__ import annotations

import ctypes
import os
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library
from ._library import library
from .errors import DataError, UsageError, check

if TYPE_CHECKING:
    from xarray import Dataset

_NAMES = [info.name.decode() for info in _library.FIELDS]
DERIVED = {info.name.decode(): i for i, info in enumerate(_library.DERIVED)}
SIGNS = {info.name.decode(): info.sign for info in (*_library.FIELDS, *_library.DERIVED)}  # 1: a field has one; 2: it may have one; 3: an angle


def _reads(name: str) -> list[str]:
    return [field for f, field in enumerate(_NAMES) if library.otok_derived_reads(DERIVED[name]) >> f & 1]


def _source(scenario: str, iteration: int, maps: dict[str, Any], walls: Any = None) -> _library.DerivedFrom:
    source = _library.DerivedFrom(scenario=scenario.encode(), iteration=iteration, walls=walls)
    for name, at in maps.items():
        source.maps[_NAMES.index(name)] = at
    return source


def _make(name: str, state: "Dataset") -> np.ndarray:
    """The map of one state; cells whose terrain is NaN are walls."""
    walls = np.ascontiguousarray(~np.isfinite(state.terrain.values), np.uint8)
    kept = {field: np.ascontiguousarray(np.where(walls, 0, state[field].values), np.float32) for field in _reads(name) if field in state}
    out = np.empty(walls.shape, np.float32)
    source = _source(str(state.attrs["otok_scenario"]), int(state.iteration), {field: values.ctypes.data for field, values in kept.items()}, walls.ctypes.data)
    check(library.otok_derive(DERIVED[name], ctypes.byref(source), out.ctypes.data))
    return out


def has_walls(state: "Dataset", file: str | os.PathLike[str] | None) -> np.ndarray:
    """Whether each cell of a state of a run has no data; its checkpoint tells."""
    found = ~np.isfinite(state.terrain.values)
    if file is not None:
        import h5py

        with h5py.File(file) as checkpoint:
            runs = checkpoint["otok/no_data"][...].astype(int) if "otok/no_data" in checkpoint else np.zeros(0, int)
        for first, length in runs.reshape(-1, 2):
            found.flat[first : first + length] = True
    return found


def checkpoint_of(state: "Dataset") -> pathlib.Path | None:
    """A checkpoint of the run that a Dataset was opened from."""
    for source in (state.encoding.get("source"), state.terrain.encoding.get("source")):
        path = pathlib.Path(source or "")
        path = path.parent if path.suffix == ".series" else path
        files = sorted(path.glob("*_*.vtkhdf")) if source and path.is_dir() else [path]
        if files and files[0].suffix == ".vtkhdf" and files[0].exists():
            return files[0]
    return None


def derived(state: "Dataset", names: Iterable[str] | None = None) -> "Dataset":
    """Adds derived fields to a Dataset of a run, over all of its times: those named, else all that it has the maps for. They are computed
    when they are read. src/scenario/README.md defines them. Cells without data have none, if the Dataset was opened from a checkpoint,
    or if its terrain is NaN there.

    >>> import os, tempfile, otok, xarray
    >>> space = tempfile.TemporaryDirectory()
    >>> files = otok.run("otok: 1\\ngrid: {nx: 6, ny: 4, spacing: 2}\\nbase: [{cone: {height: 6, radius: 20, x: -9, y: 4}}]\\n"
    ...                  "phases: [{name: a, iterations: 9, rain: {rate: 0.001}, hydraulic: {}}]", space.name, backend="cpu")
    >>> with xarray.open_dataset(files[-1], engine="h5netcdf") as run:
    ...     slope = derived(run).slope
    ...     "froude" in derived(run), "shear_stress" in derived(run), slope.attrs["units"], round(float(slope[1, 3]), 2)
    (True, False, '1', 0.3)
    """
    from xarray import Variable
    from xarray.core.indexing import LazilyIndexedArray

    from .history import _Lazy

    if not {"terrain", "iteration"} <= set(state.variables) or "otok_scenario" not in state.attrs:
        raise DataError("the Dataset has no terrain, iteration or otok_scenario, so it is not a run; open a checkpoint, or the folder of a run")
    dims, first = state.terrain.dims, state.isel(time=0) if "time" in state.terrain.dims else state
    walls = has_walls(first, checkpoint_of(state))
    given = {field: 1 for field in _NAMES if field in state}  # pointers that nobody follows

    def can(name: str) -> bool:
        return not library.otok_derive(DERIVED[name], ctypes.byref(_source(str(state.attrs["otok_scenario"]), int(first.iteration), given)), None)

    def variable(name: str) -> Variable:
        def give(*time: Any) -> np.ndarray:
            one = state.isel(time=time[0]) if time else state
            return _make(name, one.assign(terrain=one.terrain.where(~walls)))

        info = _library.DERIVED[DERIVED[name]]
        leading = (np.arange(state.sizes["time"]),) if first is not state else ()
        words = {"units": info.unit.decode(), "long_name": info.long_name.decode()}
        return Variable(dims, LazilyIndexedArray(_Lazy(give, leading, state.terrain.shape[-2:], np.float32)), words)

    for name in names or ():
        if name not in DERIVED:
            raise UsageError(f"{name}: no derived field; there are {', '.join(DERIVED)}")
    return state.assign({name: variable(name) for name in (filter(can, DERIVED) if names is None else names)})
