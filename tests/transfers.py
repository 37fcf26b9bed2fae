"""Counts the bytes that go between host and GPU, by the activity records of CUPTI, CUDA's library for profilers. All versions of its record
of a copy begin alike; `Copy` has that beginning, and tests/python_transfers.py compares it with cupti_activity.h."""
import ctypes
import glob
import os
import pathlib
import sys

MEMCPY, FORCED, NO_MORE = 1, 1, 12  # CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, CUPTI_ERROR_MAX_LIMIT_REACHED
OLDEST = 12  # of CUDA 10: a record has this beginning since then
WITHIN = (5, 6, 7, 8, 9)  # copies within the host or within the GPU; all others, unknown ones too, are counted
SIZE = 1 << 20  # of a buffer [bytes]


class Copy(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("copy_kind", ctypes.c_uint8), ("from_kind", ctypes.c_uint8), ("to_kind", ctypes.c_uint8),
                ("flags", ctypes.c_uint8), ("bytes", ctypes.c_uint64)]


_Bytes = ctypes.c_void_p
_Request = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Bytes), ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_size_t))
_Complete = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, _Bytes, ctypes.c_size_t, ctypes.c_size_t)
_kept = []  # CUPTI may call a callback until the process ends


class Missing(Exception):
    """CUPTI is not there, or does not serve here."""


def candidates():
    """Paths of libcupti: the one that PyTorch has loaded, if it has, since two cannot serve one process; then those of toolkit and wheels."""
    maps = pathlib.Path("/proc/self/maps").read_text().split()
    found = [word for word in maps if "/libcupti.so" in word][:1]
    if found:
        return found
    roots = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ] + sorted(glob.glob("/usr/local/cuda*"))
    for root in roots:
        for folder in ("extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib"):
            found += sorted(glob.glob(f"{root}/{folder}/libcupti.so*"))
    for folder in sys.path:
        found += sorted(glob.glob(f"{folder}/nvidia/*/lib/libcupti.so*"))
    return [*found, "libcupti.so", "libcupti.so.13", "libcupti.so.12"]


class Counter:
    def __init__(self, path=None):
        self.copies, self.buffers, self.failed = [], {}, ""
        for path in [path] if path else candidates():
            try:
                self.cupti = ctypes.CDLL(path)
                break
            except OSError:
                continue
        else:
            raise Missing("no libcupti.so; CUDA_HOME says where the toolkit is, or pip install nvidia-cuda-cupti")
        self.path, version = path, ctypes.c_uint32()
        self.call("cuptiGetVersion", ctypes.byref(version))
        if version.value < OLDEST:
            raise Missing(f"{path}: version {version.value} of CUPTI, whose records are not known here")
        self.callbacks = _Request(self.lend), _Complete(self.read)
        _kept.append((self, self.callbacks))
        self.call("cuptiActivityRegisterCallbacks", *self.callbacks)

    def call(self, name, *given):
        status = getattr(self.cupti, name)(*given)
        if status:
            raise Missing(f"{self.path}: {name} fails with {status}")

    def lend(self, buffer, size, most):
        memory = (ctypes.c_uint64 * (SIZE // 8))()
        at = ctypes.addressof(memory)
        self.buffers[at] = memory
        buffer[0], size[0], most[0] = at, SIZE, 0

    def read(self, _context, _stream, buffer, _size, valid):
        record = ctypes.c_void_p()
        while valid:
            status = self.cupti.cuptiActivityGetNextRecord(ctypes.c_void_p(buffer), ctypes.c_size_t(valid), ctypes.byref(record))
            if status:
                self.failed = self.failed or ("" if status == NO_MORE else f"cuptiActivityGetNextRecord fails with {status}")
                break
            copy = Copy.from_address(record.value)
            if copy.kind == MEMCPY:
                self.copies.append((copy.copy_kind, copy.bytes))
        self.buffers.pop(buffer, None)

    def over_the_bus(self, work):
        """The bytes that `work` moves between host and GPU. It waits for the GPU before it returns."""
        self.copies.clear()
        self.call("cuptiActivityEnable", MEMCPY)
        try:
            work()
        finally:
            self.call("cuptiActivityFlushAll", FORCED)
            self.call("cuptiActivityDisable", MEMCPY)
        dropped = ctypes.c_size_t()
        self.call("cuptiActivityGetNumDroppedRecords", None, 0, ctypes.byref(dropped))
        if dropped.value or self.failed:
            raise Missing(f"{self.path}: {dropped.value} records were dropped; {self.failed}")
        return sum(size for kind, size in self.copies if kind not in WITHIN)
