"""Packages that only some calls need."""

import importlib
from types import ModuleType

from tessera.errors import Error


def require(module: str, purpose: str) -> ModuleType:
    """The module. Raises Error that names what to install if it is missing.

    >>> require("no_such_module", "tables")
    Traceback (most recent call last):
    tessera.errors.Error: the Python package no_such_module is missing (needed for tables): pip install no_such_module
    """
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        name = missing.name or module
        raise Error(
            f"the Python package {name} is missing (needed for {purpose}): pip install {name}"
        ) from None
