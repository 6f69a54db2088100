"""Tables of synthetic pairs for `tessera dock --pairs`, their runs, and what the files must hold."""

import csv

import tessera_runs
from tessera_runs import answer, check, run

OPTIONS = ("--spacing", "2.5", "--rotations", "264", "--poses", "300", "--coefficients", "balanced,vdw")
SINGLES = {
    "native": ("receptor.pdb", "ligand.pdb", "--reference", "complex.pdb"),
    "same": ("receptor.pdb", "half.pdb"),
    "swapped": ("ligand.pdb", "receptor.pdb"),
    "chains": ("complex.pdb", "complex.pdb", "--receptor-chains", "B", "--ligand-chains", "A"),
}
TABLE = """name,receptor,ligand,reference,receptor_chains,ligand_chains
native,receptor.pdb,ligand.pdb,complex.pdb,,
# the receptor of the row above, and a ligand that needs no larger grid
same,receptor.pdb,half.pdb,,,
swapped,ligand.pdb,receptor.pdb,,,
chains,complex.pdb,complex.pdb,,B,A
"""
SUMMARIES = {"pairs.csv", "pairs.ranks.csv", "pairs.manifest"}
FILES = {f"{name}.h5" for name in SINGLES} | SUMMARIES


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result


def write_table(folder):
    """The table pairs.csv and its structures."""
    tessera_runs.write_pair(folder)
    lines = (folder / "ligand.pdb").read_text().splitlines()
    atoms = [line for line in lines if line.startswith("ATOM")]
    (folder / "half.pdb").write_text("\n".join(atoms[:len(atoms) * 2 // 3] + ["END", ""]))
    (folder / "pairs.csv").write_text(TABLE)


def write_inputs(program, folder, *more):
    """The table, its structures, and what the single command makes of each row: NAME.h5."""
    write_table(folder)
    for name, words in SINGLES.items():
        done(run(program, "dock", *words, *OPTIONS, *more, "-o", f"{name}.h5", "--quiet", cwd=folder))


def dock(program, folder, table, output, *more, ranks=0, faults=""):
    return run(program, "dock", "--pairs", table, "-o", output, *OPTIONS, *more, ranks=ranks, cwd=folder,
               environment={"TESSERA_TEST_FAULTS": faults} if faults else {})


def expect_singles(folder, output, names=tuple(SINGLES)):
    """Each file of the folder holds what the single command wrote."""
    for name in names:
        single, pair = answer(folder / f"{name}.h5"), answer(folder / output / f"{name}.h5")
        different = sorted(key for key in single.keys() | pair.keys() if single.get(key) != pair.get(key))
        check(not different, f"{output}/{name}.h5 differs from the single command in {different}")


def summary(folder, output):
    with open(folder / output / "pairs.csv", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def ranks_of(folder, output):
    """How the run says that its ranks shared the work."""
    with open(folder / output / "pairs.ranks.csv", newline="") as file:
        return list(csv.DictReader(file))


def leftovers(folder, output, allowed=FILES):
    return sorted(path.name for path in (folder / output).iterdir() if path.name not in allowed)
