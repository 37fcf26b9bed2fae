"""Who owns what the library has made: one owner frees it once, when nobody holds it any more; one thread uses it at a time; no process
uses the threads of the one that it was forked from."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from .errors import UsageError

_computes = False  # whether this process has started threads of the library
_forked = False  # whether it was forked from one that had


def _after_fork() -> None:
    global _forked
    _forked = _forked or _computes


os.register_at_fork(after_in_child=_after_fork)


def computes() -> None:
    """Called before the library starts threads, which a forked process would wait for in vain."""
    global _computes
    if _forked:
        raise UsageError("this process was forked from one in which otok had started threads, which it lacks; start it with "
                         'multiprocessing.get_context("spawn")')
    _computes = True


class Owner:
    """Frees a pointer of the library when the last object that refers to it is gone, in the process that made it."""

    def __init__(self, free: Callable[[ctypes.c_void_p], None]) -> None:
        self.at, self._free, self._process, self._lock = ctypes.c_void_p(), free, os.getpid(), threading.RLock()

    @contextlib.contextmanager
    def alone(self) -> Iterator[ctypes.c_void_p]:
        """The pointer, for one thread. A call in another thread fails meanwhile."""
        if os.getpid() != self._process:
            raise UsageError("this simulation belongs to the process that this one was forked from; start processes with "
                             'multiprocessing.get_context("spawn") and make the simulation there')
        if not self._lock.acquire(blocking=False):
            raise UsageError("another thread uses this simulation; give each thread a simulation of its own, or guard it with a lock")
        try:
            yield self.at
        finally:
            self._lock.release()

    def __del__(self) -> None:
        if self.at and os.getpid() == self._process:
            self._free(self.at)


class Unique:
    """What can neither be copied nor pickled.

    >>> import copy
    >>> copy.copy(Unique())
    Traceback (most recent call last):
        ...
    otok.errors.UsageError: Unique objects can neither be copied nor pickled; make another
    """

    _instead = "make another"

    def __reduce_ex__(self, _: Any) -> NoReturn:
        raise UsageError(f"{type(self).__name__} objects can neither be copied nor pickled; {self._instead}")
