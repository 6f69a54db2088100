"""tessera.Likelihood and tessera.Wavefunction: the values are those of the program, to the bit where they promise it.
Usage: test_module.py PATH/OF/tessera"""

import functools
import math
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py")
try:
    from tessera import _kernels  # noqa: F401
except ImportError as problem:
    print(f"skipped: the module of the package is not built ({problem})")
    sys.exit(script_tests.SKIPPED)

import h5py  # noqa: E402
import likelihood_files  # noqa: E402
import numpy  # noqa: E402
import tessera_runs  # noqa: E402

import tessera  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
WATER = script_tests.ROOT / "examples/water.molden"
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
DEVICE = os.environ.get("TESSERA_TEST_DEVICE", "openmp")


def setUpModule():
    tessera.start_device(DEVICE)


def program(*arguments):
    made = tessera_runs.run(PROGRAM, *arguments, "--device", DEVICE, "--quiet", "--force", cwd=FOLDER)
    assert made.returncode == 0, made.stderr


@functools.cache
def wedge():
    """A model with a cut, and its stars."""
    (FOLDER / "w.toml").write_text(likelihood_files.toml(likelihood_files.model(82, 2, cut=True)))
    (FOLDER / "w.stars").write_text(likelihood_files.stars(300, 1, 82))
    return FOLDER / "w.toml", FOLDER / "w.stars"


@functools.cache
def likelihood():
    return tessera.Likelihood(*wedge())


class Refusals(unittest.TestCase):
    def refused(self, words, call, *arguments, **options):
        with self.assertRaisesRegex(tessera.Error, words) as caught:
            call(*arguments, **options)
        self.assertRegex(str(caught.exception), r"\A[^\n]+ \([^\n]+\): [^\n]+\Z")


class Likelihoods(Refusals):
    def test_value_of_the_command(self):
        parameters, stars = wedge()
        for integration in ("compressed", "exact"):
            program("likelihood", parameters, "--stars", stars, "--integration", integration, "-o", "w.h5")
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
        for place, slope in enumerate(gradient):
            step = numpy.zeros(3)
            step[place] = 1e-5
            difference = (model(model.start + step) - model(model.start - step)) / 2e-5
            self.assertAlmostEqual(slope, difference, delta=1e-6 * (1 + abs(slope)))
            self.assertNotEqual(slope, 0)

    def test_stars_of_an_array(self):
        parameters, stars = wedge()
        table = numpy.loadtxt(stars, skiprows=1)
        model = tessera.Likelihood(parameters, table)
        self.assertEqual(model(), likelihood()())
        self.assertEqual(model.number_of_stars, 300)
        self.assertAlmostEqual(model.log_likelihood(), 300 * math.log(10) * model(), places=9)

    def test_memberships(self):
        """Those of the command, to the bit; NaN where there is no likelihood; rows of theta one by one."""
        program("likelihood", *wedge()[:1], "--stars", wedge()[1], "--memberships", "-o", "members.h5")
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
        self.refused("no gradient", make(parameters, stars, integration="exact").value_and_gradient)


class Wavefunctions(Refusals):
    def check_bits(self, grid, *, precision="single", orbitals="HOMO,LUMO,1:7"):
        """The grids of the module against those of the program's file."""
        origin, spacing, shape = [",".join(repr(x) for x in part) for part in grid]
        wavefunction = tessera.Wavefunction(WATER, precision=precision)
        for options, dataset, values in ((("--orbitals", orbitals), "orbitals", wavefunction.evaluate(grid, orbitals)),
                                         (("--density",), "density", wavefunction.density(grid))):
            program("orbital", WATER, *options, f"--origin={origin}bohr", "--spacing", f"{spacing}bohr", "--grid", shape,
                    "--precision", precision, "-o", "o.h5")
            with h5py.File(FOLDER / "o.h5") as file:
                written = file[f"{dataset}/values"][0]
            self.assertEqual(values.dtype, written.dtype)
            self.assertTrue(values.tobytes() == written.tobytes(), f"{dataset}: other bits than the program's")

    def test_bits_of_the_command(self):
        wavefunction = tessera.Wavefunction(WATER)
        for precision in ("single", "double"):
            self.check_bits(wavefunction.grid(spacing=0.4, padding=4.0), precision=precision)

    def test_bits_of_several_tiles(self):
        self.check_bits(tessera.Grid((-8.0, -8.0, -8.0), (0.125, 0.125, 0.16), (128, 128, 100)),
                        orbitals=",".join(["1:7"] * 2))

    def test_out(self):
        """The values go into the caller's array, which the call returns, and into no other memory."""
        for precision, kind in (("single", numpy.float32), ("double", numpy.float64)):
            wavefunction = tessera.Wavefunction(WATER, precision=precision)
            grid = wavefunction.grid(0.5, 3.0)
            for call, expected in ((lambda out: wavefunction.evaluate(grid, "1:7", out=out),
                                    wavefunction.evaluate(grid, "1:7")),
                                   (lambda out: wavefunction.density(grid, out=out), wavefunction.density(grid)),
                                   (lambda out: wavefunction.spin_density(grid, out=out),
                                    wavefunction.spin_density(grid))):
                whole = numpy.full((3, *expected.shape), 7, kind)
                self.assertIs(call(whole[1]).base, whole)
                self.assertEqual(whole[1].tobytes(), expected.tobytes())
                self.assertTrue((whole[0] == 7).all() and (whole[2] == 7).all())
        points = numpy.array([[0.0, 0, 1], [0.5, 0, 1]])
        values = numpy.empty((2, 2))
        self.assertIs(wavefunction.evaluate(points, "HOMO,LUMO", out=values), values)
        self.assertEqual(values.tolist(), wavefunction.evaluate(points, "HOMO,LUMO").tolist())

    def test_repeated_calls(self):
        """What is kept between calls does not reach the values of other calls."""
        wavefunction = tessera.Wavefunction(WATER)
        grids = [wavefunction.grid(0.5, 3.0), wavefunction.grid(0.6, 2.0)]
        kept = [(grid, name, wavefunction.evaluate(grid, name)) for grid in grids for name in ("1:7", "HOMO", "7")]
        for grid, name, values in [*kept, *kept[::-1]]:
            wavefunction.density(grid)
            self.assertEqual(tessera.Wavefunction(WATER).evaluate(grid, name).tobytes(), values.tobytes())
            self.assertEqual(wavefunction.evaluate(grid, name).tobytes(), values.tobytes())

    def test_dlpack(self):
        wavefunction = tessera.Wavefunction(WATER)
        values = wavefunction.evaluate(wavefunction.grid(0.6, 2.0), "HOMO")
        taken = numpy.from_dlpack(values)
        self.assertEqual(taken.tobytes(), values.tobytes())
        self.assertTrue(numpy.shares_memory(taken, values))
        self.assertEqual(values.__dlpack_device__()[0], 1)  # kDLCPU
        if DEVICE == "cuda":
            kept = wavefunction.evaluate(wavefunction.grid(0.6, 2.0), "HOMO", device="cuda")
            self.assertEqual(kept.__dlpack_device__()[0], 2)  # kDLCUDA
            self.assertIs(wavefunction.evaluate(wavefunction.grid(0.6, 2.0), "HOMO", out=kept), kept)

    def test_refused_arrays(self):
        wavefunction = tessera.Wavefunction(WATER)
        grid = tessera.Grid((0, 0, 0), (1, 1, 1), (2, 3, 4))
        right = numpy.zeros((1, 4, 3, 2), numpy.float32)
        locked = right.copy()
        locked.flags.writeable = False
        for words, out in (("float32", right.astype(float)), (r"shape \(4, 3, 2\)", right[0]),
                           ("gaps", numpy.asfortranarray(right)), ("gaps", numpy.zeros((1, 4, 3, 4), "f")[..., ::2]),
                           ("list", right.tolist()), ("write access", locked)):
            self.refused(words, wavefunction.evaluate, grid, "HOMO", out=out)
        self.refused(r"shape \(1, 4, 3, 2\)", wavefunction.density, grid, out=right)
        self.refused("float64", wavefunction.density, [[0.0, 0, 0]], out=numpy.zeros(1, numpy.float32))
        self.refused("device is 'tpu'", wavefunction.density, grid, device="tpu")
        self.refused("device is 'cuda'", wavefunction.density, [[0.0, 0, 0]], device="cuda")
        if DEVICE != "cuda":
            self.refused("build with CUDA", wavefunction.density, grid, device="cuda")

    def test_grid_of_the_command(self):
        program("orbital", WATER, "--spacing", "0.3bohr", "--padding", "2bohr", "-o", "g.h5")
        grid = tessera.Wavefunction(WATER).grid(0.3, 2.0)
        with h5py.File(FOLDER / "g.h5") as file:
            self.assertEqual(grid.origin, tuple(file["orbitals/origin"][0]))
            self.assertEqual(grid.shape, tuple(file["orbitals/shape"]))
            self.assertEqual(grid.axes()[2][-1], grid.origin[2] + 0.3 * (grid.shape[2] - 1))

    def test_points(self):
        wavefunction = tessera.Wavefunction(WATER, precision="double", tolerance=0)
        grid = wavefunction.grid(0.7, 3.0)
        z, y, x = numpy.meshgrid(*grid.axes()[::-1], indexing="ij")
        points = numpy.stack([x, y, z], axis=-1).reshape(-1, 3)
        numpy.testing.assert_allclose(wavefunction.evaluate(points, "1:7").reshape(7, *x.shape),
                                      wavefunction.evaluate(grid, "1:7"), rtol=0, atol=1e-13)
        numpy.testing.assert_allclose(wavefunction.density(points).reshape(x.shape), wavefunction.density(grid),
                                      rtol=0, atol=1e-11)
        self.assertEqual(wavefunction.evaluate(numpy.empty((0, 3))).shape, (1, 0))
        self.assertFalse(wavefunction.spin_density(points).any())

    def test_what_the_file_holds(self):
        wavefunction = tessera.Wavefunction(WATER)
        self.assertEqual([atom.symbol for atom in wavefunction.atoms], ["O", "H", "H"])
        homo, lumo = wavefunction.find("HOMO,LUMO")
        self.assertEqual((wavefunction.orbitals[homo].occupation, wavefunction.orbitals[lumo].occupation), (2, 0))
        self.assertEqual(wavefunction.warnings, [])

    def test_refusals(self):
        wavefunction = tessera.Wavefunction(WATER)
        self.refused("gone.molden", tessera.Wavefunction, "gone.molden")
        self.refused("precision is 'half'", tessera.Wavefunction, WATER, precision="half")
        self.refused("frames", tessera.Wavefunction, WATER, frame=2)
        self.refused("HOMO-77", wavefunction.evaluate, [[0.0, 0, 0]], "HOMO-77")
        self.refused("n x 3", wavefunction.evaluate, [0.0, 0, 0])
        self.refused("not finite", wavefunction.density, [[0.0, 0, math.inf]])
        self.refused("not usable", wavefunction.density, tessera.Grid((0, 0), (1, 1, 1), (2, 2, 2)))
        self.refused("not usable", wavefunction.density, tessera.Grid((0, 0, 0), (1, 1, 1), (2, 0, 2)))
        self.refused("--spacing", wavefunction.density, tessera.Grid((0, 0, 0), (-1, 1, 1), (2, 2, 2)))


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
