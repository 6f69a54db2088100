#!/usr/bin/env python3
"""Dockings of several conformers: the bound one of two models wins, and exports, tables and evaluations use it; the
bits are the same on any number of ranks; conformers along normal modes are those of numpy; wrong options are refused in
one line.
Usage: ensembles.py PATH/OF/tessera"""

import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from docked_poses import atom_lines, places, matrices_of  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

PAIR = ("receptor.pdb", "ligand.pdb")
COARSE = ("--spacing", "2", "--coefficients", "balanced", "--poses", "60", "--rotation-file", "rotations.txt", "--quiet")
REFINED = ("--refine", "40")
MODELS = ("--ligand-models", "all", "--reference", "complex.pdb")


def with_places(lines, points):
    return [line[:30] + "".join(f"{x:8.3f}" for x in point) + line[54:] for line, point in zip(lines, points)]


def write_models(folder):
    """two.pdb: the ligand swollen by a seventh, which does not fit, and then the ligand as it binds. Swelling about the
    centre does not turn it, so that the superposition of the second model on the first does not move it."""
    lines = atom_lines(folder / "ligand.pdb")
    points = places(lines)
    center = points[[line[12:16].strip() == "CA" for line in lines]].mean(0)
    swollen = with_places(lines, center + 1.15 * (points - center))
    models = [f"MODEL     {number:4d}\n" + "\n".join(model) + "\nTER\nENDMDL\n"
              for number, model in ((1, swollen), (2, lines))]
    (folder / "two.pdb").write_text("".join(models) + "END\n")
    (folder / "swollen.pdb").write_text("\n".join(swollen) + "\nEND\n")
    (folder / "short.pdb").write_text("\n".join(lines[:-1]) + "\nEND\n")


def dock(program, folder, output, *options, pair=("receptor.pdb", "two.pdb"), ranks=0, refined=REFINED):
    done = run(program, "dock", *pair, *COARSE, *refined, *options, "-o", output, cwd=folder, ranks=ranks)
    check(done.returncode == 0, f"{options}: {done.stderr}")


def check_bound_model_wins(program, folder):
    dock(program, folder, "models.h5", *MODELS)
    with h5py.File(folder / "models.h5") as file:
        docking = file["docking"]
        consensus = docking["consensus"]
        conformers = consensus["ligand_conformer"][:]
        check(conformers[0] == 1 and (consensus["receptor_conformer"][:] == 0).all(), f"first {conformers[:5]}")
        check(set(docking["poses/balanced/ligand_conformer"][:]) == {0, 1}, "the search has docked one model only")
        check(consensus["evaluation/dockq"][0] > 0.49, f"DockQ {consensus['evaluation/dockq'][0]}")
        stored = docking["conformers/ligand/position"][1]
        check(list(docking["conformers/ligand/name"].asstr()[:]) == ["model 1 of 'two.pdb'", "model 2 of 'two.pdb'"],
              "names of conformers")
        check("receptor" not in docking["conformers"], "the receptor has one conformer")
    bound = places(atom_lines(folder / "ligand.pdb"))
    check(np.abs(stored - bound).max() < 2e-3, "the second model was moved")
    check_export(program, folder)
    check_table(program, folder, conformers)


def check_export(program, folder):
    done = run(program, "export", "models.h5", "--poses", "1", "out", cwd=folder)
    check(done.returncode == 0, done.stderr)
    model = folder / "out" / "consensus_0001.pdb"
    check("ligand conformer 2 (model 2 of 'two.pdb')" in model.read_text(), "no remark names the conformer")
    moved = places([line for line in atom_lines(model) if line[21] == "B"])
    bound = places(atom_lines(folder / "ligand.pdb"))
    with h5py.File(folder / "models.h5") as file:
        consensus = file["docking/consensus"]
        expected = (bound - file["docking/ligand_center"][:]) @ matrices_of(consensus["rotation"][0]).T \
            + consensus["translation"][0]
    check(np.abs(moved - expected).max() < 3e-3, "the exported ligand is not the second model where the pose puts it")


def check_table(program, folder, conformers):
    done = run(program, "table", "models.h5", cwd=folder)
    check(done.returncode == 0, done.stderr)
    rows = [line.split(",") for line in done.stdout.splitlines()]
    column = rows[0].index("ligand_conformer")
    check([int(row[column]) for row in rows[1:]] == list(conformers + 1), "conformers in the table")
    check(rows[1][rows[0].index("receptor_conformer")] == "1", "receptor conformers in the table")


def check_alone_and_together(program, folder):
    """Of one structure twice, each pose stands for the same pose of its double, and gains ln 2. Models of one file are
    the same as several files."""
    dock(program, folder, "alone.h5", pair=PAIR)
    dock(program, folder, "second.h5", "--ligand-models", "2")
    dock(program, folder, "twice.h5", "--add-ligand", "ligand.pdb", pair=PAIR)
    with h5py.File(folder / "alone.h5") as alone, h5py.File(folder / "twice.h5") as twice, \
            h5py.File(folder / "second.h5") as second:
        check("conformers" not in alone["docking"] and "conformers" not in second["docking"], "one model is no ensemble")
        one, two = alone["docking/consensus"], twice["docking/consensus"]
        check(np.abs(second["docking/consensus/score"][:] - one["score"][:]).max() < 1e-6, "another model is docked")
        check(len(one["score"]) == len(two["score"]), "doubles are no duplicates")
        gained = one["score"][:] - two["score"][:]
        check(np.abs(gained - np.log(2)).max() < 1e-2, f"poses with doubles gain {gained}")
    dock(program, folder, "files.h5", "--add-ligand", "ligand.pdb", "--reference", "complex.pdb",
         pair=("receptor.pdb", "swollen.pdb"))
    for name, values in answer(folder / "files.h5").items():
        if "sha256" not in name and "/name" not in name:
            check(values == answer(folder / "models.h5")[name], f"models in two files: {name} differs")


def check_rescoring(program, folder):
    """Without the files of the partners, and with the reference of every conformer."""
    done = run(program, "rescore", "models.h5", "--clusters", "3", "--quiet", "-o", "again.h5", cwd=folder)
    check(done.returncode == 0, done.stderr)
    before, after = answer(folder / "models.h5"), answer(folder / "again.h5")
    changed = {name for name in before if before[name] != after[name]}
    check(changed and all("clusters" in name for name in changed), f"rescoring has changed {changed}")


def check_ranks(program, folder):
    if not tessera_runs.has_ranks(program):
        return
    dock(program, folder, "ranks.h5", *MODELS, ranks=2)
    check(answer(folder / "ranks.h5") == answer(folder / "models.h5"), "two ranks have other bits")


def softest_modes(nodes, count):
    """Of the anisotropic network with springs (3.8 A / d)^2 up to 15 A, by numpy's dense solver."""
    size = len(nodes)
    hessian = np.zeros((size, 3, size, 3))
    for i in range(size):
        for j in range(i):
            step = nodes[j] - nodes[i]
            square = step @ step
            if square > 15 ** 2:
                continue
            block = (3.8 ** 2 / square) * np.outer(step, step) / square
            hessian[i, :, i] += block
            hessian[j, :, j] += block
            hessian[i, :, j] -= block
            hessian[j, :, i] -= block
    values, vectors = np.linalg.eigh(hessian.reshape(3 * size, 3 * size))
    check(np.abs(values[:6]).max() < 1e-9 * values[-1] < values[6], "numpy finds no six rigid motions")
    modes = vectors[:, 6:6 + count].T
    signs = np.sign(modes[np.arange(count), np.abs(modes).argmax(1)])
    return (signs[:, None] * modes).reshape(count, size, 3)


def check_modes(program, folder):
    dock(program, folder, "modes.h5", "--ligand-conformers", "4", "--conformer-rmsd", "1.5", pair=PAIR,
         refined=())
    with h5py.File(folder / "modes.h5") as file:
        group = file["docking/conformers/ligand"]
        names, stored = list(group["name"].asstr()[:]), group["position"][:]
        check(set(file["docking/poses/balanced/ligand_conformer"][:]) == {0, 1, 2, 3}, "not all are docked")
        input_of_run = json.loads(file["run"].attrs["input"])
    check(names[1:] == ["mode 1 by +1.5 A", "mode 1 by -1.5 A", "mode 2 by +1.5 A"], names)
    check(input_of_run["ligand_conformers"] == 4 and input_of_run["conformer_rmsd"] == 1.5, "the input lacks them")
    lines = atom_lines(folder / "ligand.pdb")
    alpha = [line[12:16].strip() == "CA" for line in lines]
    nodes = places(lines)[alpha]
    check(np.abs(stored[0][alpha] - nodes).max() < 1e-9, "the first conformer is not the input")
    modes = softest_modes(nodes, 2)
    for conformer, mode, sign in ((1, 0, 1), (2, 0, -1), (3, 1, 1)):
        expected = nodes + sign * 1.5 * np.sqrt(len(nodes)) * modes[mode]
        check(np.abs(stored[conformer][alpha] - expected).max() < 1e-5, f"conformer {conformer + 1} is not numpy's")
    smaller = run(program, "plan", "dock", *PAIR, *COARSE[:-1], "--conformers", "3", "-o", "x.h5", cwd=folder)
    check(smaller.returncode == 0 and "ensemble: 3 dockings" in smaller.stdout + smaller.stderr, smaller.stdout)


def check_refusals(program, folder):
    for options, words in (
            (("--ligand-models", "1,3"), "there is no model 3 of 'two.pdb' (the file has 2 models)"),
            (("--add-ligand", "short.pdb"), "model 1 of 'short.pdb' is no conformer of the ligand (it lacks the atom"),
            (("--conformers", "5", "--symmetry", "C2"), "--symmetry cannot be combined with conformers"),
            (("--conformer", "5"), "did you mean --conformers"),
            (("--ligand-models", "two"), "--ligand-models 'two' is not understood")):
        pair = ("receptor.pdb",) if "--symmetry" in options else ("receptor.pdb", "two.pdb")
        done = run(program, "dock", *pair, *COARSE, *options, "-o", "no.h5", cwd=folder)
        lines = own_lines(done.stderr)
        check(done.returncode != 0 and len(lines) == 1 and words in lines[0], f"{options}: {done.stderr}")
    check(not list(folder.glob("no.h5*")), "something was left behind")
    done = run(program, "dock", "receptor.pdb", "two.pdb", *COARSE[:-1], "-o", "first.h5", cwd=folder)
    check("only the first model of 'two.pdb' is used; it has 1 other" in done.stderr, done.stderr)
    for command in (("rescore", "models.h5", "--rescoring", "antibody", "-o", "no.h5"),
                    ("export", "models.h5", "--zdock", "no.zdock")):
        done = run(program, *command, cwd=folder)
        check(done.returncode != 0 and "several conformers" in done.stderr, f"{command}: {done.stderr}")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tessera_runs.write_pair(folder)
        tessera_runs.write_rotations(folder / "rotations.txt", 24, 17)
        write_models(folder)
        check_bound_model_wins(program, folder)
        check_alone_and_together(program, folder)
        check_rescoring(program, folder)
        check_ranks(program, folder)
        check_modes(program, folder)
        check_refusals(program, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
