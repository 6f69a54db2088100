"""The likelihood of a stellar-stream model, without files between."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy
from numpy.typing import ArrayLike

from tessera.device import kernels
from tessera.errors import Error


class Likelihood:
    """The likelihood of the stars of one wedge as a function of parameters.

    `parameters` is a parameter file (TOML or MilkyWay@Home text). `stars` is a star file, or an array [n, 3] of
    l, b (degree) and r (kpc). `free` names the parameters that theta holds, in this order, as in
    ``["background.q", "stream1.mu"]``; the default is all of them. The others keep the values of the file.
    The remaining options are those of ``tessera likelihood``.

    The value is the mean over the stars of log10 of their density. The natural logarithm of the likelihood of
    all stars is ``value * number_of_stars * log(10)`` (see `log_likelihood`).

    >>> import tessera
    >>> stars = tessera.simulate("examples/wedge.toml", 1000, seed=3).stars
    >>> likelihood = Likelihood("examples/wedge.toml", stars, free=["background.q", "stream1.r"])
    >>> likelihood([[0.6, 27.0], [-1.0, 27.0]]).round(2)
    array([-2.66,  -inf])
    >>> value, gradient = likelihood.value_and_gradient([0.6, 26.0])
    >>> value < likelihood([0.6, 27.0]), gradient.shape
    (True, (2,))
    """

    def __init__(self, parameters: str | os.PathLike[str],
                 stars: str | os.PathLike[str] | ArrayLike, *, free: Sequence[str] | None = None,
                 integration: str = "compressed", quadrature: str = "milkyway",
                 tolerance: float = 1e-11, allow_stars_outside: bool = False,
                 allow_empty_streams: bool = False) -> None:
        module = kernels()
        if isinstance(stars, (str, os.PathLike)):
            table = numpy.array(module.read_stars(os.fspath(stars))).reshape(-1, 3)
        else:
            table = table_of(stars, "stars", (None, 3))
        self._integration = integration
        self._model = module.LikelihoodModel(os.fspath(parameters), table, integration, quadrature,
                                             tolerance, allow_stars_outside, allow_empty_streams)
        self.all_names: list[str] = self._model.names()
        """Names of all parameters of the model."""
        self.names: list[str] = list(self.all_names if free is None else free)
        """Names of the parameters that theta holds."""
        self._values = numpy.array(self._model.values())
        self._places = numpy.array([self._place(name) for name in self.names], dtype=int)
        if len(set(self.names)) < len(self.names):
            raise Error("a name in free appears twice (theta has one value for each parameter): name it once")
        self.start: numpy.ndarray = self._values[self._places]
        """Theta of the parameter file: [len(names)]."""
        self.number_of_stars: int = len(table)

    def __call__(self, theta: ArrayLike | None = None) -> float | numpy.ndarray:
        """The value at `theta` [k], or the values [n] at the rows of `theta` [n, k]; the default is `start`.

        The value is -inf where the model has no likelihood, for example where a width is not positive;
        `problem` says why."""
        sets, single = self._sets(theta)
        found = numpy.empty(len(sets))
        self._model.evaluate(sets, found, numpy.empty(0))
        return float(found[0]) if single else found

    def value_and_gradient(self, theta: ArrayLike | None = None
                           ) -> tuple[float | numpy.ndarray, numpy.ndarray]:
        """The value and its gradient [k], or the values [n] and the gradients [n, k] of the rows of `theta`.
        Where the value is -inf, the gradient is NaN. Needs the compressed integration."""
        if self._integration != "compressed":
            raise Error("the exact integration has no gradient (it computes values only): "
                        "use integration='compressed', or differences of values")
        sets, single = self._sets(theta)
        found, gradients = numpy.empty(len(sets)), numpy.empty(sets.shape)
        self._model.evaluate(sets, found, gradients)
        gradients = gradients[:, self._places]
        return (float(found[0]), gradients[0]) if single else (found, gradients)

    def log_likelihood(self, theta: ArrayLike | None = None) -> float | numpy.ndarray:
        """The natural logarithm of the likelihood of all stars, as samplers need it."""
        return self(theta) * (self.number_of_stars * numpy.log(10.0))

    def memberships(self, theta: ArrayLike | None = None) -> numpy.ndarray:
        """The probabilities [stars, 1 + streams] that each star belongs to the background and to each stream, or
        [n, stars, 1 + streams] for the rows of `theta` [n, k]; the default is `start`. Those of a star sum to 1.
        They are NaN where the value is -inf.

        >>> import tessera
        >>> drawn = tessera.simulate("examples/wedge.toml", 1000, seed=3)
        >>> members = Likelihood("examples/wedge.toml", drawn.stars).memberships()
        >>> members.shape, bool(abs(members.sum(axis=1) - 1).max() < 1e-14)
        ((1000, 3), True)
        """
        sets, single = self._sets(theta)
        streams = sum(name.endswith(".sigma") for name in self.all_names)
        found = numpy.empty((len(sets), self.number_of_stars, 1 + streams))
        self._model.memberships(sets, found)
        return found[0] if single else found

    def problem(self, theta: ArrayLike | None = None) -> str:
        """Why the value at `theta` [k] is -inf, in one line. Empty if it is a number."""
        sets, _ = self._sets(theta)
        return self._model.problem(sets[0])

    @property
    def warnings(self) -> list[str]:
        """What is odd about the model and the stars."""
        return self._model.warnings()

    def __repr__(self) -> str:
        return f"<Likelihood of {self.number_of_stars} stars, {len(self.names)} parameters>"

    def _place(self, name: str) -> int:
        if name not in self.all_names:
            raise Error(f"there is no parameter '{name}' (the model has {', '.join(self.all_names)}): "
                        "choose among them")
        return self.all_names.index(name)

    def _sets(self, theta: ArrayLike | None) -> tuple[numpy.ndarray, bool]:
        """All parameters of every row [n, all], and whether theta was a single one."""
        rows = self.start if theta is None else numbers(theta, "theta")
        single = rows.ndim == 1
        rows = table_of(rows[numpy.newaxis] if single else rows, "theta", (None, len(self.names)))
        if len(self.names) == len(self.all_names) and numpy.array_equal(
                self._places, numpy.arange(len(self.all_names))):
            return rows, single
        sets = numpy.tile(self._values, (len(rows), 1))
        sets[:, self._places] = rows
        return sets, single


def numbers(values: ArrayLike, name: str) -> numpy.ndarray:
    """The values as doubles, which is no copy if they are that already."""
    try:
        return numpy.asarray(values, dtype=float)
    except (TypeError, ValueError) as problem:
        raise Error(f"{name} is no array of numbers ({problem}): give numbers") from None


def table_of(values: ArrayLike, name: str, shape: tuple[int | None, ...]) -> numpy.ndarray:
    """The values as doubles without gaps, which is no copy if they are that already."""
    array = numpy.ascontiguousarray(numbers(values, name))
    if array.ndim != len(shape) or any(want not in (None, have) for want, have in zip(shape, array.shape)):
        wanted = " x ".join("n" if want is None else str(want) for want in shape)
        raise Error(f"{name} has the shape {array.shape} (it must be {wanted}): reshape it")
    return array
