#!/usr/bin/env python3
"""potentials/derive_antibody_profiles on made-up antibodies: numbers by conserved residues, and profiles by hand."""

import math
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, expect_refused, run_script  # noqa: E402

script_tests.need("numpy", "gemmi")
sys.path.insert(0, str(ROOT / "potentials"))

import antibody  # noqa: E402
import gemmi  # noqa: E402

DERIVE = "potentials/derive_antibody_profiles"
FRAMEWORKS = {
    "H": ("QVQLVESGGGLVQPGGSLRLSCAAS", "MGWVRQAPGKGLEWVSA", "YYADSVKGRFTISRDNSKNTLYLQMNSLRAEDTAVYYC", "WGQGTLVTVSS"),
    "K": ("DIQMTQSPSSLSASVGDRVTITCRAS", "LAWYQQKPGKAPKLLIY", "NLQSGVPSRFSGSGSGTDFTLTISSLQPEDFATYYC", "FGQGTKVEIK"),
    "L": ("QSVLTQPPSVSGAPGQRVTISCSGS", "VSWYQQLPGTAPKLLIY", "NRPSGVPDRFSGSKSGTSASLAITGLQAEDEADYYC", "FGGGTKLTVL"),
}
CDRS = ("GFTDRNPA", "INPDGRST", "AKDRHPNWESFDY")


def sequence_of(kind):
    first, second, third, fourth = FRAMEWORKS[kind]
    return first + CDRS[0] + second + CDRS[1] + third + CDRS[2] + fourth


def other_sequence(length, seed):
    generator = random.Random(seed)
    return "".join(generator.choice(antibody.LETTERS) for _ in range(length))


def write_structure(path, chains):
    model = gemmi.Model("1")
    for name, sequence in chains:
        chain = gemmi.Chain(name)
        for number, letter in enumerate(sequence, 1):
            residue = gemmi.Residue()
            residue.name = gemmi.expand_one_letter(letter, gemmi.ResidueKind.AA)
            residue.seqid = gemmi.SeqId(number, " ")
            atom = gemmi.Atom()
            atom.name, atom.element = "CA", gemmi.Element("C")
            atom.pos = gemmi.Position(3.8 * number, 0, 0)
            residue.add_atom(atom)
            chain.add_residue(residue)
        model.add_chain(chain)
    structure = gemmi.Structure()
    structure.add_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    structure.write_pdb(str(path))


class Numbers(unittest.TestCase):
    def test_conserved_residues(self):
        for kind in FRAMEWORKS:
            sequence = "MKT" + sequence_of(kind) + "GSGSG"
            (found, places), = antibody.by_anchors(sequence)
            self.assertEqual(found, kind)
            letters = {p: sequence[i] for i, p in places.items()}
            self.assertEqual((letters[23], letters[41], letters[104]), ("C", "W", "C"))
            self.assertEqual(letters[1], sequence_of(kind)[0])
            self.assertEqual(set(places.values()) & set(range(1, 119)),
                             {p for p in antibody.FRAMEWORK if p <= 118} - antibody.GAPS[kind])

    def test_other_sequences_have_none(self):
        self.assertEqual(antibody.by_anchors(other_sequence(400, 1)), [])


class Profiles(unittest.TestCase):
    def test_scores_by_hand(self):
        background = {a: 1 / 20 for a in antibody.LETTERS}
        sequence = sequence_of("H")
        (_, places), = antibody.by_anchors(sequence)
        share, scores = antibody.profile_of([(sequence, places)] * 3, background, 5)[23]
        self.assertAlmostEqual(share, 3.5 / 4)
        self.assertAlmostEqual(scores["C"], math.log((3 + 0.25) / 8 / 0.05))
        self.assertAlmostEqual(scores["A"], math.log(0.25 / 8 / 0.05))

    def test_alignment_gives_the_numbers_of_the_conserved_residues(self):
        background = {a: 1 / 20 for a in antibody.LETTERS}
        sequence = sequence_of("K")
        (_, places), = antibody.by_anchors(sequence)
        profile = antibody.profile_of([(sequence, places)] * 10, background, 5)
        score, aligned = antibody.align("MKTAYIAK" + sequence + "RTVAAPSVF", profile)
        self.assertGreater(score, antibody.LEAST_SCORE)
        self.assertEqual({i + 8: p for i, p in places.items()},
                         {i: p for i, p in aligned.items() if p in antibody.FRAMEWORK and p <= 127})


class Script(unittest.TestCase):
    def test_table_and_check(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_structure(folder / "data/a/receptor.pdb", [("H", sequence_of("H")), ("L", sequence_of("K"))])
            write_structure(folder / "data/b/receptor.pdb", [("L", sequence_of("L")), ("X", other_sequence(120, 2))])
            result = run_script(DERIVE, folder / "data", "-o", folder / "profiles.csv")
            self.assertEqual(result.returncode, 0, result.stderr)
            rows = [line.split(",") for line in (folder / "profiles.csv").read_text().splitlines() if line[0] != "#"]
            self.assertEqual(rows[0], ["class", "position", "gap", *antibody.LETTERS])
            self.assertEqual([(row[0], int(row[1])) for row in rows[1:]],
                             [(kind, p) for kind in ("heavy", "kappa", "lambda") for p in antibody.FRAMEWORK])

    def test_no_antibodies(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_structure(folder / "data/a/receptor.pdb", [("X", other_sequence(120, 2))])
            expect_refused(self, run_script(DERIVE, folder / "data", "-o", folder / "p.csv"), "no heavy domain")


if __name__ == "__main__":
    unittest.main()
