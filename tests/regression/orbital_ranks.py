#!/usr/bin/env python3
"""Orbitals, densities, norms and surfaces have the same bits on 1, 2 and 3 ranks, plain and compressed;
grids are what the norms say, and cube files hold the grids.
Usage: orbital_ranks.py PATH/OF/tessera"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, fail, in_folder_on_ranks, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WATER = ROOT / "examples/water.molden"
BOHR = 0.529177210903  # Angstrom


def two_frames(folder):
    """Water, and water moved a little: one file of two frames."""
    text = WATER.read_text()
    oxygen = next(line for line in text.splitlines() if line.startswith("O "))
    words = oxygen.split()
    moved = text.replace(oxygen, " ".join(words[:3] + ["0.05"] + words[4:]))
    path = folder / "two.molden"
    path.write_text(text.rstrip("\n") + "\n" + moved)
    return path


def orbital(program, folder, name, *options, ranks=0):
    result = run(program, "orbital", folder / "two.molden", "-o", folder / name, "--quiet", "--device",
                 "openmp", *options, ranks=ranks)
    if result.returncode != 0:
        fail(f"{name}: {result.stderr}")
    return folder / name


def contents(path):
    """Every dataset outside /run as (type, shape, bytes)."""
    found = {}

    def note(name, node):
        if isinstance(node, h5py.Dataset) and not name.startswith("run/"):
            data = node[...]
            found[name] = (str(data.dtype), data.shape,
                           data.tolist() if data.dtype == object else data.tobytes())

    with h5py.File(path) as file:
        file.visititems(note)
    return found


def check_same(program, folder):
    options = ["--orbitals", "HOMO,LUMO+1,1:3,HOMO", "--spacing", "0.09", "--density", "--isosurface",
               "0.05", "--density-isosurface", "0.02", "--vertex-field", "gradient-norm,LUMO+1", "--grids",
               "--track", "--overlap-matrix"]
    reference = contents(orbital(program, folder, "one.h5", *options))
    if len(reference) < 40:
        fail(f"only {len(reference)} datasets: {sorted(reference)}")
    for ranks in (2, 3):
        for name, extra in ((f"ranks{ranks}.h5", []), (f"packed{ranks}.h5", ["--compress", "2"])):
            other = contents(orbital(program, folder, name, *options, *extra, ranks=ranks))
            if set(other) != set(reference):
                fail(f"{name} holds other datasets: {set(other) ^ set(reference)}")
            differing = [key for key in reference if other[key] != reference[key]]
            if differing:
                fail(f"{name} differs in {differing}")
    left = sorted(path.name for path in folder.iterdir() if ".tmp" in path.name)
    if left:
        fail(f"left behind: {left}")


def check_frames(program, folder):
    """A frame has the same bits alone and behind another one with the same basis, or with another."""
    other = folder / "other.molden"
    text = WATER.read_text()
    other.write_text(text.replace("130.70932", "131", 1))
    box = ["--orbitals", "all", "--origin", "-2,-2,-2", "--grid", "40,40,40", "--spacing", "0.1", "--quiet",
           "--device", "openmp"]

    def values(name, *options):
        result = run(program, "orbital", folder / "two.molden", other, "-o", folder / name, *box, *options)
        if result.returncode != 0:
            fail(f"{name}: {result.stderr}")
        with h5py.File(folder / name) as file:
            return file["orbitals/values"][...]

    together = values("frames.h5")
    for frame in range(3):
        if not numpy.array_equal(together[frame], values(f"frame{frame}.h5", "--frames", str(frame + 1))[0]):
            fail(f"frame {frame + 1} is another one alone")
    if numpy.array_equal(together[0], together[1]) or numpy.array_equal(together[0], together[2]):
        fail("frames that differ are the same")


def check_mixed(program, folder):
    """Orbitals of which single precision carries some: water's, the fourth and the sixth 50 times as large."""
    number, lines = 0, []
    for line in WATER.read_text().splitlines():
        words = line.split()
        if line.startswith(" Sym="):
            number += 1
        elif number in (4, 6) and len(words) == 2 and words[0].isdigit():
            line = f"{words[0]} {50 * float(words[1])!r}"
        lines.append(line)
    path = folder / "mixed.molden"
    path.write_text("\n".join(lines) + "\n")
    options = ["--orbitals", "all", "--spacing", "0.12", "--density"]
    found = []
    for ranks in (0, 2, 3):
        output = folder / f"mixed{ranks}.h5"
        result = run(program, "orbital", path, "-o", output, "--quiet", "--device", "openmp", *options, ranks=ranks)
        if result.returncode != 0:
            fail(f"{output.name}: {result.stderr}")
        found.append(contents(output))
    if found[0] != found[1] or found[0] != found[2]:
        fail("orbitals in double beside others differ between ranks")
    with h5py.File(folder / "mixed0.h5") as file:
        in_double = file["orbitals/computed_in_double"][0].tolist()
        if in_double != [0, 0, 0, 1, 0, 1, 0] or file["density/orbitals_in_double"][0] != 1:
            fail(f"computed in double: {in_double}, {file['density/orbitals_in_double'][0]} in the density")
        mixed = file["orbitals/values"][0]
    result = run(program, "orbital", path, "-o", folder / "double.h5", "--quiet", "--device", "openmp",
                 "--precision", "double", "--tolerance", "0", *options)
    with h5py.File(folder / "double.h5") as file:
        exact = file["orbitals/values"][0]
        if file["orbitals/computed_in_double"][0].tolist() != [1] * 7:
            fail("--precision double is not said to be double")
    worst = abs(mixed - exact).max(axis=(1, 2, 3))
    if (worst > 1e-6 + 2e-6 * abs(exact).max(axis=(1, 2, 3))).any():
        fail(f"values differ from those in double by {worst}")


def check_slabs(program, folder):
    """63 orbitals are cut into slabs; norms of the same orbital must not depend on its place."""
    options = ["--frames", "1", "--orbitals", ",".join(["1:7"] * 9), "--spacing", "0.09", "--norms-only",
               "--overlap-matrix"]
    norms, overlaps = [], []
    for ranks in (0, 3):
        path = orbital(program, folder, f"slabs{ranks}.h5", *options, ranks=ranks)
        with h5py.File(path) as file:
            if "values" in file["orbitals"]:
                fail("--norms-only wrote grids")
            if file["run"].attrs["tiles_total"] < 2:
                fail("the run was not cut")
            norms.append(file["orbitals/norm"][0].reshape(9, 7))
            overlaps.append(file["orbitals/overlap_matrix"][0])
    if not (norms[0] == norms[0][0]).all() or not numpy.array_equal(norms[0], norms[1]):
        fail(f"norms differ: {norms}")
    blocks = overlaps[0].reshape(9, 7, 9, 7).transpose(0, 2, 1, 3)
    if not (blocks == blocks[0, 0]).all() or not numpy.array_equal(overlaps[0], overlaps[1]):
        fail("overlaps differ")
    if not numpy.allclose(numpy.diag(overlaps[0]), norms[0].ravel(), rtol=1e-12, atol=0):
        fail("an orbital's overlap with itself is not its norm")


def check_numbers(folder):
    with h5py.File(folder / "one.h5") as file:
        values = file["orbitals/values"][...].astype(float)
        cell = float(numpy.prod(file["orbitals/spacing"][...]))
        norm = file["orbitals/norm"][...]
        if values.shape[:2] != (2, 6) or not file.attrs["complete"]:
            fail(f"values of shape {values.shape}")
        if not numpy.allclose((values ** 2).sum(axis=(2, 3, 4)) * cell, norm, rtol=1e-6):
            fail("norms are not those of the grids")
        overlaps, flat = file["orbitals/overlap_matrix"][...], values.reshape(2, 6, -1)
        if not numpy.allclose(numpy.einsum("fip,fjp->fij", flat, flat) * cell, overlaps, rtol=0, atol=1e-12):
            fail("overlaps are not those of the grids")
        if not numpy.allclose(norm[:, 0], 1, atol=2e-3):
            fail(f"HOMO is not normalised: {norm[:, 0]}")
        if not numpy.array_equal(values[:, 0], values[:, 5]):
            fail("an orbital asked for twice is not the same twice")
        density = file["density/values"][...].astype(float).sum(axis=(1, 2, 3)) * cell
        if not numpy.allclose(density, file["density/integral"][...], rtol=1e-6):
            fail("the integral is not that of the density")
        overlaps = file["orbitals/overlaps"][...]
        if overlaps[1].min() < 0.9 or overlaps.max() > 1 + 1e-9:
            fail(f"tracked overlaps of {overlaps}")
        surface = file["isosurfaces/1/HOMO"]
        vertices, triangles = surface["vertices"][...], surface["triangles"][...]
        if len(triangles) == 0 or triangles.max() >= len(vertices):
            fail("the surface has no triangles, or they name vertices that are not there")
        # psi at the grid points around a vertex straddles the isovalue.
        origin, spacing = file["orbitals/origin"][0], file["orbitals/spacing"][...]
        positive = surface.attrs["positive_vertices"]
        if not 0 < positive < len(vertices):
            fail(f"{positive} of {len(vertices)} vertices are of the positive lobe")
        for number in range(0, len(vertices), max(1, len(vertices) // 50)):
            low = numpy.floor((vertices[number] - origin) / spacing - 1e-4).astype(int)
            x, y, z = (slice(max(0, i), i + 3) for i in low)
            around = values[0, 0, z, y, x] * (1 if number < positive else -1)
            if not around.min() < 0.05 < around.max():
                fail(f"a vertex lies off the surface: {vertices[number]}")


def check_cubes(program, folder):
    result = run(program, "export", folder / "one.h5", "--cube", folder / "cubes", "--dx", folder / "dx",
                 "--mesh", folder / "mesh")
    if result.returncode != 0:
        fail(f"export: {result.stderr}")
    lines = (folder / "cubes/0002_LUMO+1.cube").read_text().splitlines()
    atoms = int(lines[2].split()[0])
    shape = [int(lines[i].split()[0]) for i in (3, 4, 5)]
    cube = numpy.array(" ".join(lines[6 + atoms:]).split(), dtype=float).reshape(shape)
    with h5py.File(folder / "one.h5") as file:
        values = file["orbitals/values"][1, 1].transpose(2, 1, 0)
    if values.shape != cube.shape or numpy.abs(cube - values).max() > 1e-5 * numpy.abs(values).max():
        fail("the cube file is not the grid")
    if not math.isclose(float(lines[3].split()[1]), 0.09 / BOHR, abs_tol=1e-6):
        fail(f"the cube's step: {lines[3]}")
    for path in ("dx/0001_density.dx", "mesh/0001_HOMO.ply"):
        if not (folder / path).is_file():
            fail(f"{path} is missing")


def check_all(program, folder):
    two_frames(folder)
    check_same(program, folder)
    check_slabs(program, folder)
    check_frames(program, folder)
    check_mixed(program, folder)
    check_numbers(folder)
    check_cubes(program, folder)
    print("the same bits on 1, 2 and 3 ranks")


if __name__ == "__main__":
    sys.exit(in_folder_on_ranks(sys.argv[1], check_all))
