"""Tessera in Python: results as tables and grids, and computations without files.

>>> import tessera
>>> with tessera.open("run.h5") as run:      # a result of tessera dock
...     print(run.poses().head())
"""

from __future__ import annotations

from typing import Any

from tessera.errors import Error

__all__ = ["Error", "Grid", "Likelihood", "Wavefunction", "dock", "fit", "open", "simulate", "start_device"]

# The program starts through this package too, so nothing large is imported before it is used.
_HOMES = {"open": ("tessera.results", "open_result"), "Likelihood": ("tessera.likelihood", "Likelihood"),
          "Wavefunction": ("tessera.wavefunction", "Wavefunction"), "Grid": ("tessera.wavefunction", "Grid"),
          "dock": ("tessera.docking", "dock"), "fit": ("tessera.streams", "fit"),
          "simulate": ("tessera.streams", "simulate"), "start_device": ("tessera.device", "start_device")}


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'tessera' has no attribute '{name}'")
    module, attribute = _HOMES[name]
    return getattr(importlib.import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
