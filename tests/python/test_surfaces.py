"""Wavefunction.isosurface: closed surfaces at the value that was asked for, with the bits of the program.
Usage: test_surfaces.py PATH/OF/tessera"""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py")
script_tests.need_module()

import numpy  # noqa: E402
from package_tests import DEVICE, WATER, InFolder, program  # noqa: E402

import tessera  # noqa: E402


def setUpModule():
    tessera.start_device(DEVICE)


def open_shell():
    """Water with one electron in the LUMO, of beta spin, instead of in the HOMO: the spin density has both signs."""
    text = WATER.read_text()
    head, orbitals = text.split("[MO]\n")
    alpha = re.sub(r"(Occup=\s*)2\S*", r"\g<1>1.0", orbitals)
    blocks = re.split(r"(?=^ *Sym=)", alpha.replace("Alpha", "Beta"), flags=re.MULTILINE)[1:]
    for number, occupation in ((4, "0.0"), (5, "1.0")):
        blocks[number] = re.sub(r"Occup=\s*\S+", f"Occup= {occupation}", blocks[number])
    pathlib.Path("open.molden").write_text(f"{head}[MO]\n{alpha}{''.join(blocks)}")
    return tessera.Wavefunction("open.molden", precision="double")


def edges_of(triangles):
    """Every edge of the triangles with its direction."""
    return numpy.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]).astype(int)


class Surfaces(InFolder):
    def check_closed(self, triangles):
        """Each edge belongs to two triangles, which run through it in opposite directions."""
        edges = edges_of(triangles)
        there = {tuple(edge) for edge in edges.tolist()}
        self.assertEqual(len(there), len(edges))
        self.assertEqual({(b, a) for a, b in there}, there)

    def check_density_surface(self, surface, density, grid, level):
        """Against the grid's values and the density at points, which another part of the program computes."""
        values = density(grid)
        signs = numpy.where(numpy.arange(len(surface.vertices)) < surface.positive_vertices, 1, -1)
        place = (surface.vertices - numpy.array(grid.origin)) / grid.spacing  # on an edge of the grid
        low = numpy.floor(place + 1e-4).astype(int)
        part = place - low
        axis = part.argmax(axis=1)
        along = part[numpy.arange(len(part)), axis]
        self.assertLess(numpy.sort(part, axis=1)[:, :2].max(), 1e-3)
        step = numpy.eye(3, dtype=int)[axis]
        value = [values[tuple(p[::-1])] for p in (low.T, (low + step).T)]
        numpy.testing.assert_allclose(value[0] + along * (value[1] - value[0]), signs * level, rtol=2e-3)
        for triangles in (surface.triangles[:surface.positive_triangles],
                          surface.triangles[surface.positive_triangles:]):
            self.check_closed(triangles)
        points = surface.vertices.astype(float)
        gradient = numpy.stack([(density(points + step) - density(points - step)) / 2e-4
                                for step in 1e-4 * numpy.eye(3)], axis=1)
        normals = -signs[:, None] * gradient / numpy.linalg.norm(gradient, axis=1, keepdims=True)
        self.assertGreater((normals * surface.normals).sum(axis=1).min(), 1 - 1e-6)
        corners = points[surface.triangles.astype(int)]
        across = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        outwards = (across * surface.normals[surface.triangles[:, 0].astype(int)]).sum(axis=1)
        self.assertGreater((outwards > 0).mean(), 0.99)

    def test_densities(self):
        water = tessera.Wavefunction(WATER, precision="double")
        grid = water.grid(0.2, 5.0)
        surface = water.isosurface("density", 0.02, grid)
        self.assertEqual(surface.positive_vertices, len(surface.vertices))
        self.assertGreater(len(surface.vertices), 1000)
        self.check_density_surface(surface, water.density, grid, 0.02)
        self.assertEqual(len(water.isosurface("spin_density", 0.02, grid).vertices), 0)  # a closed shell
        single = tessera.Wavefunction(WATER).isosurface("density", 0.02, grid)
        numpy.testing.assert_allclose(single.vertices, surface.vertices, atol=1e-4)

    def test_lobes_of_a_spin_density(self):
        water = open_shell()
        grid = water.grid(0.2, 6.0)
        surface = water.isosurface("spin_density", 0.005, grid)
        self.assertTrue(0 < surface.positive_vertices < len(surface.vertices))
        self.check_density_surface(surface, water.spin_density, grid, 0.005)

    def check_surface(self, result, path, label="HOMO"):
        with tessera.open(path) as run:
            written = run.isosurface(label)
        self.assertEqual(set(result.fields), set(written.fields))
        for name, values in result.fields.items():
            self.assertTrue(values.tobytes() == written.fields[name].tobytes(), f"{name}: other bits")
        for name in ("vertices", "normals", "triangles"):
            mine, theirs = getattr(result, name), getattr(written, name)
            self.assertEqual((mine.dtype, mine.shape), (theirs.dtype, theirs.shape), name)
            self.assertTrue(mine.tobytes() == theirs.tobytes(), f"{name}: other bits than the program's")
        self.assertEqual((result.positive_vertices, result.positive_triangles),
                         (written.positive_vertices, written.positive_triangles))

    def test_bits_of_the_command(self):
        water = tessera.Wavefunction(WATER)
        program("orbital", WATER, "--orbitals", "HOMO", "--spacing", "0.3bohr", "--padding",
                "4bohr", "--isosurface", "0.04", "--device", DEVICE, "--quiet", "-o", "surface.h5")
        self.check_surface(water.isosurface("HOMO", 0.04, water.grid(0.3, 4.0)), "surface.h5")

    def test_bits_of_the_command_for_densities(self):
        water = open_shell()
        water_file, level, fields = water.path, 0.01, "density,spin-density,gradient-norm,HOMOa"
        program("orbital", water_file, "--density", "--spin-density", "--spacing", "0.3bohr", "--padding", "4bohr",
                "--isosurface", str(level), "--vertex-field", fields, "--precision", "double", "--device", DEVICE,
                "--quiet", "-o", "densities.h5")
        surface = water.isosurface("density", level, water.grid(0.3, 4.0), vertex_fields=fields)
        self.check_surface(surface, "densities.h5", "density")
        points = surface.vertices.astype(float)
        numpy.testing.assert_allclose(surface.fields["spin_density"], water.spin_density(points), rtol=1e-9, atol=1e-15)
        numpy.testing.assert_allclose(surface.fields["HOMOa"], water.evaluate(points, "HOMOa")[0], rtol=1e-9, atol=1e-13)

    def test_the_potential_has_the_bits_of_the_command(self):
        water = tessera.Wavefunction(WATER)
        program("orbital", WATER, "--esp-surface", "0.002", "--spacing", "0.4bohr", "--padding",
                "6bohr", "--precision", "single", "--device", DEVICE, "--quiet", "-o", "esp.h5")
        surface = water.isosurface("density", 0.002, water.grid(0.4, 6.0), vertex_fields="esp")
        self.check_surface(surface, "esp.h5", "density")
        numpy.testing.assert_array_equal(water.esp(surface.vertices.astype(float)), surface.fields["esp"])
        exact = water.esp([[0.0, 0, 9.0], [0, 0, -9.0]], tolerance=0)
        self.assertTrue((abs(exact) < 0.05).all() and exact[0] * exact[1] < 0)  # a dipole along z
        self.refused("tolerance is -1", water.esp, [[0.0, 0, 0]], tolerance=-1)
        self.refused("n x 3", water.esp, [0.0, 0, 0])

    def test_vertices_lie_on_the_surface(self):
        water = tessera.Wavefunction(WATER)
        surface = water.isosurface("LUMO", 0.03, water.grid(0.2, 6.0))
        values = water.evaluate(surface.vertices.astype(float), "LUMO")[0]
        expected = numpy.full(len(values), -0.03)
        expected[:surface.positive_vertices] = 0.03
        self.assertLess(numpy.median(abs(values - expected)), 3e-4)  # vertices are interpolated between grid points
        self.assertTrue((values * expected > 0).mean() > 0.99)
        self.assertGreater(len(values), surface.positive_vertices)

    def test_refusals(self):
        water = tessera.Wavefunction(WATER)
        for level in (0.0, -0.1, float("nan")):
            self.refused("isovalue is", water.isosurface, "density", level)
        self.refused("names 2 orbitals", water.isosurface, "HOMO,LUMO")
        self.refused("--isosurface", water.isosurface, "HOMO", -0.1)
        self.refused("HOMO-77", water.isosurface, "HOMO-77")


if __name__ == "__main__":
    unittest.main()
