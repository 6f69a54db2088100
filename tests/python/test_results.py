"""tessera.open: what it returns is what h5py reads, and every file or request that it cannot serve gives one clear
line. Dockings: test_docking_results.py. Usage: test_results.py PATH/OF/tessera"""

import doctest
import importlib
import json
import os
import pathlib
import sys
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py", "pandas", "xarray", "gemmi")

import h5py  # noqa: E402
import numpy  # noqa: E402
from package_tests import WATER, WithResults, compute  # noqa: E402

import tessera  # noqa: E402


class Files(WithResults):
    def test_files_that_are_no_result(self):
        (self.folder / "text.h5").write_text("no result")
        (self.folder / "run.h5.partial").mkdir(exist_ok=True)
        (self.folder / "run.h5.partial/run").write_text("{}")
        self.refused("no such file", tessera.open, self.folder / "missing.h5")
        self.refused("not an HDF5 file", tessera.open, self.folder / "text.h5")
        self.refused("keeps its progress in such a folder", tessera.open, self.folder / "run.h5.partial")
        self.refused("is a folder .and not that of a screening", tessera.open, self.folder)
        cut = self.copy("dock")
        cut.write_bytes(cut.read_bytes()[:-500])
        self.refused("damaged", tessera.open, cut)

    def test_attributes_of_the_header(self):
        for attribute, value, words in (("program", "other", "not written by tessera"), ("complete", 0, "incomplete"),
                                        ("workload", "cooking", "unknown workload 'cooking'")):
            path = self.copy("dock")
            with h5py.File(path, "a") as file:
                file.attrs[attribute] = value
            self.refused(words, tessera.open, path)
            h5py.File(path, "a").close()  # nobody holds it

    def test_closed_result(self):
        with tessera.open(self.folder / "dock.h5") as result:
            self.assertEqual(result.workload, "dock")
        self.refused("is closed", result.poses)

    def test_run(self):
        for name in ("dock", "orbital", "likelihood", "fit", "sample"):
            with self.subTest(name), h5py.File(self.folder / f"{name}.h5") as file:
                run = self.opened(name).run
                self.assertEqual(run.input, json.loads(file["run"].attrs["input"]))
                self.assertEqual(run.command_line, file["run"].attrs["command_line"])
                self.assertIn("compiler", run.build)
                self.assertEqual([rank["backend"] for rank in run.ranks], ["openmp"])
                self.assertEqual(sum(rank["tiles_done"] for rank in run.ranks), file["run"].attrs["tiles_total"])
                self.assertAlmostEqual(sum(run.phases.values()), file["run/phases"]["seconds"].sum())
                self.assertEqual(run.retries, [])

    def test_missing_package(self):
        with mock.patch.dict(sys.modules, {"pandas": None, "xarray": None, "gemmi": None}):
            self.refused(r"package pandas is missing .*pip install pandas", self.opened("dock").poses)
            self.refused("pip install xarray", self.opened("orbital").density)
            self.refused("pip install gemmi", self.opened("dock").structure)


class Orbitals(WithResults):
    def test_grids(self):
        for name in ("orbital", "packed"):
            run = self.opened(name)
            with h5py.File(self.folder / f"{name}.h5") as file:
                orbitals = run.orbitals()
                self.assertEqual(orbitals.dims, ("frame", "orbital", "z", "y", "x"))
                numpy.testing.assert_array_equal(orbitals, file["orbitals/values"])
                numpy.testing.assert_array_equal(run.orbitals("LUMO", 1), file["orbitals/values"][0, 1])
                numpy.testing.assert_array_equal(run.density(1), file["density/values"][0])
                self.assertEqual((orbitals.attrs["units"], orbitals.x.attrs["units"]), ("bohr^-3/2", "bohr"))
                spacing = file["orbitals/spacing"][:]
                last = file["orbitals/origin"][0] + spacing * (file["orbitals/shape"][:] - 1)
                numpy.testing.assert_allclose([orbitals[axis][-1] for axis in "xyz"], last)
            cell = spacing.prod()
            norm = (orbitals.astype(float) ** 2).sum(("x", "y", "z")) * cell
            numpy.testing.assert_allclose(norm, orbitals.norm, rtol=1e-5)
            numpy.testing.assert_allclose(run.density(1).sum() * cell, run.density(1).integral, rtol=1e-5)

    def test_mean_density(self):
        run = self.opened("orbital")
        mean = run.mean_density()
        self.assertEqual((mean.dims, mean.attrs["units"]), (("z", "y", "x"), "bohr^-3"))
        numpy.testing.assert_allclose(mean, run.density(1), rtol=1e-6, atol=1e-6)  # of one frame
        numpy.testing.assert_array_equal(mean.x, run.density(1).x)
        self.refused("no mean_density .*--mean-density", self.opened("packed").mean_density)

    def test_combinations(self):
        run = self.opened("orbital")
        self.assertEqual(sorted(run.combination_names), ["half", "mixed", "pair"])
        half = run.combination("half")
        self.assertEqual((half.dims, half.attrs["units"]), (("frame", "z", "y", "x"), "bohr^-3"))
        self.assertEqual(half.attrs["expression"], "density/2")
        numpy.testing.assert_allclose(2 * half, run.density(), rtol=1e-5, atol=1e-6)
        numpy.testing.assert_allclose(2 * half.integral, run.density().integral, rtol=1e-6)
        homo, lumo = run.orbitals("HOMO", 1), run.orbitals("LUMO", 1)
        numpy.testing.assert_allclose(run.combination("pair", 1), homo * lumo, atol=1e-6)
        mixed = run.combination("mixed", 1)
        self.assertEqual((mixed.dims, mixed.attrs["units"]), (("z", "y", "x"), "bohr^-3/2"))
        numpy.testing.assert_allclose(mixed, homo - 2 * lumo, atol=2e-6)
        cell = numpy.prod([mixed[axis][1] - mixed[axis][0] for axis in "xyz"])
        numpy.testing.assert_allclose((mixed.astype(float) ** 2).sum() * cell, mixed.norm, rtol=1e-5)
        self.refused(r"no combination other .*half, mixed, pair.*--combine", run.combination, "other")

    def test_selection_by_label(self):
        run = self.opened("orbital")
        self.assertEqual(list(run.orbitals(["LUMO", "HOMO"]).orbital), ["LUMO", "HOMO"])
        self.assertGreater(run.orbitals("LUMO").energy.item(), run.orbitals("HOMO").energy.item())

    def test_surfaces_and_atoms(self):
        run = self.opened("orbital")
        surface = run.isosurface("HOMO")
        self.assertLess(surface.triangles.max(), len(surface.vertices))
        self.assertEqual(surface.isovalue, 0.05)
        self.assertEqual(list(run.atoms()["symbol"]), ["O", "H", "H"])

    def test_table(self):
        run = self.opened("orbital")
        table, orbitals = run.table(), run.orbitals()
        self.assertEqual(table.index.tolist(), [(1, "HOMO"), (1, "LUMO")])
        for column in ("energy", "occupation", "norm", "number"):
            numpy.testing.assert_array_equal(table[column], orbitals[column].values.ravel())
        self.assertEqual(table.attrs["units"]["energy"], "hartree")

    def test_runs_without_grids(self):
        (self.folder / "at.csv").write_text("x_bohr,y_bohr,z_bohr\n0,0,1\n0,1,2\n")
        compute("orbital", WATER, "--esp", "--points", "at.csv", "-o", "points.h5")
        compute("orbital", WATER, "--orbitals", "1:3", "--norms-only", "--overlap-matrix", "--spacing", "0.8", "-o",
                "norms.h5")
        run = self.opened("points")
        points = run.points()
        with h5py.File(self.folder / "points.h5") as file:
            numpy.testing.assert_array_equal(points[["x", "y", "z"]], file["points/positions"])
            numpy.testing.assert_array_equal(points["esp"], file["points/esp"][0])
        self.assertEqual(points.attrs["units"], {"x": "bohr", "y": "bohr", "z": "bohr", "esp": "hartree/e"})
        self.refused("no frame 0", run.points, 0)
        self.refused("no overlap matrix .*--overlap-matrix", run.overlap_matrix)
        run = self.opened("norms")
        overlaps = run.overlap_matrix(1)
        self.assertEqual(list(overlaps), ["1", "2", "3"])
        numpy.testing.assert_allclose(numpy.diag(overlaps), run.table()["norm"], rtol=1e-6)
        self.refused("no points .*--points", run.points)

    def test_requests_that_cannot_be_met(self):
        run = self.opened("orbital")
        self.refused("no orbital HOMO-9 .*HOMO, LUMO", run.orbitals, "HOMO-9")
        self.refused("no frame 2", run.density, 2)
        self.refused("no spin_density .*--spin-density", run.spin_density)
        self.refused("no isosurface 1/HOMO-1", run.isosurface, "HOMO-1")


class Streams(WithResults):
    def test_stars(self):
        run = self.opened("likelihood")
        self.assertEqual(run.wedges, [82, 79])
        with h5py.File(self.folder / "likelihood.h5") as file:
            numpy.testing.assert_array_equal(run.stars(79)["log10_density"], file["likelihood/2/stars"]["log10_density"])
        stars = run.stars()
        self.assertEqual(len(stars), run.number_of_stars)
        self.assertEqual(set(stars["wedge"]), {79, 82})
        self.assertAlmostEqual(stars["log10_density"].mean(), run.search_likelihood, places=12)
        self.assertEqual(stars.attrs["units"]["r"], "kpc")

    @unittest.skipUnless(importlib.util.find_spec("astropy"), "no Python module astropy")
    def test_stars_with_units(self):
        """What docs/guide/python.md says of astropy."""
        from astropy.coordinates import SkyCoord
        from astropy.table import QTable

        for name in ("likelihood", "fit"):
            stars = self.opened(name).stars()
            table = QTable.from_pandas(stars, units=stars.attrs["units"])
            self.assertEqual([str(table[column].unit) for column in "lbr"], ["deg", "deg", "kpc"])
            sky = SkyCoord(l=table["l"], b=table["b"], distance=table["r"], frame="galactic")
            numpy.testing.assert_array_equal(sky.distance.value, stars["r"])
            self.assertEqual(len(table["log10_density"]), len(stars))

    def test_memberships(self):
        run = self.opened("likelihood")
        with h5py.File(self.folder / "likelihood.h5") as file:
            members = file["likelihood/1/memberships"][:]
            numpy.testing.assert_array_equal(run.components(82)["expected_stars"], file["likelihood/1/expected_stars"])
        numpy.testing.assert_array_equal(run.memberships(82), members)
        stars = run.stars(82)
        names = ["background", "stream1", "stream2"]
        for k, name in enumerate(names):
            numpy.testing.assert_array_equal(stars[f"p_{name}"], members[:, k])
        self.assertEqual(list(stars["most_likely"]), [names[k] for k in members.argmax(axis=1)])
        self.assertTrue(run.stars()["p_stream2"].isna().any())  # the other wedge has one stream
        self.refused("several wedges", run.memberships)
        self.assertEqual(self.opened("fit").memberships().shape[1], 2)

    def test_components(self):
        run = self.opened("likelihood")
        components = run.components(82)
        self.assertEqual(list(components.index), ["background", "stream1", "stream2"])
        with h5py.File(self.folder / "likelihood.h5") as file:
            self.assertEqual(components.loc["background", "integral"], file["likelihood/1"].attrs["background_integral"])
            numpy.testing.assert_array_equal(components["uncut_integral"], file["likelihood/1/uncut_integrals"])
        self.assertNotIn("uncut_integral", run.components(79))
        self.refused("several wedges", run.components)
        self.refused("no wedge 10", run.stars, 10)

    def test_fit(self):
        run = self.opened("fit")
        parameters = run.parameters()
        with h5py.File(self.folder / "fit.h5") as file:
            self.assertEqual(list(parameters.index), list(file["fit/names"].asstr()))
            numpy.testing.assert_array_equal(parameters["best"], file["fit/best"])
            numpy.testing.assert_array_equal(run.history()[list(parameters.index)], file["fit/history/parameters"])
            numpy.testing.assert_array_equal(run.covariance(), file["fit/covariance"])
            fixed = run.fixed()
            self.assertEqual(list(fixed.index), list(file["fit/fixed/names"].asstr()))
            numpy.testing.assert_array_equal(fixed["value"], file["fit/fixed/values"])
        self.assertEqual(parameters.loc["stream1.mu", "unit"], "degree")
        self.assertEqual(len(run.components()), 2)

    def test_sample(self):
        run = self.opened("sample")
        parameters, draws = run.parameters(), run.draws()
        with h5py.File(self.folder / "sample.h5") as file:
            self.assertEqual(list(parameters.index), ["stream1.mu", "stream1.sigma"])
            numpy.testing.assert_array_equal(parameters["mean"], file["sample/mean"])
            numpy.testing.assert_array_equal(draws["stream1.mu"].unstack(), file["posterior/stream1.mu"])
            numpy.testing.assert_array_equal(draws["lp"].unstack(), file["sample_stats/lp"])
            self.assertEqual(run.converged, bool(file["sample"].attrs["converged"]))
            numpy.testing.assert_array_equal(run.fixed()["value"], file["sample/fixed/values"])
        self.assertEqual(run.fixed().loc["stream1.r", "unit"], "kpc")
        self.assertEqual(draws.index.names, ["chain", "draw"])
        self.assertEqual((parameters.loc["stream1.mu", "unit"], run.method), ("degree", "nuts"))


def load_tests(loader, tests, pattern):
    for name in ("arguments", "optional", "docking_result", "wavefunction"):
        tests.addTests(doctest.DocTestSuite(importlib.import_module(f"tessera.{name}"),
                                            setUp=lambda _: os.chdir(script_tests.ROOT)))  # the examples lie there
    return tests


if __name__ == "__main__":
    unittest.main()
