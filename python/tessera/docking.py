"""Docking in this process, without files between."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

from tessera.arguments import real
from tessera.device import kernels
from tessera.docking_result import DockingResult
from tessera.errors import Error
from tessera.memory_result import result_of

if TYPE_CHECKING:
    import gemmi

    Structure = Union[str, os.PathLike[str], gemmi.Structure]


def dock(receptor: Structure, ligand: Structure | None = None, *, symmetry: str | None = None,
         reference: Structure | None = None, receptor_chains: str | Sequence[str] = (),
         ligand_chains: str | Sequence[str] = (), memory: float = 0.0, **options: Any) -> DockingResult:
    """Docks two proteins as ``tessera dock`` does, with its bits, on the device of this process. With `symmetry`, such
    as "C3", copies of the receptor are docked into a ring, and there is no ligand.

    `receptor`, `ligand` and `reference` (the known complex) are paths of PDB or mmCIF files, or gemmi structures.
    Chains are names, as in "A,B" or ["A", "B"]; the default is all. `memory` limits the memory of the device (GiB;
    0: most of the free memory). `options` are the other options of the command that decide the result, with ``_``
    for ``-``: ``rotations=600``, ``spacing=1.5``, ``refine=1000``, ``coefficients="balanced,vdw"``. The default of
    `rotations` is 70000, which takes minutes to hours on a CPU.

    The result has `poses`, `clusters`, `evaluation`, `structure` and so on, as that of `open`. `save` writes it to a
    file. Ctrl-C ends the search with KeyboardInterrupt. Raises Error as the command does.

    >>> dock("receptor.pdb", "ligand.pdb", rotatoins=600)
    Traceback (most recent call last):
    tessera.errors.Error: there is no option 'rotatoins' (did you mean 'rotations'?): see tessera dock --help
    """
    given: dict[str, Any] = dict(options, receptor_chains=_names(receptor_chains), ligand_chains=_names(ligand_chains))
    for name in ("reference_receptor_chains", "reference_ligand_chains"):
        if name in given:
            given[name] = _names(given[name])
    if (ligand is None) == (symmetry is None):
        raise Error("a docking takes a ligand or symmetry (a ring is made of copies of the receptor): give one of them")
    given["symmetry"] = symmetry
    for name, structure in (("receptor", receptor), ("ligand", ligand), ("reference", reference)):
        if structure is not None:
            given.update(_partner(name, structure))
    if symmetry is not None and "receptor_text" in given:
        given["ligand_text"] = given["receptor_text"]
    try:
        text = json.dumps({name: _plain(value) for name, value in given.items() if value is not None})
    except (TypeError, ValueError) as problem:
        raise Error(f"an option cannot be used ({problem}): give numbers and texts") from None
    return result_of(kernels().dock(text, real("memory", memory)), DockingResult, "the docking in memory")


def _names(chains: str | Sequence[str]) -> list[str]:
    return chains.split(",") if isinstance(chains, str) else list(chains)


def _plain(value: Any) -> Any:
    """Paths as text, and the numbers of NumPy as those of Python."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value.item() if hasattr(value, "item") else value


def _partner(name: str, structure: Structure) -> dict[str, str]:
    if isinstance(structure, (str, os.PathLike)):
        return {name: os.fspath(structure)}
    if not hasattr(structure, "make_mmcif_document"):
        raise Error(f"the {name} is of type {type(structure).__name__} (it is a path or a gemmi.Structure): "
                    "give one of them")
    copy = structure.clone()
    copy.setup_entities()  # without them, mmCIF has no atoms
    text = copy.make_mmcif_document().as_string()
    return {name: f"the {name} of gemmi", f"{name}_text": text}
