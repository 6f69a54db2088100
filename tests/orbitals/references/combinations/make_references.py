#!/usr/bin/env python3
"""Makes combinations.npz, and the wavefunctions of examples/ that it is about, with PySCF.

    tests/orbitals/references/combinations/make_references.py

The dimer of water with both of its fragments at the same places is Hartree-Fock in cc-pVDZ. The ions are unrestricted
Hartree-Fock in STO-3G at the geometry of the neutral molecule. Values are PySCF's (eval_gto, times its own
coefficients, not those of a Molden file) on a small grid. Needs pip install pyscf."""

import gzip
import io
import pathlib

import numpy as np
import pyscf
from pyscf.tools import molden

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[3] / "examples"
DONOR = "O -1.551007 -0.114520 0; H -1.934259 0.762503 0; H -0.599677 0.040712 0"
ACCEPTOR = "O 1.350625 0.111469 0; H 1.680398 -0.373741 -0.758561; H 1.680398 -0.373741 0.758561"
WRITTEN = 14  # orbitals of a file in cc-pVDZ; all that are occupied are among them

GRID = {"origin": np.array([-4.3, -2.1, -1.7]), "spacing": np.array([1.07, 0.83, 0.71]), "shape": np.array([9, 7, 6])}


def points():
    axes = [GRID["origin"][a] + GRID["spacing"][a] * np.arange(GRID["shape"][a]) for a in range(3)]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    return np.stack([x, y, z], axis=-1).reshape(-1, 3)


def solved(molecule, unrestricted=False):
    field = (pyscf.scf.UHF if unrestricted else pyscf.scf.RHF)(molecule)
    field.conv_tol = 1e-11
    field.kernel()
    assert field.converged
    return field


def write(molecule, field, path, most=None):
    text = io.StringIO()
    molden.header(molecule, text)
    parts = []
    spins = ("Alpha", "Beta") if isinstance(field, pyscf.scf.uhf.UHF) else (None,)
    for s, spin in enumerate(spins):
        coefficients, energies, occupations = (np.asarray(a)[s] if spin else a for a in
                                               (field.mo_coeff, field.mo_energy, field.mo_occ))
        part = io.StringIO()
        molden.orbital_coeff(molecule, part, coefficients[:, :most], spin=spin or "Alpha", ene=energies[:most],
                             occ=occupations[:most], ignore_h=False)
        parts.append(part.getvalue() if s == 0 else part.getvalue().replace("[MO]\n", ""))
    text.write("".join(parts))
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))
    else:
        path.write_text(text.getvalue())


def psi(molecule, field):
    """[point, orbital], or [spin][point, orbital]."""
    functions = molecule.eval_gto("GTOval_sph", points())
    return functions @ field.mo_coeff


def density(molecule, field, of_spin=False):
    orbitals, occupations = psi(molecule, field), field.mo_occ
    if orbitals.ndim == 2:
        return (orbitals ** 2) @ occupations
    alpha, beta = ((orbitals[s] ** 2) @ occupations[s] for s in range(2))
    return alpha - beta if of_spin else alpha + beta


def main():
    values = {}
    whole, donor, acceptor = (pyscf.gto.M(atom=atoms, basis="cc-pvdz", verbose=0)
                              for atoms in (DONOR + "; " + ACCEPTOR, DONOR, ACCEPTOR))
    fields = {}
    for name, molecule in (("dimer", whole), ("dimer_donor", donor), ("dimer_acceptor", acceptor)):
        fields[name] = (molecule, solved(molecule))
        write(*fields[name], EXAMPLES / f"water_{name}.molden.gz", WRITTEN)
    rho = {name: density(*field) for name, field in fields.items()}
    values["deformation"] = rho["dimer"] - rho["dimer_donor"] - rho["dimer_acceptor"]
    values["weighted"] = 0.25 * (2 * rho["dimer"] - rho["dimer_donor"]) / 0.5 - rho["dimer_acceptor"]
    orbitals = {name: psi(*field) for name, field in fields.items()}
    homo, lumo = orbitals["dimer"][:, 9], orbitals["dimer"][:, 10]
    values["mixed"] = 0.6 * homo - 0.8 * lumo
    values["transition"] = homo * lumo
    values["difference"] = homo ** 2 - lumo ** 2
    values["hole"] = rho["dimer"] - (0.6 * homo + 0.8 * lumo) ** 2
    values["between"] = 1.5 * orbitals["dimer_donor"][:, 4] * orbitals["dimer_acceptor"][:, 3]

    # The example has the exact geometry of the ions.
    neutral = molden.load(str(EXAMPLES / "water.molden"))[0]
    atoms = [(neutral.atom_symbol(i), neutral.atom_coord(i)) for i in range(3)]
    build = dict(atom=atoms, unit="bohr", basis="sto-3g", verbose=0)
    water = pyscf.gto.M(**build)
    ions = {"anion": (-1, 1), "cation": (1, 1)}
    found = {"neutral": (water, solved(water))}
    for name, (charge, spin) in ions.items():
        molecule = pyscf.gto.M(**build, charge=charge, spin=spin)
        found[name] = (molecule, solved(molecule, True))
        write(*found[name], EXAMPLES / f"water_{name}.molden")
    of_ions = {name: density(*field) for name, field in found.items()}
    values["f_plus"] = of_ions["anion"] - of_ions["neutral"]
    values["f_minus"] = of_ions["neutral"] - of_ions["cation"]
    values["f_zero"] = (of_ions["anion"] - of_ions["cation"]) / 2
    values["spins"] = density(*found["cation"], of_spin=True) - density(*found["anion"], of_spin=True)
    shape = tuple(GRID["shape"][::-1])
    np.savez_compressed(HERE / "combinations.npz", **GRID, **{name: v.reshape(shape) for name, v in values.items()})


if __name__ == "__main__":
    main()
