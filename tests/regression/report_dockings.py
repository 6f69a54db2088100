#!/usr/bin/env python3
"""`tessera report` of dockings: its JSON has the values that h5py reads in the file, contacts of residues are those of
all pairs of atoms, and the page of a docking with the default options stays small.
Usage: report_dockings.py PATH/OF/tessera"""

import os
import pathlib
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_results  # noqa: E402
from docked_poses import matrices_of  # noqa: E402
from report_pages import LARGEST, check_kinds, report, same  # noqa: E402
from tessera_runs import check, run  # noqa: E402


def positions_of(docking, partner):
    atoms = docking[f"{partner}/atoms"]
    return atoms["position"][:], atoms["residue_index"][:]


def contacts_of(docking, poses):
    """By all pairs of atoms: in how many of the poses of the consensus each residue is in contact."""
    (receptor, of_receptor), (ligand, of_ligand) = positions_of(docking, "receptor"), positions_of(docking, "ligand")
    counts = [numpy.zeros(of_receptor[-1] + 1, dtype=int), numpy.zeros(of_ligand[-1] + 1, dtype=int)]
    for pose in poses:
        moved = (ligand - docking["ligand_center"][:]) @ matrices_of(docking["consensus/rotation"][pose]).T
        moved += docking["consensus/translation"][pose]
        near = numpy.square(receptor[:, None] - moved[None]).sum(axis=2) < 25
        counts[0][numpy.unique(of_receptor[near.any(axis=1)])] += 1
        counts[1][numpy.unique(of_ligand[near.any(axis=0)])] += 1
    return counts


def check_docking(data, file):
    docking, shown = file["docking"], data["docking"]
    check(shown["best_list"] == "consensus", f"the best list is {shown['best_list']}")
    for one in shown["lists"]:
        group = docking["consensus"] if one["name"] == "consensus" else docking[f"poses/{one['name']}"]
        clusters = docking["consensus/clusters" if one["name"] == "consensus" else f"clusters/{one['name']}"]
        same(one["score"], group["score"][:2000], f"{one['name']}: scores")
        same([c["size"] for c in one["clusters"]], clusters["size"][:], f"{one['name']}: sizes")
        same([c["center_pose"] for c in one["clusters"]], clusters["center"][:] + 1, f"{one['name']}: centres")
    count = min(100, len(docking["consensus/score"]))
    contacts, wanted = shown["contacts"], contacts_of(docking, range(count))
    check(contacts["poses"] == count and sum(wanted[0]) > 0, "no contacts were counted")
    for partner, counts in zip(("receptor", "ligand"), wanted):
        same([one["poses"] for one in contacts[partner]], counts, f"contacts of the {partner}")
        atoms = shown["structures"][partner].splitlines()[:-1]
        places = [[float(line[k:k + 8]) for k in (30, 38, 46)] for line in atoms]
        check(numpy.allclose(places, positions_of(docking, partner)[0], atol=6e-4), f"other atoms of the {partner}")
    for one in shown["shown"]:
        pose, (matrix,) = one["pose"] - 1, numpy.array(one["placements"])
        turned = matrices_of(docking["consensus/rotation"][pose])
        check(numpy.allclose(matrix[:, :3], turned, atol=1e-12), "another rotation")
        shift = docking["consensus/translation"][pose] - turned @ docking["ligand_center"][:]
        check(numpy.allclose(matrix[:, 3], shift, atol=1e-9), "another shift")
    same([row["score"] for row in data["table"]], docking["consensus/score"][:100], "table")


def check_ring(program, folder):
    """The page of a ring places all copies, and counts contacts of a copy with any other one."""
    made = run(program, "dock", "receptor.pdb", "--symmetry", "C4", "--axes", "60", "--spacing", "3", "--coefficients",
               "balanced", "--poses", "30", "--device", "openmp", "-o", "ring.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    shown = report(program, folder, "ring")["docking"]
    with h5py.File(folder / "ring.h5") as file:
        atoms, residues = positions_of(file["docking"], "receptor")
    check(shown["copies"] == 4 and shown["shown"], f"{shown['copies']} copies")
    rings = []
    for one in shown["shown"]:
        check(len(one["placements"]) == 3, f"{len(one['placements'])} further copies")
        first, *others = [numpy.array(matrix) for matrix in one["placements"]]
        rings.append([atoms @ matrix[:, :3].T + matrix[:, 3] for matrix in (first, *others)])
        for before, after in zip(rings[-1], (*rings[-1][1:], atoms)):
            check(numpy.allclose(before @ first[:, :3].T + first[:, 3], after, atol=1e-6), "the copies make no ring")
    counts = numpy.zeros(residues[-1] + 1, dtype=int)
    for copies in rings:
        near = numpy.any([(numpy.square(atoms[:, None] - copy[None]).sum(axis=2) < 25).any(axis=1) for copy in copies], axis=0)
        counts[numpy.unique(residues[near])] += 1
    found = [one["clusters"] for one in shown["contacts"]["receptor"]]
    check(shown["contacts"]["clusters"] == len(rings) and counts.sum() > 0, "not all clusters are shown")
    same(found, counts, "contacts of a copy")
    print("the page of a ring shows all copies")


def check_other_dockings(program, folder):
    """Results of rescore and of dock --pairs, and those that lack what earlier versions did not write."""
    made = run(program, "rescore", "dock.h5", "--clusters", "2", "-o", "rescored.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    data = report(program, folder, "rescored")
    with h5py.File(folder / "rescored.h5") as file:
        check_docking(data, file)
        check(data["facts"]["run"]["docking_command_line"] == file["run"].attrs["docking_command_line"], "origin")
    (folder / "table.csv").write_text("name,receptor,ligand\none,receptor.pdb,ligand.pdb\n")
    made = run(program, "dock", "--pairs", "table.csv", "-o", "many", *small_results.DOCK[3:], "--device", "openmp",
               cwd=folder)
    check(made.returncode == 0, made.stderr)
    data = report(program, folder, "many/one")
    with h5py.File(folder / "many/one.h5") as file:
        check_docking(data, file)
    with h5py.File(folder / "rescored.h5", "a") as file:
        del file["docking/receptor"], file["docking/ligand"], file["docking/consensus"]
        for name in ("config", "warnings", "command"):
            file["run"].attrs.pop(name, None)
    (folder / "rescored.h5").rename(folder / "old.h5")
    docking = report(program, folder, "old")["docking"]
    check("structures" not in docking and "contacts" not in docking, "structures from nowhere")
    check("consensus" not in [one["name"] for one in docking["lists"]], "a consensus from nowhere")


def lengthen(group, former, poses):
    """Repeats the rows of all datasets that have a row for each of the former poses."""
    for name, dataset in list(group.items()):
        if isinstance(dataset, h5py.Dataset) and len(dataset) == former:
            values, attributes = dataset[:], dict(dataset.attrs)
            del group[name]
            repeated = values[numpy.arange(poses) % former]
            group[name] = numpy.sort(repeated) if name.endswith("score") else repeated
            group[name].attrs.update(attributes)


def check_size_of_default(program, folder):
    """A page of four judged lists of 2,000 poses and a judged consensus of 10,000 leaves room for the atoms of large
    proteins (81 bytes each) below 5 MiB. The poses of a small result are repeated."""
    made = run(program, "rescore", "dock.h5", "--reference", "complex.pdb", "-o", "large.h5", cwd=folder)
    check(made.returncode == 0, made.stderr)
    with h5py.File(folder / "large.h5", "a") as file:
        docking = file["docking"]
        sets = list(docking["poses"])
        for poses, group in [(2000, f"poses/{name}") for name in sets] + [(10000, "consensus")]:
            former = len(docking[f"{group}/score"])
            lengthen(docking[group], former, poses)
            lengthen(docking[group.replace("poses/", "evaluation/").replace("consensus", "consensus/evaluation")], former,
                     poses)
    docking = report(program, folder, "large")["docking"]
    check(len(docking["lists"]) == len(sets) + 1 == 5, "lists")
    check(all(len(one["score"]) == len(one["rmsd"]) == 2000 for one in docking["lists"]), "poses are missing")
    size = (folder / "large.html").stat().st_size
    check(size + 81 * 20000 < LARGEST, f"a page like that of a default docking has {size} bytes")
    print(f"a page with the poses of a default docking: {size / 1e6:.2f} MB")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-report-") as name:
        folder = pathlib.Path(name)
        small_results.make(program, folder, ("dock",))
        check_kinds(program, folder, dock=check_docking)
        check_ring(program, folder)
        check_other_dockings(program, folder)
        check_size_of_default(program, folder)
    print("passed")


main()
