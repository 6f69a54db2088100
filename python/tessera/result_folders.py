"""Folders of results: those of ``tessera dock --pairs`` and of ``tessera screen``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tessera.docking_result import DockingResult
from tessera.errors import Error
from tessera.optional import require
from tessera.result_file import open_file
from tessera.screen_result import ShardResult

if TYPE_CHECKING:
    import gemmi
    import pandas

TEXTS = ("name", "receptor", "ligand", "status", "reason", "warnings")


Kind = TypeVar("Kind", bound="ResultFolder")


class ResultFolder:
    """What the folders have in common. A folder holds no open file, so it need not be closed."""

    summary = ""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        """The folder."""

    @property
    def complete(self) -> bool:
        """Whether the run has ended. Until then the table tells which pairs are done."""
        return not (self.path / f"{self.summary}.partial").exists()

    def table(self) -> pandas.DataFrame:
        """The table of all pairs that the run writes, with the names of its columns. Missing numbers are NaN, and
        missing texts are empty."""
        pandas = require("pandas", "tables")
        file = self.path / self.summary
        try:
            columns = list(pandas.read_csv(file, nrows=0))
            return pandas.read_csv(file, dtype={name: str for name in columns if name in TEXTS}, keep_default_na=False,
                                   na_values={name: [""] for name in columns if name not in TEXTS})
        except (OSError, ValueError) as problem:
            why = str(problem).replace("\n", " ")
            raise Error(f"cannot read '{file}' ({why}): give the command of the run again") from None

    def close(self) -> None:
        """Does nothing: no file is open."""

    def __enter__(self: Kind) -> Kind:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self.path)!r}>"


class PairsFolder(ResultFolder):
    """The results of ``tessera dock --pairs``, a file for each pair."""

    summary = "pairs.csv"

    @property
    def pairs(self) -> list[str]:
        """Names of the pairs that are done."""
        table = self.table()
        return list(table["name"][table["status"] == "done"])

    def open(self, pair: str) -> DockingResult:
        """Opens the result of a pair, for a ``with`` block."""
        if not (self.path / f"{pair}.h5").is_file():
            raise Error(f"'{self.path}' has no result of a pair '{pair}' (the table has no such name, or the pair is "
                        "not done): choose one of pairs")
        return DockingResult(open_file(self.path / f"{pair}.h5"))


class ScreenFolder(ResultFolder):
    """The results of ``tessera screen`` or ``tessera merge``: a table of all pairs, and shards with their poses. A pair
    is called RECEPTOR__LIGAND."""

    summary = "screen.csv"

    @property
    def shards(self) -> list[Path]:
        """The files with the poses. `tessera.open` opens them."""
        return sorted((self.path / "poses").glob("shard-*.h5"))

    def poses(self, pair: str) -> pandas.DataFrame:
        """The poses of a pair, as `ShardResult.poses` gives them. Looks through the shards."""
        with self._shard_of(pair) as shard:
            return shard.poses(pair)

    def structure(self, pair: str, pose: int = 0, *, receptor: str | None = None,
                  ligand: str | None = None) -> gemmi.Structure:
        """The complex of a pose, as `ShardResult.structure` gives it. Looks through the shards."""
        with self._shard_of(pair) as shard:
            return shard.structure(pair, pose, receptor=receptor, ligand=ligand)

    @property
    def redocked(self) -> PairsFolder:
        """The pairs that were docked again (``--redock``). Raises Error if there are none."""
        if not (self.path / "redocked" / PairsFolder.summary).exists():
            raise Error(f"'{self.path}' has no pairs that were docked again (the screening had no --redock): "
                        "give the command of the run again, with --redock N")
        return PairsFolder(self.path / "redocked")

    def _shard_of(self, pair: str) -> ShardResult:
        for path in self.shards:
            shard = ShardResult(open_file(path))
            if pair in shard.pairs:
                return shard
            shard.close()
        raise Error(f"'{self.path}' has no poses of a pair '{pair}' (no shard has them; pairs that failed have none): "
                    "choose a pair of table(), as in RECEPTOR__LIGAND")


SUMMARIES = (ScreenFolder.summary, PairsFolder.summary)


def open_folder(path: str | os.PathLike[str]) -> PairsFolder | ScreenFolder | None:
    """The folder, or nothing if it is neither."""
    for kind in (ScreenFolder, PairsFolder):
        if os.path.isfile(os.path.join(path, kind.summary)):
            return kind(path)
    return None
