"""The complex of a docked pose as a gemmi structure."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING

import numpy

from tessera.errors import Error
from tessera.optional import require
from tessera.result_file import text, texts

if TYPE_CHECKING:
    import gemmi

    from tessera.docking_result import DockingResult

Move = Callable[[numpy.ndarray], numpy.ndarray]


def posed_structure(result: DockingResult, pose: int, set_name: str, receptor: str | None,
                    ligand: str | None, copies: int) -> gemmi.Structure:
    """One model with the chains of the receptor and the moved chains of the ligand, or of all copies of a ring."""
    gemmi = require("gemmi", "structures")
    if result.symmetry:
        receptor = ligand = receptor or ligand
    moves = [partial(result.move, pose=pose, set=set_name, copy=copy) for copy in range(1, copies)]
    partners = [read_partner(gemmi, result, partner, path, result.conformer(partner, pose, set_name))
                for partner, path in (("receptor", receptor), ("ligand", ligand))]
    return complex_of(gemmi, *partners, moves,
                      f"{os.path.basename(result.path)} {set_name} pose {pose}")


def complex_of(gemmi: ModuleType, receptor: gemmi.Structure, ligand: gemmi.Structure, moves: Sequence[Move],
               name: str) -> gemmi.Structure:
    """The receptor, and the ligand once for each of the moves. A chain of the ligand whose name the complex has already
    gets a free one."""
    for move in moves:
        moved = ligand[0].clone()
        move_atoms(gemmi, moved, move)
        for chain in moved:
            receptor[0].add_chain(chain, unique_name=True)
    receptor.name = name
    receptor.setup_entities()
    return receptor


def read_partner(gemmi: ModuleType, result: DockingResult, partner: str, path: str | None,
                 conformer: int) -> gemmi.Structure:
    """The docked atoms of the result, or the docked chains of the first model of a partner's file."""
    atoms = f"docking/{partner}/atoms"
    if path is None and result._has(atoms):
        return stored_partner(gemmi, result, atoms, conformer and
                              result._values(f"docking/conformers/{partner}/position")[conformer])
    if result.conformers(partner) or result.run.input.get(f"{partner}_models"):
        raise Error(f"'{path}' cannot be placed (the run has docked other conformers of the {partner} than the first "
                    f"model): leave out {partner}=PATH, for the result holds their atoms")
    return docked_file(gemmi, partner, path or result.run.input.get(partner, ""),
                       result.run.input.get(f"{partner}_chains"),
                       text(result.file["docking"].attrs.get(f"{partner}_sha256", "")))


def docked_file(gemmi: ModuleType, partner: str, path: str, chains: list[str] | None, sha256: str) -> gemmi.Structure:
    """The docked chains (none: all) of the first model of a partner's file."""
    check_contents(partner, path, sha256)
    try:
        structure = gemmi.read_structure(path)
    except (OSError, RuntimeError, ValueError) as problem:
        raise Error(f"cannot read '{path}' ({problem}): give a PDB or mmCIF file") from None
    while len(structure) > 1:
        del structure[1]
    chains = chains or [chain.name for chain in structure[0]]
    for name in {chain.name for chain in structure[0]} - set(chains):
        structure[0].remove_chain(name)
    return structure


def stored_partner(gemmi: ModuleType, result: DockingResult, atoms: str, moved: numpy.ndarray | int) -> gemmi.Structure:
    """The atoms that the result holds: heavy atoms of protein residues, and of molecules kept beside them. `moved`: their
    places in another conformer than the first, or 0."""
    names = numpy.array(texts(result._values(f"{atoms}/texts")), dtype=object)
    name, residue_name, chain_name, element = (
        names[result._values(f"{atoms}/{column}")] for column in ("name", "residue_name", "chain", "element"))
    number, code, residue_index, b_factor, position = (
        result._values(f"{atoms}/{column}")
        for column in ("residue_number", "insertion_code", "residue_index", "b_factor", "position"))
    if isinstance(moved, numpy.ndarray):
        position = moved
    hetero = result._values(f"{atoms}/hetero") if result._has(f"{atoms}/hetero") else numpy.zeros(len(name), bool)
    structure = gemmi.Structure()
    model = structure.add_model(gemmi.Model(1))
    for i in range(len(name)):
        if i == 0 or chain_name[i] != chain_name[i - 1]:
            chain = model.add_chain(gemmi.Chain(chain_name[i]))
        if i == 0 or residue_index[i] != residue_index[i - 1]:
            residue = gemmi.Residue()
            residue.name, residue.seqid = residue_name[i], gemmi.SeqId(int(number[i]), chr(code[i]))
            residue.het_flag = "H" if hetero[i] else "A"
            residue = chain.add_residue(residue)
        atom = gemmi.Atom()
        atom.name, atom.element, atom.b_iso = name[i], gemmi.Element(element[i]), float(b_factor[i])
        atom.pos = gemmi.Position(*position[i])
        residue.add_atom(atom)
    structure.merge_chain_parts()
    return structure


def check_contents(partner: str, path: str, sha256: str) -> None:
    """Raises Error unless the file is the one that was docked."""
    what_to_do = f"name the docked file: structure(..., {partner}=PATH)"
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as problem:
        raise Error(f"cannot open the {partner} '{path}' ({problem.strerror}): {what_to_do}") from None
    if sha256 and hashlib.sha256(content).hexdigest() != sha256:
        raise Error(f"'{path}' is not the {partner} that was docked (its contents differ): {what_to_do}")


def move_atoms(gemmi: ModuleType, model: gemmi.Model, move: Move) -> None:
    atoms = [atom for chain in model for residue in chain for atom in residue]
    points = numpy.array([atom.pos.tolist() for atom in atoms]).reshape(-1, 3)
    for atom, position in zip(atoms, move(points)):
        atom.pos = gemmi.Position(*position)
