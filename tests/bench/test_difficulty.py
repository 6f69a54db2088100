#!/usr/bin/env python3
"""bench/docking_success/difficulty on a made-up complex: where its interface moves, what is missing or changed, and how
many equivalent sites a homodimer has."""

import csv
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, expect_refused, run_script  # noqa: E402

script_tests.need("numpy", "scipy", "gemmi", "h5py")
sys.path.insert(0, str(ROOT / "bench/docking_success"))

import numpy as np  # noqa: E402

import native_sites  # noqa: E402

SCRIPT = "bench/docking_success/difficulty"
NAMES = ("ALA GLY TRP LYS ASP HIS PHE SER THR CYS PRO GLU ILE ASN LEU MET GLN ARG TYR VAL").split()


def coil(turn):
    """[20,3] of a chain whose shape no motion brings onto itself."""
    steps = np.arange(20)
    return np.stack([6 * np.cos(0.9 * steps), 6 * np.sin(0.9 * steps), 1.6 * steps + turn * steps**1.2], 1)


def write(path, chains):
    """chains: {name: [(number, residue name, position)]}, one C-alpha each."""
    with open(path, "w") as file:
        for chain, residues in chains.items():
            for number, name, (x, y, z) in residues:
                file.write(f"ATOM  {number:5d}  CA  {name} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
                           "  1.00  0.00           C\n")
        file.write("END\n")


def chain(points, names=NAMES):
    return [(i + 1, name, point) for i, (name, point) in enumerate(zip(names, points))]


class Difficulty(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "set/x").mkdir(parents=True)
        self.receptor, self.ligand = coil(0), coil(0.05) + [10.5, 0, 0]
        write(self.folder / "set/x/reference.pdb", {"A": chain(self.receptor), "B": chain(self.ligand, NAMES[::-1])})
        turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
        self.turned = self.ligand @ turn.T + [3, 4, 5]

    def tearDown(self):
        self.temporary.cleanup()

    def row(self, receptor, ligand, *more):
        for name, content in (("receptor", receptor), ("ligand", ligand)):
            write(self.folder / f"set/x/{name}.pdb", content)
        result = run_script(SCRIPT, "set", "-o", "out.csv", "--jobs", "1", *more, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "out.csv", newline="") as file:
            return next(csv.DictReader(file))

    def whole(self):
        return {"B": chain(self.turned, NAMES[::-1])}

    def test_a_partner_that_only_moved_is_easy(self):
        row = self.row({"A": chain(self.receptor)}, self.whole())
        self.assertLess(float(row["spread_ligand"]), 0.002)
        self.assertEqual(float(row["kept"]), 1)
        self.assertEqual([row[key] for key in ("sites_receptor", "sites_ligand", "missing_ligand", "changed_ligand")],
                         ["1", "1", "0.000", "0.000"])

    def test_what_is_missing_or_changed_is_counted(self):
        close = native_sites.interface(native_sites.read_chains(self.folder / "set/x/reference.pdb", ["B"]),
                                       native_sites.read_chains(self.folder / "set/x/reference.pdb", ["A"]), 5)
        self.assertGreater(len(close), 3)
        gone, other = close[0][1], close[1][1]
        names = list(NAMES[::-1])
        names[other] = "GLY" if names[other] != "GLY" else "ALA"
        rest = [item for i, item in enumerate(chain(self.turned, names)) if i != gone]
        row = self.row({"A": chain(self.receptor)}, {"B": rest})
        self.assertAlmostEqual(float(row["missing_ligand"]), 1 / len(close), places=3)
        self.assertAlmostEqual(float(row["changed_ligand"]), 1 / (len(close) - 1), places=3)
        self.assertLess(float(row["kept"]), 1)

    def test_a_moved_interface_has_its_rmsd(self):
        bent = self.turned + np.where(np.arange(20)[:, None] < 10, [0, 0, 0], [0, 0, 4.0])
        row = self.row({"A": chain(self.receptor)}, {"B": chain(bent, NAMES[::-1])})
        self.assertGreater(float(row["spread_ligand"]), 0.5)
        self.assertLess(float(row["spread_ligand"]), 4)

    def test_copies_of_an_oligomer_are_sites_unless_blocked(self):
        far = {"C": chain(self.turned + [0, 0, 200], NAMES[::-1])}
        self.assertEqual(self.row({"A": chain(self.receptor)}, {**self.whole(), **far})["sites_ligand"], "2")
        # The partner of the copy would be where a third chain is.
        turned_receptor = self.receptor @ np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]).T + [3, 4, 205]
        blocking = {"D": chain(turned_receptor, ["GLY"] * 20)}
        self.assertEqual(self.row({"A": chain(self.receptor)}, {**self.whole(), **far, **blocking})["sites_ligand"],
                         "1")

    def test_merged_chains_are_taken_apart(self):
        second = [(number + 500, name, point) for number, name, point in
                  chain(self.turned + [0, 0, 200], NAMES[::-1])]
        row = self.row({"A": chain(self.receptor)}, {"B": chain(self.turned, NAMES[::-1]) + second})
        self.assertEqual([row["chains_ligand"], row["sites_ligand"]], ["2", "2"])

    def test_an_empty_folder_is_refused(self):
        (self.folder / "none").mkdir()
        expect_refused(self, run_script(SCRIPT, "none", "-o", "out.csv", cwd=self.folder), "no complexes")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
