"""Which parameters made this terrain? Waves of studies towards a posterior."""

from __future__ import annotations

import dataclasses
import pathlib
import tempfile
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _kept, _waves
from ._observed import Observation, Summary, block_means, check_heights
from .arrays import plain
from .errors import DataError, UsageError, needs
from .laboratory import Axes, Watcher, study
from .scenario import Scenario

if TYPE_CHECKING:
    import xarray

_KNOWN = 0.05 * 12**0.5 / 1.645  # a parameter is identified if its 90 % interval, of a normal posterior, has 5 % of the axis to each side
_WIDE = 0.5  # a combination whose spread is a larger share of its prior's is not identified
_LOST = 0.5  # a step in which so large a share of the members has no finite end gives up
_FEW = 15  # members per parameter: fewer seldom converge


@dataclasses.dataclass(frozen=True)
class Posterior:
    """Members that could have made a terrain, and what it does not tell.

    Attributes
    ----------
    status : str
        `converged`; `not_converged`: nothing is known; `rejected`: converged, and the residuals are not the noise.
    why : str
        Of a status that is not `converged`: why.
    members : xarray.Dataset
        Over `member`: the values by paths, `verdict_word`, `mode`, the number of the place where it gathers with others, and `misfit`, the
        mean squared difference of its summary over the error's variance. Where `scatter` is large no member is as near to the terrain as
        the posterior is.
    prior : xarray.Dataset
        The members of the first step, drawn from the prior.
    spread : dict of str to float
        Of each parameter: its standard deviation over that of the prior, in the scale of its axis; 1: nothing was learned.
    directions : xarray.Dataset
        The same over `direction`, combinations of parameters that vary independently of each other, widest first: `spread`, and `weight` by
        `parameter`, an eigenvector of the posterior's covariance. On axes with `scale: log` weights are exponents of a product.
    unidentified : list of str
        In words: parameters whose spread is above 0.105, so that a 90 % interval of a normal posterior is wider than a tenth of the axis,
        and combinations whose spread is above 0.5.
    misfit : float
        The squared residuals of the likeliest place over those that members have there if they are observed in place of the terrain: 1 is
        usual.
    usual : float
        Nine in ten of these members have at most this misfit.
    chance : float
        The share of these members that have larger residuals: the posterior predictive check of the whole.
    residuals : xarray.Dataset
        The posterior predictive check over `number` of the summary: `observed`, `expected` at the likeliest place, `deviation` of both
        together, by the noise and the scatter of simulations, and `score`, the difference in deviations.
    scatter : float
        How much members next to each other differ, in units of the noise: ground that amplifies the smallest changes. It counts as an
        error.
    held : float
        The share of 90 % intervals that hold the truth, of members near the posterior that were observed in place of the terrain.
    waves : int
        Steps that were run.
    lost : int
        Members without a finite end or summary, over all steps.
    """

    status: str
    why: str
    members: "xarray.Dataset"
    prior: "xarray.Dataset"
    spread: dict[str, float]
    directions: "xarray.Dataset"
    unidentified: list[str]
    misfit: float
    usual: float
    chance: float
    residuals: "xarray.Dataset"
    scatter: float
    held: float
    waves: int
    lost: int

    def interval(self, share: float = 0.9, mode: int | None = None) -> dict[str, tuple[float, float]]:
        """Find the central interval that holds each parameter with a probability, if the truth is one more draw from the members' distribution.

        Of 9 members the interval from the least to the largest holds it with 0.8. A UserWarning tells if the status is not `converged`, or if the members
        gather at several places and none is asked for.

        Parameters
        ----------
        share : float
            The probability, above 0 and below 1.
        mode : int, optional
            Members that gather at this place alone, from 0; all if not given.

        Returns
        -------
        dict
            Of each parameter by its path (low, high) in its unit; NaN unless the status is `converged`.
        """
        if self.status != "converged":
            warnings.warn(f"no interval: {self.status}: {self.why}", stacklevel=2)
            return dict.fromkeys(self.spread, (np.nan, np.nan))
        number = self.members.mode.values
        if mode is None and number.max() > 0:
            warnings.warn(f"the members gather at {number.max() + 1} places, and an interval spans them all; ask for mode=0, mode=1, ...", stacklevel=2)
        some = self.members.isel(member=np.ones(len(number), bool) if mode is None else number == mode)
        ends = [(1 - share) / 2, (1 + share) / 2]
        low_high = {str(some[path].attrs["path"]): np.quantile(some[path].values, ends, method="weibull") for path in self.spread}
        return {path: (float(low), float(high)) for path, (low, high) in low_high.items()}

    def save(self, path: Any) -> None:
        """Write an HDF5 file, from which `Posterior.load` has the same answers.

        Parameters
        ----------
        path : path
            Such as "posterior.h5".

        Raises
        ------
        WriteError
            The file cannot be written.
        """
        _kept.save(path, "posterior", {name: getattr(self, name) for name in _TABLES},
                   {field.name: getattr(self, field.name) for field in dataclasses.fields(self) if field.name not in _TABLES})

    @classmethod
    def load(cls, path: Any) -> Posterior:
        """Read a posterior that was saved.

        Parameters
        ----------
        path : path
            A file of `save`.

        Returns
        -------
        Posterior
            With the same answers.

        Raises
        ------
        DataError
            The file has none.
        """
        tables, about = _kept.load(path, "posterior")
        every: dict[str, Any] = {**tables, **about}
        return cls(**every)


_TABLES = ("members", "prior", "directions", "residuals")


def invert(source: Mapping[str, Any], observed: Any, directory: Any = None, *, noise: Any, members: int = 256, summary: Summary = block_means,
           correlation: float = 0, discrepancy: float | tuple[float, float] = 0, seed: int = 0, backend: str = "auto", gpus: int = 1,
           resume: bool = False, progress: Watcher = False) -> Posterior:
    """Find the parameters with which a scenario ends in an observed terrain, with their uncertainty (needs xarray, h5netcdf, scipy and scikit-learn).

    Each step is a study that keeps the terrain of its members. From those near the posterior emulators learn the expected
    summary and how much members next to each other scatter, which counts as an error; the likelihood has the combinations of the summary's numbers that tell
    these members apart. Newest members, observed in place of the terrain by emulators that have not seen them, tell how much the likelihood is
    worth: so much that 90 % intervals hold nine in ten. The next members surround the posterior. A search is steady when its posterior stays and the
    emulators' own error is small and falls no more; it has `converged` when it is steady twice. Members that diverge or are refused leave, and so do, with
    a UserWarning that names them, those whose summary is not finite.

    Parameters
    ----------
    source : dict
        A study; `vary` is the prior: each axis with `from` and `to` is uniform between them in its scale, others have one value.
    observed : array_like of shape (ny, nx)
        Heights [m] on the scenario's grid, which has no cells without data; row 0 at the bottom. NaN: not observed, and `summary` has NaN there of all
        terrains.
    directory : path, optional
        Keeps the steps, step0, step1, ...
    noise : float or array_like
        Above 0: the standard deviation of the error per cell [m], a number or a map of shape (ny, nx); or the covariance of the errors of the summary's
        numbers, such as that of simulations with other seeds, for terrains whose seed nobody knows.
    members : int
        Of a step; (d + 1) (d + 2) or more for d parameters. A UserWarning tells of few.
    summary : callable
        `summary(terrain, spacing)` makes the numbers that are compared; the default has means of at most 8 x 8 blocks.
    correlation : float
        Errors of cells have the correlation exp(-distance / `correlation`) [m]; 0: they are independent.
    discrepancy : float or tuple of float
        Standard deviation [m] of what the best parameters still miss, or (deviation, length) with such a correlation.
    seed : int
        Of the places and of copies of the map with other errors, which tell how the errors of the numbers are correlated.
    backend, gpus, resume, progress : Any
        As for `study`.

    Returns
    -------
    Posterior
        A UserWarning tells of any status that is not `converged`. Only a search that converged is `rejected`.

    Raises
    ------
    UsageError
        A shape is another, or a number out of range.
    DataError
        More than half of the members have no finite end or summary.
    """
    needs("otok.invert", "scipy", "sklearn", "xarray", "h5netcdf")
    if isinstance(source, Mapping) and source.get("keep"):
        raise UsageError("keep: otok.invert keeps the terrain of all members itself; leave it out")
    axes = Axes(source)
    scenario, rng, d = Scenario(axes.study["scenario"]), np.random.default_rng(seed), len(axes.paths)
    seen = plain("observed", observed)
    least = (d + 1) * (d + 2)
    if seen.shape != scenario.shape:
        raise UsageError(f"observed: the shape {seen.shape}; give one of the grid's shape, {scenario.shape}")
    check_heights(seen)
    model = np.append(np.asarray(discrepancy, float), 0.0)[:2] if np.ndim(discrepancy) == 0 else np.asarray(discrepancy, float)
    given = np.asarray(noise)
    above = given.dtype.kind in "iuf" and np.isfinite(given).all() and (np.all(given > 0) or given.ndim == 2 and np.all(np.diag(given) > 0))
    if not above or members < least or model.shape != (2,) or not min(correlation, *model) >= 0:
        raise UsageError(f"noise={noise}, members={members}, correlation={correlation}, discrepancy={discrepancy}: give a noise above 0, and {least} "
                         f"members or more for {d} parameters, and lengths of 0 or more")
    if members < _FEW * d:
        warnings.warn(f"{members} members for {d} parameters seldom converge; {_FEW * d} are few, {3 * _FEW * d} are many", stacklevel=2)
    observation = Observation(seen, noise, scenario.spacing, summary, rng, correlation, (model[0], model[1]))
    with tempfile.TemporaryDirectory(prefix="otok-invert-") as scratch:
        ensemble = _Ensemble(axes, observation, pathlib.Path(directory or scratch), dict(backend=backend, gpus=gpus, resume=resume, progress=progress))
        return _found(ensemble, members, rng)


def _tell_unknown(step: int, members: np.ndarray, numbers: np.ndarray, of: int) -> None:
    first = ", ".join(map(str, members[:8])) + (", ..." if len(members) > 8 else "")
    warnings.warn(f"step {step}: summary: {len(members)} of {of} members have no finite number {', '.join(map(str, numbers[:8]))} and leave the ensemble "
                  f"({first}); their parameters count as impossible, so return a finite number of any terrain if they are not", stacklevel=6)


class _Ensemble:
    """Members by their normal scores, as studies run them, and their differences from the observation."""

    def __init__(self, axes: Axes, observation: Observation, folder: pathlib.Path, how: dict[str, Any]) -> None:
        self.axes, self.observation, self.folder, self._how = axes, observation, folder, how
        self.lost, self.waves = 0, 0
        self.prior: Any = None

    def run(self, step: int, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of the members that have a finite end and summary: scores and differences."""
        whole, differences, verdicts = self._ended(step, scores)
        self.waves = step + 1
        if step == 0:
            self.prior = self.dataset(scores[whole], differences, verdicts)
        return scores[whole], differences

    def _ended(self, step: int, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        from scipy.stats import norm

        folder = self.folder / f"step{step}"
        table = study({**self.axes.study, "keep": {"fields": ["terrain"]}}, folder, members=self.axes.values(norm.cdf(scores)),
                      columns=["map_terrain"], **self._how)
        maps = table.map_terrain.values
        whole = np.isfinite(maps).all((1, 2))
        if whole.mean() < _LOST:
            raise DataError(f"step {step}: {whole.sum()} of {len(whole)} members have a finite end; narrow the axes of `vary`, or use shorter time "
                            f"steps ({folder}/study.h5 has the verdicts)")
        summaries = self.observation.of_members(step, maps, np.flatnonzero(whole))
        known = np.isfinite(summaries).all(1)
        if not known.all():
            _tell_unknown(step, np.flatnonzero(whole)[~known], np.flatnonzero(~np.isfinite(summaries).all(0)), len(whole))
        whole[np.flatnonzero(whole)[~known]] = False
        if whole.mean() < _LOST:
            raise DataError(f"step {step}: {whole.sum()} of {len(whole)} members have a finite summary; return a finite number of any terrain, or "
                            "narrow the axes of `vary`")
        self.lost += int((~whole).sum())
        return whole, self.observation.differences(summaries[known]), table.verdict_word.values[whole]

    def dataset(self, scores: np.ndarray, differences: np.ndarray, verdicts: np.ndarray, **more: Any) -> "xarray.Dataset":
        from scipy.stats import norm

        return self.axes.dataset(norm.cdf(scores), ("member",), {"verdict_word": verdicts, "misfit": (differences**2).mean(1), **more})


def _found(ensemble: Any, members: int, rng: np.random.Generator) -> Posterior:
    from scipy.stats import norm

    search, why = _waves.search(len(ensemble.axes.paths), members, ensemble.run, rng)
    whole, differences, verdicts = ensemble._ended(ensemble.waves, search.members)
    scores, modes = search.members[whole], sorted(search.believed, key=lambda part: -part.share)
    found = ensemble.dataset(scores, differences, verdicts, mode=np.argmax([part.density(scores) for part in modes], 0))
    status = "not_converged" if why else "converged"
    if not why and search.misfit > _waves.TOO_FAR and search.chance < _waves.RARE:
        status, why = "rejected", (f"the search converged, and its residuals are {search.misfit:.3g} times those of members that are observed in place of "
                                   "the terrain: the scenario cannot explain the terrain within its noise; `residuals` tells where")
    if why:
        warnings.warn(f"{status}: {why}" + ("; run more members, or narrow the axes" if status == "not_converged" else ""), stacklevel=3)
    elif search.misfit > search.usual:
        warnings.warn(f"converged, with residuals {search.misfit:.3g} times the usual ones; nine in ten have at most {search.usual:.3g}: look at `residuals`", stacklevel=3)
    spread, directions = _spreads(ensemble.axes.paths, norm.cdf(scores))
    return Posterior(status, why, found, ensemble.prior, spread, directions, _unidentified(spread, directions), search.misfit, search.usual, search.chance,
                     _residuals(ensemble.observation, *search.residual), search.scatter, search.held, ensemble.waves + 1, ensemble.lost)


def _residuals(observation: Observation, differences: np.ndarray, covariance: np.ndarray) -> "xarray.Dataset":
    import xarray

    off, deviation = observation.in_units(differences, covariance)
    found = {"observed": observation.seen, "expected": observation.seen - off, "deviation": deviation, "score": off / deviation}
    return xarray.Dataset({name: ("number", values) for name, values in found.items()})


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
