#!/usr/bin/env python3
"""potentials/dock_folds with a stand-in for the program: who is docked where, with which table, and what is kept."""

import csv
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from script_tests import expect_refused, run_script  # noqa: E402

# Writes NAME.h5, which is not one, with its arguments, and fails where a complex is called "bad".
PROGRAM = """#!{python}
import csv, json, os, pathlib, sys
words = sys.argv[1:]
folder = pathlib.Path(words[words.index("-o") + 1])
folder.mkdir(exist_ok=True)
with open(words[words.index("--pairs") + 1]) as file:
    for row in csv.DictReader(file):
        if row["name"] == "bad":
            sys.exit("no such protein")
        told = {{"words": words, "row": row, "gpu": os.environ.get("CUDA_VISIBLE_DEVICES")}}
        (folder / (row["name"] + ".h5")).write_text(json.dumps(told))
"""


class Run(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM.format(python=sys.executable))
        self.program.chmod(0o755)

    def tearDown(self):
        self.temporary.cleanup()

    def write_complexes(self, folds):
        for size, name in enumerate(folds):
            (self.folder / "complexes" / name).mkdir(parents=True)
            for part in ("receptor", "ligand", "reference"):
                (self.folder / "complexes" / name / f"{part}.pdb").write_text("x" * (10 + size))
        (self.folder / "folds.csv").write_text(
            "# a comment\ncomplex,fold,group\n" + "".join(f"{n},{k},0\n" for n, k in folds.items()))
        (self.folder / "complexes/pairs.csv").write_text(
            "name,receptor,ligand,reference,reference_receptor_chains,reference_ligand_chains\na,,,,A;B,C\n")

    def dock(self, *more):
        return run_script("potentials/dock_folds", "complexes", "-o", "results", "--folds", "folds.csv", "--program",
                          self.program, *more, cwd=self.folder)

    def told(self):
        return {path.stem: json.loads(path.read_text()) for path in (self.folder / "results").glob("*/*.h5")}

    def test_each_is_docked_once_with_the_table_of_its_fold(self):
        folds = {"a": 0, "b": 1, "c": 1, "d": 0, "e": 4}
        self.write_complexes(folds)
        result = self.dock("--gpus", "3,5", "--", "--rotations", "24")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = self.told()
        self.assertEqual(sorted(told), sorted(folds))
        for name, its in told.items():
            table = its["words"][its["words"].index("--pair-potential") + 1]
            self.assertTrue(table.endswith(f"potentials/folds/fold{folds[name]}.csv"), table)
            self.assertIn("--rotations", its["words"])
            self.assertTrue(pathlib.Path(its["row"]["reference"]).exists())
        self.assertEqual(told["a"]["row"]["reference_receptor_chains"], "A;B")
        self.assertEqual(told["b"]["row"]["reference_receptor_chains"], "")
        self.assertEqual({its["gpu"] for its in told.values()}, {"3", "5"})

    def test_what_fails_is_told_and_the_rest_is_done(self):
        self.write_complexes({"bad": 0, "c": 2})
        expect_refused(self, self.dock("--gpus", "cpu"), "tables of pairs that failed: 1")
        self.assertEqual(list(self.told()), ["c"])
        self.assertIn("no such protein", (self.folder / "results/gpu0_fold0.log").read_text())

    def test_missing_complexes_are_told_first(self):
        self.write_complexes({"a": 0})
        with open(self.folder / "folds.csv", "a", encoding="utf-8") as file:
            csv.writer(file).writerow(("z", 1, 0))
        expect_refused(self, self.dock(), "z is the first of 1")
        self.assertFalse((self.folder / "results").exists())


if __name__ == "__main__":
    unittest.main()
