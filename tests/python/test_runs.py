"""tessera.dock, fit, simulate and Wavefunction.isosurface: the results are those of the program, to the bit.
Usage: test_runs.py PATH/OF/tessera"""

import doctest
import functools
import importlib
import os
import pathlib
import re
import signal
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py", "pandas", "gemmi")
try:
    from tessera import _kernels  # noqa: F401
except ImportError as problem:
    print(f"skipped: the module of the package is not built ({problem})")
    sys.exit(script_tests.SKIPPED)

import gemmi  # noqa: E402
import numpy  # noqa: E402
import small_results  # noqa: E402
import tessera_runs  # noqa: E402

import tessera  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
TEMPORARY = tempfile.TemporaryDirectory()
DEVICE = small_results.small_runs.device()
DOCKING = {"rotation_file": "few.rot", "spacing": 2, "refine": 20, "duplicate_radius": 0}


def setUpModule():
    tessera.start_device(DEVICE)


def program(*arguments):
    made = tessera_runs.run(PROGRAM, *arguments, cwd=FOLDER)
    assert made.returncode == 0, made.stderr


@functools.cache
def results():
    """The folder with small results of all workloads, and a docking with a reference."""
    folder = pathlib.Path(TEMPORARY.name)
    small_results.make(PROGRAM, folder)
    return folder


class Runs(unittest.TestCase):
    def setUp(self):
        global FOLDER
        FOLDER = results()
        former = os.getcwd()
        os.chdir(FOLDER)
        self.addCleanup(os.chdir, former)

    def check_same(self, result, path, groups, *, without=()):
        result.save("mine.h5", force=True)
        mine, written = (tessera_runs.answer(name, groups) for name in ("mine.h5", path))
        self.assertEqual(sorted(mine), sorted(written))
        differ = [key for key in mine if mine[key] != written[key] and key not in without]
        self.assertEqual(differ, [], "other bits than the program's")

    def refused(self, words, call, *arguments, **options):
        with self.assertRaisesRegex(tessera.Error, words) as caught:
            call(*arguments, **options)
        self.assertRegex(str(caught.exception), r"\A[^\n]+ \([^\n]+\): [^\n]+\Z")


class Docking(Runs):
    def test_bits_of_the_command(self):
        with tessera.dock("receptor.pdb", "ligand.pdb", **DOCKING) as result:
            self.check_same(result, "dock.h5", ["docking"])
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
            self.assertEqual(list(result.evaluation())[0], "dockq")
            self.assertEqual(result.sets, ["vdw"])

    def test_structures_of_gemmi(self):
        receptor, ligand = (gemmi.read_structure(f"{name}.pdb") for name in ("receptor", "ligand"))
        with tessera.dock(receptor, ligand, **DOCKING) as result:
            self.check_same(result, "dock.h5", ["docking"], without=["docking@receptor_sha256", "docking@ligand_sha256"])
            posed = result.structure(0)
            self.assertEqual(result.run.input["receptor"], "the receptor of gemmi")
        with tessera.open("dock.h5") as written:
            expected = written.structure(0)
        self.assertEqual([one.atom.pos.tolist() for one in posed[0].all()],
                         [one.atom.pos.tolist() for one in expected[0].all()])

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
        self.refused("no option 'rotatoins'", dock, rotatoins=600)
        self.refused("rotations is 2.5", dock, rotations=2.5)
        self.refused("grid is 5000000000", dock, grid=5000000000)
        self.refused("seed is -1", dock, seed=-1)
        self.refused("rescoring is true", dock, rescoring=True)
        self.refused("--spacing 9 is out of range", dock, spacing=9)
        self.refused("cannot be used", dock, spacing=object())
        self.refused("chain", dock, receptor_chains="Q")

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
        self.refused("integration is 'quick'", tessera.fit, "1.toml", "1.stars", integration="quick")
        self.refused("no stars", tessera.fit, "1.toml", numpy.empty((0, 3)))
        self.refused("n x 3", tessera.fit, "1.toml", [1.0, 2.0])
        self.refused("number is 0", tessera.simulate, "1.toml", 0)
        self.refused("gone.toml", tessera.simulate, "gone.toml")


def open_shell():
    """Water with one electron in the LUMO, of beta spin, instead of in the HOMO: the spin density has both signs."""
    text = pathlib.Path(small_results.small_runs.WATER).read_text()
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


class Surfaces(Runs):
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
        water = tessera.Wavefunction(small_results.small_runs.WATER, precision="double")
        grid = water.grid(0.2, 5.0)
        surface = water.isosurface("density", 0.02, grid)
        self.assertEqual(surface.positive_vertices, len(surface.vertices))
        self.assertGreater(len(surface.vertices), 1000)
        self.check_density_surface(surface, water.density, grid, 0.02)
        self.assertEqual(len(water.isosurface("spin_density", 0.02, grid).vertices), 0)  # a closed shell
        single = tessera.Wavefunction(small_results.small_runs.WATER).isosurface("density", 0.02, grid)
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
        water = tessera.Wavefunction(small_results.small_runs.WATER)
        program("orbital", small_results.small_runs.WATER, "--orbitals", "HOMO", "--spacing", "0.3bohr", "--padding",
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

    def test_vertices_lie_on_the_surface(self):
        water = tessera.Wavefunction(small_results.small_runs.WATER)
        surface = water.isosurface("LUMO", 0.03, water.grid(0.2, 6.0))
        values = water.evaluate(surface.vertices.astype(float), "LUMO")[0]
        expected = numpy.full(len(values), -0.03)
        expected[:surface.positive_vertices] = 0.03
        self.assertLess(numpy.median(abs(values - expected)), 3e-4)  # vertices are interpolated between grid points
        self.assertTrue((values * expected > 0).mean() > 0.99)
        self.assertGreater(len(values), surface.positive_vertices)

    def test_refusals(self):
        water = tessera.Wavefunction(small_results.small_runs.WATER)
        for level in (0.0, -0.1, float("nan")):
            self.refused("isovalue is", water.isosurface, "density", level)
        self.refused("names 2 orbitals", water.isosurface, "HOMO,LUMO")
        self.refused("--isosurface", water.isosurface, "HOMO", -0.1)
        self.refused("HOMO-77", water.isosurface, "HOMO-77")


def load_tests(loader, tests, pattern):
    former = os.getcwd()
    for name in ("docking", "streams", "wavefunction", "likelihood"):
        tests.addTests(doctest.DocTestSuite(
            importlib.import_module(f"tessera.{name}"), setUp=lambda _: os.chdir(script_tests.ROOT),
            tearDown=lambda _: os.chdir(former)))
    return tests


if __name__ == "__main__":
    unittest.main()
