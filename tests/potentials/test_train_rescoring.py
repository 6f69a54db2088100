#!/usr/bin/env python3
"""potentials/train_rescoring: the best weight of a problem that can be solved by hand, gradients against differences,
and a whole run on made-up results with a stand-in for the program's counter."""

import csv
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, run_script  # noqa: E402

script_tests.need("numpy", "h5py")
sys.path.insert(0, str(ROOT / "potentials"))

import h5py  # noqa: E402
import numpy as np  # noqa: E402

import ranking  # noqa: E402

# Counts one contact A-A below 4.5 A for each whole Angstrom of a pose's x: what a pose is made of.
COUNTER = """#!{python}
import sys
import h5py
import numpy as np
with h5py.File(sys.argv[3]) as file:
    x = file["translation"][:, 0]
counts = np.zeros((len(x), 2, 2, 2), np.int32)
counts[:, 0, 0, 0] = x
counts[:, 1, 0, 1] = 3
with h5py.File(sys.argv[4], "w") as file:
    file["contacts"] = counts
    file["contacts"].attrs["types"] = ["A", "B"]
    file["statistical"] = np.stack([-2.0 * x, np.sin(99 * x)], 1)
    file["statistical"].attrs["names"] = ["near", "far"]
"""


def read_weights(path):
    """{(kind, first, second): weight}"""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return {(row["kind"], row["first"], row["second"]): float(row["weight"]) for row in csv.DictReader(lines)}


class Loss(unittest.TestCase):
    def test_the_best_weight_by_hand(self):
        # A good pose at 0 and a wrong one at 1: the loss is ln(1 + exp(-w)) + c w^2, least where
        # 1 / (1 + exp(w)) = 2 c w; for w = 1 that is c = 1 / (2 (1 + e)).
        penalty = np.array([1 / (2 * (1 + np.e))])
        loss = ranking.ShareLoss([np.array([[0.0], [1.0]])], [np.array([True, False])], penalty)
        self.assertAlmostEqual(ranking.minimise(loss, np.zeros(1))[0], 1, places=4)
        value, gradient = loss(np.array([1.0]))
        self.assertAlmostEqual(value, np.log(1 + np.exp(-1)) + penalty[0], places=6)
        self.assertAlmostEqual(gradient[0], 0, places=6)

    def test_several_good_poses_share(self):
        # Good poses at 0 and 2, a wrong one at 1: at w = 0 two of three shares are good.
        loss = ranking.ShareLoss([np.array([[0.0], [2.0], [1.0]])], [np.array([True, True, False])],
                                 np.zeros(1))
        self.assertAlmostEqual(loss(np.zeros(1))[0], np.log(3 / 2), places=6)

    def test_the_gradient_is_the_slope(self):
        rng = np.random.default_rng(1)
        features = [rng.normal(size=(count, 4)) for count in (7, 12, 5)]
        good = [np.arange(len(f)) % 3 == 0 for f in features]
        loss = ranking.ShareLoss(features, good, np.full(4, 0.1))
        at, step = rng.normal(size=4), 1e-2
        for axis in np.eye(4):
            slope = (loss(at + step * axis)[0] - loss(at - step * axis)[0]) / (2 * step)
            self.assertAlmostEqual(loss(at)[1] @ axis, slope, delta=2e-3)


class Run(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "results").mkdir()
        self.counter = self.folder / "counter"
        self.counter.write_text(COUNTER.format(python=sys.executable))
        self.counter.chmod(0o755)
        (self.folder / "folds.csv").write_text("complex,fold,group\na,0,0\nb,0,1\nc,1,2\nd,1,3\n")

    def tearDown(self):
        self.temporary.cleanup()

    def write_result(self, name, right):
        """Ten poses, pose i with i contacts A-A; those of `right` are acceptable."""
        with h5py.File(self.folder / f"results/{name}.h5", "w") as file:
            file.create_group("run").attrs["input"] = json.dumps({"receptor": "r", "ligand": "l"})
            consensus = file.create_group("docking/consensus")
            translation = np.zeros((10, 3))
            translation[:, 0] = range(10)
            consensus["translation"], consensus["rotation"] = translation, np.tile([1.0, 0, 0, 0], (10, 1))
            noise = np.tile([[1.0], [-1.0]], (5, 2))  # tells nothing
            for dataset, names in (("terms", ["clash", "pair"]), ("search_terms", ["repulsion", "attraction"])):
                consensus[dataset] = noise
                consensus[dataset].attrs["names"] = names
            consensus["evaluation/capri_class"] = [2 if i in right else 0 for i in range(10)]

    def train(self, rights, *more):
        """{file: {(kind, first, second): weight}} of runs whose complexes have these right poses."""
        for name, right in rights.items():
            self.write_result(name, right)
        result = run_script("potentials/train_rescoring", "results", "-o", "all.csv", "--counter", self.counter,
                            "--folds", "folds.csv", "--fold-weights", "folds", *more, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        weights = {}
        for path in (self.folder / "all.csv", self.folder / "folds/fold0.csv", self.folder / "folds/fold1.csv"):
            weights[path.stem] = read_weights(path)
        return weights

    def test_contacts_that_tell_right_from_wrong_are_found(self):
        weights = self.train(dict.fromkeys("abcd", (8, 9)))["all"]
        self.assertLess(weights["contact_below_4.5", "A", "A"], -0.1)
        self.assertEqual(weights["contact_below_6", "A", "B"], 0, "alike in all poses")
        self.assertEqual(weights["contact_below_4.5", "B", "B"], 0, "never there")
        self.assertEqual({kind for kind, _, _ in weights},
                         {"refined", "searched", "contact_below_4.5", "contact_below_6"})

    def test_a_fold_s_weights_have_not_seen_its_complexes(self):
        before = self.train(dict.fromkeys("abcd", (8, 9)))
        after = self.train({"a": (0, 1), "b": (0, 1), "c": (8, 9), "d": (8, 9)})
        self.assertEqual(before["fold0"], after["fold0"])
        self.assertNotEqual(before["fold1"], after["fold1"])
        self.assertGreater(after["fold1"]["contact_below_4.5", "A", "A"], 0.1)

    def test_terms_alone_need_no_counter(self):
        self.counter.unlink()
        weights = self.train(dict.fromkeys("abcd", (8, 9)), "--terms-alone")["all"]
        self.assertEqual({kind for kind, _, _ in weights}, {"refined", "searched"})

    def test_complexes_without_a_right_pose_do_not_count(self):
        before = self.train({"a": (8, 9), "b": (8, 9), "c": (8,), "d": (9,)})
        after = self.train({"a": (8, 9), "b": (), "c": (8,), "d": (9,)})
        self.assertEqual(before["fold0"], after["fold0"])


class Shipped(unittest.TestCase):
    def test_fold_weights_have_all_that_the_program_s_own_have(self):
        whole = read_weights(ROOT / "data/potentials/rescoring.csv")
        for fold in range(5):
            weights = read_weights(ROOT / f"potentials/rescoring/fold{fold}.csv")
            self.assertEqual(weights.keys(), whole.keys())
            self.assertNotEqual(weights, whole)


if __name__ == "__main__":
    unittest.main()
