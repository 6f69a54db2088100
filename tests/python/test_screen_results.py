"""tessera.open of screenings and of folders of pairs: the tables are those of `tessera table`, posed structures are
those of `tessera export`, and what is not there gives one clear line.
Usage: test_screen_results.py PATH/OF/tessera"""

import csv
import functools
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py", "pandas", "gemmi")

import gemmi  # noqa: E402
import numpy  # noqa: E402
import tessera_runs  # noqa: E402
from package_tests import FOLDER, PROGRAM, InFolder, compute, program, results  # noqa: E402

import tessera  # noqa: E402

SHARD = "screening/poses/shard-000000.h5"
PAIR = "whole__ligand"


@functools.cache
def screenings():
    """A screening of four pairs in two shards, with two pairs docked again, and a folder of two pairs."""
    results()
    search = ("--rotations", "24", "--spacing", "3")
    (FOLDER / "receptors.csv").write_text("file,name,chains\nreceptor.pdb,whole,\ncomplex.pdb,NA,A\n")
    (FOLDER / "ligands.csv").write_text("name,file\nligand,ligand.pdb\nother,receptor.pdb\n")
    (FOLDER / "again.toml").write_text('rotations = 24\nspacing = 3\ncoefficients = "vdw"\n')
    compute("screen", "receptors.csv", "ligands.csv", *search, "--pairs-per-shard", "2", "--redock", "1",
            "--redock-config", "again.toml", "-o", "screening")
    (FOLDER / "two.csv").write_text("name,receptor,ligand\none,receptor.pdb,ligand.pdb\nlost,gone.pdb,ligand.pdb\n")
    made = tessera_runs.run(PROGRAM, "dock", "--pairs", "two.csv", *search, "--coefficients", "vdw", "--quiet", "-o",
                            "pairs", cwd=FOLDER)
    assert made.returncode != 0 and (FOLDER / "pairs/one.h5").exists(), made.stderr  # one pair has no file


class Screened(InFolder):
    def setUp(self):
        screenings()
        super().setUp()

    def check_structure(self, posed, model):
        exported = gemmi.read_structure(str(model))
        self.assertEqual([chain.name for chain in posed[0]], [chain.name for chain in exported[0]])
        places = [[one.atom.pos.tolist() for one in complex_[0].all()] for complex_ in (posed, exported)]
        self.assertGreater(len(places[0]), 50)
        numpy.testing.assert_allclose(*places, atol=6e-4)  # PDB files have three decimals


class Shards(Screened):
    def test_poses(self):
        table = csv.DictReader(io.StringIO(tessera_runs.run(PROGRAM, "table", SHARD, cwd=FOLDER).stdout))
        rows = list(table)
        with tessera.open(SHARD) as shard:
            self.assertEqual((shard.workload, shard.set, shard.pairs), ("screen", "balanced", [PAIR, "whole__other"]))
            poses = shard.poses()
            self.assertEqual([(one[0], one[1], one[2] + 1) for one in poses.index],
                             [(row["receptor"], row["ligand"], int(row["pose"])) for row in rows])
            for column, name in (("score", "score"), ("pair", "pair"), ("x", "rotation_x"),
                                 ("center_z", "translation_z_angstrom")):
                self.assertEqual(list(poses[column]), [float(row[name]) for row in rows])
            self.assertEqual(list(poses["cluster"]), [int(row["cluster"] or 0) for row in rows])
            self.assertTrue(shard.poses(PAIR).equals(poses.loc["whole", "ligand"]))
            self.assertEqual(shard.run.input["spacing"], 3)
            self.refused("no pair 'a__b' .*whole__ligand to whole__other", shard.poses, "a__b")

    def test_structures_are_those_of_export(self):
        for shard, pair in ((SHARD, PAIR), (SHARD.replace("000000", "000001"), "NA__other")):
            program("export", shard, "--pair", pair, "--poses", "2", "models")
            with tessera.open(shard) as result:
                self.check_structure(result.structure(pair, 1), FOLDER / f"models/{pair}_0002.pdb")
        with tessera.open(SHARD) as result:
            self.refused("no pose 10", result.structure, PAIR, 10)
            self.refused("no pose -1", result.structure, PAIR, -1)
            self.refused("not the ligand that was docked", result.structure, PAIR, ligand="receptor.pdb")


class Folders(Screened):
    def test_screening(self):
        with tessera.open("screening") as folder:
            self.assertTrue(folder.complete)
            self.assertEqual(len(folder.shards), 2)
            table = folder.table()
            self.assertEqual(list(table["receptor"]), ["whole", "whole", "NA", "NA"])  # a name, and no missing value
            with open("screening/screen.csv", newline="") as file:
                for row, line in zip(csv.DictReader(file), table.itertuples()):
                    self.assertAlmostEqual(float(row["best_score"]), line.best_score, places=9)
                    self.assertEqual((int(row["grid"]), row["warnings"]), (line.grid, line.warnings))
            for line in table.itertuples():
                poses = folder.poses(f"{line.receptor}__{line.ligand}")
                self.assertAlmostEqual(poses["score"][0], line.best_score, delta=6e-4)
            with tessera.open(SHARD) as shard:
                self.check_same_places(folder.structure(PAIR), shard.structure(PAIR))
            self.refused("no poses of a pair 'whole__NA'", folder.poses, "whole__NA")

    def check_same_places(self, one, other):
        self.assertEqual(*([a.atom.pos.tolist() for a in complex_[0].all()] for complex_ in (one, other)))

    def test_pairs(self):
        pairs = tessera.open(FOLDER / "pairs")
        self.assertEqual((pairs.pairs, list(pairs.table()["status"])), (["one"], ["done", "failed"]))
        self.assertTrue(numpy.isnan(pairs.table()["vdw_best_score"][1]))
        with pairs.open("one") as run:
            self.assertEqual(len(run.poses("vdw")), 96)
        self.refused("no result of a pair 'lost'", pairs.open, "lost")
        redocked = tessera.open("screening").redocked
        self.assertEqual(len(redocked.pairs), 2)
        with redocked.open(redocked.pairs[0]) as run:
            self.assertEqual(run.sets, ["vdw"])

    def test_what_is_no_such_folder(self):
        self.refused("is a folder", tessera.open, FOLDER)
        self.refused("is the table of a folder .*open the folder 'screening'", tessera.open, "screening/screen.csv")


if __name__ == "__main__":
    unittest.main()
