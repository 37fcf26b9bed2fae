"""The forms of the members of a study, today, when the sea is at 0."""
from figure import matplotlib, table

COLOURS = {"fringing": "#f1c27d", "barrier": "#0072b2", "atoll": "#56b4e9", "platform": "#009e73", "submerged": "#cc79a7", "drowned": "#444444",
           "bare": "#dddddd"}
YEAR = 31556952.0


def forms(path):
    """The table with the words of its forms, and growth and vertical motion in mm per year."""
    study = table(path)
    return study, study.max_growth.values * 1000 * YEAR, study.rate.values * 1000 * YEAR


def legend(words):
    return [matplotlib.patches.Patch(color=COLOURS[word], label=word) for word in COLOURS if word in set(words)]
