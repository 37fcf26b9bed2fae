"""Failures of the library as exceptions, with its own texts: what, where, what to do."""

from __future__ import annotations

import importlib.util

from ._library import library


class Error(Exception):
    """A call of otok failed. `str(error)` is the library's text."""


class UsageError(Error, ValueError):
    """The call breaks a rule; nothing changed."""


class DataError(Error, ValueError):
    """A scenario, map or checkpoint is not acceptable; nothing changed."""


class DeviceError(Error, RuntimeError):
    """No usable device, or it failed; the simulation can only be closed."""


class NoMemoryError(Error, MemoryError):
    """Host or device memory ran out; nothing changed."""


class ReadError(Error, OSError):
    """A file could not be read, or, by a whole run, not written; earlier files are untouched."""


class WriteError(ReadError):
    """A file could not be written; an earlier one is untouched."""


class StoppedError(Error):
    """Stopped early on request, after a checkpoint."""


class InternalError(Error, RuntimeError):
    """A defect of otok; please report it."""


_kinds: tuple[type[Error], ...] = (Error, UsageError, DataError, DeviceError, NoMemoryError, ReadError, StoppedError, InternalError)


# what the library's texts say of the command line, as it is in Python
_WORDS = {"another directory with -o": "another directory", "--resume": "resume=True", "--overwrite": "overwrite=True", "--set ": "",
          "--backend cpu": 'backend="cpu"', "; --refine": "; on the command line `otok run --refine`", "otok predict": "`predict`", "`book`": "`sim.book`",
          "otok_sim_lend_band for each of them, or ": "", "otok_sim_": "sim."}


def in_python(text: str) -> str:
    """A text of the library that speaks of arguments, not of options.

    >>> in_python("continue them with --resume, or choose another directory with -o")
    'continue them with resume=True, or choose another directory'
    >>> in_python("look at nvidia-smi, or use --backend cpu")
    'look at nvidia-smi, or use backend="cpu"'
    """
    for option, words in _WORDS.items():
        text = text.replace(option, words)
    return text


def check(status: int) -> None:
    """Raises the exception of a failed call. Only the thread that made the call has its text.

    >>> check(0)
    """
    if status != 0:
        raise _kinds[status if 0 < status < len(_kinds) else -1](in_python(library.otok_why().decode()))


def needs(caller: str, *packages: str) -> None:
    """Looks for packages before anything runs. Names are those of `import`.

    >>> needs("otok.walk", "numpy", "shoes")
    Traceback (most recent call last):
        ...
    otok.errors.Error: otok.walk needs shoes; pip install shoes
    """
    if lacking := [name for name in packages if importlib.util.find_spec(name) is None]:
        raise Error(f"{caller} needs {' and '.join(lacking)}; pip install {' '.join(lacking)}".replace("pip install sklearn", "pip install scikit-learn"))
