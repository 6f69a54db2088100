#!/usr/bin/env python3
"""tessera dock --restraints: a restraint brings the right pose to the front of a scoring that misleads, the counts in
the file are those of the definition, and ranks, devices, tables of pairs, configurations and repeated runs agree.
Usage: restraints.py PATH/OF/tessera"""

import csv
import io
import pathlib
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from docked_poses import matrices_of  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

# The pair term is far too strong: poses that avoid the true contacts come first.
SETS = "wrong 4 -1 0 5\nlock 4 -1 300 0.5\n"
PAIR = ("receptor.pdb", "ligand.pdb", "--coefficients", "my.sets", "--spacing", "1.5", "--poses", "50")
PLANTED = (*PAIR, "--rotation-file", "planted.rot", "--reference", "complex.pdb")
# Residues whose C-alphas are 5.4, 6.1 and 6.3 A apart in the complex, and two that are 30 A apart.
TRUE = [(55, 53), (13, 27), (2, 7)]
FALSE = (60, 1)
TOLERANCE = 2


def write_inputs(folder):
    tessera_runs.write_pair(folder)
    tessera_runs.write_rotations(folder / "planted.rot", 40, 17)
    (folder / "my.sets").write_text(SETS)
    rows = [f"links,resid {r} and name CA,resid {m} and name CA,10" for r, m in [*TRUE, FALSE]]
    (folder / "links.csv").write_text("\n".join(["group,receptor,ligand,upper", *rows, ""]))
    lines = [f"assign (resid {r} and segid A and name CA) (resid {m} and segid B and name CA) 10.0 10.0 0.0"
             for r, m in [*TRUE, FALSE]]
    (folder / "links.tbl").write_text("! the same\n" + "\n".join(lines) + "\n")


def dock(program, folder, *words, ranks=0):
    result = run(program, "dock", *words, cwd=folder, ranks=ranks)
    check(result.returncode == 0, f"{words}: exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout + result.stderr


def positions(path, chain):
    """C-alphas by residue number."""
    return {int(line[22:26]): numpy.array([float(line[i:i + 8]) for i in (30, 38, 46)])
            for line in path.read_text().splitlines()
            if line.startswith("ATOM") and line[12:16].strip() == "CA" and line[21] == chain}


def check_counts(folder, path, required):
    """The satisfied restraints of every pose, from the files of the proteins and the poses alone. Returns the
    closeness of the poses of the last list."""
    receptor, ligand = positions(folder / "receptor.pdb", "A"), positions(folder / "ligand.pdb", "B")
    with h5py.File(path) as file:
        docking = file["docking"]
        center = docking["ligand_center"][:]
        lists = {name: (docking["rotations"][:][poses["rotation"][:]], poses["translation"][:])
                 for name, poses in docking["poses"].items()}
        if "consensus" in docking:
            lists["consensus"] = (docking["consensus/rotation"][:], docking["consensus/translation"][:])
        for name, (rotations, translations) in lists.items():
            turns = matrices_of(rotations)
            distances = [numpy.linalg.norm(turns @ (ligand[m] - center) + translations - receptor[r], axis=1)
                         for r, m in [*TRUE, FALSE]]
            counts = (numpy.array(distances) <= 10 + TOLERANCE).sum(axis=0)
            stored = docking[f"restraints/satisfied/{name}"][:]
            check(len(stored) > 0 and (stored == counts).all(), f"{path}: {name} counts {stored}, not {counts}")
            check((stored >= required).all(), f"{path}: {name} keeps a pose with {stored.min()}")
            check(numpy.allclose(docking[f"restraints/fraction/{name}"][:], counts / 4), f"{path}: fractions")
    return numpy.log(10 / numpy.clip(distances, 8, 10)).sum(axis=0)


def check_effect(program, folder):
    text = dock(program, folder, *PLANTED, "--restraints-pull", "3", "--restraints-closeness", "0", "-o", "free.h5")
    check("warning: --restraints-closeness, --restraints-pull without --restraints" in text, text)
    text = dock(program, folder, *PLANTED, "--restraints", "links.csv", "--restraints-required", "3", "-o",
                "held.h5")
    check("restraints: 4 in group links (3 required), tolerance 2 A" in text, text)
    check("without --restraints" not in text, text)
    check(" 3/4" in text, f"the closing table\n{text}")
    with h5py.File(folder / "free.h5") as free, h5py.File(folder / "held.h5") as held:
        place = "docking/evaluation/wrong/ligand_rmsd"
        check(free[place][0] > 10, f"the right pose is first without restraints: {free[place][0]}")
        check(held[place][0] < 5, f"the first pose is {held[place][0]} A away")
        check("restraints" not in free["docking"], "a group without the option")
    check_counts(folder, folder / "held.h5", 3)
    dock(program, folder, *PLANTED, "--restraints", "links.tbl", "--restraints-required", "75%", "-o", "table.h5")
    check(names_aside(answer(folder / "table.h5")) == names_aside(answer(folder / "held.h5")), "tbl and CSV differ")


def names_aside(answers):
    return {key: value for key, value in answers.items() if "restraints/name" not in key}


def check_refined(program, folder):
    options = (*PAIR, "--rotations", "264", "--refine", "60", "--restraints", "links.csv",
               "--restraints-required", "2")
    dock(program, folder, *options, "-o", "refined.h5")
    closeness = check_counts(folder, folder / "refined.h5", 2)
    check(closeness.max() > 0.1, f"no pose is close: {closeness}")
    with h5py.File(folder / "refined.h5") as file:
        consensus = file["docking/consensus"]
        fraction = file["docking/restraints/fraction/consensus"][:]
        energy = consensus["restraint_energy"][:]
        check(numpy.allclose(energy, 4 * (1 - fraction) - closeness) and energy.max() > 0, "the energies of restraints")
        terms = (consensus["terms"][:] @ consensus.attrs["weights"]
                 + consensus["search_terms"][:] @ consensus.attrs["search_weights"]
                 + consensus["contact_energy"][:] + consensus["statistical_energy"][:] + energy)
        check(numpy.allclose(terms, consensus["pose_score"][:]), "the sum of the score")
    dock(program, folder, *options, "--restraints-weight", "0", "--restraints-closeness", "0", "-o", "weightless.h5")
    with h5py.File(folder / "weightless.h5") as file:
        check(not file["docking/consensus/restraint_energy"][:].any(), "energies without a weight")
    check_pull(program, folder, options)
    return options


def check_pull(program, folder, options):
    """The refinement draws poses towards their restraints."""
    fractions = {}
    for pull in (0, 1000):
        dock(program, folder, *options, "--restraints-pull", pull, "-o", "pulled.h5", "--force")
        with h5py.File(folder / "pulled.h5") as file:
            fractions[pull] = file["docking/restraints/fraction/consensus"][:].mean()
    check(fractions[1000] > fractions[0] + 0.01, f"mean fractions satisfied without and with a pull: {fractions}")


def check_same(program, folder, options):
    """Other ways to the same file."""
    first = answer(folder / "refined.h5")
    for device in ("serial", "openmp"):  # a GPU's sums differ in their last digits
        dock(program, folder, *options, "--device", device, "-o", f"{device}.h5")
    check(answer(folder / "serial.h5") == answer(folder / "openmp.h5"), "serial differs from OpenMP")
    if tessera_runs.has_ranks(program):
        for ranks in (2, 3):
            dock(program, folder, *options, "-o", f"ranks{ranks}.h5", ranks=ranks)
            check(answer(folder / f"ranks{ranks}.h5") == first, f"{ranks} ranks differ from one")
    done = run(program, "rerun", "refined.h5", "-o", "again.h5", cwd=folder)
    check(done.returncode == 0 and answer(folder / "again.h5") == first, f"rerun: {done.stderr}")
    (folder / "run.toml").write_text('restraints = ["links.csv"]\nrestraints-required = "2"\n')
    dock(program, folder, *PAIR, "--rotations", "264", "--refine", "60", "--config", "run.toml", "-o", "config.h5")
    check(answer(folder / "config.h5") == first, "--config differs")
    done = run(program, "plan", "dock", *options, cwd=folder)
    check(done.returncode == 0, f"plan: {done.stderr}")


def check_rescore(program, folder, options):
    done = run(program, "rescore", "refined.h5", "--cluster-radius", "5", "-o", "rescored.h5", cwd=folder)
    check(done.returncode == 0, done.stderr)
    dock(program, folder, *options, "--cluster-radius", "5", "-o", "docked.h5")
    check(answer(folder / "rescored.h5") == answer(folder / "docked.h5"), "rescore differs from docking")
    dock(program, folder, *options, "--duplicate-radius", "0", "-o", "whole.h5")
    done = run(program, "rescore", "whole.h5", "--duplicate-radius", "5", "-o", "fewer.h5", cwd=folder)
    check(done.returncode == 0, done.stderr)
    check(answer(folder / "fewer.h5") == answer(folder / "refined.h5"), "rescored duplicates differ")


def check_pairs(program, folder, options):
    words = options[2:options.index("--restraints")]
    (folder / "pairs.csv").write_text("name,receptor,ligand,restraints\nheld,receptor.pdb,ligand.pdb,links.csv\n"
                                      "free,receptor.pdb,ligand.pdb,\nboth,receptor.pdb,ligand.pdb,"
                                      "links.csv; links.tbl\n")
    dock(program, folder, "--pairs", "pairs.csv", *words, "--restraints-required", "2", "-o", "all")
    check(answer(folder / "all/held.h5") == answer(folder / "refined.h5"), "the pair of the table differs")
    with h5py.File(folder / "all/free.h5") as free, h5py.File(folder / "all/both.h5") as both:
        check("restraints" not in free["docking"], "restraints of another row")
        check(both["docking/restraints/groups/size"][:].tolist() == [4, 4], "two files of a row")


def check_printed(program, folder):
    rows = list(csv.DictReader(io.StringIO(run(program, "table", "refined.h5", cwd=folder).stdout)))
    with h5py.File(folder / "refined.h5") as file:
        stored = file["docking/restraints/satisfied/consensus"][:]
        energy = file["docking/consensus/restraint_energy"][:]
    check([int(row["restraints_satisfied"]) for row in rows] == stored.tolist(), "the table's counts")
    check([float(row["restraint_energy"]) for row in rows] == energy.tolist(), "the table's energies")
    rows = list(csv.DictReader(io.StringIO(run(program, "table", "refined.h5", "--set", "lock", cwd=folder).stdout)))
    check(all(float(row["restraints_fraction"]) == int(row["restraints_satisfied"]) / 4 for row in rows), "fractions")
    text = run(program, "info", "refined.h5", cwd=folder).stdout
    check("restraints links: 4, of which a pose satisfies at least 2" in text, text)


def check_refused(program, folder):
    (folder / "absent.tbl").write_text("assign (resid 900 and segid A) (resid 1 and segid B) 2 2 0\n")
    (folder / "typo.tbl").write_text("assign (resd 9 and segid A) (resid 1 and segid B) 2 2 0\n")
    (folder / "impossible.csv").write_text("receptor,ligand,lower,upper\nresid 1,resid 1,900,999\n")
    cases = {("--restraints", "absent.tbl"): "absent.tbl:1",
             ("--restraints", "typo.tbl"): "did you mean 'resid'",
             ("--restraints", "impossible.csv"): "no pose satisfies the restraints",
             ("--restraints", "none.tbl"): "none.tbl",
             ("--restraints", "links.csv", "--restraints-required", "5"): "it has 4",
             ("--restraints", "links.csv", "--restraints-required", "most"): "'most'",
             ("--restraints", "links.csv", "--restraints-tolerance", "-1"): "--restraints-tolerance",
             ("--restraints-required", "2"): "without --restraints"}
    for words, part in cases.items():
        result = run(program, "dock", *PAIR, "--rotations", "24", *words, "--quiet", "-o", "refused.h5", cwd=folder)
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and part in lines[0], f"{words}: {lines}")
        check(not (folder / "refused.h5").exists(), f"{words}: a file is left")


def check_all(program, folder):
    write_inputs(folder)
    check_effect(program, folder)
    options = check_refined(program, folder)
    check_same(program, folder, options)
    check_rescore(program, folder, options)
    check_pairs(program, folder, options)
    check_printed(program, folder)
    check_refused(program, folder)


def main():
    with tempfile.TemporaryDirectory() as name:
        check_all(sys.argv[1], pathlib.Path(name))


if __name__ == "__main__":
    main()
