"""Tables of finished studies."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

import numpy as np

from .errors import DataError, ReadError, needs

if TYPE_CHECKING:
    import xarray

Table = Union["xarray.Dataset", str, "os.PathLike[str]"]


def words_of(flags: "xarray.DataArray") -> "xarray.DataArray":
    """The words that numbers stand for, as CF's attributes have them."""
    words = dict(zip(np.atleast_1d(flags.attrs["flag_values"]), flags.attrs["flag_meanings"].split()))
    found = flags.copy(data=np.array([words[value] for value in flags.values], str))
    found.attrs, found.encoding = {}, {}
    return found


def with_words(table: "xarray.Dataset") -> "xarray.Dataset":
    """The table with `NAME_word` beside the numbers that stand for words."""
    flags = [name for name in ("verdict", "state", "form") if name in table and f"{name}_word" not in table]
    return table.assign({f"{name}_word": words_of(table[name]) for name in flags})


def read_columns(path: pathlib.Path, names: Iterable[str]) -> "xarray.Dataset":
    """Some variables of a table, without a look at the others."""
    import h5py
    import xarray

    with h5py.File(path) as file:
        parts = {name: file[name] for name in names if name in file}
        return with_words(xarray.Dataset({
            name: ([axis[0].name.strip("/") for axis in part.dims], (part if part.dtype.kind != "O" else part.asstr())[()],
                   {key: value.decode() if isinstance(value, bytes) else value for key, value in part.attrs.items() if key.startswith("flag_")})
            for name, part in parts.items()}))


def open_study(study: Table) -> "xarray.Dataset":
    """Open the table of a finished study, as `otok.study` returns it.

    `otok.analyse`, `otok.compare` and the figures of `otok.plot` open what they are given by themselves.

    Parameters
    ----------
    study : path or Dataset
        The folder of a study, its study.h5, or its Dataset as xarray opened it.

    Returns
    -------
    xarray.Dataset
        Over `member`, with words beside numbers that stand for words: `verdict_word`, `state_word`, `form_word`. Maps that the study keeps are read when
        they are used.

    Raises
    ------
    ReadError
        There is no such file.
    DataError
        It is not the table of a study.

    Examples
    --------
    >>> import tempfile, otok
    >>> pond = "otok: 1\\naudit: off\\ngrid: {nx: 4, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = otok.study(pond, folder, members={"initial.water": [1, 2]}, backend="cpu")
    ...     open_study(folder).verdict_word.values.tolist(), open_study(folder).equals(table)
    (['stable', 'stable'], True)
    """
    needs("otok.open_study", "xarray", "h5netcdf")
    import xarray

    table = study if isinstance(study, xarray.Dataset) else _opened(pathlib.Path(study, "study.h5") if os.path.isdir(study) else pathlib.Path(study))
    if "member" not in table.dims or not {"verdict", "verdict_word"} & set(table.variables):
        what = "the Dataset" if table is study else f"{study}:"
        raise DataError(f"{what} has no verdict of members, so it is not a table of `otok study`; give study.h5, or its folder")
    if table is study:
        return with_words(table)
    kept = [name for name, part in table.data_vars.items() if part.ndim == 3]
    found = with_words(table.drop_vars(kept).load())
    if not kept:
        table.close()
    return found.assign(table[kept].data_vars)


def _opened(path: pathlib.Path) -> "xarray.Dataset":
    import xarray

    if not path.exists():
        raise ReadError(f"{path}: no such file or folder; give what `otok study` wrote")
    try:
        return xarray.open_dataset(path, engine="h5netcdf")
    except OSError as why:
        raise DataError(f"{path}: not a file of `otok study` ({why}); give one, or its folder") from why
