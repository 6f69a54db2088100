#!/usr/bin/env python3
"""bench/docking_success/check_dockq: poses of made complexes get the values of the DockQ package. The complexes have
missing residues, insertion codes, a larger ligand, and equal chains. Skips without the package or the benchmarks.
Usage: test_check_dockq.py PATH/OF/tessera"""

import csv
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import run_script  # noqa: E402

script_tests.need("numpy", "h5py", "gemmi", "scipy", "DockQ")

import numpy as np  # noqa: E402

import tessera_runs  # noqa: E402

JUDGE = pathlib.Path(sys.argv.pop(1)).resolve().parent / "bench/bench_judge_poses" if len(sys.argv) > 1 else None
SCRIPT = "bench/docking_success/check_dockq"
if JUDGE is None or not JUDGE.exists():
    print(f"skipped: no program {JUDGE} (it is built with TESSERA_ENABLE_BENCHMARKS)")
    sys.exit(script_tests.SKIPPED)


def atom_lines(path, chain=None):
    return [line for line in path.read_text().splitlines()
            if line.startswith("ATOM") and chain in (None, line[21])]


def write(path, lines):
    path.write_text("\n".join([*lines, "END", ""]))


def without(lines, numbers):
    return [line for line in lines if int(line[22:26]) not in numbers]


def with_insertion(lines, number):
    """The residue after `number` gets its number and the code A, as an inserted residue has."""
    return [f"{line[:22]}{number:4d}A{line[27:]}" if int(line[22:26]) == number + 1 else line for line in lines]


def turned(lines, chain, k):
    """The atoms turned by k thirds about an axis beside the receptor, as another chain."""
    turn = np.array([[np.cos(k * 2 * np.pi / 3), -np.sin(k * 2 * np.pi / 3), 0],
                     [np.sin(k * 2 * np.pi / 3), np.cos(k * 2 * np.pi / 3), 0], [0, 0, 1]])
    axis = np.array([-17.0, 0, 0])
    for line in lines:
        x, y, z = turn @ (np.array([float(line[i:i + 8]) for i in (30, 38, 46)]) - axis) + axis
        yield f"{line[:21]}{chain}{line[22:30]}{x:8.3f}{y:8.3f}{z:8.3f}{line[54:]}"


def write_complexes(folder):
    """gaps: each side lacks residues of the interface that the other has. larger: the ligand has more residues than
    the receptor. ring: the receptor is a ring of three equal chains, and the reference has the ligand on one."""
    for name in ("gaps", "larger", "ring"):
        (folder / name).mkdir()
        tessera_runs.write_pair(folder / name)
        (folder / name / "complex.pdb").rename(folder / name / "reference.pdb")
    receptor, ligand = (atom_lines(folder / f"gaps/{part}.pdb") for part in ("receptor", "ligand"))
    native_receptor, native_ligand = (atom_lines(folder / "gaps/reference.pdb", chain) for chain in "AB")
    write(folder / "gaps/receptor.pdb", with_insertion(without(receptor, {30, 31}), 60))
    write(folder / "gaps/ligand.pdb", without(ligand, {12}))
    write(folder / "gaps/reference.pdb",
          with_insertion(without(native_receptor, {45}), 60) + ["TER"] + without(native_ligand, {20, 21}))
    write(folder / "larger/receptor.pdb", ligand)
    write(folder / "larger/ligand.pdb", receptor)
    ring = [line for k, chain in enumerate("ABC") for line in [*turned(receptor, chain, k), "TER"]]
    write(folder / "ring/receptor.pdb", ring)
    write(folder / "ring/reference.pdb", ring + [f"{line[:21]}L{line[22:]}" for line in native_ligand])


class AgainstThePackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        write_complexes(cls.folder)
        cls.done = cls.check("-o", cls.folder / "poses.csv", "--poses", "12")
        if cls.done.returncode:
            raise RuntimeError(cls.done.stdout + cls.done.stderr)
        with open(cls.folder / "poses.csv", encoding="utf-8", newline="") as file:
            cls.rows = list(csv.DictReader(file))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def check(cls, *options):
        return run_script(SCRIPT, cls.folder, "--judge", JUDGE, *options)

    def test_all_values_agree(self):
        self.assertEqual(len(self.rows), 36)
        for row in self.rows:
            for name in ("fnat", "interface_rmsd", "ligand_rmsd", "dockq"):
                self.assertAlmostEqual(float(row[name]), float(row[f"package_{name}"]), delta=0.002, msg=str(row))

    def test_poses_spread_and_the_first_is_native(self):
        for name in ("gaps", "larger", "ring"):
            values = [float(row["dockq"]) for row in self.rows if row["complex"] == name]
            self.assertGreater(values[0], 0.9)
            self.assertLess(min(values), 0.1)

    def test_a_difference_above_the_limit_fails(self):
        self.assertEqual(self.check("--only", "gaps", "--limit", "0").returncode, 1)

    def test_no_program_is_one_line(self):
        script_tests.expect_refused(self, run_script(SCRIPT, self.folder, "--judge", self.folder / "none"),
                                    "no program")


if __name__ == "__main__":
    unittest.main()
