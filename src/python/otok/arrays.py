"""Arrays for fields. An array that knows its axes and its unit is what it says, or it is refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _library
from .errors import DataError

_X, _Y = ("x", "lon", "longitude", "easting"), ("y", "lat", "latitude", "northing")
_SAME = {"m": ("m", "metre", "metres", "meter", "meters"), "1": ("1", "")}


def _unit(name: str) -> str:
    stem = name if any(info.name.decode() == name for info in _library.FIELDS.values()) else name.partition("_")[0]
    return next((info.unit.decode() for info in _library.FIELDS.values() if info.name.decode() == stem), "")


def _check_axes(name: str, values: Any) -> None:
    dims = [str(dim) for dim in values.dims]
    kinds = ["x" if dim.lower() in _X else "y" if dim.lower() in _Y else "" for dim in dims[-2:]]
    if kinds[:1] == ["x"] or kinds[1:] == ["y"]:
        raise DataError(f"{name}: the array is ({', '.join(dims)}), and maps have rows of y and columns of x: values.transpose(..., \"{dims[-1]}\", \"{dims[-2]}\")")
    for dim in values.dims[-2:]:
        line = np.asarray(values.coords[dim]) if dim in values.coords else np.zeros(0)
        if line.ndim == 1 and line.size > 1 and line.dtype.kind in "iuf" and line[-1] < line[0]:
            raise DataError(f"{name}: its {dim} falls from {line[0]} to {line[-1]}, and row 0 of a map is the bottom row: values.sortby(\"{dim}\")")


def plain(name: str, values: Any) -> np.ndarray:
    """A map as float32. Complex numbers, masked cells, units that are not the field's, rows that fall and axes in another order are
    refused, with the remedy.

    >>> plain("water", [[1, 2], [3, 4]]).dtype
    dtype('float32')
    >>> plain("water", np.ones((2, 2)) * 1j)
    Traceback (most recent call last):
        ...
    otok.errors.DataError: water: complex numbers; give real ones, such as values.real
    """
    if hasattr(values, "dims") and hasattr(values, "coords"):
        _check_axes(name, values)
    units = values.attrs.get("units") if hasattr(values, "attrs") else getattr(values, "units", None)
    wanted = _unit(name)
    if units is not None and str(units).strip() not in (wanted, *_SAME.get(wanted, ())):
        raise DataError(f"{name}: the array is in `{units}`, the field in `{wanted}`; convert it, and take its unit off")
    if np.ma.is_masked(values):
        raise DataError(f"{name}: {np.ma.getmaskarray(values).sum()} cells are masked, so they have no value; fill them: values.filled(0)")
    raw = np.asarray(getattr(values, "magnitude", values))
    if raw.dtype.kind == "c":
        raise DataError(f"{name}: complex numbers; give real ones, such as values.real")
    if raw.dtype.kind in "mMSU":
        raise DataError(f"{name}: values of type {raw.dtype} are no numbers; convert them")
    with np.errstate(over="ignore"):  # infinite values are refused by the library
        return np.asarray(raw, np.float32)


def check_place(name: str, values: Any, centres: dict[str, np.ndarray], is_placed: bool) -> None:
    """Refuses a map of xarray whose x or y differ by more than a tenth of a cell from those of the grid, or, of a grid without a place on Earth,
    whose cells have another size."""
    for axis, own in centres.items():
        part = values.coords[axis] if axis in values.coords else None
        if part is None or part.shape != own.shape or own.size < 2 or part.dtype.kind not in "iuf":
            continue
        line = np.asarray(part, float)
        apart = line - own if is_placed else line - line[0] - (own - own[0])
        if np.abs(apart).max() > 0.1 * (own[1] - own[0]):
            raise DataError(f"{name}: its {axis} goes from {line[0]:.10g} to {line[-1]:.10g}, that of the grid from {own[0]:.10g} to {own[-1]:.10g}; "
                            "bring it onto the grid with values.interp_like(sim.to_xarray()), or take its coordinates off: values.values")
