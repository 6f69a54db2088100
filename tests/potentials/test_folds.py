#!/usr/bin/env python3
"""potentials/folds.py and the folds in the repository: kindred complexes stay together, and nobody deals anew by
accident."""

import collections
import csv
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT  # noqa: E402

script_tests.need("gemmi")
folds = script_tests.load("potentials/folds.py")


class Dealing(unittest.TestCase):
    def test_groups_stay_whole_and_folds_even(self):
        groups = [["a1", "a2", "a3", "a4"], ["b1", "b2"], ["c"], ["d"], ["e"], ["f"], ["g"], ["h"]]
        dealt = folds.deal(groups, 3, 7)
        for group in groups:
            self.assertEqual(len({dealt[name] for name in group}), 1)
        self.assertEqual(sorted(collections.Counter(dealt.values()).values()), [4, 4, 4])

    def test_the_seed_decides(self):
        groups = [[f"{i}"] for i in range(40)]
        self.assertEqual(folds.deal(groups, 5, 7), folds.deal(list(reversed(groups)), 5, 7))
        self.assertNotEqual(folds.deal(groups, 5, 7), folds.deal(groups, 5, 8))

    def test_sequences_decide_who_is_kindred(self):
        scoring = folds.gemmi.AlignmentScoring("b")
        scoring.gapo, scoring.good_gapo, scoring.bad_gapo, scoring.gape = -10, -10, -10, -1
        chain = ["ALA", "GLY", "TRP", "LYS", "ASP", "HIS", "PHE", "SER", "THR", "CYS"] * 3
        self.assertTrue(folds.are_kindred(chain, chain[:5] + ["ARG"] + chain[6:], scoring, 0.5))
        self.assertFalse(folds.are_kindred(chain, ["PRO", "GLU", "ILE"] * 10, scoring, 0.5))


class Shipped(unittest.TestCase):
    def test_the_folds_are_those_of_the_published_figures(self):
        text = (ROOT / "potentials/folds.csv").read_text()
        self.assertIn("--folds 5 --score 0.5 --seed 7", text)
        rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
        sizes = collections.Counter(int(row["fold"]) for row in rows)
        self.assertEqual([sizes[fold] for fold in range(5)], [19, 19, 19, 19, 18])
        homes = collections.defaultdict(set)
        for row in rows:
            homes[row["group"]].add(row["fold"])
        self.assertTrue(all(len(home) == 1 for home in homes.values()), "a group is in two folds")
        self.assertEqual(len({row["complex"] for row in rows}), 94)


if __name__ == "__main__":
    unittest.main()
