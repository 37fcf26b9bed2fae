"""otok: erosion of terrains and growth of coral reefs, on CPU and GPU, with the same bits on both.

>>> import otok
>>> scenario = otok.Scenario({
...     "otok": 1, "grid": {"nx": 32, "ny": 24, "spacing": 10},
...     "base": [{"cone": {"height": 80, "radius": 120}}],
...     "phases": [{"name": "rain", "iterations": 50, "rain": {"rate": 1e-3}, "hydraulic": {"dt": 0.1}}],
... })
>>> sim = otok.Simulation(scenario, backend="cpu")
>>> sim.run()
50
>>> sim["water"].shape, sim["water"].dtype
((24, 32), dtype('float32'))

Maps have rows of y and columns of x; row 0 is the bottom row: `plt.imshow(sim["terrain"], origin="lower")`. Units are SI.
src/docs/reference.md lists the keys of a scenario.
"""

import importlib
from typing import Any

from ._library import commit, version
from .analysis import Ladder, analyse, compare, ladder
from .boundary import Edges, edges
from .errors import DataError, DeviceError, Error, InternalError, NoMemoryError, ReadError, StoppedError, UsageError, WriteError
from .evaluator import Evaluator
from .fields import derived
from .inversion import Posterior, invert
from .laboratory import Edge, Progress, edge, predict, study
from .loan import Loan
from .network import Estimate, Horton, Rivers, rivers
from .picture import Picture, render
from .scenario import Limit, Scenario
from .simulation import Simulation
from .tables import open_study
from .verdict import Verdict
from .whole import by_time, run

__version__ = version()
__all__ = [
    "DataError", "DeviceError", "Edge", "Edges", "Error", "Estimate", "Evaluator", "Horton", "InternalError", "Ladder", "Limit", "Loan", "NoMemoryError", "Picture", "Posterior", "Progress", "ReadError", "Rivers", "Scenario",
    "Simulation", "StoppedError", "UsageError", "Verdict", "WriteError", "analyse", "by_time", "commit", "compare", "derived", "edge", "edges", "invert", "ladder", "open_study", "predict", "render", "rivers", "run", "study", "version",
]
_LATER = ("column", "gest", "history", "island", "plot")  # modules that need more packages, imported when they are named


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return importlib.import_module(f"otok.{name}")
    raise AttributeError(f"module 'otok' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
