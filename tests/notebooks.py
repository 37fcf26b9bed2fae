#!/usr/bin/env python3
"""Executes the notebooks, which run their small studies themselves. They are committed with their pictures alone, made small; those
of an execution are alike.

usage: notebooks.py OTOK [--write | FOLDER]    (packages: requirements.txt)

FOLDER keeps studies and executed notebooks. --write puts the pictures into the notebooks. Prints one line a notebook. Exit 0: all ran to their
end; 1: one did not, or has other outputs.
"""
import base64
import io
import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import numpy as np
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from PIL import Image

QUIET = ["--IPKernelApp.log_level=40"]  # no warning that cells reach the kernel over a port of this machine
HERE = Path(__file__).resolve().parent.parent / "notebooks"
LARGEST = 100_000  # bytes of a picture
ALIKE = 10  # of 255: the mean difference of two pictures that are the same, of thumbnails


def pictures(cell):
    """The pictures of a cell's outputs."""
    found = []
    for output in cell.get("outputs", []):
        for kind in ("image/png", "image/jpeg"):
            if kind in output.get("data", {}):
                found.append(Image.open(io.BytesIO(base64.b64decode(output["data"][kind]))).convert("RGB"))
    return found


def small(picture):
    """An output with the picture: a figure of few colours, or a photograph."""
    files = {"image/png": io.BytesIO(), "image/jpeg": io.BytesIO()}
    picture.thumbnail((800, 800))
    picture.quantize(64).save(files["image/png"], "png", optimize=True)
    picture.save(files["image/jpeg"], "jpeg", quality=80)
    kind = min(files, key=lambda kind: len(files[kind].getvalue()))
    return nbformat.v4.new_output("display_data", {kind: base64.b64encode(files[kind].getvalue()).decode()})


def wrong_in(committed, executed):
    """What a committed cell has that its execution has not; "" if nothing."""
    outputs, stored, made = committed.get("outputs", []), pictures(committed), pictures(executed)
    if committed.get("execution_count") or len(stored) != len(outputs):
        return "has outputs that are no pictures"
    if len(stored) != len(made):
        return f"has {len(stored)} pictures, and an execution {len(made)}"
    for output in outputs:
        if sum(map(len, output.data.values())) * 3 / 4 > LARGEST:
            return f"has a picture of more than {LARGEST} bytes"
    for one, other in zip(stored, made):
        thumbs = [np.asarray(picture.resize((64, 64), Image.Resampling.BOX), float) for picture in (one, other)]
        if np.abs(thumbs[0] - thumbs[1]).mean() > ALIKE:
            return "has a picture that its execution does not draw"
    return ""


def execute(path, keep, write):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    committed = nbformat.from_dict(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    try:
        NotebookClient(notebook, timeout=3600, kernel_name="python3", extra_arguments=QUIET, resources={"metadata": {"path": str(HERE)}}).execute()
    except CellExecutionError as error:
        return str(error)
    finally:
        if keep:
            nbformat.write(notebook, keep / path.name)
    if write:
        for cell, executed in zip(committed.cells, notebook.cells):
            if cell.cell_type == "code":
                cell.outputs = [small(picture) for picture in pictures(executed)]
        nbformat.write(committed, path)
    return next((f"{cell.id} {wrong}: notebooks.py OTOK --write" for cell, executed in zip(committed.cells, notebook.cells)
                 if (wrong := wrong_in(cell, executed))), "")


def main():
    program, write = Path(sys.argv[1]).resolve(), sys.argv[2:] == ["--write"]
    os.environ.update(OTOK_PROGRAM=str(program), OTOK_LIBRARY=str(program.parent / "libotok.so"), PYTHONPATH=str(HERE.parent / "src/python"))
    keep = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 and not write else None
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["OUT"] = str(keep or folder)
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        for path in sorted(HERE.glob("*.ipynb")):
            began = time.monotonic()
            wrong = execute(path, keep, write)
            print(f"{path.name:48} {wrong or f'ok, {time.monotonic() - began:.0f} s'}", flush=True)
            failures += bool(wrong)
    sys.exit(failures != 0)


main()
