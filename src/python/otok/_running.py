"""How a simulation runs, a part of `otok.simulation`: the library's pointer for one thread, iterations, Ctrl-C and bars, checkpoints."""

from __future__ import annotations

import contextlib
import ctypes
import datetime
import math
import operator
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

from ._library import library
from .errors import Error, ReadError, UsageError, WriteError, check
from .owner import Owner, Unique, computes
from .scenario import _seconds_of, words

_ANSWER = 0.05  # seconds within which a run asks whether it was interrupted
_MOST = 4096  # iterations between two waits; the library waits after so many


class Running(Unique):
    """A simulation of the library that iterates, and where it is."""

    _owner: Owner | None = None

    def __init__(self) -> None:
        computes()
        self._owner = Owner(library.otok_sim_destroy)
        self._step = 1  # iterations between two waits, learned from run to run
        self._told = 0  # notes
        self._begun, self._spent = 0, 0.0  # iterations since the last wait, seconds that runs took since

    def close(self) -> None:
        """End its use. Its memory is freed once no array shares it."""
        with self._owner.alone() if self._owner else contextlib.nullcontext():
            self._owner = None

    def _open(self) -> Owner:
        if not self._owner:
            raise UsageError("the simulation is closed")
        return self._owner

    def _alone(self) -> contextlib.AbstractContextManager[ctypes.c_void_p]:
        """The library's pointer, for this thread alone."""
        return self._open().alone()

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        with self._alone() as at:
            return function(at, *arguments)

    def _tell(self, at: ctypes.c_void_p) -> None:
        while (note := library.otok_sim_note_at(at, self._told)) is not None:
            self._told += 1
            warnings.warn(note.decode(), stacklevel=3)

    def run(self, n: int | None = None, *, until: float | str | datetime.timedelta | None = None, progress: bool = False) -> int:
        """Run iterations. Other threads of Python continue meanwhile.

        Ctrl-C stops it after an iteration; the simulation is then whole, and may run on. A GPU may still be working when this returns: whatever reads
        the simulation waits for it, and so does `wait`.

        Parameters
        ----------
        n : int, optional
            How many, at least 0; all that are left if not given.
        until : float, str or datetime.timedelta, optional
            Stop after the iteration that reaches this simulated time: seconds, or a text such as "2 h".
        progress : bool
            Show a bar (needs tqdm).

        Returns
        -------
        int
            How many were run: fewer than `n` at the end of the scenario, or at `until`.

        Examples
        --------
        >>> from otok import Simulation
        >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 90, hydraulic: {dt: 4}}]", backend="cpu")
        >>> sim.run(until="1 min"), sim.time, sim.run(until=30), sim.run(3, until=120)
        (15, 60.0, 0, 3)
        """
        with self._alone():
            return self._run(n, _until(until), progress)

    def _run(self, n: int | None, until: float, progress: bool) -> int:
        first, left = self.iteration, self.iterations - self.iteration
        if n is not None:
            left = min(_count(n), left)
        with contextlib.closing(_bar(left, progress)) as bar:
            while left > 0 and self.time < until:
                most = left if until == math.inf else 1  # the library knows times of the past alone
                part, before = min(self._step - self._begun, most), time.perf_counter()
                check(self._call(library.otok_sim_start, part))
                self._begun += part
                if self._begun == self._step:
                    self.wait()
                self._spent += time.perf_counter() - before
                if self._begun == self._step:
                    self._learn()
                bar.update(part)
                left -= part
        return self.iteration - first

    def wait(self) -> None:
        """Waits until the GPU has finished all iterations, and raises what failed there."""
        check(self._call(library.otok_sim_wait))

    def _learn(self) -> None:
        """Adapts the number of iterations between two waits, so that a run waits every _ANSWER / 2 to _ANSWER seconds."""
        if self._spent < _ANSWER / 2 and self._step < _MOST:
            self._step *= 2
        elif self._spent > _ANSWER and self._step > 1:
            self._step //= 2
        self._begun, self._spent = 0, 0.0

    @property
    def iteration(self) -> int:
        """Finished iterations of all phases."""
        return int(self._call(library.otok_sim_iteration))

    @property
    def iterations(self) -> int:
        """The iterations of all phases, after all changes."""
        return int(self._call(library.otok_sim_end))

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return float(self._call(library.otok_sim_time))

    @property
    def sea_level(self) -> float:
        """Height of the sea [m]."""
        return float(self._call(library.otok_sim_sea_level))

    @property
    def phase(self) -> str:
        """The phase of the next iteration. After the last one it is "end"."""
        return str(self._call(library.otok_sim_phase).decode())

    @property
    def backend(self) -> str:
        """As chosen: "cpu", "cuda", ..."""
        return str(self._call(library.otok_sim_backend).decode())

    @property
    def device(self) -> str:
        """The model of the GPU, or the number of threads, in words."""
        return str(self._call(library.otok_sim_device).decode())

    def change(self, path: str, value: Any) -> None:
        """Change a parameter of this phase or a later one from now on: `sim.change("phases.rain.rain.rate", 2e-3)`.

        Parameters
        ----------
        path : str
            The key, as for `--set`.
        value : number, str or list
            In the unit of the key, or a text such as "2 mm/h".

        Raises
        ------
        DataError
            The value is out of range, or the key cannot change; nothing changed.
        """
        check(self._call(library.otok_sim_change, path.encode(), words(value).encode()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint, which xarray and ParaView open.

        Parameters
        ----------
        path : path
            Such as "after.vtkhdf".

        Raises
        ------
        WriteError
            The file cannot be written; an earlier one is untouched.
        """
        status = self._call(library.otok_sim_save, os.fsencode(path))
        try:
            check(status)
        except ReadError as why:
            raise WriteError(str(why)) from None

    def load(self, path: str | os.PathLike[str]) -> None:
        """Continue from a checkpoint of the same scenario, bit for bit. A UserWarning names rasters that are not as they were.

        Parameters
        ----------
        path : path
            A file of `save` or `run`.

        Raises
        ------
        DataError
            It is damaged, or of another scenario.
        """
        with self._alone() as at:
            check(library.otok_sim_load(at, os.fsencode(path)))
            self._tell(at)


def _until(when: Any) -> float:
    """A time in seconds; none is beyond all.

    >>> _until(None), _until(datetime.timedelta(minutes=1)), _until("1 h"), _until(7)
    (inf, 60.0, 3600.0, 7.0)
    """
    if when is None or isinstance(when, str):
        return _seconds_of(when) if when else math.inf
    return float(when.total_seconds() if isinstance(when, datetime.timedelta) else when)


def _count(n: Any) -> int:
    """
    >>> import numpy as np
    >>> _count(np.int64(3))
    3
    >>> _count(-1)
    Traceback (most recent call last):
        ...
    otok.errors.UsageError: -1 iterations; give a whole number that is not below 0
    """
    try:
        number = operator.index(n)
    except TypeError:
        number = -1
    if number < 0:
        raise UsageError(f"{n!r} iterations; give a whole number that is not below 0")
    return number


class _NoBar:
    def update(self, n: int) -> None:
        pass

    def close(self) -> None:
        pass


def _bar(total: int, wanted: bool, unit: str = "it") -> Any:
    """A bar of tqdm, or one that shows nothing."""
    if not wanted:
        return _NoBar()
    try:
        from tqdm.auto import tqdm
    except ImportError as why:
        raise Error("progress needs tqdm; pip install tqdm") from why
    return tqdm(total=total, unit=unit)
