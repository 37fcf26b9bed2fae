"""A scenario as a function of some of its parameters, for tools that lead studies: gest-api, OpenTURNS, Dakota, scipy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import UsageError
from .laboratory import StudySource, study
from .members import once

if TYPE_CHECKING:
    import xarray


class Evaluator:
    """A scenario as a function of its parameters: an evaluator of gest-api, the model of SALib or OpenTURNS.

    It is called with a dictionary of one number per parameter, and returns a dictionary of numbers. With arrays, or a DataFrame, it returns arrays, and
    runs the members as one study, which is much faster than one by one. NaN: the member failed, was refused, or has no such number.

    Parameters
    ----------
    source : str, path, dict or Scenario
        A scenario, or a study's dictionary without `vary` and `design`.
    outputs : iterable of str
        `responses` of the study, `stable` (1 or 0), or columns of the table with one value per member or per sample, of which the last counts. A
        response wins over a column of its name.
    names : dict of str to str, optional
        Paths of parameters that the tool calls otherwise.
    **how : Any
        Passed to `study`: `backend`, `gpus`.

    Raises
    ------
    UsageError
        `outputs` is no list, or `names` no dictionary.

    Examples
    --------
    >>> calm = "otok: 1\\ngrid: {nx: 8, ny: 8}\\nphases: [{name: a, iterations: 40, hydraulic: {evaporation: 0}}]\\ninitial: {water: 1}"
    >>> model = Evaluator({"study": 1, "scenario": calm, "responses": {"deep": "mean(water)"}}, ["stable", "deep"],
    ...                   names={"dt": "phases.a.hydraulic.dt", "water": "initial.water"}, backend="cpu")
    >>> model({"dt": 0.1, "water": 2})
    {'stable': 1.0, 'deep': 2.0}
    >>> model({"dt": [0.1, -1], "water": 2})["deep"].tolist()
    [2.0, nan]
    """

    def __init__(self, source: StudySource, outputs: Iterable[str], names: Mapping[str, str] | None = None, **how: Any) -> None:
        if isinstance(outputs, str) or not (listed := list(outputs)):
            raise UsageError(f"outputs={outputs!r}: give a list of names, such as ['stable']")
        if not isinstance(names or {}, Mapping):
            raise UsageError(f"names={names!r}: give a dictionary from the tool's names to paths")
        self.outputs, self.names = listed, dict(names or {})
        self._source, self._how = source, how

    def __call__(self, point: Mapping[str, Any]) -> dict[str, Any]:
        if not hasattr(point, "items"):
            raise UsageError("give a dictionary of numbers or of arrays by names, or a DataFrame; a matrix with names is dict(zip(names, matrix.T))")
        found = self.answers(self.table(point))
        if any(np.ndim(value) for _, value in point.items()):  # a DataFrame, too
            return found
        return {name: float(values[0]) for name, values in found.items()}

    def table(self, point: Mapping[str, Any]) -> "xarray.Dataset":
        """What a call knows of its members.

        Parameters
        ----------
        point : dict or DataFrame
            As for a call.

        Returns
        -------
        xarray.Dataset
            Over `member`: the variables of the outputs, and `cause`, why a member failed or was refused.
        """
        columns = ["cause", *self.outputs, *(f"response_{name}" for name in self.outputs)]
        members = once((self.names.get(name, name), value) for name, value in point.items() if name != "_id")
        return study(self._source, members=members, columns=columns, **self._how)

    def answers(self, table: "xarray.Dataset") -> dict[str, np.ndarray]:
        """The outputs of each member of a table.

        Parameters
        ----------
        table : xarray.Dataset
            From `table`.

        Returns
        -------
        dict of str to numpy.ndarray
            float of shape (member,).
        """
        return {name: _answer(table, name) for name in self.outputs}


def _answer(table: "xarray.Dataset", name: str) -> np.ndarray:
    if name == "stable" and "response_stable" not in table:
        return np.where(np.isin(table.verdict_word, ["refused", "none"]), np.nan, table.verdict_word == "stable")
    found = table.get(f"response_{name}", table.get(name))
    if found is None or found.dims not in (("member",), ("member", "sample")) or found.dtype.kind not in "fiub":
        raise UsageError(f"output {name}: the table has no such number per member; give `stable`, the name of a response, or a variable of the table of "
                         "`otok.study`")
    values = found.values.astype(float)
    if values.ndim == 2:
        last = values.shape[1] - 1 - np.isfinite(values)[:, ::-1].argmax(1)
        values = values[np.arange(len(values)), last]
    return values
