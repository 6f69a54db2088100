"""Wavefunction.combine: sums of densities and orbitals of wavefunctions in memory, with the bits of the program; and
periodic systems that are evaluated as molecules. Usage: test_combinations.py PATH/OF/tessera"""

import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py")
script_tests.need_module()

import h5py  # noqa: E402
import numpy  # noqa: E402
from package_tests import DEVICE, FOLDER, WATER, InFolder, compute  # noqa: E402

import tessera  # noqa: E402

EXAMPLES = WATER.parent
IONS = {name: EXAMPLES / f"water_{name}.molden" for name in ("anion", "cation")}
CRYSTAL = EXAMPLES.parent / "tests/orbitals/references/periodic/triclinic.molden.gz"
TRANSITIONS = CRYSTAL.parent.parent / "transitions"
FRAGMENTS = {name: EXAMPLES / f"water_dimer_{name}.molden.gz" for name in ("donor", "acceptor")}


def setUpModule():
    tessera.start_device(DEVICE)


def opened(files, **options):
    return {name: tessera.Wavefunction(path, **options) for name, path in files.items()}


def of_command(main, files, expression, grid, *options):
    """The open result of the command for the same expression and grid."""
    origin, spacing, shape = [",".join(repr(x) for x in part) for part in grid]
    named = [word for name, path in files.items() if f"({name}" in expression for word in ("--with", f"{name}={path}")]
    compute("orbital", main, *named, "--combine", f"combination = {expression}", f"--origin={origin}bohr", "--spacing",
            f"{spacing}bohr", "--grid", shape, *options, "-o", "combined.h5")
    return h5py.File(FOLDER / "combined.h5")


class Combinations(InFolder):
    def check_bits(self, main, files, expression, precision="single"):
        wavefunction = tessera.Wavefunction(main, precision=precision)
        grid = wavefunction.grid(spacing=0.5, padding=4.0)
        values = wavefunction.combine(expression, grid, opened(files))
        with of_command(main, files, expression, grid, "--precision", precision) as file:
            written = file["combinations/combination/values"][0]
        self.assertEqual((values.dtype, values.shape), (written.dtype, written.shape))
        self.assertTrue(values.tobytes() == written.tobytes(), f"{expression}: other bits than the program's")
        self.assertTrue(values.any())
        return wavefunction, grid, values

    def test_bits_of_the_command(self):
        for precision in ("single", "double"):
            self.check_bits(WATER, IONS, "(density(anion) - density(cation))/2", precision)
            self.check_bits(WATER, IONS, "0.6*orbital(HOMO) - 0.8*orbital(cation, HOMOa)", precision)
        self.check_bits(WATER, IONS, "orbital(HOMO)*orbital(LUMO) + spin_density(anion)")
        self.check_bits(EXAMPLES / "water_dimer.molden.gz", FRAGMENTS, "density - density(donor) - density(acceptor)")

    def test_a_difference_is_the_difference(self):
        """Against the densities of each wavefunction, which another part of the module computes."""
        water, grid, values = self.check_bits(WATER, IONS, "density(anion) - density", "double")
        anion = opened(IONS, precision="double")["anion"]
        numpy.testing.assert_allclose(values, anion.density(grid) - water.density(grid), rtol=0, atol=2e-5)
        self.assertLess(abs(values.sum() * numpy.prod(grid.spacing) - 1), 0.1)  # a coarse grid
        self.assertLess(abs(water.combine("density - density(same)", grid, {"same": water})).max(), 1e-12)

    def test_points(self):
        water, ions = tessera.Wavefunction(WATER), opened(IONS)
        points = numpy.random.default_rng(1).uniform(-3, 3, (50, 3))
        density = {name: one.density(points) for name, one in ions.items()}
        numpy.testing.assert_allclose(water.combine("2*density(anion) - density(cation)/4", points, ions),
                                      2 * density["anion"] - density["cation"] / 4, rtol=1e-9, atol=1e-13)
        homo, lumo = water.evaluate(points, "HOMO,LUMO")
        numpy.testing.assert_allclose(water.combine("orbital(HOMO)*orbital(LUMO)", points), homo * lumo, rtol=0, atol=1e-13)
        numpy.testing.assert_allclose(water.combine("orbital(HOMO) + 3*orbital(LUMO)", points), homo + 3 * lumo,
                                      rtol=0, atol=1e-13)

    def test_out_and_repeated_calls(self):
        water, ions = tessera.Wavefunction(WATER), opened(IONS)
        grid = water.grid(0.6, 2.0)
        kept = {text: water.combine(text, grid, ions) for text in ("density - density(cation)", "orbital(1) - orbital(2)")}
        density = water.density(grid)
        out = numpy.full((2, *density.shape), 7, numpy.float32)
        for text, expected in kept.items():
            self.assertIs(water.combine(text, grid, ions, out=out[1]).base, out)
            self.assertEqual(out[1].tobytes(), expected.tobytes())
            self.assertEqual(water.density(grid).tobytes(), density.tobytes())
        self.assertTrue((out[0] == 7).all())
        water.combine("density - density", grid, out=out[1])  # no orbital is left
        self.assertFalse(out[1].any())

    def check_surface(self, expression, level, fields):
        water = tessera.Wavefunction(WATER)
        grid = water.grid(0.4, 4.0)
        surface = water.combination_isosurface(expression, level, grid, opened(IONS), vertex_fields=fields)
        of_command(WATER, IONS, expression, grid, "--isosurface", str(level), "--vertex-field", fields).close()
        with tessera.open("combined.h5") as run:
            written = run.isosurface("combination")
        for name in ("vertices", "normals", "triangles"):
            self.assertTrue(getattr(surface, name).tobytes() == getattr(written, name).tobytes(), f"{name}: other bits")
        self.assertEqual(set(surface.fields), set(written.fields))
        for name, values in surface.fields.items():
            self.assertTrue(values.tobytes() == written.fields[name].tobytes(), f"{name}: other bits")
        self.assertEqual(surface.positive_triangles, written.positive_triangles)
        self.assertGreater(len(surface.triangles), 100)
        return water, surface

    def test_surfaces(self):
        water, surface = self.check_surface("density - density(cation)", 0.005, "combination,HOMO,gradient-norm")
        points = surface.vertices.astype(float)
        numpy.testing.assert_allclose(surface.fields["combination"],
                                      water.combine("density - density(cation)", points, opened(IONS)), rtol=0, atol=1e-12)
        self.check_surface("0.8*orbital(HOMO) + 0.6*orbital(HOMO-1)", 0.05, "density")
        self.assertEqual(len(water.combination_isosurface("density - density", 0.01).triangles), 0)

    def test_refusals(self):
        water, ions = tessera.Wavefunction(WATER), opened(IONS)
        point = [[0.0, 0, 0]]
        self.refused("no wavefunction 'anion'", water.combine, "density - density(anion)", point)
        self.refused("names frame 2", water.combine, "density(2)", point)
        self.refused("expression is 3", water.combine, 3, point)
        self.refused("others\\['a'\\] is 'b'", water.combine, "density(a)", point, {"a": "b"})
        self.refused("--combine", water.combine, "density + orbital(HOMO)", point)
        self.refused("--combine", water.combine, "density -", point)
        self.refused("HOMO-77", water.combine, "orbital(HOMO-77)", point)
        self.refused("isovalue is 0", water.combination_isosurface, "density", 0)
        self.refused("n x 3", water.combine, "density", [0.0])
        dimer = tessera.Wavefunction(EXAMPLES / "water_dimer.molden.gz")
        self.refused("atom", water.combine, "density - density(dimer)", point, {"dimer": dimer})
        there = water.combine("density + density(dimer)", point, {"dimer": dimer}, different_geometries=True)
        numpy.testing.assert_allclose(there, water.density(point) + dimer.density(point), rtol=1e-12)


class Gradients(InFolder):
    def test_gradients_of_orbitals(self):
        """On a grid and at points they are the differences of the orbital's values."""
        water = tessera.Wavefunction(WATER, precision="double", tolerance=0)
        grid = water.grid(0.9, 2.0)
        x, y, z = grid.axes()
        points = numpy.stack(numpy.meshgrid(z, y, x, indexing="ij")[::-1], axis=-1).reshape(-1, 3)
        step = 1e-3 * numpy.eye(3)
        for axis, name in enumerate("xyz"):
            expression = f"gradient_{name}(orbital(HOMO) - 2*orbital(1))"
            there = [water.combine("orbital(HOMO) - 2*orbital(1)", points + n * step[axis]) for n in (1, -1, 2, -2)]
            wanted = (8 * (there[0] - there[1]) - (there[2] - there[3])) / 12e-3
            near = abs(wanted) < 10  # not at the cusp
            self.assertGreater(near.mean(), 0.9)
            found = water.combine(expression, points)
            numpy.testing.assert_allclose(found[near], wanted[near], atol=1e-8)
            numpy.testing.assert_allclose(water.combine(expression, grid).ravel(), found, atol=1e-12)


class NaturalOrbitals(InFolder):
    def test_of_a_density_matrix(self):
        """A diagonal matrix only sorts the orbitals."""
        shutil.copytree(CRYSTAL.parent.parent / "formats/oh_spherical.trexio", "oh.trexio")
        plain = tessera.Wavefunction("oh.trexio")
        count = len(plain.orbitals)
        matrix = numpy.diag([0.5, 2, 1, 0.25, *[0] * (count - 4)]).ravel()
        pathlib.Path("oh.trexio/rdm.txt").write_text(
            f"dims_rdm_one_e 0 {count}\ndims_rdm_one_e 1 {count}\nrdm_one_e\n" + "\n".join(map(str, matrix)) + "\n")
        natural = tessera.Wavefunction("oh.trexio", natural_orbitals="one_e")
        numpy.testing.assert_allclose([one.occupation for one in natural.orbitals], [2, 1, 0.5, 0.25], atol=1e-12)
        points = numpy.array([[0.3, -0.2, 0.5], [1.0, 0.4, -0.7]])
        values = plain.evaluate(points, "1:4")
        numpy.testing.assert_allclose(natural.density(points), [0.5, 2, 1, 0.25] @ values ** 2, rtol=1e-10)
        self.refused("no density matrix", tessera.Wavefunction, WATER, natural_orbitals="SCF")


class NaturalTransitionOrbitals(InFolder):
    """Weights of PySCF's get_nto, and orbitals as sums of those of the file."""

    def test_of_an_array(self):
        amplitudes = numpy.loadtxt(TRANSITIONS / "water.txt")
        with numpy.load(TRANSITIONS / "water.npz") as file:
            weights = file["weights"]
        pairs = tessera.Wavefunction(TRANSITIONS / "water.molden", natural_transition_orbitals=amplitudes)
        found = numpy.array([one.occupation for one in pairs.orbitals])
        numpy.testing.assert_allclose(found[1:6:2], weights, atol=1e-9)
        numpy.testing.assert_array_equal(found[::2], -found[1::2])
        self.assertEqual([one.symmetry for one in pairs.orbitals[:4]], ["hole", "electron"] * 2)
        points = numpy.array([[0.3, -0.2, 0.5], [1.0, 0.4, -0.7]])
        plain = tessera.Wavefunction(TRANSITIONS / "water.molden")
        of_file = plain.evaluate(points, "all")
        wanted = of_file[:5].T @ amplitudes @ of_file[5:]
        sigma = numpy.sqrt(found[1::2] * (amplitudes ** 2).sum())
        values = pairs.evaluate(points, "all")
        numpy.testing.assert_allclose((values[::2].T * sigma) @ values[1::2], wanted, atol=1e-9)
        table = tessera.Wavefunction(TRANSITIONS / "water.molden", natural_transition_orbitals=str(TRANSITIONS / "water.txt"))
        self.assertEqual(table.orbitals, pairs.orbitals)
        state = tessera.Wavefunction(TRANSITIONS / "water.fchk.gz", natural_transition_orbitals=3)
        numpy.testing.assert_allclose([one.occupation for one in state.orbitals[1:6:2]], weights, atol=1e-7)

    def test_of_two_spins(self):
        rows = [[float(x) for x in line.split()] for line in (TRANSITIONS / "oh.txt").read_text().splitlines()]
        both = numpy.array(rows[:5]), numpy.array(rows[5:])
        pairs = tessera.Wavefunction(TRANSITIONS / "oh.molden", natural_transition_orbitals=both)
        with numpy.load(TRANSITIONS / "oh.npz") as file:
            for spin, weights in zip(("alpha", "beta"), file["weights"]):
                found = [one.occupation for one in pairs.orbitals if one.spin == spin and one.symmetry == "electron"]
                numpy.testing.assert_allclose(found[:2], weights[:2], atol=1e-9)

    def test_refusals(self):
        def refused(words, matrix, name="water.molden"):
            self.refused(words, tessera.Wavefunction, TRANSITIONS / name, natural_transition_orbitals=matrix)
        refused("13 x 13 numbers, or 5 x 8", numpy.ones((2, 3)))
        refused("give both matrices", numpy.ones((5, 6)), "oh.molden")
        refused("has the shape", numpy.ones(3))
        refused("is no matrix", [[1, 2], [3]])
        refused("no transition densities", 1)
        refused("whole number", 1.5)


class Cells(InFolder):
    def test_a_grid_of_one_cell(self):
        """The grid and the bits of --grid cell, whose integrals are those of all space."""
        crystal = tessera.Wavefunction(CRYSTAL)
        grid = crystal.cell_grid(0.3, origin=(0.5, -1, 2))
        compute("orbital", CRYSTAL, "--density", "--grid", "cell", "--origin=0.5,-1,2bohr", "--spacing", "0.3bohr", "-o",
                "cell.h5")
        with h5py.File(FOLDER / "cell.h5") as file:
            written = file["density/values"][0]
            self.assertEqual(file["density/origin"][0].tolist(), list(grid.origin))
            self.assertEqual(file["frames/1/cell"][:].tolist(), crystal.cell.tolist())
        density = crystal.density(grid)
        self.assertEqual(density.tobytes(), written.tobytes())
        volume = numpy.prod(grid.spacing)
        self.assertAlmostEqual(volume * density.size, abs(numpy.linalg.det(crystal.cell)), places=9)
        self.assertAlmostEqual(float(density.sum(dtype=float) * volume), 4, places=4)
        self.assertAlmostEqual(float((crystal.evaluate(grid, "2").astype(float) ** 2).sum() * volume), 1, places=4)
        self.assertIsNone(tessera.Wavefunction(WATER).cell)
        self.refused("has no cell", tessera.Wavefunction(WATER).cell_grid, 0.3)
        self.refused("x, y, z", crystal.cell_grid, 0.3, (0, 0))
        self.refused("origin is 5", crystal.cell_grid, 0.3, 5)


class Isolated(InFolder):
    def test_a_molecule_in_a_cell(self):
        """isolated=True leaves the neighbouring cells out."""
        text = WATER.read_text()
        at = text.index("[GTO]")
        pathlib.Path("cell.molden").write_text(text[:at] + "[Cell] Angs\n9 0 0\n0 9 0\n0 0 9\n" + text[at:])
        water = tessera.Wavefunction(WATER, precision="double", tolerance=0)
        periodic = tessera.Wavefunction("cell.molden", precision="double", tolerance=0)
        isolated = tessera.Wavefunction("cell.molden", precision="double", tolerance=0, isolated=True)
        grid = water.grid(0.8, 12.0)  # reaches the neighbours
        alone = water.density(grid)
        self.assertEqual(isolated.density(grid).tobytes(), alone.tobytes())
        self.assertGreater(abs(periodic.density(grid) - alone).max(), 1e-4)
        point = [[0.0, 0, 4.0]]
        self.assertEqual(isolated.esp(point).tolist(), water.esp(point).tolist())
        self.refused("--isolated", periodic.esp, point)
        self.assertLess(abs(isolated.combine("density - density(water)", point, {"water": water})[0]), 1e-15)
        self.refused("cell", periodic.combine, "density - density(water)", point, {"water": water})


if __name__ == "__main__":
    unittest.main()
