"""Answers of a study: which parameters matter, how two tables differ, and how a number converges with finer cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .errors import DataError, UsageError
from .evaluator import _answer
from .tables import Table, open_study

if TYPE_CHECKING:
    import xarray

_RESAMPLED, _SURE = 400, 0.9
_SAFETY = 1.25  # of three grids or more (Roache 1994)


def _axes(table: "xarray.Dataset") -> list[str]:
    return [str(name) for name in table.coords if "path" in table[name].attrs]


def analyse(table: Table, output: str, *, seed: int = 0) -> "xarray.Dataset":
    """Find which parameters matter for a number of a study, with intervals of 90 % from bootstrap samples.

    Estimators: Saltelli et al. 2010 (first), Jansen 1999 (total), Saltelli 2002 (second); Morris 1991, Campolongo et al. 2007.

    Parameters
    ----------
    table : path or Dataset
        A study whose design is `saltelli` or `morris`: its table, study.h5 or folder.
    output : str
        A response, another column of the table with one value per member or sample, or `stable`.
    seed : int
        Of the bootstrap samples: 400 of base rows or trajectories.

    Returns
    -------
    xarray.Dataset
        Over `parameter`. `saltelli`: Sobol indices [1] `first` (S1 in SALib), `total` (ST), and `second` (S2) over (parameter, other) if the design
        has `second_order`. `morris`: `mean` (mu), `absolute` (mu_star) and `deviation` (sigma) of the elementary effects over the whole axis, in the
        unit of the output. `..._low` and `..._high` are ends of intervals. A row with a member that has no number is left out as a whole; `rows` and
        `left_out` count them.

    Raises
    ------
    UsageError
        The design is another, or the table has no such output.
    DataError
        Fewer than four rows are whole.

    Examples
    --------
    >>> from otok import study
    >>> pond = "otok: 1\\naudit: off\\ngrid: {nx: 4, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {dt: 0.01}}]"
    >>> table = study({"study": 1, "scenario": pond, "design": {"kind": "saltelli", "base": 64}, "responses": {"deep": "mean(water)"}, "vary": {
    ...     "initial.water": {"from": 1, "to": 2}, "phases.a.hydraulic.dt": {"from": 0.01, "to": 0.02}}}, backend="cpu")
    >>> found = analyse(table, "deep")
    >>> found.total.values.round(1).tolist(), int(found.left_out)
    ([1.0, 0.0], 0)
    """
    import xarray

    table = open_study(table)
    names, values, kind = _axes(table), _answer(table, output), str(table.attrs.get("design"))
    if kind not in ("saltelli", "morris"):
        raise UsageError(f"design: this table has {kind}; indices need a study with `design: {{kind: saltelli}}` or `{{kind: morris}}`")
    d = len(names)
    block = d + 1 if kind == "morris" else 2 * d + 2 if _second(table, names) else d + 2
    rows = values[: len(values) // block * block].reshape(-1, block)
    whole = np.isfinite(rows).all(1)
    if whole.sum() < 4 or len(values) % block:
        raise DataError(f"{output}: {whole.sum()} of {len(rows)} rows of {block} members are whole; indices need four at least")
    if kind == "morris":
        effects = _effects(table, names, rows, block)[whole]

        def indices(some: np.ndarray) -> dict[str, np.ndarray]:
            return {"mean": effects[some].mean(0), "absolute": np.abs(effects[some]).mean(0), "deviation": effects[some].std(0, ddof=1)}
    else:
        kept = rows[whole]

        def indices(some: np.ndarray) -> dict[str, np.ndarray]:
            return _sobol(kept[some], d)

    rng, n = np.random.default_rng(seed), int(whole.sum())
    found, again = indices(np.arange(n)), [indices(rng.integers(n, size=n)) for _ in range(_RESAMPLED)]
    variables = dict[str, tuple[tuple[str, ...], np.ndarray]]()
    for name, value in found.items():
        over = ("parameter", "other")[: value.ndim]
        low, high = np.quantile([one[name] for one in again], [(1 - _SURE) / 2, (1 + _SURE) / 2], axis=0)
        variables |= {name: (over, value), f"{name}_low": (over, low), f"{name}_high": (over, high)}
    return xarray.Dataset({**variables, "rows": n, "left_out": len(rows) - n}, {"parameter": names, "other": names} if "second" in found else {"parameter": names})


def _second(table: "xarray.Dataset", names: list[str]) -> bool:
    """Whether the second half of a Saltelli block's rows is there: then its second last row differs from the last one in one value alone."""
    at = np.array([table[name].values for name in names]).T
    d = len(names)
    return len(at) % (2 * d + 2) == 0 and bool(((at[2 * d] != at[2 * d + 1]).sum() == 1)) and (at[d + 1] != at[0]).sum() == d - 1 if d > 1 else False


def _sobol(rows: np.ndarray, d: int) -> dict[str, np.ndarray]:
    """Of blocks A, A with each value of B in turn, perhaps B with each value of A, and B."""
    a, ab, b = rows[:, 0], rows[:, 1 : d + 1], rows[:, -1]
    middle, variance = np.concatenate([a, b]).mean(), np.concatenate([a, b]).var()
    if variance == 0:
        return {"first": np.zeros(d), "total": np.zeros(d)}
    a, ab, b = a - middle, ab - middle, b - middle
    found = {"first": (b[:, np.newaxis] * (ab - a[:, np.newaxis])).mean(0) / variance, "total": ((a[:, np.newaxis] - ab) ** 2).mean(0) / variance / 2}
    if rows.shape[1] == 2 * d + 2:
        ba = rows[:, d + 1 : -1] - middle
        both = np.einsum("nj,nk->jk", ba, ab) / len(rows) / variance - (a * b).mean() / variance
        both -= found["first"][:, np.newaxis] + found["first"]
        found["second"] = np.triu(both, 1) + np.triu(both, 1).T + np.diag(np.full(d, np.nan))
    return found


def _effects(table: "xarray.Dataset", names: list[str], rows: np.ndarray, block: int) -> np.ndarray:
    """Elementary effects of each trajectory, (trajectory, axis), over the whole of each axis in its scale."""
    effects = np.full((len(rows), len(names)), np.nan)
    for axis, name in enumerate(names):
        at = table[name].values.astype(float)
        low, high = (float(table[name].attrs.get(end, np.nan)) for end in ("from", "to"))
        share = np.log(at / low) / np.log(high / low) if table[name].attrs.get("scale") == "log" else (at - low) / (high - low)
        steps = np.diff(share[: rows.size].reshape(-1, block), axis=1)
        one, step = np.nonzero(np.abs(steps) > 1e-9)
        effects[one, axis] = (np.diff(rows, axis=1) / np.where(np.abs(steps) > 1e-9, steps, 1))[one, step]
    return effects


def compare(one: Table, other: Table, output: str) -> "xarray.Dataset":
    """Compare the members of two studies that have the same parameters.

    Parameters
    ----------
    one, other : path or Dataset
        Studies that vary the same axes: a table, a study.h5 or its folder.
    output : str
        As for `analyse`.

    Returns
    -------
    xarray.Dataset
        Over `member`, those that both have, in the order of `one`: `first`, `second` and `difference` (first less second) in the unit of
        the output, `verdict_word` of `one` and `other_verdict_word`.

    Raises
    ------
    UsageError
        A table has no such output.
    DataError
        They vary other axes, or have no member in common.

    Examples
    --------
    >>> from otok import study
    >>> pond = "otok: 1\\naudit: off\\ngrid: {nx: 4, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {dt: 0.01, evaporation: 0}}]"
    >>> half, whole = ({"study": 1, "scenario": pond, "responses": {"deep": f"mean(water) * {k}"}} for k in (0.5, 1))
    >>> deep = {"initial.water": [1.0, 2.0]}
    >>> compare(study(half, members=deep, backend="cpu"), study(whole, members=deep, backend="cpu"), "deep").difference.values.tolist()
    [-0.5, -1.0]
    """
    one, other = open_study(one), open_study(other)
    names = _axes(one)
    if names != _axes(other):
        raise DataError(f"the tables vary {', '.join(names)} and {', '.join(_axes(other))}; members have no common parameters")
    at = {key: number for number, key in enumerate(zip(*(other[name].values.tolist() for name in names)))}
    pairs = [(number, at[key]) for number, key in enumerate(zip(*(one[name].values.tolist() for name in names))) if key in at]
    if not pairs:
        raise DataError("no member of one table has the parameters of a member of the other")
    first, second = (list(some) for some in zip(*pairs))
    a, b = _answer(one, output)[first], _answer(other, output)[second]
    found = one[names].isel(member=first)
    return found.assign(first=("member", a), second=("member", b), difference=("member", a - b), verdict_word=one.verdict_word.isel(member=first).variable,
                        other_verdict_word=("member", other.verdict_word.values[second]))


@dataclasses.dataclass(frozen=True)
class Ladder:
    """How a number converges on three grids or more (Roache 1994, Celik et al. 2008).

    Attributes
    ----------
    order : float
        The observed order of the three finest; NaN: the number does not converge without turning.
    limit : float
        By Richardson's extrapolation.
    gci : float
        Grid convergence index: the numerical uncertainty of the finest, as a share of it.
    asymptotic : float
        The index of the coarser pair over `ratio ** order` times that of the finer one: 1 in the asymptotic range.
    """

    order: float
    limit: float
    gci: float
    asymptotic: float


def ladder(spacing: Sequence[float], values: Sequence[float]) -> Ladder:
    """Find the observed order and the grid convergence index of a number on three grids or more.

    Parameters
    ----------
    spacing : sequence of float
        Cell sizes above 0 in any order and unit, each the same number of times the next.
    values : sequence of float
        The number on each grid, in its unit.

    Returns
    -------
    Ladder
        All of it is NaN if the number turns, or does not converge.

    Raises
    ------
    UsageError
        There are fewer than three spacings, another number of values, or ratios that differ.

    Examples
    --------
    >>> found = ladder([4, 2, 1], [1 + 0.1 * 16, 1 + 0.1 * 4, 1 + 0.1])
    >>> round(found.order, 6), round(found.limit, 6), round(found.gci, 4), round(found.asymptotic, 2)
    (2.0, 1.0, 0.1136, 0.79)
    """
    order = np.argsort(spacing)
    h, f = np.asarray(spacing, float)[order], np.asarray(values, float)[order]
    if len(h) < 3 or len(h) != len(f) or not np.allclose(h[1:] / h[:-1], h[1] / h[0]) or h[0] <= 0:
        raise UsageError(f"spacing={list(spacing)}: give three spacings or more, each the same number of times the next, and a value of each")
    near, far = f[1] - f[0], f[2] - f[1]
    if near == 0 or far / near <= 0 or abs(far) <= abs(near):
        return Ladder(np.nan, np.nan, np.nan, np.nan)
    p, ratio = float(np.log(far / near) / np.log(h[1] / h[0])), h[1] / h[0]
    finest, coarser = (_SAFETY * abs(step / value) / (ratio**p - 1) for step, value in ((near, f[0]), (far, f[1])))
    return Ladder(p, float(f[0] - near / (ratio**p - 1)), float(finest), float(coarser / (finest * ratio**p)))
