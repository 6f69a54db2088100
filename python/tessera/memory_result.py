"""Results that were computed in this process. They have the layout of result files, in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import h5py

from tessera.result_file import Result

Kind = TypeVar("Kind", bound=Result)


def result_of(write: Callable[[], bytes], kind: type[Kind], name: str) -> Kind:
    """The result that `write` returns as the bytes of a file."""
    with h5py._objects.phil:  # one thread at a time may use HDF5, which h5py and the module may share
        image = write()
    result = kind(h5py.File(h5py.h5f.open_file_image(image)))
    result.path = name
    return result
