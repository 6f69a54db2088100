#!/usr/bin/env python3
"""potentials/derive_rotamers: angles and shares against numbers by hand."""

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
SCRIPT = "potentials/derive_rotamers"

import numpy as np  # noqa: E402

loader = importlib.machinery.SourceFileLoader("derive_rotamers", str(ROOT / SCRIPT))
derive = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(derive)


def serines(path, angles):
    """Residues whose chi 1 is known: N-CA-CB-OG with CA-CB along z, N along x and OG at the angle."""
    with open(path, "w", encoding="utf-8") as file:
        serial = 0
        for number, angle in enumerate(angles, 1):
            turn = np.radians(angle)
            for atom, x, y, z in (("N", 1, 0, 0), ("CA", 0, 0, 0), ("CB", 0, 0, 1), ("OG", np.cos(turn), np.sin(turn), 1)):
                serial += 1
                file.write(f"ATOM  {serial:5d}  {atom:<3s} SER A{number:4d}    {x + 9 * number:8.3f}{y:8.3f}{z:8.3f}"
                           f"  1.00  0.00           {atom[0]}\n")


class Rotamers(unittest.TestCase):
    def test_table_of_serines(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "complexes", "1ABC")
            folder.mkdir(parents=True)
            serines(folder / "receptor.pdb", (50, 70, 60, -65, 180))
            serines(folder / "ligand.pdb", (50, 70, 60, -65, 180))  # the same chain enters once
            table = pathlib.Path(name, "table.csv")
            said = run_script(SCRIPT, folder.parent, "-o", table)
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertIn("SER: 5 residues, 3 rotamers", said.stdout)
            rows = [row.split(",") for row in table.read_text().splitlines() if row.startswith("SER")]
        self.assertEqual([row[1] for row in rows], ["0.6000", "0.2000", "0.2000"])
        np.testing.assert_allclose([float(row[2]) for row in rows], (60, 180, 295), atol=0.2)
        self.assertAlmostEqual(float(rows[0][3]), 8.2, delta=0.1)  # of 50, 60 and 70
        self.assertEqual(len(rows[0]), 10)

    def test_flat_groups_are_the_same_half_a_turn_on(self):
        angles = np.array([(300.0, -85.0), (-60.0, 95.0), (62.0, 91.0)])
        found = derive.rotamers("PHE", angles)
        self.assertEqual(len(found), 2)
        self.assertAlmostEqual(found[0][0], 2 / 3)
        np.testing.assert_allclose(found[0][1], (300, 95))

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            expect_refused(self, run_script(SCRIPT, folder, "-o", "no.csv"), "no structures")


if __name__ == "__main__":
    unittest.main()
