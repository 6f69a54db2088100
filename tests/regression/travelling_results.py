#!/usr/bin/env python3
"""A docking result that has moved to another folder, without its inputs: every export has the bytes of the export
beside the inputs. A result of an earlier version, which lacks the atoms, needs the unchanged inputs.
Usage: travelling_results.py PATH/OF/tessera"""

import importlib.util
import os
import pathlib
import re
import shutil
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import check, own_lines, run  # noqa: E402

DOCK = ("dock", "receptor.pdb", "ligand.pdb", "--rotation-file", "few.rot", "--spacing", "2", "--refine", "200",
        "--poses-per-rotation", "10", "--coefficients", "balanced,vdw", "--reference", "complex.pdb", "-o", "run.h5",
        "--device", "openmp")
EXPORTS = (("--poses", "3", "models"), ("--poses", "2", "cif", "--format", "cif", "--set", "vdw"),
           ("--poses", "500", "refined", "--set", "consensus"),
           ("--zdock", "poses.out"), ("--zdock", "consensus.out", "--set", "consensus"),
           ("--clusters", "2", "centres"), ("--clusters", "2", "-o", "vdw", "--set", "vdw", "--format", "cif"),
           ("--clusters", "2", "all", "--pymol", "all.pml", "--chimerax", "all.cxc"),
           ("--clusters", "2", "--multi-model", "-o", "top.pdb", "--pymol", "pdb.pml"),
           ("--clusters", "2", "--multi-model", "-o", "top.cif", "--pymol", "top.pml", "--chimerax", "top.cxc"),
           ("--capri", "capri"), ("--capri", "capri_vdw", "--set", "vdw"))


def done(program, folder, *arguments):
    result = run(program, *arguments, cwd=folder)
    check(result.returncode == 0, f"{arguments}: {result.stderr}")


def refused(program, folder, words, *arguments):
    before = sorted(folder.rglob("*"))
    result = run(program, *arguments, cwd=folder)
    lines = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
    check(result.returncode == 2 and len(lines) == 1 and re.search(words, lines[0]),
          f"{arguments}: exit code {result.returncode}, {result.stderr}")
    check(sorted(folder.rglob("*")) == before, f"{arguments}: files were left behind")


def contents(folder):
    """The exported files of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".h5"}


def without_atoms(path):
    """As earlier versions wrote it."""
    with h5py.File(path, "a") as file:
        del file["docking/receptor"], file["docking/ligand"]


def test_moved(program, home, away):
    beside = contents(home)
    for words in EXPORTS:
        done(program, home, "export", "run.h5", *words)
    exported = {name: text for name, text in contents(home).items() if name not in beside}
    check(len(exported) >= 10, f"only {sorted(exported)} were exported")
    away.mkdir()
    shutil.copy(home / "run.h5", away)
    shutil.move(home, home.parent / "gone")
    for words in EXPORTS:
        done(program, away, "export", "run.h5", *words)
    there = contents(away)
    check(there.keys() == exported.keys(), f"{sorted(there)} instead of {sorted(exported)}")
    for name, text in exported.items():
        check(there[name] == text, f"{name} differs without the inputs")
    shutil.move(home.parent / "gone", home)
    check((home / "run.h5").stat().st_size < 2**20, "the result is larger than a megabyte")


def pdb_atoms(text):
    """(chain, residue, insertion code, atom, coordinates) of each atom, for each model."""
    models = [[]]
    for line in text.splitlines():
        if line.startswith("MODEL") and models[-1]:
            models.append([])
        if line.startswith("ATOM"):
            models[-1].append((line[21], line[22:26].strip(), line[26].strip(), line[12:16].strip(),
                               line[30:54].split()))
    return models


def cif_atoms(text):
    """The same of an mmCIF file, whose rows begin with ATOM."""
    models = {}
    for row in (line.split() for line in text.splitlines() if line.startswith("ATOM")):
        models.setdefault(row[19], []).append((row[17], row[15], row[9].strip("?"), row[3], row[10:13]))
    return list(models.values())


def test_clusters(folder):
    """Models of clusters are those of their centres, in every format, and their remarks tell what the result knows."""
    with h5py.File(folder / "run.h5") as file:
        consensus = file["docking/consensus"]
        centers, sizes = consensus["clusters/center"][:2], consensus["clusters/size"][:2]
        rmsd, count = consensus["evaluation/ligand_rmsd"][()], len(consensus["score"])
    check(len(centers) == 2, "the docking has fewer than two clusters")
    top_pdb, top_cif = pdb_atoms((folder / "top.pdb").read_text()), cif_atoms((folder / "top.cif").read_text())
    check(len(top_pdb) == len(top_cif) == 2, f"{len(top_pdb)} and {len(top_cif)} models instead of 2")
    for i, center in enumerate(centers):
        text = (folder / f"all/consensus_cluster_{i + 1:04}.pdb").read_text()
        pose = pdb_atoms((folder / f"refined/consensus_{center + 1:04}.pdb").read_text())
        check(len(pose[0]) > 100 and pdb_atoms(text) == pose, f"cluster {i + 1} is not its centre")
        check(top_pdb[i] == top_cif[i] == pose[0], f"model {i + 1} is not the centre of cluster {i + 1}")
        poses = "1 pose" if sizes[i] == 1 else f"{sizes[i]} poses"
        for words in (f"cluster {i + 1} of", f": {poses}\n", f"consensus, rank {center + 1}\n",
                      f"ligand RMSD {rmsd[center]:.3f} A"):
            check(words in text, f"cluster {i + 1} has no remark '{words}'")
        check(f"rank {center + 1}'" in (folder / "top.cif").read_text(), "top.cif has no remarks")
    check(len((folder / "consensus.out").read_text().splitlines()) == 4 + count, "consensus.out lacks poses")


def test_scripts(folder):
    """The scripts name what is there; PyMOL runs them if it is installed."""
    pymol, chimerax = (folder / "all.pml").read_text(), (folder / "all.cxc").read_text()
    for words in ('"all/consensus_cluster_0001.pdb"', '"all/consensus_cluster_0002.pdb"', "create cluster_2, model_2",
                  "color 0xd55e00, cluster_1", "select interface_2, byres ((receptor within 5 of cluster_2)"):
        check(words in pymol, f"all.pml lacks {words}")
    for words in ('open "all/consensus_cluster_0002.pdb"', "delete #2/A", "color #1/A lightgray",
                  "color #1/B #d55e00", "color #2/B #0072b2", "show (#1/A :<5) & #2/B atoms"):
        check(words in chimerax, f"all.cxc lacks {words}")
    check("color #1.2/B #0072b2" in (folder / "top.cxc").read_text(), "top.cxc does not colour model 1.2")
    if importlib.util.find_spec("pymol") is None:
        print("the scripts were not run: this Python has no module pymol")
        return
    count = "print('atoms', [cmd.count_atoms(n) for n in ('receptor', 'cluster_1', 'cluster_2', 'interface_1', 'interface_2')])"
    said = [run(sys.executable, "-m", "pymol", "-cq", folder / name, "-d", count, cwd=folder.parent).stdout
            for name in ("all.pml", "pdb.pml", "top.pml")]
    found = [re.findall(r"^atoms (.*)", text, re.M) for text in said]
    check(found[0] and found[0] == found[1] == found[2] and " 0" not in found[0][0], f"PyMOL finds {found}: {said[0]}")


def test_capri(folder):
    rows = [line.split("\t") for line in (folder / "capri/capri_ss.tsv").read_text().splitlines()]
    with h5py.File(folder / "run.h5") as file:
        evaluation = file["docking/consensus/evaluation"]
        for column, name in (("irmsd", "interface_rmsd"), ("fnat", "fnat"), ("lrmsd", "ligand_rmsd"), ("dockq", "dockq")):
            values = [row[rows[0].index(column)] for row in rows[1:]]
            check(values == [f"{value:.3f}" for value in evaluation[name][()]], f"capri_ss.tsv has another {column}")
    check((folder / "capri_vdw/capri_clt.tsv").read_text().count("\n") > 1, "capri_clt.tsv has no clusters")


def test_refusals(program, folder):
    """Nothing is replaced without --force, and options that make no sense are told."""
    for words in EXPORTS[-4:]:
        refused(program, folder, "exists already.*--force", "export", "run.h5", *words)
        done(program, folder, "export", "run.h5", *words, "--force")
    (folder / "mine.cif").write_text("data_mine\n")
    top = ("export", "run.h5", "--clusters", "2", "--multi-model")
    refused(program, folder, "did not write the existing", *top, "-o", "mine.cif", "--force")
    refused(program, folder, "an input", *top, "-o", "run.h5", "--force")
    refused(program, folder, "-o is missing", *top)
    refused(program, folder, "no folder for --clusters", "export", "run.h5", "--clusters", "2")
    refused(program, folder, "belong to --clusters", "export", "run.h5", "--zdock", "new.out", "--pymol", "new.pml")
    refused(program, folder, "no set 'sour'.*balanced, vdw, consensus", *top, "-o", "new.cif", "--set", "sour")


def test_earlier_version(program, home, away):
    shutil.copy(home / "run.h5", away / "older.h5")
    without_atoms(away / "older.h5")
    export = ("export", "older.h5", "--poses", "3", "older")
    refused(program, away, "'receptor.pdb' is gone.*does not hold its atoms", *export)
    for name in ("receptor.pdb", "ligand.pdb"):
        shutil.copy(home / name, away)
    done(program, away, *export)
    check(contents(away / "older") == contents(home / "models"), "the models of an older result differ")
    shutil.rmtree(away / "older")
    with open(away / "ligand.pdb", "a") as file:
        file.write("REMARK later\n")
    refused(program, away, "'ligand.pdb' has changed", *export)


def test_rescored(program, home):
    """Rescoring a result of an earlier version adds the atoms."""
    shutil.copy(home / "run.h5", home / "older.h5")
    without_atoms(home / "older.h5")
    done(program, home, "rescore", "older.h5", "--clusters", "3", "-o", "again.h5")
    with h5py.File(home / "run.h5") as old, h5py.File(home / "again.h5") as new:
        for partner in ("receptor", "ligand"):
            for name, values in old[f"docking/{partner}/atoms"].items():
                check((values[()] == new[f"docking/{partner}/atoms/{name}"][()]).all(), f"{partner}/{name}")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-travel-"))
    home, away = folder / "home", folder / "away"
    home.mkdir()
    try:
        tessera_runs.write_pair(home)
        tessera_runs.write_rotations(home / "few.rot", 48, 2)
        done(program, home, *DOCK)
        test_moved(program, home, away)
        test_clusters(away)
        test_scripts(away)
        test_capri(away)
        test_refusals(program, away)
        test_earlier_version(program, home, away)
        test_rescored(program, home)
        print("results travel without their inputs")
    finally:
        shutil.rmtree(folder)


main()
