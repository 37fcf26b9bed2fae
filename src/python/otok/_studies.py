"""Figures of studies, a part of `otok.plot`: verdicts over parameters, responses, and the maps of members."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._figures import _LINES, _PLAIN, _ROUND, VERDICTS, Axes, Figure, Line2D, Table, Triangulation, _as_given, _begin, _complete, _Colours, _label, _legend, _patches, ticker, xr
from .boundary import Edges
from .errors import DataError, UsageError
from .fields import NUMBERS, look_of
from .tables import open_study


class _Places:
    """The members of a study over one or two of its parameters: those asked for, else the first ones. `flat` has logarithms of logarithmic axes,
    `words` those of an axis of words, whose places are 0, 1, ..."""

    def __init__(self, study: xr.Dataset, x: str | None, y: str | None, ax: Axes | None = None) -> None:
        varied = [str(name) for name in study.coords if "path" in study[name].attrs]
        for name in (x, y):
            if name is not None and name not in varied:
                raise UsageError(f"{name}: not varied in this study, which varies {', '.join(varied)}")
        free = (name for name in varied if name not in (x, y))
        if x is None:
            x, y = next(free, None), y or next(free, None)
        self.names, self.words = [name for name in (x, y) if name], list[list[str]]()
        self.at, self.flat = list[np.ndarray](), list[np.ndarray]()
        self.figure, self.axes = _begin(ax, (6.4, 4.4))
        for name in self.names:
            shown = _as_given(study[name])
            values, words = shown.values, np.zeros(0, str)
            if values.dtype.kind not in "iuf":
                words, values = np.unique([str(value) for value in values], return_inverse=True)
            logarithmic = study[name].attrs.get("scale") == "log"
            self.words.append(words.tolist())
            self.at.append(values.astype(float))
            self.flat.append(np.log(self.at[-1]) if logarithmic else self.at[-1])
            axis = "xy"[len(self.at) - 1]
            self.axes.set(**{f"{axis}scale": "log" if logarithmic else "linear", f"{axis}label": name if words.size else _label(shown)})
            line = self.axes.xaxis if axis == "x" else self.axes.yaxis
            line.set_major_formatter(_PLAIN)
            if logarithmic:
                line.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if np.ptp(self.flat[-1]) < np.log(1000) else (1,)))
                line.set_minor_formatter(ticker.NullFormatter())
            if words.size:
                self.axes.set(**{f"{axis}ticks": range(words.size), f"{axis}ticklabels": words, f"{axis}lim": (-0.5, words.size - 0.5)})

    def real(self, axis: int, flat: Any) -> Any:
        """Values of a parameter at places of `flat`."""
        return np.exp(flat) if self.flat[axis] is not self.at[axis] else flat

    def mesh(self, known: np.ndarray) -> Triangulation | None:
        """Triangles between the members with values; None: an axis has words, members are on a line, or several at one place, as other parameters vary."""
        flat = [line[known] for line in self.flat]
        if any(self.words) or len(flat) < 2 or known.sum() < 3 or len(np.unique(flat, axis=1).T) < known.sum() or not all(map(np.ptp, flat)):
            return None
        even = [(line - line.min()) / np.ptp(line) for line in flat]  # as they are drawn: units do not choose the triangles
        return Triangulation(flat[0], flat[1], Triangulation(even[0], even[1]).triangles) if np.linalg.matrix_rank(np.cov(even)) == 2 else None

    def limit(self, margin: np.ndarray, style: str) -> bool:
        """Draws where a margin is 1, for each word of an axis of words; the margin's logarithm is interpolated between members. False: nowhere, or
        other parameters vary, too."""
        over, drawn = np.log(np.maximum(margin, 1e-30)), False
        known = np.isfinite(over)
        if mesh := self.mesh(known):
            drawn = bool(over[known].min() < 0 < over[known].max())
            for path in Figure().subplots().tricontour(mesh, over[known], [0]).get_paths() if drawn else []:
                for places in path.to_polygons(closed_only=False):
                    x, y = (self.real(axis, line) for axis, line in enumerate(np.transpose(places)))
                    self.axes.plot(x, y, color="black", ls=style, lw=1.3)
        elif [bool(words) for words in self.words] in ([False], [True, False], [False, True]):
            axis = self.words.index([])
            rows = self.at[1 - axis] if len(self.names) == 2 else np.zeros(known.size)
            for row in np.unique(rows):
                at, order = np.unique(self.flat[axis][known & (rows == row)], return_index=True)
                lack = over[known & (rows == row)][order]
                for n in np.flatnonzero(lack[1:] * lack[:-1] < 0) if at.size == (known & (rows == row)).sum() else []:
                    edge, drawn = float(self.real(axis, at[n] - lack[n] * (at[n + 1] - at[n]) / (lack[n + 1] - lack[n]))), True
                    draw, ends = (self.axes.vlines, self.axes.hlines)[axis], (row - 0.4, row + 0.4)
                    self.axes.axvline(edge, color="black", ls=style) if len(self.names) == 1 else draw(edge, *ends, colors="black", ls=style)
        return drawn


def _stacked(at: list[float], words: list[str]) -> np.ndarray:
    """The places of members in stacks, one per value of a parameter, in the order of the verdicts.

    >>> _stacked([1, 2, 1, 1], ["diverged", "stable", "stable", "stable"]).tolist()
    [2.0, 0.0, 0.0, 1.0]
    """
    order, high = sorted(range(len(words)), key=lambda n: (at[n], list(VERDICTS).index(words[n]))), np.zeros(len(words))
    for before, n in zip(order, order[1:]):
        high[n] = high[before] + 1 if at[before] == at[n] else 0
    return high


@_complete
def study(study: Table, x: str | None = None, y: str | None = None, *, ax: Axes | None = None) -> Figure:
    """Draw the verdicts of a study over two of its parameters, or over one as stacks, and lines on which a predicted margin is 1 (none if other parameters vary, too)."""
    table = open_study(study)
    places, words, lines = _Places(table, x, y, ax), [str(word) for word in table.verdict_word.values], list[Line2D]()
    axes, at = places.axes, places.at[:]
    if len(at) == 1:
        at.append(_stacked(at[0].tolist(), words))
        axes.set(yticks=[], ylim=(-1, at[1].max() + 1))
        if ax is None:
            places.figure.set_size_inches(6.4, min(1.8 + 0.16 * at[1].max(), 6))
    axes.scatter(at[0], at[1], c=[VERDICTS[word] for word in words], edgecolors="#444444", linewidths=0.5, s=38, zorder=3, clip_on=False)
    for name in [str(name) for name in table.data_vars if str(name).startswith("margin_")]:
        style = ("--", ":", "-.", "-")[len(lines) % 4]
        if places.limit(table[name].values.astype(float), style):
            lines.append(Line2D([], [], color="black", ls=style, label=f"predicted: {name[7:].replace('_', ' ')}"))
    _legend(ax, places.figure, [*_patches(words), *lines])
    axes.set_title(f"{len(words)} members", loc="left", size=10)
    return places.figure


@_complete
def response(study: Table, response: str, x: str | None = None, y: str | None = None, *, ax: Axes | None = None) -> Figure:
    """Draw a column of a study's table over two of its parameters, as a surface between the members, or over one, as points that a line
    joins if no other parameter varies.

    Crosses are members without a value.

    Parameters
    ----------
    response : str
        NAME of a response, or a column of numbers of the table; of samples the last is drawn.

    Raises
    ------
    UsageError
        The table has no such column.
    """
    table = open_study(study)
    columns = sorted(str(name) for name in table.data_vars if table[name].dtype.kind in "iuf" and table[name].dims[:1] == ("member",))
    response = f"response_{response}" if f"response_{response}" in columns else response
    if response not in columns:
        raise UsageError(f"response {response!r}: not a column of numbers of this study, which has {', '.join(columns)}")
    places, column = _Places(table, x, y, ax), table[response]
    if "sample" in column.dims:
        samples = column.notnull().sum("sample").values  # a member that diverged has fewer
        column = column.copy(data=column.values).isel(sample=xr.DataArray(np.maximum(samples - 1, 0), dims="member"))
    axes, values, known = places.axes, column.values.astype(float), np.isfinite(column.values)
    if len(places.names) == 1:
        order = np.argsort(places.at[0], kind="stable")
        varied = [name for name in table.coords if "path" in table[name].attrs and np.unique(table[name]).size > 1]
        axes.plot(places.at[0][order], values[order], "o-" if len(varied) == 1 else "o", ms=4, color=_LINES[0])
        axes.set_ylabel(_label(column))
        axes.yaxis.set_major_formatter(_PLAIN)
        return places.figure
    if (mesh := places.mesh(known)) is None:
        raise DataError(f"{response}: a surface over {' and '.join(places.names)} needs numbers along both, one member per place, and three that "
                        "are not on a line; draw it over one parameter (x alone), or select members first: table.where(table.OTHER == VALUE, drop=True)")
    mesh = Triangulation(places.at[0][known], places.at[1][known], mesh.triangles)
    colours = _Colours.of(values, NUMBERS)
    levels = ticker.MaxNLocator(10, steps=_ROUND).tick_values(*colours.ends)
    surface = axes.tricontourf(mesh, values[known], levels, cmap=colours.cmap, norm=colours.norm, extend=colours.extend)
    axes.plot(places.at[0][known], places.at[1][known], "o", ms=3, color="white", mec="black", mew=0.5, clip_on=False)
    if not known.all():  # a line without points would be in the corner of the figure, for its layout
        axes.plot(places.at[0][~known], places.at[1][~known], "x", ms=5, color="black", clip_on=False)
    axes.set_title(_label(column), loc="left", size=10)
    places.figure.colorbar(surface, ax=axes, format=_PLAIN)
    return places.figure


def _spread(count: int, most: int) -> np.ndarray:
    """At most so many of the indices 0, 1, ..., evenly spread.

    >>> _spread(3, 8).tolist(), _spread(9, 3).tolist()
    ([0, 1, 2], [0, 4, 8])
    """
    return np.linspace(0, count - 1, min(count, most)).round().astype(int)


def _sheet(at: list[np.ndarray]) -> np.ndarray:
    """Which members a sheet of small maps shows, -1: none. Rows follow the second parameter, upwards, if members are a grid over two: eight along each at
    most; else 36 members in the order of their parameters."""
    values = [np.unique(line) for line in at]
    if len(at) == 2 and len(np.unique(at, axis=1).T) == at[0].size == values[0].size * values[1].size:
        x, y = (line[_spread(line.size, 8)] for line in values)
        return np.array([[np.flatnonzero((at[0] == i) & (at[1] == j))[0] for i in x] for j in y[::-1]])
    shown = np.lexsort(at[::-1])[_spread(at[0].size, 36)]
    wide = int(np.ceil(np.sqrt(shown.size)))
    return np.append(shown, np.full(-shown.size % wide, -1)).reshape(-1, wide)


@_complete
def members(study: Table, field: str = "terrain", x: str | None = None, y: str | None = None) -> Figure:
    """Draw the maps that a study kept, a small one per member, in colours of one scale and in a frame of the colour of its verdict.

    Parameters
    ----------
    field : str
        Of the key `keep`; it may have an iteration, as in "terrain_1000".

    Raises
    ------
    UsageError
        The study kept no such map.
    """
    table = open_study(study)
    kept = [str(name)[4:] for name in table.data_vars if str(name).startswith("map_")]
    if field not in kept:
        raise UsageError(f"field {field!r}: this study kept {', '.join(kept) or 'no maps; its key `keep` does'}")
    places, maps = _Places(table, x, y), table[f"map_{field}"]
    sheet, words = _sheet(places.at), [str(word) for word in table.verdict_word.values]
    shown = [int(member) for member in sheet.flat if member >= 0]
    values = {member: maps.isel(member=member).values.astype(float) for member in shown}
    colours = _Colours.of(np.stack(list(values.values())), look_of(field))
    tall = maps.sizes["y"] / maps.sizes["x"]
    figure = Figure(figsize=(1.2 * sheet.shape[1] + 1.4, min(1.2 * tall + 0.25, 4) * sheet.shape[0] + 1.2), layout="constrained")
    for axes, member in zip(figure.subplots(*sheet.shape, squeeze=False).flat, sheet.flat):
        axes.set(xticks=[], yticks=[], frame_on=member >= 0)
        if member < 0:
            continue
        image = axes.imshow(values[int(member)], origin="lower", cmap=colours.cmap, norm=colours.norm, interpolation="nearest")
        values_of = (words_of[int(at[member])] if words_of else f"{at[member]:.3g}" for at, words_of in zip(places.at, places.words))
        axes.set_title("\n".join(f"{name} {value}" for name, value in zip(places.names, values_of)), size=6, pad=2)
        for spine in axes.spines.values():
            spine.set(color=VERDICTS[words[int(member)]], linewidth=2)
    figure.colorbar(image, ax=figure.axes, extend=colours.extend, label="[" + _label(maps).rpartition("[")[2], shrink=0.8, **colours.ticks())
    figure.legend(handles=_patches([words[member] for member in shown]), loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    figure.suptitle(f"{_label(maps)}\n{len(shown)} of {len(words)} members", x=0.02, ha="left", size=10)
    return figure


@_complete
def edges(found: Edges, x: str | None = None, y: str | None = None, *, ax: Axes | None = None) -> Figure:
    """Draw what `otok.edges` found: members in the colours of their verdicts, certified points as crosses, and the surface if there are no other axes.

    Parameters
    ----------
    found : otok.Edges
        Of two axes or more.
    x, y : str, optional
        Paths of the axes; the first ones if not given.

    Raises
    ------
    UsageError
        A name is not an axis.
    """
    table, ends, places = found.members, found.points, found._axes
    for name in (x, y):
        if name is not None and name not in places.paths:
            raise UsageError(f"{name}: not an axis of this edge, which has {', '.join(places.paths)}")
    x = x or next(path for path in places.paths if path != y)
    y = y or next(path for path in places.paths if path != x)
    words = [str(word) for word in table.verdict_word.values]
    figure, axes = _begin(ax, (6.4, 4.8), f"{len(words)} members, {100 * found.expected:.2g} % of all places on the wrong side (estimated)")
    axes.scatter(table[x], table[y], c=[VERDICTS[word] for word in words], edgecolors="#444444", linewidths=0.3, s=16)
    logarithmic = dict(zip(places.paths, places.log))
    at = [np.exp(xr.apply_ufunc(np.log, ends[name]).mean("end")) if logarithmic[name] else ends[name].mean("end") for name in (x, y)]
    points = axes.plot(*at, "x", color="black", ms=7, label=f"certified points ({ends.sizes['point']})")
    axes.set(xlabel=x, ylabel=y, xscale="log" if logarithmic[x] else "linear", yscale="log" if logarithmic[y] else "linear")
    if len(places.paths) == 2:
        share, lines = np.linspace(0, 1, 121), dict[str, np.ndarray]()
        for name, low, high in zip(places.paths, places.low, places.high):
            lines[name] = low * (high / low) ** share if logarithmic[name] else low + share * (high - low)
        across, up = np.meshgrid(lines[x], lines[y])
        score = found.classify({x: across.ravel(), y: up.ravel()}).score.values
        axes.contour(across, up, score.reshape(across.shape), [0], colors="black")
    _legend(ax, figure, [*_patches(words), *points])
    return figure
