"""A field where it lies, for numpy, CuPy, PyTorch, JAX and others, without a copy."""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_char_p, c_int, c_int64, c_uint8, c_uint16, c_uint64, c_void_p, py_object
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library
from ._library import library
from .errors import UsageError, check
from .owner import Owner, Unique

if TYPE_CHECKING:
    from .simulation import Simulation

_CPU, _CUDA, _FLOAT = 1, 2, 2  # of DLPack


class _Tensor(ctypes.Structure):
    """DLManagedTensor of dlpack.h, with the 2-D shape and strides that it points to behind it."""


_Deleter = ctypes.CFUNCTYPE(None, c_void_p)
_Tensor._fields_ = [("data", c_void_p), ("device_type", c_int), ("device_id", c_int), ("ndim", c_int), ("code", c_uint8),
                    ("bits", c_uint8), ("lanes", c_uint16), ("shape", c_void_p), ("strides", c_void_p), ("byte_offset", c_uint64),
                    ("context", c_void_p), ("deleter", _Deleter), ("sizes", c_int64 * 4)]
_lent: dict[int, tuple[_Tensor, Owner]] = {}  # what others hold: it keeps the memory


_api = ctypes.pythonapi
_api.PyCapsule_New.restype, _api.PyCapsule_New.argtypes = py_object, [c_void_p, c_char_p, _Deleter]
_is_valid = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", _api))
_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", _api))
if sys.version_info >= (3, 12):
    _fetch = ctypes.PYFUNCTYPE(c_void_p)(("PyErr_GetRaisedException", _api))
    _restore = ctypes.PYFUNCTYPE(None, c_void_p)(("PyErr_SetRaisedException", _api))
else:
    _raised = (c_void_p * 3)()
    _slots = [c_void_p(ctypes.addressof(_raised) + i * ctypes.sizeof(c_void_p)) for i in range(3)]
    _fetch_into = ctypes.PYFUNCTYPE(None, c_void_p, c_void_p, c_void_p)(("PyErr_Fetch", _api))
    _restore_from = ctypes.PYFUNCTYPE(None, c_void_p, c_void_p, c_void_p)(("PyErr_Restore", _api))

    def _fetch() -> tuple[Any, ...]:
        _fetch_into(*_slots)
        return tuple(_raised)

    def _restore(raised: tuple[Any, ...]) -> None:
        _restore_from(*raised)


@_Deleter  # type: ignore[untyped-decorator]
def _give_back(tensor: int) -> None:
    """Others may call this while they raise an exception, which is kept meanwhile."""
    raised = _fetch()
    _lent.pop(tensor, None)
    _restore(raised)


@ctypes.PYFUNCTYPE(None, c_void_p)  # type: ignore[untyped-decorator]
def _capsule_ends(capsule: int) -> None:
    raised = _fetch()
    if _is_valid(capsule, b"dltensor"):  # nobody took it
        _lent.pop(_pointer(capsule, b"dltensor"), None)
    _restore(raised)


class Loan(Unique):
    """A field of a simulation where it lies, float32 of shape (ny, nx), rows `pitch` floats apart.

    Arrays that `numpy.asarray`, `cupy.asarray`, `torch.from_dlpack` or `jax.dlpack.from_dlpack` make of it share its memory. They show
    the field until the simulation next runs, is set or is loaded; then you need a new loan. You may write to the field, except to
    `terrain_base`, which only `Simulation.set` may change. The memory lives as long as such an array, also after the simulation is closed.

    Parameters
    ----------
    sim : Simulation
        Which lends it: use `Simulation.lend`.
    field : int
        Its number.

    Examples
    --------
    >>> import numpy as np, otok
    >>> sim = otok.Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]", backend="cpu")
    >>> np.asarray(sim.lend("water"))[2, 3] = 0.5
    >>> float(sim["water"][2, 3])
    0.5
    >>> float(np.from_dlpack(sim.lend("water"))[2, 3])
    0.5
    """

    _instead = "copy the field with sim.get"

    def __init__(self, sim: "Simulation", field: int) -> None:
        self._sim, self._owner, self._field = sim, sim._open(), field
        self._take()

    def _take(self) -> _library.Loan:
        loan = _library.Loan()
        check(self._sim._call(library.otok_sim_lend, self._field, loan))
        return loan

    @property
    def _is_fixed(self) -> bool:
        """Only Simulation.set may change the base, because the library keeps what it derives from it."""
        return bool(_library.FIELDS[self._field].name == b"terrain_base")

    def __repr__(self) -> str:
        return f"<otok.Loan of {_library.FIELDS[self._field].name.decode()}, {self._sim.backend}>"

    @property
    def shape(self) -> tuple[int, int]:
        """Of the field: (ny, nx)."""
        return self._sim.scenario.shape

    @property
    def device(self) -> int | None:
        """The number of the GPU; None on the CPU."""
        loan = self._take()
        return loan.device if loan.device >= 0 else None

    @property
    def stream(self) -> int | None:
        """The CUDA stream in which the simulation works; None on the CPU."""
        stream: int | None = self._take().stream
        return stream

    def _interface(self, version: int) -> dict[str, Any]:
        loan = self._take()
        return {"shape": (loan.ny, loan.nx), "strides": (4 * loan.pitch, 4), "typestr": "<f4", "data": (loan.data, self._is_fixed),
                "version": version, **({"stream": loan.stream or 1} if loan.device >= 0 else {})}

    @property
    def __array_interface__(self) -> dict[str, Any]:
        if self.device is not None:
            raise AttributeError("the field lies on a GPU; sim.get(name) copies it to the host")
        return self._interface(3)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.device is None:
            raise AttributeError("the field lies on the CPU")
        return self._interface(3)

    def __dlpack_device__(self) -> tuple[int, int]:
        device = self.device
        return (_CPU, 0) if device is None else (_CUDA, device)

    def __dlpack__(self, *, stream: Any = None, **more: Any) -> Any:
        """Waits for the simulation, so that any stream may use the field."""
        loan = self._take()
        if self._is_fixed:
            raise UsageError("terrain_base: is read-only, which DLPack cannot say to everybody; copy it with sim.get, change it with sim.set")
        if loan.device < 0:
            return np.asarray(self).__dlpack__(**more)
        tensor = _Tensor(loan.data, _CUDA, loan.device, 2, _FLOAT, 32, 1)
        tensor.sizes = (loan.ny, loan.nx, loan.pitch, 1)
        at = ctypes.addressof(tensor)
        tensor.shape = at + _Tensor.sizes.offset
        tensor.strides = tensor.shape + 2 * ctypes.sizeof(c_int64)
        tensor.deleter = _give_back
        _lent[at] = (tensor, self._owner)
        return _api.PyCapsule_New(at, b"dltensor", ctypes.cast(_capsule_ends, _Deleter))
