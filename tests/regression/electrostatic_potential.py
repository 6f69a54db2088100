#!/usr/bin/env python3
"""The electrostatic potential (tessera orbital --esp, --points, --esp-surface): PySCF's values at stored points, and of
difficult basis sets where PySCF is installed; grids, points and vertices against each other; the tolerance; the bits of
any number of ranks, of a compressed and a resumed run; tables and refusals.
Usage: electrostatic_potential.py PATH/OF/tessera"""

import csv
import os
import pathlib
import sys
import tempfile
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, answer as contents, check, has_ranks, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)
try:
    import pyscf
    import scipy.linalg
    from pyscf.tools import molden
except ImportError:
    pyscf = None

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WATER = ROOT / "examples/water.molden"
REFERENCES = ROOT / "tests/orbitals/references"
DEVICE = os.environ.get("TESSERA_TEST_DEVICE", "openmp")
BOHR = 0.529177210903
BOX = ("--origin=-1.9,-2.1,-1.6", "--spacing", "0.7", "--grid", "6,7,5")
# Basis sets with g and h functions, general contractions and large exponents; Cartesian and spherical
# functions; an effective core potential; overlaps of nothing at 100 bohr; a centre without a nucleus.
# Geometries in Angstrom, charge, spin.
DIFFICULT = {
    "cuh": ("Cu 0 0 0; H 0 0 1.46", "def2-qzvpp", False, 0),
    "n2": ("N 0 0 0; N 0.3 0.2 1.04", "ano-rcc", False, 0),
    "xe": ("Xe 0.1 0.2 0.3", "ano-rcc", False, 0),
    "water_cart": ("O 0 0 0.117; H 0 0.757 -0.471; H 0 -0.757 -0.471", "aug-cc-pvtz", True, 0),
    "ch2": ("C 0 0 0; H 0 0.98 0.42; H 0.1 -0.98 0.42", "aug-cc-pvtz", False, 2),
    "oh_cart": ("O 0 0 0; H 0.1 0.2 0.94", "6-311++g(3df,3pd)", True, 1),
    "hi_ecp": ("I 0 0 0; H 0 0 1.61", "def2-tzvpp", False, 0),
    "c2h2": ("C 0 0 0.6; C 0 0 -0.6; H 0 0 1.66; H 0 0 -1.66", "cc-pvqz", False, 0),
    "far_h2": ("H 0 0 0; H 0 0 52.9", "aug-cc-pvtz", False, 0),
    "nehe": ("Ne 0 0 0; He 0.4 0.3 1.5", "cc-pv5z", False, 0),
    "ghost": ("He 0 0 0; ghost-He 0 0 1.5", "cc-pv5z", False, 0),
}


def orbital(program, folder, name, *options, ranks=0, **more):
    made = run(program, "orbital", *options, "-o", folder / name, "--quiet", "--device", DEVICE, ranks=ranks, **more)
    check(made.returncode == 0, f"{name}: {made.stderr}")
    return folder / name


def answer(program, *words):
    made = run(program, *words)
    check(made.returncode == 0, f"{words}: {made.stderr}")
    return made.stdout


def refused(program, folder, words, *options):
    made = run(program, "orbital", WATER, *options, "-o", folder / "refused.h5", "--quiet")
    check(made.returncode == 2 and words in made.stderr, f"{options}: {made.returncode}, {made.stderr}")
    check(not list(folder.glob("refused*")), f"{options}: leaves a file behind")


def points_file(folder, points):
    path = folder / "points.csv"
    path.write_text("x_bohr,y_bohr,z_bohr\n" + "".join("{!r},{!r},{!r}\n".format(*map(float, p)) for p in points))
    return path


def potential_at(program, folder, molden_file, points, *options):
    result = orbital(program, folder, "at.h5", molden_file, "--esp", "--points", points_file(folder, points), "--force",
                     *options)
    with h5py.File(result) as file:
        check(numpy.array_equal(file["points/positions"], points), "the points in the file are others")
        return file["points/esp"][0]


def check_references(program, folder):
    files = {"water": WATER, **{name: REFERENCES / f"{name}.molden.gz" for name in ("o2_uhf_sph", "oh_uhf_cart")}}
    for name, path in files.items():
        with numpy.load(REFERENCES / "esp" / f"{name}.npz") as reference:
            points, wanted = reference["points_bohr"], reference["esp"]
        found = potential_at(program, folder, path, points, "--esp-tolerance", "0")
        error = (abs(found - wanted) / numpy.maximum(1, abs(wanted))).max()
        check(error <= 1e-10, f"{name}: {error:.1e} from PySCF's")
        loose = potential_at(program, folder, path, points, "--esp-tolerance", "1e-5")
        check(0 < abs(loose - found).max() <= 1e-5, f"{name}: {abs(loose - found).max():.1e} by the tolerance of 1e-5")


def orbitals_of_core(molecule):
    """Eigenvectors of the core Hamiltonian: orthonormal, and no self-consistent field has to be found."""
    core = molecule.intor("int1e_kin") + molecule.intor("int1e_nuc")
    overlap = molecule.intor("int1e_ovlp")
    values, vectors = scipy.linalg.eigh(overlap)
    kept = vectors[:, values > 1e-7] / numpy.sqrt(values[values > 1e-7])
    energies, mixed = numpy.linalg.eigh(kept.T @ core @ kept)
    return energies, kept @ mixed


def order_with_h(molecule):
    """Molden's order of spherical functions, 0, 1, -1, 2, -2 and so on; PySCF's own ends before h."""
    order = []
    for shell in range(molecule.nbas):
        l = molecule.bas_angular(shell)
        places = range(3) if l == 1 else [l + (k + 1) // 2 * (1 if k % 2 else -1) for k in range(2 * l + 1)]
        for _ in range(molecule.bas_nctr(shell)):
            order += [len(order) + place for place in places]
    return order


def write_molden(path, molecule, orbitals, energies, occupations):
    has_h = max(molecule.bas_angular(shell) for shell in range(molecule.nbas)) == 5
    with open(path, "w") as file:
        molden.header(molecule, file, ignore_h=False)
        if has_h:
            file.write("[11H]\n")
        with mock.patch.object(molden, "order_ao_index", order_with_h if has_h else molden.order_ao_index):
            molden.orbital_coeff(molecule, file, orbitals, ene=energies, occ=occupations, ignore_h=False)


def check_difficult(program, folder):
    if not pyscf:
        print("difficult basis sets are not compared: no PySCF")
        return
    worst = 0
    for name, (geometry, basis, cartesian, spin) in DIFFICULT.items():
        ecp = {"I": basis} if name.endswith("ecp") else None
        molecule = pyscf.gto.M(atom=geometry, basis=basis, cart=cartesian, spin=spin, ecp=ecp, verbose=0)
        energies, orbitals = orbitals_of_core(molecule)
        occupations = numpy.zeros(len(energies))
        occupations[:molecule.nelec[1]] = 2
        occupations[molecule.nelec[1]:molecule.nelec[0]] = 1
        path = folder / f"{name}.molden"
        write_molden(path, molecule, orbitals, energies, occupations)
        rng = numpy.random.default_rng(7)
        centers = molecule.atom_coords()[rng.integers(molecule.natm, size=40)]
        directions = rng.normal(size=(40, 3))
        points = centers + directions * (10 ** rng.uniform(-2, 1.3, 40) / numpy.linalg.norm(directions, axis=1))[:, None]
        density = (orbitals * occupations) @ orbitals.T
        nuclei = sum(z / numpy.linalg.norm(points - r, axis=1)
                     for z, r in zip(molecule.atom_charges(), molecule.atom_coords()))
        wanted = nuclei - numpy.concatenate(
            [numpy.einsum("pij,ij->p", molecule.intor("int1e_grids", grids=points[i:i + 8]), density)
             for i in range(0, len(points), 8)])
        found = potential_at(program, folder, path, points, "--esp-tolerance", "1e-10")
        error = abs(found - wanted).max()
        print(f"{name}: {molecule.nao} functions, {error:.1e} hartree/e from PySCF's")
        worst = max(worst, error)
    check(worst <= 1e-8, f"{worst:.1e} hartree/e from PySCF's, 1e-8 allowed")


def check_grid(program, folder):
    """Grids hold the values at their points; single precision rounds them; --field esp is --esp."""
    wide = orbital(program, folder, "wide.h5", WATER, "--field", "esp", *BOX, "--precision", "double")
    single = orbital(program, folder, "single.h5", WATER, "--esp", *BOX, "--cube", folder / "cubes")
    with h5py.File(wide) as file, h5py.File(single) as other:
        group = file["fields"]
        values = group["esp/values"]
        check(values.shape == (1, 5, 7, 6) and values.attrs["units"] == "hartree/e", f"/fields/esp: {values}")
        check(len(file["orbitals/labels"]) == 0, "there are orbitals")
        axes = [group["origin"][0][a] + group["spacing"][a] * numpy.arange(group["shape"][a]) for a in range(3)]
        z, y, x = numpy.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
        points = numpy.stack([x, y, z], axis=-1).reshape(-1, 3)
        apart = abs(values[0].ravel() - potential_at(program, folder, WATER, points))  # places differ in the last bits
        check((apart <= 1e-12 * (1 + abs(values[0].ravel()))).all(), f"grid and points: {apart.max()}")
        check(numpy.array_equal(other["fields/esp/values"], values[...].astype("f4")), "single is not rounded")
        words = (folder / "cubes/esp.cube").read_text().split("\n", 9)[9].split()
        listed = numpy.array([float(word) for word in words]).reshape(6, 7, 5).transpose(2, 1, 0)
        check(abs(listed - values[0]).max() <= 1e-5 * abs(values[0]).max(), "the cube file")
    nucleus = numpy.array([[0.0, 0, 0]])
    with h5py.File(wide) as file:
        nucleus[0] = file["frames/1/positions"][0]
    check(abs(potential_at(program, folder, WATER, nucleus)[0] / 8e6 - 1) < 1e-5, "the value at oxygen's nucleus")


def check_surface(program, folder):
    short = orbital(program, folder, "surface.h5", WATER, "--esp-surface", "--spacing", "0.3")
    long = orbital(program, folder, "long.h5", WATER, "--density", "--isosurface", "0.001", "--vertex-field", "esp,HOMO",
                   "--spacing", "0.3")
    with h5py.File(short) as file, h5py.File(long) as other:
        surface = file["isosurfaces/1/density"]
        check(surface.attrs["isovalue"] == 0.001 and "values" not in file["density"], "the surface of 0.001")
        esp, vertices = surface["fields/esp"][:], surface["vertices"][:]
        check(surface["fields/esp"].attrs["units"] == "hartree/e" and len(vertices) > 300, "the surface's potential")
        check(numpy.array_equal(esp, other["isosurfaces/1/density/fields/esp"]), "--vertex-field esp")
        check(numpy.array_equal(esp, potential_at(program, folder, WATER, vertices.astype(float))), "vertices, points")
        oxygen = file["frames/1/positions"][0]
        near = numpy.linalg.norm(vertices - oxygen, axis=1).argmin()
        check(esp[near] < 0 < esp.max() and esp.min() > -0.2 and esp.max() < 0.2, f"{esp.min()} to {esp.max()}")
    other = orbital(program, folder, "other.h5", WATER, "--esp-surface", "0.01", "--spacing", "0.3")
    with h5py.File(other) as file:
        check(file["isosurfaces/1/density"].attrs["isovalue"] == 0.01, "--esp-surface 0.01")


def check_ranks(program, folder):
    points = numpy.random.default_rng(1).normal(size=(20000, 3)) * 3
    path = points_file(folder, points)
    options = (WATER, "--esp", "--points", path)
    plain = orbital(program, folder, "plain.h5", *options)
    with h5py.File(plain) as file:
        wanted = file["points/esp"][:]
        check(wanted.shape == (1, 20000) and numpy.isfinite(wanted).all(), "values at points")
    grid = (WATER, "--esp", "--spacing", "0.25", "--orbitals", "HOMO", "--density")
    stored = orbital(program, folder, "stored.h5", *grid)
    packed = orbital(program, folder, "packed.h5", *grid, "--compress", "4")
    with h5py.File(stored) as file, h5py.File(packed) as other:
        values = file["fields/esp/values"][...]
        check(numpy.array_equal(values, other["fields/esp/values"]), "a compressed run has other bits")
    # The surface of a frame is one tile, so only several frames make several ranks compute surfaces.
    surface = (WATER, WATER, WATER, "--esp-surface", "--spacing", "0.4")
    surfaces = contents(orbital(program, folder, "surfaces.h5", *surface), ("isosurfaces",))
    for name in ("vertices", "normals", "triangles", "fields/esp"):
        check(all(f"isosurfaces/{frame}/density/{name}" in surfaces for frame in (1, 2, 3)), f"no {name}")
    for ranks in (2, 3) if has_ranks(program) else ():
        with h5py.File(orbital(program, folder, f"points{ranks}.h5", *options, ranks=ranks)) as file:
            check(numpy.array_equal(file["points/esp"], wanted), f"{ranks} ranks: points")
        with h5py.File(orbital(program, folder, f"grid{ranks}.h5", *grid, ranks=ranks)) as file:
            check(numpy.array_equal(file["fields/esp/values"], values), f"{ranks} ranks: grid")
        found = contents(orbital(program, folder, f"surfaces{ranks}.h5", *surface, ranks=ranks), ("isosurfaces",))
        other = sorted(name for name in found.keys() | surfaces.keys() if found.get(name) != surfaces.get(name))
        check(not other, f"{ranks} ranks: other bits of {other}")


def check_words(program, folder):
    """Units and separators of files of points; the table; what info says."""
    (folder / "angstrom.txt").write_text("# three points\n0 0 2.5\n0.0, 0, -2.5\n\n3\t0\t0\n")
    result = orbital(program, folder, "words.h5", WATER, "--esp", "--points", folder / "angstrom.txt")
    with h5py.File(result) as file:
        check(numpy.allclose(file["points/positions"], numpy.array([[0, 0, 2.5], [0, 0, -2.5], [3, 0, 0]]) / BOHR,
                             rtol=1e-9), "Angstrom")
        rows = list(csv.DictReader(answer(program, "table", result).splitlines()))
        check([float(row["esp"]) for row in rows] == list(file["points/esp"][0]), "the table")
        check([row["point"] for row in rows] == ["1", "2", "3"] and "z_bohr" in rows[0], f"the table: {rows[0]}")
    check("electrostatic potential at 3 points" in answer(program, "info", result), "info")
    both = orbital(program, folder, "both.h5", WATER, "--esp", "--points", folder / "angstrom.txt", "--orbitals", "HOMO",
                   "--spacing", "0.5")
    check(answer(program, "table", both).startswith("frame,label"), "the table of orbitals")
    check(answer(program, "table", both, "--points").startswith("frame,point"), "the table of points")
    refused(program, folder, "--points without --esp", "--points", folder / "angstrom.txt")
    refused(program, folder, "--esp-surface: the surface of the density already", "--esp-surface", "--density",
            "--density-isosurface", "0.01")
    refused(program, folder, "esp is asked for twice", "--field", "esp,esp")
    refused(program, folder, "--esp-tolerance -1 hartree/e is out of range", "--esp", "--esp-tolerance", "-1")
    refused(program, folder, "--esp has nothing to write", "--esp", "--norms-only")
    for text, words in (("1,2\n", "line 1 does not hold three"), ("x_bohr,y_bohr,z_bohr\n1,2,z\n", "line 2 does not"),
                        ("0,0,1e30\n", "line 1 does not"), ("x,y,z\n", "holds no point")):
        (folder / "bad.csv").write_text(text)
        refused(program, folder, words, "--esp", "--points", folder / "bad.csv")


def main():
    program = sys.argv[1]
    for part in (check_references, check_grid, check_surface, check_ranks, check_words, check_difficult):
        with tempfile.TemporaryDirectory() as place:
            part(program, pathlib.Path(place))
    return 0


sys.exit(main())
