#!/usr/bin/env python3
"""Writes the grids of tessera orbital as OpenVDB volumes, which Blender, Houdini and renderers read.

    postprocess/make_vdb.py run.h5 [-o run.vdb] [--grid HOMO] [--frame 1] [--unit angstrom|bohr]

A file holds one volume (FloatGrid) for each orbital, density, derived field and combination of the result, or for those
that --grid names. Values are in the units of the result, and their metadata tell them. Double precision is rounded to
single. Places are in Angstrom, as in the scenes of tessera export --glb, so that volumes and surfaces lie over each
other. Several frames become run_0001.vdb, run_0002.vdb and so on, and the mean density run.vdb.

Needs numpy, h5py and pyopenvdb. Debian has them as python3-numpy, python3-h5py and python3-openvdb, for /usr/bin/python3."""

import argparse
import difflib
import importlib
import os
import pathlib
import sys

from results import fail, open_result, printable, text_of

import h5py
import numpy

UNITS = {"angstrom": 0.529177210903, "bohr": 1.0}  # of a bohr
DENSITIES = ("density", "spin_density", "mean_density")


class Volume:
    """A grid of the result: where its values are, and what to say about them."""

    def __init__(self, values, place=None, told=None):
        self.values = values  # the dataset
        self.place = place    # place(frame) of [z, y, x] in the dataset; None: of all frames together
        self.told = told      # told(frame): further metadata


def of_frame(frame):
    return (frame,)


def volumes_of(run):
    """All grids that the result holds, by their names. Labels of orbitals may be repeated; the values are the same."""
    orbitals = run["orbitals"]
    volumes = {}

    def add_orbital(label, item):
        def told(frame):
            return {"energy_hartree": float(orbitals["energies"][frame, item]),
                    "occupation": float(orbitals["occupations"][frame, item]),
                    "spin": text_of(orbitals["spins"].asstr()[item])}
        volumes.setdefault(label, Volume(orbitals["values"], lambda frame: (frame, item), told))

    if "values" in orbitals:
        for item, label in enumerate(orbitals["labels"].asstr()):
            add_orbital(label, item)
    places = {name: run.get(name) for name in DENSITIES}
    for group in ("fields", "combinations"):
        places.update({name: one for name, one in run.get(group, {}).items() if isinstance(one, h5py.Group)})
    for name, group in places.items():
        if group is not None and "values" in group:
            volumes.setdefault(name, Volume(group["values"], None if name == "mean_density" else of_frame))
    return volumes


def transform_of(run, frame, unit):
    """The matrix that takes the index (i, j, k, 1) of a point, as a row from the left, to its place."""
    spacing = run["orbitals/spacing"][:] * UNITS[unit]
    origin = run["orbitals/origin"][frame] * UNITS[unit]
    matrix = numpy.diag([*spacing, 1.0])
    matrix[3, :3] = origin
    return matrix.tolist()


def read_values(volume, frame):
    """Values [x][y][z] in single precision."""
    where = volume.place(frame) if volume.place else ()
    try:
        values = volume.values[where]
    except OSError as problem:  # as for --zfp without its filter
        fail(f"cannot read {volume.values.name}", str(problem).splitlines()[0],
             "check the file with tessera info; a result of --zfp needs pip install hdf5plugin")
    return numpy.ascontiguousarray(values.transpose(2, 1, 0), dtype=numpy.float32)


def load_openvdb():
    for name in ("pyopenvdb", "openvdb"):  # its names before and since version 12
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    fail("the Python module pyopenvdb is missing", f"looked for it with {sys.executable}",
         "apt-get install python3-openvdb, and run this script with /usr/bin/python3")


def make_grid(vdb, run, name, volume, frame, options):
    grid = vdb.FloatGrid()
    grid.copyFromArray(read_values(volume, frame))
    grid.name = name
    grid.transform = vdb.createLinearTransform(transform_of(run, frame, options.unit))
    grid["units"] = text_of(volume.values.attrs.get("units", ""))
    grid["length_units"] = options.unit
    if volume.place:
        grid["frame"] = int(run["orbitals/frames"][frame])
    for key, value in (volume.told(frame) if volume.told else {}).items():
        grid[key] = value
    return grid


def write(vdb, path, run, volumes, frame, options):
    """The file appears under its name when it is whole."""
    grids = [make_grid(vdb, run, name, volume, frame, options) for name, volume in volumes.items()]
    unfinished = path.with_name(f".{path.name}.partial")
    try:
        vdb.write(str(unfinished), grids=grids,
                  metadata={"creator": f"tessera {text_of(run.attrs.get('version', ''))}".strip()})
        os.replace(unfinished, path)
    except Exception as problem:  # whatever OpenVDB throws
        unfinished.unlink(missing_ok=True)
        fail(f"cannot write {path}", str(problem), "choose another name or folder, or free some space")
    print(printable(f"written: {path} ({', '.join(volumes)})"))


def chosen_volumes(volumes, names, path):
    if not volumes:
        fail(f"{path} holds no grid", "its run wrote none", "run tessera orbital with --grids")
    for name in names:
        if name not in volumes:
            near = difflib.get_close_matches(name, volumes, 1)
            fail(f"there is no grid '{name}'", f"the result has {', '.join(list(volumes)[:12])}",
                 f"did you mean {near[0]}?" if near else "choose one of them")
    return {name: volumes[name] for name in names or volumes}


def chosen_frames(run, number):
    frames = list(run["orbitals/frames"][:])
    if number is None:
        return list(range(len(frames)))
    if number not in frames:
        fail(f"there is no frame {number}", f"the result has frames {frames[0]} to {frames[-1]}", "choose one of them")
    return [frames.index(number)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output of tessera orbital")
    parser.add_argument("-o", "--output", help="file to write; default: RUN.vdb")
    parser.add_argument("--grid", action="append", default=[], metavar="NAME",
                        help="label of an orbital, a density, a derived field or a combination; may be given several times;"
                             " default: all")
    parser.add_argument("--frame", type=int, help="number of the frame; default: all")
    parser.add_argument("--unit", choices=list(UNITS), default="angstrom", help="of places (default: angstrom)")
    options = parser.parse_args()
    output = pathlib.Path(options.output or pathlib.Path(options.run).with_suffix(".vdb"))
    if output.suffix != ".vdb":
        fail(f"cannot write {output}", "the name of an OpenVDB file ends in .vdb", "choose another name")
    with open_result(options.run, "orbitals", "orbitals", "tessera orbital") as run:
        volumes = chosen_volumes(volumes_of(run), options.grid, options.run)
        frames = chosen_frames(run, options.frame)
        vdb = load_openvdb()
        if len(frames) == 1:
            write(vdb, output, run, volumes, frames[0], options)
            return
        of_all = {name: volume for name, volume in volumes.items() if not volume.place}
        of_each = {name: volume for name, volume in volumes.items() if volume.place}
        for frame in frames if of_each else ():
            number = int(run["orbitals/frames"][frame])
            write(vdb, output.with_name(f"{output.stem}_{number:04d}.vdb"), run, of_each, frame, options)
        if of_all:
            write(vdb, output, run, of_all, frames[0], options)


if __name__ == "__main__":
    main()
