"""The forms of the members of a study, of whom study.h5 has maps of the ground and the reef today, when the sea is at 0."""
import multiprocessing

import numpy as np

from figure import matplotlib, table
from otok import island

COLOURS = {"fringing": "#f1c27d", "barrier": "#0072b2", "atoll": "#56b4e9", "platform": "#009e73", "submerged": "#cc79a7", "drowned": "#444444",
           "bare": "#dddddd"}
SEA = 0.0
YEAR = 31556952.0


def _form(maps):
    terrain, reef, spacing = maps
    return island.form(terrain, reef, SEA, spacing)


def forms(path):
    """The table, with the growth and the vertical motion in mm per year, and the forms of its members."""
    study = table(path)
    members = study.map_terrain.values, study.map_reef.values
    across = max(study.map_terrain.dims[1:], key=lambda name: study[name].size)
    spacing = float(np.diff(study[across].values[:2])[0])
    with multiprocessing.Pool() as pool:
        found = pool.map(_form, ((t, r, spacing) for t, r in zip(*members)), chunksize=8)
    return study, study.max_growth.values * 1000 * YEAR, study.rate.values * 1000 * YEAR, found


def legend(words):
    return [matplotlib.patches.Patch(color=COLOURS[word], label=word) for word in COLOURS if word in set(words)]
