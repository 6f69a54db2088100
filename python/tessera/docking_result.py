"""Results of ``tessera dock`` and ``tessera rescore``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from tessera.errors import Error
from tessera.optional import require
from tessera.result_file import Result, text, texts

if TYPE_CHECKING:
    import gemmi
    import pandas

CONSENSUS = "consensus"
CONSENSUS_COLUMNS = ("pose_score", "contact_energy", "restraint_energy", "statistical_energy", "cdr_share", "neighbors", "set",
                     "rank")
EVALUATION_COLUMNS = ("dockq", "capri_class", "fnat", "interface_rmsd", "ligand_rmsd", "ligand_interface_ca_rmsd",
                      "copy")
EVALUATION_UNITS = {"ligand_rmsd": "angstrom", "interface_rmsd": "angstrom",
                    "ligand_interface_ca_rmsd": "angstrom"}


def rotation_matrix(quaternion: numpy.ndarray) -> numpy.ndarray:
    """The matrix [3, 3] of a unit quaternion w, x, y, z.

    >>> rotation_matrix([0.5 ** 0.5, 0, 0, 0.5 ** 0.5]).round(12) @ [1, 0, 0]
    array([0., 1., 0.])
    """
    w, x, y, z = quaternion
    return numpy.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


class RigidMotion(NamedTuple):
    """The motion that a pose stands for."""

    rotation: numpy.ndarray
    """Unit quaternion w, x, y, z"""
    center: numpy.ndarray
    """[3], angstrom: the point of the ligand file about which it turns"""
    translation: numpy.ndarray
    """[3], angstrom: where that point goes in the frame of the receptor file"""

    def __call__(self, points: numpy.ndarray) -> numpy.ndarray:
        """The moved points: [n, 3], angstrom."""
        return (points - self.center) @ rotation_matrix(self.rotation).T + self.translation


class DockingResult(Result):
    """Poses, clusters and structures of a docking.

    Every method takes the name of a list of poses: a coefficient set, or "consensus" for the refined poses.
    The default is "consensus" where the file has it, and otherwise the first set."""

    @property
    def sets(self) -> list[str]:
        """Names of the lists of poses, the default first."""
        names = texts(self._node("docking").attrs.get("sets", list(self._node("docking/poses"))))
        return [CONSENSUS] * self._has(f"docking/{CONSENSUS}") + names

    @property
    def symmetry(self) -> str:
        """"C3" of a ring of three copies (``--symmetry``), "D3" of an assembly of two such rings, and "" of receptor and
        ligand."""
        return text(self._node("docking").attrs.get("symmetry", ""))

    def conformers(self, partner: str) -> list[str]:
        """Names of the conformers of "receptor" or "ligand", such as "model 2 of 'ligand.pdb'". Empty if the partner has
        one."""
        path = f"docking/conformers/{partner}/name"
        return texts(self._values(path)) if self._has(path) else []

    def conformer(self, partner: str, pose: int = 0, set: str | None = None) -> int:
        """Place of the conformer that a pose has, from 0."""
        path = f"{self._poses_path(self._name(set))}/{partner}_conformer"
        return int(self._values(path)[pose]) if self._has(path) else 0

    def poses(self, set: str | None = None) -> pandas.DataFrame:
        """One row for each pose, the best first. Its index is the number of the pose, from 0.

        Columns: ``score``; the terms without weights; the quaternion ``w``, ``x``, ``y``, ``z`` of the
        rotation; and the position ``center_x``, ``center_y``, ``center_z`` of the ligand's centre in the
        frame of the receptor file (angstrom). The consensus also has ``pose_score``, ``contact_energy``,
        ``statistical_energy`` (where the weights have statistical terms), ``cdr_share`` (of antibodies), ``neighbors``, ``search_...`` (the terms of
        the search), ``set`` and ``rank`` (where the pose came from).

        A run with ``--restraints`` also has ``restraints_satisfied`` and ``restraints_fraction``, and the consensus
        ``restraint_energy``. A run with several conformers of a partner has ``receptor_conformer`` and
        ``ligand_conformer``, which are places in `conformers`, from 0. A pose of a ring (`symmetry`) places its second copy, and so does a pose of an assembly; its
        opposite copy is in the file."""
        pandas = require("pandas", "tables")
        name = self._name(set)
        group = self._poses_path(name)
        columns: dict[str, Any] = {"score": self._values(f"{group}/score")}
        columns.update(self._term_columns(f"{group}/terms", ""))
        if name == CONSENSUS:
            columns.update(self._term_columns(f"{group}/search_terms", "search_"))
            for column in CONSENSUS_COLUMNS:
                if self._has(f"{group}/{column}"):
                    columns[column] = self._values(f"{group}/{column}")
            if "set" in columns:
                columns["set"] = numpy.array(self.sets[1:], dtype=object)[columns["set"]]
        columns.update(zip("wxyz", self.rotations(name).T))
        columns.update(zip(("center_x", "center_y", "center_z"), self.translations(name).T))
        for column in ("satisfied", "fraction"):
            if self._has(f"docking/restraints/{column}/{name}"):
                columns[f"restraints_{column}"] = self._values(f"docking/restraints/{column}/{name}")
        for column in ("receptor_conformer", "ligand_conformer"):
            if self._has(f"{group}/{column}"):
                columns[column] = self._values(f"{group}/{column}")
        return self._table(pandas, columns, "pose", name,
                           dict.fromkeys(("center_x", "center_y", "center_z"), "angstrom"))

    def clusters(self, set: str | None = None) -> pandas.DataFrame:
        """One row for each cluster, the largest first. Columns: ``center`` (number of the pose at the centre),
        ``size``, and ``members`` (array of the numbers of its poses, in ascending order)."""
        pandas = require("pandas", "tables")
        name = self._name(set)
        group = f"docking/{CONSENSUS}/clusters" if name == CONSENSUS else f"docking/clusters/{name}"
        size = self._values(f"{group}/size")
        members = numpy.split(self._values(f"{group}/members"), numpy.cumsum(size)[:-1])
        column = numpy.empty(len(size), dtype=object)
        for number in range(len(size)):
            column[number] = members[number]
        return self._table(pandas, {"center": self._values(f"{group}/center"), "size": size,
                                    "members": column}, "cluster", name, {})

    def evaluation(self, set: str | None = None) -> pandas.DataFrame:
        """One row for each pose, compared with the known complex: ``dockq``, ``capri_class`` (0 incorrect, 1 acceptable,
        2 medium, 3 high), ``fnat``, and ``interface_rmsd``, ``ligand_rmsd`` and ``ligand_interface_ca_rmsd``
        (angstrom). If the ligand has several equivalent places, ``copy`` is the one that the values refer to, and
        ``attrs["chains"]`` of the table says which chains were matched there."""
        pandas = require("pandas", "tables")
        name = self._name(set)
        group = f"docking/{CONSENSUS}/evaluation" if name == CONSENSUS else f"docking/evaluation/{name}"
        if not self._has(group):
            raise Error(f"'{self.path}' has no evaluation (its run had no --reference): "
                        "add one with tessera rescore --reference COMPLEX")
        columns = {column: self._values(f"{group}/{column}") for column in EVALUATION_COLUMNS
                   if self._has(f"{group}/{column}")}
        table = self._table(pandas, columns, "pose", name, EVALUATION_UNITS)
        if "copy" in columns:
            table.attrs["chains"] = texts(self._node(f"{group}/copy").attrs["chains"])
        return table

    def rotations(self, set: str | None = None) -> numpy.ndarray:
        """Rotations of all poses, as unit quaternions w, x, y, z: [poses, 4]."""
        name = self._name(set)
        stored = self._values(f"{self._poses_path(name)}/rotation")
        return stored if name == CONSENSUS else self._values("docking/rotations")[stored]

    def translations(self, set: str | None = None) -> numpy.ndarray:
        """Positions of the ligand's centre in the frame of the receptor file: [poses, 3], angstrom."""
        return self._values(f"{self._poses_path(self._name(set))}/translation")

    def move(self, points: numpy.ndarray, pose: int = 0, set: str | None = None, *, copy: int = 1) -> numpy.ndarray:
        """Where a pose puts points of the ligand file: [n, 3], angstrom, in the frame of the receptor file. In a ring
        of n copies, copy 0 is the receptor, and `copy` is 1 to n - 1. In an assembly, n to 2 n - 1 are the copies of the
        other ring. The lists of sets hold single rings in any case."""
        name = self._name(set)
        rotations = self.rotations(name)
        if not 0 <= pose < len(rotations):
            raise Error(f"there is no pose {pose} ({name} has {len(rotations)}): choose 0 to {len(rotations) - 1}")
        last = self._copies(name) - 1
        if not 1 <= copy <= last:
            raise Error(f"there is no copy {copy} (the complex has {last} beside the receptor): choose 1 to {last}")
        center = self._values("docking/ligand_center")
        motion = RigidMotion(rotations[pose], center, self.translations(name)[pose])
        moved = numpy.asarray(points, dtype=float)
        if copy >= self._ring_copies():
            copy -= self._ring_copies()
            moved = RigidMotion(self._values(f"docking/{CONSENSUS}/opposite_rotation")[pose], center,
                                self._values(f"docking/{CONSENSUS}/opposite_translation")[pose])(moved)
        for _ in range(copy):
            moved = motion(moved)
        return moved

    def structure(self, pose: int = 0, set: str | None = None, *, receptor: str | None = None,
                  ligand: str | None = None) -> gemmi.Structure:
        """The complex of a pose, from the atoms that the result holds (heavy atoms of protein residues). A ring or an
        assembly has all of its copies.

        Results of earlier versions hold none. For them, and for every atom of the files, `receptor` and
        `ligand` name the docked files; the default is where they were."""
        from tessera.posed_structure import posed_structure

        name = self._name(set)
        return posed_structure(self, pose, name, receptor, ligand, self._copies(name))

    def _ring_copies(self) -> int:
        """Copies of a ring. Receptor and ligand count as two."""
        return int(self.symmetry[1:] or 2)

    def _copies(self, name: str) -> int:
        """Copies in a pose of a list: those of both rings in an assembly."""
        return self._ring_copies() * (2 if self.symmetry.startswith("D") and name == CONSENSUS else 1)

    def _name(self, set: str | None) -> str:
        names = self.sets
        if set is None:
            return names[0]
        if set not in names:
            raise Error(f"'{self.path}' has no set '{set}' (it has {', '.join(names)}): choose one of them")
        return set

    def _poses_path(self, name: str) -> str:
        return f"docking/{CONSENSUS}" if name == CONSENSUS else f"docking/poses/{name}"

    def _term_columns(self, path: str, prefix: str) -> dict[str, numpy.ndarray]:
        if not self._has(path):
            return {}
        names = texts(self._node(path).attrs["names"])
        return {prefix + name: column for name, column in zip(names, self._values(path).T)}

    def _table(self, pandas: Any, columns: dict[str, Any], index: str, name: str,
               units: dict[str, str]) -> pandas.DataFrame:
        table = pandas.DataFrame(columns)
        table.index.name = index
        table.attrs.update(set=name, units={column: unit for column, unit in units.items() if column in columns})
        return table
