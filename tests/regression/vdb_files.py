#!/usr/bin/env python3
"""Grids as OpenVDB volumes (postprocess/make_vdb.py): wrong calls are refused in one line, points have their places, and
OpenVDB reads the values of the result where a Python has pyopenvdb. Usage: vdb_files.py PATH/OF/tessera"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("h5py", "numpy")

import h5py  # noqa: E402
import numpy  # noqa: E402
from tessera_runs import check, run  # noqa: E402

SCRIPT = "postprocess/make_vdb.py"
WATER = script_tests.ROOT / "examples/water.molden"
BOHR = 0.529177210903  # Angstrom
PLACE = ("--origin", "-4,-3.5,-3bohr", "--grid", "21,17,13", "--spacing", "0.4,0.45,0.5bohr")
# Reads a file by OpenVDB: all values, the place of a point, and what is told about the grids.
READER = """
import sys, numpy
try:
    import pyopenvdb as vdb
except ImportError:
    import openvdb as vdb
found = {}
grids, of_file = vdb.readAll(sys.argv[1])
for grid in grids:
    values = numpy.full([int(n) for n in sys.argv[3:6]], 7, numpy.float32)
    grid.copyToArray(values)
    found[grid.name + " values"] = values
    found[grid.name + " place"] = grid.transform.indexToWorld((3, 5, 7))
    low, high = grid.evalActiveVoxelBoundingBox()
    found[grid.name + " box"] = low + high
    for key in ("units", "length_units", "frame", "spin", "occupation", "energy_hartree"):
        if key in grid.metadata:
            found[f"{grid.name} {key}"] = grid[key]
numpy.savez(sys.argv[2], creator=of_file["creator"], **found)
"""


def python_with_openvdb():
    for python in (sys.executable, "/usr/bin/python3"):
        for name in ("pyopenvdb", "openvdb"):
            try:
                if subprocess.run([python, "-c", f"import h5py, {name}"], capture_output=True).returncode == 0:
                    return python
            except OSError:
                continue
    return None


def make_results(program, folder):
    """Two frames of water, the second moved along z, on a grid that has another number of points along each axis."""
    text = WATER.read_text()
    before, atoms, after = text.partition("[Atoms] (AU)\n")
    check(atoms, "the example has no [Atoms] in bohr")
    lines = after.splitlines(keepends=True)
    for i in range(3):
        *front, x, y, z = lines[i].split()
        lines[i] = " ".join([*front, x, y, str(0.7 + float(z))]) + "\n"
    (folder / "frames.molden").write_text(text + before + atoms + "".join(lines))
    options = ("--orbitals", "HOMO,LUMO,HOMO", "--density", "--mean-density", "--field", "elf", "--combine", "half = density/2",
               "--device", "openmp", "--quiet")
    made = run(program, "orbital", folder / "frames.molden", *options, *PLACE, "-o", folder / "frames.h5")
    check(made.returncode == 0, made.stderr)
    made = run(program, "orbital", WATER, "--density", "--precision", "double", *PLACE, "--device", "openmp", "--quiet", "-o",
               folder / "water.h5")
    check(made.returncode == 0, made.stderr)
    made = run(program, "orbital", WATER, "--isosurface", "0.1", *PLACE, "--device", "openmp", "--quiet", "-o",
               folder / "surface.h5")
    check(made.returncode == 0, made.stderr)


def check_refusals(folder):
    """Also without OpenVDB: its modules are hidden by two that cannot be imported."""
    hidden = folder / "hidden"
    hidden.mkdir()
    for name in ("pyopenvdb", "openvdb"):
        (hidden / f"{name}.py").write_text("raise ImportError('hidden')\n")
    for words, wanted in (
            (("frames.h5", "--grid", "HOM0"), "no grid 'HOM0' (the result has HOMO, LUMO, density, "),
            (("frames.h5", "--grid", "HOM0"), "): did you mean HOMO?"),
            (("frames.h5", "--frame", "3"), "no frame 3 (the result has frames 1 to 2)"),
            (("frames.h5", "-o", "frames.vtk"), "cannot write frames.vtk (the name of an OpenVDB file ends in .vdb)"),
            (("surface.h5",), "surface.h5 holds no grid"),
            (("nothing.h5",), "cannot open nothing.h5 (no such file)"),
            (("frames.molden",), "cannot open frames.molden as HDF5"),
            (("frames.h5",), "the Python module pyopenvdb is missing (looked for it with")):
        refused = script_tests.run_script(SCRIPT, *words, cwd=folder, env=dict(os.environ, PYTHONPATH=str(hidden)))
        check(refused.returncode != 0 and refused.stdout == "" and refused.stderr.count("\n") == 1
              and refused.stderr.startswith("error: ") and wanted in refused.stderr, f"{words}: {refused.stderr}")
    check(not list(folder.glob("*.vdb*")) and not list(folder.glob(".*")), "something was written")


def check_transform(folder):
    """Places are those of the command line; values lie along x, y, z."""
    make_vdb = script_tests.load(SCRIPT)
    with h5py.File(folder / "frames.h5") as file:
        check(list(make_vdb.volumes_of(file)) == ["HOMO", "LUMO", "density", "mean_density", "elf", "half"],
              f"volumes {list(make_vdb.volumes_of(file))}")
        for unit, length in (("bohr", 1), ("angstrom", BOHR)):
            place = numpy.array([3, 5, 7, 1]) @ make_vdb.transform_of(file, 1, unit)
            wanted = [length * (-4 + 3 * 0.4), length * (-3.5 + 5 * 0.45), length * (-3 + 7 * 0.5), 1]
            check(numpy.allclose(place, wanted, rtol=1e-13, atol=0), f"{unit}: {place} instead of {wanted}")
        values = make_vdb.read_values(make_vdb.volumes_of(file)["LUMO"], 1)
        check(values.shape == (21, 17, 13) and values[3, 5, 7] == file["orbitals/values"][1, 1, 7, 5, 3], "values are misplaced")


def read_back(python, path, folder):
    found = subprocess.run([python, "-c", READER, path, folder / "found.npz", "21", "17", "13"], capture_output=True, text=True)
    check(found.returncode == 0, found.stderr)
    with numpy.load(folder / "found.npz") as arrays:
        return dict(arrays)


def check_volume(found, name, stored, length):
    where = f"{name}: "
    wanted = stored[...].astype(numpy.float32).transpose(2, 1, 0)
    check(numpy.array_equal(found[f"{name} values"], wanted), where + "other values")
    check((found[f"{name} box"] == (0, 0, 0, 20, 16, 12)).all(), where + f"box {found[f'{name} box']}")
    place = length * numpy.array([-4 + 3 * 0.4, -3.5 + 5 * 0.45, -3 + 7 * 0.5])
    check(numpy.allclose(found[f"{name} place"], place, rtol=1e-12, atol=0), where + f"place {found[f'{name} place']}")
    check(found[f"{name} length_units"] == ("bohr" if length == 1 else "angstrom"), where + "unit of lengths")


def check_volumes(python, folder):
    def make(*words):
        made = subprocess.run([python, script_tests.ROOT / SCRIPT, *words], cwd=folder, capture_output=True, text=True)
        check(made.returncode == 0, made.stderr)

    make("frames.h5")
    check(sorted(path.name for path in folder.glob("*.vdb")) == ["frames.vdb", "frames_0001.vdb", "frames_0002.vdb"],
          f"files {list(folder.glob('*.vdb'))}")
    with h5py.File(folder / "frames.h5") as file:
        for frame in (0, 1):
            found = read_back(python, folder / f"frames_000{frame + 1}.vdb", folder)
            for name, values in (("HOMO", file["orbitals/values"][frame, 0]), ("LUMO", file["orbitals/values"][frame, 1]),
                                 ("density", file["density/values"][frame]), ("elf", file["fields/elf/values"][frame]),
                                 ("half", file["combinations/half/values"][frame])):
                check_volume(found, name, values, BOHR)
                check(found[f"{name} frame"] == frame + 1, f"{name}: frame {found[f'{name} frame']}")
            check(found["HOMO units"] == "bohr^-3/2" and found["density units"] == "bohr^-3", "units")
            check(found["HOMO spin"] == "alpha" and found["HOMO occupation"] == 2 and found["LUMO occupation"] == 0
                  and found["HOMO energy_hartree"] == file["orbitals/energies"][frame, 0], "what is told about orbitals")
            check(str(found["creator"]) == "tessera " + file.attrs["version"], f"creator {found['creator']}")
        found = read_back(python, folder / "frames.vdb", folder)
        check_volume(found, "mean_density", file["mean_density/values"], BOHR)
        check("density values" not in found and "mean_density frame" not in found, "the mean is of a frame")
    make("water.h5", "--unit", "bohr", "--grid", "density", "-o", "one.vdb")
    with h5py.File(folder / "water.h5") as file:
        check(file["density/values"].dtype == numpy.float64, "the result is not in double precision")
        check_volume(read_back(python, folder / "one.vdb", folder), "density", file["density/values"][0], 1)


def main():
    with tempfile.TemporaryDirectory(prefix="tessera-vdb-") as name:
        folder = pathlib.Path(name)
        make_results(os.path.abspath(sys.argv[1]), folder)
        check_refusals(folder)
        check_transform(folder)
        python = python_with_openvdb()
        if python:
            check_volumes(python, folder)
    print("wrong calls are refused, places are right,",
          "and OpenVDB reads the values" if python else "and no Python has pyopenvdb: what it reads was skipped")


main()
