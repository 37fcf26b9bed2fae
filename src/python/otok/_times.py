"""The times of a run: seconds, which words and timedeltas select, and dates."""

from __future__ import annotations

import contextlib
import datetime
import re
from typing import Any

import numpy as np
from xarray.core.indexing import IndexSelResult
from xarray.indexes import PandasIndex

from .errors import DataError, UsageError
from .scenario import _seconds_of


def seconds(label: Any) -> Any:
    """A time, or a slice or list of times, in seconds: numbers are, `"1 h"` and timedeltas are converted.

    >>> seconds("1 h"), seconds(np.timedelta64(90, "s")), seconds(7), seconds(slice("1 min", None)), seconds(["1 s", "2 s"])
    (3600.0, 90.0, 7, slice(60.0, None, None), [1.0, 2.0])
    >>> seconds("200 kyr") / 31556925.9747  # what pandas does not know has the units of a scenario
    200000.0
    >>> seconds("noon")
    Traceback (most recent call last):
        ...
    otok.errors.UsageError: time 'noon': give seconds, a time such as "1 h" or "90 s", or a timedelta
    """
    import pandas

    if isinstance(label, slice):
        return slice(seconds(label.start), seconds(label.stop), seconds(label.step))
    if isinstance(label, (list, tuple)):
        return [seconds(one) for one in label]
    if hasattr(label, "dims") or (isinstance(label, np.ndarray) and label.ndim):
        if label.dtype.kind == "m":
            return label / np.timedelta64(1, "s")
        if label.dtype.kind in "biuf":
            return label
        return seconds(list(label.tolist() if isinstance(label, np.ndarray) else label.values.tolist()))
    if isinstance(label, (datetime.date, np.datetime64)):
        raise UsageError(f"time {label!r}: is a date; a run's time is seconds since its start")
    if isinstance(label, (str, datetime.timedelta, np.timedelta64)):
        try:
            if isinstance(label, str) and not any(letter.isalpha() for letter in label):
                raise ValueError("no unit")
            return pandas.Timedelta(label).total_seconds()
        except (ValueError, OverflowError):
            with contextlib.suppress(DataError):
                return _seconds_of(str(label))
            raise UsageError(f'time {label!r}: give seconds, a time such as "1 h" or "90 s", or a timedelta') from None
    return label


class Times(PandasIndex):
    """The index of the time in seconds, which also understands times with units."""

    def sel(self, labels: dict[Any, Any], method: Any = None, tolerance: Any = None) -> Any:
        labels = {name: seconds(label) for name, label in labels.items()}
        tolerance = None if tolerance is None else seconds(tolerance)
        if method is None or self.index.is_unique:
            return super().sel(labels, method, tolerance)
        last = np.flatnonzero(~self.index.duplicated(keep="last"))  # of iterations without a time step, the state after them
        found = PandasIndex(self.index[last], self.dim).sel(labels, method, tolerance)
        return IndexSelResult({dim: at.copy(data=last[at.values]) if hasattr(at, "dims") else last[at] for dim, at in found.dim_indexers.items()})


def dates(text: str, times: np.ndarray) -> dict[str, Any]:
    """The coordinate `date` of times [s] of a run with a `start`, in UTC if that has a zone. None if a phase has its own, or beyond a life of 200 years."""
    start = re.search(r'^start: "?([^"\n]+)', text, re.MULTILINE)
    if not start or re.search("^ +start:", text, re.MULTILINE) or times.max() > 200 * 31556926:
        return {}
    first = datetime.datetime.fromisoformat(start[1].replace(" UTC", "Z"))
    zone = {"long_name": "date, without a time zone" if first.tzinfo is None else "date, UTC"}
    first = first if first.tzinfo is None else first.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return {"date": ("time", np.datetime64(first, "us") + (times * 1e6).round().astype("timedelta64[us]"), zone)}
