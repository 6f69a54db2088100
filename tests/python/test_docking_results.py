"""tessera.open of dockings: what it returns is what h5py reads and what `tessera export` writes, and every request that
it cannot serve gives one clear line. Usage: test_docking_results.py PATH/OF/tessera"""

import functools
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py", "pandas", "xarray", "gemmi")

import gemmi  # noqa: E402
import h5py  # noqa: E402
import numpy  # noqa: E402
import tessera_runs  # noqa: E402
from package_tests import FOLDER, PROGRAM, WithResults, program  # noqa: E402

import tessera  # noqa: E402


@functools.cache
def compare():
    """Makes compared.h5, a docking with a reference."""
    program("dock", "receptor.pdb", "ligand.pdb", "--rotation-file", "few.rot", "--spacing", "2", "--reference",
            "complex.pdb", "--refine", "0", "--coefficients", "balanced,vdw", "--quiet", "-o", "compared.h5")


@functools.cache
def ring():
    """Makes ring.h5, three copies of the ligand."""
    program("dock", "ligand.pdb", "--symmetry", "C3", "--axes", "48", "--spacing", "3", "--coefficients", "vdw",
            "--refine", "20", "--quiet", "-o", "ring.h5")


@functools.cache
def restrain():
    """Makes restrained.h5, a docking with a restraint and a reference."""
    (FOLDER / "near.csv").write_text("receptor,ligand,upper\nresid 1 and name CA,resid 1 and name CA,60\n")
    program("dock", "receptor.pdb", "ligand.pdb", "--rotation-file", "few.rot", "--spacing", "2", "--reference",
            "complex.pdb", "--refine", "20", "--coefficients", "vdw", "--restraints", "near.csv", "--quiet", "-o",
            "restrained.h5")


@functools.cache
def bend():
    """Makes bent.h5, a docking of three conformers of the ligand."""
    program("dock", "receptor.pdb", "ligand.pdb", "--rotation-file", "few.rot", "--spacing", "2", "--ligand-conformers",
            "3", "--refine", "20", "--coefficients", "vdw", "--quiet", "-o", "bent.h5")


class Docking(WithResults):
    def test_poses(self):
        run = self.opened("dock")
        self.assertEqual(run.sets, ["consensus", "balanced", "electrostatic", "hydrophobic", "vdw"])
        with h5py.File(self.folder / "dock.h5") as file:
            for name in run.sets:
                group = file["docking/consensus"] if name == "consensus" else file[f"docking/poses/{name}"]
                table = run.poses(name)
                self.assertEqual(table.attrs["set"], name)
                numpy.testing.assert_array_equal(table["score"], group["score"])
                names = list(group["terms"].attrs["names"])
                numpy.testing.assert_array_equal(table[names], group["terms"])
                weights = dict(zip(group.attrs["weighted_terms"], group.attrs["weights"]))
                if name != "consensus":
                    sums = sum(table[term] * weight for term, weight in weights.items())
                    numpy.testing.assert_allclose(sums, table["score"], rtol=1e-9)
        self.assertTrue(run.poses().equals(run.poses("consensus")))
        self.assertLessEqual(set(run.poses()["set"]), set(run.sets[1:]))

    def test_consensus_begins_at_poses_of_the_sets(self):
        run = self.opened("dock")
        consensus = run.poses()
        for _, pose in consensus.iterrows():
            start = run.poses(pose["set"]).iloc[pose["rank"]]
            self.assertEqual(start["repulsion"], pose["search_repulsion"])

    def test_clusters(self):
        run = self.opened("dock")
        clusters = run.clusters()
        self.assertGreater(len(clusters), 1)
        for _, cluster in clusters.iterrows():
            self.assertEqual(len(cluster["members"]), cluster["size"])
            self.assertIn(cluster["center"], cluster["members"])
        self.assertEqual(len(run.clusters("vdw")), 0)

    def test_evaluation(self):
        compare()
        run = self.opened("compared")
        evaluation = run.evaluation("vdw")
        self.assertEqual(list(evaluation)[0], "dockq")
        self.assertEqual(evaluation.attrs["units"]["ligand_rmsd"], "angstrom")
        with h5py.File(self.folder / "compared.h5") as file:
            for column, values in file["docking/evaluation/vdw"].items():
                numpy.testing.assert_array_equal(evaluation[column], values)
        self.refused("no evaluation", self.opened("dock").evaluation)

    def test_requests_that_cannot_be_met(self):
        run = self.opened("dock")
        self.refused("no set 'other' .*consensus, balanced", run.poses, "other")
        self.refused("no pose 5000", run.move, [[0, 0, 0]], 5000)

    def check_structure(self, run, name, pose, model):
        posed = run.structure(pose, name, receptor=str(self.folder / "receptor.pdb"),
                              ligand=str(self.folder / "ligand.pdb"))
        exported = gemmi.read_structure(str(model))[0]["B"]
        moved = [atom.pos.tolist() for residue in posed[0]["B"] for atom in residue]
        written = [atom.pos.tolist() for residue in exported for atom in residue]
        self.assertGreater(len(moved), 50)
        numpy.testing.assert_allclose(moved, written, atol=6e-4)  # PDB files have three decimals
        receptor = gemmi.read_structure(str(self.folder / "receptor.pdb"))[0]
        self.assertEqual(posed[0].count_atom_sites(), len(moved) + receptor.count_atom_sites())

    def check_stored_structure(self, run, name, pose, model):
        def lines(complex_):
            return [(chain.name, str(residue.seqid), residue.name, atom.name, atom.element.name, round(atom.b_iso, 2))
                    for chain in complex_[0] for residue in chain for atom in residue]

        def places(complex_):
            return [one.atom.pos.tolist() for one in complex_[0].all()]

        posed, exported = run.structure(pose, name), gemmi.read_structure(str(model))
        self.assertEqual(lines(posed), lines(exported))
        numpy.testing.assert_allclose(places(posed), places(exported), atol=6e-4)

    def test_structures_are_those_of_export(self):
        run = self.opened("dock")
        made = tessera_runs.run(PROGRAM, "export", "dock.h5", "--poses", "2", "models", cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        for name in ("consensus", "vdw"):
            self.check_structure(run, name, 1, self.folder / f"models/{name}_0002.pdb")
            self.check_stored_structure(run, name, 1, self.folder / f"models/{name}_0002.pdb")

    def test_structure_of_other_files(self):
        run = self.opened("dock")
        self.refused("cannot open the receptor 'gone.pdb'", run.structure, 0, receptor="gone.pdb")
        self.refused("is not the ligand that was docked", run.structure, 0, receptor=str(self.folder / "receptor.pdb"),
                     ligand=str(self.folder / "complex.pdb"))

    def test_rings(self):
        """All copies are there, as export writes them, and each is the one before it moved by the pose."""
        ring()
        run = self.opened("ring")
        self.assertEqual((run.symmetry, self.opened("dock").symmetry), ("C3", ""))
        program("export", "ring.h5", "--poses", "2", "rings")
        for name in ("consensus", "vdw"):
            posed, model = run.structure(1, name), self.folder / f"rings/{name}_0002.pdb"
            self.assertEqual(len(posed[0]), 3)
            self.check_same_complex(posed, model)
        points = numpy.array([[0.0, 1, 2], [3, 4, 5]])
        numpy.testing.assert_allclose(run.move(run.move(points, 1), 1), run.move(points, 1, copy=2))
        numpy.testing.assert_allclose(run.move(run.move(points, copy=2)), points, atol=1e-6)  # the ring closes
        self.refused("no copy 3 ", run.move, points, copy=3)
        self.refused("no copy 2 ", self.opened("dock").move, points, copy=2)

    def test_conformers(self):
        """Poses name their conformers, and have their atoms, as export writes them."""
        bend()
        run = self.opened("bent")
        self.assertEqual(run.conformers("ligand"), ["as in the file", "mode 1 by +1 A", "mode 1 by -1 A"])
        self.assertEqual(run.conformers("receptor"), [])
        conformers = run.poses("vdw")["ligand_conformer"]
        self.assertEqual(set(conformers), {0, 1, 2})
        pose = int(numpy.argmax(conformers > 0))
        program("export", "bent.h5", "--set", "vdw", "--poses", str(pose + 1), "bent")
        self.check_same_complex(run.structure(pose, "vdw"), self.folder / f"bent/vdw_{pose + 1:04}.pdb")
        self.refused("leave out ligand=PATH", run.structure, pose, "vdw", ligand="ligand.pdb")
        self.assertNotIn("ligand_conformer", self.opened("dock").poses())

    def check_same_complex(self, posed, model):
        exported = gemmi.read_structure(str(model))
        self.assertEqual([chain.name for chain in posed[0]], [chain.name for chain in exported[0]])
        numpy.testing.assert_allclose(*([one.atom.pos.tolist() for one in complex_[0].all()]
                                        for complex_ in (posed, exported)), atol=6e-4)

    def test_restraints_and_copies(self):
        """Columns that only some runs have."""
        restrain()
        run = self.opened("restrained")
        with h5py.File(self.folder / "restrained.h5") as file:
            for name in ("consensus", "vdw"):
                for column in ("satisfied", "fraction"):
                    numpy.testing.assert_array_equal(run.poses(name)[f"restraints_{column}"],
                                                     file[f"docking/restraints/{column}/{name}"])
            numpy.testing.assert_array_equal(run.poses()["restraint_energy"], file["docking/consensus/restraint_energy"])
        self.assertNotIn("restraints_satisfied", self.opened("dock").poses())
        path = self.copy("restrained")
        with h5py.File(path, "a") as file:
            group = file["docking/evaluation/vdw"]
            group["copy"] = numpy.zeros(len(group["dockq"]), "int32")
            group["copy"].attrs["chains"] = ["receptor A -> A; ligand B -> B"]
        with tessera.open(path) as run:
            self.assertEqual(set(run.evaluation("vdw")["copy"]), {0})
            self.assertEqual(run.evaluation("vdw").attrs["chains"], ["receptor A -> A; ligand B -> B"])

    def test_layout_of_an_earlier_version(self):
        path = self.copy("dock")
        with h5py.File(path, "a") as file:
            for name in ("run/retries", "docking/consensus", "docking/poses/vdw/voxel", "docking/receptor",
                         "docking/ligand"):
                del file[name]
            for name in ("warnings", "device_kinds", "resumed_devices"):
                del file["run"].attrs[name]
            del file["docking"].attrs["sets"]
        with tessera.open(path) as run:
            self.assertEqual(run.sets, ["balanced", "electrostatic", "hydrophobic", "vdw"])
            self.assertEqual(run.poses().attrs["set"], "balanced")
            self.assertEqual((run.run.warnings, run.run.retries), ([], []))
            self.refused("cannot open the receptor 'receptor.pdb'", run.structure)


if __name__ == "__main__":
    unittest.main()
