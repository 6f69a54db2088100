"""Stars of a model, and the fit of a model to stars, in this process and without files between."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from tessera.arguments import real, whole, word
from tessera.device import kernels
from tessera.errors import Error
from tessera.likelihood import Files, Stars, is_file, star_columns, star_rows, wedges_of
from tessera.memory_result import result_of
from tessera.stream_result import FitResult

SEARCH = {"method": word, "start": word, "population": whole, "generations": whole, "starts": whole,
          "variations": whole, "seed": whole, "search_tolerance": real}


class SimulatedStars(NamedTuple):
    """Stars that were drawn from a model."""

    stars: numpy.ndarray
    """l, b (degree) and r (kpc): [n, 3], as `Likelihood` and `fit` take them. If the model has observables, the columns
    of `star_columns`, with NaN where nothing is measured"""
    components: numpy.ndarray
    """Where each star comes from, 0: background, 1: first stream: [n]"""


def simulate(parameters: str | os.PathLike[str], number: int = 100000, *, seed: int = 1, model: str | None = None,
             turnoff: str | None = None, background_profile: str | None = None) -> SimulatedStars:
    """Draws the stars that ``tessera simulate`` writes. The options are those of the command.

    >>> drawn = simulate("examples/wedge.toml", 1000, seed=3)
    >>> drawn.stars.shape, sorted(set(drawn.components.tolist()))
    ((1000, 3), [0, 1, 2])
    >>> simulate("examples/gd1_like.toml", 1000, seed=3).stars.shape
    (1000, 10)
    """
    return SimulatedStars(*kernels().simulate(os.fspath(parameters), whole("number", number), whole("seed", seed),
                                              model, turnoff, background_profile))


def fit(parameters: Files, stars: Stars | Sequence[Stars], *,
        integration: str = "compressed", quadrature: str = "milkyway", precision: str = "double",
        tolerance: float = 1e-9, allow_stars_outside: bool = False, allow_empty_streams: bool = False,
        memberships: bool = False, model: str | None = None, turnoff: str | None = None,
        background_profile: str | None = None, free: str | Sequence[str] = (), fix: str | Sequence[str] = (),
        share: str | Sequence[str] = (), profile: str | Sequence[str] = (), bootstrap: int = 0,
        **search: Any) -> FitResult:
    """Fits a model to stars as ``tessera fit`` does, with its bits, on the device of this process.

    `parameters` is a parameter file with a table [fit]. `stars` is a star file, or an array [n, 3] of l, b (degree)
    and r (kpc), or what `Likelihood` takes for a model with observables.

    `search` replaces settings of the file: ``method``, ``start``, ``population``, ``generations``, ``starts``,
    ``variations``, ``seed`` and ``search_tolerance``. `free` names the parameters to fit, and `fix`
    those that keep the values of the file: ``free=["stream1.mu", "stream1.r"]`` or ``free="stream1.mu,stream1.r"``.
    `profile` names the parameters whose profile likelihood intervals are wanted, or is ``"all"``. `bootstrap` is the
    number of simulated sets to fit. All options are those of the command.

    Several wedges are fitted together if `parameters` is a list of files and `stars` a list with the stars of each, in
    the same order. They have one background and streams of their own, as in ``wedge2.stream1.mu``. `share` names
    parameters of streams that all wedges with this stream have in common: ``share="stream1.sigma"``.

    With `memberships` the result also holds the probabilities that each star belongs to each component.

    The result is that of `open`: `parameters`, `covariance`, `profiles`, `bootstrap`, `history` and so on. `save` writes it to a file.
    Ctrl-C ends the fit with KeyboardInterrupt. Raises Error as the command does."""
    for name, value in search.items():
        if name not in SEARCH:
            raise Error(f"there is no option '{name}' (the search has {', '.join(SEARCH)}): choose one of them")
        search[name] = SEARCH[name](name, value)
    search |= {"free": _names("free", free), "fix": _names("fix", fix), "profile": _names("profile", profile),
               "share": _names("share", share), "bootstrap": whole("bootstrap", bootstrap), "memberships": bool(memberships),
               "allow_empty_streams": bool(allow_empty_streams)}
    files, each = wedges_of(parameters, stars)
    choices = {"model": model, "turnoff": turnoff, "background_profile": background_profile}
    tables = [numpy.empty((0, 3)) if is_file(one) else star_rows(one, star_columns(file, **choices))
              for one, file in zip(each, files)]
    if any(len(table) == 0 and not is_file(one) for table, one in zip(tables, each)):
        raise Error("there are no stars (the likelihood is a mean over stars): give stars")
    star_files = [os.fspath(one) if is_file(one) else "the stars" for one in each]
    write = kernels().fit(files, star_files, tables, search, integration, quadrature, precision,
                          real("tolerance", tolerance), allow_stars_outside, model, turnoff, background_profile)
    return result_of(write, FitResult, "the fit in memory")


def _names(option: str, names: str | Sequence[str]) -> list[str]:
    """The names of parameters, as a list or as the command takes them."""
    given = names.split(",") if isinstance(names, str) and names else list(names)
    if not all(isinstance(name, str) and name for name in given):
        raise Error(f"{option} is {names!r} (it names parameters, such as stream1.mu): correct it")
    return given
