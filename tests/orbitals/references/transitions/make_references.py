#!/usr/bin/env python3
"""Makes excitations of water and of OH with PySCF, and PySCF's natural transition orbitals of them.

    tests/orbitals/references/transitions/make_references.py

Hartree-Fock and TDA in 6-31G. For each molecule NAME.molden has the orbitals, NAME.txt the amplitudes of one state as a
table (of OH those of beta electrons follow), and NAME.npz weights, and values of holes and electrons at some points.
water.fchk.gz has the transition densities of three states in the layout of Gaussian 16. Needs pip install pyscf."""

import gzip
import pathlib

import numpy as np
import pyscf
from pyscf import tdscf
from pyscf.tools import molden

HERE = pathlib.Path(__file__).resolve().parent
STATE = 2  # of TDA, from 0
PAIRS = 3
POINTS = np.array([(0.4, 0.3, -0.6), (-1.1, 0.7, 0.2), (0.2, -1.5, 1.3), (1.9, 0.1, 0.4), (-0.3, -0.8, -1.7)])


def solved(atoms, spin=0):
    molecule = pyscf.gto.M(atom=atoms, basis="6-31g", spin=spin, verbose=0)
    field = (pyscf.scf.UHF if spin else pyscf.scf.RHF)(molecule)
    field.conv_tol = 1e-12
    field.kernel()
    excited = tdscf.TDA(field)
    excited.conv_tol = 1e-10
    excited.nstates = 4
    excited.kernel()
    assert field.converged and all(excited.converged)
    return molecule, field, excited


def of_spin(molecule, orbitals, weights, occupied):
    """Values [pair, point] of the first pairs."""
    values = (molecule.eval_gto("GTOval_sph", POINTS) @ orbitals).T
    return weights[:PAIRS], values[:PAIRS], values[occupied:occupied + PAIRS]


def entry(name, values):
    values = np.asarray(values).ravel()
    if values.dtype.kind == "i":
        rows = [values[i:i + 6] for i in range(0, len(values), 6)]
        return f"{name:<40s}   I   N={len(values):12d}\n" + "".join("".join(f"{v:12d}" for v in r) + "\n" for r in rows)
    rows = [values[i:i + 5] for i in range(0, len(values), 5)]
    return f"{name:<40s}   R   N={len(values):12d}\n" + "".join("".join(f"{v:16.8E}" for v in r) + "\n" for r in rows)


def write_fchk(molecule, field, excited, states):
    """Shells of s and p only: the functions of PySCF and Gaussian have the same order."""
    shells = range(molecule.nbas)
    primitives = [molecule.bas_exp(i) for i in shells]
    occupied = field.mo_occ > 0
    from_orbitals, to_orbitals = field.mo_coeff[:, occupied], field.mo_coeff[:, ~occupied]
    one_spin = [from_orbitals @ excited.xy[k][0] @ to_orbitals.T for k in range(states)]
    text = "water, TDA\nSP        RHF                                                         6-31G\n"
    for name, value in (("Number of atoms", molecule.natm), ("Number of alpha electrons", occupied.sum()),
                        ("Number of beta electrons", occupied.sum()), ("Number of basis functions", molecule.nao),
                        ("Excited state NLR", 1), ("Number of g2e trans dens", states)):
        text += f"{name:<40s}   I     {value:12d}\n"
    text += entry("Atomic numbers", molecule.atom_charges().astype(int))
    text += entry("Current cartesian coordinates", molecule.atom_coords())
    text += entry("Shell types", [int(molecule.bas_angular(i)) for i in shells])
    text += entry("Number of primitives per shell", [len(p) for p in primitives])
    text += entry("Shell to atom map", [molecule.bas_atom(i) + 1 for i in shells])
    text += entry("Primitive exponents", np.concatenate(primitives))
    text += entry("Contraction coefficients", np.concatenate([molecule._libcint_ctr_coeff(i).ravel() / [
        pyscf.gto.gto_norm(molecule.bas_angular(i), e) for e in primitives[i]] for i in shells]))
    text += entry("Alpha Orbital Energies", field.mo_energy)
    text += entry("Alpha MO coefficients", field.mo_coeff.T)
    text += entry("G to E trans densities", [[matrix, matrix] for matrix in one_spin])  # singlets
    (HERE / "water.fchk.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def main():
    molecule, field, excited = solved("O 0 0.1 0.117; H 0 0.857 -0.469; H 0.1 -0.657 -0.469")
    molden.from_scf(field, str(HERE / "water.molden"))
    np.savetxt(HERE / "water.txt", excited.xy[STATE][0], fmt="%.12f")
    weights, orbitals = excited.get_nto(state=STATE + 1)
    weights, holes, electrons = of_spin(molecule, orbitals, weights, molecule.nelectron // 2)
    np.savez(HERE / "water.npz", points=POINTS, weights=weights, holes=holes, electrons=electrons)
    write_fchk(molecule, field, excited, STATE + 1)

    molecule, field, excited = solved("O 0 0 0.1; H 0 0.3 1.05", spin=1)
    molden.from_scf(field, str(HERE / "oh.molden"))
    amplitudes = excited.xy[STATE][0]
    rows = [" ".join(f"{x:.12f}" for x in row) for spin in amplitudes for row in spin]
    (HERE / "oh.txt").write_text("\n".join(rows) + "\n")
    both = excited.get_nto(state=STATE + 1)
    spins = [of_spin(molecule, both[1][s], both[0][s], molecule.nelec[s]) for s in range(2)]
    np.savez(HERE / "oh.npz", points=POINTS, weights=[s[0] for s in spins], holes=[s[1] for s in spins],
             electrons=[s[2] for s in spins])


if __name__ == "__main__":
    main()
