#!/usr/bin/env python3
"""Makes the periodic wavefunctions and values of this folder with PySCF: NAME.molden.gz, .trexio and .npz.

    tests/orbitals/references/periodic/make_references.py

Orbitals of the Gamma point: eigenfunctions of the kinetic energy in a periodic basis, which are orthonormal over a
cell as those of a self-consistent field are. Values are those of PySCF (pbc_eval_gto times coefficients), from its own
objects: at points inside of a cell and up to two cells away from it, and on a small grid also the density of the
occupied orbitals, its gradient and its Laplacian. Needs pip install pyscf trexio."""

import gzip
import io
import pathlib
import shutil

import numpy as np
import scipy.linalg
import trexio
from pyscf.pbc import gto
from pyscf.tools import molden

HERE = pathlib.Path(__file__).resolve().parent
BASIS = {
    "Li": [[0, [4.2, 0.4], [0.7, 0.7]], [0, [0.18, 1.0]], [1, [0.45, 1.0]], [2, [0.6, 1.0]], [3, [0.9, 1.0]]],
    "H": [[0, [3.4, 0.15], [0.6, 0.53], [0.17, 0.44]], [1, [0.8, 1.0]]],
}
# Name: cell and geometry (bohr). Atoms of the second lie outside of the box of its grid.
SYSTEMS = {
    "orthorhombic": ([[5.0, 0, 0], [0, 5.6, 0], [0, 0, 6.1]], [("Li", (0.2, 0.3, -0.1)), ("H", (2.4, 2.7, 3.2))]),
    "triclinic": ([[5.4, 0, 0], [1.3, 5.1, 0], [-0.9, 1.7, 5.7]], [("Li", (5.1, 4.9, 0.3)), ("H", (1.9, -0.2, 2.6))]),
}
CHOSEN = (0, 1, 2, 5, 9)


def make(name, vectors, atoms):
    cell = gto.M(a=vectors, atom=atoms, unit="B", basis=BASIS, cart=False, precision=1e-16, verbose=0)
    overlap, kinetic = cell.pbc_intor("int1e_ovlp"), cell.pbc_intor("int1e_kin")
    energies, orbitals = scipy.linalg.eigh(kinetic, overlap)
    energies, orbitals = energies[list(CHOSEN)], orbitals[:, list(CHOSEN)]
    occupations = np.array([2.0, 2.0, 0, 0, 0])

    text = io.StringIO()
    molecule = cell.to_mol()
    molden.header(molecule, text)
    molden.orbital_coeff(molecule, text, orbitals, ene=energies, occ=occupations, ignore_h=False)
    rows = "".join(" %.17g %.17g %.17g\n" % tuple(v) for v in vectors)
    whole = text.getvalue().replace("[GTO]", "[Cell] AU\n" + rows + "[GTO]")
    with gzip.GzipFile(HERE / f"{name}.molden.gz", "wb", mtime=0) as file:
        file.write(whole.encode())

    rng = np.random.default_rng(7)
    steps = np.concatenate([rng.uniform(0, 1, (40, 3)), rng.uniform(-2, 3, (40, 3))])
    points = np.concatenate([steps @ np.array(vectors), cell.atom_coords() + 0.01])
    def evaluate(what, where):
        """PySCF's images reach the points of one cell, so that points are moved into it."""
        within = np.linalg.solve(np.array(vectors).T, where.T).T % 1 @ np.array(vectors)
        return np.array(cell.pbc_eval_gto(what, within, kpt=np.zeros(3))) @ orbitals

    # The grid reaches over the edges of a cell.
    origin, step, shape = np.array([-1.0, 0.3, 2.0]), np.array([0.9, 1.1, 1.3]), (7, 6, 5)
    axes = [origin[a] + step[a] * np.arange(shape[a]) for a in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    psi = evaluate("GTOval_sph_deriv2", grid)
    laplacian_of_psi = psi[4] + psi[7] + psi[9]
    laplacian = 2 * ((psi[1:4] ** 2).sum(0) + psi[0] * laplacian_of_psi) @ occupations

    np.savez_compressed(HERE / f"{name}.npz", points_bohr=points, psi_points=evaluate("GTOval_sph", points),
                        orbital_index_0based=np.arange(len(CHOSEN)), energies=energies, grid_origin_bohr=origin,
                        grid_step_bohr=step, psi_grid=psi[0].reshape(*shape, -1),
                        density=(psi[0] ** 2 @ occupations).reshape(shape),
                        gradient_x=(2 * psi[0] * psi[1] @ occupations).reshape(shape),
                        laplacian=laplacian.reshape(shape))
    if name == "triclinic":
        write_trexio(name, cell, orbitals, energies, occupations)


def write_trexio(name, cell, orbitals, energies, occupations):
    """The layout of ../formats/make_references.py, for spherical functions: p is z, x, y."""
    path = HERE / f"{name}.trexio"
    shutil.rmtree(path, ignore_errors=True)
    shells, primitives, functions = [], [], []
    for b in range(cell.nbas):
        l, exponents = cell.bas_angular(b), cell.bas_exp(b)
        shells.append((cell.bas_atom(b), l))
        # PySCF's radial functions include their norms; spherical functions of TREXIO those of solid harmonics.
        for exponent, factor in zip(exponents, cell._libcint_ctr_coeff(b)[:, 0]):
            primitives.append((b, exponent, factor))
        order = [2, 0, 1] if l == 1 else [l + (m + 1) // 2 * (1 if m % 2 else -1) for m in range(2 * l + 1)]
        first = cell.ao_loc_nr()[b]
        functions += [(b, l, first + m) for m in order]
    with trexio.File(str(path), "w", back_end=trexio.TREXIO_TEXT) as file:
        trexio.write_nucleus_num(file, cell.natm)
        trexio.write_nucleus_charge(file, cell.atom_charges().astype(float))
        trexio.write_nucleus_coord(file, cell.atom_coords())
        trexio.write_nucleus_label(file, [cell.atom_pure_symbol(i) for i in range(cell.natm)])
        trexio.write_electron_up_num(file, 2)
        trexio.write_electron_dn_num(file, 2)
        trexio.write_cell_a(file, cell.lattice_vectors()[0])
        trexio.write_cell_b(file, cell.lattice_vectors()[1])
        trexio.write_cell_c(file, cell.lattice_vectors()[2])
        trexio.write_pbc_periodic(file, True)
        trexio.write_basis_type(file, "Gaussian")
        trexio.write_basis_shell_num(file, len(shells))
        trexio.write_basis_prim_num(file, len(primitives))
        trexio.write_basis_nucleus_index(file, [s[0] for s in shells])
        trexio.write_basis_shell_ang_mom(file, [s[1] for s in shells])
        trexio.write_basis_shell_factor(file, np.ones(len(shells)))
        trexio.write_basis_r_power(file, [0] * len(shells))
        trexio.write_basis_shell_index(file, [p[0] for p in primitives])
        trexio.write_basis_exponent(file, [p[1] for p in primitives])
        trexio.write_basis_coefficient(file, [p[2] for p in primitives])
        trexio.write_basis_prim_factor(file, np.ones(len(primitives)))
        trexio.write_ao_cartesian(file, 0)
        trexio.write_ao_num(file, len(functions))
        trexio.write_ao_shell(file, [f[0] for f in functions])
        trexio.write_ao_normalization(file, [np.sqrt((2 * f[1] + 1) / 4 / np.pi) for f in functions])
        trexio.write_mo_num(file, len(energies))
        trexio.write_mo_coefficient(file, orbitals[[f[2] for f in functions]].T.copy())
        trexio.write_mo_energy(file, energies)
        trexio.write_mo_occupation(file, occupations)
    (path / ".lock").unlink(missing_ok=True)


for name, system in SYSTEMS.items():
    make(name, *system)
