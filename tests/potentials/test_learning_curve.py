#!/usr/bin/env python3
"""potentials/cache_poses and learning_curve: lists as the program makes them, samples that stand for all poses, and a
whole run on made-up results with a stand-in for the program's counter."""

import csv
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, run_script  # noqa: E402

script_tests.need("numpy", "h5py", "gemmi")
sys.path[:0] = [str(ROOT / "potentials")]

import h5py  # noqa: E402
import numpy as np  # noqa: E402

import pose_sample  # noqa: E402
import training  # noqa: E402

import basins  # noqa: E402
import near  # noqa: E402

curve = script_tests.load("potentials/learning_curve")
TYPES = ("A", "B")

# One contact A-A below 4.5 A for each whole Angstrom of a pose's x, 3 contacts A-B below 6 A.
COUNTER = """#!{python}
import sys
import h5py
import numpy as np
with h5py.File(sys.argv[3]) as file:
    x = file["translation"][:, 0]
counts = np.zeros((len(x), 2, 2, 2), np.int32)
counts[:, 0, 0, 0] = np.abs(x)
counts[:, 1, 0, 1] = 3
with h5py.File(sys.argv[4], "w") as file:
    file["contacts"] = counts
    file["contacts"].attrs["types"] = ["A", "B"]
    file["statistical"] = np.stack([-2.0 * x, np.sin(99 * x)], 1)
    file["statistical"].attrs["names"] = ["near", "far"]
"""


class Lists(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(3)
        self.where, self.scores = rng.normal(size=(400, 12)) * 4, rng.normal(size=400) * 2

    def test_basins_are_the_program_s(self):
        squared = ((self.where[:, None] - self.where) ** 2).sum(2)
        leaders, sums = basins.ranked(self.scores, basins.Neighbours(self.where, 9, block=70))
        free, expected = set(range(400)), []
        while free:
            best = min(free, key=lambda pose: self.scores[pose])
            its = {pose for pose in free if squared[best, pose] < 81}
            expected.append((-np.log(np.exp(-self.scores[sorted(its)]).sum()), best))
            free -= its
        self.assertEqual(leaders.tolist(), [best for _, best in sorted(expected)])
        self.assertLess(len(leaders), 400)
        self.assertTrue((np.diff(sums) >= 0).all())
        # Every pose is in one basin, so that the basins have the whole sum of exp(-score).
        self.assertAlmostEqual(np.exp(-sums).sum(), np.exp(-self.scores).sum(), places=6)

    def test_clusters_are_those_of_the_stages(self):
        order = np.argsort(self.scores)
        np.testing.assert_array_equal(basins.cluster_leaders(self.where, order, 12, 10),
                                      order[near.leaders(self.where[order], 12, 10)])


class Run(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "results").mkdir()
        counter = self.folder / "counter"
        counter.write_text(COUNTER.format(python=sys.executable))
        counter.chmod(0o755)
        with open(self.folder / "l.pdb", "w") as file:
            for i, (x, y, z) in enumerate(((0, 0, 0), (4, 0, 0), (0, 5, 0), (0, 0, 6))):
                file.write(f"ATOM  {i + 1:5d}  CA  ALA B{i + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           C\n")
        self.names = "abcdefgh"
        for i, name in enumerate(self.names):
            self.write_result(name, np.random.default_rng(i))
        (self.folder / "folds.csv").write_text(
            "complex,fold,group\n" + "".join(f"{n},{i // 4},{i}\n" for i, n in enumerate(self.names)))
        (self.folder / "parts.csv").write_text("complex,fold,group\na,0,0\nb,0,1\nc,1,2\nd,1,3\n")
        result = run_script("potentials/cache_poses", "results", "-o", "poses", "--counter", counter, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)

    def tearDown(self):
        self.temporary.cleanup()

    def write_result(self, name, rng):
        """Sixty poses with 0 to 19 contacts A-A; those with more than 17 are acceptable."""
        with h5py.File(self.folder / f"results/{name}.h5", "w") as file:
            file.create_group("run").attrs["input"] = json.dumps({"receptor": "r.pdb", "ligand": str(self.folder / "l.pdb")})
            file["docking/ligand_center"] = [1.0, 2, 3]
            consensus = file.create_group("docking/consensus")
            translation = rng.normal(size=(60, 3)) * 30
            translation[:, 0] = rng.permutation(np.arange(60) % 20)
            consensus["translation"], consensus["rotation"] = translation, np.tile([1.0, 0, 0, 0], (60, 1))
            consensus["set"], consensus["rank"] = np.zeros(60, int), np.arange(60)
            for dataset, names in (("terms", ["clash", "pair"]),
                                   ("search_terms", ["repulsion", "attraction", "electrostatics", "pair"])):
                consensus[dataset] = rng.normal(size=(60, len(names)))
                consensus[dataset].attrs["names"] = names
            consensus["evaluation/capri_class"] = (translation[:, 0] > 17).astype(int)

    def test_kept_poses_say_where_they_are(self):
        with h5py.File(self.folder / "results/a.h5") as file, np.load(self.folder / "poses/a.npz") as kept:
            consensus = file["docking/consensus"]
            for key in ("rotation", "translation"):
                np.testing.assert_allclose(kept[key], consensus[key][:], atol=1e-5)
            np.testing.assert_array_equal(kept["center"], file["docking/ligand_center"][:])

    def test_samples_estimate_the_loss_of_all_poses(self):
        path = self.folder / "poses/a.npz"
        weights = np.full(6, 0.1), np.concatenate([[-0.4], np.zeros(5)])
        with np.load(path) as file:
            self.assertEqual(int(file["contacts"][:, 0].max()), 19)
        judged = pose_sample.Judged(path)
        whole = judged.judge(judged.linear_scores([weights])[0])[2]
        self.assertAlmostEqual(pose_sample.sample_loss([pose_sample.Sample(path, 100)], weights), whole, places=4)
        drawn = [pose_sample.sample_loss([pose_sample.Sample(path, 20, seed)], weights) for seed in range(200)]
        self.assertAlmostEqual(np.mean(drawn), whole, delta=0.1)

    def test_a_sample_of_all_poses_trains_the_same_weights(self):
        samples = [pose_sample.Sample(self.folder / f"poses/{n}.npz", 100) for n in "abc"]
        weighted = training.train(samples, 0.4, 0.001)
        for s in samples:
            s.stands_for = None
        plain = training.train(samples, 0.4, 0.001)
        np.testing.assert_allclose(weighted[1], plain[1], rtol=1e-6)

    def test_a_sample_in_the_file_stands_for_what_it_was_drawn_from(self):
        weights = np.full(6, 0.1), np.concatenate([[-0.4], np.zeros(5)])
        with np.load(self.folder / "poses/a.npz") as file:
            arrays = dict(file)
        wrong = np.flatnonzero(arrays["capri_class"] < 1)
        arrays["stands_for"] = np.ones(60)
        arrays["stands_for"][wrong[::2]] = 2  # and the others are left out: twice the same wrong poses
        kept = np.setdiff1d(np.arange(60), wrong[1::2])
        for key in ("terms", "contacts", "where", "capri_class", "stands_for"):
            arrays[key] = arrays[key][kept]
        np.savez(self.folder / "half.npz", **arrays)
        half = pose_sample.Sample(self.folder / "half.npz", 100)
        scores = half.terms @ weights[0] + half.contacts @ weights[1]
        share = np.exp(-scores[half.good]).sum() / (np.exp(-scores) * np.where(half.good, 1, 2)).sum()
        self.assertAlmostEqual(pose_sample.sample_loss([half], weights), -np.log(share), places=5)

    def test_kept_poses_train_the_weights_of_the_results(self):
        ways = {"results": ("--counter", self.folder / "counter"), "poses": ("--poses", "100")}
        for way, options in ways.items():
            result = run_script("potentials/train_rescoring", way, "-o", f"{way}.csv", *options, cwd=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
        tables = [[line.split(",") for line in (self.folder / f"{way}.csv").read_text().splitlines()] for way in ways]
        self.assertEqual([row[:3] for row in tables[0][3:]], [row[:3] for row in tables[1][3:]])
        values = [[float(row[3]) for row in table[4:]] for table in tables]
        np.testing.assert_allclose(*values, atol=5e-4)  # kept terms have single precision
        self.assertGreater(np.abs(values[0]).max(), 0.05)

    def test_statistical_terms_get_weights_only_if_asked_for(self):
        for asked in ([], ["--statistical"]):
            result = run_script("potentials/train_rescoring", "poses", "-o", "weights.csv", "--poses", "100", *asked,
                                cwd=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            rows = [line.split(",") for line in (self.folder / "weights.csv").read_text().splitlines()]
            found = {row[1]: float(row[3]) for row in rows if row[0] == "statistical"}
            self.assertEqual(sorted(found), ["far", "near"] if asked else [])
        self.assertGreater(found["near"], 0.05)  # the right poses have the lowest sums

    def test_shares_of_cdrs_get_a_weight_only_if_asked_for(self):
        def train_rescoring(*words):
            return run_script("potentials/train_rescoring", "poses", "-o", "weights.csv", "--poses", "100", *words,
                              cwd=self.folder)

        refused = train_rescoring("--cdr-share")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("no partner is an antibody", refused.stderr)
        for path in (self.folder / "poses").iterdir():
            with np.load(path) as file:
                arrays = dict(file)
            np.savez(path, **arrays, cdr_share=np.float32(0.5 + 0.4 * (arrays["capri_class"] > 0)))
        for asked in ([], ["--cdr-share"]):
            result = train_rescoring(*asked)
            self.assertEqual(result.returncode, 0, result.stderr)
            rows = [line.split(",") for line in (self.folder / "weights.csv").read_text().splitlines()]
            found = [float(row[3]) for row in rows if row[:3] == ["antibody", "cdr_share", ""]]
            self.assertEqual(len(found), len(asked))
        self.assertLess(found[0], -5)

    def test_a_prior_is_scaled_freely_and_penalties_hold_for_the_rest(self):
        samples = [pose_sample.Sample(self.folder / f"poses/{n}.npz", 100) for n in "abc"]
        prior = np.full(6, 0.1), np.concatenate([[-0.05], np.full(5, 0.02)])
        own = training.train(samples, 1e3, 1e3, prior)
        scale = own[1][0] / prior[1][0]
        for one, other in zip(own, prior):
            np.testing.assert_allclose(one, scale * other, rtol=0.01)
        best = pose_sample.sample_loss(samples, own)
        for factor in (0.9, 1.1):
            self.assertLess(best, pose_sample.sample_loss(samples, [factor * scale * w for w in prior]))
        free = training.train(samples, 0.4, 0.001, prior)
        self.assertLess(pose_sample.sample_loss(samples, free), best - 0.1)

    def test_what_contacts_tell_is_learned_and_written_down(self):
        (self.folder / "old").mkdir()  # tables in which nothing counts
        weights = training.train([pose_sample.Sample(self.folder / f"poses/{n}.npz", 100) for n in self.names], 0.4, 0.001)
        self.assertLess(weights[1][0], -0.1)
        rows = ["kind,first,second,weight"]
        with np.load(self.folder / "poses/a.npz") as file:
            terms = file["term_names"]
        rows += [f"{'refined' if i < 2 else 'searched'},{n},,0" for i, n in enumerate(terms)]
        rows += [f"{s},{a},{b},0" for s in training.SHELLS for a, b in (("A", "A"), ("A", "B"), ("B", "B"))]
        for fold in (0, 1):
            (self.folder / f"old/fold{fold}.csv").write_text("\n".join(rows) + "\n")
        result = run_script("potentials/learning_curve", "poses", "-o", "out", "--folds", "folds.csv", "--parts",
                            "parts.csv", "--sizes", "2", "4", "--subsets", "2", "--jobs", "1", "--before", "old",
                            cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "out/rates.csv", newline="") as file:
            rates = {(r["group"], r["size"], r["measure"]): float(r["mean"]) for r in csv.DictReader(file)}
        self.assertLess(rates["benchmark", "all", "log10 rank"], rates["benchmark", "before", "log10 rank"])
        self.assertLess(rates["benchmark", "all", "loss"], rates["benchmark", "2", "loss"])
        with open(self.folder / "out/ranks.csv", newline="") as file:
            models = {(r["complex"], r["scheme"], r["size"]) for r in csv.DictReader(file)}
        self.assertIn(("a", "parts", "4"), models)
        self.assertNotIn(("e", "parts", "4"), models)

    def test_nobody_is_judged_by_what_has_seen_it(self):
        folds, parts = (training.read_folds(self.folder / name) for name in ("folds.csv", "parts.csv"))
        options = type("Options", (), {"sizes": [2, 4, 6], "subsets": 3, "seed": 1})
        tasks = curve.plan(folds, parts, options)
        for task in tasks:
            for name in self.names:
                if curve.applies(task, name, folds, parts):
                    self.assertNotIn(name, task[-1])
        self.assertEqual({t[2] for t in tasks if t[0] == "kin"}, {"2", "4", "all"})
        self.assertEqual({t[2] for t in tasks if t[0] == "parts"}, {"2", "4", "6", "all"})


if __name__ == "__main__":
    unittest.main()
