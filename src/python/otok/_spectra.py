"""Figures of how values are spread over the area and over wavelengths."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._figures import _LINES, _PLAIN, Axes, Figure, Index, Source, _begin, _complete, _label
from ._states import _field, _spacing, _state, _title
from .errors import DataError
from .fields import look_of


@_complete
def histogram(run: Source, field: str = "terrain", when: Index = -1, *, bins: int = 60, ax: Axes | None = None) -> Figure:
    """Draw the share of the area with each value of a field, its mean, and its median.

    The axis is logarithmic if the field's colours are, or if 99 % of the values span three decades. Depths of zero do not count, because most cells
    may have it; the title has their share.

    Parameters
    ----------
    field : str
        Of the state or derived.
    bins : int
        How many.

    Raises
    ------
    DataError
        No cell has a value other than 0.
    """
    state = _state(run, when)
    values = _field(state, field)
    known = values.values[np.isfinite(values.values)].astype(float)
    counted = known[known != 0] if known.size and known.min() == 0 else known
    if not counted.size:
        raise DataError(f"{field}: no cell has a value other than 0; choose another field or state")
    zero = "" if counted.size == known.size else f"\n{100 - 100 * counted.size / known.size:.3g} % are 0 and left out"
    figure, axes = _begin(ax, (5.4, 3.6), _title(state) + zero)
    least, most = np.percentile(counted, (0.5, 99.5))
    decades = bool(least > 0 and (look_of(field).is_log or most > 1000 * least))
    edges: Any = np.geomspace(counted.min(), counted.max(), bins + 1) if decades else bins
    axes.hist(counted, edges, weights=np.full(counted.size, 100 / known.size), color=_LINES[0])
    per = f"factor of {(counted.max() / counted.min()) ** (1 / bins):.3g}" if decades else f"{(counted.max() - counted.min()) / bins:.3g}"
    for name, value, style in (("mean", counted.mean(), "-"), ("median", np.median(counted), "--")):
        axes.axvline(value, color="black", lw=1, ls=style, label=f"{name} {value:.4g}")
    axes.set(xlabel=_label(values), ylabel=f"share of the area per {per} [%]")
    if decades:
        axes.set_xscale("log")
    else:
        axes.xaxis.set_major_formatter(_PLAIN)
    axes.legend(frameon=False, fontsize=8)
    return figure


def fitted_power(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """The exponent and ln k of y = k x^exponent, by least squares of logarithms, and the standard error of the exponent.

    >>> [round(float(n), 6) + 0.0 for n in fitted_power(np.array([1.0, 2, 4]), np.array([3.0, 12, 48]))]
    [2.0, 1.098612, 0.0]
    """
    (power, k), cov = np.polyfit(np.log(x), np.log(y), 1, cov=True)
    return power, k, cov[0, 0] ** 0.5


def power(values: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Wavelengths [m] and the spectral density of a map [unit² m²], the mean over all directions in rings as wide as the lowest wave number. The map is
    made level by its best plane and weighted by a Hann window; the integral of the density over the plane of wave numbers is the variance.

    >>> y, x = np.mgrid[:64, :64]
    >>> wavelength, density = power(np.sin(2 * np.pi * x / 8), 2.0)
    >>> float(wavelength[density.argmax()])
    16.0
    """
    ny, nx = values.shape
    y, x = np.mgrid[:ny, :nx]
    plane = np.column_stack([x.ravel(), y.ravel(), np.ones(values.size)])
    level = values - (plane @ np.linalg.lstsq(plane, values.ravel(), rcond=None)[0]).reshape(ny, nx)
    window = np.hanning(ny + 2)[1:-1, None] * np.hanning(nx + 2)[None, 1:-1]
    density = np.abs(np.fft.fft2(level * window)) ** 2 * spacing**2 / (window**2).sum()
    waves = np.hypot(*np.meshgrid(np.fft.fftfreq(nx, spacing), np.fft.fftfreq(ny, spacing)))
    lowest = 1 / (max(nx, ny) * spacing)
    ring = np.rint(waves / lowest).astype(int)
    rings = np.arange(1, max(nx, ny) // 2 + 1)
    sums, cells = np.bincount(ring.ravel(), density.ravel()), np.bincount(ring.ravel())
    return 1 / (rings * lowest), sums[rings] / cells[rings]


@_complete
def spectrum(run: Source, field: str = "terrain", when: Index = -1, *, ax: Axes | None = None) -> Figure:
    """Draw the spectral density of a field over the wavelength (`power`), and beta of density = k wavelength^beta, fitted from four cells to a quarter of the map.

    Parameters
    ----------
    field : str
        Of the state or derived, with a value in every cell.

    Raises
    ------
    DataError
        There are holes, or fewer than 16 x 16 cells.
    """
    state = _state(run, when)
    values = _field(state, field)
    if not np.isfinite(values.values).all():
        raise DataError(f"{field}: a spectrum needs a map without holes; cut out a rectangle with data: state.isel(x=slice(...), y=slice(...))")
    if min(values.shape) < 16:
        raise DataError(f"{field}: {values.shape[1]} x {values.shape[0]} cells are too few for a spectrum, which needs 16 x 16")
    spacing = _spacing(state)
    wavelength, density = power(values.values.astype(float), spacing)
    fitted = (wavelength >= 4 * spacing) & (wavelength <= min(values.shape) * spacing / 4) & (density > 0)
    figure, axes = _begin(ax, (5.4, 4), _title(state))
    axes.plot(wavelength, density, ".-", lw=0.8, ms=3, color=_LINES[0])
    if fitted.sum() >= 3:
        beta, k, error = fitted_power(wavelength[fitted], density[fitted])
        axes.plot(wavelength[fitted], np.exp(k) * wavelength[fitted] ** beta, color=_LINES[1], label=f"β = {beta:.2f} ± {error:.2f}")
        axes.legend(frameon=False, fontsize=8)
    unit = _label(values).rpartition("[")[2].rstrip("]")
    axes.set(xscale="log", yscale="log", xlabel="wavelength [m]", ylabel="spectral density [" + ("m⁴]" if unit == "m" else f"({unit})² m²]"))
    return figure
