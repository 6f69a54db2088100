"""tessera.Wavefunction: the values are those of the program, to the bit where they promise it.
Usage: test_wavefunctions.py PATH/OF/tessera"""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py")
script_tests.need_module()

import h5py  # noqa: E402
import numpy  # noqa: E402
from package_tests import DEVICE, FOLDER, WATER, Refusals, compute  # noqa: E402

import tessera  # noqa: E402


def setUpModule():
    tessera.start_device(DEVICE)


class Wavefunctions(Refusals):
    def check_bits(self, grid, *, precision="single", orbitals="HOMO,LUMO,1:7"):
        """The grids of the module against those of the program's file."""
        origin, spacing, shape = [",".join(repr(x) for x in part) for part in grid]
        wavefunction = tessera.Wavefunction(WATER, precision=precision)
        for options, dataset, values in ((("--orbitals", orbitals), "orbitals", wavefunction.evaluate(grid, orbitals)),
                                         (("--density",), "density", wavefunction.density(grid))):
            compute("orbital", WATER, *options, f"--origin={origin}bohr", "--spacing", f"{spacing}bohr", "--grid", shape,
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
        compute("orbital", WATER, "--spacing", "0.3bohr", "--padding", "2bohr", "-o", "g.h5")
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
        self.refused("frame is 'two'", tessera.Wavefunction, WATER, frame="two")
        self.refused("tolerance is None", tessera.Wavefunction, WATER, tolerance=None)
        self.refused("orbitals is 5", wavefunction.evaluate, [[0.0, 0, 0]], 5)
        self.refused("spacing is 'fine'", wavefunction.grid, "fine")
        self.refused("isovalue is 'high'", wavefunction.isosurface, "HOMO", "high")
        self.refused("vertex_fields is 3", wavefunction.isosurface, "HOMO", 0.1, vertex_fields=3)

    def test_orbitals_as_a_list(self):
        wavefunction, point = tessera.Wavefunction(WATER), [[0.0, 0, 1]]
        self.assertEqual(wavefunction.find(["LUMO", "2:3"]), wavefunction.find("LUMO,2:3"))
        self.assertEqual(wavefunction.evaluate(point, ["LUMO", "2"]).tolist(),
                         wavefunction.evaluate(point, "LUMO,2").tolist())


if __name__ == "__main__":
    unittest.main()
