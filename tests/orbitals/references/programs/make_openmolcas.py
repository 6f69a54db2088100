#!/usr/bin/env python3
"""Makes openmolcas_*.molden.gz of this folder with OpenMolcas, and PySCF's values of their orbitals, .npz.

    tests/orbitals/references/programs/make_openmolcas.py [FOLDER]

Water, RHF with functions up to g on the oxygen, spherical and Cartesian. The Molden files are as OpenMolcas wrote
them, without the orbitals that are not in ORBITALS. Values are those of a calculation of PySCF with its own copy of
the basis sets, which reads nothing of OpenMolcas. So orbitals agree up to their signs, and within the 8 decimals of
the Molden file. FOLDER, the one of this script by default, gets the files. Needs apt install openmolcas
and pip install pyscf."""

import gzip
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pyscf

FOLDER = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent
ANGSTROM = {"O": (0.10, -0.05, 0.07), "H1": (0.85, 0.42, -0.21), "H2": (-0.61, 0.55, 0.33)}
BASIS = {"O": "CC-PVQZ", "H": "CC-PVDZ"}
BOHR = 0.529177210903  # in angstrom
# Numbers from 0, or None for all: occupied orbitals, and virtual ones of mostly d, f and g functions.
ORBITALS = {"spherical": (0, 1, 4, 13, 27, 29, 35, 40, 44, 47), "cartesian": (0, 1, 4, 14, 29, 33, 47, 49, 52, 74)}


def deck(functions):
    """The input of OpenMolcas, with tighter thresholds than its own."""
    place = {name: "{} {} {} {} Angstrom".format(name, *r) for name, r in ANGSTROM.items()}
    kind = "Cartesian All\n" if functions == "cartesian" else ""
    text = "&GATEWAY\n"
    for element, names in (("O", ["O"]), ("H", ["H1", "H2"])):
        text += f"Basis set\n{element}.{BASIS[element]}.....\n"
        text += "".join(place[name] + "\n" for name in names) + kind + "End of basis\n"
    return text + "&SEWARD\n&SCF\nThreshold = 1e-12 1e-8 1e-8 1e-8\n"


def openmolcas(functions):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "water.input").write_text(deck(functions))
        environment = os.environ | {"WorkDir": f"{folder}/scratch", "MOLCAS_WORKDIR": folder}
        subprocess.run(["pymolcas", "water.input"], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        return (pathlib.Path(folder) / "water.scf.molden").read_text()


def chosen_orbitals(text, chosen):
    head, orbitals = text.split("[MO]\n")
    blocks = ["Sym=" + block for block in orbitals.split("Sym=")[1:]]
    chosen = range(len(blocks)) if chosen is None else chosen
    return head + "[MO]\n" + "".join(blocks[i] for i in chosen)


def pyscf_values(functions, chosen):
    atoms = [(name[0], np.array(r) / BOHR) for name, r in ANGSTROM.items()]
    molecule = pyscf.gto.M(atom=atoms, unit="Bohr", basis=BASIS, cart=functions == "cartesian", verbose=0)
    field = pyscf.scf.RHF(molecule)
    field.conv_tol, field.conv_tol_grad = 1e-12, 1e-9
    field.kernel()
    assert field.converged
    chosen = list(range(molecule.nao) if chosen is None else chosen)
    rng = np.random.default_rng(2026)
    directions = rng.normal(size=(40, 3))
    lengths = 10 ** rng.uniform(-1, 0.6, (40, 1))
    points = lengths * directions / np.linalg.norm(directions, axis=1)[:, None]
    points += molecule.atom_coords()[np.arange(40) % 3]
    kind = "GTOval_cart" if functions == "cartesian" else "GTOval_sph"
    values = molecule.eval_gto(kind, points) @ field.mo_coeff[:, chosen]
    return {"points_bohr": points, "psi_points": values, "energies": field.mo_energy[chosen]}


for functions, chosen in ORBITALS.items():
    name = f"openmolcas_{functions}"
    text = chosen_orbitals(openmolcas(functions), chosen)
    with gzip.GzipFile(FOLDER / f"{name}.molden.gz", "wb", mtime=0) as file:
        file.write(text.encode())
    np.savez_compressed(FOLDER / f"{name}.npz", **pyscf_values(functions, chosen))
