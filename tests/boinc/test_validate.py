"""boinc/validate.py and boinc/assimilate.py on results that the test makes."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from script_tests import ROOT, need  # noqa: E402

need("numpy", "h5py")
import h5py  # noqa: E402
import numpy  # noqa: E402


def write(path, likelihood=-2.5, host="one", complete=1, best=(1.0, 2.0), name="wedge.toml"):
    """A file with the layout of a fit (docs/reference/hdf5.md), as far as the scripts look at it."""
    with h5py.File(path, "w") as file:
        file.attrs.update({"program": "tessera", "workload": "fit", "version": "0.1.0", "created": host})
        file.attrs["complete"] = numpy.uint8(complete)
        run = file.create_group("run")
        run.attrs["input_sha256"] = "abc"
        run["ranks"] = [host]
        fit = file.create_group("fit")
        fit.attrs["likelihood"] = likelihood
        fit.attrs["converged"] = numpy.uint8(1)
        fit["names"] = ["mu", "r"]
        fit["best"] = best
        fit["standard_errors"] = [0.5, numpy.nan]
        file.create_group("likelihood").attrs["parameters"] = name
        stars = numpy.array([(1.0, 2.0), (3.0, numpy.nan)], dtype=[("l", "f8"), ("b", "f8")])
        file["likelihood/stars"] = stars


class Scripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.one, self.other = (os.path.join(self.folder.name, name) for name in ("one.h5", "other.h5"))
        write(self.one)

    def tearDown(self):
        self.folder.cleanup()

    def call(self, script, *words, **environment):
        return subprocess.run([sys.executable, str(ROOT / "boinc" / script), *map(str, words)], capture_output=True,
                              text=True, env=dict(os.environ, **environment))

    def check(self, code, *words, text=""):
        done = self.call("validate.py", *words)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(text, done.stderr)

    def test_two_runs_of_the_same_answer_are_equal(self):
        write(self.other, host="another")
        self.check(0, self.one)
        self.check(0, self.one, self.other)

    def test_one_bit_makes_a_difference(self):
        write(self.other, best=(1.0, numpy.nextafter(2.0, 3)))
        self.check(1, self.one, self.other, text="differ in fit/best")
        write(self.other, likelihood=numpy.nextafter(-2.5, 0))
        self.check(1, self.one, self.other, text="differ in fit@likelihood")

    def test_a_bound_allows_small_differences_of_numbers(self):
        write(self.other, best=(1.0, 2 + 1e-12))
        self.check(0, "--bound", "1e-9", self.one, self.other)
        self.check(1, "--bound", "1e-14", self.one, self.other)
        write(self.other, name="another.toml")
        self.check(1, "--bound", "1e-9", self.one, self.other, text="likelihood@parameters")

    def test_what_is_no_complete_result_is_refused(self):
        write(self.other, complete=0)
        self.check(1, self.other, text="no complete result")
        pathlib.Path(self.other).write_bytes(b"not HDF5")
        self.check(1, self.other, text="cannot be read")
        self.check(1, self.one + ".missing")

    def test_a_missing_dataset_is_named(self):
        write(self.other)
        with h5py.File(self.other, "a") as file:
            del file["fit/best"]
        self.check(1, self.one, self.other, text="fit/best")

    def test_another_shape_or_type_makes_a_difference(self):
        write(self.other, best=(1.0, 2.0, 3.0))
        self.check(1, "--bound", "10", self.one, self.other, text="differ in fit/best")
        write(self.other, best=numpy.array([1.0, 2.0], dtype="f4"))
        self.check(1, "--bound", "10", self.one, self.other, text="differ in fit/best")

    def test_a_number_is_not_within_any_bound_of_nan(self):
        write(self.other)
        with h5py.File(self.other, "a") as file:
            file["fit/standard_errors"][1] = 0.5
        self.check(1, "--bound", "10", self.one, self.other, text="differ in fit/standard_errors")

    def test_a_result_of_another_program_is_refused(self):
        write(self.other)
        with h5py.File(self.other, "a") as file:
            file.attrs["program"] = "another"
        self.check(1, self.other, text="no complete result of tessera")

    def test_a_task_has_one_result(self):
        self.check(2, self.one, self.one, self.one, text="one or two files")

    def test_a_likelihood_is_kept_without_parameters(self):
        with h5py.File(self.one, "a") as file:
            del file["fit"]
            file.attrs["workload"] = "likelihood"
            file["likelihood"].attrs["search_likelihood"] = numpy.inf
        done = self.call("assimilate.py", 19, self.one, TESSERA_RESULTS=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(pathlib.Path(self.folder.name, "19.json").read_text()),
                         {"work_unit": "19", "workload": "likelihood", "input_sha256": "abc", "likelihood": None})

    def test_a_result_that_cannot_be_read_is_not_kept(self):
        pathlib.Path(self.other).write_bytes(b"not HDF5")
        kept = pathlib.Path(self.folder.name) / "kept"
        for words in ([20, self.other], [20], ["--error", 8]):
            self.assertNotEqual(self.call("assimilate.py", *words, TESSERA_RESULTS=str(kept)).returncode, 0)
        self.assertFalse(list(kept.glob("*")) if kept.exists() else [])

    def test_results_are_kept_with_their_parameters(self):
        kept = pathlib.Path(self.folder.name) / "kept"
        for _ in range(2):  # a daemon may be restarted
            done = self.call("assimilate.py", 17, self.one, TESSERA_RESULTS=str(kept))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((kept / "17.h5").read_bytes(), pathlib.Path(self.one).read_bytes())
        summary = json.loads((kept / "17.json").read_text())
        self.assertEqual(summary["likelihood"], -2.5)
        self.assertEqual(summary["parameters"], {"mu": 1.0, "r": 2.0})
        self.assertEqual(summary["standard_errors"], {"mu": 0.5, "r": None})

    def test_a_failed_work_unit_leaves_its_error(self):
        done = self.call("assimilate.py", "--error", 8, 18, TESSERA_RESULTS=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(pathlib.Path(self.folder.name, "18.json").read_text()),
                         {"work_unit": "18", "error": 8})


if __name__ == "__main__":
    unittest.main()
