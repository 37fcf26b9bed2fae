"""The forms of the members of a study, of whom study.h5 has maps of the ground and the reef today, when the sea is at 0."""
import os

from figure import matplotlib, table
from otok import island

COLOURS = {"fringing": "#f1c27d", "barrier": "#0072b2", "atoll": "#56b4e9", "platform": "#009e73", "submerged": "#cc79a7", "drowned": "#444444",
           "bare": "#dddddd"}
YEAR = 31556952.0


def forms(path):
    """The table with the forms of its members, and their growth and vertical motion in mm per year."""
    study = island.of_study(table(path), processes=os.cpu_count())
    return study, study.max_growth.values * 1000 * YEAR, study.rate.values * 1000 * YEAR


def legend(words):
    return [matplotlib.patches.Patch(color=COLOURS[word], label=word) for word in COLOURS if word in set(words)]
