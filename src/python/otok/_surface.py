"""A surface between members of two sides, what it is worth, and what members that it has not seen certify."""

from __future__ import annotations

import dataclasses
import functools
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ._calls import _threads

_TUNED = 256  # members that choose the kernel
_AGAIN = 1.5  # with more than these it is chosen anew when there are so many times the members
_STRENGTH = (25, 1000)  # of the kernel; a weaker one would take members of a rare side for noise
_LENGTHS = (0.03, 0.1, 0.3, 1.0)  # where the search for the kernel begins, for the diagonal of the box; and its least
_WEAK = 100  # inverse penalty of the curve's slope, the one number that it has
SURE = 0.95  # of what is claimed


class Surface:
    """A Gaussian process between the members of both sides (Rasmussen and Williams 2006, 3.4), with a length along each axis. It doubts places that are far
    from all members."""

    def __init__(self, places: np.ndarray, inside: np.ndarray, before: Surface | None = None, theta: list[float] | None = None) -> None:
        self.places, self.inside = places, inside
        if theta is not None:
            self.kernel: Any = self._kernel(1.0).clone_with_theta(np.array(theta))
            return
        again = before is None or len(places) <= _TUNED or len(places) >= _AGAIN * before.chosen_of
        self.kernel = self._chosen() if before is None or again else before.kernel
        self.chosen_of: int = len(places) if before is None or again else before.chosen_of

    @property
    def theta(self) -> list[float]:
        """The logarithms of the kernel's numbers."""
        return list(map(float, self.kernel.theta))

    def _kernel(self, length: float) -> Any:
        from sklearn.gaussian_process.kernels import RBF, ConstantKernel

        wide = self.places.shape[1] ** 0.5
        lengths = RBF(np.full(self.places.shape[1], length * wide), (_LENGTHS[0] * wide, 2 * wide))
        return ConstantKernel(10, "fixed") + ConstantKernel(100, _STRENGTH) * lengths

    def _fitted(self, some: np.ndarray, kernel: Any, **how: Any) -> Any:
        from sklearn.gaussian_process import GaussianProcessClassifier

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of lengths at their bounds: an axis without effect
            return GaussianProcessClassifier(kernel, copy_X_train=False, **how).fit(self.places[some], self.inside[some])

    @functools.cached_property
    def _machine(self) -> Any:
        return self._fitted(np.arange(len(self.places)), self.kernel, optimizer=None)

    def _chosen(self) -> Any:
        n = len(self.places)
        some = np.random.default_rng(0).permutation(n)[:_TUNED]
        if np.bincount(self.inside[some].astype(int), minlength=2).min() < 3:
            some = np.arange(n)
        likely = [self._fitted(some, self._kernel(length), optimizer=None).log_marginal_likelihood_value_ for length in _LENGTHS]
        return self._fitted(some, self._kernel(_LENGTHS[int(np.argmax(likely))])).kernel_

    def __call__(self, places: np.ndarray) -> np.ndarray:
        return self._score(self._machine, places)

    def odds(self, places: np.ndarray) -> np.ndarray:
        """The expected score without the process's doubt, which takes much longer to know."""
        machine = self._machine.base_estimator_
        weights = machine.y_train_ - machine.pi_
        with ThreadPoolExecutor(_threads()) as threads:
            return np.concatenate(list(threads.map(lambda some: machine.kernel_(some, machine.X_train_) @ weights, np.array_split(places, 1 + len(places) // 1024))))

    @staticmethod
    def _score(machine: Any, places: np.ndarray) -> np.ndarray:
        """Above 0 inside; the logarithm of the odds, which the process's doubt shrinks."""
        with ThreadPoolExecutor(_threads()) as threads:
            found = list(threads.map(machine.latent_mean_and_variance, np.array_split(places, 1 + len(places) // 1024)))
        mean, variance = (np.concatenate(some) for some in zip(*found))
        inside: np.ndarray = mean / np.sqrt(1 + np.pi * np.maximum(variance, 0) / 8)
        return inside

    def unseen(self) -> np.ndarray:
        """The same for its own members, each as if the process had not seen it (leave-one-out by Laplace's approximation: Vehtari et al. 2016)."""
        from scipy.linalg import solve_triangular

        machine = self._machine.base_estimator_
        kernel, pull = machine.kernel_(machine.X_train_), machine.y_train_ - machine.pi_
        known = (solve_triangular(machine.L_, machine.W_sr_[:, np.newaxis] * kernel, lower=True) ** 2).sum(0)
        variance = 1 / np.maximum(1 / (np.diag(kernel) - known) - machine.W_sr_**2, 1e-12)
        return np.asarray((kernel @ pull - variance * pull) / np.sqrt(1 + np.pi * variance / 8))


@dataclasses.dataclass(frozen=True)
class Chance:
    """The probability of being inside by the score, as it is for members that the surface has not seen: a logistic curve through 1/2 at 0, for few members of a
    rare side know a slope, but no level (temperature scaling: Guo et al. 2017). Its ends, as of one member more on each side, are never 0 or 1.

    >>> chance = Chance.of(np.array([-3.0, -2, -1, 1, 2, 3]), np.array([False, False, True, False, True, True]))
    >>> chance.predict(np.array([-100, 0, 100])).round(3).tolist()
    [0.125, 0.5, 0.875]
    """

    n: int
    slope: float

    @classmethod
    def of(cls, score: np.ndarray, inside: np.ndarray) -> Chance:
        from sklearn.linear_model import LogisticRegression

        curve = LogisticRegression(C=_WEAK, fit_intercept=False).fit(score[:, np.newaxis], inside)
        return cls(len(score), float(curve.coef_[0, 0]))

    def bare(self, score: np.ndarray) -> np.ndarray:
        from scipy.special import expit

        return np.asarray(expit(self.slope * score))

    def predict(self, score: np.ndarray) -> np.ndarray:
        return (self.n * self.bare(score) + 1) / (self.n + 2)


def at_most(wrong: int, of: int, sure: float = SURE) -> float:
    """The largest share of which so many of some random members would be wrong with a chance of 1 - sure (Clopper and Pearson 1934).

    >>> round(at_most(0, 300), 4), at_most(0, 0)
    (0.0099, 1.0)
    """
    from scipy.stats import beta

    return float(beta.ppf(sure, wrong + 1, of - wrong)) if wrong < of else 1.0


@dataclasses.dataclass(frozen=True)
class Trial:
    """How often the surface is right about members that it has not seen."""

    members: int
    wrong: int
    banded: int
    """Members in the band."""
    wrong_outside: int
    """Members outside the band that are on the wrong side."""
    chances: tuple[tuple[int, float, int], ...]
    """Of five equal ranges of `probability` (`Edges.classify`), from 0 on: members, how many are inside by it, how many are."""
    share: float
    """wrong / members."""
    interval: tuple[float, float]
    """Of that share: 95 % (Clopper and Pearson 1934)."""
    outside_at_most: float
    """The share of places beyond the band that are on the wrong side is at most this, with 95 %."""

    @classmethod
    def of(cls, kept: dict[str, Any]) -> Trial:
        return cls(**{**kept, "chances": tuple(map(tuple, kept["chances"])), "interval": tuple(kept["interval"])})


def trial_of(score: np.ndarray, inside: np.ndarray, band: float, chance: Chance) -> Trial:
    wrong, banded, n = (score > 0) != inside, np.abs(score) < band, len(score)
    k, outside, two = int(wrong.sum()), int((~banded).sum()), (1 + SURE) / 2
    likely = chance.predict(score)
    ranges = [np.minimum((5 * likely).astype(int), 4) == fifth for fifth in range(5)]
    chances = tuple((int(some.sum()), float(likely[some].sum()), int(inside[some].sum())) for some in ranges)
    beyond = int((wrong & ~banded).sum())
    return Trial(n, k, n - outside, beyond, chances, k / n if n else np.nan, (1 - at_most(n - k, n, two), at_most(k, n, two)), at_most(beyond, outside))
