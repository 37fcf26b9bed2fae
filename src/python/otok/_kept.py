"""Answers of studies in one HDF5 file: a netCDF group per table, and the rest as JSON in an attribute.

>>> import tempfile, xarray
>>> with tempfile.TemporaryDirectory() as space:
...     save(f"{space}/edges.h5", "edges", {"members": xarray.Dataset({"depth": 1.5})}, {"seed": 7})
...     tables, about = load(f"{space}/edges.h5", "edges")
>>> float(tables["members"].depth), about
(1.5, {'seed': 7})
"""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import DataError, needs

if TYPE_CHECKING:
    import xarray


def save(path: str | os.PathLike[str], kind: str, tables: Mapping[str, "xarray.Dataset"], about: dict[str, Any]) -> None:
    """Writes a file, whole or not at all."""
    import xarray

    from . import version

    part = pathlib.Path(f"{os.fspath(path)}.part")
    xarray.Dataset(attrs={"otok": kind, "source": version(), "about": json.dumps(about)}).to_netcdf(part, engine="h5netcdf")
    for name, table in tables.items():
        table.to_netcdf(part, "a", group=name, engine="h5netcdf")
    os.replace(part, path)


def load(path: str | os.PathLike[str], kind: str) -> tuple[dict[str, "xarray.Dataset"], dict[str, Any]]:
    """The tables of a file, and the rest. DataError: it holds something else."""
    needs("opening", "xarray", "h5netcdf")
    import xarray

    try:
        with xarray.open_datatree(path, engine="h5netcdf") as tree:
            found = str(tree.attrs.get("otok"))
            about = json.loads(str(tree.attrs.get("about", "{}")))
            tables = {name: part.to_dataset(inherit=False).load() for name, part in tree.children.items()}
    except (OSError, ValueError) as why:
        raise DataError(f"{os.fspath(path)}: {why}") from None
    if found != kind:
        raise DataError(f"{os.fspath(path)}: holds no {kind}; give a file that their `save` wrote")
    for name, table in tables.items():
        words = [key for key, values in table.variables.items() if values.dtype.kind == "O"]
        tables[name] = table.assign_coords({key: table[key].astype(str) for key in words if key in table.coords}).assign(
            {key: table[key].astype(str) for key in words if key not in table.coords})
    return tables, about
