#!/usr/bin/env python3
"""Isosurfaces of densities with scalars on their vertices, and orbitals chosen by symmetry: the surfaces are closed,
have the bits of every number of ranks, and hold PySCF's values (where PySCF is installed); PLY files and tables show
the same. Usage: orbital_surfaces.py PATH/OF/tessera"""

import csv
import gzip
import io
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, answer, check, has_ranks, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)
try:
    import pyscf
    from pyscf.tools import molden
except ImportError:
    pyscf = None

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WATER = ROOT / "examples/water.molden"
HYDROXYL = ROOT / "tests/orbitals/references/oh_uhf_cart.molden.gz"
LABELS = ("A1", "A1", "B2", "A1", "B1", "A1", "B2")  # of water's orbitals in order of energy


def orbital(program, folder, name, *options, ranks=0):
    made = run(program, "orbital", *options, "-o", folder / name, "--quiet", "--device", "openmp", ranks=ranks)
    check(made.returncode == 0, f"{name}: {made.stderr}")
    return folder / name


def refused(program, folder, words, *options):
    made = run(program, "orbital", *options, "-o", folder / "refused.h5", "--quiet")
    check(made.returncode == 2 and words in made.stderr, f"{options}: {made.returncode}, {made.stderr}")
    check(not list(folder.glob("refused*")), f"{options}: leaves a file behind")


def check_closed(surface):
    triangles = surface["triangles"][...].astype(int)
    edges = {(int(a), int(b)) for t in triangles for a, b in zip(t, numpy.roll(t, -1))}
    check(len(edges) == 3 * len(triangles) and edges == {(b, a) for a, b in edges}, f"{surface.name} has a hole")


def expected(path, points):
    """PySCF's density and spin density with gradients, and the alpha and beta orbitals, at points (bohr)."""
    molecule, _, coefficients, occupations, _, _ = molden.load(str(path))
    kind = "GTOval_cart_deriv1" if molecule.cart else "GTOval_sph_deriv1"
    functions = molecule.eval_gto(kind, points)
    psi = [numpy.einsum("dpf,fo->dpo", functions, some) for some in coefficients]
    fields = {}
    for name, sign in (("density", 1), ("spin_density", -1)):
        parts = [(one, weight * factor) for one, weight, factor in zip(psi, occupations, (1, sign))]
        value = sum(numpy.einsum("po,o->p", one[0] ** 2, weight) for one, weight in parts)
        slope = sum(2 * numpy.einsum("po,dpo,o->pd", one[0], one[1:], weight) for one, weight in parts)
        fields[name] = (value, slope)
    return fields, psi


def check_values(path, result, level):
    with h5py.File(result) as file:
        for name in ("density", "spin_density"):
            surface = file["isosurfaces/1"][name]
            vertices = surface["vertices"][...].astype(float)
            fields, psi = expected(path, vertices)
            value, slope = fields[name]
            positive = surface.attrs["positive_vertices"]
            sign = numpy.where(numpy.arange(len(vertices)) < positive, 1, -1)
            steep = numpy.linalg.norm(slope, axis=1)
            normals = -sign[:, None] * slope / steep[:, None]
            check(abs(normals - surface["normals"][...]).max() < 1e-6, f"{name}: normals")
            check(numpy.median(abs(sign * value / level - 1)) < 0.02, f"{name}: vertices off the surface")
            wanted = {"density": fields["density"][0], "spin_density": fields["spin_density"][0],
                      "gradient_norm": steep, "HOMOa": psi[0][0][:, 2]}
            for field, numbers in wanted.items():
                found = surface["fields"][field][...]
                check(abs(found - numbers).max() <= 1e-11 * abs(numbers).max(), f"{name}: {field}")
    print("values and normals are PySCF's")


def check_open_shell(program, folder):
    path = folder / "oh.molden"
    path.write_bytes(gzip.decompress(HYDROXYL.read_bytes()))
    level = 0.01
    options = (path, "--density", "--spin-density", "--isosurface", level, "--spacing", "0.1", "--precision",
               "double", "--vertex-field", "density,spin-density,gradient-norm,HOMOa")
    result = orbital(program, folder, "oh.h5", *options)
    with h5py.File(result) as file:
        check(set(file["isosurfaces/1"]) == {"density", "spin_density"}, "not both densities have surfaces")
        check("values" not in file["density"], "a grid was written")
        units = {}
        for name, surface in file["isosurfaces/1"].items():
            check_closed(surface)
            check(surface.attrs["isovalue"] == level, f"{name}: the isovalue")
            units[name] = {field: data.attrs["units"] for field, data in surface["fields"].items()}
        check(units["density"] == {"density": "bohr^-3", "spin_density": "bohr^-3", "gradient_norm": "bohr^-4",
                                   "HOMOa": "bohr^-3/2"}, f"units: {units}")
        spin = file["isosurfaces/1/spin_density"]
        check(0 < spin.attrs["positive_vertices"] < len(spin["vertices"]), "the spin density has one lobe only")
    if has_ranks(program):
        for ranks in (2, 3):
            other = orbital(program, folder, f"oh{ranks}.h5", *options, ranks=ranks)
            check(answer(other, None) == answer(result, None), f"{ranks} ranks: other bits")
    if pyscf:
        check_values(path, result, level)
    else:
        print("values are not compared: no PySCF")


def check_beside_orbitals(program, folder):
    """Orbitals and densities have levels of their own; without one for the density all is as before."""
    box = (WATER, "--orbitals", "HOMO", "--spacing", "0.25", "--density", "--isosurface", "0.05")
    plain = orbital(program, folder, "plain.h5", *box, "--grids")
    both = orbital(program, folder, "both.h5", *box, "--density-isosurface", "0.002")
    with h5py.File(plain) as one, h5py.File(both) as two:
        check(set(one["isosurfaces/1"]) == {"HOMO"}, "a surface that was not asked for")
        check({name: surface.attrs["isovalue"] for name, surface in two["isosurfaces/1"].items()} ==
              {"HOMO": 0.05, "density": 0.002}, "the levels")
        for name in ("vertices", "normals", "triangles"):
            check(numpy.array_equal(one[f"isosurfaces/1/HOMO/{name}"], two[f"isosurfaces/1/HOMO/{name}"]), name)
    refused(program, folder, "--density-isosurface", *box)
    refused(program, folder, "no density is chosen", WATER, "--density-isosurface", "0.01")
    refused(program, folder, "mean density has no isosurface", WATER, "--mean-density", "--isosurface", "0.01")
    refused(program, folder, "no orbital is chosen", WATER, "--density", "--isosurface", "0.01",
            "--density-isosurface", "0.02")
    refused(program, folder, "add --isosurface VALUE or --grids", WATER, "--orbitals", "HOMO", "--density",
            "--density-isosurface", "0.02")


def check_fields(program, folder):
    box = (WATER, "--isosurface", "0.05", "--spacing", "0.4")
    refused(program, folder, "belong to a surface", WATER, "--vertex-field", "density")
    refused(program, folder, "'dens' is not a field (it is neither density", *box, "--vertex-field", "dens")
    refused(program, folder, "density is asked for twice", *box, "--vertex-field", "density,density")
    refused(program, folder, "HOMO is asked for twice", *box, "--vertex-field", "homo,HOMO")
    refused(program, folder, "not one orbital", *box, "--vertex-field", "1:3")
    refused(program, folder, "--vertex-field: there is no HOMO-9", *box, "--vertex-field", "HOMO-9")
    refused(program, folder, "--track", *box, "--track", "--vertex-field", "LUMO")
    empty = orbital(program, folder, "empty.h5", WATER, "--density", "--spin-density", "--isosurface", "1e5",
                    "--spacing", "0.4", "--vertex-field", "density")
    with h5py.File(empty) as file:
        for name, surface in file["isosurfaces/1"].items():
            shapes = [surface[data].shape for data in ("vertices", "normals", "triangles", "fields/density")]
            check(shapes == [(0, 3), (0, 3), (0, 3), (0,)], f"{name}: {shapes}")
    told = run(program, "info", empty).stdout
    for name in ("density", "spin_density"):
        check(f"{name}: its isosurface is empty" in told, f"an empty surface is not told:\n{told}")
    exported = run(program, "export", empty, "--mesh", folder / "empty")
    check(exported.returncode == 0, exported.stderr)


def check_mesh_files(program, folder):
    result = orbital(program, folder, "mesh.h5", WATER, "--density", "--isosurface", "0.02", "--spacing", "0.3",
                     "--vertex-field", "HOMO,gradient-norm")
    for kind in ("ply", "obj"):
        made = run(program, "export", result, "--mesh", folder / "mesh", "--mesh-format", kind)
        check(made.returncode == 0, made.stderr)
    head, body = (folder / "mesh/density.ply").read_bytes().split(b"end_header\n", 1)
    check(b"property float HOMO\nproperty float gradient_norm\n" in head, head.decode())
    rows = numpy.dtype([("place", "<f4", 3), ("normal", "<f4", 3), ("colour", "u1", 3), ("HOMO", "<f4"),
                        ("gradient_norm", "<f4")])
    with h5py.File(result) as file:
        surface = file["isosurfaces/1/density"]
        found = numpy.frombuffer(body, rows, len(surface["vertices"]))
        for name in ("HOMO", "gradient_norm"):
            check(numpy.array_equal(found[name], surface["fields"][name][...].astype("f4")), f"PLY: {name}")
    info = run(program, "info", result)
    check(info.returncode == 0 and "isosurfaces" in info.stdout, info.stdout)
    check("is empty" not in info.stdout, info.stdout)


def with_labels(labels):
    """Water with other symmetry labels, one after the other."""
    text = WATER.read_text()
    for label in labels:
        text = text.replace("Sym= A\n", f"Sym= {label}\n", 1)
    return text


def check_symmetry(program, folder):
    path = folder / "labels.molden"
    path.write_text(with_labels(LABELS))
    listed = run(program, "orbital", path, "--list").stdout
    for word in ("HOMO 1b1", "LUMO 4a1", "2b2"):
        check(word in listed, listed)
    box = ("--spacing", "0.5", "--norms-only")
    result = orbital(program, folder, "labels.h5", path, "--orbitals", "2 B2,1b1,3a1", *box)
    table = list(csv.DictReader(io.StringIO(run(program, "table", result).stdout)))
    check([(row["label"], row["number"], row["symmetry"]) for row in table] ==
          [("2b2", "7", "B2"), ("1b1", "5", "B1"), ("3a1", "4", "A1")], f"{table}")
    info = run(program, "info", result).stdout
    check("symmetry" in info and "B2" in info, info)
    refused(program, folder, "it has 1b1)", path, "--orbitals", "2b1", *box)
    refused(program, folder, "it has the irreps a1, b1, b2", path, "--orbitals", "1a2", *box)
    plain = orbital(program, folder, "unlabelled.h5", WATER, "--orbitals", "HOMO", *box)
    with h5py.File(plain) as file:
        check("symmetries" not in file["orbitals"], "one irrep tells nothing apart")
    path.write_text(with_labels(("1.1", "2.1", "1.3", "3.1", "1.2", "4.1", "2.3")))
    molpro = orbital(program, folder, "molpro.h5", path, "--orbitals", "2.3", *box)
    with h5py.File(molpro) as file:
        check(file["orbitals/numbers"][0].tolist() == [7], "Molpro's label")
    fields = orbital(program, folder, "field.h5", path, "--density", "--isosurface", "0.02", "--spacing", "0.4",
                     "--vertex-field", "2.3")
    with h5py.File(fields) as file:
        check(list(file["isosurfaces/1/density/fields"]) == ["2.3"], "a field by symmetry")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-surfaces-") as name:
        folder = pathlib.Path(name)
        check_open_shell(program, folder)
        check_beside_orbitals(program, folder)
        check_fields(program, folder)
        check_mesh_files(program, folder)
        check_symmetry(program, folder)
    print("passed")


main()
