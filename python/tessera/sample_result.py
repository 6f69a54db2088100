"""Results of tessera sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tessera.optional import require
from tessera.result_file import Result, text, texts
from tessera.stream_result import fixed_parameters

if TYPE_CHECKING:
    import pandas


class SampleResult(Result):
    """Draws from the posterior of a stream model. ``arviz.from_netcdf(run.path)`` reads them too."""

    @property
    def method(self) -> str:
        """"nuts" or "ensemble"."""
        return text(self._node("sample").attrs["method"])

    @property
    def converged(self) -> bool:
        """Whether R-hat and the effective sample sizes of all parameters are good."""
        return bool(self._node("sample").attrs["converged"])

    def parameters(self) -> pandas.DataFrame:
        """One row for each free parameter, named as in "stream1.mu": ``unit``, ``prior``, ``mean``, ``sd``, the quantiles
        ``q5``, ``median`` and ``q95``, ``r_hat``, ``ess_bulk``, ``ess_tail``, and ``top`` (the most probable model)."""
        pandas = require("pandas", "tables")
        columns = {"unit": texts(self._values("sample/units")), "prior": texts(self._values("sample/priors"))}
        for name in ("mean", "sd", "q5", "median", "q95", "r_hat", "ess_bulk", "ess_tail", "top"):
            columns[name] = self._values(f"sample/{name}")
        return pandas.DataFrame(columns, pandas.Index(self._names(), name="parameter"))

    def fixed(self) -> pandas.DataFrame:
        """One row for each parameter that was not sampled, with the same names: ``unit`` and ``value``."""
        return fixed_parameters(self, "sample")

    def draws(self) -> pandas.DataFrame:
        """One row for each draw, by ``chain`` and ``draw``: the free parameters, and ``lp``, the natural logarithm of
        likelihood and prior up to a constant."""
        pandas = require("pandas", "tables")
        columns = {name: self._values(f"posterior/{name}").ravel() for name in self._names()}
        columns["lp"] = self._values("sample_stats/lp").ravel()
        index = pandas.MultiIndex.from_product(
            [self._values("posterior/chain"), self._values("posterior/draw")], names=["chain", "draw"])
        return pandas.DataFrame(columns, index)

    def _names(self) -> list[str]:
        return texts(self._values("sample/names"))
