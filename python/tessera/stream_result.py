"""Results of ``tessera likelihood`` and ``tessera fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from tessera.errors import Error
from tessera.optional import require
from tessera.result_file import Result, text, texts

if TYPE_CHECKING:
    import pandas

STAR_UNITS = {"l": "degree", "b": "degree", "r": "kpc"}


class LikelihoodResult(Result):
    """The likelihood of a model, with its integrals and its stars."""

    @property
    def search_likelihood(self) -> float:
        """Mean over all stars of all wedges of log10 of their density."""
        return float(self._node("likelihood").attrs["search_likelihood"])

    @property
    def number_of_stars(self) -> int:
        """Stars of all wedges."""
        return int(self._node("likelihood").attrs["number_of_stars"])

    @property
    def wedges(self) -> list[int]:
        """Numbers of the stripes, in the order of the command line."""
        return [int(self._node(group).attrs["wedge"]) for group in self._wedge_groups()]

    def stars(self, wedge: int | None = None) -> pandas.DataFrame:
        """One row for each star: l, b (degree), r (kpc) and log10_density. Without `wedge` the stars of all
        wedges, with the column ``wedge`` where there are several. If the run stored memberships, also
        ``p_background``, ``p_stream1`` ... and ``most_likely``, the component with the highest probability."""
        pandas = require("pandas", "tables")
        tables = []
        for group in self._groups_of(wedge):
            stars = self._values(f"{group}/stars")
            table = pandas.DataFrame({name: stars[name] for name in stars.dtype.names})
            if self._has(f"{group}/memberships"):
                members, names = self._values(f"{group}/memberships"), self._component_names(group)
                table = table.assign(**{f"p_{name}": column for name, column in zip(names, members.T)},
                                     most_likely=numpy.array(names)[members.argmax(axis=1)])
            if wedge is None and len(self.wedges) > 1:
                table.insert(0, "wedge", int(self._node(group).attrs["wedge"]))
            tables.append(table)
        joined = tables[0] if len(tables) == 1 else pandas.concat(tables, ignore_index=True)
        joined.index.name = "star"
        joined.attrs["units"] = dict(STAR_UNITS)
        return joined

    def memberships(self, wedge: int | None = None) -> numpy.ndarray:
        """The probabilities that each star belongs to the background and to each stream: [stars, 1 + streams].
        A file of several wedges needs `wedge`. Raises Error if the run did not store them (--memberships)."""
        return self._values(f"{self._group_of(wedge, 'memberships')}/memberships")

    def components(self, wedge: int | None = None) -> pandas.DataFrame:
        """One row for each component, the background first: ``integral`` (kpc^3 times the unit of density),
        ``likelihood`` of the component alone, and where the file has them ``error_estimate`` (relative),
        ``uncut_integral`` and ``expected_stars``, the sum of the memberships of the stars. A file of several wedges needs `wedge`."""
        pandas = require("pandas", "tables")
        group = self._group_of(wedge, "components")
        attributes = self._node(group).attrs
        integrals = self._values(f"{group}/stream_integrals")
        columns = {
            "integral": numpy.append(attributes["background_integral"], integrals),
            "likelihood": numpy.append(attributes["background_likelihood"],
                                       self._values(f"{group}/stream_only_likelihoods")),
        }
        for name, column in (("error_estimates", "error_estimate"), ("uncut_integrals", "uncut_integral")):
            if self._has(f"{group}/{name}") and len(self._node(f"{group}/{name}")) > len(integrals):
                columns[column] = self._values(f"{group}/{name}")[: len(integrals) + 1]
        if self._has(f"{group}/expected_stars"):
            columns["expected_stars"] = self._values(f"{group}/expected_stars")
        return pandas.DataFrame(columns, pandas.Index(self._component_names(group), name="component"))

    def _component_names(self, group: str) -> list[str]:
        streams = len(self._node(f"{group}/stream_integrals"))
        return ["background", *(f"stream{number}" for number in range(1, streams + 1))]

    def _wedge_groups(self) -> list[str]:
        if "wedge" in self._node("likelihood").attrs:
            return ["likelihood"]
        numbered = sorted((name for name in self.file["likelihood"] if name.isdigit()), key=int)
        return [f"likelihood/{name}" for name in numbered]

    def _wedge_names(self) -> str:
        return ", ".join(map(str, self.wedges))

    def _groups_of(self, wedge: int | None) -> list[str]:
        groups = self._wedge_groups()
        if wedge is None:
            return groups
        if wedge not in self.wedges:
            raise Error(f"'{self.path}' has no wedge {wedge} (it has {self._wedge_names()}): choose one of them")
        return [groups[self.wedges.index(wedge)]]

    def _group_of(self, wedge: int | None, method: str) -> str:
        """The group of `wedge`, or of the only wedge."""
        groups = self._groups_of(wedge)
        if len(groups) > 1:
            raise Error(f"'{self.path}' has several wedges ({self._wedge_names()}): choose one, as in "
                        f"{method}({self.wedges[0]})")
        return groups[0]


class FitResult(LikelihoodResult):
    """A fitted model. The properties of LikelihoodResult describe the best model."""

    @property
    def method(self) -> str:
        """Method of the search."""
        return text(self._node("fit").attrs["method"])

    @property
    def converged(self) -> bool:
        """Whether the fit met its criterion."""
        return bool(self._node("fit").attrs["converged"])

    def parameters(self) -> pandas.DataFrame:
        """One row for each free parameter, named as in "stream1.mu": ``unit``, ``start``, ``best``,
        ``standard_error`` (NaN if the data do not determine it), ``lower_bound``, ``upper_bound``, ``verdict`` and
        ``error_trusted`` (whether the likelihood is a parabola within two standard errors)."""
        pandas = require("pandas", "tables")
        columns = {"unit": texts(self._values("fit/units")) if self._has("fit/units") else ""}
        for dataset, column in (("start", "start"), ("best", "best"), ("standard_errors", "standard_error"),
                                ("lower_bounds", "lower_bound"), ("upper_bounds", "upper_bound")):
            if self._has(f"fit/{dataset}"):
                columns[column] = self._values(f"fit/{dataset}")
        if self._has("fit/verdicts"):
            columns["verdict"] = texts(self._values("fit/verdicts"))
        if self._has("fit/errors_trusted"):
            columns["error_trusted"] = self._values("fit/errors_trusted").astype(bool)
        return pandas.DataFrame(columns, pandas.Index(self._names(), name="parameter"))

    def fixed(self) -> pandas.DataFrame:
        """One row for each parameter that was not fitted, with the same names: ``unit`` and ``value``."""
        return fixed_parameters(self, "fit")

    def covariance(self) -> pandas.DataFrame:
        """Covariance of the free parameters: [P, P], in the units of the parameters."""
        pandas = require("pandas", "tables")
        return pandas.DataFrame(self._values("fit/covariance"), self._names(), self._names())

    def profiles(self) -> pandas.DataFrame:
        """Profile likelihood intervals, one row for each parameter: ``lower_68``, ``upper_68``, ``lower_95``,
        ``upper_95``, and how each was found (``lower_68_end`` ...): "found", "at bound" or "not found". Raises Error
        if the fit was run without --profile."""
        pandas = require("pandas", "tables")
        group = self._group_after_fit("profile", "--profile")
        columns = {}
        for level, name in enumerate(("68", "95")):
            for end in ("lower", "upper"):
                columns[f"{end}_{name}"] = self._values(f"{group}/{end}")[:, level]
        for level, name in enumerate(("68", "95")):
            for end in ("lower", "upper"):
                columns[f"{end}_{name}_end"] = texts(self._values(f"{group}/{end}_ends")[:, level])
        names = [self._names()[place] for place in self._values(f"{group}/parameter")]
        return pandas.DataFrame(columns, pandas.Index(names, name="parameter"))

    def profile(self, name: str) -> pandas.DataFrame:
        """The profile of a parameter: ``value``, ``drop`` (of the natural logarithm of the likelihood below the best)
        and where all parameters then have the highest likelihood."""
        pandas = require("pandas", "tables")
        points = f"{self._group_after_fit('profile', '--profile')}/points"
        if name not in self._names():
            raise Error(f"'{self.path}' has no parameter '{name}' (it has {', '.join(self._names())}): choose one")
        chosen = self._values(f"{points}/parameter") == self._names().index(name)
        if not chosen.any():
            raise Error(f"'{self.path}' has no profile of {name} (--profile did not name it): repeat the fit with it")
        columns = {"value": self._values(f"{points}/value")[chosen], "drop": self._values(f"{points}/drop")[chosen]}
        columns.update(zip(self._names(), self._values(f"{points}/parameters")[chosen].T))
        return pandas.DataFrame(columns)

    def bootstrap(self) -> pandas.DataFrame:
        """The fit of each simulated set: ``likelihood``, ``gain`` (of the natural logarithm of the likelihood over the
        model from which the set was drawn), ``converged`` and the parameters. Raises Error if the fit was run without
        --bootstrap."""
        pandas = require("pandas", "tables")
        group = self._group_after_fit("bootstrap", "--bootstrap")
        columns = {name: self._values(f"{group}/{name}") for name in ("likelihood", "gain")}
        columns["converged"] = self._values(f"{group}/converged").astype(bool)
        columns.update(zip(self._names(), self._values(f"{group}/parameters").T))
        return pandas.DataFrame(columns, pandas.RangeIndex(len(columns["gain"]), name="set"))

    def _group_after_fit(self, name: str, option: str) -> str:
        if not self._has(f"fit/{name}"):
            raise Error(f"'{self.path}' has no {name} (the fit had no {option}): repeat it with {option}")
        return f"fit/{name}"

    def history(self) -> pandas.DataFrame:
        """How the best point of every search and climb improved: ``evaluation``, ``search``, ``likelihood`` and
        the parameters."""
        pandas = require("pandas", "tables")
        columns = {name: self._values(f"fit/history/{name}") for name in ("evaluation", "search", "likelihood")
                   if self._has(f"fit/history/{name}")}
        columns.update(zip(self._names(), self._values("fit/history/parameters").T))
        return pandas.DataFrame(columns)

    def _names(self) -> list[str]:
        return texts(self._values("fit/names"))


def fixed_parameters(result: Result, group: str) -> pandas.DataFrame:
    """The parameters of a model that kept their values. None in results of versions that did not write them."""
    pandas = require("pandas", "tables")
    held = result._has(f"{group}/fixed/names")
    names, units = ([*texts(result._values(f"{group}/fixed/{name}"))] if held else [] for name in ("names", "units"))
    values = result._values(f"{group}/fixed/values") if held else numpy.empty(0)
    return pandas.DataFrame({"unit": units, "value": values}, pandas.Index(names, name="parameter"))
