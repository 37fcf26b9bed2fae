"""Claim: the docstrings of the package's public functions, methods and classes that a user makes have every parameter with its type, and
what is returned, in numpydoc's form. `python3 tests/python_docstrings.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
from cli import *

with needed():
    import numpydoc.validate
    import matplotlib  # noqa: F401
import inspect

import otok as package
import otok.plot

CODES = {"GL08", "PR01", "PR02", "PR03", "PR04", "PR06", "PR07", "RT01", "RT02", "RT03", "YD01"}  # missing, unknown or unordered parameters; returns


def public():
    """(path, object) of what a user calls. A dataclass or a named tuple is what a call returns: a docstring follows each of its fields."""
    for name in package.__all__:
        thing = getattr(package, name)
        is_result = hasattr(thing, "__dataclass_fields__") or hasattr(thing, "_fields") or (inspect.isclass(thing) and issubclass(thing, Exception))
        if callable(thing) and not is_result:
            yield f"otok.{name}", thing
        if inspect.isclass(thing):
            ours = {k: v for base in reversed(thing.__mro__) if base.__module__.startswith("otok.") for k, v in vars(base).items()}
            for inner, method in ours.items():
                if not inner.startswith("_") and (inspect.isfunction(method) or isinstance(method, (property, staticmethod, classmethod))):
                    yield f"otok.{name}.{inner}", thing
    for name, thing in vars(otok.plot).items():
        if inspect.isfunction(thing) and not name.startswith("_") and thing.__annotations__.get("return") == "Figure":
            yield f"otok.plot.{name}", thing


names = list(public())
for path, _ in names:
    for code, what in numpydoc.validate.validate(path)["errors"]:
        check(code not in CODES, f"{path}: {code}: {what}")
check(len(names) > 90, f"{len(names)} names: the package was not read")
finish()
