#!/usr/bin/env python3
"""Executes the notebooks, which run their small studies themselves; they are committed without outputs.

usage: notebooks.py OTOK [FOLDER]    (packages: requirements.txt)

FOLDER keeps studies and executed notebooks. Prints one line a notebook. Exit 0: all ran to their end; 1: one did not, or has outputs.
"""
import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

QUIET = ["--IPKernelApp.log_level=40"]  # no warning that cells reach the kernel over a port of this machine
HERE = Path(__file__).resolve().parent.parent / "notebooks"


def execute(path, keep):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    if any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells):
        return "has outputs: clear them before it is committed"
    try:
        NotebookClient(notebook, timeout=3600, kernel_name="python3", extra_arguments=QUIET, resources={"metadata": {"path": str(HERE)}}).execute()
    except CellExecutionError as error:
        return str(error)
    finally:
        if keep:
            nbformat.write(notebook, keep / path.name)
    return ""


def main():
    program = Path(sys.argv[1]).resolve()
    os.environ.update(OTOK=str(program), OTOK_PROGRAM=str(program), OTOK_LIBRARY=str(program.parent / "libotok.so"), PYTHONPATH=str(HERE.parent / "src/python"))
    keep = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["OUT"] = str(keep or folder)
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        for path in sorted(HERE.glob("*.ipynb")):
            began = time.monotonic()
            wrong = execute(path, keep)
            print(f"{path.name:48} {wrong or f'ok, {time.monotonic() - began:.0f} s'}", flush=True)
            failures += bool(wrong)
    sys.exit(failures != 0)


main()
