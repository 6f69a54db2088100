#!/usr/bin/env python3
"""Makes the wavefunctions and values of this folder with PySCF: NAME.molden.gz and NAME.npz.

    tests/orbitals/references/make_references.py

Unrestricted Hartree-Fock of small molecules with open shells; a few orbitals of either spin each. Values
are PySCF's (eval_gto times coefficients) from its own objects, not read back from the Molden file: on a
box of points, on points close to and far from nuclei, and for O2 on the plane x = 0, where one of the
pi orbitals vanishes. `largest` is the largest |psi| seen on all of them. Needs pip install pyscf."""

import gzip
import io
import pathlib

import numpy as np
import pyscf
from pyscf.tools import molden

HERE = pathlib.Path(__file__).resolve().parent
# Name: geometry (Angstrom), spin 2S, basis, Cartesian functions, orbitals of each spin.
MOLECULES = {
    # Spherical g functions, diffuse and tight ones.
    "o2_uhf_sph": ("O 0 0 0; O 0 0 1.2075", 2, "aug-cc-pvqz", False, ((0, 2, 6, 7, 8, 9, 30), (0, 5, 6, 7, 40))),
    # Cartesian g functions.
    "oh_uhf_cart": ("O 0 0 0; H 0.1 0.2 0.94", 1, "cc-pvqz", True, ((0, 1, 4, 5, 20), (2, 3, 4, 33))),
}


def box(spacing, counts, origin):
    axes = [origin[a] + spacing * np.arange(counts[a]) for a in range(3)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def scattered(molecule, rng):
    centers = molecule.atom_coords()
    lengths = np.concatenate([10 ** rng.uniform(-4, 0, 20), rng.uniform(1, 12, 20)])
    directions = rng.normal(size=(len(lengths), 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    points = np.concatenate([c + lengths[:, None] * directions for c in centers])
    return np.concatenate([centers, points])


def make(name, geometry, spin, basis, cartesian, chosen):
    molecule = pyscf.gto.M(atom=geometry, spin=spin, basis=basis, cart=cartesian, verbose=0)
    field = pyscf.scf.UHF(molecule)
    field.conv_tol = 1e-11
    field.kernel()
    assert field.converged
    text = io.StringIO()
    molden.header(molecule, text)
    coefficients, energies = [], []
    for s, rows in enumerate(chosen):
        columns = align_pi(molecule, field.mo_coeff[s], field.mo_energy[s])[:, list(rows)]
        energy = field.mo_energy[s][list(rows)]
        # All of the file's orbitals lie in one section: alpha before beta.
        part = io.StringIO()
        molden.orbital_coeff(molecule, part, columns, spin="Alpha" if s == 0 else "Beta", ene=energy,
                             occ=field.mo_occ[s][list(rows)], ignore_h=False)
        text.write(part.getvalue() if s == 0 else part.getvalue().replace("[MO]\n", ""))
        coefficients.append(columns)
        energies.append(energy)
    with gzip.GzipFile(HERE / f"{name}.molden.gz", "wb", mtime=0) as file:
        file.write(text.getvalue().encode())
    coefficients, energies = np.concatenate(coefficients, axis=1), np.concatenate(energies)

    def values(points):
        flat = points.reshape(-1, 3)
        kind = "GTOval_cart" if cartesian else "GTOval_sph"
        return (molecule.eval_gto(kind, flat) @ coefficients).reshape(*points.shape[:-1], -1)

    points = scattered(molecule, np.random.default_rng(2026))
    grids = {name: box(0.8, (9, 8, 11), np.array([-3.1, -2.9, -2.7]))}
    if name.startswith("o2"):
        grids[f"{name}_plane"] = box(0.31, (1, 12, 14), np.array([0, -1.7, -0.9]))
    largest = np.max([np.abs(values(p)).reshape(-1, coefficients.shape[1]).max(0)
                      for p in (points, *grids.values())], axis=0)
    for file, grid in grids.items():
        step = grid[-1, -1, -1] - grid[0, 0, 0]
        shape = np.array(grid.shape[:3])
        spacing = 0.31 if file.endswith("plane") else 0.8
        assert np.allclose(step, spacing * (shape - 1))
        np.savez_compressed(HERE / f"{file}.npz", points_bohr=points, psi_points=values(points),
                            orbital_index_0based=np.arange(coefficients.shape[1]), energies=energies,
                            grid_origin_bohr=grid[0, 0, 0], grid_step_bohr=np.full(3, spacing), grid_shape=shape,
                            psi_grid=values(grid), largest=largest)


def align_pi(molecule, orbitals, energies):
    """Orbitals of one energy turned so that those of linear molecules vanish on x = 0 or y = 0."""
    turned, first = orbitals.copy(), 0
    x = molecule.intor("int1e_r")[0] + 1.7 * molecule.intor("int1e_rr").reshape(3, 3, *[molecule.nao] * 2)[0, 0]
    while first < len(energies):
        last = first + 1
        while last < len(energies) and abs(energies[last] - energies[first]) < 1e-6:
            last += 1
        block = orbitals[:, first:last]
        turned[:, first:last] = block @ np.linalg.eigh(block.T @ x @ block)[1]
        first = last
    return turned


for name, molecule in MOLECULES.items():
    make(name, *molecule)
