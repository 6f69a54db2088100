"""Shards of ``tessera screen``: the best poses of many pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from tessera.docking_result import RigidMotion
from tessera.errors import Error
from tessera.optional import require
from tessera.result_file import Result, text, texts

if TYPE_CHECKING:
    import gemmi
    import pandas

PARTNERS = ("receptor", "ligand")


class ShardResult(Result):
    """The ten best poses of every pair of a shard (``poses/shard-000000.h5``). A pair is called RECEPTOR__LIGAND."""

    @property
    def set(self) -> str:
        """Name of the coefficient set."""
        return text(self._node("screen/poses").attrs["set"])

    @property
    def pairs(self) -> list[str]:
        """Names of the pairs."""
        return [f"{receptor}__{ligand}" for receptor, ligand in zip(*(self._column(one, "name") for one in PARTNERS))]

    def poses(self, pair: str | None = None) -> pandas.DataFrame:
        """One row for each pose of a pair, or of all pairs, the best of each pair first.

        Index: ``receptor``, ``ligand`` and ``pose``, the number of the pose from 0; of one `pair` only ``pose``.
        Columns: ``score``; the terms without weights; ``cluster`` (from 1; 0: none); and the quaternion ``w``, ``x``,
        ``y``, ``z`` and the position ``center_x``, ``center_y``, ``center_z`` (angstrom) as those of a docking."""
        pandas = require("pandas", "tables")
        counts = self._values("screen/pairs/poses")
        chosen = slice(None) if pair is None else self._rows(self._place(pair))
        group = "screen/poses"
        names = texts(self._node(f"{group}/terms").attrs["names"])
        columns: dict[str, Any] = {"score": self._values(f"{group}/score", chosen)}
        columns.update(zip(names, self._values(f"{group}/terms", chosen).T))
        columns["cluster"] = self._values(f"{group}/cluster", chosen)
        columns.update(zip("wxyz", self._values("screen/rotations")[self._values(f"{group}/rotation", chosen)].T))
        centers = ("center_x", "center_y", "center_z")
        columns.update(zip(centers, self._values(f"{group}/translation", chosen).T))
        pose = numpy.concatenate([numpy.arange(count) for count in counts] or [counts])
        if pair is None:
            of_pair = [numpy.repeat(numpy.array(self._column(one, "name"), dtype=object), counts) for one in PARTNERS]
            index = pandas.MultiIndex.from_arrays([*of_pair, pose], names=[*PARTNERS, "pose"])
        else:
            index = pandas.Index(pose[chosen], name="pose")
        table = pandas.DataFrame(columns, index)
        table.attrs.update(set=self.set, units=dict.fromkeys(centers, "angstrom"))
        return table

    def structure(self, pair: str, pose: int = 0, *, receptor: str | None = None,
                  ligand: str | None = None) -> gemmi.Structure:
        """The complex of a pose, from the docked files. A shard holds no atoms, so the files must be unchanged.
        `receptor` and `ligand` name them if they have moved; the paths of the result are as in the lists."""
        from tessera.posed_structure import complex_of, docked_file

        gemmi = require("gemmi", "structures")
        place = self._place(pair)
        rows = self._rows(place)
        if not 0 <= pose < rows.stop - rows.start:
            raise Error(f"there is no pose {pose} ({pair} has {rows.stop - rows.start}): "
                        f"choose 0 to {rows.stop - rows.start - 1}")
        files = []
        for partner, moved_to in zip(PARTNERS, (receptor, ligand)):
            path, chains, sha256 = (self._column(partner, name)[place] for name in ("file", "chains", "sha256"))
            files.append(docked_file(gemmi, partner, moved_to or path, chains.split(";") if chains else None, sha256))
        rotation = self._values("screen/rotations")[self._values("screen/poses/rotation")[rows.start + pose]]
        motion = RigidMotion(rotation, self._values("screen/pairs/ligand_center")[place],
                             self._values("screen/poses/translation")[rows.start + pose])
        return complex_of(gemmi, *files, [motion], f"{pair} pose {pose}")

    def _column(self, partner: str, name: str) -> list[str]:
        """A property of the receptors or ligands, one for each pair."""
        values = texts(self._values(f"screen/{partner}s/{name}"))
        return [values[index] for index in self._values(f"screen/pairs/{partner}")]

    def _place(self, pair: str) -> int:
        pairs = self.pairs
        if pair not in pairs:
            held = f"it has {pairs[0]} to {pairs[-1]}" if pairs else "it has none"
            raise Error(f"'{self.path}' has no pair '{pair}' ({held}): choose one of its pairs, or another shard")
        return pairs.index(pair)

    def _rows(self, place: int) -> slice:
        """Where the poses of a pair stand."""
        ends = numpy.cumsum(self._values("screen/pairs/poses"))
        return slice(int(ends[place - 1]) if place else 0, int(ends[place]))
