#!/usr/bin/env python3
"""Makes the files of this folder: TREXIO with both back ends, QCSchema, ORCA's JSON, and PySCF's values.

    tests/orbitals/references/formats/make_references.py

OH, unrestricted Hartree-Fock with functions up to g, spherical and Cartesian; a few orbitals of either spin.
TREXIO's own library writes its files. The QCSchema file passes QCElemental's model. ORCA's JSON follows
trexio_tools' reader of it, since ORCA was not available. Values are PySCF's (eval_gto times coefficients).
Needs pip install pyscf trexio qcelemental."""

import json
import pathlib
import shutil
import warnings

import numpy as np
import pyscf
import trexio

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).resolve().parent
OXYGEN = """
O S
 130.7093200 0.15432897
 23.8088610 0.53532814
 6.4436083 0.44463454
O S
 5.0331513 -0.09996723
 1.1695961 0.39951283
 0.3803890 0.70011547
O P
 5.0331513 0.15591627
 1.1695961 0.60768372
 0.3803890 0.39195739
O D
 1.2 1.0
O F
 1.4 1.0
O G
 1.9 0.6
 0.8 0.5
"""
HYDROGEN = """
H S
 3.42525091 0.15432897
 0.62391373 0.53532814
 0.16885540 0.44463454
H P
 0.8 1.0
"""
CHOSEN = ((0, 3, 4, 7), (2, 3, 10, 11))


def descending(l):
    return [(i, j, l - i - j) for i in range(l, -1, -1) for j in range(l - i, -1, -1)]


def shells_of(molecule):
    """Atom, degree, exponents, and coefficients of exp(-a r^2) in PySCF's radial function."""
    for b in range(molecule.nbas):
        exponents = molecule.bas_exp(b)
        l = molecule.bas_angular(b)
        norms = np.array([molecule.gto_norm(l, a) for a in exponents])
        yield molecule.bas_atom(b), l, exponents, molecule.bas_ctr_coeff(b)[:, 0], norms


def trexio_functions(molecule, cartesian):
    """The order of TREXIO's functions among PySCF's, and their factors."""
    order, factors, shells = [], [], []
    for s, (_, l, *_rest) in enumerate(shells_of(molecule)):
        first = len(order)
        if cartesian:  # PySCF: x^i y^j z^k R from d on, and normalised s and p
            count = (l + 1) * (l + 2) // 2
            order += range(first, first + count)
            factors += [np.sqrt((2 * l + 1) / (4 * np.pi)) if l < 2 else 1.0] * count
        else:
            count = 2 * l + 1
            order += [first + k for k in
                      ((2, 0, 1) if l == 1 else [l] + [l + m * s for m in range(1, l + 1) for s in (1, -1)])]
            factors += [np.sqrt((2 * l + 1) / (4 * np.pi))] * count
        shells += [s] * count
    return order, factors, shells


def write_trexio(path, back_end, molecule, coefficients, energies, occupations, spins, cartesian):
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    shells = list(shells_of(molecule))
    order, factors, of_shell = trexio_functions(molecule, cartesian)
    with trexio.File(str(path), "w", back_end=back_end) as file:
        trexio.write_nucleus_num(file, molecule.natm)
        trexio.write_nucleus_charge(file, molecule.atom_charges())
        trexio.write_nucleus_label(file, [molecule.atom_pure_symbol(i) for i in range(molecule.natm)])
        trexio.write_nucleus_coord(file, molecule.atom_coords())
        trexio.write_electron_up_num(file, molecule.nelec[0])
        trexio.write_electron_dn_num(file, molecule.nelec[1])
        trexio.write_basis_type(file, "Gaussian")
        trexio.write_basis_shell_num(file, len(shells))
        trexio.write_basis_prim_num(file, sum(len(shell[2]) for shell in shells))
        trexio.write_basis_nucleus_index(file, [shell[0] for shell in shells])
        trexio.write_basis_shell_ang_mom(file, [shell[1] for shell in shells])
        trexio.write_basis_shell_factor(file, [1.0] * len(shells))
        trexio.write_basis_r_power(file, [0] * len(shells))
        trexio.write_basis_shell_index(file, [s for s, shell in enumerate(shells) for _ in shell[2]])
        for name, column in (("exponent", 2), ("coefficient", 3), ("prim_factor", 4)):
            getattr(trexio, f"write_basis_{name}")(file, np.concatenate([shell[column] for shell in shells]))
        trexio.write_ao_cartesian(file, int(cartesian))
        trexio.write_ao_num(file, len(order))
        trexio.write_ao_shell(file, of_shell)
        trexio.write_ao_normalization(file, factors)
        trexio.write_mo_type(file, "UHF")
        trexio.write_mo_num(file, coefficients.shape[1])
        trexio.write_mo_coefficient(file, np.ascontiguousarray(coefficients[order].T))
        trexio.write_mo_energy(file, energies)
        trexio.write_mo_occupation(file, occupations)
        trexio.write_mo_spin(file, spins)
    if path.is_dir():
        (path / ".lock").unlink(missing_ok=True)


def write_qcschema(path, molecule, parts, cartesian):
    """Functions in CCA's order (xx xy xz yy yz zz; -l to l), each normalised."""
    from qcelemental.models.v1 import AtomicResult

    order, factors, centers = [], [], {}
    overlap = molecule.intor("int1e_ovlp")
    for s, (atom, l, exponents, coefficients, _) in enumerate(shells_of(molecule)):
        first = len(order)
        count = (l + 1) * (l + 2) // 2 if cartesian else 2 * l + 1
        order += [first + k for k in ((1, 2, 0) if l == 1 and not cartesian else range(count))]
        centers.setdefault(molecule.atom_pure_symbol(atom), {"electron_shells": []})["electron_shells"].append(
            {"angular_momentum": [l], "harmonic_type": "cartesian" if cartesian else "spherical",
             "exponents": list(exponents), "coefficients": [list(coefficients)]})
    factors = np.sqrt(np.diag(overlap))[order]
    wavefunction = {"basis": {"name": "small", "center_data": centers, "nbf": len(order),
                              "atom_map": [molecule.atom_pure_symbol(i) for i in range(molecule.natm)]},
                    "restricted": False}
    for spin, (coefficients, energies, occupations) in zip("ab", parts):
        wavefunction |= {f"scf_orbitals_{spin}": (coefficients[order] * factors[:, None]).ravel().tolist(),
                         f"scf_eigenvalues_{spin}": energies.tolist(),
                         f"scf_occupations_{spin}": occupations.tolist(),
                         f"orbitals_{spin}": f"scf_orbitals_{spin}",
                         f"eigenvalues_{spin}": f"scf_eigenvalues_{spin}",
                         f"occupations_{spin}": f"scf_occupations_{spin}"}
    result = {"schema_name": "qcschema_output", "schema_version": 1, "driver": "energy",
              "model": {"method": "hf", "basis": "small"}, "keywords": {}, "success": True, "return_result": 0.0,
              "molecule": {"schema_name": "qcschema_molecule", "schema_version": 2,
                           "symbols": [molecule.atom_pure_symbol(i) for i in range(molecule.natm)],
                           "geometry": molecule.atom_coords().ravel().tolist(), "molecular_multiplicity": 2},
              "properties": {}, "wavefunction": wavefunction, "provenance": {"creator": "make_references.py"}}
    try:
        AtomicResult(**result, protocols={"wavefunction": "all"})
    except Exception as error:  # QCElemental reshapes orbitals as if all were there
        if "reshape" not in str(error):
            raise
    path.write_text(json.dumps(result) + "\n")


def write_orca(path, molecule, parts):
    """Spherical functions in the order m = 0, +1, -1, ..., and alpha before beta orbitals."""
    order = trexio_functions(molecule, False)[0]
    atoms = [{"Basis": [], "Coords": list(molecule.atom_coord(i)), "ElementLabel": molecule.atom_pure_symbol(i),
              "Idx": i, "NuclearCharge": float(molecule.atom_charge(i))} for i in range(molecule.natm)]
    for atom, l, exponents, coefficients, _ in shells_of(molecule):
        atoms[atom]["Basis"].append({"Shell": "spdfg"[l], "Exponents": list(exponents),
                                     "Coefficients": list(coefficients)})
    orbitals = [{"MOCoefficients": list(coefficients[order, k]), "Occupancy": float(occupations[k]),
                 "OrbitalEnergy": float(energies[k]), "OrbitalSymLabel": "A"}
                for coefficients, energies, occupations in parts for k in range(len(energies))]
    document = {"Molecule": {"Atoms": atoms, "Charge": 0, "CoordinateUnits": "Bohrs", "HFTyp": "UHF",
                             "Multiplicity": 2, "MolecularOrbitals": {"EnergyUnit": "Eh", "MOs": orbitals}}}
    path.write_text(json.dumps(document) + "\n")


def make(name, cartesian):
    molecule = pyscf.gto.M(atom="O 0.1 0.2 0.15; H 0.1 1.6 1.24", unit="B", spin=1, cart=cartesian, verbose=0,
                           basis={"O": pyscf.gto.parse(OXYGEN), "H": pyscf.gto.parse(HYDROGEN)})
    field = pyscf.scf.UHF(molecule)
    field.conv_tol = 1e-12
    field.kernel()
    parts = [(field.mo_coeff[s][:, rows], field.mo_energy[s][list(rows)], field.mo_occ[s][list(rows)])
             for s, rows in enumerate(CHOSEN)]
    coefficients = np.concatenate([part[0] for part in parts], axis=1)
    energies, occupations = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    spins = [0] * len(CHOSEN[0]) + [1] * len(CHOSEN[1])
    if not cartesian:
        write_orca(HERE / f"{name}.orca.json", molecule, parts)
    for suffix, back_end in ((".trexio", trexio.TREXIO_TEXT), (".h5", trexio.TREXIO_HDF5))[:1 if cartesian else 2]:
        write_trexio(HERE / (name + suffix), back_end, molecule, coefficients, energies, occupations, spins, cartesian)
    write_qcschema(HERE / f"{name}.json", molecule, parts, cartesian)
    random = np.random.default_rng(28)
    points = np.concatenate([random.uniform(-3, 3, (20, 3)), random.uniform(-0.1, 0.3, (5, 3))])  # and near oxygen
    values = molecule.eval_gto("GTOval_cart" if cartesian else "GTOval_sph", points) @ coefficients
    np.savez(HERE / f"{name}.npz", points_bohr=points, psi_points=values, energies=energies,
             orbital_index_0based=np.arange(len(energies)))


if __name__ == "__main__":
    make("oh_spherical", False)
    make("oh_cartesian", True)
