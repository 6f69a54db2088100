#!/usr/bin/env python3
"""potentials/derive: contact energies against numbers by hand, and fold tables that have not seen their fold."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, expect_refused, run_script  # noqa: E402

script_tests.need("numpy", "gemmi", "h5py")
sys.path.insert(0, str(ROOT / "potentials"))

import numpy as np  # noqa: E402

from epsilon import contact_energies, symmetric  # noqa: E402
from structures import TYPES  # noqa: E402

K = len(TYPES)
DERIVE = "potentials/derive"


def read_table(path):
    rows = [line.split(",") for line in pathlib.Path(path).read_text().splitlines() if line[0] != "#"]
    assert rows[0][1:] == TYPES and [row[0] for row in rows[1:]] == TYPES
    return np.array([[float(value) for value in row[1:]] for row in rows[1:]])


def sticky(factor):
    """Unordered contacts: one of each pair, but `factor` for each atom of the first type."""
    factors = np.ones(K)
    factors[0] = factor
    return np.outer(factors, factors)


class Energies(unittest.TestCase):
    def test_unordered_contacts_are_both_orders_together(self):
        counts = symmetric(np.arange(K * K).reshape(K, K))
        self.assertEqual(counts[1, 2], counts[2, 1])
        self.assertEqual(counts[1, 2], (K + 2) + (2 * K + 1))
        self.assertEqual(counts[3, 3], 3 * K + 3)

    def test_a_sticky_type_by_hand(self):
        # 171 pairs alike in decoys; in natives the first type is twice as often in contact: the sum is
        # 153 + 17 * 2 + 4 = 191. The additive model is exact, so that pseudo-counts change nothing.
        for pseudo_counts in (0, 5, 1000):
            energies = contact_energies(sticky(2.0), np.ones((K, K)), pseudo_counts, 10)
            self.assertAlmostEqual(energies[0, 0], -np.log(4 * 171 / 191), places=6)
            self.assertAlmostEqual(energies[0, 5], -np.log(2 * 171 / 191), places=6)
            self.assertAlmostEqual(energies[3, 5], -np.log(171 / 191), places=6)

    def test_without_pseudo_counts_it_is_the_ratio_of_shares(self):
        rng = np.random.default_rng(3)
        native, decoy = (symmetric(rng.integers(20, 90, (K, K))) for _ in range(2))
        shares = (native / np.triu(native).sum()) / (decoy / np.triu(decoy).sum())
        np.testing.assert_allclose(contact_energies(native, decoy, 0, 10), -np.log(shares), atol=1e-9)

    def test_a_pair_seen_rarely_gets_what_its_types_have(self):
        native = sticky(2.0)
        native[3, 5] = native[5, 3] = 3.0
        plain = contact_energies(native, np.ones((K, K)), 0, 10)[3, 5]
        shrunk = contact_energies(native, np.ones((K, K)), 5, 10)[3, 5]
        self.assertLess(plain, shrunk)
        self.assertLess(shrunk, -np.log(171 / 191))
        # 193 contacts in groups of 10 are seen: 19.3 p_native + 5 against 19.3 p_model + 5.
        many = contact_energies(native * 1e6, np.ones((K, K)), 5, 10)[3, 5]
        self.assertAlmostEqual(many, plain, places=3)


class Tables(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "folds.csv").write_text("# two\ncomplex,fold,group\na,0,0\nb,0,1\nc,1,2\nd,1,3\n")

    def tearDown(self):
        self.temporary.cleanup()

    def derive(self, natives, *more):
        """Tables (all, without fold 0, without fold 1) of complexes {name: ordered native contacts}."""
        np.savez(self.folder / "counts.npz",
                 **{f"{name}/native": counts for name, counts in natives.items()},
                 **{f"{name}/decoy": np.triu(np.full((K, K), 7.0)) for name in natives})
        result = run_script(DERIVE, "counts.npz", "-o", "all.csv", "--folds", "folds.csv", "--fold-tables",
                            "folds", *more, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [read_table(self.folder / name) for name in ("all.csv", "folds/fold0.csv", "folds/fold1.csv")]

    def test_numbers_of_a_whole_run_by_hand(self):
        native = np.triu(sticky(2.0))
        for table in self.derive(dict.fromkeys("abcd", native)):
            self.assertEqual(table[0, 0], round(-np.log(4 * 171 / 191), 3))
            self.assertEqual(table[0, 5], round(-np.log(2 * 171 / 191), 3))
            self.assertEqual(table[3, 5], round(-np.log(171 / 191), 3))
            np.testing.assert_array_equal(table, table.T)

    def test_a_fold_s_table_has_not_seen_its_complexes(self):
        natives = dict.fromkeys("abcd", np.triu(sticky(2.0)))
        before = self.derive(natives)
        after = self.derive({**natives, "a": np.triu(sticky(6.0))})
        np.testing.assert_array_equal(before[1], after[1])
        self.assertTrue((before[0] != after[0]).any() and (before[2] != after[2]).any())

    def test_large_complexes_count_as_the_largest_allowed(self):
        # Both natives are 764 contacts at most: 191 * 40 is told as 191 * 4, so they enter alike.
        few = self.derive({**dict.fromkeys("abd", np.triu(sticky(2.0)) * 4), "c": np.triu(sticky(3.0)) * 4},
                          "--largest", "191")
        many = self.derive({**dict.fromkeys("abd", np.triu(sticky(2.0)) * 4), "c": np.triu(sticky(3.0)) * 40},
                           "--largest", "191")
        np.testing.assert_array_equal(few[0], many[0])

    def test_a_missing_module_is_one_line(self):
        for script in (DERIVE, "potentials/count_contacts", "potentials/make_bound_partners",
                       "potentials/folds.py", "potentials/train_rescoring", "potentials/cache_poses",
                       "potentials/learning_curve"):
            expect_refused(self, run_script(script, flags=["-S"]), "module .* is missing.*pip install")


class Shipped(unittest.TestCase):
    def test_fold_tables_are_of_the_same_making(self):
        whole = read_table(ROOT / "data/potentials/tessera.csv")
        tables = [read_table(ROOT / f"potentials/folds/fold{fold}.csv") for fold in range(5)]
        for table in tables:
            np.testing.assert_array_equal(table, table.T)
            self.assertGreater(np.corrcoef(table.ravel(), whole.ravel())[0, 1], 0.9)
            self.assertTrue((table != whole).any())


if __name__ == "__main__":
    unittest.main()
