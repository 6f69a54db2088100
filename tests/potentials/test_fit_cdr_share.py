#!/usr/bin/env python3
"""potentials/fit_cdr_share: the weight of two made-up complexes for which it can be worked out by hand."""

import math
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import run_script  # noqa: E402

script_tests.need("numpy", "h5py", "gemmi")

import numpy as np  # noqa: E402

TERMS = ("clash", "repulsion", "attraction", "electrostatics", "pair")  # the last four are those of the search


def write_complex(path, share, good, antibody=True):
    """Poses that differ in their shares alone."""
    n = len(share)
    poses = {"terms": np.zeros((n, 5), np.float32), "term_names": TERMS, "contacts": np.zeros((n, 2), np.uint8),
             "types": ("A",), "statistical": np.zeros((n, 1), np.float32), "statistical_names": ("near",),
             "where": 100.0 * np.arange(12 * n).reshape(n, 12), "capri_class": np.asarray(good, np.int8)}
    np.savez(path, **poses, **({"cdr_share": np.asarray(share, np.float32)} if antibody else {}))


class Fit(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "poses").mkdir()
        self.table = self.folder / "weights.csv"
        rows = [f"refined,{TERMS[0]},,1", *(f"searched,{name},,1" for name in TERMS[1:]), "contact_below_4.5,A,A,1",
                "contact_below_6,A,A,1"]
        self.table.write_text("\n".join(["# Made up.", "kind,first,second,weight", *rows, ""]))

    def tearDown(self):
        self.temporary.cleanup()

    def fit(self, *words):
        return run_script("potentials/fit_cdr_share", self.folder / "poses", "--weights", self.table, *words)

    def write_two(self):
        """With x = exp(-weight) the right pose has the share x / (2 x + 8) of the first complex, and 1 / (3 x + 5) of
        the second. Their product is largest at x = sqrt(40 / 6)."""
        write_complex(self.folder / "poses/A.npz", [1, 1] + [0] * 8, [1] + [0] * 9)
        write_complex(self.folder / "poses/B.npz", [1, 1, 1] + [0] * 5, [0, 0, 0, 2] + [0] * 4)

    def test_the_weight_with_the_lowest_loss_goes_into_the_table(self):
        self.write_two()
        write_complex(self.folder / "poses/C.npz", [1, 0], [0, 0])
        write_complex(self.folder / "poses/D.npz", [1, 0], [1, 0], antibody=False)
        for _ in range(2):  # the second time the row is replaced
            done = self.fit("--write")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("2 complexes", done.stdout)
            lines = self.table.read_text().splitlines()
            self.assertEqual(lines[7].rsplit(",", 1)[0], "antibody,cdr_share,")
            self.assertEqual(len(lines), 10)
            self.assertAlmostEqual(float(lines[7].rsplit(",", 1)[1]), -math.log(math.sqrt(40 / 6)), delta=2e-3)

    def test_groups_are_judged_by_weights_that_have_not_seen_them(self):
        self.write_two()
        (self.folder / "groups.csv").write_text("complex,fold,group\nA,1,1\nB,2,2\n")
        done = self.fit("--groups", self.folder / "groups.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        weights = [float(word) for word in done.stdout.split("by group: ")[1].splitlines()[0].split(",")]
        self.assertGreater(weights[0], 2, "without A all says that CDRs do not bind")
        self.assertLess(weights[1], -2)
        self.assertNotIn("antibody", self.table.read_text())

    def test_nothing_to_fit_is_one_line(self):
        write_complex(self.folder / "poses/A.npz", [1, 0], [0, 0])
        done = self.fit()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("has nothing to fit the weight to", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
