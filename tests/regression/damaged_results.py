#!/usr/bin/env python3
"""tessera info, export and rescore on results that are damaged, unfinished or somebody else's: one line
"tessera: problem (why): what to do", an exit code that is not 0 nor the one for bugs, no file left
behind; and no export replaces what it is made of.
Usage: damaged_results.py PATH/OF/tessera"""

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

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")


def without_program(file):
    del file.attrs["program"]


def unfinished(file):
    file.attrs["complete"] = 0


def without_rotations(file):
    del file["docking/rotations"]


def rotation_beyond(file):
    file["docking/poses/balanced/rotation"][0] = 99


def unreadable_input(file):
    file["run"].attrs["input"] = "not JSON"


def other_input(file):
    file["run"].attrs["input"] = '{"ligand": 3}'


# What is done to the file: (commands that refuse it, words of the line).
DAMAGE = {without_program: (("info", "poses", "zdock", "rescore"), "another program"),
          unfinished: (("info", "poses", "zdock", "rescore"), "complete"),
          without_rotations: (("info", "poses", "zdock", "rescore"), "rotations"),
          rotation_beyond: (("info", "poses", "zdock", "rescore"), "rotation 99 of 6"),
          unreadable_input: (("poses", "zdock", "rescore"), "/run/input"),
          other_input: (("poses", "zdock", "rescore"), "/run/input")}


def refused(program, folder, words, *arguments):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    result = run(program, *arguments, cwd=folder)
    lines = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
    said = f"{arguments}: exit code {result.returncode}, {result.stderr}"
    check(result.returncode in (2, 4), said)
    check(len(lines) == 1 and LINE.match(lines[0]) and re.search(words, lines[0]), said)
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    check(after == before, f"{arguments}: files were changed or left behind")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-damaged-"))
    try:
        tessera_runs.write_pair(folder)
        tessera_runs.write_rotations(folder / "few.rot", 6, 2)
        made = run(program, "dock", "receptor.pdb", "ligand.pdb", "-o", "run.h5", "--rotation-file", "few.rot",
                   "--spacing", "2", cwd=folder)
        check(made.returncode == 0, made.stderr)
        commands = {"info": ("info", "bad.h5"), "poses": ("export", "bad.h5", "--poses", "2", "models"),
                    "zdock": ("export", "bad.h5", "--zdock", "poses.out"),
                    "rescore": ("rescore", "bad.h5", "--clusters", "3", "-o", "again.h5")}
        for damage, (names, words) in DAMAGE.items():
            shutil.copy(folder / "run.h5", folder / "bad.h5")
            with h5py.File(folder / "bad.h5", "a") as file:
                damage(file)
            for name in names:
                refused(program, folder, words, *commands[name])
        for source in ("run.h5", "receptor.pdb", "ligand.pdb"):
            refused(program, folder, "an input", "export", "run.h5", "--zdock", source)
        refused(program, folder, "no unfinished run", "info", ".")
        refused(program, folder, "holds no orbitals", "export", "run.h5", "--cube", "cubes")
        with open(folder / "ligand.pdb", "a") as file:
            file.write("REMARK later\n")
        refused(program, folder, "has changed", "export", "run.h5", "--poses", "2", "models")
        print("damaged results are refused")
    finally:
        shutil.rmtree(folder)


main()
