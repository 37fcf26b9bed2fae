"""What the figures of the studies have in common: verdicts in the colours of otok.plot, sizes, small files."""
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr

from otok.plot import VERDICTS as COLOURS

LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e4e4e4",
                     "axes.axisbelow": True, "axes.titlesize": 11, "legend.frameon": False, "axes.prop_cycle": plt.cycler(color=LINES)})


def table(path):
    """study.h5 with the words of its flags."""
    study = xr.open_dataset(path, engine="h5netcdf").load()
    for flag in {"state", "verdict", "form"} & set(study):
        words = dict(zip(study[flag].flag_values, study[flag].flag_meanings.split()))
        study[flag + "_word"] = ("member", np.array([words[v] for v in study[flag].values]))
    return study


def last(series):
    """The last look at each member; one that diverged has fewer samples."""
    samples = series.notnull().sum("sample")
    return series.isel(sample=(samples - 1).clip(min=0)).where(samples > 0)


def edge(path):
    """What `otok edge` printed: the last value inside and the first outside."""
    text = Path(path).read_text()
    return [float(re.search(rf"^{side} +(\S+)", text, re.M)[1]) for side in ("inside", "outside")]


def verdict_map(axes, x, y, words):
    """A cell a member, on two logarithmic axes; returns the verdicts that occur, for a legend."""
    xs, ys = np.unique(x), np.unique(y)
    names = [name for name in COLOURS if name in set(words)]
    grid = np.full((ys.size, xs.size), np.nan)
    grid[np.searchsorted(ys, y), np.searchsorted(xs, x)] = [names.index(word) for word in words]
    colours = matplotlib.colors.ListedColormap([COLOURS[name] for name in names])
    axes.pcolormesh(xs, ys, grid, cmap=colours, vmin=-0.5, vmax=len(names) - 0.5, shading="nearest")
    axes.set(xscale="log", yscale="log", xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))
    axes.grid(False)
    return names


def patches(names):
    return [matplotlib.patches.Patch(color=COLOURS[name], label=name.replace("_", " ")) for name in names]


def save(figure, path):
    figure.savefig(path, dpi=110, bbox_inches="tight", metadata={"Software": None}, pil_kwargs={"optimize": True})


def arguments():
    """OUT, with the tables; the picture."""
    return Path(sys.argv[1]), sys.argv[2]
