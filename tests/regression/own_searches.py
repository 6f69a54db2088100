#!/usr/bin/env python3
"""Restraints and membranes hold for every conformer and for the copies of a ring, by numpy's distances; rows of a table
with conformers, rings or two membrane proteins hold the bytes of the single commands, fail alone, are not done again,
and can be docked again one by one; plans count them.
Usage: own_searches.py PATH/OF/tessera"""

import csv
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

COMMON = ("--spacing", "2.5", "--coefficients", "balanced", "--refine", "40", "--quiet")
PAIR = (*COMMON, "--rotation-file", "rotations.txt", "--poses", "80")
# All poses that the search under restraints looks at.
RING = (*COMMON, "--axes", "48", "--poses", "768", "--poses-per-rotation", "16")
RESTRAINT = (12, 40)  # residues
UPPER, TOLERANCE = 20, 2
SLAB = ("-13", "-3")


def alpha(lines, residue):
    return next(i for i, line in enumerate(lines) if int(line[22:26]) == residue and line[12:16].strip() == "CA")


def lists_of(docking):
    """Name, rotations, translations and conformers of the ligand."""
    poses, consensus = docking["poses/balanced"], docking["consensus"]
    conformers = [group["ligand_conformer"][:] if "ligand_conformer" in group else np.zeros(len(group["score"]), int)
                  for group in (poses, consensus)]
    yield "balanced", matrices_of(docking["rotations"][:][poses["rotation"][:]]), poses["translation"][:], conformers[0]
    yield "consensus", matrices_of(consensus["rotation"][:]), consensus["translation"][:], conformers[1]


def write_inputs(folder):
    """two.pdb: the ligand, and the same swollen by a tenth, which moves its atoms by up to 1.5 A."""
    tessera_runs.write_pair(folder)
    tessera_runs.write_rotations(folder / "rotations.txt", 24, 17)
    lines = atom_lines(folder / "ligand.pdb")
    points = places(lines)
    center = points[[line[12:16].strip() == "CA" for line in lines]].mean(0)
    swollen = [line[:30] + "".join(f"{x:8.3f}" for x in point) + line[54:]
               for line, point in zip(lines, center + 1.1 * (points - center))]
    models = [f"MODEL     {number:4d}\n" + "\n".join(model) + "\nTER\nENDMDL\n"
              for number, model in ((1, lines), (2, swollen))]
    (folder / "two.pdb").write_text("".join(models) + "END\n")
    (folder / "link.csv").write_text(
        "receptor,ligand,upper\n"
        f"resid {RESTRAINT[0]} and name CA,resid {RESTRAINT[1]} and name CA,{UPPER}\n")


def dock(program, folder, output, *words, ranks=0):
    done = run(program, "dock", *words, "-o", output, cwd=folder, ranks=ranks)
    check(done.returncode == 0, f"{words}: {done.stderr}")
    return done


CONFORMERS = ("receptor.pdb", "two.pdb", "--ligand-models", "all", "--restraints", "link.csv",
              f"--membrane={SLAB[0]},{SLAB[1]}", *PAIR)


def check_conformers(program, folder):
    """Every pose of either conformer satisfies the restraint, and has no atom in the slab, by the atoms of its own
    conformer."""
    dock(program, folder, "conformers.h5", *CONFORMERS)
    receptor, ligand = atom_lines(folder / "receptor.pdb"), atom_lines(folder / "ligand.pdb")
    fixed, link = places(receptor)[alpha(receptor, RESTRAINT[0])], alpha(ligand, RESTRAINT[1])
    found = set()
    with h5py.File(folder / "conformers.h5") as file:
        docking = file["docking"]
        atoms = docking["conformers/ligand/position"][:] - docking["ligand_center"][:].ravel()
        for name, turns, shifts, conformers in lists_of(docking):
            placed = np.einsum("pij,paj->pai", turns, atoms[conformers]) + shifts[:, None]
            check((docking[f"restraints/satisfied/{name}"][:] == 1).all(), f"{name}: counts")
            far = np.linalg.norm(placed[:, link] - fixed, axis=1)
            check(far.max() <= UPPER + TOLERANCE + 1e-6, f"{name}: {far.max()} A")
            low, high = placed[:, :, 2].min(1), placed[:, :, 2].max(1)
            check(((high <= -11 + 1e-6) | (low >= -5 - 1e-6)).all(), f"{name}: a pose lies in the membrane")
            found |= set(conformers)
    check(found == {0, 1}, f"poses of conformers {found}")
    done = run(program, "rescore", "conformers.h5", "--clusters", "3", "--quiet", "-o", "again.h5", cwd=folder)
    check(done.returncode == 0, done.stderr)
    with h5py.File(folder / "again.h5") as file, h5py.File(folder / "conformers.h5") as former:
        name = "docking/restraints/satisfied/consensus"
        check((file[name][:] == former[name][:]).all(), "rescoring has lost the restraints")
    (folder / "far.csv").write_text("receptor,ligand,upper\nresid 12 and name CA,resid 40 and name CA,0.1\n")
    strict = run(program, "dock", *CONFORMERS, "--restraints", "far.csv", "--restraints-tolerance", "0", "-o", "no.h5",
                 cwd=folder)
    lines = own_lines(strict.stderr)
    check(strict.returncode != 0 and len(lines) == 1 and "restraints" in lines[0], strict.stderr)


def check_ring(program, folder):
    """A restraint holds between a copy and the next one in one of two directions, and both occur. No pose of the search
    that satisfies it is lost."""
    ring = ("receptor.pdb", "--symmetry", "C3", *RING)
    dock(program, folder, "ring.h5", *ring, "--restraints", "link.csv")
    dock(program, folder, "free.h5", *ring)
    lines = atom_lines(folder / "receptor.pdb")
    first, second = (places(lines)[alpha(lines, residue)] for residue in RESTRAINT)
    kinds, scores = set(), {}
    for output in ("ring", "free"):
        with h5py.File(folder / f"{output}.h5") as file:
            docking = file["docking"]
            center = docking["ligand_center"][:].ravel()
            for name, turns, shifts, _ in lists_of(docking):
                there = np.linalg.norm(turns @ (second - center) + shifts - first, axis=1) <= UPPER + TOLERANCE
                back = np.linalg.norm(turns @ (first - center) + shifts - second, axis=1) <= UPPER + TOLERANCE
                if name == "balanced":
                    scores[output] = docking["poses/balanced/score"][:][there | back].tolist()
                if output == "ring":
                    check((there | back).all(), f"{name}: a pose satisfies the restraint in neither direction")
                    check((docking[f"restraints/satisfied/{name}"][:] == 1).all(), f"{name}: counts")
                    kinds |= set(zip(there, back))
    check({(True, False), (False, True)} <= kinds, f"directions {kinds}")
    check(scores["ring"] == scores["free"] and len(scores["ring"]) > 20, f"{scores} differ, or are few")


def summary(folder, column="status"):
    with (folder / "pairs.csv").open(newline="") as file:
        return {row["name"]: row[column] for row in csv.DictReader(file)}


def check_table(program, folder):
    """Rows that are docked alone, between two that share their rotations."""
    tilt = ("--membrane-tilt", "90", "--membrane-shift", "50")  # for two membrane proteins alone
    slabs = ("--membrane=-40,40", "--membrane-ligand=-40,120", *tilt)
    table = ["name,receptor,ligand,ligand_models,restraints,membrane,membrane_ligand",
             "plain,receptor.pdb,ligand.pdb,,,,",
             f'conformers,receptor.pdb,two.pdb,all,link.csv,"{",".join(SLAB)}",',
             'slabs,receptor.pdb,ligand.pdb,,,"-40,40","-40,120"',
             "bad,receptor.pdb,two.pdb,1;3,,,",
             "last,ligand.pdb,receptor.pdb,,,,"]
    (folder / "pairs.csv").write_text("\n".join(table) + "\n")
    dock(program, folder, "slabs.h5", "receptor.pdb", "ligand.pdb", *slabs, *PAIR)
    dock(program, folder, "plain.h5", "receptor.pdb", "ligand.pdb", *PAIR)
    options = (*PAIR, *tilt)
    output, ranks = folder / "many", 2 if tessera_runs.has_ranks(program) else 0
    done = run(program, "dock", "--pairs", "pairs.csv", *options, "-o", output.name, cwd=folder, ranks=ranks)
    check(done.returncode == 2 and "there is no model 3" in summary(output, "reason")["bad"], done.stderr)
    expected = dict.fromkeys(("plain", "conformers", "slabs", "last"), "done") | {"bad": "failed"}
    check(summary(output) == expected, f"{summary(output)}")
    check(not list(output.glob("*.partial")), "a journal is left")
    for name in ("plain", "conformers", "slabs"):
        single, row = answer(folder / f"{name}.h5"), answer(output / f"{name}.h5")
        differing = [key for key in single.keys() | row.keys() if single.get(key) != row.get(key)]
        check(not differing, f"{name} differs in {differing}")
    stamp = (output / "conformers.h5").stat().st_mtime_ns
    run(program, "dock", "--pairs", "pairs.csv", *options, "-o", output.name, cwd=folder)
    check((output / "conformers.h5").stat().st_mtime_ns == stamp, "a finished row was docked again")
    done = run(program, "rerun", f"{output.name}/conformers.h5", "-o", "once_more.h5", cwd=folder)
    check(done.returncode == 0, done.stderr)
    check(answer(folder / "once_more.h5") == answer(output / "conformers.h5"), "docked again it has other bytes")


def check_table_of_rings(program, folder):
    (folder / "rings.csv").write_text("receptor,symmetry,restraints\nreceptor.pdb,C3,link.csv\nligand.pdb,C2,\n")
    dock(program, folder, "rings", "--pairs", "rings.csv", *RING)
    check(summary(folder / "rings") == {"receptor_C3": "done", "ligand_C2": "done"}, f"{summary(folder / 'rings')}")
    check(answer(folder / "rings/receptor_C3.h5") == answer(folder / "ring.h5"), "a row is not the single ring")
    again = run(program, "dock", "--pairs", "rings.csv", *RING, "-o", "rings", cwd=folder)
    check(again.returncode == 0 and not again.stderr, f"a finished table: {again.returncode} {again.stderr}")


def plan_of(program, folder, *words):
    done = run(program, "plan", "dock", *words, "--json", cwd=folder)
    check(done.returncode == 0, f"{words}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def check_plans(program, folder):
    """Rings that are docked in pairs take longer than the rings alone, and a table as many rotations as its rows."""
    quick = [word for word in RING if word != "--quiet"]
    ring, pairs = (plan_of(program, folder, "receptor.pdb", "--symmetry", name, *quick) for name in ("C2", "D2"))
    refine = [next(phase["seconds"] for phase in plan["phases"] if phase["name"] == "refine") for plan in (ring, pairs)]
    check(refine[1] > 1.2 * refine[0], f"refinement of C2 and D2: {refine}")
    check(any("assemblies: about" in note for note in pairs["notes"]), f"{pairs['notes']}")
    check(ring["work"]["items"] == 48, f"{ring['work']}")
    rings = plan_of(program, folder, "--pairs", "rings.csv", *quick)
    check(rings["work"]["items"] == 96, f"{rings['work']}")
    (folder / "some.csv").write_text("receptor,ligand,name,conformers\n"
                                     "receptor.pdb,ligand.pdb,one,\nreceptor.pdb,ligand.pdb,three,3\n")
    table = plan_of(program, folder, "--pairs", "some.csv", *[word for word in PAIR if word != "--quiet"])
    check(table["work"]["items"] == 24 + 3 * 24, f"{table['work']}")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_inputs(folder)
        check_conformers(program, folder)
        check_ring(program, folder)
        check_table(program, folder)
        check_table_of_rings(program, folder)
        check_plans(program, folder)


main()
