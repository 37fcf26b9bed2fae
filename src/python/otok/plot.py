"""Figures of runs and studies: one function per figure, which returns a matplotlib Figure and shows nothing; `figure.savefig("map.png")` writes it.

`run` is a run's folder, a checkpoint, a Dataset that xarray opened from one, or an `otok.Simulation` as it is; `when` is the index of a checkpoint
(-1: the last), or a time such as "2 h 30 min", of which the nearest checkpoint is drawn. `study` is the folder of a study, its study.h5, or its
Dataset.

>>> import otok
>>> simulation = otok.Simulation(otok.Scenario({"otok": 1, "base": [{"cone": {}}], "grid": {"nx": 16, "ny": 16}}), backend="cpu")
>>> hypsometry(simulation).axes[0].get_xlabel()
'area above [%]'
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any, cast

import numpy as np

from ._figures import (_COAST, _LINES, _PLAIN, _SHADE, _WET, VERDICTS, Axes, Figure, Index, Source, Table, _Colours, _complete, _label, _patches,
                       FigureCanvasAgg, Rectangle, duration, ticker, withStroke, xr)
from ._networks import chi, drainage, hack, horton, slope_area  # noqa: F401
from ._profiles import hypsometry, section  # noqa: F401
from ._spectra import histogram, power, spectrum  # noqa: F401
from ._states import _extent, _field, _files, _spacing, _state, _title, _volumes
from ._studies import edges, members, response, study  # noqa: F401
from .errors import DataError, UsageError, WriteError
from .fields import CHANGES, look_of
from .whole import by_time

# ---- maps ----


def _shade(heights: np.ndarray, spacing: float) -> np.ndarray:
    """The light on the ground from the north-west, 45 degrees above the horizon; 1 faces the sun. Row 0 is the south."""
    north, east = np.gradient(heights, spacing)
    light = (0.5 * east - 0.5 * north + np.sqrt(0.5)) / np.sqrt(1 + east**2 + north**2)
    shade: np.ndarray = np.clip(np.nan_to_num(light, nan=np.sqrt(0.5)), 0, 1)
    return shade


def _scale_bar(axes: Axes, wide: float) -> None:
    """A bar of a round length above the right corner of a map that is `wide` metres wide."""
    length = max(m * 10.0**e for e in range(-4, 8) for m in (1, 2, 5) if m * 10.0**e <= wide / 3)
    left = 1 - length / wide
    axes.plot([left, left, 1, 1], [1.03, 1.015, 1.015, 1.03], color="black", lw=1.2, transform=axes.transAxes, clip_on=False)
    text = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    axes.text((left + 1) / 2, 1.03, text, ha="center", va="bottom", size=8, transform=axes.transAxes, gid="scale")


def _draw_inset(axes: Axes, whole: xr.Dataset, part: tuple[float, float, float, float]) -> None:
    """The ground of a whole run, small, and the part of it that a map shows."""
    west, east, south, north = part
    light = np.where(np.isfinite(whole.terrain), 1 - _SHADE * (1 - _shade(whole.terrain.values.astype(float), _spacing(whole))), np.nan)
    axes.imshow(light, origin="lower", extent=_extent(whole), cmap="gray", vmin=0, vmax=1)
    axes.add_patch(Rectangle((west, south), east - west, north - south, fill=False, edgecolor=_LINES[5], linewidth=1.5))
    axes.set(xticks=[], yticks=[], anchor="N")


def _draw_map(state: xr.Dataset, values: xr.DataArray, title: str, label: str, colours: _Colours, contours: int = 7, whole: xr.Dataset | None = None,
              ax: Axes | None = None) -> Figure:
    if min(state.sizes["x"], state.sizes["y"]) < 2:
        raise DataError(f"a map needs two rows and two columns, and this run has {state.sizes['y']} and {state.sizes['x']}; draw a section")
    heights, extent, tall = state.terrain.values.astype(float), _extent(state), state.sizes["y"] / state.sizes["x"]
    figure = Figure(figsize=(7, min(max(6 * tall, 2), 9) + 0.9), layout="constrained") if ax is None else cast(Figure, ax.figure)
    places = [ax] if ax else figure.subplots(1, 1 if whole is None else 2, squeeze=False, width_ratios=[4, 1][:1 if whole is None else 2])[0]
    axes = places[0]
    if whole is not None:
        _draw_inset(places[1], whole, extent)
    image = axes.imshow(values, origin="lower", extent=extent, cmap=colours.cmap, norm=colours.norm, interpolation="nearest")
    shadow = np.zeros((*heights.shape, 4))
    shadow[..., 3] = np.where(np.isfinite(heights), _SHADE * (1 - _shade(heights, _spacing(state))), 0)
    axes.imshow(shadow, origin="lower", extent=extent, interpolation="nearest")
    least, most, sea = np.nanmin(heights), np.nanmax(heights), float(state.get("sea_level", np.nan))
    levels = [level for level in ticker.MaxNLocator(contours).tick_values(least, most) if least < level < most] if contours and least < most else []
    if levels:
        halo: list[Any] = [withStroke(linewidth=1.5, foreground="white", alpha=0.5)]
        lines = axes.contour(state.x, state.y, heights, levels, colors="black", linewidths=0.5)
        words = axes.clabel(lines, fmt="%g", fontsize=7)
        for word in words:
            (x, y), reach = word.get_position(), (0.015 + 0.0075 * len(word.get_text())) * np.ptp(extent[:2])
            word.set_visible(min(x - extent[0], extent[1] - x, y - extent[2], extent[3] - y) > reach)  # the frame would cut it
        for thing in (lines, *words):
            thing.set_path_effects(halo)
    if least < sea < most:
        axes.contour(state.x, state.y, heights, [sea], colors=_COAST, linewidths=1.4)
    square = "equal" if state.x.attrs.get("units", "m") != "degrees_east" else tall * (extent[1] - extent[0]) / (extent[3] - extent[2])
    crs = str(state.crs.attrs.get("crs_wkt", "")).partition('"')[2].partition('"')[0] if "crs" in state else ""
    axes.set(xlabel=f"{_label(state.x)}\n{crs}".strip(), ylabel=_label(state.y), aspect=square)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(ticker.MaxNLocator(5))
        axis.set_major_formatter(_PLAIN)
        axis.set_tick_params(labelsize=8)
    _scale_bar(axes, _spacing(state) * state.sizes["x"])
    if ax is None:
        figure.suptitle(f"{label}\n{title}", x=0.02, ha="left", size=10)
    else:
        axes.set_title(f"{label}\n{title}", loc="left", size=10, pad=18)  # above the scale bar
    figure.colorbar(image, ax=list(places), extend=colours.extend, label="[" + label.rpartition("[")[2], shrink=0.9, **colours.ticks())
    return figure


@_complete
def map(run: Source, field: str = "terrain", when: Index = -1, *, low: float | None = None, high: float | None = None, colours: str | None = None,
        contours: int = 7, part: tuple[float, float, float, float] | None = None, ax: Axes | None = None) -> Figure:
    """Draw a field over the relief, with contours of the ground, the coast in blue, and a scale bar.

    Colours and their ends are those of `otok render --field`; arrows mark values beyond them. Cells without data are grey.

    Parameters
    ----------
    field : str
        Of the state or derived, such as "froude".
    colours : str, optional
        A map of otok, such as "topo", or of matplotlib.
    contours : int
        About how many; 0: none.
    part : tuple of float, optional
        (west, east, south, north) in the units of the axes: these cells alone, with a small map of the whole beside them unless there is `ax`.

    Raises
    ------
    UsageError
        There is no such field, or `part` has fewer than 2 x 2 cells.
    """
    state = whole = _state(run, when)
    values = _field(state, field)
    if part is not None:
        west, east, south, north = part
        cut = {"x": slice(west, east), "y": slice(south, north)}
        state, values = state.sel(cut), values.sel(cut)
        if min(values.sizes.values()) < 2:
            x, y = _label(whole.x), _label(whole.y)
            raise UsageError(f"part={part}: has {values.sizes['x']} x {values.sizes['y']} cells; give west, east, south and north ({x}, {y}) within "
                             + ", ".join(f"{end:.10g}" for end in _extent(whole)))
    shown = _Colours.of(values.values, look_of(field), low, high, state=state, colours=colours)
    return _draw_map(state, values, _title(state), _label(values), shown, contours, None if part is None or ax else whole, ax)


@_complete
def difference(a: Source, b: Source, field: str = "terrain", when: Index = -1, *, low: float | None = None, high: float | None = None,
               ax: Axes | None = None) -> Figure:
    """Draw a field of `a` less that of `b`, over the relief of `a`. For two states of a run give two checkpoints.

    Parameters
    ----------
    a, b : path, Dataset or Simulation
        On one grid.
    field : str
        Of both.

    Raises
    ------
    DataError
        Grids or units differ.
    """
    one, other = _state(a, when), _state(b, when)
    ours, theirs = _field(one, field), _field(other, field)
    if ours.attrs.get("units") != theirs.attrs.get("units"):
        raise DataError(f"{field}: in {ours.attrs.get('units')} and in {theirs.attrs.get('units')}; give two runs of one law")
    for axis in ("x", "y"):
        if one.sizes[axis] != other.sizes[axis] or not np.allclose(one[axis], other[axis], rtol=0, atol=1e-3 * float(one[axis][1] - one[axis][0])):
            raise DataError(f"{field}: the grids differ along {axis} ({one.sizes[axis]} cells from {float(one[axis][0]):.10g}, {other.sizes[axis]} from "
                            f"{float(other[axis][0]):.10g}); interpolate one onto the other first: b.interp_like(a)")
    found = ours.copy(data=ours.values.astype(float) - theirs.values)
    if look_of(field).sign == 3:
        found = (found + 180) % 360 - 180  # the way around
    return _draw_map(one, found, f"{_title(one)}\nless {_title(other)}", f"difference of {_label(ours)}", _Colours.of(found.values, CHANGES, low, high), ax=ax)


@_complete
def flow(run: Source, when: Index = -1, *, kind: str = "arrows", high: float | None = None, ax: Axes | None = None) -> Figure:
    """Draw the speed of the water over the relief, with its direction. Cells with less than a millimetre of water have speed 0.

    Parameters
    ----------
    kind : {"arrows", "lines"}
        As long as the speed, or along the flow.
    high : float, optional
        Upper end of the colours [m/s].

    Raises
    ------
    DataError
        No water flows.
    """
    if kind not in ("arrows", "lines"):
        raise UsageError(f"kind={kind!r}: give 'arrows' or 'lines'")
    state = _state(run, when)
    if min(state.sizes["x"], state.sizes["y"]) < 2 or not {"water", "velocity_x", "velocity_y"} <= set(state.data_vars):
        raise DataError("no water flows in this run, or in one row only; give a run with `hydraulic` on two rows and two columns at least")
    speed = _field(state, "speed")
    speed = speed.where((state.water > _WET) | speed.isnull(), 0)
    figure = _draw_map(state, speed, _title(state), _label(speed), _Colours.of(speed.values, look_of("speed"), None, high, state=state), 0, ax=ax)
    axes, wet = ax or figure.axes[0], state.water.values > _WET
    u, v = (np.where(wet, state[name].values.astype(float), np.nan) for name in ("velocity_x", "velocity_y"))
    if kind == "lines":
        axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim(), autoscale_on=False)  # streamplot would add a margin
        axes.streamplot(state.x.values, state.y.values, np.nan_to_num(u), np.nan_to_num(v), density=2, color=_LINES[5], linewidth=0.8, arrowsize=0.8)
        return figure
    every = max(1, max(state.sizes.values()) // 40)
    at = slice(every // 2, None, every)
    longest = np.nan_to_num(np.hypot(u, v)[at, at]).max() or 1  # the fastest arrow: three times as long as from arrow to arrow
    axes.quiver(state.x[at], state.y[at], u[at, at], v[at, at], color=_LINES[5], angles="xy", scale_units="xy",
                scale=longest / (3 * every * _spacing(state)), width=0.003)
    return figure


# ---- over time ----


def _name_times(axes: Axes, length: float) -> None:
    """Ticks at round times with their words."""
    day, year = 86400.0, 31556925.9747
    long = [m * size * 10**e for size, powers in ((day, 2), (year, 10)) for e in range(powers) for m in (1, 2, 5)]
    steps = [0.01, 0.1, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, *long]
    axes.xaxis.set_major_locator(ticker.MultipleLocator(next((step for step in steps if length / step <= 6), long[-1])))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: duration(value)))


@_complete
def history(run: Table) -> Figure:
    """Draw volumes that are not always 0, the audit of half steps, and the verdict, of every checkpoint.

    The axis has dates if the scenario has a `start`, and iterations if several checkpoints have one time, as in phases without a clock.

    Parameters
    ----------
    run : path or Dataset
        The folder of a run, or one that is open.

    Returns
    -------
    matplotlib.figure.Figure
        A panel a volume [m3].

    Raises
    ------
    DataError
        There are fewer than two checkpoints.
    """
    if isinstance(run, xr.Dataset):
        states = [_state(run, n) for n in range(run.sizes.get("time", 1))]  # whose attributes may be those of the first alone
    else:
        states = [by_time(_state(path)) for path in _files(run)]
    if len(states) < 2:
        raise DataError("a history needs two checkpoints; give the folder of a run, and a smaller output.every")
    times, words = [float(state.time) for state in states], [str(state.verdict.values) for state in states if "verdict" in state]
    clock, rows = len(set(times)) == len(times), [_volumes(state) for state in states]
    at: list[Any] = times if clock else [int(state.iteration) for state in states]
    dates = [state.date for state in states if "date" in state] if clock else []
    if len(dates) == len(states):
        at = [date.values for date in dates]
    lines: dict[str, dict[str, Any]] = {name: {"": [row[name] for row in rows]} for name in rows[0] if any(row[name] > 0 for row in rows)}
    audit = 100 * np.array([np.append(np.asarray(state.get("audit", []), float), [np.nan] * 5)[:5] for state in states])
    if np.isfinite(audit).any():
        lines["audit: change with half the step"] = dict(zip(("water", "ground", "sediment", "sweeps", "rivers"), audit.T))
    figure = Figure(figsize=(7, 1.25 * len(lines) + 1.4), layout="constrained")
    panels = figure.subplots(len(lines) + 1, 1, sharex=True, squeeze=False, height_ratios=[1] * len(lines) + [0.3])[:, 0]
    for n, (panel, (name, parts)) in enumerate(zip(panels, lines.items())):
        for k, (part, values) in enumerate(parts.items()):
            if np.isfinite(values).any():
                panel.plot(at, values, "o-", ms=3, color=_LINES[k if part else n], label=part)
        most = np.nanmax(np.abs(list(parts.values())))
        power = 3 * int(np.log10(most) // 3) if len(parts) == 1 and not 1e-3 <= most < 1e5 else 0
        panel.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _, size=10.0**power: f"{value / size:.10g}"))
        panel.set(ylabel="%" if len(parts) > 1 else f"$10^{{{power}}}$ m³" if power else "m³", ylim=(0, None))
        if len(parts) > 1:
            panel.legend(frameon=False, ncols=3, fontsize=8)
    panels[-1].set(yticks=[], ylim=(-1, 1), xlabel=str(dates[0].attrs.get("long_name", "date")) if at is not times and clock else "simulated time" if clock else "iteration")
    if words:
        panels[-1].scatter(at, np.zeros(len(at)), c=[VERDICTS[word or "none"] for word in words], edgecolors="#444444", s=40)
        panels[-1].legend(handles=_patches(words), frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    for panel, name in zip(panels, [*lines, "verdict so far"]):
        panel.set_title(name, loc="left", size=9)
        panel.spines[["top", "right"]].set_visible(False)
    if at is times:
        _name_times(panels[-1], times[-1] - times[0])
    figure.align_ylabels(panels)
    figure.suptitle(str(states[-1].attrs.get("title", "")), x=0.02, ha="left", size=10)
    return figure


def _encoder() -> str:
    """The program ffmpeg, of the system or of the package imageio-ffmpeg."""
    if found := shutil.which("ffmpeg"):
        return found
    try:
        return str(importlib.import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except (ImportError, RuntimeError) as why:
        raise WriteError("no ffmpeg, which makes films: install ffmpeg (Debian: ffmpeg), or pip install imageio-ffmpeg") from why


def _pixels(figure: Figure, dpi: int) -> np.ndarray:
    """A figure as rows of RGBA, as many and as long as a film needs them: even."""
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return np.ascontiguousarray(pixels[: pixels.shape[0] // 2 * 2, : pixels.shape[1] // 2 * 2])


@_complete
def film(run: Table, path: str | os.PathLike[str], field: str = "terrain_change", *, rate: float = 8, low: float | None = None, high: float | None = None,
         dpi: int = 100) -> Figure:
    """Write a film of the maps of all checkpoints of a run, whole or not at all.

    All maps have the colours of the one with the widest range.

    Parameters
    ----------
    run : path or Dataset
        The folder of a run, or one that is open.
    path : path
        Its end, such as .mp4, .mkv or .gif, selects the kind.
    field : str
        Of the state or derived.
    rate : float
        Maps per second.
    dpi : int
        Dots per inch.

    Returns
    -------
    matplotlib.figure.Figure
        The last map.

    Raises
    ------
    WriteError
        ffmpeg failed.
    """
    each: list[tuple[Any, int]] = [(run, n) for n in range(run.sizes.get("time", 1))] if isinstance(run, xr.Dataset) else [(file, -1) for file in _files(run)]
    if len(each) < 2:
        raise DataError("a film needs two checkpoints; give the folder of a run, and a smaller output.every")
    if low is None or high is None:
        ends = np.array([map(of, field, n, contours=0).axes[0].images[0].get_clim() for of, n in each])
        low, high = (float(ends[:, 0].min()) if low is None else low), (float(ends[:, 1].max()) if high is None else high)
    out = pathlib.Path(path)
    draft = out.with_name(f".{out.stem}.{os.getpid()}{out.suffix}")
    first = _pixels(map(each[0][0], field, each[0][1], low=low, high=high), dpi)
    command = [_encoder(), "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{first.shape[1]}x{first.shape[0]}", "-r", str(rate), "-i", "-",
               *([] if out.suffix == ".gif" else ["-pix_fmt", "yuv420p"]), str(draft)]
    try:
        with tempfile.TemporaryFile() as said, subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said) as coder:
            assert coder.stdin
            with contextlib.suppress(BrokenPipeError):  # it has ended, and says why
                for of, n in each:
                    figure = map(of, field, n, low=low, high=high)
                    coder.stdin.write(_pixels(figure, dpi).tobytes())
                coder.stdin.close()
            if coder.wait():
                said.seek(0)
                raise WriteError(f"{out}: ffmpeg: {said.read().decode(errors='replace').strip()}")
        os.replace(draft, out)
    finally:
        draft.unlink(missing_ok=True)
    return figure
