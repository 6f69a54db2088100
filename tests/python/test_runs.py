"""tessera.dock, fit and simulate: the results are those of the program, to the bit.
Usage: test_runs.py PATH/OF/tessera"""

import doctest
import importlib
import os
import pathlib
import signal
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py", "pandas", "gemmi")
script_tests.need_module()

import gemmi  # noqa: E402
import numpy  # noqa: E402
import tessera_runs  # noqa: E402
from package_tests import DEVICE, FOLDER, PROGRAM, InFolder, program, results  # noqa: E402

import tessera  # noqa: E402

DOCKING = {"rotation_file": "few.rot", "spacing": 2, "refine": 20, "duplicate_radius": 0}


def setUpModule():
    tessera.start_device(DEVICE)


class Runs(InFolder):
    def setUp(self):
        results()
        super().setUp()

    def check_same(self, result, path, groups, *, without=()):
        result.save("mine.h5", force=True)
        mine, written = (tessera_runs.answer(name, groups) for name in ("mine.h5", path))
        self.assertEqual(sorted(mine), sorted(written))
        differ = [key for key in mine if mine[key] != written[key] and key not in without]
        self.assertEqual(differ, [], "other bits than the program's")


    def check_rerun(self, result, groups):
        """tessera rerun makes the saved result again."""
        result.save("mine.h5", force=True)
        program("rerun", "mine.h5", "-o", "again.h5", "--force", "--quiet")
        mine, again = (tessera_runs.answer(name, groups) for name in ("mine.h5", "again.h5"))
        self.assertEqual(mine, again)
        with tessera.open("again.h5") as made:
            self.assertEqual((made.run.input, made.run.input_sha256), (result.run.input, result.run.input_sha256))

    def check_no_rerun(self, result, words):
        """What was in memory only is told."""
        result.save("mine.h5", force=True)
        made = tessera_runs.run(PROGRAM, "rerun", "mine.h5", "-o", "never.h5", cwd=FOLDER)
        self.assertRegex(made.stderr, rf"\Atessera: cannot run 'mine.h5' again \({words}\): make it again in Python, [^\n]+\n\Z")
        self.assertEqual((made.returncode, list(FOLDER.glob("never.h5*"))), (2, []))


class Docking(Runs):
    def test_bits_of_the_command(self):
        with tessera.dock("receptor.pdb", "ligand.pdb", **DOCKING) as result:
            self.check_same(result, "dock.h5", ["docking"])
            self.check_rerun(result, ["docking"])
            with tessera.open("dock.h5") as written:
                self.assertEqual(result.run.input, written.run.input)
                self.assertEqual(result.run.input_sha256, written.run.input_sha256)
                self.assertEqual(result.run.build, written.run.build)
                self.assertTrue(result.poses().equals(written.poses()))
            self.assertEqual(result.run.ranks[0]["fate"], "finished")

    def test_bits_of_an_orbit_search_with_reference(self):
        program("dock", "receptor.pdb", "ligand.pdb", "--rotations", "48", "--spacing", "2", "--seed", "3",
                "--coefficients", "vdw", "--reference", "complex.pdb", "--device", DEVICE, "--quiet", "-o", "orbit.h5")
        with tessera.dock("receptor.pdb", pathlib.Path("ligand.pdb"), rotations=numpy.int64(48), spacing=2.0, seed=3,
                          coefficients="vdw", reference="complex.pdb") as result:
            self.check_same(result, "orbit.h5", ["docking"])
            self.check_rerun(result, ["docking"])
            self.assertEqual(list(result.evaluation())[0], "dockq")
            self.assertEqual(result.sets, ["vdw"])

    def test_structures_of_gemmi(self):
        receptor, ligand = (gemmi.read_structure(f"{name}.pdb") for name in ("receptor", "ligand"))
        with tessera.dock(receptor, ligand, **DOCKING) as result:
            self.check_same(result, "dock.h5", ["docking"], without=["docking@receptor_sha256", "docking@ligand_sha256"])
            self.check_no_rerun(result, "only the memory of a process held the receptor and ligand")
            posed = result.structure(0)
            self.assertEqual(result.run.input["receptor"], "the receptor of gemmi")
        with tessera.open("dock.h5") as written:
            expected = written.structure(0)
        self.assertEqual([one.atom.pos.tolist() for one in posed[0].all()],
                         [one.atom.pos.tolist() for one in expected[0].all()])

    def test_bits_of_a_ring(self):
        """Of a path and of a gemmi structure."""
        program("dock", "ligand.pdb", "--symmetry", "C3", "--axes", "48", "--spacing", "3", "--coefficients", "vdw",
                "--refine", "20", "--device", DEVICE, "--quiet", "-o", "ring.h5")
        options = {"symmetry": "C3", "axes": 48, "spacing": 3, "coefficients": "vdw", "refine": 20}
        with tessera.dock("ligand.pdb", **options) as result:
            self.check_same(result, "ring.h5", ["docking"])
            self.check_rerun(result, ["docking"])
            with tessera.open("ring.h5") as written:
                self.assertEqual(result.run.input_sha256, written.run.input_sha256)
        with tessera.dock(gemmi.read_structure("ligand.pdb"), **options) as result:
            self.check_same(result, "ring.h5", ["docking"], without=["docking@receptor_sha256", "docking@ligand_sha256"])
            self.assertEqual(len(result.structure()[0]), 3)
            self.check_no_rerun(result, "only the memory of a process held the receptor")
        self.refused("a ligand or symmetry", tessera.dock, "ligand.pdb")
        self.refused("a ligand or symmetry", tessera.dock, "ligand.pdb", "receptor.pdb", symmetry="C2")
        self.refused("C2, C3", tessera.dock, "ligand.pdb", symmetry="T")

    def test_rerun_with_many_options(self):
        """Lists, restraints, a membrane, what a command has no option for, and files of weights."""
        pathlib.Path("mine.sets").write_text("mine 0.4 -0.4 250 1\n")
        pathlib.Path("some.csv").write_text("receptor,ligand,upper\nchain A and resid 1,chain B and resid 1,60\n")
        options = {"rotations": 24, "spacing": 3.5, "receptor_chains": ["A"], "ligand_chains": "B", "keep": "none",
                   "coefficients": "mine.sets", "membrane": "-90,-60", "membrane_tolerance": 1.5,
                   "restraints": ["some.csv"], "restraints_weight": 0.25, "refine": 8, "rim": 0.31, "seed": 2**40}
        with tessera.dock("receptor.pdb", "ligand.pdb", **options) as result:
            self.check_rerun(result, ["docking"])
            program("export", "mine.h5", "--config", "mine.toml", "--force")
            self.assertIn("restraints-weight = 0.25\n", pathlib.Path("mine.toml").read_text())
        with tessera.dock("receptor.pdb", "ligand.pdb", rotations=24, spacing=4, cluster_minimum_size=3) as result:
            self.check_no_rerun(result, "the command has no option for its clusters")

    def test_saved_result_is_one_of_the_program(self):
        with tessera.dock("receptor.pdb", "ligand.pdb", **DOCKING) as result:
            result.save("saved.h5")
            self.refused("it exists", result.save, "saved.h5")
        shown = tessera_runs.run(PROGRAM, "table", "saved.h5", cwd=FOLDER)
        expected = tessera_runs.run(PROGRAM, "table", "dock.h5", cwd=FOLDER)
        self.assertEqual((shown.returncode, shown.stdout), (0, expected.stdout), shown.stderr)
        self.refused("closed", result.poses)

    def test_refusals(self):
        def dock(receptor="receptor.pdb", **options):
            tessera.dock(receptor, "ligand.pdb", **{**DOCKING, **options})

        self.refused("gone.pdb", dock, "gone.pdb")
        self.refused("of type int", dock, 7)
        self.refused("no option 'rotatoins' .did you mean 'rotations'", dock, rotatoins=600)
        self.refused("no option 'colour' .the options are those", dock, colour=3)
        self.refused("rotations is 2.5", dock, rotations=2.5)
        self.refused("grid is 5000000000", dock, grid=5000000000)
        self.refused("seed is -1", dock, seed=-1)
        self.refused("rescoring is true", dock, rescoring=True)
        self.refused("--spacing 9 is out of range", dock, spacing=9)
        self.refused("cannot be used", dock, spacing=object())
        self.refused("chain", dock, receptor_chains="Q")
        self.refused("memory is 'much'", dock, memory="much")

    def test_ctrl_c(self):
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        self.addCleanup(timer.cancel)
        with self.assertRaises(KeyboardInterrupt):
            tessera.dock("receptor.pdb", "ligand.pdb", rotations=200000, spacing=1)


class Streams(Runs):
    def test_fit_has_the_bits_of_the_command(self):
        stars = numpy.loadtxt("1.stars", skiprows=1)
        search = {"population": 8, "generations": 2, "variations": 0, "tolerance": 1e-2, "memberships": True}
        for given in ("1.stars", stars):
            with tessera.fit("1.toml", given, **search) as result:
                self.check_same(result, "fit.h5", ["fit", "likelihood"],
                                without=["likelihood@star_file"] if given is stars else [])
                self.assertEqual(result.run.ranks[0]["backend"], DEVICE)
                if given is stars:
                    self.check_no_rerun(result, "only the memory of a process held the stars")
                else:
                    self.check_rerun(result, ["fit", "likelihood"])

    def test_other_methods(self):
        for method in ("particle-swarm", "quasi-newton"):
            program("fit", "1.toml", "--stars", "1.stars", "--method", method, "--population", "6", "--generations", "2",
                    "--variations", "0", "--tolerance", "1e-2", "--seed", "4", "--device", DEVICE, "--quiet", "--force",
                    "-o", "other.h5")
            with tessera.fit("1.toml", "1.stars", method=method, population=6, generations=2, variations=0,
                             tolerance=1e-2, seed=4) as result:
                self.check_same(result, "other.h5", ["fit", "likelihood"])
                self.assertEqual(result.method, method)

    def test_chosen_parameters(self):
        """free and fix fit what the command fits with them."""
        search = ("--population", "6", "--generations", "2", "--variations", "0", "--tolerance", "1e-2")
        for words, names in ((("--free", "stream1.mu,stream1.r"), {"free": ["stream1.mu", "stream1.r"]}),
                             (("--fix", "stream1.theta", "--fix", "stream1.phi"), {"fix": "stream1.theta,stream1.phi"})):
            program("fit", "1.toml", "--stars", "1.stars", *words, *search, "--device", DEVICE, "--quiet", "--force",
                    "-o", "chosen.h5")
            with tessera.fit("1.toml", "1.stars", population=6, generations=2, variations=0, tolerance=1e-2,
                             **names) as result:
                self.check_same(result, "chosen.h5", ["fit", "likelihood"])
                if "free" in names:
                    self.assertEqual(list(result.parameters().index), names["free"])
        self.refused("both|free and fix", tessera.fit, "1.toml", "1.stars", free="stream1.mu", fix="stream1.mu")
        self.refused("stream9.mu", tessera.fit, "1.toml", "1.stars", fix=["stream9.mu"])
        self.refused("fix is", tessera.fit, "1.toml", "1.stars", fix=[3])

    def test_several_wedges(self):
        """From files, and from a file and an array."""
        search = ("--population", "6", "--generations", "2", "--variations", "0", "--tolerance", "1e-2")
        program("fit", "1.toml", "1.toml", "--stars", "1.stars", "1.stars", "--free", "background.q,stream1.r", "--share",
                "stream1.r", *search, "--device", DEVICE, "--quiet", "--force", "-o", "joint.h5")
        for second in ("1.stars", numpy.loadtxt("1.stars", skiprows=1)):
            in_files = isinstance(second, str)
            with tessera.fit(["1.toml", "1.toml"], ["1.stars", second], free="background.q,stream1.r", share="stream1.r",
                             population=6, generations=2, variations=0, tolerance=1e-2) as result:
                self.check_same(result, "joint.h5", ["fit", "likelihood"],
                                without=[] if in_files else ["likelihood/2@star_file"])
                self.assertEqual(list(result.parameters().index), ["background.q", "stream1.r"])
                if in_files:
                    self.check_rerun(result, ["fit", "likelihood"])
        self.refused("two lists of the same length", tessera.fit, ["1.toml", "1.toml"], "1.stars")

    def test_simulate(self):
        program("simulate", "0.toml", "--number", "500", "--seed", "5", "--quiet", "-o", "drawn.txt")
        drawn = tessera.simulate("0.toml", 500, seed=5)
        self.assertEqual(drawn.stars.tolist(), numpy.loadtxt("drawn.txt", skiprows=1).tolist())
        self.assertEqual(set(drawn.components.tolist()), {0, 1, 2})
        self.assertEqual(tessera.Likelihood("0.toml", drawn.stars).number_of_stars, 500)

    def test_refusals(self):
        self.refused("gone.toml", tessera.fit, "gone.toml", "1.stars")
        self.refused("gone.stars", tessera.fit, "1.toml", "gone.stars")
        self.refused("no option 'patience'", tessera.fit, "1.toml", "1.stars", patience=3)
        self.refused("population is 2.5", tessera.fit, "1.toml", "1.stars", population=2.5)
        self.refused("method", tessera.fit, "1.toml", "1.stars", method="guess")
        self.refused("method is 3", tessera.fit, "1.toml", "1.stars", method=3)
        self.refused("tolerance is 'low'", tessera.fit, "1.toml", "1.stars", tolerance="low")
        self.refused("search_tolerance is 'low'", tessera.fit, "1.toml", "1.stars", search_tolerance="low")
        self.refused("integration is 'quick'", tessera.fit, "1.toml", "1.stars", integration="quick")
        self.refused("no stars", tessera.fit, "1.toml", numpy.empty((0, 3)))
        self.refused("n x 3", tessera.fit, "1.toml", [1.0, 2.0])
        self.refused("number is 0", tessera.simulate, "1.toml", 0)
        self.refused("gone.toml", tessera.simulate, "gone.toml")


def load_tests(loader, tests, pattern):
    former = os.getcwd()
    for name in ("docking", "streams", "wavefunction", "likelihood"):
        tests.addTests(doctest.DocTestSuite(
            importlib.import_module(f"tessera.{name}"), setUp=lambda _: os.chdir(script_tests.ROOT),
            tearDown=lambda _: os.chdir(former)))
    return tests


if __name__ == "__main__":
    unittest.main()
