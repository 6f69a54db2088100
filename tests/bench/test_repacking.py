#!/usr/bin/env python3
"""bench/docking_success/repacking: orders and rates against numbers by hand."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402
from script_tests import ROOT, expect_refused, run_script  # noqa: E402

script_tests.need("numpy", "h5py")
sys.path.insert(0, str(ROOT / "bench/docking_success"))
SCRIPT = "bench/docking_success/repacking"

import h5py  # noqa: E402
import numpy as np  # noqa: E402

loader = importlib.machinery.SourceFileLoader("repacking_success", str(ROOT / SCRIPT))
repacking = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(repacking)

# Three of four poses are repacked. Their changes of the score are 1, -2 and 0 (median 0).
CHANGES, BINDING, CHOSEN = (-2.0, 1.0, 0.0, 0.0), (-8.0, 0.0, -90.0, 0.0), (2, 1, 0, -1)


def write_result(path, classes, scores, repacked):
    with h5py.File(path, "w") as file:
        group = file.create_group("docking/consensus")
        group["score"] = np.array(scores)
        quality = group.create_group("evaluation")
        for name in ("ligand_rmsd", "interface_rmsd", "fnat", "dockq", "ligand_interface_ca_rmsd"):
            quality[name] = np.zeros(4)
        quality["capri_class"] = np.array(classes)
        group.create_group("clusters")["center"] = np.array([0, 2])
        if repacked:
            group["repack_score_change"] = np.array(CHANGES)
            group["repack_energy_change"] = np.array((-5.0, -1.0, 0.0, 0.0))
            group["repack_binding_energy"] = np.array(BINDING)
            group["repacked_side_chains"] = np.array(CHOSEN)
            group.attrs["repack_weights"] = (1.0, 0.0, 0.0)


class Repacking(unittest.TestCase):
    def test_other_weights_give_other_orders(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.h5")
            # Before the repacking the scores were -8, -9, -6 and -5.
            write_result(path, (1, 0, 2, 3), (-10.0, -8.0, -6.0, -5.0), True)
            made = repacking.consensus_of(path)
        order = [repacking.ranked_again(made, weights)["capri_class"].tolist()
                 for weights in ((1, 0, 0), (0, 0, 0), (0, 0, 1))]
        self.assertEqual(order[0], [1, 0, 2, 3])
        self.assertEqual(order[1], [0, 1, 2, 3])
        self.assertEqual(order[2], [2, 1, 3, 0])  # -8, -1, -88 and -5
        np.testing.assert_allclose(repacking.changes((0, 0, 1), made[3], made[4]), (0, 8, -82, 0))

    def test_rates_are_those_of_both_lists(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for side in ("rigid", "repacked"):
                (folder / side).mkdir()
            write_result(folder / "rigid/a.h5", (0, 1, 0, 0), (-9.0, -8.0, -6.0, -5.0), False)
            write_result(folder / "repacked/a.h5", (1, 0, 0, 0), (-10.0, -8.0, -6.0, -5.0), True)
            said = run_script(SCRIPT, folder / "rigid", "-o", folder / "repacked", "--weights", "0,0,0")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stdout, r"rigid +1: 0\.0 .*log10 rank 0\.30")
        self.assertRegex(said.stdout, r"repacked +1: 100\.0 \(\+100\.0 .*log10 rank 0\.00 \(-0\.30")
        self.assertRegex(said.stdout, r"weights 0,0,0 +1: 0\.0")

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            expect_refused(self, run_script(SCRIPT, folder, "-o", folder), "no results")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
