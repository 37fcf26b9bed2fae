"""An observed terrain: the cells that were seen, the numbers that are compared, and the covariance of their errors."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import UsageError

Summary = Callable[[np.ndarray, float], np.ndarray]

_BLOCKS = 8  # along the longer side of the map
_COPIES = 2000  # of the observed map, each with another error
_MARKS = (-9999, -99999, -32768, -32767, 9999, 32767)  # what programs write for no data
_HIGHEST = 1e5  # [m]


def block_means(terrain: np.ndarray, spacing: float) -> np.ndarray:
    """Mean heights of square blocks [m], at most 8 along a side, over their cells that have one; cells beyond the last whole block are left out.

    >>> block_means(np.arange(16 * 8.0).reshape(8, 16), 1.0)[:3]
    array([ 8.5, 10.5, 12.5])
    """
    side = -(-max(terrain.shape) // _BLOCKS)
    ny, nx = (n // side for n in terrain.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a block that nobody saw
        found: np.ndarray = np.nanmean(terrain[: ny * side, : nx * side].reshape(ny, side, nx, side), (1, 3)).ravel()
        return found


def check_heights(seen: np.ndarray) -> None:
    """
    >>> check_heights(np.array([[3, 4], [-9999, np.nan]]))
    Traceback (most recent call last):
        ...
    otok.errors.UsageError: observed: 1 heights are -9999, which programs write for no data; set cells that were not observed to NaN
    """
    if np.isinf(seen).any() or np.isnan(seen).all():
        raise UsageError(f"observed: {np.count_nonzero(~np.isfinite(seen))} heights are not finite; set cells that were not observed to NaN, and give one that was")
    marks = [mark for mark in _MARKS if (seen == mark).any()] + seen[np.abs(seen) > _HIGHEST].tolist()
    if marks:
        raise UsageError(f"observed: {np.count_nonzero(seen == marks[0])} heights are {marks[0]:.6g}, which programs write for no data; set cells that "
                         "were not observed to NaN")


def errors_of(shape: tuple[int, ...], length: float, rng: np.random.Generator) -> Callable[[], np.ndarray]:
    """Maps of standard normal errors whose correlation is exp(-distance / length), length and distance in cells; 0: independent cells.

    >>> maps = errors_of((8, 8), 3.0, np.random.default_rng(1))
    >>> some = np.array([maps() for _ in range(4000)])
    >>> round(float(some.var()), 1), round(float((some[:, :, 3:] * some[:, :, :-3]).mean()), 1)  # exp(-1) is 0.4
    (1.0, 0.4)
    """
    if length == 0:
        return lambda: rng.normal(size=shape)
    from scipy.fft import next_fast_len

    wide = [next_fast_len(int(2 * n + 8 * length)) for n in shape]  # periodic, so that the far side is far away
    away = np.hypot(*np.meshgrid(*(np.minimum(np.arange(n), n - np.arange(n)) for n in wide), indexing="ij"))
    power = np.sqrt(np.maximum(np.fft.fft2(np.exp(-away / length)).real, 0))

    def drawn() -> np.ndarray:
        return np.fft.ifft2(power * np.fft.fft2(rng.normal(size=wide))).real[: shape[0], : shape[1]]

    return drawn


class Observation:
    """A summary of the observed map, its error's covariance, and differences from it in units of that error."""

    def __init__(self, observed: np.ndarray, noise: Any, spacing: float, summary: Summary, rng: np.random.Generator, correlation: float = 0,
                 discrepancy: tuple[float, float] = (0, 0)) -> None:
        self._spacing, self._summary, self._unseen = spacing, summary, np.isnan(observed)
        self._used: Any = slice(None)
        self.seen = self.of(observed)
        if summary is block_means:
            self._used = np.isfinite(self.seen)
            self.seen = self.seen[self._used]
        if not self.seen.size or not np.isfinite(self.seen).all():
            raise UsageError(f"summary: of the observed terrain it is {self.seen}; return one number or more, all finite")
        given = np.asarray(noise, float)
        if of_cells := given.ndim == 0 or given.shape == observed.shape != (self.seen.size,) * 2:
            given = self._copied(observed, given, rng, correlation / spacing, (discrepancy[0], discrepancy[1] / spacing))
        elif correlation or discrepancy[0]:
            raise UsageError("noise: a covariance of the summary holds all errors; leave out correlation and discrepancy, or give the noise of cells")
        if given.shape != (self.seen.size,) * 2 or not np.allclose(given, given.T):
            raise UsageError(f"noise: the shape {given.shape}; give a number, a map of the grid's shape, or the covariance of the summary's {self.seen.size} numbers")
        try:
            self._root = np.linalg.cholesky(given)
        except np.linalg.LinAlgError:
            raise UsageError("summary: some numbers depend on others, or not on the terrain at all; leave them out" if of_cells else
                             "noise: no covariance of numbers: some numbers depend on others, or a variance is not above 0") from None
        self.deviation = np.sqrt(np.diag(given))

    def _copied(self, observed: np.ndarray, noise: np.ndarray, rng: np.random.Generator, length: float, model: tuple[float, float]) -> np.ndarray:
        errors, more = errors_of(observed.shape, length, rng), errors_of(observed.shape, model[1], rng)
        wrong = [observed + noise * errors() + (model[0] * more() if model[0] else 0) for _ in range(_COPIES)]
        if self.seen.size >= _COPIES // 10:
            raise UsageError(f"summary: {self.seen.size} numbers; give fewer than {_COPIES // 10}, such as means of blocks or quantiles")
        copies = np.array([self.of(one) for one in wrong])
        self.seen = 2 * self.seen - copies.mean(0)  # an error that adds to the summary on average is no terrain
        return np.atleast_2d(np.cov(copies.T))

    def of(self, terrain: np.ndarray) -> np.ndarray:
        """The numbers of a terrain that is seen where the observed one is."""
        found: np.ndarray = np.asarray(self._summary(np.where(self._unseen, np.nan, terrain), self._spacing), float).ravel()[self._used]
        return found

    def of_members(self, wave: int, maps: np.ndarray, members: np.ndarray) -> np.ndarray:
        """The summaries of these members of a wave, (member, data); their lengths are that of the observed one."""
        found = [self.of(one) for one in maps[members].astype(float)]
        if wrong := [(int(n), one.size) for n, one in zip(members, found) if one.size != self.seen.size]:
            raise UsageError(f"step {wave}: summary: {len(wrong)} of {len(maps)} members have another length than the observed terrain, "
                             f"{self.seen.size}; the first is member {wrong[0][0]}, of length {wrong[0][1]}; return as many numbers of any terrain")
        return np.array(found).reshape(len(members), -1)

    def differences(self, summaries: np.ndarray) -> np.ndarray:
        return np.linalg.solve(self._root, (self.seen - summaries).T).T

    def in_units(self, differences: np.ndarray, covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Differences of one place and the covariance of their errors, back in the numbers' units: differences, deviations."""
        return self._root @ differences, np.sqrt(np.einsum("ij,jk,ik->i", self._root, covariance, self._root))
