#!/usr/bin/env python3
"""Makes rasters of a real valley from the elevation sample that matplotlib's wheel carries (never committed here).

usage: dem.py DIRECTORY    (packages: requirements.txt; programs: gdal-bin)

Writes DIRECTORY/jacksboro_degrees.asc (as it comes: 3 arc-seconds, int16 metres), jacksboro_degrees.tif (the same with WGS 84), and
jacksboro.tif (UTM zone 16N, square cells of 90 m, float32, bilinear; cells outside the source have no data) with jacksboro.asc of
the same cells, and jacksboro_rain.asc, rain that grows with height: height over mean height, 0 where there is no data. The source does not name its datum; WGS 84 is assumed, which may shift it by metres, not its relief.
"""
import subprocess
import sys
from pathlib import Path

import matplotlib.cbook
import numpy as np


def gdal(*words):
    subprocess.run([str(w) for w in words], check=True, stdout=subprocess.DEVNULL)


def main(directory):
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    sample = matplotlib.cbook.get_sample_data("jacksboro_fault_dem.npz")
    heights = sample["elevation"]  # north row first
    rows, columns = heights.shape
    south = min(float(sample["ymin"]), float(sample["ymax"]))  # the sample has the two exchanged
    plain, degrees, metres = (directory / n for n in ("jacksboro_degrees.asc", "jacksboro_degrees.tif", "jacksboro.tif"))
    with open(plain, "w") as f:
        f.write(f"ncols {columns}\nnrows {rows}\nxllcorner {float(sample['xmin'])!r}\nyllcorner {south!r}\n"
                f"dx {float(sample['dx'])!r}\ndy {float(sample['dy'])!r}\n")
        np.savetxt(f, heights, fmt="%d")
    gdal("gdal_translate", "-q", "-ot", "Int16", "-a_srs", "EPSG:4326", plain, degrees)
    metres.unlink(missing_ok=True)
    gdal("gdalwarp", "-q", "-t_srs", "EPSG:32616", "-tr", 90, 90, "-tap", "-r", "bilinear", "-ot", "Float32", "-dstnodata", -9999, degrees, metres)
    gdal("gdal_translate", "-q", "-of", "AAIGrid", "-co", "DECIMAL_PRECISION=9", metres, directory / "jacksboro.asc")
    lines = (directory / "jacksboro.asc").read_text().splitlines()
    warped = np.array([row.split() for row in lines if row[0] in " -0123456789"], float)
    rain = np.where(warped > -9999, warped, 0) / warped[warped > -9999].mean()
    with open(directory / "jacksboro_rain.asc", "w") as f:
        f.writelines(row + "\n" for row in lines if row[0].isalpha() and "nodata" not in row.lower())
        np.savetxt(f, rain, fmt="%.6g")
    print(f"{columns} x {rows} cells, {heights.min()}..{heights.max()} m -> {metres}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(sys.argv[1])
