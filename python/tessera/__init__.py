"""Tessera in Python: results as tables and grids, and computations without files.

>>> import tessera
>>> with tessera.open("run.h5") as run:      # a result of tessera dock
...     print(run.poses().head())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tessera.errors import Error

if TYPE_CHECKING:
    from tessera.device import start_device
    from tessera.docking import dock
    from tessera.docking_result import DockingResult
    from tessera.likelihood import Likelihood, star_columns
    from tessera.orbital_result import OrbitalResult
    from tessera.result_folders import PairsFolder, ScreenFolder
    from tessera.results import open_result as open
    from tessera.sample_result import SampleResult
    from tessera.screen_result import ShardResult
    from tessera.stream_result import FitResult, LikelihoodResult
    from tessera.streams import fit, simulate
    from tessera.wavefunction import Grid, Wavefunction

__all__ = ["DockingResult", "Error", "FitResult", "Grid", "Likelihood", "LikelihoodResult", "OrbitalResult",
           "PairsFolder", "SampleResult", "ScreenFolder", "ShardResult", "Wavefunction", "dock", "fit", "open",
           "simulate", "star_columns", "start_device"]

# The program starts through this package too, so nothing large is imported before it is used.
_HOMES = {"open": ("tessera.results", "open_result"), "Likelihood": ("tessera.likelihood", "Likelihood"),
          "star_columns": ("tessera.likelihood", "star_columns"),
          "Wavefunction": ("tessera.wavefunction", "Wavefunction"), "Grid": ("tessera.wavefunction", "Grid"),
          "dock": ("tessera.docking", "dock"), "fit": ("tessera.streams", "fit"),
          "simulate": ("tessera.streams", "simulate"), "start_device": ("tessera.device", "start_device"),
          "DockingResult": ("tessera.docking_result", "DockingResult"),
          "OrbitalResult": ("tessera.orbital_result", "OrbitalResult"),
          "LikelihoodResult": ("tessera.stream_result", "LikelihoodResult"),
          "FitResult": ("tessera.stream_result", "FitResult"),
          "SampleResult": ("tessera.sample_result", "SampleResult"),
          "ShardResult": ("tessera.screen_result", "ShardResult"),
          "PairsFolder": ("tessera.result_folders", "PairsFolder"),
          "ScreenFolder": ("tessera.result_folders", "ScreenFolder")}


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'tessera' has no attribute '{name}'")
    module, attribute = _HOMES[name]
    return getattr(importlib.import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
