#!/usr/bin/env python3
"""Opens the checkpoints of a run with every reader that they are made for, and compares values, units and times with h5py's.

usage: readers.py DIRECTORY [OTOK]    (at least two NAME_*.vtkhdf of one run; packages: requirements.txt)

With the program OTOK it also exports its last state as meshes, and opens those; and it checks a state and
the table of a study by the conventions that they name.

Prints one line a reader. Exit 0: all agree; 1: one does not. It does not know what the values should be: C tests do.
"""
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import xarray as xr
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOPLY import vtkPLYReader
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

failures = 0


def check(reader, claims):
    """Claims: name -> truth. One line on stdout, the false ones on stderr."""
    global failures
    wrong = [name for name, true in claims.items() if not true]
    failures += bool(wrong)
    print(f"{reader:48} {'FAILED' if wrong else 'ok'}")
    for name in wrong:
        print(f"{reader}: not true: {name}", file=sys.stderr)


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def centres(f, axis, n, spacing):
    """On the map where the state has a georeference, else metres from the corner."""
    west, width, north, height = f["otok"].attrs.get("georeference", (0, spacing, f["y"].size * spacing, spacing))
    return west + (np.arange(n) + 0.5) * width if axis == "x" else north - height * n + (np.arange(n) + 0.5) * height


def with_h5py(path):
    """The maps, coordinates and times that the other readers must find."""
    with h5py.File(path) as f:
        names = [n for n, d in f.items() if isinstance(d, h5py.Dataset) and d.ndim == 2]
        maps = {n: f[n][...] for n in names}
        found = {"maps": maps, "x": f["x"][...], "y": f["y"][...], "time": float(f["time"][()]), "sea": float(f["sea_level"][()])}
        found["iteration"], found["fingerprint"] = int(f.attrs["otok_iteration"]), text(f.attrs["otok_fingerprint"])
        found["ledger"] = {n: v for n, v in f.attrs.items() if n.startswith("ledger_") and n != "ledger_units" and np.ndim(v) == 0 and not isinstance(v, (bytes, str))}
        spacing = found["spacing"] = float(f["otok"].attrs["spacing"])
        nx, ny = int(f["otok"].attrs["nx"]), int(f["otok"].attrs["ny"])
        check(f"h5py {path.name}", {
            "terrain is there": "terrain" in maps,
            "maps are float32 [ny][nx]": all(m.dtype == np.float32 and m.shape == (ny, nx) for m in maps.values()),
            "terrain = base + change": np.array_equal(maps["terrain"], maps["terrain_base"] + maps["terrain_change"]),
            "cell centres": all(np.allclose(found[a], centres(f, a, n, spacing), rtol=1e-14) for a, n in (("x", nx), ("y", ny))),
            "grid mapping": ("crs" in f) == ("grid_mapping" in f["terrain"].attrs),
            "dimension scales": f["terrain"].dims[0][0].name == "/y" and f["terrain"].dims[1][0].name == "/x",
            "the same data in VTKHDF": all(f["VTKHDF/PointData"][n].id == f[n].id for n in names),
            "conventions": text(f.attrs["Conventions"]) == "CF-1.10 ACDD-1.3",
            "provenance": all(a in f.attrs for a in ("otok_scenario", "otok_scenario_sha256", "otok_fingerprint", "history")),
            "units": all(text(f[n].attrs["units"]) for n in names),
        })
        return found


def with_xarray(path, engine, truth):
    with xr.open_dataset(path, engine=engine) as d:
        t = d["terrain"]
        check(f"xarray ({engine}) {path.name}", {
            "all maps": all(np.array_equal(d[n].values, m) for n, m in truth["maps"].items()),
            "dims (y, x)": t.dims == ("y", "x"),
            "coordinates x, y": np.array_equal(t["x"], truth["x"]) and np.array_equal(t["y"], truth["y"]),
            "time is a coordinate and a float": "time" in t.coords and t["time"].dtype == np.float64,
            "time": float(t["time"]) == truth["time"],
            "sea_level": float(d["sea_level"]) == truth["sea"] and d["sea_level"].attrs["units"] == "m",
            "units": t.attrs["units"] == "m" and t["x"].attrs["units"] in ("m", "degrees_east") and d["time"].attrs["units"] == "s",
            "names": t.attrs["standard_name"] == "surface_altitude" and t.attrs["long_name"] == "terrain height",
            "attributes": d.attrs["Conventions"] == "CF-1.10 ACDD-1.3" and "otok_fingerprint" in d.attrs,
        })


def with_mfdataset(paths, engine, truths, new_defaults):
    """xarray is changing its defaults of combining: both must give the same."""
    with (xr.set_options(use_new_combine_kwarg_defaults=new_defaults),
          warnings.catch_warnings(action="ignore", category=FutureWarning),
          xr.open_mfdataset(paths, engine=engine, combine="nested", concat_dim="time") as d):
        t = d["terrain"]
        defaults = "new" if new_defaults else "old"
        check(f"xarray open_mfdataset ({engine}, {defaults} defaults)", {
            "dims (time, y, x)": t.dims == ("time", "y", "x"),
            "times": d["time"].dtype == np.float64 and d["time"].values.tolist() == [s["time"] for s in truths],
            "last map": np.array_equal(t.isel(time=-1).values, truths[-1]["maps"]["terrain"]),
            "a level of the sea for each time": d["sea_level"].values.tolist() == [s["sea"] for s in truths],
            "iterations": d["iteration"].dims == ("time",) and d["iteration"].values.tolist() == [s["iteration"] for s in truths],
            "fingerprints": d["fingerprint"].dims == ("time",) and d["fingerprint"].values.tolist() == [s["fingerprint"] for s in truths],
            "a ledger for each time": all(d[n].dims == ("time",) and d[n].values.tolist() == [s["ledger"][n] for s in truths]
                                          for n in truths[0]["ledger"]) and d["ledger_water"].attrs["units"] == "m3",
            "one x and y": d["x"].dims == ("x",) and np.array_equal(d["y"], truths[0]["y"]),
        })


def with_netcdf4(path, truth):
    with netCDF4.Dataset(path) as d:
        d.set_auto_mask(False)
        check(f"netCDF4 {path.name}", {
            "all maps": all(np.array_equal(d[n][...], m) for n, m in truth["maps"].items()),
            "dimensions": d["terrain"].dimensions == ("y", "x"),
            "units": d["terrain"].units == "m" and d["time"].units == "s",
            "time": float(d["time"][...]) == truth["time"],
        })


def with_vtk(path, truth):
    reader = vtkHDFReader()
    claims = {"can read": bool(reader.CanReadFile(str(path)))}
    reader.SetFileName(str(path))
    reader.Update()
    image = reader.GetOutput()
    ny, nx = truth["maps"]["terrain"].shape
    dx = truth["spacing"]  # VTK's coordinates stay metres from the corner
    claims["extent"] = image is not None and image.GetDimensions() == (nx, ny, 1)
    if claims["extent"]:
        data = image.GetPointData()
        claims["origin and spacing"] = (np.allclose(image.GetOrigin()[:2], dx / 2)
                                        and np.allclose(image.GetSpacing()[:2], dx))
        claims["all maps"] = all(data.GetArray(n) and np.array_equal(vtk_to_numpy(data.GetArray(n)).reshape(ny, nx), m)
                                 for n, m in truth["maps"].items())
        claims["terrain is the active scalar"] = bool(data.GetScalars()) and data.GetScalars().GetName() == "terrain"
    check(f"vtkHDFReader {path.name}", claims)


def read_ply(path):
    """An independent reader of what the PLY's own header says: {property: values}, triangles."""
    head, body = path.read_bytes().split(b"end_header\n", 1)
    lines = head.decode().split("\n")
    names = [l.split()[2] for l in lines if l.startswith("property float")]
    nv, nf = (int(l.split()[2]) for l in lines if l.startswith("element"))
    vertices = np.frombuffer(body, "<f4", nv * len(names)).reshape(nv, len(names))
    faces = np.frombuffer(body, np.dtype([("n", "u1"), ("corners", "<i4", 3)]), nf, nv * len(names) * 4)
    assert len(body) == nv * len(names) * 4 + nf * struct.calcsize("<B3i") and (faces["n"] == 3).all()
    return {n: vertices[:, k] for k, n in enumerate(names)}, faces["corners"]


def meshes(paths, truth):
    """Sheet as PLY and OBJ, sphere as PLY."""
    values, faces = read_ply(paths["sheet.ply"])
    terrain = truth["maps"]["terrain"]
    ny, nx = terrain.shape
    dx = truth["spacing"]
    check("own reader sheet.ply", {
        "z is the terrain": np.array_equal(values["z"], terrain.ravel()),
        "x and y": np.allclose(values["x"].reshape(ny, nx)[0], (np.arange(nx) + 0.5) * dx)
                   and np.allclose(values["y"].reshape(ny, nx)[:, 0], (np.arange(ny) + 0.5) * dx),
        "every field": all(np.array_equal(values[n], m.ravel()) for n, m in truth["maps"].items()),
        "triangles": len(faces) == 2 * (nx - 1) * (ny - 1) and faces.min() == 0 and faces.max() == nx * ny - 1,
    })
    for name, reader, nv, nf in (("sheet.ply", vtkPLYReader(), nx * ny, 2 * (nx - 1) * (ny - 1)),
                                 ("sphere.ply", vtkPLYReader(), nx * ny + 2, 2 * nx * ny)):
        reader.SetFileName(str(paths[name]))
        reader.Update()
        mesh = reader.GetOutput()
        z = vtk_to_numpy(mesh.GetPoints().GetData())[:, 2] if mesh.GetNumberOfPoints() else np.zeros(1)
        check(f"{reader.GetClassName()} {name}", {
            "points": mesh.GetNumberOfPoints() == nv,
            "triangles": mesh.GetNumberOfPolys() == nf,
            "heights": name == "sphere.ply" or np.allclose(z, terrain.ravel(), rtol=1e-6),
        })


# The checker's own fault: it takes it that each group of a file with two groups has a dimension `time`.
CHECKER_FAILS = "check_invalid_same_named_dimension_across_groups: 'time'"


def conventions(paths):
    """The conventions of CF that files name as theirs, by the checker of IOOS, whose list of standard names comes with it. One by one: its
    exit status is that of the last."""
    for path in paths:
        done = subprocess.run([Path(sys.executable).parent / "compliance-checker", "-t", "cf:1.10", path], capture_output=True, text=True)
        exceptions = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("cf:1.10.")]
        claims = {"all tests passed": "All tests passed!" in done.stdout, "it is checked": "cf:1.10" in done.stdout,
                  "the checker fails nowhere else": all(line.endswith(CHECKER_FAILS) for line in exceptions),
                  "no errors": done.returncode == 0 or bool(exceptions)}
        print("" if all(claims.values()) else done.stdout + done.stderr, end="", file=sys.stderr)
        check(f"compliance-checker {path.name}", claims)


def table(otok, space):
    """Of a study of two members, under the name that the checker takes."""
    (space / "calm.yaml").write_text("otok: 1\ngrid: {nx: 8, ny: 8}\nphases: [{name: a, iterations: 40, rain: {rate: 1e-4}, hydraulic: {dt: 0.1}}]")
    (space / "study.yaml").write_text("study: 1\nscenario: calm.yaml\ndesign: {kind: grid, points: 2}\n"
                                      "vary: {phases.a.hydraulic.dt: {from: 0.1, to: 0.2}}")
    subprocess.run([otok, "study", space / "study.yaml", "-o", space / "study", "-q"], check=True, stdout=subprocess.DEVNULL)
    return (space / "study" / "study.h5").rename(space / "study.nc")


def untitled(otok, space):
    """The last state of a scenario that says no title."""
    subprocess.run([otok, "run", space / "calm.yaml", "-o", space / "calm", "-q"], check=True, stdout=subprocess.DEVNULL)
    return max((space / "calm").glob("*.vtkhdf"))


def hidden(otok, space):
    """A state of a raster with cells without data: VTK draws no square at them, and leaves them out of ranges; others still open the file."""
    rows = [[-9999 if 5 <= i < 9 and 3 <= j < 6 else 100 + 3 * i - j for i in range(16)] for j in range(12)]
    (space / "hole.asc").write_text("ncols 16\nnrows 12\nxllcorner 0\nyllcorner 0\ncellsize 8\nNODATA_value -9999\n" + "\n".join(" ".join(map(str, row)) for row in rows))
    (space / "hole.yaml").write_text("otok: 1\ngrid: {nx: 16, ny: 12, spacing: 8}\nbase: [{raster: {file: hole.asc}}]\nphases: [{name: a, iterations: 4, hydraulic: {dt: 0.1}}]")
    subprocess.run([otok, "run", space / "hole.yaml", "-o", space / "hole", "-q"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = max((space / "hole").glob("*.vtkhdf"))
    hole = np.flipud(np.array(rows) == -9999)
    squares = hole[1:, 1:] | hole[:-1, 1:] | hole[1:, :-1] | hole[:-1, :-1]
    subprocess.run([otok, "export", path, "-o", path.with_suffix(".vti")], check=True)
    with xr.open_dataset(path, engine="h5netcdf", group="VTKHDF/PointData") as group:
        check(f"the group of {path.name} for xarray", {"opened": "terrain" in group and np.array_equal(group["vtkGhostType"], 2 * hole)})
    for reader, file in ((vtkHDFReader(), path), (vtkXMLImageDataReader(), path.with_suffix(".vti"))):
        surface = vtkGeometryFilter()
        reader.SetFileName(str(file))
        reader.Update()
        image = reader.GetOutput()
        surface.SetInputData(image)
        surface.Update()
        ghosts = image.GetPointGhostArray()
        check(f"VTK's mask {file.name}", {
            "ghosts where there is no data": bool(ghosts) and np.array_equal(vtk_to_numpy(ghosts).reshape(hole.shape) == vtkDataSetAttributes.HIDDENPOINT, hole),
            "blank points": bool(image.HasAnyBlankPoints()), "the squares that are drawn": surface.GetOutput().GetNumberOfCells() == int((~squares).sum())})
    return path


def exports(otok, directory, paths, truths):
    with tempfile.TemporaryDirectory(prefix="otok-readers-") as space:
        def export(inputs, name, *more):
            subprocess.run([otok, "export", *map(str, inputs), "-o", f"{space}/{name}", *more], check=True)
            return Path(space) / name

        def nc(path, name):
            return shutil.copy(path, Path(space) / name)

        last = paths[-1:]
        meshes({"sheet.ply": export(last, "sheet.ply"),
                "sphere.ply": export(last, "sphere.ply", "--sphere", "100000")}, truths[-1])
        study = table(otok, Path(space))
        conventions([nc(paths[-1], "state.nc"), study, nc(untitled(otok, Path(space)), "untitled.nc"),
                     nc(hidden(otok, Path(space)), "hidden.nc")])


def main(directory, otok=None):
    paths = sorted(Path(directory).glob("*.vtkhdf"))
    if len(paths) < 2:
        sys.exit(f"readers.py: {directory}: fewer than two checkpoints; run a scenario with output: {{every: N}} first")
    truths = [with_h5py(p) for p in paths]
    for engine in ("netcdf4", "h5netcdf"):
        with_xarray(paths[-1], engine, truths[-1])
        with_mfdataset(paths, engine, truths, False)
        with_mfdataset(paths, engine, truths, True)
    with_netcdf4(paths[-1], truths[-1])
    with_vtk(paths[-1], truths[-1])
    series = next(Path(directory).glob("*.vtkhdf.series"), None)
    listed = json.loads(series.read_text())["files"] if series else []
    check("series for ParaView", {"names and times": [(e["name"], e["time"]) for e in listed]
                                  == [(p.name, t["time"]) for p, t in zip(paths, truths)]})
    if otok:
        exports(otok, directory, paths, truths)
    return failures != 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
