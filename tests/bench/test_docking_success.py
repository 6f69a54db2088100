#!/usr/bin/env python3
"""bench/docking_success: rates and intervals against hand counts, near-duplicates against brute force, a small
cross-validation by the program itself, and what is refused.
Usage: test_docking_success.py PATH/OF/tessera"""

import csv
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, expect_refused, run_script  # noqa: E402

script_tests.need("numpy", "h5py", "gemmi", "matplotlib")
sys.path.insert(0, str(ROOT / "bench/docking_success"))

import h5py  # noqa: E402
import numpy as np  # noqa: E402

import near  # noqa: E402
import rates  # noqa: E402
import runs  # noqa: E402
import stages  # noqa: E402
import tables  # noqa: E402
import tessera_runs  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
CROSS_VALIDATE, SUCCESS = "bench/docking_success/cross_validate", "bench/docking_success/docking_success"


def quality(classes):
    """Qualities of a list whose CAPRI classes are these; an acceptable pose is 5 A away, others 20."""
    classes = np.array(classes)
    far = np.where(classes > 0, 5.0, 20.0)
    return {"capri_class": classes, "interface_rmsd": far / 2, "ligand_interface_ca_rmsd": far,
            "ligand_rmsd": far, "fnat": 1.0 * (classes > 0), "dockq": classes / 3}


def run_of(name, **lists):
    return runs.Run(name, {key: runs.Ranking(quality(classes), quality(classes[:3]))
                           for key, classes in lists.items()}, {"search": 1.0}, {})


class Rates(unittest.TestCase):
    def test_first_hit_is_the_rank_of_the_first_good_enough(self):
        found = quality([0, 1, 0, 3])
        self.assertEqual(rates.first_hit(found, "acceptable"), 2)
        self.assertEqual(rates.first_hit(found, "medium"), 4)
        self.assertEqual(rates.first_hit(found, "high"), 4)
        self.assertEqual(rates.first_hit(found, "ligand interface CA < 10 A"), 2)
        self.assertEqual(rates.first_hit(found, "i-RMSD < 2.5 A"), rates.NEVER)
        self.assertEqual(rates.first_hit(quality([]), "acceptable"), rates.NEVER)

    def test_rates_count_complexes_as_a_whole_and_by_fold(self):
        docked = [run_of("a", one=[1, 0]), run_of("b", one=[0] * 5 + [2]), run_of("c", one=[0, 0, 0]),
                  run_of("d", one=[0, 3])]
        rows = {row[1:4]: row[4:] for row in rates.rate_rows(docked, np.array([0, 0, 1, 1]))}
        self.assertEqual(rows["pose", "acceptable", 1][0], 25)
        self.assertEqual(rows["pose", "acceptable", 5][0], 50)
        self.assertEqual(rows["pose", "acceptable", 10][0], 75)
        self.assertEqual(rows["pose", "acceptable", 10][3], [100, 50])
        self.assertEqual(rows["pose", "high", 1000][0], 25)
        self.assertEqual(rows["cluster", "acceptable", 10][0], 50)

    def test_interval_is_that_of_the_mean(self):
        self.assertEqual(list(rates.bootstrap_interval(np.ones(20))), [1, 1])
        values = np.arange(400) % 2
        low, high = rates.bootstrap_interval(values)
        self.assertAlmostEqual(low, 0.5 - 1.96 * 0.5 / 20, delta=0.006)
        self.assertAlmostEqual(high, 0.5 + 1.96 * 0.5 / 20, delta=0.006)
        self.assertEqual((low, high), tuple(rates.bootstrap_interval(values)))

    def test_a_step_is_the_paired_difference_to_the_list_before(self):
        docked = [run_of("a", one=[0, 1], two=[1, 0]), run_of("b", one=[1], two=[0, 1])]
        steps = {row[1:4]: row[4:] for row in rates.step_rows(docked) if row[0] == "two"}
        change, low, high = steps["pose", "acceptable", 1]
        self.assertEqual((change, low, high), (0, -100, 100))
        self.assertEqual(steps["pose", "acceptable", 5], (0, 0, 0))
        ranks = rates.mean_log_ranks([run_of("a", one=[0] * 9 + [1], two=[1]), run_of("b", one=[0], two=[0])])
        self.assertAlmostEqual(ranks["one"][0], (1 + np.log10(3000)) / 2)
        self.assertAlmostEqual(ranks["two"][1], -0.5)


class Near(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(4)
        self.points = rng.normal(size=(30, 3)) * [9, 5, 2] + [1, 2, 3]
        quaternions = rng.normal(size=(12, 4))
        self.rotations = near.rotation_matrices(quaternions / np.linalg.norm(quaternions, axis=1)[:, None])
        self.shifts = rng.normal(size=(12, 3)) * 4

    def test_distances_of_places_are_those_of_the_atoms(self):
        where = near.places(self.points, self.rotations, self.shifts)
        moved = np.einsum("pij,kj->pki", self.rotations, self.points) + self.shifts[:, None]
        for place, atoms in zip(where, moved):
            exact = ((moved - atoms) ** 2).sum(-1).mean(-1)
            np.testing.assert_allclose(near.squared_distances(place, where), exact, atol=1e-9)

    def test_duplicates_and_leaders_on_a_line(self):
        where = np.zeros((6, 12))
        where[:, 0] = [0, 3, 1.5, 2.5, 0.5, 9]
        self.assertEqual(list(near.without_duplicates(where, 2)), [0, 1, 5])
        self.assertEqual(list(near.without_duplicates(where, 0)), [0, 1, 2, 3, 4, 5])
        self.assertEqual(list(near.leaders(where, 2, 10)), [0, 1, 5])
        self.assertEqual(list(near.leaders(where, 2, 2)), [0, 1])


class Files(unittest.TestCase):
    def test_folds_are_read_and_missing_ones_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "folds.csv")
            path.write_text("# made\ncomplex,fold,group\na,1,0\nb,0,1\n")
            self.assertEqual(list(tables.read_folds(path, ["b", "a"])), [0, 1])
            with self.assertRaisesRegex(SystemExit, "no fold for c"):
                tables.read_folds(path, ["a", "c"])

    def test_what_cannot_be_judged_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            expect_refused(self, run_script(SUCCESS, "--from", folder), "no results")
            expect_refused(self, run_script(SUCCESS, folder, "-o", folder), "no complexes")
            expect_refused(self, run_script(CROSS_VALIDATE, folder, "-o", folder), "no results")
            with h5py.File(pathlib.Path(folder, "a.h5"), "w") as file:
                file.create_group("docking")
            expect_refused(self, run_script(SUCCESS, "--from", folder), "no evaluation")

    def test_a_missing_module_is_one_line(self):
        for script in (SUCCESS, CROSS_VALIDATE, "bench/docking_success/check_dockq"):
            expect_refused(self, run_script(script, flags=["-S"]), "module .* is missing.*pip install")


@unittest.skipUnless(PROGRAM, "needs the program's path")
class CrossValidation(unittest.TestCase):
    """Two complexes, each with the table and weights of its fold."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        tessera_runs.write_pair(cls.folder)
        tessera_runs.write_rotations(cls.folder / "few.rot", 24, 7)
        (cls.folder / "folds.csv").write_text("complex,fold\na,0\nb,1\n")
        for name in ("results", "tables", "weights"):
            (cls.folder / name).mkdir()
        for fold, name in enumerate("ab"):
            (cls.folder / f"tables/fold{fold}.csv").write_text(
                (ROOT / "data/potentials/tessera.csv").read_text())
            (cls.folder / f"weights/fold{fold}.csv").write_text(
                (ROOT / "data/potentials/rescoring.csv").read_text())
            docked = tessera_runs.run(
                PROGRAM, "dock", "receptor.pdb", "ligand.pdb", "--reference", "complex.pdb",
                "--rotation-file", "few.rot", "--spacing", "2", "--coefficients", "balanced,hydrophobic",
                "--pair-potential", f"tables/fold{fold}.csv", "--refine", "60", "--duplicate-radius", "0",
                "--quiet", "-o", f"results/{name}.h5", cwd=cls.folder)
            if docked.returncode:
                raise RuntimeError(docked.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def validate(self, *more):
        return run_script(CROSS_VALIDATE, "results", "-o", "out", "--tessera", PROGRAM, "--folds", "folds.csv",
                          "--fold-tables", "tables", "--fold-weights", "weights", *more, cwd=self.folder)

    def test_every_stage_is_counted(self):
        result = self.validate()
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "out/success.csv", newline="") as file:
            rows = {(row["list"], row["unit"], row["criterion"], row["top"]): row
                    for row in csv.DictReader(file)}
        for stage in stages.STAGES:
            self.assertEqual(rows[stage, "pose", "acceptable", "1000"]["percent"], "100.0", stage)
            self.assertEqual(rows[stage, "pose", "acceptable", "1000"]["folds"], "100.0 100.0", stage)
        self.assertTrue((self.folder / "out/success.png").stat().st_size > 1000)
        self.assertIn("fold 1", result.stdout)

    def test_the_stages_are_the_program_s_own_where_it_has_them(self):
        self.assertEqual(self.validate().returncode, 0)
        rescored = self.folder / "out/rescored/a.h5"
        run = stages.read_stages(self.folder / "results/a.h5", rescored, self.folder / "ligand.pdb", (5, 9))
        with h5py.File(rescored) as file:
            consensus = file["docking/consensus"]
            by_score = np.argsort(consensus["pose_score"][:], kind="stable")
            last = consensus["evaluation/ligand_rmsd"][:]
            centers = consensus["clusters/center"][:]
        np.testing.assert_array_equal(run.rankings["+ rescored"].poses["ligand_rmsd"], last[by_score])
        np.testing.assert_array_equal(run.rankings["+ ranked by basins"].poses["ligand_rmsd"], last)
        np.testing.assert_array_equal(run.rankings["+ ranked by basins"].clusters["ligand_rmsd"], last[centers])

    def test_basins_by_which_radii_are_chosen_are_the_program_s(self):
        choice = script_tests.load("bench/docking_success/choose_rescoring")
        translations = []
        for radius in (0, 5):
            self.assertEqual(self.validate("--duplicate-radius", radius).returncode, 0)
            with h5py.File(self.folder / "out/rescored/a.h5") as file:
                consensus = file["docking/consensus"]
                translations.append(consensus["translation"][:])
                if radius == 0:
                    scores, rotations = consensus["pose_score"][:], near.rotation_matrices(consensus["rotation"][:])
                    points = stages.ligand_points(self.folder / "ligand.pdb") - file["docking/ligand_center"][:].ravel()
        places = near.places(points, rotations, translations[0])
        leaders = choice.basins(scores, choice.squared_distances(places), 5)
        np.testing.assert_array_equal(translations[0][leaders], translations[1])
        self.assertLess(len(leaders), len(scores))

    def test_each_fold_may_have_radii_of_its_own(self):
        (self.folder / "radii.csv").write_text("fold,duplicate_radius,cluster_radius\n0,0.5,9\n1,15,9\n")
        self.assertEqual(self.validate("--fold-radii", "radii.csv").returncode, 0)
        kept = []
        for name in "ab":
            with h5py.File(self.folder / f"out/rescored/{name}.h5") as file:
                kept.append(len(file["docking/consensus/rank"]))
        self.assertGreater(kept[0], 2 * kept[1])
        (self.folder / "radii.csv").write_text("fold,duplicate_radius,cluster_radius\n0,0.5,9\n")
        expect_refused(self, self.validate("--fold-radii", "radii.csv"), "no fold 1")

    def test_lists_of_other_results_come_first(self):
        self.assertEqual(self.validate().returncode, 0)
        (self.folder / "out/rescored").rename(self.folder / "earlier")
        result = self.validate("--before", "earlier", "hydrophobic", "first", "--before", "earlier", "balanced", "second")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "out/success.csv", newline="") as file:
            lists = list(dict.fromkeys(row["list"] for row in csv.DictReader(file)))
        self.assertEqual(lists, ["first", "second", *stages.STAGES])
        expect_refused(self, self.validate("--before", "earlier", "vdw", "first"), "cannot come before")

    def test_it_docks_what_is_asked_for(self):
        for name in "ab":
            (self.folder / "complexes" / name).mkdir(parents=True)
            for part, source in (("receptor", "receptor"), ("ligand", "ligand"), ("reference", "complex")):
                (self.folder / "complexes" / name / f"{part}.pdb").write_bytes(
                    (self.folder / f"{source}.pdb").read_bytes())
        (self.folder / "sets").mkdir()
        for fold in range(2):
            built_in = (ROOT / "potentials/sets.txt").read_text()
            (self.folder / f"sets/sets{fold}.txt").write_text(built_in.replace("300", str(300 + fold)))
        result = run_script(CROSS_VALIDATE, "docked", "-o", "out2", "--dock", "complexes", "--tessera", PROGRAM,
                            "--folds", "folds.csv", "--fold-tables", "tables", "--fold-weights", "weights",
                            "--fold-sets", "sets", "--", "--rotation-file", "few.rot", "--spacing", "2.5", "--quiet", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        for fold, name in enumerate("ab"):
            with h5py.File(self.folder / f"docked/fold{fold}/{name}.h5") as file:
                self.assertEqual(list(file["docking"].attrs["sets"]),
                                 ["balanced", "electrostatic", "hydrophobic"])
                self.assertEqual(file["docking/poses/balanced"].attrs["weights"][2], 300 + fold)
        self.assertIn("2 complexes", result.stdout)

    def test_a_table_that_has_seen_the_complex_is_refused(self):
        (self.folder / "folds.csv").write_text("complex,fold\na,1\nb,0\n")
        try:
            expect_refused(self, self.validate(), "not cross-validated")
        finally:
            (self.folder / "folds.csv").write_text("complex,fold\na,0\nb,1\n")

    def test_partners_may_have_moved(self):
        for name in "ab":
            (self.folder / "moved" / name).mkdir(parents=True)
            for part in ("receptor", "ligand"):
                (self.folder / "moved" / name / f"{part}.pdb").write_bytes(
                    (self.folder / f"{part}.pdb").read_bytes())
        (self.folder / "ligand.pdb").rename(self.folder / "hidden.pdb")
        try:
            self.assertNotEqual(self.validate().returncode, 0)
            result = self.validate("--complexes", "moved")
            self.assertEqual(result.returncode, 0, result.stderr)
        finally:
            (self.folder / "hidden.pdb").rename(self.folder / "ligand.pdb")


if __name__ == "__main__":
    unittest.main()
