#!/usr/bin/env python3
"""Periodic systems (files with a cell): PySCF's values of orbitals, densities and their derivatives, the tolerance,
norms and electrons over a grid of one cell, CP2K's density within the digits of its cube, surfaces and points in periodic images, combinations, the same bits on
several ranks, --isolated, and refusals. Usage: periodic.py PATH/OF/tessera"""

import gzip
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, has_ranks, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REFERENCES = ROOT / "tests/orbitals/references/periodic"
NAMES = ("orthorhombic", "triclinic")
DEVICE = os.environ.get("TESSERA_TEST_DEVICE", "openmp")


def orbital(program, folder, name, *options, ranks=0):
    made = run(program, "orbital", *options, "-o", folder / name, "--quiet", "--device", DEVICE, ranks=ranks)
    check(made.returncode == 0, f"{name}: {made.stderr}")
    return h5py.File(folder / name)


def refused(program, folder, words, *options):
    made = run(program, "orbital", *options, "-o", folder / "refused.h5", "--quiet")
    lines = [line for line in made.stderr.splitlines() if line.startswith("tessera: ")]
    check(made.returncode == 2 and len(lines) == 1 and words in lines[0],
          f"{options}: {made.returncode}, {made.stderr}")
    check(not list(folder.glob("refused*")), f"{options}: leaves a file behind")


def bohr(numbers):
    return ",".join(repr(float(x)) for x in numbers) + "bohr"


def check_values(program, folder, name):
    with numpy.load(REFERENCES / f"{name}.npz") as file:
        reference = dict(file)
    shape = reference["density"].shape
    box = (f"--origin={bohr(reference['grid_origin_bohr'])}", "--spacing", bohr(reference["grid_step_bohr"]),
           "--grid", ",".join(map(str, shape)))
    words = (REFERENCES / f"{name}.molden.gz", "--orbitals", "all", "--density", "--field", "gradient,laplacian",
             "--combine", "sum = 0.6*orbital(1) - 0.8*orbital(3)", *box)
    of_orbitals = numpy.moveaxis(reference["psi_grid"], -1, 0)
    for tolerance in ("0", "1e-4"):
        made = orbital(program, folder, f"{name}_{tolerance}.h5", *words, "--tolerance", tolerance,
                       "--precision", "double")
        found = {"orbitals": numpy.moveaxis(made["orbitals/values"][0], (1, 2, 3), (3, 2, 1))}
        for key, path in (("density", "density/values"), ("gradient_x", "fields/gradient_x/values"),
                          ("laplacian", "fields/laplacian/values"), ("sum", "combinations/sum/values")):
            found[key] = made[path][0].transpose(2, 1, 0)
        wanted = {"orbitals": of_orbitals, "sum": 0.6 * of_orbitals[0] - 0.8 * of_orbitals[2],
                  **{key: reference[key] for key in ("density", "gradient_x", "laplacian")}}
        for key, values in wanted.items():
            worst = numpy.abs(found[key] - values).max()
            limit = 1e-9 * numpy.abs(values).max() if tolerance == "0" else 0
            if tolerance != "0":
                limit = float(tolerance) * (1.4 if key == "sum" else 1) if key in ("orbitals", "sum") else 2e-3
            check(worst <= limit, f"{name}, tolerance {tolerance}: {key} differs from PySCF's by {worst}")


def check_cell(program, folder, name):
    made = orbital(program, folder, f"{name}_cell.h5", REFERENCES / f"{name}.molden.gz", "--orbitals", "all",
                   "--density", "--grid", "cell", "--spacing", "0.25bohr", "--overlap-matrix", "--isosurface", "0.05",
                   "--grids")
    norms = made["orbitals/norm"][0]
    check(numpy.abs(norms - 1).max() < 1e-4, f"{name}: norms over the cell are {norms}")
    unit = made["orbitals/overlap_matrix"][0]
    check(numpy.abs(unit - numpy.eye(len(norms))).max() < 1e-4, f"{name}: overlaps over the cell are {unit}")
    check(abs(made["density/integral"][0] - 4) < 1e-4, f"{name}: {made['density/integral'][0]} electrons, not 4")
    volume = abs(numpy.linalg.det(made["frames/1/cell"][:]))
    points = numpy.prod(made["orbitals/shape"][:])
    check(abs(points * numpy.prod(made["orbitals/spacing"][:]) - volume) < 1e-9, f"{name}: the grid is no cell")
    check(made["orbitals/spacing"][:].max() <= 0.25, f"{name}: coarser than asked for")


def check_ranks(program, folder):
    words = (REFERENCES / "triclinic.molden.gz", "--orbitals", "all", "--grid", "cell", "--spacing", "0.2")
    one = orbital(program, folder, "one.h5", *words)["orbitals/values"][:]
    two = orbital(program, folder, "two.h5", *words, ranks=2)["orbitals/values"][:]
    check((one == two).all(), "two ranks give other bits")


def check_isolated(program, folder):
    """A molecule in a large cell: its neighbours do not count, and --isolated gives it a potential."""
    water = (ROOT / "examples/water.molden").read_text()
    at = water.index("[GTO]")
    (folder / "large.molden").write_text(water[:at] + "[Cell] Angs\n25 0 0\n0 25 0\n0 0 25\n" + water[at:])
    (folder / "unit.molden").write_text(water[:at] + "[Cell]\n25 0 0\n0 25 0\n0 0 25\n" + water[at:])
    (folder / "small.molden").write_text(water[:at] + "[Cell] Angs\n2.5 0 0\n0 2.5 0\n0 0 2.5\n" + water[at:])
    words = ("--density", "--spacing", "0.3", "--precision", "double", "--tolerance", "0")
    alone = orbital(program, folder, "alone.h5", ROOT / "examples/water.molden", *words, "--esp")
    isolated = orbital(program, folder, "isolated.h5", folder / "large.molden", *words, "--esp", "--isolated")
    periodic = orbital(program, folder, "periodic.h5", folder / "large.molden", *words)
    for path in ("density/values", "fields/esp/values"):
        check((alone[path][:] == isolated[path][:]).all(), f"--isolated changes {path}")
    check(numpy.abs(alone["density/values"][:] - periodic["density/values"][:]).max() < 1e-12, "neighbours count")
    refused(program, folder, "--isolated", folder / "large.molden", "--esp")
    refused(program, folder, "has no cell", ROOT / "examples/water.molden", "--grid", "cell")
    refused(program, folder, "has no cell", folder / "large.molden", "--grid", "cell", "--isolated")
    refused(program, folder, "exclude each other", folder / "large.molden", "--grid", "cell", "--padding", "2")
    refused(program, folder, "gives no unit", folder / "unit.molden")
    refused(program, folder, "check the cell and its unit", folder / "small.molden")
    refused(program, folder, "another cell", folder / "large.molden", "--with", f"b={ROOT}/examples/water_anion.molden",
            "--combine", "density(b) - density")


def check_cp2k(program, folder):
    """Each value of CP2K's cube is the density of its Molden file, rounded to five digits."""
    programs = REFERENCES.parent / "programs"
    molden = gzip.decompress((programs / "cp2k_cell.molden.gz").read_bytes()).decode()
    cell = "[Cell] (AU)\n7.56 0 0\n0 7.92 0\n0 0 8.28\n"
    (folder / "cp2k.molden").write_text(molden.replace("[GTO]", cell + "[GTO]", 1))
    lines = gzip.decompress((programs / "cp2k_cell.cube.gz").read_bytes()).decode().splitlines()
    spacing = [float(lines[3 + axis].split()[1 + axis]) for axis in range(3)]
    wanted = numpy.array(" ".join(lines[9:]).split(), dtype=float).reshape(9, 9, 9)
    made = orbital(program, folder, "cp2k.h5", folder / "cp2k.molden", "--density", "--precision", "double", "--tolerance",
                   "0", "--origin", "0,0,0", "--grid", "9,9,9", "--spacing", bohr(spacing))
    error = abs(made["density/values"][0].transpose(2, 1, 0) - wanted)
    half_a_digit = 0.5 * 10.0 ** (numpy.floor(numpy.log10(wanted)) - 4)  # 0.12345E+01
    check((error <= 1.001 * half_a_digit + 1e-9).all(), f"CP2K's density: {(error / half_a_digit).max()} half digits")
    check(wanted.max() > 0.5 and wanted.min() < 1e-3, "the cube has large and small values")


def check_files(program, folder):
    """The formats agree, and a listing says what is read."""
    values = [orbital(program, folder, f"format{i}.h5", REFERENCES / name, "--grid", "cell", "--spacing", "0.3",
                      "--orbitals", "2", "--precision", "double")["orbitals/values"][:]
              for i, name in enumerate(("triclinic.molden.gz", "triclinic.trexio"))]
    check(numpy.abs(values[0] - values[1]).max() < 1e-11, "Molden and TREXIO differ")
    made = run(program, "orbital", REFERENCES / "triclinic.molden.gz", "--norms-only", "-o", folder / "told.h5")
    check("(section [cell]): its orbitals are taken as those of the Gamma point" in made.stderr, made.stderr)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for system in NAMES:
            check_values(program, folder, system)
            check_cell(program, folder, system)
        check_cp2k(program, folder)
        check_isolated(program, folder)
        check_files(program, folder)
        if has_ranks(program):
            check_ranks(program, folder)
    print("periodic systems agree with PySCF, with norms of 1 over a cell")


main()
