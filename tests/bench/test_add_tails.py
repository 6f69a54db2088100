#!/usr/bin/env python3
"""bench/docking_success/add_tails on a made-up complex: the partners stay as they are, and the tails are chains of
residues with the bonds and the handedness of proteins that touch nothing."""

import collections
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
import tessera_runs  # noqa: E402
from script_tests import expect_refused, run_script  # noqa: E402

script_tests.need("numpy")

import numpy as np  # noqa: E402

SCRIPT = "bench/docking_success/add_tails"
LENGTH = (8, 12)


def residues_of(path):
    """{chain, number: {atom: (position, B column)}} in file order."""
    residues = collections.OrderedDict()
    for line in path.read_text().splitlines():
        if line.startswith("ATOM"):
            place = np.array([float(line[i:i + 8]) for i in (30, 38, 46)])
            residues.setdefault((line[21], int(line[22:26])), {})[line[12:16].strip()] = (place, float(line[60:66]))
    return residues


def distance(first, second):
    return np.linalg.norm(first[0] - second[0])


class AddTails(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.complex = self.folder / "in/pair"
        self.complex.mkdir(parents=True)
        tessera_runs.write_pair(self.complex)
        (self.complex / "complex.pdb").rename(self.complex / "reference.pdb")

    def made(self, name, *options):
        result = run_script(SCRIPT, self.folder / "in", "-o", self.folder / name, "--length", *LENGTH, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / name / "pair"

    def test_what_was_there_stays(self):
        made = self.made("out")
        self.assertEqual((made / "reference.pdb").read_text(), (self.complex / "reference.pdb").read_text())
        for part in ("receptor", "ligand"):
            before, after = residues_of(self.complex / f"{part}.pdb"), residues_of(made / f"{part}.pdb")
            self.assertTrue((made / f"{part}.pdb").read_text().startswith("TITLE     ALPHAFOLD"))
            for key, atoms in before.items():
                self.assertEqual(atoms.keys(), after[key].keys())
                for name, (place, _) in atoms.items():
                    self.assertTrue((after[key][name][0] == place).all())
                    self.assertGreaterEqual(after[key][name][1], 75)
            added = [atoms for key, atoms in after.items() if key not in before]
            self.assertTrue(LENGTH[0] <= len(added) <= LENGTH[1])
            self.assertTrue(all(25 <= value <= 45 for atoms in added for _, value in atoms.values()))

    def test_tails_are_protein_chains(self):
        made = self.made("out")
        for part in ("receptor", "ligand"):
            residues = list(residues_of(made / f"{part}.pdb").values())
            tail = [atoms for atoms in residues if atoms["CA"][1] < 50]
            start = len(residues) - len(tail)
            for i in range(start, len(residues)):
                atoms, before = residues[i], residues[i - 1]
                self.assertAlmostEqual(distance(before["C"], atoms["N"]), 1.329, delta=0.01)
                self.assertAlmostEqual(distance(before["CA"], atoms["CA"]), 3.8, delta=0.1 if i > start else 1)
                self.assertAlmostEqual(distance(atoms["C"], atoms["O"]), 1.231, delta=0.01)
                if "CB" in atoms:  # L-amino acids: N, C and CB turn to the right, seen from H
                    n, ca, c, cb = (atoms[name][0] for name in ("N", "CA", "C", "CB"))
                    self.assertGreater(np.dot(np.cross(n - ca, c - ca), cb - ca), 2)
                others = [other for atoms_ in residues[:i - 1] for other in atoms_.values()]
                if i > start + 1:
                    self.assertGreater(min(distance(atom, other) for atom in atoms.values() for other in others), 2.5)

    def test_the_seed_decides(self):
        first, again, other = self.made("a"), self.made("b"), self.made("c", "--seed", "2")
        self.assertEqual((first / "ligand.pdb").read_text(), (again / "ligand.pdb").read_text())
        self.assertNotEqual((first / "ligand.pdb").read_text(), (other / "ligand.pdb").read_text())

    def test_uncertain_residues_have_few_contacts(self):
        before = residues_of(self.complex / "receptor.pdb")
        after = residues_of(self.made("out", "--uncertain", "10") / "receptor.pdb")
        uncertain = [key for key in before if after[key]["CA"][1] < 70]
        self.assertEqual(len(uncertain), round(len(before) / 10))
        self.assertTrue(all(50 <= after[key]["CA"][1] for key in uncertain))

        def neighbours(key):
            return sum(distance(before[key]["CA"], atoms["CA"]) < 9 for atoms in before.values())

        self.assertLess(np.mean([neighbours(key) for key in uncertain]), 0.8 * np.mean([*map(neighbours, before)]))

    def test_bad_input_is_one_line(self):
        expect_refused(self, run_script(SCRIPT, self.folder / "none", "-o", self.folder / "out"), "is no folder")
        for words, part in ((("--only", "1ABC"), "there is no complex 1ABC"), (("--length", "9", "3"), "no range"),
                            (("--uncertain", "100"), "out of range")):
            expect_refused(self, run_script(SCRIPT, self.folder / "in", "-o", self.folder / "out", *words), part)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
