"""The states of runs that figures show, and what their axes and titles need."""

from __future__ import annotations

import os
import pathlib
import tempfile
import warnings

import numpy as np

from ._figures import Index, Source, _open, duration, xr
from ._cells import cells_of
from .errors import DataError, UsageError
from .fields import DERIVED, checkpoint_of, derived, has_walls
from ._times import seconds
from .history import _stored
from .simulation import Simulation
from .whole import without_reef


def _files(run: str | os.PathLike[str]) -> list[pathlib.Path]:
    path = pathlib.Path(run).parent if str(run).endswith(".series") else pathlib.Path(run)
    return [file for _, file in sorted(_stored(path).items())] if path.is_dir() else [path]


def _nearest(times: list[float], when: Index) -> int:
    """The index of a state: `when` itself, or that of the nearest time.

    >>> _nearest([0.0, 60.0, 120.0], "70 s"), _nearest([0.0, 60.0, 120.0], -1)
    (1, 2)
    """
    if isinstance(when, (int, np.integer)):
        if not -len(times) <= when < len(times):
            raise UsageError(f"when={when}: the run has {len(times)} checkpoints; give an index from {-len(times)} to {len(times) - 1}")
        return int(when) % len(times)
    apart = np.abs(np.asarray(times) - (at := float(seconds(when))))
    if not times[0] <= at <= times[-1]:
        raise UsageError(f"when={when!r}: the run has checkpoints from {duration(times[0])} to {duration(times[-1])}; give a time between")
    return int(np.flatnonzero(apart == apart.min())[-1])


def _state(run: Source, when: Index = -1) -> xr.Dataset:
    """One state, its maps without values in walls."""
    if isinstance(run, Simulation):
        with tempfile.TemporaryDirectory(prefix="otok-plot-") as space:
            run.save(path := os.path.join(space, "state.vtkhdf"))
            return _state(path).load()
    if isinstance(run, xr.Dataset):
        if not {"terrain", "x", "y"} <= set(run.variables):
            raise DataError("the Dataset has no terrain over x and y, so it is not a run; open a checkpoint, or the folder of a run")
        state = run.isel(time=_nearest(run.time.values.tolist(), when)) if "time" in run.dims else run
        file = checkpoint_of(run)
        if file is None and "fill: wall" in str(run.attrs.get("otok_scenario")):
            warnings.warn("the Dataset does not tell which cells have no data; give the path of a checkpoint, and they are grey", stacklevel=3)
    else:
        files = _files(run)
        by_index = isinstance(when, (int, np.integer))
        file = files[_nearest([0.0 if by_index else float(_open(path, "terrain", "otok run").time) for path in files], when)]
        state = _open(file, "terrain", "otok run")
    if "reef" in state and "terrain_change" in state:
        state = state.assign(terrain_change_without_reef=without_reef(state.terrain_change, state.reef))
    known = ~has_walls(state, file)
    return state.assign({name: state[name].where(known) for name in state.data_vars if state[name].dims == ("y", "x")})


def _step(line: xr.DataArray, otherwise: float) -> float:
    return float(line[1] - line[0]) if line.size > 1 else otherwise


def _spacing(state: xr.Dataset) -> float:
    """The size of a cell on the ground [m]; axes may be in degrees or feet."""
    return cells_of(state, checkpoint_of(state)).spacing if "otok_scenario" in state.attrs else _step(state.x, _step(state.y, 1))


def _extent(state: xr.Dataset) -> tuple[float, float, float, float]:
    """West, east, south, north."""
    (x, wide), (y, high) = ((line.values, _step(line, _spacing(state)) / 2) for line in (state.x, state.y))
    return float(x[0] - wide), float(x[-1] + wide), float(y[0] - high), float(y[-1] + high)


def _field(state: xr.Dataset, field: str) -> xr.DataArray:
    """A map of the state, or one that follows from it."""
    maps = sorted(str(name) for name in state.data_vars if state[name].dims == ("y", "x"))
    if field in DERIVED:
        return derived(state, [field])[field].load()
    if field not in maps:
        raise UsageError(f"field {field!r}: not in this run, which has {', '.join(maps)}; derived from them are {', '.join(DERIVED)}")
    return state[field]


def _title(state: xr.Dataset) -> str:
    date = str(state.date.values.astype("datetime64[s]")) + ("Z" if "UTC" in state.date.attrs.get("long_name", "") else "") if "date" in state else ""
    return ", ".join(part for part in (str(state.attrs.get("title", "")), duration(float(state.time)), date, f"iteration {int(state.iteration)}") if part)


def _volumes(state: xr.Dataset) -> dict[str, float]:
    """The volumes of a state [m³]. What reef and uplift moved is neither eroded nor deposited; NaN: what uplift moved is unknown."""
    cell, depths = _spacing(state) ** 2, [0.0, 0.0]
    if "terrain_change" in state:
        try:
            both = derived(state, ("erosion_depth", "deposit_depth"))
            depths = [float(np.nan_to_num(both[name].values.astype(float)).sum()) for name in ("erosion_depth", "deposit_depth")]
        except DataError as unknown:
            warnings.warn(str(unknown), stacklevel=3)
            depths = [np.nan, np.nan]
    return {"water": float(state.ledger_water), "eroded": depths[0] * cell, "deposited": depths[1] * cell,
            "sediment in the water": float(state.ledger_suspended), "reef": float(state.ledger_reef)}
