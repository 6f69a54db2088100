"""Opens result files."""

from __future__ import annotations

import os

from tessera.docking_result import DockingResult
from tessera.errors import Error
from tessera.orbital_result import OrbitalResult
from tessera.result_file import Result, open_file, text
from tessera.sample_result import SampleResult
from tessera.stream_result import FitResult, LikelihoodResult

CLASSES = {"dock": DockingResult, "orbital": OrbitalResult, "likelihood": LikelihoodResult, "fit": FitResult,
           "sample": SampleResult}


def open_result(path: str | os.PathLike[str]) -> (DockingResult | OrbitalResult | LikelihoodResult | FitResult |
                                                          SampleResult):
    """Opens a complete result of any workload. Nothing but the header is read.

    >>> with open_result("run.h5") as run:
    ...     print(run.poses().head())

    Raises Error, with one line, if the file is missing, incomplete or something else."""
    file = open_file(path)
    workload = text(file.attrs.get("workload", ""))
    if workload in CLASSES:
        return CLASSES[workload](file)
    file.close()
    raise Error(f"'{os.fspath(path)}' is the result of an unknown workload '{workload}' "
                "(a later version of tessera may have written it): install a later version of this package")


__all__ = ["Result", "open_result"]
