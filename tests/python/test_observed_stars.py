"""Stars with observables in tessera.Likelihood, fit and simulate: from arrays, tables and files, with the numbers of the
program to the bit, of one wedge and of two together. Usage: test_observed_stars.py PATH/OF/tessera"""

import csv
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py")
script_tests.need_module()

import h5py  # noqa: E402
import likelihood_files  # noqa: E402
import numpy  # noqa: E402
import observables  # noqa: E402
from package_tests import DEVICE, FOLDER, Refusals, compute, program, require_slopes  # noqa: E402

import tessera  # noqa: E402

COLUMNS = ["l", "b", "r", "pml", "rv", "pml_error"]
FILES = [FOLDER / "82.toml", FOLDER / "79.toml"]
STARS = [FOLDER / "82.csv", FOLDER / "79.csv"]


def setUpModule():
    tessera.start_device(DEVICE)
    for file, stars, wedge in zip(FILES, STARS, (82, 79)):
        model = likelihood_files.model(wedge, 1)
        model["turnoff"] = "gaussian"
        own = wedge / 100
        text = observables.whole_toml(
            model, [{"name": "pm", "value": "pml", "error": "pml_error", "simulated": {"error": 0.2}},
                    {"name": "v", "value": "rv", "simulated": {"share": 0.4}}],
            [{"pm": {"mean": own, "dispersion": 2.0}, "v": {"mean": 10.0, "slope": 0.5, "dispersion": 100.0}}],
            [{"pm": {"mean": -2.0, "slope": 0.02, "dispersion": 0.3}, "v": {"mean": -80.0, "dispersion": 15.0}}])
        file.write_text(text)
        program("simulate", file, "--number", "300", "--seed", str(wedge), "--quiet", "-o", stars)


def table_of(path):
    """The columns of a CSV table by their names; NaN where a field is empty."""
    with open(path, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    return {name: numpy.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}


def rows_of(path):
    table = table_of(path)
    return numpy.array([table[name] for name in COLUMNS]).T


class ObservedStars(Refusals):
    def test_simulate(self):
        self.assertEqual(tessera.star_columns(FILES[0]), COLUMNS)
        drawn = tessera.simulate(FILES[0], 300, seed=82)
        self.assertEqual(drawn.stars.tobytes(), rows_of(STARS[0]).tobytes())
        self.assertTrue(0.2 < numpy.isnan(drawn.stars[:, 4]).mean() < 0.8)
        self.assertEqual(drawn.components.tolist(), table_of(STARS[0])["component"].tolist())

    def test_likelihood(self):
        """The value and the memberships of the command, to the bit, however the stars are given; the gradient."""
        compute("likelihood", FILES[0], "--stars", STARS[0], "--memberships", "-o", "one.h5")
        with h5py.File(FOLDER / "one.h5") as file:
            expected = float(file["likelihood"].attrs["search_likelihood"])
            members = file["likelihood/memberships"][:]
        table = table_of(STARS[0])
        shuffled = {name: table[name] for name in reversed(COLUMNS)} | {"other": table["l"]}
        shuffled["rv"] = numpy.ma.masked_invalid(shuffled["rv"])
        for stars in (STARS[0], rows_of(STARS[0]), shuffled):
            model = tessera.Likelihood(FILES[0], stars)
            self.assertEqual(model(), expected)
            self.assertEqual(model.memberships().tobytes(), members.tobytes())
        model = tessera.Likelihood(FILES[0], shuffled, free=["stream1.pm.slope", "background.population1.v.dispersion"])
        require_slopes(self, model)

    def test_two_wedges(self):
        """The halo is that of both wedges, and what is observed of it belongs to each."""
        compute("likelihood", *FILES, "--stars", *STARS, "-o", "both.h5")
        with h5py.File(FOLDER / "both.h5") as file:
            expected = float(file["likelihood"].attrs["search_likelihood"])
        names = ["background.q", "wedge1.background.population1.pm.mean", "wedge2.stream1.pm.mean"]
        model = tessera.Likelihood(FILES, [STARS[0], rows_of(STARS[1])], free=names)
        self.assertEqual(model(), expected)
        self.assertEqual(model.start.tolist()[1:], [0.82, -2.0])
        free = "background.q,background.population1.pm.mean,wedge2.stream1.pm.mean"
        for file in FILES:
            text = file.read_text().replace("[fit", "#[fit")
            bounds = '"background.population1.pm.mean" = [-5, 5]\n"stream1.pm.mean" = [-9, 9]\n'
            (FOLDER / f"fit-{file.name}").write_text(text + "\n[fit.bounds]\n" + bounds)
        files = [FOLDER / f"fit-{file.name}" for file in FILES]
        search = {"population": 6, "generations": 2, "variations": 0}
        words = [word for name, value in search.items() for word in (f"--{name}", str(value))]
        compute("fit", *files, "--stars", *STARS, "--free", free, *words, "-o", "joint.h5")
        with tessera.fit(files, [rows_of(stars) for stars in STARS], free=free, **search) as result:
            table = result.parameters()
        self.assertEqual(list(table.index), [*names[:2], "wedge2.background.population1.pm.mean", names[2]])
        with h5py.File(FOLDER / "joint.h5") as file:
            self.assertEqual(file["fit/best"][:].tolist(), table["best"].tolist())
            self.assertEqual(bool(file["fit"].attrs["converged"]), True)
        # The stars were drawn with 0.82 and 0.79 in the background, and -2 in the stream.
        for name, truth in zip(table.index[1:], (0.82, 0.79, -2.0)):
            error = table.loc[name, "standard_error"]
            self.assertTrue(0 < error < 0.5 and abs(table.loc[name, "best"] - truth) < 4 * error, name)
        program("export", "joint.h5", "--toml", "best.toml", "--force")
        best = tessera.Likelihood([FOLDER / "best-1.toml", FOLDER / "best-2.toml"], STARS, tolerance=1e-9)
        with h5py.File(FOLDER / "joint.h5") as file:
            self.assertEqual(best(), float(file["fit"].attrs["likelihood"]))

    def test_refusals(self):
        rows, table = rows_of(STARS[0]), table_of(STARS[0])
        make = tessera.Likelihood
        self.refused("n x 6", make, FILES[0], rows[:, :3])
        self.refused("no column pml_error", make, FILES[0], {name: table[name] for name in COLUMNS[:-1]})
        self.refused("differ in length", make, FILES[0], {name: table[name][: 5 + (name == "rv")] for name in COLUMNS})
        rows[7, 5] = math.nan
        self.refused("star 7 is .*its error pml_error", make, FILES[0], rows)
        rows[7, 3:6] = math.nan, math.inf, math.nan
        self.refused("star 7 is .*rv is infinite", tessera.fit, FILES[0], rows, free=["stream1.mu"])


if __name__ == "__main__":
    unittest.main()
