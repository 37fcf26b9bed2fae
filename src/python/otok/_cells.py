"""Where the cells of a Dataset lie in the grid of its run: all of them, a part, larger ones, in any order of rows and columns."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .errors import DataError

if TYPE_CHECKING:
    from xarray import DataArray, Dataset

_METRES = ("m", "metre", "meter", "metres", "meters")
_LEAST = 1e-3  # of a cell


class _Axis(NamedTuple):
    """The centres along x or y; None: the Dataset has none. `step` is NaN for one cell. `in_metres` is None if no unit is told."""

    values: np.ndarray | None
    step: float
    in_metres: bool | None


def _axis(state: "Dataset", name: str) -> _Axis:
    """
    >>> import xarray
    >>> _axis(xarray.Dataset(coords={"y": ("y", [15.0, 5.0], {"units": "m"})}), "y")
    _Axis(values=array([15.,  5.]), step=-10.0, in_metres=True)
    """
    if name not in state.coords or state[name].dims != (name,):
        return _Axis(None, np.nan, True)
    values = np.asarray(state[name].values, float)
    steps = np.diff(values)
    step = float(steps.mean()) if steps.size else np.nan
    if steps.size and not np.abs(steps - step).max() <= _LEAST * abs(step):
        raise DataError(f"the steps of {name} are from {steps.min():.6g} to {steps.max():.6g}; derived fields need cells of one size: take a slice")
    return _Axis(values, step, str(state[name].attrs["units"]) in _METRES if "units" in state[name].attrs else None)


def _of_file(file: str | os.PathLike[str] | None, name: str) -> np.ndarray | None:
    if file is None:
        return None
    import h5py

    with h5py.File(file) as checkpoint:
        return np.asarray(checkpoint[name][...], float) if name in checkpoint else None


class Cells(NamedTuple):
    """The cells of a Dataset: as many, of a size [m], whether x and y fall along their dimensions, and the checkpoint, if it is known."""

    nx: int
    ny: int
    spacing: float
    falls: dict[str, bool]
    axes: dict[str, _Axis]
    whole: tuple[int, int]
    file: pathlib.Path | None

    def map(self, field: "DataArray") -> np.ndarray:
        """The values of a field, rows from the bottom and columns from the left."""
        found = field.transpose("y", "x").values
        return found[:: -1 if self.falls["y"] else 1, :: -1 if self.falls["x"] else 1]

    def back(self, values: np.ndarray, dims: tuple[str, ...]) -> np.ndarray:
        """Such a map in the order of the Dataset."""
        found = values[:: -1 if self.falls["y"] else 1, :: -1 if self.falls["x"] else 1]
        return found if dims == ("y", "x") else found.T

    def holes(self) -> np.ndarray:
        """1 in a cell that holds one of the run's cells without data, in the order of `map`; its checkpoint tells."""
        runs = np.zeros((0, 2), int)
        if self.file is not None:
            import h5py

            with h5py.File(self.file) as checkpoint:
                if "otok/no_data" in checkpoint:
                    runs = checkpoint["otok/no_data"][...].astype(int).reshape(-1, 2)
        if not len(runs):
            return np.zeros((self.ny, self.nx), np.uint8)
        found = np.zeros(self.whole[0] * self.whole[1], np.int64)
        for first, length in runs:
            found[first : first + length] = 1
        sums = np.zeros((self.whole[0] + 1, self.whole[1] + 1), np.int64)
        sums[1:, 1:] = found.reshape(self.whole).cumsum(0).cumsum(1)
        (x0, x1), (y0, y1) = self._spans("x", self.nx, self.whole[1]), self._spans("y", self.ny, self.whole[0])
        covered: np.ndarray = (sums[np.ix_(y1, x1)] - sums[np.ix_(y0, x1)] - sums[np.ix_(y1, x0)] + sums[np.ix_(y0, x0)] > 0).astype(np.uint8)
        return covered

    def _spans(self, name: str, n: int, whole: int) -> tuple[np.ndarray, np.ndarray]:
        """The run's cells within each cell along an axis: the first, and that after the last."""
        axis, of_run = self.axes[name], _of_file(self.file, name)
        if axis.values is None or of_run is None or of_run.size < 2:
            if n != whole:
                raise DataError(f"the run has cells without data, and {name} does not tell which of its {whole} cells these {n} are; keep its coordinates")
            return np.arange(n), np.arange(n) + 1
        step = of_run[1] - of_run[0]
        at, half = (np.sort(axis.values) - of_run[0]) / step, (abs(axis.step) / step if n > 1 else 1) / 2
        if at[0] < -_LEAST - 0.5 or at[-1] > whole - 0.5 + _LEAST:
            raise DataError(f"{name} from {axis.values.min():.9g} to {axis.values.max():.9g} is outside the run's {of_run[0]:.9g} to {of_run[-1]:.9g}, "
                            "which has cells without data; keep its coordinates")
        first, last = np.ceil(at - half + _LEAST).astype(int), np.floor(at + half - _LEAST).astype(int) + 1
        return np.clip(first, 0, whole), np.clip(np.maximum(last, first), 0, whole)


def _times(axis: _Axis, name: str, spacing: float, file: pathlib.Path | None) -> float:
    """How many cells of the run are along one cell; NaN: the axis does not tell."""
    cells, of_run = abs(axis.step) / spacing, _of_file(file, name)
    if np.isnan(cells) or axis.in_metres or (axis.in_metres is None and _is_whole(cells)):
        return cells
    cells = abs(axis.step) / abs(of_run[1] - of_run[0]) if of_run is not None and of_run.size > 1 else np.nan
    return cells if axis.in_metres is not None or _is_whole(cells) else np.nan


def _is_whole(cells: float) -> bool:
    return bool(cells > 0.5 and abs(cells / round(cells) - 1) <= 0.02)


def cells_of(state: "Dataset", file: pathlib.Path | None) -> Cells:
    """The cells of a state of a run; DataError: their size is unknown, or they are not square."""
    from .scenario import Scenario

    scenario = Scenario(str(state.attrs["otok_scenario"]))
    whole, (ny, nx) = (scenario.ny, scenario.nx), (state.sizes["y"], state.sizes["x"])
    if (ny == 1 < whole[0]) or (nx == 1 < whole[1]):
        raise DataError(f"the maps are {nx} x {ny} cells of a run of {whole[1]} x {whole[0]}; one row or column alone has no slope across it: keep two or more")
    axes = {name: _axis(state, name) for name in "xy"}
    times = [_times(axes[name], name, scenario.spacing, file) for name in "xy"]
    known = [n for n in times if not np.isnan(n)]
    if len(known) == 2 and not abs(known[0] - known[1]) <= 0.02 * known[0]:
        raise DataError(f"the cells are {known[0] * scenario.spacing:.6g} m wide and {known[1] * scenario.spacing:.6g} m high; derived fields need squares")
    if (ny, nx) == whole and (not known or abs(known[0] - 1) <= 0.02):
        spacing = scenario.spacing
    elif known:
        spacing = scenario.spacing * (round(known[0]) if round(known[0]) and abs(known[0] / round(known[0]) - 1) <= 0.02 else known[0])
    else:
        raise DataError(f"the maps are {nx} x {ny} cells, those of the run {whole[1]} x {whole[0]}, and no x or y in metres tells their size; keep the coordinates")
    return Cells(nx, ny, spacing, {name: axes[name].step < 0 for name in "xy"}, axes, whole, file)
