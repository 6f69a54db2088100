"""examples/python: the fit with scipy comes back to the model that the stars were drawn from, and the samples of emcee
and dynesty lie around it. Usage: test_examples.py PATH/OF/tessera"""

import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "scipy", "emcee")
if importlib.util.find_spec("tessera._kernels") is None:
    print("skipped: the module of the package is not built")
    sys.exit(script_tests.SKIPPED)

import tessera_runs  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
WEDGE = script_tests.ROOT / "examples/wedge.toml"
TRUE = {"background.q": 0.6, "stream1.epsilon": -1.1, "stream1.r": 27.0, "stream1.sigma": 2.2}
TOLERATED = {"background.q": 0.1, "stream1.epsilon": 0.5, "stream1.r": 1.0, "stream1.sigma": 1.0}  # with 3000 stars


class Examples(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.stars = pathlib.Path(temporary.name) / "stars.txt"
        made = tessera_runs.run(PROGRAM, "simulate", WEDGE, "--number", "3000", "--seed", "2", "--quiet", "-o", self.stars)
        self.assertEqual(made.returncode, 0, made.stderr)

    def table(self, script, *options, column):
        """The numbers of one column of what the script prints, by parameter."""
        shown = script_tests.run_script(script, WEDGE, self.stars, *options)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        rows = re.findall(r"^(\S+\.\S+) +(.+)$", shown.stdout, re.MULTILINE)
        return {name: float(numbers.split()[column]) for name, numbers in rows}

    def check_near_truth(self, found):
        self.assertGreaterEqual(len(found), 3)
        for name, value in found.items():
            self.assertAlmostEqual(value, TRUE[name], delta=TOLERATED[name], msg=name)

    def test_fit_with_scipy(self):
        starts = self.table("examples/python/fit_with_scipy.py", column=1)
        self.assertGreater(abs(starts["stream1.r"] - TRUE["stream1.r"]), TOLERATED["stream1.r"])
        self.check_near_truth(self.table("examples/python/fit_with_scipy.py", column=2))

    def test_sample_with_emcee(self):
        self.check_near_truth(self.table("examples/python/sample_with_emcee.py", "--steps", 40, "--walkers", 8, column=0))

    @unittest.skipUnless(importlib.util.find_spec("dynesty"), "no Python module dynesty")
    def test_sample_with_dynesty(self):
        self.check_near_truth(self.table("examples/python/sample_with_dynesty.py", "--live", 20, "--precision", 2, column=0))

    def test_errors_are_one_line(self):
        script_tests.expect_refused(
            self, script_tests.run_script("examples/python/fit_with_scipy.py", WEDGE, "gone.txt"), "gone.txt")


if __name__ == "__main__":
    unittest.main()
