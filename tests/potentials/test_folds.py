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
        scoring = folds.blosum62()
        chain = ["ALA", "GLY", "TRP", "LYS", "ASP", "HIS", "PHE", "SER", "THR", "CYS"] * 3
        self.assertTrue(folds.are_kindred(chain, chain[:5] + ["ARG"] + chain[6:], scoring, 0.5))
        self.assertFalse(folds.are_kindred(chain, ["PRO", "GLU", "ILE"] * 10, scoring, 0.5))


class Extending(unittest.TestCase):
    def kin(self, *pairs, names="abcdefgh"):
        kin = {name: set() for name in names}
        for a, b in pairs:
            kin[a].add(b)
            kin[b].add(a)
        return kin

    def test_a_new_complex_joins_most_of_its_kin_and_the_kept_stay(self):
        kept = {"a": 0, "b": 1, "c": 1}
        fold = folds.extend(self.kin("ad", "bd", "cd"), kept, 2, 7)
        self.assertEqual({name: fold[name] for name in "abcd"}, {**kept, "d": 1})

    def test_kin_of_kin_follow_and_new_kin_count(self):
        # e has one kept kin in fold 1, and two new ones that belong to fold 0.
        kin = self.kin("ac", "ad", "be", "ce", "de", "df")
        fold = folds.extend(kin, {"a": 0, "b": 1}, 2, 7)
        self.assertEqual([fold[name] for name in "cdef"], [0, 0, 0, 0])
        self.assertEqual(folds.kin_elsewhere(kin, fold, {"a": 0, "b": 1}), ["e (fold 0): b (fold 1)"])

    def test_unrelated_ones_even_the_folds(self):
        fold = folds.extend(self.kin("ef"), {"a": 0, "b": 0, "c": 0, "d": 1}, 2, 7)
        self.assertEqual(fold["e"], fold["f"])
        self.assertEqual(sorted(collections.Counter(fold.values()).values()), [4, 4])

    def test_groups_keep_their_numbers(self):
        kin = self.kin("ac", "de")
        fold = {**dict.fromkeys("abc", 0), **dict.fromkeys("defgh", 1)}
        number = folds.number_groups(kin, fold, {"a": 4, "b": 9})
        self.assertEqual([number[name] for name in "abcdefgh"], [4, 9, 4, 10, 10, 11, 12, 13])

    def test_the_shipped_folds_are_made_without_keep(self):
        groups = [["a"], ["b", "c"], ["d"]]
        kin = self.kin("bc", names="abcd")
        self.assertEqual(folds.extend(kin, {}, 2, 7), folds.deal(groups, 2, 7))


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

    def test_more_folds_keep_the_first_and_parts_divide_the_antibodies(self):
        first, more = (folds.read_table(ROOT / f"potentials/{name}.csv")[0] for name in ("folds", "folds_more"))
        self.assertEqual({name: more[name] for name in first}, first)
        self.assertEqual(len(more), 188)
        parts, groups = folds.read_table(ROOT / "potentials/folds_antigens.csv")
        self.assertEqual(set(parts), {name for name, fold in more.items() if fold == 0})
        self.assertEqual(len({(groups[name], parts[name]) for name in parts}), len(set(groups.values())))


if __name__ == "__main__":
    unittest.main()
