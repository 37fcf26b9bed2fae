"""Designs: the members of a study as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import UsageError
from .scenario import words

if TYPE_CHECKING:
    import xarray


def once(pairs: Iterable[tuple[Any, Any]]) -> dict[str, np.ndarray]:
    """Columns by their paths, each given once.

    >>> once([("a.dt", 1), ("a.dt", 2)])
    Traceback (most recent call last):
        ...
    otok.errors.UsageError: members: a.dt is given twice; leave one out
    """
    found: dict[str, np.ndarray] = {}
    for path, values in pairs:
        if str(path) in found:
            raise UsageError(f"members: {path} is given twice; leave one out")
        found[str(path)] = np.asarray(values)
    return found


def columns(members: Any) -> dict[str, np.ndarray]:
    """The columns of a design by their paths: from a dictionary of arrays, a DataFrame, a list of dictionaries, a structured array of numpy, or a
    Dataset, whose variables have their paths as names or as attribute `path`, like the table of a study. One number holds for all members.

    >>> {path: values.tolist() for path, values in columns({"a.dt": [0.1, 0.2], "grid.nx": 8}).items()}
    {'a.dt': [0.1, 0.2], 'grid.nx': [8, 8]}
    >>> columns([{"a.dt": 0.1}, {"a.dt": 0.2}])["a.dt"].tolist()
    [0.1, 0.2]
    >>> columns(np.array([(1, 0.5)], [("seed", int), ("a.dt", float)]))["a.dt"].tolist()
    [0.5]
    """
    if isinstance(members, (list, tuple)) and members and all(isinstance(row, Mapping) for row in members):
        if apart := next((n for n, row in enumerate(members) if row.keys() != members[0].keys()), 0):
            raise UsageError(f"members: row {apart} has other paths than row 0; give each row the same")
        members = {path: [row[path] for row in members] for path in members[0]}
    if hasattr(members, "data_vars"):  # of xarray
        pathed = [(part.attrs["path"], part) for part in members.variables.values() if "path" in part.attrs]
        found = once(pathed or members.data_vars.items())
    elif getattr(getattr(members, "dtype", None), "names", None):
        found = once((name, members[name]) for name in members.dtype.names)
    elif hasattr(members, "items"):
        found = once(members.items())
    else:
        raise UsageError("members: give a dictionary of arrays by paths, a DataFrame, a list of dictionaries, a Dataset or a structured array; a matrix with names is "
                         "dict(zip(names, matrix.T))")
    rows = max((len(values) for values in found.values() if values.ndim), default=1)
    if not found or rows == 0:
        raise UsageError("members: there are none")
    for path, values in found.items():
        if values.shape not in ((), (rows,)):
            raise UsageError(f"members: {path} has the shape {values.shape}; give one value for all members, or one for each of the {rows}")
        if values.dtype.kind in "cmM":
            raise UsageError(f"members: {path} has values of type {values.dtype}; give real numbers, words, true or false")
    return {path: np.broadcast_to(values, rows) for path, values in found.items()}


def with_index(table: "xarray.Dataset", members: Any) -> "xarray.Dataset":
    """The table with the index of the DataFrame that its members are from, if it has one of its own, as coordinates over `member`."""
    index: Any = getattr(members, "index", None)
    if not hasattr(index, "nlevels") or len(index) != table.sizes["member"] or (index.name is None and index.equals(type(index)(range(len(index))))):
        return table
    levels = [(name or "index", index.get_level_values(n)) for n, name in enumerate(index.names)]
    return table.assign_coords({name if name not in table.variables else f"{name}_index": ("member", np.asarray(values)) for name, values in levels})


def cell(value: Any) -> str:
    """A value in a table, with all its digits, and without a point where a whole number is meant.

    >>> cell(np.float64(64)), cell(np.float64(0.1)), cell(np.bool_(True)), cell("open")
    ('64', '0.1', 'true', 'open')
    """
    value = value.item() if hasattr(value, "item") else value
    return words(int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value)
