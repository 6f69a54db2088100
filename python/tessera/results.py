"""Opens results."""

from __future__ import annotations

import os
from typing import Any

from tessera.docking_result import DockingResult
from tessera.errors import Error
from tessera.orbital_result import OrbitalResult
from tessera.result_file import Result, open_file, text
from tessera.result_folders import SUMMARIES, open_folder
from tessera.sample_result import SampleResult
from tessera.screen_result import ShardResult
from tessera.stream_result import FitResult, LikelihoodResult

CLASSES = {"dock": DockingResult, "orbital": OrbitalResult, "likelihood": LikelihoodResult, "fit": FitResult,
           "sample": SampleResult, "screen": ShardResult}


def open_result(path: str | os.PathLike[str]) -> Any:
    """Opens a complete result of any command. Nothing but the header is read.

    Returns a DockingResult, OrbitalResult, LikelihoodResult, FitResult or SampleResult, and a ShardResult for the poses
    of a screening. A folder of ``tessera dock --pairs`` is a PairsFolder, and one of ``tessera screen`` or ``tessera
    merge`` a ScreenFolder. The type is Any, so that a program can say what it expects:
    ``run: tessera.FitResult = tessera.open("fit.h5")``.

    >>> with open_result("run.h5") as run:
    ...     print(run.poses().head())

    Raises Error, with one line, if the file is missing, incomplete or something else."""
    folder = open_folder(path) if os.path.isdir(path) else None
    if folder:
        return folder
    if os.path.basename(path) in SUMMARIES and os.path.isfile(path):
        raise Error(f"'{os.fspath(path)}' is the table of a folder of results (it holds no result itself): "
                    f"open the folder '{os.path.dirname(path) or '.'}'")
    file = open_file(path)
    workload = text(file.attrs.get("workload", ""))
    if workload in CLASSES:
        return CLASSES[workload](file)
    file.close()
    raise Error(f"'{os.fspath(path)}' is the result of an unknown workload '{workload}' "
                "(a later version of tessera may have written it): install a later version of this package")


__all__ = ["Result", "open_result"]
