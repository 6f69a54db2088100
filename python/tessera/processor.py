"""Which of the builds in this package suits the processor. A wheel may hold the program and the compiled module several
times, each for one level of x86-64 processors, in folders that are named as the levels."""

from __future__ import annotations

import os
from pathlib import Path

from tessera.errors import Error

# The features of each level (x86-64 psABI), as Linux writes them. The best level comes first.
_THIRD = frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe xsave".split())
_FOURTH = _THIRD | frozenset("avx512f avx512bw avx512cd avx512dq avx512vl".split())
LEVELS = {"x86-64-v4": _FOURTH, "x86-64-v3": _THIRD, "x86-64": frozenset()}


def features(cpuinfo: Path = Path("/proc/cpuinfo")) -> "frozenset[str]":
    """What the processor of this machine can do. Empty where the system does not say."""
    try:
        with cpuinfo.open() as lines:
            line = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        line = ""
    return frozenset(line.partition(":")[2].split())


def best_folder(levels: Path, able: "frozenset[str]", wanted: str = "") -> "Path | None":
    """The folder in `levels` of the best build for a processor with the features `able`, or of the level `wanted`.
    None if there is no folder `levels`: the package holds one build. Raises Error if no build runs on this processor,
    or if `wanted` cannot be had."""
    if not levels.is_dir():
        return None
    present = [name for name in LEVELS if (levels / name).is_dir()]
    running = [name for name in present if LEVELS[name] <= able]
    if wanted:
        if wanted not in LEVELS:
            raise Error(f"TESSERA_CPU={wanted} is no level (environment): give {', '.join(LEVELS)}, or unset it")
        if wanted not in present:
            raise Error(f"TESSERA_CPU={wanted} is not in this package (it holds {', '.join(present)}): unset it")
        if wanted not in running:
            raise Error(f"TESSERA_CPU={wanted} does not run here (this processor lacks vector units of that level): "
                        "unset it")
        return levels / wanted
    if not present:
        raise Error(f"the program tessera is missing (nothing in {levels}): install the package again with pip")
    if not running:
        lacking = " ".join(sorted(LEVELS[present[-1]] - able))
        raise Error(f"this processor is too old for the package (it lacks {lacking}): install it from the sources "
                    "with 'pip install --config-settings=cmake.define.TESSERA_CPU=x86-64 ./'")
    return levels / running[0]


def build_folder() -> "Path | None":
    """The folder of the build that this process uses, or None where the package holds only one."""
    levels = Path(__file__).parent / "libexec" / "tessera"
    return best_folder(levels, features(), os.environ.get("TESSERA_CPU", ""))
