"""Fields that follow from a state: slope, speed, Froude number, drainage area and others, as `otok inspect --field` has them."""

from __future__ import annotations

import ctypes
import pathlib
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library
from ._cells import Cells, cells_of
from ._library import library
from .errors import DataError, UsageError, check

if TYPE_CHECKING:
    from xarray import DataArray, Dataset

    from .simulation import Simulation

_NUMBERS = {info.name.decode(): number for number, info in reversed(_library.FIELDS.items())}  # of layers: of the first
DERIVED = {info.name.decode(): i for i, info in enumerate(_library.DERIVED)}
_LOOKS: dict[str, _library.Look] = {info.name.decode(): info.look.contents for info in (*_library.FIELDS.values(), *_library.DERIVED)}
CHANGES, NUMBERS = _LOOKS["terrain_change"], _LOOKS["outflow_top"]  # looks of what has a sign, and of what may have one


def look_of(name: str) -> _library.Look:
    """How values of a field are drawn (core/fields.def). The name may go on with that of a layer, or with an iteration, as in "terrain_1000".

    >>> look_of("terrain_change_without_reef").sign, look_of("layer_soil").colours, look_of("aspect").high
    (1, b'batlow', 360.0)
    """
    return _LOOKS[max((known for known in _LOOKS if f"{name}_".startswith(f"{known}_")), key=len)]


def _reads(name: str) -> list[str]:
    return [field for field, f in _NUMBERS.items() if library.otok_derived_reads(DERIVED[name]) >> f & 1]


def _source(scenario: str, iteration: int, maps: dict[str, Any], walls: Any = None, grid: Any = None) -> _library.DerivedFrom:
    source = _library.DerivedFrom(scenario=scenario.encode(), iteration=iteration, walls=walls, grid=grid or _library.Grid())
    for name, at in maps.items():
        source.maps[_NUMBERS[name]] = at
    return source


def _make(name: str, state: "Dataset", cells: Cells, holes: np.ndarray) -> np.ndarray:
    """The map of one state; cells without a finite value of a field that it reads have none."""
    kept = {field: cells.map(state[field]) for field in _reads(name) if field in state}
    walls = np.ascontiguousarray(holes | ~np.all([np.isfinite(values) for values in kept.values()], 0), np.uint8)
    kept = {field: np.ascontiguousarray(np.where(walls, 0, values), np.float32) for field, values in kept.items()}
    out = np.empty(walls.shape, np.float32)
    source = _source(str(state.attrs["otok_scenario"]), int(state.iteration), {field: values.ctypes.data for field, values in kept.items()}, walls.ctypes.data,
                     _library.Grid(cells.nx, cells.ny, cells.spacing))
    check(library.otok_derive(DERIVED[name], ctypes.byref(source), out.ctypes.data))
    return out


def has_walls(state: "Dataset", file: pathlib.Path | None) -> "DataArray":
    """Whether each cell of a state of a run has no data; its checkpoint tells."""
    from xarray import DataArray

    dims = tuple(dim for dim in state.terrain.dims if dim in ("y", "x"))
    cells = cells_of(state, file)
    return DataArray(cells.back(cells.holes() | ~np.isfinite(cells.map(state.terrain)), dims).astype(bool), dims=dims)


def checkpoint_of(state: "Dataset") -> pathlib.Path | None:
    """A checkpoint of the run that a Dataset was opened from."""
    for source in (state.encoding.get("source"), state.terrain.encoding.get("source")):
        path = pathlib.Path(source or "")
        path = path.parent if path.suffix == ".series" else path
        files = sorted(path.glob("*_*.vtkhdf")) if source and path.is_dir() else [path]
        if files and files[0].suffix == ".vtkhdf" and files[0].exists():
            return files[0]
    return None


def derived(state: "Dataset | Simulation", names: Iterable[str] | None = None) -> "Dataset":
    """Add derived fields to a run, over all of its times; they are computed when they are read.

    src/docs/reference.md defines them. Cells without data have none, if the Dataset was opened from a checkpoint, or if a map that the field reads is
    NaN there. At the edges of a part of the cells fields are as at the edges of a grid; a drainage area needs the whole grid.

    Parameters
    ----------
    state : xarray.Dataset or Simulation
        A checkpoint, a run, a simulation as it is, or a part of its cells or larger ones, with rows and columns in any order: its coordinates x and y tell.
    names : iterable of str, optional
        Those wanted; all that it has the maps for if not given.

    Returns
    -------
    xarray.Dataset
        With the fields, float32 over the dimensions of `terrain`.

    Raises
    ------
    DataError
        It is no run, or lacks what a field needs.
    UsageError
        There is no such field.

    Examples
    --------
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
    from .simulation import Simulation

    if isinstance(state, Simulation):
        state = state.to_xarray()
    if not {"terrain", "iteration"} <= set(state.variables) or "otok_scenario" not in state.attrs:
        raise DataError("the Dataset has no terrain, iteration or otok_scenario, so it is not a run; open a checkpoint, or the folder of a run")
    dims, first = state.terrain.dims, state.isel(time=0) if "time" in state.terrain.dims else state
    if set(first.terrain.dims) != {"y", "x"} or first.iteration.ndim:
        raise DataError(f"the terrain is over {', '.join(map(str, dims))}; derived fields need y, x and at most time: select one of the others")
    flat = tuple(dim for dim in dims if dim in ("y", "x"))
    cells = cells_of(first, checkpoint_of(state))
    holes = cells.holes()
    if cells.file is None and "fill: wall" in str(state.attrs["otok_scenario"]) and np.isfinite(first.terrain.values).all():
        warnings.warn("the Dataset does not tell which cells have no data; derive from the checkpoint as it was opened", stacklevel=2)
    grid = _library.Grid(cells.nx, cells.ny, cells.spacing)
    given = {field: 1 for field in _NUMBERS if field in state}  # pointers that nobody follows

    def can(name: str) -> bool:
        return not library.otok_derive(DERIVED[name], ctypes.byref(_source(str(state.attrs["otok_scenario"]), int(first.iteration), given, None, grid)), None)

    def variable(name: str) -> Variable:
        def give(*time: Any) -> np.ndarray:
            return cells.back(_make(name, state.isel(time=time[0]) if time else state, cells, holes), flat)

        info = _library.DERIVED[DERIVED[name]]
        leading = (np.arange(state.sizes["time"]),) if first is not state else ()
        words = {"units": info.unit.decode(), "long_name": info.long_name.decode()}
        shape = tuple(state.sizes[dim] for dim in flat)
        return Variable((("time",) if leading else ()) + flat, LazilyIndexedArray(_Lazy(give, leading, shape, np.float32)), words).transpose(*dims)

    for name in names or ():
        if name not in DERIVED:
            raise UsageError(f"{name}: no derived field; there are {', '.join(DERIVED)}")
    return state.assign({name: variable(name) for name in (filter(can, DERIVED) if names is None else names)})
