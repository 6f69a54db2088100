#!/usr/bin/env python3
"""potentials/derive_statistical_potential: counts and energies against numbers by hand."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, expect_refused, run_script  # noqa: E402

script_tests.need("numpy", "gemmi")
sys.path.insert(0, str(ROOT / "potentials"))
SCRIPT = "potentials/derive_statistical_potential"

import numpy as np  # noqa: E402

loader = importlib.machinery.SourceFileLoader("derive_statistical", str(ROOT / SCRIPT))
derive = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(derive)


def write_chain(path, residues):
    """residues: (chain, number, name, x) with C-alpha at x and C-beta 1 A above it."""
    with open(path, "w", encoding="utf-8") as file:
        serial = 0
        for chain, number, name, x in residues:
            for atom, y in (("CA", 0), ("CB", 1)):
                serial += 1
                file.write(f"ATOM  {serial:5d}  {atom}  {name} {chain}{number:4d}    {x:8.3f}{y:8.3f}{0:8.3f}"
                           "  1.00  0.00           C\n")


class Statistics(unittest.TestCase):
    def test_rare_pairs_have_energies_near_zero(self):
        counts = np.zeros((2, 2, 2))
        counts[0, 0], counts[0, 1] = (3000, 1000), (1000, 3000)  # P(d) is a half each
        energies = derive.energies(counts)
        self.assertAlmostEqual(energies[0, 0, 0], -np.log(3050 / 4100 / 0.5), places=12)
        self.assertAlmostEqual(energies[0, 1, 0], -np.log(1050 / 4100 / 0.5), places=12)
        np.testing.assert_allclose(energies[1, 1], 0, atol=1e-12)

    def test_neighbours_in_the_chain_do_not_count(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "p.pdb")
            write_chain(path, [("A", 1, "ALA", 0), ("A", 2, "VAL", 4.2), ("A", 3, "VAL", 20), ("A", 4, "VAL", 30),
                               ("A", 5, "VAL", 40), ("A", 6, "VAL", 3.6), ("B", 1, "ALA", 6.8)])
            partner = derive.Partner(path, {("ALA", ""): 0, ("VAL", ""): 1}, derive.beta_carbons)
            counts = derive.count(partner, np.array([4.0, 7.0]), 2)
        # A1-A6 and A6-B1 are 3.6 and 3.2 A apart, A1-B1 6.8, A2-B1 2.6; A1-A2 and A2-A6 are near in the chain.
        self.assertEqual(counts[0, 1].tolist(), [3, 0])
        self.assertEqual(counts[0, 0].tolist(), [0, 1])
        self.assertEqual(counts.sum(), 4)


class Run(unittest.TestCase):
    def test_equal_partners_count_once(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("a", "b"):
                (root / name).mkdir()
                for part in ("receptor", "ligand"):
                    write_chain(root / name / f"{part}.pdb",
                                [("A", i + 1, "ALA", 5.5 * (i % 3)) for i in range(9)])
            result = run_script(SCRIPT, root, "-o", root / "table.csv")
            self.assertEqual(result.returncode, 0, result.stderr)
            text = (root / "table.csv").read_text()
            self.assertIn("from 1 partners", text)
            rows = [line.split(",") for line in text.splitlines() if line[0] != "#"]
            self.assertEqual(sum(row[0] == "residues" for row in rows), 1 + 20 * 21 // 2)
            self.assertEqual(sum(row[0] == "atoms" for row in rows), 1 + 167 * 168 // 2)

    def test_a_folder_without_complexes_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            expect_refused(self, run_script(SCRIPT, folder, "-o", pathlib.Path(folder, "t.csv")), "no partners")


if __name__ == "__main__":
    unittest.main()
