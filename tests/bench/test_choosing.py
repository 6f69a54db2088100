#!/usr/bin/env python3
"""bench/docking_success: the rule by which constants are chosen, ranks of pooled lists and basins by hand, and the two
commands on made-up results with a stand-in for the program's counter."""

import csv
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, expect_refused, run_script  # noqa: E402

script_tests.need("numpy", "h5py", "gemmi")
sys.path.insert(0, str(ROOT / "bench/docking_success"))

import h5py  # noqa: E402
import numpy as np  # noqa: E402

from choosing import Choice, log_rank  # noqa: E402

CHOOSE_SETS, CHOOSE_RESCORING = "bench/docking_success/choose_sets", "bench/docking_success/choose_rescoring"
# Contacts A-A below 4.5 A: the pose's y.
COUNTER = """#!{python}
import sys
import h5py
import numpy as np
with h5py.File(sys.argv[3]) as file:
    y = file["translation"][:, 1]
counts = np.zeros((len(y), 2, 2, 2), np.int32)
counts[:, 0, 0, 0] = y
with h5py.File(sys.argv[4], "w") as file:
    file["contacts"] = counts
    file["contacts"].attrs["types"] = ["A", "B"]
    file["statistical"] = np.zeros((len(y), 1))
    file["statistical"].attrs["names"] = ["near"]
"""
LIGAND = "".join(f"ATOM  {i:5d}  CA  ALA A{i:4d}    {4.0 * i:8.3f}{i % 3:8.3f}{0:8.3f}  1.00  0.00           C\n"
                 for i in range(1, 6)) + "END\n"


class Rule(unittest.TestCase):
    def test_ranks_count_from_one_and_end_at_never(self):
        self.assertEqual(log_rank(np.arange(200) == 99), 2)
        self.assertEqual(log_rank(np.zeros(5, bool)), np.log10(3000))
        self.assertEqual(log_rank(np.arange(5000) == 4000), np.log10(3000))

    def test_what_is_better_beyond_chance_is_taken(self):
        choice = Choice({1: np.full(20, 2.0), 2: np.full(20, 1.5), 3: np.full(20, 1.8)}, 1)
        self.assertEqual((choice.value, choice.candidate), (2, 2))
        self.assertAlmostEqual(choice.change, -0.5)

    def test_what_may_be_chance_is_not(self):
        better_and_worse = np.tile([0.5, 3.0], 10)
        choice = Choice({1: np.full(20, 2.0), 2: better_and_worse}, 1)
        self.assertEqual((choice.value, choice.candidate), (1, 2))

    def test_of_equal_ones_the_smallest_change(self):
        self.assertEqual(Choice({1: np.full(9, 2.0), 2: np.full(9, 1.0), 3: np.full(9, 1.0)}, 1).value, 2)
        self.assertEqual(Choice({2: np.full(9, 1.0), 1: np.full(9, 1.0)}, 1).candidate, 1)


class Pools(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.script = script_tests.load(CHOOSE_SETS)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, path, lists):
        """lists: {(repulsion, electrostatics, pair): poses}; pose k is (rotation k, terms, CAPRI class)."""
        with h5py.File(path, "w") as file:
            file.create_group("docking").attrs["sets"] = [f"s{i}" for i in range(len(lists))]
            for i, (weights, poses) in enumerate(lists.items()):
                group = file.create_group(f"docking/poses/s{i}")
                group.attrs["weights"] = np.insert(weights, 1, -0.4)
                group["rotation"] = [pose[0] for pose in poses]
                group["voxel"] = [0] * len(poses)
                group["terms"] = [[float(x) for x in pose[1]] for pose in poses]
                file[f"docking/evaluation/s{i}/capri_class"] = [pose[2] for pose in poses]

    def test_lists_take_turns_and_a_pose_counts_once(self):
        # By electrostatics the order is 0 1 2 3, by the pair term 3 0 2 1; the acceptable pose is 2.
        poses = [(0, (0, 0, 0, 1), 0), (1, (0, 0, 1, 3), 0), (2, (0, 0, 2, 2), 1), (3, (0, 0, 3, 0), 0)]
        by_electrostatics, by_pair = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        self.write(self.folder / "a.h5", {by_electrostatics: poses[:3], by_pair: poses[1:]})
        pool = self.script.Pool(self.folder / "a.h5")
        self.assertEqual(len(pool.terms), 4)
        self.assertAlmostEqual(pool.log_rank([by_electrostatics]), np.log10(3))
        # 0 3 1 (0) 2: 0, 3, 1 and then 2.
        self.assertAlmostEqual(pool.log_rank([by_electrostatics, by_pair]), np.log10(4))

    def test_each_fold_gets_what_serves_the_others(self):
        # With less electrostatics than ACE's the good pose of a and b is the first, with more those of c and d.
        less, ace, more = (0.4, 300.0, 1.0), (0.4, 500.0, 1.0), (0.4, 750.0, 1.0)
        for name in "abcd":
            sign = 1 if name in "ab" else -1
            wrong = [(i, (0, 0, -0.01 * sign, 0.0), 0) for i in range(1, 50)]
            good = (0, (0, 0, 0.0, -4.0 if sign > 0 else 6.0), 2)
            self.write(self.folder / f"{name}.h5", {weights: [good, *wrong] for weights in (less, ace, more)})
        (self.folder / "folds.csv").write_text("complex,fold,group\na,0,0\nb,0,1\nc,1,2\nd,1,3\n")
        result = run_script(CHOOSE_SETS, self.folder, "-o", self.folder / "sets", "--folds",
                            self.folder / "folds.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        first = (self.folder / "sets/sets0.txt").read_text().splitlines()
        second = (self.folder / "sets/sets1.txt").read_text().splitlines()
        self.assertEqual(first[0], "balanced 0.40 -0.40 750 1.00")
        self.assertEqual(second[0], "balanced 0.40 -0.40 300 1.00")
        self.assertEqual([line.split()[0] for line in second], ["balanced", "electrostatic", "hydrophobic"])

    def test_a_folder_without_results_is_one_line(self):
        expect_refused(self, run_script(CHOOSE_SETS, self.folder, "-o", self.folder / "o"), "no results")


class Rescoring(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = script_tests.load(CHOOSE_RESCORING)

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def test_basins_on_a_line(self):
        # 0 stands for 1, 10 for 11 and 12: three poses of score 1 outweigh one of 0.5 and one of 1.
        where = np.zeros((5, 12))
        where[:, 0] = 0, 1, 10, 11, 12
        squared = self.script.squared_distances(where)
        np.testing.assert_allclose(squared[0], [0, 1, 100, 121, 144], atol=1e-4)
        scores = np.array([0.5, 1.0, 1.0, 1.0, 1.0])
        self.assertEqual(self.script.basins(scores, squared, 3).tolist(), [2, 0])
        self.assertEqual(self.script.basins(scores, squared, 0).tolist(), [0, 1, 2, 3, 4])

    def write_result(self, name, right):
        """Twelve poses 20 A apart, pose i with i contacts A-A; those of `right` are acceptable."""
        with h5py.File(self.folder / f"results/{name}.h5", "w") as file:
            file.create_group("run").attrs["input"] = json.dumps({"receptor": "r", "ligand": "ligand.pdb"})
            file["docking/ligand_center"] = np.zeros(3)
            consensus = file.create_group("docking/consensus")
            consensus["translation"] = [[20.0 * i, i, 0] for i in range(12)]
            consensus["rotation"] = np.tile([1.0, 0, 0, 0], (12, 1))
            for dataset, names in (("terms", ["clash", "pair"]), ("search_terms", ["repulsion", "attraction"])):
                consensus[dataset] = np.tile([[1.0], [-1.0]], (6, 2))
                consensus[dataset].attrs["names"] = names
            consensus["evaluation/capri_class"] = [2 if i in right else 0 for i in range(12)]

    def choose(self, rights):
        (self.folder / "results").mkdir(exist_ok=True)
        (self.folder / "ligand.pdb").write_text(LIGAND)
        counter = self.folder / "counter"
        counter.write_text(COUNTER.format(python=sys.executable))
        counter.chmod(0o755)
        (self.folder / "folds.csv").write_text("complex,fold\na,0\nb,1\nc,2\n")
        for name, right in rights.items():
            self.write_result(name, right)
        result = run_script(CHOOSE_RESCORING, "results", "-o", "chosen", "--counter", counter, "--folds",
                            "folds.csv", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "chosen/radii.csv", newline="") as file:
            rows = {int(row["fold"]): row for row in csv.DictReader(file)}
        return rows, {fold: (self.folder / f"chosen/fold{fold}.csv").read_text() for fold in rows}

    def test_where_nothing_is_gained_all_stays(self):
        rows, weights = self.choose(dict.fromkeys("abc", (10, 11)))
        self.assertEqual(sorted(rows), [0, 1, 2])
        for row in rows.values():
            self.assertEqual((row["penalty"], row["duplicate_radius"], row["cluster_radius"]), ("1.6", "4", "9"))
        self.assertIn("--penalty 1.6", weights[0])
        self.assertIn("contact_below_4.5,A,A,-", weights[0])

    def test_a_fold_is_chosen_for_without_its_complexes(self):
        before = self.choose(dict.fromkeys("abc", (10, 11)))
        after = self.choose({"a": (0, 1), "b": (10, 11), "c": (10, 11)})
        self.assertEqual(before[0][0], after[0][0])
        self.assertEqual(before[1][0], after[1][0])
        self.assertNotEqual(before[1][1], after[1][1])

    def test_a_start_that_is_no_candidate_is_refused(self):
        result = run_script(CHOOSE_RESCORING, "results", "-o", "chosen", "--start", "0.3", "4", "9", cwd=self.folder)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("0.3 is none of", result.stderr)


class Shipped(unittest.TestCase):
    CHOSEN = ROOT / "potentials/chosen"

    def test_every_fold_has_sets_weights_and_radii(self):
        with open(self.CHOSEN / "radii.csv", newline="") as file:
            self.assertEqual([row["fold"] for row in csv.DictReader(file)], list("01234"))
        for fold in range(5):
            lines = (self.CHOSEN / f"sets{fold}.txt").read_text().splitlines()
            self.assertEqual([line.split()[0] for line in lines], ["balanced", "electrostatic", "hydrophobic"])
            # The shipped table has statistical terms as well, which came after the choice.
            keys = [{tuple(line.split(",")[:3]) for line in path.read_text().splitlines()
                     if not line.startswith(("#", "statistical"))}
                    for path in (self.CHOSEN / f"fold{fold}.csv", ROOT / "data/potentials/rescoring.csv")]
            self.assertEqual(keys[0], keys[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])  # every script of this folder is given the program, which this one does not need
