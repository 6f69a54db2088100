"""What the results of all workloads have in common: the file, and how it came about."""

from __future__ import annotations

import json
import os
from typing import Any, TypeVar

import h5py
import numpy

from tessera.errors import Error


def text(value: Any) -> str:
    """A text of the file, which h5py returns as bytes or as str."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def texts(values: Any) -> list[str]:
    return [text(value) for value in values]


def open_file(path: str | os.PathLike[str]) -> h5py.File:
    """Opens a complete result. Raises Error if the file is none."""
    path = os.fspath(path)
    if os.path.isdir(path) and os.path.exists(os.path.join(path, "run")):
        raise Error(
            f"'{path}' is a folder (a run keeps its progress in such a folder until it is complete): "
            "give the same command again, and open the file that it writes"
        )
    if os.path.isdir(path):
        raise Error(
            f"'{path}' is a folder (and not that of a screening or of docked pairs): "
            "give a result of tessera, such as run.h5"
        )
    if not os.path.exists(path):
        raise Error(f"cannot open '{path}' (no such file): check the name")
    try:
        file = h5py.File(path, "r")
    except OSError as problem:
        why = str(problem).replace("\n", " ")
        raise Error(
            f"cannot open '{path}' (it is damaged or not an HDF5 file; {why}): give a result of tessera"
        ) from None
    try:
        check_complete(path, file)
    except Error:
        file.close()
        raise
    return file


def check_complete(path: str, file: h5py.File) -> None:
    if text(file.attrs.get("program", "")) != "tessera":
        raise Error(f"'{path}' was not written by tessera (it does not say so): give a result of tessera")
    if int(file.attrs.get("complete", 0)) != 1:
        raise Error(f"'{path}' is incomplete (its run did not end): give the command of the run again")


class Run:
    """How a result came about (group ``/run`` of the file)."""

    def __init__(self, file: h5py.File) -> None:
        group = file["run"] if "run" in file else {}
        attributes = group.attrs if "run" in file else {}
        self.version: str = text(file.attrs.get("version", ""))
        """Version of the program."""
        self.created: str = text(file.attrs.get("created", ""))
        """Time in UTC, as in 2026-01-31T12:00:00Z."""
        self.command_line: str = text(attributes.get("command_line", ""))
        """The command as typed."""
        self.input: dict[str, Any] = json.loads(text(attributes.get("input", "{}")))
        """Every option, with all defaults."""
        self.input_sha256: str = text(attributes.get("input_sha256", ""))
        """Identifies the options and the contents of the input files."""
        self.build: dict[str, str] = json.loads(text(attributes.get("build", "{}")))
        """Git revision, compiler, and versions of the libraries."""
        self.warnings: list[str] = texts(attributes.get("warnings", ()))
        """What the program found odd about the input."""
        self.ranks: list[dict[str, Any]] = rows(group, "ranks")
        """One for each rank: host, device, backend, tiles_done, busy_seconds (s), and so on."""
        self.retries: list[dict[str, Any]] = rows(group, "retries")
        """One for each failure of a tile. The list is empty if all went well."""
        self.phases: dict[str, float] = {}
        """Seconds on rank 0 by phase."""
        for phase in rows(group, "phases"):
            self.phases[phase["name"]] = self.phases.get(phase["name"], 0.0) + phase["seconds"]

    def __repr__(self) -> str:
        ranks = "1 rank" if len(self.ranks) == 1 else f"{len(self.ranks)} ranks"
        return f"<run of {self.command_line!r}, {ranks}, {self.created}>"


def rows(group: Any, name: str) -> list[dict[str, Any]]:
    """The rows of a table, as Python values."""
    if name not in group:
        return []
    table = group[name][()]
    columns = table.dtype.names
    return [
        {column: text(value) if isinstance(value, bytes) else value.item()
         for column, value in zip(columns, row)}
        for row in table
    ]


Kind = TypeVar("Kind", bound="Result")


class Result:
    """An open result file. It reads only what is asked for. Close it, or use it in a ``with`` block."""

    def __init__(self, file: h5py.File) -> None:
        self.file = file
        """The file, for h5py."""
        self.path: str = file.filename
        self._run: Run | None = None

    @property
    def workload(self) -> str:
        """"dock", "orbital", "likelihood", "fit", "sample" or "screen"."""
        return text(self.file.attrs["workload"])

    @property
    def run(self) -> Run:
        """How the result came about."""
        self._check_open()
        if self._run is None:
            self._run = Run(self.file)
        return self._run

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """Writes this result to a file that ``tessera`` and `open` read. `force` replaces an existing file."""
        self._check_open()
        path = os.fspath(path)
        if os.path.lexists(path) and not force:
            raise Error(f"cannot write '{path}' (it exists): choose another name, or replace it with force=True")
        temporary = f"{path}.tmp-{os.getpid()}"
        try:
            with open(temporary, "wb") as file:
                file.write(self.file.id.get_file_image())
            os.replace(temporary, path)
        except OSError as problem:
            if os.path.exists(temporary):
                os.remove(temporary)
            raise Error(f"cannot write '{path}' ({problem.strerror}): choose another place") from None

    def close(self) -> None:
        """Closes the file. What was read before stays usable."""
        self.file.close()

    def __enter__(self: Kind) -> Kind:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self.file:
            return f"<closed result {self.path!r}>"
        return f"<{type(self).__name__} {self.path!r}>"

    def _check_open(self) -> None:
        if not self.file:
            raise Error(f"'{self.path}' is closed (its with block has ended): open it again")

    def _has(self, name: str) -> bool:
        self._check_open()
        return name in self.file

    def _node(self, name: str) -> Any:
        """A group or a dataset. Raises Error if the file lacks it."""
        if not self._has(name):
            raise Error(
                f"'{self.path}' has no {name} (the run did not compute it, or the file is damaged): "
                "see tessera info for what it holds"
            )
        return self.file[name]

    def _values(self, name: str, selection: Any = ()) -> numpy.ndarray:
        """Values of a dataset. Raises Error if the file lacks it or it cannot be read."""
        node = self._node(name)
        try:
            return node[selection]
        except OSError as problem:
            why = str(problem).replace("\n", " ")
            if _is_packed_by_zfp(node):
                raise Error(f"cannot read {name} of '{self.path}' (it is packed by zfp): pip install hdf5plugin, and "
                            "import hdf5plugin first") from None
            raise Error(f"cannot read {name} of '{self.path}' ({why}): the file is damaged; "
                        "run the command again") from None


def _is_packed_by_zfp(dataset: h5py.Dataset) -> bool:
    """Whether h5py needs the plugin of ``tessera orbital --zfp`` and lacks it."""
    zfp, creation = 32013, dataset.id.get_create_plist()
    return any(creation.get_filter(i)[0] == zfp for i in range(creation.get_nfilters())) and not h5py.h5z.filter_avail(zfp)
