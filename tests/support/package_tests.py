"""What the tests of the Python package share: a folder with results that the program has made, and calls that are
refused in one line. The first argument of a test is the program."""

import functools
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import numpy
import small_results
import tessera_runs

import tessera

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
DEVICE = small_results.small_runs.device()
WATER = pathlib.Path(small_results.small_runs.WATER)


def program(*arguments):
    """Runs the program in the folder."""
    made = tessera_runs.run(PROGRAM, *arguments, cwd=FOLDER)
    assert made.returncode == 0, made.stderr


def compute(*arguments):
    """Runs the program on the device of the tests; its output replaces an older one."""
    program(*arguments, "--device", DEVICE, "--quiet", "--force")


@functools.cache
def results():
    """The folder with small results of all workloads, which are made once."""
    small_results.make(PROGRAM, FOLDER)
    return FOLDER


def require_slopes(test, model):
    """The gradient of a Likelihood at its start is that of central differences, and none of it is 0."""
    _, gradient = model.value_and_gradient()
    test.assertEqual(gradient.shape, model.start.shape)
    for place, slope in enumerate(gradient):
        step = numpy.zeros(len(gradient))
        step[place] = 1e-5
        difference = (model(model.start + step) - model(model.start - step)) / 2e-5
        test.assertAlmostEqual(slope, difference, delta=1e-6 * (1 + abs(slope)))
        test.assertNotEqual(slope, 0)


class Refusals(unittest.TestCase):
    def refused(self, words, call, *arguments, **options):
        """The call raises one line: problem (why): what to do."""
        with self.assertRaisesRegex(tessera.Error, words) as caught:
            call(*arguments, **options)
        self.assertRegex(str(caught.exception), r"\A[^\n]+ \([^\n]+\): [^\n]+\Z")


class WithResults(Refusals):
    """Tests of results that are opened."""

    def setUp(self):
        self.folder = results()

    def opened(self, name):
        result = tessera.open(self.folder / f"{name}.h5")
        self.addCleanup(result.close)
        return result

    def copy(self, name):
        return pathlib.Path(shutil.copy(self.folder / f"{name}.h5", self.folder / "copy.h5"))


class InFolder(Refusals):
    """Tests that run in the folder."""

    def setUp(self):
        former = os.getcwd()
        os.chdir(FOLDER)
        self.addCleanup(os.chdir, former)
