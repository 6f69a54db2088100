#!/usr/bin/env python3
"""Makes the electrostatic potentials of this folder with PySCF: NAME.npz with points_bohr [n, 3] and esp [n] in
hartree per elementary charge.

    tests/orbitals/references/esp/make_references.py

The wavefunctions are those of examples, of the folder above and of ../shared/data/orbitals. PySCF reads them, and its
int1e_grids gives the integrals of the electrons. The points lie close to nuclei, between them and far away. Needs pip
install pyscf."""

import gzip
import os
import pathlib
import tempfile

import numpy as np
from pyscf.tools import molden

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
SHARED = pathlib.Path(os.environ.get("TESSERA_SHARED_DIR", ROOT.parent / "shared")) / "data/orbitals"
FILES = {
    "water": ROOT / "examples/water.molden",
    "o2_uhf_sph": HERE.parent / "o2_uhf_sph.molden.gz",
    "oh_uhf_cart": HERE.parent / "oh_uhf_cart.molden.gz",
    "h2o_ccpvqz_sph": SHARED / "h2o_ccpvqz_sph.molden.gz",
    "h2o_ccpvqz_cart": SHARED / "h2o_ccpvqz_cart.molden.gz",
    "thr_b_631pgs_cart": SHARED / "thr_b_631pgs_cart.molden.gz",
    "c60_b_631gs_cart": SHARED / "c60_b_631gs_cart.molden.gz",
}


def load(path, folder):
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    plain = folder / "plain.molden"
    plain.write_bytes(text)
    return molden.load(str(plain))


def density_matrix(coefficients, occupations):
    if isinstance(coefficients, (tuple, list)):
        return sum(density_matrix(c, n) for c, n in zip(coefficients, occupations))
    return (coefficients * occupations) @ coefficients.T


def scattered(molecule, rng):
    centers = molecule.atom_coords()
    chosen = centers[rng.integers(len(centers), size=60)]
    lengths = np.concatenate([10 ** rng.uniform(-3, 0, 20), rng.uniform(0.5, 6, 25), rng.uniform(6, 60, 15)])
    directions = rng.normal(size=(60, 3))
    return chosen + lengths[:, None] * directions / np.linalg.norm(directions, axis=1)[:, None]


def potential(molecule, density, points):
    nuclei = sum(z / np.linalg.norm(points - r, axis=1)
                 for z, r in zip(molecule.atom_charges(), molecule.atom_coords()))
    electrons = [np.einsum("pij,ij->p", molecule.intor("int1e_grids", grids=points[i:i + 10]), density)
                 for i in range(0, len(points), 10)]
    return nuclei - np.concatenate(electrons)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, path in FILES.items():
            molecule, _, coefficients, occupations, _, _ = load(path, pathlib.Path(folder))
            points = scattered(molecule, np.random.default_rng(2026))
            values = potential(molecule, density_matrix(coefficients, occupations), points)
            np.savez_compressed(HERE / f"{name}.npz", points_bohr=points, esp=values)
            print(name, molecule.nao, "functions,", values.min(), "to", values.max())


main()
