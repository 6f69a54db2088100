#!/usr/bin/env python3
"""Surfaces of derived fields from stored grids (export --surface), with the values of other grids on their vertices, cut
by --surface-within: against an interpolation by numpy. Usage: field_surfaces.py PATH/OF/tessera"""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)

DIMER = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/water_dimer.molden.gz"
BOHR = 0.529177210903  # Angstrom
ROWS = numpy.dtype([("place", "<f4", 3), ("normal", "<f4", 3), ("colour", "u1", 3), ("density", "<f4"),
                    ("sign_lambda2_density", "<f4")])
TRIANGLE = numpy.dtype([("corners", "u1"), ("vertices", "<i4", 3)])


def mesh_of(path):
    """Vertices, in Angstrom, and triangles of a PLY file."""
    head, body = path.read_bytes().split(b"end_header\n", 1)
    lines = head.decode().splitlines()
    counts = [int(line.split()[2]) for line in lines if line.startswith("element")]
    fields = [line.split()[2] for line in lines if line.startswith("property float")][6:]
    check(fields == ["density", "sign_lambda2_density"], f"{path.name}: {fields}")
    vertices = numpy.frombuffer(body, ROWS, counts[0])
    return vertices, numpy.frombuffer(body, TRIANGLE, counts[1], counts[0] * ROWS.itemsize)["vertices"]


def interpolated(file, name, places):
    """Values of a grid between its points, by one axis after the other."""
    values = file[name][0].astype(float)  # z, y, x
    at = (places / BOHR - file["orbitals/origin"][...]) / file["orbitals/spacing"][...]
    first = numpy.floor(at).astype(int)
    share = at - first
    total = 0
    for corner in numpy.ndindex(2, 2, 2):
        x, y, z = (first + corner).T.clip(0, numpy.array(values.shape[::-1])[:, None] - 1)
        weight = numpy.where(corner, share, 1 - share).prod(axis=1)
        total += weight * values[z, y, x]
    return total


def refused(program, result, words, *options):
    made = run(program, "export", result, *options)
    check(made.returncode == 2 and words in made.stderr, f"{options}: {made.returncode}, {made.stderr}")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-field-surfaces-") as name:
        folder = pathlib.Path(name)
        result = folder / "fields.h5"
        made = run(program, "orbital", DIMER, "--density", "--field", "rdg,sign-lambda2-density", "--spacing", "0.2",
                   "--precision", "double", "-o", result, "--quiet", "--device", "openmp")
        check(made.returncode == 0, made.stderr)
        made = run(program, "export", result, "--surface", "rdg=0.5", "--mesh", folder / "whole")
        check(made.returncode == 0 and "surface of rdg at 0.5" in made.stdout, made.stdout + made.stderr)
        low, high = -0.04, 0.02
        made = run(program, "export", result, "--surface", "rdg=0.5", "--surface-within",
                   f"sign-lambda2-density={low}:{high}", "--mesh", folder / "part", "--glb", folder / "scene", "--render",
                   folder / "picture.png", "--render-color", "sign_lambda2_density", "--render-range", "0.03")
        check(made.returncode == 0, made.stderr)
        check((folder / "scene/rdg.glb").stat().st_size > 1000 and (folder / "picture.png").stat().st_size > 1000,
              "no scene or picture")

        whole, triangles = mesh_of(folder / "whole/rdg.ply")
        part, kept = mesh_of(folder / "part/rdg.ply")
        with h5py.File(result) as file:
            found = {label: interpolated(file, path, whole["place"].astype(float))
                     for label, path in (("rdg", "fields/rdg/values"), ("density", "density/values"),
                                         ("sign_lambda2_density", "fields/sign_lambda2_density/values"))}
        check(len(triangles) > 500, f"{len(triangles)} triangles")
        check(abs(found["rdg"] - 0.5).max() < 1e-3, f"off the surface by {abs(found['rdg'] - 0.5).max()}")
        for label in ("density", "sign_lambda2_density"):
            error = abs(found[label] - whole[label]).max() / abs(found[label]).max()
            check(error < 1e-5, f"{label}: off by {error}")
        signs = whole["sign_lambda2_density"]
        inside = ((signs >= low) & (signs <= high))[triangles].all(axis=1)
        check(0 < inside.sum() < len(inside), "the range cuts nothing")
        check(len(kept) == inside.sum(), f"{len(kept)} triangles instead of {inside.sum()}")
        check(numpy.array_equal(part["place"][kept], whole["place"][triangles[inside]]), "another part is kept")
        # The hydrogen bond attracts: a patch of negative sign lies between the molecules.
        check((part["sign_lambda2_density"] < -0.01).any(), "no attraction in the dimer")

        mesh = ("--mesh", folder / "refused")
        refused(program, result, "the result has no grid 'elf'", "--surface", "elf=0.8", *mesh)
        refused(program, result, "it has: density, rdg, sign_lambda2_density", "--surface", "elf=0.8", *mesh)
        refused(program, result, "'rdg' is no surface", "--surface", "rdg", *mesh)
        refused(program, result, "'rdg=-1' is no surface", "--surface", "rdg=-1", *mesh)
        refused(program, result, "named twice", "--surface", "rdg=0.5", "--surface", "rdg=0.3", *mesh)
        refused(program, result, "is no range", "--surface", "rdg=0.5", "--surface-within", "density=2:1", *mesh)
        refused(program, result, "has no grid 'HOMO'", "--surface", "rdg=0.5", "--surface-within", "HOMO=0:1", *mesh)
        refused(program, result, "no surface to cut", "--surface-within", "density=0:1", *mesh)
        refused(program, result, "no surface to write", "--surface", "rdg=0.5", "--cube", folder / "refused")
        refused(program, result, "exclude each other", "--surface", "rdg=0.5", "--isovalue", "0.1", *mesh)
        refused(program, result, "its values reach", "--surface", "density=1e5", *mesh)
        check(not list(folder.glob("refused/*")), "files are left behind")
    print("passed")


main()
