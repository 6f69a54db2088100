#!/usr/bin/env python3
"""Ranks that read other files than rank 0, or are of another build, as on a node whose copy is old: one line that
names the rank and its host, exit code 2 and no output, whatever the workload.
Usage: agreement.py PATH/OF/tessera"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_runs  # noqa: E402
from tessera_runs import check, in_folder_on_ranks, own_lines, patience, run  # noqa: E402

PAIRS = ["dock", "--pairs", "pairs.csv", *small_runs.arguments("dock")[3:]]
PAIR_TABLE = "name,receptor,ligand\none,receptor.pdb,ligand.pdb\n"


def run_apart(program, folder, words, faults="", other=None):
    """Rank 0 in one folder, rank 1 in another, where it may be another program."""
    rank = ["-n", "1", "-wdir"]
    words = [*words, "-o", str(folder / "out.h5")]
    command = [os.environ["TESSERA_MPIEXEC"], *rank, str(folder / "here"), program, *words, ":",
               *rank, str(folder / "there"), other or program, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=patience(120),
                          env=dict(os.environ, OMP_NUM_THREADS="1", TESSERA_TEST_FAULTS=faults))


def one_line(result):
    lines = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
    check(result.returncode == 2 and len(lines) == 1, f"exit code {result.returncode}: {result.stderr}")
    return lines[0]


def change(path):
    """One digit of the last number, or where there is none a line more."""
    text = path.read_text()
    last = max(text.rfind(digit) for digit in "0123456789")
    path.write_text(text[:last] + str((int(text[last]) + 1) % 10) + text[last + 1:])


def check_input(program, folder, words, name):
    there = folder / "there" / name
    kept = there.read_text()
    change(there)
    line = one_line(run_apart(program, folder, words))
    check("rank 1 on " in line and "another input than rank 0" in line, line)
    check(not list(folder.glob("out.h5*")), f"left behind: {list(folder.glob('out.h5*'))}")
    there.write_text(kept)
    return line


def check_table(program, folder):
    (folder / "there/pairs.csv").write_text(PAIR_TABLE.replace("one", "two"))
    line = one_line(run_apart(program, folder, PAIRS))
    check("another table of pairs than rank 0" in line, line)
    (folder / "there/pairs.csv").write_text(PAIR_TABLE)


def check_pair(folder):
    """Files of a pair are read by every rank that works on it; tiles are slow, so that both do."""
    change(folder / "there/ligand.pdb")
    result = run_apart(os.environ["TESSERA_FAULTY"], folder, PAIRS, faults="*/pause/0.3")
    check(result.returncode == 2 and "have read different files" in result.stderr,
          f"exit code {result.returncode}: {result.stderr}")
    check(not (folder / "out.h5/one.h5").exists(), "a pair of two inputs has a result")
    print("a pair whose files differ between ranks fails")


def check_build(program, folder):
    """A copy of the program with other letters in the place of its revision."""
    revision = run(program, "--version").stdout.split("(")[-1].rstrip(")\n")
    if len(revision) < 12:
        print(f"SKIPPED on ranks of different builds: this one's revision is '{revision}'")
        return
    other = folder / "other-build"
    other.write_bytes(pathlib.Path(program).read_bytes().replace(revision[:8].encode(), b"otherone"))
    other.chmod(0o755)
    line = one_line(run_apart(program, folder, small_runs.arguments("dock"), other=str(other)))
    other.unlink()
    check("rank 1 on " in line and "another build than rank 0" in line and f"otherone{revision[8:]}" in line, line)
    check(not list(folder.glob("out.h5*")), f"left behind: {list(folder.glob('out.h5*'))}")
    print(f"another build on rank 1: '{line}'")


def check_all(program, folder):
    for name in ("here", "there"):
        (folder / name).mkdir()
        small_runs.write_inputs(folder / name)
        water = pathlib.Path(small_runs.WATER).read_text()
        (folder / name / "water.molden").write_text(water)
        (folder / name / "pairs.csv").write_text(PAIR_TABLE)
    orbital = [word if word != small_runs.WATER else "water.molden" for word in small_runs.arguments("grids")]
    for words, name in ((small_runs.arguments("dock"), "ligand.pdb"), (orbital, "water.molden"),
                        (small_runs.arguments("likelihood"), "1.stars"),
                        (small_runs.arguments("compressed"), "2.toml"), (small_runs.arguments("fit"), "1.stars")):
        line = check_input(program, folder, words, name)
    print(f"another input on rank 1: '{line}'")
    check_build(program, folder)
    check_table(program, folder)
    check_pair(folder)


if __name__ == "__main__":
    sys.exit(in_folder_on_ranks(sys.argv[1], check_all))
