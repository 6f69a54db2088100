"""The device that computes in this process."""

from __future__ import annotations

from typing import Any, NamedTuple

import tessera
from tessera import processor
from tessera.errors import Error


class Device(NamedTuple):
    """What computes: the backend ("openmp" or "serial"; "cuda" where the module has it), its name, and threads."""

    backend: str
    name: str
    threads: int


def kernels() -> Any:
    """The compiled module, in the build for this processor. Raises Error if it cannot be loaded."""
    folder = processor.build_folder()
    if folder and str(folder) not in tessera.__path__:
        tessera.__path__.append(str(folder))
    try:
        from tessera import _kernels
    except ImportError as problem:
        raise Error(f"the compiled module of tessera cannot be loaded ({problem}): "
                    "install the package with pip, and not from its sources alone") from None
    return _kernels


def start_device(device: str = "auto", threads: int = 0) -> Device:
    """Starts the device, and returns what runs. A process starts it once, at the latest with its first
    computation. `threads` 0 means ``OMP_NUM_THREADS``, or else one for each core."""
    return Device(*kernels().start_device(device, threads))
