"""Starts the program `tessera` that this package brings."""

import os
import sys
from pathlib import Path

from tessera.errors import Error


def path() -> str:
    """Path of the program, for example for ``mpirun`` or ``subprocess``."""
    program = Path(__file__).resolve().parent / "bin" / "tessera"
    if not program.is_file():
        raise Error(
            f"the program tessera is missing (looked for {program}): install the package again with pip"
        )
    return str(program)


def main() -> None:
    """Becomes the program, with the arguments of this process."""
    try:
        program = path()
        os.execv(program, [program, *sys.argv[1:]])
    except (Error, OSError) as error:
        sys.exit(f"tessera: {error}")
