"""Heavy atoms of a protein with the program's 18 atom types.

The table is data/atoms/charmm19_ace.csv, the one that the program reads; the rules are those of
docs/method/docking-atoms.md: first model, no hydrogens, of alternate locations one per atom, modified
residues under their parent's name, unknown atoms as type CB.
"""

import csv
import dataclasses
import pathlib

import gemmi
import numpy as np

ATOM_TABLE = pathlib.Path(__file__).resolve().parent.parent / "data/atoms/charmm19_ace.csv"
TYPES = ("N CA C O GCA CB KNZ KCD DOD RNH NND RNE SOG HNE YCZ FCZ LCD CSG").split()
UNKNOWN = ("CB", 0.0, 2.0)


@dataclasses.dataclass
class Molecule:
    """Atoms in the file's order: positions [n,3] A, types [n] (row of TYPES), charges [n] e without
    those of chain ends, radii [n] A, residue [n] (running number)."""

    positions: np.ndarray
    types: np.ndarray
    charges: np.ndarray
    radii: np.ndarray
    residue: np.ndarray
    names: list


def read_atom_table(path=ATOM_TABLE):
    """{(residue, atom): (type, charge, radius)}"""
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["residue"], row["atom"]): (row["type"], float(row["charge"]), float(row["radius"]))
                for row in rows}


def parent_of(residue):
    """Three-letter name of the standard residue that a modified one is kept under, or None."""
    info = gemmi.find_tabulated_residue(residue)
    if not info.is_amino_acid():
        return None
    letter = info.one_letter_code.upper()
    return gemmi.expand_one_letter(letter, gemmi.ResidueKind.AA) if letter.isalpha() else None


def read_molecule(path, chains=None):
    """The Molecule of a PDB or mmCIF file (plain or .gz); `chains` a set of names, None for all."""
    table = read_atom_table()
    atoms, names = [], []
    structure = gemmi.read_structure(str(path))
    structure.remove_hydrogens()
    structure.remove_alternative_conformations()
    number = 0
    for chain in structure[0]:
        if chains is not None and chain.name not in chains:
            continue
        for residue in chain:
            parent = parent_of(residue.name)
            if parent is None and (residue.het_flag == "H" or residue.is_water()):
                continue
            number += 1
            for atom in residue:
                kind, charge, radius = (table.get((residue.name, atom.name))
                                        or table.get((parent, atom.name)) or UNKNOWN)
                atoms.append((*atom.pos.tolist(), TYPES.index(kind), charge, radius, number))
                names.append(atom.name)
    if not atoms:
        raise SystemExit(f"no protein atoms in '{path}' (chains {chains}): check file and chains")
    columns = np.array(atoms)
    return Molecule(columns[:, :3].copy(), columns[:, 3].astype(int), columns[:, 4].copy(),
                    columns[:, 5].copy(), columns[:, 6].astype(int), names)


def rotation_matrix(quaternion):
    """[...,3,3] of unit quaternions [...,4], scalar first."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, float), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.stack([np.stack(row, -1) for row in rows], -2)
