"""Which parameters made this terrain? An ensemble smoother over studies."""

from __future__ import annotations

import dataclasses
import pathlib
import tempfile
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import plain
from .errors import DataError, Error, UsageError
from .laboratory import Axes, Watcher, study
from .scenario import Scenario

if TYPE_CHECKING:
    import xarray

Summary = Callable[[np.ndarray, float], np.ndarray]

_BLOCKS = 8  # along the longer side of the map
_COPIES = 2000  # of the observed map, each with another error
_STEPS = 12  # at most
_KNOWN = 0.05 * 12**0.5 / 1.645  # a parameter is identified if its 90 % interval, of a normal posterior, has 5 % of the axis to each side
_WIDE = 0.5  # a combination whose spread is a larger share of its prior's is not identified
_DRAWS, _TAIL, _WIDER = 20000, 5, 1.5  # of Student's t with so many degrees of freedom, so much wider than the members
_SHARP = 6  # draws anew at most; the last two with the whole weight
_LENGTH, _NUGGET = 2, 1e-3  # of the emulator: its length over the root of the number of parameters, in spreads of the members
_KNOWN_STEPS, _KNOWN_MEMBERS = 6, 600  # the emulator knows the members of so many steps, the newest ones, the whole last step at least
_FEW = 0.5  # a step in which so large a share of the members has no finite end gives up


def block_means(terrain: np.ndarray, spacing: float) -> np.ndarray:
    """Mean heights of square blocks [m], at most 8 along a side; cells beyond the last whole block are left out.

    >>> block_means(np.arange(16 * 8.0).reshape(8, 16), 1.0)[:3]
    array([ 8.5, 10.5, 12.5])
    """
    side = -(-max(terrain.shape) // _BLOCKS)
    ny, nx = (n // side for n in terrain.shape)
    return terrain[: ny * side, : nx * side].reshape(ny, side, nx, side).mean((1, 3)).ravel()


@dataclasses.dataclass(frozen=True)
class Posterior:
    """Members that could have made a terrain, and what it does not tell."""

    members: "xarray.Dataset"
    """Over `member`: the values by paths, `verdict_word`, and `misfit`, the mean squared difference of its summary over the error's variance."""
    prior: "xarray.Dataset"
    """The members of the first step, drawn from the prior."""
    spread: dict[str, float]
    """Of each parameter: its standard deviation over that of the prior, in the scale of its axis; 1: nothing was learned."""
    directions: "xarray.Dataset"
    """The same over `direction`, combinations of parameters that vary independently of each other, widest first: `spread`, and `weight` by
    `parameter`, an eigenvector of the posterior's covariance. On axes with `scale: log` weights are exponents of a product."""
    unidentified: list[str]
    """In words: parameters whose spread is above 0.105, so that a 90 % interval of a normal posterior is wider than a tenth of the axis, and
    combinations whose spread is above 0.5."""
    misfit: float
    """The least misfit of a member; not far above 1 if the scenario can explain the terrain."""
    steps: list[float]
    """The share of the information that each step of the smoother used; their sum is 1."""
    powers: list[float]
    """Of the weights with which members were drawn anew after these; the last is 1 if the posterior has converged."""
    lost: int
    """Members without a finite end or summary, over all steps."""

    def interval(self, share: float = 0.9) -> dict[str, tuple[float, float]]:
        """The central interval that holds each parameter with this probability, if the truth is one more draw from the distribution of the
        members: of 9 members the interval from the least to the largest holds it with 0.8."""
        ends = [(1 - share) / 2, (1 + share) / 2]
        low_high = {str(self.members[path].attrs["path"]): np.quantile(self.members[path].values, ends, method="weibull") for path in self.spread}
        return {path: (float(low), float(high)) for path, (low, high) in low_high.items()}


def _smoother() -> Any:
    try:
        from iterative_ensemble_smoother import ESMDA
    except ImportError as why:
        raise Error("otok.invert needs iterative_ensemble_smoother; pip install iterative_ensemble_smoother") from why
    return ESMDA


def smooth(parameters: np.ndarray, differences: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """One update of the ensemble smoother with multiple data assimilation (Emerick and Reynolds 2013, doi:10.1016/j.cageo.2012.03.011) by the
    package iterative_ensemble_smoother; its inflation is 1 / share. `differences` are observations less simulations in units of the error,
    (members, data); `parameters` have a normal prior, (members, parameters).

    >>> rng = np.random.default_rng(1)
    >>> prior = rng.normal(size=(4000, 1))  # one datum, 2 with an error of 1: the posterior is N(1, 1/2)
    >>> posterior = prior
    >>> for _ in range(4):
    ...     posterior = smooth(posterior, 2 - posterior, 0.25, rng)
    >>> round(float(posterior.mean()), 1), round(float(posterior.var()), 1)
    (1.0, 0.5)
    """
    if not np.ptp(differences, axis=0).any():  # the package divides by the spread of the simulations
        return parameters
    data = differences.shape[1]
    update = _smoother()(np.full(data, 1 / share), np.zeros(data), alpha=1, seed=rng)  # its shares would have to be known in advance
    update.prepare_assimilation(Y=-differences.T, truncation=1.0)
    return np.asarray(update.assimilate_batch(X=parameters.T).T)


def _share(differences: np.ndarray, left: float) -> float:
    """How much of the information a step may use: the adaptive rule of Iglesias and Yang 2021 (doi:10.1088/1361-6420/abd29b).

    >>> _share(np.full((10, 4), 0.1), 0.7)
    0.7
    """
    misfit, data = (differences**2).sum(1) / 2, differences.shape[1]
    with np.errstate(divide="ignore"):
        return float(min(max(data / (2 * misfit.mean()), np.sqrt(data / (2 * misfit.var()))), left))


def _quadratic(z: np.ndarray) -> np.ndarray:
    """1, all coordinates, and all products of two.

    >>> _quadratic(np.array([[2.0, 3.0]])).tolist()
    [[1.0, 2.0, 3.0, 4.0, 6.0, 9.0]]
    """
    row, column = np.triu_indices(z.shape[1])
    return np.column_stack([np.ones(len(z)), z, z[:, row] * z[:, column]])


def sharpen(scores: np.ndarray, known: np.ndarray, differences: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """Members anew, from the posterior in which an emulator stands for the scenario, by importance sampling around `scores` (calibrate,
    emulate, sample: Cleary et al. 2021, doi:10.1016/j.jcp.2020.109716). The emulator is a quadratic and a Gaussian process of its residuals
    through the `known` members; its errors, each member left out, count as errors of the observation. Returns the members and the power of
    the weights, below 1 if these would rest on fewer draws than there are members.

    >>> rng = np.random.default_rng(2)
    >>> start = rng.normal(1, 0.7, (400, 1))  # the datum 3 z + z^2 = 4 with an error of 0.1: z is 1, as -4 is far out in the prior
    >>> found, power = sharpen(start, start, (4 - 3 * start - start**2) / 0.1, rng)
    >>> np.quantile(found, [0.16, 0.84]).round(1).tolist(), power
    ([1.0, 1.0], 1.0)
    """
    n, d = scores.shape
    centre, root = scores.mean(0), np.linalg.cholesky(np.atleast_2d(np.cov(scores.T)) + 1e-12 * np.eye(d))
    at = np.linalg.solve(root, (known - centre).T).T
    fit = np.linalg.lstsq(_quadratic(at), differences, rcond=None)[0]
    inverse = np.linalg.inv(_near(at, at) + _NUGGET * np.eye(len(at)))
    rest = inverse @ (differences - _quadratic(at) @ fit)
    errors = rest / np.diag(inverse)[:, np.newaxis]
    error = np.linalg.inv(np.eye(differences.shape[1]) + errors.T @ errors / len(errors))
    draws = rng.standard_t(_TAIL, (_DRAWS, d)) * _WIDER
    places, simulated = centre + draws @ root.T, _quadratic(draws) @ fit + _near(draws, at) @ rest
    weight = -((simulated @ error) * simulated).sum(1) / 2 - (places**2).sum(1) / 2
    weight += (_TAIL + 1) / 2 * np.log1p((draws / _WIDER) ** 2 / _TAIL).sum(1)

    def shares(power: float) -> np.ndarray:
        found = np.exp(power * (weight - weight.max()))
        return found / found.sum()

    power = 1.0
    while 1 / (shares(power) ** 2).sum() < n and power > 1e-6:
        power *= 0.8
    return places[rng.choice(_DRAWS, n, p=shares(power))], power


def _near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The covariance of a Gaussian process between places, in units of the members' spread."""
    apart = (a**2).sum(1)[:, np.newaxis] + (b**2).sum(1) - 2 * a @ b.T
    return np.exp(-np.maximum(apart, 0) / (2 * _LENGTH**2 * a.shape[1]))


class _Observation:
    """A summary of the observed map, its error's covariance, and differences from it in units of that error."""

    def __init__(self, observed: np.ndarray, noise: Any, spacing: float, summary: Summary, rng: np.random.Generator) -> None:
        self._spacing, self._summary = spacing, summary
        self._seen = self.of(observed)
        if not self._seen.size or not np.isfinite(self._seen).all():
            raise UsageError(f"summary: of the observed terrain it is {self._seen}; return one number or more, all finite")
        covariance = self._copied(observed, noise, rng) if np.ndim(noise) == 0 else np.asarray(noise, float)
        if covariance.shape != (self._seen.size,) * 2 or not np.allclose(covariance, covariance.T):
            raise UsageError(f"noise: the shape {covariance.shape}; give a number, or the covariance of the summary's {self._seen.size} numbers")
        try:
            self._root = np.linalg.cholesky(covariance)
        except np.linalg.LinAlgError:
            raise UsageError("summary: some numbers depend on others, or not on the terrain at all; leave them out") from None

    def _copied(self, observed: np.ndarray, noise: float, rng: np.random.Generator) -> np.ndarray:
        copies = np.array([self.of(observed + noise * rng.normal(size=observed.shape)) for _ in range(_COPIES)])
        if self._seen.size >= _COPIES // 10:
            raise UsageError(f"summary: {self._seen.size} numbers; give fewer than {_COPIES // 10}, such as means of blocks or quantiles")
        self._seen = 2 * self._seen - copies.mean(0)  # an error that adds to the summary on average is no terrain
        return np.atleast_2d(np.cov(copies.T))

    def of(self, terrain: np.ndarray) -> np.ndarray:
        return np.asarray(self._summary(np.asarray(terrain, float), self._spacing), float).ravel()

    def of_members(self, step: int, maps: np.ndarray, members: np.ndarray) -> np.ndarray:
        """The summaries of these members of a step, (member, data); their lengths are that of the observed one."""
        found = [self.of(one) for one in maps[members]]
        if wrong := [(int(n), one.size) for n, one in zip(members, found) if one.size != self._seen.size]:
            raise UsageError(f"step {step}: summary: {len(wrong)} of {len(maps)} members have another length than the observed terrain, "
                             f"{self._seen.size}; the first is member {wrong[0][0]}, of length {wrong[0][1]}; return as many numbers of any terrain")
        return np.array(found).reshape(len(members), -1)

    def differences(self, summaries: np.ndarray) -> np.ndarray:
        return np.linalg.solve(self._root, (self._seen - summaries).T).T


def invert(source: Mapping[str, Any], observed: Any, directory: Any = None, *, noise: Any, members: int = 256, summary: Summary = block_means,
           seed: int = 0, backend: str = "auto", gpus: int = 1, resume: bool = False, progress: Watcher = False) -> Posterior:
    """Finds the parameters with which a scenario ends in an observed terrain, with their uncertainty (needs xarray, h5netcdf, scipy and
    iterative_ensemble_smoother, which is under GPL 3).

    `source` is a study's dictionary; `vary` is the prior: each axis with `from` and `to` is uniform between them in its scale, others have
    one value. `observed` is a map of heights [m] of the scenario's shape, row 0 at the bottom, and `noise` the standard deviation of its
    error per cell [m], independent between cells. `summary(terrain, spacing)` makes the numbers that are compared; the default has means of
    at most 8 x 8 blocks. The errors of the numbers are correlated as copies of the map with other errors tell; or `noise` is their
    covariance, such as that of the summaries of simulations with other seeds, for terrains whose seed nobody knows.

    An ensemble smoother moves `members` members from the prior to the posterior in up to twelve steps, as many as their misfit asks for. In
    two to six more the members are drawn anew from a posterior with an emulator. Each step is a study, `directory`/step0, step1, ..., that
    keeps the terrain of its members; `resume` does not run again what has a result, `backend`, `gpus` and `progress` are those of `study`.
    Members that diverge or are refused leave the ensemble, and so do, with a UserWarning that names them, those whose summary is not finite.
    Scenarios with cells without data are not supported.

    Of an island's 90 % intervals nine in ten should hold the truth; experiments/inversion counts them. A UserWarning tells that
    the least misfit is above 2: the scenario cannot explain the terrain within its noise, and the posterior is then too narrow. It knows nothing
    of errors of the model itself. DataError: more than half of the members have no finite end.
    """
    from scipy.stats import norm, qmc

    if isinstance(source, Mapping) and source.get("keep"):
        raise UsageError("keep: otok.invert keeps the terrain of all members itself; leave it out")
    axes = Axes(source)
    scenario, rng = Scenario(axes.study["scenario"]), np.random.default_rng(seed)
    seen = plain("observed", observed)
    least = (len(axes.paths) + 1) * (len(axes.paths) + 2)
    if seen.shape != scenario.shape:
        raise UsageError(f"observed: the shape {seen.shape}; give one of the grid's shape, {scenario.shape}")
    _check_heights(seen)
    if np.asarray(noise).dtype.kind not in "iuf" or not np.isfinite(noise).all() or not np.all(np.diag(np.atleast_2d(noise)) > 0) or members < least:
        raise UsageError(f"noise={noise}, members={members}: give a noise above 0, and {least} members or more for {len(axes.paths)} parameters")
    _smoother()  # before members run
    observation = _Observation(seen, noise, scenario.spacing, summary, rng)
    scores = norm.ppf(np.clip(qmc.LatinHypercube(len(axes.paths), rng=seed).random(members), 1e-9, 1 - 1e-9))
    with tempfile.TemporaryDirectory(prefix="otok-invert-") as scratch:
        return _smoothed(_Ensemble(axes, observation, pathlib.Path(directory or scratch), scores),
                         rng, dict(backend=backend, gpus=gpus, resume=resume, progress=progress))


_MARKS = (-9999, -99999, -32768, -32767, 9999, 32767)  # what programs write for no data
_HIGHEST = 1e5  # [m]


def _check_heights(seen: np.ndarray) -> None:
    """
    >>> _check_heights(np.array([[3, 4], [-9999, 5]]))
    Traceback (most recent call last):
        ...
    otok.errors.UsageError: observed: 1 heights are -9999, which programs write for no data; fill these cells, or leave out the part of the grid that they are in
    """
    if unknown := np.count_nonzero(~np.isfinite(seen)):
        raise UsageError(f"observed: {unknown} heights are not finite; fill these cells, or leave out the part of the grid that they are in")
    marks = [mark for mark in _MARKS if (seen == mark).any()] + seen[np.abs(seen) > _HIGHEST].tolist()
    if marks:
        raise UsageError(f"observed: {np.count_nonzero(seen == marks[0])} heights are {marks[0]:.6g}, which programs write for no data; fill these cells, "
                         "or leave out the part of the grid that they are in")


def _tell_unknown(step: int, members: np.ndarray, numbers: np.ndarray, of: int) -> None:
    first = ", ".join(map(str, members[:8])) + (", ..." if len(members) > 8 else "")
    warnings.warn(f"step {step}: summary: {len(members)} of {of} members have no finite number {', '.join(map(str, numbers[:8]))} and leave the ensemble "
                  f"({first}); their parameters count as impossible, so return a finite number of any terrain if they are not", stacklevel=5)


class _Ensemble:
    """The members that are left, by their normal scores, and their differences from the observation after a step."""

    def __init__(self, axes: Axes, observation: _Observation, folder: pathlib.Path, scores: np.ndarray) -> None:
        self.axes, self.observation, self.folder, self.scores = axes, observation, folder, scores
        self.differences, self.verdicts = np.zeros((0, 0)), np.zeros(0, "U32")
        self.lost, self._ran = 0, list[tuple[np.ndarray, np.ndarray]]()

    @property
    def places(self) -> np.ndarray:
        from scipy.stats import norm

        return norm.cdf(self.scores)

    def run(self, step: int, how: dict[str, Any]) -> None:
        folder = self.folder / f"step{step}"
        table = study({**self.axes.study, "keep": {"fields": ["terrain"]}}, folder, members=self.axes.values(self.places), columns=["map_terrain"], **how)
        maps = table.map_terrain.values
        whole = np.isfinite(maps).all((1, 2))
        if whole.mean() < _FEW:
            raise DataError(f"step {step}: {whole.sum()} of {len(whole)} members have a finite end; narrow the axes of `vary`, or use shorter time "
                            f"steps ({folder}/study.h5 has the verdicts)")
        summaries = self.observation.of_members(step, maps, np.flatnonzero(whole))
        known = np.isfinite(summaries).all(1)
        if not known.all():
            _tell_unknown(step, np.flatnonzero(whole)[~known], np.flatnonzero(~np.isfinite(summaries).all(0)), len(whole))
        whole[np.flatnonzero(whole)[~known]] = False
        if whole.mean() < _FEW:
            raise DataError(f"step {step}: {whole.sum()} of {len(whole)} members have a finite summary; return a finite number of any terrain, or "
                            "narrow the axes of `vary`")
        self.lost += int((~whole).sum())
        self.scores, self.verdicts = self.scores[whole], table.verdict_word.values[whole]
        self.differences = self.observation.differences(summaries[known])
        self._ran.append((self.scores, self.differences))

    def known(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores and differences of the members that the emulator knows."""
        last = -max(_KNOWN_MEMBERS, len(self.scores))
        scores, differences = zip(*self._ran[-_KNOWN_STEPS:])
        return np.concatenate(scores)[last:], np.concatenate(differences)[last:]

    def dataset(self) -> "xarray.Dataset":
        return self.axes.dataset(self.places, ("member",), {"verdict_word": self.verdicts, "misfit": (self.differences**2).mean(1)})


def _smoothed(ensemble: _Ensemble, rng: np.random.Generator, how: dict[str, Any]) -> Posterior:
    ensemble.run(0, how)
    prior, steps = ensemble.dataset(), list[float]()
    while sum(steps) < 1 - 1e-12:
        left = 1 - sum(steps)
        steps.append(left if len(steps) == _STEPS - 1 else _share(ensemble.differences, left))
        ensemble.scores = smooth(ensemble.scores, ensemble.differences, steps[-1], rng)
        ensemble.run(len(steps), how)
    powers = list[float]()
    while len(powers) < _SHARP and powers[-2:] != [1, 1]:
        ensemble.scores, power = sharpen(ensemble.scores, *ensemble.known(), rng)
        powers.append(power)
        ensemble.run(len(steps) + len(powers), how)
    found = ensemble.dataset()
    misfit = float(found.misfit.min())
    if misfit > 2:
        warnings.warn(f"the least misfit is {misfit:.3g}: the scenario cannot explain the terrain within its noise, so the posterior is too narrow; look "
                      "for what the prior or the scenario lacks, or raise the noise", stacklevel=3)
    spread, directions = _spreads(ensemble.axes.paths, ensemble.places)
    return Posterior(found, prior, spread, directions, _unidentified(spread, directions), misfit, steps, powers, ensemble.lost)


def _spreads(paths: list[str], places: np.ndarray) -> tuple[dict[str, float], "xarray.Dataset"]:
    """The spread of places over that of a uniform prior: of each parameter, and in the directions of their covariance."""
    import xarray

    covariance = 12 * np.atleast_2d(np.cov(places.T))
    size, vectors = np.linalg.eigh(covariance)
    vectors = vectors * np.sign(vectors[np.abs(vectors).argmax(0), np.arange(len(size))])
    directions = xarray.Dataset({"spread": ("direction", np.sqrt(np.maximum(size[::-1], 0))), "weight": (("direction", "parameter"), vectors.T[::-1])},
                                {"parameter": paths})
    return {path: float(np.sqrt(value)) for path, value in zip(paths, np.diag(covariance))}, directions


def _unidentified(spread: dict[str, float], directions: "xarray.Dataset") -> list[str]:
    """
    >>> one, two = np.random.default_rng(1).random((2, 5000))
    >>> _unidentified(*_spreads(["a", "b", "c"], np.column_stack([one, 1.05 - one + 0.01 * two, 0.1 * two])))
    ['a (spread 1.00)', 'b (spread 1.00)', '+0.71 a -0.71 b (spread 1.42)']
    """
    found = [f"{path} (spread {value:.2f})" for path, value in spread.items() if value > _KNOWN]
    for one in range(directions.sizes["direction"]):
        weight, value = directions.weight.values[one], float(directions.spread[one])
        if value > _WIDE and (np.abs(weight) > 0.2).sum() > 1:
            words = [f"{share:+.2f} {path}" for share, path in zip(weight, directions.parameter.values) if abs(share) > 0.2]
            found.append(f"{' '.join(words)} (spread {value:.2f})")
    return found
