#!/usr/bin/env python3
"""Dockings at a membrane: no atom of a soluble ligand lies in it, in no list and after the refinement, and the best
poses beside it are not lost; two membrane proteins share their membrane, and the axis of a ring is its normal; other
commands repeat what it was; the bits are the same on any number of ranks and in tables of pairs; wrong options are
refused in one line.
Usage: membrane.py PATH/OF/tessera"""

import pathlib
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from docked_poses import atom_lines, places, matrices_of  # noqa: E402
from tessera_runs import answer, check, run  # noqa: E402

PAIR = ("receptor.pdb", "ligand.pdb")
OPTIONS = ("--spacing", "2", "--coefficients", "balanced", "--poses", "300", "--refine", "100",
           "--quiet")
COARSE = (*OPTIONS, "--rotations", "240")
SLAB = ("--membrane", "-13,-3")


def atoms_of(path, chain):
    return places([line for line in atom_lines(path) if line[21] == chain])


def poses_of(path):
    """Rotations and translations of the list of the search and of the consensus."""
    with h5py.File(path) as file:
        docking = file["docking"]
        poses, consensus = docking["poses/balanced"], docking["consensus"]
        yield "search", matrices_of(docking["rotations"][:][poses["rotation"][:]]), poses["translation"][:]
        yield "consensus", matrices_of(consensus["rotation"][:]), consensus["translation"][:]


def heights(folder, output, axis=(0, 0, 1)):
    """Of all ligand atoms, in each pose of each list."""
    with h5py.File(folder / output) as file:
        center = file["docking/ligand_center"][:].ravel()
    atoms = atoms_of(folder / "ligand.pdb", "B") - center
    for name, turns, shifts in poses_of(folder / output):
        placed = np.einsum("pij,aj->pai", turns, atoms) + shifts[:, None]
        yield name, placed @ np.array(axis)


def dock(program, folder, output, *options, common=COARSE, ranks=0, pair=PAIR):
    done = run(program, "dock", *pair, *common, *options, "-o", output, cwd=folder, ranks=ranks)
    check(done.returncode == 0, f"{options}: {done.stderr}")


def check_soluble(program, folder):
    dock(program, folder, "free.h5")
    crossing = {name: ((z > -11) & (z < -5)).any(1).sum() for name, z in heights(folder, "free.h5")}
    check(min(crossing.values()) > 5, f"without a membrane only {crossing} poses would lie in it")
    dock(program, folder, "out.h5", *SLAB)
    for name, z in heights(folder, "out.h5"):
        low, high = z.min(1), z.max(1)
        check(((high <= -11 + 1e-6) | (low >= -5 - 1e-6)).all(), f"{name}: a pose lies in the membrane")
        check((low > -5 - 1e-6).any() and len(z) > 20, f"{name}: {len(z)} poses")
    dock(program, folder, "half.h5", "--membrane", "-inf,-3", "--membrane-tolerance", "0.5")
    for name, z in heights(folder, "half.h5"):
        check((z >= -3.5 - 1e-6).all(), f"{name}: a pose lies on the other side")


def check_shared(program, folder):
    """The normal is the x axis of the complex, which the ligand's file has turned away."""
    start = np.array(tessera_runs.turned_away((0, 0, 0)))
    own = np.array(tessera_runs.turned_away((1, 0, 0))) - start
    middle = float(own @ start)
    dock(program, folder, "shared.h5", "--rotations", "3600", "--membrane", "-12,12", "--membrane-axis", "1,0,0",
         "--membrane-ligand", f"{middle - 12},{middle + 12}", "--membrane-ligand-axis",
         ",".join(f"{part:.9f}" for part in own), "--membrane-tilt", "25", "--membrane-shift", "4", "--reference",
         "complex.pdb", common=OPTIONS)
    with h5py.File(folder / "shared.h5") as file:
        center = file["docking/ligand_center"][:].ravel()
        classes = file["docking/consensus/evaluation/capri_class"][:5]
    check(classes.max() >= 1, f"classes of the first poses are {classes}")
    foot = (middle - own @ center) * own
    for name, turns, shifts in poses_of(folder / "shared.h5"):
        cosines = (turns @ own)[:, 0]
        check(np.degrees(np.arccos(cosines.min())) <= 25 + 1e-4, f"{name}: a pose is tilted")
        check(np.abs((turns @ foot + shifts)[:, 0]).max() <= 4 + 1e-4, f"{name}: a pose is shifted")


def check_ring(program, folder):
    dock(program, folder, "ring.h5", "--symmetry", "C3", "--axes", "300", "--membrane", "-10,10", "--membrane-tilt",
         "15", common=OPTIONS, pair=PAIR[:1])
    with h5py.File(folder / "ring.h5") as file:
        for q in (file["docking/rotations"][:], file["docking/consensus/rotation"][:]):
            axes = q[:, 1:] / np.linalg.norm(q[:, 1:], axis=1)[:, None]
            check(np.degrees(np.arccos(np.abs(axes[:, 2]).min())) <= 15 + 1e-4, "an axis is tilted")


def check_readers(program, folder):
    words = "from -13 to -3 A along 0,0,1; no atom of the ligand more than 2 A inside"
    done = run(program, "info", "out.h5", cwd=folder)
    check(f"membrane   {words}" in done.stdout, done.stdout + done.stderr)
    check(words in run(program, "info", "--json", "out.h5", cwd=folder).stdout, "info --json")
    done = run(program, "report", "out.h5", "-o", "report.html", cwd=folder)
    check(words in (folder / "report.html").read_text(), done.stderr)
    done = run(program, "rescore", "out.h5", "--cluster-radius", "6", "-o", "again.h5", cwd=folder)
    check(done.returncode == 0, done.stderr)
    check(f"membrane   {words}" in run(program, "info", "again.h5", cwd=folder).stdout, "rescored")
    done = run(program, "plan", "dock", *PAIR, *COARSE, *SLAB, "-o", "plan.h5", cwd=folder)
    check(done.returncode == 0, done.stderr)


def check_tables(program, folder):
    (folder / "pairs.csv").write_text('name,receptor,ligand,membrane\na,receptor.pdb,ligand.pdb,"-13,-3"\n'
                                      "b,receptor.pdb,ligand.pdb,\n")
    done = run(program, "dock", "--pairs", "pairs.csv", *COARSE, "-o", "pairs", cwd=folder)
    check(done.returncode == 0, done.stderr)
    check(answer(folder / "pairs/a.h5") == answer(folder / "out.h5"), "a pair of a table has other bits")
    check(answer(folder / "pairs/b.h5") == answer(folder / "free.h5"), "a pair without a membrane has other bits")
    (folder / "one.csv").write_text("file\nreceptor.pdb\n")
    (folder / "other.csv").write_text("file\nligand.pdb\n")
    screen = ("screen", "one.csv", "other.csv", "--rotations", "240", "--quiet", "-o")
    tables = []
    for output, options in (("screened", ()), ("beside", SLAB)):
        done = run(program, *screen, output, *options, cwd=folder)
        check(done.returncode == 0, done.stderr)
        tables.append((folder / output / "screen.csv").read_text())
    check(tables[0] != tables[1], "the screening does not heed the membrane")


def check_refusals(program, folder):
    def refused(text, *words):
        done = run(program, *words, "-o", "no.h5", cwd=folder)
        lines = tessera_runs.own_lines(done.stderr)
        check(done.returncode not in (0, -11, -6) and len(lines) == 1 and text in lines[0], f"{words}: {done.stderr}")
        check(not (folder / "no.h5").exists(), f"{words} left a file")

    refused("is not a slab", "dock", *PAIR, "--membrane", "15")
    refused("without --membrane", "dock", *PAIR, "--membrane-tilt", "15")
    refused("--symmetry", "dock", PAIR[0], "--symmetry", "C2", "--membrane", "-9,9", "--membrane-shift", "3")
    refused("allows no pose", "dock", *PAIR, *COARSE, "--membrane", "-1000,1000")
    (folder / "bad.csv").write_text("receptor,ligand,membrane\nreceptor.pdb,ligand.pdb,9\n")
    refused("line 2", "dock", "--pairs", "bad.csv")
    done = run(program, "dock", *PAIR, *(word for word in COARSE if word != "--quiet"), "--membrane", "200,210", "-o", "far.h5", cwd=folder)
    check(done.returncode == 0 and "no atom of the receptor" in done.stdout + done.stderr, done.stdout + done.stderr)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tessera_runs.write_pair(folder)
        check_soluble(program, folder)
        check_shared(program, folder)
        check_ring(program, folder)
        check_readers(program, folder)
        check_tables(program, folder)
        check_refusals(program, folder)
        if tessera_runs.has_ranks(program):
            for ranks in (1, 3):
                dock(program, folder, f"ranks{ranks}.h5", *SLAB, ranks=ranks)
                check(answer(folder / f"ranks{ranks}.h5") == answer(folder / "out.h5"), f"{ranks} ranks: other bits")


main()
