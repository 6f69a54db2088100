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
import small_results  # noqa: E402
from named_damage import DAMAGE, packed_again  # noqa: E402
from tessera_runs import check, own_lines, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")


def stamps(folder):
    states = {path: path.stat() for path in folder.rglob("*") if path.is_file()}
    return {path: (state.st_size, state.st_mtime_ns, state.st_ino) for path, state in states.items()}


def refused(program, folder, words, *arguments):
    before = stamps(folder)
    result = run(program, *arguments, cwd=folder)
    lines = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
    said = f"{arguments}: exit code {result.returncode}, {result.stderr}"
    check(result.returncode == 2, said)
    check(len(lines) == 1 and LINE.match(lines[0]) and re.search(words, lines[0]), said)
    check(stamps(folder) == before, f"{arguments}: files were changed or left behind")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-damaged-"))
    try:
        small_results.make(program, folder)
        for name, damage, readers, words in DAMAGE:
            shutil.copy(folder / f"{name}.h5", folder / "bad.h5")
            with h5py.File(folder / "bad.h5", "a") as file:
                damage(file)
            for reader in readers:
                refused(program, folder, words, *small_results.READERS[name][reader])
        shutil.copy(folder / "dock.h5", folder / "bad.h5")
        with h5py.File(folder / "bad.h5", "a") as file:
            packed_again(file)
        whole = [run(program, "info", name, cwd=folder) for name in ("dock.h5", "bad.h5")]
        check(whole[0].stdout.splitlines()[1:] == whole[1].stdout.splitlines()[1:], whole[1].stderr)
        for source in ("dock.h5", "receptor.pdb", "ligand.pdb"):
            refused(program, folder, "an input", "export", "dock.h5", "--zdock", source)
        refused(program, folder, "no unfinished run", "info", ".")
        refused(program, folder, "holds no orbitals", "export", "dock.h5", "--cube", "cubes")
        with open(folder / "ligand.pdb", "a") as file:
            file.write("REMARK later\n")
        shutil.copy(folder / "dock.h5", folder / "bad.h5")
        with h5py.File(folder / "bad.h5", "a") as file:  # as earlier versions wrote it
            del file["docking/receptor"], file["docking/ligand"]
        refused(program, folder, "has changed", "export", "bad.h5", "--poses", "2", "models")
        print("damaged results are refused")
    finally:
        shutil.rmtree(folder)


main()
