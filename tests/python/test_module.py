"""tessera.Likelihood: the values are those of the program, to the bit where they promise it; and how the module behaves
among threads and processes. tessera.Wavefunction: test_wavefunctions.py. Usage: test_module.py PATH/OF/tessera"""

import functools
import math
import multiprocessing
import pathlib
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py")
script_tests.need_module()

import h5py  # noqa: E402
import likelihood_files  # noqa: E402
import numpy  # noqa: E402
from package_tests import DEVICE, FOLDER, WATER, Refusals, compute, require_slopes  # noqa: E402

import tessera  # noqa: E402


def setUpModule():
    tessera.start_device(DEVICE)


@functools.cache
def wedge():
    """A model with a cut, and its stars."""
    (FOLDER / "w.toml").write_text(likelihood_files.toml(likelihood_files.model(82, 2, cut=True)))
    (FOLDER / "w.stars").write_text(likelihood_files.stars(300, 1, 82))
    return FOLDER / "w.toml", FOLDER / "w.stars"


@functools.cache
def likelihood():
    return tessera.Likelihood(*wedge())


class Likelihoods(Refusals):
    def test_value_of_the_command(self):
        parameters, stars = wedge()
        for integration in ("compressed", "exact"):
            compute("likelihood", parameters, "--stars", stars, "--integration", integration, "-o", "w.h5")
            with h5py.File(FOLDER / "w.h5") as file:
                expected = float(file["likelihood"].attrs["search_likelihood"])
            self.assertEqual(tessera.Likelihood(parameters, stars, integration=integration)(), expected)

    def test_batches(self):
        model = likelihood()
        rows = model.start * (1 + 0.01 * numpy.random.default_rng(1).standard_normal((5, len(model.start))))
        rows[:, model.names.index("background.q")] = model.start[model.names.index("background.q")]
        values, gradients = model.value_and_gradient(rows)
        self.assertEqual(values.tolist(), model(rows).tolist())
        self.assertEqual(values.tolist(), [model(row) for row in rows])
        self.assertEqual(gradients[3].tolist(), model.value_and_gradient(rows[3])[1].tolist())
        self.assertEqual(model(rows[:0]).shape, (0,))

    def test_gradient_is_the_slope(self):
        model = tessera.Likelihood(*wedge(), free=["stream1.mu", "background.q", "stream2.sigma"])
        value, gradient = model.value_and_gradient()
        self.assertEqual(value, likelihood()())
        self.assertEqual(gradient.shape, (3,))
        require_slopes(self, model)

    def test_stars_of_an_array(self):
        parameters, stars = wedge()
        table = numpy.loadtxt(stars, skiprows=1)
        model = tessera.Likelihood(parameters, table)
        self.assertEqual(model(), likelihood()())
        self.assertEqual(model.number_of_stars, 300)
        self.assertAlmostEqual(model.log_likelihood(), 300 * math.log(10) * model(), places=9)

    def test_several_wedges(self):
        """The value of the command, to the bit; the gradient of what wedges share; what cannot be joined."""
        (FOLDER / "v.toml").write_text(likelihood_files.toml(likelihood_files.model(79, 2)))
        (FOLDER / "v.stars").write_text(likelihood_files.stars(200, 2, 79))
        files, stars = [wedge()[0], FOLDER / "v.toml"], [wedge()[1], FOLDER / "v.stars"]
        compute("likelihood", *files, "--stars", *stars, "-o", "both.h5")
        with h5py.File(FOLDER / "both.h5") as file:
            expected = float(file["likelihood"].attrs["search_likelihood"])
        self.assertEqual(tessera.Likelihood(files, stars)(), expected)
        model = tessera.Likelihood(files, stars, free=["stream1.sigma", "background.q", "wedge2.stream2.mu"],
                                   share=["stream1.sigma"])
        self.assertEqual((model(), model.number_of_stars), (expected, 500))
        value, gradient = model.value_and_gradient()
        for place, slope in enumerate(gradient):
            step = numpy.zeros(3)
            step[place] = 1e-5
            difference = (model(model.start + step) - model(model.start - step)) / 2e-5
            self.assertAlmostEqual(slope, difference, delta=1e-6 * (1 + abs(slope)))
            self.assertNotEqual(slope, 0)
        width = model.start + [1, 0, 0]
        each = [tessera.Likelihood(file, star, free=["stream1.sigma"])(width[:1]) for file, star in zip(files, stars)]
        self.assertAlmostEqual(model(width), (300 * each[0] + 200 * each[1]) / 500, places=13)
        self.assertEqual(model.memberships(wedge=2).shape, (200, 3))
        self.assertEqual(model([[-1, 0.6, 170]]).tolist(), [-math.inf])
        self.assertRegex(model.problem([-1, 0.6, 170]), "^wedge 1: .*sigma")
        self.refused("choose one from 1 on", model.memberships)
        self.refused("two lists of the same length", tessera.Likelihood, files, stars[0])
        self.refused("fewer than two wedges", tessera.Likelihood, files, stars, share=["stream3.mu"])

    def test_memberships(self):
        """Those of the command, to the bit; NaN where there is no likelihood; rows of theta one by one."""
        compute("likelihood", *wedge()[:1], "--stars", wedge()[1], "--memberships", "-o", "members.h5")
        with h5py.File(FOLDER / "members.h5") as file:
            wanted = file["likelihood/memberships"][:]
        self.assertEqual(likelihood().memberships().tobytes(), wanted.tobytes())
        one = tessera.Likelihood(*wedge(), free=["stream1.mu", "stream1.sigma"])
        several = one.memberships([one.start, [170, 3], [170, -1]])
        self.assertEqual(several.shape, (3, *wanted.shape))
        self.assertEqual(several[0].tobytes(), wanted.tobytes())
        self.assertTrue((several[1] != wanted).any() and numpy.isnan(several[2]).all())
        self.assertLess(abs(several[:2].sum(axis=2) - 1).max(), 1e-14)

    def test_empty_streams(self):
        """A stream that the cuts swallow has weight 0 on request."""
        model = likelihood_files.model(82, 2)
        model["streams"][0] = {"epsilon": -1.0, "mu": 175.0, "r": 22.0, "theta": 1.097, "phi": 2.146, "sigma": 0.8}
        cut = {"r": (16.0, 22.5, 14), "mu": (150.0, 200.0, 50), "nu": (-1.25, 1.25, 6)}
        model["areas"] = [cut, cut | {"mu": (155.0, 195.0, 40)}]
        (FOLDER / "cut.toml").write_text(likelihood_files.toml(model))
        refused = tessera.Likelihood(FOLDER / "cut.toml", wedge()[1])
        self.assertEqual(refused(), -math.inf)
        self.assertIn("inside a cut", refused.problem())
        allowed = tessera.Likelihood(FOLDER / "cut.toml", wedge()[1], allow_empty_streams=True)
        self.assertTrue(math.isfinite(allowed()) and not allowed.memberships()[:, 1].any())

    def test_models_without_a_likelihood(self):
        model = tessera.Likelihood(*wedge(), free=["stream1.sigma"])
        values, gradients = model.value_and_gradient([[2.5], [-1.0], [math.nan], [0.0]])
        self.assertTrue(math.isfinite(values[0]))
        self.assertEqual(values[1:].tolist(), [-math.inf] * 3)
        self.assertTrue(numpy.isnan(gradients[1:]).all())
        self.assertEqual(model.problem([2.5]), "")
        self.assertIn("sigma", model.problem([0.0]))

    def test_refusals(self):
        parameters, stars = wedge()
        make = tessera.Likelihood
        self.refused("gone.toml", make, "gone.toml", stars)
        self.refused("gone.stars", make, parameters, "gone.stars")
        self.refused("no parameter 'stream9.mu'", make, parameters, stars, free=["stream9.mu"])
        self.refused("twice", make, parameters, stars, free=["stream1.mu"] * 2)
        self.refused("n x 3", make, parameters, [1.0, 2.0])
        self.refused("star 1 is", make, parameters, [[1.0, 2, 3], [1, 200, 3]], allow_stars_outside=True)
        self.refused("outside", make, parameters, [[10.0, 2, 3]])
        self.refused("no stars", make, parameters, numpy.empty((0, 3)))
        self.refused("integration is 'quick'", make, parameters, stars, integration="quick")
        self.refused("tolerance", make, parameters, stars, tolerance=2.0)
        self.refused("theta has the shape", likelihood(), [1.0])
        self.refused("theta is no array of numbers", likelihood(), "high")
        self.refused("no gradient", make(parameters, stars, integration="exact").value_and_gradient)


def value_in_child(model, queue):
    try:
        queue.put(model())
    except tessera.Error as error:
        queue.put(str(error))


class Processes(Refusals):
    def test_device_starts_once(self):
        running = tessera.start_device(DEVICE)
        self.assertEqual(running.backend, DEVICE)
        self.refused("runs already", tessera.start_device, "serial")
        self.refused("runs already", tessera.start_device, "auto", running.threads + 1)

    def test_threads_share_the_device(self):
        model, expected, found = likelihood(), likelihood()(), []
        threads = [threading.Thread(target=lambda: found.append(model())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)

    def test_forked_process_is_told(self):
        likelihood()()
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=value_in_child, args=(likelihood(), queue))
        child.start()
        self.assertRegex(queue.get(timeout=60), r"forked .*spawn")
        child.join(60)

    def test_process_ends_in_order(self):
        """Objects that hold memory of the device outlive it at the exit of Python."""
        code = (f"import tessera; tessera.start_device('{DEVICE}'); water = tessera.Wavefunction('{WATER}'); "
                "kept = water.density(water.grid(0.5, 3.0)); water.density(water.grid(0.5, 3.0))")
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
        self.assertEqual((shown.returncode, shown.stdout, shown.stderr), (0, "", ""))

    def test_no_mpi_is_loaded(self):
        code = ("import tessera; tessera.start_device('serial'); "
                "print([line.split('/')[-1] for line in open('/proc/self/maps') if 'libmpi' in line])")
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
        self.assertEqual((shown.returncode, shown.stdout.strip()), (0, "[]"), shown.stderr)


if __name__ == "__main__":
    unittest.main()
