"""The likelihood of a stellar-stream model, without files between."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Union

import numpy
from numpy.typing import ArrayLike

from tessera.device import kernels
from tessera.errors import Error

Path = Union[str, "os.PathLike[str]"]
Files = Union[Path, Sequence[Path]]
Stars = Union[Path, ArrayLike]


class Likelihood:
    """The likelihood of the stars of one wedge or of several wedges as a function of parameters.

    `parameters` is a parameter file (TOML or MilkyWay@Home text). `stars` is a star file, or an array [n, 3] of
    l, b (degree) and r (kpc). If the model has observables, the array has the columns of `star_columns`, with NaN
    where nothing was measured. A table with these columns, such as a DataFrame, serves as well.

    `free` names the parameters that theta holds, in this order, as in ``["background.q", "stream1.mu"]``; the default is all of them. The others keep the values of the file.
    The remaining options are those of ``tessera likelihood``.

    Several wedges have one background if `parameters` is a list of files and `stars` a list with the stars of each, as
    in `fit`. Their streams are called ``wedge2.stream1.mu``. `share` names parameters of streams that all wedges with
    this stream have in common: ``["stream1.sigma"]``. Numbers that they have in common start from the first file.

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

    def __init__(self, parameters: Files, stars: Stars | Sequence[Stars], *,
                 free: Sequence[str] | None = None, share: Sequence[str] = (),
                 integration: str = "compressed", quadrature: str = "milkyway",
                 tolerance: float = 1e-11, allow_stars_outside: bool = False,
                 allow_empty_streams: bool = False) -> None:
        self._integration = integration
        files, each = wedges_of(parameters, stars)
        tables = [_stars_of(one, file) for one, file in zip(each, files)]
        self._models = [kernels().LikelihoodModel(file, table, integration, quadrature, tolerance, allow_stars_outside,
                                                  allow_empty_streams) for file, table in zip(files, tables)]
        self._counts = [len(table) for table in tables]
        names = _joint_names(self._models, share)
        self.all_names: list[str] = list(dict.fromkeys(name for wedge in names for name in wedge))
        """Names of all parameters of the model."""
        self.names: list[str] = list(self.all_names if free is None else free)
        """Names of the parameters that theta holds."""
        self._columns = [[self.all_names.index(name) for name in wedge] for wedge in names]
        self._values = self._first_values()
        self._places = numpy.array([self._place(name) for name in self.names], dtype=int)
        if len(set(self.names)) < len(self.names):
            raise Error("a name in free appears twice (theta has one value for each parameter): name it once")
        self.start: numpy.ndarray = self._values[self._places]
        """Theta of the parameter file: [len(names)]."""
        self.number_of_stars: int = sum(self._counts)

    def __call__(self, theta: ArrayLike | None = None) -> float | numpy.ndarray:
        """The value at `theta` [k], or the values [n] at the rows of `theta` [n, k]; the default is `start`.

        The value is -inf where the model has no likelihood, for example where a width is not positive;
        `problem` says why."""
        sets, single = self._sets(theta)
        values = []
        for model, columns in zip(self._models, self._columns):
            found = numpy.empty(len(sets))
            model.evaluate(self._own(sets, columns), found, numpy.empty(0))
            values.append(found)
        mean = _mean(values, self._counts)
        return float(mean[0]) if single else mean

    def value_and_gradient(self, theta: ArrayLike | None = None
                           ) -> tuple[float | numpy.ndarray, numpy.ndarray]:
        """The value and its gradient [k], or the values [n] and the gradients [n, k] of the rows of `theta`.
        Where the value is -inf, the gradient is NaN. Needs the compressed integration."""
        if self._integration != "compressed":
            raise Error("the exact integration has no gradient (it computes values only): "
                        "use integration='compressed', or differences of values")
        sets, single = self._sets(theta)
        values, slopes = [], []
        for model, columns in zip(self._models, self._columns):
            own = self._own(sets, columns)
            found, gradients = numpy.empty(len(own)), numpy.empty(own.shape)
            model.evaluate(own, found, gradients)
            values.append(found)
            slopes.append(numpy.zeros(sets.shape))
            slopes[-1][:, columns] = gradients
        value, slope = _mean(values, self._counts), _mean(slopes, self._counts)[:, self._places]
        slope[numpy.isneginf(value)] = numpy.nan
        return (float(value[0]), slope[0]) if single else (value, slope)

    def log_likelihood(self, theta: ArrayLike | None = None) -> float | numpy.ndarray:
        """The natural logarithm of the likelihood of all stars, as samplers need it."""
        return self(theta) * (self.number_of_stars * numpy.log(10.0))

    def memberships(self, theta: ArrayLike | None = None, wedge: int | None = None) -> numpy.ndarray:
        """The probabilities [stars, 1 + streams] that each star belongs to the background and to each stream, or
        [n, stars, 1 + streams] for the rows of `theta` [n, k]; the default is `start`. Those of a star sum to 1.
        They are NaN where the value is -inf. With several wedges `wedge` chooses one, counted from 1.

        >>> import tessera
        >>> drawn = tessera.simulate("examples/wedge.toml", 1000, seed=3)
        >>> members = Likelihood("examples/wedge.toml", drawn.stars).memberships()
        >>> members.shape, bool(abs(members.sum(axis=1) - 1).max() < 1e-14)
        ((1000, 3), True)
        """
        sets, single = self._sets(theta)
        if wedge is None and len(self._models) > 1 or wedge is not None and not 1 <= wedge <= len(self._models):
            raise Error(f"wedge is {wedge} (there are {len(self._models)}): choose one from 1 on, as in "
                        "memberships(wedge=1)")
        place = (wedge or 1) - 1
        model = self._models[place]
        streams = sum(name.endswith(".sigma") for name in model.names())
        found = numpy.empty((len(sets), self._counts[place], 1 + streams))
        model.memberships(self._own(sets, self._columns[place]), found)
        return found[0] if single else found

    def problem(self, theta: ArrayLike | None = None) -> str:
        """Why the value at `theta` [k] is -inf, in one line. Empty if it is a number."""
        sets, _ = self._sets(theta)
        found = [model.problem(self._own(sets, columns)[0]) for model, columns in zip(self._models, self._columns)]
        several = len(found) > 1
        return next((f"wedge {w}: {text}" if several else text for w, text in enumerate(found, 1) if text), "")

    @property
    def warnings(self) -> list[str]:
        """What is odd about the model and the stars."""
        return [text for model in self._models for text in model.warnings()]

    def __repr__(self) -> str:
        return f"<Likelihood of {self.number_of_stars} stars, {len(self.names)} parameters>"

    def _own(self, sets: numpy.ndarray, columns: list[int]) -> numpy.ndarray:
        """The parameters of one wedge, in the order of its model."""
        return sets if len(self._models) == 1 else numpy.ascontiguousarray(sets[:, columns])

    def _first_values(self) -> numpy.ndarray:
        """The numbers of the files. Those of parameters in common come from the first file that has them; they must be
        the same in the others unless theta holds them."""
        values: dict[int, float] = {}
        for model, columns in zip(self._models, self._columns):
            for column, value in zip(columns, model.values()):
                name = self.all_names[column]
                if values.setdefault(column, value) != value and name not in self.names:
                    raise Error(f"{name} is {values[column]} and {value} (the wedges have it in common, and it is not "
                                "free): give the files the same number")
        return numpy.array([values[column] for column in range(len(self.all_names))])

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


def is_file(stars: Stars) -> bool:
    return isinstance(stars, (str, os.PathLike))


def wedges_of(parameters: Files, stars: Stars | Sequence[Stars]) -> tuple[list[str], list[Stars]]:
    """The parameter files, and the stars that belong to each."""
    if is_file(parameters):
        return [os.fspath(parameters)], [stars]
    files = [os.fspath(file) for file in parameters]
    each = [] if is_file(stars) else list(stars)
    if len(files) != len(each) or not files:
        raise Error(f"there are {len(files)} parameter files and {len(each)} sets of stars (each wedge has one of "
                    "both): give two lists of the same length")
    return files, each


def star_columns(parameters: Path, *, model: str | None = None, turnoff: str | None = None,
                 background_profile: str | None = None) -> list[str]:
    """The columns of the stars of a model: l, b and r, and those of its observables, in the order of the arrays that
    `Likelihood` and `fit` take and `simulate` returns.

    >>> star_columns("examples/wedge.toml")
    ['l', 'b', 'r']
    >>> star_columns("examples/gd1_like.toml")
    ['l', 'b', 'r', 'pm_mu', 'pm_nu', 'v', 'pm_mu_error', 'pm_nu_error', 'v_error', 'pm_corr']
    """
    return kernels().star_columns(os.fspath(parameters), model, turnoff, background_profile)


def star_rows(stars: Any, columns: Sequence[str]) -> numpy.ndarray:
    """The stars as rows of these columns. A table with named columns, such as a DataFrame, a Table of astropy or a
    dictionary of arrays, may have them in any order and others besides."""
    if not hasattr(stars, "keys"):
        return table_of(stars, "stars", (None, len(columns)))
    missing = [name for name in columns if name not in stars.keys()]
    if missing:
        raise Error(f"the stars have no column {missing[0]} (the model needs {', '.join(columns)}): give it")
    each = [numpy.ma.filled(numpy.ma.asarray(stars[name], dtype=float), numpy.nan) for name in columns]
    if any(column.shape != each[0].shape or column.ndim != 1 for column in each):
        raise Error("the columns of the stars differ in length (a star has one number in each): correct them")
    return numpy.ascontiguousarray(numpy.array(each).T)


def _stars_of(stars: Stars, parameters: str) -> numpy.ndarray:
    if is_file(stars):
        return kernels().read_stars(os.fspath(stars), parameters)
    return star_rows(stars, star_columns(parameters))


def _joint_names(models: list[Any], share: Sequence[str]) -> list[list[str]]:
    """The names that the parameters of each wedge have in the likelihood of all."""
    own = [model.names() for model in models]
    kinds = [model.kind() for model in models]
    if any(kind != kinds[0] for kind in kinds) or len({tuple(n for n in names if _of_halo(n)) for names in own}) > 1:
        raise Error(f"the wedges cannot have one background ({', '.join(kinds)}): give wedges of one kind of model")
    for name in share:
        if not name.startswith("stream") or sum(name in names for names in own) < 2:
            raise Error(f"cannot share {name} (fewer than two wedges have this parameter of a stream): leave it out")
    if len(own) == 1:
        return own
    common = set(share)
    return [[name if name in common or _of_halo(name) else f"wedge{w}.{name}" for name in names]
            for w, names in enumerate(own, 1)]


def _of_halo(name: str) -> bool:
    """Whether wedges have a parameter in common. What is observed of the background belongs to one wedge."""
    return name.startswith("background.") and not name.startswith("background.population")


def _mean(values: list[numpy.ndarray], counts: list[int]) -> numpy.ndarray:
    """The mean over the stars of all wedges, summed as `tessera likelihood` does (Neumaier)."""
    if len(values) == 1:
        return values[0]
    total, rest = numpy.zeros_like(values[0]), numpy.zeros_like(values[0])
    with numpy.errstate(invalid="ignore"):
        for value, count in zip(values, counts):
            term = value * count
            larger = total + term
            rest += numpy.where(abs(total) >= abs(term), (total - larger) + term, (term - larger) + total)
            total = larger
        mean = (total + rest) / sum(counts)
    return numpy.where(numpy.isneginf(total), -numpy.inf, mean)


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
