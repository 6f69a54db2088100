"""Arguments of calls: what they must be, told in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tessera.errors import Error


def whole(name: str, value: Any) -> int:
    """A whole number that the program can take.

    >>> whole("number", 2.5)
    Traceback (most recent call last):
    tessera.errors.Error: number is 2.5 (it is a whole number from 0): correct it
    """
    try:
        if int(value) == value and 0 <= value < 2 ** 31 or name == "seed" and 0 <= int(value) == value < 2 ** 63:
            return int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise Error(f"{name} is {value!r} (it is a whole number from 0): correct it")


def real(name: str, value: Any) -> float:
    """A number.

    >>> real("memory", "much")
    Traceback (most recent call last):
    tessera.errors.Error: memory is 'much' (it is a number): correct it
    """
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Error(f"{name} is {value!r} (it is a number): correct it") from None


def word(name: str, value: Any) -> str:
    """A text."""
    if isinstance(value, str):
        return value
    raise Error(f"{name} is {value!r} (it is a text): correct it")


def listed(name: str, value: str | Sequence[str]) -> str:
    """A list as the command takes it, with commas.

    >>> listed("orbitals", ["HOMO", "LUMO"])
    'HOMO,LUMO'
    >>> listed("orbitals", 5)
    Traceback (most recent call last):
    tessera.errors.Error: orbitals is 5 (it is a text such as "HOMO,LUMO", or a list of texts): correct it
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) and all(isinstance(one, str) for one in value):
        return ",".join(value)
    raise Error(f'{name} is {value!r} (it is a text such as "HOMO,LUMO", or a list of texts): correct it')
