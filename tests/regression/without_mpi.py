#!/usr/bin/env python3
"""What one process does by itself works where MPI cannot start: --help, --version, a wrong command line, info, report,
export, simulate, rescore and orbital --list. Commands that need ranks do not, and neither does anything below a
launcher.
Usage: without_mpi.py PATH/OF/tessera"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_results  # noqa: E402
import small_runs  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import check, own_lines  # noqa: E402

BROKEN = {"OPAL_PREFIX": "/nowhere"}  # Open MPI finds none of its own files
LAUNCHERS = ("OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID")
COMMANDS = ("dock", "orbital", "likelihood", "fit", "simulate", "plan", "info", "report", "export", "rescore")
WRONG = ((), ("dok",), ("dock", "--rotation", "5"), ("info",), ("plan", "info"), ("info", "none.h5"),
         ("export", "dock.h5"), ("rescore", "dock.h5", "-o", "again.h5"))
# Not the readers of single purposes, but one command of each kind.
DONE = (("--version",), ("--help",), *((command, "--help") for command in COMMANDS), ("plan", "dock", "--help"),
        *(("info", f"{name}.h5") for name in small_results.RUNS),
        ("export", "dock.h5", "--poses", "2", "models"), ("export", "dock.h5", "--zdock", "poses.out"),
        ("export", "orbital.h5", "--cube", "cubes"), ("export", "fit.h5", "--toml", "best.toml"),
        ("export", "fit.h5", "--config", "fit.toml"), ("orbital", small_runs.WATER, "--list"),
        ("report", "dock.h5", "-o", "run.html"), ("simulate", "1.toml", "--number", "9", "-o", "stars.txt"),
        ("rescore", "dock.h5", "--clusters", "3", "-o", "fewer.h5"), ("queue", "run", "--help"))


def broken_run(program, folder, *words, **variables):
    return tessera_runs.run(program, *words, cwd=folder, environment={**BROKEN, **variables})


def mpi_breaks(program, folder):
    """Whether a command that needs MPI ends at its start here."""
    told = broken_run(program, folder, "plan", "dock", "receptor.pdb", "ligand.pdb")
    return told.returncode != 0 and "MPI_Init" in told.stderr


def check_done(program, folder):
    for words in DONE:
        result = broken_run(program, folder, *words)
        check(result.returncode == 0, f"{words} ends with {result.returncode}: {result.stderr}")
        check(result.stdout or words[0] == "export", f"{words} prints nothing")
    check(len(list((folder / "models").glob("*_0002.pdb"))) > 0, "no models")
    check((folder / "stars.txt").read_text().startswith("9\n"), "no stars")
    check((folder / "fewer.h5").exists(), "no rescored result")
    print(f"{len(DONE)} commands need no MPI")


def check_wrong(program, folder):
    for words in WRONG:
        result = broken_run(program, folder, *words)
        lines = own_lines(result.stderr)
        check(result.returncode == 2, f"{words} ends with {result.returncode}: {result.stderr}")
        check(len(lines) == 1 and lines[0].startswith("tessera: "), f"{words}: {result.stderr}")
    with open("/dev/full", "w") as full:
        words = [program, "info", "dock.h5"]
        result = subprocess.run(words, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, **BROKEN})
    check(result.returncode == 4 and "cannot print" in result.stderr, f"full disk: {result.stderr}")
    print(f"{len(WRONG)} wrong command lines need no MPI")


def check_launched(program, folder):
    """Where a launcher may have started several processes, MPI decides who speaks."""
    for name in LAUNCHERS:
        result = broken_run(program, folder, "--version", **{name: "1"})
        check(result.returncode != 0 and "MPI_Init" in result.stderr, f"{name} does not start MPI: {result.stdout}")
    if not tessera_runs.has_ranks(program):
        return print("ranks cannot be started here: their --version is not tested")
    for words, code in ((("--version",), 0), (("info", "dock.h5"), 0), (("dok",), 2)):
        alone = broken_run(program, folder, *words)
        result = tessera_runs.run(program, *words, ranks=2, cwd=folder)
        check(result.returncode == code, f"{words} on 2 ranks: {result.returncode}")
        check(result.stdout == alone.stdout, f"{words} on 2 ranks: {result.stdout}")
        told = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
        check(told == own_lines(alone.stderr), f"{words} on 2 ranks: {result.stderr}")
    print("on ranks, one of them speaks")


def main():
    program = os.path.abspath(sys.argv[1])
    for name in LAUNCHERS:
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        small_results.make(program, folder)
        if not mpi_breaks(program, folder):
            print("skipped: OPAL_PREFIX does not break this MPI")
            return tessera_runs.SKIPPED
        check_done(program, folder)
        check_wrong(program, folder)
        check_launched(program, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
