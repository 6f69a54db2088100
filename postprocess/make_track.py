#!/usr/bin/env python3
"""Makes the track of a stream for a parameter file from a table of places along it.

    postprocess/make_track.py TABLE -o track.csv [--knots N] [--from PLACE] [--to PLACE]

TABLE is a track of the package galstreams (an ECSV table with ra, dec and distance), or any CSV or ECSV table with
columns ra and dec, or l and b, and distance (or r), in degrees and kpc, in the order along the stream. Places are
counted in kpc along the table. N knots are put at equal distances, and the spline through them is compared with the
table. The stream then has these lines in the parameter file:

    [[stream]]
    epsilon = -3
    sigma = 0.1
    track = { file = "track.csv" }

Needs numpy."""

import argparse
import csv
import pathlib
import sys

try:
    import numpy
except ImportError:
    sys.exit("error: the Python module numpy is missing (looked for it with " + sys.executable +
             "): apt-get install python3-numpy, or pip install numpy")

from tracks import Spline

# Equatorial to galactic, J2000.
TO_GALACTIC = numpy.array([[-0.054875539726, -0.873437108010, -0.483834985808],
                           [0.494109453312, -0.444829589425, 0.746982251810],
                           [-0.867666135858, -0.198076386122, 0.455983795705]])
NAMES = {"ra": ("ra",), "dec": ("dec",), "l": ("l", "glon"), "b": ("b", "glat"), "distance": ("distance", "r")}


def fail(problem, why, what_to_do):
    sys.exit(f"error: {problem} ({why}): {what_to_do}")


def read_columns(path):
    """The numbers of each column by its name, in lower case without what stands before a point."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        fail(f"cannot read {path}", str(problem), "give a table in CSV or ECSV")
    delimiter = "," if any("delimiter: ','" in line for line in lines if line.startswith("#")) else None
    rows = [line for line in lines if line.strip() and not line.startswith("#")]
    if len(rows) < 3:
        fail(f"cannot read {path}", "it has fewer than two places", "give a table in CSV or ECSV")
    delimiter = delimiter or ("," if "," in rows[0] else " ")
    table = list(csv.reader(rows, delimiter=delimiter, skipinitialspace=True))
    names = [name.lower().rsplit(".", 1)[-1] for name in table[0]]
    columns = {}
    for k, name in enumerate(names):
        try:
            columns[name] = numpy.array([float(row[k]) for row in table[1:]])
        except (ValueError, IndexError):
            continue  # other columns may hold anything
    return columns


def column(columns, key, path):
    for name in NAMES[key]:
        if name in columns:
            if not numpy.isfinite(columns[name]).all():
                fail(f"cannot use {path}", f"the column {name} has values that are not numbers",
                     "leave these rows out")
            return columns[name]
    return None


def places(path):
    """From the Sun, in galactic Cartesian kpc."""
    columns = read_columns(path)
    pair = "ra", "dec"
    distance = column(columns, "distance", path)
    first, second = (column(columns, key, path) for key in pair)
    equatorial = first is not None and second is not None
    if not equatorial:
        first, second = column(columns, "l", path), column(columns, "b", path)
    if first is None or second is None or distance is None:
        fail(f"cannot use {path}", f"its columns are {', '.join(columns)}",
             "give ra and dec, or l and b (degrees), and distance (kpc)")
    if not (distance > 0).all():
        fail(f"cannot use {path}", "a distance is not positive", "give distances from the Sun in kpc")
    a, d = numpy.radians(first), numpy.radians(second)
    unit = numpy.array([numpy.cos(d) * numpy.cos(a), numpy.cos(d) * numpy.sin(a), numpy.sin(d)])
    found = ((TO_GALACTIC @ unit if equatorial else unit) * distance).T
    new = numpy.append(True, numpy.linalg.norm(numpy.diff(found, axis=0), axis=1) > 1e-9)
    return found[new]


def place_at(table, along, wanted):
    return numpy.array([numpy.interp(wanted, along, table[:, k]) for k in range(3)]).T


def farthest_off(table, along, spline):
    """How far a place of the table is from the spline at most, kpc."""
    fine = spline(numpy.linspace(0, spline.at[-1], 4001))
    some = table[:: max(1, len(table) // 500)]
    return max(numpy.linalg.norm(fine - place, axis=1).min() for place in some)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", metavar="TABLE")
    parser.add_argument("-o", "--output", required=True, help="the table of knots to write, such as track.csv")
    parser.add_argument("--knots", type=int, default=12, help="number of knots, 2 to 100 (default: 12)")
    parser.add_argument("--from", dest="first", type=float, default=0, help="where the first knot is, kpc (default: 0)")
    parser.add_argument("--to", dest="last", type=float, help="where the last knot is, kpc (default: the end)")
    options = parser.parse_args()
    table = places(options.table)
    output = pathlib.Path(options.output)
    if output.exists() and output.samefile(options.table):
        fail(f"cannot write {output}", "it is the table itself", "choose another name")
    if len(table) < 2:
        fail(f"cannot use {options.table}", "it has fewer than two places", "give a track")
    along = numpy.append(0, numpy.linalg.norm(numpy.diff(table, axis=0), axis=1).cumsum())
    last = along[-1] if options.last is None else options.last
    if not 2 <= options.knots <= 100:
        fail(f"--knots is {options.knots}", "a track has 2 to 100", "choose another number")
    if not 0 <= options.first < last <= along[-1] * (1 + 1e-12):
        fail("--from and --to are no part of the track", f"it is {along[-1]:.6g} kpc long", "choose places within it")
    knots = place_at(table, along, numpy.linspace(options.first, last, options.knots))
    inside = (along >= options.first) & (along <= last)
    r = numpy.linalg.norm(knots, axis=1)
    l = numpy.degrees(numpy.arctan2(knots[:, 1], knots[:, 0])) % 360
    b = numpy.degrees(numpy.arcsin(knots[:, 2] / r))
    text = "l,b,r\n" + "".join(f"{float(x)!r},{float(y)!r},{float(z)!r}\n" for x, y, z in zip(l, b, r))
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as problem:
        fail(f"cannot write {options.output}", str(problem), "choose another name or folder")
    off = farthest_off(table[inside], along[inside], Spline(knots)) if inside.any() else 0.0
    print(f"written: {options.output}\n{options.knots} knots along {last - options.first:.4g} kpc; "
          f"the spline is {off:.2g} kpc off the table at most")


if __name__ == "__main__":
    main()
