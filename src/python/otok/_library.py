"""Loads the shared library and declares its functions and structures. otok.h says what they do. tests/python_package.py compares
the structures with those of a C compiler."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int, c_int64, c_size_t, c_uint64, c_void_p

NAME_SIZE, MAX_LAYERS, LIMITS, VERDICTS, FORMS, FIELD_NUMBERS = 64, 8, 32, 14, 7, 63
DIAGNOSIS_SIZE, VALUE_SIZE = 2048, 128
GO_ON, CHECKPOINT_NOW, STOP_NOW = 0, 1, 2


def _load() -> ctypes.CDLL:
    """Loads $OTOK_LIBRARY, else the library of this package, else an installed one."""
    given = os.environ.get("OTOK_LIBRARY")
    beside = pathlib.Path(__file__).parent / "libotok.so"
    return ctypes.CDLL(given or (str(beside) if beside.exists() else "libotok.so.0.1"))


library = _load()


class Grid(Structure):
    _fields_ = [("nx", c_int64), ("ny", c_int64), ("spacing", c_double)]


class Look(Structure):
    _fields_ = [("colours", c_char_p), ("sign", c_int), ("low", c_double), ("high", c_double), ("is_log", c_int), ("by_water", c_int), ("share", c_double)]


class Scale(Structure):
    _fields_ = [("colours", c_int), ("low", c_double), ("high", c_double), ("is_log", c_int), ("is_angle", c_int), ("beyond", c_int)]


class FieldInfo(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("long_name", c_char_p), ("standard_name", c_char_p), ("look", POINTER(Look))]


class LedgerEntry(Structure):
    _fields_ = [("name", c_char_p), ("side", c_int), ("sign", c_char), ("label", c_char_p), ("help", c_char_p), ("offset", c_size_t)]


class LayerLedger(Structure):
    _fields_ = [("name", c_char * NAME_SIZE)] + [(name, c_double) for name in ("start", "eroded", "deposited", "raised", "now", "error")]


class Limit(Structure):
    _fields_ = [("name", c_char_p), ("symbol", c_char_p), ("phase", c_int), ("certainty", c_int), ("value", c_double),
                ("bound", c_double), ("dt", c_double), ("text", c_char * 256), ("read", c_char * 192), ("is_slow", c_int), ("group", c_char_p), ("now", c_double)]


class Site(Structure):
    _fields_ = [("cells", c_int64), ("slope", c_double), ("slope_90", c_double), ("slope_most", c_double), ("erodibility", c_double),
                ("water", c_double), ("water_mean", c_double), ("surface", c_double), ("hollow", c_double), ("hollow_rain", c_double),
                ("lowest", c_double * 4), ("heights", c_double * 256), ("maps", c_double * 2 * 64), ("why", c_char * 256), ("held", c_double)]


class Loan(Structure):
    _fields_ = [("data", c_void_p), ("nx", c_int64), ("ny", c_int64), ("pitch", c_int64), ("device", c_int), ("stream", c_void_p),
                ("row", c_int64)]


class VerdictWords(Structure):
    _fields_ = [("share", c_char_p), ("meaning", c_char_p), ("remedy", c_char_p)]


class Diagnosis(Structure):
    _fields_ = [("samples", c_int64), ("since", c_int64), ("until", c_int64), ("verdict", c_int), ("after", c_int64), ("first", c_int64),
                ("cell_x", c_int64), ("cell_y", c_int64), ("cells", c_int64), ("share", c_double), ("audit_speed", c_double),
                ("audit_ground", c_double), ("audit_sediment", c_double), ("audit_sweeps", c_double), ("slow", c_double), ("texture", c_double), ("broken", c_double), ("doubt", c_double), ("proof", c_double), ("deepest", c_double), ("deepest_limit", c_double),
                ("deepest_at", c_int64), ("deep_after", c_int64), ("deep_first", c_int64),
                ("lost_kind", c_int64), ("lost", c_double), ("lost_of", c_double), ("uncompared", c_int64), ("water", c_int64), ("unseen", c_int64),
                ("unseen_at", c_int64), ("iterations", c_int64), ("movers", c_int64), ("audit_rivers", c_double)]


class Island(Structure):
    _fields_ = [("form", c_int64), *((name, c_double) for name in (
        "share", "continuity", "rim_depth", "lagoon_depth", "lagoon_width", "land_share", "drowned_terraces", "raised_terraces")),
                ("shares", c_double * FORMS)]


class Progress(Structure):
    _fields_ = [("iteration", c_int64), ("iterations", c_int64), ("phase", c_char_p), ("seconds", c_double), ("rate", c_double),
                ("cells", c_double), ("ledger", c_void_p), ("fingerprint", c_uint64), ("checkpoint", c_char_p), ("note", c_char_p),
                ("costs", c_char_p), ("diagnosis", c_void_p), ("filled", c_int64), ("raster_cells", c_int64),
                ("walls", c_int64), ("responses", c_void_p)]


RunPoll = CFUNCTYPE(c_int, c_void_p, POINTER(Progress))


class RunOptions(Structure):
    _fields_ = [("directory", c_char_p), ("backend", c_char_p), ("resume", c_int), ("overwrite", c_int), ("max_seconds", c_double),
                ("poll", RunPoll), ("user", c_void_p)]


class StudyProgress(Structure):
    _fields_ = [("members", c_int64), ("done", c_int64), ("failed", c_int64), ("again", c_int64),
                ("seconds", c_double), ("everywhere", c_int64), ("others", c_int), ("rate", c_double), ("verdicts", c_int64 * VERDICTS)]


StudyPoll = CFUNCTYPE(c_int, c_void_p, POINTER(StudyProgress))
StudyMessage = CFUNCTYPE(None, c_void_p, c_char_p)
Note = CFUNCTYPE(None, c_void_p, c_char_p)


class StudyOptions(Structure):
    _fields_ = [("directory", c_char_p), ("backend", c_char_p), ("shard", c_int64), ("shards", c_int64), ("slots", c_int64),
                ("gpus", c_int), ("gpu", c_int), ("resume", c_int), ("wait", c_int), ("only_failed", c_int), ("poll", StudyPoll), ("message", StudyMessage), ("user", c_void_p)]


class VerdictEdge(Structure):
    _fields_ = [("inside", c_double), ("outside", c_double), ("inside_verdict", c_int), ("outside_verdict", c_int),
                ("inside_margin", c_double), ("outside_margin", c_double), ("members", c_int64), ("violations", c_int64),
                ("inside_value", c_double), ("outside_value", c_double)]


class AxisAbout(Structure):
    _fields_ = [("start", c_double), ("step", c_double), ("units", c_char_p), ("standard_name", c_char_p), ("long_name", c_char_p)]


_sets = (POINTER(c_char_p), c_int)
_map = POINTER(c_float)
for _name, _result, *_arguments in (
    ("otok_why", c_char_p), ("otok_version", c_char_p), ("otok_commit", c_char_p), ("otok_time_words", None, c_char_p, c_double),
    ("otok_command_set", None, c_int, POINTER(c_char_p)),
    ("otok_field_at", POINTER(FieldInfo), c_int), ("otok_field_find", c_int, c_char_p), ("otok_field_layer", c_int, c_int),
    ("otok_derived_at", POINTER(FieldInfo), c_int), ("otok_derived_reads", c_uint64, c_int),
    ("otok_derive", c_int, c_int, c_void_p, c_void_p),
    ("otok_scale_find", c_int, POINTER(Scale), POINTER(Look), c_void_p, c_void_p, c_int64, c_double, c_double, c_double),
    ("otok_colours_name", c_char_p, c_int), ("otok_colours_fill", c_int, c_int, c_void_p),
    ("otok_scenario_load", c_int, POINTER(c_void_p), c_char_p, *_sets),
    ("otok_scenario_read", c_int, POINTER(c_void_p), c_char_p, c_char_p, *_sets),
    ("otok_scenario_destroy", None, c_void_p), ("otok_scenario_text", c_char_p, c_void_p),
    ("otok_scenario_grid", Grid, c_void_p), ("otok_scenario_iterations", c_int64, c_void_p),
    ("otok_scenario_phases", c_int, c_void_p), ("otok_scenario_phase", c_char_p, c_void_p, c_int),
    ("otok_scenario_layer", c_char_p, c_void_p, c_int),
    ("otok_sim_create", c_int, POINTER(c_void_p), c_void_p, c_char_p), ("otok_sim_destroy", None, c_void_p),
    ("otok_sim_start", c_int, c_void_p, c_int64), ("otok_sim_wait", c_int, c_void_p),
    ("otok_sim_iteration", c_int64, c_void_p), ("otok_sim_end", c_int64, c_void_p),
    ("otok_sim_time", c_double, c_void_p), ("otok_sim_sea_level", c_double, c_void_p), ("otok_sim_phase", c_char_p, c_void_p),
    ("otok_sim_backend", c_char_p, c_void_p), ("otok_sim_device", c_char_p, c_void_p),
    ("otok_sim_note_at", c_char_p, c_void_p, c_int),
    ("otok_sim_axis", None, POINTER(AxisAbout), c_void_p, c_char), ("otok_sim_crs", c_char_p, c_void_p),
    ("otok_sim_no_data", c_int64, c_void_p, c_void_p),
    ("otok_sim_has", c_int, c_void_p, c_int), ("otok_sim_get", c_int, c_void_p, c_int, _map),
    ("otok_sim_set", c_int, c_void_p, c_int, _map), ("otok_sim_book", c_int, c_void_p, c_int, _map), ("otok_sim_lend", c_int, c_void_p, c_int, POINTER(Loan)),
    ("otok_sim_response", c_int, c_void_p, c_char_p, POINTER(c_double)),
    ("otok_checkpoint_load", c_int, POINTER(c_void_p), c_char_p), ("otok_checkpoint_destroy", None, c_void_p),
    ("otok_checkpoint_island", c_int, POINTER(Island), c_void_p, c_size_t),
    ("otok_form_name", c_char_p, c_int), ("otok_island_of", c_int, POINTER(Island), Grid, c_double, c_void_p, c_void_p, c_void_p, c_size_t),
    ("otok_sim_measure", c_int, c_void_p, c_void_p, POINTER(c_uint64), c_size_t),
    ("otok_sim_watch", c_int, c_void_p), ("otok_sim_diagnose", c_int, c_void_p, POINTER(Diagnosis), c_size_t),
    ("otok_verdict_name", c_char_p, c_int), ("otok_verdict_about", POINTER(VerdictWords), c_int), ("otok_diagnosis_remedy", c_char_p, POINTER(Diagnosis), c_size_t),
    ("otok_diagnosis_text", c_char_p, POINTER(Diagnosis), c_char_p, c_size_t),
    ("otok_sim_save", c_int, c_void_p, c_char_p), ("otok_sim_load", c_int, c_void_p, c_char_p),
    ("otok_sim_seek", c_int, c_void_p, c_int64),
    ("otok_sim_change", c_int, c_void_p, c_char_p, c_char_p),
    ("otok_ledger_at", POINTER(LedgerEntry), c_int),
    ("otok_site_read", None, POINTER(Site), c_void_p, c_size_t),
    ("otok_predict", c_int, POINTER(Limit), c_void_p, c_int, POINTER(Site), c_size_t, c_size_t), ("otok_limit_margin", c_double, POINTER(Limit)),
    ("otok_run", c_int, c_void_p, POINTER(RunOptions), c_size_t),
    ("otok_study_load", c_int, POINTER(c_void_p), c_char_p), ("otok_study_destroy", None, c_void_p),
    ("otok_study_notes", c_int, c_void_p, Note, c_void_p),
    ("otok_study_run", c_int, c_void_p, POINTER(StudyOptions), c_void_p, c_size_t, c_size_t),
    ("otok_study_axes", c_int, c_void_p), ("otok_study_axis", c_char_p, c_void_p, c_int),
    ("otok_study_ray", c_int, POINTER(VerdictEdge), c_void_p, POINTER(StudyOptions), c_int64, c_int, c_size_t, c_size_t),
    ("otok_study_ray_value", None, c_void_p, c_int, c_double, c_char_p),
):
    getattr(library, _name).restype = _result
    getattr(library, _name).argtypes = _arguments


def _count(at: Callable[[int], object]) -> int:
    n = 0
    while at(n):
        n += 1
    return n


LEDGER = [(entry.contents.name.decode(), entry.contents.offset) for entry in map(library.otok_ledger_at, range(_count(library.otok_ledger_at)))]
FIELDS = {i: library.otok_field_at(i).contents for i in range(FIELD_NUMBERS) if library.otok_field_at(i)}
DERIVED = [library.otok_derived_at(i).contents for i in range(_count(library.otok_derived_at))]


class DerivedFrom(Structure):
    _fields_ = [("scenario", c_char_p), ("iteration", c_int64), ("maps", c_void_p * FIELD_NUMBERS), ("walls", c_void_p), ("grid", Grid)]


class Ledger(Structure):
    _fields_ = [("not_finite", c_int64), ("nlayers", c_int64), ("layers", LayerLedger * MAX_LAYERS), *((name, c_double) for name, _ in LEDGER)]


def texts(items: Sequence[str]) -> "ctypes.Array[c_char_p]":
    """Makes an array of C strings."""
    return (c_char_p * max(len(items), 1))(*[item.encode() for item in items])


def version() -> str:
    """The library's version, such as "0.1.0".

    Returns
    -------
    str
        Three numbers with points.
    """
    return str(library.otok_version().decode())


def commit() -> str:
    """The commit that the library was built from, or "unknown".

    Returns
    -------
    str
        Its hash.
    """
    return str(library.otok_commit().decode())


library.otok_command_set(1 + len(sys.argv), texts(["python", *sys.argv]))
